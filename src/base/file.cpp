#include "base/file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace heed::base {

namespace {

/// Closes its descriptor when it leaves.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    int close() {
        const int result = fd_ >= 0 ? ::close(fd_) : 0;
        fd_ = -1;
        return result;
    }

  private:
    int fd_;
};

std::string reason() { return std::strerror(errno); }

/// "64 KB", "2 GB".
std::string size_words(std::size_t bytes) {
    constexpr std::size_t kStep = 1024;
    const char* unit = "bytes";
    for (const char* larger : {"KB", "MB", "GB"}) {
        if (bytes < kStep || bytes % kStep != 0) break;
        bytes /= kStep;
        unit = larger;
    }
    return fmt::format("{} {}", bytes, unit);
}

tl::unexpected<Error> too_large(const std::string& path, std::size_t max_bytes) {
    return fail(ErrorKind::out_of_range, path,
                fmt::format("files of this kind are limited to {}", size_words(max_bytes)));
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// A device or a pipe: renaming a file over it would destroy it.
Result<void> write_in_place(const std::string& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() >= 0 && write_all(file.get(), bytes) && file.close() == 0) return {};
    return fail(ErrorKind::unwritable, path, "cannot be written: " + reason());
}

/// Where symbolic links lead, so that they stay and the file they name is replaced, or made.
Result<std::filesystem::path> behind_links(std::filesystem::path path) {
    constexpr int kMostLinks = 40; // as the kernel follows
    const std::string given = path;
    for (int i = 0; i <= kMostLinks; ++i) {
        std::error_code no_link;
        const auto target = std::filesystem::read_symlink(path, no_link);
        if (no_link) return path;
        path = path.parent_path() / target;
    }
    return fail(ErrorKind::unwritable, given,
                std::string("cannot be written: ") + std::strerror(ELOOP));
}

} // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) {
        const auto kind = errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable;
        return fail(kind, path, "cannot be opened: " + reason());
    }
    std::string bytes;
    struct stat status;
    if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        if (size > max_bytes) return too_large(path, max_bytes);
        bytes.reserve(size); // a model would else be copied each time the string grows
    }
    char buffer[1 << 16];
    for (;;) {
        const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail(ErrorKind::unreadable, path, "cannot be read: " + reason());
        if (count == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(count));
        if (bytes.size() > max_bytes) return too_large(path, max_bytes);
    }
}

Result<void> write_file_atomic(const std::string& given, std::string_view bytes) {
    struct stat status;
    const bool exists = ::stat(given.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        return write_in_place(given, bytes);
    }
    const auto target = behind_links(given);
    if (!target) return tl::make_unexpected(target.error());
    const std::string path = *target;
    // Not made from the file's own name, which may be as long as a name can be.
    static std::atomic<unsigned> counter{0};
    const mode_t mode = exists ? status.st_mode & 07777 : 0666;
    std::string temporary;
    int opened = -1;
    do {
        temporary = target->parent_path() / fmt::format(".heed.{}.{}.part", ::getpid(), counter++);
        opened = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    } while (opened < 0 && errno == EEXIST);
    Descriptor file(opened);
    if (file.get() < 0) {
        return fail(ErrorKind::unwritable, path, "cannot be written: " + reason());
    }
    // Bits that the umask took. Where a file system knows none, the file is worth more than they.
    if (exists) static_cast<void>(::fchmod(file.get(), mode));
    const bool written = write_all(file.get(), bytes) && ::fsync(file.get()) == 0 &&
                         file.close() == 0 && std::rename(temporary.c_str(), path.c_str()) == 0;
    if (written) return {};
    const std::string why = reason();
    ::unlink(temporary.c_str());
    return fail(ErrorKind::unwritable, path, "cannot be written: " + why);
}

} // namespace heed::base
