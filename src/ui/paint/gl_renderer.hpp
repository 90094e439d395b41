// The renderer on OpenGL 3.3: heat maps are float textures coloured by shaders/heat.frag.
#pragma once

#include "ui/paint/damage.hpp"
#include "ui/paint/renderer.hpp"

#include <deque>
#include <unordered_map>

namespace heed::ui {

class GlRenderer final : public Renderer {
  public:
    /// Requires a current context, here and in every later call. Where the shaders do not compile,
    /// trouble() says why and add_heat() refuses.
    GlRenderer();
    GlRenderer(const char* vertex_source, const char* fragment_source);
    ~GlRenderer() override;
    GlRenderer(const GlRenderer&) = delete;
    GlRenderer& operator=(const GlRenderer&) = delete;

    void begin_frame() override;
    unsigned make_texture(int width, int height) override;
    void update_texture(unsigned name, int x, int y, int width, int height,
                        const std::uint8_t* rgba) override;
    void delete_texture(unsigned name) override;
    bool add_heat(ImDrawList& list, HeatJob job) override;
    bool add_clear(ImDrawList& list, const figure::Box& box, figure::Color color) override;
    std::string trouble() const override { return trouble_; }

    std::size_t textures_held() const { return matrices_.size(); }
    /// make_texture and delete_texture so far: their names may be given again.
    int textures_made() const { return textures_made_; }
    /// Drawing of one of the callbacks that add_heat() and add_clear() left in a list.
    static std::optional<CallbackDrawing> drawing(const ImDrawCmd& command);

    /// The pass itself, into the current frame: `frame` is its size in pixels, `box` in pixels with
    /// y downward. Scissor and viewport are the caller's.
    void draw_heat(const HeatJob& job, const figure::Box& box, float frame_width,
                   float frame_height);

  private:
    /// A matrix on the card. Holding it keeps its address from being used again.
    struct Upload {
        std::shared_ptr<const figure::Matrix<float>> values;
        unsigned texture = 0;
        int unused_frames = 0;
    };
    struct Slot { // what a draw callback is given; lives until the next frame begins
        GlRenderer* renderer;
        HeatJob job;
    };
    struct Clear { // the same
        figure::Box box;
        figure::Color color;
    };
    static void draw_clear(const ImDrawList* list, const ImDrawCmd* command);
    static void draw_slot(const ImDrawList* list, const ImDrawCmd* command);
    unsigned texture_of(const std::shared_ptr<const figure::Matrix<float>>& values);

    std::string trouble_;
    struct Program {
        unsigned name = 0;
        int clip_box = 0, values = 0, table = 0, palette = 0, cells = 0, shown = 0, box = 0,
            frame_height = 0, range = 0, centred = 0, not_finite = 0; // of its uniforms
    };
    Program program_of(const char* vertex_source, const std::string& fragment_source);

    Program cell_a_pixel_, cells_a_pixel_; // where cells are larger, and smaller, than pixels
    unsigned vertex_array_ = 0, table_ = 0;
    int textures_made_ = 0;
    int largest_ = 0; // texture side that the card takes
    std::unordered_map<const void*, Upload> matrices_;
    std::deque<Slot> slots_;
    std::deque<Clear> clears_;
};

} // namespace heed::ui
