// Products that gradients need. Of y = x W + b they are dx = dy Wᵀ, a product with weights that are
// packed once more as their transpose, dW = xᵀ dy and db = Σ rows of dy. All inside the calling
// thread: training gives each thread sentences of its own.
#pragma once

#include "num/product.hpp"

#include <span>

namespace heed::num {

/// Makes w a pack of m, in × out, in the memory that it has when nobody shares it.
template <class S> void repack(Weights<S>& w, ConstView<S> m);
/// Makes w a pack of the transpose of m: out × in.
template <class S> void repack_transposed(Weights<S>& w, ConstView<S> m);

/// The way that a result is stored: in place of what is there, or added to it.
enum class Store { set, add };

/// c = aᵀ b, a: n × rows, b: n × cols, c: rows × cols. Throws ContractError when they do not fit.
template <class S>
void product_of_transpose(ConstView<S> a, ConstView<S> b, Store store, View<S> c);

/// c = aᵀ b, and sums = Σ rows of b beside it, stored alike; no sums when it is empty.
template <class S>
void product_of_transpose(ConstView<S> a, ConstView<S> b, Store store, View<S> c,
                          std::span<S> sums);

/// c += a · b.
template <class S> void add_product(ConstView<S> a, ConstView<S> b, View<S> c);

float dot(std::span<const float> a, std::span<const float> b);
double dot(std::span<const double> a, std::span<const double> b);

} // namespace heed::num
