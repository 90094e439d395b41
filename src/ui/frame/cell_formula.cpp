#include "ui/frame/cell_formula.hpp"

#include "figure/base/number_text.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/score_info.hpp"
#include "trace/cell_terms.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace heed::ui {

std::string cell_figures(float value) {
    const float size = std::abs(value);
    if (size >= 10 && size < 99.995f)
        return figure::number_text(value, 2); // as it is read: "10.70"
    return lab::digits_text(static_cast<double>(value), 4);
}

void formula_line(Form& f, const char* id, const std::string& tip, const std::string& words,
                  const std::string& loud) {
    const auto equals = words.rfind("= ");
    const bool two =
        equals != words.npos && equals > 0 && f.ui.canvas.width_of(Face::mono, words + loud) > f.w;
    const Color ink = f.ui.theme().text;
    Box row = f.row(21);
    f.ui.area(row, f.ids() + "formula/" + id, words);
    f.tip(tip);
    if (two) {
        f.text(row, Face::mono, ink, words.substr(0, equals - 1));
        row = f.row(21);
    }
    const std::string last = two ? words.substr(equals) : words;
    const float drawn = f.ui.canvas.text(row, Face::mono, ink, last);
    if (loud.empty()) return;
    f.text({row.x + drawn, row.y, row.w - drawn, row.h}, Face::mono, f.ui.theme().accent, loud);
}

namespace {

/// Digits below the line: "q₈".
std::string lowered(int number) {
    std::string out;
    for (const char digit : std::to_string(number)) {
        out += "\xE2\x82";
        out += static_cast<char>(0x80 + (digit - '0'));
    }
    return out;
}

} // namespace

std::pair<std::string, std::string> cell_vectors(const models::Traits& traits, int query, int key) {
    const auto& steps = traits.steps;
    if (!steps) return {"q" + lowered(query + 1), "k" + lowered(key + 1)};
    const bool before = steps->order == models::StepOrder::attend_first;
    const bool states = steps->keys_are_states();
    return {"s" + lowered(query + (before ? 0 : 1)), (states ? "h" : "k") + lowered(key + 1)};
}

namespace {

std::string score_name(const trace::HeadSettings& settings, const models::Traits& traits, int query,
                       int key) {
    const auto [q, k] = cell_vectors(traits, query, key);
    const nn::ScoreInfo& score = nn::info(settings.score);
    return nn::formula(traits.is_stepwise() ? score.column_formula : score.row_formula, q, k);
}

/// "1 / 1.0034": with as many figures as the quotient takes to come out of them. `exceeds`: a sum
/// that is hardly more than 1 does not read as that.
std::string quotient_words(float exponential, float sum, bool exceeds) {
    constexpr int kLeast = 4, kMost = 8;
    const std::string share = cell_figures(exponential / sum);
    int figures = kLeast;
    const auto shown = [&](float value) {
        return std::strtof(lab::digits_of(static_cast<double>(value), figures).c_str(), nullptr);
    };
    while (figures < kMost && cell_figures(shown(exponential) / shown(sum)) != share) ++figures;
    const auto text = [&](float value) {
        return lab::digits_text(static_cast<double>(value), figures);
    };
    const std::string below = text(sum);
    return fmt::format("{} / {}", text(exponential), exceeds && below == "1" ? "1.0000" : below);
}

/// The weight as it is told; the others of its row are computed where it is 1 alone.
float weight_as_told(const trace::AttentionMap& map, const trace::Cell& cell, int query) {
    if (!(cell.weight >= 1)) return cell.weight;
    const num::Matrix<float> row =
        map.rectangle(trace::Stage::weights, {query, 0, 1, map.cols(trace::Stage::weights)});
    return figure::told_weight(cell.weight, figure::row_of(row, 0));
}

/// Lines from x, the number of the line above, to the weight: the row's largest x is taken off
/// every x of the row first, so that no exponential overflows.
void softmax_lines(Form& f, const trace::AttentionMap& map, const trace::Cell& cell, int query) {
    const trace::HeadSettings& settings = map.head().settings;
    formula_line(
        f, "maximum",
        "The largest number of this row. It is taken off all of them, so that no exponential "
        "overflows; the weights stay the same.",
        "row maximum = " + cell_figures(map.head().row_max[static_cast<std::size_t>(query)]));
    constexpr const char* kSoftmax =
        "The exponential of each number of the row, divided by their sum: weights from 0 to 1 that "
        "sum to 1.\nx: each key's score as it stands above · max: the largest x of the row · "
        "Σ: the sum over the row";
    formula_line(f, "softmax", kSoftmax, "softmax = exp(x \u2212 max) / \u03a3");
    const std::string weight = figure::weight_digits(weight_as_told(map, cell, query), 4);
    const float share = cell.exponential / cell.sum;
    // Dropout and edits come after softmax.
    const bool as_is = std::abs(share - cell.weight) < 5e-4f;
    // Where the others of the row are too small for the sum, it is not the quotient as it is shown.
    const bool exceeds = as_is && weight.starts_with('>');
    const std::string quotient = fmt::format(
        "= {} {}", quotient_words(cell.exponential, cell.sum, exceeds), exceeds ? "" : "= ");
    formula_line(f, "quotient", kSoftmax, quotient + (as_is ? "" : cell_figures(share)),
                 as_is ? weight : "");
    if (as_is || settings.dropout == 0) return; // an edited one stands below its slider
    formula_line(f, "changed", "What V is multiplied by.",
                 "weight after dropout = ", cell_figures(cell.weight));
}

constexpr const char* kScaleLine =
    "The scale: scores of long vectors are large, and softmax of large scores is nearly all or "
    "nothing.\nVaswani et al. 2017, section 3.2.1";

} // namespace

void edited_line(Form& f, const trace::Cell& cell) {
    formula_line(f, "changed", "What V is multiplied by.",
                 "weight as edited = ", cell_figures(cell.weight));
}

void cell_formula(const Panel& p, Form& f, const trace::AttentionMap& map, int query, int key) {
    const trace::HeadSettings& settings = map.head().settings;
    const trace::Cell cell = map.cell(query, key);
    formula_line(f, "score", "The score: how well this query and this key fit, as one number.",
                 score_name(settings, p.snapshot().run->model->traits(), query, key) + " = ",
                 cell_figures(cell.score));
    const auto d_k = map.attention().d_k();
    const float root = std::sqrt(static_cast<float>(d_k));
    const bool bounded = settings.softcap > 0;
    const float scaled = bounded ? cell.score * settings.gamma : cell.scaled;
    if (std::abs(settings.gamma * root - 1) < 1e-5f) {
        formula_line(f, "scale", kScaleLine,
                     fmt::format("\u00f7 \u221a{} = {}", d_k, cell_figures(scaled)));
    } else if (settings.gamma != 1) {
        formula_line(
            f, "scale", kScaleLine,
            fmt::format("\u00d7 {} = {}", cell_figures(settings.gamma), cell_figures(scaled)));
    }
    if (bounded) {
        formula_line(f, "bound", "Scores of this model are bounded.\nGemma Team 2024, section 2",
                     fmt::format("{0:g} tanh(x ÷ {0:g}) = {1}", settings.softcap,
                                 cell_figures(cell.scaled)));
    }
    if (cell.bias != 0) {
        formula_line(f, "bias",
                     "The bias of the positions: it hangs on the distance of the two words alone.",
                     fmt::format("{} {} by position = {}", cell.bias < 0 ? "\u2212" : "+",
                                 cell_figures(std::abs(cell.bias)),
                                 cell_figures(cell.scaled + cell.bias)));
    }
    if (!cell.allowed) {
        formula_line(f, "mask", "The mask forbids this key to this query.",
                     "masked: \u2212\u221e, weight ", "0");
        return;
    }
    if (settings.temperature != 1) {
        formula_line(f, "temperature", field_word_tip(FieldWord::temperature),
                     fmt::format("\u00f7 \u03c4 {} = {}", cell_figures(settings.temperature),
                                 cell_figures(cell.masked / settings.temperature)));
    }
    softmax_lines(f, map, cell, query);
}

} // namespace heed::ui
