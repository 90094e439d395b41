#include "ui/paint/canvas.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

Box inset(const Box& box, float x, float y) {
    return {box.x + x, box.y + y, std::max(0.0f, box.w - 2 * x), std::max(0.0f, box.h - 2 * y)};
}

Box placed(const Box& box, const Box& place) {
    return {box.x + place.x, box.y + place.y, box.w, box.h};
}

void Canvas::begin_frame(const figure::Theme& theme, float scale) {
    theme_ = &theme;
    scale_ = scale;
    written_.clear();
    cut_.clear();
    worded_.clear();
    painted_.clear();
    drawn_.clear();
    renderer_.begin_frame();
    labels_.begin_frame();
}

ImVec2 Canvas::pixels(Point p) const {
    return {std::round(p.x * scale_), std::round(p.y * scale_)};
}

bool Canvas::sees(const Box& box) const {
    const ImVec2 a = low(box), b = high(box);
    const ImVec2 clip_a = list().GetClipRectMin(), clip_b = list().GetClipRectMax();
    return b.x >= clip_a.x && a.x <= clip_b.x && b.y >= clip_a.y && a.y <= clip_b.y;
}

void Canvas::fill(const Box& box, Color color, float radius) {
    const ImVec2 a = low(box), b = high(box);
    constexpr float kLarge = 200 * 200; // pixels; a clear breaks the batch of triangles
    const bool large = (b.x - a.x) * (b.y - a.y) >= kLarge;
    if (large && radius == 0 && color.a == 255 &&
        renderer_.add_clear(list(), {a.x, a.y, b.x - a.x, b.y - a.y}, color)) {
        return;
    }
    list().AddRectFilled(a, b, packed(color), radius * scale_);
}

void Canvas::outline(const Box& box, Color color, float radius, float width) {
    shim::outline(list(), low(box), high(box), packed(color), radius * scale_,
                  std::max(1.0f, std::round(width * scale_)));
}

void Canvas::rule(float x, float y, float w) {
    const ImVec2 a = pixels({x, y}), b = pixels({x + w, y});
    list().AddRectFilled(a, {b.x, a.y + std::max(1.0f, std::round(scale_))},
                         packed(theme_->border));
}

void Canvas::rule_down(float x, float y, float h) {
    const ImVec2 a = pixels({x, y}), b = pixels({x, y + h});
    list().AddRectFilled(a, {a.x + std::max(1.0f, std::round(scale_)), b.y},
                         packed(theme_->border));
}

void Canvas::disc(Point middle, float radius, Color color) {
    list().AddCircleFilled({middle.x * scale_, middle.y * scale_}, radius * scale_, packed(color),
                           0);
}

void Canvas::shadow(const Box& box, float radius) {
    for (int i = 6; i >= 1; --i) {
        const float grow = static_cast<float>(i) * 2;
        const Box ring{box.x - grow, box.y - grow + 4, box.w + 2 * grow, box.h + 2 * grow};
        list().AddRectFilled(low(ring), high(ring), IM_COL32(0, 0, 0, theme_->dark ? 22 : 6),
                             (radius + grow) * scale_);
    }
}

figure::TextStyle style_of(Face face) {
    using figure::Font, figure::Weight;
    switch (face) {
    case Face::body: return {13, Font::sans, Weight::regular};
    case Face::control: return {12, Font::sans, Weight::regular};
    case Face::small: return {11, Font::sans, Weight::regular};
    case Face::heading: return {11, Font::sans, Weight::bold};
    case Face::strong: return {13, Font::sans, Weight::bold};
    case Face::brand: return {15, Font::sans, Weight::bold};
    case Face::title: return {18, Font::sans, Weight::bold};
    case Face::mono: return {12, Font::mono, Weight::regular};
    case Face::field: return {14, Font::sans, Weight::regular};
    case Face::count: break;
    }
    return {};
}

float Canvas::width_of(Face face, std::string_view words) {
    return words.empty() ? 0 : labels_.width(std::string(words), style_of(face), scale_);
}

std::size_t Canvas::byte_at(Face face, std::string_view words, float x) {
    float before = 0;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t next = at + base::decode_utf8(words, at).length;
        const float width = width_of(face, words.substr(0, next));
        if (x < (before + width) / 2) return at;
        before = width;
        at = next;
    }
    return words.size();
}

namespace {

/// Baseline on which capitals are centred: one rule for all scripts, so that words of different
/// fonts share a line.
float baseline_in(const Box& box, float size) { return box.y + box.h / 2 + size * 0.36f; }

/// A part of a line in one style, and how far below the line it stands.
struct Piece {
    std::string words;
    figure::TextStyle style;
    float down = 0; // points
};

/// The parts of a line: the letter of a learned matrix, W_Q, is lowered, since no font has a
/// lowered Q of its own.
std::vector<Piece> pieces_of(const std::string& words, const figure::TextStyle& style) {
    constexpr std::string_view kMatrices = "QKVO";
    std::vector<Piece> pieces;
    std::size_t from = 0;
    for (std::size_t at = words.find("W_"); at != std::string::npos;
         at = words.find("W_", at + 1)) {
        const bool begins = at == 0 || words[at - 1] == ' ';
        const char after = at + 3 < words.size() ? words[at + 3] : ' ';
        const bool ends = after == ' ' || after == ',' || after == '.';
        if (!begins || !ends || at + 2 >= words.size() ||
            kMatrices.find(words[at + 2]) == std::string_view::npos)
            continue;
        pieces.push_back({words.substr(from, at + 1 - from), style});
        figure::TextStyle small = style;
        small.size *= 0.75f;
        pieces.push_back({words.substr(at + 2, 1), small, 0.18f * style.size});
        from = at + 3;
    }
    if (from < words.size()) pieces.push_back({words.substr(from), style});
    return pieces;
}

} // namespace

const std::string& Canvas::fitted(std::string_view words, const figure::TextStyle& style,
                                  float width) {
    if (fitted_.size() > 2000) fitted_.clear();
    const auto [it, is_new] = fitted_.try_emplace(
        fmt::format("{}|{}|{}|{}|{}", words, style.size, static_cast<int>(style.font),
                    static_cast<int>(style.weight), std::round(width * 4)));
    std::string& shown = it->second;
    if (!is_new) return shown;
    // No letter is narrower than an eighth of its size: what lies beyond is not even measured.
    const auto most = static_cast<std::size_t>(std::max(width, 0.0f) / style.size * 8) + 8;
    std::vector<std::size_t> ends{0};
    while (ends.back() < words.size() && ends.size() <= most) {
        ends.push_back(ends.back() + base::decode_utf8(words, ends.back()).length);
    }
    const auto fits = [&](const std::string& text) {
        return figure::measure(text, style).width <= width + 0.75f;
    };
    shown = words.substr(0, ends.back());
    if (ends.back() == words.size() && fits(shown)) return shown;
    const auto cut = [&](std::size_t kept) {
        std::string text(words.substr(0, ends[kept]));
        while (!text.empty() && text.back() == ' ') text.pop_back();
        return text + "\u2026";
    };
    std::size_t low = 0, high = ends.size() - 1;
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (fits(cut(middle)) ? low : high) = middle;
    }
    return shown = cut(low);
}

float Canvas::text(const Box& box, const figure::TextStyle& style, Color color,
                   std::string_view words, AlignX align) {
    if (words.empty()) return 0;
    written_.emplace_back(words);
    const std::string& shown = fitted(words, style, box.w);
    if (shown != words) cut_.emplace_back(words);
    const std::vector<Piece> pieces = pieces_of(shown, style);
    float width = 0;
    for (const Piece& piece : pieces) width += labels_.width(piece.words, piece.style, scale_);
    float x = box.x;
    if (align == AlignX::centre) x += (box.w - width) / 2;
    if (align == AlignX::right) x += box.w - width;
    const float middle = box.y + box.h / 2, half = style.size * 0.6f;
    if (sees({x, middle - half, width, 2 * half})) {
        worded_.push_back({x, middle - half, width, 2 * half});
    }
    for (const Piece& piece : pieces) {
        painter_.text({piece.words,
                       {x, baseline_in(box, style.size) + piece.down},
                       piece.style,
                       color,
                       AlignX::left,
                       figure::AlignY::baseline,
                       0},
                      list(), {0, 0}, scale_);
        x += labels_.width(piece.words, piece.style, scale_);
    }
    return width;
}

float Canvas::paragraph(Point at, float width, Face face, Color color, std::string_view words,
                        bool draw) {
    const figure::TextStyle style = style_of(face);
    const float line = std::ceil(style.size * 1.45f);
    float y = at.y;
    while (!words.empty()) {
        std::size_t end = 0;
        for (std::size_t next = 0; next <= words.size();) {
            const std::size_t space = std::min(figure::next_break(words, next), words.size());
            if (end > 0 && width_of(face, words.substr(0, space)) > width) break;
            end = space;
            next = space + 1;
        }
        if (draw) text({at.x, y, width, line}, style, color, words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
        y += line;
    }
    return y - at.y;
}

float Canvas::heading(const Box& box, Color color, std::string_view words) {
    written_.emplace_back(words);
    constexpr float kSpacing = 0.9f; // between letters, points
    const figure::TextStyle style = style_of(Face::heading);
    const float baseline = baseline_in(box, style.size);
    float x = box.x;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t length = base::decode_utf8(words, at).length;
        std::string letter(words.substr(at, length));
        if (letter.size() == 1 && letter[0] >= 'a' && letter[0] <= 'z') {
            letter[0] = static_cast<char>(letter[0] - 'a' + 'A');
        }
        const float width = labels_.width(letter, style, scale_);
        if (x + width > box.x + box.w) break;
        painter_.text(
            {letter, {x, baseline}, style, color, AlignX::left, figure::AlignY::baseline, 0},
            list(), {0, 0}, scale_);
        x += width + kSpacing;
        at += length;
    }
    const Box words_box{box.x, baseline - style.size, x - box.x, 1.3f * style.size};
    if (sees(words_box)) worded_.push_back(words_box);
    return x - box.x;
}

void Canvas::paint(const figure::Figure& figure, Point origin) {
    if (keeps_painted) painted_.push_back(figure);
    for (const figure::Primitive& item : figure.items) {
        if (const auto* text = std::get_if<figure::Text>(&item)) written_.push_back(text->text);
    }
    for (const figure::Primitive& item : figure.items) {
        if (!keeps_drawn) break;
        if (const auto* text = std::get_if<figure::Text>(&item)) drawn_.push_back({origin, *text});
        if (const auto* heat = std::get_if<figure::Heat>(&item)) {
            drawn_.push_back({origin, heat->box});
        }
        if (const auto* curve = std::get_if<figure::Curve>(&item)) {
            drawn_.push_back({origin, *curve});
        }
    }
    painter_.paint(figure, list(), pixels(origin), scale_);
}

void Canvas::push_clip(const Box& box) { ImGui::PushClipRect(low(box), high(box), true); }
void Canvas::pop_clip() { ImGui::PopClipRect(); }

} // namespace heed::ui
