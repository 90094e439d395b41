#include "app/learn/page_desk.hpp"

#include "base/mailbox.hpp"
#include "num/threads.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace heed::app {

namespace {

struct LookRequest {
    const lab::Page* page = nullptr;
    lab::Settings settings;
    std::shared_ptr<const models::Run> run;
    std::shared_ptr<const std::vector<text::Token>> said;
    std::optional<trace::HeadId> looked_at;
};

struct MeasureRequest {
    const lab::Page* page = nullptr;
    lab::Settings settings;
    std::stop_token stop;
};

/// An exception of a page as an error: it is a mistake of Heed's, and no end of the window.
template <class Work> base::Result<void> guarded(Work&& work) {
    try {
        work();
        return {};
    } catch (const std::exception& thrown) {
        return base::fail(base::ErrorKind::unavailable, "a mistake in Heed", thrown.what());
    }
}

void note_failure(PageSnapshot& snapshot, const lab::Page* page, const base::Error& error) {
    snapshot.error = error;
    snapshot.failed = page;
}

void name_said(std::vector<std::string>& rows, const std::vector<text::Token>& read,
               const std::vector<text::Token>& said) {
    const std::size_t n = rows.size();
    if (n > read.size() || n > said.size()) return;
    const auto same = [](const std::string& row, const text::Token& t) { return row == t.text; };
    if (!std::equal(rows.begin(), rows.end(), read.begin(), same)) return; // of something else
    std::transform(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(n), rows.begin(),
                   [](const text::Token& token) { return token.text; });
}

} // namespace

void name_rows_said(lab::OnModel& seen, const models::Run& run,
                    const std::vector<text::Token>& said) {
    if (!seen.open || seen.open->kind != trace::AttentionKind::cross) return;
    const auto& read = run.trace.queries(seen.open->kind);
    for (lab::Picture& picture : seen.pictures) {
        if (auto* grid = std::get_if<lab::Grid>(&picture.data)) name_said(grid->rows, read, said);
        if (auto* bars = std::get_if<lab::Bars>(&picture.data)) name_said(bars->labels, read, said);
    }
}

struct PageDesk::State {
    explicit State(int threads) : pool(threads) {
        looker = std::jthread([this](const std::stop_token& stop) {
            while (const auto request = looks.take(stop)) {
                look(*request);
                end(looking);
            }
        });
        measurer = std::jthread([this](const std::stop_token& stop) {
            while (const auto request = measures.take(stop)) {
                measure(*request);
                end(measuring);
            }
        });
    }
    ~State() {
        const std::lock_guard lock(mutex);
        stopper.request_stop();
    }

    template <class Change> void change(Change&& make) {
        const std::lock_guard lock(mutex);
        auto next = std::make_shared<PageSnapshot>(*now);
        make(*next);
        const auto found = measured.find(next->page);
        const auto newest = found == measured.end() ? nullptr : found->second;
        if (newest != next->measured) ++next->version;
        next->measured = newest;
        now = std::move(next);
    }
    /// A request that was replaced before it was taken is done with the one that replaced it.
    void end(int& waiting) {
        const std::lock_guard lock(mutex);
        const bool newer = &waiting == &looking ? looks.has_newer() : measures.has_newer();
        waiting = newer ? 1 : 0;
        rests.notify_all();
    }

    /// The pictures at once; then what the model has to say, unless somebody turns on.
    void look(const LookRequest& request) {
        std::vector<lab::Picture> pictures;
        const auto ok = guarded([&] {
            if (request.page->look) pictures = request.page->look(request.settings);
        });
        change([&](PageSnapshot& next) {
            if (next.failed != request.page) next.error.reset();
            if (next.page != request.page || next.run != request.run) next.on_model.reset();
            next.page = request.page;
            next.settings = request.settings;
            next.pictures = std::move(pictures);
            ++next.version;
            next.run = request.run;
            if (!ok) note_failure(next, request.page, ok.error());
        });
        if (!request.run || !request.page->on_model || looks.has_newer()) return;
        std::optional<lab::OnModel> on_model;
        const auto asked = guarded([&] {
            on_model =
                lab::asked_of(*request.page, *request.run, request.settings, request.looked_at);
            if (on_model && request.said) name_rows_said(*on_model, *request.run, *request.said);
        });
        change([&](PageSnapshot& next) {
            next.on_model = std::move(on_model);
            ++next.version;
            if (!asked) note_failure(next, request.page, asked.error());
        });
    }

    void keep(const MeasureRequest& request, lab::Finding finding, bool whole) {
        auto kept = std::make_shared<Measured>();
        kept->settings = request.settings;
        kept->finding = std::move(finding);
        kept->whole = whole;
        const std::lock_guard lock(mutex);
        measured[request.page] = std::move(kept);
    }

    void measure(const MeasureRequest& request) {
        change([&](PageSnapshot& next) {
            next.measuring = request.page;
            next.done = 0;
            next.doing.clear();
            next.error.reset();
        });
        constexpr auto kTold = std::chrono::milliseconds(50); // more often nobody sees it
        auto told = std::chrono::steady_clock::now() - kTold;
        lab::Work work{pool, request.stop, {}};
        work.tell = [&](double done, const std::string& words, const lab::Finding* so_far) {
            const auto clock = std::chrono::steady_clock::now();
            if (!so_far && clock - told < kTold) return;
            told = clock;
            if (so_far && !request.stop.stop_requested()) keep(request, *so_far, false);
            change([&](PageSnapshot& next) {
                next.done = done;
                next.doing = words;
            });
        };
        base::Result<lab::Finding> found =
            base::fail(base::ErrorKind::cancelled, request.page->name, "was stopped");
        const auto ok = guarded([&] {
            if (!request.stop.stop_requested()) {
                found = lab::measure(*request.page, request.settings, work);
            }
        });
        const bool whole = found.has_value();
        if (whole) keep(request, *std::move(found), true);
        change([&](PageSnapshot& next) {
            next.measuring = nullptr;
            if (whole) {
                next.found = measured[request.page];
                next.found_of = request.page;
            }
            if (!ok) note_failure(next, request.page, ok.error());
            const bool failed = ok && !whole && found.error().kind != base::ErrorKind::cancelled;
            if (failed) note_failure(next, request.page, found.error());
        });
    }

    num::ThreadPool pool;
    mutable std::mutex mutex;
    mutable std::condition_variable rests;
    std::shared_ptr<const PageSnapshot> now = std::make_shared<const PageSnapshot>();
    std::map<const lab::Page*, std::shared_ptr<const Measured>> measured;
    std::stop_source stopper; // of the newest measurement
    int looking = 0, measuring = 0;
    base::Mailbox<LookRequest> looks;
    base::Mailbox<MeasureRequest> measures;
    std::jthread looker, measurer; // last: they end before what they read
};

PageDesk::PageDesk(int threads) : state_(std::make_unique<State>(threads)) {}
PageDesk::~PageDesk() = default;

void PageDesk::look(const lab::Page& page, const lab::Settings& settings,
                    std::shared_ptr<const models::Run> run,
                    std::shared_ptr<const std::vector<text::Token>> said,
                    std::optional<trace::HeadId> looked_at) {
    const std::lock_guard lock(state_->mutex);
    ++state_->looking;
    state_->looks.put({&page, settings, std::move(run), std::move(said), looked_at});
}

void PageDesk::measure(const lab::Page& page, const lab::Settings& settings) {
    const std::stop_source newest;
    const std::lock_guard lock(state_->mutex);
    state_->stopper.request_stop();
    state_->stopper = newest;
    ++state_->measuring;
    state_->measures.put({&page, settings, newest.get_token()});
}

void PageDesk::stop_measuring() {
    const std::lock_guard lock(state_->mutex);
    state_->stopper.request_stop();
}

std::shared_ptr<const PageSnapshot> PageDesk::latest() const {
    const std::lock_guard lock(state_->mutex);
    return state_->now;
}

bool PageDesk::busy() const {
    const std::lock_guard lock(state_->mutex);
    return state_->looking > 0 || state_->measuring > 0;
}

void PageDesk::wait() const {
    std::unique_lock lock(state_->mutex);
    state_->rests.wait(lock, [&] { return state_->looking == 0 && state_->measuring == 0; });
}

} // namespace heed::app
