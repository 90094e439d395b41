// Figures as files. All three paint the same figure; the same figure gives the same bytes twice.
#pragma once

#include "base/result.hpp"
#include "figure/base/figure.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace heed::files {

enum class Format { png, svg, pdf };
/// Format by the suffix of a path, any case.
std::optional<Format> format_of(std::string_view path);

struct PaintOptions {
    float scale = 2;          // PNG: pixels a point, 0 < scale ≤ 16
    bool transparent = false; // leave the background out
};

/// The file's bytes. PDF: real text in embedded fonts, a fixed creation date. SVG: <text> elements,
/// heat cells as crisp paths, or an enlarged image above 256 × 256 cells.
/// Errors: out_of_range (a picture beyond 32 767 pixels a side), unavailable.
base::Result<std::string> paint(const figure::Figure& figure, Format format,
                                const PaintOptions& options = {});

} // namespace heed::files
