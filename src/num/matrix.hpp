// Row-major matrices: a row is a token, a column a feature.
#pragma once

#include <Eigen/Core>

namespace heed::num {

using Index = Eigen::Index;

template <class S> using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class S> using RowVector = Eigen::Matrix<S, 1, Eigen::Dynamic, Eigen::RowMajor>;

/// A block of somebody else's matrix: rows lie `outerStride()` elements apart.
template <class S> using View = Eigen::Map<Matrix<S>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class S>
using ConstView = Eigen::Map<const Matrix<S>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <class S> View<S> view(Matrix<S>& m, Index row, Index col, Index rows, Index cols) {
    return View<S>(m.data() + row * m.cols() + col, rows, cols, Eigen::OuterStride<>(m.cols()));
}
template <class S>
ConstView<S> view(const Matrix<S>& m, Index row, Index col, Index rows, Index cols) {
    return ConstView<S>(m.data() + row * m.cols() + col, rows, cols,
                        Eigen::OuterStride<>(m.cols()));
}
template <class S> View<S> view(Matrix<S>& m) { return view(m, 0, 0, m.rows(), m.cols()); }
template <class S> ConstView<S> view(const Matrix<S>& m) {
    return view(m, 0, 0, m.rows(), m.cols());
}

/// A rectangle of cells: rows are queries, columns keys or features.
struct Rect {
    Index row = 0, col = 0, rows = 0, cols = 0;
    bool operator==(const Rect&) const = default;
};

} // namespace heed::num
