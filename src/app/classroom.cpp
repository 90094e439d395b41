#include "app/classroom.hpp"

#include "base/mailbox.hpp"

#include <algorithm>
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

/// Held-out sentences that are measured while a model learns; all of them when it is done.
constexpr std::size_t kWatched = 64;
constexpr Seconds kBetweenPictures{0.05};
/// Measuring takes at most about this share of the time.
constexpr double kMeasuringShare = 0.15;

struct Open {
    std::vector<train::Plan> plans;
};
struct Play {};
struct Rest {};
struct OneStep {};
struct Show {
    std::size_t pair;
};
using Wish = std::variant<Open, Play, Rest, OneStep, Show>;

/// What an alignment is of.
struct Watched {
    std::uint64_t step;
    std::size_t pair;
    std::optional<trace::HeadId> head;
    bool operator==(const Watched&) const = default;
};

/// A model with its training, on the thread of the class.
struct Learning {
    std::optional<Watched> watched{};
    std::unique_ptr<train::Training> training;
    std::shared_ptr<train::History> history = std::make_shared<train::History>();
    Pupil seen;
    std::uint64_t pictured = 0; // the step that seen.model is of
    Clock::time_point measured{};
    Seconds measuring{0}; // how long that took
};

std::optional<trace::HeadId> aligned_by(const Pupil& pupil) {
    return pupil.held_out ? pupil.held_out->aligned_by : std::nullopt;
}

} // namespace

std::shared_ptr<const num::Matrix<float>>
alignment_of(num::Team& team, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head) {
    const auto* recurrent = models::recurrent_of(model->config());
    const bool blind = recurrent && recurrent->context != models::Context::attention;
    if (blind) return nullptr;
    const auto run = train::run_pair(team, model, pair);
    if (!run) return nullptr;
    const auto kind = trace::AttentionKind::cross;
    const int layers = (*run)->trace.n_layers(kind), heads = (*run)->trace.n_heads(kind);
    if (layers == 0) return nullptr;
    if (head) {
        const auto map = (*run)->trace.map(*head);
        return std::make_shared<const num::Matrix<float>>(map->whole(trace::Stage::weights));
    }
    num::Matrix<float> mean;
    for (int h = 0; h < heads; ++h) {
        const auto weights = (*run)->trace.map({kind, layers - 1, h})->whole(trace::Stage::weights);
        mean = h == 0 ? weights : num::Matrix<float>(mean + weights);
    }
    mean /= static_cast<float>(heads);
    return std::make_shared<const num::Matrix<float>>(std::move(mean));
}

struct Classroom::State {
    State(std::function<void()> callback, int threads)
        : published(std::move(callback)), team(threads) {}

    std::function<void()> published;
    base::Published<std::shared_ptr<const ClassSnapshot>> newest;

    mutable std::mutex mutex; // guards the next three
    mutable std::condition_variable_any changed;
    std::deque<Wish> wishes;
    bool busy = false;

    // Of the worker alone.
    num::Team team;
    std::shared_ptr<const train::Lesson> lesson;
    std::vector<Learning> models;
    std::size_t shown = 0;
    ClassSnapshot::State now = ClassSnapshot::State::empty;
    std::optional<base::Error> error;
    Clock::time_point pictured{};
    double rate = 0; // steps of the class a second

    std::jthread worker; // last: it is joined before anything above dies

    void ask(Wish wish);
    std::optional<Wish> next(const std::stop_token& ending);
    void work(const std::stop_token& ending);
    void grant(Wish wish, const std::stop_token& ending);
    void open(std::vector<train::Plan> plans);
    void give_up(base::Error why);
    void step_all(const std::stop_token& ending);
    void step(Learning& model, const std::stop_token& ending);
    void measure(Learning& model, std::size_t sentences, const std::stop_token& ending);
    void film(Learning& model);
    void align_film(Learning& model);
    void publish();
    bool finished() const;
};

void Classroom::State::ask(Wish wish) {
    {
        const std::lock_guard lock(mutex);
        // The newest wins: of another class nothing is wanted that was asked for before.
        if (std::holds_alternative<Open>(wish)) wishes.clear();
        std::erase_if(wishes, [&](const Wish& other) {
            const bool once =
                std::holds_alternative<Show>(wish) || std::holds_alternative<OneStep>(wish);
            return once && other.index() == wish.index();
        });
        wishes.push_back(std::move(wish));
        busy = true;
    }
    changed.notify_all();
}

/// A wish, or none when there is something to learn. Waits where there is neither.
std::optional<Wish> Classroom::State::next(const std::stop_token& ending) {
    std::unique_lock lock(mutex);
    if (wishes.empty() && now != ClassSnapshot::State::learning) {
        busy = false;
        changed.notify_all();
        changed.wait(lock, ending, [this] { return !wishes.empty(); });
    }
    if (wishes.empty()) return std::nullopt;
    Wish wish = std::move(wishes.front());
    wishes.pop_front();
    return wish;
}

void Classroom::State::work(const std::stop_token& ending) {
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
}

void Classroom::State::give_up(base::Error why) {
    error = std::move(why);
    models.clear();
    now = ClassSnapshot::State::empty;
    publish();
}

void Classroom::State::grant(Wish wish, const std::stop_token& ending) {
    using S = ClassSnapshot::State;
    if (auto* asked = std::get_if<Open>(&wish)) open(std::move(asked->plans));
    if (auto* asked = std::get_if<Show>(&wish)) {
        if (lesson && asked->pair < lesson->pairs.size()) shown = asked->pair;
        for (Learning& model : models) align_film(model);
    }
    const bool ready = now == S::paused || now == S::learning;
    if (ready && std::holds_alternative<Play>(wish)) now = S::learning;
    if (ready && std::holds_alternative<Rest>(wish)) now = S::paused;
    if (ready && std::holds_alternative<OneStep>(wish)) {
        now = S::paused;
        step_all(ending);
        if (now == S::paused) { // else it was the last one, and all is measured
            for (Learning& model : models) measure(model, kWatched, ending);
        }
    }
    publish();
}

void Classroom::State::open(std::vector<train::Plan> plans) {
    models.clear();
    lesson = nullptr;
    error.reset();
    shown = 0;
    rate = 0;
    now = ClassSnapshot::State::preparing;
    publish();
    now = ClassSnapshot::State::empty;
    if (plans.empty()) return;
    for (const train::Plan& plan : plans) {
        if (const auto ok = train::check(plan); !ok) {
            error = ok.error();
            return;
        }
    }
    auto prepared = train::prepare_lesson(plans[0].task, plans[0].sentences);
    if (!prepared) {
        error = prepared.error();
        return;
    }
    lesson = *prepared;
    for (train::Plan& plan : plans) {
        auto training = train::Training::begin(std::move(plan), lesson, team);
        if (!training) {
            error = training.error();
            models.clear();
            return;
        }
        Learning model;
        model.seen.plan = (*training)->plan();
        model.training = *std::move(training);
        models.push_back(std::move(model));
    }
    now = ClassSnapshot::State::paused;
    for (Learning& model : models) film(model);
}

bool Classroom::State::finished() const {
    return std::all_of(models.begin(), models.end(),
                       [](const Learning& m) { return m.seen.finished(); });
}

void Classroom::State::step_all(const std::stop_token& ending) {
    const auto begun = Clock::now();
    for (Learning& model : models) {
        if (!model.seen.finished() && !ending.stop_requested()) step(model, ending);
    }
    const double took = Seconds(Clock::now() - begun).count();
    // A mean over some steps back, so that the number can be read.
    rate = rate == 0 ? 1 / took : 1 / (0.95 / rate + 0.05 * took);
    if (finished()) {
        now = ClassSnapshot::State::finished;
        publish(); // what follows takes its time
        for (Learning& model : models) measure(model, lesson->pairs.size(), ending);
        publish();
    } else if (Clock::now() - pictured > kBetweenPictures) {
        publish();
    }
}

void Classroom::State::step(Learning& model, const std::stop_token& ending) {
    auto progress = model.training->step(team);
    if (!progress) {
        model.seen.error = progress.error();
        return;
    }
    model.seen.step = progress->step;
    model.history->add(*progress);
    model.seen.last = *std::move(progress);
    if (train::is_film_step(model.seen.step) || model.seen.finished()) film(model);
    const Seconds since = Clock::now() - model.measured;
    const auto share = static_cast<double>(models.size());
    if (since > model.measuring * (share / kMeasuringShare)) measure(model, kWatched, ending);
}

void Classroom::State::measure(Learning& model, std::size_t sentences,
                               const std::stop_token& ending) {
    const auto begun = Clock::now();
    auto found = train::evaluate(team, model.training->model(team), *lesson, sentences, ending);
    model.measured = Clock::now();
    model.measuring = model.measured - begun;
    if (!found) {
        if (found.error().kind != base::ErrorKind::cancelled) model.seen.error = found.error();
        return;
    }
    const auto before = aligned_by(model.seen);
    model.seen.held_out = std::make_shared<const train::Evaluation>(*std::move(found));
    auto& points = model.history->held_out;
    if (!points.empty() && points.back().step == model.seen.step) points.pop_back();
    points.push_back({model.seen.step, model.seen.held_out->measures});
    if (aligned_by(model.seen) != before) align_film(model);
}

void Classroom::State::film(Learning& model) {
    model.history->film.push_back(
        {model.seen.step, model.training->model(team), shown, std::nullopt, nullptr});
    align_film(model);
}

/// Every frame shows the same pair, by the same head.
void Classroom::State::align_film(Learning& model) {
    const auto head = aligned_by(model.seen);
    for (train::Frame& frame : model.history->film) {
        const bool same = frame.weights && frame.pair == shown && frame.head == head;
        if (same) continue;
        frame.pair = shown;
        frame.head = head;
        frame.weights = alignment_of(team, frame.model, lesson->pairs[shown], head);
    }
}

void Classroom::State::publish() {
    auto snapshot = std::make_shared<ClassSnapshot>();
    snapshot->state = now;
    snapshot->lesson = lesson;
    snapshot->shown = shown;
    snapshot->steps_a_second = rate;
    snapshot->error = error;
    std::uint64_t left = 0;
    for (Learning& model : models) {
        if (!model.seen.model || model.pictured != model.seen.step) {
            model.seen.model = model.training->model(team);
            model.pictured = model.seen.step;
        }
        const Watched watched{model.seen.step, shown, aligned_by(model.seen)};
        if (model.watched != watched) {
            model.watched = watched;
            model.seen.alignment =
                alignment_of(team, model.seen.model, lesson->pairs[shown], watched.head);
        }
        model.seen.history = std::make_shared<const train::History>(*model.history);
        snapshot->pupils.push_back(model.seen);
        if (!model.seen.finished()) left = std::max(left, model.seen.plan.steps - model.seen.step);
    }
    if (rate > 0) snapshot->seconds_left = static_cast<double>(left) / rate;
    newest.set(std::move(snapshot));
    pictured = Clock::now();
    if (published) published();
}

Classroom::Classroom(std::function<void()> published, int threads)
    : state_(std::make_unique<State>(std::move(published), threads)) {
    state_->newest.set(std::make_shared<const ClassSnapshot>());
    state_->worker =
        std::jthread([state = state_.get()](std::stop_token ending) { state->work(ending); });
}
Classroom::~Classroom() = default;

void Classroom::open(std::vector<train::Plan> plans) { state_->ask(Open{std::move(plans)}); }
void Classroom::play() { state_->ask(Play{}); }
void Classroom::pause() { state_->ask(Rest{}); }
void Classroom::step() { state_->ask(OneStep{}); }
void Classroom::show(std::size_t pair) { state_->ask(Show{pair}); }

std::shared_ptr<const ClassSnapshot> Classroom::latest() const { return state_->newest.get(); }

std::shared_ptr<const ClassSnapshot> Classroom::wait_until_it_rests() const {
    {
        std::unique_lock lock(state_->mutex);
        state_->changed.wait(lock, [&] { return !state_->busy && state_->wishes.empty(); });
    }
    return latest();
}

} // namespace heed::app
