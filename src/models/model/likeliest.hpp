// The word that a model says where it may choose.
#pragma once

#include "num/matrix.hpp"
#include "text/vocabulary.hpp"

namespace heed::models {

/// The most probable of the words that may be said, the first of equals. `p`: one number a row
/// of the vocabulary, probabilities or their logarithms.
template <class Row> num::Index likeliest(const text::Vocabulary& words, const Row& p) {
    auto best = static_cast<num::Index>(text::Vocabulary::kEnd);
    for (num::Index row = best; row < p.size(); ++row) {
        if (words.can_be_said(static_cast<std::size_t>(row)) && p(row) > p(best)) best = row;
    }
    return best;
}

} // namespace heed::models
