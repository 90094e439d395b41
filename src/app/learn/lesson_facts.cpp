#include "app/learn/lesson_facts.hpp"

#include "app/document/names.hpp"
#include "app/engine/continuation.hpp"
#include "app/engine/speech.hpp"
#include "app/views/map_views.hpp"
#include "app/views/rooms.hpp"
#include "app/views/titles.hpp"
#include "lab/number_words.hpp"
#include "models/model/model.hpp"
#include "models/model/text_to_ids.hpp"
#include "num/softmax.hpp"
#include "text/vocabulary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using num::Index;
using trace::Stage;
using Read = std::optional<FactValue>;

namespace {

Read share(double value) { return FactValue{value, fmt::format("{:.2f}", value)}; }
Read number(double value) { return FactValue{value, lab::digits_text(value, 3)}; }
Read bits(float value) {
    const auto entropy = static_cast<double>(value);
    return FactValue{entropy, lab::fixed_text(entropy, 2)};
}
Read count(double value) { return FactValue{value, fmt::format("{:.0f}", value)}; }
Read percent(double value) { return FactValue{value, fmt::format("{:.0f} %", 100 * value)}; }
Read words_read(std::string words) { return FactValue{std::nullopt, std::move(words)}; }

std::optional<trace::AttentionMap> focused(const LessonState& s) {
    if (!s.snapshot.run) return std::nullopt;
    return s.snapshot.run->trace.map(s.snapshot.focus.head);
}

template <float trace::HeadPattern::*member> Read pattern_share(const LessonState& s) {
    if (!focused(s)) return std::nullopt;
    return percent(static_cast<double>(s.snapshot.pattern.*member));
}

Read mean_largest(const LessonState& s) {
    if (!focused(s)) return std::nullopt;
    return share(static_cast<double>(s.snapshot.pattern.largest));
}

/// The weights of the chosen row in the focused head, 1 × keys, with its number.
std::optional<std::pair<Index, num::RowVector<float>>> chosen_row(const LessonState& s) {
    const auto map = focused(s);
    const auto cell = map ? selected_cell(s.snapshot, s.view) : std::nullopt;
    if (!cell || cell->first >= map->rows(Stage::weights)) return std::nullopt;
    const Index keys = map->cols(Stage::weights);
    const num::Matrix<float> row = map->rectangle(Stage::weights, {cell->first, 0, 1, keys});
    return std::pair<Index, num::RowVector<float>>(cell->first, row.row(0));
}

/// Word with its place: two rows of one word are two rows.
Read word_at(const std::vector<text::Token>& tokens, Index at) {
    if (at < 0 || at >= std::ssize(tokens)) return std::nullopt;
    return FactValue{static_cast<double>(at), tokens[static_cast<std::size_t>(at)].text};
}

Read row_word(const LessonState& s) {
    const auto row = chosen_row(s);
    return row ? word_at(row_tokens(s.snapshot), row->first) : std::nullopt;
}

const std::vector<text::Token>& keys_of(const LessonState& s) {
    return s.snapshot.run->trace.keys(s.snapshot.focus.head.kind);
}

Read key_word(const LessonState& s) {
    const auto cell = focused(s) ? selected_cell(s.snapshot, s.view) : std::nullopt;
    return cell ? word_at(keys_of(s), cell->second) : std::nullopt;
}

Read row_looks_at(const LessonState& s) {
    const auto row = chosen_row(s);
    if (!row || row->second.size() == 0) return std::nullopt;
    // What a head that is off looks at is gathered by nobody.
    if (s.snapshot.run->controls.resolved(s.snapshot.focus.head).gain == 0) return std::nullopt;
    Index key = 0;
    row->second.maxCoeff(&key);
    return word_at(keys_of(s), key);
}

Read cell_weight(const LessonState& s) {
    const auto row = chosen_row(s);
    const auto cell = row ? selected_cell(s.snapshot, s.view) : std::nullopt;
    if (!cell || cell->second >= row->second.size()) return std::nullopt;
    return share(static_cast<double>(row->second(cell->second)));
}

/// Attention to later words: the sum over j > i, meaned over the rows that have a distribution.
Read looks_ahead(const LessonState& s) {
    const auto map = focused(s);
    if (!map || s.snapshot.focus.head.kind == trace::AttentionKind::cross) return std::nullopt;
    const Index n = map->rows(Stage::weights);
    if (n * map->cols(Stage::weights) > kMostPatternCells) return std::nullopt;
    const num::Matrix<float> weights = map->whole(Stage::weights);
    double sum = 0;
    int rows = 0;
    for (Index i = 0; i < n; ++i) {
        if (!map->has_distribution(i)) continue;
        for (Index j = i + 1; j < weights.cols(); ++j) sum += static_cast<double>(weights(i, j));
        ++rows;
    }
    if (rows == 0) return std::nullopt;
    return percent(sum / rows);
}

models::HeadControls controls_of(const LessonState& s) {
    return s.snapshot.run->controls.resolved(s.snapshot.focus.head);
}

Read scale_words(const LessonState& s) {
    const auto map = focused(s);
    if (!map) return std::nullopt;
    return words_read(write_scale(
        controls_of(s).scale.value_or(models::usual_scale(map->head().settings.score))));
}

Read masks_words(const LessonState& s) {
    const auto map = focused(s);
    if (!map) return std::nullopt;
    const nn::Mask& mask = *map->head().settings.mask;
    std::vector<std::string> parts;
    if (mask.causal) parts.push_back("causal");
    if (mask.padding) parts.push_back("padding");
    if (mask.window) parts.push_back("window");
    if (!mask.painted.empty()) parts.push_back("painted");
    return words_read(parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", ")));
}

/// The head's positions; the model's where they join the embedding: no head alone can omit those.
Read positions_words(const LessonState& s) {
    if (!s.snapshot.run) return std::nullopt;
    const models::Run& run = *s.snapshot.run;
    const nn::Positions usual = run.model->traits().usual_positions;
    const auto of_model = run.controls.at({}).positions;
    const nn::Positions now = nn::joins_embedding(of_model.value_or(usual))
                                  ? of_model.value_or(usual)
                                  : positions_of(run, s.snapshot.focus.head);
    return words_read(std::string(nn::name(now)));
}

Read said_words_read(const LessonState& s) {
    if (!s.snapshot.run || !s.snapshot.run->model->traits().decodes) return std::nullopt;
    std::string line = added_line(*s.snapshot.run, s.snapshot.document.segmentation);
    // A model that adds nothing to what was typed says what might come next.
    const bool ends = has_said_all(s.snapshot);
    if (line.empty() && !ends && s.snapshot.prediction && !s.snapshot.prediction->likeliest.empty())
        line = s.snapshot.run->model->answer(s.snapshot.prediction->likeliest.front());
    if (line.empty()) return std::nullopt;
    return words_read(std::move(line));
}

template <std::size_t which> Read most_head(const LessonState& s) {
    const auto head = strongest_head(s, pattern_measures()[which]);
    return head ? words_read(short_head(*head)) : std::nullopt;
}

std::vector<std::string> view_choices() {
    std::vector<std::string> list;
    for (const ViewInfo& view : kViews) list.emplace_back(view.name);
    return list;
}
std::vector<std::string> scale_choices() { return {"on", "off"}; }
std::vector<std::string> mask_choices() {
    return {"none", "causal", "padding", "window", "painted"};
}
std::vector<std::string> kind_choices() {
    std::vector<std::string> list;
    for (const auto kind : trace::kAttentionKinds) list.emplace_back(trace::name(kind));
    return list;
}
std::vector<std::string> position_choices() {
    std::vector<std::string> list;
    for (const auto kind : nn::kPositions) list.emplace_back(nn::name(kind));
    return list;
}

std::string needs_attention(const models::Traits& t, std::string_view) {
    return t.attends() || !t.is_stepwise() ? "" : "This model does not attend.";
}
/// Reason why nothing can be changed: no attention is computed.
std::string needs_computing(const models::Traits& t, std::string_view wanted) {
    if (t.weights_alone) return "This file holds attention weights alone: nothing can be changed.";
    return needs_attention(t, wanted);
}
/// Additive scores and their like have none; scaled dot has it inside.
std::string needs_scale(const models::Traits& t, std::string_view wanted) {
    if (models::usual_scale(t.usual_score).kind != models::Scale::Kind::on) {
        return "The scores of this model are not divided by √dₖ.";
    }
    return needs_computing(t, wanted);
}
std::string needs_kind(const models::Traits& t, std::string_view wanted) {
    for (const auto kind : trace::kAttentionKinds) {
        if (trace::name(kind) != wanted || t.layers(kind) > 0) continue;
        const bool cross = kind == trace::AttentionKind::cross;
        const bool crosses_only = t.attends() && t.is_stepwise();
        return fmt::format("This model has no {}{}attention{}.", wanted, cross ? "-" : " self-",
                           crosses_only ? ", only cross-attention" : "");
    }
    return {};
}
/// Reason why there is no self-attention: in cross-attention no key lies ahead of a query.
std::string needs_self(const models::Traits& t, std::string_view wanted) {
    const bool self = t.layers(trace::AttentionKind::encoder_self) > 0 ||
                      t.layers(trace::AttentionKind::decoder_self) > 0;
    return self ? needs_attention(t, wanted) : "This model has no self-attention.";
}
std::string needs_positions(const models::Traits& t, std::string_view wanted) {
    if (t.has_positions) return needs_computing(t, wanted);
    return t.is_stepwise()
               ? "This model reads words one after the other: it knows their order, and "
                 "has no positions to choose."
               : "This model has no positions to choose.";
}
/// Reason why a word is found by the very vector that is gathered from it.
std::string needs_values(const models::Traits& t, std::string_view wanted) {
    if (t.attends() && t.steps && t.steps->projection != models::Projection::two) {
        return "In this model keys and values are the same vectors: this card is about models "
               "where they differ.";
    }
    return needs_computing(t, wanted);
}
std::string needs_decoder(const models::Traits& t, std::string_view) {
    if (!t.decodes) return "This model says no words.";
    return t.says_words() ? "" : "This model is untrained and says no words.";
}
std::string needs_heads(const models::Traits& t, std::string_view) {
    int layers = 0;
    for (const auto kind : trace::kAttentionKinds) layers = std::max(layers, t.layers(kind));
    return layers * t.n_heads > 1 ? "" : "This model has one head: there is none to compare with.";
}

constexpr PatternMeasure kMeasures[] = {
    {"previous", "at the word before", &trace::HeadPattern::previous},
    {"next", "at the word after", &trace::HeadPattern::next},
    {"same", "at the word itself", &trace::HeadPattern::same},
    {"first", "at the first word", &trace::HeadPattern::first},
    {"separator", "at full stops and marks", &trace::HeadPattern::separator},
    {"confident", "at one word alone", &trace::HeadPattern::largest}};

using S = const LessonState&;
constexpr bool kNumber = true, kWords = false;

const Fact kFacts[] = {
    {"head looks previous", "share of the head's attention upon the word before, 0 to 1", kNumber,
     pattern_share<&trace::HeadPattern::previous>, nullptr, needs_attention, 1, true},
    {"head looks next", "share upon the word after", kNumber,
     pattern_share<&trace::HeadPattern::next>, nullptr, needs_attention, 1, true},
    {"head looks same", "share upon the word itself", kNumber,
     pattern_share<&trace::HeadPattern::same>, nullptr, needs_attention, 1, true},
    {"head looks first", "share upon the first word", kNumber,
     pattern_share<&trace::HeadPattern::first>, nullptr, needs_attention, 1, true},
    {"head looks separator", "share upon full stops and marks", kNumber,
     pattern_share<&trace::HeadPattern::separator>, nullptr, needs_attention, 1, true},
    {"head looks ahead", "share of a self-attention upon all later words", kNumber, looks_ahead,
     nullptr, needs_self, 1, true},
    {"head confidence", "the largest weight of a row, averaged over the rows", kNumber,
     mean_largest, nullptr, needs_attention, 1},
    {"head entropy", "bits, averaged over the rows", kNumber,
     [](S s) { return focused(s) ? bits(s.snapshot.summary.mean_entropy_bits) : std::nullopt; },
     nullptr, needs_attention},
    {"head width", "features of a query of the head, dₖ", kNumber,
     [](S s) { return focused(s) ? count(s.snapshot.run->model->traits().head_width) : Read{}; },
     nullptr, needs_attention},
    {"head gain", "what the head's output is multiplied with: 0 is off", kNumber,
     [](S s) {
         const auto map = focused(s);
         return map ? number(static_cast<double>(map->head().settings.gain)) : std::nullopt;
     },
     nullptr, needs_computing},
    {"row largest", "largest weight of the chosen row", kNumber,
     [](S s) {
         const auto row = chosen_row(s);
         return row && row->second.size() > 0 ? share(static_cast<double>(row->second.maxCoeff()))
                                              : std::nullopt;
     },
     nullptr, needs_attention, 1},
    {"row entropy", "of the chosen row, bits", kNumber,
     [](S s) {
         const auto row = chosen_row(s);
         return row ? bits(num::entropy_bits(row->second)) : std::nullopt;
     },
     nullptr, needs_attention},
    {"weight", "of the chosen cell, 0 to 1", kNumber, cell_weight, nullptr, needs_attention, 1},
    {"temperature", "of the head's softmax", kNumber,
     [](S s) {
         const auto map = focused(s);
         return map ? number(static_cast<double>(map->head().settings.temperature)) : std::nullopt;
     },
     nullptr, needs_computing},
    {"scale factor", "what the head's scores are multiplied with", kNumber,
     [](S s) {
         const auto map = focused(s);
         return map ? number(static_cast<double>(map->head().settings.gamma)) : std::nullopt;
     },
     nullptr, needs_computing},
    {"training steps", "of the Train room's farthest model, in a run that is begun with the card",
     kNumber,
     [](S s) { return s.training ? count(static_cast<double>(s.training->steps)) : std::nullopt; }},
    {"training step", "at which its accuracy was measured, first after those steps", kNumber,
     [](S s) {
         const bool measured = s.training && s.training->accuracy;
         return measured ? count(static_cast<double>(s.training->measured_at)) : std::nullopt;
     }},
    {"training accuracy", "share of new sentences that it gets right, 0 to 1", kNumber,
     [](S s) {
         return s.training && s.training->accuracy ? percent(*s.training->accuracy) : std::nullopt;
     },
     nullptr, nullptr, 1, true},
    {"best training accuracy", "the largest of all that were measured up to there, 0 to 1", kNumber,
     [](S s) { return s.training && s.training->best ? percent(*s.training->best) : std::nullopt; },
     nullptr, nullptr, 1, true},
    {"training task", "what is learned in the Train room", kWords,
     [](S s) { return s.training ? words_read(s.training->task) : std::nullopt; }},
    {"values", "what is gathered from words: values of their own, or their keys", kWords,
     [](S s) {
         if (!focused(s)) return Read{};
         const models::Traits& t = s.snapshot.run->model->traits();
         return words_read(needs_values(t, {}).empty() ? "values" : "keys");
     },
     nullptr, needs_values},
    {"scale", "whether the head's scores are divided by the root of its width", kWords, scale_words,
     scale_choices, needs_scale},
    {"mask", "what the head may not look at", kWords, masks_words, mask_choices, needs_computing},
    {"positions", "how the head is told the order of words", kWords, positions_words,
     position_choices, needs_positions},
    {"attention", "whose attention is looked at", kWords,
     [](S s) {
         return focused(s) ? words_read(std::string(trace::name(s.snapshot.focus.head.kind)))
                           : std::nullopt;
     },
     kind_choices, needs_kind},
    {"view", "what the window shows", kWords,
     [](S s) { return words_read(std::string(info(s.view.view).name)); }, view_choices},
    {"head", "the head that is looked at", kWords,
     [](S s) { return focused(s) ? words_read(short_head(s.snapshot.focus.head)) : Read{}; },
     nullptr, needs_heads},
    {"row", "the word of the chosen row", kWords, row_word, nullptr, needs_attention},
    {"key", "the word of the chosen column", kWords, key_word, nullptr, needs_attention},
    {"row looks at", "the word that the chosen row gives most to", kWords, row_looks_at, nullptr,
     needs_attention},
    {"sentence", "the source, as it is typed", kWords,
     [](S s) { return words_read(s.snapshot.document.source); }},
    {"said", "what the model says, of itself", kWords, said_words_read, nullptr, needs_decoder},
    {"most previous head", "the head of this kind that looks most at the word before", kWords,
     most_head<0>, nullptr, needs_heads},
    {"most next head", "likewise at the word after", kWords, most_head<1>, nullptr, needs_heads},
    {"most same head", "likewise at the word itself", kWords, most_head<2>, nullptr, needs_heads},
    {"most first head", "likewise at the first word", kWords, most_head<3>, nullptr, needs_heads},
    {"most separator head", "likewise at full stops and marks", kWords, most_head<4>, nullptr,
     needs_heads},
    {"most confident head", "the head of this kind with the largest weights", kWords, most_head<5>,
     nullptr, needs_heads},
};

} // namespace

std::span<const Fact> facts() { return kFacts; }

bool has_said_all(const Snapshot& s) {
    if (!s.run || s.document.target.empty() || !s.prediction || s.prediction->likeliest.empty())
        return false;
    const models::Model& model = *s.run->model;
    const auto next = s.prediction->likeliest.front();
    const models::TextToIds* ids = model.text_to_ids();
    const bool ends =
        ids ? ids->tokenizers.target && ids->tokenizers.target->is_special(static_cast<int>(next))
            : model.words() && next == text::Vocabulary::kEnd;
    return ends && added_line(*s.run, s.document.segmentation).empty();
}

const Fact* fact_named(std::string_view name) {
    const auto* at = std::ranges::find(kFacts, name, &Fact::name);
    return at == std::end(kFacts) ? nullptr : at;
}

std::span<const PatternMeasure> pattern_measures() { return kMeasures; }

std::optional<trace::HeadId> strongest_head(const LessonState& state,
                                            const PatternMeasure& measure) {
    const auto& heads = state.patterns.of(state.snapshot);
    if (heads.size() < 2) return std::nullopt;
    const auto at = std::ranges::max_element(
        heads, {}, [&](const NamedPattern& h) { return h.pattern.*measure.member; });
    return at->head;
}

std::string short_head(const trace::HeadId& head) {
    return fmt::format("{} {}.{}", trace::name(head.kind), head.layer + 1, head.head + 1);
}

} // namespace heed::app
