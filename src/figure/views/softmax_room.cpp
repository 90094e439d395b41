#include "figure/views/softmax_room.hpp"

#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/series_chart.hpp"
#include "figure/parts/series_legend.hpp"
#include "figure/views/neurons.hpp"
#include "figure/views/softmax_jacobian.hpp"
#include "num/softmax.hpp"
#include "text/word_names.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::figure {

namespace {

template <class S> num::RowVector<S> weights_in(const SoftmaxRoomData& data) {
    num::RowVector<S> scaled(static_cast<Index>(data.logits.size()));
    for (std::size_t i = 0; i < data.logits.size(); ++i) {
        const S logit = data.logits[i], factor = data.factor;
        // 0 · −inf would be no number: what is masked stays masked.
        const bool masked = logit == -std::numeric_limits<S>::infinity();
        scaled[static_cast<Index>(i)] = masked ? logit : logit * factor;
    }
    return num::softmax<S>(scaled);
}

} // namespace

num::RowVector<float> softmax_weights(const SoftmaxRoomData& data) {
    return weights_in<float>(data);
}

float softmax_gradient(const SoftmaxRoomData& data) {
    return static_cast<float>(num::jacobian_norm<double>(weights_in<double>(data)));
}

std::vector<std::string> names_of_keys(const SoftmaxRoomData& data, const std::vector<int>& keys) {
    std::vector<int> named;
    for (const int key : keys) {
        if (key < std::ssize(data.keys)) named.push_back(key);
    }
    const std::vector<std::string_view> words(data.keys.begin(), data.keys.end());
    std::vector<std::string> names = text::word_names(words, named);
    names.resize(keys.size()); // keys ascend
    return names;
}

namespace {

constexpr float kKeysHead = 20, kLowestKeyRow = 10.5f; // above the bars of keys; a row of them

/// The keys that are shown: of too many those with the largest weights, in their order.
std::vector<int> shown_keys(const SoftmaxRoomData& data, const num::RowVector<float>& y, Index most,
                            std::optional<int> selected = {}) {
    const std::span<const float> weights(y.data(), static_cast<std::size_t>(y.size()));
    return keys_with_most_weight(weights, static_cast<int>(most), selected, data.hidden);
}

/// The factor as beside its slider.
std::string factor_text(const SoftmaxRoomData& data) {
    return significant_text(static_cast<double>(data.factor), 3);
}

/// "18 of 40 keys: the largest weights".
std::string largest_of(Index shown, Index keys) {
    return std::to_string(shown) + " of " + std::to_string(keys) + " keys: the largest weights";
}

void draw_weights(Sheet& sheet, const SoftmaxRoomData& data, const SoftmaxRoomOptions& options,
                  const Box& part) {
    const Theme& theme = sheet.theme();
    const num::RowVector<float> y = softmax_weights(data);
    // All keys in low rows are worth more than some of them in higher ones.
    constexpr float kFoot = 18, kLowest = 15;
    const Index m = y.size() - std::ssize(data.hidden);
    const bool all = static_cast<float>(m) * kLowestKeyRow <= part.h - kKeysHead;
    const float room = part.h - kKeysHead - (all ? 0 : kFoot);
    const Index most = all ? m : static_cast<Index>(room / kLowest);
    const auto keys = shown_keys(data, y, std::max<Index>(most, 1), options.key);
    const float pitch = std::min(room / static_cast<float>(keys.size()), 30.f);
    const std::vector<std::string> labels = names_of_keys(data, keys);
    float largest = 0;
    for (const int key : keys) {
        const float score = data.logits[static_cast<std::size_t>(key)] * data.factor;
        if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    }
    const int decimals = decimals_for(largest);
    const LabelPlan plan =
        plan_rows(sheet, labels, static_cast<int>(labels.size()), pitch, 0.24f * part.w);
    const std::string head = "score × " + factor_text(data);
    const float score_width =
        std::max({sheet.width_of("−" + number_text(largest, decimals), kMonoNote),
                  sheet.width_of("masked", kMonoNote), sheet.width_of(head, kNote)});
    const float weight_width = sheet.width_of("> 0.999", kMonoNote);
    const float edge = part.x + plan.size, scores = edge + 14 + score_width;
    const float bar = scores + 16, right = part.x + part.w;
    const float bar_width = std::max(right - weight_width - 10 - bar, 1.f),
                top = part.y + kKeysHead;
    const bool numbers = bar_width >= 30;
    if (numbers) {
        sheet.text(head, {scores, part.y + 10}, kNote, theme.muted, AlignX::right);
        sheet.text("weight", {right, part.y + 10}, kNote, theme.muted, AlignX::right);
    }
    const float thick = std::clamp(pitch * 0.42f, 0.5f, 11.f);
    draw_word_brackets(sheet, keys, data.word_of, edge + 8, top, pitch);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const int key = keys[i];
        const float middle = top + (static_cast<float>(i) + 0.5f) * pitch;
        const bool selected = options.key == key;
        const Box row{part.x, middle - pitch / 2, part.w, pitch};
        if (selected) sheet.fill(row, faded(theme.dark ? theme.text : theme.accent, 0.08f), 3);
        TextStyle label = plan.style, number = kMonoNote;
        number.size = std::min({number.size, pitch - 1, plan.style.size});
        if (selected) label.weight = number.weight = Weight::bold;
        if (pitch >= kLowestKeyRow - 0.1f) {
            sheet.text(sheet.fitted(labels[i], label, plan.size), {edge, middle}, label,
                       selected ? theme.accent : theme.text, AlignX::right, AlignY::middle);
        }
        const float weight = y[key], score = data.logits[static_cast<std::size_t>(key)];
        const float left = numbers ? bar : edge + 14;
        const float length = (numbers ? bar_width : right - left) * std::min(weight, 1.f);
        if (std::isfinite(weight) && weight >= kLeastBar) {
            sheet.fill({left, middle - thick / 2, std::max(length, 1.f), thick}, theme.accent,
                       thick >= 5 ? std::min(2.f, length / 2) : 0.f);
        }
        if (const auto place = static_cast<std::size_t>(key); place < data.run_weights.size()) {
            const float run = std::clamp(data.run_weights[place], 0.f, 1.f);
            const float at = left + (numbers ? bar_width : right - left) * run;
            sheet.fill({at - 1, middle - thick / 2 - 2, 2, thick + 4}, theme.text);
        }
        if (numbers && pitch >= kLowestKeyRow - 0.1f) {
            sheet.text(std::isfinite(score) ? number_text(score * data.factor, decimals) : "masked",
                       {scores, middle}, number, theme.muted, AlignX::right, AlignY::middle);
            sheet.text(row_weight_text(weight, span_of(y)), {right, middle}, number, theme.text,
                       AlignX::right, AlignY::middle);
        }
        sheet.target(row, tag::Bar{key, 0, static_cast<int>(SoftmaxPart::weights)});
    }
    if (!all) {
        const std::string note = largest_of(std::ssize(keys), m);
        sheet.text(sheet.fitted(note, kNote, part.w),
                   {part.x, top + pitch * static_cast<float>(keys.size()) + 13}, kNote,
                   theme.muted);
    }
}

/// A place of curves, and how far below it an axis may reach.
struct CurvesPlace {
    Box box;
    float below = 0;
};

SeriesChart over_factor(const SoftmaxRoomData& data, SoftmaxPart part) {
    SeriesChart chart;
    chart.xs = data.sweep->factors;
    chart.log_x = true;
    chart.low = 0;
    chart.x_word = "extra factor →";
    chart.marker = nearest_by_ratio(chart.xs, data.factor);
    chart.part = static_cast<int>(part);
    return chart;
}

void draw_over_factor(Sheet& sheet, const SoftmaxRoomData& data, SoftmaxPart part, bool all_names,
                      const CurvesPlace& place) {
    if (!data.sweep || data.sweep->factors.empty())
        return say_instead(sheet, place.box, "No factors to sweep");
    SeriesChart chart = over_factor(data, part);
    chart.below = place.below;
    const num::SoftmaxSweep& sweep = *data.sweep;
    if (part == SoftmaxPart::gradient) {
        chart.series.push_back({"Jacobian norm", sweep.jacobian_norm, {}, {}});
    } else if (part == SoftmaxPart::entropy) {
        chart.series.push_back({"entropy, bits", sweep.entropy_bits, {}, {}});
        chart.decimals = 2; // as everywhere
    } else {
        chart.high = 1;
        chart.decimals = 3; // as beside the bars
        chart.strongest_first = true;
        // Of many keys the curves of those that ever weigh most.
        const num::RowVector<float> most = sweep.weights.colwise().maxCoeff();
        const std::vector<int> shown = shown_keys(data, most, kMostToldApart);
        std::vector<std::string> names = names_of_keys(data, shown);
        for (std::size_t at = 0; at < shown.size(); ++at) {
            const int key = shown[at];
            Series series;
            series.name = names[at].empty() ? std::to_string(key + 1) : std::move(names[at]);
            for (Index i = 0; i < sweep.weights.rows(); ++i)
                series.values.push_back(
                    told_weight(sweep.weights(i, key), row_of(sweep.weights, i)));
            // The one that weighs most has the first colour, whole.
            series.hue = static_cast<int>(std::ranges::count_if(shown, [&](int other) {
                return most[other] > most[key] || (most[other] == most[key] && other < key);
            }));
            chart.series.push_back(std::move(series));
        }
    }
    chart.all_names = all_names;
    draw_series(sheet, chart, place.box);
}

/// The distributions of one part; without curves where there are none.
SeriesChart chart_of_draws(const SoftmaxRoomData& data, SoftmaxPart part, bool all_names) {
    const bool scaled = part == SoftmaxPart::scaled;
    SeriesChart chart;
    chart.filled = true;
    chart.low = 0;
    chart.top_of_values = true;
    chart.x_word = scaled ? "q · k / √dₖ →" : "q · k →";
    chart.y_word = "density";
    chart.part = static_cast<int>(part);
    const num::DotHistogram* first = nullptr;
    for (const num::DotHistogram& histogram : data.histograms) {
        if (histogram.scaled != scaled || histogram.density.empty()) continue;
        if (!first) first = &histogram;
        HEED_CHECK(histogram.low == first->low && histogram.high == first->high &&
                       histogram.density.size() == first->density.size(),
                   "histograms of {} bins from {} to {} and of {} from {} to {} in one chart",
                   histogram.density.size(), histogram.low, histogram.high, first->density.size(),
                   first->low, first->high);
        Series series;
        series.name = "dₖ = " + std::to_string(histogram.d_k) + " (" +
                      number_text(static_cast<float>(histogram.variance), scaled ? 2 : 1) + ")";
        series.values = histogram.density;
        chart.series.push_back(std::move(series));
    }
    const auto bins = first ? static_cast<float>(first->density.size()) : 0;
    for (float i = 0.5f; i < bins; ++i) // the middle of each
        chart.xs.push_back(first->low + i / bins * (first->high - first->low));
    chart.all_names = all_names;
    return chart;
}

/// Both parts stand beside each other: their curves are as high.
void draw_histograms(Sheet& sheet, const SoftmaxRoomData& data, SoftmaxPart part, bool all_names,
                     const CurvesPlace& place) {
    SeriesChart chart = chart_of_draws(data, part, all_names);
    if (chart.series.empty()) return say_instead(sheet, place.box, "No draws");
    chart.below = place.below;
    const SoftmaxPart twin =
        part == SoftmaxPart::scaled ? SoftmaxPart::unscaled : SoftmaxPart::scaled;
    chart.names_high =
        series_legend_height(sheet, chart_of_draws(data, twin, all_names), place.box);
    draw_series(sheet, chart, place.box);
}

void draw_part(Sheet& sheet, const SoftmaxRoomData& data, SoftmaxPart part,
               const SoftmaxRoomOptions& options, const CurvesPlace& place) {
    const Box& box = place.box;
    if (box.w <= 0) return;
    if (part == SoftmaxPart::unscaled || part == SoftmaxPart::scaled) {
        return draw_histograms(sheet, data, part, options.page, place);
    }
    if (data.logits.empty()) return say_instead(sheet, box, "Nothing to show: there are no keys");
    if (part == SoftmaxPart::weights) return draw_weights(sheet, data, options, box);
    if (part == SoftmaxPart::jacobian) return draw_jacobian(sheet, data, options, box);
    draw_over_factor(sheet, data, part, options.page, place);
}

struct Words {
    std::string title, subtitle;
};

Words words_of(const SoftmaxRoomData& data, SoftmaxPart part) {
    const std::string draws = "unit-variance q and k · in brackets: variance of q·k";
    const std::string all = data.hidden.empty() ? "" : " · numbers: of all keys";
    const auto keys = std::ssize(data.logits) - std::ssize(data.hidden);
    const std::string curves = keys <= kMostToldApart ? "" : largest_of(kMostToldApart, keys);
    switch (part) {
    case SoftmaxPart::weights:
        return {
            "Weights",
            "y = softmax of the run's scores × " + factor_text(data) +
                (data.run_weights.empty() ? "" : " · upright: in the run, " + data.run_differs)};
    case SoftmaxPart::jacobian: return {"Jacobian ∂weight / ∂score", "diag(y) − y yᵀ" + all};
    case SoftmaxPart::curves: return {"Weights over the extra factor", curves};
    case SoftmaxPart::gradient: return {"Size of the gradient", ""};
    case SoftmaxPart::entropy: return {"Entropy", ""};
    case SoftmaxPart::unscaled: return {"Distribution of random q · k", draws};
    case SoftmaxPart::scaled: return {"Distribution of random q · k / √dₖ", draws + "/√dₖ"};
    }
    return {};
}

std::string sentence(const SoftmaxRoomData& data) {
    return "Softmax of " + std::to_string(data.logits.size()) + " scores times " +
           factor_text(data) + (data.title.empty() ? "" : ": " + data.title);
}

/// Rows of cards. Bars of a few keys are worth more than distributions of draws.
std::vector<CardRow> softmax_rows(const Sheet& sheet, const SoftmaxRoomData& data, const Box& whole,
                                  bool page) {
    constexpr float kEnoughKeys = 12, kAroundKeys = 74; // title, subtitle and borders of a card
    constexpr float kShortKey = 36, kLongestKey = 80;   // names aslant above the Jacobian's columns
    const bool narrow = whole.w < 700 && (whole.w < 440 || whole.h >= 900);
    std::vector<CardRow> rows = {{2, 1.25f}, {3, 1}};
    if (narrow) rows = {{1, 1.35f}, {1, 1.45f}, {1, 1.35f}, {2, 0.95f}};
    if (!data.histograms.empty()) rows.push_back({2, !narrow ? 1 : page ? 1.75f : 1.15f});
    const auto keys = static_cast<float>(data.logits.size() - data.hidden.size());
    float longest = kShortKey;
    for (const std::string& key : data.keys)
        longest = std::max(longest, sheet.width_of(key, kNote));
    const float wanted = kAroundKeys + kKeysHead + kLowestKeyRow * std::min(keys, kEnoughKeys) +
                         (std::min(longest, kLongestKey) - kShortKey);
    return narrow ? rows : with_first_row(whole, rows, wanted);
}

/// The card of a curve for each key takes width from those of one curve, where all three stand
/// beside each other and these keep their words.
void widen_curves(std::vector<Box>& places, std::size_t keys) {
    constexpr float kShare = 0.2f, kLeastWidth = 165;
    constexpr std::size_t kCurves = 2, kGradient = 3, kEntropy = 4, kFewKeys = 4;
    if (places.size() <= kEntropy || places[kCurves].y != places[kEntropy].y) return;
    const float taken = std::floor(kShare * places[kGradient].w);
    if (keys <= kFewKeys || places[kGradient].w - taken < kLeastWidth) return;
    places[kCurves].w += 2 * taken;
    places[kGradient].x += 2 * taken;
    places[kEntropy].x += taken;
    for (const std::size_t one : {kGradient, kEntropy}) places[one].w -= taken;
}

void check_sweep(const SoftmaxRoomData& data) {
    if (!data.sweep) return;
    const num::SoftmaxSweep& sweep = *data.sweep;
    const auto steps = static_cast<Index>(sweep.factors.size());
    HEED_CHECK(sweep.weights.rows() == steps &&
                   static_cast<Index>(sweep.jacobian_norm.size()) == steps &&
                   static_cast<Index>(sweep.entropy_bits.size()) == steps &&
                   sweep.weights.cols() == static_cast<Index>(data.logits.size()),
               "a sweep of {} factors and {} keys beside {} scores", steps, sweep.weights.cols(),
               data.logits.size());
}

} // namespace

Figure softmax_room(const SoftmaxRoomData& data, const SoftmaxRoomOptions& asked,
                    const Frame& frame) {
    check_sweep(data);
    SoftmaxRoomOptions options = asked;
    Sheet sheet(frame, 1040, frame.width > 0 && frame.width < 500 ? 1320 : 900); // in one column
    sheet.figure.title = sentence(data);
    options.page = options.page || sheet.height_is_open();
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    const Box whole{sheet.margin(), top, std::max(sheet.width() - 2 * sheet.margin(), 1.f),
                    std::max(bottom - top, 1.f)};
    using enum SoftmaxPart;
    std::vector<SoftmaxPart> parts = {weights, jacobian, curves, gradient, entropy};
    if (!data.histograms.empty()) parts.insert(parts.end(), {unscaled, scaled});
    auto places = card_places(whole, softmax_rows(sheet, data, whole, options.page));
    if (places.size() < parts.size()) {
        const Box less{whole.x, whole.y, whole.w, std::max(whole.h - kLeftOutLine, 1.f)};
        places = card_places(less, softmax_rows(sheet, data, less, options.page));
        std::vector<std::string> left_out;
        for (std::size_t i = places.size(); i < parts.size(); ++i)
            left_out.push_back(words_of(data, parts[i]).title);
        say_left_out(sheet, whole, left_out);
    }
    widen_curves(places, data.logits.size() - data.hidden.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        Words words = words_of(data, parts[i]);
        if (parts[i] == curves && !title_fits(sheet, places[i], words.title)) {
            words.title = "Weights by factor";
        }
        draw_part(sheet, data, parts[i], options,
                  {draw_card(sheet, places[i], words.title, words.subtitle), kCardFoot});
    }
    return std::move(sheet.figure);
}

Figure softmax_part(const SoftmaxRoomData& data, SoftmaxPart part,
                    const SoftmaxRoomOptions& options, const Frame& frame) {
    check_sweep(data);
    Sheet sheet(frame, 640, 400);
    const Words words = words_of(data, part);
    sheet.figure.title = sentence(data) + ": " + words.title;
    const float top = sheet.header(words.title, words.subtitle);
    const Box box{sheet.margin(), top, sheet.width() - 2 * sheet.margin(),
                  sheet.content_bottom() - top};
    if (box.w >= 110 && box.h >= 56) draw_part(sheet, data, part, options, {box});
    return std::move(sheet.figure);
}

} // namespace heed::figure
