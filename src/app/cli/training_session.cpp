#include "app/cli/training_session.hpp"

#include "app/cli/console.hpp"
#include "app/training/trainee.hpp"
#include "app/training/training_export.hpp"
#include "base/file.hpp"
#include "base/interrupts.hpp"
#include "files/painter.hpp"
#include "models/open.hpp"
#include "train/loop/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <unistd.h>
#include <utility>

namespace heed::app {

using base::Result;

namespace {

using Clock = std::chrono::steady_clock;

std::string words_of(const train::Measures& m) {
    if (m.label_accuracy) {
        return fmt::format("held-out loss {:.3f} · label accuracy {:.1f} %", m.loss,
                           100 * *m.label_accuracy);
    }
    std::string text =
        fmt::format("held-out loss {:.3f} · token accuracy {:.1f} % · sentence accuracy "
                    "{:.1f} %",
                    m.loss, 100 * m.token_accuracy, 100 * m.exact_match);
    if (m.alignment_error_rate) {
        text += fmt::format(" · alignment error {:.1f} %", 100 * *m.alignment_error_rate);
    }
    return text;
}

class ReportedTraining {
  public:
    ReportedTraining(std::unique_ptr<train::Training> training, TrainOutput output, const Io& io,
                     num::ThreadPool& pool)
        : training_(std::move(training)), output_(std::move(output)), io_(io), pool_(pool),
          terminal_(io.terminal) {}

    int run() {
        const base::Interrupts interrupts;
        begun_ = Clock::now();
        first_ = training_->steps_done();
        if (const auto ok = try_outputs(); !ok) return complain(io_, ok.error(), kFailed);
        if (const auto ok = read_log(); !ok) return complain(io_, ok.error(), kFailed);
        if (auto before = train::read_history(training_->notes())) history_ = *std::move(before);
        if (!stops_early()) take_best_of(history_);
        film();
        while (!training_->finished()) {
            const auto progress = training_->step(pool_);
            if (!progress) return stop(progress.error());
            history_.add(*progress);
            film();
            if (terminal_ && Clock::now() - drawn_ > std::chrono::milliseconds(100))
                draw(*progress);
            const std::uint64_t step = progress->step;
            const train::LossPoint point = train::point_of(*progress);
            // Where the best model is kept, the last one may be it.
            const bool last = training_->finished();
            const bool measures = last ? keeps_best() : step % output_.measure_every == 0;
            if (!base::interrupted() && measures) {
                if (const auto ok = measure(output_.watched, &point); !ok && !base::interrupted()) {
                    return stop(ok.error());
                }
            } else if (!training_->finished()) {
                log_ += train::csv_line(step, &point, nullptr);
            } else {
                last_ = point; // its line gets the last measures
            }
            if (base::interrupted()) return leave();
            if (step % output_.checkpoint_every == 0 && !training_->finished()) {
                if (const auto ok = save_checkpoint(); !ok) return stop(ok.error());
            }
        }
        return finish();
    }

  private:
    bool stops_early() const { return training_->plan().patience > 0; }
    bool keeps_best() const { return stops_early() || output_.keeps_best; }
    /// True of the best so far: by the loss where that ends the training, else by the accuracy, as
    /// the Train room has it.
    bool is_best(const train::Measures& measures) {
        const bool by_loss = training_->observe(measures.loss);
        return stops_early() ? by_loss : !best_measures_ || is_better(measures, *best_measures_);
    }
    /// The best so far, of a training that was resumed too; step 0: none was measured.
    std::pair<std::uint64_t, double> best_step_and_loss() const {
        const train::EarlyStop& stop = training_->early_stop();
        if (stops_early()) return {stop.best_step, stop.best};
        return {best_step_, best_measures_ ? best_measures_->loss : 0};
    }
    /// The best of what was measured before a training was resumed.
    void take_best_of(const train::History& history) {
        for (const train::HeldOutPoint& point : history.held_out) {
            if (point.of_all) continue;
            if (best_measures_ && !is_better(point.measures, *best_measures_)) continue;
            best_measures_ = point.measures;
            best_step_ = point.step;
        }
    }

    void draw(const train::Progress& progress) {
        drawn_ = Clock::now();
        const double seconds = std::chrono::duration<double>(drawn_ - begun_).count();
        const auto taken = static_cast<double>(progress.step - first_);
        const double rate = taken / std::max(seconds, 1e-9);
        const std::uint64_t all = training_->plan().steps;
        const double share = static_cast<double>(progress.step) / static_cast<double>(all);
        const auto tokens = static_cast<double>(std::max<std::size_t>(progress.batch.tokens, 1));
        clear_bar();
        *terminal_ << fmt::format("{} step {} / {} · {:.0f} steps/s · {:.0f} s left · loss {:.3f}",
                                  progress_bar(share), progress.step, all, rate,
                                  static_cast<double>(all - progress.step) / std::max(rate, 1e-9),
                                  progress.batch.loss / tokens)
                   << std::flush;
    }
    void clear_bar() {
        if (terminal_) *terminal_ << "\r\033[K";
    }
    void say(const std::string& words) {
        clear_bar();
        io_.err << words << '\n';
    }

    /// `learned`: the step's own loss, for the log.
    Result<void> measure(std::size_t sentences, const train::LossPoint* learned) {
        const std::uint64_t step = training_->steps_done();
        const auto model = training_->model(pool_);
        const base::StopWhenInterrupted stop;
        auto found = train::evaluate(pool_, model, *training_->dataset(), sentences, stop.token());
        log_ += train::csv_line(step, learned, found ? &found->measures : nullptr);
        if (!found) return tl::make_unexpected(found.error());
        history_.add({step, found->measures});
        say(fmt::format("step {}: {}", step, words_of(found->measures)));
        if (is_best(found->measures) && keeps_best()) { // what the training ends with
            if (auto ok = model->save(output_.model); !ok) return ok;
            best_ = model;
            best_measures_ = found->measures;
            best_step_ = step;
        }
        measured_ = std::make_shared<const train::Evaluation>(*std::move(found));
        write_log();
        return {};
    }
    /// All that is held out, by the model that the training ends with.
    Result<void> measure_end(const std::shared_ptr<const models::Model>& model) {
        const base::StopWhenInterrupted stop;
        auto found = train::evaluate(pool_, model, *training_->dataset(),
                                     training_->dataset()->pairs.size(), stop.token());
        if (!found) return tl::make_unexpected(found.error());
        const std::uint64_t step = best_ ? best_step_ : training_->steps_done();
        if (!best_) {
            log_ += train::csv_line(step, last_ ? &*last_ : nullptr, &found->measures);
            history_.add({step, found->measures});
        } else {
            log_last();
        }
        say(fmt::format("{} {}: {}", best_ ? "kept: best at step" : "step", step,
                        words_of(found->measures)));
        measured_ = std::make_shared<const train::Evaluation>(*std::move(found));
        write_log();
        if (auto ok = write_film(model); !ok) return ok;
        return write_curves(model);
    }
    void log_last() {
        if (last_) log_ += train::csv_line(last_->step, &*last_, nullptr);
        last_.reset();
    }
    /// A frame where one is due, of the first held-out sentence.
    void film() {
        const std::uint64_t step = training_->steps_done(), steps = training_->plan().steps;
        const bool due = history_.film.empty() || train::is_measured_step(step, steps);
        if (output_.film.empty() || (!due && !training_->finished())) return;
        const auto model = training_->model(pool_);
        const train::Pair& pair = training_->dataset()->pairs[0];
        train::FilmFrame frame{step, model, 0, std::nullopt,
                               alignment_of(pool_, model, pair, std::nullopt)};
        train::keep(history_.film, std::move(frame), training_->finished());
    }
    /// The present state as the window would show it.
    ExperimentSnapshot snapshot_of(const std::shared_ptr<const models::Model>& model) {
        ExperimentSnapshot snapshot;
        snapshot.dataset = training_->dataset();
        Trainee trainee{.plan = training_->plan(),
                        .step = training_->steps_done(),
                        .history = std::make_shared<const train::History>(history_)};
        trainee.held_out = measured_;
        trainee.alignment = alignment_of(pool_, model, snapshot.dataset->pairs[0],
                                         measured_ ? measured_->aligned_by : std::nullopt);
        snapshot.trainees.push_back(std::move(trainee));
        return snapshot;
    }
    /// Writes the film by the head that turned out to align best.
    Result<void> write_film(const std::shared_ptr<const models::Model>& model) {
        if (output_.film.empty()) return {};
        for (train::FilmFrame& frame : history_.film) {
            frame.head = measured_->aligned_by;
            frame.weights =
                alignment_of(pool_, frame.model, training_->dataset()->pairs[0], frame.head);
        }
        TrainingExport wish;
        wish.path = output_.film;
        wish.part = TrainingPart::film;
        wish.dark = false;
        return export_training(snapshot_of(model), wish);
    }
    Result<void> write_curves(const std::shared_ptr<const models::Model>& model) {
        if (output_.curves.empty()) return {};
        const auto picture = training_figure(snapshot_of(model), {}, false, 1100, 820);
        const auto bytes = files::paint(picture, *files::format_of(output_.curves));
        if (!bytes) return tl::make_unexpected(bytes.error());
        return base::write_file_atomic(output_.curves, *bytes);
    }
    /// Tries the outputs: what cannot be written is told before anything is learned.
    Result<void> try_outputs() const {
        for (const std::string& path :
             {output_.log, output_.model, output_.checkpoint, output_.curves, output_.film}) {
            if (path.empty()) continue;
            if (auto ok = base::try_to_write(path); !ok) return ok;
        }
        return {};
    }
    /// Reads the steps that a resumed training had taken.
    Result<void> read_log() {
        constexpr std::size_t kMost = std::size_t{1} << 30;
        std::error_code none;
        if (output_.log.empty() || first_ == 0) return {};
        if (!std::filesystem::is_regular_file(output_.log, none)) return {};
        const auto bytes = base::read_file(output_.log, kMost);
        if (!bytes) return tl::make_unexpected(bytes.error()); // it shall not be written over
        for (std::size_t begin = 0; begin < bytes->size();) {
            const std::size_t end = std::min(bytes->find('\n', begin), bytes->size() - 1) + 1;
            const std::string line = bytes->substr(begin, end - begin);
            if (begin == 0 || std::strtoull(line.c_str(), nullptr, 10) <= first_) before_ += line;
            begin = end;
        }
        return {};
    }
    /// The log is worth less than what is learned, which goes on without it: whether it has all its
    /// lines counts at the end.
    void write_log() {
        if (output_.log.empty()) return;
        const auto ok = base::write_file_atomic(
            output_.log, (before_.empty() ? train::csv_header() : before_) + log_);
        if (!ok && log_complete_) {
            say(fmt::format("heed: {}; what is learned is kept", base::describe(ok.error())));
        }
        log_complete_ = ok.has_value();
    }
    Result<void> save_checkpoint() {
        // The log first: lines behind a checkpoint are dropped when it is resumed, missing ones are
        // gone.
        write_log();
        auto ok = training_->save(output_.checkpoint, pool_, train::write_history(history_));
        saved_ = saved_ || ok;
        return ok;
    }

    /// Stops; what was learned so far is kept where that can be.
    int stop(const base::Error& error) {
        clear_bar();
        const bool kept = training_->steps_done() > first_ && save_checkpoint();
        const int code = complain(io_, error, kFailed);
        if (kept) {
            say(fmt::format("what was learned in {} steps is in {}", training_->steps_done(),
                            output_.checkpoint));
        }
        return code;
    }
    int leave() {
        log_last();
        if (const auto ok = save_checkpoint(); !ok) return stop(ok.error());
        say(fmt::format("stopped after step {}; go on with: heed train --resume {} -o {}",
                        training_->steps_done(), output_.checkpoint, output_.model));
        return kFailed;
    }
    int finish() {
        if (keeps_best() && !best_) find_best();
        const auto model = best_ ? best_ : training_->model(pool_);
        if (const auto ok = model->save(output_.model); !ok) return stop(ok.error());
        if (const auto ok = measure_end(model); !ok) return stop(ok.error());
        const auto told =
            model->save(output_.model, {measured_->aligned_by, measured_->measures.exact_match});
        if (!told) return stop(told.error());
        if (saved_) ::unlink(output_.checkpoint.c_str()); // its own, which nobody needs any more
        io_.out << output_.model << '\n';
        if (log_complete_) return kGood;
        return complain(io_,
                        {base::ErrorKind::unwritable, output_.log,
                         "this log lacks steps; the model is in " + output_.model},
                        kFailed);
    }

    /// True of the best model: its loss is that which was measured of it.
    bool has_best_loss(const std::shared_ptr<const models::Model>& model) {
        constexpr double kSame = 1e-4; // relative: other models are farther away
        const double best = best_step_and_loss().second;
        const auto found = train::evaluate(pool_, model, *training_->dataset(), output_.watched);
        return found && std::abs(found->measures.loss - best) <= kSame * std::abs(best);
    }
    /// Finds the best model of a training that was interrupted after its best measure: in the file,
    /// where it is still the same file.
    void find_best() {
        const std::uint64_t best = best_step_and_loss().first;
        if (best == 0 || best == training_->steps_done()) return;
        if (output_.resumed == output_.checkpoint) {
            auto before = models::load_model(output_.model, pool_);
            if (before && has_best_loss(*before)) best_ = *std::move(before);
        }
        best_step_ = best;
        if (best_) return;
        say(fmt::format("the best model, of step {}, is not in {}: the last one is written", best,
                        output_.model));
    }

    std::unique_ptr<train::Training> training_;
    TrainOutput output_;
    const Io& io_;
    num::ThreadPool& pool_;
    std::ostream* const terminal_; // of a person who watches
    train::History history_;
    std::string before_,
        log_; // lines of the log: that a resumed training goes on with, and its own
    std::shared_ptr<const models::Model> best_; // of those that were measured
    std::optional<train::Measures> best_measures_;
    std::uint64_t best_step_ = 0;
    std::shared_ptr<const train::Evaluation> measured_;
    std::optional<train::LossPoint> last_; // the last step, while the log has no line of it
    bool saved_ = false;                   // a checkpoint, in this run
    bool log_complete_ = true;             // as far as it was written
    std::uint64_t first_ = 0;
    Clock::time_point begun_{}, drawn_{};
};

} // namespace

int run_training(std::unique_ptr<train::Training> training, TrainOutput output, const Io& io,
                 num::ThreadPool& pool) {
    return ReportedTraining(std::move(training), std::move(output), io, pool).run();
}

} // namespace heed::app
