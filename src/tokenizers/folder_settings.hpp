// The settings in the small files beside a tokeniser: tokenizer_config.json,
// special_tokens_map.json.
#pragma once

#include "tensors/json.hpp"
#include "tokenizers/parts/added_tokens.hpp"
#include "tokenizers/tokenizer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::tokenizers {

class FolderSettings {
  public:
    /// The settings of a folder; files that are not there say nothing. Throws Refused where one is
    /// malformed.
    explicit FolderSettings(const std::string& folder);

    std::string tokenizer_class() const { return word("tokenizer_class").value_or(""); }
    /// "albert", as config.json says it; empty where that is not there.
    const std::string& model_type() const { return model_type_; }
    std::optional<bool> flag(const char* key) const;
    /// The words of a token: "unk_token" and the like, as a string or an object with "content".
    std::optional<std::string> word(const char* key) const;
    /// added_tokens_decoder and additional_special_tokens.
    std::vector<AddedToken> added() const;
    /// The ids of the tokens that the files name; else those of `otherwise`.
    NamedIds named(const Tokenizer& tokenizer, NamedIds otherwise) const;

  private:
    const tensors::Json* find(const char* key) const;

    tensors::Json config_, special_;
    std::string model_type_;
};

/// True where there is such a file.
bool has_file(const std::string& folder, const char* name);
/// Bytes of a file. Throws Refused.
std::string bytes_of_file(const std::string& path);

} // namespace heed::tokenizers
