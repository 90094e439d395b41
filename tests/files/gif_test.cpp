#include "files/gif.hpp"

#include "catch.hpp"
#include "files/picture.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace heed;
using namespace heed::files;

namespace {

using Pixel = std::array<int, 3>;

struct Shown {
    std::vector<Pixel> pixels;
    int hundredths = 0;
};

/// A reader of whole GIFs as the specification has them, step by step.
class Reader {
  public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) { read(); }
    int width = 0, height = 0;
    bool for_ever = false;
    std::vector<Shown> frames;

  private:
    unsigned byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
    int number() {
        const unsigned low = byte();
        return static_cast<int>(low | byte() << 8);
    }
    std::string blocks() {
        std::string all;
        while (const unsigned size = byte()) {
            all += bytes_.substr(at_, size);
            at_ += size;
        }
        return all;
    }

    void read() {
        REQUIRE(bytes_.substr(0, 6) == "GIF89a");
        at_ = 6;
        width = number();
        height = number();
        const unsigned flags = byte();
        REQUIRE((flags & 0x80u) != 0);
        at_ += 2;
        for (unsigned i = 0; i < 2u << (flags & 7u); ++i) {
            Pixel colour{};
            for (int& c : colour) c = static_cast<int>(byte());
            table_.push_back(colour);
        }
        int hundredths = 0;
        std::vector<Pixel> canvas(static_cast<std::size_t>(width * height));
        for (unsigned kind = byte(); kind != 0x3B; kind = byte()) {
            if (kind == 0x21) {
                const bool control = byte() == 0xF9;
                const std::string data = blocks();
                if (control) {
                    hundredths = static_cast<unsigned char>(data[1]) |
                                 static_cast<unsigned char>(data[2]) << 8;
                }
                for_ever = for_ever || data.starts_with("NETSCAPE2.0");
                continue;
            }
            REQUIRE(kind == 0x2C);
            const int x = number(), y = number(), w = number(), h = number();
            REQUIRE(byte() == 0); // no table of its own, no interlacing
            const int depth = static_cast<int>(byte());
            const auto places = unpacked(blocks(), depth);
            REQUIRE(places.size() == static_cast<std::size_t>(w * h));
            for (int i = 0; i < w * h; ++i) {
                canvas.at(static_cast<std::size_t>((y + i / w) * width + x + i % w)) =
                    table_.at(places[static_cast<std::size_t>(i)]);
            }
            frames.push_back({canvas, hundredths});
        }
        CHECK(at_ == bytes_.size());
    }

    /// Codes to runs, the textbook's way.
    static std::vector<unsigned> unpacked(const std::string& data, int depth) {
        const unsigned clear = 1u << depth, end = clear + 1;
        std::vector<std::vector<unsigned>> runs;
        std::vector<unsigned> out, before;
        int bits = depth + 1;
        std::size_t bit = 0;
        for (;;) {
            unsigned code = 0;
            for (int i = 0; i < bits; ++i, ++bit) {
                code |= (static_cast<unsigned char>(data.at(bit / 8)) >> bit % 8 & 1u) << i;
            }
            if (code == end) return out;
            if (code == clear) {
                runs.clear();
                for (unsigned i = 0; i < clear + 2; ++i) runs.push_back({i});
                bits = depth + 1;
                before.clear();
                continue;
            }
            std::vector<unsigned> run;
            if (code < runs.size()) {
                run = runs[code];
            } else {
                REQUIRE(code == runs.size());
                run = before;
                run.push_back(before.front());
            }
            out.insert(out.end(), run.begin(), run.end());
            if (!before.empty() && runs.size() < 4096) {
                before.push_back(run.front());
                runs.push_back(before);
                if (runs.size() == 1u << bits && bits < 12) ++bits;
            }
            before = run;
        }
    }

    const std::string& bytes_;
    std::size_t at_ = 0;
    std::vector<Pixel> table_;
};

Picture blank_picture(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 4, 255)};
}

void colour(Picture& picture, int i, const Pixel& to) {
    for (std::size_t c = 0; c < 3; ++c) {
        picture.rgba[static_cast<std::size_t>(i) * 4 + c] = static_cast<std::uint8_t>(to[c]);
    }
}

/// Noise of so many colours.
Picture noise(int width, int height, int colours, std::uint64_t seed) {
    Picture picture = blank_picture(width, height);
    std::uint64_t state = seed;
    for (int i = 0; i < width * height; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int k = static_cast<int>((state >> 33) % static_cast<std::uint64_t>(colours));
        colour(picture, i, {k * 7 % 256, k * 31 % 256, k});
    }
    return picture;
}

int largest_error(const Picture& wanted, const Shown& found) {
    int most = 0;
    for (std::size_t i = 0; i < found.pixels.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            most = std::max(most, std::abs(wanted.rgba[4 * i + c] - found.pixels[i][c]));
        }
    }
    return most;
}

} // namespace

TEST_CASE("frames of a GIF come back as they were, with their times, for ever in a round") {
    for (const int colours : {1, 2, 3, 5, 17, 255, 256}) {
        INFO(colours);
        const Picture one = noise(61, 43, colours, 1), two = noise(61, 43, colours, 9);
        const auto bytes =
            write_gif(std::vector<AnimationFrame>{{write_png(one), 0.6}, {write_png(two), 2.5}});
        REQUIRE(bytes);
        const Reader read(*bytes);
        CHECK(read.width == 61);
        CHECK(read.height == 43);
        CHECK(read.for_ever);
        REQUIRE(read.frames.size() == 2);
        CHECK(read.frames[0].hundredths == 60);
        CHECK(read.frames[1].hundredths == 250);
        CHECK(largest_error(one, read.frames[0]) == 0);
        CHECK(largest_error(two, read.frames[1]) == 0);
    }
}

TEST_CASE("a GIF's codes grow, are cleared and begin again without a fault") {
    const Picture wild = noise(300, 200, 256, 3); // more runs than there are codes
    const Picture even = blank_picture(700, 300); // one run that grows and grows
    for (const Picture& picture : {wild, even}) {
        const auto bytes = write_gif(std::vector<AnimationFrame>{{write_png(picture), 1}});
        REQUIRE(bytes);
        CHECK(largest_error(picture, Reader(*bytes).frames.at(0)) == 0);
    }
    // Every length about the places where codes become longer.
    for (int width = 1; width < 40; ++width) {
        const Picture picture = noise(width, 7, 4, static_cast<std::uint64_t>(width));
        const auto bytes = write_gif(std::vector<AnimationFrame>{{write_png(picture), 1}});
        REQUIRE(bytes);
        CHECK(largest_error(picture, Reader(*bytes).frames.at(0)) == 0);
    }
}

TEST_CASE("of very many colours those near each other become one, and none strays far") {
    Picture shades = blank_picture(256, 256);
    for (int i = 0; i < 256 * 256; ++i) colour(shades, i, {i % 256, i / 256, 128});
    const auto bytes = write_gif(std::vector<AnimationFrame>{{write_png(shades), 1}});
    REQUIRE(bytes);
    CHECK(largest_error(shades, Reader(*bytes).frames.at(0)) <= 16); // 16 × 16 boxes of 256 × 256
}

TEST_CASE(
    "a frame is written as far as it differs, and a frame like the one before is there, too") {
    Picture one = noise(200, 200, 200, 5), two = one;
    for (int i = 0; i < 5; ++i) colour(two, 80 * 200 + 90 + i, {0, 0, 0});
    const auto size = [](const std::vector<AnimationFrame>& frames) {
        const auto bytes = write_gif(frames);
        REQUIRE(bytes);
        CHECK(Reader(*bytes).frames.size() == frames.size());
        return bytes->size();
    };
    const std::string first = write_png(one), second = write_png(two);
    const auto alone = size({{first, 1}});
    CHECK(size({{first, 1}, {second, 1}, {second, 1}}) < alone + 200);
    const auto bytes = write_gif(std::vector<AnimationFrame>{{first, 1}, {second, 1}});
    CHECK(largest_error(two, Reader(*bytes).frames.at(1)) == 0);
}

TEST_CASE("what is transparent in a GIF's frame lies on white") {
    Picture picture = blank_picture(4, 4);
    for (std::uint8_t& byte : picture.rgba) byte = 0;
    const auto bytes = write_gif(std::vector<AnimationFrame>{{write_png(picture), 1}});
    REQUIRE(bytes);
    CHECK(Reader(*bytes).frames.at(0).pixels.at(5) == Pixel{255, 255, 255});
}

TEST_CASE("frames of which no GIF can be made are an error") {
    const std::string whole = write_png(blank_picture(4, 4));
    const auto sizes =
        write_gif(std::vector<AnimationFrame>{{whole, 1}, {write_png(blank_picture(4, 5)), 1}});
    REQUIRE_FALSE(sizes);
    CHECK(sizes.error().kind == base::ErrorKind::mismatch);
    for (std::size_t size = 0; size + 13 < whole.size(); ++size) {
        CHECK_FALSE(write_gif(std::vector<AnimationFrame>{{whole.substr(0, size), 1}}));
    }
}
