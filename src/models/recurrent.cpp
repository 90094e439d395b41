#include "models/recurrent.hpp"

#include "models/decoder.hpp"
#include "models/metadata.hpp"
#include "models/recurrent_parameters.hpp"
#include "models/schooling_metadata.hpp"
#include "models/vocabulary_metadata.hpp"
#include "nn/score_info.hpp"

#include <utility>

namespace heed::models {

namespace {

using Parameters = Recurrent::Parameters;

template <class C, class Visitor> void visit_fields(C& c, Visitor&& v) {
    v.number("n_layers", c.n_layers);
    v.number("hidden", c.hidden);
    v.number("embedding", c.embedding);
    v.number("seed", c.seed);
    Words<Shape> shapes;
    for (const Shape shape : kShapes) shapes.push_back({name(shape), shape});
    v.newer_word("shape", c.shape, shapes);
    Words<nn::Cell> cells;
    for (const nn::Cell cell : nn::kCells) cells.push_back({nn::name(cell), cell});
    v.word("cell", c.cell, cells);
    v.word("bidirectional", c.bidirectional, {{"yes", true}, {"no", false}});
    v.word("context", c.context,
           {{name(Context::last), Context::last},
            {name(Context::mean), Context::mean},
            {name(Context::attention), Context::attention}});
    v.word("order", c.order,
           {{name(StepOrder::attend_first), StepOrder::attend_first},
            {name(StepOrder::update_first), StepOrder::update_first}});
    v.word("projection", c.projection,
           {{name(Projection::none), Projection::none},
            {name(Projection::one), Projection::one},
            {name(Projection::two), Projection::two}});
    Words<nn::Score> scores;
    for (const nn::Score score : nn::kScores) scores.push_back({nn::name(score), score});
    v.word("score", c.score, scores);
}

} // namespace

Recurrent::Recurrent(std::unique_ptr<const Parameters> parameters,
                     std::optional<Schooling> schooling)
    : Model(parameters->config, std::move(schooling)), parameters_(std::move(parameters)) {}
Recurrent::~Recurrent() = default;
const RecurrentConfig& Recurrent::config() const { return parameters_->config; }

std::shared_ptr<const Recurrent> Recurrent::of(std::unique_ptr<const Parameters> parameters,
                                               std::optional<Schooling> schooling) {
    return std::shared_ptr<const Recurrent>(
        new Recurrent(std::move(parameters), std::move(schooling)));
}

base::Result<std::shared_ptr<const Recurrent>> Recurrent::draw(const RecurrentConfig& config,
                                                               num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    make_room(*parameters);
    models::draw(slots(*parameters), config.seed, team);
    open_gates(*parameters);
    return of(std::move(parameters));
}

base::Result<std::shared_ptr<const Recurrent>>
Recurrent::read(const tensors::Archive& archive, const std::string& path, num::Team& team) {
    const auto config = read_config<RecurrentConfig>(
        archive.metadata, path, [](auto& c, auto& reader) { visit_fields(c, reader); });
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    auto vocabulary = read_vocabulary(archive.metadata, path);
    if (!vocabulary) return tl::make_unexpected(vocabulary.error());
    parameters->vocabulary = *std::move(vocabulary);
    make_room(*parameters);
    if (auto ok = models::read(slots(*parameters), archive, path, team); !ok) {
        return tl::make_unexpected(ok.error());
    }
    auto schooling = read_schooling(archive.metadata, path);
    if (!schooling) return tl::make_unexpected(schooling.error());
    return of(std::move(parameters), *std::move(schooling));
}

tensors::Archive Recurrent::archive() const {
    tensors::Archive archive;
    write(slots(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "recurrent"}};
    visit_fields(parameters_->config, MetadataWriter{archive.metadata});
    write_vocabulary(vocabulary(), archive.metadata);
    if (schooling()) write_schooling(*schooling(), archive.metadata);
    return archive;
}

const text::Vocabulary& Recurrent::vocabulary() const { return parameters_->vocabulary; }

num::RowVector<float> Recurrent::next_token_probabilities(const Run& run, num::Team& team) const {
    auto output = run.trace.tensor("decoder_output");
    if (!output) output = run.trace.tensor("readout");
    if (!output || output->values.rows() == 0) return {};
    return word_probabilities(team, *parameters_, output->values.bottomRows(1));
}

} // namespace heed::models
