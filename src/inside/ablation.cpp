#include "inside/ablation.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

constexpr std::size_t kPartsAtOnce = 16;

constexpr std::array<std::pair<Instead, std::string_view>, 3> kInsteads = {
    {{Instead::zero, "zero"}, {Instead::mean, "mean"}, {Instead::other, "other"}}};

std::string key_of(const PartId& part) {
    return fmt::format("{} {}", trace::name(part.module), name(part));
}

/// Tokens of the part's stack that are no padding.
Index valid_tokens(const models::Run& run, const PartId& part) {
    const AttentionKind stack = part.module == AttentionKind::encoder_self
                                    ? AttentionKind::encoder_self
                                    : AttentionKind::decoder_self;
    return run.trace.attention(stack, part.layer)->valid_keys;
}

Matrix<float> replacement(const models::Run& run, const PartId& part,
                          const AblationOptions& options) {
    Matrix<float> values = activation_of(run, part);
    switch (options.instead) {
    case Instead::zero: values.setZero(); break;
    case Instead::mean: {
        const num::RowVector<float> mean =
            options.means
                ? options.means->of(part)
                : num::RowVector<float>(values.topRows(valid_tokens(run, part)).colwise().mean());
        values.rowwise() = mean;
        break;
    }
    case Instead::other: values = activation_of(*options.other, part); break;
    }
    return values;
}

struct Asked {
    const std::shared_ptr<const models::Run>& run;
    const Readout& readout;
    const Question& question;
    const AblationOptions& options;
};
using Tell = std::function<void(std::span<const PartId>, const std::vector<Answer>&)>;

/// One run a part.
base::Result<void> ablate_in_turn(const Asked& asked, std::span<const PartId> parts,
                                  num::ThreadPool& pool, const Tell& tell) {
    AnswerBatch batch(asked.readout, asked.question, pool,
                      [&](std::size_t first, const std::vector<Answer>& answers) {
                          tell(parts.subspan(first, answers.size()), answers);
                      });
    for (const PartId& part : parts) {
        const auto without =
            replayed(asked.run, {in_place_of(part, replacement(*asked.run, part, asked.options))},
                     pool, asked.options.stop);
        if (!without) return tl::make_unexpected(without.error());
        batch.add(**without);
    }
    batch.flush();
    return {};
}

/// Neighbours of one layer together.
base::Result<void> ablate_at_once(const Asked& asked, std::span<const PartId> parts,
                                  num::ThreadPool& pool, const Tell& tell) {
    const models::Run& run = *asked.run;
    const ReplayBatch batch(run, asked.readout, asked.question);
    while (!parts.empty()) {
        const auto end = std::find_if(parts.begin(), parts.end(), [&](const PartId& part) {
            return part.layer != parts.front().layer;
        });
        auto together = parts.first(static_cast<std::size_t>(end - parts.begin()));
        together = together.first(std::min(together.size(), kPartsAtOnce));
        parts = parts.subspan(together.size());
        std::vector<ReplacedPart> variants;
        for (const PartId& part : together) {
            variants.push_back({part, replacement(run, part, asked.options)});
        }
        const Matrix<float> states = batch.asked_states(variants, pool, asked.options.stop);
        if (asked.options.stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "ablation", "stopped for a newer request");
        }
        if (!states.allFinite()) { // runs by themselves say which numbers exceed float32
            if (auto ok = ablate_in_turn(asked, together, pool, tell); !ok) return ok;
            continue;
        }
        tell(together, answers_of(asked.readout, states, asked.question, pool));
    }
    return {};
}

} // namespace

std::string_view name(Instead instead) {
    return kInsteads[static_cast<std::size_t>(instead)].second;
}

std::optional<Instead> instead_named(std::string_view name) {
    for (const auto& [instead, word] : kInsteads) {
        if (word == name) return instead;
    }
    return std::nullopt;
}

void MeanActivations::add(const models::Run& run) {
    for (const PartId& part : parts_of(run)) {
        const Index valid = valid_tokens(run, part);
        const num::RowVector<double> sum =
            activation_of(run, part).topRows(valid).cast<double>().colwise().sum();
        const std::string key = key_of(part);
        const auto [at, fresh] = sums_.try_emplace(key, sum);
        if (!fresh) at->second += sum;
        counts_[key] += valid;
    }
    tokens_ += std::max(std::ssize(run.trace.source), std::ssize(run.trace.target));
}

num::RowVector<float> MeanActivations::of(const PartId& part) const {
    const std::string key = key_of(part);
    const auto sum = sums_.find(key);
    HEED_CHECK(sum != sums_.end(), "no run had {}", name(part));
    return (sum->second / static_cast<double>(counts_.at(key))).cast<float>();
}

base::Result<void> check_pair(const models::Run& run, const models::Run& other) {
    if (run.model != other.model) {
        return fail(ErrorKind::mismatch, "other", "is of another model; run both on one");
    }
    const auto lengths = [](const models::Run& r) {
        return std::pair(r.trace.source.size(), r.trace.target.size());
    };
    const auto [source, target] = lengths(run);
    const auto [other_source, other_target] = lengths(other);
    if (source != other_source) {
        return fail(ErrorKind::mismatch, "other",
                    fmt::format("has {} tokens, yours {}; both need the same number", other_source,
                                source));
    }
    if (target == other_target) return {};
    return fail(ErrorKind::mismatch, "other",
                fmt::format("has {} target tokens, yours {}; both need the same number",
                            other_target, target));
}

base::Result<Ablation> ablate(const std::shared_ptr<const models::Run>& run,
                              const Question& question, num::ThreadPool& pool,
                              const AblationOptions& options) {
    const auto readout = readout_of(*run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (auto ok = check(question, *run); !ok) return tl::make_unexpected(ok.error());
    if (options.instead == Instead::other) {
        HEED_CHECK(options.other != nullptr, "ablation to another sentence without one");
        if (auto ok = check_pair(*run, *options.other); !ok) return tl::make_unexpected(ok.error());
    }
    auto parts = options.parts;
    if (parts.empty()) {
        parts = parts_of(*run);
        std::reverse(parts.begin(), parts.end());
    }
    Ablation result;
    result.whole = options.whole ? *options.whole
                                 : answers_of(*readout, asked_row(*run, *readout, question),
                                              question, pool)[0];
    const auto tell = [&](std::span<const PartId> of, const std::vector<Answer>& answers) {
        std::vector<Ablated> made;
        for (std::size_t i = 0; i < answers.size(); ++i) made.push_back({of[i], answers[i]});
        result.parts.insert(result.parts.end(), made.begin(), made.end());
        if (options.told) options.told(made);
    };
    const Asked asked{run, *readout, question, options};
    const bool at_once = ReplayBatch::takes(*run);
    const auto ok = at_once ? ablate_at_once(asked, parts, pool, tell)
                            : ablate_in_turn(asked, parts, pool, tell);
    if (!ok) return tl::make_unexpected(ok.error());
    return result;
}

} // namespace heed::inside
