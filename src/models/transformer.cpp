#include "models/transformer.hpp"

#include "base/file.hpp"
#include "models/metadata.hpp"
#include "models/parameters.hpp"
#include "models/sides.hpp"
#include "nn/row_blocks.hpp"
#include "num/softmax.hpp"

#include <utility>

namespace heed::models {

namespace {

using Parameters = Transformer::Parameters;

// Fields of a configuration and their words in the metadata, for reading and writing alike.
template <class Config, class Visitor> void visit_fields(Config& c, Visitor&& v) {
    v.number("d_model", c.d_model);
    v.number("n_heads", c.n_heads);
    v.number("n_encoder_layers", c.n_encoder_layers);
    v.number("n_decoder_layers", c.n_decoder_layers);
    v.number("d_ff", c.d_ff);
    v.number("vocabulary", c.vocabulary);
    v.number("max_positions", c.max_positions);
    v.number("seed", c.seed);
    v.number("norm_epsilon", c.norm_epsilon);
    v.word("architecture", c.architecture,
           {{name(Architecture::encoder_decoder), Architecture::encoder_decoder},
            {name(Architecture::encoder_only), Architecture::encoder_only},
            {name(Architecture::decoder_only), Architecture::decoder_only}});
    v.word("activation", c.activation,
           {{nn::name(Activation::relu), Activation::relu},
            {nn::name(Activation::gelu), Activation::gelu}});
    v.word("norm", c.norm, {{"post", NormOrder::post}, {"pre", NormOrder::pre}});
    v.word("join", c.join, {{"add", nn::Join::add}, {"concat", nn::Join::concatenate}});
    Words<nn::Positions> positions;
    for (const nn::Positions p : nn::kPositions) positions.push_back({nn::name(p), p});
    v.word("positions", c.positions, positions);
}

} // namespace

Transformer::Transformer(std::unique_ptr<const Parameters> parameters)
    : Model(parameters->config), parameters_(std::move(parameters)) {}
Transformer::~Transformer() = default;
const TransformerConfig& Transformer::config() const { return parameters_->config; }

base::Result<std::shared_ptr<const Transformer>> Transformer::draw(const TransformerConfig& config,
                                                                   num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    make_room(*parameters);
    models::draw(slots(*parameters), config.seed, team);
    derive(*parameters, team);
    return std::shared_ptr<const Transformer>(new Transformer(std::move(parameters)));
}

base::Result<std::shared_ptr<const Transformer>>
Transformer::read(const tensors::Archive& archive, const std::string& path, num::Team& team) {
    const auto config = read_config<TransformerConfig>(
        archive.metadata, path, [](auto& c, auto& reader) { visit_fields(c, reader); });
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    make_room(*parameters);
    if (auto ok = models::read(slots(*parameters), archive, path, team); !ok) {
        return tl::make_unexpected(ok.error());
    }
    derive(*parameters, team);
    return std::shared_ptr<const Transformer>(new Transformer(std::move(parameters)));
}

base::Result<void> Transformer::save(const std::string& path) const {
    tensors::Archive archive;
    write(slots(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "transformer"}};
    visit_fields(parameters_->config, MetadataWriter{archive.metadata});
    return base::write_file_atomic(path, tensors::write_safetensors(archive));
}

num::Index Transformer::vocabulary_row(std::string_view word) const {
    return embedding_row(word, config().vocabulary);
}
num::Index Transformer::vocabulary_size() const { return config().vocabulary; }

num::RowVector<float> Transformer::next_token_probabilities(const Run& run, num::Team& team) const {
    const auto output = run.trace.tensor("decoder_output");
    const auto self = run.trace.attention(trace::AttentionKind::decoder_self, 0);
    if (!output || !self || self->valid_keys <= 0) return {};
    const Matrix<float>& rows = parameters_->output;
    const num::RowVector<float> x = output->values.row(self->valid_keys - 1);
    num::RowVector<float> logits(rows.rows());
    nn::for_row_blocks(team, rows.rows(), rows.cols(), [&](num::Index begin, num::Index end) {
        logits.segment(begin, end - begin).noalias() =
            x * rows.middleRows(begin, end - begin).transpose();
    });
    return num::softmax<float>(logits);
}

} // namespace heed::models
