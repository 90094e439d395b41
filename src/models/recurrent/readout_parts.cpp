#include "models/recurrent/readout_parts.hpp"

#include "base/check.hpp"
#include "models/recurrent/decoder.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::models {

namespace {

/// The encoder's states of a layer that the words are read from: of every token, or of the whole
/// source the last one of each direction.
Matrix<float> encoder_read(const RecurrentConfig& config, const Run& run, std::size_t layer) {
    const bool last = static_cast<int>(layer) + 1 == config.n_layers;
    const auto states =
        run.trace.tensor(last ? "encoder.states" : fmt::format("encoder.l{}.states", layer));
    const Matrix<float>& h = states->values;
    const Index valid = std::ssize(run.input.source), hidden = config.hidden;
    if (config.shape == Shape::n_to_n) return h.topRows(valid);
    Matrix<float> ends(1, h.cols());
    for (Index d = 0; d < directions(config); ++d) {
        ends.middleCols(d * hidden, hidden) =
            h.block(d == 0 ? valid - 1 : 0, d * hidden, 1, hidden);
    }
    return ends;
}

/// [s; c; E y] with all but one part 0.
Matrix<float> decoder_read(const RecurrentConfig& config, const Run& run, std::size_t part) {
    const Index hidden = config.hidden, keys = key_width(config);
    const Matrix<float>& said = run.trace.tensor("decoder_input")->values;
    Matrix<float> read = Matrix<float>::Zero(said.rows(), hidden + keys + said.cols());
    if (part == 0) {
        read.rightCols(said.cols()) = said;
        return read;
    }
    const std::size_t first_state = attends(config) ? 2 : 1;
    if (part < first_state) {
        const auto attention = run.trace.attention(trace::AttentionKind::cross, 0);
        read.middleCols(hidden, keys) = attention->context;
        return read;
    }
    const std::size_t layer = part - first_state;
    const bool last = static_cast<int>(layer) + 1 == config.n_layers;
    read.leftCols(hidden) =
        run.trace.tensor(last ? "decoder.states" : fmt::format("decoder.l{}.states", layer))
            ->values;
    return read;
}

} // namespace

std::shared_ptr<const trace::Tensor> words_read_from(const Run& run) {
    auto output = run.trace.tensor("decoder_output");
    return output ? output : run.trace.tensor("readout");
}

std::vector<std::string> readout_parts(const RecurrentConfig& config) {
    std::vector<std::string> parts;
    const bool decodes = has_decoder(config);
    if (decodes) parts.emplace_back("word before");
    if (attends(config)) parts.emplace_back("context");
    for (int layer = 1; layer <= config.n_layers; ++layer) {
        const char* name = decodes ? "state" : "layer";
        parts.push_back(config.n_layers == 1 ? name : fmt::format("{} {}", name, layer));
    }
    if (decodes) parts.emplace_back("all");
    return parts;
}

Matrix<float> part_output(num::ThreadPool& pool, const Run& run, std::size_t part) {
    const Recurrent& model = *recurrent(*run.model);
    const std::size_t parts = readout_parts(model.config()).size();
    HEED_CHECK(part < parts, "part {} of {}", part, parts);
    if (part + 1 == parts) return words_read_from(run)->values;
    return readout(pool, model.parameters(),
                   has_decoder(model.config()) ? decoder_read(model.config(), run, part)
                                               : encoder_read(model.config(), run, part));
}

} // namespace heed::models
