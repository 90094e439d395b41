#include "app/engine/pictures.hpp"

#include "app/engine/measures.hpp"
#include "figure/views/plots.hpp"
#include "inside/head_table.hpp"
#include "inside/readout.hpp"
#include "nn/attention/score_info.hpp"
#include "num/equal.hpp"
#include "trace/merged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::app {

using num::Index;
using num::shared_matrix;
using trace::AttentionKind;
using trace::Stage;

namespace {

/// The value of the largest magnitude; what is not finite gives way to what is.
float loudest(const Matrix<float>& values, Index row, Index row_end, Index col, Index col_end) {
    float top = values(row, col);
    for (Index r = row; r < row_end; ++r) {
        for (Index c = col; c < col_end; ++c) {
            const float x = values(r, c);
            if (std::isfinite(x) && (!std::isfinite(top) || std::abs(x) > std::abs(top))) top = x;
        }
    }
    return top;
}

} // namespace

std::string stage_label(Stage stage, const trace::AttentionMap& map, bool stepwise) {
    const trace::HeadSettings& settings = map.head().settings;
    switch (stage) {
    case Stage::q: return "Q";
    case Stage::k: return "K";
    case Stage::v: return "V";
    case Stage::scores:
        return stepwise ? "e " + std::string(nn::info(settings.score).label)
                        : std::string(trace::name(stage)); // as titles call them
    case Stage::scaled: {
        if (settings.softcap > 0) return "bounded";
        const double d_k = static_cast<double>(map.attention().d_k());
        if (std::abs(settings.gamma * std::sqrt(d_k) - 1) < 1e-5) return "÷ √dₖ";
        return fmt::format("× {:.3g}", settings.gamma);
    }
    case Stage::masked:
        if (map.head().bias.empty()) return settings.mask->empty() ? "no mask" : "+ mask";
        return settings.mask->empty() ? "+ position bias" : "+ bias + mask";
    case Stage::weights:
        return std::string(settings.temperature == 1 ? "" : "÷ τ, ") +
               (stepwise ? "α softmax" : "softmax");
    case Stage::context: return stepwise ? "c context" : "weights · V";
    }
    return "";
}

namespace {

void add_matrix(std::vector<StripItem>& strip, std::string label,
                std::shared_ptr<const Matrix<float>> whole, StripRows rows) {
    StripItem item{std::move(label), std::nullopt,
                   shared_matrix(sampled(*whole, kThumbnail, kSampledFeatures))};
    item.rows = whole->rows(), item.cols = whole->cols();
    item.whole = std::move(whole);
    item.rows_are = rows;
    strip.push_back(std::move(item));
}

/// False where there is no such tensor.
bool add_tensor(std::vector<StripItem>& strip, const trace::Trace& trace, std::string label,
                const std::string& name, StripRows rows = StripRows::queries) {
    const auto tensor = trace.tensor(name);
    if (!tensor || tensor->values.size() == 0) return false;
    add_matrix(strip, std::move(label), tensor->values.matrix(), rows);
    return true;
}

/// Adds what a layer passes on behind this attention: the sum with what came in, and where the
/// norm follows (post-norm) the norm of that.
void add_sum(std::vector<StripItem>& strip, const trace::Trace& trace,
             const trace::Attention& attention) {
    const bool crosses = attention.kind == AttentionKind::cross;
    const auto stack = crosses ? AttentionKind::decoder_self : attention.kind;
    const std::string layer = inside::layer_name(stack, attention.layer);
    if (add_tensor(strip, trace, "add", layer + (crosses ? ".residual2" : ".residual1"))) return;
    add_tensor(strip, trace, "add & norm", layer + (crosses ? ".norm2" : ".norm1"));
}

/// Adds the states of a model without attention.
void add_states(std::vector<StripItem>& strip, const trace::Trace& trace) {
    add_tensor(strip, trace, "word", "seed");
    add_tensor(strip, trace, "embedding", "encoder_input", StripRows::keys);
    add_tensor(strip, trace, "h encoder", "encoder.states", StripRows::keys);
    add_tensor(strip, trace, "y embedded", "decoder_input");
    add_tensor(strip, trace, "s decoder", "decoder.states");
    for (const char* name : {"decoder_output", "readout"})
        add_tensor(strip, trace, "t readout", name);
}

/// Adds what the score of a step is made of, where it is vᵀ tanh(W s + U h), or of projected keys
/// k in place of the states h.
void add_additive(std::vector<StripItem>& strip, const models::Traits& traits,
                  const trace::DecoderStep* step) {
    if (!step || !step->additive || !traits.steps) return;
    const trace::AdditiveParts& parts = *step->additive;
    const bool states = traits.steps->keys_are_states();
    add_matrix(strip, "W s", shared_matrix(Matrix<float>(parts.query)), StripRows::step);
    add_matrix(strip, states ? "U h" : "U k", shared_matrix(parts.key), StripRows::keys);
    const char* sum = states ? "W s + U h" : "W s + U k";
    add_matrix(strip, sum, shared_matrix(parts.sum()), StripRows::keys);
    add_matrix(strip, "tanh", shared_matrix(parts.hidden()), StripRows::keys);
}

/// Stages that a decoder's attention only has because every attention has them: its states once
/// more, a factor of 1, no mask.
bool says_nothing(Stage stage, const trace::AttentionMap& map, const trace::Trace& trace) {
    const trace::HeadSettings& settings = map.head().settings;
    const trace::Attention& attention = map.attention();
    switch (stage) {
    case Stage::q: return true;
    case Stage::k: return num::equal(attention.k, trace.tensor("encoder.states")->values);
    case Stage::v:
        return num::equal(attention.v, attention.k) ||
               num::equal(attention.v, trace.tensor("encoder.states")->values);
    case Stage::scaled: return settings.gamma == 1;
    case Stage::masked: return settings.mask->empty();
    default: return false;
    }
}

/// Adds what lies before the queries and keys.
void add_inputs(std::vector<StripItem>& strip, const models::Run& run, AttentionKind kind) {
    const trace::Trace& trace = run.trace;
    if (run.model->traits().is_stepwise()) {
        add_tensor(strip, trace, "embedding", "encoder_input", StripRows::keys);
        add_tensor(strip, trace, "h encoder", "encoder.states", StripRows::keys);
        const bool old = run.model->traits().steps->order == models::StepOrder::attend_first;
        add_tensor(strip, trace, "s decoder", "decoder.states",
                   old ? StripRows::read_next : StripRows::queries);
        return;
    }
    const std::string side = kind == AttentionKind::encoder_self ? "encoder" : "decoder";
    const bool joined = add_tensor(strip, trace, "embedding", side + ".embedding", StripRows::read);
    const char* input = joined ? "+ positions" : "embedding";
    add_tensor(strip, trace, input, side + "_input", StripRows::read);
}

/// Keeps numbers from 0 and below `count`: ascending, once each.
void keep_existing(std::vector<int>& list, int count) {
    std::erase_if(list, [&](int i) { return i < 0 || i >= count; });
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

} // namespace

Matrix<float> reduced(const Matrix<float>& values, Index max_rows, Index max_cols) {
    const Index rows = std::min(values.rows(), max_rows), cols = std::min(values.cols(), max_cols);
    if (rows == values.rows() && cols == values.cols()) return values;
    Matrix<float> small(rows, cols);
    for (Index r = 0; r < rows; ++r) {
        const Index row = r * values.rows() / rows, row_end = (r + 1) * values.rows() / rows;
        for (Index c = 0; c < cols; ++c) {
            small(r, c) = loudest(values, row, row_end, c * values.cols() / cols,
                                  (c + 1) * values.cols() / cols);
        }
    }
    return small;
}

Matrix<float> sampled(const Matrix<float>& values, Index max_rows, Index max_cols) {
    const Index rows = std::min(values.rows(), max_rows), cols = std::min(values.cols(), max_cols);
    Matrix<float> small(rows, cols);
    for (Index r = 0; r < rows; ++r) {
        for (Index c = 0; c < cols; ++c) {
            small(r, c) = values(r * values.rows() / rows, c * values.cols() / cols);
        }
    }
    return small;
}

std::shared_ptr<const Matrix<float>> difference_of(const Matrix<float>& values,
                                                   const Matrix<float>& others) {
    if (values.rows() != others.rows() || values.cols() != others.cols()) return nullptr;
    auto difference = std::make_shared<Matrix<float>>(values - others);
    for (Index i = 0; i < difference->size(); ++i) {
        if (values.data()[i] == others.data()[i]) difference->data()[i] = 0;
    }
    return difference;
}

Focus focus_inside(const trace::Trace& trace, Focus focus) {
    if (trace.n_layers(focus.head.kind) == 0) {
        const auto there = std::ranges::find_if(
            trace::kAttentionKinds, [&](AttentionKind kind) { return trace.n_layers(kind) > 0; });
        if (there != std::end(trace::kAttentionKinds)) focus.head.kind = *there;
    }
    const AttentionKind kind = focus.head.kind;
    focus.head.layer = std::clamp(focus.head.layer, 0, std::max(trace.n_layers(kind) - 1, 0));
    focus.head.head = std::clamp(focus.head.head, 0, std::max(trace.n_heads(kind) - 1, 0));
    if (trace.n_layers(kind) == 0) focus.combine.reset();
    if (const auto map = trace.map(focus.head); map && map->head().stored) {
        focus.stage = Stage::weights;
    }
    keep_existing(focus.layers, trace.n_layers(kind));
    keep_existing(focus.heads, trace.n_heads(kind));
    return focus;
}

Needs needs_inside(const trace::Trace& trace, AttentionKind kind, const TokenWords* units,
                   Needs needs) {
    keep_existing(needs.overlay, trace.n_heads(kind));
    const auto first = trace.map({kind, 0, 0});
    if (first && first->head().stored) needs.effects = false; // there is no output
    std::erase_if(needs.slots, [&](const trace::HeadId& id) { return !trace.map(id); });
    auto states = trace.tensor("decoder.states");
    const bool of_transformer = !states && kind != AttentionKind::encoder_self;
    if (of_transformer && needs.any_step) states = trace.tensor("decoder_output");
    if (states && needs.step) {
        needs.step = row_or_first(*needs.step, states->values.rows(),
                                  hidden_queries(units, AttentionKind::decoder_self));
    } else {
        needs.step.reset();
    }
    return needs;
}

namespace {

/// A stage's thumbnail, and the size of what it is of.
struct Tile {
    std::shared_ptr<const Matrix<float>> values;
    Index rows, cols;
};

/// `whole`: all of the stage where it is there already, or null.
Tile tile_of(const trace::AttentionMap& map, Stage stage, const Matrix<float>* whole,
             const TokenWords* units) {
    const bool pairs = trace::is_map(stage);
    if (whole && stage == Stage::weights && units && units->merged) {
        const AttentionKind kind = map.attention().kind;
        const Matrix<float> merged =
            trace::merged_weights(*whole, units->queries(kind), units->keys(kind));
        return {shared_matrix(reduced(merged, kThumbnail, kThumbnail)), merged.rows(),
                merged.cols()};
    }
    const auto [rows, cols] = hidden_in(stage, token_units(units), map.attention().kind);
    if (pairs && !whole && rows.empty() && cols.empty()) {
        return {shared_matrix(map.reduced(stage, kThumbnail, kThumbnail)), map.rows(stage),
                map.cols(stage)};
    }
    Matrix<float> values = whole ? *whole : map.whole(stage);
    if (!rows.empty() || !cols.empty()) values = without(values, rows, cols);
    return {shared_matrix(pairs ? reduced(values, kThumbnail, kThumbnail)
                                : sampled(values, kThumbnail, kSampledFeatures)),
            values.rows(), values.cols()};
}

/// Rows of hidden tokens, of what is no stage and has a row for each token.
void leave_out(std::vector<StripItem>& strip, const trace::Trace& trace, const TokenWords* units,
               AttentionKind kind) {
    for (StripItem& item : strip) {
        if (item.rows_are == StripRows::step) continue;
        const bool keys = item.rows_are == StripRows::keys;
        const auto hidden = keys                               ? hidden_keys(units, kind)
                            : item.rows_are == StripRows::read ? hidden_read(units, kind)
                                                               : hidden_queries(units, kind);
        const auto tokens = std::ssize(keys ? trace.keys(kind) : trace.queries(kind));
        if (hidden.empty() || item.stage || !item.whole || item.rows != tokens) continue;
        item.whole = shared_matrix(without(*item.whole, hidden, {}));
        item.values = shared_matrix(sampled(*item.whole, kThumbnail, kSampledFeatures));
        item.rows = item.whole->rows();
    }
}

/// Says what leads from each picture to the next: queries and keys, or a decoder's states and what
/// its words are weighed by, make the scores together, as weights and values make what comes out.
void link(std::vector<StripItem>& strip, const trace::HeadId& head, int n_heads) {
    const bool below = head.layer > 0 || head.kind == AttentionKind::cross; // layers
    using enum figure::StageLink;
    constexpr std::string_view kBeside[] = {"y embedded", "s decoder", "W s", "U h", "U k"};
    for (std::size_t i = 0; i + 1 < strip.size(); ++i) {
        const StripItem& next = strip[i + 1];
        const bool aside = next.stage ? next.stage == Stage::k || next.stage == Stage::v
                                      : std::ranges::count(kBeside, next.label) > 0;
        const bool joins = strip[i].stage == Stage::context && n_heads > 1;
        const auto made = next.stage == Stage::q && below ? layers : makes;
        strip[i].to_next = aside ? beside : joins ? heads : made;
    }
}

} // namespace

HeadPictures head_pictures(const models::Run& run, const Focus& focus,
                           const trace::DecoderStep* step, const TokenWords* units) {
    const trace::Trace& trace = run.trace;
    HeadPictures pictures;
    const auto map = trace.map(focus.head);
    if (!map) {
        add_states(pictures.strip, trace);
        link(pictures.strip, focus.head, 1);
        return pictures;
    }
    const auto weights = shared_matrix(map->whole(Stage::weights));
    pictures.map = focus.stage == Stage::weights ? weights : shared_matrix(map->whole(focus.stage));
    pictures.summary = summarize(*weights, inside::map_tokens(trace, focus.head.kind));
    pictures.pattern = trace::head_pattern(*weights, trace.queries(focus.head.kind),
                                           trace.keys(focus.head.kind), models::kPadToken);
    pictures.faults = faults_of(*map, *weights);

    add_inputs(pictures.strip, run, focus.head.kind);
    const bool stepwise = run.model->traits().is_stepwise();
    for (const Stage stage : trace::kStagesAsMade) {
        if (map->head().stored && stage != Stage::weights) continue;
        if (stage == Stage::scores) add_additive(pictures.strip, run.model->traits(), step);
        const auto whole = stage == focus.stage      ? pictures.map
                           : stage == Stage::weights ? weights
                                                     : nullptr;
        const Tile tile = tile_of(*map, stage, whole.get(), units);
        if (stepwise && stage != focus.stage && says_nothing(stage, *map, trace)) continue;
        StripItem item{stage_label(stage, *map, stepwise), stage, tile.values,
                       stage != Stage::weights};
        item.rows = tile.rows, item.cols = tile.cols;
        if (has_key_rows(stage)) item.rows_are = StripRows::keys;
        pictures.strip.push_back(std::move(item));
    }
    add_sum(pictures.strip, trace, map->attention());
    if (stepwise) add_tensor(pictures.strip, trace, "t readout", "decoder_output");
    for (const char* name : {"attended", "pooled", "dense"}) // of a classifier
        add_tensor(pictures.strip, trace, name, name);
    add_tensor(pictures.strip, trace, "logits", "class_logits");
    leave_out(pictures.strip, trace, units, focus.head.kind);
    link(pictures.strip, focus.head, trace.n_heads(focus.head.kind));
    return pictures;
}

void renew_additive(std::vector<StripItem>& strip, const models::Run& run, AttentionKind kind,
                    const trace::DecoderStep* step, const TokenWords* units) {
    std::vector<StripItem> made;
    add_additive(made, run.model->traits(), step);
    leave_out(made, run.trace, units, kind);
    for (StripItem& item : strip) {
        for (StripItem& renewed : made) {
            if (item.stage || item.label != renewed.label) continue;
            renewed.to_next = item.to_next;
            item = renewed;
        }
    }
}

std::vector<SlotPicture> slot_pictures(const trace::Trace& trace, const Needs& needs,
                                       const TokenWords* words, const Snapshot* before) {
    std::vector<SlotPicture> slots;
    const bool same_run =
        before && before->run && &before->run->trace == &trace && before->units.get() == words;
    for (const trace::HeadId& head : needs.slots) {
        SlotPicture slot{head, nullptr, nullptr, {}};
        for (const SlotPicture& known : before ? before->slots : slots) {
            if (same_run && known.head == head) slot = known;
        }
        const bool lacks = needs.logarithms && slot.prepared && !slot.prepared->logarithms;
        if (!slot.map) {
            const trace::AttentionMap map = *trace.map(head);
            const auto weights = shared_matrix(map.whole(Stage::weights));
            slot.faults = faults_of(map, *weights);
            slot.map = words ? shared_matrix(trace::merged_weights(map, words->queries(head.kind),
                                                                   words->keys(head.kind)))
                             : weights;
            slot.prepared = figure::prepared(slot.map, needs.logarithms);
        } else if (lacks) {
            slot.prepared = figure::prepared(slot.map, true);
        }
        slots.push_back(std::move(slot));
    }
    return slots;
}

std::shared_ptr<const Thumbnails>
ThumbnailCache::update(const trace::Trace& trace, AttentionKind kind,
                       const std::shared_ptr<const TokenWords>& words, num::ThreadPool& pool,
                       std::stop_token stop) {
    const int n_layers = trace.n_layers(kind), n_heads = trace.n_heads(kind);
    std::vector<std::shared_ptr<const trace::Attention>> layers;
    for (int layer = 0; layer < n_layers; ++layer) layers.push_back(trace.attention(kind, layer));
    const bool same_words = words == words_ || (words && words_ && *words == *words_);
    if (layers == layers_ && same_words) return made_;

    auto thumbnails = std::make_shared<Thumbnails>();
    thumbnails->layers = n_layers;
    thumbnails->heads = n_heads;
    const auto heads = static_cast<std::size_t>(n_heads);
    thumbnails->weights.resize(layers.size() * heads);
    thumbnails->by_row.resize(thumbnails->weights.size());
    thumbnails->faults.resize(thumbnails->weights.size());
    thumbnails->to_hidden.resize(thumbnails->weights.size());
    const bool same_width = made_ && made_->heads == n_heads && same_words;
    const std::vector<int> left_out = hidden_keys(words.get(), kind);
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < thumbnails->weights.size(); ++i) {
        const std::size_t layer = i / heads;
        if (same_width && layer < layers_.size() && layers_[layer] == layers[layer]) {
            thumbnails->weights[i] = made_->weights[i];
            thumbnails->by_row[i] = made_->by_row[i];
            thumbnails->faults[i] = made_->faults[i];
            thumbnails->to_hidden[i] = made_->to_hidden[i];
        } else {
            missing.push_back(i);
        }
    }
    pool.for_each(static_cast<Index>(missing.size()), [&](Index index) {
        if (stop.stop_requested()) return;
        const std::size_t i = missing[static_cast<std::size_t>(index)];
        const trace::AttentionMap map(layers[i / heads], static_cast<int>(i % heads));
        float hidden = 0;
        Index counted = 0; // queries that are shown and look anywhere
        const auto visit = [&](const Matrix<float>& rows, Index first) {
            look_for_faults(thumbnails->faults[i], map, rows, first);
            for (Index row = 0; !left_out.empty() && row < rows.rows(); ++row) {
                const auto query = static_cast<std::size_t>(first + row);
                if (words->queries(kind).leaves_out(query) || (rows.row(row).array() == 0).all())
                    continue;
                for (const int key : left_out) hidden += rows(row, key);
                ++counted;
            }
        };
        thumbnails->weights[i] =
            shared_matrix(words ? reduced(trace::merged_weights(map, words->queries(kind),
                                                                words->keys(kind), visit),
                                          kThumbnail, kThumbnail)
                                : map.reduced(Stage::weights, kThumbnail, kThumbnail, visit));
        thumbnails->by_row[i] = figure::by_row(*thumbnails->weights[i]);
        if (counted > 0) thumbnails->to_hidden[i] = hidden / static_cast<float>(counted);
    });
    if (stop.stop_requested()) return nullptr; // some may be missing: nothing is kept
    layers_ = std::move(layers);
    words_ = words;
    made_ = n_layers > 0 ? std::move(thumbnails) : nullptr;
    return made_;
}

} // namespace heed::app
