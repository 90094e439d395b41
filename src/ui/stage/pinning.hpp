// Tokens pinned in a picture of links: theirs alone are drawn, those of several summed. And what
// pointing at a token, or at a square beside it, says.
#pragma once

#include "ui/frame/panel.hpp"

#include <memory>
#include <string>

namespace heed::ui {

/// Clicks and Shift+clicks on the tokens of a picture of links: a query, or `of_key` a key.
void pin_token(Panel& panel, int unit, bool of_key);
/// Clears the filter of the strips or, where there is none, the chosen cell.
void let_go_of_tokens(Panel& panel);
/// Words for a token of a picture of links.
std::string token_words(const Panel& panel, int unit, bool of_key);
/// Words for a square beside the columns of links.
std::string square_words(const Panel& panel, const figure::tag::Square& square);
/// The weights that links are drawn of, of the focused head or of several as one map, where the
/// snapshot has them made.
std::shared_ptr<const num::Matrix<float>> shown_weights(const Panel& panel);

} // namespace heed::ui
