// Figures and tools that the tests of the painters share.
#pragma once

#include "figure/base/figure.hpp"
#include "files/painter.hpp"
#include "files/picture.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sample {

using heed::files::Picture;

/// A figure of this size on white.
heed::figure::Figure blank(float width, float height);

/// Values 0, 1, 2 … from the top left, divided by the last.
std::shared_ptr<const heed::figure::Matrix<float>> ramp(int rows, int cols);

/// One heat grid that fills its figure, and nothing else.
heed::figure::Figure heat_alone(std::shared_ptr<const heed::figure::Matrix<float>> values,
                                float width, float height);

/// Every kind of primitive in every manner, but text, whose pixels depend on the fonts.
heed::figure::Figure every_primitive();

/// Text in every alignment, font and direction, in five scripts.
heed::figure::Figure every_text();

std::string painted(const heed::figure::Figure& figure, heed::files::Format format,
                    float scale = 1);
Picture pixels(const heed::figure::Figure& figure, float scale = 1);

/// A folder of this process's own, removed at the end.
class Folder {
  public:
    Folder();
    ~Folder();
    std::string operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

bool installed(const std::string& program);
/// What a command writes to its standard output; nothing when it fails.
std::optional<std::string> output_of(const std::string& command);

/// The figure drawn by an outside viewer from our SVG or PDF, at one pixel a point.
Picture viewed_svg(const std::string& svg, const Folder& folder);
Picture viewed_pdf(const std::string& pdf, const Folder& folder);

/// The share of pixels of which some channel differs by more than `tolerance`; 1 when the sizes do.
double share_that_differs(const Picture& a, const Picture& b, int tolerance);

/// What is wrong with an XML document: tags that do not match, characters that are not allowed,
/// entities unknown to XML, attributes given twice. Empty when it is well formed.
std::string xml_fault(std::string_view document);

} // namespace sample
