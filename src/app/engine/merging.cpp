#include "app/engine/merging.hpp"

#include "app/engine/speech.hpp"
#include "base/check.hpp"
#include "models/model/sides.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace heed::app {

using num::Index;
using trace::Stage;

namespace {

void append(text::Words& words, text::Words more) {
    const std::size_t before = words.tokens();
    std::move(more.words.begin(), more.words.end(), std::back_inserter(words.words));
    for (std::size_t w = 1; w < more.first.size(); ++w) {
        words.first.push_back(before + more.first[w]);
    }
}

} // namespace

std::shared_ptr<const TokenWords> token_words_of(const Document& document, const models::Run& run) {
    const bool whole = document.segmentation == text::Segmentation::words;
    if ((whole && !run.model->text_to_ids()) || run.model->traits().weights_alone) return nullptr;
    const std::span tokens(run.trace.target);
    const auto source = static_cast<std::size_t>(models::leading_source(run));
    const bool own = run.model->traits().reads_source || !run.input.target.empty();
    text::Words target = text::words_of(document.source, tokens.first(source));
    append(target, text::words_of(own ? document.target : document.source, tokens.subspan(source)));
    return std::make_shared<const TokenWords>(
        TokenWords{text::words_of(document.source, run.trace.source), std::move(target)});
}

bool merges(const Snapshot& snapshot) { return snapshot.focus.merge_words && snapshot.words; }

bool merges_map(const Focus& focus, const TokenWords* words) {
    return words != nullptr && focus.merge_words &&
           (focus.combine || focus.stage == Stage::weights);
}
bool merges_map(const Snapshot& snapshot) {
    return merges_map(snapshot.focus, snapshot.words.get());
}

Units::Units(const Snapshot& snapshot, bool merged)
    : snapshot_(snapshot), words_(merged ? snapshot.words.get() : nullptr),
      kind_(snapshot.focus.head.kind) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no tokens");
}

namespace {

int word_of(const text::Words& words, int token) {
    return static_cast<int>(words.of(static_cast<std::size_t>(token)));
}
int first_of(const text::Words& words, int word) {
    const auto at = static_cast<std::size_t>(word);
    return static_cast<int>(at < words.count() ? words.first[at] : words.tokens());
}

} // namespace

int Units::of_query(int token) const {
    return words_ ? word_of(words_->queries(kind_), token) : token;
}
int Units::of_key(int token) const { return words_ ? word_of(words_->keys(kind_), token) : token; }
int Units::first_query(int unit) const {
    return words_ ? first_of(words_->queries(kind_), unit) : unit;
}
int Units::first_key(int unit) const { return words_ ? first_of(words_->keys(kind_), unit) : unit; }

std::size_t Units::n_query_tokens() const { return snapshot_.run->trace.queries(kind_).size(); }
std::size_t Units::n_key_tokens() const { return snapshot_.run->trace.keys(kind_).size(); }

num::Rect Units::tokens(int query, int key) const {
    const Index row = first_query(query), col = first_key(key);
    return {row, col, first_query(query + 1) - row, first_key(key + 1) - col};
}

const std::vector<text::Token>& Units::queries() const {
    return words_ ? words_->queries(kind_).words : row_tokens(snapshot_);
}
const std::vector<text::Token>& Units::keys() const {
    return words_ ? words_->keys(kind_).words : snapshot_.run->trace.keys(kind_);
}

float merged_weight(const Snapshot& snapshot, const Units& units, int query, int key) {
    const bool shown = snapshot.map && !snapshot.focus.combine &&
                       snapshot.focus.stage == Stage::weights &&
                       units.merged() == merges_map(snapshot);
    if (shown) return (*snapshot.map)(query, key);
    const trace::AttentionMap map = *snapshot.run->trace.map(snapshot.focus.head);
    const num::Rect tokens = units.tokens(query, key);
    float sum = 0;
    Index counted = 0;
    const Matrix<float> rows =
        map.rectangle(Stage::weights, {tokens.row, 0, tokens.rows, map.cols(Stage::weights)});
    for (Index row = 0; row < rows.rows(); ++row) {
        if ((rows.row(row).array() == 0).all()) continue;
        sum += rows.row(row).segment(tokens.col, tokens.cols).sum();
        ++counted;
    }
    return counted > 0 ? sum / static_cast<float>(counted) : 0;
}

std::pair<int, int> strongest_token_cell(const Snapshot& snapshot, const Units& units,
                                         std::pair<int, int> cell) {
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!units.merged() || !map) return cell;
    num::Rect tokens = units.tokens(cell.first, cell.second);
    constexpr Index kMost = 400'000;
    tokens.rows =
        std::min(tokens.rows, std::max<Index>(kMost / std::max<Index>(tokens.cols, 1), 1));
    Index row = 0, col = 0;
    map->rectangle(Stage::weights, tokens).maxCoeff(&row, &col);
    return {static_cast<int>(tokens.row + row), static_cast<int>(tokens.col + col)};
}

} // namespace heed::app
