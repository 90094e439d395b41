#include "trace/head_names.hpp"

#include <fmt/format.h>

namespace heed::trace {

std::string head_name(int layer, int head) {
    return fmt::format("layer {} · head {}", layer + 1, head + 1);
}

std::string head_number(int layer, int head) { return fmt::format("{}.{}", layer + 1, head + 1); }

} // namespace heed::trace
