#include "ui/paint/gl_renderer.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"
#include "ui/paint/gl_program.hpp"
#include "ui/paint/shader_source.hpp"

#include <epoxy/gl.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace heed::ui {

namespace {

constexpr int kPaletteRows = static_cast<int>(std::size(figure::kPalettes));

unsigned upload_tables() {
    std::vector<figure::Color> texels;
    for (const figure::PaletteId id : figure::kPalettes) {
        const auto& colors = figure::table(id);
        texels.insert(texels.end(), colors.begin(), colors.end());
    }
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, kPaletteRows, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
    return texture;
}

bool is_two_sided(figure::PaletteId id) {
    return id == figure::PaletteId::diverging || id == figure::PaletteId::diverging_dark;
}

int palette_row(figure::PaletteId id) {
    const auto* at = std::find(std::begin(figure::kPalettes), std::end(figure::kPalettes), id);
    return static_cast<int>(at - std::begin(figure::kPalettes));
}

} // namespace

GlRenderer::GlRenderer() : GlRenderer(shader_source::box_vert, shader_source::heat_frag) {}

GlRenderer::GlRenderer(const char* vertex_source, const char* fragment_source) {
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_);
    std::string one_cell = fragment_source;
    one_cell.insert(one_cell.find('\n') + 1, "#define A_CELL_A_PIXEL\n"); // after #version
    cells_a_pixel_ = program_of(vertex_source, fragment_source);
    cell_a_pixel_ = program_of(vertex_source, one_cell);
    if (!trouble_.empty()) return;
    glGenVertexArrays(1, &vertex_array_);
    table_ = upload_tables();
}

GlRenderer::Program GlRenderer::program_of(const char* vertex_source,
                                           const std::string& fragment_source) {
    Program program;
    program.name =
        link_program({"box.vert", vertex_source}, {"heat.frag", fragment_source.c_str()}, trouble_);
    if (program.name == 0) return program;
    const auto at = [&](const char* uniform) {
        return glGetUniformLocation(program.name, uniform);
    };
    program.clip_box = at("clip_box");
    program.values = at("values");
    program.table = at("table");
    program.palette = at("palette");
    program.cells = at("cells");
    program.shown = at("shown");
    program.box = at("box");
    program.frame_height = at("frame_height");
    program.range = at("range");
    program.centred = at("centred");
    program.not_finite = at("not_finite");
    return program;
}

GlRenderer::~GlRenderer() {
    for (auto& [address, upload] : matrices_) glDeleteTextures(1, &upload.texture);
    if (table_ != 0) glDeleteTextures(1, &table_);
    if (vertex_array_ != 0) glDeleteVertexArrays(1, &vertex_array_);
    for (const Program& program : {cell_a_pixel_, cells_a_pixel_}) {
        if (program.name != 0) glDeleteProgram(program.name);
    }
}

void GlRenderer::begin_frame() {
    slots_.clear();
    clears_.clear();
    // A matrix that two frames did not show is gone from the screen: a newer run took its place.
    for (auto it = matrices_.begin(); it != matrices_.end();) {
        if (++it->second.unused_frames > 2) {
            glDeleteTextures(1, &it->second.texture);
            it = matrices_.erase(it);
        } else {
            ++it;
        }
    }
}

unsigned GlRenderer::make_texture(int width, int height) {
    ++textures_made_;
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    return texture;
}

void GlRenderer::update_texture(unsigned name, int x, int y, int width, int height,
                                const std::uint8_t* rgba) {
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

void GlRenderer::delete_texture(unsigned name) {
    ++textures_made_;
    glDeleteTextures(1, &name);
}

unsigned GlRenderer::texture_of(const std::shared_ptr<const figure::Matrix<float>>& values) {
    Upload& upload = matrices_[values.get()];
    upload.unused_frames = 0;
    if (upload.texture != 0) return upload.texture;
    upload.values = values;
    glGenTextures(1, &upload.texture);
    glBindTexture(GL_TEXTURE_2D, upload.texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, static_cast<int>(values->cols()),
                 static_cast<int>(values->rows()), 0, GL_RED, GL_FLOAT, values->data());
    return upload.texture;
}

bool GlRenderer::add_heat(ImDrawList& list, HeatJob job) {
    if (!trouble_.empty() || !job.values || job.values->size() == 0) return false;
    if (std::max(job.values->rows(), job.values->cols()) > largest_) return false;
    texture_of(job.values); // now, so that an upload never falls into the drawing of the lists
    slots_.push_back({this, std::move(job)});
    list.AddCallback(draw_slot, &slots_.back());
    shim::reset_render_state(list);
    return true;
}

namespace {

/// ImGui sets the scissor for its own commands alone. False where nothing of the part is seen.
bool set_scissor(const ImVec4& part) {
    const ImDrawData* data = ImGui::GetDrawData();
    const ImVec2 scale = data->FramebufferScale;
    const float frame_width = data->DisplaySize.x * scale.x;
    const float frame_height = data->DisplaySize.y * scale.y;
    const float left = std::max((part.x - data->DisplayPos.x) * scale.x, 0.0f);
    const float top = std::max((part.y - data->DisplayPos.y) * scale.y, 0.0f);
    const float right = std::min((part.z - data->DisplayPos.x) * scale.x, frame_width);
    const float bottom = std::min((part.w - data->DisplayPos.y) * scale.y, frame_height);
    if (right <= left || bottom <= top) return false;
    glEnable(GL_SCISSOR_TEST);
    glScissor(static_cast<int>(left), static_cast<int>(frame_height - bottom),
              static_cast<int>(right - left), static_cast<int>(bottom - top));
    return true;
}

} // namespace

bool GlRenderer::add_clear(ImDrawList& list, const figure::Box& box, figure::Color color) {
    clears_.push_back({box, color});
    list.AddCallback(draw_clear, &clears_.back());
    return true;
}

namespace {

std::uint64_t hash_of(std::initializer_list<float> numbers, std::uint64_t seed) {
    for (const float x : numbers) seed = base::mix(seed ^ std::bit_cast<std::uint32_t>(x));
    return seed;
}

} // namespace

std::optional<CallbackDrawing> GlRenderer::drawing(const ImDrawCmd& command) {
    if (command.UserCallback == draw_clear) {
        const Clear& clear = *static_cast<const Clear*>(command.UserCallbackData);
        const figure::Box& b = clear.box;
        return CallbackDrawing{
            b, hash_of({b.x, b.y, b.w, b.h}, std::bit_cast<std::uint32_t>(clear.color))};
    }
    if (command.UserCallback != draw_slot) return std::nullopt;
    const HeatJob& job = static_cast<const Slot*>(command.UserCallbackData)->job;
    const figure::Box& b = job.box;
    const figure::Viewport& v = job.shown;
    // An address stands for its matrix: one that a frame has drawn is held until after the next.
    const auto seed = base::mix(reinterpret_cast<std::uintptr_t>(job.values.get())) ^
                      static_cast<std::uint64_t>(job.palette);
    return CallbackDrawing{
        b, hash_of({job.low, job.high, b.x, b.y, b.w, b.h, v.row, v.col, v.rows, v.cols}, seed)};
}

void GlRenderer::draw_clear(const ImDrawList*, const ImDrawCmd* command) {
    const Clear& clear = *static_cast<const Clear*>(command->UserCallbackData);
    const ImVec4& clip = command->ClipRect;
    const figure::Box& b = clear.box;
    if (!set_scissor({std::max(clip.x, b.x), std::max(clip.y, b.y), std::min(clip.z, b.x + b.w),
                      std::min(clip.w, b.y + b.h)})) {
        return;
    }
    const auto unit = [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; };
    glClearColor(unit(clear.color.r), unit(clear.color.g), unit(clear.color.b), 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void GlRenderer::draw_slot(const ImDrawList*, const ImDrawCmd* command) {
    const Slot& slot = *static_cast<const Slot*>(command->UserCallbackData);
    if (!set_scissor(command->ClipRect)) return;
    const ImDrawData* data = ImGui::GetDrawData();
    const ImVec2 scale = data->FramebufferScale;
    const float frame_width = data->DisplaySize.x * scale.x;
    const float frame_height = data->DisplaySize.y * scale.y;
    const figure::Box& b = slot.job.box;
    slot.renderer->draw_heat(slot.job,
                             {(b.x - data->DisplayPos.x) * scale.x,
                              (b.y - data->DisplayPos.y) * scale.y, b.w * scale.x, b.h * scale.y},
                             frame_width, frame_height);
}

void GlRenderer::draw_heat(const HeatJob& job, const figure::Box& box, float frame_width,
                           float frame_height) {
    HEED_CHECK(trouble_.empty(), "heat maps need their shaders: {}", trouble_);
    const unsigned texture = texture_of(job.values);
    const auto unit = [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; };
    const figure::Color bad = figure::not_finite(job.palette);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    const bool small = job.shown.cols > box.w || job.shown.rows > box.h;
    const Program& at = small ? cells_a_pixel_ : cell_a_pixel_;
    glUseProgram(at.name);
    glUniform4f(at.clip_box, 2 * box.x / frame_width - 1, 1 - 2 * box.y / frame_height,
                2 * (box.x + box.w) / frame_width - 1, 1 - 2 * (box.y + box.h) / frame_height);
    glUniform1i(at.values, 0);
    glUniform1i(at.table, 1);
    glUniform1i(at.palette, palette_row(job.palette));
    glUniform2i(at.cells, static_cast<int>(job.values->cols()),
                static_cast<int>(job.values->rows()));
    glUniform4f(at.shown, job.shown.col, job.shown.row, job.shown.cols, job.shown.rows);
    glUniform4f(at.box, box.x, box.y, box.w, box.h);
    glUniform1f(at.frame_height, frame_height);
    glUniform2f(at.range, job.low, job.high);
    glUniform1i(at.centred, is_two_sided(job.palette) ? 1 : 0);
    glUniform4f(at.not_finite, unit(bad.r), unit(bad.g), unit(bad.b), unit(bad.a));
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, table_);
    glBindSampler(1, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler(0, 0);
    glBindVertexArray(vertex_array_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

} // namespace heed::ui
