#include "inside/repeated.hpp"

#include "inside/head_values.hpp"
#include "num/random.hpp"
#include "text/vocabulary.hpp"

#include <algorithm>
#include <unordered_set>

namespace heed::inside {

using models::Model;
using num::Index;

namespace {

/// Tokens that one of the model's texts may have.
Index places_of(const Model& model) {
    constexpr auto kMost = static_cast<Index>(models::kMaxTokens);
    return std::min<Index>(kMost, model.traits().places.value_or(models::kMaxTokens));
}

/// Words that a sequence can be made of, by their rows.
class Drawable {
  public:
    explicit Drawable(const Model& model) : model_(model) {}

    Index rows() const {
        if (model_.words() || model_.reads_ids()) return model_.vocabulary_size();
        return std::ssize(text::everyday_words()); // it finds rows by a hash
    }
    /// Least count of different ones, as far as it is known.
    Index words() const { return model_.words() ? std::ssize(model_.words()->words()) : rows(); }
    std::optional<text::Token> token(Index row) const {
        if (const auto* words = model_.words()) {
            const auto at = static_cast<std::size_t>(row);
            if (!words->can_be_said(at) || at == text::Vocabulary::kEnd) return std::nullopt;
            return text::Token{words->word(at), 0, 0};
        }
        if (!model_.reads_ids()) {
            return text::Token{text::everyday_words()[static_cast<std::size_t>(row)], 0, 0};
        }
        const auto id = static_cast<int>(row);
        const models::TextToIds* ids = model_.text_to_ids();
        const auto tokenizer = ids ? ids->tokenizers.source : nullptr;
        if (!tokenizer) return text::Token{fmt::format("{}", id), 0, 0, true, id};
        if (tokenizer->token(id).empty() || tokenizer->is_special(id)) return std::nullopt;
        return text::Token{models::token_label(*tokenizer, id), 0, 0, true, id};
    }

  private:
    const Model& model_;
};

} // namespace

Index repeated_length(const Model& model) {
    constexpr Index kUsual = 25;
    const bool leads = model.traits().source_leads;
    Index length = std::min(kUsual, (places_of(model) - 1) / 2);
    if (const auto& known = model.provenance(); known && known->lengths) {
        const Index longest = known->lengths->second;
        length = std::min(length, model.traits().one_text ? longest - 1
                                  : leads                 ? longest
                                                          : longest / 2);
    }
    return std::max<Index>(0, std::min(length, Drawable(model).words()));
}

base::Result<models::Input> repeated_input(const Model& model, std::uint64_t seed,
                                           std::uint64_t number) {
    const models::Traits& traits = model.traits();
    const Index length = repeated_length(model);
    if (traits.reads_pictures || traits.weights_alone || traits.reads_one_word || length < 2) {
        return base::fail(base::ErrorKind::unsupported, "model",
                          "reads no text in which a random sequence could come twice");
    }
    const Drawable drawable(model);
    const num::Rng rng(seed, fmt::format("repeated sequence {}", number));
    std::vector<text::Token> once;
    std::unordered_set<Index> drawn;
    const auto tries = static_cast<std::uint64_t>(1000 * length);
    for (std::uint64_t i = 0; i < tries && std::ssize(once) < length; ++i) {
        const auto rows = static_cast<std::uint64_t>(drawable.rows());
        const auto row = static_cast<Index>((rng.bits(i) >> 32) * rows >> 32);
        auto token = drawable.token(row);
        if (token && drawn.insert(row).second) once.push_back(*std::move(token));
    }
    if (once.size() < 2) {
        return base::fail(base::ErrorKind::unsupported, "model",
                          "knows no two words of which a random sequence could be made");
    }
    models::Input input;
    input.source = input.target = once;
    if (!traits.source_leads) {
        input.source.insert(input.source.end(), once.begin(), once.end());
        input.target = input.source;
    }
    return input;
}

base::Result<std::vector<ScoreValues>>
repeated_scores(const models::Run& run, num::ThreadPool& pool, const std::stop_token& stop) {
    const auto rows = head_scores(run, pool, stop);
    if (!rows) return tl::make_unexpected(rows.error());
    std::vector<ScoreValues> scores(rows->size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
        scores[i][HeadScore::induction] = (*rows)[i].scores.values[HeadScore::followed];
        if ((*rows)[i].head.head > 0) continue;
        const trace::HeadId& first = (*rows)[i].head;
        const auto copying = copying_scores(run, first.kind, first.layer);
        for (std::size_t h = 0; h < copying.size(); ++h) {
            scores[i + h][HeadScore::copying] = copying[h];
        }
    }
    return scores;
}

} // namespace heed::inside
