// Renderer, all that the painter needs of a graphics card: textures for labels, and heat maps. One
// implementation draws with OpenGL; another only notes what it was asked, for tests without GL.
#pragma once

#include "figure/base/figure.hpp"
#include "ui/paint/imgui_shim.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heed::ui {

/// A matrix to be drawn as colours. The box is in ImGui's coordinates.
struct HeatJob {
    std::shared_ptr<const figure::Matrix<float>> values;
    figure::PaletteId palette = figure::PaletteId::amber;
    float low = 0, high = 1;
    figure::Box box;
    figure::Viewport shown; // what of the matrix fills the box, inside of it
};

class Renderer {
  public:
    virtual ~Renderer() = default;

    /// Before any job of a frame.
    virtual void begin_frame() = 0;
    /// RGBA, 8 bits each, straight alpha; sampled linearly. What is not updated is anything.
    virtual unsigned make_texture(int width, int height) = 0;
    virtual void update_texture(unsigned name, int x, int y, int width, int height,
                                const std::uint8_t* rgba) = 0;
    virtual void delete_texture(unsigned name) = 0;
    /// Draws the job at this place of the list. False: it cannot, and nothing was added.
    virtual bool add_heat(ImDrawList& list, HeatJob job) = 0;
    /// Fills a box, in ImGui's coordinates, with an opaque colour at this place of the list:
    /// without a card that takes a tenth of the time of two triangles. False: nothing was added.
    virtual bool add_clear(ImDrawList& list, const figure::Box& box, figure::Color color) = 0;
    /// Reason why heat maps are drawn without the graphics card; empty when they are not.
    virtual std::string trouble() const { return {}; }
};

/// Draws nothing.
class NullRenderer final : public Renderer {
  public:
    void begin_frame() override { jobs.clear(); }
    unsigned make_texture(int, int) override { return ++textures_; }
    void update_texture(unsigned, int, int, int, int, const std::uint8_t*) override {}
    void delete_texture(unsigned) override {}
    bool add_heat(ImDrawList&, HeatJob job) override {
        if (!told_trouble.empty()) return false;
        jobs.push_back(std::move(job));
        return true;
    }

    bool add_clear(ImDrawList&, const figure::Box&, figure::Color) override { return false; }
    std::string trouble() const override { return told_trouble; }

    std::vector<HeatJob> jobs; // of the frame so far
    std::string told_trouble;  // stands for a card that cannot draw heat maps

  private:
    unsigned textures_ = 0;
};

} // namespace heed::ui
