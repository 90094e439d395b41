// Opens and saves files on a thread of its own, in the order in which that was asked for: a slow
// disk never holds up the window.
#pragma once

#include "app/files/open_file.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

namespace heed::app {

struct FileOpened {
    std::string path;
    base::Result<Opened> result;
};
struct FileSaved {
    std::string path;
    base::Result<void> result;
};
using FileDone = std::variant<FileOpened, FileSaved>;

class FileDesk {
  public:
    FileDesk();
    /// Waits until all that was asked for is done.
    ~FileDesk() = default;
    FileDesk(const FileDesk&) = delete;
    FileDesk& operator=(const FileDesk&) = delete;

    void open(const std::string& path);
    void save(const Session& session, const std::string& path);
    /// True where anything that was asked for has not been taken.
    bool busy() const;
    /// The next thing that is done, once.
    std::optional<FileDone> take();

  private:
    using Job = std::function<FileDone()>;
    void ask(Job job);
    void work(const std::stop_token& ending);

    mutable std::mutex mutex_; // guards the next four
    std::condition_variable_any asked_;
    std::deque<Job> jobs_;
    std::deque<FileDone> done_;
    std::size_t not_taken_ = 0;
    std::jthread worker_; // last: it is joined before anything above dies
};

} // namespace heed::app
