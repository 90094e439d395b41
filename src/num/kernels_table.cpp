// The table of one instruction set. See kernels.hpp.
#include "num/kernels_local.hpp"

namespace heed::num::HEED_KERNELS {

extern const Kernels table; // seen by kernels.cpp
const Kernels table = {
    HEED_KERNELS_NAME, kPanelWidth, kBlockRows, panel_product, pack,   pack_transposed,
    row_max,           row_exp,     row_tanh,   row_scale,     row_add};

} // namespace heed::num::HEED_KERNELS
