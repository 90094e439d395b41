// Verdicts of the lab's pages when they were measured last, kept beside the settings.
#pragma once

#include "base/result.hpp"
#include "lab/page.hpp"

#include <map>
#include <string>

namespace heed::app {

using Verdicts = std::map<std::string, lab::Judgement>; // by a page's name

/// learn.json beside settings_path(); empty where there is no such place.
std::string verdicts_path();
/// Empty where there is no such file, or one that is not understood: verdicts are measured again.
Verdicts load_verdicts(const std::string& path);
/// Puts one among those that are there. Errors: unwritable.
base::Result<void> keep_verdict(const std::string& path, const std::string& page,
                                const lab::Judgement& judgement);

} // namespace heed::app
