#include "models/spec/head_width.hpp"

#include <fmt/format.h>

namespace heed::models {

base::Result<void> check_head_width(int d_model, int n_heads, nn::Positions positions) {
    if (d_model % n_heads != 0) {
        return base::fail(
            base::ErrorKind::mismatch, "d_model",
            fmt::format("is {} and does not divide into {} heads: {} / {} = {:.3g}; choose a "
                        "d_model that is a multiple of n_heads",
                        d_model, n_heads, d_model, n_heads,
                        static_cast<double>(d_model) / n_heads));
    }
    if (positions == nn::Positions::rotary && (d_model / n_heads) % 2 != 0) {
        return base::fail(base::ErrorKind::mismatch, "positions", odd_rotary(d_model, n_heads));
    }
    return {};
}

std::string odd_rotary(int d_model, int n_heads) {
    return fmt::format("rotary positions turn pairs of features, but a head is {} wide "
                       "(d_model {} / {} heads); choose an even width",
                       d_model / n_heads, d_model, n_heads);
}

} // namespace heed::models
