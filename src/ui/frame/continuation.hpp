// A language model goes on with its text, token after token; a model that was trained to fills
// masked tokens.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// True where the model that is shown can go on with what is typed: it reads tokens, and says what
/// comes next.
bool can_go_on(const Panel& panel);
/// True where the text takes every place that the model has: no token can follow it.
bool takes_all_places(const Panel& panel);
/// Words for that, and what helps.
std::string all_places_words(const Panel& panel);
/// True where the room shows what is written behind the text.
bool shows_text(const Panel& panel);
/// Writes a token of the vocabulary behind the text. The end of the text is said, and not written.
void go_on_with(Panel& panel, num::Index row);
/// Goes on with the token that the sampling finds, and again when its picture is there, until it is
/// stopped.
void toggle_going_on(Panel& panel);
/// Goes on where the room shows it, and stops in another one. Once a frame.
void keep_going_on(Panel& panel);

/// Changes how the next token is drawn, as a part of a longer act. `what` names it in the history.
void set_sampling(Panel& panel, app::UndoTag::Of of, const std::string& what, bool seal,
                  const std::function<void(models::Sampling&)>& edit);

/// True where the model that is shown fills masked tokens.
bool can_fill(const Panel& panel);
/// True where this token of the source is masked, or can be; from 0.
bool is_masked(const Panel& panel, int token);
bool can_mask(const Panel& panel, int token);
/// Writes the mask in its place and looks at what fills it; of a masked token the latter alone.
void mask_token(Panel& panel, int token);
/// The token that the mask is chosen of: that of the chosen cell's row, else the first masked.
int mask_chosen(const Panel& panel);
/// Writes a token of the vocabulary in place of the chosen mask.
void fill_mask(Panel& panel, num::Index row);

} // namespace heed::ui
