// Logarithms of what a heat map colours, and the decades beside its bar.
#include "figure/base/number_text.hpp"
#include "figure/base/value_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>

namespace heed::figure {

namespace {

constexpr int kMostDecades = 6, kSignedDecades = 3;
constexpr float kNone = -std::numeric_limits<float>::infinity();

std::string superscript(int number) {
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
    return text;
}

std::string decade_text(int exponent) {
    switch (exponent) {
    case -2: return "0.01";
    case -1: return "0.1";
    case 0: return "1";
    case 1: return "10";
    case 2: return "100";
    default: return "10" + superscript(exponent);
    }
}

std::shared_ptr<const Matrix<float>> decades_of(const Matrix<float>& values, float floor,
                                                float span, bool two_sided) {
    const auto v = values.array();
    // Whole arrays at once: a map of two thousand tokens has four million numbers.
    const auto size = (v.abs().log() * 0.43429448190f - floor).max(0.f).min(span);
    if (!two_sided) {
        return std::make_shared<const Matrix<float>>((v > 0 && v.isFinite()).select(size, kNone));
    }
    return std::make_shared<const Matrix<float>>(
        v.isFinite().select((v == 0).select(0.f, (v < 0).select(-size, size)), v));
}

/// The floor is a power of ten at or below what is smallest, but of signed values, which have no
/// smallest size worth a colour.
Decades make_decades(const std::shared_ptr<const Matrix<float>>& values, const Levels* known,
                     float high, bool two_sided) {
    const float top = std::log10(high);
    Decades decades{top - kSignedDecades, kSignedDecades, nullptr, nullptr};
    if (!two_sided) {
        const auto v = values->array();
        constexpr float kInfinite = std::numeric_limits<float>::infinity();
        const float least =
            values->size() > 0 ? (v > 0).select(v, kInfinite).minCoeff() : kInfinite;
        const float low = std::isfinite(least) ? std::floor(std::log10(least) + 1e-4f) : top - 1;
        decades.floor = std::max(low, std::ceil(top - 1e-4f) - kMostDecades);
        if (!(decades.floor < top)) decades.floor = std::ceil(top) - 1;
        decades.span = top - decades.floor;
    }
    decades.values = decades_of(*values, decades.floor, decades.span, two_sided);
    if (known != nullptr) {
        // Logarithms keep the order of sizes: those of the strongest are the strongest.
        auto levels = std::make_shared<Levels>();
        for (const auto& level : known->coarser) {
            levels->coarser.push_back(decades_of(*level, decades.floor, decades.span, two_sided));
        }
        decades.levels = std::move(levels);
    }
    return decades;
}

Decades remembered(const ValueRange& range, bool two_sided) {
    if (range.decades && !two_sided) return *range.decades;
    struct Known {
        std::weak_ptr<const Matrix<float>> source;
        float high = 0;
        bool two_sided = false, with_levels = false;
        Decades decades;
    };
    static std::mutex mutex;
    static std::array<Known, 4> known;
    static std::size_t next = 0;
    const bool with_levels = range.levels != nullptr;
    {
        const std::lock_guard lock(mutex);
        for (const Known& entry : known) {
            if (entry.source.lock() == range.values && entry.high == range.high &&
                entry.two_sided == two_sided && entry.with_levels == with_levels) {
                return entry.decades;
            }
        }
    }
    const Known made{range.values, range.high, two_sided, with_levels,
               make_decades(range.values, range.levels.get(), range.high, two_sided)};
    const std::lock_guard lock(mutex);
    known[next] = made;
    next = (next + 1) % known.size();
    return made.decades;
}

} // namespace

Decades decades(const std::shared_ptr<const Matrix<float>>& values, const Levels* levels,
                float high) {
    return make_decades(values, levels, high, false);
}

namespace {

ValueRange in_decades(const ValueRange& range, const Decades& decades, bool two_sided) {
    const bool by_row = range.high_text == "max";
    const float top = decades.floor + decades.span;
    ValueRange result;
    result.values = decades.values;
    result.levels = decades.levels;
    result.palette = range.palette;
    result.low = two_sided ? -decades.span : 0;
    result.high = decades.span;
    result.meaning = range.meaning + ", log";
    if (!range.whole_meaning.empty()) result.whole_meaning = range.whole_meaning + ", log";
    const auto tick = [&](float at, const std::string& text) {
        result.ticks.push_back({at, text});
        if (two_sided) result.ticks.push_back({-at, "−" + text});
    };
    tick(decades.span, by_row ? range.high_text : scale_text(range.high));
    if (two_sided) {
        for (int down = 1; down < kSignedDecades; ++down) {
            const float size = std::pow(10.f, top - static_cast<float>(down));
            tick(decades.span - static_cast<float>(down),
                 by_row ? "max/" + decade_text(down) : shortest_text(size, 4));
        }
        result.ticks.push_back({0, "0"});
        return result;
    }
    const int first = static_cast<int>(std::lround(decades.floor));
    for (int exponent = first; static_cast<float>(exponent) < top - 0.15f; ++exponent) {
        tick(static_cast<float>(exponent) - decades.floor,
             by_row && exponent < 0 ? "max/" + decade_text(-exponent) : decade_text(exponent));
    }
    return result;
}

} // namespace

ValueRange logarithmic(const ValueRange& range) {
    if (!range.values || !(range.high > 0)) return range;
    const bool two_sided = range.low < 0;
    return in_decades(range, remembered(range, two_sided), two_sided);
}

ValueRange thumbnail_range(const std::shared_ptr<const Matrix<float>>& values, bool signed_values,
                           float high, const ThumbnailColours& colours, const Theme& theme) {
    if (signed_values) return signed_range(values, theme.stripes);
    ValueRange range;
    range.values = values;
    range.palette = colours.palette.value_or(theme.weights);
    range.high = high > 0 ? high : 1;
    if (colours.scale == ColourScale::linear) return range;
    const Decades decades = make_decades(values, nullptr, range.high, false);
    range.values = decades.values;
    range.high = decades.span;
    return range;
}

} // namespace heed::figure
