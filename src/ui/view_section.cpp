// What the present view lets one choose: a section of the left panel.
#include "app/rooms.hpp"
#include "ui/actions.hpp"
#include "ui/choices.hpp"
#include "ui/view_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

constexpr float kRow = 36;

/// A choice among the words of one enum; the label of each is given, in the order of `values`.
template <class E, std::size_t N>
void choice(Panel& p, const Box& box, const char* id, const char* const (&labels)[N],
            const E (&values)[N], E& now) {
    std::vector<std::string> words(std::begin(labels), std::end(labels));
    std::uint32_t on = 0;
    for (std::size_t i = 0; i < N; ++i) {
        if (values[i] == now) on = 1u << i;
    }
    if (const auto i = p.ui.segments(box, id, words, on)) now = values[*i];
}

void label(Panel& p, float x, float y, float w, std::string_view words,
           const std::string& value = "") {
    p.ui.canvas.text({x, y, w, 24}, Face::body, p.ui.theme().muted, words);
    p.ui.canvas.text({x, y, w, 24}, Face::mono, p.ui.theme().text, value, AlignX::right);
}

/// One head or several as one map: mean, maximum or sum, of this layer or of all.
float combine_rows(Panel& p, float x, float y, float w) {
    using trace::Combine;
    const app::Focus& now = p.focus();
    label(p, x, y, w, "Heads as one map");
    const std::string ways[] = {"one", "mean", "max", "sum"};
    const unsigned way = now.combine ? 1 + static_cast<unsigned>(*now.combine) : 0;
    if (const auto i = p.ui.segments({x, y + 26, w, 28}, "combine", ways, 1u << way)) {
        choose_combined(p, *i == 0 ? std::optional<Combine>() : static_cast<Combine>(*i - 1));
    }
    y += 26 + kRow;
    if (!now.combine) return y;
    const std::string scopes[] = {fmt::format("layer {}", now.head.layer + 1), "all layers"};
    const bool all = now.layers.empty();
    if (const auto i = p.ui.segments({x, y, w, 28}, "combine/of", scopes, all ? 2u : 1u)) {
        choose_combined_of_all_layers(p, *i == 1);
    }
    return y + kRow;
}

/// Which heads of the layer lie over each other, each a number in its own hue.
float overlay_rows(Panel& p, float x, float y, float w) {
    constexpr int kInRow = 8;
    const int heads = p.snapshot().run->trace.n_heads(p.focus().head.kind);
    auto& overlay = p.state.view.overlay;
    label(p, x, y, w, "Heads", overlay.empty() ? "this one" : fmt::format("{}", overlay.size()));
    y += 26;
    for (int first = 0; first < heads; first += kInRow) {
        const int count = std::min(kInRow, heads - first);
        std::vector<std::string> names;
        std::uint32_t on = 0;
        for (int i = 0; i < count; ++i) {
            const int head = first + i;
            names.push_back(fmt::format("{}", head + 1));
            const bool shown =
                overlay.empty() ? head == p.focus().head.head
                                : std::find(overlay.begin(), overlay.end(), head) != overlay.end();
            if (shown) on |= 1u << i;
        }
        const float width = w * static_cast<float>(count) / static_cast<float>(kInRow);
        if (const auto i =
                p.ui.segments({x, y, width, 28}, fmt::format("overlay/{}", first), names, on)) {
            const int head = first + static_cast<int>(*i);
            if (overlay.empty()) overlay.push_back(p.focus().head.head);
            const auto at = std::find(overlay.begin(), overlay.end(), head);
            if (at == overlay.end()) {
                overlay.insert(std::lower_bound(overlay.begin(), overlay.end(), head), head);
            } else if (overlay.size() > 1) {
                overlay.erase(at);
            }
        }
        p.ui.tip("Each click lays a head of this layer over the others, or takes it away");
        y += 32;
    }
    return y + 4;
}

} // namespace

float lines_options(Panel& p, float x, float y, float w) {
    const char* const shapes[] = {"arcs", "columns"};
    const bool columns[] = {false, true};
    if (p.focus().head.kind != trace::AttentionKind::cross) {
        choice(p, {x, y, w, 28}, "lines/shape", shapes, columns, p.state.view.columns);
        y += kRow;
    }
    y = overlay_rows(p, x, y, w);
    float& threshold = p.state.view.threshold;
    label(p, x, y, w, "Strongest links", fmt::format("{:.0f} %", 100 * threshold));
    const auto slid =
        p.ui.slider({x, y + 24, w, 20}, "threshold", "strongest links", threshold, 0.01f);
    if (slid.reset) threshold = app::ViewState{}.threshold;
    threshold = std::round(threshold * 100) / 100;
    p.ui.tip("Of each query, the strongest links that together hold this share of its attention");
    return y + 52;
}

namespace {

/// How many heads are kept side by side, or how to keep one.
float slots_row(Panel& p, float x, float y, float w) {
    const std::size_t kept = p.state.view.slots.size();
    if (kept == 0) {
        return y + 4 +
               p.ui.canvas.paragraph({x, y}, w, Face::control, p.ui.theme().muted,
                                     keys_of(ActionGroup::head, "Keep beside others, or let go") +
                                         ", Shift+click or the pin on a head keeps it here, large "
                                         "and beside others.");
    }
    label(p, x, y, w - 90, "Side by side", fmt::format("{}", kept));
    if (p.ui.button({x + w - 78, y - 1, 78, 26}, "slots/clear", "Let all go")) let_go_of_heads(p);
    return y + kRow;
}

float order_rows(Panel& p, float x, float y, float w) {
    using app::HeadOrder;
    const char* const labels[] = {"place", "entropy", "distance", "effect"};
    const HeadOrder orders[] = {HeadOrder::place, HeadOrder::entropy, HeadOrder::distance,
                                HeadOrder::effect};
    label(p, x, y, w, "Sorted by");
    choice(p, {x, y + 26, w, 28}, "heads/order", labels, orders, p.state.view.head_order);
    y += 26 + kRow;
    y = slots_row(p, x, y, w);
    const auto& effects = p.snapshot().effects;
    if (p.state.view.head_order != HeadOrder::effect || !effects) return y;
    const auto done =
        std::count_if(effects->relative_change.begin(), effects->relative_change.end(),
                      [](const auto& change) { return change.has_value(); });
    const auto all = static_cast<float>(std::max<std::size_t>(effects->relative_change.size(), 1));
    if (effects->complete()) return y;
    p.ui.canvas.fill({x, y, w, 4}, p.ui.theme().raised, 2);
    p.ui.canvas.fill({x, y, w * static_cast<float>(done) / all, 4}, p.ui.theme().accent, 2);
    label(p, x, y + 6, w, "measuring heads",
          fmt::format("{:.0f} %", 100 * static_cast<float>(done) / all));
    return y + kRow;
}

} // namespace

float heads_options(Panel& p, float x, float y, float w) {
    y = order_rows(p, x, y, w);
    strips_row(p, x, y, w);
    return y;
}

namespace {

/// A slider over powers of two or ten, from `low` to `high`; a double click restores `usual`.
float log_row(Panel& p, float x, float y, float w, const char* id, const std::string& words,
              const std::string& value, float low, float high, float usual, float& number) {
    label(p, x, y, w, words, value);
    float place = std::log(number / low) / std::log(high / low);
    const auto slid = p.ui.slider({x, y + 24, w, 20}, id, words, place, 0.02f);
    if (slid.changed) number = low * std::pow(high / low, place);
    if (slid.reset) number = usual;
    return y + 50;
}

} // namespace

float positions_options(Panel& p, float x, float y, float w) {
    app::PositionRoomState& room = p.state.view.position_room;
    const app::PositionRoomState usual;
    constexpr nn::Positions kKinds[2][3] = {
        {nn::Positions::sinusoidal, nn::Positions::learned, nn::Positions::rotary},
        {nn::Positions::alibi, nn::Positions::relative, nn::Positions::none}};
    const char* const labels[2][3] = {{"sinus", "learned", "RoPE"}, {"ALiBi", "relative", "none"}};
    const nn::Positions shown = app::positions_shown(*p.snapshot().run, p.focus().head, room);
    label(p, x, y, w, "Kind", room.kind ? "" : "as this head");
    y += 26;
    for (int row = 0; row < 2; ++row) {
        nn::Positions kind = shown;
        choice(p, {x, y, w, 28}, row == 0 ? "room/kind" : "room/kind2", labels[row], kKinds[row],
               kind);
        if (kind != shown) room.kind = kind;
        y += 32;
    }
    y += 4;
    auto d_model =
        static_cast<float>(room.d_model.value_or(models::width(p.snapshot().run->model->config())));
    const float before = d_model;
    y = log_row(p, x, y, w, "room/d_model", "d_model", fmt::format("{:.0f}", d_model), 8, 1024, -1,
                d_model);
    if (d_model < 0) {
        room.d_model.reset();
    } else if (d_model != before) {
        room.d_model = 2 * static_cast<int>(std::lround(d_model / 2));
    }
    auto length = static_cast<float>(room.length);
    y = log_row(p, x, y, w, "room/length", "positions", fmt::format("{}", room.length), 8, 256,
                static_cast<float>(usual.length), length);
    room.length = static_cast<int>(std::lround(length));
    return log_row(p, x, y, w, "room/base", "base", fmt::format("{:.0f}", room.base), 10, 1e6f,
                   usual.base, room.base);
}

float softmax_options(Panel& p, float x, float y, float w) {
    float& factor = p.state.view.softmax_factor;
    y = log_row(p, x, y, w, "room/factor", "factor on the scores", fmt::format("{:.3g}", factor),
                1.0f / 64, 64, 1, factor);
    const auto map = p.snapshot().run->trace.map(p.snapshot().focus.head);
    const auto d_k = static_cast<int>(map ? map->attention().d_k() : 1);
    const std::string words[] = {"as run", fmt::format("\u00f7 \u221a{}", d_k),
                                 fmt::format("\u00d7 \u221a{}", d_k)};
    const float root = std::sqrt(static_cast<float>(d_k));
    const float factors[] = {1, 1 / root, root};
    std::uint32_t on = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(factors[i] / factor - 1) < 1e-3f) on |= 1u << i;
    }
    if (const auto i = p.ui.segments({x, y, w, 28}, "room/known", words, on)) factor = factors[*i];
    return y + kRow;
}

float heatmap_options(Panel& p, float x, float y, float w) {
    y = combine_rows(p, x, y, w);
    strips_row(p, x, y, w);
    return y;
}

float neurons_options(Panel& p, float x, float y, float w) {
    using figure::FeatureOrder;
    const char* const labels[] = {"by place", "by contribution"};
    const FeatureOrder orders[] = {FeatureOrder::place, FeatureOrder::contribution};
    label(p, x, y, w, "Features");
    choice(p, {x, y + 26, w, 28}, "features", labels, orders, p.state.view.feature_order);
    return y + 26 + kRow;
}

float flow_options(Panel& p, float x, float y, float w) {
    using trace::FlowRule;
    const char* const labels[] = {"rollout", "raw"};
    const FlowRule rules[] = {FlowRule::rollout, FlowRule::raw};
    choice(p, {x, y, w, 28}, "flow/rule", labels, rules, p.state.view.flow_rule);
    p.ui.tip("Rollout counts half of each token as kept from the layer below; raw counts "
             "attention alone");
    return y + kRow;
}

} // namespace heed::ui
