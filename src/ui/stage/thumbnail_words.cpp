#include "ui/stage/thumbnail_words.hpp"

#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/score_info.hpp"
#include "trace/head_names.hpp"
#include "trace/stages.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/cell_words.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using Tokens = std::vector<text::Token>;

/// A matrix of which a thumbnail shows every value, some rows and columns, or the largest of
/// blocks.
struct Whole {
    num::Index rows, cols;
    const Tokens& names;                // of its rows; of another number of rows none is named
    const Tokens* keys;                 // null where columns are features
    bool weights;                       // of softmax
    std::vector<std::string> classes{}; // of its columns, where these are classes
};

/// `values`: what the thumbnail is of, which its colours may show otherwise (logarithms).
std::string value_words(const figure::HeatCell& at, const num::Matrix<float>& values,
                        const Whole& whole) {
    const num::Index shown_rows = at.heat->values->rows(), shown_cols = at.heat->values->cols();
    const num::Index rows = std::max(whole.rows, shown_rows),
                     cols = std::max(whole.cols, shown_cols);
    const bool every = rows == shown_rows && cols == shown_cols;
    const float number = values(at.row, at.col);
    const std::string value =
        whole.weights
            ? figure::weight_digits(figure::told_weight(number, figure::row_of(values, at.row)))
            : lab::digits_text(static_cast<double>(number), 6);
    if (whole.keys != nullptr && !every) {
        return fmt::format("{} is the largest of about {} \u00d7 {} cells", value,
                           (rows + shown_rows - 1) / shown_rows,
                           (cols + shown_cols - 1) / shown_cols);
    }
    const auto row = static_cast<int>(at.row * rows / shown_rows);
    const auto col = static_cast<int>(at.col * cols / shown_cols);
    const std::string column = whole.keys != nullptr ? token_text(*whole.keys, col)
                               : std::ssize(whole.classes) == cols
                                   ? whole.classes[static_cast<std::size_t>(col)]
                                   : fmt::format("feature {}", col + 1);
    if (std::ssize(whole.names) != rows) return column + "   " + value;
    return fmt::format("{} \u2192 {}   {}", token_text(whole.names, row), column, value);
}

} // namespace

namespace {

std::string value_of_head(const Panel& p, const figure::Figure& grid, Point at,
                          const figure::Hit& hit) {
    const auto [layer, head] = std::get<figure::tag::Head>(hit.tag);
    std::string words = trace::head_name(layer, head);
    const auto& s = p.snapshot();
    const auto under = figure::heat_at(grid, at);
    if (!s.run || !under) return words;
    const app::Units units(s, app::merges(s));
    const Tokens& queries = units.queries();
    const Tokens& keys = units.keys();
    const Whole whole{static_cast<num::Index>(queries.size()), static_cast<num::Index>(keys.size()),
                      queries, &keys, true};
    const auto& thumbnails = s.thumbnails[static_cast<std::size_t>(s.focus.head.kind)];
    const auto at_head = static_cast<std::size_t>(layer * thumbnails->heads + head);
    const auto& shown = thumbnails->weights[at_head];
    if (under->heat->values->rows() != shown->rows() ||
        under->heat->values->cols() != shown->cols()) {
        return words;
    }
    words += " \u00b7 " + value_words(*under, *shown, whole);
    if (at_head < thumbnails->faults.size() && thumbnails->faults[at_head].any()) {
        words += " \u00b7 " + app::fault_words(thumbnails->faults[at_head]);
    }
    return words;
}

/// Words for the heads that share their keys and values; nothing where each has its own.
std::string group_words(const Panel& p, int head) {
    const models::Traits traits = traits_now(p);
    if (traits.heads_per_key <= 1) return {};
    const int first = head / traits.heads_per_key * traits.heads_per_key;
    return fmt::format("\nHeads {}\u2013{} read the same keys and values", first + 1,
                       std::min(first + traits.heads_per_key, traits.n_heads));
}

} // namespace

std::string head_words(const Panel& p, const figure::Figure& grid, Point at,
                       const figure::Hit& hit) {
    return value_of_head(p, grid, at, hit) +
           group_words(p, std::get<figure::tag::Head>(hit.tag).head);
}

namespace {

/// A tile of the strip that is no stage of attention.
struct TileInfo {
    std::string_view label, tip;
};
constexpr TileInfo kTiles[] = {
    {"word", "The one word that the model begins with."},
    {"embedding", "Embedding: each word as a vector of numbers, learned in training."},
    {"+ positions", "Embeddings combined with positions, so that the order of the words is known."},
    {"h encoder", "The encoder's states h: each word together with what stands around it."},
    {"y embedded", "The embeddings of the words that the decoder reads."},
    {"s decoder", "The decoder's states s: what it knows at each step."},
    {"t readout", "What the next token is chosen from at each step."},
    {"W s", "W s of this step, the same for all words of the source."},
    {"U h", "U h of each word of the source, the same at all steps."},
    {"U k", "U k of each word of the source, the same at all steps."},
    {"W s + U h", "W s of this step added to each U h."},
    {"W s + U k", "W s of this step added to each U k."},
    {"tanh", "tanh of that sum; its product with v is the score e."},
    {"add", "Residual connection: what attention found is added to what came in.\nx + "
            "attention(LayerNorm(x)) \u00b7 Xiong et al. 2020"},
    {"add & norm",
     "Residual connection and LayerNorm: what attention found is added to what came in, and the "
     "sum is brought into a steady range.\nLayerNorm(x + attention(x)) \u00b7 Vaswani et al. 2017, "
     "section 3.1"},
    {"attended", "Each word after attention: a mix of the words that it looked at."},
    {"pooled", "All words made into one vector."},
    {"dense", "The vector after a layer in which every feature reads all others."},
};

std::string tile_tip(std::string_view label) {
    if (label == "logits") return field_word_tip(FieldWord::logit);
    for (const TileInfo& tile : kTiles) {
        if (tile.label == label) return std::string(tile.tip);
    }
    return "Layer input or output: a row for each token, a column for each feature.";
}

} // namespace

namespace {

/// A stage with the letters of Bahdanau et al. 2015, where a decoder goes step by step.
std::string step_stage_tip(const Panel& p, trace::Stage stage) {
    const auto map = p.snapshot().run->trace.map(p.snapshot().focus.head);
    const std::string what(trace::info(stage).tip);
    const auto& steps = p.snapshot().run->model->traits().steps;
    const bool states = steps->keys_are_states();
    switch (stage) {
    case trace::Stage::scores: {
        const nn::ScoreInfo& score = nn::info(map ? map->head().settings.score : nn::kDotScore);
        const bool before = steps->order == models::StepOrder::attend_first;
        return tip_words(what,
                         "eᵢⱼ = " + nn::formula(score.column_formula, before ? "sᵢ₋₁" : "sᵢ",
                                                states ? "hⱼ" : "kⱼ"),
                         score.citation);
    }
    case trace::Stage::weights: {
        const bool scaled = map && map->head().settings.gamma != 1;
        return tip_words(what,
                         scaled ? "αᵢⱼ = exp(γ eᵢⱼ) / Σₖ exp(γ eᵢₖ); γ: the scale factor"
                                : "αᵢⱼ = exp(eᵢⱼ) / Σₖ exp(eᵢₖ)",
                         "Bahdanau et al. 2015, eq. 6");
    }
    case trace::Stage::context:
        return states ? tip_words("Context: the encoder's states, mixed by the weights.",
                                  "cᵢ = Σⱼ αᵢⱼ hⱼ", "Bahdanau et al. 2015, eq. 5")
                      : tip_words("Context: the values, linear maps of the encoder's states, mixed "
                                  "by the weights.",
                                  "cᵢ = Σⱼ αᵢⱼ vⱼ", "Bahdanau et al. 2015, eq. 5");
    default: return what;
    }
}

} // namespace

std::string stage_words(const Panel& p, const app::StripItem& item) {
    const bool steps = p.snapshot().run && p.snapshot().run->model->traits().is_stepwise();
    std::string words = !item.stage
                            ? tile_tip(item.label)
                            : (steps ? step_stage_tip(p, *item.stage) : stage_tip(*item.stage)) +
                                  "\nClick to enlarge";
    const bool features = !item.stage || !trace::is_map(*item.stage);
    if (features && item.values && item.values->cols() < item.cols) {
        words += fmt::format(" \u00b7 {} of {} features shown", item.values->cols(), item.cols);
    }
    return words;
}

std::string stage_words(const Panel& p, const figure::Figure& strip, Point at,
                        const app::StripItem& item) {
    const auto& s = p.snapshot();
    const auto under = figure::heat_at(strip, at);
    if (!s.run || !under || !item.values || under->heat->values->rows() != item.values->rows() ||
        under->heat->values->cols() != item.values->cols()) {
        return stage_words(p, item);
    }
    const bool map = item.stage && trace::is_map(*item.stage);
    const app::Units units(s, item.stage ? app::stage_units(*item.stage, s.units.get())
                                         : app::token_units(s));
    const Tokens rows = app::stage_rows(s, item);
    const std::vector<std::string> classes =
        item.label == "logits" ? s.run->model->classes() : std::vector<std::string>{};
    const Whole whole{item.rows,
                      item.cols,
                      rows,
                      map ? &units.keys() : nullptr,
                      item.stage == trace::Stage::weights,
                      classes};
    return item.label + ": " + value_words(*under, *item.values, whole) + "\n" +
           stage_words(p, item);
}

} // namespace heed::ui
