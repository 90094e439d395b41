// The left panel: which attention, the grid of all its heads, and what the chosen one is like.
#include "app/head_views.hpp"
#include "ui/choices.hpp"
#include "ui/player.hpp"
#include "ui/view_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

using trace::AttentionKind;

namespace {

constexpr float kPad = 14;

void kind_tabs(Panel& p, const Box& box) {
    std::uint32_t enabled = 0;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        if (has_kind(p, kind)) enabled |= 1u << static_cast<unsigned>(kind);
    }
    const std::string labels[] = {"Encoder", "Decoder", "Cross"};
    const auto kind = static_cast<unsigned>(p.focus().head.kind);
    if (const auto i = p.ui.segments(box, "kind", labels, 1u << kind, enabled)) {
        choose_kind(p, static_cast<AttentionKind>(*i));
    }
}

/// The grid; a click chooses a head.
float head_grid(Panel& p, const Box& box) {
    const auto& thumbnails =
        p.snapshot().thumbnails[static_cast<std::size_t>(p.snapshot().focus.head.kind)];
    if (!thumbnails || thumbnails->heads == 0 || thumbnails->layers == 0) return 0;
    constexpr float kMargin = 9; // of the figure, which the panel's own padding stands for
    FigureCache::Key key = p.key(box.w, 0);
    key.view.selected.reset();
    key.view.viewport.reset();
    key.extra = p.focus().head.layer * 4096 + p.focus().head.head;
    const figure::Figure& grid = p.figures.get(FigureCache::Slot::grid, key, [&] {
        figure::HeadGrid data;
        data.layers = thumbnails->layers;
        data.heads = thumbnails->heads;
        data.maps = thumbnails->weights;
        data.selected = {p.focus().head.layer, p.focus().head.head};
        app::note_heads(data, p.snapshot(), p.state.view);
        figure::Frame frame;
        frame.width = box.w + 2 * kMargin;
        frame.theme = &p.ui.theme();
        frame.titled = false;
        return figure::head_grid(data, frame);
    });
    const Box place{box.x - kMargin, box.y - kMargin, grid.width, grid.height};
    const Press press = p.ui.area(place, "heads", "heads", Widget::Kind::area, false, true);
    p.ui.canvas.paint(grid, {place.x, place.y});
    const Point mouse = p.ui.mouse();
    if (press.hovered) {
        const auto hit = figure::pick(grid, {mouse.x - place.x, mouse.y - place.y});
        if (hit && hit->tag.kind == figure::Tag::Kind::strip) {
            p.ui.tip_now(strip_words(p, grid, *hit));
            if (press.clicked) click_strip(p, *hit);
        }
        if (hit && hit->tag.kind == figure::Tag::Kind::head) {
            p.ui.tip_now(head_words(p, grid, {mouse.x - place.x, mouse.y - place.y}, *hit));
            const trace::HeadId pointed{p.snapshot().focus.head.kind, hit->tag.a, hit->tag.b};
            p.state.pointed_head = pointed;
            if (press.clicked && shim::shift_down()) {
                keep_head(p, pointed);
            } else if (press.clicked) {
                app::Focus focus = p.focus();
                focus.head.layer = hit->tag.a;
                focus.head.head = hit->tag.b;
                clear_head_filter(p, focus);
                p.commands.push_back(ChangeFocus{focus});
            }
        }
    }
    return grid.height - 2 * kMargin;
}

} // namespace

void heads_panel(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    c.fill(box, ui.theme().panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    const float x = box.x + kPad, w = box.w - 2 * kPad - 1;
    ui.begin_scroll({box.x, box.y, box.w - 1, box.h}, "heads", p.state.left_scroll);
    float y = box.y + kPad - p.state.left_scroll.offset;
    const bool speaker = speaks(p);
    if (!speaker) {
        kind_tabs(p, {x, y, w, 28});
        y += 38;
    }
    if (!p.snapshot().run) {
        ui.end_scroll(y + p.state.left_scroll.offset);
        return;
    }
    const trace::HeadId& head = p.focus().head;
    const auto section = [&](const std::string& name) {
        c.rule(x, y, w);
        y += 14;
        c.heading({x, y, w, 16}, ui.theme().muted, name);
        y += 22;
    };
    // First what the picture in the middle is made of: it must not be looked for.
    const auto own_section = [&] {
        const auto options = row_of(p.state.view.view).options;
        if (!options) return;
        section(std::string(app::info(p.state.view.view).label));
        y = options(p, x, y, w);
    };
    const bool in_room = !app::in_explore(p.state.view.view);
    if (speaker) {
        play_on(p);
        if (in_room) { // a room's own, above what is of every view
            own_section();
            y += 12;
        }
        speaker_panel(p, x, y, w);
    } else {
        y += head_grid(p, {x, y, w, 0}) + 6;
        c.text({x, y, w, 18}, Face::mono, ui.theme().muted,
               fmt::format("layer {} \u00b7 head {}", head.layer + 1, head.head + 1));
        y += 28;
    }

    if (!speaker || !in_room) own_section();
    if (speaker && !attends(p)) { // nothing below is of a model without attention
        if (models::has_decoder(config_now(p))) outcome_section(p, {x, y, w, 0}, y);
        ui.end_scroll(y + p.state.left_scroll.offset + kPad);
        return;
    }
    section("Compare");
    compare_section(p, x, w, y);
    section(speaker ? "attention" : scope_words(ApplyTo::head, head));
    head_section(p, {x, y, w, 0}, y);
    if (!speaker) outcome_section(p, {x, y, w, 0}, y); // it has a row for every step above

    section("Tokens");
    const std::string cuts[] = {"words", "characters"};
    const auto cut = static_cast<unsigned>(p.document().segmentation);
    if (const auto i = ui.segments({x, y, w, 28}, "segmentation", cuts, 1u << cut)) {
        choose_segmentation(p, static_cast<text::Segmentation>(*i), cuts[*i]);
    }
    y += 34;
    const bool pieces = has_pieces(p);
    const bool merged = pieces && p.focus().merge_words;
    c.text({x, y, w * 0.7f, 26}, Face::body, pieces ? ui.theme().muted : ui.theme().faint,
           "merge to words");
    if (ui.toggle({x, y, w, 26}, "merge", "merge to words", merged, pieces)) {
        toggle_merging(p);
    }
    ui.tip("Weights between words: to a word the sum over its characters, from it their mean");
    y += 28;
    c.text({x, y, w * 0.6f, 26}, Face::body, ui.theme().muted, "pad to");
    const int padded = p.document().pad_to;
    c.text({x, y, w, 26}, Face::mono, ui.theme().text,
           padded == 0 ? "off" : fmt::format("{} tokens", padded), AlignX::right);
    y += 24;
    constexpr int kMostPadding = 32;
    float place = static_cast<float>(padded) / kMostPadding;
    const auto slid = ui.slider({x, y, w, 20}, "pad", "pad to", place, 1.0f / kMostPadding);
    if (slid.changed || slid.reset) {
        p.change_text("padding", false, [&](app::Document& d) {
            d.pad_to = slid.reset ? 0 : static_cast<int>(place * kMostPadding + 0.5f);
        });
    }
    if (slid.released) p.seal();
    y += 32;

    section("Colours");
    colours_section(p, x, w, y);
    ui.end_scroll(y + p.state.left_scroll.offset);
}

} // namespace heed::ui
