#include "ui/dialogs/path_check.hpp"

#include "app/document/names.hpp"
#include "app/files/open_file.hpp"
#include "app/training/training_export.hpp"
#include "app/views/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace heed::ui {

namespace {

namespace fs = std::filesystem;

PathCheck refuse(std::string words) { return {std::move(words), true}; }

/// What stands behind the last "/".
std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// "jpeg" of "x.jpeg": letters and digits behind the name's last full stop, a letter first. None of
/// "of v1.2".
std::string ending_of(const std::string& name) {
    constexpr std::size_t kLongest = 5;
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos || dot == 0) return {};
    const std::string ending = name.substr(dot + 1);
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0; };
    const bool plain = !ending.empty() && ending.size() <= kLongest &&
                       std::ranges::all_of(ending, is_plain) &&
                       std::isalpha(static_cast<unsigned char>(ending.front())) != 0;
    return plain ? ending : "";
}

bool is_folder(const std::string& typed) {
    std::error_code failed;
    return fs::is_directory(app::whole_path(typed), failed);
}

} // namespace

bool says_format(const std::string& path) {
    return app::export_format_of(path) || app::is_gif(path);
}

PathCheck checked_by_letters(const std::string& path, const std::string& end) {
    if (path.empty()) return refuse("Type where the file is written.");
    const std::string name = last_name(path), ending = ending_of(name);
    if (says_format(path) && name.rfind('.') == 0) {
        return refuse(fmt::format("{} is only an ending. Type a name before it.", name));
    }
    if (app::is_gif(path) && end != ".gif") {
        return refuse("A .gif holds a film: in the Train room's export choose GIF.");
    }
    if (ending == "apng") return refuse("The name of an animated PNG ends in .png.");
    if (says_format(path) || ending.empty()) return {};
    const bool film = end == ".gif"; // which is no other picture
    std::string known = film ? end : "";
    for (const auto& format : app::names<app::ExportFormat>()) {
        if (film && format.value <= app::ExportFormat::pdf) continue;
        known += fmt::format("{}.{}", known.empty() ? "" : ", ", format.name);
    }
    return refuse(fmt::format("Heed does not write .{}. It writes {}", ending, known));
}

PathCheck checked_on_disk(const std::string& path, const std::string& end) {
    if (PathCheck check = checked_by_letters(path, end); check.refuses) return check;
    const std::string name = last_name(path), folder = path.substr(0, path.size() - name.size());
    if (!folder.empty() && !is_folder(folder)) return refuse("There is no folder " + folder);
    if (name.empty()) return refuse("Type the file's name behind its folder.");
    const std::string file = says_format(path) ? name : name + end;
    for (const std::string& typed : {path, folder + file}) {
        if (!is_folder(typed)) continue;
        return refuse(fs::path(typed).filename().string() +
                      " is a folder. Type / and the file's name behind it.");
    }
    std::error_code failed;
    const bool there = fs::is_regular_file(app::whole_path(folder + file), failed);
    return {"", false, there, says_format(path) ? "" : file};
}

bool PathWatch::follow(const std::string& path, const std::string& end, float passed) {
    constexpr float kRest = 0.2f; // seconds without another letter
    const bool other = !follows_ || path != path_ || end != end_;
    if (other) {
        follows_ = true;
        path_ = path;
        end_ = end;
        rested_ = 0;
        disk_.forget();
        check_ = checked_by_letters(path, end);
        settled_ = check_.refuses;
        due_ = !settled_;
    } else {
        rested_ += passed;
    }
    if (due_ && rested_ >= kRest) ask();
    if (auto answer = disk_.take()) {
        check_ = *std::move(answer);
        settled_ = true;
    }
    return other;
}

void PathWatch::ask_now() {
    settled_ = false;
    ask();
}

void PathWatch::forget() {
    follows_ = settled_ = due_ = false;
    check_ = {};
    disk_.forget();
}

void PathWatch::ask() {
    due_ = false;
    disk_.ask([look = on_disk_, path = path_, end = end_] { return look(path, end); });
}

} // namespace heed::ui
