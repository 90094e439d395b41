#include "app/files/shipped_models.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace heed::app {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view kModelSuffix = ".safetensors";

/// The first folder that holds any.
fs::path folder() {
    std::vector<fs::path> places;
    if (const char* named = std::getenv("HEED_MODELS")) places.emplace_back(named);
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) places.push_back(program.parent_path().parent_path() / "share/heed/models");
    places.emplace_back(HEED_MODELS_DIR);
    for (const fs::path& place : places) {
        for (const auto& entry : fs::directory_iterator(place, failed)) {
            if (entry.path().extension() == kModelSuffix) return place;
        }
    }
    return {};
}

} // namespace

std::vector<std::string> shipped_models() {
    std::vector<std::string> names;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder(), failed)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".checkpoint.safetensors")) continue; // of one that is being trained
        if (name.ends_with(kModelSuffix))
            names.push_back(name.substr(0, name.size() - kModelSuffix.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

ShippedTitle shipped_title(std::string_view name) {
    constexpr struct {
        std::string_view name, task, kind;
    } kTitles[] = {{"dates", "written dates → ISO 8601", "recurrent"},
                   {"en-fr-bahdanau", "English → français", "Bahdanau"},
                   {"en-fr-transformer", "English → français", "transformer"},
                   {"headlines-en-four-heads", "headlines → topic", "four heads"},
                   {"headlines-en-one-head", "headlines → topic", "one head"},
                   {"reverse", "words in reverse", "transformer"},
                   {"zh-en-bahdanau", "中文 → English", "Bahdanau"},
                   {"zh-en-transformer", "中文 → English", "transformer"}};
    for (const auto& title : kTitles) {
        if (title.name == name) return {std::string(title.task), std::string(title.kind)};
    }
    return {std::string(name), {}};
}

std::string shipped_model(std::string_view name) {
    if (name.empty() || name.find('/') != std::string_view::npos) return {};
    const fs::path path = folder() / (std::string(name) + std::string(kModelSuffix));
    std::error_code failed;
    return fs::is_regular_file(path, failed) ? path.string() : std::string();
}

Document first_document() {
    Document document;
    document.model_file = shipped_model("zh-en-bahdanau");
    if (document.model_file.empty()) return document;
    document.source = "我 昨天 吃 了 一个 苹果";
    document.target.clear();
    return document;
}

} // namespace heed::app
