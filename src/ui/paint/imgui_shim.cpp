// The clipboard, fonts, drawing and textures; input is in imgui_input.cpp.
#include "ui/paint/imgui_shim.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace heed::ui::shim {

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

ImFont* add_font(ImFontAtlas& atlas, std::span<const char> data, float pixels, ImFontConfig config,
                 const ImWchar* ranges) {
    config.FontDataOwnedByAtlas = true; // else it makes a copy
    ImFont* font = atlas.AddFontFromMemoryTTF(
        const_cast<char*>(data.data()), static_cast<int>(data.size()), pixels, &config, ranges);
#if IMGUI_VERSION_NUM < 19200
    atlas.ConfigData.back().FontDataOwnedByAtlas = false;
#else
    atlas.Sources.back()->FontDataOwnedByAtlas = false;
#endif
    return font;
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

namespace {

float& scroll_of(auto& field) { // newer ones scroll both ways
    if constexpr (requires { field.ScrollX; }) {
        return field.ScrollX;
    } else {
        return field.Scroll.x;
    }
}

} // namespace

void scroll_field_to_start() { scroll_of(ImGui::GetCurrentContext()->InputTextState) = 0; }

float field_scroll() { return scroll_of(ImGui::GetCurrentContext()->InputTextState); }

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
