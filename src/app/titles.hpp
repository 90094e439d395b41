// What pictures are called, beside what app/view.hpp tells everybody.
#pragma once

#include "app/view.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

inline constexpr const char* kMerged = " · merged to words";
std::string_view kind_title(trace::AttentionKind kind); // "Cross-attention"
/// Whether a decoder says one word a step, so that its only map is an alignment.
bool speaks(const models::Run& run);
/// Of a head, or "Alignment" where there is nothing else.
std::string shown_title(const models::Run& run, const trace::HeadId& head);
/// What the heads laid over each other are called: "Encoder layer 1 · heads 2, 3".
std::string overlay_title(const Snapshot& snapshot);
std::vector<std::string> changed_in_overlay(const Snapshot& snapshot);
/// What is changed in any of these heads, and in how many.
std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads);

} // namespace heed::app
