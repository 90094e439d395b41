// Places, folders and files below a field for a path.
#pragma once

#include "app/files/path_entries.hpp"
#include "ui/dialogs/disk_question.hpp"
#include "ui/frame/panel.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::ui {

class Form;

/// Answer of the disk about a folder: its entries, and places to start from.
struct FolderFound {
    std::vector<app::PathEntry> all{};
    std::vector<app::KnownFolder> places{};
};
FolderFound look_into_folder(const std::string& folder, app::Listed listed);

/// Entries, and places to start from.
struct FileList {
    std::function<FolderFound(const std::string&, app::Listed)> look = look_into_folder;
    DiskQuestion<FolderFound> asked{};     // a folder that hangs holds nobody up
    std::optional<std::string> read_for{}; // the folder that `all` is of, or will be
    std::vector<app::PathEntry> all{};
    std::optional<std::string> listed_for{}; // the path that `entries` go on from
    std::vector<app::PathEntry> entries{};
    std::vector<app::KnownFolder> places{};
    app::PathOrder order = app::PathOrder::name;
    bool written = false;   // files that exports write, in place of those that Heed opens
    bool sentences = false; // files of sentences that are learned from, likewise
    int rows = 7;         // that are seen at once
    Scroll scroll{};
};

/// Places at the left and, beside them, what the typed path may become, looked up when another is
/// typed. A folder that is clicked is gone into; a file is returned. `field`: the id of the field,
/// within the form.
std::optional<std::string> file_list(Form& form, FileList& list, std::string& typed,
                                     const std::string& field);
/// A list for a file that is written: its name stays while folders change. True where either did.
bool folder_list(Form& form, FileList& list, std::string& path, const std::string& field);
int rows_of_list(float height); // that fill it, with what is above them
/// The list is looked up anew: folders change.
void forget(FileList& list);
/// True for a moment after a folder was asked for, in which it is likely to answer.
bool looks(const FileList& list);
/// A path in the folder where a file was last opened or written; or in the present one.
std::string in_last_folder(const Panel& panel, const std::string& name);
/// A path for a new file: in the folder where one was last written, else in the person's documents
/// or home, else in the present one, as where the disk does not answer.
std::string in_written_folder(const Panel& panel, const std::string& name);
void remember_folder(Panel& panel, const std::string& path);
void remember_written(Panel& panel, const std::string& path);
/// True of a path that ends in more than a folder.
bool names_a_file(const std::string& path);
/// A path as it is shown in less room than it takes.
struct ShownPath {
    std::string words;
    std::size_t from = 0, head = 0, tail = 0; // of a name without its middle: bytes of the path
    /// The place in a path of `size` bytes of a place in the words.
    std::size_t in_path(std::size_t at, std::size_t size) const;
};
/// A path, without the first of its folders where it would be wider than `room`; of a name that is
/// wider alone both ends: "long-nam…ion.pdf".
ShownPath shown_path(Canvas& canvas, Face face, const std::string& path, float room);

} // namespace heed::ui
