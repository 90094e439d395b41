// The Train room: what is learned and by whom on the left, the pictures in the middle with the film
// below, how it is learned and how well on the right.
#pragma once

#include "app/training/experiment_form.hpp"
#include "ui/frame/panel.hpp"

#include <set>
#include <string>

namespace heed::ui {

/// The pictures in the middle. Before the other parts of the room.
void train_stage(Panel& panel, const Box& box);
void train_bar(Panel& panel, const Box& box);
/// Goes on to the film's next moment where it plays; before anything is drawn of it.
void play_film_on(Panel& panel);
/// The film with its player: frames, play, scrubber, and the way back to the present.
void film_panel(Panel& panel, const Box& box);
/// Above the pictures, where there is something to ask: whether the present run is left for
/// another, or starts over with settings that were changed, or a run of last time is resumed.
/// Returns what of the box it leaves to them.
Box quiet_bars(Panel& panel, const Box& box);
/// True where there is.
bool has_quiet_bar(const Panel& panel);
void train_left(Panel& panel, const Box& box);
void train_right(Panel& panel, const Box& box);

/// Opens the experiment of the form where none is open or nothing was learned yet. Another task
/// takes the place of one that rests, too, which can be come back to; of one that learns it is
/// asked first, and so it is before other models of the same task start over.
void keep_experiment_fresh(Panel& panel);
/// Goes back, in turn, to a run of these sentences that was left, where they are open and the
/// present run may be left. False where there is none. `word`: app::task_word().
bool chooses_left_run(Panel& panel, const std::string& word);
/// A user's files of the list of tasks, by app::task_word(): those that were loaded, and those of
/// saved runs.
std::set<std::string> own_files(const Panel& panel);
void remember_own_file(Panel& panel); // the one that is open
/// Name of a task, of a file with its folder where two of the list have one name.
std::string sentences_title(const Panel& panel, const std::string& word);
/// True where what went wrong is about a file of sentences that is open, or is chosen again.
bool tells_of_sentences(const Panel& panel);
/// Files that such names tell apart: those of the list, and one that is asked about.
std::set<std::string> titled_files(const Panel& panel);
/// The steps of the farthest model.
std::uint64_t steps_done(const Panel& panel);
/// The form's experiment in place of the present one. False where a run of it that was left goes on
/// as it was.
bool take_up(Panel& panel, const app::ExperimentForm& form);
/// Takes it up and, where it begins, trains it.
void begin_run(Panel& panel, const app::ExperimentForm& form);
/// True while it is asked whether the present run is left for another: nothing but the answer
/// changes either.
bool is_asked(const Panel& panel);
void class_keys(Panel& panel);        // Space, a full stop, arrows
void toggle_experiment(Panel& panel); // plays or pauses
void step_experiment(Panel& panel);
/// The run begins again from step 0, and learns. The present one can be come back to; where it
/// cannot, it is asked first.
void start_experiment_over(Panel& panel);
/// Likewise, but it waits for Play.
void prepare_fresh_run(Panel& panel);
/// The form that is asked about, with settings that were chosen since. Requires one.
app::ExperimentForm asked_form(const Panel& panel);
/// Replays the film: frames back or forth.
void move_film(Panel& panel, int by);
/// Plays the film, or stops it; from the first frame where the last one is shown.
void toggle_film(Panel& panel);
/// Saves the replayed or the present state of the chosen model; then it is opened in Explore.
void explore_learner(Panel& panel);
/// Path of a model that is kept: "…/heed/models/zh-en-additive-attention-3000.safetensors".
std::string kept_model_path(const Panel& panel);

} // namespace heed::ui
