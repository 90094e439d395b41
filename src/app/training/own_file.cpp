#include "app/training/own_file.hpp"

#include "train/data/data_file.hpp"
#include "train/data/dataset.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using Found = base::Result<OwnFile>;

base::Result<OwnFile> read_own_file(const ExperimentForm& form, const std::stop_token& stop) {
    const auto stopped = [&] { return base::fail(ErrorKind::cancelled, form.file, "not read"); };
    const std::vector<train::Plan> plans = plans_of(form);
    if (plans.empty()) {
        return base::fail(ErrorKind::usage, "", "no model is chosen; choose one to learn");
    }
    for (const train::Plan& plan : plans) {
        if (auto ok = train::check(plan); !ok) return tl::make_unexpected(ok.error());
    }
    const train::Plan& plan = plans.front(); // sentences and vectors are those of all
    if (stop.stop_requested()) return stopped();
    const auto dataset = train::prepare_dataset(plan.task, plan.sentences);
    if (!dataset) return tl::make_unexpected(dataset.error());
    if (stop.stop_requested()) return stopped();
    if (!plan.vectors.empty()) {
        const auto vectors = train::read_word_vectors(plan.vectors, &(*dataset)->vocabulary);
        if (!vectors) return tl::make_unexpected(vectors.error());
    }
    return OwnFile{(*dataset)->training.size(), (*dataset)->pairs.size()};
}

namespace {

Found read_or_error(const ExperimentForm& form, const std::stop_token& stop) {
    try {
        return read_own_file(form, stop);
    } catch (const std::bad_alloc&) {
        return base::fail(ErrorKind::unavailable, form.file, "there is not enough memory for it");
    } catch (const std::exception& thrown) {
        return base::fail(ErrorKind::unsupported, "a mistake in Heed", thrown.what());
    }
}

} // namespace

struct OwnFileReader::State {
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<ExperimentForm> wish; // that is not being read yet
    std::optional<Found> answer;
    std::optional<std::stop_source> reading; // of what is read and wanted
    std::jthread worker;                     // last: it uses the rest

    ~State() {
        const std::lock_guard lock(mutex);
        drop();
    }
    /// Lets go of every question and answer. Requires the lock.
    void drop() {
        wish.reset();
        answer.reset();
        if (reading) reading->request_stop();
        reading.reset();
    }
    void work(const std::stop_token& ending);
};

void OwnFileReader::State::work(const std::stop_token& ending) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, ending, [&] { return wish.has_value(); })) {
        const ExperimentForm form = *std::exchange(wish, std::nullopt);
        reading.emplace();
        const std::stop_token stop = reading->get_token();
        lock.unlock();
        Found found = read_or_error(form, stop);
        lock.lock();
        if (stop.stop_requested()) continue; // another is wanted, or none
        reading.reset();
        answer = std::move(found);
        changed.notify_all();
    }
}

OwnFileReader::OwnFileReader() : state_(std::make_unique<State>()) {}
OwnFileReader::~OwnFileReader() = default;

void OwnFileReader::ask(ExperimentForm form, std::chrono::milliseconds moment) {
    std::unique_lock lock(state_->mutex);
    state_->drop();
    state_->wish = std::move(form);
    if (!state_->worker.joinable()) {
        state_->worker =
            std::jthread([state = state_.get()](const std::stop_token& end) { state->work(end); });
    }
    state_->changed.notify_all();
    state_->changed.wait_for(lock, moment, [&] { return state_->answer.has_value(); });
}

std::optional<Found> OwnFileReader::take() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->answer, std::nullopt);
}

void OwnFileReader::forget() {
    const std::lock_guard lock(state_->mutex);
    state_->drop();
}

bool OwnFileReader::asks() const {
    const std::lock_guard lock(state_->mutex);
    return state_->wish || state_->reading || state_->answer;
}

} // namespace heed::app
