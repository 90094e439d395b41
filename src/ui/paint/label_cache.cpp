#include "ui/paint/label_cache.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <bit>

namespace heed::ui {

namespace {

// Of pages, in pixels; a sentence can be as wide as a large screen.
constexpr int kUsualWidth = 2048, kMostWidth = 8192, kPageHeight = 512;
constexpr int kMostPixels = 1 << 24; // 64 MiB
constexpr int kMargin = 1; // transparent pixels around a label: a turned one shows nothing beside

/// A coloured bitmap comes premultiplied.
void straighten(std::vector<std::uint8_t>& rgba) {
    for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
        const unsigned alpha = rgba[i + 3];
        if (alpha == 0 || alpha == 255) continue;
        for (std::size_t c = 0; c < 3; ++c) {
            rgba[i + c] =
                static_cast<std::uint8_t>(std::min(255u, (rgba[i + c] * 255u + alpha / 2) / alpha));
        }
    }
}

} // namespace

figure::Bitmap label_bitmap(const std::string& text, const figure::TextStyle& style, float scale,
                            figure::Color ink) {
    figure::Bitmap bitmap = figure::rasterize(text, style, scale, ink);
    if (bitmap.coloured) straighten(bitmap.rgba);
    return bitmap;
}

std::size_t LabelCache::KeyHash::operator()(const Key& key) const {
    const std::uint64_t style = std::bit_cast<std::uint32_t>(key.style.size) * 4ull +
                                static_cast<unsigned>(key.style.font) * 2ull +
                                static_cast<unsigned>(key.style.weight);
    const std::uint64_t scale = std::bit_cast<std::uint32_t>(key.scale);
    const figure::Color none{0, 0, 0, 0};
    const figure::Color c = key.ink.value_or(none);
    const std::uint64_t ink = c.r | c.g << 8 | c.b << 16 | c.a << 24;
    return base::hash_bytes(key.text, base::mix(style ^ (scale << 32) ^ base::mix(ink)));
}

LabelCache::~LabelCache() {
    for (const Page& page : pages_) renderer_.delete_texture(page.texture);
}

void LabelCache::begin_frame() {
    // Numbers typed and gone, sentences edited away: measured labels alone must not grow for ever.
    if (!full_ && labels_.size() < 20000) return;
    labels_.clear();
    for (const Page& page : pages_) renderer_.delete_texture(page.texture);
    pages_.clear();
    full_ = false;
}

bool LabelCache::place(int width, int height, Page*& page, int& x, int& y) {
    if (width > kMostWidth || height > kPageHeight) return false;
    int pixels = 0;
    for (Page& p : pages_) {
        pixels += p.width * kPageHeight;
        if (width > p.width) continue;
        if (p.x + width > p.width) { // the shelf is full: open one below
            if (p.y + p.shelf + height > kPageHeight) continue;
            p.y += p.shelf;
            p.x = 0;
            p.shelf = 0;
        }
        if (p.y + height > kPageHeight) continue;
        page = &p;
        x = p.x;
        y = p.y;
        p.x += width;
        p.shelf = std::max(p.shelf, height);
        return true;
    }
    const int page_width = width > kUsualWidth ? kMostWidth : kUsualWidth;
    if (pixels + page_width * kPageHeight > kMostPixels) {
        full_ = true;
        return false;
    }
    pages_.push_back({renderer_.make_texture(page_width, kPageHeight), page_width});
    return place(width, height, page, x, y);
}

void LabelCache::draw(Label& label, const figure::Bitmap& bitmap) {
    Page* page = nullptr;
    int x = 0, y = 0;
    const int width = bitmap.width + 2 * kMargin, height = bitmap.height + 2 * kMargin;
    if (bitmap.width <= 0 || bitmap.height <= 0 || !place(width, height, page, x, y)) return;
    std::vector<std::uint8_t> framed(std::size_t{4} * static_cast<std::size_t>(width * height));
    for (int row = 0; row < bitmap.height; ++row) {
        std::copy_n(bitmap.rgba.data() + 4 * row * bitmap.width, 4 * bitmap.width,
                    framed.data() + 4 * ((row + kMargin) * width + kMargin));
    }
    renderer_.update_texture(page->texture, x, y, width, height, framed.data());
    x += kMargin;
    y += kMargin;
    const auto across = static_cast<float>(page->width);
    constexpr float down = kPageHeight;
    label.page = page->texture;
    label.u0 = static_cast<float>(x) / across;
    label.v0 = static_cast<float>(y) / down;
    label.u1 = static_cast<float>(x + bitmap.width) / across;
    label.v1 = static_cast<float>(y + bitmap.height) / down;
    label.width = bitmap.width;
    label.height = bitmap.height;
    label.origin_x = bitmap.origin_x;
    label.origin_y = bitmap.origin_y;
}

Label& LabelCache::measured(const std::string& text, const figure::TextStyle& style, float scale) {
    const auto [it, is_new] = labels_.try_emplace(Key{text, style, scale});
    if (is_new) it->second.extent = figure::measure(text, style);
    return it->second;
}

const Label& LabelCache::get(const std::string& text, const figure::TextStyle& style, float scale,
                             figure::Color ink) {
    ink.a = 255; // how solid a label is, is said where it is drawn
    Label& label = measured(text, style, scale);
    if (!label.drawn) {
        label.drawn = true;
        const figure::Bitmap bitmap = label_bitmap(text, style, scale);
        label.coloured = bitmap.coloured;
        if (!label.coloured) draw(label, bitmap);
    }
    if (!label.coloured) return label;
    const auto [own, is_new_ink] = labels_.try_emplace(Key{text, style, scale, ink});
    Label& inked = own->second;
    if (is_new_ink) {
        inked.extent = label.extent;
        inked.coloured = inked.drawn = true;
        draw(inked, label_bitmap(text, style, scale, ink));
    }
    return inked;
}

} // namespace heed::ui
