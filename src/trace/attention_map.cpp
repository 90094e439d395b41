#include "base/check.hpp"
#include "trace/trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::trace {

namespace {

// Queries worked on at once in reduced(): enough for the product to run well, and a strip of the
// longest map stays in the cache.
constexpr Index kStrip = 32;

} // namespace

AttentionMap::AttentionMap(std::shared_ptr<const Attention> attention, int head)
    : attention_(std::move(attention)), head_(head) {
    HEED_CHECK(attention_, "a map of no attention");
    HEED_CHECK(head >= 0 && static_cast<std::size_t>(head) < attention_->heads.size(),
               "{}: head {} of {}", attention_->name, head, attention_->heads.size());
}

Index AttentionMap::rows(Stage stage) const {
    return stage == Stage::k || stage == Stage::v ? attention_->n_keys() : attention_->n_queries();
}

Index AttentionMap::cols(Stage stage) const {
    if (is_map(stage)) return attention_->n_keys();
    if (stage == Stage::q) return attention_->d_q();
    return stage == Stage::k ? attention_->d_k() : attention_->d_v();
}

Matrix<float> AttentionMap::rectangle(Stage stage, const Rect& rect) const {
    HEED_CHECK(rect.row >= 0 && rect.col >= 0 && rect.rows >= 0 && rect.cols >= 0 &&
                   rect.row + rect.rows <= rows(stage) && rect.col + rect.cols <= cols(stage),
               "rows {} + {} and columns {} + {} of {}, which is {} x {}", rect.row, rect.rows,
               rect.col, rect.cols, name(stage), rows(stage), cols(stage));
    const Attention& a = *attention_;
    const auto features = [&](const num::SharedRows<float>& m) -> Matrix<float> {
        const bool shared = stage == Stage::k || stage == Stage::v;
        const Index at = shared ? a.layout().kv_head(head_) : head_;
        return m.block(rect.row, at * cols(stage) + rect.col, rect.rows, rect.cols);
    };
    Matrix<float> out;
    if (is_map(stage)) out.resize(rect.rows, rect.cols);
    switch (stage) {
    case Stage::q: return features(a.q);
    case Stage::k: return features(a.k);
    case Stage::v: return features(a.v);
    case Stage::context: return features(a.context);
    case Stage::scores: nn::head_scores(a, head_, rect, num::view(out)); break;
    case Stage::scaled: nn::head_scaled(a, head_, rect, num::view(out)); break;
    case Stage::masked: nn::head_masked(a, head_, rect, num::view(out)); break;
    case Stage::weights: nn::head_weights(a, head_, rect, num::view(out)); break;
    }
    return out;
}

Matrix<float> AttentionMap::whole(Stage stage) const {
    return rectangle(stage, {0, 0, rows(stage), cols(stage)});
}

Cell AttentionMap::cell(Index query, Index key) const {
    const Rect one{query, key, 1, 1};
    const Head& h = head();
    const auto row = static_cast<std::size_t>(query);
    Cell cell{};
    cell.score = rectangle(Stage::scores, one)(0, 0);
    cell.scaled = rectangle(Stage::scaled, one)(0, 0);
    cell.masked = rectangle(Stage::masked, one)(0, 0);
    cell.weight = rectangle(Stage::weights, one)(0, 0);
    cell.bias = h.bias.empty()
                    ? 0
                    : h.bias[static_cast<std::size_t>(key - query + attention_->n_queries() - 1)];
    cell.sum = h.row_sum[row];
    cell.allowed = h.settings.mask->allows(query, key, attention_->valid_keys);
    cell.exponential =
        cell.allowed ? std::exp(cell.masked / h.settings.temperature - h.row_max[row]) : 0;
    return cell;
}

bool AttentionMap::has_distribution(Index query) const {
    HEED_CHECK(query >= 0 && query < attention_->n_queries(), "query {} of {}", query,
               attention_->n_queries());
    return head().row_sum[static_cast<std::size_t>(query)] != 0 ||
           !nn::edits_of(head().settings.edits, query).empty();
}

Matrix<float> AttentionMap::reduced(Stage stage, Index max_rows, Index max_cols,
                                    const RowVisitor& visit) const {
    HEED_CHECK(max_rows > 0 && max_cols > 0, "a map reduced to {} x {}", max_rows, max_cols);
    const Index n = rows(stage), m = cols(stage);
    const Index grid_rows = std::min(n, max_rows), grid_cols = std::min(m, max_cols);
    if (grid_rows == n && grid_cols == m) {
        Matrix<float> all = whole(stage);
        if (visit) visit(all, 0);
        return all;
    }
    const auto row_end = [&](Index r) { return (r + 1) * n / grid_rows; };
    const auto col_begin = [&](Index c) { return c * m / grid_cols; };
    Matrix<float> grid(grid_rows, grid_cols);
    for (Index r = 0, begin = 0; r < grid_rows;) {
        Index last = r + 1;
        while (last < grid_rows && row_end(last) - begin <= kStrip) ++last;
        const Index end = row_end(last - 1);
        const Matrix<float> strip = rectangle(stage, {begin, 0, end - begin, m});
        if (visit) visit(strip, begin);
        for (Index top = begin; r < last; top = row_end(r), ++r) {
            for (Index c = 0; c < grid_cols; ++c) {
                grid(r, c) = strip
                                 .block(top - begin, col_begin(c), row_end(r) - top,
                                        col_begin(c + 1) - col_begin(c))
                                 .maxCoeff();
            }
        }
        begin = end;
    }
    return grid;
}

} // namespace heed::trace
