#include "models/classifier.hpp"

#include "models/classifier_parameters.hpp"
#include "models/metadata.hpp"
#include "models/schooling_metadata.hpp"
#include "models/vocabulary_metadata.hpp"

#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <utility>

namespace heed::models {

namespace {

using Parameters = Classifier::Parameters;

constexpr const char* kClasses = "classes"; // one a line
constexpr int kDrawnClasses = 10;

template <class C, class Visitor> void visit_fields(C& c, Visitor&& v) {
    v.number("d_model", c.d_model);
    v.number("n_heads", c.n_heads);
    v.number("length", c.length);
    v.number("dense", c.dense);
    v.number("seed", c.seed);
    v.word("pooling", c.pooling,
           {{name(Pooling::mean), Pooling::mean}, {name(Pooling::flatten), Pooling::flatten}});
    Words<nn::Positions> positions;
    for (const nn::Positions p : nn::kPositions) positions.push_back({nn::name(p), p});
    v.word("positions", c.positions, positions);
}

base::Result<std::vector<std::string>>
read_classes(const std::map<std::string, std::string>& metadata, const std::string& path) {
    MetadataReader reader{metadata, path};
    const std::string* list = reader.find(kClasses);
    if (!list) return tl::make_unexpected(reader.result.error());
    std::istringstream lines(*list);
    std::vector<std::string> classes;
    for (std::string line; std::getline(lines, line);) classes.push_back(line);
    const bool twice = std::set(classes.begin(), classes.end()).size() != classes.size();
    if (classes.size() >= 2 && !twice) return classes;
    return base::fail(base::ErrorKind::malformed, path,
                      fmt::format("\"{}\" in its metadata has {} lines{}; at least two classes of "
                                  "different names are expected",
                                  kClasses, classes.size(), twice ? ", some of them alike" : ""));
}

} // namespace

Classifier::Classifier(std::unique_ptr<const Parameters> parameters,
                       std::optional<Schooling> schooling)
    : Model(parameters->config, std::move(schooling)), parameters_(std::move(parameters)) {}
Classifier::~Classifier() = default;
const ClassifierConfig& Classifier::config() const { return parameters_->config; }

std::shared_ptr<const Classifier> Classifier::of(std::unique_ptr<const Parameters> parameters,
                                                 std::optional<Schooling> schooling) {
    return std::shared_ptr<const Classifier>(
        new Classifier(std::move(parameters), std::move(schooling)));
}

base::Result<std::shared_ptr<const Classifier>> Classifier::draw(const ClassifierConfig& config,
                                                                 num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    for (int i = 1; i <= kDrawnClasses; ++i) {
        parameters->classes.push_back(fmt::format("class {}", i));
    }
    make_room(*parameters);
    models::draw(slots(*parameters), config.seed, team);
    return of(std::move(parameters));
}

base::Result<std::shared_ptr<const Classifier>>
Classifier::read(const tensors::Archive& archive, const std::string& path, num::Team& team) {
    const auto config = read_config<ClassifierConfig>(
        archive.metadata, path, [](auto& c, auto& reader) { visit_fields(c, reader); });
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    auto vocabulary = read_vocabulary(archive.metadata, path);
    if (!vocabulary) return tl::make_unexpected(vocabulary.error());
    parameters->vocabulary = *std::move(vocabulary);
    auto classes = read_classes(archive.metadata, path);
    if (!classes) return tl::make_unexpected(classes.error());
    parameters->classes = *std::move(classes);
    make_room(*parameters);
    if (auto ok = models::read(slots(*parameters), archive, path, team); !ok) {
        return tl::make_unexpected(ok.error());
    }
    auto schooling = read_schooling(archive.metadata, path);
    if (!schooling) return tl::make_unexpected(schooling.error());
    return of(std::move(parameters), *std::move(schooling));
}

tensors::Archive Classifier::archive() const {
    tensors::Archive archive;
    write(slots(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "classifier"}};
    visit_fields(parameters_->config, MetadataWriter{archive.metadata});
    write_vocabulary(vocabulary(), archive.metadata);
    archive.metadata[kClasses] = fmt::format("{}", fmt::join(classes(), "\n"));
    if (schooling()) write_schooling(*schooling(), archive.metadata);
    return archive;
}

const std::vector<std::string>& Classifier::classes() const { return parameters_->classes; }
const text::Vocabulary& Classifier::vocabulary() const { return parameters_->vocabulary; }
const num::Matrix<float>* Classifier::learned_positions() const {
    return &parameters_->learned_positions;
}
const num::Matrix<float>* Classifier::relative_biases(trace::AttentionKind) const {
    return &parameters_->relative;
}

num::RowVector<float> Classifier::next_token_probabilities(const Run& run, num::Team&) const {
    const auto p = run.trace.tensor("class_probabilities");
    return p ? num::RowVector<float>(p->values.row(0)) : num::RowVector<float>();
}

} // namespace heed::models
