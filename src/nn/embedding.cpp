#include "nn/embedding.hpp"

#include "base/check.hpp"

#include <cmath>

namespace heed::nn {

template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows) {
    const S factor = std::sqrt(static_cast<S>(table.cols()));
    Matrix<S> embedded(static_cast<Index>(rows.size()), table.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        HEED_CHECK(rows[i] >= 0 && rows[i] < table.rows(), "row {} of an embedding with {} rows",
                   rows[i], table.rows());
        embedded.row(static_cast<Index>(i)) = table.row(rows[i]) * factor;
    }
    return embedded;
}

template Matrix<float> embed(const Matrix<float>&, std::span<const Index>);
template Matrix<double> embed(const Matrix<double>&, std::span<const Index>);

} // namespace heed::nn
