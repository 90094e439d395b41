#include "app/inside/corpus_desk.hpp"

#include "base/file.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

namespace heed::app {

namespace {

using base::Result;

constexpr std::size_t kMostRead = std::size_t{1} << 30;
constexpr std::size_t kKeptLines = 8; // a score and head

/// Half of the cores: the window and its engine have the rest.
int corpus_threads() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
}

/// The file of gold alignments beside a corpus; empty: none.
std::string alignments_beside(const std::string& path) {
    for (const char* suffix : {".align", ".talp"}) {
        std::error_code error;
        if (std::filesystem::is_regular_file(path + suffix, error)) return path + suffix;
    }
    return {};
}

Result<std::optional<GoldCorpus>> gold_in(const std::string& path, std::string_view corpus) {
    if (path.empty()) return std::nullopt;
    const auto bytes = base::read_file(path, kMostRead);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto gold = read_gold(*bytes, path, lines_of(corpus).size());
    if (!gold) return tl::make_unexpected(gold.error());
    return *std::move(gold);
}

/// The top lines of all heads.
std::map<std::size_t, std::string> top_lines(const HeadCorpus& corpus, std::string_view text) {
    const auto lines = lines_of(text);
    std::map<std::size_t, std::string> found;
    for (const CorpusHead& head : corpus.heads) {
        for (const auto& top : head.top) {
            for (const TopLine& at : top) found.try_emplace(at.line, lines[at.line - 1]);
        }
    }
    return found;
}

Result<std::shared_ptr<const CorpusFound>>
found_in(const CorpusTask& task, const std::stop_token& stop,
         const std::function<void(const CorpusProgress&)>& told) {
    auto text = base::read_file(task.path, kMostRead);
    if (!text) return tl::make_unexpected(text.error());
    const bool aligns = task.model->traits().aligning_attention().has_value();
    CorpusFound found{task, aligns ? alignments_beside(task.path) : std::string()};
    const auto gold = gold_in(found.alignments, *text);
    if (!gold) found.gold_error = gold.error();
    num::ThreadPool pool(corpus_threads());
    auto means = std::make_shared<CorpusMeans>();
    means->model = task.model;
    means->name = std::filesystem::path(task.path).filename().string();
    CorpusPlan plan;
    plan.model = task.model;
    plan.model_name = task.model_name;
    plan.corpus_name = means->name;
    plan.path = task.path;
    plan.text = *text;
    plan.document = task.document;
    plan.sequences = task.sequences;
    plan.most_top = kKeptLines;
    plan.means = &means->means;
    plan.gold = gold && *gold ? &**gold : nullptr;
    auto measured = measure_corpus(plan, pool, stop, told);
    if (!measured && plan.gold && measured.error().kind != base::ErrorKind::cancelled) {
        found.gold_error = measured.error(); // no line goes with it
        plan.gold = nullptr;
        measured = measure_corpus(plan, pool, stop, told);
    }
    if (!measured) return tl::make_unexpected(measured.error());
    if (found.gold_error) found.alignments.clear();
    found.lines = top_lines(measured->corpus, *text);
    found.measured = *std::move(measured);
    if (means->means.tokens() > 0) found.means = std::move(means);
    return std::make_shared<const CorpusFound>(std::move(found));
}

} // namespace

struct CorpusDesk::State {
    mutable std::mutex mutex;
    mutable std::condition_variable rests;
    CorpusState now;
    std::jthread worker; // the last member: ends first

    void run(const CorpusTask& task, const std::stop_token& stop) {
        using Clock = std::chrono::steady_clock;
        const auto begun = Clock::now();
        const auto told = [&](const CorpusProgress& progress) {
            const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
            const std::lock_guard lock(mutex);
            now.progress = progress;
            if (progress.done == 0) return;
            now.seconds_left = seconds * static_cast<double>(progress.all - progress.done) /
                               static_cast<double>(progress.done);
        };
        Result<std::shared_ptr<const CorpusFound>> found = nullptr;
        try {
            found = found_in(task, stop, told);
        } catch (const std::exception& thrown) {
            found = base::fail(base::ErrorKind::unavailable, "a mistake in Heed", thrown.what());
        }
        const std::lock_guard lock(mutex);
        now.measuring = false;
        if (found) {
            now.found = *std::move(found);
        } else if (found.error().kind != base::ErrorKind::cancelled) {
            now.error = found.error();
        }
        rests.notify_all();
    }
};

CorpusDesk::CorpusDesk() : state_(std::make_unique<State>()) {}
CorpusDesk::~CorpusDesk() = default;

void CorpusDesk::measure(CorpusTask task) {
    stop();
    {
        const std::lock_guard lock(state_->mutex);
        CorpusState next;
        next.measuring = true;
        next.path = task.path;
        next.found = state_->now.found;
        state_->now = std::move(next);
    }
    state_->worker = std::jthread([state = state_.get(), task = std::move(task)](
                                      const std::stop_token& stop) { state->run(task, stop); });
}

void CorpusDesk::stop() {
    if (!state_->worker.joinable()) return;
    state_->worker.request_stop();
    state_->worker.join();
}

CorpusState CorpusDesk::latest() const {
    const std::lock_guard lock(state_->mutex);
    return state_->now;
}

void CorpusDesk::wait() const {
    std::unique_lock lock(state_->mutex);
    state_->rests.wait(lock, [&] { return !state_->now.measuring; });
}

} // namespace heed::app
