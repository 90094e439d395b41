#include "figure/views/unrolled.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/stripe.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

using Band = UnrolledBand;

constexpr float kLinks = 68, kLowLinks = 40;                      // height between the sides
constexpr float kRecurrent = 1.8f, kFrame = 2, kBeforeCell = 3;   // arrows from cell to cell
constexpr float kNumberHigh = 14, kAboveCells = 7;                // of a link's weight
constexpr float kLowestCell = 10, kLowCell = 22, kEasyCell = 30, kHighCell = 400; // cells
constexpr float kOpenCell = 60, kSentence = 60; // where the height is free; in place of a picture

Color ink(const Sheet& sheet, bool chosen) {
    return chosen ? sheet.theme().accent : sheet.theme().muted;
}

void draw_row(Sheet& sheet, const UnrolledBand& band, std::size_t index) {
    const UnrolledCells& row = band.side.rows[index];
    const Theme& theme = sheet.theme();
    const float size = std::max(largest_size(*row.states), 1e-9f), y = band.y(index);
    const float width = band.width();
    const auto draw = [&](float x, const num::RowVector<float>& values, bool chosen) {
        auto column =
            std::make_shared<Matrix<float>>(drawn_features(values, band.cell).transpose());
        const Box box{x - width / 2, y, width, band.cell};
        sheet.heat(box, std::move(column), theme.stripes, -size, size);
        sheet.stroke({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
                     chosen ? theme.accent : theme.border, chosen ? 1.8f : 1, 2);
        return box;
    };
    const float middle = y + band.cell / 2;
    if (row.start.size() > 0 && band.first == 0) {
        const float x = band.left - 0.5f * band.pitch;
        draw(x, row.start, false);
        if (index == 0) {
            sheet.text("s₀", {x, y + band.cell + 12}, name_style(band), theme.muted, AlignX::centre,
                       AlignY::middle);
        }
        draw_arrow(sheet, {{x + width / 2 + 3, middle}, {band.x(0) - width / 2 - 3, middle}},
                   ink(sheet, band.chosen == 0), kRecurrent);
    }
    for (int step = band.first; step < band.last; ++step) {
        const bool chosen = band.chosen == step;
        const Box box = draw(band.x(step), row.states->row(step), chosen);
        const Index features = row.states->cols();
        sheet.target({box.x - 2, box.y, box.w + 4, box.h},
                     tag::Stripe{step, static_cast<int>(features),
                                 static_cast<int>(index) + (band.decoder ? kDecoderRows : 0),
                                 static_cast<int>(features_with_room(features, band.cell))});
        if (step + 1 >= band.last) continue;
        // From the edge of a cell, so that it comes from no wire beside it, to just before the
        // next.
        const bool reversed = row.reversed;
        const float from = band.x(step) + width / 2 + (reversed ? kBeforeCell : kFrame);
        const float to = band.x(step + 1) - width / 2 - (reversed ? kFrame : kBeforeCell);
        if (to - from < 5) continue;
        draw_arrow(sheet, {{reversed ? to : from, middle}, {reversed ? from : to, middle}},
                   ink(sheet, band.chosen == (reversed ? step : step + 1)), kRecurrent);
    }
    const TextStyle name = name_style(band);
    sheet.text(sheet.fitted(row.name, name, band.names - 8), {sheet.margin(), middle}, name,
               theme.muted, AlignX::left, AlignY::middle);
}

/// A wire from `from` to `to` of two states, open where it crosses the arrow at the middle of a
/// row.
std::vector<Point> cut_at(Sheet& sheet, const UnrolledBand& band, std::size_t row,
                          std::vector<Point> before, Point next, Color color, float width) {
    constexpr float kOpen = 4;
    const float middle = band.y(row) + band.cell / 2, x = before.back().x;
    before.push_back({x, middle + kOpen});
    sheet.line(std::move(before), color, width);
    return {{x, middle - kOpen}, next};
}

/// The wire from a forward state past the one above it that goes back, to where both go on.
void draw_past_backwards(Sheet& sheet, const UnrolledBand& band, std::size_t row, int step,
                         Color color, float width) {
    constexpr float kDot = 4;
    const float x = band.x(step), side = x - band.width() / 2, aside = side - 5;
    const float from = band.y(row) + 6, over = band.y(row + 1) - 3;
    auto rest = cut_at(sheet, band, row + 1, {{side - 1, from}, {aside, from}}, {aside, over},
                       color, width);
    rest.push_back({x, over});
    sheet.line(std::move(rest), color, width);
    sheet.fill({x - kDot / 2, over - kDot / 2, kDot, kDot}, color, kDot / 2);
}

/// Arrows from what each row reads: the word below, or the rows of the layer below; two directions
/// of a layer read the same, and pass each other.
void draw_flow_up(Sheet& sheet, const UnrolledBand& band) {
    const auto& rows = band.side.rows;
    const auto directions = static_cast<std::size_t>(
        1 + (rows.size() > 1 &&
             std::any_of(rows.begin(), rows.end(), [](const auto& r) { return r.reversed; })));
    for (int step = band.first; step < band.last; ++step) {
        const Color color = ink(sheet, band.chosen == step);
        const float x = band.x(step), aside = band.width() / 2 + 5;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool second = directions == 2 && row % 2 == 1;
            const float to = band.y(row) + band.cell + 3;
            if (!second) { // what lies below ends a little under this row
                draw_arrow(sheet, {{x, to + Band::kFlowUp - 7}, {x, to}}, color);
                continue;
            }
            const float from = band.y(row - 1) + band.cell + Band::kFlowUp - 4;
            auto rest = cut_at(sheet, band, row - 1, {{x, from}, {x + aside, from}},
                               {x + aside, to + 9}, color, 1);
            rest.insert(rest.end(), {{x, to + 9}, {x, to}});
            draw_arrow(sheet, std::move(rest), color, 1);
        }
        // Forwards, past the row that goes back, to what reads both: the next layer, or the words.
        const bool once = band.side.said.size() == 1; // from the ends alone
        const std::size_t read = directions == 1 ? 0 : rows.size() - (once || !band.both_read);
        for (std::size_t row = 0; row + 1 < read; row += 2)
            draw_past_backwards(sheet, band, row, step, color, 1);
        if (band.side.said.size() < 2) continue;
        const float top = band.y(rows.size() - 1);
        draw_arrow(sheet, {{x, top - 3}, {x, top - Band::kFlowUp + 4}}, color);
    }
}

/// Where a wire passes up between the words of this step and the one before, or, past the last
/// step, behind its word.
float between_words(const UnrolledBand& band, const StepWords& words, int step) {
    const auto at = static_cast<std::size_t>(step - band.first);
    const float x = band.x(step), aside = x - std::min(0.42f * band.pitch, 26.f);
    const float before = x - band.pitch + (at == 0 ? 0 : words.right(at - 1));
    if (step == band.last) return std::max(aside, before + words.between / 2);
    const float word = x + words.left(at), apart = std::min(words.between, word - before) / 2;
    return std::clamp(aside, before + apart, std::max(word - apart, before + apart));
}

/// A wire from the context in this box up between two words: aslant just below them, where a level
/// one would run along a frame.
std::vector<Point> way_up(const UnrolledBand& band, const Box& context, float past) {
    const float under =
        band.y(0) + band.cell + Band::kFlowUp + Band::kWords / 2 + 0.5f * band.word + 2;
    constexpr float kFrameEdge = 1.5f;
    const float start =
        std::clamp(past, context.x - kFrameEdge, context.x + context.w + kFrameEdge);
    std::vector<Point> way = {{start, context.y - 2}};
    if (past != start) way.push_back({past, std::min(under, context.y - 5)});
    return way;
}

void draw_context_wires(Sheet& sheet, const UnrolledBand& band, const Box& context, int step,
                        const StepWords& words) {
    const bool later = band.side.updates_first; // its word reads it, and the next state
    const int reader = later ? step + 1 : step;
    const float past = between_words(band, words, reader);
    const float over = band.y(0) + band.cell;
    std::vector<Point> way = way_up(band, context, past);
    if (reader < band.last) {
        std::vector<Point> to_state = way;
        to_state.insert(to_state.end(),
                        {{past, over + 9}, {band.x(reader) - band.width() / 2 + 1, over + 3}});
        draw_arrow(sheet, std::move(to_state), ink(sheet, band.chosen == reader), 1);
    }
    if (!later) return;
    constexpr float kDot = 4;
    const Color color = ink(sheet, band.chosen == step);
    const float x = band.x(step), aside = x + band.pitch / 2;
    const float top = band.y(band.side.rows.size() - 1) - 3;
    way.insert(way.end(), {{past, over + 9}, {aside, over + 3}});
    for (std::size_t row = 0; step + 1 < band.last && row < band.side.rows.size(); ++row)
        way = cut_at(sheet, band, row, std::move(way), {aside, band.y(row)}, color, 1);
    way.insert(way.end(), {{aside, top}, {x, top}});
    sheet.line(std::move(way), color, 1);
    sheet.fill({x - kDot / 2, top - kDot / 2, kDot, kDot}, color, kDot / 2);
}

void draw_contexts(Sheet& sheet, const UnrolledBand& band) {
    if (!band.side.contexts) return;
    const Theme& theme = sheet.theme();
    const Matrix<float>& c = *band.side.contexts;
    const float size = std::max(largest_size(c), 1e-9f), width = band.context_width();
    const float y = band.bottom() - Band::kContext;
    const StepWords words = words_at(sheet, band, band.side.read, true, band.word);
    for (int step = band.first; step < band.last; ++step) {
        const bool chosen = band.chosen == step;
        const Box box{band.x(step) - width / 2, y, width, Band::kContext};
        auto values = std::make_shared<Matrix<float>>(drawn_features(c.row(step), width));
        sheet.heat(box, std::move(values), theme.stripes, -size, size);
        sheet.stroke({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
                     chosen ? theme.accent : theme.border, chosen ? 1.8f : 1, 2);
        draw_context_wires(sheet, band, box, step, words);
    }
    sheet.text("cᵢ", {sheet.margin(), y + Band::kContext / 2}, name_style(band), theme.muted,
               AlignX::left, AlignY::middle);
}

/// Wide and dark enough to be seen, however small the weight; rising with it.
float link_width(float weight) { return 0.9f + 10.3f * std::min(weight, 1.f); }
float link_ink(float weight) { return 0.5f + 0.45f * std::min(weight, 1.f); }

/// Draws links from the encoder's states to the chosen step's context, as wide as their weights and
/// in its colour, whichever word is chosen.
void draw_links(Sheet& sheet, const UnrolledBand& encoder, const UnrolledBand& decoder,
                const num::RowVector<float>& weights) {
    const Theme& theme = sheet.theme();
    const int step = decoder.chosen.value_or(decoder.first);
    if (step < decoder.first || step >= decoder.last) return;
    const Point to{decoder.x(step), decoder.bottom() + 3};
    const float from = encoder.y(encoder.side.rows.size() - 1) - kAboveCells;
    const float number_y = from - kNumberHigh / 2 + 1;
    const std::vector<std::string> told = link_numbers(sheet, encoder, weights);
    std::vector<Text> numbers; // above all links
    for (int word = encoder.first; word < encoder.last && word < weights.size(); ++word) {
        const float weight = weights[word], x = encoder.x(word);
        // Between a state and its link stands the number, so that it is of no other one.
        const std::string& number = told[static_cast<std::size_t>(word)];
        if (number.empty()) continue;
        const float wide = link_width(weight), y = from - kNumberHigh - wide / 2;
        const float half = (y + to.y) / 2;
        sheet.curve({x, y}, {x, y + 1.5f * (half - y)}, {to.x, half}, to,
                    faded(theme.accent, link_ink(weight)), wide);
        numbers.push_back({number,
                           {x, number_y},
                           kMonoNote,
                           encoder.chosen == word ? theme.accent : theme.muted,
                           AlignX::centre,
                           AlignY::middle});
    }
    sheet.figure.items.insert(sheet.figure.items.end(), numbers.begin(), numbers.end());
    if (numbers.empty()) return;
    sheet.text(weights_name(step), {sheet.margin(), number_y}, name_style(encoder), theme.muted,
               AlignX::left, AlignY::middle);
}

/// Draws links from the last state of each direction to the context of the chosen step.
void draw_ends(Sheet& sheet, const UnrolledBand& encoder, const UnrolledBand& decoder, int last) {
    const Color color = sheet.theme().accent;
    const int step = decoder.chosen.value_or(decoder.first);
    if (step < decoder.first || step >= decoder.last) return;
    const Point to{decoder.x(step), decoder.bottom() + 3};
    const std::size_t top = encoder.side.rows.size() - 1;
    const bool back = encoder.side.rows[top].reversed;
    const float from = encoder.y(top) - 4, half = (from + to.y) / 2;
    const auto link = [&](int word) {
        const Point at{encoder.x(word), from};
        sheet.curve(at, {at.x, half}, {to.x, half}, {to.x, to.y + 5}, color, 2);
        draw_arrow(sheet, {{to.x, to.y + 6}, to}, color, 2);
    };
    if (last >= encoder.first && last < encoder.last) {
        if (back) draw_past_backwards(sheet, encoder, top - 1, last, color, 2);
        link(last);
    }
    if (back && encoder.first == 0) link(0);
}

/// The right end of the number at the last word's link, where it has one.
float last_number_end(const Sheet& sheet, const UnrolledBand& encoder, const UnrolledBand& decoder,
                      const num::RowVector<float>& weights) {
    const int last = encoder.last - 1, step = decoder.chosen.value_or(decoder.first);
    const float x = encoder.x(last);
    if (last >= weights.size() || step < decoder.first || step >= decoder.last) return x;
    const std::string number =
        link_numbers(sheet, encoder, weights)[static_cast<std::size_t>(last)];
    return x + sheet.width_of(number, kMonoNote) / 2;
}

/// The states that the encoder ends in become the one that the decoder starts from.
void draw_bridge(Sheet& sheet, const UnrolledBand& encoder, const UnrolledBand& decoder,
                 const num::RowVector<float>& weights) {
    if (decoder.first > 0 || decoder.side.rows.empty() || decoder.side.rows[0].start.size() == 0) {
        return;
    }
    const std::size_t top = encoder.side.rows.size() - 1;
    const bool from_last = encoder.last == encoder.side.steps(); // forwards it ends there
    const bool from_first = encoder.side.rows[top].reversed && encoder.first == 0;
    if (!from_last && !from_first) return;
    const float x = decoder.left - 0.5f * decoder.pitch, to = decoder.y(0) + decoder.cell + 22;
    const float way = decoder.bottom() + 12;
    const Color color = faded(sheet.theme().muted, 0.8f);
    const float cells = encoder.x(encoder.last - 1) + encoder.width() / 2 + 2;
    const float right =
        std::min(std::max(cells + 9, last_number_end(sheet, encoder, decoder, weights) + 4),
                 sheet.width() - 2);
    const std::size_t forward = encoder.side.rows[top].reversed ? top - 1 : top;
    const float y = encoder.y(forward) + encoder.cell / 2;
    if (from_last) sheet.line({{cells, y}, {right, y}, {right, way}, {x, way}}, color, 1, true);
    if (from_first) { // backwards
        const float first = encoder.x(0) - encoder.width() / 2 - 2;
        const float back = encoder.y(top) + encoder.cell / 2;
        const float left = first - 9;
        sheet.line({{first, back}, {left, back}, {left, way}, {std::max(left, x), way}}, color, 1,
                   true);
    }
    draw_arrow(sheet, {{x, way}, {x, to}}, color, 1);
}

using Sides = std::vector<const UnrolledSide*>;

/// " = 0.99 for h →, 1.00 for s, 4.68 for cᵢ": where the colours of each row end.
std::string ends_of_colours(const Sides& sides) {
    std::string words;
    const auto add = [&](const Matrix<float>& values, const std::string& name) {
        const float size = largest_size(values);
        words +=
            (words.empty() ? " = " : ", ") + number_text(size, decimals_for(size)) + " for " + name;
    };
    for (const UnrolledSide* side : sides) {
        for (const UnrolledCells& row : side->rows) add(*row.states, row.name);
        if (side->contexts) add(*side->contexts, "cᵢ");
    }
    return words + ", of all steps";
}

/// True where a word has weight and no link, however long the sentence.
bool leaves_links_out(const num::RowVector<float>& weights) {
    return std::ranges::any_of(weights, [](float w) { return w > 0 && w < kLeastBar; });
}

/// What the colours are and, in the words of `notes`, what is not drawn.
std::vector<ColourKey> keys_of(const Sheet& sheet, const Sides& sides,
                               const std::vector<std::string>& notes) {
    ColourKey key = signed_key(sheet.theme(), ends_of_colours(sides));
    if (colour_key_width(sheet, key) > sheet.width() - 2 * sheet.margin()) {
        key.meaning = " = the row's largest |x|, of all steps";
    }
    std::vector<ColourKey> keys = {key};
    for (const std::string& note : notes) {
        if (!note.empty()) keys.push_back({{}, {}, {}, note});
    }
    return keys;
}

std::string left_out_of(const std::vector<UnrolledBand>& bands) {
    LeftOutFeatures left_out;
    const auto add = [&](Index features, float points) {
        left_out.add(features_with_room(features, points), features);
    };
    for (const UnrolledBand& band : bands) {
        for (const UnrolledCells& row : band.side.rows) add(row.states->cols(), band.cell);
        if (band.side.contexts) add(band.side.contexts->cols(), band.context_width());
    }
    return left_out.words();
}

} // namespace

Figure unrolled(const UnrolledData& data, const UnrolledOptions& options, const Frame& frame) {
    Sides sides;
    for (const auto* side : {&data.decoder, &data.encoder}) {
        if (*side && (*side)->steps() > 0) sides.push_back(&**side);
    }
    float cells = 0, fixed = 0, steps = 0;
    for (const UnrolledSide* side : sides) {
        fixed += UnrolledBand::height(*side, 0);
        cells += static_cast<float>(side->rows.size());
        steps = std::max(steps, static_cast<float>(side->steps()));
    }
    float between = sides.size() == 2 ? kLinks : data.seed.empty() ? 0 : Band::kWords;
    Sheet sheet(frame, std::clamp(76 * steps + 170, 520.f, 1400.f), 0);
    sheet.figure.title =
        "An unrolled recurrent network" + (data.title.empty() ? "" : ": " + data.title);
    const float under_title = sheet.header(data.title, data.subtitle) + 4;
    const float right = sheet.width() - sheet.margin() - 12;
    const float names = names_width(sheet, sides, right - sheet.margin());
    const float left = sheet.margin() + names;
    const std::string links = sides.size() == 2 && leaves_links_out(data.weights)
                                  ? "links below " + shortest_text(kLeastBar, 4) + " not drawn"
                                  : "";
    const float wide = sheet.width() - 2 * sheet.margin();
    const float keys =
        colour_keys_height(sheet, keys_of(sheet, sides, {kMostLeftOut, links}), wide);
    sheet.hold(under_title, std::max(keys + fixed + between + kOpenCell * cells, kSentence));
    const float bottom = sheet.content_bottom();
    const bool with_keys = bottom - under_title - fixed - between - kEasyCell * cells >= keys;
    const float top = under_title + (with_keys ? keys : 0);
    const float free = bottom - top - fixed; // in a low place links are short before cells are low
    if (sides.size() == 2) between = std::clamp(free - kLowCell * cells, kLowLinks, kLinks);
    const float cell = sides.empty() ? 0 : (free - between) / cells;
    if (sides.empty() || cell < kLowestCell || right - left < 3 * kNarrowestPitch) {
        const std::string words =
            sides.empty() ? "Nothing was run" : "This picture needs more room";
        sheet.text(sheet.fitted(words, {type_size::kSubtitle}, sheet.width() - 2 * sheet.margin()),
                   {sheet.margin(), top + 20}, {type_size::kSubtitle}, sheet.theme().muted);
        return std::move(sheet.figure);
    }
    std::vector<UnrolledBand> bands;
    float y = top;
    for (const UnrolledSide* side : sides) {
        const bool decoder = data.decoder && side == &*data.decoder;
        UnrolledBand band{*side, decoder};
        band.chosen = decoder ? options.step : data.decoder ? options.word : options.step;
        band.both_read = decoder || !data.last_read;
        band.cell = std::min(cell, kHighCell);
        band.top = std::round(y);
        band.names = names;
        place_unrolled(band, left, right, decoder && side->rows[0].start.size() > 0);
        bands.push_back(band);
        y = band.bottom() + between;
    }
    size_words(sheet, bands);
    if (with_keys) {
        draw_colour_keys(sheet, keys_of(sheet, sides, {left_out_of(bands), links}),
                         {sheet.margin(), under_title}, wide);
    }
    if (bands.size() == 2) {
        draw_bridge(sheet, bands[1], bands[0], data.weights);
        draw_links(sheet, bands[1], bands[0], data.weights);
        if (data.last_read) draw_ends(sheet, bands[1], bands[0], *data.last_read);
    }
    for (const UnrolledBand& band : bands) {
        draw_flow_up(sheet, band);
        for (std::size_t row = 0; row < band.side.rows.size(); ++row) draw_row(sheet, band, row);
        draw_contexts(sheet, band);
        draw_words(sheet, band);
        draw_one_word(sheet, band);
    }
    if (bands.size() == 1 && !data.seed.empty() && bands[0].first == 0) {
        const UnrolledBand& band = bands[0];
        const float x = band.left - 0.5f * band.pitch, at = band.bottom() + 6;
        const TextStyle strong = strong_word(band);
        sheet.text(sheet.fitted(data.seed, strong, 2 * band.pitch), {x, at}, strong,
                   sheet.theme().accent, AlignX::centre, AlignY::middle);
        draw_arrow(sheet, {{x, at - 11}, {x, band.y(0) + band.cell + 22}}, sheet.theme().accent);
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
