#include "app/files/open_file.hpp"

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/utf8.hpp"
#include "files/picture_formats.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/attention_file.hpp"
#include "models/model/provenance_metadata.hpp"
#include "models/model/stored.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostText = 64 * 1024;
constexpr std::size_t kLargestTrained = 64 << 20; // a larger model is opened without its sentence

bool is_file(const fs::path& path) {
    std::error_code failed;
    return fs::is_regular_file(path, failed);
}

bool begins_as_picture(const std::string& path) {
    const auto file = base::OpenFile::open(path);
    if (!file) return false;
    std::string begin(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 32)), '\0');
    return file->read(0, begin) && files::is_picture(begin);
}

/// A picture beside its session, or where it was; one that is gone keeps its name, which the engine
/// tells.
void find_picture(std::string& picture, const fs::path& folder) {
    if (picture.empty()) return;
    const fs::path named(picture);
    for (const fs::path& place : {folder / named, folder / named.filename()}) {
        if (!is_file(place)) continue;
        picture = place.lexically_normal().string();
        return;
    }
}

/// False when the model is neither where it was nor beside the session.
bool find_model(std::string& model, const fs::path& folder) {
    if (model.empty()) return true;
    const fs::path named(model);
    // A relative name starts at the session.
    for (const fs::path& place : {folder / named, folder / named.filename()}) {
        std::error_code failed; // a checkpoint's name alone says that it is one
        if (!fs::exists(place, failed)) continue;
        if (!is_file(place) && !models::is_checkpoint(place.string())) continue;
        model = place.lexically_normal().string();
        return true;
    }
    return false;
}

Result<Opened> read_session(const std::string& path) {
    auto session = load_session(path);
    if (!session) return tl::make_unexpected(session.error());
    const fs::path folder = fs::path(path).parent_path();
    OpenedSession opened{*std::move(session), {}};
    std::string& model = opened.session.document.model_file;
    if (!find_model(model, folder)) {
        return fail(ErrorKind::not_found, path,
                    fmt::format("the model that it uses, {}, is gone", model));
    }
    find_picture(opened.session.document.image_file, folder);
    if (opened.session.pinned) find_picture(opened.session.pinned->document.image_file, folder);
    for (Bookmark& kept : opened.session.kept) find_picture(kept.document.image_file, folder);
    std::string gone;
    if (opened.session.pinned && !find_model(opened.session.pinned->document.model_file, folder)) {
        gone = "the pinned state";
    }
    for (Bookmark& kept : opened.session.kept) {
        if (!find_model(kept.document.model_file, folder)) gone = "\u201c" + kept.name + "\u201d";
    }
    if (!gone.empty()) opened.remark = "the model of " + gone + " is gone";
    return opened;
}

/// Arrays, be what is wrong with them told by the engine.
bool has_arrays(const tensors::Json& json) {
    if (!json.is_object() || json.contains("document")) return false;
    for (const auto& member : json.items()) {
        const tensors::Json& value = member.value();
        const bool lists = value.is_array() && !value.empty() && value.front().is_array();
        if (lists || (member.key() == "arrays" && value.is_object())) return true;
    }
    return false;
}

Result<Opened> read_json(const std::string& path) {
    const auto bytes = base::read_file(path, models::kMostAttentionJson);
    const auto json = tensors::parse_json(bytes ? *bytes : "", path);
    if (bytes && json && has_arrays(*json)) return OpenedModel{.weights_alone = true};
    auto session = read_session(path);
    if (session || session.error().kind != ErrorKind::unsupported) return session;
    return fail(ErrorKind::unsupported, path,
                "this JSON is neither a Heed session nor attention weights");
}

/// A checkpoint, be what is wrong with it told by the engine.
OpenedModel checkpoint_at(const std::string& path) {
    if (path.ends_with(".gguf")) return {.of_one_sequence = true}; // all families that it holds
    constexpr std::size_t kMostConfig = 1 << 20;
    std::error_code failed;
    const fs::path folder =
        fs::is_directory(path, failed) ? fs::path(path) : fs::path(path).parent_path();
    const std::string file = (folder / "config.json").string();
    const auto bytes = base::read_file(file, kMostConfig);
    const auto json = tensors::parse_json(bytes ? *bytes : "", file);
    if (!json || !json->is_object()) return {};
    const auto two = json->find("is_encoder_decoder");
    return {.of_one_sequence = two == json->end() || *two != true};
}

Result<Opened> read_model(const std::string& path) {
    if (!is_file(path)) return fail(ErrorKind::not_found, path, "there is no such file");
    // What is wrong with a model, the engine tells.
    const auto bytes = base::read_file(path, kLargestTrained);
    if (!bytes) return checkpoint_at(path);
    const auto archive = tensors::read_safetensors(*bytes, path);
    if (!archive) return OpenedModel{};
    if (!archive->metadata.contains("heed.model")) return checkpoint_at(path);
    const auto provenance = models::read_provenance(archive->metadata, path);
    return OpenedModel{provenance.value_or(std::nullopt)};
}

Result<Opened> read_text(const std::string& path) {
    const auto bytes = base::read_file(path, kMostText);
    if (!bytes) return tl::make_unexpected(bytes.error());
    if (bytes->find('\0') != std::string::npos) {
        return fail(ErrorKind::unsupported, path, "is not a text; Heed opens " + opened_kinds());
    }
    OpenedText text{base::to_valid_utf8(*bytes)};
    std::replace_if(
        text.sentence.begin(), text.sentence.end(),
        [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return text;
}

} // namespace

std::string model_kinds() {
    return "a .safetensors or .gguf file, the folder of a checkpoint, attention weights (.npz, "
           ".json, .safetensors, alignments)";
}
std::string opened_kinds() {
    return "a model (a folder with config.json, .safetensors, .gguf), a session (.json), a picture "
           "(PNG, JPEG), attention weights (.npz, .json, .safetensors, alignments) or a text";
}

std::string whole_path(const std::string& typed) {
    // A whole path that was typed behind another one begins anew.
    if (const auto again = typed.rfind("//"); again != typed.npos && again > 0) {
        return whole_path(typed.substr(again + 1));
    }
    const char* home = std::getenv("HOME");
    const bool of_home = typed == "~" || typed.starts_with("~/");
    const std::string path = of_home && home != nullptr ? home + typed.substr(1) : typed;
    std::error_code failed;
    const fs::path whole = fs::absolute(path, failed);
    return failed ? path : whole.lexically_normal().string();
}

Result<Opened> read_opened(const std::string& path) {
    if (!path.ends_with(".safetensors") && models::is_checkpoint(path)) {
        return checkpoint_at(path);
    }
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
        return fail(ErrorKind::unsupported, path,
                    "no config.json in this folder. The folder of a model holds config.json, its "
                    "weights (.safetensors) and its tokenizer");
    }
    const auto there = base::check_file(path);
    if (!there && there.error().kind != ErrorKind::not_found) {
        return tl::make_unexpected(there.error());
    }
    if (path.ends_with(".json")) return read_json(path);
    if (there && models::holds_attention(path)) return OpenedModel{.weights_alone = true};
    if (path.ends_with(".safetensors")) return read_model(path);
    return begins_as_picture(path) ? Result<Opened>(OpenedPicture{}) : read_text(path);
}

} // namespace heed::app
