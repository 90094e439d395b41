#include "app/learn/visits.hpp"

#include "base/file.hpp"
#include "tensors/json.hpp"

#include <filesystem>

namespace heed::app {

namespace {

constexpr const char *kCards = "cards", *kPages = "pages";

std::set<std::string> names_in(const tensors::Json& json, const char* key) {
    std::set<std::string> names;
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) return names;
    for (const auto& name : *list) {
        if (name.is_string()) names.insert(name.get<std::string>());
    }
    return names;
}

} // namespace

std::string visits_path(const std::string& verdicts_file) {
    if (verdicts_file.empty()) return {};
    return (std::filesystem::path(verdicts_file).parent_path() / "visits.json").string();
}

Visits load_visits(const std::string& path) {
    constexpr std::size_t kMostBytes = 1 << 20;
    if (path.empty()) return {};
    const auto bytes = base::read_file(path, kMostBytes);
    if (!bytes) return {};
    const auto json = tensors::parse_json(*bytes, path);
    if (!json || !json->is_object()) return {};
    return {names_in(*json, kCards), names_in(*json, kPages)};
}

base::Result<void> keep_visits(const std::string& path, const Visits& visits) {
    if (path.empty()) return {};
    const tensors::Json json = {{kCards, visits.cards}, {kPages, visits.pages}};
    std::error_code none; // what cannot be made cannot be written into, which is told
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), none);
    return base::write_file_atomic(path, tensors::dump_json(json, 2) + "\n");
}

} // namespace heed::app
