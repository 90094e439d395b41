#include "files/picture_formats.hpp"

#include "files/jpeg.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::files {
namespace {

/// A format that Heed knows by its first bytes and does not read.
const char* other_format(std::string_view bytes) {
    constexpr std::pair<std::string_view, const char*> kBegins[] = {{"GIF8", "GIF"},
                                                                    {"II*", "TIFF"},
                                                                    {{"MM\0*", 4}, "TIFF"},
                                                                    {"8BPS", "Photoshop"},
                                                                    {{"\0\0\1\0", 4}, "icon"}};
    for (const auto& [begin, name] : kBegins) {
        if (bytes.starts_with(begin)) return name;
    }
    if (bytes.size() < 16) return nullptr;
    const std::string_view kind = bytes.substr(8, 4);
    if (bytes.starts_with("RIFF") && kind == "WEBP") return "WebP";
    if (bytes.substr(4, 4) == "ftyp") {
        if (kind.starts_with("avi")) return "AVIF";
        if (kind.starts_with("he") || kind == "mif1") return "HEIC";
    }
    constexpr std::string_view kReserved("\0\0\0\0", 4);
    return bytes.starts_with("BM") && bytes.substr(6, 4) == kReserved ? "BMP" : nullptr;
}

/// True of grey of 16 bits, of which programs make different pictures.
bool is_deep_grey(std::string_view png) {
    constexpr std::size_t kDepth = 24;
    return png.size() > kDepth + 1 && png[kDepth] == 16 && png[kDepth + 1] == 0;
}

} // namespace

base::Result<Picture> read_picture(std::string_view bytes, const std::string& subject) {
    if (bytes.starts_with("\x89PNG")) {
        if (!is_deep_grey(bytes)) return read_png(bytes, subject);
        return base::fail(base::ErrorKind::unsupported, subject,
                          "is grey with 16 bits a pixel; save it with 8");
    }
    if (bytes.starts_with("\xff\xd8")) return read_jpeg(bytes, subject);
    const char* other = other_format(bytes);
    return base::fail(base::ErrorKind::unsupported, subject,
                      other
                          ? fmt::format("is a {} picture; Heed reads PNG and JPEG: save it as one "
                                        "of these",
                                        other)
                          : "is no PNG or JPEG picture");
}

bool is_picture(std::string_view bytes) {
    return bytes.starts_with("\x89PNG") || bytes.starts_with("\xff\xd8\xff") || other_format(bytes);
}

} // namespace heed::files
