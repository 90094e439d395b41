#include "app/views/reading.hpp"

#include "app/engine/merging.hpp"
#include "app/views/map_views.hpp"
#include "app/views/rooms.hpp"
#include "models/model/sides.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::app {

namespace {

using trace::HeadPattern;

std::string word_at(const std::vector<text::Token>& tokens, num::Index i) {
    const auto at = static_cast<std::size_t>(i);
    return at < tokens.size() ? tokens[at].text : fmt::format("{}", i + 1);
}

/// Where the chosen row looks.
std::string row_words(const Snapshot& s, const ViewState& state) {
    const bool merged = merges_map(s);
    const auto cell = shown_cell(s, state, merged);
    if (!cell || !s.map || cell->first >= s.map->rows()) return {};
    const auto row = s.map->row(cell->first);
    num::Index key = 0;
    const float most = row.maxCoeff(&key);
    if (!(most > 0)) return {};
    const Units units(s, merged);
    return fmt::format("“{}” attends most to “{}” ({:.2f}). ",
                       word_at(units.queries(), cell->first), word_at(units.keys(), key), most);
}

/// Whether the model has no other head than this.
bool is_only_head(const Snapshot& s) {
    const models::Traits& traits = s.run->model->traits();
    return traits.n_heads * traits.layers(s.focus.head.kind) == 1;
}

/// What the head does over all rows.
std::string pattern_words(const Snapshot& s) {
    constexpr float kClear = 0.4f, kBroad = 0.75f;
    const HeadPattern& p = s.pattern;
    if (p.rows == 0) return {};
    if (s.run->trace.keys(s.focus.head.kind).size() == 1) {
        return "With one word to look at, every weight is 1. ";
    }
    const char* head = is_only_head(s) ? "Attention" : "This head";
    const char* unit = s.document.segmentation == text::Segmentation::words ? "word" : "character";
    if (s.focus.head.kind == trace::AttentionKind::cross) {
        if (2 * p.settled >= p.rows) {
            return fmt::format("{} settles on one source {} in {} of {} rows. ", head, unit,
                               p.settled, p.rows);
        }
    } else {
        const std::string first = word_at(s.run->trace.keys(s.focus.head.kind), 0);
        const std::pair<float, std::string> shares[] = {
            {p.previous, fmt::format("the previous {}", unit)},
            {p.next, fmt::format("the next {}", unit)},
            {p.same, fmt::format("the {} itself", unit)},
            {p.first, fmt::format("the first token, “{}”", first)},
            {p.separator, "punctuation and marks"}};
        const auto& most =
            *std::ranges::max_element(shares, {}, [](const auto& share) { return share.first; });
        if (most.first >= kClear) {
            return fmt::format("{} looks at {}: {:.0f} % of the attention. ", head, most.second,
                               100 * most.first);
        }
    }
    if (p.breadth >= kBroad) {
        return fmt::format("{} spreads broadly: {:.0f} % of the highest possible entropy. ", head,
                           100 * p.breadth);
    }
    return {};
}

std::string hidden_words(const Snapshot& s) {
    if (!s.to_hidden) return {};
    return fmt::format("{:.0f} % goes to special tokens, which are hidden. ", 100 * *s.to_hidden);
}

/// What the model says without the head.
std::string worth_words(const Snapshot& s) {
    const trace::HeadId& head = s.focus.head;
    if (!s.effects || s.effects->kind != head.kind) return {};
    const auto at = static_cast<std::size_t>(head.layer * s.effects->heads + head.head);
    if (at >= s.effects->relative_change.size() || !s.effects->relative_change[at]) return {};
    const bool free = !(models::forced_input(*s.run) == s.run->input);
    const auto& says = s.effects->says[at];
    if (!free) return {};
    const float change = 100 * *s.effects->relative_change[at];
    return !says ? fmt::format("Without it the model says the same, from states that differ by "
                               "{:.{}f} %.",
                               change, change < 1 ? 1 : 0)
           : says->empty() ? "Without it the model says nothing."
                           : fmt::format("Without it the model says “{}”.", *says);
}

} // namespace

bool can_be_read(const ViewState& state) {
    if (state.view == View::positions || state.view == View::softmax) return true;
    return (state.view == View::heatmap || state.view == View::lines) &&
           state.compare == Compare::off;
}

std::string reading(const Snapshot& snapshot, const ViewState& state) {
    if (state.view == View::positions) return position_room_reading(snapshot, state);
    if (state.view == View::softmax) return softmax_room_reading(snapshot, state);
    const bool weights = snapshot.focus.stage == trace::Stage::weights || state.view == View::lines;
    const bool one =
        !snapshot.focus.combine && (state.view != View::lines || snapshot.overlay.empty());
    if (!can_be_read(state) || !weights || !one) return {};
    const bool shows_map = snapshot.focus.stage == trace::Stage::weights;
    std::string words = (shows_map ? row_words(snapshot, state) : std::string()) +
                        hidden_words(snapshot) + pattern_words(snapshot) + worth_words(snapshot);
    while (words.ends_with(' ')) words.pop_back();
    return words;
}

bool tells_worth(const models::Model& model, trace::AttentionKind kind) {
    constexpr int kFew = 16;
    const models::Traits& traits = model.traits();
    const int heads = traits.layers(kind) * traits.n_heads;
    return model.provenance() && heads > 0 && heads <= kFew;
}

} // namespace heed::app
