#include "figure/views/beam_tree.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/beam_layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::figure {

namespace {

constexpr int kMostOwnRows = 24; // of a picture of its own height
constexpr int kMostRowsOfBand = 8; // of a picture whose steps stand in bands below each other
constexpr float kBetweenBands = 8;
constexpr float kHighSentence = 24; // of the list below a tree, where it has room
constexpr float kAxis = 22, kTreeFoot = 22, kTreeNote = 15, kNotesToList = 8;
constexpr float kLowWordInset = 10, kWordToScore = 6; // in a node of one line

/// `in_bands`: what leads to other steps goes on in the band above or below.
void draw_branches(Sheet& sheet, const BeamLayout& tree, bool in_bands) {
    const Theme& theme = sheet.theme();
    const auto is_far = [&](int node) { // in another band
        const int step = tree.beam.nodes[static_cast<std::size_t>(node)].step;
        return step < tree.first || step >= tree.last;
    };
    const auto stub = [&](int node, int to, bool behind, Color color, float width) {
        if (!in_bands || !tree.shows(node) || !is_far(to)) return;
        const Box box = tree.box(node);
        const float y = box.y + box.h / 2;
        if (behind) {
            const float x = box.x + box.w;
            sheet.line({{x, y}, {x + BeamLayout::kStub, y}}, color, width);
        } else { // from the row that it stands in above
            const auto rows = static_cast<float>(tree.row[static_cast<std::size_t>(to)] -
                                                 tree.row[static_cast<std::size_t>(node)]);
            sheet.line({{box.x - BeamLayout::kStub, y + rows * tree.down}, {box.x, y}}, color,
                       width);
        }
    };
    const auto draw = [&](auto wanted, Color color, float width) {
        for (std::size_t i = 0; i < tree.beam.nodes.size(); ++i) {
            const int parent = tree.beam.nodes[i].parent, node = static_cast<int>(i);
            if (parent < 0 || tree.row[i] < 0 || !wanted(i)) continue;
            if (!tree.shows(node) || !tree.shows(parent)) {
                stub(node, parent, false, color, width);
                stub(parent, node, true, color, width);
                continue;
            }
            const Box from = tree.box(parent), to = tree.box(node);
            draw_branch(sheet, {from.x + from.w, from.y + from.h / 2}, {to.x, to.y + to.h / 2},
                        color, width);
        }
    };
    draw([&](std::size_t i) { return !tree.lives[i]; }, faded(theme.muted, 0.5f), 1);
    draw([&](std::size_t i) { return tree.lives[i]; }, theme.link, 1.4f);
    draw([&](std::size_t i) { return tree.best[i]; }, theme.text, 3);
    draw([&](std::size_t i) { return tree.followed[i]; }, theme.accent, 3);
}

/// The way to steps out of sight, beside those in sight: how many, and in which direction.
void draw_more(Sheet& sheet, const BeamLayout& tree, float bottom) {
    const Theme& theme = sheet.theme();
    const int n = static_cast<int>(tree.steps.size());
    const auto draw = [&](int count, int step, float x, float way) {
        if (count == 0) return;
        const Box box{x, tree.top, BeamLayout::kMore - 4, bottom - tree.top - 4};
        const float across = x + box.w / 2, y = box.y + box.h / 2, tip = 3 * way;
        sheet.text("+" + std::to_string(count), {across, tree.top - 9}, kNote, theme.muted,
                   AlignX::centre);
        sheet.fill(box, theme.raised, 5);
        sheet.line({{across - tip, y - 6}, {across + tip, y}, {across - tip, y + 6}}, theme.muted,
                   1.6f);
        sheet.target(box, tag::RowLabel{step});
    };
    draw(tree.first, tree.first - 1, sheet.margin(), -1);
    draw(n - tree.last, tree.last, sheet.width() - sheet.margin() - BeamLayout::kMore + 4, 1);
}

void draw_node(Sheet& sheet, const BeamLayout& tree, int index) {
    const Theme& theme = sheet.theme();
    const auto at = static_cast<std::size_t>(index);
    const trace::BeamNode& node = tree.beam.nodes[at];
    const Box box = tree.box(index);
    const bool loud = tree.followed[at], lives = tree.lives[at];
    sheet.fill(box, !lives ? theme.ground : theme.dark ? theme.raised : theme.panel, 5);
    const Color edge = loud ? theme.accent : tree.best[at] ? theme.text : theme.border;
    sheet.stroke(box, edge, loud || tree.best[at] ? 1.8f : 1, 5);
    TextStyle word{tree.word}, small{beam_score_size(tree.word), Font::mono};
    word.weight = loud || tree.best[at] ? Weight::bold : Weight::regular;
    const Color ink = loud ? theme.accent : lives ? theme.text : theme.muted;
    const std::string score = log_probability_text(node.total);
    if (tree.has_two_lines()) { // of which neither reaches the other
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

InSight in_sight(const BeamLayout& tree) {
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
std::vector<std::string> notes_of(const BeamLayout& tree, const InSight& in, bool lists) {
    const int n = static_cast<int>(tree.steps.size());
    const auto found = tree.beam.hypotheses.size();
    std::vector<std::string> notes;
    if (!tree.all_rows) notes.push_back("The best of each step");
    if (tree.last - tree.first < n) {
        notes.push_back("Steps " + std::to_string(tree.first + 1) + " to " +
                        std::to_string(tree.last) + " of " + std::to_string(n));
    }
    notes.push_back("Numbers: log-probability so far");
    if (in.best) notes.push_back("Bold: best hypothesis");
    if (in.followed) notes.push_back("Bold amber: the one shown");
    if (in.others) notes.push_back("Blue lines: other hypotheses");
    if (in.dropped) notes.push_back("Grey: dropped");
    const auto wider = [&](const auto& step) { return std::ssize(step) > tree.beam.width; };
    if (std::any_of(tree.steps.begin(), tree.steps.end(), wider)) {
        notes.push_back("Each step: up to " + std::to_string(tree.beam.width) +
                        " that go on, beside those that end");
    }
    if (!lists && found > 1) notes.push_back(std::to_string(found) + " hypotheses in all");
    return notes;
}

/// Sentences one behind the other, in as many lines as they take.
std::vector<std::string> lines_of(const Sheet& sheet, const std::vector<std::string>& notes) {
    const float room = sheet.width() - 2 * sheet.margin();
    std::vector<std::string> lines;
    for (const std::string& note : notes) {
        const std::string longer = lines.empty() ? "" : lines.back() + ". " + note;
        if (!lines.empty() && sheet.width_of(longer + ".", kNote) <= room) {
            lines.back() = longer;
        } else {
            if (!lines.empty()) lines.back() += '.';
            lines.push_back(note);
        }
    }
    for (std::string& line : lines) line = sheet.fitted(line, kNote, room);
    return lines;
}

/// The lines below the tree, whichever steps are in sight and whichever hypothesis is followed, so
/// that nothing below moves.
int most_note_lines(const Sheet& sheet, const BeamLayout& tree) {
    const bool many = tree.beam.hypotheses.size() > 1;
    const bool dropped = std::ranges::find(tree.lives, false) != tree.lives.end();
    return static_cast<int>(
        lines_of(sheet,
                 notes_of(tree, {many || !tree.beam.hypotheses.empty(), many, many, dropped}, true))
            .size());
}

/// Draws them below the tree, of which the bands are parts.
void draw_notes(Sheet& sheet, const std::vector<BeamLayout>& bands, float baseline, bool lists) {
    InSight in;
    for (const BeamLayout& band : bands) {
        const InSight of = in_sight(band);
        in = {in.best || of.best, in.followed || of.followed, in.others || of.others,
              in.dropped || of.dropped};
    }
    BeamLayout tree = bands.front();
    tree.last = bands.back().last;
    for (const std::string& line : lines_of(sheet, notes_of(tree, in, lists))) {
        sheet.text(line, {sheet.margin(), baseline}, kNote, sheet.theme().muted);
        baseline += kTreeNote;
    }
}

void draw_steps(Sheet& sheet, const BeamLayout& tree, std::optional<int> chosen) {
    const Theme& theme = sheet.theme();
    for (int step = tree.first; step < tree.last; ++step) {
        const float x = tree.lefts[tree.column(step)], wide = tree.wide[tree.column(step)];
        const bool here = chosen == step;
        sheet.text(sheet.fitted("step " + std::to_string(step + 1), kNote, wide), {x, tree.top - 9},
                   kNote, here ? theme.accent : theme.muted);
        if (!here) continue;
        const float around = std::min(tree.between / 4, sheet.margin() / 2);
        const float high = static_cast<float>(tree.rows_of(step)) * tree.down;
        sheet.fill({x - around, tree.top - 4, wide + 2 * around, high + 4},
                   faded(theme.accent, 0.07f), 6);
    }
}

/// Draws the steps in sight of a placed tree. `in_bands`: the others are in bands of their own.
void draw_tree(Sheet& sheet, const BeamLayout& tree, std::optional<int> chosen, bool in_bands) {
    draw_steps(sheet, tree, chosen);
    draw_branches(sheet, tree, in_bands);
    if (!in_bands) {
        const float under = tree.top + static_cast<float>(tree.rows_shown()) * tree.down;
        draw_more(sheet, tree, under);
    }
    for (std::size_t i = 0; i < tree.beam.nodes.size(); ++i) {
        if (tree.shows(static_cast<int>(i))) draw_node(sheet, tree, static_cast<int>(i));
    }
}

/// The places of at most so many hypotheses: the best, and the followed one.
std::vector<std::size_t> shown_hypotheses(const trace::Beam& beam, std::size_t most) {
    std::vector<std::size_t> shown;
    for (std::size_t h = 0; h < std::min(most, beam.hypotheses.size()); ++h) shown.push_back(h);
    const auto followed = static_cast<std::size_t>(std::max(beam.followed, 0));
    if (!shown.empty() && followed < beam.hypotheses.size()) {
        shown.back() = std::max(shown.back(), followed);
    }
    return shown;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// The sentence, or as many words of both its ends as fit.
std::string fitted_words(const Sheet& sheet, const std::vector<std::string>& words,
                         const TextStyle& style, float room) {
    std::string text;
    for (std::size_t kept = words.size(); kept > 0; --kept) {
        const std::size_t front = (kept + 1) / 2, behind = words.size() - kept / 2;
        text.clear();
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i >= front && i < behind) continue;
            text += (i > 0 ? " " : "") + words[i];
            if (i + 1 == front && front < behind) text += " …";
        }
        if (sheet.width_of(text, style) <= room) return text;
    }
    return sheet.fitted(text, style, room);
}

/// Draws the sentences that were found with rank and ln p, whole or their first and last words: as
/// many as have room, the followed one among them, and how many have none. Returns the y at which
/// they end. Targets: nodes, of their ends.
/// In a picture of its own height no sentence is cut: it goes on in the next line.
float draw_hypotheses(Sheet& sheet, const trace::Beam& beam, float top, float bottom) {
    constexpr float kRank = 26, kTotal = 64, kMoreGap = 12;
    const float high = bottom - top - BeamSentences::kAbove;
    if (high < BeamSentences::kLine || beam.hypotheses.empty()) return top;
    const auto count = static_cast<float>(beam.hypotheses.size());
    const float line = std::clamp(std::floor(high / count), BeamSentences::kLine, kHighSentence);
    const auto most = static_cast<std::size_t>(std::min(high / line, count));
    const Theme& theme = sheet.theme();
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    float y = top + BeamSentences::kAbove - line / 2;
    const auto shown = shown_hypotheses(beam, most);
    // What has no room is counted, at the end of the last line.
    const std::string more =
        shown.size() < beam.hypotheses.size()
            ? "+" + std::to_string(beam.hypotheses.size() - shown.size()) + " more"
            : "";
    for (const std::size_t h : shown) {
        const std::vector<int> path = beam.path(static_cast<int>(h));
        if (path.empty()) continue;
        const bool followed = static_cast<int>(h) == beam.followed;
        y += line;
        std::vector<std::string> words;
        for (const int node : path) {
            words.push_back(beam.nodes[static_cast<std::size_t>(node)].word);
        }
        const trace::BeamNode& end = beam.nodes[static_cast<std::size_t>(path.back())];
        TextStyle style = kWord;
        style.weight = followed || h == 0 ? Weight::bold : Weight::regular;
        const Color ink = followed ? theme.accent : theme.text;
        sheet.text(std::to_string(h + 1), {left + kRank - 10, y}, kMonoNote, theme.muted,
                   AlignX::right, AlignY::middle);
        sheet.text(log_probability_text(end.total), {left + kRank + kTotal - 12, y}, kMonoNote,
                   theme.muted, AlignX::right, AlignY::middle);
        const bool last = !more.empty() && h == shown.back();
        const float kept = last ? sheet.width_of(more, kNote) + kMoreGap : 0;
        const float first = y, wide = room - kRank - kTotal - kept;
        const auto lines = sheet.height_is_open()
                               ? sheet.wrapped(joined(words), style, wide, words.size())
                               : std::vector{fitted_words(sheet, words, style, wide)};
        for (const std::string& text : lines) {
            y += &text == &lines.front() ? 0 : line;
            sheet.text(text, {left + kRank + kTotal, y}, style, ink, AlignX::left, AlignY::middle);
        }
        if (last) {
            sheet.text(more, {left + room, y}, kNote, theme.muted, AlignX::right, AlignY::middle);
        }
        sheet.target({left, first - line / 2, room, y - first + line},
                     tag::Node{end.step, path.back()});
    }
    return y + line / 2;
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
    if (!data.beam || data.beam->nodes.empty()) {
        return sentence_instead(data.title, "No beam search yet.", frame);
    }
    BeamLayout tree(*data.beam);
    const int n = static_cast<int>(tree.steps.size()), widest = tree.widest();
    Sheet sheet(frame, std::clamp(110 * static_cast<float>(n) + 60, 480.f, 1400.f), 0);
    const bool page = sheet.height_is_open();
    sheet.figure.title =
        "Hypotheses of a beam search" + (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.footer(), room = sheet.width() - 2 * sheet.margin();
    tree.top = std::round(top + kAxis);
    tree.all_rows = false; // as far as it is known how many notes there may be
    const auto more_lines = static_cast<float>(most_note_lines(sheet, tree) - 1);
    tree.all_rows = true;
    const float high = bottom - tree.top - kTreeFoot - more_lines * kTreeNote;
    if (room < BeamLayout::kNarrowest || high < BeamLayout::kLowest) {
        const TextStyle style{type_size::kSubtitle};
        sheet.text(sheet.fitted("This picture needs more room", style, room),
                   {sheet.margin(), top + 20}, style, sheet.theme().muted);
        return std::move(sheet.figure);
    }
    const BeamRows rows =
        page ? BeamRows{std::min(widest, kMostOwnRows)} : beam_rows(tree, high, widest);
    const int middle = std::clamp(options.sight.value_or(options.step.value_or(0)), 0, n - 1);
    for (std::size_t i = 0; i < tree.followed.size() && !options.sight; ++i) {
        if (tree.followed[i])
            tree.end = std::max(tree.end, static_cast<int>(tree.beam.nodes[i].step) + 1);
    }
    place_beam(sheet, tree, rows, page ? 0 : high, middle);
    std::vector<BeamLayout> bands;
    if (page && tree.last - tree.first < n) {
        bands = beam_bands(sheet, tree, std::min(widest, kMostRowsOfBand));
    } else {
        bands.push_back(tree);
    }
    float under = top;
    for (BeamLayout& band : bands) {
        band.top = std::round(under + kAxis);
        under = band.top + static_cast<float>(band.rows_shown()) * band.down;
        draw_tree(sheet, band, options.step, bands.size() > 1);
        if (&band != &bands.back()) under += kBetweenBands;
    }
    draw_notes(sheet, bands, under + kTreeNote, rows.lists);
    const float foot = under + (1 + more_lines) * kTreeNote + kNotesToList;
    sheet.close_at(draw_hypotheses(sheet, *data.beam, foot, bottom));
    return std::move(sheet.figure);
}

} // namespace heed::figure
