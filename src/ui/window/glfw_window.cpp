#include "ui/window/glfw_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cstring>
#include <string>
#include <utility>

namespace heed::ui {

namespace {

tl::unexpected<base::Error> no_window(const std::string& what) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return base::fail(base::ErrorKind::unavailable, "window",
                      reason == nullptr ? what : fmt::format("{}: {}", what, reason));
}

/// Gives hints for the window that is made next.
void give_hints() {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE); // presenting, the keyboard may be elsewhere
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "heed");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "heed");
}

/// Size that is asked for, but never larger than the screen.
std::pair<int, int> size_on_screen(int width, int height) {
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        int x = 0, y = 0, w = 0, h = 0;
        float sx = 1, sy = 1;
        glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
        glfwGetMonitorContentScale(monitor, &sx, &sy);
        if (w > 0 && h > 0) {
            width = std::min(width, static_cast<int>(static_cast<float>(w) / sx));
            height = std::min(height, static_cast<int>(static_cast<float>(h) / sy));
        }
    }
    return {width, height};
}

} // namespace

void use_utf8_locale() {
    const char* name = std::setlocale(LC_CTYPE, "");
    const bool utf8 = name != nullptr && (std::strstr(name, "UTF-8") || std::strstr(name, "utf8"));
    if (!utf8) std::setlocale(LC_CTYPE, "C.UTF-8");
}

base::Result<void> start_glfw() {
    if (!glfwInit()) return no_window("no display can be opened");
    return {};
}

base::Result<GLFWwindow*> make_glfw_window(int width, int height) {
    give_hints();
    const auto [fitted_width, fitted_height] = size_on_screen(width, height);
    GLFWwindow* window = glfwCreateWindow(fitted_width, fitted_height, "Heed", nullptr, nullptr);
    if (window == nullptr) return no_window("no window with OpenGL 3.3 can be made");
    glfwSetWindowSizeLimits(window, 720, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    return window;
}

float content_scale_of(GLFWwindow* window) {
    float scale = 1, sy = 1;
    glfwGetWindowContentScale(window, &scale, &sy);
    int frame_width = 0, window_width = 0, unused = 0;
    glfwGetFramebufferSize(window, &frame_width, &unused);
    glfwGetWindowSize(window, &window_width, &unused);
    // On a Mac the window's units are already scaled: its frame has more pixels than units.
    if (window_width > 0 && frame_width > window_width) return 1;
    return scale;
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        const int across = x + width / 2 - left, down = y + height / 2 - top;
        if (mode != nullptr && across >= 0 && down >= 0 && across < mode->width &&
            down < mode->height) {
            return monitors[i];
        }
    }
    return glfwGetPrimaryMonitor();
}

} // namespace heed::ui
