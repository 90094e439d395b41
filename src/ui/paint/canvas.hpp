// Drawing the window's own parts, in points from the window's upper left corner. Everything that is
// written is noted, so that tests can ask what is on the screen.
#pragma once

#include "figure/base/figure.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/theme.hpp"
#include "ui/paint/figure_painter.hpp"
#include "ui/paint/fonts.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace heed::ui {

using figure::AlignX;
using figure::Box;
using figure::Color;
using figure::faded;
using figure::Point;

/// The part of a box that is left after this much is taken from each side.
Box inset(const Box& box, float x, float y);

/// A box in the coordinates of a place, on the window.
Box placed(const Box& box, const Box& place);

/// A use of type in the window.
enum class Face {
    body,    // 13: labels of rows, lists
    control, // 12: segments, second-rank text
    small,   // 11: captions
    heading, // 11 bold: section headings, in spaced capitals
    strong,  // 13 bold: buttons
    brand,   // 15 bold
    title,   // 18 bold
    mono,    // 12: numbers
    field,   // 14: beside what a person types
    count
};
figure::TextStyle style_of(Face face);

class Canvas {
  public:
    Canvas(Renderer& renderer, Fonts& fonts)
        : renderer_(renderer), fonts_(fonts), labels_(renderer), painter_(renderer, labels_) {}

    /// `scale`: ImGui units a point. `density`: pixels an ImGui unit (above 1 on a Mac alone).
    void begin_frame(const figure::Theme& theme, float scale);
    const figure::Theme& theme() const { return *theme_; }
    float scale() const { return scale_; }
    Fonts& fonts() { return fonts_; }
    Renderer& renderer() { return renderer_; }

    ImVec2 pixels(Point p) const;
    ImVec2 low(const Box& box) const { return pixels({box.x, box.y}); }
    ImVec2 high(const Box& box) const { return pixels({box.x + box.w, box.y + box.h}); }
    /// True where any of the box lies inside the clip box.
    bool sees(const Box& box) const;

    void fill(const Box& box, Color color, float radius = 0);
    void outline(const Box& box, Color color, float radius = 0, float width = 1);
    void rule(float x, float y, float w); // a hairline across
    void rule_down(float x, float y, float h);
    void disc(Point middle, float radius, Color color);
    void shadow(const Box& box, float radius);

    /// One line, centred vertically in the box and cut short with an ellipsis where it does not
    /// fit. Any script: everything but edit fields is shaped by Pango. Returns the width drawn.
    float text(const Box& box, const figure::TextStyle& style, Color color, std::string_view words,
               AlignX align = AlignX::left);
    float text(const Box& box, Face face, Color color, std::string_view words,
               AlignX align = AlignX::left) {
        return text(box, style_of(face), color, words, align);
    }
    float width_of(Face face, std::string_view words);
    /// The byte between two characters of the words that is nearest to x points from their left.
    std::size_t byte_at(Face face, std::string_view words, float x);
    /// Words broken at spaces into lines of `width`; returns the height, drawn or not.
    float paragraph(Point at, float width, Face face, Color color, std::string_view words,
                    bool draw = true);
    /// A section heading: spaced capitals. Returns the width drawn.
    float heading(const Box& box, Color color, std::string_view words);

    void paint(const figure::Figure& figure, Point origin);

    void push_clip(const Box& box);
    void pop_clip();
    ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }

    /// Everything written since begin_frame, in order.
    const std::vector<std::string>& written() const { return written_; }
    /// Texts of these that were cut, having less room than they need.
    const std::vector<std::string>& cut() const { return cut_; }
    /// The boxes of the panels' words since begin_frame; none of what figures write.
    const std::vector<Box>& worded() const { return worded_; }
    /// A card lies above all words so far.
    void forget_worded() { worded_.clear(); }
    /// The figures painted since begin_frame, in order, of frames in which somebody asked for them.
    /// Copies, as below.
    const std::vector<figure::Figure>& painted() const { return painted_; }
    bool keeps_painted = false;
    /// Words, heat cells and curves of painted figures, where they are on the screen: of frames in
    /// which somebody asked for them. Copies: a figure may be gone before its frame is.
    struct Drawn {
        Point origin;
        std::variant<figure::Text, figure::Box, figure::Curve> item;
    };
    const std::vector<Drawn>& drawn() const { return drawn_; }
    bool keeps_drawn = false;

  private:
    Renderer& renderer_;
    Fonts& fonts_;
    LabelCache labels_;
    FigurePainter painter_;
    const figure::Theme* theme_ = &figure::light_theme();
    float scale_ = 1;
    /// The text, or as much of it as fits with an ellipsis behind it.
    const std::string& fitted(std::string_view words, const figure::TextStyle& style, float width);

    std::vector<std::string> written_, cut_;
    std::vector<Box> worded_;
    std::vector<figure::Figure> painted_;
    std::vector<Drawn> drawn_;
    std::unordered_map<std::string, std::string> fitted_; // by text, style and width
};

} // namespace heed::ui
