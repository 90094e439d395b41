#include "num/transposed.hpp"

#include "base/check.hpp"
#include "num/kernels.hpp"
#include "num/panels.hpp"

#include <algorithm>

namespace heed::num {

namespace {

template <class S> void check_shapes(ConstView<S> a, ConstView<S> b, View<S> c, std::span<S> sums) {
    HEED_CHECK(a.rows() == b.rows() && c.rows() == a.cols() && c.cols() == b.cols(),
               "the transpose of {} x {} by {} x {} into {} x {}", a.rows(), a.cols(), b.rows(),
               b.cols(), c.rows(), c.cols());
    HEED_CHECK(sums.empty() || static_cast<Index>(sums.size()) == b.cols(), "{} sums of {} columns",
               sums.size(), b.cols());
}

} // namespace

template <>
void product_of_transpose(ConstView<float> a, ConstView<float> b, Store store, View<float> c,
                          std::span<float> sums) {
    check_shapes(a, b, c, sums);
    const Kernels& k = kernels();
    const float one = 1;
    for (Index col = 0; col < b.cols(); col += k.panel_width) {
        const Index width = std::min(k.panel_width, b.cols() - col);
        float* panel = thread_scratch(Panels::size(b.rows(), width));
        k.pack(b.data() + col, b.outerStride(), b.rows(), width, panel);
        PanelProduct p{.x = a.data(),
                       .x_stride = 1,
                       .rows = a.cols(),
                       .depth = a.rows(),
                       .panel = panel,
                       .y = c.data() + col,
                       .y_stride = c.outerStride(),
                       .cols = width};
        p.x_step = a.outerStride();
        if (store == Store::add) {
            p.residual = p.y;
            p.residual_stride = p.y_stride;
        }
        k.panel_product(p);
        if (sums.empty()) continue;
        p.x = &one; // a row of ones sums the columns
        p.x_stride = p.x_step = 0;
        p.rows = 1;
        p.y = sums.data() + col;
        p.y_stride = b.cols();
        p.residual = store == Store::add ? p.y : nullptr;
        k.panel_product(p);
    }
}

template <>
void product_of_transpose(ConstView<double> a, ConstView<double> b, Store store, View<double> c,
                          std::span<double> sums) {
    check_shapes(a, b, c, sums);
    if (store == Store::set) {
        c.setZero();
        std::fill(sums.begin(), sums.end(), 0.0);
    }
    c.noalias() += a.transpose() * b;
    if (sums.empty()) return;
    Eigen::Map<RowVector<double>>(sums.data(), b.cols()) += b.colwise().sum();
}

template <class S>
void product_of_transpose(ConstView<S> a, ConstView<S> b, Store store, View<S> c) {
    product_of_transpose<S>(a, b, store, c, std::span<S>());
}
template void product_of_transpose(ConstView<float>, ConstView<float>, Store, View<float>);
template void product_of_transpose(ConstView<double>, ConstView<double>, Store, View<double>);

template <> void add_product(ConstView<float> a, ConstView<float> b, View<float> c) {
    HEED_CHECK(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols(),
               "{} x {} by {} x {} into {} x {}", a.rows(), a.cols(), b.rows(), b.cols(), c.rows(),
               c.cols());
    const Kernels& k = kernels();
    for (Index col = 0; col < b.cols(); col += k.panel_width) {
        const Index width = std::min(k.panel_width, b.cols() - col);
        float* panel = thread_scratch(Panels::size(b.rows(), width));
        k.pack(b.data() + col, b.outerStride(), b.rows(), width, panel);
        k.panel_product({.x = a.data(),
                         .x_stride = a.outerStride(),
                         .rows = a.rows(),
                         .depth = a.cols(),
                         .panel = panel,
                         .residual = c.data() + col,
                         .residual_stride = c.outerStride(),
                         .y = c.data() + col,
                         .y_stride = c.outerStride(),
                         .cols = width});
    }
}

template <> void add_product(ConstView<double> a, ConstView<double> b, View<double> c) {
    c.noalias() += a * b;
}

float dot(std::span<const float> a, std::span<const float> b) {
    HEED_CHECK(a.size() == b.size(), "rows of {} and {} numbers", a.size(), b.size());
    return kernels().row_dot(a.data(), b.data(), static_cast<Index>(a.size()));
}

double dot(std::span<const double> a, std::span<const double> b) {
    HEED_CHECK(a.size() == b.size(), "rows of {} and {} numbers", a.size(), b.size());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

} // namespace heed::num
