#include "figure/views/beam_tree.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/hypothesis_list.hpp"

#include <algorithm>
#include <vector>

namespace heed::figure {

namespace {

constexpr float kNarrowestStep = 92; // where words are cut, or there are too many steps
constexpr float kWidestNode = 160;
constexpr float kLowestNode = 19, kHighestNode = 96; // a node is a word
constexpr float kRoomyNode = 36; // so high at least where it makes way for the sentences below
constexpr float kOwnPitch = 46;  // of rows, in a picture of its own height
constexpr float kBetweenSteps = 40, kLeastBetweenSteps = 12;
constexpr float kSmallestNodeWord = 9.5f;
constexpr float kTwoLines = 32; // from which height on the score is under the word
constexpr float kAxis = 22, kTreeFoot = 22, kTreeNote = 15;
constexpr float kWordInset = 14, kLowWordInset = 10; // of a node, both sides together
constexpr float kWordToScore = 6;
constexpr float kMore = 22; // at a side, for the way to steps that have no room

/// Type of the scores beside or under words of this type.
float score_size(float word) { return std::clamp(word - 2, 9.f, kMonoNote.size); }

/// The nodes that are shown, and their places.
struct Tree {
    const trace::Beam& beam;
    std::vector<std::vector<int>> steps; // of each step its nodes, the most probable first
    std::vector<int> row;                // of each node, −1 where it has no place
    std::vector<bool> best, followed, lives;
    int first = 0, last = 0; // steps that are shown, up to and without last
    int end = 0; // of the followed hypothesis, which what is looked at does not leave by itself
    float top = 0, down = 1, between = kBetweenSteps;
    float word = kWord.size;            // type
    std::vector<float> lefts{}, wide{}; // of each step that is shown
    bool all_rows = true;

    std::size_t column(int step) const { return static_cast<std::size_t>(step - first); }
    Box box(int node) const {
        const int step = beam.nodes[static_cast<std::size_t>(node)].step;
        const auto r = static_cast<float>(row[static_cast<std::size_t>(node)]);
        return {lefts[column(step)], top + r * down, wide[column(step)], down - 4};
    }
    bool shows(int node) const {
        if (node < 0) return false;
        const int step = beam.nodes[static_cast<std::size_t>(node)].step;
        return step >= first && step < last && row[static_cast<std::size_t>(node)] >= 0;
    }
};

Tree tree_of(const trace::Beam& beam) {
    Tree tree{beam, {}, {}, {}, {}, {}};
    const std::size_t n = beam.nodes.size();
    tree.row.assign(n, -1);
    tree.best.assign(n, false);
    tree.followed.assign(n, false);
    tree.lives.assign(n, false);
    for (std::size_t i = 0; i < n; ++i) {
        const auto step = static_cast<std::size_t>(beam.nodes[i].step);
        if (tree.steps.size() <= step) tree.steps.resize(step + 1);
        tree.steps[step].push_back(static_cast<int>(i));
    }
    const auto mark = [&](int hypothesis, std::vector<bool>& marks) {
        for (const int node : beam.path(hypothesis)) marks[static_cast<std::size_t>(node)] = true;
    };
    for (std::size_t h = 0; h < beam.hypotheses.size(); ++h) mark(static_cast<int>(h), tree.lives);
    if (!beam.hypotheses.empty()) {
        mark(0, tree.best);
        mark(beam.followed, tree.followed);
    }
    for (auto& nodes : tree.steps) {
        std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) {
            return beam.nodes[static_cast<std::size_t>(a)].total >
                   beam.nodes[static_cast<std::size_t>(b)].total;
        });
    }
    return tree;
}

/// The best of each step have a place, and the followed one always.
void place_rows(Tree& tree, int most) {
    for (const auto& nodes : tree.steps) {
        int row = 0;
        for (const int node : nodes) {
            const bool has_place = row < most - 1 ||
                                   (row == most - 1 && static_cast<int>(nodes.size()) == most) ||
                                   (row < most && tree.followed[static_cast<std::size_t>(node)]);
            if (has_place) tree.row[static_cast<std::size_t>(node)] = row++;
            tree.all_rows = tree.all_rows && has_place;
        }
    }
}

/// The width of a step's nodes where its words are whole, at the type of kWord.
struct StepNeeds {
    float word = 0, score = 0; // the widest of each
};

std::vector<StepNeeds> needs_of(const Sheet& sheet, const Tree& tree) {
    std::vector<StepNeeds> needs(tree.steps.size());
    const TextStyle word{kWord.size, Font::sans, Weight::bold}; // as it is once it is followed
    for (std::size_t i = 0; i < tree.beam.nodes.size(); ++i) {
        if (tree.row[i] < 0) continue;
        const trace::BeamNode& node = tree.beam.nodes[i];
        StepNeeds& step = needs[static_cast<std::size_t>(node.step)];
        step.word = std::max(step.word, sheet.width_of(node.word, word));
        step.score = std::max(step.score, sheet.width_of(number_text(node.total, 2), kMonoNote));
    }
    return needs;
}

std::vector<float> widths_at(const Tree& tree, const std::vector<StepNeeds>& needs, int first,
                             int count, float size) {
    constexpr float kSlack = 2; // a font's widths are not quite in proportion to its size
    const bool low = tree.down - 4 < kTwoLines;
    std::vector<float> widths;
    for (int step = first; step < first + count; ++step) {
        const StepNeeds& need = needs[static_cast<std::size_t>(step)];
        const float word = need.word * size / kWord.size + kSlack;
        const float score = need.score * score_size(size) / kMonoNote.size + kSlack;
        widths.push_back(low ? word + kWordToScore + score + kLowWordInset
                             : std::max(word, score) + kWordInset);
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
bool place_steps(Tree& tree, const std::vector<StepNeeds>& needs, int middle, int count, float left,
                 float room, float smallest, bool may_cut) {
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
void place_across(const Sheet& sheet, Tree& tree, int middle, float left, float room) {
    constexpr float kSmallestOfMany = 12;
    const int n = static_cast<int>(tree.steps.size());
    const std::vector<StepNeeds> needs = needs_of(sheet, tree);
    const int fit = std::clamp(static_cast<int>(room / kNarrowestStep), 1, n);
    const int most = static_cast<int>(room / (kWordInset + kLeastBetweenSteps));
    for (int count = std::min(n, most); count > fit; --count) {
        const float smallest = count == n ? kSmallestNodeWord : kSmallestOfMany;
        if (place_steps(tree, needs, middle, count, left, room, smallest, false)) return;
    }
    place_steps(tree, needs, middle, fit, left, room, kSmallestNodeWord, true);
}

/// The rows that the steps in sight take.
int rows_shown(const Tree& tree) {
    int rows = 1;
    for (std::size_t i = 0; i < tree.row.size(); ++i) {
        if (tree.shows(static_cast<int>(i))) rows = std::max(rows, tree.row[i] + 1);
    }
    return rows;
}

void draw_branches(Sheet& sheet, const Tree& tree) {
    const Theme& theme = sheet.theme();
    const auto draw = [&](auto wanted, Color color, float width) {
        for (std::size_t i = 0; i < tree.beam.nodes.size(); ++i) {
            const int parent = tree.beam.nodes[i].parent, node = static_cast<int>(i);
            if (!tree.shows(node) || !tree.shows(parent) || !wanted(i)) continue;
            const Box from = tree.box(parent), to = tree.box(node);
            draw_branch(sheet, {from.x + from.w, from.y + from.h / 2}, {to.x, to.y + to.h / 2},
                        color, width);
        }
    };
    draw([&](std::size_t i) { return !tree.lives[i]; }, faded(theme.muted, 0.35f), 1);
    draw([&](std::size_t i) { return tree.lives[i]; }, theme.link, 1.4f);
    draw([&](std::size_t i) { return tree.best[i]; }, theme.text, 3);
    draw([&](std::size_t i) { return tree.followed[i]; }, theme.accent, 3);
}

/// The way to steps out of sight, beside those in sight: how many, and in which direction.
void draw_more(Sheet& sheet, const Tree& tree, float bottom) {
    const Theme& theme = sheet.theme();
    const int n = static_cast<int>(tree.steps.size());
    const auto draw = [&](int count, int step, float x, float way) {
        if (count == 0) return;
        const Box box{x, tree.top, kMore - 4, bottom - tree.top - 4};
        const float across = x + box.w / 2, y = box.y + box.h / 2, tip = 3 * way;
        sheet.fill(box, theme.raised, 5);
        sheet.line({{across - tip, y - 6}, {across + tip, y}, {across - tip, y + 6}}, theme.muted,
                   1.6f);
        sheet.text("+" + std::to_string(count), {across, tree.top - 9}, kNote, theme.muted,
                   AlignX::centre);
        sheet.target(box, tag::RowLabel{step});
    };
    draw(tree.first, tree.first - 1, sheet.margin(), -1);
    draw(n - tree.last, tree.last, sheet.width() - sheet.margin() - kMore + 4, 1);
}

void draw_node(Sheet& sheet, const Tree& tree, int index) {
    const Theme& theme = sheet.theme();
    const auto at = static_cast<std::size_t>(index);
    const trace::BeamNode& node = tree.beam.nodes[at];
    const Box box = tree.box(index);
    const bool loud = tree.followed[at], lives = tree.lives[at];
    sheet.fill(box, lives ? theme.raised : theme.panel, 5);
    const Color edge = loud ? theme.accent : tree.best[at] ? theme.text : theme.border;
    sheet.stroke(box, edge, loud || tree.best[at] ? 1.8f : 1, 5);
    TextStyle word{tree.word}, small{score_size(tree.word), Font::mono};
    word.weight = loud || tree.best[at] ? Weight::bold : Weight::regular;
    const Color ink = loud ? theme.accent : lives ? theme.text : theme.muted;
    const std::string score = number_text(node.total, 2);
    if (box.h >= kTwoLines) { // of which neither reaches the other
        word.size = std::min(word.size, 0.38f * box.h);
        small.size = std::min(small.size, 0.3f * box.h);
        sheet.text(sheet.fitted(node.word, word, box.w - 12), {box.x + 7, box.y + 0.3f * box.h},
                   word, ink, AlignX::left, AlignY::middle);
        sheet.text(sheet.fitted(score, small, box.w - 12), {box.x + 7, box.y + 0.75f * box.h},
                   small, theme.muted, AlignX::left, AlignY::middle);
    } else {
        word.size = std::min(word.size, box.h - 3);
        small.size = std::min(small.size, box.h - 3);
        const float width = sheet.width_of(score, small);
        const float least = std::min(18.f, sheet.width_of(node.word, word));
        const bool both = box.w >= least + kWordToScore + width + kLowWordInset;
        const float room = box.w - kLowWordInset - (both ? width + kWordToScore : 0);
        sheet.text(sheet.fitted(node.word, word, room), {box.x + 5, box.y + box.h / 2}, word, ink,
                   AlignX::left, AlignY::middle);
        if (both) {
            sheet.text(score, {box.x + box.w - 5, box.y + box.h / 2}, small, theme.muted,
                       AlignX::right, AlignY::middle);
        }
    }
    sheet.target(box, tag::Node{node.step, index});
}

/// The kinds of hypotheses that the steps in sight have.
struct InSight {
    bool best = false, followed = false, others = false, dropped = false;
};

InSight in_sight(const Tree& tree) {
    InSight in;
    for (std::size_t i = 0; i < tree.row.size(); ++i) {
        if (!tree.shows(static_cast<int>(i))) continue;
        const bool loud = tree.best[i] || tree.followed[i];
        in.best = in.best || tree.best[i];
        in.followed = in.followed || (tree.followed[i] && tree.beam.followed != 0);
        in.others = in.others || (tree.lives[i] && !loud && tree.shows(tree.beam.nodes[i].parent));
        in.dropped = in.dropped || (!tree.lives[i] && !tree.beam.hypotheses.empty());
    }
    return in;
}

/// The meaning of letters and colours, in sentences.
std::vector<std::string> notes_of(const Tree& tree, const InSight& in) {
    const int n = static_cast<int>(tree.steps.size());
    std::string first = tree.all_rows ? "" : "The best of each step. ";
    if (tree.last - tree.first < n) {
        first += "Steps " + std::to_string(tree.first + 1) + " to " + std::to_string(tree.last) +
                 " of " + std::to_string(n) + ". ";
    }
    first += "Numbers: log-probability so far";
    if (in.best) first += ". Bold: best hypothesis";
    if (in.followed) first += ". In colour: the hypothesis shown";
    std::string second = in.others ? "Blue: other hypotheses" : "";
    if (in.dropped) second += second.empty() ? "Pale: dropped" : ". Pale: dropped";
    return {first, second};
}

/// The second sentence behind the first, or in a line of its own: where any hypothesis that one may
/// follow needs one, so that nothing below moves. Returns the baseline of the last line.
float draw_notes(Sheet& sheet, const Tree& tree, float baseline, float bottom) {
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    const InSight in = in_sight(tree);
    const auto joined = [](const std::vector<std::string>& notes) {
        return notes[1].empty() ? notes[0] : notes[0] + ". " + notes[1];
    };
    const bool many = tree.beam.hypotheses.size() > 1;
    const auto longest = joined(notes_of(tree, {true, many, many, in.dropped}));
    const bool low = baseline + kTreeNote + 4 > bottom;
    const bool beside = low || sheet.width_of(longest, kNote) <= room;
    const auto draw = [&](const std::string& words) {
        sheet.text(sheet.fitted(words, kNote, room), {left, baseline}, kNote, sheet.theme().muted);
    };
    const auto notes = notes_of(tree, in);
    const bool both = beside && sheet.width_of(joined(notes), kNote) <= room;
    draw(both ? joined(notes) : notes[0]);
    if (beside) return baseline;
    baseline += kTreeNote;
    if (!notes[1].empty()) draw(notes[1]);
    return baseline;
}

/// Rows as high as leaves room for all of the sentences, if that leaves them high enough.
float node_pitch(const Tree& tree, int most, float high) {
    const float list = kTreeNote + hypotheses_height(tree.beam);
    const auto rows = static_cast<float>(most);
    const bool shares = (high - list) / rows >= kRoomyNode;
    return std::min(std::floor((shares ? high - list : high) / rows), kHighestNode);
}

} // namespace

std::optional<int> hypothesis_through(const trace::Beam& beam, int node) {
    for (std::size_t h = 0; h < beam.hypotheses.size(); ++h) {
        const auto path = beam.path(static_cast<int>(h));
        if (std::find(path.begin(), path.end(), node) != path.end()) return static_cast<int>(h);
    }
    return std::nullopt;
}

Figure beam_tree(const BeamTreeData& data, const BeamTreeOptions& options, const Frame& frame) {
    std::size_t deepest = 0, widest = 1;
    if (data.beam) {
        std::vector<std::size_t> counts;
        for (const trace::BeamNode& node : data.beam->nodes) {
            deepest = std::max(deepest, static_cast<std::size_t>(node.step) + 1);
            counts.resize(std::max(counts.size(), deepest));
            widest = std::max(widest, ++counts[static_cast<std::size_t>(node.step)]);
        }
    }
    if (deepest == 0) {
        return sentence_instead(data.title, "No beam search yet. Choose beam under Decoding.",
                                frame);
    }
    Sheet sheet(frame, std::clamp(110 * static_cast<float>(deepest) + 60, 480.f, 1400.f),
                std::clamp(kOwnPitch * static_cast<float>(widest) + 150 +
                               (data.beam ? kTreeNote + hypotheses_height(*data.beam) : 0),
                           240.f, 1200.f));
    const Theme& theme = sheet.theme();
    sheet.figure.title =
        "Hypotheses of a beam search" + (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    const float high = bottom - top - kAxis - kTreeFoot;
    if (room < kNarrowestStep || high < kLowestNode) {
        const TextStyle style{type_size::kSubtitle};
        sheet.text(sheet.fitted("This picture needs more room", style, room), {left, top + 20},
                   style, theme.muted);
        return std::move(sheet.figure);
    }
    Tree tree = tree_of(*data.beam);
    const int n = static_cast<int>(deepest);
    const int most = std::clamp(static_cast<int>(high / kLowestNode), 1, static_cast<int>(widest));
    tree.down = node_pitch(tree, most, high);
    tree.top = std::round(top + kAxis);
    place_rows(tree, most);
    const int middle = std::clamp(options.sight.value_or(options.step.value_or(0)), 0, n - 1);
    for (std::size_t i = 0; i < tree.followed.size() && !options.sight; ++i) {
        if (tree.followed[i])
            tree.end = std::max(tree.end, static_cast<int>(tree.beam.nodes[i].step) + 1);
    }
    place_across(sheet, tree, middle, left, room);
    if (tree.last - tree.first < n && room >= kNarrowestStep + 2 * kMore) {
        place_across(sheet, tree, middle, left + kMore, room - 2 * kMore);
    }
    const float under = tree.top + static_cast<float>(rows_shown(tree)) * tree.down;

    for (int step = tree.first; step < tree.last; ++step) {
        const float x = tree.lefts[tree.column(step)], wide = tree.wide[tree.column(step)];
        const bool here = options.step == step;
        sheet.text(sheet.fitted("step " + std::to_string(step + 1), kNote, wide),
                   {x, top + kAxis - 9}, kNote, here ? theme.accent : theme.muted);
        if (!here) continue;
        const float around = tree.between / 4;
        sheet.fill({x - around, tree.top - 4, wide + 2 * around, under - tree.top + 4},
                   faded(theme.accent, 0.07f), 6);
    }
    draw_branches(sheet, tree);
    draw_more(sheet, tree, under);
    for (std::size_t i = 0; i < data.beam->nodes.size(); ++i) {
        if (tree.shows(static_cast<int>(i))) draw_node(sheet, tree, static_cast<int>(i));
    }
    const float foot = draw_notes(sheet, tree, under + 15, bottom);
    draw_hypotheses(sheet, *data.beam, foot + 8, bottom);
    return std::move(sheet.figure);
}

} // namespace heed::figure
