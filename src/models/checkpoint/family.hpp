// The families of checkpoints: from config.json to a specification, and from our tensors' names to
// theirs. Each is a table of its own.
#pragma once

#include "models/checkpoint/config_file.hpp"
#include "models/checkpoint/tensor_files.hpp"
#include "models/checkpoint/tensor_map.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

/// The files that a family reads its specification from.
struct Checkpoint {
    ConfigFile& config;
    const TensorFiles& files;
    const std::string& prefix;
    std::string type; // "model_type"

    /// True where it has this tensor, with or without the prefix.
    bool has(const std::string& name) const;
    /// True where it has both and their numbers differ. The library ties no two such tables,
    /// whatever config.json says.
    bool differ(const std::string& name, const std::string& other) const;
};

struct Family {
    std::vector<std::string_view> types; // "model_type" of config.json
    std::string prefix;                  // TensorMap::prefix
    ModelSpec (*spec)(Checkpoint&);
    TensorMap (*map)(const ModelSpec&, const Checkpoint&);
};

/// Null where Heed does not know the type; `known`: all that it knows, in words.
const Family* family_of(std::string_view type);
std::string known_types();

/// The table of all architectures of GGUF files, whose settings are those of gguf_settings().
Family gguf_family();

Family gpt2_family();
Family neox_family();
Family llama_family(); // Mistral, Qwen2 and Qwen3, too
Family gemma_family(); // 1 and 2
Family phi3_family();
Family bert_family();
Family roberta_family();
Family distilbert_family();
Family albert_family();
Family bart_family(); // Marian, too
Family t5_family();
Family vit_family();
Family deit_family();

/// The specification that all of them begin with: ids, no factor on the embedding, norms of their
/// own.
ModelSpec decoder_spec(Checkpoint& c);
ModelSpec encoder_spec(Checkpoint& c);

/// Rotary positions: "rope_parameters", or the older "rope_scaling" and "rope_theta". `share`: of a
/// head's features that are rotated, where the file does not say.
void read_rotary(Checkpoint& c, ModelSpec& spec, double share = 1);
/// "layer_types", or the same window for all layers; 0: none.
void read_windows(Checkpoint& c, ModelSpec& spec, int window);
/// Reads whether logits are read off the embedding, off `head`, or not at all.
void read_tied(Checkpoint& c, ModelSpec& spec, bool usual, const std::string& embedding,
               const std::string& head);
/// Ignores what the file has again under other names; of other numbers a tensor is not passed over,
/// but left over.
void ignore_copies(const Checkpoint& c, TensorMap& map, const std::string& of,
                   std::initializer_list<const char*> names);

} // namespace heed::models
