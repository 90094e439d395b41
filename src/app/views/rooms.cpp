#include "app/views/rooms.hpp"

#include "app/document/changes.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/figure_tables.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/views/position_room.hpp"
#include "figure/views/softmax_room.hpp"
#include "nn/attention/position_offsets.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"
#include "trace/attention_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::app {

using figure::number_text;
using figure::significant_text;
using figure::weight_text;
using nn::Positions;
using num::Index;
using trace::Stage;

namespace {

// A wave is drawn by so many points from one position to the next.
constexpr int kWavePoints = 8;

/// nn::sinusoidal_table() between positions as well: (n − 1) · kWavePoints + 1 rows.
Matrix<float> sinusoidal_waves(Index n, Index d, double base) {
    Matrix<float> waves((n - 1) * kWavePoints + 1, d);
    for (Index c = 0; c < d; ++c) {
        const double turn =
            std::pow(base, -static_cast<double>(c / 2 * 2) / static_cast<double>(d)) / kWavePoints;
        for (Index t = 0; t < waves.rows(); ++t) {
            const double angle = static_cast<double>(t) * turn;
            waves(t, c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return waves;
}

figure::Series profile(const char* name, const nn::OffsetProfile<float>& products) {
    return {name, products.mean, products.least, products.most};
}

/// Positions that join the embedding of the whole model, if any do.
Positions joined(const models::Run& run) {
    const Positions whole =
        run.controls.at({}).positions.value_or(run.model->traits().usual_positions);
    return nn::joins_embedding(whole) ? whole : Positions::none;
}

bool all_have(const models::Run& run, trace::AttentionKind heads, Positions kind) {
    for (int layer = 0; layer < run.model->traits().layers(heads); ++layer) {
        for (int h = 0; h < run.model->traits().n_heads; ++h) {
            if (positions_of(run, {heads, layer, h}) != kind) return false;
        }
    }
    return true;
}

/// True where a table of such positions was learned; its numbers are draws otherwise.
bool learned_in_training(const models::Run& run, Positions kind, trace::AttentionKind heads) {
    const models::Model& model = *run.model;
    return model.traits().positions(heads) == kind &&
           (model.provenance() || models::trained_elsewhere(model.config()));
}

constexpr const char* kDraws = "random numbers, not trained";

void show_table(figure::PositionRoomData& data, Matrix<float> table) {
    data.offsets = {profile("mean", nn::position_products(table))};
    data.offsets_title = "p(t) · p(t + Δ)";
    data.offsets_subtitle = "by offset Δ, over all t";
    data.dimensions = figure::telling_dimensions(table.cols());
    data.table = std::make_shared<const Matrix<float>>(std::move(table));
}

void show_sinusoidal(figure::PositionRoomData& data, const models::Run& run,
                     const PositionRoomState& room) {
    const models::Traits& traits = run.model->traits();
    const Index n = room.length, d = room.d_model.value_or(traits.width);
    const double base = base_shown(run, Positions::sinusoidal, room);
    data.title = "Sinusoidal positions";
    data.subtitle = fmt::format("d_model {} · {} positions · base {:.9g}", d, n, base);
    Matrix<float> table = nn::sinusoidal_table<float>(n, d, 0, base);
    Matrix<float> waves = sinusoidal_waves(n, d, base);
    if (traits.sines_first) {
        table = nn::sines_first(table);
        waves = nn::sines_first(waves);
    }
    show_table(data, std::move(table));
    data.table_subtitle = "counted from 1; in formulas from 0";
    if (traits.sines_first) {
        for (Index& column : data.dimensions) column = nn::sines_first(column, d);
    }
    data.between = kWavePoints;
    data.waves = std::make_shared<const Matrix<float>>(std::move(waves));
}

void show_learned(figure::PositionRoomData& data, const models::Run& run,
                  const trace::HeadId& head, Index n) {
    const Matrix<float>* table = run.model->learned_positions(head.kind);
    const Index all = learned_places(run), rows = std::min(n, all);
    if (!table) {
        data.no_table = "A recurrent model has no table of positions";
        return;
    }
    const bool trained = learned_in_training(run, Positions::learned, head.kind);
    data.subtitle =
        fmt::format("{} · d_model {} · {} {}", trained ? "this model's table" : kDraws,
                    table->cols(), rows < all ? fmt::format("the first {} of", rows) : "all", all);
    data.first_offset = static_cast<int>(1 - rows);
    // Some tables begin with rows that no token reads.
    show_table(data, table->middleRows(table->rows() - all, rows));
    data.offsets_subtitle += "; thin lines: least and most";
}

void show_rotary(figure::PositionRoomData& data, const models::Run& run,
                 const PositionRoomState& room) {
    const models::Traits& traits = run.model->traits();
    nn::RotarySettings rotary = traits.position_settings.rotary;
    rotary.base = base_shown(run, Positions::rotary, room);
    Index d_k = room.d_model ? *room.d_model / traits.n_heads : traits.head_width;
    d_k = rotary.width > 0 ? std::max<Index>(d_k, rotary.width) : std::max<Index>(2, d_k / 2 * 2);
    const Index turned = rotary.width > 0 ? rotary.width : d_k;
    const bool halves = rotary.pairs == nn::RotarySettings::Pairs::halves;
    data.subtitle = fmt::format(
        "{} · pairs {} · base {:.9g}{} · {} positions",
        turned < d_k ? fmt::format("{} of {} features rotated", turned, d_k)
                     : fmt::format("dₖ {}", d_k),
        halves ? fmt::format("c, c + {}", turned / 2) : "2c, 2c + 1", rotary.base,
        rotary.scaling ? fmt::format(" · long waves × {:g}", rotary.scaling->factor) : "",
        room.length);
    data.table = std::make_shared<const Matrix<float>>(
        nn::rotary_table<float>(room.length, d_k, 0, rotary).cosine);
    data.table_subtitle = "cosine of each pair's angle";
    data.dimensions = figure::telling_dimensions(data.table->cols());
    data.dimension_word = "pair";
    data.first_offset = 0;
    data.offsets = {
        {"q, k of ones", nn::rotary_products<float>(room.length, d_k, rotary), {}, {}}};
    data.offsets_title = "q · R(Δ) k / dₖ";
}

/// The biases of this layer's heads that have some, for every offset from −(n − 1) to n − 1. Of
/// positions that the head has not itself, those that all would have.
void show_biases(figure::PositionRoomData& data, const models::Run& run, const trace::HeadId& head,
                 Positions kind, Index n) {
    const models::Traits& traits = run.model->traits();
    const bool tried = positions_of(run, head) != kind;
    const bool everywhere = tried || all_have(run, head.kind, kind);
    const Matrix<float>* table = run.model->relative_biases(head.kind);
    const bool directed = head.kind == trace::AttentionKind::decoder_self;
    std::string numbers;
    int heads = 0;
    for (int h = 0; h < traits.n_heads; ++h) {
        if (!tried && positions_of(run, {head.kind, head.layer, h}) != kind) continue;
        ++heads;
        numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", h + 1);
        if (kind == Positions::relative && !table) continue; // of a model that learned none
        data.offsets.push_back({fmt::format("head {}", h + 1),
                                nn::position_bias<float>(kind, h, traits.n_heads, directed, table,
                                                         n, n, traits.position_settings.relative),
                                {},
                                {}});
    }
    const bool one = heads == 1, all = heads == traits.n_heads;
    const std::string layer =
        fmt::format("{} layer {}", trace::info(head.kind).title, head.layer + 1);
    data.title = kind == Positions::alibi ? "ALiBi positions" : "Relative positions";
    if (everywhere || all) {
        data.subtitle = fmt::format("what each head of {} adds to its scores",
                                    everywhere ? trace::info(head.kind).phrase : layer);
    } else {
        data.subtitle = fmt::format("what {} {} of {} {} scores; other heads do not",
                                    one ? "head" : "heads", numbers, layer,
                                    one ? "adds to its" : "add to their");
    }
    const Positions embedded = tried ? Positions::none : joined(run);
    data.no_table =
        embedded == Positions::none
            ? "Nothing is added to the embedding: the scores get a bias by offset"
            : fmt::format("The embedding has {} positions. Beside them, the scores get a bias by "
                          "offset",
                          positions_words(embedded));
    data.offsets_title = one ? fmt::format("Bias of head {}", numbers) : "Bias of each head";
    data.offsets_subtitle = "by offset j − i";
    if (kind == Positions::relative && !learned_in_training(run, kind, head.kind)) {
        data.offsets_subtitle += fmt::format(" · {}", kDraws);
    }
}

void show_none(figure::PositionRoomData& data, const models::Run& run, const trace::HeadId& head) {
    data.title = "No positions";
    if (!run.model->traits().has_positions) return;
    const auto none = [&](trace::AttentionKind kind) {
        return all_have(run, kind, Positions::none);
    };
    if (positions_of(run, head) != Positions::none) {
        data.subtitle = "a model without them cannot tell the order of its tokens";
    } else if (joined(run) != Positions::none) {
        const std::string embedded = positions_words(joined(run));
        data.title = "No positions in this head";
        data.subtitle = fmt::format("the embedding has {} positions all the same", embedded);
        data.no_table =
            fmt::format("This head adds none to the {} positions of the embedding", embedded);
    } else if (std::ranges::all_of(trace::kAttentionKinds, none)) {
        data.subtitle = "the model cannot tell the order of its tokens";
    } else {
        data.title = "No positions in this head";
        data.subtitle = "its scores do not depend on places; those of other heads do";
    }
}

// Places and offsets are of any sentence: hiding tokens takes none of them away.
figure::PositionRoomData position_data(const Snapshot& snapshot, const PositionRoomState& room) {
    const models::Run& run = *snapshot.run;
    const models::Traits& traits = run.model->traits();
    const trace::HeadId& head = snapshot.focus.head;
    const Positions kind = positions_shown(run, head, room);
    const Index n = room.length;
    figure::PositionRoomData data;
    data.first_offset = static_cast<int>(1 - n);
    switch (kind) {
    case Positions::sinusoidal: show_sinusoidal(data, run, room); break;
    case Positions::learned:
        data.title = "Learned positions";
        show_learned(data, run, head, n);
        break;
    case Positions::rotary:
        data.title = "Rotary positions";
        show_rotary(data, run, room);
        break;
    case Positions::alibi:
    case Positions::relative: show_biases(data, run, head, kind, n); break;
    case Positions::none: show_none(data, run, head); break;
    }
    if (!traits.has_positions) {
        data.subtitle =
            "this model uses none" + (data.subtitle.empty() ? "" : " · " + data.subtitle);
    }
    return data;
}

} // namespace

Positions positions_of(const models::Run& run, const trace::HeadId& head) {
    const Positions own = run.controls.resolved_but_mask(head).positions.value_or(
        run.model->traits().positions(head.kind));
    return nn::joins_embedding(own) ? joined(run) : own;
}

num::Index learned_places(const models::Run& run) {
    const Matrix<float>* table =
        run.model->learned_positions(trace::AttentionKind::encoder_self); // others are as long
    if (!table) return 0;
    const auto rows = static_cast<int>(table->rows());
    return std::min(rows, run.model->traits().places.value_or(rows));
}

double base_shown(const models::Run& run, Positions kind, const PositionRoomState& room) {
    const double usual = kind == Positions::rotary
                             ? run.model->traits().position_settings.rotary.base
                             : nn::kPositionBase;
    return room.base ? static_cast<double>(*room.base) : usual;
}

Positions positions_shown(const models::Run& run, const trace::HeadId& head,
                          const PositionRoomState& room) {
    // Of a model that has none, what others are told the order of words by.
    const bool has = run.model->traits().has_positions;
    return room.kind.value_or(has ? positions_of(run, head) : Positions::sinusoidal);
}

std::string position_room_reading(const Snapshot& snapshot, const ViewState& state) {
    constexpr Index kFar = 10;
    const PositionRoomState& room = state.position_room;
    const Positions kind = positions_shown(*snapshot.run, snapshot.focus.head, room);
    const figure::PositionRoomData data = position_data(snapshot, room);
    if (data.offsets.empty()) return {};
    const auto at = [&](std::size_t series, Index offset) {
        const std::vector<float>& values = data.offsets[series].values;
        const Index place = offset - data.first_offset;
        return place >= 0 && place < std::ssize(values) ? values[static_cast<std::size_t>(place)]
                                                        : std::numeric_limits<float>::quiet_NaN();
    };
    if (!std::isfinite(at(0, kFar))) return {};
    const float here = at(0, 0), next = at(0, 1), far = at(0, kFar);
    switch (kind) {
    case Positions::sinusoidal:
    case Positions::learned:
        return fmt::format("A position's dot product with itself is {}, with the next {}, and {} "
                           "positions away {}{}",
                           number_text(here, 1), number_text(next, 1), kFar, number_text(far, 1),
                           nn::falls_with_distance(data.offsets[0].values, -data.first_offset, kFar)
                               ? ": up to there it mostly falls with distance."
                               : ".");
    case Positions::rotary:
        return fmt::format("Turned by their places, equal vectors score {} of what they do at one "
                           "place when they are neighbours, {} when {} apart.",
                           weight_text(next / here, 2), weight_text(far / here, 2), kFar);
    case Positions::alibi: {
        const std::size_t last = data.offsets.size() - 1;
        return fmt::format("Each token of distance takes {} off the scores of {}{}",
                           significant_text(here - at(0, -1), 3), data.offsets[0].name,
                           last == 0 ? std::string(".")
                                     : fmt::format(" and {} off those of {}: it sees further.",
                                                   significant_text(at(last, 0) - at(last, -1), 3),
                                                   data.offsets[last].name));
    }
    default: return {};
    }
}

files::Tables position_room_tables(const Snapshot& snapshot, const ViewState& state) {
    return tables_of(position_data(snapshot, state.position_room));
}

figure::Figure position_room_figure(const Snapshot& snapshot, const ViewState& state,
                                    const figure::Frame& frame) {
    figure::PositionRoomOptions options;
    if (const auto cell = selected_cell(snapshot, state)) options.position = cell->first;
    return figure::position_room(position_data(snapshot, state.position_room), options, frame);
}

namespace {

figure::SoftmaxRoomData softmax_data(const Snapshot& snapshot, const ViewState& state) {
    constexpr float kLow = 1.0f / 64, kHigh = 64;
    constexpr int kSteps = 97; // eight a doubling
    const trace::HeadId& head = snapshot.focus.head;
    const auto map = snapshot.run->trace.map(head);
    HEED_CHECK(map.has_value(), "no such head: layer {} head {}", head.layer, head.head);
    const Index keys = map->cols(Stage::weights), queries = map->rows(Stage::weights);
    const Index query =
        query_shown(state, queries, hidden_queries(snapshot.units.get(), head.kind));
    const trace::HeadSettings& settings = map->head().settings;
    const num::RowVector<float> logits =
        map->rectangle(Stage::masked, {query, 0, 1, keys}) / settings.temperature;
    figure::SoftmaxRoomData data;
    data.title =
        fmt::format("Softmax of query {} “{}”", query + 1,
                    token_words(row_tokens(snapshot), queries)[static_cast<std::size_t>(query)]);
    data.subtitle = shown_title(*snapshot.run, head);
    data.subtitle += changes_told(*snapshot.run, {head});
    data.keys = token_words(snapshot.run->trace.keys(head.kind), keys);
    data.logits.assign(logits.begin(), logits.end());
    data.factor = state.softmax_factor;
    data.hidden = hidden_keys(snapshot.units.get(), head.kind);
    data.word_of = word_of_keys(snapshot.units.get(), head.kind);
    const num::RowVector<float> now = figure::softmax_weights(data);
    data.subtitle += left_out_words({now.data(), now.data() + keys}, data.hidden);
    const bool edited = !nn::edits_of(settings.edits, query).empty();
    if (edited || settings.dropout > 0) {
        const Matrix<float> run = map->rectangle(Stage::weights, {query, 0, 1, keys});
        data.run_weights.assign(run.data(), run.data() + run.size());
        data.run_differs = edited ? "set by hand" : "after dropout";
    }
    data.sweep = std::make_shared<const num::SoftmaxSweep>(
        num::softmax_sweep(logits, kLow, kHigh, kSteps, data.factor));
    if (snapshot.histograms) data.histograms = *snapshot.histograms;
    return data;
}

/// Factors on the scores of a head that nobody expects, to be named beside another factor.
std::string own_factors(const trace::AttentionMap& map) {
    if (map.head().stored) return {};
    const trace::HeadSettings& settings = map.head().settings;
    const bool divided = models::usual_scale(settings.score).kind == models::Scale::Kind::on;
    const double d_k = divided ? static_cast<double>(map.attention().d_k()) : 1;
    const double factor = static_cast<double>(settings.gamma) * std::sqrt(d_k);
    const auto temperature = static_cast<double>(settings.temperature);
    std::string words;
    if (std::abs(factor - 1) > 1e-5 && std::abs(settings.gamma - 1) > 1e-5f) {
        words = fmt::format("a factor of {}{}", significant_text(factor, 3),
                            divided ? " besides 1/√dₖ" : "");
    }
    if (temperature != 1)
        words += fmt::format("{}a temperature of {}", words.empty() ? "" : " and ",
                             significant_text(temperature, 3));
    return words.empty() ? words : ", on top of " + words;
}

} // namespace

std::string softmax_room_reading(const Snapshot& snapshot, const ViewState& state) {
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!map || !context_meaning(*snapshot.run).empty()) return {}; // no attention
    const figure::SoftmaxRoomData data = softmax_data(snapshot, state);
    const num::RowVector<float> all = figure::softmax_weights(data);
    const std::vector<float> shares(all.begin(), all.end());
    num::RowVector<float> y = all;
    for (const int hidden : data.hidden) y[hidden] = 0;
    Index key = 0;
    if (!data.sweep || !(y.maxCoeff(&key) > 0)) return {};
    const auto& norms = data.sweep->jacobian_norm;
    const auto peak = std::ranges::max_element(norms);
    if (!(*peak > 0)) return {};
    const auto& keys = snapshot.run->trace.keys(snapshot.focus.head.kind);
    const Index chosen = key_shown(state, y.size(), data.hidden).value_or(static_cast<int>(key));
    const auto told = [&](Index of) { return figure::row_weight_text(y[of], shares); };
    const std::string other =
        chosen == key ? "" : fmt::format(", {} {}", quoted_token(keys, chosen), told(chosen));
    const auto at = static_cast<std::size_t>(peak - norms.begin()); // 0: it may be rising still
    const std::string reached =
        at == 0 ? "which it nears as all weights become equal"
                : fmt::format("which is reached when these scores are multiplied by {}{}",
                              significant_text(data.sweep->factors[at], 2), own_factors(*map));
    const std::string factor =
        data.factor == 1 ? "" : fmt::format("With scores × {}, ", significant_text(data.factor, 3));
    return fmt::format("{}{} gets {} of the weight{}. The gradient here is {} of its maximum, {}.",
                       factor, quoted_token(keys, key), told(key), other,
                       figure::percent_text(figure::softmax_gradient(data) / *peak), reached) +
           summed_by_word(snapshot, snapshot.focus.head.kind, shares);
}

figure::Figure softmax_room_figure(const Snapshot& snapshot, const ViewState& state,
                                   const figure::Frame& frame) {
    if (const std::string context = context_meaning(*snapshot.run); !context.empty()) {
        return figure::sentence_instead(
            "Softmax", fmt::format("There is no softmax in this context: it is {}.", context),
            frame);
    }
    figure::SoftmaxRoomOptions options;
    if (const auto cell = selected_cell(snapshot, state)) options.key = cell->second;
    return figure::softmax_room(softmax_data(snapshot, state), options, frame);
}

files::Tables softmax_room_tables(const Snapshot& snapshot, const ViewState& state) {
    if (!context_meaning(*snapshot.run).empty()) return {};
    return tables_of(softmax_data(snapshot, state));
}

} // namespace heed::app
