// The tensors of a checkpoint: one safetensors file, shards that an index names, or a GGUF file.
#pragma once

#include "base/result.hpp"
#include "tensors/gguf.hpp"
#include "tensors/safetensors_file.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

class TensorFiles {
  public:
    struct Found {
        const tensors::TensorFile* file = nullptr;
        const tensors::TensorEntry* entry = nullptr;
    };

    /// `folder` with model.safetensors or an index of shards; `file`: the one that was asked for,
    /// or empty. Errors: those of SafetensorsFile; unsupported, with what converts it, where the
    /// folder has another format alone; malformed (a shard's name that is no plain one, one that
    /// is a link out of the folder, a tensor that is in none or in two).
    static base::Result<TensorFiles> open(const std::string& folder, const std::string& file,
                                          const std::string& architecture);
    explicit TensorFiles(std::shared_ptr<const tensors::GgufFile> file);

    /// Tensors by their names in the file.
    const std::map<std::string, Found, std::less<>>& all() const { return all_; }
    bool has(std::string_view name) const { return all_.contains(name); }
    /// The first file, to name where something lacks.
    const std::string& path() const { return path_; }
    /// The place that says how large tensors are: "config.json", or "metadata" within the same
    /// file.
    const std::string& settings() const { return settings_; }

  private:
    TensorFiles() = default;
    base::Result<void> add(const std::string& path);
    base::Result<void> add_shards(const std::string& folder, const std::string& index);

    std::vector<std::shared_ptr<const tensors::TensorFile>> files_;
    std::map<std::string, Found, std::less<>> all_;
    std::string path_, settings_ = "config.json";
};

/// Error that says why a pickle is not read, and the two lines of Python that convert it.
base::Error refusal_of_pickle(const std::string& path, const std::string& architecture);

} // namespace heed::models
