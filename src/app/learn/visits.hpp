// Visits: cards that were done and pages that were looked at, kept beside the settings.
#pragma once

#include "base/result.hpp"

#include <set>
#include <string>

namespace heed::app {

struct Visits {
    std::set<std::string> cards; // that were done, by the names of their files
    std::set<std::string> pages; // that were looked at
    bool operator==(const Visits&) const = default;
};

/// visits.json beside the file of the verdicts; empty where that is.
std::string visits_path(const std::string& verdicts_file);
/// Empty where there is no such file, or one that is not understood.
Visits load_visits(const std::string& path);
/// Nothing where the path is empty. Errors: unwritable.
base::Result<void> keep_visits(const std::string& path, const Visits& visits);

} // namespace heed::app
