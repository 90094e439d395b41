// What is told, and what still works, where fonts are missing.
#include "ui/paint/fonts.hpp"

#include "catch.hpp"

#include <fontconfig/fontconfig.h>

#include <string>

using namespace heed;

namespace {

/// Another set of installed fonts, for as long as it lives.
class InstalledFonts {
  public:
    explicit InstalledFonts(const std::string& only_file) : before_(FcConfigReference(nullptr)) {
        FcConfig* config = FcConfigCreate();
        if (!only_file.empty()) {
            FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(only_file.c_str()));
        }
        FcConfigSetCurrent(config);
    }
    ~InstalledFonts() { FcConfigSetCurrent(before_); }
    InstalledFonts(const InstalledFonts&) = delete;
    InstalledFonts& operator=(const InstalledFonts&) = delete;

  private:
    FcConfig* before_;
};

struct Context {
    Context() { ImGui::CreateContext(); }
    ~Context() { ImGui::DestroyContext(); }
};

} // namespace

TEST_CASE("without a Chinese font the packages are named and Latin still shows") {
    const auto latin = ui::find_font({"DejaVu Sans"}, ui::FontWeight::regular);
    REQUIRE(latin);
    const InstalledFonts installed(latin->path);
    const Context context;
    ui::Fonts fonts;
    CHECK(fonts.trouble().find("fonts-noto-cjk") != std::string::npos);
    fonts.note("caf\u00e9 \u6211");
    fonts.build(1);
    REQUIRE(fonts.get(ui::FieldFont::sans) != nullptr);
    CHECK(fonts.without_font().count(U'\u6211') == 1);
    CHECK(fonts.without_font().count(U'\u00e9') == 0);
}

TEST_CASE("without any font a built-in one serves, and it is said") {
    const InstalledFonts installed("");
    const Context context;
    ui::Fonts fonts;
    CHECK(fonts.trouble().find("fonts-dejavu-core") != std::string::npos);
    fonts.build(2);
    CHECK(fonts.get(ui::FieldFont::sans) != nullptr);
    CHECK(fonts.get(ui::FieldFont::mono) != nullptr);
}

TEST_CASE("a character typed for the first time asks for a build, and only once") {
    const Context context;
    ui::Fonts fonts;
    fonts.build(1);
    CHECK_FALSE(fonts.note("plain English, na\u00efve"));
    CHECK(fonts.note("\u6211"));
    fonts.build(1);
    // The common characters came along.
    CHECK_FALSE(fonts.note("\u6211\u4eec\u7684"));
}

#if IMGUI_VERSION_NUM < 19200 // since then only fonts bring glyphs
TEST_CASE("a stand-in is drawn as what it stands for, and never as a font's own private letter") {
    const Context context;
    ui::Fonts fonts;
    ui::PrivateUse private_use;
    const std::string face = private_use.encode("\U0001F600"),
                      letter = private_use.encode("\U0001D54F");
    CHECK_FALSE((fonts.build(1), fonts.note(face)));
    CHECK(fonts.note(face + letter, &private_use));
    fonts.build(2);
    CHECK_FALSE(fonts.note(face + letter, &private_use));
    for (const auto which : {ui::FieldFont::sans, ui::FieldFont::mono}) {
        const ImFont& font = *fonts.get(which);
        for (const ImWchar c : {ImWchar{0xE000}, ImWchar{0xE001}}) {
            const ImFontGlyph* glyph = font.FindGlyphNoFallback(c);
            REQUIRE(glyph != nullptr);
            CHECK(glyph->AdvanceX > 10);
            // It stands on the line: neither above nor below it by more than a little.
            CHECK(glyph->Y0 > -4);
            CHECK(glyph->Y1 < fonts.pixels(which) + 6);
            CHECK(glyph->Y1 - glyph->Y0 > 8);
        }
    }
    const ImFontGlyph& drawn = *fonts.get(ui::FieldFont::sans)->FindGlyphNoFallback(0xE000);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    int ink = 0;
    for (int y = static_cast<int>(drawn.V0 * static_cast<float>(height));
         y < drawn.V1 * static_cast<float>(height); ++y) {
        for (int x = static_cast<int>(drawn.U0 * static_cast<float>(width));
             x < drawn.U1 * static_cast<float>(width); ++x) {
            ink += pixels[4 * (y * width + x) + 3] > 127 ? 1 : 0;
        }
    }
    CHECK(ink > 50);
}
#endif

TEST_CASE("a font's line height is read from its own tables") {
    const auto found = ui::find_font({"DejaVu Sans"}, ui::FontWeight::regular);
    REQUIRE(found);
    // DejaVu Sans 2.37: hhea ascender 1901, descender -483, 2048 units an em.
    const auto height = ui::line_height(*found);
    REQUIRE(height);
    CHECK(*height == Approx((1901 + 483) / 2048.0).epsilon(0.001));
    CHECK_FALSE(ui::line_height({"/no/such/font.ttf", 0}));
}
