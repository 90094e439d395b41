// What hands do, in the order in which they did it: ImGui goes by what is down when a frame begins,
// so a frame sees no more than one thing of a kind, and what comes after it waits.
#pragma once

#include <deque>

struct GLFWwindow;

namespace heed::ui {

class Ui;

class InputQueue {
  public:
    void key(int key, int code, int action, int mods);
    void character(unsigned character);
    void button(int button, int action, int mods);
    void cursor(double x, double y); // in the window, as GLFW tells it
    void wheel(double x, double y);  // steps

    /// True where letters wait, and nothing but letters and the pointer's ways.
    bool holds_text() const;
    void forget_text();
    /// Hands over what the next frame may see; true where more waits for the one after it.
    bool hand_over(GLFWwindow* window, Ui& ui);

  private:
    struct Event {
        enum class Of { key, character, button, cursor, wheel };
        Of of = Of::key;
        int what = 0, code = 0, action = 0, mods = 0; // key or button
        unsigned character = 0;
        double x = 0, y = 0;
    };
    std::deque<Event> events_;
};

} // namespace heed::ui
