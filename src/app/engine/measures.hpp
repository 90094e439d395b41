// The measures of a snapshot about more than one head: maps of several heads, the model's
// prediction, and what each head does to the output.
#pragma once

#include "app/engine/engine.hpp"
#include "app/engine/merging.hpp"
#include "num/threads.hpp"

#include <memory>
#include <stop_token>
#include <vector>

namespace heed::app {

/// The combined weights that the focus asks for. Requires focus.combine.
std::shared_ptr<const Matrix<float>> combined_map(const trace::Trace& trace, const Focus& focus,
                                                  num::ThreadPool& pool,
                                                  const std::stop_token& stop);
/// Snapshot::map for this focus and these words, which may be null.
std::shared_ptr<const Matrix<float>> focused_map(const trace::Trace& trace, const Focus& focus,
                                                 const TokenWords* words, num::ThreadPool& pool,
                                                 const std::stop_token& stop);
/// Weights of these heads, from 0, of the focused layer, each with its number; merged where words
/// are given.
std::vector<std::pair<int, std::shared_ptr<const Matrix<float>>>>
overlay_of(const trace::Trace& trace, const Focus& focus, const std::vector<int>& heads,
           const TokenWords* words);
/// Flow through the mean maps of all layers of the focused kind. Null for cross-attention, whose
/// maps are not square, and when stopped. Merged, it goes to the word that the token is a piece of.
std::shared_ptr<const trace::Flow> flow_of(const trace::Trace& trace, const Focus& focus,
                                           const FlowFocus& asked, const TokenWords* words,
                                           num::ThreadPool& pool, const std::stop_token& stop);
/// The row that is asked for, from 0, or the first that is not hidden: a sentence may have become
/// shorter.
int row_or_first(int row, num::Index rows, const std::vector<int>& hidden = {});
/// The weights of one query in every head of a kind: layers · heads × keys. Null where nobody asks
/// for one. Of a query that is not there those of the first.
std::shared_ptr<const Matrix<float>>
query_rows(const trace::Trace& trace, trace::AttentionKind kind, const std::optional<int>& query);
/// Summary over all queries that have a distribution. weights: n × m, of these tokens.
HeadSummary summarize(const Matrix<float>& weights, const inside::MapTokens& tokens);
/// The summary of every head of a kind, layers × heads. Null when stopped.
std::shared_ptr<const std::vector<HeadSummary>> head_summaries(const trace::Trace& trace,
                                                               trace::AttentionKind kind,
                                                               num::ThreadPool& pool,
                                                               const std::stop_token& stop);
/// The places of a kind's heads, layer · heads + head, so that like maps stand together. Null when
/// stopped.
std::shared_ptr<const std::vector<int>> alike_heads(const trace::Trace& trace,
                                                    trace::AttentionKind kind,
                                                    num::ThreadPool& pool,
                                                    const std::stop_token& stop);
/// Histograms of q · k for random q and k of three widths, unscaled and scaled: they depend on
/// nothing else.
std::shared_ptr<const std::vector<num::DotHistogram>> dot_histograms(num::ThreadPool& pool);
/// The tokens of the source that a model which fills masks is to fill, from 0; the first 32.
std::vector<int> masked_tokens(const models::Run& run);
/// The rows of a vocabulary by their probability, the first of equals first.
std::vector<num::Index> likeliest_rows(const num::RowVector<float>& p, std::size_t most = 16);
/// Null where the model has no decoder and no token is masked.
std::shared_ptr<const Prediction> prediction_of(const models::Run& run, num::ThreadPool& pool);
/// The probabilities that the token after a text is drawn of: p without what may not be said.
num::RowVector<float> probabilities_to_draw(const models::Run& run, num::RowVector<float> p);
/// The prediction of what comes after one of the tokens that the decoder reads, or fills that
/// masked token; null where that is not known.
std::shared_ptr<const Prediction> prediction_after(const Prediction& prediction, int token);

/// True where the effect of each head is measured without being asked for: of a trained model whose
/// heads of this kind are few.
bool tells_worth(const models::Model& model, trace::AttentionKind kind);
/// The effects of the focused kind that `before` measured on the very same run, or none yet.
std::shared_ptr<const HeadEffects> effects_known(const Snapshot& now, const Snapshot* before);
/// Measures some more heads, for about a twentieth of a second. Null when stopped or when a run
/// failed. Requires effects that are not complete.
std::shared_ptr<const HeadEffects> measure_effects(const Snapshot& snapshot, num::ThreadPool& pool,
                                                   const std::stop_token& stop);

} // namespace heed::app
