// The table of one instruction set. See kernels.hpp.
#include "num/kernels_local.hpp"

namespace heed::num::HEED_KERNELS {

extern const Kernels table; // seen by kernels.cpp
const Kernels table = {
    .name = HEED_KERNELS_NAME,
    .panel_width = kPanelWidth,
    .block_rows = kBlockRows,
    .panel_product = panel_product,
    .pack = pack,
    .pack_transposed = pack_transposed,
    .weighted_sum = weighted_sum,
    .row_max = row_max,
    .row_exp = row_exp,
    .row_tanh = row_tanh,
    .row_sigmoid = row_sigmoid,
    .row_curve = row_curve,
    .tanh_dot = tanh_dot,
    .row_scale = row_scale,
    .row_norm = row_norm,
    .all_finite = all_finite,
    .row_add = row_add,
    .row_dot = row_dot,
    .row_norm_backward = row_norm_backward,
    .additive_backward = additive_backward,
};

} // namespace heed::num::HEED_KERNELS
