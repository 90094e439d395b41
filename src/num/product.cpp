#include "num/product.hpp"

#include "base/check.hpp"
#include "num/half_blocks.hpp"
#include "num/kernels.hpp"
#include "num/panels.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace heed::num {

std::string_view instruction_set() { return kernels().name; }

template <> struct Weights<float>::Storage {
    Panels panels;
    bool writable() const { return panels.stored() == Stored::f32; }
    static Storage of(Index in, Index out) { return {Panels(in, out)}; }
};

template <> struct Weights<double>::Storage {
    Matrix<double> matrix;
    bool writable() const { return true; }
    static Storage of(Index in, Index out) { return {Matrix<double>(in, out)}; }
};

template <> Weights<float>::Weights(const Matrix<float>& m) : in_(m.rows()), out_(m.cols()) {
    auto storage = std::make_shared<Storage>();
    storage->panels = Panels(in_, out_);
    kernels().pack(m.data(), m.cols(), in_, out_, storage->panels.data());
    storage_ = std::move(storage);
}

template <> Weights<double>::Weights(const Matrix<double>& m) : in_(m.rows()), out_(m.cols()) {
    storage_ = std::make_shared<Storage>(Storage{m});
}

template <> Matrix<float> Weights<float>::dense() const {
    Matrix<float> result(in_, out_);
    const Index width = kernels().panel_width;
    const Stored stored = storage_ ? storage_->panels.stored() : Stored::f32;
    for (Index col = 0; col < out_; col += width) {
        const auto* panel = static_cast<const char*>(storage_->panels.panel(col / width));
        const Index count = std::min(width, out_ - col), step = width * bytes_of(stored);
        for (Index row = 0; row < in_; ++row, panel += step) {
            if (stored == Stored::f32) {
                std::copy_n(reinterpret_cast<const float*>(panel), count, &result(row, col));
            } else {
                const auto* halves = reinterpret_cast<const std::uint16_t*>(panel);
                for (Index i = 0; i < count; ++i) result(row, col + i) = widened(halves[i], stored);
            }
        }
    }
    return result;
}

template <> Matrix<double> Weights<double>::dense() const {
    return storage_ ? storage_->matrix : Matrix<double>(0, 0);
}

template <class S> struct LinearAccess {
    using Storage = typename Weights<S>::Storage;
    static const auto& storage(const Weights<S>& w) { return *w.storage_; }

    static void set(Weights<S>& w, Index in, Index out, std::shared_ptr<const Storage> storage) {
        w.in_ = in;
        w.out_ = out;
        w.storage_ = std::move(storage);
    }

    /// Room for in × out, which nobody else reads: what w has, or new.
    static Storage& own(Weights<S>& w, Index in, Index out) {
        if (w.in_ != in || w.out_ != out || w.storage_.use_count() != 1 ||
            !w.storage_->writable()) {
            w.storage_ = std::make_shared<Storage>(Storage::of(in, out));
            w.in_ = in;
            w.out_ = out;
        }
        return const_cast<Storage&>(*w.storage_); // made just so
    }
};

namespace {

/// count × in numbers, of at most a panel's width, into a panel.
void pack_outputs(const std::uint16_t* values, Index in, Index count, std::uint16_t* panel) {
    const Index width = kernels().panel_width;
    std::fill_n(panel, count < width ? in * width : 0, std::uint16_t{0});
    constexpr Index kRows = 32; // of a panel stay in the first-level cache
    for (Index row = 0; row < in; row += kRows) {
        const Index end = std::min(in, row + kRows);
        for (Index c = 0; c < count; ++c) {
            const std::uint16_t* from = values + c * in;
            for (Index r = row; r < end; ++r) panel[r * width + c] = from[r];
        }
    }
}

std::shared_ptr<LinearAccess<float>::Storage> room_for_halves(Stored stored, Index in, Index out) {
    HEED_CHECK(stored != Stored::f32, "{} x {} numbers of 16 bits stored in 32", in, out);
    auto storage = std::make_shared<LinearAccess<float>::Storage>();
    storage->panels = Panels(in, out, stored);
    return storage;
}

} // namespace

Weights<float> half_weights(Stored stored, Index in, Index out, const HalfBlocks& blocks) {
    auto storage = room_for_halves(stored, in, out);
    const Index width = kernels().panel_width;
    const Index step = std::max<Index>(kBlockNumbers / std::max<Index>(in, 1) / width, 1) * width;
    for (Index first = 0; first < out; first += step) {
        const Index end = std::min(out, first + step);
        const std::uint16_t* values = blocks(first, end - first);
        if (!values) return {};
        for (Index col = first; col < end; col += width) {
            auto* panel = static_cast<std::uint16_t*>(storage->panels.panel(col / width));
            pack_outputs(values + (col - first) * in, in, std::min(width, end - col), panel);
        }
    }
    Weights<float> w;
    LinearAccess<float>::set(w, in, out, std::move(storage));
    return w;
}

Weights<float> half_weights_by_inputs(Stored stored, Index in, Index out, Index stride,
                                      const HalfBlocks& blocks) {
    auto storage = room_for_halves(stored, in, out);
    const Index width = kernels().panel_width;
    const Index step = std::max<Index>(kBlockNumbers / std::max<Index>(stride, 1), 1);
    for (Index first = 0; first < in; first += step) {
        const Index count = std::min(step, in - first);
        const std::uint16_t* values = blocks(first, count);
        if (!values) return {};
        for (Index col = 0; col < out; col += width) {
            auto* to = static_cast<std::uint16_t*>(storage->panels.panel(col / width));
            to += first * width;
            const Index cols = std::min(width, out - col);
            for (Index row = 0; row < count; ++row, to += width) {
                std::copy_n(values + row * stride + col, cols, to);
                std::fill(to + cols, to + width, std::uint16_t{0});
            }
        }
    }
    Weights<float> w;
    LinearAccess<float>::set(w, in, out, std::move(storage));
    return w;
}

Weights<float> half_weights(Stored stored, const std::uint16_t* values, Index in, Index out,
                            bool in_by_out) {
    const auto rows = [&](Index first, Index) { return values + first * (in_by_out ? out : in); };
    return in_by_out ? half_weights_by_inputs(stored, in, out, out, rows)
                     : half_weights(stored, in, out, rows);
}

Stored stored_as(const Weights<float>& w) {
    return w.out() > 0 ? LinearAccess<float>::storage(w).panels.stored() : Stored::f32;
}

void copy_output(const Weights<float>& w, Index output, std::span<float> to) {
    HEED_CHECK(output >= 0 && output < w.out() && static_cast<Index>(to.size()) == w.in(),
               "output {} of {} x {} into {} numbers", output, w.in(), w.out(), to.size());
    const Panels& panels = LinearAccess<float>::storage(w).panels;
    const Index width = kernels().panel_width, at = output % width;
    const void* panel = panels.panel(output / width);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const Index place = static_cast<Index>(i) * width + at;
        to[i] = panels.stored() == Stored::f32
                    ? static_cast<const float*>(panel)[place]
                    : widened(static_cast<const std::uint16_t*>(panel)[place], panels.stored());
    }
}

RowVector<float> output_row(const Weights<float>& w, Index output) {
    RowVector<float> row(w.in());
    copy_output(w, output, {row.data(), static_cast<std::size_t>(row.size())});
    return row;
}

float widened(std::uint16_t half, Stored stored) {
    if (stored == Stored::bf16) return std::bit_cast<float>(std::uint32_t{half} << 16);
    const std::uint32_t bits = std::uint32_t(half & 0x8000) << 16 | (half & 0x7fff) << 13;
    return std::bit_cast<float>(bits) * 0x1p112f;
}

std::uint16_t to_bf16(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // to even
}

template <> void repack(Weights<float>& w, ConstView<float> m) {
    float* panels = LinearAccess<float>::own(w, m.rows(), m.cols()).panels.data();
    kernels().pack(m.data(), m.outerStride(), m.rows(), m.cols(), panels);
}
template <> void repack_transposed(Weights<float>& w, ConstView<float> m) {
    float* panels = LinearAccess<float>::own(w, m.cols(), m.rows()).panels.data();
    kernels().pack_transposed(m.data(), m.outerStride(), m.rows(), m.cols(), panels);
}
template <> void repack(Weights<double>& w, ConstView<double> m) {
    LinearAccess<double>::own(w, m.rows(), m.cols()).matrix = m;
}
template <> void repack_transposed(Weights<double>& w, ConstView<double> m) {
    LinearAccess<double>::own(w, m.cols(), m.rows()).matrix = m.transpose();
}

namespace {

/// Rows of x that are read again and again stay within this much of the second-level cache.
constexpr Index kRowBytes = 1 << 20;
/// Rows a thread, from which on rows are shared out rather than panels.
constexpr Index kOwnRows = 128;

template <class S> void check_shapes(ConstView<S> x, const LinearMap<S>& map) {
    const Weights<S>& w = *map.weights;
    const LinearOptions<S>& options = map.options;
    HEED_CHECK(x.cols() == w.in(), "rows of {} numbers for weights of {} x {}", x.cols(), w.in(),
               w.out());
    HEED_CHECK(map.y.rows() == x.rows() && map.y.cols() == w.out(),
               "a result of {} x {} for {} x {}", map.y.rows(), map.y.cols(), x.rows(), w.out());
    HEED_CHECK(options.bias.empty() || static_cast<Index>(options.bias.size()) == w.out(),
               "{} biases for {} outputs", options.bias.size(), w.out());
    HEED_CHECK(!options.residual ||
                   (options.residual->rows() == x.rows() && options.residual->cols() == w.out()),
               "a residual of {} x {} for {} x {}", options.residual->rows(),
               options.residual->cols(), x.rows(), w.out());
}

/// Maps of one x cut into blocks of rows times panels of weights: item i is the panel
/// i mod panel_count of the block i / panel_count, so that neighbours share their rows.
class Plan {
  public:
    Plan(const Kernels& k, ConstView<float> x, std::span<const LinearMap<float>> maps)
        : k_(k), x_(x), maps_(maps) {
        for (const auto& map : maps) panel_count_ += panels_of(map).count();
        const Index row_bytes = std::max<Index>(x.cols(), 1) * static_cast<Index>(sizeof(float));
        const Index rows = std::max(k.block_rows, kRowBytes / row_bytes);
        row_blocks_ = (x.rows() + rows - 1) / rows;
        const auto& next = maps.back().options.next;
        if (next && next->out() > 0) {
            next_ = &LinearAccess<float>::storage(*next).panels;
        }
    }

    Index count() const { return panel_count_ * row_blocks_; }
    void set_threads(Index threads);
    void run(Index item, Index part, Index parts, Index end) const;

  private:
    static const Panels& panels_of(const LinearMap<float>& map) {
        return LinearAccess<float>::storage(*map.weights).panels;
    }
    /// The map that panel i belongs to; i becomes its number there.
    const LinearMap<float>& map_of(Index& i) const {
        std::size_t m = 0;
        for (; i >= panels_of(maps_[m]).count(); ++m) i -= panels_of(maps_[m]).count();
        return maps_[m];
    }

    const Kernels& k_;
    ConstView<float> x_;
    std::span<const LinearMap<float>> maps_;
    Index panel_count_ = 0, row_blocks_ = 1;
    const Panels* next_ = nullptr; // of the product to come
};

void Plan::set_threads(Index threads) {
    // With many rows each thread keeps rows of its own: what it reads then lies in its own cache,
    // because it wrote it in the product before.
    if (x_.rows() / threads >= kOwnRows) {
        row_blocks_ = (row_blocks_ + threads - 1) / threads * threads;
    }
    const Index wanted = 4 * threads;
    if (count() < wanted) {
        const Index more = (wanted + panel_count_ - 1) / panel_count_;
        row_blocks_ = std::max(row_blocks_, std::min(more, x_.rows() / k_.block_rows));
    }
}

/// `part` of `parts` works on it, and on what follows up to `end`.
void Plan::run(Index item, Index part, Index parts, Index end) const {
    const Index block = item / panel_count_;
    const Index row = x_.rows() * block / row_blocks_;
    Index panel = item % panel_count_;
    const LinearMap<float>& map = map_of(panel);
    const Index col = panel * k_.panel_width;
    PanelProduct p{.x = x_.data() + row * x_.outerStride(),
                   .x_stride = x_.outerStride(),
                   .rows = x_.rows() * (block + 1) / row_blocks_ - row,
                   .depth = x_.cols(),
                   .panel = panels_of(map).panel(panel),
                   .stored = panels_of(map).stored(),
                   .relu = map.options.epilogue == Epilogue::relu,
                   .y = const_cast<float*>(map.y.data()) + row * map.y.outerStride() + col,
                   .y_stride = map.y.outerStride(),
                   .cols = std::min(k_.panel_width, map.weights->out() - col)};
    if (!map.options.bias.empty()) p.bias = map.options.bias.data() + col;
    if (const Matrix<float>* residual = map.options.residual) {
        p.residual = residual->data() + row * residual->cols() + col;
        p.residual_stride = residual->cols();
    }
    if (item + 1 < end) {
        Index following = (item + 1) % panel_count_;
        const Panels& panels = panels_of(map_of(following));
        p.next = panels.panel(following);
        p.next_bytes = panels.panel_bytes();
    } else if (next_) {
        p.next = next_->panel(next_->count() * part / parts);
        p.next_bytes = next_->panel_bytes();
    }
    k_.panel_product(p);
}

/// Each thread works off a share of its own, so that it knows its next panel; who is done helps
/// the others, so that nobody waits for a thread that was held up.
void share(ThreadPool& pool, const Plan& plan) {
    constexpr Index kMost = 64;
    struct alignas(64) Share {
        std::atomic<Index> next{0};
        Index end = 0;
    };
    std::array<Share, kMost> shares;
    const Index parts = std::min<Index>({pool.size(), kMost, plan.count()});
    for (Index part = 0; part < parts; ++part) {
        auto& share = shares[static_cast<std::size_t>(part)];
        share.next.store(plan.count() * part / parts, std::memory_order_relaxed);
        share.end = plan.count() * (part + 1) / parts;
    }
    pool.for_each(parts, [&](Index part) {
        for (Index turn = 0; turn < parts; ++turn) {
            auto& share = shares[static_cast<std::size_t>((part + turn) % parts)];
            // Looking first leaves the counter of a share that is done in its owner's cache.
            while (share.next.load(std::memory_order_relaxed) < share.end) {
                const Index i = share.next.fetch_add(1, std::memory_order_relaxed);
                if (i < share.end) plan.run(i, part, parts, share.end);
            }
        }
    });
}

} // namespace

template <>
void linear(ThreadPool& pool, ConstView<float> x, std::span<const LinearMap<float>> maps) {
    double work = 0;
    for (const auto& map : maps) {
        check_shapes(x, map);
        work += 2.0 * static_cast<double>(x.rows()) * static_cast<double>(x.cols()) *
                static_cast<double>(map.weights->out());
    }
    if (x.rows() == 0 || maps.empty()) return;
    Plan plan(kernels(), x, maps);
    if (pool.size() == 1 || work < kWorthSharing) {
        for (Index i = 0; i < plan.count(); ++i) plan.run(i, 0, 1, plan.count());
        return;
    }
    plan.set_threads(pool.size());
    share(pool, plan);
}

template <>
void linear(ThreadPool& pool, ConstView<double> x, std::span<const LinearMap<double>> maps) {
    static_cast<void>(pool); // gradient tests are small
    for (const auto& map : maps) {
        check_shapes(x, map);
        if (map.weights->out() == 0) continue;
        View<double> y = map.y;
        const bool sums = map.options.residual != nullptr;
        const Matrix<double> residual = sums ? *map.options.residual : Matrix<double>(); // may be y
        y.noalias() = x * LinearAccess<double>::storage(*map.weights).matrix;
        if (!map.options.bias.empty()) {
            y.rowwise() += Eigen::Map<const RowVector<double>>(map.options.bias.data(), y.cols());
        }
        if (map.options.epilogue == Epilogue::relu) {
            y = y.unaryExpr([](double value) { return value < 0 ? 0 : value; });
        }
        if (sums) y += residual;
    }
}

template <class S>
void linear(ThreadPool& pool, ConstView<S> x, const Weights<S>& w, const LinearOptions<S>& options,
            View<S> y) {
    const LinearMap<S> map{&w, options, y};
    linear<S>(pool, x, std::span<const LinearMap<S>>(&map, 1));
}
template void linear(ThreadPool&, ConstView<float>, const Weights<float>&,
                     const LinearOptions<float>&, View<float>);
template void linear(ThreadPool&, ConstView<double>, const Weights<double>&,
                     const LinearOptions<double>&, View<double>);

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
    if (!std::isfinite(max)) {
        const bool none = max == -std::numeric_limits<float>::infinity();
        const float all = none ? 0 : std::numeric_limits<float>::quiet_NaN();
        std::fill(row.begin(), row.end(), all);
        return {max, all};
    }
    return {max, k.row_exp(row.data(), n, max)};
}

} // namespace heed::num
