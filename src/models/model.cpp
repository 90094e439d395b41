#include "models/model.hpp"

#include "base/check.hpp"
#include "base/file.hpp"
#include "models/recurrent.hpp"
#include "models/schooling_metadata.hpp"
#include "models/sides.hpp"
#include "models/transformer.hpp"
#include "tensors/named.hpp"

#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t(4) * 1024 * 1024 * 1024 + (64 << 20);

template <class Made> base::Result<std::shared_ptr<const Model>> as_model(Made made) {
    if (!made) return tl::make_unexpected(made.error());
    return std::shared_ptr<const Model>(*std::move(made));
}

} // namespace

std::pair<num::Index, num::Index> most_tokens(const Config& config, const Input& input) {
    return std::visit([&](const auto& c) { return most_tokens(c, input); }, config);
}
void set_embedding_width(Config& config, int width) {
    if (auto* recurrent = recurrent_of(config)) recurrent->embedding = width;
    if (auto* spec = spec_of(config)) {
        spec->d_model = width;
        while (width % spec->n_heads != 0) --spec->n_heads;
    }
}
base::Result<void> check(const Config& config) {
    return std::visit([](const auto& c) { return check(c); }, config);
}

base::Result<std::shared_ptr<const Run>> run(std::shared_ptr<const Model> model, const Input& input,
                                             const Controls& controls, num::Team& team,
                                             const RunOptions& options) {
    HEED_CHECK(model != nullptr, "run() needs a model");
    if (auto ok = check(controls, model->config()); !ok) return tl::make_unexpected(ok.error());
    auto result = std::make_shared<Run>();
    result->model = std::move(model);
    result->input = input;
    result->controls = controls;
    if (auto ok = result->model->compute(*result, team, options); !ok) {
        return tl::make_unexpected(ok.error());
    }
    return std::shared_ptr<const Run>(std::move(result));
}

base::Result<void> Model::save(const std::string& path,
                               const std::optional<trace::HeadId>& aligned_by) const {
    tensors::Archive file = archive();
    if (schooling_ && aligned_by) {
        Schooling told = *schooling_;
        told.aligned_by = aligned_by;
        write_schooling(told, file.metadata);
    }
    return base::write_file_atomic(path, tensors::write_safetensors(file));
}

num::Index Model::vocabulary_row(std::string_view word) const {
    return static_cast<num::Index>(words()->row(word));
}
std::string Model::vocabulary_word(num::Index row) const {
    return words() ? words()->word(static_cast<std::size_t>(row)) : std::string();
}
const std::vector<std::string>& Model::classes() const {
    static const std::vector<std::string> none;
    return none;
}
std::string Model::answer(num::Index place) const {
    return classes().empty() ? vocabulary_word(place) : classes()[static_cast<std::size_t>(place)];
}
num::Index Model::vocabulary_size() const { return std::ssize(*words()); }

base::Result<std::shared_ptr<const Model>> draw_model(const Config& config, num::Team& team) {
    if (const auto* recurrent = recurrent_of(config)) {
        return as_model(Recurrent::draw(*recurrent, team));
    }
    return as_model(Transformer::draw(*spec_of(config), team));
}

base::Result<std::shared_ptr<const Model>> load_model(const std::string& path, num::Team& team) {
    tensors::Archive archive;
    {
        auto bytes = base::read_file(path, kMaxFileBytes);
        if (!bytes) return tl::make_unexpected(bytes.error());
        auto read = tensors::read_safetensors(*bytes, path);
        if (!read) return tl::make_unexpected(read.error());
        archive = std::move(*read);
    }
    // A checkpoint holds an optimiser beside its model.
    std::erase_if(archive.arrays, [](const auto& a) { return a.first.starts_with("training."); });
    const auto kind = archive.metadata.find("heed.model");
    if (kind == archive.metadata.end()) {
        return fail(ErrorKind::unsupported, path,
                    "is a safetensors file, but no model written by `heed model`: its metadata "
                    "lacks \"heed.model\"");
    }
    if (kind->second == "transformer") return as_model(Transformer::read(archive, path, team));
    if (kind->second == "recurrent") return as_model(Recurrent::read(archive, path, team));
    return fail(ErrorKind::unsupported, path,
                fmt::format("holds a model of the kind '{:.40}'; this program reads "
                            "'transformer' and 'recurrent'",
                            kind->second));
}

} // namespace heed::models
