#include "ui/stage/notice_link.hpp"

#include "ui/frame/choices.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace heed::ui {

namespace {

constexpr float kPad = 12, kLinkLine = 24;

/// A link's words, and what it does.
struct LinkInfo {
    const char *words, *tip;
};

LinkInfo link_of(WayOut way) {
    switch (way) {
    case WayOut::none: break;
    case WayOut::undo: return {"Undo", "Takes that back"};
    case WayOut::open: return {"Open …", "Finds a file to open"};
    }
    return {"", ""};
}

void go(Panel& p, WayOut way) {
    switch (way) {
    case WayOut::none: return;
    case WayOut::undo: return p.commands.push_back(Undo{});
    case WayOut::open: return open_card(p, CardId::open_file);
    }
}

} // namespace

float link_width(const Panel& p) {
    const WayOut way = p.work.notice.way;
    if (way == WayOut::none) return 0;
    return p.ui.canvas.width_of(Face::control, link_of(way).words) + 2 * kPad;
}

float link_height(const Panel& p) { return p.work.notice.way == WayOut::none ? 0 : kLinkLine; }

Box draw_link(Panel& p, const Box& notice, bool one_line) {
    const WayOut way = p.work.notice.way;
    if (way == WayOut::none) return notice;
    Box rest = notice;
    (one_line ? rest.w : rest.h) -= one_line ? link_width(p) : kLinkLine;
    const Box link = one_line ? Box{rest.x + rest.w, notice.y, link_width(p), notice.h}
                              : Box{notice.x + notice.w - link_width(p), rest.y + rest.h - 4,
                                    link_width(p), kLinkLine};
    const Press press = p.ui.area(link, "notice/way", link_of(way).words, Widget::Kind::button);
    p.ui.tip(link_of(way).tip);
    const figure::Theme& t = p.ui.theme();
    p.ui.canvas.text(link, Face::control, press.hovered ? t.text : t.accent, link_of(way).words,
                     AlignX::centre);
    if (press.clicked) go(p, way);
    return rest;
}

std::string without_folders(const std::string& words) {
    const std::size_t first = words.find('/'), last = words.rfind('/');
    if (first == last || words.substr(first, last - first).find(' ') != words.npos) return words;
    return words.substr(0, first) + "\u2026" + words.substr(last);
}

float notice_lines(Canvas& c, const Box& at, Color ink, std::string_view words, bool draw) {
    float y = at.y;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('\n'), words.size());
        y += c.paragraph({at.x, y}, at.w, Face::control, ink, words.substr(0, end), draw);
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return y - at.y;
}

} // namespace heed::ui
