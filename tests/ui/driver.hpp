// Drives the window's content in process: frames without a window and without GL, widgets found by
// what a person would call them, input as a person gives it.
#pragma once

#include "ui/window/shell.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heed::ui::test {

class Driver {
  public:
    struct Options {
        int width = 1600, height = 1000; // points
        float scale = 1;
        app::Document document;
        app::Focus focus;
        app::ViewState view;
    };
    explicit Driver(Options options = tiny());
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    /// A small model, so that runs take no time.
    static Options tiny();
    /// The same, in a window so high that the panels show everything.
    static Options high();

    void frame();
    void frames(int count);
    /// Frames until the engine has answered the newest request and nothing moves.
    /// `drawn` is called after each of them.
    void settle(const std::function<void()>& drawn = [] {});
    /// The same, with what the engine measures while it is idle.
    void settle_all();
    /// The window gets another size, or its units another number of pixels.
    void resize(int width, int height, float scale);
    const Options& options() const { return options_; }
    /// The processor time of the window's thread in the last frame: whatever else the machine does
    /// is not in it.
    double frame_ms() const { return frame_ms_; }

    /// The visible widget with this id or, failing that, this label; fails the test without one.
    const Widget& find(const std::string& name);
    bool has(const std::string& name);
    /// The picture in the middle, as the window draws it.
    figure::Figure picture();
    figure::Figure links(); // below the map
    /// Everything that the window paints, in its order, of one frame more.
    std::vector<figure::Figure> painted();
    /// The middle of a cell of the large map; of the second, where two are beside each other.
    Point cell(int row, int col, int map = 0);
    void hover(Point at);
    void hover(const std::string& name);
    void click(Point at);
    void click(const std::string& name);
    void right_click(Point at);
    void double_click(const std::string& name);
    void drag(Point from, Point to, int steps = 5);
    void wheel(Point at, float steps);
    void key(shim::Key key, bool ctrl = false, bool shift = false, bool alt = false);
    void hold_alt(bool down);
    void type(const std::string& text);
    /// Puts text on the clipboard and presses Ctrl+V.
    void paste(const std::string& text);
    void replace_field(const std::string& name, const std::string& text);

    /// Whether a text is written anywhere on the screen.
    bool shows(const std::string& text) const;
    std::string screen() const; // everything written, a line each

    const app::Document& document() const { return shell->work.document(); }
    const app::Snapshot& snapshot() const { return shell->work.snapshot(); }

    /// The colour of what lies on top at a point, as the window's last frame has it, and of all
    /// that it drew.
    ImU32 colour_at(Point at) const;
    bool draws_colour(ImU32 colour) const;

    bool lacking = false; // whether any frame's fields held characters that were not built
    std::string clipboard;
    NullRenderer renderer;
    std::unique_ptr<Shell> shell;

  private:
    Options options_;
    double frame_ms_ = 0;
    std::string clipboard_shown_;
    std::unique_ptr<Fonts> fonts_;
    std::unique_ptr<app::Engine> engine_;
};

/// Opens a file as the file list does, and lets it stand.
void open(Driver& driver, const std::string& path);
/// A recurrent model's Unrolled in a window that is too small for it.
Driver::Options small_unrolled();
/// Lines that a narrow panel broke, as one.
std::string on_one_line(std::string text);
/// Whether the screen says these words, wherever its lines break.
bool says(const Driver& driver, const std::string& words);

} // namespace heed::ui::test
