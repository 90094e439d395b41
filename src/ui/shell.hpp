// The window's content: panels, cards and keys over one workspace. It knows neither GLFW nor EGL;
// the window, the screenshot and the tests give it frames.
#pragma once

#include "ui/panel.hpp"

#include <string>

namespace heed::ui {

class Shell {
  public:
    Shell(Renderer& renderer, Fonts& fonts, app::Engine& engine, app::Document document,
          app::Focus focus, app::ViewState view);

    /// One frame, between ImGui::NewFrame and ImGui::Render. `scale`: ImGui units a point.
    void frame(float scale);

    /// Whether the next frame would differ without any input.
    bool wants_frame() const { return busy_frames_ > 0; }
    /// Seconds until it would; negative when it will not.
    float wants_frame_in() const;
    /// An event came, or a snapshot: draw until what it set off has settled.
    void wake() { busy_frames_ = 3; }

    /// A file was dropped on the window: a model, or a text that becomes the source sentence.
    void drop(const std::string& path);

    /// One line a fact, for whoever watches from outside: revisions, focus, and every widget with
    /// its place in pixels.
    std::string status() const;

    Ui ui;
    Workspace work;
    WindowState state;
    FigureCache figures;

  private:
    void layout(Panel& panel);
    void splitters(const Box& left, const Box& right, const Box& bottom, float spare);
    void offer_selection();
    void let_go_of_brush();
    bool selection_offered_ = false;
    trace::HeadId brush_at_; // the head at which a mask is painted
    Commands commands_;
    int busy_frames_ = 3;
    int frames_ = 0;
};

/// Colours and sizes of ImGui's own parts (fields), once a context.
void set_style();

} // namespace heed::ui
