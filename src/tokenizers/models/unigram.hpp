// A unigram language model of pieces (Kudo 2018): the cut of the highest score.
#pragma once

#include "tokenizers/models/model.hpp"

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
    /// SentencePiece keeps sums in float, the library in double; which of two cuts wins differs.
    bool single_precision = false;
};

struct CutPiece {
    std::size_t begin, end; // bytes of the word
    int id;
};

/// The best cut, where characters that are no token are unknown each.
class UnigramCut {
  public:
    UnigramCut(const Vocabulary& vocabulary, const UnigramRules& rules);
    ~UnigramCut();
    /// Throws Refused where a character is no token and nothing stands for the unknown.
    std::vector<CutPiece> operator()(std::string_view word) const;

  private:
    struct Trie;
    std::vector<double> scores_;
    std::optional<int> unknown_;
    double unknown_score_;
    bool single_precision_;
    std::unique_ptr<const Trie> trie_;
};

std::shared_ptr<const Model> make_unigram(Vocabulary vocabulary, const UnigramRules& rules);

} // namespace heed::tokenizers
