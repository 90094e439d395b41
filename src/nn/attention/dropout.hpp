// Dropout as training sees it (Vaswani et al. 2017, section 5.4): an element is 0 with
// probability `rate`, else divided by 1 − rate. Whether it falls is a function of the seed, the
// name of the place and the element's index, so any cell can be made again on its own.
#pragma once

#include "num/matrix.hpp"
#include "num/random.hpp"

#include <cstdint>
#include <string_view>

namespace heed::nn {

using num::Index;
using num::Matrix;

struct DropoutSettings {
    float rate = 0; // in [0, 1); 0 is off
    std::uint64_t seed = 1;
    bool operator==(const DropoutSettings&) const = default;
};

/// The dropout of one place: "encoder.layers.0.dropout1".
class Dropout {
  public:
    Dropout(const DropoutSettings& settings, std::string_view place)
        : rate_(settings.rate), draws_(settings.seed, place) {}
    bool active() const { return rate_ > 0; }
    /// 0 or 1/(1 − rate), for an element's index in its row-major matrix.
    template <class S> S factor(Index element) const {
        return draws_.uniform(static_cast<std::uint64_t>(element)) < rate_
                   ? S(0)
                   : S(1) / (S(1) - static_cast<S>(rate_));
    }

  private:
    float rate_;
    num::Rng draws_;
};

/// x with every element times its factor; x itself when the place is not active.
template <class S> void apply(const Dropout& dropout, Matrix<S>& x);

} // namespace heed::nn
