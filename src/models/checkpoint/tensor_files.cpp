#include "models/checkpoint/tensor_files.hpp"

#include "base/file.hpp"
#include "base/links.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

namespace heed::models {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

constexpr const char* kWhole = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr std::size_t kMaxIndexBytes = 3 << 20; // that of 405 billion weights has 0.1 MB
constexpr std::size_t kMostShards = 1024;

bool is_there(const fs::path& path) {
    std::error_code failed;
    return fs::exists(path, failed);
}

bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

} // namespace

base::Error refusal_of_pickle(const std::string& path, const std::string& architecture) {
    const auto letter = [](unsigned char c) { return std::isalnum(c) != 0; };
    const bool plain = !architecture.empty() && architecture.size() < 80 &&
                       std::all_of(architecture.begin(), architecture.end(), letter);
    const std::string type = plain ? architecture : "AutoModel";
    const std::string folder = fs::path(path).parent_path().string();
    return {ErrorKind::unsupported, path,
            fmt::format("is a program that Python runs (a pickle), and is not read. Convert it:\n"
                        "  from transformers import {0}\n"
                        "  {0}.from_pretrained(\"{1}\").save_pretrained(\"{1}\")",
                        type, folder.empty() ? "." : folder)};
}

base::Result<TensorFiles> TensorFiles::open(const std::string& folder, const std::string& file,
                                            const std::string& architecture) {
    TensorFiles result;
    const fs::path at = folder;
    const std::string index = (at / kIndex).string();
    const std::string whole = (at / (file.empty() ? kWhole : file)).string();
    const bool sharded = is_there(index) && (file.empty() ? !is_there(whole) : file != kWhole);
    result.path_ = sharded ? index : whole;
    if (!sharded && !is_there(whole)) {
        for (const char* other : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt",
                                  "pytorch_model.pt"}) {
            if (is_there(at / other)) {
                return tl::make_unexpected(refusal_of_pickle((at / other).string(), architecture));
            }
        }
        return fail(ErrorKind::not_found, whole,
                    "there is no such file, nor an index of shards, beside config.json");
    }
    const auto ok = sharded ? result.add_shards(folder, index) : base::check_stays(folder, whole);
    if (!ok) return tl::make_unexpected(ok.error());
    if (!sharded) {
        if (auto added = result.add(whole); !added) return tl::make_unexpected(added.error());
    }
    return result;
}

TensorFiles::TensorFiles(std::shared_ptr<const tensors::GgufFile> file)
    : files_{file}, path_(file->path()), settings_("metadata") {
    for (const auto& entry : file->header().entries) {
        all_.emplace(entry.name, Found{file.get(), &entry});
    }
}

base::Result<void> TensorFiles::add(const std::string& path) {
    auto file = tensors::SafetensorsFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    const auto added = std::make_shared<const tensors::SafetensorsFile>(*std::move(file));
    files_.push_back(added);
    for (const auto& entry : added->header().entries) {
        const auto [at, fresh] = all_.emplace(entry.name, Found{added.get(), &entry});
        if (fresh) continue;
        return fail(
            ErrorKind::malformed, path,
            fmt::format("has \"{:.80}\", which {} has, too", entry.name, at->second.file->path()));
    }
    return {};
}

base::Result<void> TensorFiles::add_shards(const std::string& folder, const std::string& index) {
    const auto bytes = base::read_file(index, kMaxIndexBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto json = tensors::parse_json(*bytes, index);
    if (!json) return tl::make_unexpected(json.error());
    const auto map = json->is_object() ? json->find("weight_map") : json->end();
    if (!json->is_object() || map == json->end() || !map->is_object()) {
        return fail(ErrorKind::malformed, index, "lacks the object \"weight_map\"");
    }
    std::map<std::string, std::string> wanted;
    std::set<std::string> shards;
    for (const auto& item : map->items()) {
        const std::string shard = item.value().is_string() ? item.value().get<std::string>() : "";
        if (!is_plain_name(shard)) {
            return fail(ErrorKind::malformed, index,
                        fmt::format("names {:.80} as the file of \"{:.80}\"; the plain name of a "
                                    "file beside it is expected",
                                    tensors::dump_json(item.value()), item.key()));
        }
        shards.insert(shard);
        wanted.emplace(item.key(), (fs::path(folder) / shard).string());
    }
    if (shards.size() > kMostShards) {
        return fail(ErrorKind::out_of_range, index,
                    fmt::format("names {} files; at most {} are read", shards.size(), kMostShards));
    }
    for (const std::string& shard : shards) {
        const std::string path = (fs::path(folder) / shard).string();
        auto ok = base::check_stays(folder, path);
        if (ok) ok = add(path);
        if (!ok) return ok;
    }
    for (const auto& [name, path] : wanted) {
        const auto found = all_.find(name);
        if (found != all_.end() && found->second.file->path() == path) continue;
        return fail(ErrorKind::mismatch, path,
                    fmt::format("lacks \"{:.80}\", which {} says that it has", name, index));
    }
    return {};
}

} // namespace heed::models
