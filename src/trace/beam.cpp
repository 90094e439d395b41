#include "trace/beam.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace heed::trace {

std::vector<int> Beam::path(int hypothesis) const {
    HEED_CHECK(hypothesis >= 0 && static_cast<std::size_t>(hypothesis) < hypotheses.size(),
               "hypothesis {} of {}", hypothesis, hypotheses.size());
    std::vector<int> path;
    int node = hypotheses[static_cast<std::size_t>(hypothesis)];
    for (; node >= 0; node = nodes[static_cast<std::size_t>(node)].parent) path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace heed::trace
