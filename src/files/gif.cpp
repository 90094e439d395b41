#include "files/gif.hpp"

#include "base/check.hpp"
#include "files/gif_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace heed::files {

namespace {

using base::ErrorKind;
using base::fail;

constexpr int kGifMostSide = 65535;
using Places = std::vector<std::uint8_t>; // in the table of colours, row by row from the top

struct Part {
    int x = 0, y = 0, width = 0, height = 0;
};

void put_byte(std::string& to, unsigned value) { to.push_back(static_cast<char>(value)); }
void put_short(std::string& to, int value) { // the low byte first
    put_byte(to, static_cast<unsigned>(value) & 255u);
    put_byte(to, static_cast<unsigned>(value) >> 8 & 255u);
}

/// Codes of growing width in blocks of at most 255 bytes.
class CodeStream {
  public:
    explicit CodeStream(std::string& to) : to_(to) {}
    void put(unsigned code, int bits) {
        held_ |= code << n_held_;
        for (n_held_ += bits; n_held_ >= 8; n_held_ -= 8, held_ >>= 8) put_in_block(held_ & 255u);
    }
    void end() {
        if (n_held_ > 0) put_in_block(held_ & 255u);
        end_block();
        put_byte(to_, 0);
    }

  private:
    void put_in_block(unsigned byte) {
        put_byte(block_, byte);
        if (block_.size() == 255) end_block();
    }
    void end_block() {
        if (block_.empty()) return;
        put_byte(to_, static_cast<unsigned>(block_.size()));
        to_ += block_;
        block_.clear();
    }

    std::string &to_, block_;
    std::uint32_t held_ = 0;
    int n_held_ = 0;
};

/// Runs that occurred before are one code. `depth`: bits of a place, 2 to 8.
void put_codes(std::string& to, const Places& places, int depth) {
    constexpr unsigned kMostCodes = 4096;
    const unsigned clear = 1u << depth, end = clear + 1;
    std::vector<std::uint16_t> longer(std::size_t{kMostCodes} << depth); // a run and one more place
    unsigned next = end + 1;
    int bits = depth + 1;
    CodeStream codes(to);
    put_byte(to, static_cast<unsigned>(depth));
    codes.put(clear, bits);
    unsigned run = places.front();
    for (std::size_t i = 1; i < places.size(); ++i) {
        std::uint16_t& known = longer[std::size_t{run} << depth | places[i]];
        if (known != 0) {
            run = known;
            continue;
        }
        codes.put(run, bits);
        run = places[i];
        if (next < kMostCodes) {
            if (next == 1u << bits) ++bits; // its reader knows as many codes by now
            known = static_cast<std::uint16_t>(next++);
        } else {
            codes.put(clear, bits);
            std::ranges::fill(longer, std::uint16_t{0});
            next = end + 1;
            bits = depth + 1;
        }
    }
    codes.put(run, bits);
    if (next == 1u << bits && bits < 12) ++bits;
    codes.put(end, bits);
    codes.end();
}

/// The part that differs from the picture before; a pixel where nothing does.
Part changed_part(const Places& before, const Places& now, int width, int height) {
    if (before.empty()) return {0, 0, width, height};
    int left = width, right = -1, top = height, bottom = -1;
    for (int y = 0; y < height; ++y) {
        const auto row = static_cast<std::ptrdiff_t>(y) * width;
        const auto [a, b] =
            std::mismatch(now.begin() + row, now.begin() + row + width, before.begin() + row);
        if (a == now.begin() + row + width) continue;
        top = std::min(top, y);
        bottom = y;
        left = std::min(left, static_cast<int>(a - now.begin() - row));
        int last = width - 1;
        while (now[static_cast<std::size_t>(row + last)] ==
               before[static_cast<std::size_t>(row + last)])
            --last;
        right = std::max(right, last);
    }
    if (right < 0) return {0, 0, 1, 1};
    return {left, top, right - left + 1, bottom - top + 1};
}

Places cut_out(const Places& places, const Part& part, int width) {
    Places cut;
    for (int y = part.y; y < part.y + part.height; ++y) {
        const auto from = places.begin() + static_cast<std::ptrdiff_t>(y) * width + part.x;
        cut.insert(cut.end(), from, from + part.width);
    }
    return cut;
}

Places places_of(const Picture& picture, const ColourTable& table) {
    Places places;
    places.reserve(picture.rgba.size() / 4);
    std::uint32_t before = ~0u;
    for (std::size_t at = 0; at < picture.rgba.size(); at += 4) {
        const std::uint32_t colour = opaque(picture.rgba.data() + at);
        places.push_back(colour == before ? places.back() : table.place.at(colour));
        before = colour;
    }
    return places;
}

void put_header(std::string& to, const Picture& first, const ColourTable& table, int depth) {
    to += "GIF89a";
    put_short(to, first.width);
    put_short(to, first.height);
    put_byte(to, 0xF0u | static_cast<unsigned>(depth - 1)); // a table for all frames
    put_byte(to, 0);                                        // the ground
    put_byte(to, 0);                                        // square pixels
    for (std::size_t i = 0; i < std::size_t{1} << depth; ++i) {
        for (const std::uint8_t c : i < table.colours.size() ? table.colours[i] : Rgb{}) {
            put_byte(to, c);
        }
    }
    to += "\x21\xFF\x0BNETSCAPE2.0";
    to += std::string("\x03\x01\x00\x00\x00", 5); // for ever
}

void put_frame(std::string& to, const Places& places, const Part& part, double seconds, int depth) {
    to += std::string("\x21\xF9\x04\x04", 4); // it stays below the next one
    put_short(to, static_cast<int>(std::lround(std::clamp(seconds, 0.0, 65.0) * 100)));
    to += std::string("\x00\x00\x2C", 3);
    for (const int number : {part.x, part.y, part.width, part.height}) put_short(to, number);
    put_byte(to, 0);
    put_codes(to, places, depth);
}

base::Result<std::vector<Picture>> pictures_of(std::span<const AnimationFrame> frames) {
    std::vector<Picture> pictures;
    for (const AnimationFrame& frame : frames) {
        auto picture = read_png(frame.png, "frame");
        if (!picture) return tl::make_unexpected(picture.error());
        pictures.push_back(*std::move(picture));
        const Picture &first = pictures.front(), &last = pictures.back();
        if (last.width != first.width || last.height != first.height) {
            return fail(ErrorKind::mismatch, "frame",
                        fmt::format("{} has another size than the first", pictures.size()));
        }
    }
    const Picture& first = pictures.front();
    if (first.width > kGifMostSide || first.height > kGifMostSide) {
        return fail(ErrorKind::out_of_range, "frame",
                    fmt::format("has {} × {} pixels; a GIF has at most {} a side", first.width,
                                first.height, kGifMostSide));
    }
    return pictures;
}

} // namespace

base::Result<std::string> write_gif(std::span<const AnimationFrame> frames) {
    HEED_CHECK(!frames.empty(), "an animation of no frames");
    const auto pictures = pictures_of(frames);
    if (!pictures) return tl::make_unexpected(pictures.error());
    const Picture& first = pictures->front();
    const ColourTable table = colour_table(*pictures);
    const int depth = std::max(static_cast<int>(std::bit_width(table.colours.size() - 1)), 2);
    std::string bytes;
    put_header(bytes, first, table, depth);
    Places before;
    for (std::size_t i = 0; i < pictures->size(); ++i) {
        Places now = places_of((*pictures)[i], table);
        const Part part = changed_part(before, now, first.width, first.height);
        put_frame(bytes, cut_out(now, part, first.width), part, frames[i].seconds, depth);
        before = std::move(now);
    }
    put_byte(bytes, 0x3B);
    return bytes;
}

} // namespace heed::files
