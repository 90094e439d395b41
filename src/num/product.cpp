#include "num/product.hpp"

#include "base/check.hpp"
#include "num/kernels.hpp"
#include "num/panels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace heed::num {

std::string_view instruction_set() { return kernels().name; }

template <> struct Weights<float>::Storage {
    Panels panels;
};

template <> struct Weights<double>::Storage {
    Matrix<double> matrix;
};

template <> Weights<float>::Weights(const Matrix<float>& m) : in_(m.rows()), out_(m.cols()) {
    auto storage = std::make_shared<Storage>();
    storage->panels = Panels(in_, out_);
    kernels().pack(m.data(), m.cols(), in_, out_, storage->panels.data());
    storage_ = std::move(storage);
}

template <> Weights<double>::Weights(const Matrix<double>& m) : in_(m.rows()), out_(m.cols()) {
    storage_ = std::make_shared<const Storage>(Storage{m});
}

template <> Matrix<float> Weights<float>::dense() const {
    Matrix<float> result(in_, out_);
    const Index width = kernels().panel_width;
    for (Index col = 0; col < out_; col += width) {
        const float* panel = storage_->panels.panel(col / width);
        for (Index row = 0; row < in_; ++row, panel += width) {
            std::copy_n(panel, std::min(width, out_ - col), &result(row, col));
        }
    }
    return result;
}

template <> Matrix<double> Weights<double>::dense() const {
    return storage_ ? storage_->matrix : Matrix<double>(0, 0);
}

template <class S> struct LinearAccess {
    static const auto& storage(const Weights<S>& w) { return *w.storage_; }
};

namespace {

/// Below this many multiplications and additions a second thread costs more than it brings.
constexpr double kWorthSharing = 5e5;
/// Rows of x that are read again and again stay within this much of the second-level cache.
constexpr Index kRowBytes = 1 << 20;

template <class S>
void check_shapes(ConstView<S> x, const Weights<S>& w, const LinearOptions<S>& options, View<S> y) {
    HEED_CHECK(x.cols() == w.in(), "rows of {} numbers for weights of {} x {}", x.cols(), w.in(),
               w.out());
    HEED_CHECK(y.rows() == x.rows() && y.cols() == w.out(), "a result of {} x {} for {} x {}",
               y.rows(), y.cols(), x.rows(), w.out());
    HEED_CHECK(options.bias.empty() || static_cast<Index>(options.bias.size()) == w.out(),
               "{} biases for {} outputs", options.bias.size(), w.out());
    HEED_CHECK(!options.residual ||
                   (options.residual->rows() == y.rows() && options.residual->cols() == y.cols()),
               "a residual of {} x {} for {} x {}", options.residual->rows(),
               options.residual->cols(), y.rows(), y.cols());
}

/// One product cut into blocks of rows times panels of weights.
struct Plan {
    PanelProduct whole;
    const Panels* panels;
    Index width, out, panel_count, row_blocks;

    Index count() const { return panel_count * row_blocks; }

    /// Item i: all panels of the first rows come first. `end` is where this thread's items end.
    void run(const Kernels& k, Index i, Index end) const {
        const Index panel = i % panel_count, block = i / panel_count;
        const Index row = whole.rows * block / row_blocks, col = panel * width;
        PanelProduct p = whole;
        p.rows = whole.rows * (block + 1) / row_blocks - row;
        p.cols = std::min(width, out - col);
        p.x += row * p.x_stride;
        p.y += row * p.y_stride + col;
        p.panel = panels->panel(panel);
        p.next = i + 1 < end ? panels->panel((i + 1) % panel_count) : nullptr;
        if (p.bias) p.bias += col;
        if (p.residual) p.residual += row * p.residual_stride + col;
        k.panel_product(p);
    }
};

/// Each thread works off a share of its own, so that it knows its next panel; who is done helps
/// the others, so that nobody waits for a thread that was held up.
void share(Team& team, const Kernels& k, const Plan& plan) {
    constexpr Index kMost = 64;
    struct alignas(64) Share {
        std::atomic<Index> next{0};
        Index end = 0;
    };
    std::array<Share, kMost> shares;
    const Index parts = std::min<Index>({team.size(), kMost, plan.count()});
    for (Index part = 0; part < parts; ++part) {
        auto& share = shares[static_cast<std::size_t>(part)];
        share.next.store(plan.count() * part / parts, std::memory_order_relaxed);
        share.end = plan.count() * (part + 1) / parts;
    }
    team.for_each(parts, [&](Index part) {
        for (Index turn = 0; turn < parts; ++turn) {
            auto& share = shares[static_cast<std::size_t>((part + turn) % parts)];
            for (;;) {
                const Index i = share.next.fetch_add(1, std::memory_order_relaxed);
                if (i >= share.end) break;
                plan.run(k, i, share.end);
            }
        }
    });
}

} // namespace

template <>
void linear(Team& team, ConstView<float> x, const Weights<float>& w,
            const LinearOptions<float>& options, View<float> y) {
    check_shapes(x, w, options, y);
    if (x.rows() == 0 || w.out() == 0) return;
    const Kernels& k = kernels();
    Plan plan;
    plan.panels = &LinearAccess<float>::storage(w).panels;
    plan.width = k.panel_width;
    plan.out = w.out();
    plan.panel_count = plan.panels->count();
    plan.whole = {.x = x.data(),
                  .x_stride = x.outerStride(),
                  .rows = x.rows(),
                  .depth = w.in(),
                  .bias = options.bias.empty() ? nullptr : options.bias.data(),
                  .relu = options.epilogue == Epilogue::relu,
                  .residual = options.residual ? options.residual->data() : nullptr,
                  .residual_stride = options.residual ? options.residual->cols() : 0,
                  .y = y.data(),
                  .y_stride = y.outerStride()};
    const Index row_bytes = std::max<Index>(w.in(), 1) * static_cast<Index>(sizeof(float));
    const Index rows = std::max(k.block_rows, kRowBytes / row_bytes);
    plan.row_blocks = (x.rows() + rows - 1) / rows;
    const double work = 2.0 * static_cast<double>(x.rows()) * static_cast<double>(w.in()) *
                        static_cast<double>(w.out());
    if (team.size() == 1 || work < kWorthSharing) {
        for (Index i = 0; i < plan.count(); ++i) plan.run(k, i, plan.count());
        return;
    }
    const Index wanted = 4 * team.size();
    if (plan.count() < wanted) {
        plan.row_blocks = std::clamp<Index>(x.rows() / k.block_rows, plan.row_blocks,
                                            (wanted + plan.panel_count - 1) / plan.panel_count);
    }
    share(team, k, plan);
}

template <>
void linear(Team& team, ConstView<double> x, const Weights<double>& w,
            const LinearOptions<double>& options, View<double> y) {
    check_shapes(x, w, options, y);
    static_cast<void>(team); // gradient tests are small
    if (w.out() == 0) return;
    y.noalias() = x * w.dense();
    if (!options.bias.empty()) {
        y.rowwise() += Eigen::Map<const RowVector<double>>(options.bias.data(), w.out());
    }
    if (options.epilogue == Epilogue::relu) {
        y = y.unaryExpr([](double value) { return value < 0 ? 0 : value; });
    }
    if (options.residual) y += *options.residual;
}

void product_transposed(ConstView<float> a, ConstView<float> b, float factor, View<float> c) {
    HEED_CHECK(a.cols() == b.cols() && c.rows() == a.rows() && c.cols() == b.rows(),
               "{} x {} by the transpose of {} x {} into {} x {}", a.rows(), a.cols(), b.rows(),
               b.cols(), c.rows(), c.cols());
    const Kernels& k = kernels();
    float* panels = thread_scratch(Panels::size(b.cols(), b.rows()));
    k.pack_transposed(b.data(), b.outerStride(), b.rows(), b.cols(), panels);
    multiply(k, a, panels, factor, c);
}

void product(ConstView<float> a, ConstView<float> b, View<float> c) {
    HEED_CHECK(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols(),
               "{} x {} by {} x {} into {} x {}", a.rows(), a.cols(), b.rows(), b.cols(), c.rows(),
               c.cols());
    const Kernels& k = kernels();
    float* panels = thread_scratch(Panels::size(b.rows(), b.cols()));
    k.pack(b.data(), b.outerStride(), b.rows(), b.cols(), panels);
    multiply(k, a, panels, 1, c);
}

void product_transposed(ConstView<double> a, ConstView<double> b, double factor, View<double> c) {
    HEED_CHECK(a.cols() == b.cols(), "{} x {} by the transpose of {} x {}", a.rows(), a.cols(),
               b.rows(), b.cols());
    c.noalias() = factor * (a * b.transpose());
}

void product(ConstView<double> a, ConstView<double> b, View<double> c) {
    HEED_CHECK(a.cols() == b.rows(), "{} x {} by {} x {}", a.rows(), a.cols(), b.rows(), b.cols());
    c.noalias() = a * b;
}

RowExp exp_row(std::span<float> row) {
    const Kernels& k = kernels();
    const auto n = static_cast<Index>(row.size());
    const float max = k.row_max(row.data(), n);
    if (max == -std::numeric_limits<float>::infinity()) {
        std::fill(row.begin(), row.end(), 0.0f);
        return {max, 0};
    }
    return {max, k.row_exp(row.data(), n, max)};
}

void tanh_row(std::span<float> row) {
    kernels().row_tanh(row.data(), static_cast<Index>(row.size()));
}

} // namespace heed::num
