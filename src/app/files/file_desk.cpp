#include "app/files/file_desk.hpp"

#include <exception>
#include <utility>

namespace heed::app {

namespace {

/// Result of `act`. What is thrown is no file's fault: there is no memory for it.
template <class T, class Act> base::Result<T> guarded(const std::string& path, Act act) {
    try {
        return act();
    } catch (const std::exception& thrown) {
        return base::fail(base::ErrorKind::unavailable, path, thrown.what());
    }
}

} // namespace

FileDesk::FileDesk() : worker_([this](const std::stop_token& ending) { work(ending); }) {}

void FileDesk::ask(Job job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        ++not_taken_;
    }
    asked_.notify_one();
}

void FileDesk::open(const std::string& path) {
    ask([path]() -> FileDone {
        return FileOpened{path, guarded<Opened>(path, [&] { return read_opened(path); })};
    });
}

void FileDesk::save(const Session& session, const std::string& path) {
    ask([session, path]() -> FileDone {
        return FileSaved{path, guarded<void>(path, [&] { return save_session(session, path); })};
    });
}

bool FileDesk::busy() const {
    const std::lock_guard lock(mutex_);
    return not_taken_ > 0;
}

std::optional<FileDone> FileDesk::take() {
    const std::lock_guard lock(mutex_);
    if (done_.empty()) return std::nullopt;
    FileDone next = std::move(done_.front());
    done_.pop_front();
    --not_taken_;
    return next;
}

void FileDesk::work(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    while (asked_.wait(lock, ending, [&] { return !jobs_.empty(); })) {
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        FileDone done = job();
        lock.lock();
        done_.push_back(std::move(done));
    }
}

} // namespace heed::app
