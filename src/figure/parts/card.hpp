// Cards: several small pictures in one figure, each with a title of its own.
#pragma once

#include "figure/base/sheet.hpp"

#include <string>
#include <vector>

namespace heed::figure {

inline constexpr TextStyle kCardSubtitle{11.5f};
/// The width of a line in a card, at the most.
float card_room(const Box& box);

/// The line of a card's title.
Box title_line(const Box& box);

/// True where a card of this place has room for the whole of a title without scripts.
bool title_fits(const Sheet& sheet, const Box& box, const std::string& title);

/// Draws the card's ground, border, title and, where there is room, subtitle, both with scripts as
/// formulas have them (figure/parts/formula.hpp). `beside`: what is kept free behind the title.
/// Returns the place for its picture; where that is too small for any picture, a box of no width.
Box draw_card(Sheet& sheet, const Box& box, const std::string& title, const std::string& subtitle,
              float beside = 0);

inline constexpr float kCardFoot = 8; // points below that place that an axis may reach into

/// A place that is divided into rows, and each row into columns of equal width.
struct CardRow {
    int columns = 1;
    float height = 1; // its share of the whole
};
/// The cards from left to right, row by row. Where rows would be too low for pictures, the last
/// ones are left out.
std::vector<Box> card_places(const Box& whole, const std::vector<CardRow>& rows);

inline constexpr float kNarrowStage = 76;  // a card's least width, but for very many
inline constexpr float kCardGapInRow = 21; // at the most

/// Cards in rows; every card `card` wide, `gap` between them both ways.
struct Rows {
    float count = 1, columns = 1, card = 1, gap = 0;
    float high = 0; // a card; 0: by its width
};

/// Rows, so many, whose cards fill the width.
Rows rows_across(float n, float count, float width);
/// The number of rows that lets the cards be largest in a room.
Rows largest_cards(float n, float width, float height);
/// The fewest rows whose cards have room for their words, where height is free.
Rows roomy_cards(float n, float width);

/// A chevron in the middle of the place between two cards.
void draw_chevron(Sheet& sheet, const Box& gap);
/// True of words that have room upright between two cards.
bool stands_between(const Sheet& sheet, const std::string& words, float wide, float high);
/// The words upright, or dots where they have no room.
void draw_between(Sheet& sheet, const std::string& words, const Box& gap);

/// The rows, the first one as high as wanted, which takes from the others and then, down to two,
/// the place of the last ones.
std::vector<CardRow> with_first_row(const Box& whole, std::vector<CardRow> rows, float wanted);

inline constexpr float kLeftOutLine = 18; // height of the words of say_left_out
/// Names the cards that had no place, along the foot of the whole.
void say_left_out(Sheet& sheet, const Box& whole, const std::vector<std::string>& titles);

/// Words in the middle of the place for a picture that cannot be drawn; none in a narrow one.
void say_instead(Sheet& sheet, const Box& place, const std::string& words);

} // namespace heed::figure
