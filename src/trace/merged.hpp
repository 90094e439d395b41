// Attention between words, of attention between their pieces. By the field's convention (Clark et
// al. 2019, section 4.1) attention to a word is the sum over its pieces, and attention from it the
// mean over them: rows that sum to 1 still do.
#pragma once

#include "text/words.hpp"
#include "trace/flow.hpp"
#include "trace/trace.hpp"

namespace heed::trace {

/// words × words of `weights`, n × m. A piece that has no distribution, a row of zeros, does not
/// count towards the mean; a word none of whose pieces has one keeps a row of zeros. ContractError
/// when the words have not n and m tokens.
Matrix<float> merged_weights(const Matrix<float>& weights, const text::Words& queries,
                             const text::Words& keys);
/// Merged weights of a head, whose own are never all there at once; `visit` sees every row of
/// tokens on the way.
Matrix<float> merged_weights(const AttentionMap& map, const text::Words& queries,
                             const text::Words& keys, const AttentionMap::RowVisitor& visit = {});

/// Flow to a word: the mean of what flows to its pieces, between words. Exactly that: reach and
/// share are sums over pieces of the tokens' reach and share, not a flow through merged maps.
/// Errors as of flow_to(), and words that have not as many tokens as the maps.
Flow flow_to_word(const LayerMaps& layers, FlowRule rule, const text::Words& words, Index word);

} // namespace heed::trace
