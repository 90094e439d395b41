#include "figure/views/decoder_step.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/fitted.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/heat_marks.hpp"
#include "figure/parts/stripe.hpp"
#include "figure/views/decoder_update.hpp"
#include "figure/views/neurons.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

// Heights above and below.
constexpr float kCompared = 24, kTableHead = 24, kSum = 34;
constexpr float kLowestRow = 12, kTallestRow = 84, kNaturalRow = 26; // heights of rows
constexpr float kEasyRow = 15;
constexpr float kTableGap = 18, kCloseGap = 12;
constexpr float kLeastWidth = 430, kColumnWidth = 480; // of the content; of a page in one column
constexpr float kLeastPage = 380;  // a narrower page is this one, smaller
constexpr float kMostNatural = 24; // rows of words that a page is made high for
constexpr float kAroundRows = kCompared + kTableHead + kSum; // above and below rows of the table
constexpr float kAboveUpdate = 20;

/// The places of the table's columns.
struct StepTable {
    float left = 0, label_right = 0;
    float state = 0, weighted = 0, stripe = 0; // left edges of the stripes, and their width
    float score_right = 0, weight_right = 0;
    float bar = 0, bar_width = 0, right = 0;
    float top = 0, pitch = 0; // of the first row
    std::vector<int> rows;    // source words
    std::vector<std::string> names; // of the first of them; further ones have none

    float bottom() const { return top + pitch * static_cast<float>(rows.size()); }
};

constexpr float kScoreWidth = 56, kWeightWidth = 56;
constexpr float kSmallestInRow = 9.5f, kLargestInRow = 13; // type of words and numbers alike

StepTable table_of(const Sheet& sheet, const DecoderStepData& data, std::vector<int> rows) {
    const TextStyle label{kLargestInRow, Font::sans, Weight::bold};
    StepTable table;
    table.rows = std::move(rows);
    table.names = key_names(data.source, table.rows);
    table.left = sheet.margin();
    const float right = sheet.width() - sheet.margin(), room = right - table.left;
    const float gap = room < kLeastWidth ? kCloseGap : kTableGap; // but beside labels' brackets
    table.right = right;
    float width = sheet.width_of(letters_of(data).query, kSymbol) + 22;
    for (const std::string& name : table.names)
        width = std::max(width, sheet.width_of(name, label));
    table.label_right = table.left + std::ceil(std::min(width, 0.18f * room));
    table.bar_width = std::clamp(0.09f * room, 20.f, 96.f);
    const float numbers = kScoreWidth + kWeightWidth + 8 + table.bar_width;
    table.stripe = std::floor((right - table.label_right - numbers - kTableGap - 3 * gap) / 2);
    table.state = std::round(table.label_right + kTableGap);
    table.score_right = table.state + table.stripe + gap + kScoreWidth;
    table.weight_right = table.score_right + gap + kWeightWidth;
    table.bar = table.weight_right + 8;
    table.weighted = std::round(table.bar + table.bar_width + gap);
    return table;
}

/// The chosen rows of a matrix, each times its factor, one stripe a row with space between.
void draw_stripes(Sheet& sheet, const StepTable& table, float x, const Matrix<float>& values,
                  const std::vector<float>& factors, float size, StepStripe which) {
    const float between = std::clamp(table.pitch * 0.22f, 1.f, 6.f);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const Box box{x, table.top + static_cast<float>(r) * table.pitch + between / 2,
                      table.stripe, table.pitch - between};
        draw_stripe(sheet, box, values.row(table.rows[r]) * factors[r], {size}, table.rows[r],
                    static_cast<int>(which));
    }
}

/// The numbers of a step: which comes first depends on the order of the model.
struct Order {
    explicit Order(bool updates_first)
        : update(updates_first ? 1 : 6), compared(updates_first ? 2 : 1) {}
    int update, compared;
    int score() const { return compared + 1; }
    int weight() const { return compared + 2; }
    int weighted() const { return compared + 3; }
    int sum() const { return compared + 4; }
};

void draw_heads(Sheet& sheet, const StepTable& table, const DecoderStepData& data,
                const Order& order) {
    const Theme& theme = sheet.theme();
    const float y = table.top - kTableHead / 2 - 1;
    const auto symbol = [&](const std::string& words, float x, AlignX align) {
        sheet.text(words, {x, y}, kSymbol, theme.text, align, AlignY::middle);
        return sheet.width_of(words, kSymbol);
    };
    const StepLetters letters = letters_of(data);
    const float h = symbol(letters.key, table.state, AlignX::left);
    const float e = symbol(letters.score, table.score_right, AlignX::right);
    draw_ordinal(sheet, {table.score_right - e - 13, y}, order.score());
    const float a = symbol("αᵢⱼ", table.weight_right, AlignX::right);
    draw_ordinal(sheet, {table.weight_right - a - 13, y}, order.weight());
    const std::string product = std::string("αᵢⱼ ") + letters.value;
    const float weighted =
        std::min(table.weighted + 22, table.right - sheet.width_of(product, kSymbol));
    draw_ordinal(sheet, {weighted - 14, y}, order.weighted());
    symbol(product, weighted, AlignX::left);
    const auto arrow = [&](float from, float to) {
        if (to - from >= 12) draw_arrow(sheet, {{from, y}, {to, y}}, theme.muted);
    };
    arrow(table.state + h + 6, table.score_right - e - 25);
    arrow(table.weight_right + 6, weighted - 26);
}

/// The state that is compared, and its way into the scores; gives back where it stands.
Box draw_compared(Sheet& sheet, const StepTable& table, const DecoderStepData& data,
                  const Order& order, float y, float size) {
    const Theme& theme = sheet.theme();
    const std::string name = letters_of(data).query;
    const float middle = y + kCompared / 2;
    const float width = sheet.width_of(name, kSymbol);
    sheet.text(name, {table.label_right, middle}, kSymbol, theme.accent, AlignX::right,
               AlignY::middle);
    draw_ordinal(sheet, {table.label_right - width - 13, middle}, order.compared);
    const Box box{table.state, y + 4, table.stripe, kCompared - 8};
    draw_stripe(sheet, box, query_of(data), {size}, -1, static_cast<int>(StepStripe::compared));
    sheet.stroke({box.x - 1.5f, box.y - 1.5f, box.w + 3, box.h + 3}, theme.accent, 1.5f);
    const float x = table.score_right - 8;
    draw_arrow(sheet, {{box.x + box.w + 4, middle}, {x, middle}, {x, table.top - kTableHead + 2}},
               theme.accent);
    return box;
}

void draw_numbers(Sheet& sheet, const StepTable& table, const DecoderStepData& data,
                  std::optional<int> selected) {
    const Theme& theme = sheet.theme();
    const trace::Neurons& row = *data.step->row;
    const std::vector<float>& scores = data.step->scores();
    float largest = 0;
    for (const float s : scores) {
        if (std::isfinite(s)) largest = std::max(largest, std::abs(s));
    }
    const int decimals = decimals_for(largest);
    const float size =
        std::clamp(std::floor(1.5f * table.pitch) / 2, kSmallestInRow, kLargestInRow);
    TextStyle label{size};
    const TextStyle number{size, Font::mono};
    const float thick = std::clamp(0.42f * table.pitch, 2.f, 12.f);
    draw_word_brackets(sheet, table.rows, data.word_of, table.label_right + 8, table.top,
                       table.pitch);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const int key = table.rows[r];
        const auto at = static_cast<std::size_t>(key);
        const float y = table.top + (static_cast<float>(r) + 0.5f) * table.pitch;
        const bool masked = is_masked(row, key), chosen = selected == key;
        const Color ink = chosen ? theme.accent : masked ? theme.muted : theme.text;
        label.weight = chosen ? Weight::bold : Weight::regular;
        if (r < table.names.size()) {
            sheet.text(sheet.fitted(table.names[r], label, table.label_right - table.left),
                       {table.label_right, y}, label, ink, AlignX::right, AlignY::middle);
        }
        const std::string score = masked ? "−∞" : number_text(scores[at], decimals);
        sheet.text(sheet.fitted(score, number, kScoreWidth), {table.score_right, y}, number,
                   theme.muted, AlignX::right, AlignY::middle);
        const float shown = told_weight(row.weights[at], row.weights);
        std::string told = weight_text(shown);
        if (sheet.width_of(told, number) > kWeightWidth) told = short_weight_text(shown, 3);
        sheet.text(told, {table.weight_right, y}, number, ink, AlignX::right, AlignY::middle);
        if (std::ranges::binary_search(data.edited, key)) {
            const float width = sheet.width_of(told, number);
            sheet.fill({table.weight_right - width, y + 0.55f * size, width, 1}, theme.accent);
        }
        const float weight = row.weights[at];
        if (!std::isfinite(weight) || weight < kLeastBar) continue;
        const float length = std::max(std::min(weight, 1.f) * table.bar_width, 1.f);
        sheet.fill({table.bar, y - thick / 2, length, thick}, theme.accent,
                   std::min(2.f, length / 2));
    }
}

/// Σ α = 1 and c_i; gives back the place of c_i.
Box draw_sum(Sheet& sheet, const StepTable& table, const DecoderStepData& data, const Order& order,
             float size) {
    const Theme& theme = sheet.theme();
    const float top = table.bottom() + 16, middle = top + 8;
    const std::vector<float>& weights = data.step->row->weights;
    float sum = 0, shown = 0, hidden = 0;
    for (const float w : weights) sum += w;
    for (const int key : table.rows) shown += weights[static_cast<std::size_t>(key)];
    for (const int key : data.hidden) hidden += weights[static_cast<std::size_t>(key)];
    const std::size_t words = weights.size() - data.hidden.size();
    const TextStyle number{12, Font::mono}, symbols{13};
    const std::string total = number_text(sum, 3);
    const float equals = table.weight_right - sheet.width_of(total, number) - 6;
    sheet.text(total, {table.weight_right, middle}, number, theme.muted, AlignX::right,
               AlignY::middle);
    sheet.text("Σⱼ αᵢⱼ =", {equals, middle}, symbols, theme.muted, AlignX::right, AlignY::middle);
    std::string note;
    const auto add = [&](const std::string& part) { note += (note.empty() ? "" : ", ") + part; };
    if (table.rows.size() < words) {
        add("top " + std::to_string(table.rows.size()) + " of " + std::to_string(words) +
            (data.step->head ? " keys (" : " words (") + number_text(100 * shown, 0) +
            " % of weight)");
    }
    if (!data.edited.empty()) add("underlined: set by hand");
    if (!data.hidden.empty()) add(number_text(hidden, 3) + " to hidden tokens");
    if (!note.empty()) {
        const float room = equals - sheet.width_of("Σⱼ αᵢⱼ =", symbols) - table.left - 14;
        sheet.text(sheet.fitted(note, {type_size::kNote}, room), {table.left, middle},
                   {type_size::kNote}, theme.muted, AlignX::left, AlignY::middle);
    }
    const Box box{table.weighted, top, table.stripe, 16};
    draw_arrow(sheet, {{box.x + box.w / 2, table.bottom() + 2}, {box.x + box.w / 2, top - 3}},
               theme.accent);
    draw_stripe(sheet, box, data.step->context, {size}, -1, static_cast<int>(StepStripe::context));
    sheet.stroke({box.x - 1.5f, box.y - 1.5f, box.w + 3, box.h + 3}, theme.accent, 1.5f);
    const std::string context = letters_of(data).context;
    const float name = sheet.width_of(context, kSymbol);
    sheet.text(context, {box.x - 7, middle}, kSymbol, theme.accent, AlignX::right, AlignY::middle);
    draw_ordinal(sheet, {box.x - 7 - name - 13, middle}, order.sum());
    return box;
}

/// The upper half.
AttentionPlaces draw_attention(Sheet& sheet, const DecoderStepData& data,
                               const DecoderStepOptions& options,
                               const std::vector<std::string>& equations, float top, float bottom) {
    const trace::DecoderStep& step = *data.step;
    const Order order(data.updates_first);
    const auto m = static_cast<int>(step.row->n_keys() - std::ssize(data.hidden));
    // Of the query's row.
    const float first = top + (equations.empty() ? 0 : equations_height(equations));
    const float room = bottom - first - kAroundRows;
    constexpr float kHair = 0.01f; // of a row, which sums of heights may lack
    const int most = std::clamp(static_cast<int>(room / kLowestRow + kHair), 1, m);
    StepTable table = table_of(
        sheet, data, keys_with_most_weight(step.row->weights, most, options.selected, data.hidden));
    table.pitch = std::clamp(std::floor(room / static_cast<float>(table.rows.size()) + kHair), 1.f,
                             kTallestRow);
    table.top = std::round(first + kCompared + kTableHead);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const Box whole{table.left, table.top + static_cast<float>(r) * table.pitch,
                        sheet.width() - 2 * sheet.margin(), table.pitch};
        if (options.selected == table.rows[r]) {
            sheet.fill(whole, faded(sheet.theme().dark ? sheet.theme().text : sheet.theme().accent,
                                    0.08f));
        }
        sheet.target(whole, tag::ColLabel{table.rows[r]});
    }
    draw_equations(sheet, equations, top);
    const Matrix<float> keys = step.keys(), values = step.weighed();
    const float state_size = std::max(largest_size(keys), 1e-9f);
    draw_heads(sheet, table, data, order);
    const Box compared = draw_compared(sheet, table, data, order, first, size_of(query_of(data)));
    const std::vector<float> ones(table.rows.size(), 1);
    std::vector<float> shares;
    for (const int key : table.rows)
        shares.push_back(step.row->weights[static_cast<std::size_t>(key)]);
    draw_stripes(sheet, table, table.state, keys, ones, state_size, StepStripe::state);
    // One scale for all of them and for their sum.
    draw_stripes(sheet, table, table.weighted, values, shares, step.largest_weighted,
                 StepStripe::weighted);
    draw_numbers(sheet, table, data, options.selected);
    return {draw_sum(sheet, table, data, order, step.largest_weighted),
            {compared.x, compared.y + compared.h / 2}};
}

using Equations = std::vector<std::string>;

/// What a place has room for, and the height of its upper half.
struct StepParts {
    std::vector<std::string> equations; // none where they have no room
    bool update = true;
    float attention = 0;
    bool none = false;
};

/// In a low place equations are the first to go, then words that may be said, then keys of small
/// weights, and in the end the whole of the update.
StepParts parts_of(const DecoderStepData& data, std::vector<std::string> equations, float keys,
                   float high) {
    constexpr float kEnoughKeys = 12, kFewestKeys = 3;
    const UpdateHeights update = update_heights(data);
    StepParts parts;
    if (keys == 0) {
        parts.none = high < update.least;
        return parts;
    }
    const float enough = kAroundRows + kLowestRow * std::min(keys, kEnoughKeys);
    const float whole = update.whole + kAboveUpdate, least = update.least + kAboveUpdate;
    const auto keep_equations = [&](float others) { // in two lines, in one, or none
        for (; !equations.empty(); equations.pop_back()) {
            if (equations_height(equations) + others <= high) break;
        }
        parts.equations = equations;
    };
    keep_equations(enough + whole);
    parts.update = kAroundRows + kLowestRow * std::min(keys, kFewestKeys) + least <= high;
    if (!parts.update) {
        keep_equations(enough);
        parts.none = kAroundRows + kLowestRow > high;
        parts.attention = high;
        return parts;
    }
    // What the update can do without goes to rows that are read with ease.
    const float all = (parts.equations.empty() ? 0 : equations_height(parts.equations)) +
                      kAroundRows + kEasyRow * keys;
    const float from = std::max(high - update.wanted, 0.46f * high);
    const float to = high - (enough + whole <= high ? whole : least);
    parts.attention = std::clamp(all, std::min(from, to), to);
    return parts;
}

int source_words(const DecoderStepData& data) {
    return static_cast<int>(data.step->row->n_keys() - std::ssize(data.hidden));
}

/// The keys of a step's colours, with what its stripes leave out.
std::vector<ColourKey> keys_with(const Theme& theme, const DecoderStepData& data,
                                 const std::string& left_out) {
    std::vector<ColourKey> keys = keys_of_step(theme, data);
    if (!left_out.empty()) keys.push_back({{}, {}, {}, left_out});
    return keys;
}

float keys_height(const Sheet& sheet, const DecoderStepData& data,
                  const std::string& left_out = kMostLeftOut) {
    return colour_keys_height(sheet, keys_with(sheet.theme(), data, left_out),
                              sheet.width() - 2 * sheet.margin());
}

/// Draws the keys of what is drawn already.
void draw_keys(Sheet& sheet, const DecoderStepData& data, float top) {
    const std::string left_out = left_out_of(sheet.figure).words();
    draw_colour_keys(sheet, keys_with(sheet.theme(), data, left_out), {sheet.margin(), top},
                     sheet.width() - 2 * sheet.margin());
}

/// A narrow page: all equations, rows with room, and the update in one column below them.
Figure step_in_column(const DecoderStepData& data, const DecoderStepOptions& options,
                      const Frame& frame, const std::string& left_out = kMostLeftOut) {
    Sheet sheet(frame, kLeastPage, 0);
    const bool attends = data.step->row.has_value();
    const float under_title = sheet.header(data.title, data.subtitle);
    const float keys = keys_height(sheet, data, left_out);
    const float top = under_title + keys;
    std::vector<std::string> equations;
    if (attends) equations = equations_of(sheet, data, 9);
    const float attention =
        attends ? equations_height(equations) + kAroundRows +
                      kNaturalRow * std::min(static_cast<float>(source_words(data)), kMostNatural)
                : 0;
    const float update = column_update_height(data);
    std::optional<AttentionPlaces> above;
    float from = top;
    if (attends) {
        above = draw_attention(sheet, data, options, equations, top, top + attention);
        from = above->context.y + above->context.h + kAboveUpdate;
    }
    draw_update_in_column(sheet, data, attends ? Order(data.updates_first).update : 1, above,
                          {sheet.margin(), from, sheet.width() - 2 * sheet.margin(), update});
    const std::string words = left_out_of(sheet.figure).words();
    if (left_out == kMostLeftOut && keys_height(sheet, data, words) < keys)
        return step_in_column(data, options, frame, words);
    draw_keys(sheet, data, under_title);
    sheet.close_at(std::ceil(from + update));
    return std::move(sheet.figure);
}

} // namespace

const num::RowVector<float>& query_of(const DecoderStepData& data) {
    if (data.step->head) return data.step->query;
    const trace::StepLayer& last = data.step->layers.back();
    return data.updates_first ? last.after : last.before;
}

Figure decoder_step(const DecoderStepData& data, const DecoderStepOptions& options,
                    const Frame& frame) {
    const bool attends = data.step && data.step->row;
    const auto m = attends ? static_cast<float>(source_words(data)) : 0.f;
    const float update = data.step ? update_heights(data).wanted : 0;
    const float natural = attends ? kEquation + kCompared + kTableHead + kSum +
                                        kNaturalRow * std::min(m, kMostNatural)
                                  : 0;
    Sheet sheet(frame, 980, 90 + natural + update + 2 * kColourKeyLine);
    sheet.figure.title = "One step of a decoder" + (data.title.empty() ? "" : ": " + data.title);
    const float wide = sheet.width() - 2 * sheet.margin();
    if (data.step && sheet.height_is_open() && wide < kColumnWidth) {
        Frame page = frame;
        page.width = std::max(sheet.width(), kLeastPage);
        Figure figure = step_in_column(data, options, page);
        figure.title = sheet.figure.title;
        return scaled(std::move(figure), sheet.width() / page.width);
    }
    const float under_title = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    const auto parts_below = [&](float top) {
        return data.step ? parts_of(data, attends ? equations_of(sheet, data, 2) : Equations{},
                                    attends ? std::max(m, 1.f) : 0, bottom - top)
                         : StepParts{};
    };
    float top = under_title;
    StepParts parts = parts_below(top);
    if (data.step) { // keys of colours, where nothing but equations has to go for them
        const float keys = keys_height(sheet, data);
        StepParts lower = parts_below(top + keys);
        if (lower.update && !lower.none) {
            parts = std::move(lower);
            top += keys;
        }
    }
    const bool small = wide < kLeastWidth || parts.none;
    if (!data.step || small) {
        const std::string words =
            data.step ? "This picture needs more room" : "There is no such step";
        sheet.text(sheet.fitted(words, {type_size::kSubtitle}, wide), {sheet.margin(), top + 20},
                   {type_size::kSubtitle}, sheet.theme().muted);
        return std::move(sheet.figure);
    }
    std::optional<AttentionPlaces> attention;
    float from = top;
    if (attends) {
        attention =
            draw_attention(sheet, data, options, parts.equations, top, top + parts.attention);
        from = attention->context.y + attention->context.h + 22;
    }
    // Where they have no room equations have that of a line which the sentence leaves free: the
    // keys move up into it.
    constexpr float kFreeLine = 18, kAboveTable = 13;
    const bool raised = attends && parts.equations.empty() && sheet.free_of_reading() > 0;
    if (raised) {
        const float y = top > under_title ? top - kAboveTable : top - kFreeLine;
        draw_equations(sheet, equations_of(sheet, data, 1), y - kEquation / 2);
    }
    if (!parts.update) return std::move(sheet.figure);
    draw_update(sheet, data, attends ? Order(data.updates_first).update : 1, attention,
                {sheet.margin(), from, wide, std::min(bottom - from, 3 * update)});
    if (top > under_title)
        draw_keys(sheet, data, under_title - (raised ? kFreeLine + kColourKeyLine / 2 : 0));
    return std::move(sheet.figure);
}

} // namespace heed::figure
