#include "app/engine/engine.hpp"

#include "app/engine/computation.hpp"
#include "base/mailbox.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace heed::app {

namespace {

using Clock = std::chrono::steady_clock;

/// A run that is over within this time is let finish when a newer request comes: a slider that is
/// dragged then shows every step that the machine can make, where stopping each run at the next
/// frame would show none.
constexpr std::chrono::milliseconds kGrace{100};

bool same_answer(const Request& a, const Request& b) {
    return a.document == b.document && a.focus == b.focus && a.needs == b.needs &&
           a.reference == b.reference;
}

} // namespace

struct Engine::State {
    State(std::function<void()> callback, int n_threads)
        : published(std::move(callback)), computation(n_threads) {
        computation.watch_reading(
            [this](const std::string& file, double fraction) { return watch(file, fraction); });
    }

    std::function<void()> published;
    base::Mailbox<Request> mailbox;
    base::Published<std::shared_ptr<const Snapshot>> newest;

    std::mutex mutex; // guards all below
    std::condition_variable answered;
    std::uint64_t last_revision = 0;
    std::uint64_t published_revision = 0;
    bool computing = false;
    bool refining = false;
    bool likely_short = true;
    Clock::time_point begun;
    std::stop_source current;

    std::optional<ModelReading> reading;
    Clock::time_point reading_begun, reading_told;
    std::uint64_t computing_revision = 0;
    const Request* computed = nullptr; // at present
    std::uint64_t reading_stopped = 0; // of requests up to this one
    bool closing = false;

    Computation computation; // of the worker alone
    std::jthread worker;     // last: it is joined before anything above dies

    bool watch(const std::string& file, double fraction);
    void work(const std::stop_token& ending);
    void refine(const std::stop_token& stop);
    void publish(std::shared_ptr<const Snapshot> snapshot);
};

/// Tells whoever looks now and then; a tensor takes from microseconds to a second.
bool Engine::State::watch(const std::string& file, double fraction) {
    constexpr std::chrono::milliseconds kNowAndThen{100};
    const Clock::time_point now = Clock::now();
    {
        const std::lock_guard lock(mutex);
        if (fraction == 0) {
            reading_begun = reading_told = now;
        }
        const std::chrono::duration<double> seconds = now - reading_begun;
        if (closing || computing_revision <= reading_stopped) return false;
        reading = {file, fraction, seconds.count()};
        if (fraction >= 1) reading.reset();
        if (now - reading_told < kNowAndThen) return true;
        reading_told = now;
    }
    if (published) published();
    return true;
}

void Engine::State::work(const std::stop_token& ending) {
    while (auto request = mailbox.take(ending)) {
        std::stop_token stop;
        {
            const std::lock_guard lock(mutex);
            current = std::stop_source();
            stop = current.get_token();
            computing = true;
            computing_revision = request->revision;
            computed = &*request;
            begun = Clock::now();
        }
        if (ending.stop_requested()) return;
        auto snapshot = computation.answer(*request, stop);
        {
            const std::lock_guard lock(mutex);
            computing = false;
            computed = nullptr;
            reading.reset();
            likely_short = Clock::now() - begun < kGrace;
            refining = snapshot != nullptr;
            current = std::stop_source();
            stop = current.get_token();
        }
        if (!snapshot) continue;
        publish(std::move(snapshot));
        refine(stop);
    }
}

/// Goes on with what nobody waits for until it is done or a request comes.
void Engine::State::refine(const std::stop_token& stop) {
    while (!mailbox.has_newer()) {
        auto snapshot = computation.refine(stop);
        if (!snapshot) break;
        publish(std::move(snapshot));
    }
    {
        const std::lock_guard lock(mutex);
        refining = false;
    }
    answered.notify_all();
}

void Engine::State::publish(std::shared_ptr<const Snapshot> snapshot) {
    const std::uint64_t revision = snapshot->revision;
    newest.set(std::move(snapshot));
    {
        const std::lock_guard lock(mutex);
        published_revision = revision;
    }
    answered.notify_all();
    if (published) published();
}

Engine::Engine(std::function<void()> published, int threads)
    : state_(std::make_unique<State>(std::move(published), threads)) {
    state_->newest.set(std::make_shared<const Snapshot>());
    state_->worker =
        std::jthread([state = state_.get()](std::stop_token ending) { state->work(ending); });
}

Engine::~Engine() {
    state_->worker.request_stop();
    {
        const std::lock_guard lock(state_->mutex);
        state_->current.request_stop();
        state_->closing = true;
    }
    state_->worker.join();
}

std::uint64_t Engine::submit(const Document& document, const Focus& focus, const Needs& needs,
                             const std::optional<Reference>& reference) {
    State& s = *state_;
    const std::lock_guard lock(s.mutex);
    const std::uint64_t revision = ++s.last_revision;
    Request request{revision, document, focus, needs, reference};
    if (s.reading && s.reading->file != document.model_file) s.reading_stopped = revision - 1;
    const bool let_finish = (s.likely_short && Clock::now() - s.begun < kGrace) ||
                            (s.computed && same_answer(*s.computed, request));
    s.mailbox.put(std::move(request));
    if (s.refining || (s.computing && !let_finish)) s.current.request_stop();
    return revision;
}

std::shared_ptr<const Snapshot> Engine::latest() const { return state_->newest.get(); }

std::optional<ModelReading> Engine::reading() const {
    const std::lock_guard lock(state_->mutex);
    auto reading = state_->reading;
    if (reading) { // a tensor that is read for long says nothing meanwhile
        reading->seconds =
            std::chrono::duration<double>(Clock::now() - state_->reading_begun).count();
    }
    return reading;
}

void Engine::stop_reading() {
    const std::lock_guard lock(state_->mutex);
    state_->reading_stopped = state_->last_revision;
}

bool Engine::busy() const {
    const std::lock_guard lock(state_->mutex);
    return state_->published_revision < state_->last_revision;
}

std::shared_ptr<const Snapshot> Engine::wait_for(std::uint64_t revision) {
    {
        std::unique_lock lock(state_->mutex);
        state_->answered.wait(lock, [&] { return state_->published_revision >= revision; });
    }
    return latest();
}

std::shared_ptr<const Snapshot>
Engine::wait_for_all(std::optional<std::chrono::steady_clock::time_point> until) {
    {
        State& s = *state_;
        std::unique_lock lock(s.mutex);
        const auto answered = [&] { return s.published_revision >= s.last_revision; };
        const auto all = [&] { return answered() && !s.refining; };
        s.answered.wait(lock, until ? std::function<bool()>(answered) : std::function<bool()>(all));
        if (until) s.answered.wait_until(lock, *until, all);
    }
    return latest();
}

bool Engine::refining() const {
    const std::lock_guard lock(state_->mutex);
    return state_->refining;
}

} // namespace heed::app
