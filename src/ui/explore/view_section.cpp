#include "ui/explore/view_section.hpp"

#include "app/engine/multiplied_map.hpp"
#include "app/views/map_views.hpp"
#include "app/views/rooms.hpp"
#include "figure/base/head_color.hpp"
#include "inside/token_gradients.hpp"
#include "ui/explore/filter_section.hpp"
#include "ui/explore/scores_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/slots.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

bool can_combine(const Panel& p) { return has_several_heads(p) || p.focus().combine; }

/// One head or several as one map: mean, maximum or sum, of this layer or of all.
void combine_rows(Panel& p, Form& f) {
    using trace::Combine;
    const app::Focus& now = p.focus();
    if (!can_combine(p)) return;
    f.label("Combine heads", "", "Shows several heads in one map.");
    const std::string ways[] = {"one", "mean", "max", "sum"};
    const unsigned way = now.combine ? 1 + static_cast<unsigned>(*now.combine) : 0;
    if (const auto i = f.choice("combine", ways, 1u << way)) {
        choose_combined(p, *i == 0 ? std::optional<Combine>() : static_cast<Combine>(*i - 1));
    }
    const std::string tips[] = {kOneHeadTip, std::string(app::tip_of(Combine::mean)),
                                std::string(app::tip_of(Combine::maximum)),
                                std::string(app::tip_of(Combine::sum))};
    f.tips(tips);
    if (!now.combine) return;
    const bool all = now.layers.empty();
    // Layers that were chosen along the thumbnails are called by their numbers.
    std::string chosen = all ? fmt::format("layer {}", now.head.layer + 1)
                             : fmt::format("layer{} ", now.layers.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < now.layers.size(); ++i)
        chosen += fmt::format("{}{}", i == 0 ? "" : ", ", now.layers[i] + 1);
    const std::string scopes[] = {chosen, "all layers"};
    const auto i = f.choice("combine/of", scopes, all ? 2u : 1u);
    if (i && (*i == 1) != all) choose_combined_of_all_layers(p, *i == 1);
    const std::string of[] = {kThisLayerTip, kAllLayersTip};
    f.tips(of);
}

/// The heads of the layer that lie over each other, each a number in its own hue.
void overlay_rows(Panel& p, Form& f) {
    constexpr int kInRow = 8;
    const int heads = p.snapshot().run->trace.n_heads(p.focus().head.kind);
    auto& overlay = p.state.view.overlay;
    const auto laid = std::ranges::count_if(overlay, [&](int head) { return head < heads; });
    f.label(laid == 0 ? "Heads" : fmt::format("{} head{}", laid, laid == 1 ? "" : "s"),
            laid == 0 ? "current head" : "", field_word_tip(FieldWord::head));
    for (int first = 0; first < heads; first += kInRow) {
        const int count = std::min(kInRow, heads - first);
        std::vector<std::string> names;
        std::vector<Color> inks;
        std::uint32_t on = 0;
        for (int i = 0; i < count; ++i) {
            const int head = first + i;
            names.push_back(fmt::format("{}", head + 1));
            const bool shown =
                laid == 0 ? head == p.focus().head.head
                          : std::find(overlay.begin(), overlay.end(), head) != overlay.end();
            if (shown) on |= 1u << i;
            inks.push_back(laid > 1 ? figure::head_color(head, heads, p.ui.theme().dark)
                                    : p.ui.theme().accent);
        }
        Line line = f.line(28, 4);
        const Box box = line.left(f.w * static_cast<float>(count) / static_cast<float>(kInRow));
        if (const auto i =
                p.ui.segments(box, fmt::format("overlay/{}", first), names, on, ~0u, 0, inks)) {
            const int head = first + static_cast<int>(*i);
            if (laid == 0) overlay = {p.focus().head.head};
            const auto at = std::find(overlay.begin(), overlay.end(), head);
            if (at == overlay.end()) {
                overlay.insert(std::lower_bound(overlay.begin(), overlay.end(), head), head);
            } else if (laid > 1) {
                overlay.erase(at);
            }
        }
        f.tip("Click to add this head to the picture, in its own colour, or to remove it.");
    }
    f.space(4);
}

void lines_options(Panel& p, Form& f) {
    const std::string shapes[] = {"arcs", "columns"};
    constexpr bool columns[] = {false, true};
    if (p.focus().head.kind != trace::AttentionKind::cross) {
        f.values("lines/shape", shapes, columns, p.state.view.columns);
        const std::string tips[] = {kArcsTip, kColumnsTip};
        f.tips(tips);
    }
    app::shows_combined(p.snapshot(), p.state.view) ? combine_rows(p, f) : overlay_rows(p, f);
    float& threshold = p.state.view.threshold;
    const auto slid = f.slider("Show top links", "threshold",
                               fmt::format("{:.0f} %", 100 * threshold), threshold, 0.01f);
    if (slid.reset) threshold = app::ViewState{}.threshold;
    threshold = std::round(threshold * 100) / 100;
    f.tip("For each query, the strongest links that together hold this share of its attention.");
}

/// Count of heads that are kept side by side, or how to keep one.
void slots_row(Panel& p, Form& f) {
    const std::size_t kept = p.state.view.slots.size();
    if (kept == 0) {
        f.paragraph("Pin heads (" + keys_of(ActionId::keep_head) +
                    " or Shift+click) to view them side by side.");
        f.space(4);
        return;
    }
    Line line = f.line(26, 8);
    const Box end = line.right(78);
    f.text(line.rest, Face::body, p.ui.theme().muted, "Side by side");
    f.text(line.rest, Face::mono, p.ui.theme().text, fmt::format("{}", kept), AlignX::right);
    if (f.button(end, "slots/clear", "Close all")) let_go_of_heads(p);
    f.tip("Closes the heads that are open side by side");
}

/// All orders but that by alignment, which needs the alignments of a task.
void order_menu(Panel& p, const Box& button) {
    constexpr float kWidth = 170, kEntry = 25;
    const CardPlace place{
        {button.x + button.w - kWidth, button.y + button.h + 4}, kWidth, "heads/order/", 6, 6, 6};
    card_at(p.ui, CardId::head_order, place, [&](Form& f) {
        for (const auto& order : app::names<app::HeadOrder>()) {
            if (order.value == app::HeadOrder::alignment) continue;
            const std::string name(order.name);
            app::HeadOrder& now = p.state.view.head_order;
            if (f.entry(name, {.label = name, .on = order.value == now, .height = kEntry})) {
                now = order.value;
                p.ui.close_popup();
            }
            f.tip(std::string(app::tip_of(order.value)));
        }
    });
}

void order_rows(Panel& p, Form& f) {
    using app::HeadOrder;
    const HeadOrder now = p.state.view.head_order;
    order_menu(p, f.drop_down("Sorted by", "heads/order", std::string(app::name_of(now)),
                              "The order of the heads in the picture.\n" +
                                  std::string(app::tip_of(now)),
                              CardId::head_order));
    slots_row(p, f);
    const auto& effects = p.snapshot().effects;
    if (p.state.view.head_order != HeadOrder::effect || !effects || effects->complete()) return;
    const auto done =
        std::count_if(effects->relative_change.begin(), effects->relative_change.end(),
                      [](const auto& change) { return change.has_value(); });
    const auto all = static_cast<float>(std::max<std::size_t>(effects->relative_change.size(), 1));
    const float share = static_cast<float>(done) / all;
    const Box bar = f.row(4, 2);
    p.ui.canvas.fill(bar, p.ui.theme().raised, 2);
    p.ui.canvas.fill({bar.x, bar.y, bar.w * share, bar.h}, p.ui.theme().accent, 2);
    f.label("Measuring heads", fmt::format("{:.0f} %", 100 * share),
            "Each head is taken out once, and the output is computed without it.");
}

void heads_options(Panel& p, Form& f) {
    static const std::string kLabels[] = {"maps", "scatter"};
    constexpr app::HeadsAs kAll[] = {app::HeadsAs::maps, app::HeadsAs::scatter};
    f.values("heads/as", kLabels, kAll, p.state.view.heads_as);
    f.tips(tips_of(kAll));
    const bool scatter = p.state.view.heads_as == app::HeadsAs::scatter;
    if (!scatter) order_rows(p, f);
    scores_rows(p, f);
    if (!scatter) strips_row(p, f);
}

/// A slider over powers of two or ten, from `low` to `high`; a double click restores `usual`.
void log_row(Form& f, const char* id, const std::string& words, const std::string& value, float low,
             float high, float usual, float& number) {
    float place = std::log(number / low) / std::log(high / low);
    const auto slid = f.slider(words, id, value, place);
    if (slid.changed) number = low * std::pow(high / low, place);
    if (slid.reset) number = usual;
}

void width_row(Panel& p, Form& f) {
    auto& chosen = p.state.view.position_room.d_model;
    const int width = chosen.value_or(p.snapshot().run->model->traits().width);
    auto d_model = static_cast<float>(width);
    log_row(f, "room/d_model", "Width (d_model)", fmt::format("{}", width), 8, 1024, -1, d_model);
    f.tip(field_word_tip(FieldWord::d_model) + "\nDouble click: as the model has it");
    if (d_model < 0) {
        chosen.reset();
    } else if (d_model != static_cast<float>(width)) {
        chosen = 2 * static_cast<int>(std::lround(d_model / 2));
    }
}

/// No more places than a learned table has; none where nothing depends on them.
void length_row(Panel& p, Form& f, nn::Positions shown) {
    constexpr int kLeast = 8, kMost = 256;
    int& chosen = p.state.view.position_room.length;
    const auto learned = static_cast<int>(app::learned_places(*p.snapshot().run));
    const int most = shown == nn::Positions::learned ? std::min(kMost, learned) : kMost;
    if (shown == nn::Positions::none || most <= kLeast) return;
    const int now = std::min(chosen, most);
    auto length = static_cast<float>(now);
    log_row(f, "room/length", "Positions", fmt::format("{}", now), kLeast,
            static_cast<float>(most), static_cast<float>(app::PositionRoomState{}.length), length);
    f.tip("How many places in a row are drawn");
    if (length != static_cast<float>(now)) chosen = static_cast<int>(std::lround(length));
}

void base_row(Panel& p, Form& f, nn::Positions shown) {
    constexpr float kLeast = 10, kMost = 1e6f;
    auto& chosen = p.state.view.position_room.base;
    const auto now =
        static_cast<float>(app::base_shown(*p.snapshot().run, shown, p.state.view.position_room));
    float base = now;
    log_row(f, "room/base", "Base", fmt::format("{:.0f}", now), std::min(kLeast, now),
            std::max(kMost, now), -1, base);
    f.tip("Sets the longest wave of sinusoidal and rotary positions: 2π times this many places. "
          "Double click: as the model has it");
    if (base < 0) {
        chosen.reset();
    } else if (base != now) {
        chosen = std::round(base);
    }
}

void positions_options(Panel& p, Form& f) {
    app::PositionRoomState& room = p.state.view.position_room;
    const nn::Positions shown = app::positions_shown(*p.snapshot().run, p.focus().head, room);
    const bool has = p.snapshot().run->model->traits().has_positions;
    f.label(
        room.kind ? "Kind"
        : has     ? "Kind, as in this head"
                  : "Kind, not in this model",
        "",
        "Which way of telling the order of words is shown; the model itself stays as it is. What "
        "it uses is chosen in Explore.");
    const auto kind = position_choice(f, "room/kind", shown);
    if (kind && *kind != shown) room.kind = kind;
    const bool waves = shown == nn::Positions::sinusoidal || shown == nn::Positions::rotary;
    if (waves) width_row(p, f);
    length_row(p, f, shown);
    if (waves) base_row(p, f, shown);
}

void softmax_options(Panel& p, Form& f) {
    float& factor = p.state.view.softmax_factor;
    log_row(f, "room/factor", "Extra factor", fmt::format("{:.3g}", factor), 1.0f / 64, 64,
            1, factor);
    f.tip("A number that this room alone multiplies the run's scores with before softmax: more makes "
          "attention sharper. The model keeps its own scale.");
    const auto map = p.snapshot().run->trace.map(p.snapshot().focus.head);
    const auto d_k = static_cast<int>(map ? map->attention().d_k() : 1);
    const std::string words[] = {"as run", "\u00f7 \u221ad\u2096", "\u00d7 \u221ad\u2096"};
    const float root = std::sqrt(static_cast<float>(d_k));
    const float factors[] = {1, 1 / root, root};
    std::uint32_t on = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(factors[i] / factor - 1) < 1e-3f) on |= 1u << i;
    }
    if (const auto i = f.choice("room/known", words, on)) factor = factors[*i];
    const std::string width = fmt::format("This head's width dₖ is {}.", d_k);
    const std::string tips[] = {
        "The scores as the model has them.",
        "Divided by √dₖ: the scores come closer to each other, and attention is shared. " + width,
        "Multiplied by √dₖ, as if they had never been scaled: one word takes nearly all. " + width};
    f.tips(tips);
}

/// The factor on weights: how much each key has to pass on.
void times_row(Panel& p, Form& f) {
    using app::Times;
    const app::Snapshot& s = p.snapshot();
    const app::Focus& now = p.focus();
    const bool weights = now.stage == trace::Stage::weights && !now.combine && s.run;
    if (!weights || !app::has_norms(*s.run, s.focus.head, Times::value)) return;
    const bool joined = app::has_norms(*s.run, s.focus.head, Times::transformed);
    f.label(p.snapshot().reference ? "Norms are not compared" : "Weights \u00d7 value norms", "",
            "How much attention passes on: a weight counts for as much as its value is long.");
    static const std::string kLabels[] = {"1", "‖v‖", "‖v Wₒ‖"};
    constexpr Times kAll[] = {Times::nothing, Times::value, Times::transformed};
    Times times = now.times;
    if (f.values("times", kLabels, kAll, times, joined ? 7u : 3u)) {
        app::Focus focus = now;
        focus.times = times;
        p.commands.push_back(ChangeFocus{focus});
    }
    f.tips(tips_of(kAll));
}

/// True of a map of weights, which strips are of.
bool has_strips(const Panel& p) {
    return p.focus().stage == trace::Stage::weights || p.focus().combine;
}

void heatmap_options(Panel& p, Form& f) {
    combine_rows(p, f);
    times_row(p, f);
    if (!has_strips(p)) return;
    strips_row(p, f);
    const auto& how = p.focus().combine;
    if (p.state.view.strips && how && how != trace::Combine::mean) {
        f.note("Along one head or a mean only");
    }
}

void neurons_options(Panel& p, Form& f) {
    using figure::FeatureOrder;
    const std::string labels[] = {"by place", "by contribution"};
    constexpr FeatureOrder orders[] = {FeatureOrder::place, FeatureOrder::contribution};
    f.label("Features", "", "The numbers that a query and a key are made of.");
    f.values("features", labels, orders, p.state.view.feature_order);
    f.tips(tips_of(orders));
}

void flow_options(Panel& p, Form& f) {
    using trace::FlowRule;
    const std::string labels[] = {"rollout", "raw"};
    constexpr FlowRule rules[] = {FlowRule::rollout, FlowRule::raw};
    const auto& run = p.snapshot().run;
    const bool residual = !run || inside::has_residual(*run);
    FlowRule rule = residual ? p.state.view.flow_rule : FlowRule::raw;
    f.values("flow/rule", labels, rules, rule, residual ? 3u : 2u);
    f.tips(tips_of(rules));
    if (residual) {
        p.state.view.flow_rule = rule;
    } else {
        f.note("This model has no residual connections");
    }
}

} // namespace

ViewOptions options_of(const Panel& p) {
    switch (p.state.view.view) {
    case app::View::heatmap: return can_combine(p) || has_strips(p) ? heatmap_options : nullptr;
    case app::View::lines: return lines_options;
    case app::View::heads: return heads_options;
    case app::View::neurons: return neurons_options;
    case app::View::flow: return flow_options;
    case app::View::positions: return positions_options;
    case app::View::softmax: return softmax_options;
    default: return nullptr;
    }
}

} // namespace heed::ui
