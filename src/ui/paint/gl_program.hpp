// Programs of two shaders on the graphics card.
#pragma once

#include <string>

namespace heed::ui {

struct Shader {
    const char *name, *source; // "heat.frag"
};

/// Requires a current context. 0 where the card's driver refuses a shader; `trouble` then says why.
unsigned link_program(const Shader& vertex, const Shader& fragment, std::string& trouble);

} // namespace heed::ui
