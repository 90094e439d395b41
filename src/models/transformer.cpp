#include "models/transformer.hpp"

#include "models/metadata.hpp"
#include "models/parameters.hpp"
#include "models/schooling_metadata.hpp"
#include "models/vocabulary_metadata.hpp"
#include "nn/row_blocks.hpp"
#include "num/softmax.hpp"

#include <algorithm>
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

base::Result<void> read_words(Parameters& parameters, const tensors::Archive& archive,
                              const std::string& path) {
    auto vocabulary = read_vocabulary(archive.metadata, path);
    if (!vocabulary) return tl::make_unexpected(vocabulary.error());
    const num::Index rows = parameters.config.vocabulary;
    if (std::ssize(*vocabulary) != rows) {
        return base::fail(base::ErrorKind::mismatch, path,
                          fmt::format("lists words for {} rows, but its vocabulary has {}",
                                      vocabulary->size(), rows));
    }
    parameters.vocabulary = *std::move(vocabulary);
    return {};
}

} // namespace

Transformer::Transformer(std::unique_ptr<const Parameters> parameters,
                         std::optional<Schooling> schooling)
    : Model(parameters->config, std::move(schooling)), parameters_(std::move(parameters)) {}
Transformer::~Transformer() = default;
const TransformerConfig& Transformer::config() const { return parameters_->config; }

std::shared_ptr<const Transformer> Transformer::of(std::unique_ptr<const Parameters> parameters,
                                                   std::optional<Schooling> schooling) {
    return std::shared_ptr<const Transformer>(
        new Transformer(std::move(parameters), std::move(schooling)));
}

base::Result<std::shared_ptr<const Transformer>> Transformer::draw(const TransformerConfig& config,
                                                                   num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    if (config.speaks) {
        const std::size_t rows =
            static_cast<std::size_t>(config.vocabulary) - text::Vocabulary::kFirstWord;
        std::vector<std::string> words = text::everyday_words();
        words.resize(std::min(words.size(), rows - 1));
        const std::size_t others = rows - words.size();
        parameters->vocabulary.emplace(std::move(words), others);
    }
    make_room(*parameters);
    models::draw(slots(*parameters), config.seed, team);
    derive(*parameters, team);
    return of(std::move(parameters));
}

base::Result<std::shared_ptr<const Transformer>>
Transformer::read(const tensors::Archive& archive, const std::string& path, num::Team& team) {
    const auto config =
        read_config<TransformerConfig>(archive.metadata, path, [&](auto& c, auto& reader) {
            visit_fields(c, reader);
            c.speaks = lists_words(archive.metadata);
        });
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    if (config->speaks) {
        if (auto ok = read_words(*parameters, archive, path); !ok) {
            return tl::make_unexpected(ok.error());
        }
    }
    make_room(*parameters);
    if (auto ok = models::read(slots(*parameters), archive, path, team); !ok) {
        return tl::make_unexpected(ok.error());
    }
    derive(*parameters, team);
    auto schooling = read_schooling(archive.metadata, path);
    if (!schooling) return tl::make_unexpected(schooling.error());
    return of(std::move(parameters), *std::move(schooling));
}

tensors::Archive Transformer::archive() const {
    tensors::Archive archive;
    write(slots(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "transformer"}};
    visit_fields(parameters_->config, MetadataWriter{archive.metadata});
    if (words()) write_vocabulary(*words(), archive.metadata);
    if (schooling()) write_schooling(*schooling(), archive.metadata);
    return archive;
}

const text::Vocabulary* Transformer::words() const {
    return parameters_->vocabulary ? &*parameters_->vocabulary : nullptr;
}
const num::Matrix<float>* Transformer::learned_positions() const {
    return &parameters_->learned_positions;
}
const num::Matrix<float>* Transformer::relative_biases(trace::AttentionKind kind) const {
    return &parameters_->relative[static_cast<std::size_t>(kind)];
}
num::Index Transformer::vocabulary_row(std::string_view word) const {
    return words() ? Model::vocabulary_row(word) : embedding_row(word, config().vocabulary);
}
num::Index Transformer::vocabulary_size() const { return config().vocabulary; }

Matrix<float> word_probabilities(num::Team& team, const Matrix<float>& output,
                                 const Matrix<float>& x) {
    Matrix<float> p(x.rows(), output.rows());
    nn::for_row_blocks(team, output.rows(), x.size(), [&](num::Index begin, num::Index end) {
        p.middleCols(begin, end - begin).noalias() =
            x * output.middleRows(begin, end - begin).transpose();
    });
    for (num::Index i = 0; i < p.rows(); ++i) p.row(i) = num::softmax<float>(p.row(i));
    return p;
}

num::RowVector<float> Transformer::next_token_probabilities(const Run& run, num::Team& team) const {
    const auto output = run.trace.tensor("decoder_output");
    const auto self = run.trace.attention(trace::AttentionKind::decoder_self, 0);
    if (!output || !self || self->valid_keys <= 0) return {};
    return word_probabilities(team, parameters_->output,
                              output->values.middleRows(self->valid_keys - 1, 1));
}

} // namespace heed::models
