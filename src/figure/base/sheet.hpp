// A figure under construction: the frame that was asked for, what is drawn so far, and the pieces
// that every plot shares (title, caption, fitted text).
#pragma once

#include "figure/base/figure.hpp"
#include "figure/base/frame.hpp"

#include <optional>
#include <vector>

namespace heed::figure {

namespace type_size { // points
inline constexpr float kTitle = 18, kSubtitle = 13, kLabel = 15, kNote = 11;
}

/// The ground left free along the sides of a figure of this width, or above one of this height.
float margin_of(float side);

/// Place of a reading that is of more than one sheet.
struct ReadingPlace {
    float room = 0;  // its width; 0: the sheet's
    float below = 0; // the lowest baseline above it that another sheet has
};

class Sheet {
  public:
    /// `natural` sizes stand where the frame leaves one open (0 or not finite).
    Sheet(const Frame& frame, float natural_width, float natural_height);
    Sheet(Frame&&, float, float) = delete; // it is not copied

    float width() const { return figure.width; }
    float height() const { return figure.height; }
    float margin() const { return margin_; }     // left and right
    float margin_y() const { return margin_y_; } // top and bottom
    const Theme& theme() const { return *frame_.theme; }
    bool height_is_open() const { return height_is_open_; }

    Extent measure(const std::string& text, const TextStyle& style) const {
        return frame_.measure(text, style);
    }
    float width_of(const std::string& text, const TextStyle& style) const {
        return measure(text, style).width;
    }
    /// The text, or as much as fits: of a word its beginning and an ellipsis, of what is longer
    /// both ends with an ellipsis between them.
    std::string fitted(const std::string& text, const TextStyle& style, float width) const;
    /// The text, or its beginning as far as it fits with an ellipsis behind it.
    std::string fitted_end(const std::string& text, const TextStyle& style, float width) const;
    /// Lines of the text, as many as it needs, at most so many; the last one may be fitted().
    std::vector<std::string> wrapped(const std::string& text, const TextStyle& style, float width,
                                     std::size_t max_lines) const;

    void fill(const Box& box, Color color, float radius = 0);
    void stroke(const Box& box, Color color, float width = 1, float radius = 0);
    void line(std::vector<Point> points, Color color, float width = 1, bool dashed = false);
    void curve(Point a, Point control_a, Point control_b, Point b, Color color, float width);
    void text(std::string text, Point at, const TextStyle& style, Color color,
              AlignX align_x = AlignX::left, AlignY align_y = AlignY::baseline, float degrees = 0);
    void heat(const Box& box, std::shared_ptr<const Matrix<float>> values, PaletteId palette,
              float low, float high, std::vector<Index> hatched_rows = {});
    void target(const Box& box, const Tag& tag);
    /// A curve that can be picked all along; `box` is its middle.
    void link(const Curve& curve, const Box& box, int query, int key, int which);

    /// Title, the subtitle beside it where there is room, else under it, and below them the frame's
    /// reading. Returns the y at which the content may begin; the margin alone where all are empty.
    float header(const std::string& title, const std::string& subtitle,
                 const ReadingPlace& reading = {});
    /// The baseline of the header's last line above the reading.
    float last_title() const { return last_title_; }
    /// Points above the content that are kept for a reading, and that its words leave free.
    float free_of_reading() const { return free_of_reading_; }
    /// The frame's caption along the bottom, in as many lines as it takes. Returns the y at which
    /// the content must end: beyond everything where the frame leaves the height open.
    float footer();
    /// The footer()'s y for a plot whose natural height is what it takes.
    float content_bottom();
    /// Makes a height that the frame leaves open so high that the content, which begins at `top`,
    /// has so much room above the caption.
    void hold(float top, float room);
    /// The end of the content, from which a height follows that the frame leaves open.
    void close_at(float bottom);

    Figure figure;

  private:
    float titles(const std::string& title, const std::string& subtitle);
    void heading(std::string words, float baseline, const TextStyle& style, Color color);
    std::vector<std::string> caption_lines(std::size_t max_lines) const;

    const Frame& frame_;
    float margin_ = 0, margin_y_ = 0;
    float last_title_ = 0; // the baseline above the reading's first line
    float kept_title_ = 0; // of the last line that is kept free for a subtitle
    float free_of_reading_ = 0;
    bool height_is_open_ = false;
};

/// Takes the " ·" off the end of a line that others follow: nothing has to be held apart there.
void drop_last_dot(std::string& line);

/// The y at which the content of a picture of this frame ends, above its caption.
float content_end(const Frame& frame);

/// True where a picture of this frame has a line for the whole of a title.
bool has_room_for_title(const Frame& frame, const std::string& title);

/// True where a picture with so much room between its margins has a small title.
bool has_small_title(float room);

/// The points that a frame with so much room between its margins may give to another beside it,
/// without titles of another type.
float alike_titles(float room);

/// A title, and a sentence in the middle of where a picture would be.
Figure sentence_instead(const std::string& title, const std::string& words, const Frame& frame);

/// Shifts of words in one line, whose places are `pitch` apart, that leave `between` from each to
/// the next, and let none reach further than `before` its place at the left end and `behind` it at
/// the right; nothing where a word would have to leave its place.
std::optional<std::vector<float>> moved_apart(const std::vector<float>& widths, float pitch,
                                              float between, float before, float behind);

Color faded(Color color, float opacity);

/// The place of cells or of an image under a frame of one point: some readers of a file draw an
/// image over every pixel that it touches, and its edge would stand out on the other side of the
/// frame.
Box under_frame(const Box& frame);

} // namespace heed::figure
