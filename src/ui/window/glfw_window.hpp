// The system's window with OpenGL 3.3, as GLFW makes it.
#pragma once

#include "base/result.hpp"

struct GLFWwindow;
struct GLFWmonitor;

namespace heed::ui {

/// Sets a UTF-8 locale, without which an input method shows its window and nothing arrives. Numbers
/// keep the C form: LC_NUMERIC is never set. Before any thread is made.
void use_utf8_locale();

/// Requires glfwTerminate when it succeeds. Errors of both: unavailable, with the system's reason.
base::Result<void> start_glfw();

/// Hidden, its context current. Width and height in window units at scale 1; the window is never
/// larger than the screen. Requires glfwDestroyWindow.
base::Result<GLFWwindow*> make_glfw_window(int width, int height);

/// Pixels for a point of the window.
float content_scale_of(GLFWwindow* window);

/// The monitor that shows the middle of the window; null where there is none.
GLFWmonitor* monitor_of(GLFWwindow* window);

} // namespace heed::ui
