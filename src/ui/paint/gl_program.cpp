#include "ui/paint/gl_program.hpp"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <array>

namespace heed::ui {

namespace {

unsigned compile(GLenum kind, const Shader& from, std::string& trouble) {
    const unsigned shader = glCreateShader(kind);
    glShaderSource(shader, 1, &from.source, nullptr);
    glCompileShader(shader);
    int good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == 0) {
        std::array<char, 1024> log{};
        glGetShaderInfoLog(shader, static_cast<int>(log.size()) - 1, nullptr, log.data());
        trouble = fmt::format("the shader {} does not compile here: {}", from.name, log.data());
    }
    return shader;
}

} // namespace

unsigned link_program(const Shader& vertex_from, const Shader& fragment_from,
                      std::string& trouble) {
    const unsigned vertex = compile(GL_VERTEX_SHADER, vertex_from, trouble);
    const unsigned fragment = compile(GL_FRAGMENT_SHADER, fragment_from, trouble);
    unsigned program = glCreateProgram();
    if (trouble.empty()) {
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        int good = 0;
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (good == 0) {
            std::array<char, 1024> log{};
            glGetProgramInfoLog(program, static_cast<int>(log.size()) - 1, nullptr, log.data());
            trouble = fmt::format("{} and {} do not link here: {}", vertex_from.name,
                                  fragment_from.name, log.data());
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (!trouble.empty()) {
        glDeleteProgram(program);
        program = 0;
    }
    return program;
}

} // namespace heed::ui
