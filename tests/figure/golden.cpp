#include "golden.hpp"
#include "paths.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

bool same_word(const std::string& a, const std::string& b) {
    if (a == b) return true;
    char *end_a = nullptr, *end_b = nullptr;
    const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
    const bool numbers = end_a != a.c_str() && *end_a == 0 && end_b != b.c_str() && *end_b == 0;
    return numbers && std::abs(x - y) <= 0.15;
}

bool same_line(const std::string& a, const std::string& b) {
    std::istringstream words_a(a), words_b(b);
    std::string x, y;
    while (words_a >> x) {
        if (!(words_b >> y) || !same_word(x, y)) return false;
    }
    return !(words_b >> y);
}

} // namespace

std::string difference_from_golden(const std::string& name, const std::string& dump) {
    const std::string stem = std::string(HEED_SOURCE_DIR) + "/tests/golden/figure_" + name;
    const std::string approved_path = stem + ".txt", new_path = stem + ".new.txt";
    if (std::getenv("HEED_APPROVE") != nullptr) {
        std::ofstream(approved_path, std::ios::binary) << dump;
        std::remove(new_path.c_str());
        return {};
    }
    std::ifstream file(approved_path, std::ios::binary);
    std::istringstream fresh(dump);
    std::string expected, found;
    for (int line = 1;; ++line) {
        const bool more_expected = static_cast<bool>(std::getline(file, expected));
        const bool more_found = static_cast<bool>(std::getline(fresh, found));
        if (!more_expected && !more_found) {
            std::remove(new_path.c_str());
            return {};
        }
        if (more_expected && more_found && same_line(expected, found)) continue;
        std::ofstream(new_path, std::ios::binary) << dump;
        return "line " + std::to_string(line) +
               "\n  approved: " + (more_expected ? expected : "(nothing)") +
               "\n  now:      " + (more_found ? found : "(nothing)") + "\nCompare " + new_path +
               " with the approved dump; HEED_APPROVE=1 test_figure replaces it.";
    }
}
