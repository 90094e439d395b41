// Traits of a model: all that the rooms above ask of one, whatever its kind. They are made once
// from a configuration by traits() (models/model.hpp).
#pragma once

#include "models/spec/controls.hpp"
#include "models/spec/recurrent_config.hpp"
#include "models/spec/spec.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace heed::models {

/// Output of a model for one source.
enum class Output {
    sentence,     // word after word, by a decoder
    word_at_each, // a word at each of the source's
    one_word,     // of the whole source
    one_class,    // the same, out of a list that is no vocabulary
};

/// Details of a model that goes through its words step by step.
struct Stepwise {
    Shape shape = Shape::n_to_m;
    nn::Cell cell = nn::Cell::gru;
    int layers = 1; // of cells, in each stack
    bool bidirectional = false;
    // Of a model that attends alone:
    Context context = Context::attention;
    StepOrder order = StepOrder::attend_first;
    Projection projection = Projection::one;
    bool operator==(const Stepwise&) const = default;

    /// True where the keys are the encoder's states h themselves; else they are projected, k.
    bool keys_are_states() const { return projection == Projection::none; }
};

struct Traits {
    std::string_view form; // "encoder-decoder": as messages name it
    int width = 0;         // features of a token between layers
    int n_heads = 1;
    int head_width = 0;    // features of a key
    int heads_per_key = 1; // heads of queries that share one head of keys and values
    float own_scale = 0;   // the factor on its scores; 0: 1/sqrt(head_width)
    bool scale_by_layer = false; // divided by the number of the layer, counted from 1
    std::array<int, std::size(trace::kAttentionKinds)> attention_layers{};
    bool has_feed_forward = false; // in each layer
    std::optional<int> places;     // the most tokens of a side, where the model itself ends them
    std::uint64_t seed = 1;        // of the draws that the weights are

    bool encodes = false, decodes = false;
    Output output = Output::sentence;
    bool has_vocabulary = false; // words find their rows in a list, not by a hash
    bool reads_ids = false;      // text becomes rows of the embedding by a tokeniser
    bool reads_pictures = false; // patches of one are its tokens
    PatchSpec patches{};         // then: which
    bool weights_alone = false;  // attention from a file: nothing is computed, nothing can be set
    int sentences = 1;           // then: of the file
    bool reads_source = false;   // else the target alone, or the source in its place
    bool reads_one_word = false; // of the source, its first
    bool source_leads = false;   // the decoder's one sequence begins with the source
    bool one_text = false;       // then: the target goes on from it
    bool reads_start = false;    // ⟨start⟩ takes a place of the decoder's
    bool has_beam = false;       // a beam search can find its words
    bool fills_masks = false;    // it says of a masked token which one it might be
    std::optional<Pooling> pooling; // of classes: what of the tokens they are read from

    nn::Score usual_score = nn::kDotScore; // where no control says otherwise
    nn::Positions usual_positions = nn::Positions::none;
    bool has_positions = false;    // positions can be chosen
    bool cross_positions = true;   // cross-attention has those of heads as well
    bool sines_first = false;      // sinusoidal ones are all sines, then all cosines
    nn::PositionSettings position_settings{};
    bool has_dropout = false;      // dropout can be seen in a run
    std::optional<NormOrder> norm; // the usual one; nothing where there is none to choose
    std::optional<nn::Join> join;  // alike
    std::optional<Architecture> architecture; // alike
    std::optional<Stepwise> steps;            // nothing where all words are computed at once
    bool operator==(const Traits&) const = default;

    /// Layers that hold this kind of attention; 0 where the model has none of it.
    int layers(trace::AttentionKind kind) const {
        return attention_layers[static_cast<std::size_t>(kind)];
    }
    bool attends() const;
    /// The factor that Scale::Kind::on is in a layer, counted from 0.
    float scale_factor(int layer) const;
    /// The usual positions of heads of this kind, or those that join the embedding before them.
    nn::Positions positions(trace::AttentionKind kind) const;
    bool is_stepwise() const { return steps.has_value(); }
    /// True where it says words of its own after those that it is given.
    bool says_freely() const { return decodes && has_vocabulary; }
    /// True where what it writes are words: those of its vocabulary, or a checkpoint's tokens.
    bool says_words() const { return decodes && (has_vocabulary || reads_ids); }
    bool classifies() const { return output == Output::one_class; }
    /// A decoder's attention that says which words of the source it reads, if it has such:
    /// cross-attention, or self-attention where the source leads. Nothing where the context is the
    /// last state or the mean, since such attention does not choose.
    std::optional<trace::AttentionKind> aligning_attention() const;
};

} // namespace heed::models
