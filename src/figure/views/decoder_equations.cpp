#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/views/decoder_update.hpp"
#include "figure/views/neurons.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {
constexpr float kNextEquation = 18; // a line of equations below another one
} // namespace

std::vector<std::string> equations_of(const Sheet& sheet, const DecoderStepData& data,
                                      std::size_t most) {
    const trace::DecoderStep& step = *data.step;
    const trace::Neurons& row = *step.row;
    const StepLetters letters = letters_of(data);
    std::string changed;
    if (!step.head && row.gamma != 1) changed += "× " + shortest_text(row.gamma, 4) + " ";
    if (row.temperature != 1) changed += "÷ τ " + shortest_text(row.temperature, 3) + " ";
    const std::string e = std::string(letters.score) + " = " + data.score;
    if (!changed.empty()) changed = " " + changed.substr(0, changed.size() - 1);
    const std::string alpha = changed.empty() && !step.head
                                  ? "αᵢⱼ = exp eᵢⱼ / Σₖ exp eᵢₖ"
                                  : "αᵢⱼ = softmaxⱼ(" + (letters.score + changed) + ")";
    const std::string gain = step.gain == 1 ? "" : shortest_text(step.gain, 3) + " ";
    const std::string c = std::string(letters.context) + " = " + gain + "Σⱼ αᵢⱼ " + letters.value;
    const float room = sheet.width() - 2 * sheet.margin();
    std::vector<std::string> lines(1);
    for (const std::string& part : {e, alpha, c, data.projection}) {
        if (part.empty()) continue;
        const std::string longer = lines.back().empty() ? part : lines.back() + "     " + part;
        if (sheet.width_of(longer, kFormula) <= room) {
            lines.back() = longer;
        } else if (lines.size() < most && sheet.width_of(part, kFormula) <= room) {
            lines.push_back(part);
        }
    }
    return lines;
}

float equations_height(const std::vector<std::string>& equations) {
    return kEquation + kNextEquation * static_cast<float>(equations.size() - 1);
}

void draw_equations(Sheet& sheet, const std::vector<std::string>& lines, float y) {
    for (const std::string& line : lines) {
        sheet.text(line, {sheet.margin(), y + kEquation / 2}, kFormula, sheet.theme().muted,
                   AlignX::left, AlignY::middle);
        y += kNextEquation;
    }
}

namespace {

/// "1.00 for hⱼ".
std::string end_for(float size, const std::string& what) {
    return number_text(size, decimals_for(size)) + " for " + what;
}

} // namespace

std::vector<ColourKey> keys_of_step(const Theme& theme, const DecoderStepData& data) {
    const trace::DecoderStep& step = *data.step;
    std::string ends;
    if (step.row) {
        const StepLetters letters = letters_of(data);
        ends = end_for(largest_size(step.keys()), letters.key) + ", " +
               end_for(step.largest_weighted,
                       std::string("αᵢⱼ") + letters.value + " and " + letters.context) +
               "; otherwise ";
    }
    std::vector<ColourKey> keys = {signed_key(theme, " = " + ends + "the stripe's largest |x|")};
    const bool gates = std::ranges::any_of(
        step.layers, [](const trace::StepLayer& layer) { return !layer.gates.empty(); });
    if (gates) keys.push_back({"0", "1", theme.weights, ": gates"});
    return keys;
}

} // namespace heed::figure
