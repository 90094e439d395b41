#include "ui/paint/label_cache.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <bit>

namespace heed::ui {

namespace {

constexpr int kPageWidth = 8192, kPageHeight = 512; // a sentence is as wide as a large screen
constexpr std::size_t kMaxPages = 4; // 64 MiB; a sentence of 2 000 different tokens takes one
constexpr int kGap = 1;              // pixels between labels, so that none bleeds into another

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
    if (width + kGap > kPageWidth || height + kGap > kPageHeight) return false;
    for (Page& p : pages_) {
        if (p.x + width + kGap > kPageWidth) { // the shelf is full: open one below
            if (p.y + p.shelf + height + kGap > kPageHeight) continue;
            p.y += p.shelf;
            p.x = 0;
            p.shelf = 0;
        }
        if (p.y + height + kGap > kPageHeight) continue;
        page = &p;
        x = p.x;
        y = p.y;
        p.x += width + kGap;
        p.shelf = std::max(p.shelf, height + kGap);
        return true;
    }
    if (pages_.size() == kMaxPages) {
        full_ = true;
        return false;
    }
    pages_.push_back({renderer_.make_texture(kPageWidth, kPageHeight)});
    return place(width, height, page, x, y);
}

void LabelCache::draw(Label& label, const figure::Bitmap& bitmap) {
    Page* page = nullptr;
    int x = 0, y = 0;
    if (bitmap.width <= 0 || bitmap.height <= 0 ||
        !place(bitmap.width, bitmap.height, page, x, y)) {
        return;
    }
    renderer_.update_texture(page->texture, x, y, bitmap.width, bitmap.height, bitmap.rgba.data());
    constexpr float across = kPageWidth, down = kPageHeight;
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
