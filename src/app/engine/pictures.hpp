// The small matrices that a snapshot carries: what the window draws as thumbnails.
#pragma once

#include "app/engine/engine.hpp"
#include "app/engine/merging.hpp"

#include <memory>
#include <stop_token>
#include <vector>

namespace heed::app {

inline constexpr num::Index kThumbnail = 64;
inline constexpr num::Index kSampledFeatures = 24; // as many as a thumbnail shows apart

/// Matrix of max_rows × max_cols at most: of each block the value of the largest magnitude, so that
/// no peak vanishes; −inf only where the whole block is not finite.
Matrix<float> reduced(const Matrix<float>& values, num::Index max_rows, num::Index max_cols);

/// Evenly spaced rows and columns. Features have no order, and of eight neighbours the loudest is
/// always loud: pooled, every thumbnail of them would look the same.
Matrix<float> sampled(const Matrix<float>& values, num::Index max_rows, num::Index max_cols);

/// Difference, 0 of equal values, also where neither may look (−∞). Null where the shapes differ.
std::shared_ptr<const Matrix<float>> difference_of(const Matrix<float>& values,
                                                   const Matrix<float>& others);

/// The focus, moved to the nearest attention, layer and head that the run has.
Focus focus_inside(const trace::Trace& trace, Focus focus);
/// The needs without heads and steps that the run has not. kind: of the focused head.
Needs needs_inside(const trace::Trace& trace, trace::AttentionKind kind, const TokenWords* units,
                   Needs needs);

/// A stage as its tile and titles name it: "Q", "÷ √dₖ", "+ mask"; of a decoder that goes step by
/// step with the letters of Bahdanau et al. 2015.
std::string stage_label(trace::Stage stage, const trace::AttentionMap& map, bool stepwise);

/// The focused head's stages, and what lies before and after them.
struct HeadPictures {
    std::shared_ptr<const Matrix<float>> map;
    std::vector<StripItem> strip;
    HeadSummary summary;
    trace::HeadPattern pattern;
    MapFaults faults;
};
/// `step`: of a decoder that goes step by step, for what its score is made of; or null. `units`: as
/// Snapshot::units; the strip leaves out the tokens that are hidden.
HeadPictures head_pictures(const models::Run& run, const Focus& focus,
                           const trace::DecoderStep* step = nullptr,
                           const TokenWords* units = nullptr);

/// Renews, in a strip of the same run, attention and units, what the score is made of at another
/// step.
void renew_additive(std::vector<StripItem>& strip, const models::Run& run,
                    trace::AttentionKind kind, const trace::DecoderStep* step,
                    const TokenWords* units);

/// The heads that are kept side by side, merged where words are given; what `before` made of
/// the same run is taken over.
std::vector<SlotPicture> slot_pictures(const trace::Trace& trace, const Needs& needs,
                                       const TokenWords* words, const Snapshot* before);

/// Thumbnails of one kind of attention; a layer whose attention is the very one of the last call
/// keeps its own while the words stay.
class ThumbnailCache {
  public:
    /// Merged where words are given. Null where the trace has none of this kind, or when `stop` was
    /// requested.
    std::shared_ptr<const Thumbnails> update(const trace::Trace& trace, trace::AttentionKind kind,
                                             const std::shared_ptr<const TokenWords>& words,
                                             num::ThreadPool& pool, std::stop_token stop);

  private:
    std::vector<std::shared_ptr<const trace::Attention>> layers_;
    std::shared_ptr<const TokenWords> words_;
    std::shared_ptr<const Thumbnails> made_;
};

} // namespace heed::app
