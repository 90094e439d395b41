#include "models/recurrent.hpp"

#include "base/file.hpp"
#include "models/decoder.hpp"
#include "models/metadata.hpp"
#include "models/recurrent_parameters.hpp"

#include <fmt/ranges.h>

#include <limits>
#include <sstream>
#include <utility>

namespace heed::models {

namespace {

using Parameters = Recurrent::Parameters;

template <class C, class Visitor> void visit_fields(C& c, Visitor&& v) {
    v.number("n_layers", c.n_layers);
    v.number("hidden", c.hidden);
    v.number("embedding", c.embedding);
    v.number("seed", c.seed);
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

// Words have no white space: a line holds them all.
constexpr const char* kWords = "vocabulary.words";
constexpr const char* kOthers = "vocabulary.others";

base::Result<text::Vocabulary> read_vocabulary(const std::map<std::string, std::string>& metadata,
                                               const std::string& path) {
    MetadataReader reader{metadata, path};
    const std::string* list = reader.find(kWords);
    std::size_t others = 0;
    reader.number(kOthers, others);
    if (reader.result && (others == 0 || others > (1u << 20))) {
        reader.complain(base::ErrorKind::out_of_range,
                        fmt::format("\"{}\" in its metadata is {}; allowed are 1 to {}", kOthers,
                                    others, 1u << 20));
    }
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    std::istringstream stream(*list);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    text::Vocabulary vocabulary(std::move(words), others);
    for (std::size_t i = 0; i < vocabulary.words().size(); ++i) {
        const std::string& word = vocabulary.words()[i];
        if (vocabulary.row(word) == text::Vocabulary::kFirstWord + i) continue;
        return base::fail(base::ErrorKind::malformed, path,
                          fmt::format("\"{}\" in its metadata lists '{:.40}', which has a row "
                                      "already",
                                      kWords, word));
    }
    return vocabulary;
}

} // namespace

Recurrent::Recurrent(std::unique_ptr<const Parameters> parameters)
    : Model(parameters->config), parameters_(std::move(parameters)) {}
Recurrent::~Recurrent() = default;
const RecurrentConfig& Recurrent::config() const { return parameters_->config; }

base::Result<std::shared_ptr<const Recurrent>> Recurrent::draw(const RecurrentConfig& config,
                                                               num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    make_room(*parameters);
    models::draw(slots(*parameters), config.seed, team);
    open_gates(*parameters);
    return std::shared_ptr<const Recurrent>(new Recurrent(std::move(parameters)));
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
    return std::shared_ptr<const Recurrent>(new Recurrent(std::move(parameters)));
}

base::Result<void> Recurrent::save(const std::string& path) const {
    tensors::Archive archive;
    write(slots(*parameters_), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "recurrent"}};
    visit_fields(parameters_->config, MetadataWriter{archive.metadata});
    const text::Vocabulary& v = vocabulary();
    archive.metadata[kWords] = fmt::format("{}", fmt::join(v.words(), " "));
    archive.metadata[kOthers] =
        fmt::format("{}", v.size() - text::Vocabulary::kFirstWord - v.words().size());
    return base::write_file_atomic(path, tensors::write_safetensors(archive));
}

const text::Vocabulary& Recurrent::vocabulary() const { return parameters_->vocabulary; }
num::Index Recurrent::vocabulary_row(std::string_view word) const {
    return static_cast<num::Index>(vocabulary().row(word));
}
std::string Recurrent::vocabulary_word(num::Index row) const {
    return vocabulary().word(static_cast<std::size_t>(row));
}
num::Index Recurrent::vocabulary_size() const { return std::ssize(vocabulary()); }

num::RowVector<float> Recurrent::next_token_probabilities(const Run& run, num::Team& team) const {
    const auto output = run.trace.tensor("decoder_output");
    if (!output || output->values.rows() == 0) return {};
    return word_probabilities(team, *parameters_, output->values.bottomRows(1));
}

} // namespace heed::models
