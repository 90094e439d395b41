#include "nn/layers/embedding.hpp"

#include "base/check.hpp"

#include <cmath>

namespace heed::nn {

template <class S> S embedding_factor(Index d_model) { return std::sqrt(static_cast<S>(d_model)); }

template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows, S factor) {
    Matrix<S> embedded(static_cast<Index>(rows.size()), table.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        HEED_CHECK(rows[i] >= 0 && rows[i] < table.rows(), "row {} of an embedding with {} rows",
                   rows[i], table.rows());
        embedded.row(static_cast<Index>(i)) = table.row(rows[i]) * factor;
    }
    return embedded;
}

template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows) {
    return embed(table, rows, embedding_factor<S>(table.cols()));
}

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

#define HEED_EMBEDDING(S)                                                                          \
    template S embedding_factor(Index);                                                            \
    template Matrix<S> embed(const Matrix<S>&, std::span<const Index>, S);                         \
    template Matrix<S> embed(const Matrix<S>&, std::span<const Index>);                            \
    template void embedding_backward(std::span<const Index>, const Matrix<S>&, S, S*);
HEED_EMBEDDING(float)
HEED_EMBEDDING(double)
#undef HEED_EMBEDDING

} // namespace heed::nn
