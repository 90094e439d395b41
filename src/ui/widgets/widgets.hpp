// The window's own thin set of widgets on Dear ImGui. Places are in points from the window's upper
// left corner. Every widget is noted with its label, id and place: tests find it by what a person
// would call it, the keyboard goes through them in order.
#pragma once

#include "ui/paint/canvas.hpp"
#include "ui/paint/private_use.hpp"
#include "ui/widgets/card_id.hpp"
#include "ui/widgets/icons.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed::ui {

struct Widget {
    enum class Kind { button, toggle, choice, slider, field, area };
    std::string id;    // unique in a frame: "inspector/mask/causal"
    std::string label; // what is written on or beside it
    Kind kind = Kind::button;
    Box box;       // points
    int layer = 0; // 0 the window, 1 a popup, …
    bool enabled = true;
    bool on = false;   // toggles and choices
    float value = 0;   // sliders
    std::string text;  // fields
    std::string tip{}; // what is said of it when it is pointed at
    bool accent = false; // a button that can be pressed, and is what to do next
};

/// A sentence and, below it, its formula and its paper: as much of them as there is.
std::string tip_words(std::string_view sentence, std::string_view formula = {},
                      std::string_view citation = {});

/// The part of a view in which every row is whole; all of it where no row is.
Box whole_rows(const Box& view, std::span<const Box> rows);

struct Press {
    bool hovered = false;
    bool held = false;
    bool clicked = false; // released inside, or Enter or Space when it has the keyboard
    bool double_clicked = false;
};

/// The scrolling of a panel, and how much there is to scroll.
struct Scroll {
    static constexpr float kThumb = 12; // points at the right, with what is free beside it
    float offset = 0, content = 0;
    /// Rows of the view that the last frame covered none of: from where, and how far.
    std::optional<std::pair<float, float>> whole{};
};

class Ui {
  public:
    Ui(Renderer& renderer, Fonts& fonts) : canvas(renderer, fonts) {}

    void begin_frame(const figure::Theme& theme, float scale, float width, float height);
    /// Moves the keyboard's place on Tab, draws the tooltip that is due.
    void end_frame();

    Canvas canvas;
    const figure::Theme& theme() const { return canvas.theme(); }
    float width() const { return width_; }
    float height() const { return height_; }

    // Widgets. `label` is what a person reads; `id` tells equal labels apart.
    enum class ButtonLook { plain, accent, quiet };
    bool button(const Box& box, const std::string& id, const std::string& label,
                ButtonLook look = ButtonLook::plain, bool enabled = true, Icon icon = Icon::none);
    /// The sign alone; the label is for those who do not see it.
    bool icon_button(const Box& box, const std::string& id, const std::string& label, Icon icon,
                     bool enabled = true);
    /// A switch of 34 × 19 at the box's right end, its label drawn by the caller. True on a click.
    bool toggle(const Box& box, const std::string& id, const std::string& label, bool on,
                bool enabled = true);
    /// A row of exclusive choices, "id/0", "id/1", … counted from `first` on; the index that was
    /// clicked, or none. `on` marks those that hold: one of them for a choice, any for a set of
    /// flags. `inks`: of each that holds, where not all have the accent.
    std::optional<int> segments(const Box& box, const std::string& id,
                                std::span<const std::string> labels, std::uint32_t on,
                                std::uint32_t enabled = ~0u, int first = 0,
                                std::span<const Color> inks = {});
    /// One choice in several rows of a common frame, of equal heights; counted on from row to row.
    std::optional<int> segment_rows(const Box& box, const std::string& id,
                                    std::span<const std::vector<std::string>> rows,
                                    std::uint32_t on);
    struct SliderResult {
        bool changed = false;
        bool held = false;     // by the pointer
        bool released = false; // the drag or key ended
        bool reset = false;    // double click: back to what it was made with
    };
    /// `place` runs from 0 to 1; arrow keys move it by `step`.
    SliderResult slider(const Box& box, const std::string& id, const std::string& label,
                        float& place, float step = 0.02f, bool enabled = true);
    struct FieldOptions {
        std::string hint;
        bool mono = false;
        bool frame = true;
        bool sentence = false; // that a model reads: of the fields that typing is meant for
        /// Draws the text while the field is not edited: shaped by Pango, split into tokens.
        std::function<void(const Box& inside)> resting;
        bool rests_empty = false; // resting() has something to draw in place of the hint
        /// The byte of the text at x points from the left of what resting() draws: the caret goes
        /// there on a click.
        std::function<std::size_t(float x)> caret{};
        bool holds_caret = false; // the arrows are not its: it stays where it was
        bool takes_back = false;  // typing, itself: its text is not the document's
        /// Bytes of the text, from and up to, with dots below while it is edited.
        std::vector<std::pair<std::size_t, std::size_t>> dotted{};
    };
    struct FieldResult {
        bool changed = false;
        bool left = false; // the keyboard went elsewhere
        bool active = false;
        bool entered = false; // by the Enter key
    };
    /// True where the field takes what is typed.
    bool edits(const std::string& field) const;
    /// The text of the sentence that takes what is typed; none where no sentence does.
    std::optional<std::string> edited_sentence() const;
    /// The text of whatever field takes what is typed.
    std::optional<std::string> edited_text() const;
    /// True where the field that is edited takes back by itself what is typed in it.
    bool field_takes_back() const;
    /// One line of text, any UTF-8.
    FieldResult field(const Box& box, const std::string& id, const std::string& label,
                      std::string& text, const FieldOptions& options);
    FieldResult field(const Box& box, const std::string& id, const std::string& label,
                      std::string& text) {
        return field(box, id, label, text, FieldOptions());
    }
    /// A place that can be pointed at, with nothing drawn.
    Press area(const Box& box, const std::string& id, const std::string& label,
               Widget::Kind kind = Widget::Kind::area, bool on = false,
               bool takes_keyboard = false);
    /// A boundary that can be dragged; returns the drag in points since the last frame.
    float splitter(const Box& box, const std::string& id, bool upright, bool& reset);

    /// Shown when the last widget, or any part of it, is pointed at for a moment. Lines may be
    /// broken by "\n".
    void tip(const std::string& text);
    /// Tip of a sign that its own words explain: late, narrow, and at its right.
    void tip_late(const std::string& text);
    /// Tips of each part, in their order; of a part whose text is empty what tip() says.
    void tips(std::span<const std::string> each);
    /// Shown beside the mouse at once or, `of`, beside what it is about.
    void tip_now(const std::string& text, std::optional<Box> of = {});
    /// Shown at once beside a part of a panel, and no further than the panel: what is beside that
    /// is read.
    void tip_within(const std::string& text, const Box& of, const Box& panel);
    /// The place of the tooltip that this frame shows; none is empty.
    const Box& tip_shown() const { return tip_shown_; }
    /// Tips are about all widgets from here on.
    std::size_t next_widget() const { return widgets_.size(); }
    void tip_from(std::size_t widget) { tip_from_ = widget; }

    void begin_scroll(const Box& box, const std::string& id, Scroll& scroll);
    /// Scrolls the innermost view that is open so far that the box in it is seen.
    void reveal(const Box& box);
    /// Moves what is scrolled, from the next frame on.
    void scroll_by(float points);
    void end_scroll(float content_bottom);
    /// The end of a scroll whose rows are whole: `ground` covers those that an edge would cut.
    void end_scroll_at_rows(float content_bottom, Color ground);

    void open_popup(CardId id);
    bool popup_open(CardId id) const;
    /// Requires end_popup when it returns true. A modal one dims what lies below.
    bool begin_popup(CardId id, const Box& box, bool modal = false);
    /// Within a popup: up and down go through its widgets, from the one that holds, and back to
    /// where the keyboard was once it is closed.
    void take_arrows() { arrows_ = true; }
    void close_popup();
    void end_popup();
    /// Place of a card that is higher than the window, from when it was opened.
    Scroll& card_scroll() { return card_scroll_; }
    /// Within a popup: whether this is its first frame.
    bool popup_appears() const { return ImGui::IsWindowAppearing(); }

    /// Begins what lies above the window's other parts, until end_over, and has the pointer there.
    void begin_over(const std::string& id, const Box& box);
    void end_over();

    /// True where a field takes the keys.
    bool typing() const { return typing_; }
    void leave_field();
    void focus(const std::string& id) {
        want_field(id);
        keyboard_at_ = id;
    }
    /// Focuses a field; what is typed next replaces all that it holds.
    void focus_all(const std::string& id) {
        focus(id);
        fields_[id].select_all = true;
    }
    /// Focuses a field as focus_all() does, but unasked: Space, where it is typed first, is the
    /// window's, and the field keeps its text.
    void offer(const std::string& id) {
        focus_all(id);
        offered_ = id;
    }
    /// Focuses a field; what is typed next goes on from what it holds.
    void focus_end(const std::string& id) {
        focus(id);
        fields_[id].to_end = true;
    }
    /// Focuses a field of a path: what is typed next replaces the name in it, and its ending stays.
    void focus_name(const std::string& id) {
        focus(id);
        fields_[id].select_name = true;
    }
    /// Focuses a field, its caret before this byte once no button of the mouse is down.
    void focus_at(const std::string& id, std::size_t byte) {
        focus(id);
        fields_[id].caret = byte;
    }
    /// True where a field is about to take the keys: what is typed now is meant for it.
    bool awaits_field() const { return wants_field_for_ > 0; }
    /// True where a field that was offered has the keys, and nothing was typed in it yet.
    bool offers(const std::string& field) const { return field == offered_ && edits(field); }
    bool offers_any() const { return edits(offered_); }
    /// True in the frame in which a field that was offered gives Space back.
    bool gives_space() const { return gives_space_; }
    /// Keys of the window itself, when no field and no popup has them.
    bool any_popup() const { return popup_depth_seen_ > 0; }
    const std::string& keyboard_at() const { return keyboard_at_; }
    bool keyboard_visible() const { return keyboard_visible_; }
    /// True where that is no mere pointing: keys change what is there.
    bool keyboard_acts() const { return keyboard_visible_ && !points_; }
    /// Frames what has this id, and scrolls it into sight, from the next frame on. Tab, not before,
    /// gives it the keyboard.
    void point_at(const std::string& id) {
        keyboard_at_ = id;
        keyboard_visible_ = keyboard_moves_ = points_ = true;
    }
    void hide_keyboard_ring() {
        keyboard_visible_ = points_ = false;
        keyboard_at_.clear();
    }

    /// The part in sight of the ring around what has the keyboard, as it was drawn in this frame;
    /// a field that is edited has its own outline.
    std::optional<Box> ring_shown() const {
        return ring_ ? std::optional(ring_->box) : std::nullopt;
    }
    /// True where Escape was pressed and nothing answered it in this frame; the caller does.
    bool take_escape();
    bool escape_taken() const { return escape_taken_; }

    /// A character typed that a field would lose (above U+FFFF).
    void type_astral(char32_t character) { typed_astral_.push_back(character); }
    PrivateUse& private_use() { return private_use_; }
    /// Points from the upper left corner.
    Point mouse() const;
    Point pressed_at() const; // where the left button was pressed last
    float mouse_wheel_over(const Box& box) const;

    const std::vector<Widget>& widgets() const { return widgets_; } // of this frame so far
    /// Seconds until something moves by itself; negative when nothing will.
    float wants_frame_in() const { return wants_frame_in_; }
    void wake_in(float seconds);
    float seconds_passed() const; // since the last frame

    int layer() const { return layer_; }

  private:
    Press press(const Box& box, const std::string& id, const std::string& label, Widget::Kind kind,
                bool enabled, bool takes_keyboard);
    std::pair<Press, Color> pressed_face(const Box& box, const std::string& id,
                                         const std::string& label, ButtonLook look, bool enabled);
    void ring(const Box& box, const std::string& id, float radius);
    void draw_ring();
    bool clip_to_whole();
    void note(Widget widget);
    bool is_framed(const std::string& id) const {
        return keyboard_visible_ && keyboard_at_ == id && !typing_;
    }
    bool has_keyboard(const std::string& id) const { return is_framed(id) && !points_; }
    void move_keyboard(int step);
    void move_by_arrows();
    std::optional<int> segment_parts(const Box& box, const std::string& id,
                                     std::span<const std::string> labels, std::uint32_t on,
                                     std::uint32_t enabled, int first,
                                     std::span<const Color> inks = {});
    void forget_undrawn_fields();
    void want_field(const std::string& id) {
        for (auto& [of, state] : fields_) { // what was asked for another, or of this one before
            state.select_all = state.to_end = state.select_name = false;
            state.caret.reset();
        }
        wants_field_ = id;
        wants_field_for_ = kFieldAppears;
    }
    void take_tip(const Widget& of);
    void draw_tip();
    Box tip_box(float width, float height) const;
    bool tip_is_over();
    float covered_by(const Box& box) const;
    static int on_field(ImGuiInputTextCallbackData* data);
    void take_back_offer();
    void draw_dots(const Box& box, const std::string& text, const FieldOptions& options);

    struct FieldState {
        std::string buffer; // with stand-ins
        std::string known;  // the text that the buffer stands for
        bool active = false;
        bool sentence = false;
        bool takes_back = false;
        bool drawn = false; // in this frame
        std::optional<std::string> reload;
        bool select_all = false; // at the next frame in which it is active
        bool to_end = false;     // the same: what is typed goes on from its text
        bool select_name = false;         // the same: of a path, without folders and ending
        std::optional<std::size_t> caret; // byte of the text where it goes after a click
        bool holds_caret = false;
        int caret_at = 0; // byte of the buffer, in the last frame
    };
    void give_keys(const std::string& id, FieldState& state);
    struct Ring {
        ImDrawList* list; // of its window
        Box clip, box;
        float radius;
    };
    struct OpenScroll {
        Box box;
        std::string id;
        Scroll* scroll;
        std::size_t words, widgets; // that were there before
    };

    float width_ = 0, height_ = 0;
    std::vector<Widget> widgets_;
    std::vector<std::string> keyboard_order_;
    std::vector<int> keyboard_layers_;
    std::string keyboard_at_;
    bool keyboard_visible_ = false, keyboard_moved_ = false;
    bool keyboard_moves_ = false;            // keyboard_moved_ of the next frame
    bool points_ = false;                    // its ring does, and takes no keys
    bool arrows_ = false;                    // of this frame: a popup takes them
    std::optional<std::string> before_menu_; // the keyboard's place before arrows moved it
    /// Frames within which a field that is asked for appears, or will not.
    static constexpr int kFieldAppears = 4;
    std::string wants_field_;
    std::string offered_;      // while all of its text is selected
    bool gives_space_ = false; // in this frame
    int wants_field_for_ = 0; // frames
    bool typing_ = false, typing_now_ = false;
    std::unordered_map<std::string, FieldState> fields_;
    FieldState* editing_ = nullptr;
    std::u32string typed_astral_;
    PrivateUse private_use_;
    std::vector<OpenScroll> scrolls_; // the innermost last
    Scroll card_scroll_;              // of the card that was opened last
    std::optional<Ring> ring_; // of this frame
    int layer_ = 0, popup_depth_ = 0, popup_depth_seen_ = 0;
    std::string hovered_, hovered_before_;
    double hovered_since_ = 0;
    std::string tip_, not_dragging_;
    std::size_t tip_from_ = 0;  // the first widget that a tip is about
    std::optional<Box> tip_of_; // what must not be covered
    std::optional<Box> tip_panel_; // that it keeps within, from side to side
    Box tip_shown_{};
    bool tip_at_once_ = false, tip_at_rest_ = false, tip_late_ = false;
    bool tip_of_picture_ = false; // it goes by itself, or by a key
    bool tip_gone_ = false;       // until the pointer moves again
    double still_since_ = 0;      // that it has not moved
    bool escape_taken_ = false;   // in this frame
    bool pressed_ = false; // and the pointer has not moved since
    float wants_frame_in_ = -1;
};

} // namespace heed::ui
