#include "models/open.hpp"

#include "base/file.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/stored.hpp"
#include "models/recurrent/recurrent.hpp"
#include "models/transformer/transformer.hpp"
#include "tensors/named.hpp"
#include "tensors/safetensors_file.hpp"

#include <filesystem>
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

/// A model of ours may lie beside the config.json of another.
bool is_of_heed(const std::string& path) {
    if (!path.ends_with(".safetensors")) return false;
    const auto file = tensors::SafetensorsFile::open(path);
    return file && file->header().metadata.contains("heed.model");
}

} // namespace

base::Result<std::shared_ptr<const Model>> draw_model(const Config& config, num::ThreadPool& pool) {
    if (std::holds_alternative<StoredConfig>(config))
        return fail(ErrorKind::unsupported, "model", "is weights of a file alone");
    if (const auto* recurrent = std::get_if<RecurrentConfig>(&config)) {
        return as_model(Recurrent::draw(*recurrent, pool));
    }
    return as_model(Transformer::draw(*spec_of(config), pool));
}

base::Result<std::shared_ptr<const Model>>
load_model(const std::string& path, num::ThreadPool& pool, const Reading& reading) {
    if (holds_attention(path)) return as_model(Stored::read(path));
    std::error_code failed;
    const bool folder = std::filesystem::is_directory(path, failed); // says that config.json lacks
    if (folder || (is_checkpoint(path) && !is_of_heed(path)))
        return as_model(open_checkpoint(path, pool, reading));
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
                    "lacks \"heed.model\", and no config.json of a checkpoint lies beside it");
    }
    if (kind->second == "transformer") return as_model(Transformer::read(archive, path, pool));
    if (kind->second == "recurrent") return as_model(Recurrent::read(archive, path, pool));
    return fail(ErrorKind::unsupported, path,
                fmt::format("holds a model of the kind '{:.40}'; this program reads "
                            "'transformer' and 'recurrent'",
                            kind->second));
}

} // namespace heed::models
