// A form: a column of rows, each laid out below the one before it, and the cards made of one. A
// form knows its own height, so that no card is given one.
#pragma once

#include "ui/widgets/widgets.hpp"

#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::ui {

/// A row that is shared: pieces are cut off its ends.
struct Line {
    Box rest;
    float gap = 8;

    Box left(float width);
    Box right(float width);
};

class Form {
  public:
    /// A form from the point (x, y) downwards, `width` wide. `ids` stands before the id of each
    /// widget: "train/". One that only measures draws nothing, and nobody clicks in it.
    Form(Ui& in, float left, float top, float width, std::string ids = {}, bool draws = true)
        : ui(in), x(left), y(top), w(width), top_(top), ids_(std::move(ids)), draws_(draws) {}

    Ui& ui;
    float x, y, w; // where the next row begins, and how wide it is: points

    bool draws() const { return draws_; }
    const std::string& ids() const { return ids_; }
    /// True in the first frame of the card that it lies in.
    bool opens() const { return draws_ && ui.popup_appears(); }

    /// The next row, and the space below it.
    Box row(float height, float below = 0);
    Line line(float height, float below = 0) { return {row(height, below)}; }
    void space(float points) { y += points; }
    /// Everything below `top` so far, with what reaches a little beyond both sides.
    Box since(float top) const { return {x - 4, top, w + 8, y - top}; }
    /// A line from side to side, below what stands above it.
    void rule(float above = 12);
    /// A heading; returns its place, for what stands beside it. `tip`: what is said of it.
    Box heading(std::string_view words, const std::string& tip = {});
    Box section(std::string_view words, float above = 12, const std::string& tip = {}) {
        rule(above);
        return heading(words, tip);
    }
    /// A quiet button at the right end of a row. True on a click; of several, the last first.
    bool aside(Line& line, const std::string& id, const std::string& label, bool enabled = true);
    bool aside(const Box& row, const std::string& id, const std::string& label,
               bool enabled = true);
    /// A label at the left and a value at the right, and what is said of them.
    void label(std::string_view words, const std::string& value = {}, const std::string& tip = {});
    /// One line of small words.
    void note(std::string_view words) { note(words, ui.theme().muted); }
    void note(std::string_view words, Color ink);
    /// A paragraph, of as many lines as the words need.
    void paragraph(std::string_view words) { paragraph(words, ui.theme().muted); }
    void paragraph(std::string_view words, Color ink);
    /// Title of a card, and at the right what it is about.
    void title(std::string_view words, std::string_view about = {});

    /// Exclusive choices side by side; the one that was clicked. `on` and `enabled`: a bit each.
    std::optional<int> choice(const std::string& id, std::span<const std::string> labels,
                              std::uint32_t on, std::uint32_t enabled = ~0u);
    /// A choice beside a label, over this share of the width.
    std::optional<int> choice(std::string_view label, const std::string& id,
                              std::span<const std::string> labels, std::uint32_t on,
                              float share = 0.64f, std::uint32_t enabled = ~0u);
    /// A choice between a few values, in the order of their labels. True where another one holds
    /// now.
    template <class E, std::size_t N>
    bool values(const std::string& id, const std::string (&labels)[N], const E (&all)[N], E& now,
                std::uint32_t enabled = ~0u) {
        std::uint32_t on = 0;
        for (std::size_t i = 0; i < N; ++i) {
            if (all[i] == now) on = 1u << i;
        }
        const auto i = choice(id, labels, on, enabled);
        const bool changes = i && all[*i] != now;
        if (i) now = all[*i];
        return changes;
    }
    /// A number between two buttons, "id/less" and "id/more": −1, 0 or 1, which way it is asked to
    /// go. `number`: points between the buttons.
    int stepper(std::string_view label, const std::string& id, const std::string& shown,
                bool can_lower, bool can_raise, float number = 44);
    /// A label, a value, and the slider below them. `place` runs from 0 to 1.
    Ui::SliderResult slider(std::string_view label, const std::string& id, const std::string& value,
                            float& place, float step = 0.02f);
    Ui::SliderResult slider(const std::string& id, const std::string& name, float& place,
                            float step = 0.02f, bool enabled = true);
    /// A label and a switch; `name` is what the switch is called. True on a click.
    bool toggle(std::string_view label, const std::string& id, const std::string& name, bool on,
                bool enabled = true);
    /// A label, and at the right what is chosen, which opens a card below it. The place of that.
    Box drop_down(std::string_view label, const std::string& id, const std::string& chosen,
                  const std::string& tip, CardId card);
    struct Entry {
        std::string label, detail{};
        std::string name{}; // what it is called; none: its label
        bool on = false;
        bool marked = false;  // by a bar at its left while it holds
        float outdent = 0;    // points beyond both sides of the form
        float height = 30;    // points
        Color* ink = nullptr; // of the label; none: by whether it holds
        Face detail_face = Face::control;
    };
    /// One of a list to choose from. True on a click.
    bool entry(const std::string& id, const Entry& what);
    Ui::FieldResult field(const std::string& id, const std::string& name, std::string& text,
                          const Ui::FieldOptions& options = {});
    Ui::FieldResult field(const Box& box, const std::string& id, const std::string& name,
                          std::string& text, const Ui::FieldOptions& options = {});
    bool button(const Box& box, const std::string& id, const std::string& label,
                Ui::ButtonLook look = Ui::ButtonLook::plain, bool enabled = true);
    void text(const Box& box, Face face, Color ink, std::string_view words,
              AlignX align = AlignX::left);
    /// Tip of the row above, its label too.
    void tip(const std::string& words);
    /// Tips of each of its choices; of one whose words are empty what tip() says.
    void tips(std::span<const std::string> each);

  private:
    /// The label of a control, which is pointed at like the control. Its number among the widgets.
    std::size_t name_of(const Box& box, const std::string& id, std::string_view words, Color ink);

    float top_, rows_end_ = 0; // the end of the last row, without the space below it
    std::string ids_;
    bool draws_;
};

using Rows = std::function<void(Form&)>;

/// Height of these rows in points.
float height_of(Ui& ui, float width, const Rows& rows);

/// The row of end_buttons(), which begins where the form is: what is free at their left, and they.
struct EndPlaces {
    Box rest, cancel, does;
};
EndPlaces end_places(const Form& form);
/// Below the rows of a card: a button that closes it, and what the card is for, of which `tip` is
/// said. True when that is pressed.
bool end_buttons(Form& form, const std::string& id, const std::string& cancel,
                 const std::string& does, bool possible, const std::string& tip);

/// A card in the middle of the window, which it dims; as high as its rows are. False where it is
/// not open. The rows are gone through twice: the first time they are only measured.
struct ModalCard {
    float width;       // or what the window has for it
    std::string ids{}; // of its widgets
};
bool modal_card(Ui& ui, CardId id, const ModalCard& card, const Rows& rows);

/// A card at a place, moved so that it lies in the window.
struct CardPlace {
    Point corner; // the upper left
    float width;
    std::string ids{}; // of its widgets
    float pad = 16, above = 14, below = 14;
    bool hangs = false; // its top stays: rows scroll that have no room below it
};
bool card_at(Ui& ui, CardId id, const CardPlace& place, const Rows& rows);

} // namespace heed::ui
