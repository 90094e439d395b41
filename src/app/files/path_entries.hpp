// What a path that is being typed may become: the files that Heed opens, and the folders on the
// way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed::app {

struct PathEntry {
    std::string name; // "texts/" of a folder
    std::string path; // what the typed path becomes; of a folder with a slash behind it
    bool folder = false;
    bool operator==(const PathEntry&) const = default;
};

/// Entries of the folder that `typed` is in (of the present one where it names none) whose names
/// begin with what stands behind the last slash, in any case: folders first, then sessions, models
/// and texts, by name. Hidden ones are there once a dot is typed. At most `most`; of a huge folder
/// only the first few thousand entries are looked at. Nothing where the folder cannot be read.
std::vector<PathEntry> path_entries(const std::string& typed, std::size_t most);

} // namespace heed::app
