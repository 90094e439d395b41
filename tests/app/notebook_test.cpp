// python/heed.py, as a notebook uses it (tests/app/notebook.py).
#include "catch.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"

#include <cstdlib>
#include <string>

namespace {

/// Debian's own, before any other that is on the PATH; empty without NumPy.
std::string python_with_numpy() {
    for (const std::string python : {"/usr/bin/python3", "python3"}) {
        if (std::system((python + " -c 'import numpy' >/dev/null 2>&1").c_str()) == 0) {
            return python;
        }
    }
    return {};
}

} // namespace

TEST_CASE("a notebook shows, draws, saves, loads and runs with python/heed.py") {
    const std::string python = python_with_numpy();
    if (python.empty()) {
        WARN("no python3 with NumPy is installed (Debian: python3-numpy); skipped");
        return;
    }
    const TemporaryFolder folder;
    const std::string source = HEED_SOURCE_DIR;
    const std::string said = folder / "said.txt";
    const std::string command = "HEED=" HEED_BINARY_DIR "/bin/heed PYTHONDONTWRITEBYTECODE=1 " +
                                python + " " + source + "/tests/app/notebook.py " + source +
                                "/python '" + folder.path() + "' >'" + said + "' 2>&1";
    const int code = std::system(command.c_str());
    INFO(folder.bytes("said.txt"));
    CHECK(code == 0);
}
