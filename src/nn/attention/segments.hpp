// Sentences of a batch joined without padding: their rows lie one after another in one matrix.
#pragma once

#include "num/matrix.hpp"

#include <vector>

namespace heed::nn {

using num::Index;

struct Segments {
    std::vector<Index> starts{0}; // of each sentence, and behind the last

    void add(Index rows) { starts.push_back(starts.back() + rows); }
    Index count() const { return static_cast<Index>(starts.size()) - 1; }
    Index rows() const { return starts.back(); }
    Index begin(Index i) const { return starts[static_cast<std::size_t>(i)]; }
    Index size(Index i) const { return begin(i + 1) - begin(i); }
    Index longest() const {
        Index most = 0;
        for (Index i = 0; i < count(); ++i) most = size(i) > most ? size(i) : most;
        return most;
    }
};

} // namespace heed::nn
