#include "base/open_file.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heed::base {

Result<OpenFile> OpenFile::open(const std::string& path) {
    if (auto ok = check_file(path); !ok) return tl::make_unexpected(ok.error());
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail(ErrorKind::unreadable, path, std::strerror(errno));
    struct stat found {};
    OpenFile file(path, 0, descriptor);
    if (::fstat(descriptor, &found) != 0) {
        return fail(ErrorKind::unreadable, path, std::strerror(errno));
    }
    if (!S_ISREG(found.st_mode)) return fail(ErrorKind::unreadable, path, "is no regular file");
    file.size_ = static_cast<std::uint64_t>(found.st_size);
    return file;
}

OpenFile::~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> OpenFile::read(std::uint64_t offset, std::span<char> to) const {
    while (!to.empty()) {
        const ssize_t n = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(ErrorKind::unreadable, path_, std::strerror(errno));
        if (n == 0) {
            return fail(
                ErrorKind::malformed, path_,
                fmt::format("ends at {} bytes; it had {} when it was opened", offset, size_));
        }
        offset += static_cast<std::uint64_t>(n);
        to = to.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

} // namespace heed::base
