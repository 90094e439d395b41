#include "files/resample.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace heed::files {
namespace {

constexpr int kChannels = 4;
constexpr int kFractionBits = 22; // of a weight: 8 bits are the pixel's, 2 are for sums past it

double sinc(double x) {
    if (x == 0) return 1;
    x *= std::numbers::pi;
    return std::sin(x) / x;
}

double cubic(double x) {
    constexpr double a = -0.5;
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/// The reach of a filter on either side, in pixels of the smaller picture.
double reach_of(Resample filter) {
    switch (filter) {
    case Resample::nearest: return 0;
    case Resample::box: return 0.5;
    case Resample::bilinear:
    case Resample::hamming: return 1;
    case Resample::bicubic: return 2;
    case Resample::lanczos: return 3;
    }
    return 0;
}

double weight_at(Resample filter, double x) {
    const double distance = std::abs(x);
    switch (filter) {
    case Resample::nearest: return 0;
    case Resample::box: return x > -0.5 && x <= 0.5 ? 1 : 0;
    case Resample::bilinear: return distance < 1 ? 1 - distance : 0;
    case Resample::hamming:
        if (distance == 0) return 1;
        return distance < 1 ? sinc(distance) * (0.54 + 0.46 * std::cos(distance * std::numbers::pi))
                            : 0;
    case Resample::bicubic: return cubic(distance);
    case Resample::lanczos: return -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
    return 0;
}

/// The sources of one pixel of a side: pixels from `first` on, by their weights.
struct Taps {
    int first = 0;
    std::vector<std::int32_t> weights;
};

std::vector<Taps> taps_of(int before, int after, Resample filter) {
    const double scale = static_cast<double>(before) / after;
    const double widened = std::max(scale, 1.0);
    const double reach = reach_of(filter) * widened;
    std::vector<Taps> taps(static_cast<std::size_t>(after));
    std::vector<double> weights;
    for (int i = 0; i < after; ++i) {
        const double centre = (i + 0.5) * scale;
        const int first = std::max(static_cast<int>(centre - reach + 0.5), 0);
        const int end = std::min(static_cast<int>(centre + reach + 0.5), before);
        double sum = 0;
        weights.clear();
        for (int x = first; x < end; ++x) {
            weights.push_back(weight_at(filter, (x - centre + 0.5) / widened));
            sum += weights.back();
        }
        Taps& tap = taps[static_cast<std::size_t>(i)];
        tap.first = first;
        for (double weight : weights) {
            if (sum != 0) weight /= sum;
            const double whole = weight * (1 << kFractionBits);
            tap.weights.push_back(static_cast<std::int32_t>(whole < 0 ? whole - 0.5 : whole + 0.5));
        }
    }
    return taps;
}

std::uint8_t rounded(std::int64_t sum) {
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kFractionBits, 0, 255));
}

/// One pixel of `taps` over pixels that lie `step` bytes apart.
void weigh(const std::uint8_t* line, std::size_t step, const Taps& taps, std::uint8_t* out) {
    constexpr std::int64_t kHalf = std::int64_t{1} << (kFractionBits - 1);
    std::array<std::int64_t, kChannels> sums{kHalf, kHalf, kHalf, kHalf};
    const std::uint8_t* pixel = line + static_cast<std::size_t>(taps.first) * step;
    for (const std::int32_t weight : taps.weights) {
        for (std::size_t c = 0; c < kChannels; ++c) sums[c] += std::int64_t{weight} * pixel[c];
        pixel += step;
    }
    for (std::size_t c = 0; c < kChannels; ++c) out[c] = rounded(sums[c]);
}

Picture blank(int width, int height) {
    Picture picture{width, height, {}};
    picture.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                        kChannels);
    return picture;
}

std::uint8_t* pixel_of(Picture& picture, int x, int y) {
    return const_cast<std::uint8_t*>(std::as_const(picture).at(x, y));
}

Picture along_rows(const Picture& picture, int width, Resample filter) {
    Picture made = blank(width, picture.height);
    const auto taps = taps_of(picture.width, width, filter);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < width; ++x) {
            weigh(picture.at(0, y), kChannels, taps[static_cast<std::size_t>(x)],
                  pixel_of(made, x, y));
        }
    }
    return made;
}

Picture along_columns(const Picture& picture, int height, Resample filter) {
    Picture made = blank(picture.width, height);
    const auto taps = taps_of(picture.height, height, filter);
    const std::size_t row = static_cast<std::size_t>(picture.width) * kChannels;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            weigh(picture.at(x, 0), row, taps[static_cast<std::size_t>(y)], pixel_of(made, x, y));
        }
    }
    return made;
}

Picture nearest(const Picture& picture, int width, int height) {
    Picture made = blank(width, height);
    const auto source = [](int i, int before, int after) {
        return std::min(static_cast<int>((i + 0.5) * (static_cast<double>(before) / after)),
                        before - 1);
    };
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::copy_n(
                picture.at(source(x, picture.width, width), source(y, picture.height, height)),
                kChannels, pixel_of(made, x, y));
        }
    }
    return made;
}

} // namespace

std::optional<Resample> resample_numbered(int number) {
    constexpr std::array kOrder = {Resample::nearest, Resample::lanczos, Resample::bilinear,
                                   Resample::bicubic, Resample::box,     Resample::hamming};
    if (number < 0 || number >= static_cast<int>(kOrder.size())) return std::nullopt;
    return kOrder[static_cast<std::size_t>(number)];
}

Picture resampled(const Picture& picture, int width, int height, Resample filter) {
    HEED_CHECK(width > 0 && height > 0, "a picture of {} × {} pixels", width, height);
    HEED_CHECK(picture.width > 0 && picture.height > 0, "a picture of {} × {} pixels",
               picture.width, picture.height);
    if (filter == Resample::nearest) return nearest(picture, width, height);
    const Picture made = width == picture.width ? picture : along_rows(picture, width, filter);
    return height == made.height ? made : along_columns(made, height, filter);
}

} // namespace heed::files
