#include "ui/paint/fonts.hpp"

#include "base/file.hpp"
#include "base/utf8.hpp"
#include "figure/base/text_layout.hpp"
#include "ui/paint/label_cache.hpp"

#include <fmt/format.h>

#include <cmath>

namespace heed::ui {

namespace {

constexpr float kSizes[] = {14, 12}; // points, by FieldFont

struct Range {
    char32_t first, last;
};
/// Characters that paths and most European sentences are made of.
constexpr Range kAlways[] = {{0x20, 0x7E},     {0xA0, 0x17F},    {0x370, 0x3FF},   {0x400, 0x45F},
                             {0x2010, 0x2027}, {0x2030, 0x205E}, {0x2070, 0x209C}, {0x1D40, 0x1D42},
                             {0x2190, 0x2193}, {0x2211, 0x221E}, {0xFFFD, 0xFFFD}};

/// Characters that every second one of a Chinese text is among.
constexpr std::string_view kUsualHan =
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天"
    "去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开吃昨今明苹果猫狗";
constexpr char32_t kFirstHan = U'\u7684';
bool is_han(char32_t c) { return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF); }

constexpr std::size_t kMostFontBytes = std::size_t{1} << 28;

} // namespace

Fonts::Fonts() {
    for (const Range& range : kAlways) {
        for (char32_t c = range.first; c <= range.last; ++c) {
            for (std::set<char32_t>& seen : seen_) seen.insert(c);
        }
    }
    const std::string sans = figure::family(figure::Font::sans);
    const std::string mono = figure::family(figure::Font::mono);
    sans_ = find_font({sans, "sans-serif"}, FontWeight::regular);
    mono_ = find_font({mono, "monospace"}, FontWeight::regular);
    if (!sans_ || !mono_) {
        trouble_ = "No scalable font was found: install fonts-dejavu-core. Letters beyond ASCII "
                   "cannot be shown in fields.";
    } else if (fallback(U'\u6211') == nullptr) {
        trouble_ = "No font with Chinese characters is installed: install fonts-noto-cjk, "
                   "fonts-wqy-microhei or fonts-droid-fallback.";
    }
    for (const std::optional<FontFile>* own : {&sans_, &mono_}) {
        if (!*own) continue;
        bytes(**own);
        for (const char32_t c : seen_[0]) {
            if ((*own)->letters.has(c)) continue;
            if (const FontFile* other = fallback(c)) bytes(*other);
        }
    }
}

/// Asking fontconfig takes a fifth of a millisecond: letters of one script are taken from the file
/// that has the one asked for first.
const FontFile* Fonts::fallback(char32_t character) {
    const auto [it, is_new] = fallbacks_.try_emplace(character);
    if (!is_new) return it->second ? &*it->second : nullptr;
    const auto same_script = [&](char32_t other) {
        return character >> 8 == other >> 8 || (is_han(character) && is_han(other));
    };
    for (const auto& [other, file] : fallbacks_) {
        if (file && same_script(other) && file->letters.has(character)) {
            it->second = file;
            return &*it->second;
        }
    }
    // Where no font has even the most usual of them, none is asked for the others.
    const bool hopeless = is_han(character) && character != kFirstHan && !fallback(kFirstHan);
    if (!hopeless) it->second = find_font_with(character, FontWeight::regular);
    return it->second ? &*it->second : nullptr;
}

const std::string& Fonts::bytes(const FontFile& file) {
    const auto [it, is_new] = bytes_.try_emplace(file.path);
    if (is_new) it->second = base::read_file(file.path, kMostFontBytes).value_or("");
    return it->second;
}

bool Fonts::note(std::string_view text, const PrivateUse* stand_ins, FieldFont font) {
    std::set<char32_t>& seen = seen_[static_cast<std::size_t>(font)];
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        at += decoded.length;
        const char32_t c = decoded.code_point;
        if (c < 0x20 || c > 0xFFFF || seen.count(c) != 0) continue;
        if (PrivateUse::needs_stand_in(c)) { // fonts have letters of their own at these places
            std::string stood_for;
            base::append_utf8(stood_for, c);
            if (stand_ins == nullptr || stand_ins_.count(c) != 0) continue;
            stand_ins_.emplace(c, stand_ins->decode(stood_for));
            stale_ = true;
            continue;
        }
        stale_ = true;
        // One Han character is followed by others: the usual ones come along, so that typing does
        // not build at every key.
        if (is_han(c) && seen.insert(kFirstHan).second) note(kUsualHan, nullptr, font);
        seen.insert(c);
    }
    return stale_;
}

void Fonts::add(FieldFont font, float pixels_a_point) {
    const auto index = static_cast<std::size_t>(font);
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const float em = kSizes[index] * pixels_a_point;
    const FontFile& primary = font == FieldFont::mono ? *mono_ : *sans_;
    // Which file draws which characters: the font's own, then whatever has the rest.
    std::map<std::pair<std::string, int>, ImFontGlyphRangesBuilder> by_file;
    ImFontGlyphRangesBuilder own;
    for (const char32_t c : seen_[index]) {
        if (primary.letters.has(c)) {
            own.AddChar(static_cast<ImWchar>(c));
            continue;
        }
        const FontFile* other = fallback(c);
        if (other == nullptr) {
            without_font_.insert(c);
            continue;
        }
        by_file[{other->path, other->face}].AddChar(static_cast<ImWchar>(c));
    }
    const auto load = [&](const FontFile& file, const ImWchar* ranges, bool merge) {
        const auto [it, is_new] =
            line_heights_.try_emplace(fmt::format("{}#{}", file.path, file.face), 1.2f);
        if (is_new) it->second = line_height(file).value_or(1.2f);
        ImFontConfig config;
        config.FontNo = file.face;
        config.MergeMode = merge;
        config.OversampleH = 1;
        config.PixelSnapH = false;
        const float size = em * it->second;
        if (!merge) pixels_[index] = size;
        const std::string& data = bytes(file);
        if (data.empty()) return static_cast<ImFont*>(nullptr); // gone since it was found
        return shim::add_font(atlas, data, size, config, ranges);
    };
    ranges_.emplace_back();
    own.BuildRanges(&ranges_.back());
    fonts_[index] = load(primary, ranges_.back().Data, false);
    for (auto& [key, builder] : by_file) {
        ranges_.emplace_back();
        builder.BuildRanges(&ranges_.back());
        load({key.first, key.second}, ranges_.back().Data, true);
    }
    if (fonts_[index] == nullptr) { // the file went away since it was found
        fonts_[index] = atlas.AddFontDefault();
        pixels_[index] = shim::pixels_of(fonts_[index]);
    }
}

void Fonts::draw_stand_ins(float pixels_a_point) {
    std::vector<figure::Bitmap> bitmaps;
    std::vector<shim::DrawnGlyph> glyphs;
    for (std::size_t i = 0; i < static_cast<std::size_t>(FieldFont::count); ++i) {
        for (const auto& [stand_in, text] : stand_ins_) {
            const figure::TextStyle style{kSizes[i]};
            bitmaps.push_back(label_bitmap(text, style, pixels_a_point));
            const figure::Bitmap& b = bitmaps.back();
            if (b.rgba.empty()) continue;
            glyphs.push_back({fonts_[i], static_cast<ImWchar>(stand_in), b.width, b.height,
                              b.origin_x, b.origin_y,
                              figure::measure(text, style).width * pixels_a_point, b.coloured,
                              b.rgba.data()});
        }
    }
    if (!glyphs.empty()) shim::build_with(*ImGui::GetIO().Fonts, glyphs);
}

void Fonts::build(float pixels_a_point) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    ranges_.clear();
    ranges_.reserve(256); // ImGui keeps the pointers
    without_font_.clear();
    shim::use_freetype(atlas);
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
    for (std::size_t i = 0; i < static_cast<std::size_t>(FieldFont::count); ++i) {
        if (sans_ && mono_) {
            add(static_cast<FieldFont>(i), pixels_a_point);
        } else {
            ImFontConfig config;
            config.SizePixels = pixels_[i] = std::round(kSizes[i] * pixels_a_point);
            fonts_[i] = atlas.AddFontDefault(&config);
        }
    }
    ImGui::GetIO().FontDefault = fonts_[0];
    if (!stand_ins_.empty()) draw_stand_ins(pixels_a_point);
    stale_ = false;
    built_for_ = pixels_a_point;
}

} // namespace heed::ui
