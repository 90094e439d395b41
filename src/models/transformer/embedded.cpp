#include "models/transformer/embedded.hpp"

#include "nn/attention/position.hpp"

namespace heed::models {

Matrix<float> mapped(num::ThreadPool& pool, const Matrix<float>& x, const num::Weights<float>& w,
                     const RowVector<float>& bias) {
    Matrix<float> y(x.rows(), w.out());
    num::linear<float>(pool, num::view(x), w, {numbers(bias)}, num::view(y));
    return y;
}

Matrix<float> position_rows(const EmbeddingSpec& spec, const Matrix<float>& table,
                            const std::vector<Index>& rows, Index first, Index n) {
    if (spec.pad < 0) return nn::learned_positions(table, n, spec.position_offset + first);
    Matrix<float> at(n, table.cols());
    Index next = spec.position_offset;
    for (Index i = 0; i < first + n; ++i) {
        const bool pad = rows[static_cast<std::size_t>(i)] == spec.pad;
        const Index row = pad ? spec.position_offset - 1 : next++;
        if (i >= first) at.row(i - first) = table.row(row);
    }
    return at;
}

Matrix<float> embedded_patches(num::ThreadPool& pool, const Transformer::Parameters& p,
                               const Matrix<float>& image) {
    const PatchSpec& s = p.config.patches;
    const Index a_side = s.image / s.size, size = s.size, area = size * size;
    Matrix<float> pixels(a_side * a_side, s.channels * area);
    for (Index i = 0; i < pixels.rows(); ++i) {
        const Index top = i / a_side * size, left = i % a_side * size;
        for (Index channel = 0; channel < s.channels; ++channel) {
            for (Index y = 0; y < size; ++y) {
                pixels.row(i).segment(channel * area + y * size, size) =
                    image.row(channel * s.image + top + y).segment(left, size);
            }
        }
    }
    Matrix<float> x(p.leading.rows() + pixels.rows(), p.config.d_model);
    x.topRows(p.leading.rows()) = p.leading;
    x.bottomRows(pixels.rows()) = mapped(pool, pixels, p.patch, p.patch_bias);
    return x;
}

} // namespace heed::models
