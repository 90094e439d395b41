// heed train: a model learns a task.
#include "app/command.hpp"
#include "app/document_flags.hpp"
#include "app/flag_values.hpp"
#include "app/training_flags.hpp"
#include "base/file.hpp"
#include "train/history.hpp"
#include "train/training.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, the first Ctrl-C asks for an end at the next step; a second one ends at once.
class Interrupts {
  public:
    Interrupts() {
        struct sigaction action = {};
        action.sa_handler = [](int) { interrupted = 1; };
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        for (std::size_t i = 0; i < std::size(kSignals); ++i) {
            sigaction(kSignals[i], nullptr, &before_[i]);
            if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
        }
    }
    ~Interrupts() {
        for (std::size_t i = 0; i < std::size(kSignals); ++i) {
            sigaction(kSignals[i], &before_[i], nullptr);
        }
    }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM};
    struct sigaction before_[std::size(kSignals)] = {};
};

struct Output {
    std::string model, checkpoint, log;
    std::uint64_t checkpoint_every = 500, measure_every = 250;
    std::size_t watched = 200; // held-out sentences while it learns
};

std::string bar(double share) {
    constexpr int kWidth = 28;
    const int full = static_cast<int>(share * kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i) text += i < full ? "█" : "░";
    return text;
}

std::string words_of(const train::Measures& m) {
    std::string text = fmt::format("held-out loss {:.3f} · words right {:.1f} % · sentences right "
                                   "{:.1f} %",
                                   m.loss, 100 * m.token_accuracy, 100 * m.exact_match);
    if (m.alignment_error_rate) {
        text += fmt::format(" · alignment error {:.1f} %", 100 * *m.alignment_error_rate);
    }
    return text;
}

class Session {
  public:
    Session(std::unique_ptr<train::Training> training, Output output, const Io& io, num::Team& team)
        : training_(std::move(training)), output_(std::move(output)), io_(io), team_(team),
          watched_(&io.err == &std::cerr && ::isatty(STDERR_FILENO) != 0) {}

    int run() {
        const Interrupts interrupts;
        begun_ = Clock::now();
        first_ = training_->steps_done();
        read_log();
        while (!training_->finished()) {
            const auto progress = training_->step(team_);
            if (!progress) return stop(progress.error());
            history_.add(*progress);
            if (watched_ && Clock::now() - drawn_ > std::chrono::milliseconds(100)) draw(*progress);
            const std::uint64_t step = progress->step;
            if (interrupted) return leave();
            if (step % output_.measure_every == 0 && !training_->finished()) {
                if (const auto ok = measure(output_.watched, *progress); !ok)
                    return stop(ok.error());
            }
            if (step % output_.checkpoint_every == 0 && !training_->finished()) {
                if (const auto ok = save_checkpoint(); !ok) return stop(ok.error());
            }
        }
        return finish();
    }

  private:
    void draw(const train::Progress& progress) {
        drawn_ = Clock::now();
        const double seconds = std::chrono::duration<double>(drawn_ - begun_).count();
        const auto taken = static_cast<double>(progress.step - first_);
        const double rate = taken / std::max(seconds, 1e-9);
        const std::uint64_t all = training_->plan().steps;
        const double share = static_cast<double>(progress.step) / static_cast<double>(all);
        const auto tokens = static_cast<double>(std::max<std::size_t>(progress.batch.tokens, 1));
        io_.err << fmt::format("\r\033[K{} step {} / {} · {:.0f} steps/s · {:.0f} s left · loss "
                               "{:.3f}",
                               bar(share), progress.step, all, rate,
                               static_cast<double>(all - progress.step) / std::max(rate, 1e-9),
                               progress.batch.loss / tokens)
                << std::flush;
    }
    void say(const std::string& words) { io_.err << (watched_ ? "\r\033[K" : "") << words << '\n'; }

    Result<void> measure(std::size_t sentences, const train::Progress& progress) {
        const auto found =
            train::evaluate(team_, training_->model(team_), *training_->lesson(), sentences);
        if (!found) return tl::make_unexpected(found.error());
        history_.held_out.push_back({progress.step, found->measures});
        say(fmt::format("step {}: {}", progress.step, words_of(found->measures)));
        return write_log();
    }
    /// Of a training that is resumed, the steps that it had taken.
    void read_log() {
        if (output_.log.empty() || first_ == 0) return;
        const auto bytes = base::read_file(output_.log, 64 << 20);
        if (!bytes) return;
        for (std::size_t begin = 0; begin < bytes->size();) {
            const std::size_t end = std::min(bytes->find('\n', begin), bytes->size() - 1) + 1;
            const std::string line = bytes->substr(begin, end - begin);
            if (begin == 0 || std::strtoull(line.c_str(), nullptr, 10) <= first_) before_ += line;
            begin = end;
        }
    }
    Result<void> write_log() {
        if (output_.log.empty()) return {};
        std::string log = train::csv(history_);
        if (!before_.empty()) log = before_ + log.substr(log.find('\n') + 1);
        return base::write_file_atomic(output_.log, log);
    }
    Result<void> save_checkpoint() {
        auto ok = training_->save(output_.checkpoint, team_);
        saved_ = saved_ || ok;
        return ok;
    }

    /// What was learned so far is kept where that can be.
    int stop(const base::Error& error) {
        if (watched_) io_.err << "\r\033[K";
        const bool kept = training_->steps_done() > first_ && save_checkpoint();
        static_cast<void>(write_log());
        const int code = complain(io_, error, kFailed);
        if (kept) {
            say(fmt::format("what was learned in {} steps is in {}", training_->steps_done(),
                            output_.checkpoint));
        }
        return code;
    }
    int leave() {
        if (const auto ok = save_checkpoint(); !ok) return stop(ok.error());
        if (const auto ok = write_log(); !ok) return stop(ok.error());
        say(fmt::format("stopped after step {}; go on with: heed train --resume {} -o {}",
                        training_->steps_done(), output_.checkpoint, output_.model));
        return kFailed;
    }
    int finish() {
        const auto model = training_->model(team_);
        if (const auto ok = model->save(output_.model); !ok) return stop(ok.error());
        train::Progress last;
        last.step = training_->steps_done();
        const auto ok = measure(training_->lesson()->pairs.size(), last);
        if (!ok) return stop(ok.error());
        if (saved_) ::unlink(output_.checkpoint.c_str()); // its own, which nobody needs any more
        io_.out << output_.model << '\n';
        return kGood;
    }

    std::unique_ptr<train::Training> training_;
    Output output_;
    const Io& io_;
    num::Team& team_;
    const bool watched_;
    train::History history_;
    std::string before_; // lines of the log that a resumed training goes on with
    bool saved_ = false; // a checkpoint, in this run
    std::uint64_t first_ = 0;
    Clock::time_point begun_{}, drawn_{};
};

Result<Output> read_output(const Given& given) {
    Output output;
    output.model = given.find("--output").value_or("");
    if (!output.model.ends_with(".safetensors")) {
        return fail(ErrorKind::usage, "--output",
                    fmt::format("'{}' does not end in .safetensors; it is where the trained model "
                                "goes",
                                output.model));
    }
    output.checkpoint = output.model;
    output.checkpoint.insert(output.model.size() - std::string(".safetensors").size(),
                             ".checkpoint");
    output.log = given.find("--log").value_or("");
    int checkpoint = static_cast<int>(output.checkpoint_every);
    int measure = static_cast<int>(output.measure_every);
    const auto ok = in_turn(
        [&] { return read_integer(given, "--checkpoint-every", 1, 1'000'000'000, checkpoint); },
        [&] { return read_integer(given, "--measure-every", 1, 1'000'000'000, measure); });
    if (!ok) return tl::make_unexpected(ok.error());
    output.checkpoint_every = static_cast<std::uint64_t>(checkpoint);
    output.measure_every = static_cast<std::uint64_t>(measure);
    return output;
}

Result<std::unique_ptr<train::Training>> training_of(const Given& given, num::Team& team) {
    if (const auto path = given.find("--resume")) {
        for (const Flag& flag : training_flags()) {
            if (flag.name == "--steps" || !given.has(flag.name)) continue;
            return fail(ErrorKind::usage, flag.name,
                        "cannot be set beside --resume: the checkpoint decides it");
        }
        auto training = train::Training::resume(*path, team);
        if (!training) return training;
        int steps = static_cast<int>((*training)->plan().steps);
        const auto done = static_cast<long long>((*training)->steps_done());
        if (auto ok = read_integer(given, "--steps", done, 1'000'000'000, steps); !ok) {
            return tl::make_unexpected(ok.error());
        }
        (*training)->set_steps(static_cast<std::uint64_t>(steps));
        return training;
    }
    auto plan = read_plan(given);
    if (!plan) return tl::make_unexpected(plan.error());
    auto lesson = train::prepare_lesson(plan->task, plan->sentences);
    if (!lesson) return tl::make_unexpected(lesson.error());
    return train::Training::begin(*std::move(plan), *std::move(lesson), team);
}

int run_train(const Given& given, const Io& io) {
    auto output = read_output(given);
    if (!output) return complain(io, output.error(), kWrongUsage);
    num::Team team;
    auto training = training_of(given, team);
    if (!training) return complain_of_flags(io, training.error());
    return Session(*std::move(training), *std::move(output), io, team).run();
}

} // namespace

Command train_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH", "where the trained model goes, a .safetensors file", "Output"},
        {"--log", "PATH", "losses (means of some steps, where they are many) and measures as CSV",
         "Output"},
        {"--measure-every", "N", "steps between measures on held-out sentences (default 250)",
         "Output"},
        {"--checkpoint-every", "N",
         "steps between checkpoints, PATH.checkpoint.safetensors (default 500)", "Output"},
        {"--resume", "FILE", "go on from a checkpoint; --steps may be set anew", "Output"},
    };
    for (const Flag& flag : training_flags()) flags.push_back(flag);
    return {
        "train",
        "Train a model on a task.",
        "The sentences are generated, and those that are held out never occur in training. "
        "Ctrl-C leaves a checkpoint from which --resume goes on, on as many threads to the same "
        "weights. The file "
        "that comes out holds the model with its vocabulary; every command takes it with --model "
        "FILE.",
        "Examples:\n"
        "  heed train --task zh-en --model seq2seq --steps 3000 -o zh-en.safetensors\n"
        "  heed train --task reverse --model transformer --max-length 12 -o reverse.safetensors\n"
        "  heed train --resume zh-en.checkpoint.safetensors -o zh-en.safetensors",
        std::move(flags),
        run_train};
}

} // namespace heed::app
