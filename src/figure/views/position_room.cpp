#include "figure/views/position_room.hpp"

#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/chart.hpp"
#include "figure/parts/colour_bar.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::figure {

namespace {

void draw_picture(Sheet& sheet, const PositionRoomData& data, const PositionRoomOptions& options,
                  const Box& part) {
    const Matrix<float>& table = *data.table;
    ValueRange range = signed_range(data.table, sheet.theme().stripes);
    range.meaning = "value"; // its ends say the rest
    const auto rows = static_cast<float>(table.rows()), cols = static_cast<float>(table.cols());
    const float numbers =
        std::max(sheet.width_of(std::to_string(table.rows()), {10.5f, Font::mono}),
                 sheet.width_of("position ↓", kNote) - 4);
    const bool with_bar = part.w >= 220 && part.h >= 90;
    const float bar = with_bar ? colour_bar_width(sheet, range) + 18 : 0;
    Box box{std::round(part.x + numbers + 10), std::round(part.y), 0, 0};
    box.w = std::max(std::floor(part.x + part.w - bar - box.x), 2.f);
    box.h = std::max(std::floor(part.h - 38), 2.f);
    sheet.heat(box, data.table, range.palette, range.low, range.high);
    sheet.target(box, tag::Cells{static_cast<int>(table.rows()), static_cast<int>(table.cols()),
                                 static_cast<int>(PositionPart::picture)});
    const float pitch_x = box.w / cols, pitch_y = box.h / rows;
    const auto mark = [&](const std::optional<int>& place, Index count, bool across) {
        if (!place || *place < 0 || *place >= static_cast<int>(count)) return;
        const float pitch = across ? pitch_y : pitch_x, thick = std::max(pitch, 3.f);
        const float at = (static_cast<float>(*place) + 0.5f) * pitch - thick / 2;
        const Box line =
            across ? Box{box.x, box.y + at, box.w, thick} : Box{box.x + at, box.y, thick, box.h};
        sheet.stroke(line, sheet.theme().text,
                     1); // the accent is nearly the largest value's colour
    };
    mark(options.position, table.rows(), true);
    mark(options.dimension, table.cols(), false);
    draw_counts_down(sheet, box.y, pitch_y, static_cast<int>(table.rows()), box.x - 8,
                     options.position);
    draw_counts_across(sheet, box.x, pitch_x, static_cast<int>(table.cols()), box.y + box.h + 5,
                       options.dimension);
    const float foot = box.y + box.h + 33;
    sheet.text("position ↓", {part.x, foot}, kNote, sheet.theme().muted);
    sheet.text(data.dimension_word + " →", {box.x + box.w, foot}, kNote, sheet.theme().muted,
               AlignX::right);
    if (with_bar) draw_colour_bar(sheet, range, box.x + box.w + 18, box.y, box.h);
}

std::vector<float> counted(int first, std::size_t count) {
    std::vector<float> xs(count);
    std::iota(xs.begin(), xs.end(), static_cast<float>(first));
    return xs;
}

void draw_curves(Sheet& sheet, const PositionRoomData& data, const PositionRoomOptions& options,
                 const Box& part, float below) {
    const Matrix<float>& table = data.waves ? *data.waves : *data.table;
    const int between = data.waves ? data.between : 1;
    SeriesChart chart;
    chart.below = below;
    chart.xs = counted(0, static_cast<std::size_t>(table.rows()));
    for (float& x : chart.xs) x = 1 + x / static_cast<float>(between);
    chart.cell = between;
    for (const Index dimension : data.dimensions) {
        if (dimension < 0 || dimension >= table.cols()) continue;
        Series series;
        series.name = std::to_string(dimension + 1);
        for (Index row = 0; row < table.rows(); ++row)
            series.values.push_back(table(row, dimension));
        chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return say_instead(sheet, part, "No " + data.dimension_word + " is chosen");
    float size = 0;
    for (const Series& series : chart.series) {
        for (const float v : series.values) {
            if (std::isfinite(v)) size = std::max(size, std::abs(v));
        }
    }
    chart.high = size > 0 ? size : 1;
    chart.low = -*chart.high;
    chart.x_word = "position →";
    chart.y_word = "value";
    chart.y_word_above = true; // cosines begin in the corner
    chart.before_names = data.dimension_word + " ";
    if (options.position && *options.position >= 0) {
        chart.marker = static_cast<std::size_t>(*options.position * between);
    }
    chart.part = static_cast<int>(PositionPart::curves);
    draw_series(sheet, chart, part);
}

void draw_offsets(Sheet& sheet, const PositionRoomData& data, const PositionRoomOptions& options,
                  const Box& part, float below) {
    SeriesChart chart;
    chart.below = below;
    chart.series = data.offsets;
    chart.xs = counted(data.first_offset, data.offsets.front().values.size());
    chart.x_word = "offset Δ →";
    if (options.offset && *options.offset >= data.first_offset) {
        chart.marker = static_cast<std::size_t>(*options.offset - data.first_offset);
    }
    chart.part = static_cast<int>(PositionPart::offsets);
    draw_series(sheet, chart, part);
}

/// `below`: how far below its place an axis may reach.
void draw_part(Sheet& sheet, const PositionRoomData& data, PositionPart part,
               const PositionRoomOptions& options, const Box& box, float below = 0) {
    if (box.w <= 0) return;
    const bool table = data.table && data.table->size() > 0;
    if (part == PositionPart::offsets) {
        if (data.offsets.empty() || data.offsets.front().values.empty()) {
            return say_instead(sheet, box, data.no_offsets);
        }
        return draw_offsets(sheet, data, options, box, below);
    }
    if (!table) return say_instead(sheet, box, data.no_table);
    part == PositionPart::picture ? draw_picture(sheet, data, options, box)
                                  : draw_curves(sheet, data, options, box, below);
}

std::string title_of(const PositionRoomData& data, PositionPart part) {
    switch (part) {
    case PositionPart::picture: return "Position × " + data.dimension_word;
    case PositionPart::curves: return "Curves over position";
    case PositionPart::offsets: return data.offsets_title;
    }
    return "";
}

std::string subtitle_of(const PositionRoomData& data, PositionPart part,
                        const PositionRoomOptions& options) {
    const Index rows = data.table ? data.table->rows() : 0;
    switch (part) {
    case PositionPart::picture: return data.table_subtitle;
    case PositionPart::curves:
        return options.position && *options.position >= 0 && *options.position < rows
                   ? "with their values at position " + std::to_string(*options.position + 1)
                   : "";
    case PositionPart::offsets: return data.offsets_subtitle;
    }
    return "";
}

std::string sentence(const PositionRoomData& data) {
    return "Positions of a model" + (data.title.empty() ? "" : ": " + data.title);
}

} // namespace

std::vector<Index> telling_dimensions(Index count) {
    std::vector<Index> result;
    const Index first = count / 5 / 2 * 2;
    for (Index i = first; i < std::min(first + 4, count); ++i) result.push_back(i);
    return result;
}

Figure position_room(const PositionRoomData& data, const PositionRoomOptions& options,
                     const Frame& frame) {
    Sheet sheet(frame, 1040, 760);
    sheet.figure.title = sentence(data);
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    const Box whole{sheet.margin(), top, std::max(sheet.width() - 2 * sheet.margin(), 1.f),
                    std::max(bottom - top, 1.f)};
    using enum PositionPart;
    // Without a table the offsets are all that there is to see.
    const bool table = data.table && data.table->size() > 0;
    const PositionPart parts[] = {table ? picture : offsets, table ? curves : picture,
                                  table ? offsets : curves};
    const float first = table ? 1.1f : 2.2f;
    const auto places = card_places(whole, whole.w >= 700 || (whole.w >= 440 && whole.h < 700)
                                               ? std::vector<CardRow>{{1, first}, {2, 1}}
                                               : std::vector<CardRow>{{1, first}, {1, 1}, {1, 1}});
    for (std::size_t i = 0; i < places.size(); ++i) {
        draw_part(sheet, data, parts[i], options,
                  draw_card(sheet, places[i], title_of(data, parts[i]),
                            subtitle_of(data, parts[i], options)),
                  kCardFoot);
    }
    return std::move(sheet.figure);
}

Figure position_part(const PositionRoomData& data, PositionPart part,
                     const PositionRoomOptions& options, const Frame& frame) {
    Sheet sheet(frame, 640, 400);
    sheet.figure.title = sentence(data) + ": " + title_of(data, part);
    const std::string own = subtitle_of(data, part, options);
    const float top = sheet.header(title_of(data, part), own.empty() ? data.subtitle : own);
    const float bottom = sheet.content_bottom();
    draw_part(sheet, data, part, options,
              {sheet.margin(), top, std::max(sheet.width() - 2 * sheet.margin(), 0.f),
               std::max(bottom - top, 1.f)});
    return std::move(sheet.figure);
}

} // namespace heed::figure
