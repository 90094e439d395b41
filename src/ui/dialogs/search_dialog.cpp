#include "ui/dialogs/search_dialog.hpp"

#include "text/fold.hpp"
#include "ui/actions/actions.hpp"
#include "ui/dialogs/dialog_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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
    bool names_word;     // a word of the field whose name is searched for, or its beginning
    std::size_t recency; // 0 the newest; as many as there are for what is none of them
    bool is;             // its name is what is searched for
    bool begins;         // its name begins with it

    bool operator<(const Found& other) const {
        if (usable != other.usable) return usable;
        // Who looks a word up changes nothing.
        if (names_word != other.names_word) return names_word;
        if (recency != other.recency) return recency < other.recency;
        if (is != other.is) return is;
        return begins && !other.begins;
    }
};

bool is_word(const Action& action) { return action.group == ActionGroup::word; }

bool is_name(const Action& action, const std::string& query) {
    if (text::folded(action.name) == query) return true;
    // A Chinese name is one among the keywords: none of those is a command's.
    const bool ascii = std::ranges::all_of(query, [](char c) { return (c & 0x80) == 0; });
    const std::string keywords = " " + text::folded(action.keywords) + " ";
    return is_word(action) && !ascii && keywords.find(" " + query + " ") != std::string::npos;
}

/// Words of the field where the query is made of nothing but their names: "query key".
std::vector<const Action*> words_together(const std::string& query) {
    const std::string padded = " " + query + " ";
    std::string rest = padded;
    std::vector<const Action*> words;
    for (const Action& action : actions()) {
        if (!is_word(action)) continue;
        const std::string name = text::folded(action.name);
        const std::size_t at = padded.find(" " + name + " ");
        if (at == std::string::npos) continue;
        rest.replace(at + 1, name.size(), name.size(), ' ');
        words.push_back(&action);
    }
    const bool all = rest.find_first_not_of(' ') == std::string::npos;
    return all && words.size() > 1 ? words : std::vector<const Action*>{};
}

/// Actions that have all the words: first what was used of late, and what cannot be done now last.
std::vector<Found> search(const Panel& p, const std::vector<Action>& of_now) {
    const std::string& query = p.state.dialogs->search.query;
    const std::string beginning = text::folded(query);
    const std::vector<const Action*> together = words_together(beginning);
    const auto& recent = p.state.dialogs->recent_commands;
    std::vector<Found> list;
    for (const auto* table : {&actions(), &of_now}) {
        for (const Action& action : *table) {
            std::string title = title_of(action);
            const bool named = std::ranges::find(together, &action) != together.end();
            if (!action.listed || (is_word(action) && query.empty()) ||
                (!named && !text::all_occur(query, text::folded(title + " " + action.keywords)))) {
                continue;
            }
            const auto at = std::find(recent.begin(), recent.end(), title);
            const auto recency = static_cast<std::size_t>(at - recent.begin());
            const bool word = is_word(action), is = is_name(action, beginning);
            const bool begins = named || text::folded(action.name).starts_with(beginning);
            // A word can always be read.
            list.push_back({&action, std::move(title), word || action.can(p),
                            word && (is || begins), recency, is, begins});
        }
    }
    std::stable_sort(list.begin(), list.end());
    return list;
}

void take(Panel& p, const Found& found) {
    if (!found.action->can(p)) return; // a word that is seen nowhere now
    p.ui.close_popup();
    if (!is_word(*found.action)) app::note_recent(p.state.dialogs->recent_commands, found.title);
    found.action->run(p);
}

/// The sentence of a word, its formula and its paper, in lines below its name; returns their
/// height.
float word_rows(Ui& ui, const Box& row, std::string_view words, bool draw) {
    const float top = row.y + kFoundRow - 3;
    float y = top;
    while (!words.empty()) {
        const std::string_view line = words.substr(0, words.find('\n'));
        y += ui.canvas.paragraph({row.x + 10 + kGroup, y}, row.w - 20 - kGroup, Face::small,
                                 ui.theme().muted, line, draw);
        words.remove_prefix(std::min(line.size() + 1, words.size()));
    }
    return y - top;
}

float height_of_row(Ui& ui, const Action& action, float width) {
    constexpr float kBelow = 6;
    if (!is_word(action)) return kFoundRow;
    return kFoundRow - 3 + word_rows(ui, {0, 0, width, 0}, action.tip, false) + kBelow;
}

/// Keys or, of a word, where it leads.
void at_right(Panel& p, const Box& line, const Found& found, float& right) {
    const figure::Theme& t = p.ui.theme();
    const auto& keys = found.action->keys;
    const bool leads = is_word(*found.action) && found.action->can(p);
    if (keys.empty() && !leads) return;
    right -= p.ui.canvas.text(
        line, leads ? Face::small : Face::mono, found.usable ? t.muted : t.faint,
        leads ? "\u2192 " + found.action->leads_to : words_of(keys[0]), AlignX::right);
    right -= 12;
}

std::string tip_of_row(const Panel& p, const Action& action) {
    if (!is_word(action)) return action.tip;
    if (action.can(p)) return "Enter: shows where it is seen";
    return p.state.layout.presenting ? "It cannot be shown while presenting"
                                     : "The model that is open shows none";
}

/// True when it is clicked.
bool found_row(Panel& p, const Box& box, const Found& found, const std::string& id, bool at) {
    Ui& ui = p.ui;
    const figure::Theme& t = ui.theme();
    const bool on = found.action->holds(p);
    const Press press = ui.area(box, id, found.title, Widget::Kind::choice, on);
    ui.tip(tip_of_row(p, *found.action));
    if (at) ui.canvas.fill(box, t.raised, 5);
    const Color ink = !found.usable ? t.faint : on ? t.accent : t.text;
    float right = box.x + box.w - 10;
    at_right(p, {box.x, box.y, box.w - 10, kFoundRow}, found, right);
    const float x = box.x + 10 + kGroup;
    ui.canvas.text({box.x + 10, box.y, kGroup - 8, kFoundRow}, Face::control,
                   found.usable ? t.muted : t.faint, group_words(found.action->group));
    ui.canvas.text({x, box.y, right - x, kFoundRow}, Face::body, ink, found.action->name);
    if (is_word(*found.action)) word_rows(ui, box, found.action->tip, true);
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool pointed = press.hovered && (moved.x != 0 || moved.y != 0);
    if (pointed && found.usable)
        p.state.dialogs->search.at = std::stoi(id.substr(id.find('/') + 1));
    return press.clicked && found.usable;
}

/// Arrows move over what can be done, and the list follows. `tops`: of the rows, and the end.
void move_by_keys(CommandSearch& state, int usable, float seen, const std::vector<float>& tops) {
    const int step =
        (shim::key_pressed(Key::down, true) ? 1 : 0) - (shim::key_pressed(Key::up, true) ? 1 : 0);
    if (step != 0 && usable > 0) {
        state.at = (state.at + step + usable) % usable;
        const auto at = static_cast<std::size_t>(state.at);
        const float top = tops[at], low = std::min(tops[at + 1] - seen, top);
        state.scroll.offset = std::clamp(state.scroll.offset, low, top);
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
    options.hint = "Type a command or a term to look up";
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
    std::vector<float> tops{0}; // of the rows, and where the last one ends
    for (const Found& one : found)
        tops.push_back(tops.back() + height_of_row(ui, *one.action, inside.w - 8));
    move_by_keys(state, usable, inside.h, tops);
    const Found* taken =
        field.entered && usable > 0 ? &found[static_cast<std::size_t>(state.at)] : nullptr;
    ui.begin_scroll(inside, "search", state.scroll);
    const float top_row = inside.y - state.scroll.offset;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Box row{inside.x, top_row + tops[i], inside.w - 8, tops[i + 1] - tops[i]};
        if (row.y + row.h < inside.y || row.y > inside.y + inside.h) continue;
        const bool at = static_cast<int>(i) == state.at && found[i].usable;
        if (found_row(p, row, found[i], fmt::format("search/{}", i), at)) taken = &found[i];
    }
    float y = top_row + tops.back();
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
