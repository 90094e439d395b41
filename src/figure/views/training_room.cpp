#include "figure/views/training_room.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/head_color.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/series_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
using Points = std::vector<std::pair<double, double>>;

int watched_of(const TrainingRoomData& data) {
    const std::size_t last = std::max<std::size_t>(data.learners.size(), 1) - 1;
    return static_cast<int>(std::min(data.watched, last));
}

std::size_t nearest_place(std::uint64_t step, std::uint64_t steps) {
    const double share = static_cast<double>(step) / static_cast<double>(steps);
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kPlaces - 1)));
}

SeriesChart chart_of_steps(const TrainingRoomData& data, TrainingPart part) {
    SeriesChart chart;
    chart.below = kCardFoot;
    for (int i = 0; i < kPlaces; ++i)
        chart.xs.push_back(static_cast<float>(step_at(data.steps, i)));
    const auto put = [&](std::uint64_t step) { // a place at it, not beside it
        const std::size_t place = nearest_place(step, data.steps);
        chart.xs[place] = static_cast<float>(std::min(step, data.steps));
        return place;
    };
    for (const LearnerCurves& learner : data.learners)
        for (const train::HeldOutPoint& held : learner.history->held_out) put(held.step);
    chart.x_word = "step →";
    chart.interleaved = true;
    chart.part = static_cast<int>(part);
    chart.above = watched_of(data);
    if (data.marked) chart.marker = put(*data.marked);
    return chart;
}

template <class Measure> Points held_out_points(const train::History& history, Measure&& measure) {
    Points points;
    for (const train::HeldOutPoint& held : history.held_out) {
        if (held.of_all) continue;
        points.emplace_back(static_cast<double>(held.step), measure(held.measures));
    }
    return points;
}

/// What is measured on all sentences at the end, beside the curve of a part of them.
template <class Measure>
std::optional<ApartMark> mark_of_all(const train::History& history, Measure&& measure) {
    const train::HeldOutPoint* all = train::measured_on_all(history);
    if (!all) return std::nullopt;
    return ApartMark{static_cast<float>(all->step), static_cast<float>(measure(all->measures))};
}

Series series_of(const Sheet& sheet, const LearnerCurves& learner) {
    Series series;
    series.name = learner.name;
    series.color = learner_color(sheet.theme(), learner.kind);
    return series;
}

void draw_losses(Sheet& sheet, const TrainingRoomData& data, const Box& box) {
    SeriesChart chart = chart_of_steps(data, TrainingPart::loss);
    bool any = false;
    for (const LearnerCurves& learner : data.learners) {
        Series series = series_of(sheet, learner);
        Points training;
        for (const train::LossPoint& point : learner.history->losses()) {
            training.emplace_back(static_cast<double>(point.step), point.loss);
        }
        any = any || !training.empty() || !learner.history->held_out.empty();
        series.least = sampled(training, chart.xs);
        const auto loss = [](const train::Measures& m) { return m.loss; };
        series.values = sampled(held_out_points(*learner.history, loss), chart.xs);
        series.apart = mark_of_all(*learner.history, loss);
        chart.series.push_back(std::move(series));
    }
    if (!any)
        return say_instead(sheet, box,
                           data.prepares ? "Generating data\u2026" : "Press Play to start");
    draw_series(sheet, chart, box);
}

void draw_exact_match(Sheet& sheet, const TrainingRoomData& data, const Box& box) {
    SeriesChart chart = chart_of_steps(data, TrainingPart::exact_match);
    chart.low = 0;
    chart.high = 100;
    bool any = false;
    for (const LearnerCurves& learner : data.learners) {
        Series series = series_of(sheet, learner);
        const auto right = [](const train::Measures& m) { return 100 * m.exact_match; };
        const auto points = held_out_points(*learner.history, right);
        series.apart = mark_of_all(*learner.history, right);
        any = any || !points.empty();
        series.values = sampled(points, chart.xs);
        chart.series.push_back(std::move(series));
    }
    if (!any) return say_instead(sheet, box, "Appears during training");
    draw_series(sheet, chart, box);
}

/// "3–5" or "15", and how many sentences of these lengths there were.
std::string bin_name(const train::LengthBin& bin) {
    return std::to_string(bin.from) + (bin.to > bin.from ? "–" + std::to_string(bin.to) : "") +
           "\nn = " + std::to_string(bin.sentences);
}

void draw_lengths(Sheet& sheet, const TrainingRoomData& data, const Box& box) {
    const auto bins = length_bins(data.learners);
    if (bins.empty()) return say_instead(sheet, box, "Appears during training");
    SeriesChart chart;
    chart.below = kCardFoot;
    for (const train::LengthBin& bin : bins) {
        chart.xs.push_back(static_cast<float>(chart.xs.size()));
        chart.x_names.push_back(bin_name(bin));
    }
    chart.low = 0;
    chart.high = 100;
    chart.interleaved = true;
    chart.x_word = "source length, tokens →";
    chart.part = static_cast<int>(TrainingPart::by_length);
    chart.above = watched_of(data);
    for (const LearnerCurves& learner : data.learners) {
        Series series = series_of(sheet, learner);
        series.values.assign(chart.xs.size(), kNothing);
        for (const train::LengthBin& own : train::in_bins(learner.by_length)) {
            const auto place = std::ranges::find(bins, own.from, &train::LengthBin::from);
            series.values[static_cast<std::size_t>(place - bins.begin())] =
                static_cast<float>(100 * own.accuracy());
        }
        chart.series.push_back(std::move(series));
    }
    draw_series(sheet, chart, box);
}

constexpr float kSmallestWord = 8; // points; smaller ones are left out by turns

float widest_of(const Sheet& sheet, const std::vector<std::string>& words, TextStyle style) {
    style.weight = Weight::bold;
    float width = 0;
    for (const std::string& word : words) width = std::max(width, sheet.width_of(word, style));
    return width;
}

/// Smaller letters, where otherwise words would be left out and these let all stand.
void keep_all(LabelPlan& plan, const Sheet& sheet, const std::vector<std::string>& words,
              float line) {
    const float size = std::floor(2 * line / kLabelLine) / 2;
    if (plan.step == 1 || size < kSmallestWord) return;
    plan.step = 1;
    plan.style.size = std::min(size, plan.style.size);
    const float width = std::min(widest_of(sheet, words, plan.style), plan.longest);
    plan.size = plan.slanted
                    ? (width + plan.style.size * kLabelLine / 2) * kSlantSine + kLabelsFromGrid
                    : width;
}

/// The places of a map and its words; `bar`: the width that its colours take at the right.
struct MapPlan {
    LabelPlan down{}, across{};
    float left = 0, top = 0, cell_w = 0, cell_h = 0, bar = 0;
};

/// Cells are square; wider where the words above them then stand upright, and wider or higher where
/// else words would be left out.
MapPlan plan_map(const Sheet& sheet, const TrainingRoomData& data, const Box& part, float bar) {
    constexpr float kLargestCell = 54, kWidest = 2, kUsual = 1.5f; // width by height
    constexpr float kRoomy = 16; // the least at which no word is left out, slanted or not
    const auto rows = static_cast<int>(data.alignment->rows());
    const auto cols = static_cast<int>(data.alignment->cols());
    const float upright = upright_pitch(sheet, data.columns, cols);
    MapPlan plan;
    plan.bar = bar;
    // Labels need room of the cells, and how much depends on how large the cells are.
    plan.left = 0.3f * part.w;
    plan.top = 0.3f * part.h;
    for (int round = 0; round < 3; ++round) {
        const float w = (part.w - plan.left - bar) / static_cast<float>(cols);
        const float h = std::min((part.h - plan.top) / static_cast<float>(rows), kLargestCell);
        const float square = std::max(std::min(w, h), 0.1f);
        const float wanted =
            upright <= std::min(w, kWidest * square) ? upright : std::max(kRoomy, kUsual * square);
        plan.cell_w = std::max(std::min(w, std::max(square, wanted)), 0.1f);
        plan.cell_h = std::max(std::min(h, std::max(w, kRoomy)), 0.1f);
        plan.down = plan_rows(sheet, data.rows, rows, plan.cell_h, 0.34f * part.w);
        keep_all(plan.down, sheet, data.rows, plan.cell_h);
        plan.across = plan_columns(sheet, data.columns, cols, plan.cell_w, 0.34f * part.h);
        keep_all(plan.across, sheet, data.columns, plan.cell_w * kSlantSine);
        plan.left = plan.down.size + 8;
        plan.top = plan.across.size + 8;
    }
    const float h = (part.h - plan.top) / static_cast<float>(rows); // the words may have grown
    plan.cell_h = std::max(std::min(plan.cell_h, h), 0.1f);
    return plan;
}

void draw_alignment(Sheet& sheet, const TrainingRoomData& data, const Box& part) {
    if (!data.alignment || data.alignment->size() == 0) {
        const bool told = !data.no_alignment.empty();
        return say_instead(sheet, part, told ? data.no_alignment : "Appears during training");
    }
    if (part.w < 60 || part.h < 60) return;
    const auto rows = static_cast<int>(data.alignment->rows());
    const auto cols = static_cast<int>(data.alignment->cols());
    ValueRange range = range_between(data.alignment, sheet.theme().weights, {0, 1}, "");
    constexpr float kBar = 46, kNamedBar = 66, kLeast = 260;
    MapPlan plan = plan_map(sheet, data, part, part.w > kLeast ? kNamedBar : 0);
    if (plan.bar > 0 && (plan.across.step > 1 || plan.across.slanted)) {
        plan = plan_map(sheet, data, part, kBar);
    } else {
        range.middle_text = "weight"; // there is no room for it below the map
    }
    if (plan.bar > 0 && plan.across.step > 1) { // words say more than a scale
        plan = plan_map(sheet, data, part, 0);
    }
    const LabelPlan &down = plan.down, &across = plan.across;
    const float bar = plan.bar;
    Box box{0, 0, std::max(plan.cell_w * static_cast<float>(cols), 2.f),
            std::max(plan.cell_h * static_cast<float>(rows), 2.f)};
    const float used = plan.left + box.w + bar;
    box.x = std::round(part.x + std::max((part.w - used) / 2, 0.f) + plan.left);
    box.y = std::round(part.y + plan.top);
    sheet.heat(box, data.alignment, range.palette, range.low, range.high);
    sheet.target(box, tag::Cells{rows, cols, static_cast<int>(TrainingPart::alignment)});
    draw_rows(sheet, down, data.rows, rows, box.y, box.h / static_cast<float>(rows), box.x - 8, {});
    draw_columns(sheet, across, data.columns, cols, box.x, box.w / static_cast<float>(cols),
                 box.y - 8, Side::above, part.x + part.w, {}, LabelOf::column);
    if (bar > 0) draw_colour_bar(sheet, range, box.x + box.w + 14, box.y, box.h);
}

} // namespace

Color learner_color(const Theme& theme, int kind) {
    // A baseline is quiet; what never stands beside each other shares a colour.
    switch (kind) {
    case 0: return theme.muted;
    case 1:
    case 10: return theme.series[1];
    case 2:
    case 8: return theme.series[0];
    case 3:
    case 9: return theme.series[2];
    case 4: return theme.series[3];
    case 5: return theme.dark ? Color{0xf2, 0x57, 0xb0} : Color{0xd8, 0x1b, 0x78}; // pink
    case 6: return theme.dark ? Color{0x7d, 0x6c, 0xff} : Color{0x1f, 0x2f, 0x8a}; // indigo
    case 7: return theme.dark ? Color{0xd9, 0x62, 0x2b} : Color{0x6b, 0x34, 0x10}; // rust
    default: return head_color(3 * kind + 1, kHeadHues, theme.dark);
    }
}

std::vector<train::LengthBin> length_bins(const std::vector<LearnerCurves>& learners) {
    std::map<int, train::LengthBin> bins;
    for (const LearnerCurves& learner : learners) {
        for (const train::LengthBin& bin : train::in_bins(learner.by_length)) {
            bins.try_emplace(bin.from, bin);
        }
    }
    std::vector<train::LengthBin> all;
    for (const auto& [from, bin] : bins) all.push_back(bin);
    return all;
}

std::uint64_t step_at(std::uint64_t steps, int place) {
    return steps * static_cast<std::uint64_t>(place) / static_cast<std::uint64_t>(kPlaces - 1);
}

std::vector<float> sampled(const Points& points, const std::vector<float>& steps) {
    std::vector<float> values(steps.size(), kNothing);
    if (points.empty()) return values;
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto step = static_cast<double>(steps[i]);
        while (next < points.size() && points[next].first < step) ++next;
        if (next == points.size() || (next == 0 && points[0].first > step)) continue;
        const auto& [to, high] = points[next];
        if (next == 0 || to == step) {
            values[i] = static_cast<float>(high);
            continue;
        }
        const auto& [from, low] = points[next - 1];
        values[i] = static_cast<float>(low + (high - low) * (step - from) / (to - from));
    }
    return values;
}

Figure training_alignment(const TrainingRoomData& data, const Frame& frame) {
    Sheet sheet(frame, 560, 520);
    sheet.figure.title = data.alignment_title;
    const Box whole{0, 0, sheet.width(), sheet.height()};
    const Box inside = draw_card(sheet, whole, data.alignment_title, data.alignment_subtitle);
    draw_alignment(sheet, data, inside);
    return std::move(sheet.figure);
}

namespace {

constexpr float kTwoColumns = 540; // of cards; in less they stand below each other
constexpr float kLowestChart = 216; // a title, a legend, and a curve with its numbers
constexpr float kBetweenRows = 16;

bool is_narrow(float cards) { return cards < kTwoColumns; }

/// A narrow one has its map before what is measured now and then: there both are seen at once.
/// With much height the map has all that it needs, and the curves of learning take the rest.
/// In a low place its row is no higher than the curves'.
std::vector<CardRow> rows_of_cards(bool narrow, float height) {
    constexpr float kHigh = 960, kMapByCurves = 1.35f;
    const float second = std::clamp((height - kBetweenRows) / kLowestChart - 1, 1.f, kMapByCurves);
    if (narrow) return {{1, 1}, {1, 1.35f}, {1, 1}, {1, 1.1f}};
    return height >= kHigh ? std::vector<CardRow>{{2, 1.25f}, {2, 1}}
                           : std::vector<CardRow>{{2, 1}, {2, second}};
}

/// The first of these that a card shows in one line; else the last, which is the shortest.
std::string first_fitting(const Sheet& sheet, const Box& card,
                          std::initializer_list<const char*> words, const std::string& behind) {
    for (const std::string each : words) {
        if (sheet.width_of(each + behind, kCardSubtitle) <= card_room(card)) return each + behind;
    }
    return *(words.end() - 1) + behind;
}

/// " · ○ at the end, on all 1000": the rings at the end of the curves; nothing before they are
/// there.
std::string ring_words(const TrainingRoomData& data) {
    for (const LearnerCurves& learner : data.learners) {
        if (const auto* all = train::measured_on_all(*learner.history))
            return " · ○ at the end, on all " + std::to_string(train::sentences_of(all->measures));
    }
    return {};
}

/// Words behind the unit of an accuracy: that nothing is right yet, else what the rings are.
std::string right_words(const TrainingRoomData& data, const std::string& ring) {
    bool measured = false;
    for (const LearnerCurves& learner : data.learners) {
        for (const train::HeldOutPoint& point : learner.history->held_out) {
            if (point.measures.exact_match > 0) return ring;
            measured = true;
        }
    }
    return measured ? " · none right yet" : ring;
}

/// What the accuracy by length is of: at the end all, before a part.
std::string of_held_out(const TrainingRoomData& data, const char* what) {
    for (const LearnerCurves& learner : data.learners) {
        const train::HeldOutPoint* all = train::measured_on_all(*learner.history);
        if (all && all->measures.by_length == learner.by_length)
            return fmt::format("of all {} held-out {}, %", train::sentences_of(all->measures),
                               what);
    }
    return fmt::format("of the held-out {}, %", what);
}

std::string loss_words(const Sheet& sheet, const Box& card, bool labels, const std::string& ring) {
    return labels ? first_fitting(sheet, card,
                                  {"held-out (bold) and training (thin), nats per label",
                                   "bold: held-out · nats per label", "nats per label"},
                                  ring)
                  : first_fitting(sheet, card,
                                  {"held-out (bold) and training (thin), nats per token",
                                   "bold: held-out · nats per token", "nats per token"},
                                  ring);
}

} // namespace

float training_room_height(float width) {
    constexpr float kMargin = 24, kTitleHeight = 36;
    const auto rows = rows_of_cards(is_narrow(width - 2 * kMargin), 0);
    float shares = 0;
    for (const CardRow& row : rows) shares += row.height;
    return 2 * kMargin + kTitleHeight + std::ceil(shares * kLowestChart) +
           static_cast<float>(rows.size() - 1) * kBetweenRows;
}

Figure training_room(const TrainingRoomData& data, const Frame& frame) {
    Sheet sheet(frame, 1040, 760);
    sheet.figure.title = "Models that learn";
    const float bottom = sheet.content_bottom();
    const float top =
        data.title.empty() ? sheet.margin_y() : sheet.header(data.title, data.subtitle);
    const Box whole{sheet.margin(), top, std::max(sheet.width() - 2 * sheet.margin(), 1.f),
                    std::max(bottom - top, 1.f)};
    const bool narrow = is_narrow(sheet.width() - 2 * sheet.margin());
    auto places = card_places(whole, rows_of_cards(narrow, whole.h));
    places.resize(4);
    if (narrow) std::swap(places[1], places[2]);
    const auto card = [&](std::size_t i, const std::string& title, const std::string& subtitle) {
        return draw_card(sheet, places[i], title, subtitle);
    };
    const bool labels = data.labels;
    const std::string ring = ring_words(data);
    draw_losses(sheet, data, card(0, "Loss", loss_words(sheet, places[0], labels, ring)));
    draw_exact_match(
        sheet, data,
        labels ? card(1, "Held-out label accuracy", "texts with the right label, %" + ring)
               : card(1, "Held-out sentence accuracy",
                      "sentences fully correct, %" + right_words(data, ring)));
    draw_alignment(sheet, data, card(2, data.alignment_title, data.alignment_subtitle));
    draw_lengths(sheet, data,
                 labels ? card(3, "Label accuracy by text length", of_held_out(data, "texts"))
                        : card(3, "Sentence accuracy by length", of_held_out(data, "sentences")));
    return std::move(sheet.figure);
}

} // namespace heed::figure
