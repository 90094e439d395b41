#include "figure/views/softmax_jacobian.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/script.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/views/neurons.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace heed::figure {

namespace {

constexpr float kLowestNamed = 8.65f; // a row that has its name
constexpr float kNamedHigh = 78;     // from which on columns have names, and the map a colour bar

/// The places of the Jacobian and of the names of its keys: weights down, scores across.
struct JacobianPlan {
    Box box;
    LabelPlan down, across;
};

bool has_han(const std::vector<std::string>& keys) {
    return std::ranges::any_of(
        keys, [](const std::string& word) { return han_forms(word) != Han::none; });
}

/// Names of the rows, where equal words have their positions, and of the columns: there Han
/// characters lie level or stand in stacks, and are words alone.
struct KeyNames {
    std::vector<std::string> down, across;
};

KeyNames key_names(const SoftmaxRoomData& data, const std::vector<int>& shown) {
    KeyNames names{names_of_keys(data, shown), {}};
    if (!has_han(names.down)) {
        names.across = names.down;
        return names;
    }
    for (const int key : shown)
        names.across.push_back(
            key < std::ssize(data.keys) ? data.keys[static_cast<std::size_t>(key)] : "");
    return names;
}

/// Columns, and how far names that stand aslant above them may go.
struct ColumnsOfKeys {
    float left = 0, pitch = 1, right = 0;
    float high = 1; // of the map and the names
};

/// True where no name is cut, neither at its length nor at the right.
bool are_whole(const Sheet& sheet, const std::vector<std::string>& keys, const LabelPlan& plan,
               const ColumnsOfKeys& columns) {
    if (plan.stacked) return true; // stacks say themselves where they go on
    TextStyle strong = plan.style;
    strong.weight = Weight::bold;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        float longest = plan.longest;
        if (!plan.turned) {
            const float x = columns.left + (static_cast<float>(i) + 0.5f) * columns.pitch;
            longest = std::min(longest,
                               (columns.right - x) / kSlantSine - plan.style.size * kLabelLine / 2);
        }
        if (sheet.width_of(keys[i], strong) > longest) return false;
    }
    return true;
}

float widest_strong(const Sheet& sheet, const std::vector<std::string>& keys, TextStyle style) {
    style.weight = Weight::bold;
    float widest = 0;
    for (const std::string& key : keys) widest = std::max(widest, sheet.width_of(key, style));
    return widest;
}

/// True where names on their side or aslant have no room for the longest of them.
bool cuts_names(const Sheet& sheet, const std::vector<std::string>& keys, const LabelPlan& plan) {
    return plan.slanted && !plan.stacked && widest_strong(sheet, keys, plan.style) > plan.longest;
}

/// Names aslant in small type; others as they are.
LabelPlan smaller(const Sheet& sheet, const std::vector<std::string>& keys, LabelPlan plan,
                  float room) {
    constexpr float kSmall = 9.5f;
    if (!plan.slanted || plan.turned || plan.style.size <= kSmall) return plan;
    plan.style.size = kSmall;
    const float half = kSmall * kLabelLine / 2;
    plan.longest = std::max((room - kLabelsFromGrid) / kSlantSine - half, 0.f);
    plan.size =
        (std::min(widest_strong(sheet, keys, plan.style), plan.longest) + half) * kSlantSine +
        kLabelsFromGrid;
    return plan;
}

/// Names of columns: level, or aslant where not every one has room so and rows of this height keep
/// theirs; upright where they would be cut aslant. Han characters are never read aslant: they
/// stack, or stay level.
LabelPlan plan_across(const Sheet& sheet, const std::vector<std::string>& keys,
                      const ColumnsOfKeys& columns, std::optional<int> key) {
    const int m = static_cast<int>(keys.size());
    const float pitch = columns.pitch, high = columns.high;
    LabelPlan level = plan_columns_level(sheet, keys, pitch, key);
    const bool whole = std::ranges::all_of(keys, [&](const std::string& name) {
        return sheet.width_of(name, level.style) <= level.longest;
    });
    if (level.step == 1 && whole) return level;
    const auto aslant_within = [&](float share) {
        LabelPlan aslant = plan_columns(sheet, keys, m, pitch, share * high, key);
        turn_columns(sheet, aslant, keys, m, pitch, share * high, key);
        stack_columns(sheet, aslant, keys, m, pitch, share * high);
        return aslant;
    };
    const float rows = static_cast<float>(m) * std::min(kLowestNamed, pitch); // a map is no higher
    const auto names_rows = [&](const LabelPlan& across) { return high - across.size >= rows; };
    const bool han = has_han(keys);
    constexpr float kSmallestTurned = 9, kLargestTurned = 12;
    constexpr float kMostAbove = 0.34f; // of the height, but for names that would be cut
    constexpr float kLargestAbove = 0.58f;
    for (const float share : {kMostAbove, 0.42f, 0.5f, kLargestAbove}) {
        const LabelPlan aslant = aslant_within(share);
        for (const LabelPlan& plan : {aslant, smaller(sheet, keys, aslant, share * high),
                                      plan_columns_turned(sheet, keys, m, pitch, share * high, {},
                                                          kSmallestTurned, kLargestTurned)}) {
            const bool readable = han ? plan.stacked && share == kMostAbove : !plan.stacked;
            if (readable && plan.slanted && plan.step == 1 && names_rows(plan) &&
                are_whole(sheet, keys, plan, columns)) {
                return plan;
            }
        }
    }
    if (!han && level.step > 2) { // every second one on its side is more than every third one level
        LabelPlan turned = plan_columns_turned(sheet, keys, m, pitch, kLargestAbove * high, {},
                                               kSmallestTurned, kLargestTurned);
        turned.phase = key.value_or(0) % std::max(turned.step, 1);
        if (turned.step < level.step && names_rows(turned) &&
            are_whole(sheet, keys, turned, columns)) {
            return turned;
        }
    }
    const LabelPlan aslant = aslant_within(kMostAbove);
    const bool readable = aslant.stacked || !han;
    const bool better = aslant.step == 1 && readable && (names_rows(aslant) || !names_rows(level));
    return better ? aslant : level;
}

/// Makes names of rows and of columns, of one matrix, as small as the smaller ones.
void set_in_one_size(const Sheet& sheet, const KeyNames& keys, LabelPlan& down, LabelPlan& across) {
    const float size = std::min(down.style.size, across.style.size);
    const float was = across.style.size;
    down.style.size = across.style.size = size;
    down.size = std::min(widest_strong(sheet, keys.down, down.style), down.size);
    if (was == size) return;
    if (!across.slanted) {
        across.size -= was - size;
    } else if (across.stacked) {
        across.size *= size / was;
    } else {
        const float half = across.turned ? 0 : size * kLabelLine / 2;
        const float reach =
            std::min(widest_strong(sheet, keys.across, across.style), across.longest);
        const float was_reach = across.size - kLabelsFromGrid;
        const float aslant = (reach + half) * kSlantSine;
        across.size = across.turned ? across.size * size / was
                                    : std::min(aslant, was_reach) + kLabelsFromGrid;
    }
}

/// `right`: where names end. `under`: what the words below the map take. `kept`: the column that
/// has its name where not all have.
JacobianPlan plan_jacobian(const Sheet& sheet, const KeyNames& keys, std::optional<int> key,
                           int kept, const Box& part, float right, float under) {
    const auto m = static_cast<float>(keys.down.size());
    // Where it is low or narrow, rows alone have names, for the chosen one's sake.
    constexpr float kWide = 130, kNarrow = 100;
    const bool named = part.w >= (key ? kNarrow : kWide) && (part.h >= kNamedHigh || key);
    JacobianPlan plan;
    plan.box = {part.x, part.y, 0.8f * part.w, 0.55f * part.h};
    // Names beside smaller cells are other names, and what they take makes cells smaller.
    float left = 0, above = 0;
    for (int pass = 0; pass < 4; ++pass) {
        plan.down = plan_rows(sheet, keys.down, static_cast<int>(keys.down.size()), plan.box.h / m,
                              part.w / 4, key, true);
        plan.across = plan_across(sheet, keys.across,
                                  {plan.box.x, plan.box.w / m, right, part.h - under}, kept);
        if (named && part.h >= kNamedHigh) set_in_one_size(sheet, keys, plan.down, plan.across);
        if (named) left = std::max(left, plan.down.size + 8);
        if (named && part.h >= kNamedHigh) above = std::max(above, plan.across.size);
        const float most = std::max(std::floor(part.w - left), 2.f);
        const float side = std::max(std::floor(std::min(most, part.h - under - above)), 2.f);
        // Cells as wide as the place allows, up to three times their height.
        plan.box = {std::round(part.x + left), std::round(part.y + above),
                    std::clamp(most, side, 3 * side), side};
    }
    if (!named) plan.down.size = 0;
    if (above <= 0) plan.across.size = 0;
    return plan;
}

/// The words below the map, in one line or two, of which none is cut: a number has no half.
std::vector<std::string> jacobian_words(const Sheet& sheet, const std::string& largest,
                                        const std::string& norm, float room) {
    const auto fits = [&](const std::string& words) {
        return sheet.width_of(words, kMonoNote) <= room;
    };
    for (const std::string& words : {"largest entry " + largest + " · Frobenius norm " + norm,
                                     "largest " + largest + " · norm " + norm}) {
        if (fits(words)) return {words};
    }
    if (fits("largest " + largest)) return {"largest " + largest, "norm " + norm};
    if (fits("norm " + norm)) return {"norm " + norm};
    return {norm};
}

void name_keys(Sheet& sheet, const JacobianPlan& plan, const KeyNames& keys, std::optional<int> key,
               int kept, float right) {
    if (plan.down.size <= 0) return;
    const Box& box = plan.box;
    const int count = static_cast<int>(keys.down.size());
    const auto m = static_cast<float>(count);
    AxisMarks marks;
    marks.selected = key;
    marks.kept = kept;
    const std::size_t targets = sheet.figure.targets.size();
    draw_rows(sheet, plan.down, keys.down, count, box.y, box.h / m, box.x - 8, marks);
    constexpr float kNearerLabels = 10; // than labels of columns elsewhere
    if (plan.across.size > 0)
        draw_columns(sheet, plan.across, keys.across, count, box.x, box.w / m,
                     box.y + (plan.across.slanted ? 0 : kNearerLabels), Side::above, right, marks,
                     LabelOf::column);
    sheet.figure.targets.resize(targets); // rows are keys here, and no queries to be chosen
}

} // namespace

void draw_jacobian(Sheet& sheet, const SoftmaxRoomData& data, const SoftmaxRoomOptions& options,
                   const Box& part) {
    const num::RowVector<float> y = softmax_weights(data);
    if (y.size() > kMostJacobianKeys) {
        return say_instead(sheet, part,
                           "Drawn for up to " + std::to_string(kMostJacobianKeys) + " keys");
    }
    const std::span<const float> weights(y.data(), static_cast<std::size_t>(y.size()));
    const std::vector<int> shown =
        keys_with_most_weight(weights, static_cast<int>(y.size()), {}, data.hidden);
    const Matrix<float> whole = num::softmax_jacobian<float>(y);
    const auto jacobian = std::make_shared<Matrix<float>>(whole(shown, shown));
    const ValueRange range = signed_range(jacobian, sheet.theme().stripes);
    const bool with_bar = part.w >= 180 && part.h >= kNamedHigh;
    const float bar = with_bar ? colour_bar_width(sheet, range) + 16 : 0;
    const auto m = static_cast<int>(shown.size());
    const KeyNames keys = key_names(data, shown);
    std::optional<int> key;
    if (const auto at = std::find(shown.begin(), shown.end(), options.key); at != shown.end())
        key = static_cast<int>(at - shown.begin());
    int strongest = 0;
    if (m > 0) jacobian->diagonal().maxCoeff(&strongest);
    const int kept = key.value_or(strongest);
    constexpr float kUnder = 20, kLine = 14, kBare = 4; // its words, or the bar's; a second line
    const Box beside{part.x, part.y, part.w - bar, part.h};
    const float right = part.x + part.w;
    JacobianPlan plan = plan_jacobian(sheet, keys, key, kept, beside, right, kUnder);
    const std::string largest = scale_text(largest_size(whole)),
                      norm = scale_text(softmax_gradient(data));
    const auto words = [&] {
        auto lines = jacobian_words(sheet, largest, norm, plan.box.x + plan.box.w - part.x);
        constexpr float kLow = 160; // there the names of rows need the line of what has a card
        if (lines.size() > 1 && part.h < kLow) lines.pop_back();
        return lines;
    };
    if (words().size() > 1)
        plan = plan_jacobian(sheet, keys, key, kept, beside, right, kUnder + kLine);
    // Where rows or columns would have fewer names for them, there are none: the bar's ends say the
    // largest.
    const JacobianPlan bare = plan_jacobian(sheet, keys, key, kept, beside, right, kBare);
    const bool names_rows = plan.down.step > 1 && bare.down.step == 1;
    const bool more =
        bare.across.step < plan.across.step || (cuts_names(sheet, keys.across, plan.across) &&
                                                !cuts_names(sheet, keys.across, bare.across));
    const bool names_columns = !has_han(keys.down) && bare.down.step <= plan.down.step && more;
    const bool wordless = with_bar && (names_rows || names_columns);
    if (wordless) plan = bare;
    const Box& box = plan.box;
    sheet.heat(box, jacobian, range.palette, range.low, range.high);
    sheet.target(box, tag::Cells{m, m, static_cast<int>(SoftmaxPart::jacobian)});
    name_keys(sheet, plan, keys, key, kept, right);
    if (key) {
        const float w = box.w / static_cast<float>(m), h = box.h / static_cast<float>(m);
        const auto at = static_cast<float>(*key);
        const Color ink = sheet.theme().text; // the largest values are nearly of the accent
        sheet.stroke({box.x, box.y + at * h, box.w, std::max(h, 2.f)}, ink, 1);
        sheet.stroke({box.x + at * w, box.y, std::max(w, 2.f), box.h}, ink, 1);
    }
    float line = box.y + box.h + 15;
    for (const std::string& text : wordless ? std::vector<std::string>{} : words()) {
        sheet.text(text, {part.x, line}, kMonoNote, sheet.theme().muted);
        line += kLine;
    }
    if (with_bar) {
        draw_colour_bar(sheet, range, box.x + box.w + 16, box.y, box.h - (wordless ? kUnder : 0));
    }
}

} // namespace heed::figure
