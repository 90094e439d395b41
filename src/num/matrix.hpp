// Row-major matrices: a row is a token, a column a feature.
#pragma once

#include "num/eigen.hpp"
#include <memory>
#include <span>
#include <utility>

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

/// One row's numbers.
template <class S> std::span<S> row_span(Matrix<S>& m, Index row) {
    return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}
template <class S> std::span<const S> row_span(const Matrix<S>& m, Index row) {
    return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}
template <class S> std::span<S> row_span(View<S> m, Index row) {
    return {m.data() + row * m.outerStride(), static_cast<std::size_t>(m.cols())};
}
template <class S> std::span<const S> row_span(const ConstView<S>& m, Index row) {
    return {m.data() + row * m.outerStride(), static_cast<std::size_t>(m.cols())};
}
template <class S> std::span<const S> row_span(const RowVector<S>& row) {
    return {row.data(), static_cast<std::size_t>(row.size())};
}

/// One row as an array, for arithmetic number by number.
template <class S> using RowArray = Eigen::Map<Eigen::Array<S, 1, Eigen::Dynamic>>;
template <class S> using ConstRowArray = Eigen::Map<const Eigen::Array<S, 1, Eigen::Dynamic>>;
template <class S> RowArray<S> row_array(Matrix<S>& m, Index row) {
    return {m.data() + row * m.cols(), m.cols()};
}
template <class S> ConstRowArray<S> row_array(const Matrix<S>& m, Index row) {
    return {m.data() + row * m.cols(), m.cols()};
}
template <class S> std::span<S> row_span(RowArray<S>& row) {
    return {row.data(), static_cast<std::size_t>(row.size())};
}

template <class S> std::shared_ptr<const Matrix<S>> shared_matrix(Matrix<S> values) {
    return std::make_shared<const Matrix<S>>(std::move(values));
}

/// A rectangle of cells: rows are queries, columns keys or features.
struct Rect {
    Index row = 0, col = 0, rows = 0, cols = 0;
    bool operator==(const Rect&) const = default;
};

} // namespace heed::num
