// Everything about Dear ImGui that differs between the versions we compile against (1.86 as Debian
// 12 ships it, 1.90.1, 1.92). A use of any of these outside this header is a review finding.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>

struct GLFWwindow;

namespace heed::ui::shim {

/// Keys that the program listens to, by meaning rather than by a version's number for them.
enum class Key {
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    enter,
    escape,
    space,
    backspace,
    del,
    slash,
    left_bracket,
    right_bracket,
    comma,
    period,
    minus,
    equal,
    a,
    c,
    e,
    k,
    m,
    o,
    p,
    q,
    s,
    t,
    v,
    x,
    y,
    z,
    one,
    two,
    three,
    four,
    five,
    six,
    seven,
    eight,
    nine,
    zero,
    f1,
    f10,
    f11,
    menu,
    count
};

bool key_pressed(Key key, bool repeat = false);
bool any_key_pressed(); // of these, or a character
/// Ctrl, or Command on a Mac.
bool command_down();
bool shift_down();
bool alt_down();

/// Input as a test or the window gives it. Two frames a step: newer versions spread events.
void move_mouse(float x, float y);
void press_mouse(int button, bool down);
void turn_wheel(float steps);
void press_key(Key key, bool down);
void set_modifiers(bool ctrl, bool shift, bool alt = false, bool super = false);
void type_text(const std::string& text);
/// True where given input stays for the next frame: since 1.87 a frame takes one step of it.
bool input_waits();
/// Fills in the key table where no platform back end does. Nothing to do since 1.87.
void map_keys();

/// A key as GLFW told it, with the modifiers that were down when it happened.
void forward_key(GLFWwindow* window, int key, int code, int action, int mods);
/// The modifiers that GLFW tells with a key or a button of the mouse.
void forward_modifiers(int mods);
/// The window's pointer moved; before 1.87 the back end asks for it by itself.
void forward_cursor(GLFWwindow* window, double x, double y);

struct Clipboard {
    const char* (*get)(void* user);
    void (*set)(void* user, const char* text);
    void* user;
};
void set_clipboard(const Clipboard& clipboard);

/// FreeType rasterises the atlas, hinted in the vertical direction alone.
void use_freetype(ImFontAtlas& atlas);
/// Adds a font whose data stay the caller's, and stay where they are: ImGui would copy them.
ImFont* add_font(ImFontAtlas& atlas, std::span<const char> data, float pixels, ImFontConfig config,
                 const ImWchar* ranges);
/// Uploads the atlas again after it was built anew. Requires the OpenGL back end.
void renew_font_texture();
/// A character whose picture is not in any font file.
struct DrawnGlyph {
    ImFont* font = nullptr;
    ImWchar character = 0;
    int width = 0, height = 0;        // pixels
    float origin_x = 0, origin_y = 0; // the baseline's left end, inside the picture
    float advance = 0;
    bool coloured = false;                // keeps its colours whatever the text's colour is
    const std::uint8_t* pixels = nullptr; // RGBA, straight alpha
};
/// Builds the atlas with these among its glyphs. Since 1.92 only fonts bring glyphs: does nothing.
void build_with(ImFontAtlas& atlas, std::span<const DrawnGlyph> glyphs);
void push_font(ImFont* font, float pixels);
void pop_font();
/// The size at which `font` draws its glyphs unscaled.
float pixels_of(const ImFont* font);

void outline(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float rounding, float width);
void polyline(ImDrawList& list, std::span<const ImVec2> points, ImU32 color, bool closed,
              float width);
ImTextureID texture(unsigned name);
/// The texture that a command reads, before it is uploaded too.
std::uint64_t texture_key(const ImDrawCmd& command);
/// After a callback that changed GL state. Does nothing where no renderer back end is installed.
void reset_render_state(ImDrawList& list);

/// Tab belongs to the program's own focus order: fields give up theirs.
void push_no_tab_stop();
void pop_no_tab_stop();

/// Shows the text of the field that has the keyboard from its beginning.
void scroll_field_to_start();
float field_scroll(); // pixels to the left of what it shows

/// Takes the mouse and the keyboard from whatever widget has them.
void release_active_widget();

/// Keeps Escape from ImGui's own widgets; false where this ImGui cannot: it tells of Escape in the
/// frame after the one in which something was typed.
bool hide_escape(bool hidden);

/// Needs of a frame where nothing renders it: font pixels asked for, textures answered.
void begin_null_renderer();
void serve_null_renderer();
void end_null_renderer();

} // namespace heed::ui::shim
