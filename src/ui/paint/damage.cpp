#include "ui/paint/damage.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace heed::ui {

namespace {

constexpr int kTile = 32;              // pixels
constexpr std::size_t kMostBoxes = 16; // each takes its own commands

PixelBox common(const PixelBox& a, const PixelBox& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
            std::min(a.bottom, b.bottom)};
}

PixelBox around(const PixelBox& a, const PixelBox& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

long area(const PixelBox& b) {
    return static_cast<long>(b.right - b.left) * static_cast<long>(b.bottom - b.top);
}

/// ImGui's coordinates and the frame's pixels.
struct Pixels {
    explicit Pixels(const ImDrawData& data)
        : origin(data.DisplayPos), scale(data.FramebufferScale),
          width(static_cast<int>(data.DisplaySize.x * scale.x)),
          height(static_cast<int>(data.DisplaySize.y * scale.y)) {}

    /// The pixels that the renderer's scissor leaves of a clip box: it cuts off fractions, and
    /// counts rows from below.
    PixelBox scissor(const ImVec4& clip) const {
        const float left = std::max((clip.x - origin.x) * scale.x, 0.0f);
        const float top = std::max((clip.y - origin.y) * scale.y, 0.0f);
        const float right = std::min((clip.z - origin.x) * scale.x, static_cast<float>(width));
        const float bottom = std::min((clip.w - origin.y) * scale.y, static_cast<float>(height));
        if (!(right > left && bottom > top)) return {};
        const int x = static_cast<int>(left);
        const int end = height - static_cast<int>(static_cast<float>(height) - bottom);
        return {x, end - static_cast<int>(bottom - top), x + static_cast<int>(right - left), end};
    }
    /// Every pixel that a shape between these corners can touch, inside `clip`.
    PixelBox touched(ImVec2 low, ImVec2 high, const PixelBox& clip) const {
        const auto within = [](float place, int least, int most) {
            return static_cast<int>(
                std::clamp(place, static_cast<float>(least), static_cast<float>(most)));
        };
        return {within(std::floor((low.x - origin.x) * scale.x), clip.left, clip.right),
                within(std::floor((low.y - origin.y) * scale.y), clip.top, clip.bottom),
                within(std::ceil((high.x - origin.x) * scale.x), clip.left, clip.right),
                within(std::ceil((high.y - origin.y) * scale.y), clip.top, clip.bottom)};
    }
    /// Pixels that a triangle touches; empty where it fills nothing.
    PixelBox touched(ImVec2 a, ImVec2 b, ImVec2 c, const PixelBox& clip) const {
        const ImVec2 low(std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}));
        const ImVec2 high(std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}));
        if (!(high.x > low.x && high.y > low.y)) return {};
        return touched(low, high, clip);
    }
    ImVec4 clip_of(const PixelBox& b) const {
        return {static_cast<float>(b.left) / scale.x + origin.x,
                static_cast<float>(b.top) / scale.y + origin.y,
                static_cast<float>(b.right) / scale.x + origin.x,
                static_cast<float>(b.bottom) / scale.y + origin.y};
    }

    ImVec2 origin, scale;
    int width, height;
};

/// Drawings on each tile of a frame, in the order in which they are drawn.
class Tiles {
  public:
    Tiles(const Pixels& pixels, std::uint64_t seed)
        : pixels_(pixels), columns_((pixels.width + kTile - 1) / kTile),
          rows_((pixels.height + kTile - 1) / kTile),
          hashes_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), seed) {}

    void note(const ImDrawList& list, const Damage::Look& look) {
        hash_vertices(list);
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const PixelBox clip = pixels_.scissor(command.ClipRect);
            if (clip.empty()) continue;
            const std::uint64_t cut =
                base::mix(place(clip.left, clip.top)) ^ base::mix(~place(clip.right, clip.bottom));
            if (command.UserCallback == nullptr) {
                triangles(list, command, clip, base::mix(cut ^ shim::texture_key(command)));
            } else if (const auto drawing = look(command)) {
                const figure::Box& b = drawing->box;
                add(pixels_.touched({b.x, b.y}, {b.x + b.w, b.y + b.h}, clip),
                    base::mix(cut ^ drawing->hash));
            }
        }
    }

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    std::vector<std::uint64_t>& hashes() { return hashes_; }

  private:
    static std::uint64_t place(int x, int y) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 |
               static_cast<std::uint32_t>(y);
    }

    void hash_vertices(const ImDrawList& list) {
        vertices_.resize(static_cast<std::size_t>(list.VtxBuffer.Size));
        for (int i = 0; i < list.VtxBuffer.Size; ++i) {
            const ImDrawVert& v = list.VtxBuffer[i];
            std::uint64_t at = 0, texel = 0;
            std::memcpy(&at, &v.pos, sizeof at);
            std::memcpy(&texel, &v.uv, sizeof texel);
            vertices_[static_cast<std::size_t>(i)] =
                base::mix(at ^ base::mix(texel ^ (std::uint64_t{v.col} << 17)));
        }
    }

    void triangles(const ImDrawList& list, const ImDrawCmd& command, const PixelBox& clip,
                   std::uint64_t seed) {
        const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount; i += 3, index += 3) {
            const std::size_t a = command.VtxOffset + index[0], b = command.VtxOffset + index[1],
                              c = command.VtxOffset + index[2];
            const ImDrawVert* v = list.VtxBuffer.Data;
            add(pixels_.touched(v[a].pos, v[b].pos, v[c].pos, clip),
                seed + vertices_[a] + 3 * vertices_[b] + 5 * vertices_[c]);
        }
    }

    void add(const PixelBox& box, std::uint64_t hash) {
        if (box.empty()) return;
        for (int y = box.top / kTile; y <= (box.bottom - 1) / kTile; ++y) {
            std::uint64_t* row = hashes_.data() + static_cast<std::ptrdiff_t>(y) * columns_;
            for (int x = box.left / kTile; x <= (box.right - 1) / kTile; ++x) {
                row[x] = (std::rotl(row[x], 5) ^ hash) * 0x9fb21c651e98df25ull;
            }
        }
    }

    const Pixels& pixels_;
    int columns_, rows_;
    std::vector<std::uint64_t> hashes_, vertices_;
};

/// Joins those whose union adds the fewest pixels, until there are few.
void join(std::vector<PixelBox>& boxes) {
    const auto absorb = [&](std::size_t into) { // none may overlap another
        for (std::size_t i = 0; i < boxes.size();) {
            if (i == into || common(boxes[i], boxes[into]).empty()) {
                ++i;
                continue;
            }
            boxes[into] = around(boxes[into], boxes[i]);
            boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i));
            if (i < into) --into;
            i = 0;
        }
    };
    while (boxes.size() > kMostBoxes) {
        std::size_t best_a = 0, best_b = 1;
        long least = std::numeric_limits<long>::max();
        for (std::size_t a = 0; a < boxes.size(); ++a) {
            for (std::size_t b = a + 1; b < boxes.size(); ++b) {
                const long added =
                    area(around(boxes[a], boxes[b])) - area(boxes[a]) - area(boxes[b]);
                if (added >= least) continue;
                least = added;
                best_a = a;
                best_b = b;
            }
        }
        boxes[best_a] = around(boxes[best_a], boxes[best_b]);
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(best_b));
        absorb(best_a);
    }
}

/// Boxes over all tiles that differ: runs of a row of tiles, joined with equal ones above.
std::vector<PixelBox> changed_boxes(Tiles& now, const std::vector<std::uint64_t>& before,
                                    const PixelBox& frame) {
    constexpr std::size_t kScattered = 64; // so many are one
    std::vector<PixelBox> boxes;
    for (int y = 0; y < now.rows(); ++y) {
        const auto differs = [&](int x) {
            const auto i = static_cast<std::size_t>(y * now.columns() + x);
            return now.hashes()[i] != before[i];
        };
        for (int x = 0; x < now.columns(); ++x) {
            if (!differs(x)) continue;
            const int begin = x;
            while (x < now.columns() && differs(x)) ++x;
            const PixelBox run{begin * kTile, y * kTile, x * kTile, (y + 1) * kTile};
            const auto above = std::find_if(boxes.begin(), boxes.end(), [&](const PixelBox& b) {
                return b.left == run.left && b.right == run.right && b.bottom == run.top;
            });
            if (above == boxes.end()) {
                boxes.push_back(run);
            } else {
                above->bottom = run.bottom;
            }
        }
    }
    if (boxes.size() > kScattered) {
        PixelBox all = boxes.front();
        for (const PixelBox& b : boxes) all = around(all, b);
        boxes = {all};
    }
    join(boxes);
    for (PixelBox& b : boxes) b = common(b, frame);
    return boxes;
}

/// Leaves of a list what lies in the boxes: every command once for each that it has a part in, with
/// the triangles that touch it. A state that callbacks leave behind is set right only where
/// triangles follow: each takes a card, or what stands for one, its time.
class Cutter {
  public:
    Cutter(const Pixels& pixels, const std::vector<PixelBox>& boxes)
        : pixels_(pixels), boxes_(boxes), touching_(boxes.size()) {}

    void cut(ImDrawList& list, const Damage::Look& look) {
        commands_.resize(0);
        indices_.resize(0);
        const ImDrawCmd* reset = nullptr; // due before triangles
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const PixelBox part = pixels_.scissor(command.ClipRect);
            if (command.UserCallback == nullptr) {
                triangles(list, command, part, reset);
            } else if (const auto drawing = look(command)) {
                const figure::Box& b = drawing->box;
                keep(command, pixels_.touched({b.x, b.y}, {b.x + b.w, b.y + b.h}, part));
            } else {
                reset = &command;
            }
        }
        if (reset != nullptr) commands_.push_back(*reset); // the next list begins with triangles
        list.CmdBuffer.swap(commands_);
        list.IdxBuffer.swap(indices_);
    }

  private:
    void keep(const ImDrawCmd& command, const PixelBox& part) {
        for (const PixelBox& box : boxes_) {
            const PixelBox seen = common(part, box);
            if (seen.empty()) continue;
            commands_.push_back(command);
            commands_.back().ClipRect = pixels_.clip_of(seen);
        }
    }

    void triangles(const ImDrawList& list, const ImDrawCmd& command, const PixelBox& part,
                   const ImDrawCmd*& reset) {
        for (auto& touching : touching_) touching.clear();
        const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount && !part.empty(); i += 3, index += 3) {
            const PixelBox touched = pixels_.touched(vertices[index[0]].pos, vertices[index[1]].pos,
                                                     vertices[index[2]].pos, part);
            for (std::size_t b = 0; b < boxes_.size() && !touched.empty(); ++b) {
                if (common(touched, boxes_[b]).empty()) continue;
                touching_[b].insert(touching_[b].end(), {index[0], index[1], index[2]});
            }
        }
        for (std::size_t b = 0; b < boxes_.size(); ++b) {
            if (touching_[b].empty()) continue;
            if (reset != nullptr) commands_.push_back(*std::exchange(reset, nullptr));
            commands_.push_back(command);
            commands_.back().ClipRect = pixels_.clip_of(common(part, boxes_[b]));
            commands_.back().IdxOffset = static_cast<unsigned>(indices_.Size);
            commands_.back().ElemCount = static_cast<unsigned>(touching_[b].size());
            indices_.resize(indices_.Size + static_cast<int>(touching_[b].size()));
            std::copy(touching_[b].begin(), touching_[b].end(),
                      indices_.end() - touching_[b].size());
        }
    }

    const Pixels& pixels_;
    const std::vector<PixelBox>& boxes_;
    std::vector<std::vector<ImDrawIdx>> touching_; // of one command, by box
    ImVector<ImDrawCmd> commands_;
    ImVector<ImDrawIdx> indices_;
};

} // namespace

std::vector<PixelBox> Damage::keep_changes(ImDrawData& data, ImU32 ground, const Look& look) {
    const Pixels pixels(data);
    Tiles now(pixels, ground);
    for (int i = 0; i < data.CmdListsCount; ++i) now.note(*data.CmdLists[i], look);
    const PixelBox frame{0, 0, pixels.width, pixels.height};
    std::vector<PixelBox> boxes;
    if (tiles_.empty() || columns_ != now.columns() || rows_ != now.rows()) {
        boxes = {frame};
    } else {
        boxes = changed_boxes(now, tiles_, frame);
    }
    Cutter cutter(pixels, boxes);
    for (int i = 0; i < data.CmdListsCount; ++i) cutter.cut(*data.CmdLists[i], look);
    tiles_ = std::move(now.hashes());
    columns_ = now.columns();
    rows_ = now.rows();
    return boxes;
}

} // namespace heed::ui
