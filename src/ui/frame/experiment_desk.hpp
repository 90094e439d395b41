// The window's side of an experiment: the experiment, made when somebody first enters it, what it
// showed last, and models of it that are written to files.
#pragma once

#include "app/training/experiment.hpp"
#include "app/training/experiment_folder.hpp"
#include "app/training/experiment_form.hpp"
#include "app/training/saved_runs.hpp"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::ui {

class ExperimentDesk {
  public:
    /// Called on another thread when there is something new; it may only wake the window.
    std::function<void()> published = [] {};

    const app::ExperimentSnapshot& seen() const { return *seen_; }
    const std::shared_ptr<const app::ExperimentSnapshot>& shared() const { return seen_; }
    /// Takes the newest. True when it is another one.
    bool poll();
    bool has_news() const { return room_ && room_->latest() != seen_; }
    bool learning() const {
        return is_present() && seen_->state == app::ExperimentSnapshot::State::learning;
    }
    /// True once steps were taken.
    bool has_progress() const;

    /// The folder of experiments, or one beside it, where another window saves there; empty: none.
    /// Set before the first experiment.
    std::string folder;
    /// Runs that earlier starts left, and those left since for another experiment.
    const app::SavedRuns& runs() const { return runs_; }
    void look_for_saved() { runs_.look(folder); }
    void offer_another() { runs_.offer_another(); }
    void put_off() { runs_.put_off(); }
    void forget_offered() { runs_.forget_offered(); }
    /// Goes on with the offered one.
    void go_on();
    /// True until the experiment that goes on is there.
    bool resuming() const { return resuming_.has_value(); }
    /// True where the present one goes on from steps that were saved.
    bool resumed() const { return resumed_ == number_; }

    /// The experiment of this form in place of the present one, which can be come back to.
    void switch_to(const app::ExperimentForm& form);
    /// The run of this task that was left last goes on as it was, in place of the present one;
    /// false where there is none.
    bool come_back_to(const std::string& task);
    /// True where the present one can be come back to.
    bool can_come_back() const { return !folder.empty() && !seen_->save_error; }

    /// True where somebody would miss steps that no file has but the one that is saved by itself.
    bool has_unsaved_steps() const;
    /// Saves the experiment; save_ended() tells how that went, once.
    void save();
    bool saving() const { return saving_from_.has_value(); }
    std::optional<base::Result<void>> save_ended();
    void discard() { room().discard(); }
    /// Ends it, saved. Errors: those of Experiment::close, about the experiment.
    base::Result<void> close();

    /// The experiment of a form, from its first step, in the place of the present one.
    void open(const app::ExperimentForm& form);
    const std::optional<app::ExperimentForm>& opened() const { return opened_; }
    void play() { room().play(); }
    void pause() { room().pause(); }
    void step() { room().step(); }
    void show(std::size_t pair) { room().show(pair); }
    void align_by(app::AlignedBy by) { room().align_by(by); }
    app::Experiment& room();

    /// Writes a model of the experiment, with what was found out about it, on a thread of its own.
    void keep(std::shared_ptr<const models::Model> model, const std::string& path,
              const models::Findings& found);
    bool keeping() const { return keeping_.has_value(); }
    /// The path of what was written, or why it was not; once.
    std::optional<base::Result<std::string>> take_kept();

  private:
    /// Steps of each trainee, in their order.
    using Steps = std::vector<std::uint64_t>;
    /// A file on its way.
    struct Keeping {
        std::future<base::Result<std::string>> written;
        Steps saved_steps;
    };

    /// True where what is seen is of the experiment that was asked for last.
    bool is_present() const { return seen_->number == number_; }
    void begin_experiment();
    std::optional<std::string> own_folder();
    void leave(bool last = false); // SavedRuns::leave
    void resume(app::ExperimentFolder place);
    void take_resumed();
    Steps steps_now() const;
    void set_saved(const Steps& steps);

    std::optional<app::ExperimentFolder> place_; // once there is something to save or to go on with
    std::unique_ptr<app::Experiment> room_;
    std::shared_ptr<const app::ExperimentSnapshot> seen_ =
        std::make_shared<const app::ExperimentSnapshot>();
    std::optional<app::ExperimentForm> opened_;
    app::SavedRuns runs_;
    std::uint64_t number_ = 0;                 // of the experiment that was asked for last
    std::optional<std::uint64_t> resuming_;    // the number of the experiment that is to go on
    std::optional<std::uint64_t> resumed_;     // the number of the one that went on last
    std::optional<std::uint64_t> saving_from_; // the snapshot's `saves` before it was asked for
    Steps saved_;                              // that somebody has in a file; empty: none
    std::optional<Keeping> keeping_;
};

} // namespace heed::ui
