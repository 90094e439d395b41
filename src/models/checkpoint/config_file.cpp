#include "models/checkpoint/config_file.hpp"

#include "base/file.hpp"
#include "base/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using tensors::Json;

namespace {

constexpr std::size_t kMaxConfigBytes = 4 << 20;
constexpr double kMostSize = 1 << 24;

std::string shown(const Json& value) {
    std::string text = tensors::dump_json(value);
    if (text.size() > 60) text = text.substr(0, 57) + "…";
    return text;
}

/// Keys that training, generation or a tokeniser reads, and a run does not.
constexpr const char* kKeysWithoutEffect[] = {"architectures",
                                              "attn_implementation",
                                              "transformers.js_config",
                                              "auto_map",
                                              "bad_words_ids",
                                              "begin_suppress_tokens",
                                              "cache_implementation",
                                              "chunk_size_feed_forward",
                                              "directionality",
                                              "diversity_penalty",
                                              "do_sample",
                                              "dtype",
                                              "early_stopping",
                                              "encoder_no_repeat_ngram_size",
                                              "exponential_decay_length_penalty",
                                              "finetuning_task",
                                              "gradient_checkpointing",
                                              "id2label",
                                              "init_std",
                                              "initializer_factor",
                                              "initializer_range",
                                              "is_encoder_decoder",
                                              "keys_to_ignore_at_inference",
                                              "label2id",
                                              "length_penalty",
                                              "max_length",
                                              "max_new_tokens",
                                              "max_sequence_length",
                                              "min_length",
                                              "model_type",
                                              "model_max_length",
                                              "n_ctx",
                                              "n_special",
                                              "neftune_noise_alpha",
                                              "no_repeat_ngram_size",
                                              "num_beam_groups",
                                              "num_beams",
                                              "num_labels",
                                              "num_return_sequences",
                                              "output_attentions",
                                              "output_hidden_states",
                                              "output_past",
                                              "output_scores",
                                              "predict_special_tokens",
                                              "prefix",
                                              "pretraining_tp",
                                              "problem_type",
                                              "remove_invalid_values",
                                              "repetition_penalty",
                                              "replacing_rate",
                                              "return_dict",
                                              "return_dict_in_generate",
                                              "save_step",
                                              "sep_token_id",
                                              "suppress_tokens",
                                              "task_specific_params",
                                              "temperature",
                                              "tf_legacy_loss",
                                              "tokenizer_class",
                                              "tokenizer_model_max_length",
                                              "tokenizer_padding_side",
                                              "top_k",
                                              "top_p",
                                              "torch_dtype",
                                              "torchscript",
                                              "trust_remote_code",
                                              "transformers_version",
                                              "typical_p",
                                              "unsloth_fixed",
                                              "unsloth_version",
                                              "use_bfloat16",
                                              "use_cache",
                                              "eos_token_ids"};

/// True of such a key, and of its likes.
bool changes_nothing(std::string_view key) {
    const auto is = [&](const char* known) { return key == known; };
    const auto has = [&](std::string_view part) {
        return key.find(part) != std::string_view::npos;
    };
    return std::any_of(std::begin(kKeysWithoutEffect), std::end(kKeysWithoutEffect), is) ||
           key.starts_with('_') || key.starts_with("summary_") || key.starts_with("pooler_") ||
           key.ends_with("_token_id") || key.ends_with("_pdrop") || key.ends_with("layerdrop") ||
           has("dropout");
}

} // namespace

base::Result<ConfigFile> ConfigFile::open(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (auto ok = base::check_stays(folder.empty() ? "." : folder, path); !ok) {
        return tl::make_unexpected(ok.error());
    }
    auto bytes = base::read_file(path, kMaxConfigBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto json = tensors::parse_json(*bytes, path);
    if (!json) return tl::make_unexpected(json.error());
    if (!json->is_object()) {
        return fail(ErrorKind::malformed, path,
                    "is no JSON object, as the configuration of a "
                    "checkpoint is");
    }
    return ConfigFile(*std::move(json), path);
}

const Json* ConfigFile::find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

const Json* ConfigFile::take(const char* key) {
    known_.insert(key);
    return find(key);
}

void ConfigFile::missing(const char* key) {
    if (!result_) return;
    result_ = fail(ErrorKind::malformed, path_,
                   fmt::format("lacks \"{}{}\", which this family of models has", before_, key));
}

void ConfigFile::refuse(const std::string& key, const std::string& allowed) {
    if (!result_) return;
    const Json* value = find(key.c_str());
    result_ =
        fail(ErrorKind::unsupported, path_,
             value ? fmt::format("\"{}{:.60}\" is {}; {}", before_, key, shown(*value), allowed)
                   : fmt::format("\"{:.60}\": {}", key, allowed));
}

int ConfigFile::size(const char* key) {
    if (!find(key)) {
        missing(key);
        return 1;
    }
    return size(key, 1);
}

int ConfigFile::size(const char* key, int fallback) {
    const Json* value = take(key);
    if (!value) return fallback;
    const auto number = tensors::integer(*value, key);
    if (number && *number >= 1 && *number <= static_cast<std::int64_t>(kMostSize)) {
        return static_cast<int>(*number);
    }
    refuse(key, fmt::format("a whole number from 1 to {:.0f} is expected", kMostSize));
    return fallback;
}

int ConfigFile::id(const char* key, int fallback) {
    const Json* value = take(key);
    if (!value) return fallback;
    const auto number = tensors::integer(*value, key);
    if (number && *number >= -1 && *number <= (1 << 20)) return static_cast<int>(*number);
    refuse(key, "an id of the vocabulary is expected");
    return fallback;
}

double ConfigFile::number(const char* key, double fallback) {
    const Json* value = take(key);
    if (!value) return fallback;
    if (const auto number = tensors::number(*value, key)) return *number;
    refuse(key, "a number is expected");
    return fallback;
}

bool ConfigFile::flag(const char* key, bool fallback) {
    const Json* value = take(key);
    if (!value) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    refuse(key, "true or false is expected");
    return fallback;
}

std::string ConfigFile::text(const char* key, const std::string& fallback) {
    const Json* value = take(key);
    if (!value) return fallback;
    if (value->is_string()) return value->get<std::string>();
    refuse(key, "a text is expected");
    return fallback;
}

Activation ConfigFile::activation(const char* key, const char* fallback) {
    static constexpr std::pair<std::string_view, Activation> kNames[] = {
        {"relu", Activation::relu},
        {"gelu", Activation::gelu},
        {"gelu_python", Activation::gelu},
        {"gelu_new", Activation::gelu_tanh},
        {"gelu_fast", Activation::gelu_tanh},
        {"gelu_pytorch_tanh", Activation::gelu_tanh},
        {"silu", Activation::silu},
        {"swish", Activation::silu},
        {"quick_gelu", Activation::quick_gelu}};
    const std::string wanted = text(key, fallback);
    std::string known;
    for (const auto& [name, activation] : kNames) {
        if (name == wanted) return activation;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    refuse(key, "Heed knows " + known);
    return Activation::gelu;
}

const Json* ConfigFile::object(const char* key) {
    const Json* value = take(key);
    if (!value || value->is_object()) return value;
    refuse(key, "an object is expected");
    return nullptr;
}

const Json* ConfigFile::list(const char* key) {
    const Json* value = take(key);
    if (!value || value->is_array()) return value;
    refuse(key, "a list is expected");
    return nullptr;
}

void ConfigFile::only(const char* key, bool value) {
    if (flag(key, value) != value) refuse(key, fmt::format("Heed knows {}", value));
}

void ConfigFile::only_text(const char* key, std::string_view value) {
    if (text(key, std::string(value)) != value) refuse(key, fmt::format("Heed knows {}", value));
}

void ConfigFile::only_equal(const char* key, int value, const char* other) {
    if (size(key, value) != value) {
        refuse(key, fmt::format("it has to be that of \"{}\", {}", other, value));
    }
}

void ConfigFile::harmless(std::initializer_list<const char*> keys) {
    for (const char* key : keys) known_.insert(key);
}

base::Result<void> ConfigFile::finish() {
    for (const auto& item : json_.items()) {
        const std::string& key = item.key();
        if (!result_) break;
        const Json& value = item.value();
        const bool empty =
            value.is_null() || ((value.is_object() || value.is_array()) && value.empty());
        if (empty || known_.contains(key) || changes_nothing(key)) continue;
        refuse(key, "Heed does not know this setting of such a model, and would not follow it");
    }
    return result_;
}

} // namespace heed::models
