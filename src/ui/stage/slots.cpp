#include "ui/stage/slots.hpp"

#include "app/engine/masked_cells.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/head_slots.hpp"
#include "figure/base/number_text.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/pointing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

constexpr float kButton = 20; // points of a side
constexpr float kLeastThumbnail = 44;

std::string slot_name(const trace::HeadId& head) { return scope_words(ApplyTo::head, head); }

/// Queries or keys of any attention: tokens or, where pictures are between words, those.
struct Side {
    Side(const app::Snapshot& s, trace::AttentionKind kind, bool of_keys)
        : tokens(of_keys ? s.run->trace.keys(kind)
                         : app::row_tokens(*s.run, s.focus, s.said.get(), kind)) {
        if (app::merges(s)) words = of_keys ? &s.units->keys(kind) : &s.units->queries(kind);
    }
    std::string word(int unit) const { return token_text(words ? words->words : tokens, unit); }
    int first(int unit) const { // its first token; of one past the last, the number of tokens
        const auto at = static_cast<std::size_t>(unit);
        return words && at <= words->count() ? static_cast<int>(words->first[at]) : unit;
    }

    const std::vector<text::Token>& tokens;
    const text::Words* words = nullptr;
};

void draw_cross(Canvas& c, const Box& box, Color color) {
    const float s = c.scale(), r = 4 * s;
    const ImVec2 m = c.pixels({box.x + box.w / 2, box.y + box.h / 2});
    const float width = std::max(1.0f, 1.4f * s);
    c.list().AddLine({m.x - r, m.y - r}, {m.x + r, m.y + r}, packed(color), width);
    c.list().AddLine({m.x - r, m.y + r}, {m.x + r, m.y - r}, packed(color), width);
}

void draw_pin(Canvas& c, const Box& box, Color color) {
    const Point m{box.x + box.w / 2, box.y + box.h / 2};
    c.disc({m.x, m.y - 2}, 4, color);
    c.fill({m.x - 0.75f, m.y + 1, 1.5f, 6}, color);
}

} // namespace

void keep_head(Panel& p, const trace::HeadId& head) {
    auto& slots = p.state.view.slots;
    const bool kept = std::find(slots.begin(), slots.end(), head) != slots.end();
    const bool in_sight = app::info(p.state.view.view).shows == app::Shows::heads;
    if (!app::toggle_slot(slots, head)) {
        p.commands.push_back(Say{
            {fmt::format("{} heads are open already: close one first", app::kMostSlots), true}});
    } else if (!in_sight) {
        const std::string name = slot_name(head);
        p.commands.push_back(
            Say{{kept ? "Closed " + name : "Opened " + name + ": see Heads", false}});
    }
}

void let_go_of_heads(Panel& p) { p.state.view.slots.clear(); }

SlotButtons::SlotButtons(Panel& p, const figure::Figure& picture, const Box& place) : panel_(p) {
    const trace::AttentionKind kind = p.snapshot().focus.head.kind;
    const Point mouse = p.ui.mouse();
    std::optional<trace::HeadId> toggled;
    for (const figure::Target& t : picture.targets) {
        const Box box = placed(t.box, place);
        const auto* thumbnail = t.as<figure::tag::Head>();
        if (const auto* slot = t.as<figure::tag::Slot>()) {
            const auto index = static_cast<std::size_t>(slot->place);
            if (index >= p.snapshot().slots.size()) continue;
            const trace::HeadId& head = p.snapshot().slots[index].head;
            const Box at{box.x + box.w - kButton - 6, box.y + 12, kButton, kButton};
            const Press press =
                p.ui.area(at, fmt::format("slot/{}", slot->place), "close " + slot_name(head),
                          Widget::Kind::button, false, true);
            p.ui.tip("Closes this map of " + slot_name(head));
            if (press.clicked) toggled = head;
            buttons_.push_back({at, true, false, press.hovered});
        } else if (thumbnail && box.contains(mouse) && t.box.w >= kLeastThumbnail) {
            const trace::HeadId head{kind, thumbnail->layer, thumbnail->head};
            const auto& slots = p.state.view.slots;
            const bool on = std::find(slots.begin(), slots.end(), head) != slots.end();
            const float in = (box.h - std::min(box.w, box.h)) / 2 + 7;
            const Box at{box.x + box.w - kButton - 7, box.y + in, kButton, kButton};
            const Press press =
                p.ui.area(at, "pin-head", "view side by side", Widget::Kind::toggle, on, false);
            p.ui.tip((on ? "Closes its large map (" : "Opens it side by side with others (") +
                     keys_of(ActionId::keep_head) + ")");
            if (press.clicked) toggled = head;
            buttons_.push_back({at, false, on, press.hovered});
        }
    }
    if (toggled) keep_head(p, *toggled);
}

void SlotButtons::draw() const {
    Canvas& c = panel_.ui.canvas;
    const figure::Theme& theme = panel_.ui.theme();
    for (const Button& b : buttons_) {
        if (!b.cross || b.hovered) c.fill(b.box, b.hovered ? theme.raised : theme.panel, 5);
        if (!b.cross) c.outline(b.box, theme.border, 5);
        if (b.cross) {
            draw_cross(c, b.box, b.hovered ? theme.text : theme.muted);
        } else {
            draw_pin(c, b.box, b.on ? theme.accent : theme.muted);
        }
    }
}

void point_at_slot(Panel& p, const figure::Hit& hit, bool clicked) {
    const app::Snapshot& s = p.snapshot();
    const auto* cells = hit.as<figure::tag::Cells>();
    const auto* row = hit.as<figure::tag::RowLabel>();
    const auto* col = hit.as<figure::tag::ColLabel>();
    int place = 0;
    if (const auto* whole = hit.as<figure::tag::Slot>()) place = whole->place;
    if (cells) place = cells->part;
    if (row) place = row->part;
    if (col) place = col->part;
    const auto index = static_cast<std::size_t>(place);
    if (!s.run || index >= s.slots.size()) return;
    const app::SlotPicture& slot = s.slots[index];
    const trace::HeadId& head = slot.head;
    // Queries and keys are those of one attention: no other panel shows those of another.
    const bool here = head.kind == s.focus.head.kind;
    const Side queries{s, head.kind, false}, keys{s, head.kind, true};
    std::optional<int> query, key;
    if (cells && hit.row >= 0 && hit.row < slot.map->rows() && hit.col < slot.map->cols()) {
        query = queries.first(hit.row);
        key = keys.first(hit.col);
        const num::Rect tokens{*query, *key, queries.first(hit.row + 1) - *query,
                               keys.first(hit.col + 1) - *key};
        const auto map = s.run->trace.map(head);
        const std::string value =
            map && app::is_masked(*map, tokens)
                ? "masked"
                : figure::weight_digits(figure::told_weight((*slot.map)(hit.row, hit.col),
                                                            figure::row_of(*slot.map, hit.row)));
        p.ui.tip_now(fmt::format("{} \u2192 {}   {} \u00b7 {}", queries.word(hit.row),
                                 keys.word(hit.col), value, slot_name(head)));
    } else if (row) {
        query = queries.first(row->query);
    } else if (col) {
        key = keys.first(col->key);
    }
    if (here) point_out(p, query, key);
    if (!clicked) return;
    const auto [last_query, last_key] = p.selected().value_or(std::pair(0, 0));
    // Of a name the largest weight of its line.
    const auto other = [&](int unit, bool of_key) {
        const auto at = largest_of_line(*slot.map, unit, of_key);
        return at ? std::optional(of_key ? queries.first(*at) : keys.first(*at)) : std::nullopt;
    };
    if (row) key = other(row->query, false);
    if (col) query = other(col->key, true);
    if (query || key) {
        const std::pair chosen{query.value_or(last_query), key.value_or(last_key)};
        const bool again = here && head == s.focus.head && p.selected() == chosen;
        p.state.view.selected = again ? std::nullopt : std::optional(chosen);
    }
    if (head.kind != p.focus().head.kind) { // other tokens
        p.state.view.pinned_queries.clear();
        p.state.view.pinned_keys.clear();
    }
    choose_head(p, head);
}

} // namespace heed::ui
