// A figure on the screen: the same primitives that go into files, as ImGui draw commands.
#pragma once

#include "figure/base/figure.hpp"
#include "ui/paint/image_cache.hpp"
#include "ui/paint/label_cache.hpp"
#include "ui/paint/renderer.hpp"

namespace heed::ui {

ImU32 packed(figure::Color color, float opacity = 1);

class FigurePainter {
  public:
    FigurePainter(Renderer& renderer, LabelCache& labels)
        : renderer_(renderer), labels_(labels), images_(renderer) {}
    /// Before anything of a frame.
    void begin_frame() { images_.begin_frame(); }

    /// `origin` is where the figure's (0, 0) lies, `scale` the pixels of one of its points. What
    /// lies outside the list's clip box is skipped. The background is not drawn.
    void paint(const figure::Figure& figure, ImDrawList& list, ImVec2 origin, float scale);

    /// One line of text, as a figure's Text is drawn.
    void text(const figure::Text& text, ImDrawList& list, ImVec2 origin, float scale);

  private:
    struct Canvas;
    void draw(const figure::Fill& fill, const Canvas& canvas);
    void draw(const figure::Stroke& stroke, const Canvas& canvas);
    void draw(const figure::Line& line, const Canvas& canvas);
    void draw(const figure::Curve& curve, const Canvas& canvas);
    void draw(const figure::Text& text, const Canvas& canvas);
    void draw(const figure::Heat& heat, const Canvas& canvas);
    void draw(const figure::Image& image, const Canvas& canvas);

    Renderer& renderer_;
    LabelCache& labels_;
    ImageCache images_;
};

} // namespace heed::ui
