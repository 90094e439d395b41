#include "ui/window/input_queue.hpp"

#include "ui/frame/panel.hpp"
#include "ui/paint/imgui_shim.hpp"
#include "ui/paint/private_use.hpp"

#include <backends/imgui_impl_glfw.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace heed::ui {

namespace {

/// A field reads characters: the press of a key that writes one says nothing to it.
bool only_writes(int key, int mods) {
    constexpr int kCommand = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
    return key >= GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2 && (mods & kCommand) == 0;
}

/// True of what a hand does between letters.
bool helps_to_write(int key) {
    return key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT || key == GLFW_KEY_BACKSPACE;
}

} // namespace

bool InputQueue::is_text() const {
    const auto writes = [](const Event& event) {
        return event.of == Event::Of::character ||
               (event.of == Event::Of::key && only_writes(event.what, event.mods));
    };
    const auto waits = [&](const Event& event) {
        const bool released = event.of == Event::Of::key && event.action == GLFW_RELEASE;
        return writes(event) || released || event.of == Event::Of::cursor ||
               (event.of == Event::Of::key && helps_to_write(event.what));
    };
    return std::ranges::any_of(events_, writes) && std::ranges::all_of(events_, waits);
}

void InputQueue::forget_text() {
    std::erase_if(events_, [](const Event& event) {
        return event.of == Event::Of::character ||
               (event.of == Event::Of::key && event.action != GLFW_RELEASE &&
                only_writes(event.what, event.mods));
    });
}

void InputQueue::key(int key, int code, int action, int mods) {
    events_.push_back(
        {.of = Event::Of::key, .what = key, .code = code, .action = action, .mods = mods});
}

void InputQueue::character(unsigned character) {
    events_.push_back({.of = Event::Of::character, .character = character});
}

void InputQueue::button(int button, int action, int mods) {
    events_.push_back({.of = Event::Of::button, .what = button, .action = action, .mods = mods});
}

void InputQueue::cursor(double x, double y) {
    if (events_.empty() || events_.back().of != Event::Of::cursor) {
        events_.push_back({.of = Event::Of::cursor});
    }
    events_.back().x = x;
    events_.back().y = y;
}

void InputQueue::wheel(double x, double y) {
    events_.push_back({.of = Event::Of::wheel, .x = x, .y = y});
}

void InputQueue::hold_buttons() const {
    ImGuiIO& io = ImGui::GetIO();
    for (std::size_t i = 0; i < down_.size(); ++i) io.MouseDown[i] = io.MouseDown[i] && down_[i];
    if (clicked_ && pointer_) {
        io.MousePos = {static_cast<float>(pointer_->first), static_cast<float>(pointer_->second)};
    }
}

bool InputQueue::hand_over(GLFWwindow* window, Ui& ui, Holds holds) {
    clicked_ = false;
    const bool letters = holds == Holds::letters && is_text();
    const bool waited = std::exchange(letters_wait_, letters);
    if (letters || holds == Holds::everything) return true;
    if (waited && !ui.typing()) forget_text();
    // No release joins a press in one frame, be it of the same key or of the Ctrl that was held
    // with it. A button is alone: it may end what is typed into.
    bool pressed = false, typed = false, clicked = false, turned = false;
    while (!events_.empty() && !clicked) {
        const Event event = events_.front();
        if (event.of == Event::Of::button && typed) return true;
        typed = typed || event.of == Event::Of::key || event.of == Event::Of::character;
        switch (event.of) {
        case Event::Of::key:
            if (event.action == GLFW_RELEASE && pressed) return true;
            if (event.action != GLFW_RELEASE && ui.typing() &&
                only_writes(event.what, event.mods)) {
                break;
            }
            pressed = pressed || event.action == GLFW_PRESS;
            shim::forward_key(window, event.what, event.code, event.action, event.mods);
            break;
        case Event::Of::character:
            if (PrivateUse::needs_stand_in(event.character)) {
                ui.type_astral(event.character);
            } else {
                ImGui_ImplGlfw_CharCallback(window, event.character);
            }
            break;
        case Event::Of::button:
            ImGui_ImplGlfw_MouseButtonCallback(window, event.what, event.action, event.mods);
            if (event.what < static_cast<int>(down_.size()))
                down_[static_cast<std::size_t>(event.what)] = event.action == GLFW_PRESS;
            shim::forward_modifiers(event.mods);
            clicked = clicked_ = true;
            break;
        case Event::Of::cursor:
            if (turned) return true; // what was turned was under the pointer then
            shim::forward_cursor(window, event.x, event.y);
            pointer_ = {event.x, event.y};
            break;
        case Event::Of::wheel:
            ImGui_ImplGlfw_ScrollCallback(window, event.x, event.y);
            turned = true;
            break;
        }
        events_.pop_front();
    }
    return !events_.empty();
}

} // namespace heed::ui
