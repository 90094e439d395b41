// Products of activations with weights: y = x W + b. Weights are packed once, when a model is
// made, into the panels that the kernel reads; the kernel is compiled for several instruction sets
// and chosen when the program starts (HEED_ISA=base, v3 or v4 in the environment overrules).
#pragma once

#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace heed::num {

/// "base", "v3" or "v4": the kernels in use.
std::string_view instruction_set();

/// W of a linear map, in × out. For float it is kept in panels alone; dense() makes the matrix
/// again, exactly. For double (gradient tests) it is the matrix.
template <class S> class Weights {
  public:
    Weights() = default;
    explicit Weights(const Matrix<S>& in_by_out);
    Index in() const { return in_; }
    Index out() const { return out_; }
    Matrix<S> dense() const;

  private:
    Index in_ = 0, out_ = 0;
    struct Storage;
    std::shared_ptr<const Storage> storage_; // immutable, so copies share it
    template <class T> friend struct LinearAccess;
};

enum class Epilogue { none, relu };

/// The last steps of x W before it is stored: y = epilogue(x W + bias) + residual.
template <class S> struct LinearOptions {
    std::span<const S> bias; // out, or empty
    Epilogue epilogue = Epilogue::none;
    const Matrix<S>* residual = nullptr; // rows × out
    /// The weights that the next product will read: fetched while this one ends. Changes no number.
    const Weights<S>* next = nullptr;
};

/// x: rows × in, y: rows × out, already of its size. Threads of the pool share the work.
template <class S>
void linear(ThreadPool& pool, ConstView<S> x, const Weights<S>& w, const LinearOptions<S>& options,
            View<S> y);

/// One of several maps of the same rows.
template <class S> struct LinearMap {
    const Weights<S>* weights;
    LinearOptions<S> options;
    View<S> y; // rows × out, already of its size
};

/// Several maps of one x, such as queries, keys and values, shared out once. Of `next` the last
/// map's counts.
template <class S>
void linear(ThreadPool& pool, ConstView<S> x, std::span<const LinearMap<S>> maps);

/// c = a · bᵀ · factor for small matrices inside one thread: queries against keys.
void product_transposed(ConstView<float> a, ConstView<float> b, float factor, View<float> c);
void product_transposed(ConstView<double> a, ConstView<double> b, double factor, View<double> c);
/// c = a · b inside one thread: weights against values.
void product(ConstView<float> a, ConstView<float> b, View<float> c);
void product(ConstView<double> a, ConstView<double> b, View<double> c);

/// exp(x − max) in place along one row, by the vector kernels; gives max and sum. All −inf: the row
/// becomes 0, max −inf, sum 0. Divide by sum to have softmax.
struct RowExp {
    float max, sum;
};
RowExp exp_row(std::span<float> row);

} // namespace heed::num
