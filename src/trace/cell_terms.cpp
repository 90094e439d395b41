#include "trace/cell_terms.hpp"

#include "base/check.hpp"
#include "num/softmax.hpp"

namespace heed::trace {

CellProducts cell_products(const AttentionMap& map, Index query, Index key) {
    const Attention& attention = map.attention();
    HEED_CHECK(query >= 0 && query < attention.n_queries() && key >= 0 && key < attention.n_keys(),
               "cell {}, {} of {} x {}", query, key, attention.n_queries(), attention.n_keys());
    CellProducts terms;
    terms.q = nn::head_query(attention, map.head_index(), query, 1).row(0);
    terms.k = nn::head_key(attention, map.head_index(), key, 1).row(0);
    terms.products = terms.q.cwiseProduct(terms.k);
    return terms;
}

AdditiveTerms additive_terms(const AdditiveParts& parts, Index key) {
    AdditiveTerms terms;
    terms.query = parts.query;
    terms.key = parts.key.row(key);
    terms.sum = terms.query + terms.key;
    terms.hidden = terms.sum.array().tanh();
    terms.weighted = terms.hidden.cwiseProduct(parts.v);
    return terms;
}

ScoreWeight softmax_of_scaled(const AttentionMap& map, Index query, float factor, Index key) {
    const Index keys = map.cols(Stage::weights);
    num::RowVector<float> row = map.rectangle(Stage::masked, {query, 0, 1, keys}).row(0);
    row *= factor / map.head().settings.temperature;
    return {row(key), num::softmax(row)(key)};
}

} // namespace heed::trace
