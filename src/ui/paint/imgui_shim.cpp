#include "ui/paint/imgui_shim.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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
                                                                         GLFW_KEY_0};
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
                                                                              ImGuiKey_0};
#endif

Native native(Key key) { return kNative[static_cast<std::size_t>(key)]; }

} // namespace

bool key_pressed(Key key, bool repeat) { return ImGui::IsKeyPressed(native(key), repeat); }

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

void forward_key(GLFWwindow* window, int key, int code, int action, int mods) {
#if IMGUI_VERSION_NUM >= 18700
    // The back end would ask which modifiers are down now; a Ctrl that was let go while the stroke
    // waited would be lost.
    const auto at = std::find(kGlfw.begin(), kGlfw.end(), by_layout(key, code));
    if (at != kGlfw.end() && action != GLFW_REPEAT) {
        set_modifiers((mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0,
                      (mods & GLFW_MOD_ALT) != 0, (mods & GLFW_MOD_SUPER) != 0);
        ImGui::GetIO().AddKeyEvent(kNative[static_cast<std::size_t>(at - kGlfw.begin())],
                                   action == GLFW_PRESS);
        return;
    }
#endif
    ImGui_ImplGlfw_KeyCallback(window, key, code, action, mods);
}

#if IMGUI_VERSION_NUM >= 19101
namespace {
// Newer hooks are given the context; the program's own pointer rides in the platform's user data.
Clipboard& installed(ImGuiContext*) {
    return *static_cast<Clipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
}
const char* get_text(ImGuiContext* context) {
    const Clipboard& c = installed(context);
    return c.get(c.user);
}
void set_text(ImGuiContext* context, const char* text) {
    const Clipboard& c = installed(context);
    c.set(c.user, text);
}
} // namespace
#endif

void set_clipboard(const Clipboard& clipboard) {
#if IMGUI_VERSION_NUM < 19101
    ImGuiIO& io = ImGui::GetIO();
    io.GetClipboardTextFn = clipboard.get;
    io.SetClipboardTextFn = clipboard.set;
    io.ClipboardUserData = clipboard.user;
#else
    // The caller's hooks live as long as the context: one copy a process, one window a process.
    static Clipboard kept;
    kept = clipboard;
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_GetClipboardTextFn = get_text;
    io.Platform_SetClipboardTextFn = set_text;
    io.Platform_ClipboardUserData = &kept;
#endif
}

void use_freetype(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#else
    atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
    atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#endif
}

void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void build_with([[maybe_unused]] ImFontAtlas& atlas,
                [[maybe_unused]] std::span<const DrawnGlyph> glyphs) {
#if IMGUI_VERSION_NUM < 19200
    std::vector<int> places;
    for (const DrawnGlyph& g : glyphs) {
        places.push_back(atlas.AddCustomRectFontGlyph(g.font, g.character, g.width, g.height,
                                                      g.advance, {-g.origin_x, -g.origin_y}));
    }
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        const DrawnGlyph& g = glyphs[i];
        const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(places[i]);
        if (!rect.IsPacked()) continue;
        for (int y = 0; y < g.height; ++y) {
            std::copy_n(g.pixels + 4 * y * g.width, 4 * g.width,
                        pixels + 4 * ((rect.Y + y) * width + rect.X));
        }
        // The font's ascent is known only now, and a custom glyph cannot be asked to be coloured.
        auto* made = const_cast<ImFontGlyph*>(g.font->FindGlyphNoFallback(g.character));
        if (made == nullptr) continue;
        made->Y0 += std::round(g.font->Ascent);
        made->Y1 += std::round(g.font->Ascent);
        made->Colored = g.coloured ? 1 : 0;
    }
#endif
}

void push_font(ImFont* font, [[maybe_unused]] float pixels) {
#if IMGUI_VERSION_NUM < 19200
    ImGui::PushFont(font);
#else
    ImGui::PushFont(font, pixels);
#endif
}

void pop_font() { ImGui::PopFont(); }

float pixels_of(const ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
    return font->FontSize;
#else
    return font->LegacySize;
#endif
}

void outline(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float rounding, float width) {
    // Half a pixel in: the stroke then fills whole pixels inside the box.
    const ImVec2 a(low.x + width / 2, low.y + width / 2);
    const ImVec2 b(high.x - width / 2, high.y - width / 2);
    list.PathRect(a, b, rounding);
#if IMGUI_VERSION_NUM < 19280
    list.PathStroke(color, ImDrawFlags_Closed, width);
#else
    list.PathStroke(color, width, ImDrawFlags_Closed);
#endif
}

void polyline(ImDrawList& list, std::span<const ImVec2> points, ImU32 color, bool closed,
              float width) {
    const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
#if IMGUI_VERSION_NUM < 19280
    list.AddPolyline(points.data(), static_cast<int>(points.size()), color, flags, width);
#else
    list.AddPolyline(points.data(), static_cast<int>(points.size()), color, width, flags);
#endif
}

ImTextureID texture(unsigned name) {
    return (ImTextureID)(std::intptr_t)name; // a pointer before 1.91.4, a number since
}

std::uint64_t texture_key(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM < 19200
    return (std::uint64_t)(std::uintptr_t)command.TextureId;
#else
    const ImTextureData* own = command.TexRef._TexData;
    return own != nullptr ? ~static_cast<std::uint64_t>(own->UniqueID)
                          : (std::uint64_t)command.TexRef._TexID;
#endif
}

void reset_render_state(ImDrawList& list) {
#if IMGUI_VERSION_NUM < 19280
    if (ImGui::GetIO().BackendRendererUserData == nullptr) return;
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
#else
    const ImDrawCallback reset = ImGui::GetPlatformIO().DrawCallback_ResetRenderState;
    if (reset != nullptr) list.AddCallback(reset, nullptr);
#endif
}

void push_no_tab_stop() {
#if IMGUI_VERSION_NUM < 19140
    ImGui::PushAllowKeyboardFocus(false);
#else
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
#endif
}

void pop_no_tab_stop() {
#if IMGUI_VERSION_NUM < 19140
    ImGui::PopAllowKeyboardFocus();
#else
    ImGui::PopItemFlag();
#endif
}

void release_active_widget() { ImGui::ClearActiveID(); }

void begin_null_renderer() {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
}

void serve_null_renderer() {
#if IMGUI_VERSION_NUM < 19200
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (!atlas.IsBuilt()) atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
#else
    for (ImTextureData* data : ImGui::GetPlatformIO().Textures) {
        if (data->Status == ImTextureStatus_WantCreate) data->SetTexID((ImTextureID)1);
        if (data->Status == ImTextureStatus_WantDestroy) {
            data->SetTexID(ImTextureID_Invalid);
            data->SetStatus(ImTextureStatus_Destroyed);
        } else {
            data->SetStatus(ImTextureStatus_OK);
        }
    }
#endif
}

void end_null_renderer() {
#if IMGUI_VERSION_NUM >= 19200
    for (ImTextureData* data : ImGui::GetPlatformIO().Textures) {
        data->SetTexID(ImTextureID_Invalid);
        data->SetStatus(ImTextureStatus_Destroyed);
    }
#endif
}

} // namespace heed::ui::shim
