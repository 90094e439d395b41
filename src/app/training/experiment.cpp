#include "app/training/experiment.hpp"

#include "app/training/saved_experiment.hpp"
#include "app/training/trainee_run.hpp"
#include "base/mailbox.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

namespace heed::app {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kBetweenPictures{0.05}, kBeforeFirstSave{2}, kBetweenSaves{20};

struct Open {
    std::vector<train::Plan> plans;
    std::optional<std::string> folder;
    std::uint64_t number = 0;
};
struct Resume {
    std::optional<std::string> folder;
    std::uint64_t number = 0;
};
struct Save {};
struct Discard {};
struct Align {
    AlignedBy by;
};
struct Play {};
struct Rest {};
struct OneStep {};
struct Show {
    std::size_t pair;
};
using Wish = std::variant<Open, Resume, Save, Discard, Play, Rest, OneStep, Show, Align>;

/// A model of the experiment, and what of it the folder has.
struct TraineeSeat {
    TraineeRun trainee;
    std::uint64_t saved; // the step
};

} // namespace

struct Experiment::State {
    State(std::function<void()> callback, int threads, std::string folder)
        : published(std::move(callback)), pool(threads), saver(std::move(folder)) {}

    std::function<void()> published;
    base::Published<std::shared_ptr<const ExperimentSnapshot>> newest;

    mutable std::mutex mutex; // guards the next four
    mutable std::condition_variable_any changed;
    std::deque<Wish> wishes;
    bool busy = false;
    std::uint64_t experiments = 0; // that were asked for

    // Members of the worker alone.
    num::ThreadPool pool;
    std::uint64_t number = 0; // of the experiment
    std::shared_ptr<const train::Dataset> dataset;
    std::vector<TraineeSeat> trainees;
    Watching watching;
    ExperimentSaver saver;
    Clock::time_point saved{};
    std::uint64_t saves = 0;
    std::optional<base::Error> save_error;
    bool discarded = false;
    ExperimentSnapshot::State now = ExperimentSnapshot::State::empty;
    std::optional<base::Error> error;
    Clock::time_point pictured{};
    double rate = 0; // steps of the experiment a second

    std::jthread worker; // last: it is joined before anything above dies

    std::uint64_t ask(Wish wish);
    std::optional<Wish> next(const std::stop_token& ending);
    void work(const std::stop_token& ending);
    void grant(Wish wish, const std::stop_token& ending);
    void open(Open asked);
    void resume(const Resume& asked, const std::stop_token& ending);
    void begin(const std::optional<std::string>& folder);
    void publish_preparing();
    void take_in(std::unique_ptr<train::Training> training, train::History history);
    void save();
    bool unsaved() const;
    void give_up(base::Error why);
    void step_all(const std::stop_token& ending);
    void measure_all(std::size_t sentences, const std::stop_token& ending);
    void align_films();
    void publish();
    bool finished() const;
};

/// Returns the number of the experiment that was asked for last.
std::uint64_t Experiment::State::ask(Wish wish) {
    std::uint64_t newest_experiment = 0;
    {
        const std::lock_guard lock(mutex);
        auto* opens = std::get_if<Open>(&wish);
        auto* resumes = std::get_if<Resume>(&wish);
        // The newest wins: of another experiment nothing is wanted that was asked for before.
        if (opens || resumes) {
            wishes.clear();
            (opens ? opens->number : resumes->number) = ++experiments;
        }
        newest_experiment = experiments;
        std::erase_if(wishes, [&](const Wish& other) {
            const bool once = std::holds_alternative<Show>(wish) ||
                              std::holds_alternative<Align>(wish) ||
                              std::holds_alternative<OneStep>(wish);
            return once && other.index() == wish.index();
        });
        wishes.push_back(std::move(wish));
        busy = true;
    }
    changed.notify_all();
    return newest_experiment;
}

/// A wish, or none when there is something to learn. Waits where there is neither.
std::optional<Wish> Experiment::State::next(const std::stop_token& ending) {
    std::unique_lock lock(mutex);
    if (wishes.empty() && now != ExperimentSnapshot::State::learning) {
        busy = false;
        changed.notify_all();
        changed.wait(lock, ending, [this] { return !wishes.empty(); });
    }
    if (wishes.empty()) return std::nullopt;
    Wish wish = std::move(wishes.front());
    wishes.pop_front();
    return wish;
}

void Experiment::State::work(const std::stop_token& ending) {
    while (!ending.stop_requested()) {
        try {
            if (auto wish = next(ending)) {
                grant(*std::move(wish), ending);
            } else if (!ending.stop_requested()) {
                step_all(ending);
            }
        } catch (const std::exception& thrown) {
            give_up({base::ErrorKind::unsupported, "training", thrown.what()});
        } catch (...) {
            give_up({base::ErrorKind::unsupported, "training", "something unknown was thrown"});
        }
    }
    try { // a program that is asked to end, by a signal too, loses nothing
        std::deque<Wish> left;
        {
            const std::lock_guard lock(mutex);
            left.swap(wishes);
        }
        for (const Wish& wish : left) {
            if (std::holds_alternative<Discard>(wish)) grant(wish, ending);
        }
        save();
    } catch (const std::exception& thrown) {
        save_error = base::Error{base::ErrorKind::unwritable, "training", thrown.what()};
    }
}

void Experiment::State::give_up(base::Error why) {
    error = std::move(why);
    trainees.clear();
    now = ExperimentSnapshot::State::empty;
    try {
        publish();
    } catch (const std::exception&) { // what was thrown may be thrown again
    }
}

void Experiment::State::grant(Wish wish, const std::stop_token& ending) {
    using S = ExperimentSnapshot::State;
    if (auto* asked = std::get_if<Open>(&wish)) {
        open(std::move(*asked));
    }
    if (auto* asked = std::get_if<Show>(&wish)) {
        if (dataset && asked->pair < dataset->pairs.size()) watching.pair = asked->pair;
        align_films();
    }
    if (auto* asked = std::get_if<Align>(&wish)) {
        watching.by = asked->by;
        align_films();
    }
    if (auto* asked = std::get_if<Resume>(&wish)) {
        resume(*asked, ending);
    }
    if (std::holds_alternative<Discard>(wish)) {
        discarded = true;
        if (now == S::learning) now = S::paused;
    }
    const bool ready = now == S::paused || now == S::learning;
    if (ready && std::holds_alternative<Play>(wish)) now = S::learning;
    const bool saves_now = std::holds_alternative<Save>(wish);
    if (ready && (saves_now || std::holds_alternative<Rest>(wish))) {
        now = S::paused;
        publish(); // what follows takes its time
        save();
    }
    if (saves_now) { // what there is to save is saved, or the error is told
        if (!ready) save();
        ++saves;
    }
    if (ready && std::holds_alternative<OneStep>(wish)) {
        now = S::paused;
        step_all(ending);
        if (now == S::paused) { // else it was the last one, and all is measured
            measure_all(TraineeRun::kWatched, ending);
            for (TraineeSeat& seat : trainees) {
                seat.trainee.observe(false);
                if (!seat.trainee.seen().finished()) seat.trainee.film(watching);
            }
        }
    }
    publish();
}

void Experiment::State::begin(const std::optional<std::string>& folder) {
    save_error.reset();
    save(); // where that fails, it is told beside the experiment that begins
    trainees.clear();
    dataset = nullptr;
    error.reset();
    watching.pair = 0;
    rate = 0;
    discarded = false;
    saved = Clock::now();
    if (folder && *folder != saver.folder()) saver.move_to(*folder);
    saver.begin();
}

void Experiment::State::publish_preparing() {
    now = ExperimentSnapshot::State::preparing;
    publish();
    now = ExperimentSnapshot::State::empty;
}

void Experiment::State::take_in(std::unique_ptr<train::Training> training, train::History history) {
    const std::uint64_t step = training->steps_done();
    trainees.push_back({TraineeRun(std::move(training), std::move(history), pool), step});
}

void Experiment::State::resume(const Resume& asked, const std::stop_token& ending) {
    begin(asked.folder);
    number = asked.number;
    publish_preparing();
    auto resumed = resume_experiment(saver.folder(), pool);
    if (!resumed) {
        error = resumed.error();
        return;
    }
    dataset = resumed->front().training->dataset();
    for (ResumedTrainee& trainee : *resumed) {
        take_in(std::move(trainee.training), std::move(trainee.history));
    }
    const bool over = finished();
    measure_all(over ? dataset->pairs.size() : TraineeRun::kWatched, ending);
    for (TraineeSeat& seat : trainees) {
        if (!over) seat.trainee.observe(false);
    }
    align_films();
    now = over ? ExperimentSnapshot::State::finished : ExperimentSnapshot::State::paused;
}

bool Experiment::State::unsaved() const {
    return std::any_of(trainees.begin(), trainees.end(),
                       [](const TraineeSeat& s) { return s.trainee.seen().step != s.saved; });
}

/// Saves where there is anything new.
void Experiment::State::save() {
    saved = Clock::now();
    if (discarded || saver.folder().empty() || !unsaved()) return;
    std::vector<SavedTrainee> to_save;
    for (const TraineeSeat& seat : trainees) {
        to_save.push_back({&seat.trainee.training(), &seat.trainee.history()});
    }
    const auto ok = saver.save(to_save, pool);
    save_error = ok ? std::nullopt : std::optional(ok.error());
    for (TraineeSeat& seat : trainees) {
        if (ok) seat.saved = seat.trainee.seen().step;
    }
    saved = Clock::now();
}

void Experiment::State::open(Open asked) {
    begin(asked.folder);
    number = asked.number;
    publish_preparing();
    std::vector<train::Plan>& plans = asked.plans;
    if (plans.empty()) return;
    for (const train::Plan& plan : plans) {
        if (const auto ok = train::check(plan); !ok) {
            error = ok.error();
            return;
        }
    }
    auto prepared = train::prepare_dataset(plans[0].task, plans[0].sentences);
    if (!prepared) {
        error = prepared.error();
        return;
    }
    dataset = *prepared;
    for (train::Plan& plan : plans) {
        auto training = train::Training::begin(std::move(plan), dataset, pool);
        if (!training) {
            error = training.error();
            trainees.clear();
            return;
        }
        take_in(*std::move(training), {});
    }
    now = ExperimentSnapshot::State::paused;
    for (TraineeSeat& seat : trainees) seat.trainee.film(watching);
}

bool Experiment::State::finished() const {
    return std::all_of(trainees.begin(), trainees.end(),
                       [](const TraineeSeat& s) { return s.trainee.seen().finished(); });
}

void Experiment::State::measure_all(std::size_t sentences, const std::stop_token& ending) {
    for (TraineeSeat& seat : trainees) seat.trainee.measure(sentences, watching, ending);
}

void Experiment::State::align_films() {
    for (TraineeSeat& seat : trainees) seat.trainee.align_film(watching);
}

void Experiment::State::step_all(const std::stop_token& ending) {
    const auto begun = Clock::now();
    std::vector<TraineeRun*> stepped;
    for (TraineeSeat& seat : trainees) {
        if (seat.trainee.seen().finished() || ending.stop_requested()) continue;
        if (seat.trainee.step(watching, ending)) stepped.push_back(&seat.trainee);
    }
    if (finished()) publish(); // the last step is told before it is measured, which takes longest
    for (TraineeRun* trainee : stepped) trainee->look(watching, ending);
    const double took = Seconds(Clock::now() - begun).count();
    // A mean over some steps back, so that the number can be read.
    rate = rate == 0 ? 1 / took : 1 / (0.95 / rate + 0.05 * took);
    if (finished()) {
        now = ExperimentSnapshot::State::finished;
        publish(); // what follows takes its time
        measure_all(dataset->pairs.size(), ending);
        save();
        publish();
    } else if (Clock::now() - pictured > kBetweenPictures) {
        publish();
    }
    const bool first = std::ranges::all_of(trainees, [](const auto& seat) { return seat.saved == 0; });
    if (Clock::now() - saved > (first ? kBeforeFirstSave : kBetweenSaves)) save();
}

void Experiment::State::publish() {
    auto snapshot = std::make_shared<ExperimentSnapshot>();
    snapshot->state = now;
    snapshot->number = number;
    snapshot->dataset = dataset;
    snapshot->shown = watching.pair;
    snapshot->steps_a_second = rate;
    snapshot->error = error;
    snapshot->aligned_by = watching.by;
    snapshot->saves = saves;
    snapshot->save_error = save_error;
    std::uint64_t left = 0;
    for (TraineeSeat& seat : trainees) {
        const Trainee& trainee = seat.trainee.picture(watching);
        snapshot->trainees.push_back(trainee);
        if (!trainee.finished()) left = std::max(left, trainee.plan.steps - trainee.step);
    }
    if (rate > 0) snapshot->seconds_left = static_cast<double>(left) / rate;
    newest.set(std::move(snapshot));
    pictured = Clock::now();
    if (published) published();
}

Experiment::Experiment(std::function<void()> published, int threads, std::string folder)
    : state_(std::make_unique<State>(std::move(published), threads, std::move(folder))) {
    state_->newest.set(std::make_shared<const ExperimentSnapshot>());
    state_->worker =
        std::jthread([state = state_.get()](std::stop_token ending) { state->work(ending); });
}
Experiment::~Experiment() = default;

base::Result<void> Experiment::close() {
    State& s = *state_;
    s.worker.request_stop();
    if (s.worker.joinable()) s.worker.join();
    const bool lost = s.save_error && !s.discarded && s.unsaved();
    return lost ? tl::make_unexpected(*s.save_error) : base::Result<void>();
}

std::uint64_t Experiment::open(std::vector<train::Plan> plans, std::optional<std::string> folder) {
    return state_->ask(Open{std::move(plans), std::move(folder)});
}
std::uint64_t Experiment::resume(std::optional<std::string> folder) {
    return state_->ask(Resume{std::move(folder)});
}
void Experiment::save() { state_->ask(Save{}); }
void Experiment::discard() { state_->ask(Discard{}); }
void Experiment::align_by(AlignedBy by) { state_->ask(Align{by}); }
void Experiment::play() { state_->ask(Play{}); }
void Experiment::pause() { state_->ask(Rest{}); }
void Experiment::step() { state_->ask(OneStep{}); }
void Experiment::show(std::size_t pair) { state_->ask(Show{pair}); }

std::shared_ptr<const ExperimentSnapshot> Experiment::latest() const {
    return state_->newest.get();
}

std::shared_ptr<const ExperimentSnapshot> Experiment::wait_until_it_rests() const {
    {
        std::unique_lock lock(state_->mutex);
        state_->changed.wait(lock, [&] { return !state_->busy && state_->wishes.empty(); });
    }
    return latest();
}

} // namespace heed::app
