#include "models/file/word_table.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace heed::models {

using num::Index;
using num::Matrix;
using num::RowVector;

namespace {

void copy_row(const WordTable& table, Index word, std::span<float> to) {
    HEED_CHECK(word >= 0 && word < table.rows(), "row {} of a table with {} rows", word,
               table.rows());
    if (table.halves.out() > 0) {
        num::copy_output(table.halves, word, to);
    } else {
        std::copy_n(table.floats.data() + word * table.cols(), table.cols(), to.begin());
    }
}

/// Rows of x that are few are not worth packing w; of others its rows are read once.
Matrix<float> products_with_rows(num::ThreadPool& pool, const Matrix<float>& x,
                                 const Matrix<float>& w) {
    constexpr Index kFew = 4, kBlock = 64; // the block stays in a core's own cache
    Matrix<float> y(x.rows(), w.rows());
    pool.for_each((w.rows() + kBlock - 1) / kBlock, [&](Index block) {
        const Index begin = block * kBlock, n = std::min(kBlock, w.rows() - begin);
        if (x.rows() < kFew) {
            y.middleCols(begin, n).noalias() = x * w.middleRows(begin, n).transpose();
        } else {
            num::product_transposed(num::view(x), num::view(w, begin, 0, n, w.cols()), 1,
                                    num::view(y, 0, begin, x.rows(), n));
        }
    });
    return y;
}

} // namespace

RowVector<float> WordTable::row(Index word) const {
    RowVector<float> found(cols());
    copy_row(*this, word, {found.data(), static_cast<std::size_t>(found.size())});
    return found;
}

Matrix<float> embed(const WordTable& table, std::span<const Index> words, float factor) {
    Matrix<float> embedded(std::ssize(words), table.cols());
    for (std::size_t i = 0; i < words.size(); ++i) {
        copy_row(table, words[i], num::row_span(embedded, static_cast<Index>(i)));
    }
    embedded *= factor;
    return embedded;
}

Matrix<float> products(num::ThreadPool& pool, const Matrix<float>& x, const WordTable& table) {
    if (table.halves.out() == 0) return products_with_rows(pool, x, table.floats);
    Matrix<float> y(x.rows(), table.rows());
    num::linear<float>(pool, num::view(x), table.halves, {}, num::view(y));
    return y;
}

} // namespace heed::models
