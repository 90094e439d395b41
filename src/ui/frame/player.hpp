// Steps of a decoder that speaks, one by one: the step is the row of the chosen cell.
#pragma once

#include "ui/frame/panel.hpp"

#include <optional>
#include <string>

namespace heed::ui {

bool is_stepwise(const Panel& panel); // whether the model that is shown goes step by step
/// True where the steps of a decoder are shown one by one: a recurrent model's, or those of the
/// Step view.
bool plays_steps(const Panel& panel);
bool shows_steps(const Panel& panel); // whether the room shows the step that is chosen
bool attends(const Panel& panel); // whether there is an attention map to be looked at
int n_steps(const Panel& panel);
/// The row of the chosen cell, as pictures of one step have it, be its key another text's.
std::optional<int> step_now(const Panel& panel);
/// Chooses the strongest cell of that row.
void go_to_step(Panel& panel, int step);
void toggle_playing(Panel& panel); // from the first step where the last one is shown
/// Goes on when the time of a step is over; stops where no steps are shown. Once a frame.
void play_on(Panel& panel);

/// Choices in the panel of a recurrent model.
void choose_context(Panel& panel, models::Context context);
void choose_decoding(Panel& panel, models::Decoding::Rule rule);
void choose_beam_width(Panel& panel, int width);
void follow(Panel& panel, int hypothesis);
/// True where a target of words can be typed in which this step says this one.
bool can_say(const Panel& panel, int step, const std::string& word);
void say(Panel& panel, int step, const std::string& word);

} // namespace heed::ui
