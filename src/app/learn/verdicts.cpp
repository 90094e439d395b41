#include "app/learn/verdicts.hpp"

#include "app/files/settings.hpp"
#include "base/file.hpp"
#include "tensors/json.hpp"

#include <filesystem>
#include <optional>

namespace heed::app {

namespace {

std::optional<lab::Verdict> verdict_named(const std::string& word) {
    for (const auto v : {lab::Verdict::holds, lab::Verdict::does_not_hold, lab::Verdict::depends}) {
        if (lab::name(v) == word) return v;
    }
    return std::nullopt;
}

std::string text_of(const tensors::Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

std::string verdicts_path() {
    const std::string settings = settings_path();
    if (settings.empty()) return {};
    return (std::filesystem::path(settings).parent_path() / "learn.json").string();
}

Verdicts load_verdicts(const std::string& path) {
    constexpr std::size_t kMostBytes = 1 << 20;
    Verdicts verdicts;
    if (path.empty()) return verdicts;
    const auto bytes = base::read_file(path, kMostBytes);
    if (!bytes) return verdicts;
    const auto json = tensors::parse_json(*bytes, path);
    if (!json || !json->is_object()) return verdicts;
    for (const auto& [page, entry] : json->items()) {
        if (!entry.is_object()) continue;
        const auto verdict = verdict_named(text_of(entry, "verdict"));
        if (verdict) verdicts[page] = {*verdict, text_of(entry, "because")};
    }
    return verdicts;
}

base::Result<void> keep_verdict(const std::string& path, const std::string& page,
                                const lab::Judgement& judgement) {
    if (path.empty()) return {};
    Verdicts verdicts = load_verdicts(path);
    verdicts[page] = judgement;
    tensors::Json json = tensors::Json::object();
    for (const auto& [name, kept] : verdicts) {
        json[name] = {{"verdict", lab::name(kept.verdict)}, {"because", kept.because}};
    }
    std::error_code none; // what cannot be made cannot be written into, which is told
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), none);
    return base::write_file_atomic(path, tensors::dump_json(json, 2) + "\n");
}

} // namespace heed::app
