#include "app/views/export.hpp"

#include "app/views/filter.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "figure/base/fitted.hpp"
#include "figure/base/sheet.hpp"
#include "files/painter.hpp"
#include "files/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr Named<ExportFormat> kFormats[] = {{"png", ExportFormat::png}, {"svg", ExportFormat::svg},
                                            {"pdf", ExportFormat::pdf}, {"csv", ExportFormat::csv},
                                            {"npy", ExportFormat::npy}, {"npz", ExportFormat::npz}};

constexpr Named<Ground> kGrounds[] = {
    {"white", Ground::white}, {"theme", Ground::theme}, {"none", Ground::none}};

constexpr Named<ExportedHeads> kHeads[] = {
    {"one", ExportedHeads::one}, {"shown", ExportedHeads::shown}, {"all", ExportedHeads::all}};

Result<std::string> painted(const Snapshot& snapshot, const ViewState& view, files::Format format,
                            const ExportOptions& options) {
    files::PaintOptions paint;
    paint.scale = options.png_scale;
    paint.transparent = options.ground == Ground::none;
    const figure::Figure picture = export_figure(snapshot, view, options);
    if (is_sentence(picture)) {
        return fail(ErrorKind::not_found, "nothing to export",
                    picture.title.substr(0, picture.title.find('\n')));
    }
    return files::paint(picture, format, paint);
}

/// Checks that the maps of all heads and the file of them fit into memory.
Result<void> check_size(const Snapshot& snapshot, ExportFormat format) {
    constexpr double kMostBytes = 3e9, kArray = 12, kText = 28; // bytes of a number, file and all
    const auto& trace = snapshot.run->trace;
    double bytes = 0;
    int heads = 0;
    num::Index rows = 0, cols = 0; // of the largest
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        const bool written = format == ExportFormat::npz || kind == snapshot.focus.head.kind;
        const auto map = written ? trace.map({kind, 0, 0}) : std::nullopt;
        if (!map) continue;
        const int of_kind = trace.n_layers(kind) * trace.n_heads(kind);
        const auto high = map->rows(trace::Stage::weights), wide = map->cols(trace::Stage::weights);
        heads += of_kind;
        rows = std::max(rows, high);
        cols = std::max(cols, wide);
        bytes += static_cast<double>(high) * static_cast<double>(wide) * of_kind *
                 (format == ExportFormat::csv ? kText : kArray);
    }
    if (bytes <= kMostBytes) return {};
    return fail(ErrorKind::out_of_range, "heads",
                fmt::format("all {} maps of {} × {} would take {:.1f} GB of memory; the limit is "
                            "{:.1f}. Write one head, or shorten the sentences",
                            heads, rows, cols, bytes / 1e9, kMostBytes / 1e9));
}

Result<files::Tables> tables_for(const Snapshot& snapshot, const ViewState& view,
                                 ExportFormat format, ExportedHeads heads) {
    if (heads == ExportedHeads::all) {
        if (auto ok = check_size(snapshot, format); !ok) return tl::make_unexpected(ok.error());
    }
    const bool every = heads == ExportedHeads::all && format == ExportFormat::npz;
    files::Tables tables =
        every ? every_attention(snapshot, view) : view_tables(snapshot, view, heads);
    if (!tables.all.empty()) return tables;
    return fail(ErrorKind::not_found, std::string(info(view.view).label),
                "has no numbers to export here");
}

Result<std::string> written_numbers(const Snapshot& snapshot, const ViewState& view,
                                    ExportFormat format, ExportedHeads heads) {
    const auto tables = tables_for(snapshot, view, format, heads);
    if (!tables) return tl::make_unexpected(tables.error());
    if (format == ExportFormat::csv) return files::write_csv(*tables);
    if (format == ExportFormat::npy) return files::write_npy(*tables);
    return files::write_npz(*tables, {{"view", std::string(info(view.view).name)},
                                      {"shows", provenance(snapshot, view.view)}});
}

} // namespace

template <> std::span<const Named<ExportFormat>> names() { return kFormats; }
template <> std::span<const Named<ExportedHeads>> names() { return kHeads; }

template <> std::span<const Named<Ground>> names() { return kGrounds; }

Result<std::string> numbers_as_text(const Snapshot& snapshot, const ViewState& view,
                                    ExportedHeads heads) {
    return tables_for(snapshot, view, ExportFormat::csv, heads).map([](const files::Tables& all) {
        return files::write_csv(all, files::kTabs);
    });
}

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

namespace {

constexpr float kPointsInCm = 72 / 2.54f;
constexpr float kCropMargin = 12; // points, as on the screen
constexpr float kPageMargin = 4;  // a column has a margin of its own

figure::Figure cropped(figure::Figure figure, float margin) {
    const figure::Box content = figure::content_box(figure);
    if (content.w <= 0 || content.h <= 0) return figure;
    return figure::cut_to(std::move(figure), {content.x - margin, content.y - margin,
                                              content.w + 2 * margin, content.h + 2 * margin});
}

/// The left of titles and captions.
std::optional<float> left_of_words(const figure::Figure& figure) {
    for (const figure::Primitive& item : figure.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text != nullptr && text->heads) return text->at.x;
    }
    return std::nullopt;
}

/// Cut to what is drawn with the margin of a page, which is that of the titles where names reach a
/// little beyond them: pictures below each other have theirs in one line.
figure::Figure on_page(figure::Figure figure, float margin) {
    const figure::Box content = figure::content_box(figure);
    if (content.w <= 0 || content.h <= 0) return figure;
    float left = content.x - margin;
    const float words = left_of_words(figure).value_or(content.x);
    constexpr float kLittle = 1.5f; // of the margin
    if (words - content.x < kLittle * margin) {
        constexpr float kInk = 0.25f; // of the margin, that letters may reach beyond their boxes
        left = std::max(left, std::min(words - margin, content.x - kInk * margin));
    }
    return figure::cut_to(
        std::move(figure),
        {left, content.y - margin, content.x + content.w + margin - left, content.h + 2 * margin});
}

float right_of(const figure::Box& box) { return box.x + box.w; }
float bottom_of(const figure::Box& box) { return box.y + box.h; }

constexpr float kSlack = 16, kSmaller = 0.95f;

/// Ground between what is drawn and the caption below it.
float gap_below(const figure::Figure& figure) {
    const float bottom = bottom_of(figure::drawn_box(figure));
    float words = figure.height;
    for (const figure::Primitive& item : figure.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text != nullptr && text->at.y - text->style.size > bottom) {
            words = std::min(words, text->at.y - text->style.size);
        }
    }
    return words < figure.height ? words - bottom : 0;
}

using Draw = std::function<figure::Figure(float, float)>;

/// No higher than its content needs: a caption at the foot of the window keeps the ground above
/// it. Where less height makes a smaller picture, it keeps its own.
figure::Figure lowered(float width, float height, const Draw& draw) {
    figure::Figure figure = draw(width, height);
    const float gap = gap_below(figure);
    if (gap <= 2 * kSlack) return figure;
    const figure::Box whole = figure::drawn_box(figure);
    figure::Figure low = draw(width, figure.height - gap + kSlack);
    const figure::Box stays = figure::drawn_box(low);
    const bool smaller = right_of(stays) < kSmaller * right_of(whole) ||
                         bottom_of(stays) < kSmaller * bottom_of(whole);
    return smaller ? figure : low;
}

/// No wider than its content needs: a caption that is broken at the width of the window keeps the
/// ground beside a narrow map.
figure::Figure narrowed(float width, float height, const Draw& draw) {
    figure::Figure figure = lowered(width, height, draw);
    const float left = figure::content_box(figure).x, right = right_of(figure::drawn_box(figure));
    if (right <= left || right + left + kSlack > figure.width) return figure;
    figure::Figure narrow = lowered(std::ceil(right + left) + 1, height, draw);
    const float stays = right_of(figure::drawn_box(narrow));
    return stays < kSmaller * right ? figure : narrow;
}

/// Makes the ground white, and with it what lies on it to keep words free of what they stand upon.
void whiten(figure::Figure& figure) {
    const figure::Color old = figure.background;
    figure.background = {255, 255, 255, 255};
    for (figure::Primitive& item : figure.items) {
        auto* fill = std::get_if<figure::Fill>(&item);
        if (fill == nullptr) continue;
        figure::Color& color = fill->color;
        if (color.r == old.r && color.g == old.g && color.b == old.b) {
            color = {255, 255, 255, color.a};
        }
    }
}

/// Laid out so wide that, cropped and with its labels at their size, it fills the page's width.
figure::Figure fit_page(const PageSize& page, const Draw& draw) {
    const float factor = page.font_points / figure::type_size::kLabel;
    const float wanted = page.width_cm * kPointsInCm / factor;
    float width = wanted;
    figure::Figure fitted;
    std::optional<figure::Figure> within; // the widest one that is not too wide
    constexpr int kRounds = 4, kMore = 5; // more, where it jumps from one to the other
    std::optional<float> narrow, wide;    // widths at which it is too narrow and too wide
    for (int round = 0; round < kRounds + (narrow && wide ? kMore : 0); ++round) {
        fitted = on_page(draw(width, 0), kPageMargin / factor);
        const float lacks = wanted - fitted.width;
        if (std::abs(lacks) < 1) break;
        if (lacks > 0 && (!within || within->width < fitted.width)) within = fitted;
        if (lacks > 0) narrow = std::max(narrow.value_or(width), width);
        if (lacks < 0) wide = std::min(wide.value_or(width), width);
        width = std::max(width + lacks, wanted / 2);
        const bool between = narrow && wide && *narrow < *wide;
        if (between && (width <= *narrow || width >= *wide)) width = (*narrow + *wide) / 2;
    }
    // Words that break elsewhere make some pictures jump from too narrow to too wide.
    if (fitted.width > wanted + 1 && within) fitted = *std::move(within);
    // What cannot be as narrow becomes smaller, its words too.
    if (fitted.width > wanted + 1) {
        return figure::scaled(std::move(fitted), factor * wanted / fitted.width);
    }
    // Cells that are as large as they get leave the rest of the width free, on both sides alike;
    // titles do not move for a little of it.
    constexpr float kLittleRest = 0.12f;
    const float rest = wanted - fitted.width;
    const bool titled = left_of_words(fitted) && rest < kLittleRest * wanted;
    const float before = titled ? 0 : rest / 2;
    fitted = figure::cut_to(std::move(fitted), {-before, 0, wanted, fitted.height});
    return figure::scaled(std::move(fitted), factor);
}

} // namespace

bool is_sentence(const figure::Figure& picture) {
    return std::ranges::all_of(picture.items, [](const figure::Primitive& item) {
        return std::holds_alternative<figure::Text>(item);
    });
}

bool prints_dark(const ExportOptions& options, bool dark) {
    return dark && options.ground != Ground::white;
}

figure::Figure for_page(const ExportOptions& options,
                        const std::function<figure::Figure(float, float)>& draw) {
    const auto on_screen = [&] {
        if (!options.crop) return draw(options.width, options.height);
        return cropped(narrowed(options.width, options.height, draw), kCropMargin);
    };
    figure::Figure figure = options.page ? fit_page(*options.page, draw) : on_screen();
    if (options.ground == Ground::white) whiten(figure);
    return figure;
}

figure::Figure export_figure(const Snapshot& snapshot, const ViewState& view,
                             const ExportOptions& options) {
    ViewState printed = to_print(snapshot, view);
    printed.dark = prints_dark(options, view.dark);
    return for_page(options, [&](float width, float height) {
        const bool screen = !options.page;
        Place place{width, height, screen && !options.crop ? options.beside_title : 0};
        place.reads = screen && options.reads;
        place.grows = place.reads && options.grows;
        place.marks = place.reads ? figure::Marks{} : options.marks;
        place.in_file = !place.reads; // a file as the window shows it is as the window shows it
        return make_figure(snapshot, printed, place);
    });
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

Result<void> export_figure_to(const figure::Figure& figure, const std::string& path,
                              const ExportOptions& options) {
    const auto format = read_export_format(path);
    if (!format) return tl::make_unexpected(format.error());
    if (!is_picture(*format)) {
        return fail(ErrorKind::usage, path, "holds numbers; a picture ends in .png, .svg or .pdf");
    }
    files::PaintOptions paint;
    paint.scale = options.png_scale;
    paint.transparent = options.ground == Ground::none;
    const auto bytes = files::paint(figure, static_cast<files::Format>(*format), paint);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return base::write_file_atomic(path, *bytes);
}

std::string png_bytes(std::span<const std::uint8_t> rgba, int width, int height) {
    return files::write_png(rgba, width, height);
}

} // namespace heed::app
