// The transformer of Vaswani et al. 2017, and what it can be turned into: encoder-decoder,
// encoder alone, decoder alone.
//
// It follows torch.nn.Transformer to the number: a final norm stands after each stack in both norm
// orders. (The 2017 paper has post-norm and no final norm; torch has one all the same, and a model
// that Heed writes must give the same numbers there.) A decoder-only layer is torch's decoder layer
// without cross-attention: its norms are norm1 and norm3.
#pragma once

#include "base/result.hpp"
#include "models/config.hpp"
#include "models/controls.hpp"
#include "num/threads.hpp"
#include "text/token.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

class Transformer {
  public:
    /// Weights drawn from the seed; the same everywhere, whatever the team.
    /// Errors: those of check(config).
    static base::Result<std::shared_ptr<const Transformer>> draw(const TransformerConfig& config,
                                                                 num::Team& team);
    /// A Heed model: safetensors with the names, shapes and layouts of torch.nn.Transformer's state
    /// dict (encoder.…, decoder.…), embedding.weight, output.weight, and what torch has not under
    /// positions.… and scores.…; the configuration in its metadata, string to string.
    /// Errors: not_found, unreadable, malformed, unsupported (no model of Heed's), mismatch
    /// (tensors missing, left over or of another shape, each named), out_of_range (NaN or infinity,
    /// with their number).
    static base::Result<std::shared_ptr<const Transformer>> load(const std::string& path,
                                                                 num::Team& team);
    /// What load() reads back exactly. Errors: unwritable.
    base::Result<void> save(const std::string& path) const;

    const TransformerConfig& config() const;
    ~Transformer();

    struct Parameters;
    const Parameters& parameters() const { return *parameters_; }

  private:
    explicit Transformer(std::unique_ptr<const Parameters> parameters);
    std::unique_ptr<const Parameters> parameters_;
};

/// The text of a token that only fills a sentence up.
inline constexpr std::string_view kPadToken = "⟨pad⟩";

/// The row of the embedding that a token reads: its text's FNV-1a hash, modulo the vocabulary.
num::Index embedding_row(std::string_view token, int vocabulary);

/// An encoder-only model reads the source, a decoder-only model the target, or, where that is
/// empty, the source.
struct Input {
    std::vector<text::Token> source, target;
    int pad_to = 0; // both sides are filled with ⟨pad⟩ up to this length
    bool operator==(const Input&) const = default;
};

/// The most tokens a side that a run takes.
inline constexpr std::size_t kMaxTokens = 2048;

struct RunOptions {
    std::stop_token stop; // looked at between layers
    /// A trace of the same model, with the input and controls that made it: layers whose inputs
    /// and controls are the same are shared with it, and so are projections of the first layers
    /// that differ. The result is the same without. A run of another model is not used.
    std::shared_ptr<const struct Run> previous;
    /// When given, the weights of every head of every map are written here as well, one n × m block
    /// after another in the trace's order; it must be as large as they are.
    float* all_weights = nullptr;
};

/// One run, with what it was a function of.
struct Run {
    std::shared_ptr<const Transformer> model;
    Input input;
    Controls controls;
    trace::Trace trace;
    int layers_reused = 0; // of trace.layers, shared with the previous run
};

/// A pure function of model, input and controls. The trace's layers, in order, and the names of
/// their tensors (all tokens × d_model unless said); the last of each is the layer's output, and so
/// the next one's input:
///   encoder.embedding   encoder.embedding (times sqrt(d_model)) and encoder.positions where
///                       positions join it, encoder_input
///   encoder.layers.N    .self_attn; post-norm: .norm1, feed-forward, .norm2
///                       pre-norm: .norm1, .residual1, .norm2, feed-forward, .residual2
///   encoder.norm        memory
///   decoder.embedding   decoder.embedding, decoder.positions, decoder_input
///   decoder.layers.N    .self_attn, .multihead_attn; as above with .norm2 for cross-attention and
///                       .norm3 for feed-forward
///   decoder.norm        decoder_output
/// Feed-forward is .linear1 (before the activation; for ReLU it is made again when it is looked at)
/// and .activation, both tokens × d_ff, and .linear2.
/// Errors: out_of_range (no token, more than kMaxTokens or than learned positions, NaN or a
/// temperature of 0 in the controls, a layer or head that is not there, weights that overflow),
/// mismatch (rotary positions on an odd head width), cancelled.
base::Result<std::shared_ptr<const Run>> run(std::shared_ptr<const Transformer> model,
                                             const Input& input, const Controls& controls,
                                             num::Team& team, const RunOptions& options = {});

} // namespace heed::models
