#include "nn/embedding_gradient.hpp"

#include "base/check.hpp"

namespace heed::nn {

template <class S>
void embedding_backward(std::span<const Index> rows, const Matrix<S>& d_embedded, S factor,
                        S* d_table) {
    HEED_CHECK(static_cast<Index>(rows.size()) == d_embedded.rows(), "{} tokens, gradients of {}",
               rows.size(), d_embedded.rows());
    const Index d = d_embedded.cols();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const S* from = d_embedded.data() + static_cast<Index>(i) * d;
        S* to = d_table + rows[i] * d;
        for (Index c = 0; c < d; ++c) to[c] += factor * from[c];
    }
}

template void embedding_backward(std::span<const Index>, const Matrix<float>&, float, float*);
template void embedding_backward(std::span<const Index>, const Matrix<double>&, double, double*);

} // namespace heed::nn
