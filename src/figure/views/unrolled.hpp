// The Unrolled view: a recurrent model with every step of it laid out, cells as live stripes.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/parts/unrolled_band.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct UnrolledData {
    std::string title{}, subtitle{};
    std::optional<UnrolledSide> encoder{}, decoder{};
    std::string seed{}; // the word whose vector the decoder starts from, where there is no encoder
    /// The weights with which the chosen step reads the encoder's states; empty: it reads none.
    num::RowVector<float> weights{};
    /// The encoder's step whose forward state every step reads, in place of weights; backwards it
    /// reads that of the first.
    std::optional<int> last_read{};
};

struct UnrolledOptions {
    std::optional<int> step{}, word{}; // of the decoder, of the encoder: they stand out
};

/// The offset of the decoder's rows in `which` of a stripe's tag, which is the row of `rows`.
inline constexpr int kDecoderRows = 1000;

/// The encoder below, the decoder above, each from left to right; between them what the chosen
/// step reads, as wide as its weights. Of more steps than have room those around the chosen ones
/// are shown. Targets: stripes (of a step of their side; `which`: see kDecoderRows), labels of
/// columns (the encoder's steps) and of rows (the decoder's).
Figure unrolled(const UnrolledData& data, const UnrolledOptions& options, const Frame& frame);

} // namespace heed::figure
