#include "figure/parts/beam_layout.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kWidestNode = 160;
constexpr float kWidestWords = 240; // beyond which words are cut, however much room there is
constexpr float kHighestNode = 60;  // a branch is short, however high the window
constexpr float kRoomyNode = 36; // so high at least where it makes way for the sentences below
constexpr float kBetweenSteps = 40, kLeastBetweenSteps = 12;
constexpr float kSmallestNodeWord = 9.5f;
constexpr float kTwoLines = 32; // from which height on the score is under the word
constexpr float kWordInset = 14, kLowWordInset = 10; // of a node, both sides together
constexpr float kWordToScore = 6;
constexpr float kSmallestOfMany = 12; // type of words, where not all steps have room beside another

/// Of a step, the nodes up to the last one that a hypothesis goes through.
int count_alive(const BeamLayout& tree, std::size_t step) {
    const auto& nodes = tree.steps[step];
    int count = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (tree.lives[static_cast<std::size_t>(nodes[i])]) count = static_cast<int>(i) + 1;
    }
    return count;
}

/// The best of each step have a place, and the followed one always. The row of a hypothesis that
/// ended stays empty behind it, as long as no living one needs it; the best one's first.
void place_rows(BeamLayout& tree, int most) {
    std::vector<bool> closed(static_cast<std::size_t>(most));
    for (std::size_t step = 0; step < tree.steps.size(); ++step) {
        const auto& nodes = tree.steps[step];
        const auto free = static_cast<int>(std::ranges::count(closed, false));
        const auto followed = std::ranges::find_if(
            nodes, [&](int node) { return tree.followed[static_cast<std::size_t>(node)]; });
        const bool beyond = followed != nodes.end() && followed - nodes.begin() >= free;
        std::size_t row = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const bool has_place =
                static_cast<int>(i) < free - beyond || (beyond && nodes[i] == *followed);
            tree.all_rows = tree.all_rows && has_place;
            if (!has_place) continue;
            while (closed[row]) ++row;
            tree.row[static_cast<std::size_t>(nodes[i])] = static_cast<int>(row++);
        }
        int needed = 1;
        for (std::size_t later = step + 1; later < tree.steps.size(); ++later) {
            needed = std::max(needed, count_alive(tree, later));
        }
        for (const int end : tree.beam.hypotheses) { // the most probable first
            const auto at = static_cast<std::size_t>(end);
            const bool here = tree.beam.nodes[at].step == static_cast<int>(step);
            if (!here || tree.row[at] < 0) continue;
            if (std::ranges::count(closed, false) <= needed) break;
            closed[static_cast<std::size_t>(tree.row[at])] = true;
        }
    }
}

/// The width of a step's nodes where its words are whole, at the type of kWord.
struct StepNeeds {
    float word = 0, score = 0; // the widest of each
};

std::vector<StepNeeds> needs_of(const Sheet& sheet, const BeamLayout& tree) {
    std::vector<StepNeeds> needs(tree.steps.size());
    const TextStyle word{kWord.size, Font::sans, Weight::bold}; // as it is once it is followed
    for (std::size_t i = 0; i < tree.beam.nodes.size(); ++i) {
        if (tree.row[i] < 0) continue;
        const trace::BeamNode& node = tree.beam.nodes[i];
        StepNeeds& step = needs[static_cast<std::size_t>(node.step)];
        step.word = std::max(step.word, sheet.width_of(node.word, word));
        step.score =
            std::max(step.score, sheet.width_of(log_probability_text(node.total), kMonoNote));
    }
    return needs;
}

std::vector<float> widths_at(const BeamLayout& tree, const std::vector<StepNeeds>& needs, int first,
                             int count, float size) {
    constexpr float kSlack = 2; // a font's widths are not quite in proportion to its size
    const bool low = !tree.has_two_lines();
    std::vector<float> widths;
    for (int step = first; step < first + count; ++step) {
        const StepNeeds& need = needs[static_cast<std::size_t>(step)];
        const float word = need.word * size / kWord.size + kSlack;
        const float score = need.score * beam_score_size(size) / kMonoNote.size + kSlack;
        const float whole =
            low ? word + kWordToScore + score + kLowWordInset : std::max(word, score) + kWordInset;
        widths.push_back(std::min(whole, kWidestWords));
    }
    return widths;
}

float sum_of(const std::vector<float>& widths) {
    float sum = 0;
    for (const float w : widths) sum += w;
    return sum;
}

/// Narrow ones are widened where there is room for all, else wide ones are cut: to one width.
void level(std::vector<float>& widths, float room) {
    const bool widen = sum_of(widths) <= room;
    float low = 0, high = widen ? kWidestNode : room;
    const auto levelled = [&](float width) {
        std::vector<float> result = widths;
        for (float& w : result) w = std::floor(widen ? std::max(w, width) : std::min(w, width));
        return result;
    };
    for (int i = 0; i < 20; ++i) {
        const float middle = (low + high) / 2;
        (sum_of(levelled(middle)) <= room ? low : high) = middle;
    }
    widths = levelled(low);
}

/// Shows so many steps about one of them, with their words whole, if need be in smaller type and
/// closer together; where not even that helps, words are cut if they may be.
bool place_steps(BeamLayout& tree, const std::vector<StepNeeds>& needs, int middle, int count,
                 float left, float room, float smallest, bool may_cut) {
    const int end =
        std::max(middle < tree.end ? tree.end : static_cast<int>(tree.steps.size()), count);
    const int first = std::clamp(middle - count / 2, 0, end - count);
    const auto gaps = static_cast<float>(count - 1);
    float size = kWord.size;
    std::vector<float> widths = widths_at(tree, needs, first, count, size);
    const auto fits = [&] { return sum_of(widths) + gaps * kLeastBetweenSteps <= room; };
    while (!fits() && size - 0.5f >= smallest) {
        size -= 0.5f;
        widths = widths_at(tree, needs, first, count, size);
    }
    if (!fits() && !may_cut) return false;
    const float free = gaps > 0 ? std::floor((room - sum_of(widths)) / gaps) : kBetweenSteps;
    tree.between = std::clamp(free, kLeastBetweenSteps, kBetweenSteps);
    level(widths, room - gaps * tree.between);
    tree.first = first;
    tree.last = first + count;
    tree.word = size;
    tree.lefts.clear();
    for (const float w : widths) {
        tree.lefts.push_back(left);
        left += w + tree.between;
    }
    tree.wide = std::move(widths);
    return true;
}

/// Places steps, as many as have their words whole, all of them even in small type.
void place_across(const Sheet& sheet, BeamLayout& tree, int middle, float left, float room) {
    const int n = static_cast<int>(tree.steps.size());
    const std::vector<StepNeeds> needs = needs_of(sheet, tree);
    const int most = static_cast<int>(room / (kWordInset + kLeastBetweenSteps));
    for (int count = std::min(n, most); count > 1; --count) {
        const bool small = count == n || static_cast<float>(count) * BeamLayout::kNarrowest <= room;
        const float smallest = small ? kSmallestNodeWord : kSmallestOfMany;
        if (place_steps(tree, needs, middle, count, left, room, smallest, false)) return;
    }
    place_steps(tree, needs, middle, 1, left, room, kSmallestNodeWord, true);
}

/// The rows that hold every node which a hypothesis goes through.
int rows_alive(const BeamLayout& tree) {
    int rows = 1;
    for (std::size_t step = 0; step < tree.steps.size(); ++step) {
        rows = std::max(rows, count_alive(tree, step));
    }
    return rows;
}

/// Places the steps about one of them, with a way to the others at the sides.
void place_with_ways(const Sheet& sheet, BeamLayout& tree, int middle) {
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    place_across(sheet, tree, middle, left, room);
    const int n = static_cast<int>(tree.steps.size());
    if (tree.last - tree.first < n && room >= BeamLayout::kNarrowest + 2 * BeamLayout::kMore) {
        place_across(sheet, tree, middle, left + BeamLayout::kMore, room - 2 * BeamLayout::kMore);
    }
}

/// Where the steps in sight have fewer rows than others, these are as high as they can be.
void heighten_rows(const Sheet& sheet, BeamLayout& tree, const BeamRows& rows, float high,
                   int middle) {
    const int shown = tree.rows_shown();
    if (shown >= rows.most) return;
    const float pitch = beam_rows(tree, high, shown).pitch;
    if (pitch <= tree.down) return;
    const BeamLayout before = tree;
    tree.down = pitch;
    place_with_ways(sheet, tree, middle);
    if (tree.rows_shown() <= shown) return;
    tree.down = before.down;
    place_with_ways(sheet, tree, middle);
}

} // namespace

BeamLayout::BeamLayout(const trace::Beam& of)
    : beam(of), row(of.nodes.size(), -1), best(of.nodes.size()), followed(of.nodes.size()),
      lives(of.nodes.size()) {
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        const auto step = static_cast<std::size_t>(of.nodes[i].step);
        if (steps.size() <= step) steps.resize(step + 1);
        steps[step].push_back(static_cast<int>(i));
    }
    const auto mark = [&](int hypothesis, std::vector<bool>& marks) {
        for (const int node : of.path(hypothesis)) marks[static_cast<std::size_t>(node)] = true;
    };
    for (std::size_t h = 0; h < of.hypotheses.size(); ++h) mark(static_cast<int>(h), lives);
    if (!of.hypotheses.empty()) {
        mark(0, best);
        mark(of.followed, followed);
    }
    for (auto& nodes : steps) {
        std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) {
            return of.nodes[static_cast<std::size_t>(a)].total >
                   of.nodes[static_cast<std::size_t>(b)].total;
        });
    }
}

Box BeamLayout::box(int node) const {
    const int step = beam.nodes[static_cast<std::size_t>(node)].step;
    const auto r = static_cast<float>(row[static_cast<std::size_t>(node)]);
    return {lefts[column(step)], top + r * down, wide[column(step)], down - 4};
}

bool BeamLayout::shows(int node) const {
    if (node < 0) return false;
    const int step = beam.nodes[static_cast<std::size_t>(node)].step;
    return step >= first && step < last && row[static_cast<std::size_t>(node)] >= 0;
}

bool BeamLayout::has_two_lines() const { return down - 4 >= kTwoLines; }

int BeamLayout::widest() const {
    const std::size_t enough = std::max<std::size_t>(row.size() + beam.hypotheses.size(), 1);
    BeamLayout whole = *this;
    place_rows(whole, static_cast<int>(enough));
    int most = 1;
    for (int step = 0; step < static_cast<int>(steps.size()); ++step) {
        most = std::max(most, whole.rows_of(step));
    }
    return most;
}

int BeamLayout::rows_of(int step) const {
    int rows = 0;
    for (const int node : steps[static_cast<std::size_t>(step)]) {
        rows = std::max(rows, row[static_cast<std::size_t>(node)] + 1);
    }
    return rows;
}

int BeamLayout::rows_shown() const {
    int rows = 1;
    for (int step = first; step < last; ++step) rows = std::max(rows, rows_of(step));
    return rows;
}

float beam_score_size(float word) { return std::clamp(word - 2, 9.f, kMonoNote.size); }

BeamRows beam_rows(const BeamLayout& tree, float high, int widest) {
    constexpr float kLowNode = 22; // with room for the sentences: a line, not too small
    constexpr int kFewRows = 4;    // of many, which make way for the first sentences
    const auto found = tree.beam.hypotheses.size();
    const auto above = [&](std::size_t listed) {
        return high - BeamSentences::height(std::min(found, listed));
    };
    const float all = above(found);
    const int alive = std::min(rows_alive(tree), widest);
    const auto rows = [](float room, float pitch) { return static_cast<int>(room / pitch); };
    const auto with = [](float room, int most, bool lists) {
        const float pitch = std::floor(room / static_cast<float>(most));
        return BeamRows{most, std::min(pitch, kHighestNode), lists};
    };
    for (const float pitch : {kRoomyNode, kLowNode}) {
        if (rows(all, pitch) >= alive) return with(all, std::min(rows(all, pitch), widest), true);
    }
    for (const int least : {alive, std::min(alive, kFewRows)}) {
        for (const float room : {above(3), above(1)}) {
            const int most = std::min(rows(room, BeamLayout::kLowest), alive);
            if (most < least) continue;
            return {most, std::min(std::floor(room / static_cast<float>(most)), kLowNode), true};
        }
    }
    return with(high, std::clamp(rows(high, BeamLayout::kLowest), 1, widest), false);
}

void place_beam(const Sheet& sheet, BeamLayout& tree, const BeamRows& rows, float high,
                int middle) {
    tree.down = rows.pitch;
    place_rows(tree, rows.most);
    place_with_ways(sheet, tree, middle);
    if (high > 0) heighten_rows(sheet, tree, rows, high, middle);
}

std::vector<BeamLayout> beam_bands(const Sheet& sheet, const BeamLayout& tree, int rows) {
    constexpr float kLowNode = 38; // of two lines still: bands lie below each other
    const int n = static_cast<int>(tree.steps.size());
    const float left = sheet.margin() + BeamLayout::kStub;
    const float room = sheet.width() - 2 * left;
    BeamLayout whole = tree;
    whole.row.assign(whole.row.size(), -1);
    whole.all_rows = true;
    place_rows(whole, rows);
    whole.down = kLowNode;
    whole.end = n;
    whole.first = whole.last = 0; // whatever was in sight is no band
    const std::vector<StepNeeds> needs = needs_of(sheet, whole);
    std::vector<BeamLayout> bands;
    for (int count = 1; count <= n; ++count) { // of bands
        bands.clear();
        for (int band = 0; band < count; ++band) {
            const int first = band * n / count, last = (band + 1) * n / count;
            BeamLayout& of = bands.emplace_back(whole);
            if (!place_steps(of, needs, first + (last - first) / 2, last - first, left, room,
                             kSmallestOfMany, count == n)) {
                break;
            }
        }
        if (bands.back().last == n) break;
    }
    return bands;
}

} // namespace heed::figure
