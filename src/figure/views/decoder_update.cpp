#include "figure/views/decoder_update.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/stripe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace heed::figure {

namespace {

constexpr TextStyle kCellWord{13};
constexpr const char* kMeanSize = "mean |x|"; // what the number at the end of a row is
constexpr float kCardHead = 26, kCardFoot = 22, kWordRow = 17, kFlowAcross = 30;
constexpr float kLowRow = 11, kHighRow = 72; // rows of the cell
constexpr float kLeastBars = 8, kLowWordRow = 11; // of the words that may be said
constexpr float kOutput = 23;                     // the height of t_i

std::string_view gate_word(std::string_view gate) {
    if (gate == "r") return "r reset";
    if (gate == "z") return "z update";
    if (gate == "n" || gate == "g") return gate == "n" ? "n new" : "g new";
    if (gate == "i") return "i input";
    if (gate == "f") return "f forget";
    return "o output";
}

/// σ gates lie in 0 … 1, what tanh made in −1 … 1.
bool is_tanh(std::string_view gate) { return gate == "n" || gate == "g"; }

std::string cell_equation(const trace::StepLayer& layer) {
    if (layer.gates.empty()) return "sᵢ = tanh(x W + sᵢ₋₁ U + b)";
    if (layer.memory_after.size() > 0) return "mᵢ = f∘mᵢ₋₁ + i∘g   sᵢ = o∘tanh mᵢ";
    return "sᵢ = (1−z)∘n + z∘sᵢ₋₁";
}

/// Rows of one layer in the cell: its gates, the memory of an LSTM, the new state.
int rows_of(const trace::StepLayer& layer) {
    return static_cast<int>(layer.gates.size()) + (layer.memory_after.size() > 0 ? 1 : 0) + 1;
}

struct Across {
    float inputs_right, cell, cell_right, out, out_right;
};

Across across(const Box& place) {
    const float room = place.w - 2 * kFlowAcross;
    Across x{};
    x.inputs_right = std::round(place.x + 0.3f * room);
    x.cell = x.inputs_right + kFlowAcross;
    x.cell_right = std::round(x.cell + 0.38f * room);
    x.out = x.cell_right + kFlowAcross;
    x.out_right = place.x + place.w;
    return x;
}

/// The cell's inputs, a row each; gives back the middle of each stripe.
void draw_inputs(Sheet& sheet, const DecoderStepData& data,
                 const std::optional<AttentionPlaces>& above, const Across& x, const Box& place) {
    const trace::DecoderStep& step = *data.step;
    const Theme& theme = sheet.theme();
    struct Input {
        std::string symbol;
        const num::RowVector<float>* values;
        StepStripe which;
        float size; // at which the colours end
    };
    std::vector<Input> inputs;
    if (step.context.size() > 0) {
        inputs.push_back(
            {data.updates_first ? "cᵢ₋₁" : letters_of(data).context,
             data.updates_first ? &step.context_before : &step.context, StepStripe::context,
             data.updates_first ? size_of(step.context_before) : step.largest_weighted});
    }
    if (!step.head) {
        inputs.push_back({"sᵢ₋₁", &step.layers.back().before, StepStripe::before,
                          size_of(step.layers.back().before)});
    }
    inputs.push_back({"yᵢ₋₁", &step.embedded, StepStripe::said_before, size_of(step.embedded)});
    constexpr float kLeastStripe = 24, kSmallestBefore = 10;
    const float room = x.inputs_right - place.x;
    const std::string word = data.before.empty() ? "" : "“" + data.before + "”";
    TextStyle said = kCellWord; // whole before the stripes are wide, or its letters large
    const auto needed = [&] {
        return sheet.width_of(inputs.back().symbol, kSymbol) + sheet.width_of(word, said) + 13;
    };
    const float most = std::max(0.5f * room, room - kLeastStripe);
    while (needed() > most && said.size > kSmallestBefore) said.size -= 0.5f;
    const float label = std::clamp(needed(), std::min(0.5f * room, 130.f), most);
    const float pitch = std::min((place.h - kCardHead) / static_cast<float>(inputs.size()), 66.f);
    float y = place.y + kCardHead + pitch / 2;
    for (std::size_t i = 0; i < inputs.size(); ++i, y += pitch) {
        const Input& input = inputs[i];
        const float symbol = sheet.width_of(input.symbol, kSymbol);
        sheet.text(input.symbol, {place.x, y}, kSymbol, theme.text, AlignX::left, AlignY::middle);
        if (i + 1 == inputs.size()) {
            sheet.text(sheet.fitted(word, said, label - symbol - 12), {place.x + symbol + 7, y},
                       said, theme.accent, AlignX::left, AlignY::middle);
        }
        const Box box{place.x + label, y - 7, x.inputs_right - place.x - label, 14};
        draw_stripe(sheet, box, *input.values, {input.size}, -1, static_cast<int>(input.which));
        draw_arrow(sheet, {{x.inputs_right + 4, y}, {x.cell - 4, y}}, theme.muted);
        if (i > 0 || !above || data.updates_first) continue;
        // The context comes down from the sum.
        const Box& c = above->context;
        const float turn = c.y + c.h + 9, middle = box.x + box.w / 2;
        draw_arrow(sheet,
                   {{c.x + c.w / 2, c.y + c.h + 3},
                    {c.x + c.w / 2, turn},
                    {middle, turn},
                    {middle, box.y - 3}},
                   theme.accent);
    }
}

/// `chosen`: its state is accented; `sized`: behind each row stands how large its numbers are.
void draw_layer(Sheet& sheet, const trace::StepLayer& layer, int index, const Box& box, float pitch,
                const std::string& state, bool chosen, bool sized) {
    const Theme& theme = sheet.theme();
    const float number = !sized ? 0 : box.w < 150 ? 38 : 46;
    const TextStyle small{std::min(type_size::kNote, pitch - 1)};
    const TextStyle mono{std::min(type_size::kNote, pitch - 1), Font::mono};
    float label = std::min(0.34f * box.w, 74.f); // names are whole before stripes are wide
    for (const trace::StepGate& gate : layer.gates) {
        label = std::max(label, sheet.width_of(std::string(gate_word(gate.name)), small) + 5);
    }
    label = std::min(std::max(label, sheet.width_of(state, small) + 5), 0.55f * box.w);
    float y = box.y;
    const auto row = [&](std::string_view words, const num::RowVector<float>& values,
                         const StripeColours& colours, StepStripe which, bool loud) {
        const float middle = y + pitch / 2, thick = std::clamp(0.7f * pitch, 6.f, 34.f);
        sheet.text(sheet.fitted(std::string(words), small, label - 4), {box.x, middle}, small,
                   loud ? theme.accent : theme.text, AlignX::left, AlignY::middle);
        const Box stripe{box.x + label, middle - thick / 2, box.w - label - number, thick};
        draw_stripe(sheet, stripe, values, colours, index, static_cast<int>(which));
        if (loud) {
            sheet.stroke({stripe.x - 1, stripe.y - 1, stripe.w + 2, stripe.h + 2}, theme.accent, 1);
        }
        if (sized && values.size() > 0) {
            sheet.text(number_text(values.cwiseAbs().mean(), 2), {box.x + box.w, middle}, mono,
                       theme.muted, AlignX::right, AlignY::middle);
        }
        y += pitch;
    };
    for (const trace::StepGate& gate : layer.gates) {
        const bool tanh = is_tanh(gate.name);
        row(gate_word(gate.name), gate.values, {tanh ? size_of(gate.values) : 1, !tanh},
            StepStripe::gate, false);
    }
    if (layer.memory_after.size() > 0) {
        row("mᵢ memory", layer.memory_after, {size_of(layer.memory_after)}, StepStripe::gate,
            false);
    }
    row(state, layer.after, {size_of(layer.after)}, StepStripe::after, chosen);
}

void draw_cell(Sheet& sheet, const DecoderStepData& data, int ordinal, const Across& x,
               const Box& place) {
    const Theme& theme = sheet.theme();
    const Box card{x.cell, place.y, x.cell_right - x.cell, place.h};
    sheet.fill(card, theme.panel, 8);
    sheet.stroke(card, theme.border, 1, 8);
    const Box inner{card.x + 12, card.y, card.w - 24, card.h};
    draw_ordinal(sheet, {inner.x + 8, card.y + 15}, ordinal);
    const auto& layers = data.step->layers;
    const std::optional<trace::HeadId>& head = data.step->head;
    const std::size_t alone = head ? static_cast<std::size_t>(head->layer) : layers.size() - 1;
    int rows = 0;
    for (const trace::StepLayer& layer : layers) rows += rows_of(layer);
    const float high = card.h - kCardHead - kCardFoot - 6;
    const bool all = static_cast<float>(rows) * kLowRow <= high;
    const std::size_t first = all ? 0 : alone, end = all ? layers.size() : alone + 1;
    if (!all) rows = rows_of(layers[alone]);
    const float pitch = std::clamp(high / static_cast<float>(rows), kLowRow, kHighRow);
    std::string title = data.cell;
    if (!all) title = (head ? "Layer " : title + " · layer ") + std::to_string(end);
    const float width = sheet.width_of(title, kSymbol);
    sheet.text(title, {inner.x + 22, card.y + 15}, kSymbol, theme.text, AlignX::left,
               AlignY::middle);
    const std::string read = head                             ? ""
                             : data.step->context.size() == 0 ? "sᵢ = f(sᵢ₋₁, yᵢ₋₁)"
                             : data.updates_first ? "sᵢ = f(sᵢ₋₁, yᵢ₋₁, cᵢ₋₁)"
                                                  : "sᵢ = f(sᵢ₋₁, yᵢ₋₁, cᵢ)";
    const std::string equation =
        head ? "layer " + std::to_string(alone + 1) + " reads zᵢ" : cell_equation(layers.back());
    // What the numbers are stands above them, what is read beside it; else none stand.
    float right = inner.x + inner.w;
    const float mean = sheet.width_of(kMeanSize, kNote), from = inner.x + 34 + width;
    const bool sized = from + mean <= right;
    if (sized) {
        sheet.text(kMeanSize, {right, card.y + 15}, kNote, theme.muted, AlignX::right,
                   AlignY::middle);
        right -= mean + 16;
    }
    if (from + sheet.width_of(read, kFormula) <= right) {
        sheet.text(read, {right, card.y + 15}, kFormula, theme.muted, AlignX::right,
                   AlignY::middle);
    }
    float y = card.y + kCardHead + 2;
    for (std::size_t l = first; l < end; ++l) {
        const std::string number = std::to_string(l + 1);
        const std::string state = head                 ? "xᵢ layer " + number
                                  : layers.size() == 1 ? "sᵢ"
                                                       : "sᵢ · layer " + number;
        draw_layer(sheet, layers[l], static_cast<int>(l), {inner.x, y, inner.w, 0}, pitch, state,
                   !head || l == alone, sized);
        y += pitch * static_cast<float>(rows_of(layers[l]));
    }
    const float foot = card.y + card.h - kCardFoot / 2;
    TextStyle style = kFormula;
    style.size = std::min(style.size, style.size * inner.w / sheet.width_of(equation, style));
    sheet.text(equation, {inner.x, foot}, style, theme.muted, AlignX::left, AlignY::middle);
}

/// The words that may be said: their type, and the place before the bars. Bars are shorter, then
/// letters smaller, and then there are no bars, rather than words cut.
struct SaidColumn {
    TextStyle style;
    float width = 0;
};

SaidColumn said_column(const Sheet& sheet, const DecoderStepData& data, float room, float number,
                       float size) {
    constexpr float kUsualBars = 36, kBehind = 6, kSmallestOfThem = 9;
    const float most = std::max(room - number - kUsualBars, 0.36f * room);
    const auto widest = [&](const TextStyle& style) {
        float width = sheet.width_of(data.others, style);
        for (const auto& word : data.words) {
            width = std::max(width, sheet.width_of(word.word, style));
        }
        return std::ceil(width) + kBehind;
    };
    SaidColumn column{{size}, 0};
    while (widest(column.style) > most && column.style.size - 0.5f >= kSmallestOfThem) {
        column.style.size -= 0.5f;
    }
    const float usual = std::min(0.36f * room, 110.f);
    const float whole = std::max(widest(column.style), usual);
    column.width = whole <= most ? whole : std::min(whole, room - number);
    return column;
}

/// Places of the words that have room, the said one among them; what the others have goes to
/// `others`.
std::vector<std::size_t> shown_words(const DecoderStepData& data, float room, float& others) {
    const auto rows = static_cast<std::size_t>(std::max(room / kLowWordRow + 1e-3f, 1.f));
    const std::size_t most = std::min(data.words.size(), rows - 1);
    std::vector<std::size_t> shown(most);
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    for (std::size_t i = most; i < data.words.size(); ++i) {
        const bool said = data.words[i].said && most > 0;
        const std::size_t dropped = said ? std::exchange(shown.back(), i) : i;
        others += data.words[dropped].probability;
    }
    return shown;
}

void draw_words(Sheet& sheet, const DecoderStepData& data, const Across& x, const Box& place) {
    const Theme& theme = sheet.theme();
    const float width = x.out_right - x.out;
    const float head = place.y + 15;
    draw_ordinal(sheet, {x.out + 8, head}, data.step->context.size() > 0 ? 7 : 2);
    const std::string name = data.words.empty() ? "no words" : "p(yᵢ)";
    sheet.text(name, {x.out + 22, head}, kSymbol, theme.text, AlignX::left, AlignY::middle);
    const std::string read = data.words.empty() ? "" : letters_of(data).said;
    const float symbol = 22 + sheet.width_of(name, kSymbol);
    if (sheet.width_of(read, kFormula) <= width - symbol - 10) {
        sheet.text(read, {x.out_right, head}, kFormula, theme.muted, AlignX::right, AlignY::middle);
    }
    if (x.out > x.cell_right) {
        draw_arrow(sheet, {{x.cell_right + 4, head}, {x.out - 5, head}}, theme.accent);
    }
    float y = place.y + kCardHead + 2;
    const num::RowVector<float>& t = data.step->output;
    float rest = data.rest;
    const float room = place.y + place.h - y - kOutput;
    const std::vector<std::size_t> shown = shown_words(data, room, rest);
    const float pitch = std::min(room / static_cast<float>(shown.size() + 1), kWordRow + 20);
    constexpr TextStyle kShare{11, Font::mono};
    const float number = sheet.width_of("> 99.9 %", kShare) + 8; // and what sets it off a bar
    const SaidColumn column =
        said_column(sheet, data, width, number, std::clamp(pitch - 2, 1.f, kCellWord.size));
    const TextStyle style = column.style;
    const float label = column.width;
    sheet.text("tᵢ", {x.out, y + 8}, kSymbol, theme.text, AlignX::left, AlignY::middle);
    draw_stripe(sheet, {x.out + label, y + 2, width - label, 12}, t, {size_of(t)}, -1,
                static_cast<int>(StepStripe::output));
    y += kOutput;
    float largest = std::max(rest, 1e-9f);
    for (const auto& word : data.words) largest = std::max(largest, word.probability);
    if (pitch < kLowWordRow - 1 || shown.empty()) return;
    const TextStyle mono{std::min({kShare.size, pitch - 2, style.size - 0.5f}), Font::mono};
    const auto row = [&](const std::string& word, float share, bool said, bool others) {
        const float middle = y + pitch / 2, bars = width - label - number;
        sheet.text(sheet.fitted_end(word, style, label - 6), {x.out, middle}, style,
                   said     ? theme.accent
                   : others ? theme.muted
                            : theme.text,
                   AlignX::left, AlignY::middle);
        if (share >= kLeastBar && bars >= kLeastBars) {
            sheet.fill({x.out + label, middle - 3.5f, std::max(bars * share / largest, 1.f), 7},
                       said     ? theme.accent
                       : others ? faded(theme.muted, 0.5f)
                                : faded(theme.accent, 0.55f),
                       2);
        }
        sheet.text(probability_text(static_cast<double>(share)), {x.out_right, middle}, mono,
                   said ? theme.text : theme.muted, AlignX::right, AlignY::middle);
        y += pitch;
    };
    for (const std::size_t i : shown) {
        const auto& word = data.words[i];
        sheet.target({x.out - 4, y, width + 8, pitch}, tag::Bar{static_cast<int>(i)});
        row(word.word, word.probability, word.said, false);
    }
    row(data.others, std::max(rest, 1e-9f), false, true); // no probability is 0
}

/// The way of s_i from its cell up to where it is compared.
void draw_state_up(Sheet& sheet, const AttentionPlaces& above, const Across& x, const Box& cell) {
    const Box& c = above.context;
    const float turn = (c.y + c.h + 3 + cell.y) / 2, out = x.cell + 16;
    draw_arrow(sheet,
               {{out, cell.y - 1},
                {out, turn},
                {above.compared.x - 10, turn},
                {above.compared.x - 10, above.compared.y},
                {above.compared.x - 3, above.compared.y}},
               sheet.theme().accent);
}

/// The attention of a cell whose update comes first: s_i goes up to be compared, and the words
/// alone read c_i.
void draw_attended_later(Sheet& sheet, const AttentionPlaces& above, const Across& x,
                         const Box& cell) {
    const Box& c = above.context;
    draw_state_up(sheet, above, x, cell);
    const float middle = std::max(c.x + c.w / 2, x.out + 40);
    draw_arrow(sheet, {{middle, c.y + c.h + 3}, {middle, cell.y - 1}}, sheet.theme().accent);
}

} // namespace

StepLetters letters_of(const DecoderStepData& data) {
    if (data.step->head) return {"qᵢ", "kⱼ", "sᵢⱼ", "vⱼ", "zᵢ", "g(tᵢ)"};
    const bool attends = data.step->context.size() > 0;
    return {data.updates_first ? "sᵢ" : "sᵢ₋₁",
            "hⱼ",
            "eᵢⱼ",
            data.step->values_are_states() ? "hⱼ" : "vⱼ",
            "cᵢ",
            attends ? "g(yᵢ₋₁, sᵢ, cᵢ)" : "g(yᵢ₋₁, sᵢ)"};
}

UpdateHeights update_heights(const DecoderStepData& data) {
    constexpr int kFewestWords = 3;
    const auto words = static_cast<int>(data.words.size());
    const auto said = [](float row, int shown) {
        return kCardHead + 2 + kOutput + row * static_cast<float>(shown + 1);
    };
    const auto& layers = data.step->layers;
    int rows = 0, alone = 0;
    for (const trace::StepLayer& layer : layers) {
        rows += rows_of(layer);
        alone = std::max(alone, rows_of(layer));
    }
    const auto cell = [](float row, int shown) {
        return kCardHead + kCardFoot + 6 + row * static_cast<float>(shown);
    };
    UpdateHeights heights;
    heights.least =
        std::max(said(kLowWordRow, std::min(words, kFewestWords)), cell(kLowRow, alone));
    heights.whole = std::max(said(kLowWordRow, words), heights.least);
    heights.wanted =
        std::max({said(kWordRow, words), cell(kWordRow, std::min(rows, 10)), 150.f}) + 26;
    return heights;
}

void draw_update(Sheet& sheet, const DecoderStepData& data, int ordinal,
                 const std::optional<AttentionPlaces>& above, const Box& place) {
    const Across x = across(place);
    // A cell of few rows is no larger than they need.
    int rows = 0;
    for (const trace::StepLayer& layer : data.step->layers) rows += rows_of(layer);
    const float wanted = kCardHead + kCardFoot + 6 + kHighRow * static_cast<float>(rows);
    const Box cell{place.x, place.y, place.w, std::min(place.h, wanted)};
    draw_inputs(sheet, data, above, x, cell);
    draw_cell(sheet, data, ordinal, x, cell);
    if (above && data.updates_first) draw_attended_later(sheet, *above, x, cell);
    draw_words(sheet, data, x, place);
}

namespace {

constexpr float kDownToWords = 26;   // from the cell to the words that stand below it
constexpr float kLaneOfContext = 16; // beside a cell that is updated first

float column_cell_height(const DecoderStepData& data) {
    constexpr float kInputRow = 36, kInputs = 3;
    int rows = 0;
    for (const trace::StepLayer& layer : data.step->layers) rows += rows_of(layer);
    return kCardHead +
           std::max(kCardFoot + 6 + kWordRow * static_cast<float>(rows), kInputRow * kInputs);
}

} // namespace

float column_update_height(const DecoderStepData& data) {
    const auto rows = static_cast<float>(data.words.size() + 1);
    return column_cell_height(data) + kDownToWords + kCardHead + 2 + kOutput + kWordRow * rows;
}

void draw_update_in_column(Sheet& sheet, const DecoderStepData& data, int ordinal,
                           const std::optional<AttentionPlaces>& above, const Box& place) {
    constexpr float kInputsShare = 0.4f;
    const bool attended_later = above && data.updates_first;
    const float right = place.x + place.w;
    Across x{};
    x.inputs_right = std::round(place.x + kInputsShare * (place.w - kFlowAcross));
    x.cell = x.inputs_right + kFlowAcross;
    x.cell_right = right - (attended_later ? kLaneOfContext : 0);
    x.out = place.x;
    x.out_right = right;
    const Box cell{place.x, place.y, x.cell_right - place.x, column_cell_height(data)};
    const float under = cell.y + cell.h, words = under + kDownToWords;
    draw_inputs(sheet, data, above, x, cell);
    draw_cell(sheet, data, ordinal, x, cell);
    const Color color = sheet.theme().accent;
    const float middle = (x.cell + x.cell_right) / 2;
    draw_arrow(sheet, {{middle, under + 2}, {middle, words + 2}}, color);
    if (attended_later) {
        draw_state_up(sheet, *above, x, cell);
        const Box& c = above->context;
        const float lane = right - kLaneOfContext / 4;
        draw_arrow(sheet, {{lane, c.y + c.h + 3}, {lane, words + 2}}, color);
    }
    draw_words(sheet, data, x, {place.x, words, place.w, place.y + place.h - words});
}

} // namespace heed::figure
