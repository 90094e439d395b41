#include "app/inside/corpus_check.hpp"

#include "base/hash.hpp"
#include "models/recurrent/recurrent_parameters.hpp"
#include "models/transformer/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace heed::app {

namespace {

using num::Index;
using num::Matrix;
using num::RowVector;

constexpr Index kHashedRows = 8;

Index hashed_row(Index i, Index rows) { return i * rows / std::min(kHashedRows, rows); }

std::uint64_t hash_numbers(const Matrix<float>& rows, std::uint64_t seed) {
    const auto size = static_cast<std::size_t>(rows.size()) * sizeof(float);
    return base::hash_bytes({reinterpret_cast<const char*>(rows.data()), size}, seed);
}

Matrix<float> some_rows(const Matrix<float>& matrix, num::ThreadPool&) {
    Matrix<float> rows(std::min(kHashedRows, matrix.rows()), matrix.cols());
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = matrix.row(hashed_row(i, matrix.rows()));
    return rows;
}
Matrix<float> some_rows(const RowVector<float>& vector, num::ThreadPool&) { return vector; }

/// Rows by a product with ones and zeros, which is exact, so that no matrix is unpacked whole.
Matrix<float> some_rows(const num::Weights<float>& weights, num::ThreadPool& pool) {
    Matrix<float> rows(std::min(kHashedRows, weights.in()), weights.out());
    Matrix<float> chosen = Matrix<float>::Zero(rows.rows(), weights.in());
    for (Index i = 0; i < rows.rows(); ++i) chosen(i, hashed_row(i, weights.in())) = 1;
    if (rows.size() > 0)
        num::linear<float>(pool, num::view(std::as_const(chosen)), weights, {}, num::view(rows));
    return rows;
}

/// Rows of a table, be they floats or the halves that stand for them.
Matrix<float> some_rows(const models::WordTable& table, num::ThreadPool&) {
    Matrix<float> rows(std::min(kHashedRows, table.rows()), table.cols());
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = table.row(hashed_row(i, table.rows()));
    return rows;
}

std::uint64_t hash_of(const models::ConstNamedTensors& tensors, num::ThreadPool& pool) {
    std::uint64_t hash = 0;
    for (const auto& tensor : tensors) {
        hash = base::hash_bytes(tensor.name, hash);
        for (const auto& part : tensor.parts) {
            const auto rows = [&](const auto* to) { return some_rows(*to, pool); };
            hash = hash_numbers(std::visit(rows, part.to), hash);
        }
    }
    return hash;
}

} // namespace

std::uint64_t weights_hash(const models::Model& model, num::ThreadPool& pool) {
    if (const auto* transformer = models::transformer(model)) {
        return hash_of(models::named_tensors(transformer->parameters()), pool);
    }
    const auto* recurrent = models::recurrent(model);
    return recurrent ? hash_of(models::named_tensors(recurrent->parameters()), pool) : 0;
}

std::string text_check(std::string_view text) {
    return fmt::format("{:016x}", base::hash_bytes(text));
}

} // namespace heed::app
