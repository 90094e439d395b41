#include "base/descriptor.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace heed::base {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".heed.", kSuffix = ".part";

tl::unexpected<Error> not_written(const std::string& path, int error = errno) {
    const fs::path folder = fs::path(path).parent_path();
    std::error_code failed;
    const bool none = error == ENOENT && !folder.empty() && !fs::is_directory(folder, failed);
    return fail(ErrorKind::unwritable, path,
                "cannot be written: " +
                    (none ? "there is no folder " + folder.string() : std::strerror(error)));
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
bool is_special(const struct stat& status) {
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Result<void> write_in_place(const std::string& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() >= 0 && write_all(file.get(), bytes) && file.close() == 0) return {};
    return not_written(path);
}

/// Path that symbolic links lead to, so that they stay and the file they name is replaced, or made.
Result<fs::path> behind_links(fs::path path) {
    constexpr int kMostLinks = 40; // as the kernel follows
    const std::string given = path;
    for (int i = 0; i <= kMostLinks; ++i) {
        std::error_code no_link;
        const auto target = fs::read_symlink(path, no_link);
        if (no_link) return path;
        path = path.parent_path() / target;
    }
    return not_written(given, ELOOP);
}

/// ".heed.PROCESS.NUMBER.part"
bool is_temporary_name(std::string_view name) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
    if (name.size() < kPrefix.size() + kSuffix.size()) return false;
    name.remove_prefix(kPrefix.size());
    name.remove_suffix(kSuffix.size());
    return name.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// The lock goes with the program that holds it, however that ends.
bool lock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }

bool is_left_over(const fs::path& path) {
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const Descriptor file(::open(path.c_str(), flags));
    struct stat status;
    return file.get() >= 0 && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
           lock(file.get());
}

void remove_left_over_once(const std::string& folder) {
    static std::mutex mutex;
    static std::set<std::string> done; // guarded by the mutex
    {
        const std::lock_guard guard(mutex);
        if (!done.insert(folder).second) return;
    }
    remove_left_over(folder);
}

struct Temporary {
    std::string path;
    Descriptor file; // none: errno says why
};

/// A new file in the folder, locked so that nobody takes it for left over. Its name is not made of
/// that of the file that it becomes, which may be as long as a name can be.
Temporary make_temporary(const fs::path& folder, mode_t mode) {
    static std::atomic<unsigned> counter{0};
    remove_left_over_once(folder);
    for (;;) {
        Temporary made{folder / fmt::format("{}{}.{}{}", kPrefix, ::getpid(), counter++, kSuffix),
                       Descriptor()};
        made.file =
            Descriptor(::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (made.file.get() < 0 && errno == EEXIST) continue;
        if (made.file.get() < 0) return made;
        // Who removes what is left over may have met it before the lock: another one, then.
        const bool met = !lock(made.file.get()) && errno == EWOULDBLOCK;
        struct stat status;
        const bool gone = ::fstat(made.file.get(), &status) == 0 && status.st_nlink == 0;
        if (!met && !gone) return made;
    }
}

} // namespace

void remove_left_over(const std::string& folder) {
    std::error_code failed;
    fs::directory_iterator at(folder.empty() ? "." : folder, failed);
    for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
        const fs::path& path = at->path();
        if (is_temporary_name(path.filename().native()) && is_left_over(path)) {
            ::unlink(path.c_str());
        }
    }
}

Result<void> write_file_atomic(const std::string& given, std::string_view bytes) {
    struct stat status;
    const bool exists = ::stat(given.c_str(), &status) == 0;
    if (exists && is_special(status)) return write_in_place(given, bytes);
    const auto target = behind_links(given);
    if (!target) return tl::make_unexpected(target.error());
    const std::string path = *target;
    const mode_t mode = exists ? status.st_mode & 07777 : 0666;
    const Temporary temporary = make_temporary(target->parent_path(), mode & 0777);
    const int file = temporary.file.get();
    if (file < 0) return not_written(path);
    // Bits that the umask took. Where a file system knows none, the file is worth more than they.
    if (exists) static_cast<void>(::fchmod(file, mode));
    const bool written = write_all(file, bytes) && ::fsync(file) == 0 &&
                         std::rename(temporary.path.c_str(), path.c_str()) == 0;
    if (written) return {};
    const int error = errno;
    ::unlink(temporary.path.c_str());
    return not_written(path, error);
}

Result<void> try_to_write(const std::string& given) {
    struct stat status;
    const bool exists = ::stat(given.c_str(), &status) == 0;
    if (exists && S_ISFIFO(status.st_mode)) return {};
    if (exists && S_ISDIR(status.st_mode)) return not_written(given, EISDIR);
    if (exists && is_special(status)) {
        const Descriptor device(::open(given.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
        if (device.get() >= 0 && ::write(device.get(), "", 0) == 0) return {};
        return not_written(given);
    }
    const auto target = behind_links(given);
    if (!target) return tl::make_unexpected(target.error());
    const Temporary temporary = make_temporary(target->parent_path(), 0666);
    if (temporary.file.get() < 0) return not_written(given);
    const std::string block(4096, ' ');
    const bool written =
        write_all(temporary.file.get(), block) && ::fsync(temporary.file.get()) == 0;
    const int error = errno;
    ::unlink(temporary.path.c_str());
    if (written) return {};
    return not_written(given, error);
}

} // namespace heed::base
