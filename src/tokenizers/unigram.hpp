// A unigram language model of pieces (Kudo 2018): the cut of the highest score.
#pragma once

#include "tokenizers/model.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace heed::tokenizers {

struct UnigramRules {
    std::vector<double> scores; // one an id
    std::vector<bool> never;    // ids that no text is cut to; empty: none
    std::optional<int> unknown; // its score is the lowest one less 10
    double lowest = 0;          // of the scores
    bool byte_fallback = false;
    /// SentencePiece adds up in float, the library in double; which of two cuts wins a tie differs.
    bool single_precision = false;
};

std::shared_ptr<const Model> make_unigram(Vocabulary vocabulary, UnigramRules rules);

} // namespace heed::tokenizers
