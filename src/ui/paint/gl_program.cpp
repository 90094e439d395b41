#include "ui/paint/gl_program.hpp"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <array>
#include <optional>

namespace heed::ui {

namespace {

using GetNumber = decltype(glGetShaderiv);
using GetLog = decltype(glGetShaderInfoLog);

/// What the driver says of a shader or program that is not `done`; nothing of one that is.
std::optional<std::string> failure(unsigned object, GLenum done, GetNumber number, GetLog log) {
    int good = 0;
    number(object, done, &good);
    if (good != 0) return std::nullopt;
    std::array<char, 1024> words{};
    log(object, static_cast<int>(words.size()) - 1, nullptr, words.data());
    return words.data();
}

unsigned compile(GLenum kind, const Shader& from, std::string& trouble) {
    const unsigned shader = glCreateShader(kind);
    glShaderSource(shader, 1, &from.source, nullptr);
    glCompileShader(shader);
    if (const auto why = failure(shader, GL_COMPILE_STATUS, glGetShaderiv, glGetShaderInfoLog)) {
        trouble = fmt::format("the shader {} does not compile here: {}", from.name, *why);
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
        if (const auto why =
                failure(program, GL_LINK_STATUS, glGetProgramiv, glGetProgramInfoLog)) {
            trouble = fmt::format("{} and {} do not link here: {}", vertex_from.name,
                                  fragment_from.name, *why);
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
