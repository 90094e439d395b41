#include "app/engine/head_scores.hpp"

#include "inside/repeated.hpp"
#include "trace/head_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace heed::app {

namespace {

using inside::HeadScore;

constexpr std::uint64_t kSequences = 8, kScoresSeed = 1;
constexpr HeadScore kRepeated[] = {HeadScore::induction, HeadScore::copying};

bool reads_sequences(const models::Model& model) {
    using trace::AttentionKind;
    const models::Traits& traits = model.traits();
    const bool looks_at_itself = traits.layers(AttentionKind::encoder_self) > 0 ||
                                 traits.layers(AttentionKind::decoder_self) > 0;
    return looks_at_itself && inside::repeated_input(model, kScoresSeed, 0).has_value();
}

/// The means into the rows.
void tell_repeated(HeadScores& scores) {
    for (std::size_t h = 0; h < scores.heads.size(); ++h) {
        for (std::size_t i = 0; i < std::size(kRepeated); ++i) {
            const HeadScores::Sums& sums = scores.repeated[h];
            if (sums.count[i] == 0) continue;
            scores.heads[h].scores.values[kRepeated[i]] =
                static_cast<float>(sums.sum[i] / static_cast<double>(sums.count[i]));
        }
    }
}

void tell_alignment(HeadScores& scores) {
    for (inside::HeadRow& row : scores.heads) {
        if (const auto agreement = scores.gold.of(row.head)) {
            row.scores.values[HeadScore::alignment] = static_cast<float>(*agreement);
        }
    }
}

std::string_view measured_on(HeadScore score) {
    if (score == HeadScore::alignment) return "on held-out sentences";
    return inside::is_of_text(score) ? "on this text" : "on repeated sequences";
}

/// The verb of a head that is named by this score.
std::string_view what_it_does(HeadScore score) {
    if (score == HeadScore::alignment) return "follows the";
    const bool induction = score == HeadScore::induction || score == HeadScore::followed;
    return induction ? "does" : "attends to the";
}

} // namespace

const inside::HeadRow* HeadScores::find(const trace::HeadId& head) const {
    const auto found = std::ranges::find(heads, head, &inside::HeadRow::head);
    return found == heads.end() ? nullptr : &*found;
}

std::string head_label(const inside::HeadRow& row) {
    const auto score = inside::naming_score(row.scores.values, row.scores.offset);
    if (score && inside::is_of_text(*score) && trace::tells_little(row.scores.rows)) return {};
    return inside::head_label(row.scores.values, row.scores.offset);
}

namespace {

/// The score that a head is named by, and its label; nothing where none says enough.
std::optional<std::pair<HeadScore, std::string>> naming(const Snapshot& snapshot,
                                                        const inside::PartId& part) {
    const HeadScores* scores = snapshot.head_scores.get();
    const bool head = part.kind == inside::PartId::Kind::head;
    const auto* row = scores && head ? scores->find({part.module, part.layer, part.head}) : nullptr;
    if (!row) return std::nullopt;
    const auto score = inside::naming_score(row->scores.values, row->scores.offset);
    std::string label = head_label(*row);
    if (!score || label.empty()) return std::nullopt;
    return std::pair(*score, std::move(label));
}

} // namespace

std::string score_of_head(const Snapshot& snapshot, const inside::PartId& part) {
    const auto named = naming(snapshot, part);
    return named ? fmt::format("{} {}", named->second, measured_on(named->first)) : "";
}

std::string role_of_head(const Snapshot& snapshot, const inside::PartId& part) {
    auto named = naming(snapshot, part);
    if (!named) return {};
    auto& [score, label] = *named;
    label.pop_back(); // of "(0.93)"
    return fmt::format("{} {} {})", what_it_does(score), label, measured_on(score));
}

std::shared_ptr<const HeadScores> head_scores_begun(const Snapshot& snapshot,
                                                    const Snapshot* before, num::ThreadPool& pool,
                                                    const std::stop_token& stop) {
    const models::Run& run = *snapshot.run;
    const HeadScores* former = before ? before->head_scores.get() : nullptr;
    if (former && before->run == snapshot.run) return before->head_scores;
    auto rows = inside::head_scores(run, pool, stop);
    if (!rows) return nullptr;
    auto scores = std::make_shared<HeadScores>();
    scores->heads = *std::move(rows);
    scores->repeated.resize(scores->heads.size());
    const bool same_heads = former && before->run && before->run->model == run.model &&
                            before->run->controls == run.controls;
    if (same_heads) {
        scores->sequences = former->sequences;
        scores->all_sequences = former->all_sequences;
        scores->repeated = former->repeated;
        scores->gold = former->gold;
    } else {
        const bool same_model = former && before->run && before->run->model == run.model;
        scores->gold = same_model ? gold_again(former->gold) : gold_begun(*run.model);
        scores->all_sequences = reads_sequences(*run.model) ? kSequences : 0;
    }
    tell_repeated(*scores);
    tell_alignment(*scores);
    return scores;
}

std::shared_ptr<const HeadScores>
head_scores_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop) {
    auto scores = std::make_shared<HeadScores>(*snapshot.head_scores);
    const auto& model = snapshot.run->model;
    if (scores->sequences >= scores->all_sequences) {
        if (!measure_gold(scores->gold, *snapshot.run, pool, stop)) return nullptr;
        tell_alignment(*scores);
        return scores;
    }
    const auto input = inside::repeated_input(*model, kScoresSeed, scores->sequences++);
    if (!input) return scores;
    models::RunOptions options;
    options.stop = stop;
    const auto run = models::run(model, *input, snapshot.run->controls, pool, options);
    if (stop.stop_requested()) return nullptr;
    const auto measured =
        run ? inside::repeated_scores(**run, pool, stop) : tl::make_unexpected(run.error());
    if (stop.stop_requested()) return nullptr;
    if (!measured) { // it cannot read them: the rest stands
        scores->sequences = scores->all_sequences;
        return scores;
    }
    for (std::size_t h = 0; h < measured->size(); ++h) {
        for (std::size_t i = 0; i < std::size(kRepeated); ++i) {
            const inside::ScoreValues& values = (*measured)[h];
            if (!values.has(kRepeated[i])) continue;
            scores->repeated[h].sum[i] += static_cast<double>(values[kRepeated[i]]);
            ++scores->repeated[h].count[i];
        }
    }
    tell_repeated(*scores);
    return scores;
}

} // namespace heed::app
