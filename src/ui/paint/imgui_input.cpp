// Keys, the mouse and typed text: what imgui_shim.hpp says of input.
#include "ui/paint/imgui_shim.hpp"

#include <backends/imgui_impl_glfw.h>
#include <imgui_internal.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

namespace heed::ui::shim {

namespace {

constexpr std::array<int, static_cast<std::size_t>(Key::count)> kGlfw = {GLFW_KEY_TAB,
                                                                         GLFW_KEY_LEFT,
                                                                         GLFW_KEY_RIGHT,
                                                                         GLFW_KEY_UP,
                                                                         GLFW_KEY_DOWN,
                                                                         GLFW_KEY_PAGE_UP,
                                                                         GLFW_KEY_PAGE_DOWN,
                                                                         GLFW_KEY_HOME,
                                                                         GLFW_KEY_END,
                                                                         GLFW_KEY_ENTER,
                                                                         GLFW_KEY_ESCAPE,
                                                                         GLFW_KEY_SPACE,
                                                                         GLFW_KEY_BACKSPACE,
                                                                         GLFW_KEY_DELETE,
                                                                         GLFW_KEY_SLASH,
                                                                         GLFW_KEY_LEFT_BRACKET,
                                                                         GLFW_KEY_RIGHT_BRACKET,
                                                                         GLFW_KEY_COMMA,
                                                                         GLFW_KEY_PERIOD,
                                                                         GLFW_KEY_MINUS,
                                                                         GLFW_KEY_EQUAL,
                                                                         GLFW_KEY_A,
                                                                         GLFW_KEY_C,
                                                                         GLFW_KEY_E,
                                                                         GLFW_KEY_K,
                                                                         GLFW_KEY_M,
                                                                         GLFW_KEY_O,
                                                                         GLFW_KEY_P,
                                                                         GLFW_KEY_Q,
                                                                         GLFW_KEY_S,
                                                                         GLFW_KEY_T,
                                                                         GLFW_KEY_V,
                                                                         GLFW_KEY_X,
                                                                         GLFW_KEY_Y,
                                                                         GLFW_KEY_Z,
                                                                         GLFW_KEY_1,
                                                                         GLFW_KEY_2,
                                                                         GLFW_KEY_3,
                                                                         GLFW_KEY_4,
                                                                         GLFW_KEY_5,
                                                                         GLFW_KEY_6,
                                                                         GLFW_KEY_7,
                                                                         GLFW_KEY_8,
                                                                         GLFW_KEY_9,
                                                                         GLFW_KEY_0,
                                                                         GLFW_KEY_F1,
                                                                         GLFW_KEY_F10,
                                                                         GLFW_KEY_F11,
                                                                         GLFW_KEY_MENU};
#if IMGUI_VERSION_NUM < 18700
using Native = int;
constexpr auto kNative = kGlfw;
#else
using Native = ImGuiKey;
constexpr std::array<Native, static_cast<std::size_t>(Key::count)> kNative = {ImGuiKey_Tab,
                                                                              ImGuiKey_LeftArrow,
                                                                              ImGuiKey_RightArrow,
                                                                              ImGuiKey_UpArrow,
                                                                              ImGuiKey_DownArrow,
                                                                              ImGuiKey_PageUp,
                                                                              ImGuiKey_PageDown,
                                                                              ImGuiKey_Home,
                                                                              ImGuiKey_End,
                                                                              ImGuiKey_Enter,
                                                                              ImGuiKey_Escape,
                                                                              ImGuiKey_Space,
                                                                              ImGuiKey_Backspace,
                                                                              ImGuiKey_Delete,
                                                                              ImGuiKey_Slash,
                                                                              ImGuiKey_LeftBracket,
                                                                              ImGuiKey_RightBracket,
                                                                              ImGuiKey_Comma,
                                                                              ImGuiKey_Period,
                                                                              ImGuiKey_Minus,
                                                                              ImGuiKey_Equal,
                                                                              ImGuiKey_A,
                                                                              ImGuiKey_C,
                                                                              ImGuiKey_E,
                                                                              ImGuiKey_K,
                                                                              ImGuiKey_M,
                                                                              ImGuiKey_O,
                                                                              ImGuiKey_P,
                                                                              ImGuiKey_Q,
                                                                              ImGuiKey_S,
                                                                              ImGuiKey_T,
                                                                              ImGuiKey_V,
                                                                              ImGuiKey_X,
                                                                              ImGuiKey_Y,
                                                                              ImGuiKey_Z,
                                                                              ImGuiKey_1,
                                                                              ImGuiKey_2,
                                                                              ImGuiKey_3,
                                                                              ImGuiKey_4,
                                                                              ImGuiKey_5,
                                                                              ImGuiKey_6,
                                                                              ImGuiKey_7,
                                                                              ImGuiKey_8,
                                                                              ImGuiKey_9,
                                                                              ImGuiKey_0,
                                                                              ImGuiKey_F1,
                                                                              ImGuiKey_F10,
                                                                              ImGuiKey_F11,
                                                                              ImGuiKey_Menu};
#endif

Native native(Key key) { return kNative[static_cast<std::size_t>(key)]; }

} // namespace

bool key_pressed(Key key, bool repeat) { return ImGui::IsKeyPressed(native(key), repeat); }
bool any_key_pressed() {
    for (int i = 0; i < static_cast<int>(Key::count); ++i) {
        if (key_pressed(static_cast<Key>(i))) return true;
    }
    return !ImGui::GetIO().InputQueueCharacters.empty();
}

bool command_down() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.ConfigMacOSXBehaviors ? io.KeySuper : io.KeyCtrl;
}

bool alt_down() { return ImGui::GetIO().KeyAlt; }
bool shift_down() { return ImGui::GetIO().KeyShift; }

void move_mouse(float x, float y) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MousePos = ImVec2(x, y);
#else
    ImGui::GetIO().AddMousePosEvent(x, y);
#endif
}

void press_mouse(int button, bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseDown[button] = down;
#else
    ImGui::GetIO().AddMouseButtonEvent(button, down);
#endif
}

void turn_wheel(float steps) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseWheel += steps;
#else
    ImGui::GetIO().AddMouseWheelEvent(0, steps);
#endif
}

void press_key(Key key, bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeysDown[native(key)] = down;
#else
    ImGui::GetIO().AddKeyEvent(native(key), down);
#endif
}

bool hide_escape([[maybe_unused]] bool hidden) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyMap[ImGuiKey_Escape] = hidden ? -1 : native(Key::escape);
    return true;
#else
    return false;
#endif
}

void set_modifiers(bool ctrl, bool shift, bool alt, bool super) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
    io.KeySuper = super;
#elif IMGUI_VERSION_NUM < 18900
    io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
    io.AddKeyEvent(ImGuiKey_ModShift, shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, alt);
    io.AddKeyEvent(ImGuiKey_ModSuper, super);
#else
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
    io.AddKeyEvent(ImGuiMod_Alt, alt);
    io.AddKeyEvent(ImGuiMod_Super, super);
#endif
}

void type_text(const std::string& text) { ImGui::GetIO().AddInputCharactersUTF8(text.c_str()); }

bool input_waits() {
#if IMGUI_VERSION_NUM < 18700
    return false;
#else
    return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#endif
}

void map_keys() {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    const auto map = [&](ImGuiKey to, Key from) { io.KeyMap[to] = native(from); };
    map(ImGuiKey_Tab, Key::tab);
    map(ImGuiKey_LeftArrow, Key::left);
    map(ImGuiKey_RightArrow, Key::right);
    map(ImGuiKey_UpArrow, Key::up);
    map(ImGuiKey_DownArrow, Key::down);
    map(ImGuiKey_PageUp, Key::page_up);
    map(ImGuiKey_PageDown, Key::page_down);
    map(ImGuiKey_Home, Key::home);
    map(ImGuiKey_End, Key::end);
    map(ImGuiKey_Enter, Key::enter);
    map(ImGuiKey_Escape, Key::escape);
    map(ImGuiKey_Space, Key::space);
    map(ImGuiKey_Backspace, Key::backspace);
    map(ImGuiKey_Delete, Key::del);
    map(ImGuiKey_A, Key::a);
    map(ImGuiKey_C, Key::c);
    map(ImGuiKey_V, Key::v);
    map(ImGuiKey_X, Key::x);
    map(ImGuiKey_Y, Key::y);
    map(ImGuiKey_Z, Key::z);
#endif
}

void forward_cursor([[maybe_unused]] GLFWwindow* window, [[maybe_unused]] double x,
                    [[maybe_unused]] double y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui_ImplGlfw_CursorPosCallback(window, x, y);
#endif
}

#if IMGUI_VERSION_NUM >= 18700
namespace {
/// GLFW names keys by where they lie; the back end, and so a shortcut, goes by what a layout prints
/// on them. Its printable keys have the numbers of their ASCII capitals.
int by_layout(int key, int code) {
    if (key < GLFW_KEY_SPACE || key > GLFW_KEY_GRAVE_ACCENT) return key;
    const char* printed = glfwGetKeyName(key, code);
    if (printed == nullptr || printed[0] == 0 || printed[1] != 0) return key;
    const char c = printed[0];
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
} // namespace
#endif

namespace {
/// A modifier that is pressed is not among its own stroke's.
int modifier_of(int key) {
    switch (key) {
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL: return GLFW_MOD_CONTROL;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT: return GLFW_MOD_SHIFT;
    case GLFW_KEY_LEFT_ALT:
    case GLFW_KEY_RIGHT_ALT: return GLFW_MOD_ALT;
    case GLFW_KEY_LEFT_SUPER:
    case GLFW_KEY_RIGHT_SUPER: return GLFW_MOD_SUPER;
    default: return 0;
    }
}
} // namespace

void forward_modifiers(int mods) {
    set_modifiers((mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0,
                  (mods & GLFW_MOD_ALT) != 0, (mods & GLFW_MOD_SUPER) != 0);
}

void forward_key([[maybe_unused]] GLFWwindow* window, int key, [[maybe_unused]] int code,
                 int action, int mods) {
    // The back end goes by what it saw pressed and let go: a Ctrl let go while the stroke waited,
    // or an Alt whose release the system kept for itself, would never end.
    const int own = modifier_of(key);
    forward_modifiers(action == GLFW_RELEASE ? mods & ~own : mods | own);
#if IMGUI_VERSION_NUM < 18700
    auto& down = ImGui::GetIO().KeysDown;
    if (key >= 0 && key < IM_ARRAYSIZE(down)) down[key] = action != GLFW_RELEASE;
#else
    if (own != 0 || action == GLFW_REPEAT) return;
    const auto at = std::find(kGlfw.begin(), kGlfw.end(), by_layout(key, code));
    if (at != kGlfw.end()) {
        ImGui::GetIO().AddKeyEvent(kNative[static_cast<std::size_t>(at - kGlfw.begin())],
                                   action == GLFW_PRESS);
    } else {
        ImGui_ImplGlfw_KeyCallback(window, key, code, action, mods);
    }
#endif
}

} // namespace heed::ui::shim
