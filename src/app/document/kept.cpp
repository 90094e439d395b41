#include "app/document/kept.hpp"

#include "app/document/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::app {

std::string proposed_name(const Document& document, const Focus& focus,
                          const std::vector<Bookmark>& kept, bool one_head) {
    std::vector<Change> on = changes(document, one_head);
    std::erase_if(on, [](const Change& change) { return !change.on; });
    std::string name = !on.empty() ? on.front().words
                       : one_head  ? "attention · original"
                                  : fmt::format("{} {}.{} · original", trace::name(focus.head.kind),
                                                focus.head.layer + 1, focus.head.head + 1);
    if (on.size() > 1) name += fmt::format(" +{}", on.size() - 1);
    const auto taken = [&](const std::string& wanted) {
        return std::any_of(kept.begin(), kept.end(),
                           [&](const Bookmark& k) { return k.name == wanted; });
    };
    std::string free = name;
    for (int i = 2; taken(free); ++i) free = fmt::format("{} ({})", name, i);
    return free;
}

} // namespace heed::app
