#include "train/alignment.hpp"

#include "models/sides.hpp"

namespace heed::train {

std::optional<trace::AttentionKind> aligning_attention(const models::Config& config) {
    using Kind = trace::AttentionKind;
    const auto* recurrent = models::recurrent_of(config);
    if (recurrent && recurrent->context != models::Context::attention) return std::nullopt;
    if (models::n_layers(config, Kind::cross) > 0) return Kind::cross;
    const auto* transformer = models::transformer_of(config);
    if (transformer && models::reads_source_first(*transformer)) return Kind::decoder_self;
    return std::nullopt;
}

num::Rect aligning_part(const models::Run& run, const trace::AttentionMap& map) {
    const num::Index rows = map.rows(trace::Stage::weights), cols = map.cols(trace::Stage::weights);
    const num::Index source = models::leading_source(run);
    return {source, 0, rows - source, models::has_encoder(run.model->config()) ? cols : source};
}

} // namespace heed::train
