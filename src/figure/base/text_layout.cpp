#include "figure/base/text_layout.hpp"

#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "figure/base/script.hpp"

#include <pango/pangocairo.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace heed::figure {

/// Not in the namespace below: TextLayout::State, which is not in it either, owns an object so.
struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
};

namespace {

struct FreeDescription {
    void operator()(PangoFontDescription* d) const { pango_font_description_free(d); }
};
template <class T> using Ref = std::unique_ptr<T, Unref>;
using Description = std::unique_ptr<PangoFontDescription, FreeDescription>;

// In order of liking; fontconfig's own alias stands last and exists everywhere.
constexpr const char* kSans = "Inter, Noto Sans, DejaVu Sans, sans-serif";
constexpr const char* kMono = "JetBrains Mono, DejaVu Sans Mono, monospace";

Description describe(const TextStyle& style) {
    Description result(pango_font_description_new());
    pango_font_description_set_family_static(result.get(),
                                             style.font == Font::mono ? kMono : kSans);
    // Absolute: a point of a figure is one unit of the canvas, whatever the screen's resolution.
    pango_font_description_set_absolute_size(result.get(), style.size * PANGO_SCALE);
    pango_font_description_set_weight(result.get(), style.weight == Weight::bold
                                                        ? static_cast<PangoWeight>(kBoldWeight)
                                                        : PANGO_WEIGHT_NORMAL);
    return result;
}

std::mutex fonts_used, fonts_next; // fonts_next: the queue's head waits with it for fonts_used
thread_local int uses_of_fonts = 0;

PangoContext* new_context() {
    const Ref<PangoFontMap> fonts(pango_cairo_font_map_new());
    PangoContext* context = pango_font_map_create_context(fonts.get());
    // Advances that depend on the size in pixels would make screen and file differ.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    return context;
}

/// The fonts of all threads, of whoever holds FontsInUse. Some threads outlive the program's end.
PangoContext* context() {
    static PangoContext* const fonts = new_context();
    return fonts;
}

/// The language that decides between the national forms of Han characters; null for text that has
/// none of them.
const char* han_language(std::string_view text) {
    switch (han_forms(text)) {
    case Han::chinese: return "zh-cn";
    case Han::japanese: return "ja";
    case Han::korean: return "ko";
    case Han::none: break;
    }
    return nullptr;
}

/// One line of valid UTF-8 whose controls (tab, line break) take no part in layout.
std::string one_line(const std::string& text) {
    std::string line = base::is_valid_utf8(text) ? text : base::to_valid_utf8(text);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    return line;
}

/// Draws each minus as the dash of its face, where that is wider and takes the same place: there
/// are faces of equal widths in which a minus is no wider than a hyphen.
void widen_minus(PangoLayout* layout) {
    const Ref<PangoLayout> both(pango_layout_copy(layout));
    pango_layout_set_text(both.get(), "−–", -1);
    const auto* run =
        static_cast<PangoLayoutRun*>(pango_layout_get_line_readonly(both.get(), 0)->runs->data);
    if (run->glyphs->num_glyphs != 2) return;
    PangoFont* font = run->item->analysis.font;
    const PangoGlyph minus = run->glyphs->glyphs[0].glyph, dash = run->glyphs->glyphs[1].glyph;
    PangoRectangle ink_of_minus, place_of_minus, ink_of_dash, place_of_dash;
    pango_font_get_glyph_extents(font, minus, &ink_of_minus, &place_of_minus);
    pango_font_get_glyph_extents(font, dash, &ink_of_dash, &place_of_dash);
    const bool same_place = place_of_minus.width == place_of_dash.width;
    if (!same_place || ink_of_dash.width <= ink_of_minus.width) return;
    const PangoLayoutLine* line = pango_layout_get_line(layout, 0);
    for (const GSList* at = line->runs; at != nullptr; at = at->next) {
        const auto* own = static_cast<PangoLayoutRun*>(at->data);
        if (own->item->analysis.font != font) continue;
        for (int i = 0; i < own->glyphs->num_glyphs; ++i) {
            PangoGlyph& glyph = own->glyphs->glyphs[i].glyph;
            if (glyph == minus) glyph = dash;
        }
    }
}

} // namespace

FontsInUse::FontsInUse() {
    if (uses_of_fonts++ > 0) return;
    const std::lock_guard head(fonts_next);
    fonts_used.lock();
}
FontsInUse::~FontsInUse() {
    if (--uses_of_fonts == 0) fonts_used.unlock();
}

struct TextLayout::State {
    Ref<PangoLayout> layout;
    float ascent = 0, descent = 0;

    ~State() {
        const FontsInUse held;
        layout.reset();
    }
};

TextLayout::TextLayout(const std::string& text, const TextStyle& style)
    : state_(std::make_unique<State>()) {
    const FontsInUse held;
    state_->layout.reset(pango_layout_new(context()));
    PangoLayout* layout = state_->layout.get();
    const std::string letters = one_line(text), line = isolated(letters);
    const Description description = describe(style);
    pango_layout_set_font_description(layout, description.get());
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    // By its first letter, unless the words are ours: these are read from left to right.
    pango_layout_set_auto_dir(layout, is_right_to_left(letters) ? TRUE : FALSE);
    pango_layout_set_text(layout, line.data(), static_cast<int>(line.size()));
    PangoAttrList* attributes = pango_attr_list_new();
    if (const char* language = han_language(line)) {
        pango_attr_list_insert(attributes,
                               pango_attr_language_new(pango_language_from_string(language)));
    }
    for (const std::size_t at : lone_i(line)) { // else read as a bar; Inter has one with serifs
        PangoAttribute* serifs = pango_attr_font_features_new("cv08=1");
        serifs->start_index = static_cast<guint>(at);
        serifs->end_index = serifs->start_index + 1;
        pango_attr_list_insert(attributes, serifs);
    }
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
    if (style.font == Font::mono && line.find("−") != std::string::npos) widen_minus(layout);
    const Ref<PangoFont> font(pango_context_load_font(context(), description.get()));
    PangoFontMetrics* metrics = font ? pango_font_get_metrics(font.get(), nullptr) : nullptr;
    if (metrics != nullptr) {
        state_->ascent = static_cast<float>(pango_font_metrics_get_ascent(metrics)) / PANGO_SCALE;
        state_->descent = static_cast<float>(pango_font_metrics_get_descent(metrics)) / PANGO_SCALE;
        pango_font_metrics_unref(metrics);
    }
    if (!(state_->ascent > 0)) {
        state_->ascent = 0.95f * style.size;
        state_->descent = 0.25f * style.size;
    }
}

TextLayout::~TextLayout() = default;
TextLayout::TextLayout(TextLayout&&) noexcept = default;
TextLayout& TextLayout::operator=(TextLayout&&) noexcept = default;

Extent TextLayout::extent() const {
    const FontsInUse held;
    PangoRectangle logical;
    PangoLayoutLine* line = pango_layout_get_line_readonly(state_->layout.get(), 0);
    pango_layout_line_get_extents(line, nullptr, &logical);
    return {static_cast<float>(logical.width) / PANGO_SCALE, state_->ascent, state_->descent};
}

std::u32string TextLayout::missing_characters() const {
    const FontsInUse held;
    std::u32string missing;
    const PangoLayoutLine* line = pango_layout_get_line_readonly(state_->layout.get(), 0);
    for (const GSList* run = line->runs; run != nullptr; run = run->next) {
        const PangoGlyphString* glyphs = static_cast<PangoLayoutRun*>(run->data)->glyphs;
        for (int i = 0; i < glyphs->num_glyphs; ++i) {
            // In place of a glyph stands the character that has none, marked by one bit.
            const PangoGlyph glyph = glyphs->glyphs[i].glyph;
            if ((glyph & PANGO_GLYPH_UNKNOWN_FLAG) == 0) continue;
            missing += static_cast<char32_t>(glyph & ~PANGO_GLYPH_UNKNOWN_FLAG);
        }
    }
    return missing;
}

void TextLayout::show(cairo_t* canvas) const {
    const FontsInUse held;
    // A line's own origin is its baseline; a layout's is its top.
    cairo_move_to(canvas, 0, 0);
    pango_cairo_show_layout_line(canvas, pango_layout_get_line_readonly(state_->layout.get(), 0));
}

std::u32string missing_characters(std::string_view text) {
    constexpr std::size_t kAtOnce = 16; // in between, the window's thread comes to its letters
    thread_local std::unordered_map<char32_t, bool> has_glyph; // of those that were asked about
    std::u32string characters; // each once
    std::unordered_set<char32_t> seen;
    std::u32string unknown;
    for (std::size_t at = 0; at < text.size();) {
        const auto [c, length, valid] = base::decode_utf8(text, at);
        at += length;
        if (c < 0x20 || (c >= 0x7f && c < 0xa0) || !seen.insert(c).second) continue;
        characters += c;
        if (has_glyph.try_emplace(c, true).second) unknown += c;
    }
    for (std::size_t at = 0; at < unknown.size(); at += kAtOnce) {
        std::string line;
        for (const char32_t c : unknown.substr(at, kAtOnce)) {
            base::append_utf8(line, c);
            line += ' '; // alone: what stands beside a character must not decide about its glyph
        }
        for (const char32_t c : TextLayout(line, {}).missing_characters()) has_glyph[c] = false;
    }
    std::erase_if(characters, [&](char32_t c) { return has_glyph[c]; });
    return characters;
}

std::size_t next_break(std::string_view text, std::size_t from) {
    for (std::size_t space = text.find(' ', from); space != std::string_view::npos;
         space = text.find(' ', space + 1)) {
        const std::string_view before = text.substr(0, space), behind = text.substr(space + 1);
        const auto ends = [&](std::string_view sign) { return before.ends_with(sign); };
        if (behind.starts_with('%') || behind.starts_with("(±")) continue;
        if (behind.starts_with("· ")) continue; // it ends a line, and begins none
        if (!ends(">") && !ends("<") && !ends("±") && !ends("±:")) return space;
    }
    return std::string_view::npos;
}

namespace {

struct StyledText {
    std::string text;
    TextStyle style;
    bool operator==(const StyledText&) const = default;
};
struct HashStyledText {
    std::size_t operator()(const StyledText& key) const {
        const auto bits = std::bit_cast<std::uint32_t>(key.style.size);
        const auto rest = static_cast<std::uint64_t>(key.style.font) << 1 |
                          static_cast<std::uint64_t>(key.style.weight);
        return base::mix(base::hash_bytes(key.text) ^ base::mix(bits | rest << 32));
    }
};

} // namespace

Extent measure(const std::string& text, const TextStyle& style) {
    constexpr std::size_t kRemembered = 16384;
    thread_local std::unordered_map<StyledText, Extent, HashStyledText> extents;
    StyledText key{text, style};
    if (const auto found = extents.find(key); found != extents.end()) return found->second;
    if (extents.size() >= kRemembered) extents.clear();
    const Extent extent = TextLayout(text, style).extent();
    extents.emplace(std::move(key), extent);
    return extent;
}

Point baseline_offset(const Extent& extent, AlignX align_x, AlignY align_y) {
    Point offset;
    switch (align_x) {
    case AlignX::left: break;
    case AlignX::centre: offset.x = -extent.width / 2; break;
    case AlignX::right: offset.x = -extent.width; break;
    }
    switch (align_y) {
    case AlignY::top: offset.y = extent.ascent; break;
    case AlignY::middle: offset.y = (extent.ascent - extent.descent) / 2; break;
    case AlignY::baseline: break;
    case AlignY::bottom: offset.y = -extent.descent; break;
    }
    return offset;
}

namespace {

/// The box of a text's ink, in pixels from the baseline's left end.
struct InkBounds {
    double left = 0, top = 0, right = 0, bottom = 0;
};

/// Letters may reach beyond their line (marks above capitals, tall scripts): the text is recorded
/// first, and its ink decides the size.
InkBounds ink_bounds(const TextLayout& layout, float scale) {
    cairo_surface_t* record = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr);
    cairo_t* canvas = cairo_create(record);
    cairo_scale(canvas, scale, scale);
    layout.show(canvas);
    double x = 0, y = 0, width = 0, height = 0;
    cairo_recording_surface_ink_extents(record, &x, &y, &width, &height);
    cairo_destroy(canvas);
    cairo_surface_destroy(record);
    if (!(width > 0 && height > 0)) {
        width = layout.extent().width * scale;
        height = 1;
    }
    constexpr double kMargin = 1; // for the soft edge of antialiasing
    return {std::floor(x - kMargin), std::floor(y - kMargin), std::ceil(x + width + kMargin),
            std::ceil(y + height + kMargin)};
}

/// The mean of four pixels in each of their channels.
std::uint32_t mean_of_four(const std::uint32_t* pixels) {
    constexpr std::uint32_t kEven = 0x00ff00ff, kHalf = 0x00020002;
    std::uint32_t even = kHalf, odd = kHalf;
    for (int i = 0; i < 4; ++i) {
        even += pixels[i] & kEven;
        odd += pixels[i] >> 8 & kEven;
    }
    return (even >> 2 & kEven) | (odd >> 2 & kEven) << 8;
}

/// The pixels of a text: those of its bitmap, or four beside each other for one of them.
class InkSurface {
  public:
    static constexpr int kLargest = 32767; // Cairo's
    InkSurface(const TextLayout& layout, float scale, const InkBounds& bounds, bool in_fours)
        : layout_(layout), scale_(scale), bounds_(bounds), across_(in_fours ? 4 : 1),
          width_(static_cast<int>(bounds.right - bounds.left)),
          height_(static_cast<int>(bounds.bottom - bounds.top)),
          surface_(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width_ * across_, height_)) {}
    ~InkSurface() { cairo_surface_destroy(surface_); }
    InkSurface(const InkSurface&) = delete;
    InkSurface& operator=(const InkSurface&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    bool is_good() const { return cairo_surface_status(surface_) == CAIRO_STATUS_SUCCESS; }

    /// Draws in place of what was drawn before.
    void draw(Color ink) {
        cairo_t* target = cairo_create(surface_);
        cairo_set_operator(target, CAIRO_OPERATOR_CLEAR);
        cairo_paint(target);
        cairo_set_operator(target, CAIRO_OPERATOR_OVER);
        cairo_set_source_rgba(target, ink.r / 255.0, ink.g / 255.0, ink.b / 255.0, ink.a / 255.0);
        cairo_translate(target, -bounds_.left * across_, -bounds_.top);
        cairo_scale(target, static_cast<double>(scale_) * across_, scale_);
        layout_.show(target);
        cairo_destroy(target);
        cairo_surface_flush(surface_);
    }
    /// One pixel, blue, green, red and alpha within 32 bits: the mean of those that share it.
    std::uint32_t pixel(int x, int y) const {
        return across_ == 1 ? row(y)[x] : mean_of_four(row(y) + std::ptrdiff_t{4} * x);
    }

    /// Once drawn in white: its ink leaves equal channels, so whatever differs was brought by the
    /// font.
    bool has_colours() const {
        for (int y = 0; y < height_; ++y) {
            const std::uint32_t* pixels = row(y);
            for (int x = 0; x < width_ * across_; ++x) {
                if ((pixels[x] & 0xffffffu) != (pixels[x] >> 24) * 0x010101u) return true;
            }
        }
        return false;
    }

  private:
    const std::uint32_t* row(int y) const {
        const unsigned char* data = cairo_image_surface_get_data(surface_);
        const auto stride = static_cast<std::ptrdiff_t>(cairo_image_surface_get_stride(surface_));
        return reinterpret_cast<const std::uint32_t*>(data + y * stride); // rows begin at 4 bytes
    }

    const TextLayout& layout_;
    float scale_;
    InkBounds bounds_;
    int across_, width_, height_; // of the bitmap the latter two
    cairo_surface_t* surface_;
};

/// White with coverage as alpha where the text has no colours of its own.
std::vector<std::uint8_t> rgba_of(const InkSurface& surface, bool coloured) {
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(surface.width()) *
                                   static_cast<std::size_t>(surface.height()) * 4);
    std::uint8_t* to = rgba.data();
    for (int y = 0; y < surface.height(); ++y) {
        for (int x = 0; x < surface.width(); ++x, to += 4) {
            const std::uint32_t pixel = surface.pixel(x, y);
            const std::uint32_t p = coloured ? pixel : pixel | 0xffffffu;
            to[0] = static_cast<std::uint8_t>(p >> 16);
            to[1] = static_cast<std::uint8_t>(p >> 8);
            to[2] = static_cast<std::uint8_t>(p);
            to[3] = static_cast<std::uint8_t>(p >> 24);
        }
    }
    return rgba;
}

} // namespace

Bitmap rasterize(const std::string& text, const TextStyle& style, float scale, Color ink) {
    Bitmap bitmap;
    if (!(scale > 0)) return bitmap;
    const FontsInUse held;
    const TextLayout layout(text, style);
    const InkBounds bounds = ink_bounds(layout, scale);
    const double width = bounds.right - bounds.left;
    if (std::max(width, bounds.bottom - bounds.top) > InkSurface::kLargest) return bitmap;
    // Cairo may put each letter on a whole pixel, which is uneven where pixels are large.
    constexpr float kFine = 2;
    InkSurface surface(layout, scale, bounds, scale < kFine && 4 * width <= InkSurface::kLargest);
    surface.draw({255, 255, 255, 255});
    if (!surface.is_good()) return bitmap;
    bitmap.width = surface.width();
    bitmap.height = surface.height();
    bitmap.origin_x = static_cast<float>(-bounds.left);
    bitmap.origin_y = static_cast<float>(-bounds.top);
    bitmap.coloured = surface.has_colours();
    if (bitmap.coloured) surface.draw(ink);
    bitmap.rgba = rgba_of(surface, bitmap.coloured);
    return bitmap;
}

std::string family(Font font) {
    const FontsInUse held;
    const Description description = describe({12, font, Weight::regular});
    const Ref<PangoFont> loaded(pango_context_load_font(context(), description.get()));
    if (loaded) {
        const Description found(pango_font_describe(loaded.get()));
        if (const char* name = pango_font_description_get_family(found.get())) return name;
    }
    return font == Font::mono ? "monospace" : "sans-serif";
}

} // namespace heed::figure
