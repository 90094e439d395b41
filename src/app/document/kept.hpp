// Names for states that are kept.
#pragma once

#include "app/document/session.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// Name of a state until a person gives another: its first change, "encoder layer 1: scale off +2"
/// with how many there are more, or its head; a number follows where the name is taken. `one_head`:
/// as in app::changes().
std::string proposed_name(const Document& document, const Focus& focus,
                          const std::vector<Bookmark>& kept, bool one_head = false);

} // namespace heed::app
