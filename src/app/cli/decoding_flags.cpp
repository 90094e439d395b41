#include "app/cli/decoding_flags.hpp"

#include "app/cli/flag_values.hpp"
#include "app/document/names.hpp"

#include <fmt/format.h>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

std::vector<Flag> decoding_flags() {
    return {
        {"--decode", "RULE",
         fmt::format("{}: the target alone, or freely after it (seq2seq)",
                     allowed<models::Decoding::Rule>()),
         kSentences},
        {"--beam", "N", "width of a beam search (default 4); the same as --decode beam",
         kSentences},
        {"--hypothesis", "N", "which hypothesis of the beam is shown; the best is 1", kSentences},
        {"--limit", "N", "most words that are generated (default 2 x source + 8)", kSentences},
        {"--sampling-temperature", "X",
         "greedy decoding draws from probabilities^(1/X); 0 takes the most probable (default 0; "
         "checkpoints)",
         kSentences},
        {"--top-k", "N", "draw from the N most probable tokens (default 0: all)", kSentences},
        {"--top-p", "X", "draw from the fewest tokens that hold this share (default 1)",
         kSentences},
        {"--sampling-seed", "N", "random seed of the draws (default 1)", kSentences},
    };
}

Result<void> read_decoding(const Given& given, models::Decoding& decoding) {
    using Rule = models::Decoding::Rule;
    if (given.has("--beam")) decoding.rule = Rule::beam;
    int hypothesis = 1;
    auto ok = in_turn(
        [&] { return read_word<Rule>(given, "--decode", decoding.rule); },
        [&] { return read_integer(given, "--beam", 1, models::kMaxBeam, decoding.beam_width); },
        [&] { return read_integer(given, "--limit", 1, models::kMaxTokens, decoding.limit); },
        [&] { return read_integer(given, "--hypothesis", 1, models::kMaxBeam, hypothesis); });
    if (!ok) return ok;
    if (given.has("--hypothesis") && decoding.rule != Rule::beam) {
        return fail(ErrorKind::usage, "--hypothesis", "is of a beam search: add --beam N");
    }
    if (hypothesis > decoding.beam_width) {
        return fail(ErrorKind::out_of_range, "--hypothesis",
                    fmt::format("is {}, but the beam keeps {}: choose 1 to {}, or a wider --beam",
                                hypothesis, decoding.beam_width, decoding.beam_width));
    }
    decoding.followed = hypothesis - 1;
    models::Sampling& sampling = decoding.sampling;
    return in_turn(
        [&] {
            return read_real(given, "--sampling-temperature", kSamplingTemperatures,
                             sampling.temperature);
        },
        [&] { return read_integer(given, "--top-k", 0, models::kMostTopK, sampling.top_k); },
        [&] { return read_real(given, "--top-p", kTopP, sampling.top_p); },
        [&] { return read_seed(given, "--sampling-seed", sampling.seed); });
}

} // namespace heed::app
