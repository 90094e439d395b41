// The place of a layer's norms, and their kind.
#pragma once

namespace heed::nn {

/// The place of a layer's norms: after each sublayer's residual sum, as in the 2017 paper, or
/// before each sublayer (Xiong et al. 2020).
enum class NormOrder { post, pre };

/// layer: Ba et al. 2016. rms: without subtracting the mean (Zhang and Sennrich 2019).
enum class NormKind { layer, rms };

} // namespace heed::nn
