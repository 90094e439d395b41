// Formula of a chosen cell, line by line, from the score to the weight.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>
#include <utility>

namespace heed::ui {

class Form;

/// A number with four digits that count.
std::string cell_figures(float value);
/// Names of a query and a key: of a recurrent decoder the state that is compared, which is that of
/// the step before where attention comes first.
std::pair<std::string, std::string> cell_vectors(const models::Traits& traits, int query, int key);
/// One line of a formula and what it means; its last number may be told in the accent.
void formula_line(Form& form, const char* id, const std::string& tip, const std::string& words,
                  const std::string& loud = {});
/// Lines of the cell of a query and a key, to its weight as softmax or dropout leaves it.
void cell_formula(const Panel& panel, Form& form, const trace::AttentionMap& map, int query,
                  int key);
/// Line of the weight where some of its row are set by hand.
void edited_line(Form& form, const trace::Cell& cell);

} // namespace heed::ui
