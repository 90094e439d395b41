#include "models/model/run_heads.hpp"

namespace heed::models {

float* write_all_weights(num::ThreadPool& pool, const trace::Attention& attention, float* to) {
    const num::Index n = attention.n_queries(), m = attention.n_keys();
    const num::Index heads = static_cast<num::Index>(attention.heads.size());
    pool.for_each(heads, [&](num::Index h) {
        nn::head_weights<float>(attention, h, {0, 0, n, m},
                                num::View<float>(to + h * n * m, n, m, Eigen::OuterStride<>(m)));
    });
    return to + heads * n * m;
}

} // namespace heed::models
