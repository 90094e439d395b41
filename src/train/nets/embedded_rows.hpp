// Embedded rows: what a net reads first of a batch's words, and what dropout leaves of them.
#pragma once

#include "base/check.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/attention/segments.hpp"
#include "num/matrix.hpp"

#include <span>
#include <string_view>

namespace heed::train {

using num::Index;

/// Rows of a table of `vocabulary` rows, times `factor`, into those of x from `first` on.
template <class S>
void rows_of(const S* table, Index vocabulary, std::span<const Index> words, S factor, Index first,
             num::Matrix<S>& x) {
    const Index d = x.cols();
    for (std::size_t i = 0; i < words.size(); ++i) {
        HEED_CHECK(words[i] >= 0 && words[i] < vocabulary, "row {} of a vocabulary of {}", words[i],
                   vocabulary);
        x.row(first + static_cast<Index>(i)) =
            Eigen::Map<const num::RowVector<S>>(table + words[i] * d, d) * factor;
    }
}

/// x ∘ factors, kept in `factors`; nothing where there is no dropout.
template <class S>
void drop(const nn::DropoutSettings& settings, std::string_view place, num::Matrix<S>& x,
          num::Matrix<S>& factors) {
    const nn::Dropout dropout(settings, place);
    factors.resize(dropout.active() ? x.rows() : 0, x.cols());
    for (Index i = 0; i < factors.size(); ++i) {
        factors.data()[i] = dropout.template factor<S>(i);
    }
    if (dropout.active()) x = x.cwiseProduct(factors).eval();
}

/// Gradient through drop(): dx ∘ factors where there are any.
template <class S> void drop_back(const num::Matrix<S>& factors, num::Matrix<S>& dx) {
    if (factors.size() > 0) dx = dx.cwiseProduct(factors).eval();
}

/// Adds to the gradient of a table of learned positions: of each segment's rows of dx one a place.
template <class S>
void positions_back(const num::Matrix<S>& dx, const nn::Segments& segments, S* gradient) {
    for (Index s = 0; s < segments.count(); ++s) {
        Eigen::Map<num::Matrix<S>>(gradient, segments.size(s), dx.cols()) +=
            dx.middleRows(segments.begin(s), segments.size(s));
    }
}

} // namespace heed::train
