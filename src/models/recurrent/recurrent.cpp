#include "models/recurrent/recurrent.hpp"

#include "models/file/metadata.hpp"
#include "models/file/vocabulary_metadata.hpp"
#include "models/model/provenance_metadata.hpp"
#include "models/recurrent/decoder.hpp"
#include "models/recurrent/readout_parts.hpp"
#include "nn/attention/score_info.hpp"

#include <utility>

namespace heed::models {

namespace {

using RecurrentParameters = Recurrent::Parameters;

} // namespace

Recurrent::Recurrent(std::unique_ptr<const RecurrentParameters> parameters,
                     std::optional<Provenance> provenance)
    : Model(parameters->config, std::move(provenance)), parameters_(std::move(parameters)) {}
Recurrent::~Recurrent() = default;
const RecurrentConfig& Recurrent::config() const { return parameters_->config; }

std::shared_ptr<const Recurrent>
Recurrent::of(std::unique_ptr<const RecurrentParameters> parameters,
              std::optional<Provenance> provenance) {
    return std::shared_ptr<const Recurrent>(
        new Recurrent(std::move(parameters), std::move(provenance)));
}

base::Result<std::shared_ptr<const Recurrent>> Recurrent::draw(const RecurrentConfig& config,
                                                               num::ThreadPool& pool) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<RecurrentParameters>();
    parameters->config = config;
    make_room(*parameters);
    models::draw(named_tensors(*parameters), config.seed, pool);
    open_gates(*parameters);
    return of(std::move(parameters));
}

base::Result<std::shared_ptr<const Recurrent>>
Recurrent::read(const tensors::Archive& archive, const std::string& path, num::ThreadPool& pool) {
    const auto config =
        read_config<RecurrentConfig>(archive.metadata, path, [](RecurrentConfig&) {});
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<RecurrentParameters>();
    parameters->config = *config;
    auto vocabulary = read_vocabulary(archive.metadata, path);
    if (!vocabulary) return tl::make_unexpected(vocabulary.error());
    parameters->vocabulary = *std::move(vocabulary);
    make_room(*parameters);
    if (auto ok = models::read(named_tensors(*parameters), archive, path, config->seed, pool);
        !ok) {
        return tl::make_unexpected(ok.error());
    }
    auto provenance = read_provenance(archive.metadata, path);
    if (!provenance) return tl::make_unexpected(provenance.error());
    return of(std::move(parameters), *std::move(provenance));
}

tensors::Archive Recurrent::archive() const {
    tensors::Archive archive;
    write(named_tensors(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "recurrent"}};
    fields(parameters_->config, MetadataWriter{archive.metadata});
    write_vocabulary(vocabulary(), archive.metadata);
    if (provenance()) write_provenance(*provenance(), archive.metadata);
    return archive;
}

const text::Vocabulary& Recurrent::vocabulary() const { return parameters_->vocabulary; }

num::Matrix<float> Recurrent::logits(const Run& run, num::ThreadPool& pool) const {
    const auto output = words_read_from(run);
    return output ? word_logits(pool, *parameters_, output->values) : num::Matrix<float>();
}

num::RowVector<float> Recurrent::next_token_probabilities(const Run& run,
                                                          num::ThreadPool& pool) const {
    const auto output = words_read_from(run);
    if (!output || output->values.rows() == 0) return {};
    return word_probabilities(pool, *parameters_, output->values.bottomRows(1));
}

} // namespace heed::models
