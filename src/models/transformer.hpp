// The transformer of Vaswani et al. 2017, and what it can be turned into: encoder-decoder,
// encoder alone, decoder alone.
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
#include <vector>

namespace heed::models {

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
