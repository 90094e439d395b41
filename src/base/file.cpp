#include "base/file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
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

tl::unexpected<Error> too_large(const std::string& path, std::size_t max_bytes) {
    return fail(ErrorKind::out_of_range, path,
                fmt::format("is larger than the {} bytes allowed here", max_bytes));
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

/// Where a symbolic link leads, so that the link stays and the file it names is replaced.
std::string behind_links(const std::string& path) {
    char* const resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return path;
    std::string result = resolved;
    std::free(resolved);
    return result;
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
    const std::string path = exists ? behind_links(given) : given;
    static std::atomic<unsigned> counter{0};
    const std::string temporary = fmt::format("{}.{}.{}.part", path, ::getpid(), counter++);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) {
        return fail(ErrorKind::unwritable, path, "cannot be written: " + reason());
    }
    const bool written = write_all(file.get(), bytes) && ::fsync(file.get()) == 0 &&
                         file.close() == 0 && std::rename(temporary.c_str(), path.c_str()) == 0;
    if (written) return {};
    const std::string why = reason();
    ::unlink(temporary.c_str());
    return fail(ErrorKind::unwritable, path, "cannot be written: " + why);
}

} // namespace heed::base
