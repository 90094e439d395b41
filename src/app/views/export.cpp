#include "app/views/export.hpp"

#include "app/views/filter.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "files/painter.hpp"
#include "files/picture.hpp"
#include "files/table.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr Named<ExportFormat> kFormats[] = {{"png", ExportFormat::png},
                                            {"svg", ExportFormat::svg},
                                            {"pdf", ExportFormat::pdf},
                                            {"csv", ExportFormat::csv},
                                            {"npy", ExportFormat::npy}};

tensors::Array as_array(const Matrix<float>& values) {
    return {{values.rows(), values.cols()}, {values.data(), values.data() + values.size()}};
}

Result<std::string> painted(const Snapshot& snapshot, const ViewState& view, files::Format format,
                            const ExportOptions& options) {
    files::PaintOptions paint;
    paint.scale = options.png_scale;
    paint.transparent = options.transparent;
    return files::paint(export_figure(snapshot, view, options), format, paint);
}

} // namespace

template <> std::span<const Named<ExportFormat>> names() { return kFormats; }

bool is_picture(ExportFormat format) {
    return format != ExportFormat::csv && format != ExportFormat::npy;
}

ViewState to_print(const Snapshot& snapshot, ViewState view) {
    const bool chosen = !view.pinned_queries.empty() || !view.pinned_keys.empty() ||
                        !chosen_layers(snapshot.focus).empty() ||
                        !chosen_heads(snapshot.focus).empty();
    view.strips = view.strips && chosen;
    return view;
}

std::optional<ExportFormat> export_format_of(std::string_view path) {
    const std::size_t dot = path.find_last_of("./");
    if (dot == path.npos || path[dot] != '.') return std::nullopt;
    std::string suffix(path.substr(dot + 1));
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& format : kFormats) {
        if (format.name == suffix) return format.value;
    }
    return std::nullopt;
}

Result<ExportFormat> read_export_format(const std::string& path) {
    if (const auto format = export_format_of(path)) return *format;
    std::string suffixes;
    for (const auto& format : kFormats) {
        suffixes += fmt::format("{}.{}", suffixes.empty() ? "" : ", ", format.name);
    }
    return fail(ErrorKind::usage, path, fmt::format("its suffix is not one of {}", suffixes));
}

figure::Figure export_figure(const Snapshot& snapshot, const ViewState& view,
                             const ExportOptions& options) {
    return make_figure(
        snapshot, to_print(snapshot, view),
        Place{options.width, options.height, options.beside_title, true, options.reads});
}

Result<std::string> export_bytes(const Snapshot& snapshot, const ViewState& view,
                                 ExportFormat format, const ExportOptions& options) {
    if (!snapshot.run) {
        return fail(ErrorKind::not_found, "export", "there is no finished run to export yet");
    }
    switch (format) {
    case ExportFormat::png: return painted(snapshot, view, files::Format::png, options);
    case ExportFormat::svg: return painted(snapshot, view, files::Format::svg, options);
    case ExportFormat::pdf: return painted(snapshot, view, files::Format::pdf, options);
    case ExportFormat::csv: {
        const figure::MapData data = map_data(snapshot);
        return files::write_csv(*data.values, data.row_labels, data.col_labels);
    }
    case ExportFormat::npy: return tensors::write_npy(as_array(*map_data(snapshot).values));
    }
    return fail(ErrorKind::unsupported, "export", "no such format");
}

Result<void> export_to(const Snapshot& snapshot, const ViewState& view, const std::string& path,
                       const ExportOptions& options) {
    const auto format = read_export_format(path);
    if (!format) return tl::make_unexpected(format.error());
    const auto bytes = export_bytes(snapshot, view, *format, options);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return base::write_file_atomic(path, *bytes);
}

std::string png_bytes(std::span<const std::uint8_t> rgba, int width, int height) {
    return files::write_png(rgba, width, height);
}

} // namespace heed::app
