// Shortcuts of the window itself.
#include "ui/panel.hpp"

#include <algorithm>

namespace heed::ui {

using shim::Key;

namespace {

void with_command(Panel& p) {
    if (shim::key_pressed(Key::z, true)) {
        p.commands.push_back(shim::shift_down() ? Command(Redo{}) : Command(Undo{}));
    } else if (shim::key_pressed(Key::y, true)) {
        p.commands.push_back(Redo{});
    } else if (shim::key_pressed(Key::k)) {
        keep_state(p);
    } else if (shim::key_pressed(Key::e)) {
        p.ui.leave_field();
        if (p.snapshot().run) p.state.open_dialog = "export-dialog";
    }
}

/// Keys of the whole program, heard above cards too.
void always(Panel& p) {
    if (shim::key_pressed(Key::q)) p.state.quit = true;
    if (shim::key_pressed(Key::equal)) p.state.zoom_steps += 1;
    if (shim::key_pressed(Key::minus)) p.state.zoom_steps -= 1;
    if (shim::key_pressed(Key::zero)) p.state.zoom_steps = 1e9f; // the usual size
}

constexpr int kFar = 1 << 20; // cells: beyond the end of any row

void move_cell(Panel& p, int down, int right) {
    const auto& snapshot = p.snapshot();
    const auto map = snapshot.run ? snapshot.run->trace.map(snapshot.focus.head) : std::nullopt;
    if (!map) return;
    const auto last_query = static_cast<int>(map->rows(trace::Stage::weights)) - 1;
    const auto last_key = static_cast<int>(map->cols(trace::Stage::weights)) - 1;
    if (last_query < 0 || last_key < 0) return;
    const auto from = p.selected();
    auto& cell = p.state.view.selected;
    cell = from ? std::pair(std::clamp(from->first + down, 0, last_query),
                            std::clamp(from->second + right, 0, last_key))
                : std::pair(0, 0);
    look_at_cell(p);
}

void move_head(Panel& p, int layers, int heads) {
    if (!p.snapshot().run) return;
    const auto& trace = p.snapshot().run->trace;
    app::Focus focus = p.focus();
    const int n_layers = trace.n_layers(focus.head.kind), n_heads = trace.n_heads(focus.head.kind);
    if (n_layers == 0 || n_heads == 0) return;
    const int at = std::clamp((focus.head.layer + layers) * n_heads + focus.head.head + heads, 0,
                              n_layers * n_heads - 1);
    focus.head.layer = at / n_heads;
    focus.head.head = at % n_heads;
    p.commands.push_back(ChangeFocus{focus});
}

void toggle_scale(Panel& p) {
    const models::Scope scope = scope_of(p.state.apply_to, p.focus().head);
    const models::HeadControls now = effective(p.document().controls, scope);
    const nn::Score score = now.score.value_or(nn::Score::dot);
    const bool usual = score == nn::Score::dot || score == nn::Score::bilinear;
    const bool on = now.scale ? now.scale->kind == models::Scale::Kind::on : usual;
    p.change((on ? "scale off, " : "scale on, ") + scope_words(p.state.apply_to, p.focus().head),
             true, [&](app::Document& d) {
                 models::HeadControls controls = d.controls.at(scope);
                 controls.scale =
                     models::Scale{on ? models::Scale::Kind::off : models::Scale::Kind::on, 1};
                 d.controls.set(scope, controls);
             });
}

/// How often a character was typed. A key that types one is heard as that character: layouts differ
/// in where "?" is.
int typed(ImWchar character) {
    const ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
    return static_cast<int>(std::count(queue.begin(), queue.end(), character));
}

} // namespace

void window_keys(Panel& p) {
    if (shim::command_down()) {
        always(p);
        if (!p.ui.any_popup() || p.ui.typing()) with_command(p);
        return;
    }
    if (p.ui.typing() || p.ui.any_popup()) return;
    // A slider that has the keyboard moves by the same arrows.
    const auto& widgets = p.ui.widgets();
    const auto at = std::find_if(widgets.begin(), widgets.end(),
                                 [&](const Widget& w) { return w.id == p.ui.keyboard_at(); });
    const bool on_slider =
        p.ui.keyboard_visible() && at != widgets.end() && at->kind == Widget::Kind::slider;
    if (!on_slider) {
        const int down = (shim::key_pressed(Key::down, true) ? 1 : 0) -
                         (shim::key_pressed(Key::up, true) ? 1 : 0);
        const int right = (shim::key_pressed(Key::right, true) ? 1 : 0) -
                          (shim::key_pressed(Key::left, true) ? 1 : 0);
        if (p.ui.keyboard_visible() && p.ui.keyboard_at() == "heads") {
            if (down != 0 || right != 0) move_head(p, down, right);
        } else if (shim::alt_down()) {
            const float step = shim::shift_down() ? 0.01f : 0.05f;
            if (down != 0) nudge_weight(p, static_cast<float>(-down) * step);
        } else if (down != 0 || right != 0) {
            move_cell(p, down, right);
        }
        if (shim::key_pressed(Key::home)) move_cell(p, 0, -kFar);
        if (shim::key_pressed(Key::end)) move_cell(p, 0, kFar);
        if (p.state.view.view == app::View::heatmap) {
            for (int i = typed('+') + typed('='); i > 0; --i) look_closer(p);
            for (int i = typed('-'); i > 0; --i) look_wider(p);
            if (typed('0') > 0) p.state.view.viewport.reset();
        }
    }
    if (shim::key_pressed(Key::escape)) {
        if (p.ui.keyboard_visible()) {
            p.ui.hide_keyboard_ring();
        } else if (p.state.painting) {
            p.state.painting = false;
        } else {
            p.state.view.selected.reset();
        }
    }
    if (shim::key_pressed(Key::page_up, true)) move_head(p, -1, 0);
    if (shim::key_pressed(Key::page_down, true)) move_head(p, 1, 0);
    if (shim::key_pressed(Key::left_bracket, true)) move_head(p, 0, -1);
    if (shim::key_pressed(Key::right_bracket, true)) move_head(p, 0, 1);
    if (shim::key_pressed(Key::p)) pin(p);
    if (shim::key_pressed(Key::s)) toggle_scale(p);
    if (shim::key_pressed(Key::m)) toggle_mute(p);
    if (shim::key_pressed(Key::o)) toggle_solo(p);
    if (shim::key_pressed(Key::t)) p.state.view.dark = !p.state.view.dark;
    if (typed('?') > 0) p.state.open_dialog = "keys-dialog";
    constexpr Key numbers[] = {Key::one, Key::two, Key::three, Key::four, Key::five, Key::six};
    static_assert(std::size(numbers) == std::size(kExploreViews));
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (shim::key_pressed(numbers[i])) p.state.view.view = kExploreViews[i];
    }
}

} // namespace heed::ui
