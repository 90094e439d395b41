#include "ui/paint/font_finder.hpp"

#include "base/file.hpp"

#include <fontconfig/fontconfig.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>

namespace heed::ui {

namespace {

using base::ErrorKind;

struct PatternFree {
    void operator()(FcPattern* p) const { FcPatternDestroy(p); }
};
using Pattern = std::unique_ptr<FcPattern, PatternFree>;

const FcChar8* bytes(const std::string& text) {
    return reinterpret_cast<const FcChar8*>(text.c_str());
}

Pattern matched(FcPattern* wanted) {
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    return Pattern(FcFontMatch(nullptr, wanted, &result));
}

std::optional<FontFile> file_of(FcPattern* pattern) {
    FcChar8* path = nullptr;
    if (pattern == nullptr || FcPatternGetString(pattern, FC_FILE, 0, &path) != FcResultMatch) {
        return std::nullopt;
    }
    int index = 0;
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    FcCharSet* held = nullptr;
    FcPatternGetCharSet(pattern, FC_CHARSET, 0, &held);
    return FontFile{reinterpret_cast<const char*>(path), index & 0xFFFF, Letters(held)};
}

void add_weight(FcPattern* pattern, FontWeight weight) {
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddBool(pattern, FC_COLOR, FcFalse); // ImGui rasterises outlines alone
    FcPatternAddInteger(pattern, FC_WEIGHT,
                        weight == FontWeight::semibold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
}

} // namespace

Letters::Letters(const void* charset) {
    if (charset == nullptr) return;
    auto* const set = static_cast<FcCharSet*>(const_cast<void*>(charset));
    charset_ = {
        FcCharSetCopy(set), // a reference to the same one
        [](const void* s) { FcCharSetDestroy(static_cast<FcCharSet*>(const_cast<void*>(s))); }};
}

bool Letters::has(char32_t character) const {
    return charset_ && FcCharSetHasChar(static_cast<const FcCharSet*>(charset_.get()), character);
}

std::optional<FontFile> find_font(const std::vector<std::string>& families, FontWeight weight) {
    const Pattern wanted(FcPatternCreate());
    for (const std::string& family : families) {
        FcPatternAddString(wanted.get(), FC_FAMILY, bytes(family));
    }
    add_weight(wanted.get(), weight);
    return file_of(matched(wanted.get()).get());
}

std::optional<FontFile> find_font_with(char32_t character, FontWeight weight) {
    const Pattern wanted(FcPatternCreate());
    FcCharSet* needed = FcCharSetCreate();
    FcCharSetAddChar(needed, character);
    FcPatternAddCharSet(wanted.get(), FC_CHARSET, needed);
    FcCharSetDestroy(needed);
    FcPatternAddString(wanted.get(), FC_FAMILY, bytes("sans-serif"));
    FcPatternAddString(wanted.get(), FC_LANG, bytes("zh-cn"));
    add_weight(wanted.get(), weight);
    // A match is only the best there is, not a promise.
    auto found = file_of(matched(wanted.get()).get());
    return found && found->letters.has(character) ? found : std::nullopt;
}

namespace {

/// Big-endian numbers of an sfnt file, read where they are needed.
class Sfnt {
  public:
    explicit Sfnt(const std::string& path) : file_(path, std::ios::binary) {}
    bool good() const { return file_.good(); }
    std::uint32_t u32(std::uint64_t at) {
        std::array<unsigned char, 4> b{};
        file_.seekg(static_cast<std::streamoff>(at));
        file_.read(reinterpret_cast<char*>(b.data()), 4);
        return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 |
               b[3];
    }
    std::uint16_t u16(std::uint64_t at) { return static_cast<std::uint16_t>(u32(at) >> 16); }
    std::int16_t i16(std::uint64_t at) { return static_cast<std::int16_t>(u16(at)); }

  private:
    std::ifstream file_;
};

constexpr std::uint32_t tag(const char (&name)[5]) {
    return std::uint32_t(name[0]) << 24 | std::uint32_t(name[1]) << 16 |
           std::uint32_t(name[2]) << 8 | std::uint32_t(name[3]);
}

} // namespace

base::Result<float> line_height(const FontFile& file) {
    Sfnt sfnt(file.path);
    if (!sfnt.good()) return base::fail(ErrorKind::unreadable, file.path, "cannot be opened");
    std::uint64_t start = 0;
    if (sfnt.u32(0) == tag("ttcf"))
        start = sfnt.u32(12 + 4 * static_cast<std::uint64_t>(file.face));
    const std::uint16_t tables = sfnt.u16(start + 4);
    std::uint64_t head = 0, hhea = 0, os2 = 0;
    for (std::uint16_t i = 0; i < tables && sfnt.good(); ++i) {
        const std::uint64_t record = start + 12 + 16ull * i;
        const std::uint32_t name = sfnt.u32(record);
        if (name == tag("head")) head = sfnt.u32(record + 8);
        if (name == tag("hhea")) hhea = sfnt.u32(record + 8);
        if (name == tag("OS/2")) os2 = sfnt.u32(record + 8);
    }
    if (head == 0 || hhea == 0) {
        return base::fail(ErrorKind::malformed, file.path, "is no TrueType or OpenType font");
    }
    const float em = sfnt.u16(head + 18);
    float ascender = sfnt.i16(hhea + 4), descender = sfnt.i16(hhea + 6);
    constexpr std::uint16_t kUseTypographicMetrics = 1u << 7;
    const bool typographic = os2 != 0 && (sfnt.u16(os2 + 62) & kUseTypographicMetrics) != 0;
    if (os2 != 0 && (typographic || (ascender == 0 && descender == 0))) {
        ascender = sfnt.i16(os2 + 68);
        descender = sfnt.i16(os2 + 70);
    }
    if (!sfnt.good() || em <= 0 || ascender - descender <= 0) {
        return base::fail(ErrorKind::malformed, file.path, "has no usable line height");
    }
    return (ascender - descender) / em;
}

} // namespace heed::ui
