// Words from a person's sentence as small textures, shaped by Pango: any script, emoji, rotation,
// the same measures as in an exported figure. Labels lie in shelves of a few pages.
#pragma once

#include "figure/base/text_layout.hpp"
#include "ui/paint/renderer.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed::ui {

struct Label {
    figure::Extent extent{}; // points
    unsigned page = 0;       // texture; 0 when there is nothing to draw
    float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
    int width = 0, height = 0;        // pixels
    float origin_x = 0, origin_y = 0; // of the baseline's left end, pixels into the bitmap
    bool drawn = false;               // else only its extent is known
    bool coloured = false; // brings its own colours (an emoji), its letters the ink they are in
};

/// A label's pixels with straight alpha, as ImGui and the renderer blend it; `ink` as of
/// rasterize().
figure::Bitmap label_bitmap(const std::string& text, const figure::TextStyle& style, float scale,
                            figure::Color ink = {255, 255, 255});

class LabelCache {
  public:
    explicit LabelCache(Renderer& renderer) : renderer_(renderer) {}
    ~LabelCache();
    LabelCache(const LabelCache&) = delete;
    LabelCache& operator=(const LabelCache&) = delete;

    /// Empties the pages when they filled up in the last frame: call before anything is drawn,
    /// because draw lists hold places in them.
    void begin_frame();
    /// `scale`: pixels a point. `ink` is for letters beside an emoji, whose bitmap cannot be
    /// tinted; all other labels are white, and one for every ink. The reference holds until
    /// begin_frame.
    const Label& get(const std::string& text, const figure::TextStyle& style, float scale,
                     figure::Color ink = {255, 255, 255});
    /// Width, in points, of what may never be drawn, such as the beginnings of a broken line.
    float width(const std::string& text, const figure::TextStyle& style, float scale) {
        return measured(text, style, scale).extent.width;
    }
    std::size_t size() const { return labels_.size(); }

  private:
    struct Key {
        std::string text;
        figure::TextStyle style;
        float scale;
        std::optional<figure::Color> ink{}; // of a coloured label
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct Page {
        unsigned texture;
        int width;
        int x = 0, y = 0, shelf = 0; // the open shelf: its next free place and its height
    };
    Label& measured(const std::string& text, const figure::TextStyle& style, float scale);
    void draw(Label& label, const figure::Bitmap& bitmap);
    bool place(int width, int height, Page*& page, int& x, int& y);

    Renderer& renderer_;
    std::unordered_map<Key, Label, KeyHash> labels_;
    std::vector<Page> pages_;
    bool full_ = false;
};

} // namespace heed::ui
