#include "app/files/shipped_models.hpp"

#include "app/files/open_file.hpp"
#include "app/files/path_entries.hpp"
#include "app/files/settings.hpp"
#include "train/tasks/task_info.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

namespace heed::app {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view kModelSuffix = ".safetensors";

/// Title of a model that comes with the program, in the order in which they are offered, with the
/// sentence that it opens with; empty: its file's own.
struct Title {
    std::string_view name;
    train::Task task;
    std::string_view kind, sentence;
};
constexpr Title kTitles[] = {
    {"en-fr-transformer", train::Task::en_fr, "transformer",
     "the black cat did not eat the red apple"},
    {"en-fr-bahdanau", train::Task::en_fr, "Bahdanau", "the black cat did not eat the red apple"},
    {"zh-en-transformer", train::Task::zh_en, "transformer", "我昨天吃了一个苹果"},
    {"zh-en-bahdanau", train::Task::zh_en, "Bahdanau", "我昨天吃了一个苹果"},
    {"dates", train::Task::dates, "Bahdanau", "8 May 2035"},
    {"reverse", train::Task::reverse, "transformer", ""},
    {"repeat", train::Task::repeat, "language model", "m q a x t f m q a x"},
    {"headlines-en-four-heads", train::Task::headlines_en, "four heads", ""},
    {"headlines-en-one-head", train::Task::headlines_en, "one head", ""}};

/// The first folder that holds any.
fs::path found_folder() {
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

struct Shipped {
    std::string name, path;
};

std::vector<Shipped> found_models() {
    std::vector<Shipped> models;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(found_folder(), failed)) {
        const std::string file = entry.path().filename().string();
        if (!file.ends_with(kModelSuffix)) continue;
        if (file.ends_with(".checkpoint.safetensors")) continue; // of one that is being trained
        models.push_back(
            {file.substr(0, file.size() - kModelSuffix.size()), entry.path().string()});
    }
    const auto place = [](const Shipped& model) { // others come last, by their names
        const auto* title = std::ranges::find(kTitles, model.name, &Title::name);
        return std::pair(title - std::begin(kTitles), model.name);
    };
    std::ranges::sort(models, {}, place);
    return models;
}

/// Looked for once: titles are asked for in every frame.
const std::vector<Shipped>& shipped() {
    static const std::vector<Shipped> models = found_models();
    return models;
}

} // namespace

std::vector<std::string> shipped_models() {
    std::vector<std::string> names;
    for (const Shipped& model : shipped()) names.push_back(model.name);
    return names;
}

namespace {

/// Name of a file; of a checkpoint, that of its folder.
std::string name_of_file(const std::string& path) {
    fs::path file = fs::path(path).lexically_normal();
    const bool inside = file.filename() == "config.json" || file.filename() == "model.safetensors";
    if (!file.has_filename() || inside) file = file.parent_path();
    std::string name = file.filename().string();
    if (name.ends_with(kModelSuffix)) name.resize(name.size() - kModelSuffix.size());
    return name;
}

} // namespace

bool speaks_chinese() {
    for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value && *value) return std::string_view(value).starts_with("zh");
    }
    return false;
}

ShippedTitle shipped_title(std::string_view name) {
    for (const auto& title : kTitles) {
        if (title.name != name) continue;
        return {std::string(train::info(title.task).label), std::string(title.kind)};
    }
    return {std::string(name), {}};
}

std::string task_keywords(const std::string& task) {
    constexpr std::pair<std::string_view, std::string_view> kLanguages[] = {
        {"français", "french francais "}, {"中文", "chinese zhongwen "}, {"English", "english "}};
    std::string words;
    for (const auto& [own, english] : kLanguages) {
        if (task.find(own) != std::string::npos) words += english;
    }
    return words.empty() ? words : words + "translation translate translator";
}

namespace {

/// Title by a name that the Train room wrote: "en-fr-additive-attention-step-217" is "English →
/// français · additive attention · step 217".
std::string title_of_own(std::string name) {
    std::string task;
    for (const train::TaskInfo& info : train::task_infos()) {
        if (!name.starts_with(std::string(info.name) + "-")) continue;
        task = std::string(info.label) + " \u00b7 ";
        name.erase(0, info.name.size() + 1);
    }
    std::ranges::replace(name, '-', ' ');
    const auto step = name.rfind(" step ");
    if (step != std::string::npos) name.insert(step, " \u00b7");
    return task + name;
}

/// True of a model that was trained here.
bool is_own(const std::string& path) {
    return fs::path(path).parent_path() == fs::path(models_folder());
}

} // namespace

ShippedTitle file_title(const std::string& path) {
    const std::string name = name_of_file(path);
    if (shipped_model(name) == path) return shipped_title(name);
    return {is_own(path) ? title_of_own(name) : name, {}};
}

std::string file_detail(const std::string& path) {
    const std::string written = is_own(path) ? time_words(written_at(path)) : "";
    return written.empty() ? fs::path(path).parent_path().string() : written;
}

std::string shipped_model(std::string_view name) {
    const auto& all = shipped();
    const auto at = std::ranges::find(all, name, &Shipped::name);
    return at == all.end() ? std::string() : at->path;
}

std::string default_model() {
    const std::string_view name = speaks_chinese() ? "zh-en-transformer" : "en-fr-transformer";
    return shipped_model(name).empty() ? std::string() : std::string(name);
}

Opening opening_of(const std::string& path, const models::Provenance& provenance) {
    Opening opening;
    opening.document.model_file = path;
    opening.document.source = provenance.example;
    opening.document.target.clear();
    opening.document.segmentation = provenance.segmentation;
    opening.focus.head.kind = trace::AttentionKind::cross;
    opening.focus.head = provenance.aligned_by.value_or(opening.focus.head);
    const std::string name = name_of_file(path);
    for (const auto& title : kTitles) {
        const bool shipped = title.name == name && shipped_model(name) == path;
        if (shipped && !title.sentence.empty()) opening.document.source = title.sentence;
    }
    return opening;
}

Opening first_opening() {
    const std::string path = shipped_model(default_model());
    if (path.empty()) return {};
    const auto opened = read_opened(path);
    const auto* model = opened ? std::get_if<OpenedModel>(&*opened) : nullptr;
    return model && model->provenance ? opening_of(path, *model->provenance) : Opening{};
}

} // namespace heed::app
