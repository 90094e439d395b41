// What hands do, in the order in which they did it: ImGui goes by what is down when a frame begins,
// so a frame sees no more than one thing of a kind, and what comes after it waits.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <utility>

struct GLFWwindow;

namespace heed::ui {

class Ui;

/// Input that waits: letters are meant for a sentence that is about to take them, everything for a
/// card or a field that is about to open.
enum class Holds { nothing, letters, everything };

class InputQueue {
  public:
    void key(int key, int code, int action, int mods);
    void character(unsigned character);
    void button(int button, int action, int mods);
    void cursor(double x, double y); // in the window, as GLFW tells it
    void wheel(double x, double y);  // steps

    /// Hands over what the next frame may see and does not wait; true where more waits for the one
    /// after it. Letters that no sentence came for are forgotten: they would be commands.
    bool hand_over(GLFWwindow* window, Ui& ui, Holds holds);
    /// Keeps from the frame what ImGui's backend asks the window for itself: a button that is down
    /// already, but was not handed over, and where the pointer has gone since a button was pressed.
    void hold_buttons() const;

  private:
    /// True where letters are here, and nothing but letters and the pointer's ways.
    bool is_text() const;
    void forget_text();
    struct Event {
        enum class Of { key, character, button, cursor, wheel };
        Of of = Of::key;
        int what = 0, code = 0, action = 0, mods = 0; // key or button
        unsigned character = 0;
        double x = 0, y = 0;
    };
    std::deque<Event> events_;
    std::array<bool, 3> down_{}; // buttons, as they were handed over
    std::optional<std::pair<double, double>> pointer_{}; // likewise
    bool clicked_ = false; // a button was pressed or released in this frame
    bool letters_wait_ = false;
};

} // namespace heed::ui
