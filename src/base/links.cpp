#include "base/links.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace heed::base {

namespace fs = std::filesystem;

Result<void> check_stays(const std::string& folder, const std::string& path) {
    std::error_code failed;
    const fs::path whole = fs::canonical(folder, failed);
    if (failed) return {}; // opening it says what is wrong
    const fs::path target = fs::canonical(path, failed);
    if (failed || target.parent_path() == whole) return {};
    const bool cached = whole.parent_path().filename() == "snapshots" &&
                        target.parent_path() == whole.parent_path().parent_path() / "blobs";
    if (cached) return {};
    return fail(
        ErrorKind::malformed, path,
        fmt::format("is a link out of its folder, to {}; copy the file here", target.string()));
}

} // namespace heed::base
