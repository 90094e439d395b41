#include "ui/widgets/form.hpp"

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

constexpr float kLabel = 26, kChoice = 28, kBetween = 6, kSlider = 20;

} // namespace

Box Line::left(float width) {
    const Box piece{rest.x, rest.y, width, rest.h};
    rest.x += width + gap;
    rest.w -= width + gap;
    return piece;
}

Box Line::right(float width) {
    const Box piece{rest.x + rest.w - width, rest.y, width, rest.h};
    rest.w -= width + gap;
    return piece;
}

Box Form::row(float height, float below) {
    const Box box{x, y, w, height};
    rows_end_ = y + height;
    y = rows_end_ + below;
    return box;
}

void Form::rule(float above) {
    constexpr float kLeast = 12; // below a row
    if (y == top_) return;
    y = std::max(y + above, rows_end_ + kLeast);
    if (draws_) ui.canvas.rule(x, y, w);
    y += 14;
}

Box Form::heading(std::string_view words, const std::string& tip) {
    const Box box = row(16, kBetween);
    if (!draws_) return box;
    const float drawn = ui.canvas.heading(box, ui.theme().muted, words);
    if (!tip.empty()) {
        ui.area({box.x, box.y, drawn, box.h}, ids_ + "heading/" + std::string(words),
                std::string(words));
        ui.tip(tip);
    }
    return box;
}

std::size_t Form::name_of(const Box& box, const std::string& id, std::string_view words,
                          Color ink) {
    const std::size_t first = ui.next_widget();
    if (!draws_) return first;
    const float drawn = ui.canvas.text(box, Face::body, ink, words);
    if (drawn > 0) {
        ui.area({box.x, box.y, drawn, box.h - 4}, ids_ + id + "/label", std::string(words));
    }
    return first;
}

bool Form::aside(Line& line, const std::string& id, const std::string& label, bool enabled) {
    constexpr float kPad = 8, kHeight = 22;
    Box box = line.right(std::ceil(ui.canvas.width_of(Face::control, label)) + 2 * kPad);
    box.x += kPad - 2; // its words end near those of other rows, not its frame
    box.y += (box.h - kHeight) / 2;
    box.h = kHeight;
    return button(box, id, label, Ui::ButtonLook::quiet, enabled);
}

bool Form::aside(const Box& row, const std::string& id, const std::string& label, bool enabled) {
    Line line{row};
    return aside(line, id, label, enabled);
}

void Form::text(const Box& box, Face face, Color ink, std::string_view words, AlignX align) {
    if (draws_) ui.canvas.text(box, face, ink, words, align);
}

void Form::label(std::string_view words, const std::string& value, const std::string& tip) {
    const bool wraps = value.empty() && ui.canvas.width_of(Face::body, words) > w;
    const float high =
        wraps ? ui.canvas.paragraph({x, y}, w, Face::body, ui.theme().muted, words, draws_) : 0;
    const Box box = row(std::max(high, kLabel));
    if (!tip.empty() && draws_) {
        ui.area(box, ids_ + "label/" + std::string(words), std::string(words));
        ui.tip(tip);
    }
    if (wraps) return;
    const float room = value.empty() ? box.w : box.w * 0.7f;
    text({box.x, box.y, room, box.h}, Face::body, ui.theme().muted, words);
    if (!value.empty()) text(box, Face::mono, ui.theme().text, value, AlignX::right);
}

void Form::note(std::string_view words, Color ink) {
    constexpr float kBelow = 2;
    if (ui.canvas.width_of(Face::small, words) <= w) return text(row(18), Face::small, ink, words);
    y += ui.canvas.paragraph({x, y}, w, Face::small, ink, words, draws_) + kBelow;
}

void Form::paragraph(std::string_view words, Color ink) {
    if (words.empty()) return;
    y += ui.canvas.paragraph({x, y}, w, Face::control, ink, words, draws_);
}

void Form::title(std::string_view words, std::string_view about) {
    const Box box = row(26, 16);
    text(box, Face::title, ui.theme().text, words);
    text(box, Face::control, ui.theme().muted, about, AlignX::right);
}

std::optional<int> Form::choice(const std::string& id, std::span<const std::string> labels,
                                std::uint32_t on, std::uint32_t enabled) {
    const Box box = row(kChoice, kBetween);
    return draws_ ? ui.segments(box, ids_ + id, labels, on, enabled) : std::nullopt;
}

std::optional<int> Form::choice(std::string_view label, const std::string& id,
                                std::span<const std::string> labels, std::uint32_t on, float share,
                                std::uint32_t enabled) {
    Line line{row(kChoice, kBetween), 0};
    const Box box = line.right(w * share);
    const std::size_t first = name_of(line.rest, id, label, ui.theme().muted);
    if (!draws_) return std::nullopt;
    const auto chosen = ui.segments(box, ids_ + id, labels, on, enabled);
    ui.tip_from(first);
    return chosen;
}

int Form::stepper(std::string_view label, const std::string& id, const std::string& shown,
                  bool can_lower, bool can_raise, float number) {
    constexpr float kButton = 26, kHeight = 24;
    Line line{row(30), 0};
    const auto end = [&] {
        const Box box = line.right(kButton);
        return Box{box.x, box.y + (box.h - kHeight) / 2, box.w, kHeight};
    };
    const Box more = end(), middle = line.right(number), less = end();
    line.right(8);
    const std::size_t first = name_of(line.rest, id, label, ui.theme().muted);
    const bool lowers = button(less, id + "/less", "\u2212", Ui::ButtonLook::plain, can_lower);
    text(middle, Face::mono, ui.theme().text, shown, AlignX::centre);
    const bool raises = button(more, id + "/more", "+", Ui::ButtonLook::plain, can_raise);
    ui.tip_from(first);
    return (raises ? 1 : 0) - (lowers ? 1 : 0);
}

Ui::SliderResult Form::slider(std::string_view label, const std::string& id,
                              const std::string& value, float& place, float step) {
    const Box box = row(kLabel);
    const std::size_t first =
        name_of({box.x, box.y, box.w * 0.7f, box.h}, id, label, ui.theme().muted);
    if (!value.empty()) text(box, Face::mono, ui.theme().text, value, AlignX::right);
    y -= 4; // the knob is smaller than its row
    const Ui::SliderResult slid = slider(id, std::string(label), place, step);
    ui.tip_from(first);
    return slid;
}

Ui::SliderResult Form::slider(const std::string& id, const std::string& name, float& place,
                              float step, bool enabled) {
    const Box box = row(kSlider, 4);
    return draws_ ? ui.slider(box, ids_ + id, name, place, step, enabled) : Ui::SliderResult();
}

bool Form::toggle(std::string_view label, const std::string& id, const std::string& name, bool on,
                  bool enabled) {
    const Box box = row(kLabel);
    text({box.x, box.y, box.w - 40, box.h}, Face::body,
         enabled ? ui.theme().muted : ui.theme().faint, label);
    return draws_ && ui.toggle(box, ids_ + id, name, on, enabled);
}

Box Form::drop_down(std::string_view label, const std::string& id, const std::string& chosen,
                    const std::string& tip, CardId card) {
    Line line{row(kLabel), 0};
    const Box button = line.right(ui.canvas.width_of(Face::mono, chosen) + 30);
    text(line.rest, Face::body, ui.theme().muted, label);
    if (!draws_) return button;
    const Press press =
        ui.area(button, ids_ + id, std::string(label), Widget::Kind::button, false, true);
    ui.tip(tip);
    if (press.hovered) ui.canvas.fill(button, ui.theme().raised, 5);
    text({button.x, button.y, button.w - 16, button.h}, Face::mono, ui.theme().text, chosen,
         AlignX::right);
    const ImVec2 tick = ui.canvas.pixels({button.x + button.w - 6, button.y + button.h / 2});
    const float s = ui.canvas.scale();
    ui.canvas.list().AddTriangleFilled({tick.x - 4 * s, tick.y - 2 * s},
                                       {tick.x + 4 * s, tick.y - 2 * s}, {tick.x, tick.y + 3 * s},
                                       packed(ui.theme().muted));
    if (press.clicked) ui.open_popup(card);
    return button;
}

bool Form::entry(const std::string& id, const Entry& what) {
    const Box line = row(what.height);
    if (!draws_) return false;
    const Box box{line.x - what.outdent, line.y, line.w + 2 * what.outdent, line.h};
    const figure::Theme& t = ui.theme();
    const Press press = ui.area(box, ids_ + id, what.name.empty() ? what.label : what.name,
                                Widget::Kind::choice, what.on, true);
    if (press.hovered || what.on) ui.canvas.fill(box, t.raised, 5);
    if (what.marked && what.on) ui.canvas.fill({box.x, box.y + 4, 2, box.h - 8}, t.accent);
    const Box inside = inset(box, 10, 0);
    const Color ink = what.ink ? *what.ink : what.on ? t.accent : t.text;
    if (what.detail.empty()) {
        ui.canvas.text(inside, Face::body, ink, what.label);
        return press.clicked;
    }
    constexpr float kBesideDetail = 8, kLeastLabel = 0.6f; // points; of the width
    const float detail = std::ceil(ui.canvas.width_of(what.detail_face, what.detail));
    const float room = std::max(kLeastLabel * inside.w, inside.w - detail - kBesideDetail);
    const float drawn =
        ui.canvas.text({inside.x, inside.y, room, inside.h}, Face::body, ink, what.label);
    const float from = drawn + kBesideDetail;
    ui.canvas.text({inside.x + from, inside.y, inside.w - from, inside.h}, what.detail_face,
                   t.muted, what.detail, AlignX::right);
    return press.clicked;
}

Ui::FieldResult Form::field(const std::string& id, const std::string& name, std::string& text,
                            const Ui::FieldOptions& options) {
    return field(row(34, kBetween), id, name, text, options);
}

Ui::FieldResult Form::field(const Box& box, const std::string& id, const std::string& name,
                            std::string& text, const Ui::FieldOptions& options) {
    return draws_ ? ui.field(box, ids_ + id, name, text, options) : Ui::FieldResult();
}

bool Form::button(const Box& box, const std::string& id, const std::string& label,
                  Ui::ButtonLook look, bool enabled) {
    return draws_ && ui.button(box, ids_ + id, label, look, enabled);
}

void Form::tip(const std::string& words) {
    if (draws_) ui.tip(words);
}

void Form::tips(std::span<const std::string> each) {
    if (draws_) ui.tips(each);
}

float height_of(Ui& ui, float width, const Rows& rows) {
    Form form(ui, 0, 0, width, {}, false);
    rows(form);
    return form.y;
}

EndPlaces end_places(const Form& f) {
    constexpr float kHigh = 34, kWide = 100;
    Line line{{f.x, f.y, f.w, kHigh}};
    const Box does = line.right(kWide), cancel = line.right(kWide);
    return {line.rest, cancel, does};
}

bool end_buttons(Form& f, const std::string& id, const std::string& cancel, const std::string& does,
                 bool possible, const std::string& tip) {
    const EndPlaces places = end_places(f);
    f.space(places.does.h);
    if (f.button(places.cancel, "close", cancel)) f.ui.close_popup();
    f.tip("Leaves everything as it is (Esc)");
    const bool pressed = f.button(places.does, id, does, Ui::ButtonLook::accent, possible);
    f.tip(tip);
    return pressed;
}

namespace {

/// Rows of a card in its box, `above` its top; where they are higher than that, they scroll.
void card_rows(Ui& ui, const Box& box, float height, const Box& first, const std::string& ids,
               const Rows& rows) {
    const bool tall = height > box.h + 0.5f;
    if (tall) ui.begin_scroll(box, ids + "card", ui.card_scroll());
    Form form(ui, first.x, first.y - (tall ? ui.card_scroll().offset : 0), first.w, ids);
    rows(form);
    if (tall) ui.end_scroll(box.y + height);
}

} // namespace

bool modal_card(Ui& ui, CardId id, const ModalCard& card, const Rows& rows) {
    constexpr float kPad = 22, kAbove = 18, kBelow = 20, kLeast = 30, kNearest = 8;
    if (!ui.popup_open(id)) return false;
    const float w = std::min(card.width, ui.width() - 40), inside = w - 2 * kPad;
    const float height = kAbove + height_of(ui, inside, rows) + kBelow;
    const float least = std::min(kLeast, std::max(kNearest, ui.height() - kNearest - height));
    const float h = std::min(height, ui.height() - least - kNearest);
    const Box box{(ui.width() - w) / 2, std::max(least, (ui.height() - h) * 0.35f), w, h};
    if (!ui.begin_popup(id, box, true)) return false;
    card_rows(ui, box, height, {box.x + kPad, box.y + kAbove, inside, 0}, card.ids, rows);
    ui.end_popup();
    return true;
}

bool card_at(Ui& ui, CardId id, const CardPlace& place, const Rows& rows) {
    constexpr float kMargin = 8;
    if (!ui.popup_open(id)) return false;
    const float width = std::min(place.width, ui.width() - 2 * kMargin);
    const float inside = width - 2 * place.pad;
    const float height = place.above + height_of(ui, inside, rows) + place.below;
    const float top = place.hangs ? place.corner.y : kMargin;
    const float h = std::min(height, ui.height() - top - kMargin);
    const auto within = [=](float at, float length, float all) {
        return std::max(kMargin, std::min(at, all - length - kMargin));
    };
    const Box box{within(place.corner.x, width, ui.width()), within(place.corner.y, h, ui.height()),
                  width, h};
    if (!ui.begin_popup(id, box)) return false;
    ui.take_arrows();
    card_rows(ui, box, height, {box.x + place.pad, box.y + place.above, inside, 0}, place.ids,
              rows);
    ui.end_popup();
    return true;
}

} // namespace heed::ui
