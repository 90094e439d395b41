#include "ui/dialogs/search_dialog.hpp"

#include "text/fold.hpp"
#include "ui/actions/actions.hpp"
#include "ui/dialogs/dialog_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

using shim::Key;

namespace {

constexpr float kFoundRow = 30, kField = 44, kGroup = 92;

std::string title_of(const Action& action) {
    return fmt::format("{}: {}", group_words(action.group), action.name);
}

struct Found {
    const Action* action;
    std::string title;
    bool usable;
    std::size_t recency; // 0 the newest; as many as there are for what is none of them
    bool begins;         // its name begins with what is searched for

    bool operator<(const Found& other) const {
        if (usable != other.usable) return usable;
        if (recency != other.recency) return recency < other.recency;
        return begins && !other.begins;
    }
};

/// Actions that have all the words: first what was used of late, and what cannot be done now last.
std::vector<Found> search(const Panel& p, const std::vector<Action>& named) {
    const std::string& query = p.state.dialogs->search.query;
    const std::string beginning = text::folded(query);
    const auto& recent = p.state.dialogs->recent_commands;
    std::vector<Found> list;
    for (const auto* table : {&actions(), &named}) {
        for (const Action& action : *table) {
            std::string title = title_of(action);
            if (!action.listed ||
                !text::all_occur(query, text::folded(title + " " + action.keywords))) {
                continue;
            }
            const auto at = std::find(recent.begin(), recent.end(), title);
            const auto recency = static_cast<std::size_t>(at - recent.begin());
            const bool begins = text::folded(action.name).starts_with(beginning);
            list.push_back({&action, std::move(title), action.can(p), recency, begins});
        }
    }
    std::stable_sort(list.begin(), list.end());
    return list;
}

void take(Panel& p, const Found& found) {
    p.ui.close_popup();
    app::note_recent(p.state.dialogs->recent_commands, found.title);
    found.action->run(p);
}

/// True when it is clicked.
bool found_row(Panel& p, const Box& box, const Found& found, const std::string& id, bool at) {
    Ui& ui = p.ui;
    const figure::Theme& t = ui.theme();
    const bool on = found.action->holds(p);
    const Press press = ui.area(box, id, found.title, Widget::Kind::choice, on);
    ui.tip(found.action->tip);
    if (at) ui.canvas.fill(box, t.raised, 5);
    const Color ink = !found.usable ? t.faint : on ? t.accent : t.text;
    float right = box.x + box.w - 10;
    const auto& keys = found.action->keys;
    if (!keys.empty()) {
        right -= ui.canvas.text({box.x, box.y, box.w - 10, box.h}, Face::mono,
                                found.usable ? t.muted : t.faint, words_of(keys[0]), AlignX::right);
        right -= 12;
    }
    const float x = box.x + 10 + kGroup;
    ui.canvas.text({box.x + 10, box.y, kGroup - 8, box.h}, Face::control,
                   found.usable ? t.muted : t.faint, group_words(found.action->group));
    ui.canvas.text({x, box.y, right - x, box.h}, Face::body, ink, found.action->name);
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool pointed = press.hovered && (moved.x != 0 || moved.y != 0);
    if (pointed && found.usable)
        p.state.dialogs->search.at = std::stoi(id.substr(id.find('/') + 1));
    return press.clicked && found.usable;
}

/// Arrows move over what can be done, and the list follows.
void move_by_keys(CommandSearch& state, int usable, float seen) {
    const int step =
        (shim::key_pressed(Key::down, true) ? 1 : 0) - (shim::key_pressed(Key::up, true) ? 1 : 0);
    if (step != 0 && usable > 0) {
        state.at = (state.at + step + usable) % usable;
        const float top = kFoundRow * static_cast<float>(state.at);
        state.scroll.offset = std::clamp(state.scroll.offset, top + kFoundRow - seen, top);
    }
    state.at = std::clamp(state.at, 0, std::max(0, usable - 1));
}

} // namespace

void search_dialog(Panel& p) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    CommandSearch& state = p.state.dialogs->search;
    // As high as what was found, up to a share of the window.
    const float w = std::min(600.0f, ui.width() - 48), top = std::max(56.0f, ui.height() * 0.12f);
    const float most = std::min(13 * kFoundRow, ui.height() - top - kField - 60);
    const float rows = std::clamp(state.scroll.content, kFoundRow, most);
    const Box box{(ui.width() - w) / 2, top, w, kField + 18 + rows};
    if (!ui.begin_popup(CardId::search, box, true)) return;
    if (ui.popup_appears()) {
        state = {};
        ui.focus("search/field");
    }
    Ui::FieldOptions options;
    options.hint = "Type a command";
    options.frame = false;
    const auto field = ui.field({box.x + 18, box.y + 4, w - 36, kField}, "search/field", "search",
                                state.query, options);
    ui.tip("Type a few letters of a command; ↑ ↓ choose, Enter does it.");
    c.rule(box.x, box.y + kField + 4, w);
    if (field.changed) {
        state.at = 0;
        state.scroll.offset = 0;
    }
    const std::vector<Action> named = named_actions(p);
    const std::vector<Found> found = search(p, named);
    const auto usable = static_cast<int>(
        std::count_if(found.begin(), found.end(), [](const Found& f) { return f.usable; }));
    const Box inside{box.x + 8, box.y + kField + 11, w - 16, rows};
    move_by_keys(state, usable, inside.h);
    const Found* taken =
        field.entered && usable > 0 ? &found[static_cast<std::size_t>(state.at)] : nullptr;
    ui.begin_scroll(inside, "search", state.scroll);
    float y = inside.y - state.scroll.offset;
    for (std::size_t i = 0; i < found.size(); ++i, y += kFoundRow) {
        if (y + kFoundRow < inside.y || y > inside.y + inside.h) continue;
        const bool at = static_cast<int>(i) == state.at && found[i].usable;
        if (found_row(p, {inside.x, y, inside.w - 8, kFoundRow}, found[i],
                      fmt::format("search/{}", i), at)) {
            taken = &found[i];
        }
    }
    if (found.empty()) {
        c.text({inside.x + 10, y, inside.w, kFoundRow}, Face::body, ui.theme().muted,
               "No matching command");
        y += kFoundRow;
    }
    ui.end_scroll(y + state.scroll.offset);
    if (ImGui::IsMouseClicked(0) && !box.contains(ui.mouse())) ui.close_popup();
    if (taken != nullptr) {
        take(p, *taken);
    } else if (!field.active && !ImGui::IsMouseDown(0)) {
        ui.focus("search/field"); // nothing else here takes keys
    }
    ui.end_popup();
}

} // namespace heed::ui
