// Gold alignments of a corpus, a line a sentence as in Pharaoh ("0-0 1-2": source word, target
// word, from 0), and how well heads agree with them.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"
#include "train/loop/measures.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

struct GoldCorpus {
    std::vector<train::GoldLinks> lines; // all of them sure
    std::string check;                   // a hash of the file
};

/// `corpus_lines`: as many lines are expected. Errors: those of models::read_alignments, with the
/// line; malformed for weights in place of links; mismatch for another number of lines.
base::Result<GoldCorpus> read_gold(std::string_view bytes, const std::string& subject,
                                   std::size_t corpus_lines);

/// The two sentences of "source ⇥ target". Errors: malformed without a tab.
struct SentencePair {
    std::string source, target;
};
base::Result<SentencePair> sentence_pair(std::string_view line);

/// 1 − alignment error rate (Och and Ney 2003) of one pair, of these heads; nothing where the line
/// has no link. Words are those between white space of a model that reads ids, whose tokens'
/// weights are summed over a source word and meaned over a target word; of another model its
/// tokens. Requires heads of Traits::aligning_attention(). Errors: out_of_range, naming a link past
/// the words.
base::Result<std::vector<std::optional<float>>>
gold_scores(const models::Run& run, const SentencePair& pair, const train::GoldLinks& gold,
            const std::vector<trace::HeadId>& heads);

} // namespace heed::app
