// The entries that a path which is being typed may become: the files that Heed opens, the folders
// on the way, and the places to start from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::app {

struct PathEntry {
    std::string name; // "texts/" of a folder
    std::string path; // what the typed path becomes; of a folder with a slash behind it
    bool folder = false;
    std::uintmax_t bytes = 0;  // of a file
    std::int64_t modified = 0; // seconds since 1970; 0 where nobody knows
    bool operator==(const PathEntry&) const = default;
};

/// Seconds since 1970 at which a file was written; 0 where nobody knows.
std::int64_t written_at(const std::string& path);
/// "2026-11-22 18:04" of such seconds, where the program runs; empty of 0.
std::string time_words(std::int64_t seconds);

enum class PathOrder { name, newest, largest };

/// Files that Heed opens, those that an export writes, or those of sentences to learn from.
enum class Listed { opened, written, sentences };

/// All entries of the folder that `typed` is in (of the present one where it names none) that are
/// folders or such files, in no order; of a huge folder only the first few thousand are looked at.
/// Nothing where the folder cannot be read.
std::vector<PathEntry> folder_entries(const std::string& typed, Listed listed = Listed::opened);
/// Entries whose names hold what stands behind the last slash, in any case: folders first, and of
/// names those first that begin so. Hidden ones are there once a dot is typed. At most `most`.
std::vector<PathEntry> matching(const std::vector<PathEntry>& entries, const std::string& typed,
                                std::size_t most, PathOrder order = PathOrder::name);

struct KnownFolder {
    std::string name, path; // "Documents"; with a slash behind it
};
/// Folders that a person knows and that are there: home, those of the desktop
/// ($XDG_CONFIG_HOME/user-dirs.dirs), trained models, and the one that the program was started in.
std::vector<KnownFolder> known_folders();
/// The person's documents or, without these, home; the present folder where neither is known.
std::string documents_folder();
/// True of a folder that is there and takes new files.
bool takes_files(const std::string& folder);

} // namespace heed::app
