#include "figure/views/neuron_columns.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/views/neurons.hpp"
#include "nn/attention/score_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::figure {

namespace {

std::string score_formula(const trace::Neurons& row) {
    if (row.is_product) {
        const std::string sum = "Σ q∘k";
        return row.factor == 1 ? sum : sum + " × " + shortest_text(row.factor, 4);
    }
    return nn::formula(nn::info(row.score).row_formula, "q", "k");
}

/// Scale as the panel beside says it: ÷ √d_k where it is that.
std::string scale_formula(const trace::Neurons& row) {
    const float root = std::sqrt(static_cast<float>(row.d_k()));
    const std::string scale = std::abs(row.gamma * root - 1) < 1e-5f
                                  ? fmt::format("÷ √{}", row.d_k())
                                  : "× " + shortest_text(row.gamma, 4);
    if (row.softcap == 0) return scale;
    return fmt::format("{0:g} tanh(x {1} ÷ {0:g})", row.softcap, scale);
}

std::string exp_formula(const trace::Neurons& row) {
    const std::string x = row.temperature == 1 ? "x" : "x / " + shortest_text(row.temperature, 4);
    if (!std::isfinite(row.max)) return "exp(" + x + ")";
    return "exp(" + x + (row.max < 0 ? " + " : " − ") + number_text(std::abs(row.max), 2) + ")";
}

std::string weight_formula(const trace::Neurons& row) {
    if (!(row.sum > 0)) return "no key allowed";
    return "÷ " + number_text(row.sum, decimals_for(row.sum) + 1) +
           (row.dropped ? ", dropout" : "");
}

float largest(const std::vector<float>& values) {
    float size = 0;
    for (const float v : values) {
        if (std::isfinite(v)) size = std::max(size, std::abs(v));
    }
    return size;
}

/// Places after the point: as many as sentences and formulas about the same numbers have.
int places(const std::vector<float>& values) {
    constexpr float kLong = 1000; // from which on two more digits tell nothing
    const float size = largest(values);
    return size < kLong ? std::max(decimals_for(size), 2) : decimals_for(size);
}

} // namespace

std::vector<NumberColumn> number_columns(const Sheet& sheet, const trace::Neurons& row,
                                         const std::vector<int>& keys) {
    const auto column = [&](std::string name, std::string how, const std::vector<float>& values,
                            int decimals, bool after_mask) {
        NumberColumn result{std::move(name), std::move(how), {}, 0};
        result.width =
            std::max(sheet.width_of(result.name, kNote), sheet.width_of(result.how, kMonoNote));
        for (const int key : keys) {
            const float value = values[static_cast<std::size_t>(key)];
            std::string text = after_mask ? row_weight_text(value, values, decimals)
                                          : number_text(value, decimals);
            if (after_mask && is_masked(row, key)) text = "0";
            if (value == -std::numeric_limits<float>::infinity()) text = "−∞";
            result.width = std::max(result.width, sheet.width_of(text, kMonoNote));
            result.cells.push_back(std::move(text));
        }
        result.width = std::ceil(result.width);
        return result;
    };
    std::vector<NumberColumn> columns = {
        column("score", score_formula(row), row.scores, places(row.scores), false),
        column(row.softcap > 0 ? "bounded" : "scaled", scale_formula(row), row.scaled,
               places(row.scaled), false)};
    if (row.masked != row.scaled) {
        const float nothing = -std::numeric_limits<float>::infinity();
        const bool masks = std::ranges::find(row.masked, nothing) != row.masked.end();
        const char* how = !row.biased ? "mask" : masks ? "+ bias, mask" : "+ bias";
        columns.push_back(
            column(masks ? "masked" : "biased", how, row.masked, places(row.masked), false));
    }
    columns.push_back(column("exp", exp_formula(row), row.exponentials, 3, true));
    columns.push_back(column("weight", weight_formula(row), row.weights, 3, true));
    return columns;
}

} // namespace heed::figure
