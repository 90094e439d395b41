// Scores of every head of a model over a corpus, summed so that parts that were
// measured apart give, put together, what one run gives, to the last bit.
#pragma once

#include "inside/exact_tally.hpp"
#include "inside/head_table.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// A line of the corpus on which a head did something most.
struct TopLine {
    std::size_t line = 0; // from 1
    float value = 0;
    bool operator==(const TopLine&) const = default;
};

/// The scores that a corpus tells, in the order of the table.
const std::vector<inside::HeadScore>& corpus_scores();

struct CorpusHead {
    trace::HeadId head;
    /// One a score of corpus_scores(): of a line, or a random sequence, each counts once.
    std::vector<inside::ExactTally> tallies{};
    std::vector<std::vector<TopLine>> top{}; // likewise; of sequences there are none
    std::map<int, std::uint64_t> offsets{};  // lines whose positional offset is this one

    /// The means, NaN where there are none, and what the head is called by them: by an offset only
    /// where that one gets most in nine lines of ten, which no single key does: there is no
    /// one_key.
    inside::ScoreValues means() const;
    /// `minus`: as screens write it; files have "-".
    std::string label(std::string_view minus = "−") const;
    bool operator==(const CorpusHead&) const = default;
};

struct HeadCorpus {
    std::string model, corpus;              // names of their files, without folders
    std::string check;                      // a hash of all that parts have to have in common
    std::string text_check{};               // of the corpus alone
    std::size_t parts = 1;                  // that the lines are dealt out to
    std::set<std::size_t> held{1};          // parts that are summed up here, from 1
    std::uint64_t lines = 0, sequences = 0; // that were read
    std::size_t most_top = 3;               // lines that a head keeps of a score
    std::vector<CorpusHead> heads{};
    bool operator==(const HeadCorpus&) const = default;
};

/// Sum of parts of the same corpus, model, seed and number of parts. A whole has `parts` 1. Errors:
/// mismatch, with one of `names` as the subject: a part of something else, or one that is there
/// twice.
base::Result<HeadCorpus> merged(const std::vector<HeadCorpus>& parts,
                                const std::vector<std::string>& names);

/// A line a head: kind, layer and head (from 1), label, means; then of every score its spread, the
/// exact sums and the lines that show it most; then the offsets, and what was measured of what.
std::string write_heads_csv(const HeadCorpus& corpus);
/// Errors: malformed, with `subject`, the line and the column.
base::Result<HeadCorpus> read_heads_csv(std::string_view bytes, const std::string& subject);

/// A JSON object of it; `text`: the corpus, of whose lines the top ones are quoted; may be empty.
std::string heads_json(const HeadCorpus& corpus, std::string_view text);

/// Lines without their ends, the empty ones too.
std::vector<std::string_view> lines_of(std::string_view text);

} // namespace heed::app
