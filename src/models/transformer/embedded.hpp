// The vectors that a transformer makes of ids, positions and images before its first layer.
#pragma once

#include "models/transformer/parameters.hpp"

#include <span>
#include <vector>

namespace heed::models {

inline std::span<const float> numbers(const RowVector<float>& v) {
    return {v.data(), static_cast<std::size_t>(v.size())};
}

/// x W + bias.
Matrix<float> mapped(num::ThreadPool& pool, const Matrix<float>& x, const num::Weights<float>& w,
                     const RowVector<float>& bias);

/// The rows of a table of learned positions that n tokens from `first` on read; `rows`: those of
/// the embedding that all tokens read, since padding among them has a row of its own.
Matrix<float> position_rows(const EmbeddingSpec& spec, const Matrix<float>& table,
                            const std::vector<Index>& rows, Index first, Index n);

/// The learned tokens of a model of images, then the patches: a patch is its channels, each row by
/// row (Dosovitskiy et al. 2021, eq. 1). Tokens × d_model.
Matrix<float> embedded_patches(num::ThreadPool& pool, const Transformer::Parameters& parameters,
                               const Matrix<float>& image);

} // namespace heed::models
