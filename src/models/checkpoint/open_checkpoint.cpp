#include "models/checkpoint/open_checkpoint.hpp"

#include "models/checkpoint/family.hpp"
#include "models/checkpoint/generation_settings.hpp"
#include "models/checkpoint/gguf.hpp"
#include "models/checkpoint/weights.hpp"
#include "models/transformer/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <utility>

namespace heed::models {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

constexpr const char* kConfig = "config.json";
constexpr int kMostClasses = 100'000;
constexpr std::uint64_t kDrawSeed = 1; // of what controls can switch on and no file has

bool is_pickle(const std::string& path) {
    return path.ends_with(".bin") || path.ends_with(".pt") || path.ends_with(".pth");
}

bool is_gguf(const std::string& path) { return path.ends_with(".gguf"); }

bool is_index(const std::string& path) { return path.ends_with(".safetensors.index.json"); }

bool is_folder(const fs::path& path) {
    std::error_code failed;
    return fs::is_directory(path, failed);
}

std::string folder_of(const std::string& path) {
    if (is_folder(path)) return path;
    const fs::path parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

/// The first of "architectures", which names the class that converts a pickle.
std::string architecture_of(ConfigFile& config) {
    const auto* list = config.list("architectures");
    return list && !list->empty() && list->front().is_string() ? list->front().get<std::string>()
                                                               : std::string();
}

/// The names of the classes, by their numbers in "id2label".
base::Result<std::vector<std::string>> classes_of(ConfigFile& config) {
    const auto* labels = config.object("id2label");
    const int count = labels ? static_cast<int>(labels->size()) : config.size("num_labels", 2);
    if (count < 1 || count > kMostClasses) {
        return fail(ErrorKind::out_of_range, config.path(),
                    fmt::format("has {} labels; 1 to {} are read", count, kMostClasses));
    }
    std::vector<std::string> classes;
    for (int i = 0; i < count; ++i) classes.push_back(fmt::format("class {}", i));
    if (!labels) return classes;
    for (const auto& [key, name] : labels->items()) { // a look-up each would be quadratic
        const char* const end = key.data() + key.size();
        int number = -1;
        const auto [read_to, error] = std::from_chars(key.data(), end, number);
        if (error == std::errc() && read_to == end && number >= 0 && number < count &&
            key == std::to_string(number) && name.is_string()) {
            classes[static_cast<std::size_t>(number)] = name.get<std::string>();
        }
    }
    return classes;
}

/// Reads tokenizers. Without one a model is still run on ids, and says why it reads no text.
TextToIds read_tokenizers(const std::string& place, int decoder_start) {
    TextToIds ids;
    if (decoder_start >= 0) ids.decoder_start = decoder_start;
    if (auto read = tokenizers::open_tokenizers(place)) {
        ids.tokenizers = *std::move(read);
    } else {
        ids.why_none = std::move(read.error());
    }
    return ids;
}

/// `tokenizers`: where they are looked for, a folder or a GGUF file.
base::Result<std::shared_ptr<const Transformer>> read(const Family& family, Checkpoint& checkpoint,
                                                      const std::string& tokenizers,
                                                      num::ThreadPool& pool,
                                                      const Reading& reading) {
    ConfigFile& config = checkpoint.config;
    auto parameters = std::make_unique<Transformer::Parameters>();
    parameters->config = family.spec(checkpoint);
    const int start = has_cross(parameters->config)
                          ? config.id("decoder_start_token_id", config.id("pad_token_id", -1))
                          : -1;
    if (auto ok = config.finish(); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check(parameters->config); !ok) {
        return fail(ok.error().kind, config.path(),
                    "asks for a model that Heed does not run: " + base::describe(ok.error()));
    }
    if (is_classifier(parameters->config)) {
        auto classes = classes_of(config);
        if (!classes) return tl::make_unexpected(classes.error());
        parameters->head.classes = *std::move(classes);
    }
    std::future<TextToIds> text_to_ids; // beside the weights: one thread reads it for long
    if (parameters->config.reads == Reads::ids) {
        text_to_ids = std::async(std::launch::async, read_tokenizers, tokenizers, start);
    }
    make_room(*parameters);
    const TensorMap map = family.map(parameters->config, checkpoint);
    auto left = read_weights(named_tensors(*parameters), map, checkpoint.files, pool, reading);
    if (!left) return tl::make_unexpected(left.error());
    // What a control may ask for is drawn at once where pictures show it, else when it is asked.
    const auto of_controls = std::stable_partition(left->begin(), left->end(), [](const auto& t) {
        return !t.name.starts_with("scores.") && t.name != "positions.join.weight";
    });
    NamedTensors rest(of_controls, left->end());
    left->erase(of_controls, left->end());
    draw(*left, kDrawSeed, pool);
    if (text_to_ids.valid()) {
        parameters->text_to_ids = text_to_ids.get();
        parameters->text_to_ids.rows = parameters->config.vocabulary;
        auto read = read_generation(tokenizers, config, parameters->config.vocabulary,
                                    parameters->text_to_ids);
        if (!read) return tl::make_unexpected(read.error());
    }
    derive(*parameters);
    auto draw_rest = [p = parameters.get(), rest = std::move(rest)] {
        num::ThreadPool alone(1);
        draw(rest, kDrawSeed, alone);
        share_scores(*p);
    };
    return Transformer::of(std::move(parameters), {}, std::move(draw_rest));
}

base::Result<std::shared_ptr<const Transformer>>
open_gguf(const std::string& path, num::ThreadPool& pool, const Reading& reading) {
    auto file = tensors::GgufFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    const auto shared = std::make_shared<const tensors::GgufFile>(*std::move(file));
    auto settings = gguf_settings(*shared);
    if (!settings) return tl::make_unexpected(settings.error());
    const Family family = gguf_family();
    const TensorFiles files(shared);
    Checkpoint checkpoint{*settings, files, family.prefix, gguf_architecture(*shared)};
    return read(family, checkpoint, path, pool, reading);
}

} // namespace

bool is_checkpoint(const std::string& path) {
    std::error_code failed;
    const fs::path file = path;
    if (is_folder(path)) return fs::exists(file / kConfig, failed);
    if (is_gguf(path) || is_index(path) || file.filename() == kConfig) return true;
    const bool beside = fs::exists(file.parent_path() / kConfig, failed);
    const bool named = file.filename().string().starts_with("pytorch_model");
    return is_pickle(path) ? beside || named : beside && path.ends_with(".safetensors");
}

base::Result<std::shared_ptr<const Transformer>>
open_checkpoint(const std::string& path, num::ThreadPool& pool, const Reading& reading) {
    if (is_gguf(path) && !is_folder(path)) return open_gguf(path, pool, reading);
    const std::string folder = folder_of(path);
    auto config = ConfigFile::open((fs::path(folder) / kConfig).string());
    if (is_pickle(path)) {
        return tl::make_unexpected(
            refusal_of_pickle(path, config ? architecture_of(*config) : std::string()));
    }
    if (!config) return tl::make_unexpected(config.error());
    const std::string type = config->text("model_type", "");
    const Family* family = family_of(type);
    if (!family) {
        return fail(
            ErrorKind::unsupported, config->path(),
            fmt::format("\"model_type\" is \"{:.40}\"; Heed knows {}", type, known_types()));
    }
    const bool named = path.ends_with(".safetensors");
    auto files = TensorFiles::open(folder, named ? fs::path(path).filename().string() : "",
                                   architecture_of(*config));
    if (!files) return tl::make_unexpected(files.error());
    Checkpoint checkpoint{*config, *files, family->prefix, type};
    return read(*family, checkpoint, folder, pool, reading);
}

} // namespace heed::models
