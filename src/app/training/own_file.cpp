#include "app/training/own_file.hpp"

#include "train/data/data_file.hpp"
#include "train/data/dataset.hpp"
#include "train/data/own_sentences.hpp"
#include "train/tasks/task.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using Found = base::Result<OwnFile>;

base::Result<OwnFile> read_own_file(const ExperimentForm& form, const std::stop_token& stop) {
    const std::vector<train::Plan> plans = plans_of(form);
    if (plans.empty()) {
        return base::fail(ErrorKind::usage, "", "no model is chosen; choose one to learn");
    }
    for (const train::Plan& plan : plans) {
        if (auto ok = train::check(plan); !ok) return tl::make_unexpected(ok.error());
    }
    const train::Plan& plan = plans.front(); // sentences and vectors are those of all
    const auto dataset = train::prepare_dataset(plan.task, plan.sentences, stop);
    if (!dataset) return tl::make_unexpected(dataset.error());
    if (stop.stop_requested())
        return base::fail(ErrorKind::cancelled, form.file, "it is not read any more");
    if (!plan.vectors.empty()) {
        train::DataLimits limits;
        limits.stop = stop;
        const auto vectors =
            train::read_word_vectors(plan.vectors, &(*dataset)->vocabulary, limits);
        if (!vectors) return tl::make_unexpected(vectors.error());
    }
    return OwnFile{(*dataset)->training.size(), (*dataset)->pairs.size(),
                   train::words_of((*dataset)->left_out, train::is_classification(plan.task))};
}

namespace {

Found read_or_error(const OwnFileReader::Read& read, const ExperimentForm& form,
                    const std::stop_token& stop) {
    try {
        return read(form, stop);
    } catch (const std::bad_alloc&) {
        return base::fail(ErrorKind::unavailable, form.file, "there is not enough memory for it");
    } catch (const std::exception& thrown) {
        return base::fail(ErrorKind::unsupported, "a mistake in Heed", thrown.what());
    }
}

} // namespace

struct OwnFileReader::State {
    Read read;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::optional<ExperimentForm> wish; // that is not being read yet
    std::optional<Found> answer;
    std::optional<std::stop_source> reading; // of what is read and wanted
    int threads = 0, resting = 0;            // of them, those that wait for a wish
    bool ended = false;

    /// Lets go of every question and answer. Requires the lock.
    void drop() {
        wish.reset();
        answer.reset();
        if (reading) reading->request_stop();
        reading.reset();
    }
    void work();
};

void OwnFileReader::State::work() {
    std::unique_lock lock(mutex);
    for (;;) {
        ++resting;
        changed.wait(lock, [&] { return wish || ended; });
        --resting;
        if (ended) break;
        const ExperimentForm form = *std::exchange(wish, std::nullopt);
        reading.emplace();
        const std::stop_token stop = reading->get_token();
        lock.unlock();
        Found found = read_or_error(read, form, stop);
        lock.lock();
        if (stop.stop_requested()) continue; // another is wanted, or none
        reading.reset();
        answer = std::move(found);
        changed.notify_all();
    }
    --threads;
    changed.notify_all();
}

OwnFileReader::OwnFileReader(Read read) : state_(std::make_shared<State>()) {
    state_->read = std::move(read);
}

OwnFileReader::~OwnFileReader() {
    constexpr std::chrono::milliseconds kMost(500); // from one line to the next it is far less
    std::unique_lock lock(state_->mutex);
    state_->drop();
    state_->ended = true;
    state_->changed.notify_all();
    state_->changed.wait_for(lock, kMost, [&] { return state_->threads == 0; });
}

void OwnFileReader::ask(ExperimentForm form, std::chrono::milliseconds moment) {
    constexpr int kMostThreads = 4; // of which three hang
    std::unique_lock lock(state_->mutex);
    state_->drop();
    state_->wish = std::move(form);
    if (state_->resting == 0 && state_->threads < kMostThreads) {
        try {
            std::thread([state = state_] { state->work(); }).detach(); // a disk may never answer
            ++state_->threads;
        } catch (const std::system_error&) {
            state_->answer = base::fail(ErrorKind::unavailable, state_->wish->file,
                                        "no thread can be had to read it");
            state_->wish.reset();
        }
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
