#include "ui/dialogs/keys_dialog.hpp"

#include "ui/actions/actions.hpp"
#include "ui/dialogs/dialog_state.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace heed::ui {

namespace {

constexpr float kLine = 21, kHeading = 30, kKeysPad = 22, kNames = 180;

struct KeyLine {
    std::string keys, what;
};
struct KeyBlock {
    std::string heading;
    std::vector<KeyLine> lines;
    ActionGroup behind; // its own, or the one that it follows
    float height() const { return kHeading + kLine * static_cast<float>(lines.size()); }
};

constexpr const char* kPeriod = ". (period)"; // by itself a speck

std::string primary_keys(const Action& action) {
    std::string words;
    for (const Chord& chord : action.keys) {
        if (chord.primary) words += (words.empty() ? "" : ", ") + words_of(chord);
    }
    if (action.id == ActionId::keep_head) words += ", Shift+click";
    return words == "." ? kPeriod : words == "," ? ", (comma)" : words;
}

/// Words for what an action does; of a view that one kind of model has also whose it is.
std::string what_of(const Action& action) {
    if (action.group != ActionGroup::view) return action.name;
    const auto shows = [&](app::View view) { return action.name == app::info(view).label; };
    return action.name + (shows(app::View::unrolled)  ? " (recurrent models)"
                          : shows(app::View::picture) ? " (image models)"
                                                      : "");
}

std::vector<KeyBlock> blocks() {
    std::vector<KeyBlock> list;
    const auto add = [&](ActionGroup group, KeyLine line) {
        const std::string heading(group_words(group));
        const auto known = std::ranges::find(list, heading, &KeyBlock::heading);
        KeyBlock& block =
            known != list.end() ? *known : list.emplace_back(KeyBlock{heading, {}, group});
        block.lines.push_back(std::move(line));
    };
    for (const Action& action : actions()) {
        if (!action.keys.empty()) add(action.group, {primary_keys(action), what_of(action)});
    }
    add(ActionGroup::map, {"Wheel, drag", "Zoom, move the map"});
    add(ActionGroup::map, {"Click a token", "Isolate it; Shift: add it"});
    add(ActionGroup::cell, {"Ctrl+drag, Alt+drag", "Set a cell's weight"});
    list.push_back({"Learn", {{"\u2190 \u2192", "Previous, next page"}}, ActionGroup::kept});
    list.push_back(
        {"Train",
         {{"Space", "Play, pause"}, {kPeriod, "One step"}, {"\u2190 \u2192", "Replay the film"}},
         ActionGroup::kept});
    list.push_back({"Anywhere",
                    {{"Tab, Shift+Tab", "Next, previous control"},
                     {"Enter, Space", "Activate"},
                     {"\u2190 \u2192", "Move a slider; 0 resets it"},
                     {"Double click", "Reset a slider"},
                     {"Right click, Menu", "Menu of a head, map or word"}},
                    ActionGroup::window});
    std::ranges::stable_sort(list, {}, &KeyBlock::behind);
    return list;
}

/// Columns of blocks that are filled one after the other, none higher than `most` where a block is
/// not: the column of each.
std::vector<int> filled(const std::vector<KeyBlock>& list, float most) {
    std::vector<int> column;
    float height = 0;
    for (const KeyBlock& block : list) {
        const bool next = height > 0 && height + block.height() > most;
        const int before = column.empty() ? 0 : column.back();
        column.push_back(before + next);
        height = (next ? 0 : height) + block.height();
    }
    return column;
}

/// Arranges blocks in columns, the highest as low as can be; returns its height. Blocks stay whole
/// and in order.
float arrange(const std::vector<KeyBlock>& list, int columns, std::vector<int>& column) {
    float highest = 0;
    for (const KeyBlock& block : list) highest = std::max(highest, block.height());
    while ((column = filled(list, highest)).back() >= columns) highest += 2;
    return highest;
}

/// A row of a scrolled view, which an edge cuts off as a whole: columns differ in where rows are.
template <class Draw> void whole_row(Canvas& c, const Box& view, const Box& row, Draw&& draw) {
    const bool whole = row.y >= view.y && row.y + row.h <= view.y + view.h;
    c.push_clip(whole ? row : Box{view.x, view.y, 0, 0});
    draw();
    c.pop_clip();
}

} // namespace

void keys_dialog(Panel& p) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    static const std::vector<KeyBlock> list = blocks();
    float keys_width = 0;
    for (const KeyBlock& block : list) {
        for (const KeyLine& line : block.lines) {
            keys_width = std::max(keys_width, c.width_of(Face::mono, line.keys));
        }
    }
    keys_width = std::ceil(keys_width) + 14;
    const float each = keys_width + kNames + kKeysPad;
    const int columns = std::clamp(static_cast<int>((ui.width() - 40 - kKeysPad) / each), 1, 3);
    std::vector<int> column;
    const float highest = arrange(list, columns, column);
    const float w = kKeysPad + each * static_cast<float>(columns);
    const float h = std::min(62 + highest + 62, ui.height() - 24);
    const Box box{(ui.width() - w) / 2, (ui.height() - h) / 2, w, h};
    if (!ui.begin_popup(CardId::keys, box, true)) return;
    c.text({box.x + kKeysPad, box.y + 18, w - 2 * kKeysPad, 26}, Face::title, ui.theme().text,
           "Keys");
    const Box inside{box.x, box.y + 52, w, h - 52 - 66};
    ui.begin_scroll(inside, "keys/list", p.state.dialogs->keys_scroll);
    const float top = inside.y - p.state.dialogs->keys_scroll.offset;
    float y = top;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0 && column[i] != column[i - 1]) y = top;
        const float x = box.x + kKeysPad + each * static_cast<float>(column[i]);
        const Box heading{x, y + 10, each, 16};
        whole_row(c, inside, heading,
                  [&] { c.heading(heading, ui.theme().muted, list[i].heading); });
        y += kHeading;
        for (const KeyLine& line : list[i].lines) {
            whole_row(c, inside, {x, y, each, kLine}, [&] {
                c.text({x, y, keys_width, kLine}, Face::mono, ui.theme().text, line.keys);
                c.text({x + keys_width, y, kNames, kLine}, Face::body, ui.theme().muted, line.what);
            });
            y += kLine;
        }
    }
    ui.end_scroll(inside.y + highest);
    if (ui.button({box.x + w - kKeysPad - 100, box.y + h - 52, 100, 34}, "keys/close", "Close")) {
        ui.close_popup();
    }
    ui.tip("Closes the list (Esc)");
    ui.end_popup();
}

} // namespace heed::ui
