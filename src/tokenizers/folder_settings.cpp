#include "tokenizers/folder_settings.hpp"

#include "base/file.hpp"
#include "tokenizers/text/refused.hpp"

#include <filesystem>

namespace heed::tokenizers {

namespace {

constexpr std::size_t kMaxFileOfTokenizer = std::size_t{48} << 20; // Gemma's has 33 MB
constexpr std::size_t kMaxSettings = std::size_t{3} << 20;         // Gemma 3's have 1.2 MB
constexpr std::size_t kMaxSpecialTokens = std::size_t{1} << 20;    // a thousand have 0.1 MB

std::string read_bytes(const std::string& path, std::size_t most) {
    auto bytes = base::read_file(path, most);
    if (!bytes) throw Refused(bytes.error());
    return std::move(*bytes);
}

tensors::Json object_of_file(const std::string& folder, const char* name, std::size_t most) {
    if (!has_file(folder, name)) return tensors::Json::object();
    const std::string path = folder + "/" + name;
    auto json = tensors::parse_json(read_bytes(path, most), path);
    if (!json) throw Refused(json.error());
    if (!json->is_object()) throw Refused(base::ErrorKind::malformed, path, "is no JSON object");
    return std::move(*json);
}

} // namespace

bool has_file(const std::string& folder, const char* name) {
    std::error_code failed;
    return std::filesystem::exists(std::filesystem::path(folder) / name, failed);
}

std::string bytes_of_file(const std::string& path) { return read_bytes(path, kMaxFileOfTokenizer); }

FolderSettings::FolderSettings(const std::string& folder)
    : config_(object_of_file(folder, "tokenizer_config.json", kMaxSettings)),
      special_(object_of_file(folder, "special_tokens_map.json", kMaxSpecialTokens)) {
    const tensors::Json model = object_of_file(folder, "config.json", kMaxSettings);
    const auto type = model.find("model_type");
    if (type != model.end() && type->is_string()) model_type_ = type->get<std::string>();
}

const tensors::Json* FolderSettings::find(const char* key) const {
    for (const tensors::Json* file : {&config_, &special_}) {
        const auto found = file->find(key);
        if (found != file->end() && !found->is_null()) return &*found;
    }
    return nullptr;
}

std::optional<bool> FolderSettings::flag(const char* key) const {
    const tensors::Json* value = find(key);
    return value && value->is_boolean() ? std::optional(value->get<bool>()) : std::nullopt;
}

std::optional<std::string> FolderSettings::word(const char* key) const {
    const tensors::Json* value = find(key);
    if (value && value->is_string()) return value->get<std::string>();
    if (!value || !value->is_object()) return std::nullopt;
    const auto content = value->find("content");
    if (content == value->end() || !content->is_string()) return std::nullopt;
    return content->get<std::string>();
}

std::vector<AddedToken> FolderSettings::added() const {
    std::vector<AddedToken> result;
    if (const tensors::Json* tokens = find("added_tokens_decoder"); tokens && tokens->is_object()) {
        for (const auto& entry : tokens->items()) {
            Fields fields(entry.value(), "added_tokens_decoder." + entry.key());
            result.push_back(read_added_token(fields));
        }
    }
    if (const tensors::Json* more = find("additional_special_tokens"); more && more->is_array()) {
        for (const tensors::Json& token : *more) {
            if (token.is_string()) {
                result.push_back({token.get<std::string>(), false, false, false, false, true});
            }
        }
    }
    return result;
}

NamedIds FolderSettings::named(const Tokenizer& tokenizer, NamedIds otherwise) const {
    const auto take = [&](const char* key, std::optional<int>& id) {
        if (const auto words = word(key)) {
            if (const auto found = tokenizer.id(*words)) id = found;
        }
    };
    take("bos_token", otherwise.bos);
    take("eos_token", otherwise.eos);
    take("pad_token", otherwise.pad);
    take("mask_token", otherwise.mask);
    take("unk_token", otherwise.unk);
    take("cls_token", otherwise.cls);
    take("sep_token", otherwise.sep);
    return otherwise;
}

} // namespace heed::tokenizers
