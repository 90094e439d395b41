#include "ui/actions/context_menu.hpp"

#include "app/document/gains.hpp"
#include "app/document/weight_edits.hpp"
#include "app/engine/merging.hpp"
#include "ui/actions/actions.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/head_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/filter.hpp"
#include "ui/stage/slots.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/widgets/form.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

namespace {

using shim::Key;
using Of = ContextMenu::Of;

/// An entry of the menu.
struct MenuItem {
    std::string id, label, tip;
    std::function<void(Panel&)> run;
    std::string keys{};
};
using MenuItems = std::vector<MenuItem>;

/// An action of the table; nothing where it cannot be used now.
void add_action(MenuItems& items, const Panel& p, ActionId id, std::string name) {
    const auto at = std::ranges::find(actions(), id, &Action::id);
    if (at == actions().end() || !at->can(p)) return;
    items.push_back({std::move(name), at->name, at->tip, at->run, keys_of(id)});
}

/// Without the controls of this head alone.
models::Controls unchanged(const Panel& p, const trace::HeadId& head) {
    models::Controls controls = p.document().controls;
    controls.set(scope_of(ApplyTo::head, head), {});
    return controls;
}

MenuItems items_of_head(const Panel& p) {
    const trace::HeadId head = p.focus().head;
    const auto& controls = p.document().controls;
    MenuItems items;
    if (p.snapshot().run && !traits_now(p).weights_alone) {
        const int heads = p.snapshot().run->trace.n_heads(head.kind);
        const bool alone = app::soloed(controls, head, heads);
        if (heads > 1) {
            items.push_back({"solo", alone ? "All heads again" : "Alone (solo)",
                             "Mutes all other heads of the layer, or brings them back", toggle_solo,
                             keys_of(ActionId::solo)});
        }
        const bool muted = app::muted(controls, head);
        items.push_back({"mute", muted ? "Switch on again" : "Set to zero (mute)",
                         "Takes this head out of the sum that its layer passes on, or puts it back",
                         toggle_mute, keys_of(ActionId::mute)});
        if (!(unchanged(p, head) == controls)) {
            items.push_back(
                {"unchanged", "Without changes",
                 "Takes back every control and weight that was set for this head alone",
                 [head](Panel& panel) {
                     panel.change("without changes, " + scope_name(panel, ApplyTo::head, head),
                                  [&](app::Document& d) { d.controls = unchanged(panel, head); });
                 }});
        }
    }
    const auto& slots = p.state.view.slots;
    const bool kept = std::ranges::find(slots, head) != slots.end();
    items.push_back({"beside", kept ? "Close in Heads" : "Open in Heads",
                     "Opens the head next to others in Heads, or closes it there",
                     [head](Panel& panel) { keep_head(panel, head); },
                     keys_of(ActionId::keep_head)});
    add_action(items, p, ActionId::copy_numbers, "copy");
    add_action(items, p, ActionId::export_picture, "export");
    return items;
}

MenuItems items_of_map(const Panel& p) {
    MenuItems items;
    add_action(items, p, ActionId::export_picture, "export");
    add_action(items, p, ActionId::copy_numbers, "copy");
    if (p.state.view.view == app::View::heatmap) {
        items.push_back(
            {"numbers", p.state.view.numbers ? "No numbers in cells" : "Numbers in cells",
             "Values in the cells, where they fit",
             [](Panel& panel) { panel.state.view.numbers = !panel.state.view.numbers; }});
    }
    if (!app::in_explore(p.state.view.view)) return items; // what is below is of maps
    add_action(items, p, ActionId::pin, "pin");
    if (p.state.view.viewport) {
        items.push_back({"fit", "Fit", "Shows the whole map",
                         [](Panel& panel) { panel.state.view.viewport.reset(); }});
    }
    return items;
}

app::Units units_of_map(const Panel& p) { return {p.snapshot(), units_shown(p)}; }

MenuItems items_of_word(const Panel& p, const ContextMenu& menu) {
    const app::Units units = units_of_map(p);
    const bool alone = is_alone(p, units, menu.of_key, menu.unit);
    const int token = menu.of_key ? units.first_key(menu.unit) : units.first_query(menu.unit);
    MenuItems items;
    items.push_back({"isolate", alone ? "All words again" : "Isolate",
                     "Shows what this word alone gives or gets, or all words again",
                     [unit = menu.unit, of_key = menu.of_key](Panel& panel) {
                         choose_token(panel, units_of_map(panel), of_key, unit);
                     }});
    if (filters(p) && !alone) {
        items.push_back({"clear", "Clear the filter", "Shows all tokens, layers and heads again",
                         clear_filter});
    }
    if (can_fill(p) && can_mask(p, token)) {
        items.push_back({"mask", "Mask this token", "Masks it, and shows what would fill it",
                         [token](Panel& panel) { mask_token(panel, token); }});
    }
    if (has_special(p)) {
        items.push_back({"special",
                         p.focus().hide_special ? "Show special tokens" : "Hide special tokens",
                         "Leaves tokens such as BOS, SEP and PAD out of maps, or shows them again",
                         toggle_special});
    }
    return items;
}

std::string title_of(const Panel& p, const ContextMenu& menu) {
    if (menu.of == Of::head) {
        return is_stepwise(p) ? "Attention" : "Head " + scope_words(ApplyTo::head, p.focus().head);
    }
    if (menu.of == Of::map) return std::string(app::info(p.state.view.view).label);
    const app::Units units = units_of_map(p);
    return "\u201c" + token_text(menu.of_key ? units.keys() : units.queries(), menu.unit) +
           "\u201d";
}

const Widget* widget_of(const Panel& p, std::string_view id) {
    const auto& all = p.ui.widgets();
    const auto at = std::ranges::find(all, id, &Widget::id);
    return at == all.end() ? nullptr : &*at;
}

/// What the pointer is at.
std::optional<ContextMenu> under_pointer(Panel& p) {
    const Point at = p.ui.mouse();
    if (const auto head = p.state.stage->pointed_head) {
        if (*head != p.focus().head || p.focus().combine) choose_head(p, *head);
        return ContextMenu{Of::head, at};
    }
    if (const auto word = p.state.stage->pointed_word) {
        const app::Units units = units_of_map(p);
        const auto& all = word->of_key ? units.keys() : units.queries();
        // A reference beside may have tokens that the present sentence lacks.
        const bool is_there = word->unit >= 0 && word->unit < static_cast<int>(all.size());
        if (is_there) return ContextMenu{Of::word, at, word->unit, word->of_key};
    }
    const Widget* picture = widget_of(p, "picture");
    const bool inside = picture != nullptr && picture->box.contains(at);
    return inside ? std::optional(ContextMenu{Of::map, at}) : std::nullopt;
}

/// What the keyboard is at: the grid of heads, else the picture.
std::optional<ContextMenu> at_keyboard(const Panel& p) {
    const bool heads = p.ui.keyboard_visible() && p.ui.keyboard_at() == "heads";
    const Widget* widget = widget_of(p, heads ? "heads" : "picture");
    if (widget == nullptr) return std::nullopt;
    const Box& box = widget->box;
    return ContextMenu{heads ? Of::head : Of::map, {box.x + box.w / 2, box.y + box.h / 2}};
}

void open_menu(Panel& p) {
    if (!app::of_snapshot(p.state.view.view) || !p.snapshot().run || p.ui.any_popup()) return;
    if (p.snapshot().error) return; // what is in sight is of a former run
    const bool by_key = !p.ui.typing() && (shim::key_pressed(Key::menu) ||
                                           (shim::shift_down() && shim::key_pressed(Key::f10)));
    const bool by_pointer = ImGui::IsMouseClicked(1);
    if (!by_key && !by_pointer) return;
    const auto menu = by_pointer ? under_pointer(p) : at_keyboard(p);
    if (!menu) return;
    p.state.explore->menu = menu;
    p.state.explore->menu->run = p.snapshot().run;
    p.ui.open_popup(CardId::context);
    p.ui.wake_in(0);
}

} // namespace

void context_menu(Panel& p) {
    open_menu(p);
    if (!p.ui.popup_open(CardId::context)) return;
    const ContextMenu& menu = *p.state.explore->menu;
    if (menu.run != p.snapshot().run) return p.ui.close_popup();
    const MenuItems items = menu.of == Of::head  ? items_of_head(p)
                            : menu.of == Of::map ? items_of_map(p)
                                                 : items_of_word(p, menu);
    constexpr float kWidth = 250;
    card_at(p.ui, CardId::context, {menu.at, kWidth, "context/", 6, 6, 6}, [&](Form& f) {
        f.text(f.row(22), Face::small, p.ui.theme().muted, " " + title_of(p, menu));
        for (const MenuItem& item : items) {
            if (f.entry(item.id, {.label = item.label, .detail = item.keys})) {
                item.run(p);
                p.ui.close_popup();
            }
            f.tip(item.tip);
        }
    });
}

} // namespace heed::ui
