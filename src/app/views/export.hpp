// Export of what is on the screen: the figure, or the numbers behind it. The window and the
// command line export through here.
#pragma once

#include "app/document/names.hpp"
#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "base/result.hpp"
#include "files/tables.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::app {

enum class ExportFormat { png, svg, pdf, csv, npy, npz };
/// Formats as flags and suffixes have them.
template <> std::span<const Named<ExportFormat>> names();
/// True of a picture; the others are numbers.
bool is_picture(ExportFormat format);

/// Format by the suffix of a path, any case.
std::optional<ExportFormat> export_format_of(std::string_view path);
/// Format of a file that is to be written, by its suffix. Errors: usage.
base::Result<ExportFormat> read_export_format(const std::string& path);

/// The ground below a picture.
enum class Ground { white, theme, none };
template <> std::span<const Named<Ground>> names();

/// A place on a printed page: how wide, and how large its words are (labels of tokens; titles and
/// notes stand to them as on the screen).
struct PageSize {
    float width_cm = 8.5f; // 2 to 100
    float font_points = 8; // 4 to 36
    bool operator==(const PageSize&) const = default;
};

/// The heads whose numbers are written.
enum class ExportedHeads {
    one,   // the focused one
    shown, // those that the picture shows: one, several over each other, kept ones, the grid
    all,   // every head of the focused kind, as the picture would show it; in .npz of every kind
};
template <> std::span<const Named<ExportedHeads>> names();

inline constexpr float kPaperScale = 300.f / 72; // pixels a point, of a PNG for a page

struct ExportOptions {
    float width = 0, height = 0; // points; 0 is the figure's own
    float beside_title = 0; // as in Place: what the window leaves free is left free in a file, but
                            // for one that is cropped
    bool reads = false;     // as in Place
    bool grows = false;     // likewise, where it reads
    figure::Marks marks{false, false}; // as in Place, of what was asked for: not where the window
                                       // begins alone; a file that reads has all
    float png_scale = 2;    // pixels a point
    std::optional<PageSize> page{}; // then width and height are what they come to
    bool crop = false;              // to what is drawn; a page always is
    Ground ground = Ground::white;  // white is paper: drawn in the light theme
    ExportedHeads heads =
        ExportedHeads::shown; // of numbers; what is of no single head stays as it is
};

/// True of words alone, which stand where there is nothing to draw: they are not exported.
bool is_sentence(const figure::Figure& picture);

/// True where a picture that is dark in the window is dark in its file, too.
bool prints_dark(const ExportOptions& options, bool dark);

/// A picture as a file shows it: `draw` makes it of a width and a height (0: its own).
figure::Figure for_page(const ExportOptions& options,
                        const std::function<figure::Figure(float, float)>& draw);

/// A view as a picture of it is: strips that nothing is chosen on are there for a hand, and not for
/// a reader.
ViewState to_print(const Snapshot& snapshot, ViewState view);
/// The figure that a picture file shows. Requires snapshot.run.
figure::Figure export_figure(const Snapshot& snapshot, const ViewState& view,
                             const ExportOptions& options);

/// Numbers that the view's picture is drawn of. None where there is nothing to show. Requires
/// snapshot.run.
files::Tables view_tables(const Snapshot& snapshot, const ViewState& view,
                          ExportedHeads heads = ExportedHeads::shown);

/// Numbers of every head of every attention, for a file of arrays: each table a stack of a layer's
/// heads, under the name that the run gives the layer ("decoder.layers.0.multihead_attn.weights").
/// What is of no single head stays as it is.
files::Tables every_attention(const Snapshot& snapshot, const ViewState& view);

/// True where a view's numbers are of one head, or of each in the grid.
bool is_of_heads(View view);

/// The numbers as a CSV file of them has them, with tabs between, for a spreadsheet. Errors: those
/// of export_bytes().
base::Result<std::string> numbers_as_text(const Snapshot& snapshot, const ViewState& view,
                                          ExportedHeads heads = ExportedHeads::shown);

/// The file's bytes. Numbers are view_tables(): all of them as CSV with their labels and as .npz,
/// the main one alone as .npy. The same snapshot and view give the same bytes.
/// Errors: those of the painter, and not_found where the snapshot holds no run or the view nothing.
base::Result<std::string> export_bytes(const Snapshot& snapshot, const ViewState& view,
                                       ExportFormat format, const ExportOptions& options = {});

/// Writes them atomically. Errors: also usage (an unknown suffix) and unwritable.
base::Result<void> export_to(const Snapshot& snapshot, const ViewState& view,
                             const std::string& path, const ExportOptions& options = {});

/// A picture that is made of no snapshot, atomically. Errors: those of the painter, usage (a suffix
/// of no picture) and unwritable.
base::Result<void> export_figure_to(const figure::Figure& figure, const std::string& path,
                                    const ExportOptions& options = {});

/// Pixels as the bytes of a PNG, for screenshots: 8-bit RGBA, rows from the top.
std::string png_bytes(std::span<const std::uint8_t> rgba, int width, int height);

} // namespace heed::app
