// A model of any kind: a configuration, and a pure function from (input, controls) to a trace.
#pragma once

#include "base/result.hpp"
#include "models/model/text_to_ids.hpp"
#include "models/model/traits.hpp"
#include "models/spec/controls.hpp"
#include "models/spec/recurrent_config.hpp"
#include "models/spec/spec.hpp"
#include "models/spec/stored_config.hpp"
#include "num/threads.hpp"
#include "tensors/named.hpp"
#include "text/token.hpp"
#include "text/vocabulary.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed::models {

/// The shape of a model, by its kind.
using Config = std::variant<ModelSpec, RecurrentConfig, StoredConfig>;

/// Null where the model is of another kind. For this room alone: those above read traits().
inline const ModelSpec* spec_of(const Config& c) { return std::get_if<ModelSpec>(&c); }
inline ModelSpec* spec_of(Config& c) { return std::get_if<ModelSpec>(&c); }

/// The traits that the rooms above ask of a model of this shape.
Traits traits(const Config& config);

/// Embeddings so wide as word vectors are that they begin with; where a width does not divide into
/// the model's heads, fewer share it.
void set_embedding_width(Config& config, int width);
/// True where the target of a decoder alone goes on from its source (ModelSpec::one_text). Nothing
/// changes of a model that encodes.
void set_one_text(Config& config, bool one_text);
/// Nothing changes where the decoder makes no context of a source's states.
void set_context(Config& config, Context context);
/// True where it is a transformer with the numbers of a named size.
bool has_size(const Config& config, const NamedSize& size);
/// The specification that a model from elsewhere was trained as; null where the weights are draws
/// or Heed's own.
const ModelSpec* trained_elsewhere(const Config& config);
/// Errors: those of the kind's own check.
base::Result<void> check(const Config& config);
/// Errors: out_of_range or mismatch, with the control and its scope as the subject, and the allowed
/// values: NaN, a temperature of 0, a window below 0, more painted cells than the largest map has,
/// dropout outside [0, 1), a layer, head or kind of attention that the model has not, rotary
/// positions on an odd head width.
base::Result<void> check(const Controls& controls, const Config& config);

/// The text of a token that only fills a sentence up.
inline constexpr std::string_view kPadToken = "⟨pad⟩";
/// The text of the token that the decoder of a model that speaks reads first.
inline constexpr std::string_view kStartToken = "⟨start⟩";
/// The text of the token that it says last.
inline constexpr std::string_view kEndToken = "⟨end⟩";

/// Sampling of the next token, in this order: of p^(1/temperature), of its top_k most probable, of
/// the fewest of these that hold top_p of what they hold together (Holtzman et al. 2020).
struct Sampling {
    float temperature = 0; // 0: it is not drawn, but the most probable one
    int top_k = 0;         // 0: all
    float top_p = 1;       // above 0; 1: all
    std::uint64_t seed = 1;
    bool operator==(const Sampling&) const = default;
};
inline constexpr float kMostSamplingTemperature = 2;
inline constexpr int kMostTopK = 100'000;

/// Decoding, the way in which a decoder that can speak freely finds its words.
struct Decoding {
    enum class Rule {
        forced, // the target, whole; freely where there is none
        greedy, // the target, then the word of every step that `sampling` finds
        beam,   // the target, then what a beam search finds
    } rule = Rule::forced;
    int beam_width = 4;
    int limit = 0;       // words at most, up to kMaxTokens; 0: usual_limit() of the source
    int followed = 0;    // the hypothesis of the beam that the trace is about, the best is 0
    Sampling sampling{}; // of a model that reads ids
    bool operator==(const Decoding&) const = default;
};
inline constexpr int kMaxBeam = 64;

/// An encoder-only model reads the source, a decoder-only one that speaks both, another the target
/// or, where that is empty, the source.
struct Input {
    std::vector<text::Token> source, target;
    int pad_to = 0;         // both sides are filled with ⟨pad⟩ up to this length
    Decoding decoding = {}; // of a model that speaks
    /// The type of each of the source's tokens, of a model that has types; those that lack are 0.
    std::vector<int> source_types = {};
    /// The picture that a model of patches reads: its channels one below another, each as large as
    /// the image that it takes, numbers as it was trained on. Null where it reads words.
    std::shared_ptr<const num::Matrix<float>> image = {};
    int sentence = 0; // which one of a file of several, from 0
    bool operator==(const Input&) const = default;
};

/// Tokens of each side of a run, ⟨pad⟩ included: source, target.
std::pair<num::Index, num::Index> most_tokens(const Config& config, const Input& input);

/// Numbers that take the place of an activation before anything reads it: what ablation and
/// patching are made of (Vig et al. 2020, section 3; Meng et al. 2022, section 2.1).
struct Replacement {
    enum class Place {
        context,      // what a head sums of the values: rows × its width
        attention,    // what an attention module gives, before the residual sum: rows × d_model
        feed_forward, // alike
        residual,     // what a layer passes on; of layer −1 the stack's input
    } place = Place::context;
    /// The module; of feed-forward and residual the stack: encoder_self is the encoder's, any other
    /// the decoder's.
    trace::AttentionKind kind = trace::AttentionKind::encoder_self;
    int layer = 0;               // from 0
    int head = 0;                // of a context, from 0
    num::Index row = 0;          // the first token that is changed
    num::Matrix<float> values{}; // of it and those behind it
};

struct RunOptions {
    std::stop_token stop; // looked at between layers
    /// A trace of the same model, with the input and controls that made it: layers whose inputs
    /// and controls are the same are shared with it, and so are projections of the first layers
    /// that differ. The result is the same without. A run of another model is not used.
    std::shared_ptr<const struct Run> previous;
    /// The weights of every head of every map, when given, are written here as well, one n × m
    /// block after another in the trace's order; it must be as large as they are.
    float* all_weights = nullptr;
    /// Replacements in a transformer whose target is given whole. The layers before the first of
    /// them are shared with `previous` as ever.
    std::vector<Replacement> replaced = {};
};

/// The data that a model was trained on.
struct Provenance {
    std::string task;    // "zh-en", or the name of a data file
    std::string example; // a source of that task
    text::Segmentation segmentation = text::Segmentation::words;
    std::optional<trace::HeadId> aligned_by{}; // whose links agreed best with gold ones
    std::optional<double> exact_match{}; // share of held-out sentences that it got fully right
    std::optional<std::pair<int, int>> lengths{}; // words of its shortest and longest sources
    std::optional<std::int64_t> steps{}; // that it was trained for, where that is told; from 0
    bool operator==(const Provenance&) const = default;
};

/// Findings about a model once it was trained.
struct Findings {
    std::optional<trace::HeadId> aligned_by{}; // as Provenance has them
    std::optional<double> exact_match{};
    std::optional<std::int64_t> steps{};
    bool operator==(const Findings&) const = default;
};

class Model {
  public:
    virtual ~Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    const Config& config() const { return config_; }
    const Traits& traits() const { return traits_; }
    /// Nothing where the weights are draws that nobody trained.
    const std::optional<Provenance>& provenance() const { return provenance_; }
    /// The arrays that load_model() reads back exactly.
    virtual tensors::Archive archive() const = 0;
    /// Saves those arrays as a file, which tells what was found. Errors: unwritable.
    base::Result<void> save(const std::string& path, const Findings& found = {}) const;
    /// The row of the vocabulary that a word falls on.
    virtual num::Index vocabulary_row(std::string_view word) const;
    /// Empty where a row has no word of its own, because words find it by a hash.
    std::string vocabulary_word(num::Index row) const;
    virtual num::Index vocabulary_size() const;
    /// True where its tokens are rows of the embedding, told by a tokeniser or a person
    /// (text::Token::row): it reads no words.
    virtual bool reads_ids() const { return false; }
    /// The reader that makes these ids of a text; null of a model that reads words.
    virtual const TextToIds* text_to_ids() const { return nullptr; }
    /// The words that it knows by name. Null where words find their rows by a hash.
    virtual const text::Vocabulary* words() const { return nullptr; }
    /// The classes of which it says one; empty where it says words.
    virtual const std::vector<std::string>& classes() const;
    /// The name of what next_token_probabilities() has at a place: a word, or a class.
    std::string answer(num::Index place) const;
    /// True where what a place has goes on with the word before it: Tokenizer::continues_word().
    bool continues_word(num::Index place) const;
    /// The name of a place in a list of what might be said: marked by kContinues where it
    /// continues a word.
    std::string candidate(num::Index place) const;
    /// Rows of learned positions that the tokens of such queries read, rows × width; null where the
    /// model has no such table.
    virtual const num::Matrix<float>* learned_positions(trace::AttentionKind) const {
        return nullptr;
    }
    /// Learned biases of relative positions, buckets × heads; null where there is no such table.
    virtual const num::Matrix<float>* relative_biases(trace::AttentionKind) const {
        return nullptr;
    }
    /// The probability of every row of the vocabulary to come after the target's last token that is
    /// no padding; of a classifier, of every class. Empty where the model has no decoder or the
    /// target no token.
    virtual num::RowVector<float> next_token_probabilities(const Run& run,
                                                           num::ThreadPool& pool) const = 0;
    /// The numbers that the softmax makes probabilities of, for every position that something is
    /// said at: positions × vocabulary, or 1 × classes. Empty where the model says nothing.
    virtual num::Matrix<float> logits(const Run& run, num::ThreadPool& pool) const = 0;

  protected:
    Model(Config config, std::optional<Provenance> provenance)
        : config_(std::move(config)), traits_(models::traits(config_)),
          provenance_(std::move(provenance)) {}

  private:
    friend base::Result<std::shared_ptr<const Run>>
    run(std::shared_ptr<const Model> model, const Input& input, const Controls& controls,
        num::ThreadPool& pool, const RunOptions& options);
    /// Fills the trace of a run whose model, input and controls are set, the controls checked.
    virtual base::Result<void> compute(Run& run, num::ThreadPool& pool,
                                       const RunOptions& options) const = 0;
    const Config config_;
    const Traits traits_;
    const std::optional<Provenance> provenance_;
};

/// One run, with what it was a function of.
struct Run {
    std::shared_ptr<const Model> model;
    Input input;
    Controls controls;
    trace::Trace trace;
    int layers_reused = 0; // of trace.layers, shared with the previous run
    bool replaced = false; // RunOptions::replaced had some: no later run begins with its layers
};

/// A pure function of model, input and controls; which layers and tensors the trace has is told by
/// the kind of model. Errors: out_of_range (no token, more than kMaxTokens, NaN or a temperature of
/// 0 in the controls, a layer or head that is not there, weights that overflow), mismatch (widths
/// that a score or positions cannot take, an activation to replace that the model has not),
/// cancelled.
base::Result<std::shared_ptr<const Run>> run(std::shared_ptr<const Model> model, const Input& input,
                                             const Controls& controls, num::ThreadPool& pool,
                                             const RunOptions& options = {});

} // namespace heed::models
