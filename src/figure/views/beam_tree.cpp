#include "figure/views/beam_tree.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/arrow.hpp"

#include <algorithm>
#include <vector>

namespace heed::figure {

namespace {

constexpr float kNarrowestStep = 92, kWidestStep = 150;
constexpr float kLowestNode = 19, kHighestNode = 72; // a node is a word
constexpr float kBetweenSteps = 24;
constexpr float kTwoLines = 32; // from which height on the score is under the word
constexpr float kAxis = 22, kTreeFoot = 22;

/// Which nodes are shown, and where.
struct Tree {
    const trace::Beam& beam;
    std::vector<std::vector<int>> steps; // of each step its nodes, the most probable first
    std::vector<int> row;                // of each node, −1 where it has no place
    std::vector<bool> best, followed, lives;
    int first = 0, last = 0; // steps that are shown, up to and without last
    float left = 0, top = 0, across = 1, down = 1;
    bool all_rows = true;

    Box box(int node) const {
        const int step = beam.nodes[static_cast<std::size_t>(node)].step;
        const auto r = static_cast<float>(row[static_cast<std::size_t>(node)]);
        return {left + static_cast<float>(step - first) * across, top + r * down,
                across - kBetweenSteps, down - 4};
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

void draw_node(Sheet& sheet, const Tree& tree, int index) {
    const Theme& theme = sheet.theme();
    const auto at = static_cast<std::size_t>(index);
    const trace::BeamNode& node = tree.beam.nodes[at];
    const Box box = tree.box(index);
    const bool loud = tree.followed[at], lives = tree.lives[at];
    sheet.fill(box, lives ? theme.raised : theme.panel, 5);
    const Color edge = loud ? theme.accent : tree.best[at] ? theme.text : theme.border;
    sheet.stroke(box, edge, loud || tree.best[at] ? 1.8f : 1, 5);
    TextStyle word = kWord;
    word.weight = loud || tree.best[at] ? Weight::bold : Weight::regular;
    const Color ink = loud ? theme.accent : lives ? theme.text : theme.muted;
    const std::string score = number_text(node.total, 2);
    if (box.h >= kTwoLines) {
        sheet.text(sheet.fitted(node.word, word, box.w - 12), {box.x + 7, box.y + 0.32f * box.h},
                   word, ink, AlignX::left, AlignY::middle);
        sheet.text(sheet.fitted(score, kMonoNote, box.w - 12), {box.x + 7, box.y + 0.74f * box.h},
                   kMonoNote, theme.muted, AlignX::left, AlignY::middle);
    } else {
        word.size = std::min(word.size, box.h - 3);
        const TextStyle small{std::min(kMonoNote.size, box.h - 3), Font::mono};
        const float width = sheet.width_of(score, small);
        const bool both = box.w >= width + 34;
        const float room = box.w - 10 - (both ? width + 6 : 0);
        sheet.text(sheet.fitted(node.word, word, room), {box.x + 5, box.y + box.h / 2}, word, ink,
                   AlignX::left, AlignY::middle);
        if (both) {
            sheet.text(score, {box.x + box.w - 5, box.y + box.h / 2}, small, theme.muted,
                       AlignX::right, AlignY::middle);
        }
    }
    sheet.target(box, Tag::Kind::node, node.step, index);
}

/// The sentences that were found, whole, where the room below the tree has them all.
void draw_hypotheses(Sheet& sheet, const trace::Beam& beam, float top, float bottom) {
    constexpr float kLine = 24, kRank = 26, kTotal = 64;
    const auto count = static_cast<float>(beam.hypotheses.size());
    if (top + 12 + count * kLine > bottom) return;
    const Theme& theme = sheet.theme();
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    for (std::size_t h = 0; h < beam.hypotheses.size(); ++h) {
        const std::vector<int> path = beam.path(static_cast<int>(h));
        if (path.empty()) continue;
        const bool followed = static_cast<int>(h) == beam.followed;
        const float y = top + 12 + (static_cast<float>(h) + 0.5f) * kLine;
        std::string words;
        for (const int node : path) {
            words += (words.empty() ? "" : " ") + beam.nodes[static_cast<std::size_t>(node)].word;
        }
        const trace::BeamNode& end = beam.nodes[static_cast<std::size_t>(path.back())];
        TextStyle style = kWord;
        style.weight = followed ? Weight::bold : Weight::regular;
        const Color ink = followed ? theme.accent : theme.text;
        sheet.text(std::to_string(h + 1), {left + kRank - 10, y}, kMonoNote, theme.muted,
                   AlignX::right, AlignY::middle);
        sheet.text(number_text(end.total, 2), {left + kRank + kTotal - 12, y}, kMonoNote,
                   theme.muted, AlignX::right, AlignY::middle);
        sheet.text(sheet.fitted(words, style, room - kRank - kTotal), {left + kRank + kTotal, y},
                   style, ink, AlignX::left, AlignY::middle);
        sheet.target({left, y - kLine / 2, room, kLine}, Tag::Kind::node, end.step, path.back());
    }
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
    Sheet sheet(frame, std::clamp(110 * static_cast<float>(deepest) + 60, 480.f, 1400.f),
                std::clamp(40 * static_cast<float>(widest) + 130, 240.f, 1200.f));
    const Theme& theme = sheet.theme();
    sheet.figure.title =
        "Hypotheses of a beam search" + (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    const float high = bottom - top - kAxis - kTreeFoot;
    if (deepest == 0 || room < kNarrowestStep || high < kLowestNode) {
        const std::string words = deepest == 0 ? "No beam search yet. Choose beam under Decoding."
                                               : "This picture needs more room";
        sheet.text(sheet.fitted(words, {type_size::kSubtitle}, room), {left, top + 20},
                   {type_size::kSubtitle}, theme.muted);
        return std::move(sheet.figure);
    }
    Tree tree = tree_of(*data.beam);
    const int n = static_cast<int>(deepest);
    const int fit = std::clamp(static_cast<int>(room / kNarrowestStep), 1, n);
    const int middle = std::clamp(options.step.value_or(0), 0, n - 1);
    tree.first = std::clamp(middle - fit / 2, 0, n - fit);
    tree.last = tree.first + fit;
    tree.across =
        std::min(std::floor((room + kBetweenSteps) / static_cast<float>(fit)), kWidestStep);
    const int most = std::clamp(static_cast<int>(high / kLowestNode), 1, static_cast<int>(widest));
    tree.down = std::min(std::floor(high / static_cast<float>(most)), kHighestNode);
    tree.left = left;
    tree.top = std::round(top + kAxis);
    place_rows(tree, most);

    for (int step = tree.first; step < tree.last; ++step) {
        const float x = left + static_cast<float>(step - tree.first) * tree.across;
        const bool here = options.step == step;
        sheet.text(sheet.fitted("step " + std::to_string(step + 1), kNote,
                                tree.across - kBetweenSteps - 4),
                   {x, top + kAxis - 9}, kNote, here ? theme.accent : theme.muted);
        if (!here) continue;
        sheet.fill({x - 6, tree.top - 4, tree.across - kBetweenSteps + 12,
                    static_cast<float>(most) * tree.down + 4},
                   faded(theme.accent, 0.07f), 6);
    }
    draw_branches(sheet, tree);
    for (std::size_t i = 0; i < data.beam->nodes.size(); ++i) {
        if (tree.shows(static_cast<int>(i))) draw_node(sheet, tree, static_cast<int>(i));
    }
    std::string note = "Numbers: log-probability so far. Bold: best hypothesis";
    if (data.beam->followed != 0) note += ". In colour: the hypothesis shown";
    if (fit < n) {
        note = "Steps " + std::to_string(tree.first + 1) + " to " + std::to_string(tree.last) +
               " of " + std::to_string(n) + ". " + note;
    }
    if (!tree.all_rows) note = "The best of each step. " + note;
    const float foot = tree.top + static_cast<float>(most) * tree.down + 15;
    sheet.text(sheet.fitted(note, kNote, room), {left, foot}, kNote, theme.muted);
    draw_hypotheses(sheet, *data.beam, foot + 8, bottom);
    return std::move(sheet.figure);
}

} // namespace heed::figure
