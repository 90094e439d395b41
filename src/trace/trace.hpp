// The trace of one run: all that it computed, by name, immutable. Whatever ran leaves the same kind
// of trace, and whatever is drawn reads only that.
#pragma once

#include "nn/attention/attention_cache.hpp"
#include "num/matrix.hpp"
#include "text/token.hpp"
#include "trace/beam.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::trace {

using num::Index;
using num::Matrix;
using num::Rect;

enum class AttentionKind { encoder_self, decoder_self, cross };
inline constexpr AttentionKind kAttentionKinds[] = {
    AttentionKind::encoder_self, AttentionKind::decoder_self, AttentionKind::cross};
std::string_view name(AttentionKind kind); // "encoder", "decoder", "cross"

/// The stages of one attention layer, in order (spec of Heed, section 1).
enum class Stage {
    q,       // n × d_q, as projected
    k,       // m × d_k
    v,       // m × d_v
    scores,  // n × m, s(q_i, k_j); q and k are rotated first when positions are rotary
    scaled,  // n × m, scores · gamma
    masked,  // n × m, scaled + position bias (ALiBi, relative) where allowed, −inf where not
    weights, // n × m, softmax(masked / temperature); what multiplies V, so after edits and dropout
    context, // n × d_v, weights · V, times the head's gain
};
inline constexpr Stage kStages[] = {Stage::q,      Stage::k,      Stage::v,       Stage::scores,
                                    Stage::scaled, Stage::masked, Stage::weights, Stage::context};
/// Stages in the order in which each makes the next: values stand where they are weighed.
inline constexpr Stage kStagesAsMade[] = {Stage::q,      Stage::k,      Stage::scores,
                                          Stage::scaled, Stage::masked, Stage::weights,
                                          Stage::v,      Stage::context};
std::string_view name(Stage stage);
std::optional<Stage> stage_named(std::string_view name);
/// True of a stage of queries × keys; the others are tokens × features.
constexpr bool is_map(Stage s) { return s >= Stage::scores && s <= Stage::weights; }

/// A head of a model. Layers and heads count from 0 here and from 1 on the screen, from 0 in files.
struct HeadId {
    AttentionKind kind = AttentionKind::encoder_self;
    int layer = 0;
    int head = 0;
    bool operator==(const HeadId&) const = default;
};

/// The settings that turned a head's q and k into weights: its controls, resolved.
using HeadSettings = nn::HeadSettings<float>;
using Head = nn::Head<float>;

/// One attention module of one layer, all heads: the cache that the forward pass made (its name, q,
/// k, v, context and heads), and where it stands. Assign a cache to it by moving:
/// static_cast<nn::AttentionCache<float>&>(attention) = std::move(cache).
struct Attention : nn::AttentionCache<float> {
    AttentionKind kind = AttentionKind::encoder_self;
    int layer = 0;
};

/// One cell's way through the stages, for the formula in the inspector.
struct Cell {
    float score, scaled, bias, masked;
    float exponential; // exp(masked / temperature − row maximum)
    float sum;         // of the row's exponentials
    float weight;
    bool allowed;
};

/// One head of an attention module: makes any rectangle of any stage when it is looked at, with
/// the same functions that the run used. Cheap to copy; shares the trace.
class AttentionMap {
  public:
    AttentionMap(std::shared_ptr<const Attention> attention, int head);

    const Attention& attention() const { return *attention_; }
    const Head& head() const { return attention_->heads[static_cast<std::size_t>(head_)]; }
    int head_index() const { return head_; }
    Index rows(Stage stage) const; // n or m
    Index cols(Stage stage) const; // m, d_q, d_k or d_v

    /// The numbers of `stage` in `rect`, which lies inside rows × cols.
    Matrix<float> rectangle(Stage stage, const Rect& rect) const;
    Matrix<float> whole(Stage stage) const;
    Cell cell(Index query, Index key) const;
    /// True where this query has any key; when not, its weights are all 0.
    bool has_distribution(Index query) const;
    /// Is given some rows of a map, all of its columns, and the first row's number.
    using RowVisitor = std::function<void(const Matrix<float>& rows, Index first)>;
    /// The largest number of each block of a grid of at most max_rows × max_cols laid over the map,
    /// so that no peak vanishes in a thumbnail. The map itself when it is no larger than that. A
    /// block is −inf only where every cell of it is masked. `visit` sees every row on the way.
    Matrix<float> reduced(Stage stage, Index max_rows, Index max_cols,
                          const RowVisitor& visit = {}) const;

  private:
    std::shared_ptr<const Attention> attention_;
    int head_;
};

enum class Axis { source_tokens, target_tokens, features };

/// Any other array of a run: "encoder_input", "encoder.layers.0.norm1", "memory".
struct Tensor {
    std::string name;
    num::SharedRows<float> values;
    Axis rows = Axis::source_tokens;
    Axis cols = Axis::features;
};

/// A tensor that the run did not keep, since it can be made again: "encoder.layers.0.linear1",
/// which ReLU overwrote.
struct RemadeTensor {
    std::string name;
    std::function<Matrix<float>()> make; // the same numbers each time; from any thread
    Axis rows = Axis::source_tokens;
    Axis cols = Axis::features;
};

/// One step of a run that can be shared by the next run when nothing before it changed.
struct Layer {
    std::string name; // "encoder.embedding", "encoder.layers.0", "encoder.norm", "decoder.layers.0"
    std::vector<std::shared_ptr<const Tensor>> tensors;
    std::vector<std::shared_ptr<const Attention>> attentions;
    std::vector<RemadeTensor> remade = {};
};

struct Trace {
    std::vector<text::Token> source, target;          // empty where the model has no such side
    std::vector<std::shared_ptr<const Layer>> layers; // in the order they were computed
    std::shared_ptr<const Beam> beam;                 // where one was searched
    bool stopped_at_limit = false; // a decoder that speaks freely never said ⟨end⟩

    int n_layers(AttentionKind kind) const; // 0 where the model has no such attention
    int n_heads(AttentionKind kind) const;
    /// Null when there is none.
    std::shared_ptr<const Attention> attention(AttentionKind kind, int layer) const;
    std::optional<AttentionMap> map(const HeadId& head) const;
    /// Tensor of a name; a remade one is new each time, at the cost of the product that it is.
    std::shared_ptr<const Tensor> tensor(std::string_view name) const;
    const std::vector<text::Token>& queries(AttentionKind kind) const;
    const std::vector<text::Token>& keys(AttentionKind kind) const;
};

} // namespace heed::trace
