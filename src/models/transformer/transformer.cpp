#include "models/transformer/transformer.hpp"

#include "models/file/metadata.hpp"
#include "models/file/vocabulary_metadata.hpp"
#include "models/model/provenance_metadata.hpp"
#include "models/model/sides.hpp"
#include "models/transformer/parameters.hpp"
#include "nn/attention/row_blocks.hpp"
#include "num/product.hpp"
#include "num/softmax.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace heed::models {

namespace {

using Parameters = Transformer::Parameters;

constexpr const char* kClasses = "classes"; // one a line
constexpr int kDrawnClasses = 10;

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
                         std::optional<Provenance> provenance, std::function<void()> draw_rest)
    : Model(parameters->config, std::move(provenance)), parameters_(std::move(parameters)),
      draw_rest_(std::move(draw_rest)) {}
Transformer::~Transformer() = default;
const ModelSpec& Transformer::config() const { return parameters_->config; }

const Parameters& Transformer::parameters() const {
    if (draw_rest_) std::call_once(drawn_, draw_rest_);
    return *parameters_;
}

std::shared_ptr<const Transformer> Transformer::of(std::unique_ptr<const Parameters> parameters,
                                                   std::optional<Provenance> provenance,
                                                   std::function<void()> draw_rest) {
    return std::shared_ptr<const Transformer>(
        new Transformer(std::move(parameters), std::move(provenance), std::move(draw_rest)));
}

base::Result<std::shared_ptr<const Transformer>>
Transformer::draw(const ModelSpec& config, num::ThreadPool& pool, num::Stored stored) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    if (config.has_vocabulary) {
        const std::size_t rows =
            static_cast<std::size_t>(config.vocabulary) - text::Vocabulary::kFirstWord;
        std::vector<std::string> words = text::everyday_words();
        words.resize(std::min(words.size(), rows - 1));
        const std::size_t others = rows - words.size();
        parameters->vocabulary.emplace(std::move(words), others);
    }
    if (is_classifier(config)) {
        for (int i = 1; i <= kDrawnClasses; ++i) {
            parameters->head.classes.push_back(fmt::format("class {}", i));
        }
    }
    make_room(*parameters);
    models::draw(named_tensors(*parameters), config.seed, pool, stored);
    derive(*parameters);
    return of(std::move(parameters));
}

base::Result<std::shared_ptr<const Transformer>>
Transformer::read(const tensors::Archive& archive, const std::string& path, num::ThreadPool& pool) {
    const auto config = read_config<ModelSpec>(archive.metadata, path, [&](ModelSpec& spec) {
        spec.has_vocabulary = is_classifier(spec) || lists_words(archive.metadata);
    });
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    if (config->has_vocabulary) {
        if (auto ok = read_words(*parameters, archive, path); !ok) {
            return tl::make_unexpected(ok.error());
        }
    }
    if (is_classifier(*config)) {
        auto classes = read_classes(archive.metadata, path);
        if (!classes) return tl::make_unexpected(classes.error());
        parameters->head.classes = *std::move(classes);
    }
    make_room(*parameters);
    if (auto ok = models::read(named_tensors(*parameters), archive, path, config->seed, pool);
        !ok) {
        return tl::make_unexpected(ok.error());
    }
    derive(*parameters);
    auto provenance = read_provenance(archive.metadata, path);
    if (!provenance) return tl::make_unexpected(provenance.error());
    return of(std::move(parameters), *std::move(provenance));
}

tensors::Archive Transformer::archive() const {
    tensors::Archive archive;
    write(named_tensors(parameters()), archive);
    archive.metadata = {{"format", "pt"}, {"heed.model", "transformer"}};
    fields(parameters_->config, MetadataWriter{archive.metadata});
    if (is_classifier(config())) {
        archive.metadata[kClasses] = fmt::format("{}", fmt::join(classes(), "\n"));
    }
    if (words()) write_vocabulary(*words(), archive.metadata);
    if (provenance()) write_provenance(*provenance(), archive.metadata);
    return archive;
}

const text::Vocabulary* Transformer::words() const {
    return parameters_->vocabulary ? &*parameters_->vocabulary : nullptr;
}
const num::Matrix<float>* Transformer::learned_positions(trace::AttentionKind kind) const {
    const auto& of_decoder = parameters_->decoder_positions;
    const bool own = kind != trace::AttentionKind::encoder_self && of_decoder.size() > 0;
    return own ? &of_decoder : &parameters_->learned_positions;
}
const num::Matrix<float>* Transformer::relative_biases(trace::AttentionKind kind) const {
    return &parameters_->relative[static_cast<std::size_t>(kind)];
}
num::Index Transformer::vocabulary_row(std::string_view word) const {
    if (words()) return Model::vocabulary_row(word);
    // Of ids the text is their number, until a tokeniser names them.
    return reads_ids() ? id_named(word, config().vocabulary)
                       : embedding_row(word, config().vocabulary);
}
num::Index Transformer::vocabulary_size() const { return config().vocabulary; }
bool Transformer::reads_ids() const { return !reads_words(config()); }
const TextToIds* Transformer::text_to_ids() const {
    return config().reads == Reads::ids ? &parameters_->text_to_ids : nullptr;
}
const std::vector<std::string>& Transformer::classes() const { return parameters_->head.classes; }

namespace {

// States that the logits are read off, where the last layer's x is transformed before.
Matrix<float> transformed(num::ThreadPool& pool, const Parameters& p, const Matrix<float>& x) {
    Matrix<float> y(x.rows(), p.transform.out());
    num::linear<float>(
        pool, num::view(x), p.transform,
        {{p.transform_bias.data(), static_cast<std::size_t>(p.transform_bias.size())}},
        num::view(y));
    for (num::Index i = 0; i < y.size(); ++i) {
        y.data()[i] = nn::activate(p.config.activation, y.data()[i]);
    }
    return nn::layer_norm_forward(pool, p.transform_norm, y).y;
}

} // namespace

Matrix<float> word_logits(num::ThreadPool& pool, const Parameters& parameters,
                          const Matrix<float>& last) {
    const LogitSpec& spec = parameters.config.word_logits;
    const Matrix<float> own =
        spec.transform ? transformed(pool, parameters, last) : Matrix<float>();
    const Matrix<float>& x = spec.transform ? own : last;
    const WordTable& output = spec.tied ? parameters.embedding : parameters.output;
    Matrix<float> logits = products(pool, x, output);
    if (spec.factor != 1) logits *= spec.factor;
    if (spec.bias) logits.rowwise() += parameters.output_bias;
    if (spec.softcap > 0) {
        logits.array() = spec.softcap * (logits.array() / spec.softcap).tanh();
    }
    return logits;
}

Matrix<float> word_probabilities(num::ThreadPool& pool, const Parameters& parameters,
                                 const Matrix<float>& x) {
    Matrix<float> p = word_logits(pool, parameters, x);
    for (num::Index i = 0; i < p.rows(); ++i) p.row(i) = num::softmax<float>(p.row(i));
    return p;
}

Matrix<float> Transformer::logits(const Run& run, num::ThreadPool& pool) const {
    if (is_classifier(config())) {
        const auto logits = run.trace.tensor("class_logits");
        return logits ? Matrix<float>(logits->values) : Matrix<float>();
    }
    const bool decodes = has_decoder(config());
    const bool says = config().has_vocabulary || !reads_words(config());
    if (config().logits == Logits::none || (!decodes && !says)) return {};
    const auto x = run.trace.tensor(decodes ? "decoder_output" : "memory");
    return x ? word_logits(pool, *parameters_, x->values) : Matrix<float>();
}

num::RowVector<float> Transformer::next_token_probabilities(const Run& run,
                                                            num::ThreadPool& pool) const {
    if (is_classifier(config())) {
        const auto p = run.trace.tensor("class_probabilities");
        return p ? num::RowVector<float>(p->values.row(0)) : num::RowVector<float>();
    }
    const auto output = run.trace.tensor("decoder_output");
    const auto self = run.trace.attention(trace::AttentionKind::decoder_self, 0);
    if (!output || !self || self->valid_keys <= 0 || config().logits == Logits::none) return {};
    return word_probabilities(pool, *parameters_,
                              output->values.middleRows(self->valid_keys - 1, 1));
}

} // namespace heed::models
