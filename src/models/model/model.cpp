#include "models/model/model.hpp"

#include "base/check.hpp"
#include "base/file.hpp"
#include "models/model/provenance_metadata.hpp"
#include "models/model/sides.hpp"
#include "tensors/named.hpp"

#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;

std::pair<num::Index, num::Index> most_tokens(const Config& config, const Input& input) {
    return std::visit([&](const auto& c) { return most_tokens(c, input); }, config);
}
void set_embedding_width(Config& config, int width) {
    if (auto* recurrent = std::get_if<RecurrentConfig>(&config)) recurrent->embedding = width;
    if (auto* spec = spec_of(config)) {
        spec->d_model = width;
        while (width % spec->n_heads != 0) --spec->n_heads;
    }
}
void set_one_text(Config& config, bool one_text) {
    auto* spec = spec_of(config);
    if (spec && !has_encoder(*spec)) spec->one_text = one_text;
}
void set_context(Config& config, Context context) {
    if (auto* recurrent = std::get_if<RecurrentConfig>(&config)) recurrent->context = context;
}
bool has_size(const Config& config, const NamedSize& size) {
    const ModelSpec* s = spec_of(config);
    return s && !is_classifier(*s) && s->d_model == size.d_model && s->n_heads == size.n_heads &&
           s->d_ff == size.d_ff && s->n_encoder_layers == size.n_layers &&
           s->n_decoder_layers == size.n_layers;
}
const ModelSpec* trained_elsewhere(const Config& config) {
    const ModelSpec* spec = spec_of(config);
    return spec && !reads_words(*spec) ? spec : nullptr;
}
base::Result<void> check(const Config& config) {
    return std::visit([](const auto& c) { return check(c); }, config);
}

base::Result<std::shared_ptr<const Run>> run(std::shared_ptr<const Model> model, const Input& input,
                                             const Controls& controls, num::ThreadPool& pool,
                                             const RunOptions& options) {
    HEED_CHECK(model != nullptr, "run() needs a model");
    if (auto ok = check(controls, model->config()); !ok) return tl::make_unexpected(ok.error());
    if (!options.replaced.empty() && !spec_of(model->config())) {
        return fail(ErrorKind::mismatch, "replaced",
                    fmt::format("is for transformers; this model is {}", model->traits().form));
    }
    auto result = std::make_shared<Run>();
    result->replaced = !options.replaced.empty();
    result->model = std::move(model);
    result->input = input;
    result->controls = controls;
    if (auto ok = result->model->compute(*result, pool, options); !ok) {
        return tl::make_unexpected(ok.error());
    }
    return std::shared_ptr<const Run>(std::move(result));
}

base::Result<void> Model::save(const std::string& path, const Findings& found) const {
    tensors::Archive file = archive();
    if (provenance_ && found != Findings{}) {
        Provenance told = *provenance_;
        if (found.aligned_by) told.aligned_by = found.aligned_by;
        if (found.exact_match) told.exact_match = found.exact_match;
        if (found.steps) told.steps = found.steps;
        write_provenance(told, file.metadata);
    }
    return base::write_file_atomic(path, tensors::write_safetensors(file));
}

num::Index Model::vocabulary_row(std::string_view word) const {
    return static_cast<num::Index>(words()->row(word));
}
std::string Model::vocabulary_word(num::Index row) const {
    if (words()) return words()->word(static_cast<std::size_t>(row));
    const TextToIds* ids = text_to_ids();
    if (!ids || !ids->tokenizers.target) return {};
    return token_label(*ids->tokenizers.target, static_cast<int>(row));
}
const std::vector<std::string>& Model::classes() const {
    static const std::vector<std::string> none;
    return none;
}
std::string Model::answer(num::Index place) const {
    return classes().empty() ? vocabulary_word(place) : classes()[static_cast<std::size_t>(place)];
}
bool Model::continues_word(num::Index place) const {
    const TextToIds* ids = text_to_ids();
    if (!classes().empty() || words() || !ids || !ids->tokenizers.target) return false;
    return ids->tokenizers.target->continues_word(static_cast<int>(place));
}
std::string Model::candidate(num::Index place) const {
    return (continues_word(place) ? std::string(kContinues) : "") + answer(place);
}
num::Index Model::vocabulary_size() const { return std::ssize(*words()); }

} // namespace heed::models
