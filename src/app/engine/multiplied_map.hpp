// Weights times how much there is to pass on (Kobayashi et al. 2020).
#pragma once

#include "app/engine/engine.hpp"

namespace heed::app {

/// The focused head's weights times what focus.times says of each key, between words where weights
/// are. Null where it says nothing, for another stage or several heads, and where there are no
/// values (attention from a file) or no linear map that joins heads.
std::shared_ptr<const Matrix<float>> multiplied_map(const models::Run& run, const Focus& focus,
                                                    const TokenWords* words);
/// True where a head has such norms, of its values and of what the output map makes of them.
bool has_norms(const models::Run& run, const trace::HeadId& head, Times times);

} // namespace heed::app
