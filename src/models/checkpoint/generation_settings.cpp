#include "models/checkpoint/generation_settings.hpp"

#include "base/file.hpp"
#include "base/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using tensors::Json;

constexpr const char* kFile = "generation_config.json";
constexpr std::size_t kMostBytes = 1 << 20, kMostTokens = 100'000, kMostOfOne = 100;

/// Settings that change the choice of tokens beside what Heed follows, and its value that changes
/// nothing.
struct OtherSetting {
    const char* key;
    double neutral;
};
constexpr OtherSetting kOthers[] = {
    {"repetition_penalty", 1}, {"num_beam_groups", 1}, {"diversity_penalty", 0}};

/// Values of one object; the first that is not as it should be is kept as the failure.
class Reader {
  public:
    Reader(const Json* file, ConfigFile& config, std::string path, int vocabulary)
        : file_(file), config_(config), path_(std::move(path)), vocabulary_(vocabulary) {}

    std::vector<int> tokens(const char* key) {
        const Json* value = find(key);
        std::vector<int> list;
        if (!value) return list;
        if (!value->is_array()) {
            add(key, *value, list);
        } else if (value->size() > kMostTokens) {
            refuse(ErrorKind::out_of_range, key, fmt::format("has {} tokens", value->size()));
        } else {
            for (const Json& one : *value) add(key, one, list);
        }
        return list;
    }
    std::optional<int> token(const char* key) {
        const auto list = tokens(key);
        return list.empty() ? std::nullopt : std::optional(list.front());
    }
    /// Sequences of tokens; those that have others than this model's can never be said.
    std::vector<std::vector<int>> sequences(const char* key) {
        const Json* value = find(key);
        std::vector<std::vector<int>> list;
        if (!value) return list;
        if (!value->is_array()) refuse(ErrorKind::malformed, key, "is no list");
        if (value->size() > kMostTokens) {
            refuse(ErrorKind::out_of_range, key, fmt::format("has {} words", value->size()));
            return list;
        }
        for (const Json& one : *value) {
            if (!one.is_array() || one.size() > kMostOfOne) {
                refuse(ErrorKind::malformed, key,
                       fmt::format("has a word that is no list of up to {} tokens", kMostOfOne));
                return list;
            }
            std::vector<int> word;
            for (const Json& token : one) add(key, token, word);
            if (!word.empty() && word.size() == one.size()) list.push_back(std::move(word));
        }
        return list;
    }
    int count(const char* key) {
        const Json* value = find(key);
        if (!value) return 0;
        const auto found = tensors::integer(*value, key);
        if (!found || *found < 0 || *found > 1'000'000) {
            refuse(ErrorKind::out_of_range, key, "is no number from 0 to 1000000");
            return 0;
        }
        return static_cast<int>(*found);
    }
    double number(const char* key, double fallback) {
        const Json* value = find(key);
        if (!value || value->is_boolean() || !value->is_number()) return fallback;
        return value->get<double>();
    }
    bool flag(const char* key) {
        const Json* value = find(key);
        return value && value->is_boolean() && value->get<bool>();
    }
    base::Result<void> done() const { return result_; }

  private:
    const Json* find(const char* key) {
        if (!file_) return config_.any(key);
        const auto found = file_->find(key);
        return found == file_->end() || found->is_null() ? nullptr : &*found;
    }
    void add(const char* key, const Json& value, std::vector<int>& list) {
        const auto id = tensors::integer(value, key);
        if (!id) {
            refuse(ErrorKind::malformed, key, "is no token's number");
        } else if (*id >= 0 && *id < vocabulary_) { // others are no token of this model
            list.push_back(static_cast<int>(*id));
        }
    }
    void refuse(ErrorKind kind, const char* key, const std::string& what) {
        if (result_) result_ = fail(kind, path_, fmt::format("\"{}\" {}", key, what));
    }

    const Json* file_; // null: config.json tells
    ConfigFile& config_;
    std::string path_;
    int vocabulary_;
    base::Result<void> result_;
};

void fill(Reader& read, TextToIds& ids) {
    Generation& how = ids.generation;
    how.ends = read.tokens("eos_token_id");
    how.first = read.token("forced_bos_token_id");
    how.last = read.token("forced_eos_token_id");
    how.bad_words = read.sequences("bad_words_ids");
    for (const int token : read.tokens("suppress_tokens")) how.never.push_back(token);
    how.not_first = read.tokens("begin_suppress_tokens");
    how.length_penalty = static_cast<float>(std::clamp(read.number("length_penalty", 1), -9., 9.));
    how.early_stopping = read.flag("early_stopping");
    how.shortest = read.count("min_length");
    how.fewest_new = read.count("min_new_tokens");
    how.no_repeat = read.count("no_repeat_ngram_size");
    how.no_repeat_of_source = read.count("encoder_no_repeat_ngram_size");
    if (read.flag("do_sample")) how.ignored.emplace_back("do_sample");
    for (const OtherSetting& other : kOthers) {
        if (read.number(other.key, other.neutral) != other.neutral) {
            how.ignored.emplace_back(other.key);
        }
    }
    if (const auto start = read.token("decoder_start_token_id"); start && ids.decoder_start) {
        ids.decoder_start = start;
    }
}

} // namespace

base::Result<void> read_generation(const std::string& folder, ConfigFile& config, int vocabulary,
                                   TextToIds& ids) {
    const std::string path = (std::filesystem::path(folder) / kFile).string();
    std::error_code none;
    std::optional<Json> file;
    if (std::filesystem::is_regular_file(path, none)) {
        if (auto ok = base::check_stays(folder, path); !ok) return ok;
        const auto bytes = base::read_file(path, kMostBytes);
        if (!bytes) return tl::make_unexpected(bytes.error());
        auto json = tensors::parse_json(*bytes, path);
        if (!json) return tl::make_unexpected(json.error());
        if (!json->is_object()) return fail(ErrorKind::malformed, path, "holds no object");
        file = *std::move(json);
    }
    Reader read(file ? &*file : nullptr, config, file ? path : config.path(), vocabulary);
    fill(read, ids);
    if (auto ok = read.done(); !ok) return ok;
    if (ids.generation.ends.empty() && file) {
        ids.generation.ends =
            Reader(nullptr, config, config.path(), vocabulary).tokens("eos_token_id");
    }
    const auto& tokenizer = ids.tokenizers.target;
    if (ids.generation.ends.empty() && tokenizer && tokenizer->named().eos) {
        ids.generation.ends.push_back(*tokenizer->named().eos);
    }
    // A word that is an end alone is no bad one, as in the library.
    std::erase_if(ids.generation.bad_words, [&](const std::vector<int>& word) {
        const auto& ends = ids.generation.ends;
        return word.size() == 1 && std::ranges::find(ends, word.front()) != ends.end();
    });
    return {};
}

} // namespace heed::models
