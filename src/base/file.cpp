#include "base/file.hpp"

#include "base/descriptor.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heed::base {

namespace {

tl::unexpected<Error> not_opened(const std::string& path) {
    const auto kind = errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable;
    return fail(kind, path, std::string("cannot be opened: ") + std::strerror(errno));
}

const char* name_of_special(mode_t mode) {
    if (S_ISDIR(mode)) return "folder";
    if (S_ISFIFO(mode)) return "pipe";
    return S_ISSOCK(mode) ? "socket" : "device";
}

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

/// The same of any number, to a tenth.
std::string rounded_words(std::size_t bytes) {
    constexpr double kStep = 1024;
    double size = static_cast<double>(bytes);
    const char* unit = "bytes";
    for (const char* larger : {"KB", "MB", "GB"}) {
        if (size < kStep) break;
        size /= kStep;
        unit = larger;
    }
    std::string number = fmt::format("{:.1f}", size);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return fmt::format("{} {}", number, unit);
}

tl::unexpected<Error> too_large(const std::string& path, std::size_t size, std::size_t max_bytes) {
    const std::string most = size_words(max_bytes);
    std::string found = rounded_words(size);
    if (found == most) found = fmt::format("{} bytes", size);
    return fail(ErrorKind::out_of_range, path,
                fmt::format("is {}; at most {} are read", found, most));
}

/// Adds to `bytes` what there is to read.
Result<std::string> read_all(int fd, const std::string& name, std::size_t max_bytes,
                             std::string bytes) {
    char buffer[1 << 16];
    for (;;) {
        const ssize_t count = ::read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            return fail(ErrorKind::unreadable, name,
                        std::string("cannot be read: ") + std::strerror(errno));
        }
        if (count == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(count));
        if (bytes.size() > max_bytes) {
            return fail(ErrorKind::out_of_range, name,
                        fmt::format("is larger than {}; no more are read", size_words(max_bytes)));
        }
    }
}

} // namespace

Result<void> check_file(const std::string& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) return not_opened(path);
    if (S_ISREG(status.st_mode)) return {};
    return fail(ErrorKind::unreadable, path,
                fmt::format("is not a file but a {}", name_of_special(status.st_mode)));
}

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
    if (auto ok = check_file(path); !ok) return tl::make_unexpected(ok.error());
    // Should it have become a pipe since, that is not waited for.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) return not_opened(path);
    std::string bytes;
    struct stat status;
    if (::fstat(file.get(), &status) == 0 && status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        if (size > max_bytes) return too_large(path, size, max_bytes);
        bytes.reserve(size); // a model would else be copied each time the string grows
    }
    return read_all(file.get(), path, max_bytes, std::move(bytes));
}

Result<std::string> read_standard_input(std::size_t max_bytes) {
    return read_all(STDIN_FILENO, "standard input", max_bytes, {});
}

} // namespace heed::base
