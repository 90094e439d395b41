// Controls meet a model: are they possible, and what do they come to for one head?
#pragma once

#include "base/result.hpp"
#include "models/spec/controls.hpp"
#include "models/spec/spec.hpp"
#include "nn/attention/dropout.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace heed::models {

/// The strongest scale, gain and sharpest temperature that are taken: beyond them float32 overflows
/// on the way to a softmax and a weight would be NaN.
inline constexpr float kMaxFactor = 1e6f;
inline constexpr float kMinTemperature = 1e-6f;

/// The settings of a head where no control says otherwise.
struct HeadDefaults {
    num::Index d_k = 1; // of a key; scaling divides by its square root
    nn::Score score = nn::kDotScore;
    nn::Positions positions = nn::Positions::none;
    float scale = 0;             // factor of Scale::Kind::on; 0: 1/sqrt(d_k)
    bool scale_by_layer = false; // divided by the layer's number, counted from 1
    std::vector<int> windows{};  // of self-attention, by layer in turn; 0: none
    bool cross_positions = true; // cross-attention has them as well
    float softcap = 0;           // of scaled scores; 0: none
};
HeadDefaults head_defaults(const ModelSpec& spec);

/// The settings that controls which passed the check come to, for the heads of one run. It reads
/// the controls as long as it lives.
class HeadResolver {
  public:
    HeadResolver(const HeadDefaults& usual, const Controls& controls);
    HeadResolver(const HeadResolver&) = delete; // masks_ knows it by its address
    HeadResolver& operator=(const HeadResolver&) = delete;
    /// Cells painted outside of queries × keys are left out, the others sorted and unique. Heads
    /// that take their mask from one entry and have maps of one size share it.
    trace::HeadSettings settings(const trace::HeadId& id, num::Index queries, num::Index keys);

  private:
    const nn::Mask& usual_mask(const trace::HeadId& id);
    const nn::SharedMask& mask(const trace::HeadId& id, num::Index queries, num::Index keys);

    const HeadDefaults usual_;
    const Controls& controls_;
    /// Masks where no entry sets one: by whether it is causal, and the window.
    std::map<std::pair<bool, std::optional<num::Index>>, nn::Mask> usual_masks_;
    /// Masks by the one that was asked for, and the queries and keys of the map it was cut to.
    std::map<std::tuple<const nn::Mask*, num::Index, num::Index>, nn::SharedMask> masks_;
};

NormOrder norm_order(const ModelSpec& spec, const Controls& controls);
nn::Join join(const ModelSpec& spec, const Controls& controls);
/// Sinusoidal, learned, or none where nothing joins the embedding.
nn::Positions joined_positions(const ModelSpec& spec, const Controls& controls);
nn::DropoutSettings dropout(const Controls& controls);

} // namespace heed::models
