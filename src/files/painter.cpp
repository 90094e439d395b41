#include "files/painter.hpp"

#include "files/animation.hpp"
#include "files/canvas.hpp"
#include "files/plain_line.hpp"
#include "files/svg.hpp"

#include <cairo-pdf.h>
#include <cairo.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>

namespace heed::files {
namespace {

using base::ErrorKind;
using base::fail;
using base::Result;

constexpr double kMaxSide = 32767;
constexpr double kMaxPixels = 1 << 28; // a gigabyte
constexpr float kMaxScale = 16;

struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* canvas) const { cairo_destroy(canvas); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Canvas = std::unique_ptr<cairo_t, Destroy>;

cairo_status_t append_bytes(void* out, const unsigned char* data, unsigned int size) {
    try {
        static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
    } catch (const std::bad_alloc&) { // must not pass through C
        return CAIRO_STATUS_NO_MEMORY;
    }
    return CAIRO_STATUS_SUCCESS;
}

/// Pixels that a side of so many points takes; a hair over a whole number is a rounding error.
double pixels(float points, float scale) {
    return std::max(1.0, std::ceil(double{points} * scale - 1e-3));
}

Result<void> check(const figure::Figure& figure, Format format, const PaintOptions& options) {
    if (!(options.scale > 0 && options.scale <= kMaxScale))
        return fail(ErrorKind::out_of_range, "scale",
                    fmt::format("a number above 0 and up to {} is needed, not {}", kMaxScale,
                                options.scale));
    if (!std::isfinite(figure.width) || !std::isfinite(figure.height) || figure.width <= 0 ||
        figure.height <= 0)
        return fail(
            ErrorKind::out_of_range, "picture",
            fmt::format("a size of {} × {} points cannot be painted", figure.width, figure.height));
    const float scale = format == Format::png ? options.scale : 1;
    const double width = pixels(figure.width, scale), height = pixels(figure.height, scale);
    if (width > kMaxSide || height > kMaxSide)
        return fail(ErrorKind::out_of_range, "picture",
                    fmt::format("{:.0f} × {:.0f} pixels are too many: {:.0f} a side is the most; "
                                "choose a smaller {}",
                                width, height, kMaxSide, format == Format::png ? "scale" : "size"));
    if (format == Format::png && width * height > kMaxPixels)
        return fail(ErrorKind::out_of_range, "picture",
                    fmt::format("{:.0f} × {:.0f} pixels need more than a gigabyte; choose a "
                                "smaller scale, or PDF or SVG",
                                width, height));
    for (const figure::Primitive& item : figure.items) {
        const auto* heat = std::get_if<figure::Heat>(&item);
        if (heat && heat->values &&
            (heat->values->rows() > kMaxSide || heat->values->cols() > kMaxSide))
            return fail(ErrorKind::out_of_range, "picture",
                        fmt::format("a map of {} × {} cells is too large: {:.0f} a side is the "
                                    "most",
                                    heat->values->rows(), heat->values->cols(), kMaxSide));
    }
    return {};
}

/// Date of the document: the same for the same figure, unless the build's own clock for
/// reproducible files says otherwise.
std::string creation_date() {
    if (const char* text = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view digits(text);
        std::int64_t seconds = -1;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
        constexpr std::int64_t kEndOfYear9999 = 253402300799;
        if (read.ec == std::errc() && read.ptr == digits.data() + digits.size() && seconds >= 0 &&
            seconds <= kEndOfYear9999)
            return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                               fmt::gmtime(static_cast<std::time_t>(seconds)));
    }
    return "2026-01-01T00:00:00Z";
}

/// Draws the whole figure, upon pixels or (0) a page; what went wrong, if anything did.
cairo_status_t draw(const figure::Figure& figure, bool transparent, float pixels_per_point,
                    cairo_surface_t* surface) {
    const Canvas canvas(cairo_create(surface));
    if (pixels_per_point > 0) cairo_scale(canvas.get(), pixels_per_point, pixels_per_point);
    if (!transparent) {
        const figure::Color& c = figure.background;
        cairo_set_source_rgba(canvas.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
        cairo_paint(canvas.get());
    }
    CanvasVerbs verbs(canvas.get(), pixels_per_point);
    walk(figure, verbs);
    return cairo_status(canvas.get());
}

tl::unexpected<base::Error> unavailable(cairo_status_t status) {
    return fail(ErrorKind::unavailable, "picture",
                fmt::format("the drawing library gave up: {}", cairo_status_to_string(status)));
}

Result<std::string> paint_png(const figure::Figure& figure, const PaintOptions& options) {
    const bool opaque = !options.transparent && figure.background.a == 255;
    const Surface surface(
        cairo_image_surface_create(opaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
                                   static_cast<int>(pixels(figure.width, options.scale)),
                                   static_cast<int>(pixels(figure.height, options.scale))));
    cairo_status_t status = draw(figure, options.transparent, options.scale, surface.get());
    std::string bytes;
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) return unavailable(status);
    return with_resolution(std::move(bytes), 72.0 * static_cast<double>(options.scale));
}

Result<std::string> paint_pdf(const figure::Figure& figure, const PaintOptions& options) {
    std::string bytes;
    const Surface surface(cairo_pdf_surface_create_for_stream(
        append_bytes, &bytes, double{figure.width}, double{figure.height}));
    const auto describe = [&](cairo_pdf_metadata_t field, const std::string& text) {
        cairo_pdf_surface_set_metadata(surface.get(), field, text.c_str());
    };
    const std::string title = plain_line(figure.title);
    if (!title.empty()) describe(CAIRO_PDF_METADATA_TITLE, title);
    describe(CAIRO_PDF_METADATA_CREATOR, "Heed");
    describe(CAIRO_PDF_METADATA_CREATE_DATE, creation_date());
    cairo_status_t status = draw(figure, options.transparent, 0, surface.get());
    const figure::FontsInUse held;
    cairo_surface_finish(surface.get()); // writes
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
    if (status != CAIRO_STATUS_SUCCESS) return unavailable(status);
    return bytes;
}

} // namespace

std::optional<Format> format_of(std::string_view path) {
    const std::size_t dot = path.find_last_of("./\\");
    if (dot == std::string_view::npos || path[dot] != '.') return std::nullopt;
    std::string suffix(path.substr(dot + 1));
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (suffix == "png") return Format::png;
    if (suffix == "svg") return Format::svg;
    if (suffix == "pdf") return Format::pdf;
    return std::nullopt;
}

Result<std::string> paint(const figure::Figure& figure, Format format,
                          const PaintOptions& options) {
    if (const Result<void> checked = check(figure, format, options); !checked)
        return tl::make_unexpected(checked.error());
    switch (format) {
    case Format::png: return paint_png(figure, options);
    case Format::pdf: return paint_pdf(figure, options);
    case Format::svg: break;
    }
    return write_svg(figure, options.transparent);
}

} // namespace heed::files
