#include "app/classroom.hpp"

#include "app/saved_class.hpp"
#include "base/mailbox.hpp"
#include "train/alignment.hpp"

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
constexpr Seconds kBetweenPictures{0.05}, kBetweenSaves{20};

struct Open {
    std::vector<train::Plan> plans;
};
struct Resume {};
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
    std::shared_ptr<const models::Model> best{};
    std::uint64_t saved = 0; // the step that the folder has
};

/// None: the mean.
std::optional<trace::HeadId> head_of(const Pupil& pupil, const AlignedBy& by) {
    if (by.kind == AlignedBy::Kind::mean) return std::nullopt;
    if (by.kind == AlignedBy::Kind::best) {
        return pupil.held_out ? pupil.held_out->aligned_by : std::nullopt;
    }
    const auto kind = train::aligning_attention(pupil.plan.model);
    const bool has = kind && by.layer < models::n_layers(pupil.plan.model, *kind) &&
                     by.head < models::n_heads(pupil.plan.model);
    return has ? std::optional(trace::HeadId{*kind, by.layer, by.head}) : std::nullopt;
}

} // namespace

std::optional<trace::AttentionKind> watched_attention(const models::Config& config) {
    if (const auto kind = train::aligning_attention(config)) return kind;
    constexpr auto kOwn = trace::AttentionKind::encoder_self;
    const bool reads = !models::has_decoder(config) && models::n_layers(config, kOwn) > 0;
    return reads ? std::optional(kOwn) : std::nullopt;
}

std::shared_ptr<const num::Matrix<float>>
alignment_of(num::Team& team, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head) {
    const auto kind = watched_attention(model->config());
    if (!kind) return nullptr;
    const auto run = train::run_pair(team, model, pair);
    if (!run) return nullptr;
    const int layers = (*run)->trace.n_layers(*kind), heads = (*run)->trace.n_heads(*kind);
    const auto weights_of = [&](const trace::HeadId& id) {
        const auto map = (*run)->trace.map(id);
        return map->rectangle(trace::Stage::weights, train::aligning_part(**run, *map));
    };
    if (head) return std::make_shared<const num::Matrix<float>>(weights_of(*head));
    num::Matrix<float> mean;
    for (int h = 0; h < heads; ++h) {
        const auto weights = weights_of({*kind, layers - 1, h});
        mean = h == 0 ? weights : num::Matrix<float>(mean + weights);
    }
    mean /= static_cast<float>(heads);
    return std::make_shared<const num::Matrix<float>>(std::move(mean));
}

struct Classroom::State {
    State(std::function<void()> callback, int threads, std::string folder)
        : published(std::move(callback)), team(threads), saver(std::move(folder)) {}

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
    AlignedBy by;
    ClassSaver saver;
    Clock::time_point saved{};
    std::uint64_t saves = 0;
    std::optional<base::Error> save_error;
    bool discarded = false;
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
    void resume(const std::stop_token& ending);
    void begin();
    void take_in(std::unique_ptr<train::Training> training, train::History history);
    void save();
    bool unsaved() const;
    void give_up(base::Error why);
    void step_all(const std::stop_token& ending);
    void step(Learning& model, const std::stop_token& ending);
    void observe(Learning& model);
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
        if (std::holds_alternative<Open>(wish) || std::holds_alternative<Resume>(wish)) {
            wishes.clear();
        }
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
    } catch (const std::exception&) { // there is nobody left to tell
    }
}

void Classroom::State::give_up(base::Error why) {
    error = std::move(why);
    models.clear();
    now = ClassSnapshot::State::empty;
    try {
        publish();
    } catch (const std::exception&) { // what was thrown may be thrown again
    }
}

void Classroom::State::grant(Wish wish, const std::stop_token& ending) {
    using S = ClassSnapshot::State;
    if (auto* asked = std::get_if<Open>(&wish)) open(std::move(asked->plans));
    if (auto* asked = std::get_if<Show>(&wish)) {
        if (lesson && asked->pair < lesson->pairs.size()) shown = asked->pair;
        for (Learning& model : models) align_film(model);
    }
    if (auto* asked = std::get_if<Align>(&wish)) {
        by = asked->by;
        for (Learning& model : models) align_film(model);
    }
    if (std::holds_alternative<Resume>(wish)) resume(ending);
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
            for (Learning& model : models) measure(model, kWatched, ending);
        }
    }
    publish();
}

void Classroom::State::begin() {
    models.clear();
    lesson = nullptr;
    error.reset();
    save_error.reset();
    shown = 0;
    rate = 0;
    discarded = false;
    saved = Clock::now();
    saver.begin();
    now = ClassSnapshot::State::preparing;
    publish();
    now = ClassSnapshot::State::empty;
}

void Classroom::State::take_in(std::unique_ptr<train::Training> training, train::History history) {
    Learning model;
    model.seen.plan = training->plan();
    model.seen.step = model.saved = training->steps_done();
    model.seen.best_step = training->early_stop().best_step;
    model.seen.gave_up = training->early_stop().should_stop();
    *model.history = std::move(history);
    model.training = std::move(training);
    models.push_back(std::move(model));
}

void Classroom::State::resume(const std::stop_token& ending) {
    begin();
    auto pupils = resume_class(saver.folder(), team);
    if (!pupils) {
        error = pupils.error();
        return;
    }
    lesson = pupils->front().training->lesson();
    for (ResumedPupil& pupil : *pupils) {
        take_in(std::move(pupil.training), std::move(pupil.history));
    }
    const bool over = finished();
    for (Learning& model : models) {
        measure(model, over ? lesson->pairs.size() : kWatched, ending);
        align_film(model);
    }
    now = over ? ClassSnapshot::State::finished : ClassSnapshot::State::paused;
}

bool Classroom::State::unsaved() const {
    return std::any_of(models.begin(), models.end(),
                       [](const Learning& m) { return m.seen.step != m.saved; });
}

/// Where there is anything new.
void Classroom::State::save() {
    saved = Clock::now();
    if (discarded || saver.folder().empty() || !unsaved()) return;
    std::vector<SavedPupil> pupils;
    for (const Learning& model : models)
        pupils.push_back({model.training.get(), model.history.get()});
    const auto ok = saver.save(pupils, team);
    save_error = ok ? std::nullopt : std::optional(ok.error());
    for (Learning& model : models) {
        if (ok) model.saved = model.seen.step;
    }
    saved = Clock::now();
}

void Classroom::State::open(std::vector<train::Plan> plans) {
    begin();
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
        take_in(*std::move(training), {});
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
        save();
        publish();
    } else if (Clock::now() - pictured > kBetweenPictures) {
        publish();
    }
    if (Clock::now() - saved > kBetweenSaves) save();
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
    const bool frame = train::is_film_step(model.seen.step);
    if (train::is_measured_step(model.seen.step, model.seen.plan.steps)) {
        measure(model, kWatched, ending);
        observe(model);
    }
    if (frame || model.seen.finished()) film(model);
}

/// The best so far is kept; where nothing better comes, it is a frame of its own.
void Classroom::State::observe(Learning& model) {
    if (model.seen.plan.patience == 0 || !model.seen.held_out) return;
    if (model.training->observe(model.seen.held_out->measures.loss)) {
        model.best = model.training->model(team);
    }
    model.seen.best_step = model.training->early_stop().best_step;
    model.seen.gave_up = model.training->early_stop().should_stop();
    if (!model.seen.gave_up || !model.best) return;
    std::vector<train::Frame>& film = model.history->film;
    const auto at = std::find_if(film.begin(), film.end(), [&](const train::Frame& frame) {
        return frame.step >= model.seen.best_step;
    });
    if (at != film.end() && at->step == model.seen.best_step) return;
    film.insert(at, {model.seen.best_step, model.best, shown, std::nullopt, nullptr});
}

void Classroom::State::measure(Learning& model, std::size_t sentences,
                               const std::stop_token& ending) {
    auto found = train::evaluate(team, model.training->model(team), *lesson, sentences, ending);
    if (!found) {
        if (found.error().kind != base::ErrorKind::cancelled) model.seen.error = found.error();
        return;
    }
    const auto before = head_of(model.seen, by);
    model.seen.held_out = std::make_shared<const train::Evaluation>(*std::move(found));
    auto& points = model.history->held_out;
    if (!points.empty() && points.back().step == model.seen.step) points.pop_back();
    points.push_back({model.seen.step, model.seen.held_out->measures});
    if (head_of(model.seen, by) != before) align_film(model);
}

void Classroom::State::film(Learning& model) {
    model.history->film.push_back(
        {model.seen.step, model.training->model(team), shown, std::nullopt, nullptr});
    align_film(model);
}

/// Every frame shows the same pair, by the same head.
void Classroom::State::align_film(Learning& model) {
    const auto head = head_of(model.seen, by);
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
    snapshot->aligned_by = by;
    snapshot->saves = saves;
    snapshot->save_error = save_error;
    std::uint64_t left = 0;
    for (Learning& model : models) {
        if (!model.seen.model || model.pictured != model.seen.step) {
            model.seen.model = model.training->model(team);
            model.pictured = model.seen.step;
        }
        const Watched watched{model.seen.step, shown, head_of(model.seen, by)};
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

Classroom::Classroom(std::function<void()> published, int threads, std::string folder)
    : state_(std::make_unique<State>(std::move(published), threads, std::move(folder))) {
    state_->newest.set(std::make_shared<const ClassSnapshot>());
    state_->worker =
        std::jthread([state = state_.get()](std::stop_token ending) { state->work(ending); });
}
Classroom::~Classroom() = default;

void Classroom::open(std::vector<train::Plan> plans) { state_->ask(Open{std::move(plans)}); }
void Classroom::resume() { state_->ask(Resume{}); }
void Classroom::save() { state_->ask(Save{}); }
void Classroom::discard() { state_->ask(Discard{}); }
void Classroom::align_by(AlignedBy by) { state_->ask(Align{by}); }
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
