#include "figure/base/sheet.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kLargestSide = 100000; // points; what is asked beyond it is cut
constexpr std::size_t kMostCaptionLines = 8;
constexpr float kCaptionLine = 16; // from baseline to baseline
constexpr const char* kEllipsis = "…";

bool is_open(float size) { return !(size > 0) || !std::isfinite(size); }

/// True of a code point that belongs to the letter before it, so that no cut may fall between them.
bool continues(char32_t c) {
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x200C && c <= 0x200D) ||
           (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x1F3FB && c <= 0x1F3FF) ||
           (c >= 0x20D0 && c <= 0x20FF) || (c >= 0x064B && c <= 0x065F) ||
           (c >= 0x0900 && c <= 0x0DFF && ((c & 0x7F) >= 0x3E && (c & 0x7F) <= 0x4D));
}

/// Byte offsets at which a text may be cut, both ends included.
std::vector<std::size_t> cuts(const std::string& text) {
    std::vector<std::size_t> result{0};
    bool joined = false;
    for (std::size_t at = 0; at < text.size();) {
        const auto decoded = base::decode_utf8(text, at);
        if (at > 0 && !joined && !continues(decoded.code_point)) result.push_back(at);
        joined = decoded.code_point == 0x200D;
        at += decoded.length;
    }
    result.push_back(text.size());
    return result;
}

} // namespace

std::optional<std::vector<float>> moved_apart(const std::vector<float>& widths, float pitch,
                                              float between, float before, float behind) {
    constexpr float kMostMoved = 0.3f; // of its width: what points at a place still meets the word
    const std::size_t n = widths.size();
    const auto place = [&](std::size_t i) { return static_cast<float>(i) * pitch; };
    const auto apart = [&](std::size_t i) { // middles of this word and the next one
        return (widths[i] + widths[i + 1]) / 2 + between;
    };
    std::vector<float> least(n), most(n), moved(n);
    for (std::size_t i = 0; i < n; ++i) {
        const float edge = i == 0 ? widths[0] / 2 - before : least[i - 1] + apart(i - 1);
        least[i] = std::max(place(i) - kMostMoved * widths[i], edge);
    }
    for (std::size_t i = n; i-- > 0;) {
        const float edge = i + 1 == n ? place(i) + behind - widths[i] / 2 : most[i + 1] - apart(i);
        most[i] = std::min(place(i) + kMostMoved * widths[i], edge);
        if (least[i] > most[i]) return std::nullopt;
    }
    // Halfway between what moves to the right alone and what moves to the left alone.
    float at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        at = std::min(std::max({place(i), least[i], i == 0 ? least[0] : at + apart(i - 1)}),
                      most[i]);
        moved[i] = (at - place(i)) / 2;
    }
    for (std::size_t i = n; i-- > 0;) {
        at =
            std::max(std::min({place(i), most[i], i + 1 == n ? most[i] : at - apart(i)}), least[i]);
        moved[i] += (at - place(i)) / 2;
    }
    return moved;
}

Color faded(Color color, float opacity) {
    color.a = static_cast<std::uint8_t>(
        std::clamp(opacity * static_cast<float>(color.a) + 0.5f, 0.f, 255.f));
    return color;
}

float margin_of(float side) { return std::clamp(side * 0.045f, 4.f, 24.f); }

Sheet::Sheet(const Frame& frame, float natural_width, float natural_height) : frame_(frame) {
    HEED_CHECK(frame.theme != nullptr, "a frame without a theme");
    HEED_CHECK(frame.measure != nullptr, "a frame without a measure");
    height_is_open_ = is_open(frame.height);
    figure.width = std::min(is_open(frame.width) ? natural_width : frame.width, kLargestSide);
    figure.height = std::min(height_is_open_ ? natural_height : frame.height, kLargestSide);
    figure.background = frame.theme->ground;
    margin_ = frame.margin.value_or(margin_of(figure.width));
    // Below somebody else's controls the title keeps its height, however high the figure is.
    const bool below = frame.beside_title > 0 || height_is_open_;
    margin_y_ = below ? margin_ : margin_of(figure.height);
}

std::string Sheet::fitted(const std::string& text, const TextStyle& style, float width) const {
    if (width_of(text, style) <= width) return text;
    const auto places = cuts(text);
    // Keep `kept` letters, of what is long the larger half in front: the most that still fits, by
    // bisection. A word is read from its beginning.
    constexpr std::size_t kWord = 12; // letters
    const bool word = places.size() - 1 <= kWord;
    const auto shortened = [&](std::size_t kept) {
        const std::size_t front = word ? kept : (kept + 1) / 2, back = kept - front;
        return text.substr(0, places[front]) + kEllipsis +
               text.substr(places[places.size() - 1 - back]);
    };
    std::size_t fits = 0, too_long = places.size() - 1;
    while (too_long - fits > 1) {
        const std::size_t middle = (fits + too_long) / 2;
        (width_of(shortened(middle), style) <= width ? fits : too_long) = middle;
    }
    if (fits > 0) return shortened(fits);
    return width_of(kEllipsis, style) <= width ? kEllipsis : "";
}

std::string Sheet::fitted_end(const std::string& text, const TextStyle& style, float width) const {
    if (width_of(text, style) <= width) return text;
    const auto places = cuts(text);
    std::size_t fits = 0, too_long = places.size() - 1;
    while (too_long - fits > 1) {
        const std::size_t middle = (fits + too_long) / 2;
        const std::string part = text.substr(0, places[middle]) + kEllipsis;
        (width_of(part, style) <= width ? fits : too_long) = middle;
    }
    if (fits > 0) return text.substr(0, places[fits]) + kEllipsis;
    return width_of(kEllipsis, style) <= width ? kEllipsis : "";
}

void Sheet::fill(const Box& box, Color color, float radius) {
    figure.items.emplace_back(Fill{box, color, radius});
}
void Sheet::stroke(const Box& box, Color color, float width, float radius) {
    figure.items.emplace_back(Stroke{box, color, width, radius});
}
void Sheet::line(std::vector<Point> points, Color color, float width, bool dashed) {
    figure.items.emplace_back(Line{std::move(points), color, width, dashed});
}
void Sheet::curve(Point a, Point control_a, Point control_b, Point b, Color color, float width) {
    figure.items.emplace_back(Curve{a, control_a, control_b, b, color, width});
}
void Sheet::text(std::string text, Point at, const TextStyle& style, Color color, AlignX align_x,
                 AlignY align_y, float degrees) {
    if (text.empty()) return;
    figure.items.emplace_back(Text{std::move(text), at, style, color, align_x, align_y, degrees});
}
void Sheet::heading(std::string words, float baseline, const TextStyle& style, Color color) {
    if (words.empty()) return;
    text(std::move(words), {margin_, baseline}, style, color);
    std::get<Text>(figure.items.back()).heads = true;
}
void Sheet::heat(const Box& box, std::shared_ptr<const Matrix<float>> values, PaletteId palette,
                 float low, float high, std::vector<Index> hatched_rows) {
    figure.items.emplace_back(
        Heat{box, std::move(values), palette, low, high, std::move(hatched_rows)});
}
void Sheet::link(const Curve& curve, const Box& box, int query, int key, int which) {
    figure.items.emplace_back(curve);
    target(box, tag::Link{query, key, which});
    figure.targets.back().curve = curve;
}

void Sheet::target(const Box& box, const Tag& tag) { figure.targets.push_back({box, tag}); }

namespace {

/// Puts the word before it beside one that is alone in the last line.
void join_last_word(std::vector<std::string>& lines, auto&& fits) {
    if (lines.size() < 2 || lines.back().find(' ') != std::string::npos) return;
    std::string& before = lines[lines.size() - 2];
    std::size_t first = next_break(before, 0), last = first;
    for (std::size_t at = first; at != std::string::npos; at = next_break(before, at + 1))
        last = at;
    if (last == first || before.ends_with("·") || before.ends_with("…")) return; // of one word
    std::string both = before.substr(last + 1) + " " + lines.back();
    if (!fits(both)) return;
    before.resize(last);
    lines.back() = std::move(both);
}

} // namespace

std::vector<std::string> Sheet::wrapped(const std::string& text, const TextStyle& style,
                                        float width, std::size_t max_lines) const {
    std::vector<std::string> lines;
    std::string rest = text;
    while (!rest.empty() && lines.size() + 1 < max_lines && width_of(rest, style) > width) {
        std::size_t end = 0;
        for (std::size_t space = next_break(rest, 0); space != std::string::npos;
             space = next_break(rest, space + 1)) {
            if (width_of(rest.substr(0, space), style) > width) break;
            end = space;
        }
        if (end == 0) end = std::min(next_break(rest, 0), rest.size()); // wider than the line
        lines.push_back(fitted(rest.substr(0, end), style, width));
        rest.erase(0, end + 1);
    }
    if (!rest.empty()) lines.push_back(fitted(rest, style, width));
    join_last_word(lines, [&](const std::string& line) { return width_of(line, style) <= width; });
    return lines;
}

void drop_last_dot(std::string& line) {
    constexpr std::string_view kDot = " ·";
    if (line.ends_with(kDot)) line.resize(line.size() - kDot.size());
}

namespace {

/// Words without their last sentence; empty where they have but one.
std::string shortened(const std::string& words) {
    const std::size_t end =
        words.size() < 2 ? std::string::npos : words.rfind(". ", words.size() - 2);
    return end == std::string::npos ? std::string() : words.substr(0, end + 1);
}

} // namespace

float Sheet::header(const std::string& title, const std::string& subtitle,
                    const ReadingPlace& reading) {
    const float bottom = titles(title, subtitle);
    if (frame_.reading_lines == 0 || !frame_.titled || !frame_.headline) return bottom;
    const TextStyle style{type_size::kSubtitle};
    const float line_height = style.size * 1.45f;
    const float room = reading.room > 0 ? reading.room : width() - 2 * margin_;
    const auto most = static_cast<std::size_t>(frame_.reading_lines);
    std::string words = frame_.reading;
    auto lines = wrapped(words, style, room, most + 1);
    while (lines.size() > most) { // whole sentences, or as much of one as there is room for
        words = shortened(words);
        lines = words.empty() ? wrapped(frame_.reading, style, room, most)
                              : wrapped(words, style, room, most + 1);
    }
    float baseline = std::max(last_title_, reading.below);
    for (const std::string& line : lines) {
        heading(line, baseline += line_height, style, theme().text);
    }
    free_of_reading_ = static_cast<float>(most - lines.size()) * line_height;
    return std::max(bottom, kept_title_ + static_cast<float>(most) * line_height + 18);
}

namespace {

/// A narrow figure is a panel's: its title is one step of type smaller.
constexpr float kNarrow = 320;

TextStyle style_of_title(bool small) {
    return {small ? 13.f : type_size::kTitle, Font::sans, Weight::bold};
}

} // namespace

bool has_room_for_title(const Frame& frame, const std::string& title) {
    const Sheet sheet(frame, frame.width, frame.height);
    const float room = sheet.width() - 2 * sheet.margin();
    return sheet.width_of(title, style_of_title(frame.small_title || room < kNarrow)) <= room;
}

bool has_small_title(float room) { return room < kNarrow; }

float alike_titles(float room) { return has_small_title(room) ? room : room - kNarrow; }

float Sheet::titles(const std::string& title, const std::string& subtitle) {
    if (!frame_.titled || !frame_.headline || (title.empty() && subtitle.empty())) return margin_y_;
    const float room = width() - 2 * margin_;
    float first_room = std::max(room - frame_.beside_title, 0.f); // of the title's line
    const bool narrow = frame_.small_title || has_small_title(room);
    const TextStyle title_style = style_of_title(narrow);
    const TextStyle subtitle_style{narrow ? type_size::kNote : type_size::kSubtitle};
    const float line_height = subtitle_style.size * 1.45f;
    const Extent title_extent = measure(title, title_style);
    float baseline = margin_y_ + title_extent.ascent;
    // What lies beside somebody else's controls keeps its lines, whatever the words are: a title
    // would jump from one view to the next.
    const bool keeps = frame_.beside_title > 0;
    constexpr float kMostTitles = 360; // with less room titles go below the controls, all of them
    if (keeps && std::max(title_extent.width, kMostTitles) > first_room) {
        constexpr float kControls = 26;
        baseline += kControls;
        first_room = room;
    }
    constexpr float kGap = 16, kBelowTitle = 6; // of a sentence, more than between two lines
    if (!title.empty()) {
        heading(fitted(title, title_style, first_room), baseline, title_style, theme().text);
        const float beside = first_room - title_extent.width - kGap;
        if (!keeps && width_of(subtitle, subtitle_style) <= beside) {
            text(subtitle, {margin_ + title_extent.width + kGap, baseline}, subtitle_style,
                 theme().muted);
            last_title_ = baseline + kBelowTitle;
            const auto more = static_cast<float>(std::max(frame_.subtitle_lines - 1, 0));
            kept_title_ = last_title_ + more * line_height;
            if (frame_.subtitle_lines > 0) {
                return baseline + (1 + more) * line_height + (narrow ? 12.f : 18.f);
            }
            return baseline + title_extent.descent + (narrow ? 6.f : 14.f);
        }
        baseline += line_height + 2;
    }
    // In a file its words are whole; in a window the content stays where it is.
    auto lines = wrapped(subtitle, subtitle_style, room, height_is_open_ ? 6 : 2);
    for (std::string& line : lines) {
        if (&line != &lines.back()) drop_last_dot(line);
        heading(line, baseline, subtitle_style, theme().muted);
        baseline += line_height;
    }
    // Without a subtitle the sentence stands in its place: no hole, and not glued to the title.
    last_title_ = baseline - line_height + (lines.empty() ? kBelowTitle : 0);
    const int least = std::max(frame_.subtitle_lines, keeps ? 1 : 0);
    const auto free = least - static_cast<int>(lines.size());
    baseline += static_cast<float>(std::max(free, 0)) * line_height;
    kept_title_ = std::max(last_title_, baseline - line_height);
    return baseline - line_height + (narrow ? 10.f : 16.f);
}

float Sheet::footer() {
    if (height_is_open_) return 1e9f;
    if (frame_.caption.empty()) return height() - margin_y_;
    // A caption in many lines leaves three quarters of the height to the picture.
    const float most = std::floor(height() / 4 / kCaptionLine);
    const auto lines = caption_lines(
        static_cast<std::size_t>(std::clamp(most, 1.f, static_cast<float>(kMostCaptionLines))));
    const float last = height() - std::max(margin_y_ * 0.75f, 6.f);
    float baseline = last - static_cast<float>(lines.size() - 1) * kCaptionLine;
    const float bottom = baseline - type_size::kNote - 10;
    for (const std::string& line : lines) {
        heading(line, baseline, {type_size::kNote}, theme().muted);
        baseline += kCaptionLine;
    }
    return bottom;
}

std::vector<std::string> Sheet::caption_lines(std::size_t max_lines) const {
    const TextStyle style{type_size::kNote};
    const float room = width() - 2 * margin_;
    auto lines = wrapped(frame_.caption, style, room, kMostCaptionLines + 1);
    if (lines.size() > max_lines) { // the last one ends behind a word
        std::string last = lines[max_lines - 1];
        lines.resize(max_lines);
        const auto cut = [&] { return last + "…"; };
        while (width_of(cut(), style) > room && last.find(' ') != std::string::npos) {
            last.erase(last.rfind(' '));
        }
        lines.back() = fitted_end(cut(), style, room);
    }
    return lines;
}

float Sheet::content_bottom() {
    height_is_open_ = false;
    return footer();
}

float content_end(const Frame& frame) {
    return Sheet(frame, frame.width, frame.height).content_bottom();
}

void Sheet::hold(float top, float room) {
    if (!height_is_open_) return;
    for (std::size_t line = 0; line <= kMostCaptionLines; ++line) { // a higher one has more lines
        Sheet other = *this;
        const float lacks = top + room - other.content_bottom();
        if (!(lacks > 0)) return;
        figure.height += lacks;
    }
}

void Sheet::close_at(float bottom) {
    if (!height_is_open_) return;
    height_is_open_ = false;
    figure.height = bottom + margin_y_;
    if (frame_.caption.empty()) return;
    const std::size_t lines = caption_lines(kMostCaptionLines).size();
    figure.height += type_size::kNote + 10 + static_cast<float>(lines - 1) * kCaptionLine;
    footer();
}

Box under_frame(const Box& frame) {
    const float inset = std::min({0.5f, frame.w / 4, frame.h / 4});
    return {frame.x + inset, frame.y + inset, frame.w - 2 * inset, frame.h - 2 * inset};
}

Figure sentence_instead(const std::string& title, const std::string& words, const Frame& frame) {
    constexpr float kLine = 20;
    constexpr std::size_t kMostLines = 4;
    Sheet sheet(frame, 520, 0);
    sheet.figure.title = title + ": " + words;
    const float top = sheet.header(title, "");
    const TextStyle style{type_size::kSubtitle};
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t end = std::min(words.find('\n', from), words.size());
        const auto wrapped = sheet.wrapped(words.substr(from, end - from), style,
                                           sheet.width() - 2 * sheet.margin(), kMostLines);
        lines.insert(lines.end(), wrapped.begin(), wrapped.end());
        from = end + 1;
    }
    float y = top + kLine;
    if (frame.height > 0) { // a little above the middle: a button may stand below
        const float used = kLine * static_cast<float>(lines.size() + 2);
        y += std::max((sheet.content_bottom() - top - used) / 2, 0.f);
    }
    for (const std::string& line : lines) {
        sheet.text(line, {sheet.width() / 2, y}, style, sheet.theme().muted, AlignX::centre);
        y += kLine;
    }
    sheet.close_at(y);
    return std::move(sheet.figure);
}

} // namespace heed::figure
