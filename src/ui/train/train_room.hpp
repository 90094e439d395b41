// The Train room: what is learned and by whom on the left, the pictures in the middle with the film
// below, how it is learned and how well on the right.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// The pictures in the middle. Before the other parts of the room.
void train_stage(Panel& panel, const Box& box);
void train_film(Panel& panel, const Box& box);
void train_bar(Panel& panel, const Box& box);
void train_left(Panel& panel, const Box& box);
void train_right(Panel& panel, const Box& box);

/// Opens the experiment of the form where none is open, or nothing of it would be lost.
void keep_experiment_fresh(Panel& panel);
void class_keys(Panel& panel);        // Space, a full stop, arrows
void toggle_experiment(Panel& panel); // plays or pauses
void step_experiment(Panel& panel);
void start_experiment_over(Panel& panel);
/// Replays the film: frames back or forth.
void move_film(Panel& panel, int by);
/// Saves the replayed or the present state of the chosen model; then it is opened in Explore.
void explore_learner(Panel& panel);
/// Where models that were kept go: "…/heed/models/zh-en-additive-attention-3000.safetensors".
std::string kept_model_path(const Panel& panel);

} // namespace heed::ui
