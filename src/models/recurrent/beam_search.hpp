// The most probable sentences that a decoder would say, as far as a beam of some width finds them.
#pragma once

#include "models/recurrent/decoder.hpp"
#include "trace/beam.hpp"

#include <span>
#include <stop_token>

namespace heed::models {

struct BeamOptions {
    int width = 4;  // hypotheses that are kept after every step
    int limit = 32; // words of a hypothesis at most, those of `prefix` among them
    std::span<const Index> prefix = {}; // words that every hypothesis begins with
    std::stop_token stop;
};

/// Hypotheses are ranked by their total log-probability, ended ones against those that go on; the
/// search ends when all that are kept have ended, or at the limit (Sutskever et al. 2014, section
/// 3.2). Of equals the earlier row of the vocabulary comes first.
trace::Beam beam_search(const Decoder& decoder, const DecoderState& start,
                        const text::Vocabulary& vocabulary, const BeamOptions& options);

} // namespace heed::models
