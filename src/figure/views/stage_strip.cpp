#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/stage_names.hpp"
#include "figure/parts/stripe.hpp"
#include "figure/views/plots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heed::figure {

namespace {

constexpr float kCardWidth = 100, kCardHeight = 104, kStripMargin = 14;
constexpr float kHighestByWidth = 2.6f; // a picture whose height is free
constexpr float kEasyOnPage = 9.5f;     // type of a name that is read with ease in print

/// The value at which the palette ends.
float end_of(const StageThumbnail& stage) {
    return !stage.signed_values && stage.full > 0 ? stage.full : largest_size(*stage.values);
}

void draw_thumbnail(Sheet& sheet, const Box& box, const StageThumbnail& stage) {
    const Theme& theme = sheet.theme();
    if (!stage.values || stage.values->size() == 0) {
        sheet.fill(box, theme.panel);
        return;
    }
    const float high = stage.signed_values ? 0 : end_of(stage);
    const ValueRange range =
        thumbnail_range(stage.values, stage.signed_values, high, stage.colours, theme);
    sheet.heat(box, range.values, range.palette, range.low, range.high);
}

/// "±3.10", "0–1": the ends of the palette.
std::string range_words(const StageThumbnail& stage) {
    if (!stage.values || stage.values->size() == 0) return {};
    const float end = end_of(stage);
    const bool usual = stage.signed_values && end >= 0.1f && end < 1e6f;
    if (!usual) return (stage.signed_values ? "±" : "0–") + scale_text(end);
    return "±" + number_text(end, std::max(decimals_for(end), end < 100 ? 2 : 0)); // as the panel
}

bool is_finite(const StageThumbnail& stage) { return !stage.values || stage.values->allFinite(); }

/// "masked", "not a number": what values are that have no colour of a palette.
std::string words_for_not_finite(const std::vector<StageThumbnail>& stages) {
    bool masked = false, faulty = false;
    for (const StageThumbnail& stage : stages) {
        if (is_finite(stage)) continue;
        for (const float value : stage.values->reshaped()) {
            if (std::isfinite(value)) continue;
            (value < 0 ? masked : faulty) = true; // −∞ is added to a score
        }
    }
    if (!faulty) return masked ? "masked" : "";
    return masked ? "masked, or not a number" : "not a number";
}

/// What the colours of tiles are: each of signed numbers has a range of its own.
std::vector<ColourKey> keys_of(const std::vector<StageThumbnail>& stages, const Theme& theme) {
    std::vector<ColourKey> keys;
    for (const bool is_signed : {true, false}) {
        const auto one = std::ranges::find_if(stages, [&](const StageThumbnail& stage) {
            return stage.values && stage.values->size() > 0 && stage.signed_values == is_signed;
        });
        if (one == stages.end()) continue;
        const PaletteId palette =
            thumbnail_range(one->values, is_signed, 1, one->colours, theme).palette;
        keys.push_back(is_signed
                           ? ColourKey{"−a", "a", palette, ": the number after ± in each card"}
                           : ColourKey{"0", scale_text(end_of(*one)), palette, ": weights"});
    }
    if (const auto one = std::ranges::find_if_not(stages, is_finite); one != stages.end()) {
        const PaletteId palette =
            thumbnail_range(one->values, one->signed_values, 1, one->colours, theme).palette;
        keys.push_back({{}, {}, {}, words_for_not_finite(stages), not_finite(palette)});
    }
    return keys;
}

/// "10 × 64": the matrix.
std::string size_words(const StageThumbnail& stage) {
    if (!stage.values || stage.values->size() == 0) return {};
    const Index rows = stage.rows > 0 ? stage.rows : stage.values->rows();
    const Index cols = stage.cols > 0 ? stage.cols : stage.values->cols();
    return std::to_string(rows) + " × " + std::to_string(cols);
}

/// "10 × 64 · ±3.1": the matrix, and the ends of the palette.
std::string facts(const StageThumbnail& stage) {
    const std::string size = size_words(stage);
    return size.empty() ? size : size + " · " + range_words(stage);
}

float inset_of(float card) { return card >= 80 ? 9.f : 6.f; }
TextStyle style_of_card(float card) { return {card >= 80 ? 11.5f : 10.f}; }
constexpr float kCardLine = 1.35f; // in sizes of its letters

TextStyle beside_style(const TextStyle& label) { return {label.size - 1.5f}; }

/// True where words have room at the right of the label.
bool has_room_beside(const Sheet& sheet, const StageThumbnail& stage, const std::string& words,
                     float card) {
    const TextStyle style = style_of_card(card);
    return sheet.width_of(stage.label, style) + 6 + sheet.width_of(words, beside_style(style)) <=
           card - 2 * inset_of(card);
}

/// True where the matrix has a name for each of its rows.
bool has_names(const StageThumbnail& stage) {
    return stage.values && !stage.row_names.empty() &&
           stage.values->rows() == std::ssize(stage.row_names);
}

/// The names of the columns, where each has one.
std::vector<std::string> columns_of(const StageThumbnail& stage) {
    const bool each = stage.values && stage.values->cols() == std::ssize(stage.col_names);
    return each ? stage.col_names : std::vector<std::string>{};
}

/// Nothing where not every row's can be read. Requires has_names().
std::optional<StageNames> plan_names(const Sheet& sheet, const StageThumbnail& stage,
                                     const Box& room, float easy) {
    return plan_stage_names(sheet, stage.row_names, columns_of(stage), room,
                            {stage.row, stage.col, easy});
}

/// Type of all names of rows, and that from which on names are read with ease.
struct NameSizes {
    std::optional<float> rows{};
    float easy = StageChoice{}.easy;
};

/// Words of a card beside its label, in one line with it but for the last two; stacked: facts on
/// two lines.
enum class CardWords { label, range, beside, facts, stacked };

/// The place of a card's matrix, below its words.
Box picture_in(const Box& card, CardWords words) {
    const float inset = inset_of(card.w), size = style_of_card(card.w).size;
    const float lines = words == CardWords::stacked ? 2 : words == CardWords::facts ? 1 : 0;
    const float under = 5 + size * (1.75f + lines * kCardLine);
    return {card.x + inset, std::round(card.y + under), card.w - 2 * inset,
            std::floor(card.h - under - inset + 1)};
}

/// `sizes`: of rows unset where there are no names.
void draw_card(Sheet& sheet, const Box& card, const StageThumbnail& stage, bool selected,
               CardWords words, const NameSizes& sizes = {}) {
    const Theme& theme = sheet.theme();
    constexpr float kRadius = 6;
    sheet.fill(card, selected ? theme.panel : theme.raised, kRadius);
    sheet.stroke(card, selected ? theme.accent : theme.border, selected ? 1.5f : 1.f, kRadius);
    const float inset = inset_of(card.w);
    const TextStyle style = style_of_card(card.w);
    sheet.text(stage_label(sheet, stage.label, style, card.w - 2 * inset),
               {card.x + inset, card.y + 5 + style.size}, style,
               selected ? theme.text : theme.muted);
    if (words == CardWords::range || words == CardWords::beside) {
        const bool all = words == CardWords::beside;
        sheet.text(all ? facts(stage) : range_words(stage),
                   {card.x + card.w - inset, card.y + 5 + style.size}, beside_style(style),
                   theme.muted, AlignX::right);
    } else if (words != CardWords::label) {
        const bool stacked = words == CardWords::stacked;
        float baseline = card.y + 5 + style.size;
        for (const std::string& line : stacked ? std::vector{size_words(stage), range_words(stage)}
                                               : std::vector{facts(stage)}) {
            baseline += style.size * kCardLine;
            sheet.text(sheet.fitted(line, style, card.w - 2 * inset), {card.x + inset, baseline},
                       style, theme.muted);
        }
    }
    Box picture = picture_in(card, words);
    auto names = sizes.rows && has_names(stage) ? plan_names(sheet, stage, picture, sizes.easy)
                                                : std::nullopt;
    if (names) {
        names->before.style.size = *sizes.rows;
        draw_stage_names(
            sheet, *names, stage.row_names, columns_of(stage),
            {stage.row, stage.col, sizes.easy, stage.unknown_rows, stage.unknown_cols});
        picture = names->cells;
    }
    if (picture.w > 2 && picture.h > 2) draw_thumbnail(sheet, picture, stage);
    if (names && !columns_of(stage).empty()) { // of fewer columns than tokens each is of some
        outline_choice(sheet, picture, stage.values->rows(), stage.values->cols(),
                       {stage.row, stage.col});
    }
    sheet.target(card, tag::Stage{stage.id});
}

constexpr float kLowestLink = 8;

/// What lies between two stages and is not shown; empty: nothing.
std::string between(StageLink link) {
    if (link == StageLink::layers) return "layers between";
    return link == StageLink::heads ? "heads joined" : "";
}

/// `gap`: the place between two cards.
void draw_link(Sheet& sheet, StageLink link, const Box& gap) {
    if (link == StageLink::makes) return draw_chevron(sheet, gap);
    if (link != StageLink::beside) draw_between(sheet, between(link), gap);
}

/// Rows of cards, whole points wide and high, and the words in them.
struct StripPlan {
    Rows rows;
    CardWords words = CardWords::label;
    float high = 0;
    float seen = 0;        // names, those that are hard to read not whole
    float all = 0;         // names that there are
    float cell = 0;        // the lowest row of a matrix
    bool lacks = false;    // the names of all rows, or of all but one column, of a matrix
    NameSizes names{};     // alike on all cards; of rows none where one has no names
    std::set<int> steps{}; // from one name that is drawn to the next, where some are not

    bool names_all() const { return seen >= all; }
    float card() const { return std::floor(rows.card); }
    float used() const { return rows.count * high + (rows.count - 1) * rows.gap; }
};

/// What dots stand for, where there are any.
std::string dots_told(const Sheet& sheet, const std::vector<StageThumbnail>& stages,
                      const StripPlan& plan) {
    std::string told;
    for (std::size_t i = 0; plan.rows.gap >= kLowestLink && i + 1 < stages.size(); ++i) {
        const std::string words = between(stages[i].to_next);
        if (words.empty() || stands_between(sheet, words, plan.rows.gap, plan.high)) continue;
        told += (told.empty() ? "…: " : ", ") + words;
    }
    return told;
}

CardWords words_in(const Sheet& sheet, const std::vector<StageThumbnail>& stages, float card,
                   bool titled, bool tight) {
    const auto all_beside = [&](auto words_of) {
        return std::ranges::all_of(stages, [&](const StageThumbnail& stage) {
            return has_room_beside(sheet, stage, words_of(stage), card);
        });
    };
    if (!titled) return all_beside(range_words) ? CardWords::range : CardWords::label;
    if (tight && all_beside(facts)) return CardWords::beside;
    const float room = card - 2 * inset_of(card);
    const bool stacked = std::ranges::any_of(stages, [&](const StageThumbnail& stage) {
        return sheet.width_of(facts(stage), style_of_card(card)) > room;
    });
    return stacked ? CardWords::stacked : CardWords::facts;
}

bool are_named_alike(const StageThumbnail& a, const StageThumbnail& b) {
    return a.row_names == b.row_names && columns_of(a) == columns_of(b) && a.row == b.row &&
           a.col == b.col;
}

/// Notes which names the cards have room for: all cards, or none.
void note_names(const Sheet& sheet, const std::vector<StageThumbnail>& stages, StripPlan& plan) {
    const Box picture = picture_in({0, 0, plan.card(), std::floor(plan.high)}, plan.words);
    plan.cell = picture.h;
    std::vector<std::pair<const StageThumbnail*, StageNames>> named;
    for (const StageThumbnail& stage : stages) {
        if (!has_names(stage)) continue;
        plan.all += static_cast<float>(stage.row_names.size() + columns_of(stage).size());
        const auto like = std::ranges::find_if(
            named, [&](const auto& known) { return are_named_alike(*known.first, stage); });
        const auto names = like != named.end() ? std::optional(like->second)
                                               : plan_names(sheet, stage, picture, plan.names.easy);
        const auto columns = std::ssize(columns_of(stage));
        const bool alone = columns > 2 && names && names->above && names->above->step >= columns;
        plan.lacks = !names || plan.lacks || (columns > 0 && !names->above) || alone;
        if (!names) return plan.names.rows.reset();
        const float size = names->before.style.size;
        plan.names.rows = std::min(plan.names.rows.value_or(size), size);
        plan.cell =
            std::min(plan.cell, names->cells.h / static_cast<float>(std::ssize(stage.row_names)));
        plan.steps.insert({names->before.step, names->above ? names->above->step : 1});
        named.emplace_back(&stage, *names);
    }
    for (auto& [stage, names] : named) {
        names.before.style.size = *plan.names.rows;
        plan.seen += names_seen(names, stage->row_names, columns_of(*stage),
                                {stage->row, stage->col, plan.names.easy});
    }
}

/// The usual cards of a place.
StripPlan usual_plan(const Sheet& sheet, const std::vector<StageThumbnail>& stages, bool titled,
                     bool open, float width, float height) {
    const auto n = static_cast<float>(stages.size());
    StripPlan plan;
    if (open) plan.names.easy = kEasyOnPage;
    plan.rows = open ? roomy_cards(n, width) : largest_cards(n, width, height);
    plan.words = words_in(sheet, stages, plan.card(), titled, false);
    const float more =
        plan.words == CardWords::stacked ? style_of_card(plan.rows.card).size * kCardLine : 0;
    const float high = plan.rows.high > 0 ? plan.rows.high : 1.25f * plan.rows.card + 10;
    plan.high =
        std::min(high + more, (height - (plan.rows.count - 1) * plan.rows.gap) / plan.rows.count);
    if (titled) note_names(sheet, stages, plan);
    return plan;
}

/// Cards in so many rows that leave as much as can be to the matrices and their names. `row`: the
/// height of a matrix' row, where height is free.
StripPlan tight_plan(const Sheet& sheet, const std::vector<StageThumbnail>& stages, float count,
                     std::optional<float> row, float width, float height) {
    constexpr float kGap = 10, kMostWide = 260, kWideForHigh = 1.6f;
    const auto n = static_cast<float>(stages.size());
    StripPlan plan;
    if (row) plan.names.easy = kEasyOnPage;
    plan.rows = rows_across(n, count, width);
    plan.rows.card = (width - plan.rows.columns * kGap) / plan.rows.columns;
    plan.rows.gap = kGap;
    plan.rows.card = std::clamp(plan.rows.card, 1.f, kMostWide);
    plan.high = (height - (count - 1) * kGap) / count;
    if (!row) plan.rows.card = std::min(plan.rows.card, std::max(kWideForHigh * plan.high, 1.f));
    plan.words = words_in(sheet, stages, plan.card(), true, true);
    if (row) {
        const Box around = picture_in({0, 0, plan.card(), 1000}, plan.words);
        float needed = 0.6f * around.w;
        std::vector<const StageThumbnail*> asked;
        for (const StageThumbnail& stage : stages) {
            const auto is_like = [&](const auto* other) { return are_named_alike(*other, stage); };
            if (!has_names(stage) || std::ranges::any_of(asked, is_like)) continue;
            needed = std::max(needed, stage_height(sheet, stage.row_names, columns_of(stage),
                                                   around.w, *row, plan.names.easy));
            asked.push_back(&stage);
        }
        plan.high = std::ceil(1000 - around.h + needed);
    }
    note_names(sheet, stages, plan);
    return plan;
}

/// The usual cards or, where they have no room for all names, those that have.
StripPlan plan_strip(const Sheet& sheet, const std::vector<StageThumbnail>& stages, bool titled,
                     bool open, float width, float height) {
    constexpr float kRows[] = {11.5f, 10.3f, 9.5f, 8}; // that are read with ease, and less
    StripPlan best = usual_plan(sheet, stages, titled, open, width, height);
    if (!titled || best.names_all()) return best;
    const auto consider = [&](float count, std::optional<float> row) {
        const StripPlan plan = tight_plan(sheet, stages, count, row, width, height);
        if (plan.card() < kNarrowStage || (open && plan.used() > kHighestByWidth * sheet.width()))
            return;
        const bool as_good = !open && plan.seen > 0 && plan.seen == best.seen;
        if (plan.seen > best.seen || (as_good && plan.cell > best.cell)) best = plan;
    };
    for (const float row : kRows) {
        if (best.names_all()) break;
        for (float count = 1; count <= static_cast<float>(stages.size()); ++count)
            consider(count, open ? std::optional(row) : std::nullopt);
        if (!open) break;
    }
    return best;
}

} // namespace

Figure gallery(const std::vector<StageThumbnail>& cards, int selected, int columns,
               const Frame& frame) {
    constexpr float kBetween = 10, kTitle = 20, kFlat = 0.78f; // of a picture: height by width
    const int rows = (static_cast<int>(cards.size()) + columns - 1) / columns;
    const auto across = static_cast<float>(columns), down = static_cast<float>(rows);
    const float width = std::floor((frame.width - (across - 1) * kBetween) / across);
    const float height = std::round(width * kFlat + kTitle);
    Sheet sheet(frame, frame.width, down * height + (down - 1) * kBetween);
    sheet.figure.background = sheet.theme().panel;
    sheet.figure.title = std::to_string(cards.size()) + " maps to choose from";
    float full = 0;
    for (const StageThumbnail& card : cards)
        if (card.values && !card.signed_values) full = std::max(full, end_of(card));
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const float x = static_cast<float>(static_cast<int>(i) % columns) * (width + kBetween);
        const float y = static_cast<float>(static_cast<int>(i) / columns) * (height + kBetween);
        StageThumbnail card = cards[i];
        card.full = full;
        draw_card(sheet, {x, y, width, height}, card, card.id == selected, CardWords::label);
    }
    return std::move(sheet.figure);
}

Figure stage_strip(const std::vector<StageThumbnail>& stages, int selected, const Frame& frame,
                   const std::string& title, const std::string& subtitle) {
    const auto n = static_cast<float>(stages.size());
    const bool titled = frame.titled && !title.empty();
    const float natural_width =
        2 * kStripMargin + n * kCardWidth + std::max(n - 1, 0.f) * kCardGapInRow;
    Sheet sheet(frame, natural_width, kCardHeight + 2 * kStripMargin + (titled ? 40.f : 0.f));
    if (!titled) sheet.figure.background = sheet.theme().panel;
    sheet.figure.title = std::to_string(stages.size()) + " stages of one attention layer" +
                         (titled ? ": " + title : "");
    const float margin = titled ? sheet.margin() : kStripMargin;
    float from =
        titled ? sheet.header(title, subtitle) : std::min(kStripMargin, sheet.height() * 0.12f);
    const bool open = titled && sheet.height_is_open() && !stages.empty();
    const float to = open     ? 1e9f
                     : titled ? std::min(sheet.content_bottom(), sheet.height() - kStripMargin)
                              : sheet.height() - from;
    const float keys_top = from;
    const std::vector<ColourKey> keys = keys_of(stages, sheet.theme());
    if (titled) from = below_keys(sheet, keys, from);
    if (stages.empty()) return std::move(sheet.figure);
    const float room = sheet.width() - 2 * margin;
    StripPlan plan = plan_strip(sheet, stages, titled, open, room, to - from);
    if (frame.grows && titled && !open && plan.lacks) {
        const auto grown = [&](float by) {
            return plan_strip(sheet, stages, titled, open, room, by * (to - from));
        };
        float low = 1, high = 1.6f; // of the height: about the least that brings names
        StripPlan best = grown(high);
        while (!best.lacks && high - low > 0.2f) {
            const float middle = (low + high) / 2;
            StripPlan next = grown(middle);
            (next.lacks ? low : high) = middle;
            if (!next.lacks) best = std::move(next);
        }
        if (!best.lacks) {
            sheet.figure.height += std::max(best.used() - (to - from), 0.f);
            plan = std::move(best);
        }
    }
    const Rows& rows = plan.rows;
    if (from > keys_top) {
        const std::string left_out = plan.names.rows ? names_left_out(plan.steps) : "";
        from = draw_keys_below_title(
            sheet, with_words(sheet, keys, {dots_told(sheet, stages, plan), left_out}), keys_top);
    }
    const float top = titled ? from : from + std::max((to - from - plan.used()) / 2, 0.f);
    const auto columns = static_cast<std::size_t>(rows.columns);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::size_t row = i / columns, column = i % columns;
        const float x = std::round(margin + static_cast<float>(column) * (rows.card + rows.gap));
        const float y = std::round(top + static_cast<float>(row) * (plan.high + rows.gap));
        draw_card(sheet, {x, y, plan.card(), std::floor(plan.high)}, stages[i],
                  stages[i].id == selected, plan.words, plan.names);
        if (i + 1 < stages.size() && rows.gap >= kLowestLink) {
            // At the end of a row the chevron points on to the next.
            draw_link(sheet, stages[i].to_next, {x + rows.card, y, rows.gap, plan.high});
        }
    }
    if (open) sheet.close_at(top + plan.used());
    return std::move(sheet.figure);
}

} // namespace heed::figure
