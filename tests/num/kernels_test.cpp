// The kernels of the instruction sets are one source compiled several times. If two of those
// objects shared an inline function, the linker would keep either, and the program could meet an
// instruction that its processor lacks.
#include "catch.hpp"
#include "num/kernels.hpp"
#include "num/product.hpp"
#include "paths.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string output_of(const std::string& command, int& status) {
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    status = pclose(pipe);
    return text;
}

} // namespace

TEST_CASE("kernel objects share no weak symbol") {
    int status = 0;
    output_of("nm --version 2>/dev/null", status);
    if (status != 0) {
        WARN("nm is not installed: the symbols of the kernels were not looked at");
        return;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    WARN("a sanitizer adds weak symbols of its own: the kernels' were not looked at");
    return;
#endif
    int objects = 0;
    std::string offences;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_BINARY_DIR "/CMakeFiles")) {
        const auto name = entry.path().filename().string();
        if (name.rfind("kernels_", 0) != 0 || entry.path().extension() != ".o") continue;
        const auto directory = entry.path().string();
        if (directory.find("heed_num_") == std::string::npos) continue;
        ++objects;
        const auto isa = directory.substr(directory.find("heed_num_") + 9);
        const auto own = "Eigen_heed_" + isa.substr(0, isa.find('.'));
        std::string symbols = output_of("nm -C --defined-only '" + directory + "'", status);
        REQUIRE(status == 0);
        for (std::size_t at = 0, end; (end = symbols.find('\n', at)) != std::string::npos;
             at = end + 1) {
            const std::string line = symbols.substr(at, end - at);
            if (line.size() < 20) continue;
            const char kind = line[17];
            const bool weak =
                kind == 'W' || kind == 'w' || kind == 'V' || kind == 'v' || kind == 'u';
            if (weak && line.find(own) == std::string::npos) offences += name + ": " + line + "\n";
        }
    }
    CHECK(objects >= 3);
    CHECK(offences == "");
}

TEST_CASE("the instruction set in use has a name") {
    const auto name = heed::num::instruction_set();
    CHECK((name == "base" || name == "v3" || name == "v4"));
    const char* wish = std::getenv("HEED_ISA");
    if (wish && std::string(wish) == "base") CHECK(name == "base");
}
