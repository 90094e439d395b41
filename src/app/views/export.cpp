#include "app/views/export.hpp"

#include "app/views/filter.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "files/painter.hpp"
#include "files/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr Named<ExportFormat> kFormats[] = {{"png", ExportFormat::png}, {"svg", ExportFormat::svg},
                                            {"pdf", ExportFormat::pdf}, {"csv", ExportFormat::csv},
                                            {"npy", ExportFormat::npy}, {"npz", ExportFormat::npz}};

constexpr Named<ExportedHeads> kHeads[] = {
    {"one", ExportedHeads::one}, {"shown", ExportedHeads::shown}, {"all", ExportedHeads::all}};

Result<std::string> painted(const Snapshot& snapshot, const ViewState& view, files::Format format,
                            const ExportOptions& options) {
    files::PaintOptions paint;
    paint.scale = options.png_scale;
    paint.transparent = options.transparent;
    return files::paint(export_figure(snapshot, view, options), format, paint);
}

/// Whether the maps of all heads and the file of them fit into memory.
Result<void> check_size(const Snapshot& snapshot, ExportFormat format) {
    constexpr double kMostBytes = 3e9, kArray = 12, kText = 28; // bytes of a number, file and all
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    const auto& trace = snapshot.run->trace;
    const auto map = trace.map({kind, 0, 0});
    if (!map) return {};
    const auto rows = map->rows(trace::Stage::weights), cols = map->cols(trace::Stage::weights);
    const int heads = trace.n_layers(kind) * trace.n_heads(kind);
    const double bytes = static_cast<double>(rows) * static_cast<double>(cols) * heads *
                         (format == ExportFormat::csv ? kText : kArray);
    if (bytes <= kMostBytes) return {};
    return fail(ErrorKind::out_of_range, "heads",
                fmt::format("all {} maps of {} × {} would take {:.1f} GB of memory; the limit is "
                            "{:.1f}. Write one head, or shorten the sentences",
                            heads, rows, cols, bytes / 1e9, kMostBytes / 1e9));
}

Result<std::string> written_numbers(const Snapshot& snapshot, const ViewState& view,
                                    ExportFormat format, ExportedHeads heads) {
    if (heads == ExportedHeads::all) {
        if (auto ok = check_size(snapshot, format); !ok) return tl::make_unexpected(ok.error());
    }
    const files::Tables tables = view_tables(snapshot, view, heads);
    if (tables.all.empty()) {
        return fail(ErrorKind::not_found, std::string(info(view.view).label),
                    "shows no numbers here that could be written");
    }
    if (format == ExportFormat::csv) return files::write_csv(tables);
    if (format == ExportFormat::npy) return files::write_npy(tables);
    return files::write_npz(tables, {{"view", std::string(info(view.view).name)},
                                     {"shows", provenance(snapshot, view.view)}});
}

} // namespace

template <> std::span<const Named<ExportFormat>> names() { return kFormats; }
template <> std::span<const Named<ExportedHeads>> names() { return kHeads; }

bool is_picture(ExportFormat format) { return format <= ExportFormat::pdf; }

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
    case ExportFormat::csv:
    case ExportFormat::npy:
    case ExportFormat::npz: return written_numbers(snapshot, view, format, options.heads);
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
