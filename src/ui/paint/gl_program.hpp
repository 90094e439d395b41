// Programs of two shaders on the graphics card.
#pragma once

#include <string>

namespace heed::ui {

/// Requires a current context. 0 where the card's driver refuses a shader; `trouble` then says why.
unsigned link_program(const char* vertex_source, const char* fragment_source, std::string& trouble);

} // namespace heed::ui
