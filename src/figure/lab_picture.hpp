// A page of the lab as ordinary figures: its pictures, alone or as cards, and what was measured.
#pragma once

#include "figure/base/sheet.hpp"
#include "lab/page.hpp"

#include <string>
#include <vector>

namespace heed::figure {

/// One picture with its title. Targets: cells (of heat maps, and 1 × xs of curves), bar (place:
/// the group, series).
Figure lab_picture(const lab::Picture& picture, const Frame& frame);
/// Draws it without a title, into a place that is there.
void draw_lab_picture(Sheet& sheet, const lab::Picture& picture, const Box& box);

/// Draws it as a card, with its title and subtitle. `beside`: what is kept free behind the title.
void draw_lab_card(Sheet& sheet, const lab::Picture& picture, const Box& box, float beside = 0);

struct LabPage {
    std::string title{}, subtitle{};
    std::vector<lab::Picture> pictures{};
    std::vector<lab::Number> measured{}; // beside what it comes to; empty: nothing is said of it
    lab::Judgement judgement{};
    std::string source{};
};
/// Pictures as cards, two in a row, and below them numbers and verdict.
Figure lab_page(const LabPage& page, const Frame& frame);

/// "0.0313 ± 0.002", "63.7", with the number's unit.
std::string measured_text(const lab::Number& number);

} // namespace heed::figure
