#include "base/utf8.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"
#include "figure/views/gallery.hpp"
#include "figure/views/plots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heed::figure {

namespace {

constexpr float kCardWidth = 100, kCardHeight = 104, kStageGap = 21, kStripMargin = 14;
constexpr float kNarrow = 76, kWidestCard = 118, kLargestCard = 340; // in one row, in several

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
    if (!stage.signed_values || !(end >= 0.1f && end < 1e6f)) {
        return (stage.signed_values ? "±" : "0–") + scale_text(end);
    }
    return "±" + number_text(end, decimals_for(end)); // three digits on every card
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

/// The name of a stage or, where that has no room, its short one, rather than half of a name.
std::string label_that_fits(const Sheet& sheet, const std::string& label, const TextStyle& style,
                            float room) {
    constexpr std::pair<const char*, const char*> kShort[] = {{"embedding", "embed."},
                                                              {"+ positions", "+ pos."},
                                                              {"weights · V", "A · V"},
                                                              {"add & norm", "+ norm"},
                                                              {"h encoder", "h enc."},
                                                              {"s decoder", "s dec."},
                                                              {"attended", "attend."},
                                                              {"W s + U h", "Ws+Uh"},
                                                              {"W s + U k", "Ws+Uk"},
                                                              {"α softmax", "α"},
                                                              {"c context", "c"},
                                                              {"t readout", "t"},
                                                              {"+ position bias", "+ bias"},
                                                              {"+ bias + mask", "masked"},
                                                              {"concat MLP", "concat"},
                                                              {"scaled dot", "scaled"},
                                                              {"squared distance", "distance"}};
    if (sheet.width_of(label, style) > room && label.starts_with("e ")) return "e"; // of a score
    for (const auto& [whole, brief] : kShort) {
        if (label == whole && sheet.width_of(label, style) > room) {
            return sheet.fitted(brief, style, room);
        }
    }
    return sheet.fitted(label, style, room);
}

float inset_of(float card) { return card >= 80 ? 9.f : 6.f; }
TextStyle style_of_card(float card) { return {card >= 80 ? 11.5f : 10.f}; }
constexpr float kCardLine = 1.35f; // in sizes of its letters

TextStyle beside_style(const TextStyle& label) { return {label.size - 1.5f}; }

/// True where the range has room at the right of the label.
bool has_room_for_range(const Sheet& sheet, const StageThumbnail& stage, float card) {
    const TextStyle style = style_of_card(card);
    return sheet.width_of(stage.label, style) + 6 +
               sheet.width_of(range_words(stage), beside_style(style)) <=
           card - 2 * inset_of(card);
}

constexpr float kNameGap = 5;          // between names and cells
constexpr float kBetweenNames = 4;     // of columns
constexpr TextStyle kStageName{10.5f}; // at most

/// True of a name with Chinese characters, say, which are not read on their side.
bool has_wide(const std::string& name) {
    constexpr char32_t kFirstWide = 0x2E80;
    for (std::size_t at = 0; at < name.size();) {
        const base::Decoded decoded = base::decode_utf8(name, at);
        if (decoded.code_point >= kFirstWide) return true;
        at += decoded.length;
    }
    return false;
}

float widest_name(const Sheet& sheet, const std::vector<std::string>& names,
                  const TextStyle& style) {
    float widest = 0;
    for (const std::string& name : names) widest = std::max(widest, sheet.width_of(name, style));
    return widest;
}

/// Names above the columns of a card, level or upright; none where one of them would be cut.
std::optional<LabelPlan> names_above(const Sheet& sheet, const std::vector<std::string>& names,
                                     float pitch, float room) {
    const auto count = static_cast<int>(names.size());
    LabelPlan plan = plan_columns(sheet, names, count, pitch, room);
    stack_columns(sheet, plan, names, count, pitch, room);
    plan.style.size = std::min(plan.style.size, kStageName.size);
    const float widest = widest_name(sheet, names, plan.style);
    if (!plan.stacked &&
        (plan.slanted || widest + kBetweenNames > pitch)) { // aslant they would leave the card
        constexpr float kFromGrid = 6, kLine = 1.1f;
        if (std::ranges::any_of(names, has_wide)) return std::nullopt; // none lies on its side
        plan.slanted = plan.turned = true;
        plan.step = pitch >= kLine * plan.style.size ? 1 : 2;
        plan.longest = widest;
        plan.size = kFromGrid + widest;
    }
    return plan.step == 1 && plan.size <= room ? std::optional(plan) : std::nullopt;
}

/// Names beside a stage's matrix, and what they leave of its room.
struct StageNames {
    LabelPlan before;               // its rows
    std::optional<LabelPlan> above; // its columns, where each can be read
    Box cells;
    float pitch = 0; // of rows
};

bool has_names(const StageThumbnail& stage) {
    return stage.values && !stage.row_names.empty() &&
           stage.values->rows() == std::ssize(stage.row_names);
}

/// Nothing where not every row's can be read. Requires has_names().
std::optional<StageNames> plan_names(const Sheet& sheet, const StageThumbnail& stage,
                                     const Box& room) {
    constexpr float kLeastPitch = 10, kLeastWidth = 96, kMostOfWidth = 0.36f, kMostOfHeight = 0.25f;
    const auto rows = static_cast<int>(stage.row_names.size()),
               cols = static_cast<int>(stage.col_names.size());
    // Names of columns only where those of rows can be read below them, alike on all cards.
    const float whole = room.h / static_cast<float>(rows), low = (1 - kMostOfHeight) * whole;
    const bool may_stand = low >= kLeastPitch;
    LabelPlan before =
        plan_rows(sheet, stage.row_names, rows, may_stand ? low : whole, kMostOfWidth * room.w);
    if (before.step != 1 || room.w < kLeastWidth) return std::nullopt;
    before.style.size = std::min(before.style.size, kStageName.size); // alike on all cards
    before.size = widest_name(sheet, stage.row_names, before.style);
    if (before.size > kMostOfWidth * room.w) return std::nullopt;
    Box cells = room;
    cells.x = std::round(room.x + before.size + kNameGap);
    cells.w = room.x + room.w - cells.x;
    std::optional<LabelPlan> above;
    if (may_stand && cols > 0 && stage.values->cols() == cols) {
        above = names_above(sheet, stage.col_names, cells.w / static_cast<float>(cols),
                            kMostOfHeight * room.h);
    }
    if (above) {
        cells.y = std::round(room.y + above->size + kNameGap);
        cells.h = room.y + room.h - cells.y;
    }
    const float pitch = cells.h / static_cast<float>(rows);
    if (pitch < kLeastPitch) return std::nullopt;
    return StageNames{before, above, cells, pitch};
}

void draw_names(Sheet& sheet, const StageThumbnail& stage, const StageNames& names, float right) {
    const auto rows = static_cast<int>(stage.row_names.size()),
               cols = static_cast<int>(stage.col_names.size());
    const Box& cells = names.cells;
    const auto targets = static_cast<std::ptrdiff_t>(sheet.figure.targets.size());
    draw_rows(sheet, names.before, stage.row_names, rows, cells.y, names.pitch, cells.x - kNameGap,
              {});
    if (names.above) {
        draw_columns(sheet, *names.above, stage.col_names, cols, cells.x,
                     cells.w / static_cast<float>(cols), cells.y, Side::above, right, {},
                     LabelOf::bar);
    }
    // A card is picked as one.
    sheet.figure.targets.erase(sheet.figure.targets.begin() + targets, sheet.figure.targets.end());
}

/// Words of a card beside its label; stacked: facts on two lines.
enum class CardWords { label, range, facts, stacked };

/// The place of a card's matrix, below its words.
Box picture_in(const Box& card, CardWords words) {
    const float inset = inset_of(card.w), size = style_of_card(card.w).size;
    const float lines = words == CardWords::stacked ? 2 : words == CardWords::facts ? 1 : 0;
    const float under = 5 + size * (1.75f + lines * kCardLine);
    return {card.x + inset, std::round(card.y + under), card.w - 2 * inset,
            std::floor(card.h - under - inset + 1)};
}

void draw_card(Sheet& sheet, const Box& card, const StageThumbnail& stage, bool selected,
               CardWords words, bool named = false) {
    const Theme& theme = sheet.theme();
    constexpr float kRadius = 6;
    sheet.fill(card, selected ? theme.panel : theme.raised, kRadius);
    sheet.stroke(card, selected ? theme.accent : theme.border, selected ? 1.5f : 1.f, kRadius);
    const float inset = inset_of(card.w);
    const TextStyle style = style_of_card(card.w);
    sheet.text(label_that_fits(sheet, stage.label, style, card.w - 2 * inset),
               {card.x + inset, card.y + 5 + style.size}, style,
               selected ? theme.text : theme.muted);
    if (words == CardWords::range) {
        sheet.text(range_words(stage), {card.x + card.w - inset, card.y + 5 + style.size},
                   beside_style(style), theme.muted, AlignX::right);
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
    const auto names = named && has_names(stage) ? plan_names(sheet, stage, picture) : std::nullopt;
    if (names) {
        draw_names(sheet, stage, *names, picture.x + picture.w);
        picture = names->cells;
    }
    if (picture.w > 2 && picture.h > 2) draw_thumbnail(sheet, picture, stage);
    sheet.target(card, tag::Stage{stage.id});
}

/// `gap`: the place between two cards.
void draw_link(Sheet& sheet, StageLink link, const Box& gap) {
    constexpr float kReach = 3.5f, kDot = 1.6f;
    constexpr TextStyle kBetween{10};
    const Point centre{gap.x + gap.w / 2, gap.y + gap.h / 2};
    if (link == StageLink::beside) return;
    if (link == StageLink::others) {
        const std::string words = "layers between";
        if (gap.w >= 1.2f * kBetween.size && sheet.width_of(words, kBetween) <= gap.h) {
            sheet.text(words, centre, kBetween, sheet.theme().muted, AlignX::centre, AlignY::middle,
                       -90);
            return;
        }
        for (const float x : {-kReach, 0.f, kReach}) {
            sheet.fill({centre.x + x - kDot / 2, centre.y - kDot / 2, kDot, kDot},
                       sheet.theme().muted);
        }
        return;
    }
    sheet.line({{centre.x - kReach / 2, centre.y - kReach},
                {centre.x + kReach / 2, centre.y},
                {centre.x - kReach / 2, centre.y + kReach}},
               sheet.theme().muted, 1.2f);
}

/// Cards in rows; every card `card` wide, `gap` between them both ways.
struct Rows {
    float count = 1, columns = 1, card = 1, gap = 0;
    float high = 0; // a card; 0: by its width
};

/// Rows, so many, whose cards fill the width.
Rows rows_across(float n, float count, float width) {
    const float columns = std::ceil(n / count);
    // Gaps narrow first, then the cards.
    const float gaps = count > 1 ? columns : std::max(columns - 1, 1.f);
    const float gap = std::clamp((width - columns * kNarrow) / gaps, 10.f, kStageGap);
    const float broad = (width - (count > 1 ? columns : columns - 1) * gap) / columns;
    return {count, columns, std::max(broad, 1.f), gap};
}

/// The number of rows that lets the cards be largest in a room.
Rows largest_cards(float n, float width, float height) {
    Rows best{1, n, 0, 0};
    for (float count = 1; count <= n; ++count) {
        Rows rows = rows_across(n, count, width);
        const float tall = ((height - (count - 1) * rows.gap) / count - 10) / 1.25f;
        rows.card = std::clamp(count > 1 ? std::min(tall, rows.card) : rows.card, 1.f,
                               count > 1 ? kLargestCard : kWidestCard);
        if (rows.card > best.card) best = rows;
    }
    if (best.count > 1) {               // what the height leaves of the width
        constexpr float kWidest = 1.4f; // by how wide a card would be for its height
        best.high = 1.25f * best.card + 10;
        best.card = std::max(best.card, std::min({rows_across(n, best.count, width).card,
                                                  kWidest * best.card, kLargestCard}));
    }
    return best;
}

/// The fewest rows whose cards have room for their words, where height is free.
Rows roomy_cards(float n, float width) {
    float count = 1;
    while (count < n && rows_across(n, count, width).card < kNarrow) ++count;
    Rows rows = rows_across(n, count, width);
    rows.card = std::min(rows.card, kWidestCard);
    return rows;
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
    for (const StageThumbnail& card : cards) {
        if (card.values && !card.signed_values) full = std::max(full, end_of(card));
    }
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
        2 * kStripMargin + n * kCardWidth + std::max(n - 1, 0.f) * kStageGap;
    Sheet sheet(frame, natural_width, kCardHeight + 2 * kStripMargin + (titled ? 40.f : 0.f));
    if (!titled) sheet.figure.background = sheet.theme().panel;
    sheet.figure.title = std::to_string(stages.size()) + " stages of one attention layer" +
                         (titled ? ": " + title : "");
    const float margin = titled ? sheet.margin() : kStripMargin;
    const float from =
        titled ? sheet.header(title, subtitle) : std::min(kStripMargin, sheet.height() * 0.12f);
    const bool open = titled && sheet.height_is_open() && !stages.empty();
    const float to = open     ? 1e9f
                     : titled ? std::min(sheet.content_bottom(), sheet.height() - kStripMargin)
                              : sheet.height() - from;
    if (stages.empty()) return std::move(sheet.figure);
    const float room = sheet.width() - 2 * margin;
    const Rows rows = open ? roomy_cards(n, room) : largest_cards(n, room, to - from);
    const TextStyle style = style_of_card(rows.card);
    const bool stacked = titled && std::ranges::any_of(stages, [&](const StageThumbnail& stage) {
                             return sheet.width_of(facts(stage), style) >
                                    std::floor(rows.card) - 2 * inset_of(rows.card);
                         });
    const bool ranges = std::ranges::all_of(stages, [&](const StageThumbnail& stage) {
        return has_room_for_range(sheet, stage, std::floor(rows.card));
    });
    const CardWords words = !titled   ? ranges ? CardWords::range : CardWords::label // all or none
                            : stacked ? CardWords::stacked
                                      : CardWords::facts;
    const float most = (to - from - (rows.count - 1) * rows.gap) / rows.count;
    const float more = stacked ? style.size * kCardLine : 0;
    const float high = rows.high > 0 ? rows.high : 1.25f * rows.card + 10;
    const float height = std::min(high + more, most);
    const float used = rows.count * height + (rows.count - 1) * rows.gap;
    const float top = titled ? from : from + std::max((to - from - used) / 2, 0.f);
    const Box picture =
        picture_in({0, 0, std::floor(rows.card), std::floor(height)}, words); // of each card
    const bool named = titled && std::ranges::all_of(stages, [&](const StageThumbnail& stage) {
                           return !has_names(stage) || plan_names(sheet, stage, picture);
                       });
    const auto columns = static_cast<std::size_t>(rows.columns);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::size_t row = i / columns, column = i % columns;
        const float x = std::round(margin + static_cast<float>(column) * (rows.card + rows.gap));
        const float y = std::round(top + static_cast<float>(row) * (height + rows.gap));
        draw_card(sheet, {x, y, std::floor(rows.card), std::floor(height)}, stages[i],
                  stages[i].id == selected, words, named);
        if (i + 1 < stages.size() && rows.gap >= 8) {
            // At the end of a row the chevron points on to the next.
            draw_link(sheet, stages[i].to_next, {x + rows.card, y, rows.gap, height});
        }
    }
    if (open) sheet.close_at(top + used);
    return std::move(sheet.figure);
}

} // namespace heed::figure
