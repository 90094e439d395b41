#include "ui/dialogs/file_list.hpp"

#include "app/files/open_file.hpp"
#include "base/utf8.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::ui {

namespace {

constexpr float kListRow = 26, kFoldersWidth = 116, kAboveRows = 34;
constexpr float kLook = 0.02f; // seconds, until the disk is looked at again

/// Words for a list without entries; none while it may still fill.
const char* empty_words(const FileList& list) {
    if (list.asked.waits()) return "Reading \u2026";
    if (list.asked.asks()) return "";
    if (!list.all.empty()) return "Nothing here has the typed name";
    return list.written     ? "No exported files here"
           : list.sentences ? "No .tsv or .txt files here"
                            : "Nothing here that Heed opens";
}

/// The path of a file in a folder.
std::string within(const std::string& folder, const std::string& name) {
    return (folder.ends_with('/') ? folder : folder + "/") + name;
}

/// "2.3 MB".
std::string size_words(std::uintmax_t bytes) {
    constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB"};
    auto size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1000 && unit + 1 < std::size(kUnits); ++unit) size /= 1000;
    return unit == 0 ? fmt::format("{} bytes", bytes)
                     : fmt::format("{:.{}f} {}", size, size < 10 ? 1 : 0, kUnits[unit]);
}

/// "2026-11-22 18:04 · 2.3 MB".
std::string detail_of(const app::PathEntry& entry) {
    const std::string words = app::time_words(entry.modified);
    if (entry.folder) return words;
    return words + (words.empty() ? "" : " \u00b7 ") + size_words(entry.bytes);
}

/// The folder above the one that is listed; empty where there is none.
std::string above(const std::string& typed) {
    const std::filesystem::path folder =
        std::filesystem::path(app::whole_path(typed + ".")).parent_path().lexically_normal();
    if (!folder.has_relative_path()) return {};
    const std::string up = folder.parent_path().string();
    return up.ends_with('/') ? up : up + "/";
}

/// The disk is asked once for a folder, whatever is typed behind it.
void read_folder(FileList& list, const std::string& typed) {
    const std::string folder = typed.substr(0, typed.rfind('/') + 1);
    if (list.read_for != folder) {
        list.read_for = folder;
        list.scroll.offset = 0;
        list.all.clear();
        const auto listed = list.written     ? app::Listed::written
                            : list.sentences ? app::Listed::sentences
                                             : app::Listed::opened;
        list.asked.ask([look = list.look, folder, listed] { return look(folder, listed); });
    }
    auto found = list.asked.take();
    if (!found) return;
    list.all = std::move(found->all);
    list.places = std::move(found->places);
    list.listed_for.reset();
}

void look_up(FileList& list, const std::string& typed) {
    constexpr std::size_t kMost = 4000;
    read_folder(list, typed);
    if (list.listed_for == typed) return;
    list.listed_for = typed;
    list.entries = app::matching(list.all, typed, kMost, list.order);
    if (const std::string up = above(typed); !up.empty()) {
        list.entries.insert(list.entries.begin(), {"\u2191 folder above", up, true});
    }
}

/// The order of the list. True where another one is chosen.
bool order_row(Form& f, FileList& list, const Box& row) {
    const std::string labels[] = {"Name", "Newest", "Largest"};
    const std::string tips[] = {"Sorts by name", "Sorts by date, the newest first",
                                "Sorts by size, the largest first"};
    const auto chosen =
        f.ui.segments(row, f.ids() + "order", labels, 1u << static_cast<unsigned>(list.order));
    f.tips(tips);
    if (!chosen) return false;
    list.order = static_cast<app::PathOrder>(*chosen);
    list.listed_for.reset();
    return true;
}

} // namespace

std::optional<std::string> file_list(Form& f, FileList& list, std::string& typed,
                                     const std::string& field) {
    const float rows_high = static_cast<float>(list.rows) * kListRow;
    const Box block = f.row(kAboveRows + rows_high, 6);
    if (!f.draws()) return std::nullopt;
    look_up(list, typed);
    if (list.asked.asks()) f.ui.wake_in(kLook);
    std::optional<std::string> asked;
    const auto go_to = [&](const std::string& folder) {
        typed = folder;
        f.ui.focus_end(f.ids() + field);
    };
    Form left(f.ui, block.x + 10, block.y + kAboveRows, kFoldersWidth - 20, f.ids());
    for (std::size_t i = 0; i < list.places.size(); ++i) {
        const app::KnownFolder& place = list.places[i];
        const bool here =
            typed.starts_with(place.path) && typed.rfind('/') + 1 == place.path.size();
        if (left.entry(fmt::format("place/{}", i),
                       {.label = place.name, .on = here, .outdent = 10, .height = kListRow})) {
            go_to(place.path);
        }
        left.tip(place.path);
    }
    const Box side{block.x + kFoldersWidth + 8, block.y, block.w - kFoldersWidth - 8, block.h};
    order_row(f, list, {side.x + side.w - 220, side.y, 220, 28});
    constexpr const char* kHint = "Type to find; a folder opens";
    if (f.ui.canvas.width_of(Face::small, kHint) <= side.w - 230) { // whole or not at all
        f.text({side.x, side.y, side.w - 230, 28}, Face::small, f.ui.theme().muted, kHint);
    }
    const Box rows{side.x, side.y + kAboveRows, side.w, rows_high};
    f.ui.begin_scroll(rows, f.ids() + "files", list.scroll);
    Form inside(f.ui, rows.x + 10, rows.y - list.scroll.offset, rows.w - 30, f.ids());
    Color muted = f.ui.theme().muted;
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        if (inside.y + kListRow < rows.y || inside.y > rows.y + rows.h) { // out of sight
            inside.space(kListRow);
            continue;
        }
        const app::PathEntry& entry = list.entries[i];
        const bool taken =
            inside.entry(fmt::format("entry/{}", i), {.label = entry.name,
                                                      .detail = detail_of(entry),
                                                      .outdent = 10,
                                                      .height = kListRow,
                                                      .ink = entry.folder ? &muted : nullptr});
        inside.tip(entry.folder   ? "Opens this folder"
                   : list.written ? "Uses this file's name; Save asks before overwriting it"
                                  : "Takes this file");
        if (taken && entry.folder) go_to(entry.path);
        if (taken && !entry.folder) asked = entry.path;
    }
    if (list.entries.size() < 2) {
        f.text({rows.x, inside.y + 8, rows.w, kListRow}, Face::small, muted, empty_words(list));
    }
    f.ui.end_scroll(inside.y + list.scroll.offset);
    return asked;
}

int rows_of_list(float height) {
    return std::max(3, static_cast<int>((height - kAboveRows) / kListRow));
}

bool folder_list(Form& f, FileList& list, std::string& path, const std::string& field) {
    std::string folder = path.substr(0, path.rfind('/') + 1);
    const std::string before = folder, name = path.substr(before.size());
    const auto file = file_list(f, list, folder, field);
    if (file) path = *file;
    if (!file && folder != before) path = folder + name;
    return file || folder != before;
}

void forget(FileList& list) {
    list.asked.forget();
    list.read_for.reset();
    list.listed_for.reset();
}

bool looks(const FileList& list) { return list.asked.asks() && !list.asked.waits(); }

FolderFound look_into_folder(const std::string& folder, app::Listed listed) {
    return {app::folder_entries(folder, listed), app::known_folders()};
}

namespace {

/// The folder that the disk names within a moment, which a card that opens waits for; else the
/// present one.
std::string folder_within_moment(std::function<std::string()> look) {
    constexpr std::chrono::milliseconds kMoment(30);
    DiskQuestion<std::string> question;
    question.ask(std::move(look), kMoment);
    return question.take().value_or(app::whole_path("."));
}

} // namespace

std::string in_last_folder(const Panel& p, const std::string& name) {
    const auto look = [last = p.state.files.folder] {
        std::error_code failed;
        const bool there = !last.empty() && std::filesystem::is_directory(last, failed);
        return there ? last : app::whole_path(".");
    };
    return within(folder_within_moment(look), name);
}

std::string in_written_folder(const Panel& p, const std::string& name) {
    const auto look = [written = p.state.files.written_folder] {
        for (const std::string& folder : {written, app::documents_folder()}) {
            if (!folder.empty() && app::takes_files(folder)) return folder;
        }
        return app::whole_path(".");
    };
    return within(folder_within_moment(look), name);
}

void remember_folder(Panel& p, const std::string& path) {
    p.state.files.folder = std::filesystem::path(app::whole_path(path)).parent_path().string();
}

void remember_written(Panel& p, const std::string& path) {
    remember_folder(p, path);
    p.state.files.written_folder = p.state.files.folder;
}

bool names_a_file(const std::string& path) { return !path.empty() && !path.ends_with('/'); }

std::size_t ShownPath::in_path(std::size_t at, std::size_t size) const {
    const std::size_t behind = words.size() - std::min(at, words.size());
    if (head > 0 && behind > tail) return std::min(from + std::min(at, head), size);
    return size - std::min(behind, size);
}

ShownPath shown_path(Canvas& c, Face face, const std::string& path, float room) {
    constexpr std::string_view kLeftOut = "\u2026";
    constexpr std::size_t kLastLetters = 8, kLongestEnding = 6; // kept before ".pdf"
    const auto fits = [&](const ShownPath& shown) { return c.width_of(face, shown.words) <= room; };
    // The longest that fits of what gets longer from 0 to `most`, which does not; else the
    // shortest.
    const auto longest = [&](std::size_t most, const auto& shown_of) {
        std::size_t low = 0;
        while (low + 1 < most) {
            const std::size_t middle = (low + most) / 2;
            (fits(shown_of(middle)) ? low : most) = middle;
        }
        return shown_of(low);
    };
    if (ShownPath whole{path}; fits(whole)) return whole;
    std::vector<std::size_t> folders; // where each begins, the last one first
    const std::size_t name = path.rfind('/') + 1, size = path.size() - name;
    for (auto at = path.rfind('/'); at != path.npos && at > 0; at = path.rfind('/', at - 1)) {
        if (at + 1 < path.size()) folders.push_back(at);
    }
    if (!folders.empty()) {
        const auto from = [&](std::size_t i) {
            return ShownPath{std::string(kLeftOut) + path.substr(folders[i])};
        };
        if (const ShownPath shown = longest(folders.size(), from); fits(shown)) return shown;
    }
    // Of a name that is wider alone both ends.
    const auto at_letter = [&](std::size_t at) {
        while (at > 0 && at < size && base::continues_character(path[name + at])) --at;
        return at;
    };
    const std::size_t dot = path.rfind('.');
    const bool has_ending = dot != path.npos && dot > name && path.size() - dot <= kLongestEnding;
    const std::size_t end = has_ending ? dot - name : size;
    const std::size_t behind = at_letter(end - std::min(end, kLastLetters));
    return longest(behind, [&](std::size_t letters) {
        const std::size_t head = at_letter(letters);
        return ShownPath{path.substr(name, head) + std::string(kLeftOut) +
                             path.substr(name + behind),
                         name, head, size - behind};
    });
}

} // namespace heed::ui
