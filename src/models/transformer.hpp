// The transformer of Vaswani et al. 2017, and what it can be turned into: encoder-decoder,
// encoder alone, decoder alone.
#pragma once

#include "base/result.hpp"
#include "models/controls.hpp"
#include "nn/position.hpp"
#include "num/threads.hpp"
#include "text/token.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::models {

enum class Architecture { encoder_decoder, encoder_only, decoder_only };
enum class Activation { relu, gelu };

struct TransformerConfig {
    Architecture architecture = Architecture::encoder_decoder;
    int d_model = 512;
    int n_heads = 8;
    int n_encoder_layers = 6;
    int n_decoder_layers = 6;
    int d_ff = 2048;
    Activation activation = Activation::relu;
    NormOrder norm = NormOrder::post;
    nn::Positions positions = nn::Positions::sinusoidal;
    nn::Join join = nn::Join::add;
    int vocabulary = 8192;     // rows of the embedding; a token finds its row by a hash
    int max_positions = 4096;  // rows of the learned position table
    std::uint64_t seed = 1;    // of the draws that the weights are
    float norm_epsilon = 1e-5f;
    bool operator==(const TransformerConfig&) const = default;
};

/// Named sizes, smallest first: "tiny", "small", "medium", "base" (the 2017 paper's).
struct NamedSize {
    const char* name;
    int d_model, n_heads, n_layers, d_ff;
};
const std::vector<NamedSize>& named_sizes();

/// Errors: mismatch where d_model is not divisible by n_heads (both numbers named), out_of_range.
base::Result<void> check(const TransformerConfig& config);

class Transformer {
  public:
    /// Weights drawn from the seed; the same everywhere.
    static base::Result<std::shared_ptr<const Transformer>> draw(const TransformerConfig& config,
                                                                 num::Team& team);
    /// A Heed model: safetensors with the names, shapes and layouts of torch.nn.Transformer,
    /// the configuration in its metadata.
    static base::Result<std::shared_ptr<const Transformer>> load(const std::string& path,
                                                                 num::Team& team);
    base::Result<void> save(const std::string& path) const;

    const TransformerConfig& config() const;
    ~Transformer();

    struct Parameters;
    const Parameters& parameters() const { return *parameters_; }

  private:
    explicit Transformer(std::unique_ptr<const Parameters> parameters);
    std::unique_ptr<const Parameters> parameters_;
};

struct Input {
    std::vector<text::Token> source, target;
    int pad_to = 0; // both sides are filled with ⟨pad⟩ up to this length
    bool operator==(const Input&) const = default;
};

/// The most tokens a side that a run takes.
inline constexpr std::size_t kMaxTokens = 2048;

struct RunOptions {
    std::stop_token stop; // looked at between layers
    /// A trace of the same model, with the input and controls that made it: layers that lie before
    /// the first difference are shared with it. The result is the same without.
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

/// Errors: out_of_range (no source token, more than kMaxTokens, NaN or a temperature of 0 in the
/// controls, a layer or head that is not there), cancelled.
base::Result<std::shared_ptr<const Run>> run(std::shared_ptr<const Transformer> model,
                                             const Input& input, const Controls& controls,
                                             num::Team& team, const RunOptions& options = {});

} // namespace heed::models
