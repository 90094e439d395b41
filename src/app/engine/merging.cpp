#include "app/engine/merging.hpp"

#include "app/engine/speech.hpp"
#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "models/model/sides.hpp"
#include "trace/merged.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace heed::app {

using num::Index;
using trace::Stage;

bool TokenWords::operator==(const TokenWords& other) const {
    const bool same_tokens =
        tokens == other.tokens || (tokens && other.tokens && *tokens == *other.tokens);
    return source == other.source && target == other.target && said == other.said &&
           merged == other.merged && hides == other.hides && same_tokens;
}

namespace {

void append(text::Words& words, text::Words more) {
    const std::size_t before = words.tokens();
    std::move(more.words.begin(), more.words.end(), std::back_inserter(words.words));
    for (std::size_t w = 1; w < more.first.size(); ++w) {
        words.first.push_back(before + more.first[w]);
    }
}

/// Tokens that a model said have no place in a text: the tokeniser tells which begin a word.
text::Words joined_as_said(const text::Words& words, const tokenizers::Tokenizer& tokenizer) {
    const auto said = [&](const text::Token& token) {
        return token.row >= 0 && token.begin == token.end && !tokenizer.is_special(token.row);
    };
    text::Words joined;
    bool goes_on = false;
    for (std::size_t w = 0; w < words.count(); ++w) {
        const text::Token& token = words.words[w];
        if (goes_on && said(token) && !tokenizer.starts_word(token.row)) {
            joined.words.back().text += token.text;
            joined.first.back() = words.first[w + 1];
            continue;
        }
        joined.words.push_back(token);
        joined.first.push_back(words.first[w + 1]);
        goes_on = said(token);
    }
    return joined;
}

bool has_pieces(const text::Words& words) { return words.count() < words.tokens(); }

/// The words of tokens of a text and, behind it, of what a model of characters said, which has no
/// place in it yet.
text::Words words_with_said(std::string text, std::span<const text::Token> tokens) {
    const auto is_mark = [](const std::string& word) {
        return word == models::kStartToken || word == models::kEndToken ||
               word == models::kPadToken;
    };
    std::vector<text::Token> written(tokens.begin(), tokens.end());
    for (text::Token& token : written) {
        if (token.begin < token.end || is_mark(token.text)) continue;
        token.begin = text.size();
        text += token.text;
        token.end = text.size();
    }
    return text::words_of(text, written);
}

} // namespace

std::shared_ptr<const TokenWords> token_words_of(const Document& document, const models::Run& run) {
    const bool whole = document.segmentation == text::Segmentation::words;
    if ((whole && !run.model->text_to_ids()) || run.model->traits().weights_alone) return nullptr;
    const std::span tokens(run.trace.target);
    const auto source = static_cast<std::size_t>(models::leading_source(run));
    const bool own = run.model->traits().reads_source || !run.input.target.empty();
    text::Words target = text::words_of(document.source, tokens.first(source));
    text::Words read = text::words_of(document.source, run.trace.source);
    const std::string& text = own ? document.target : document.source;
    const text::Vocabulary* vocabulary = run.model->words();
    const bool written_together = vocabulary && vocabulary->of_characters() && has_pieces(read);
    append(target, written_together ? words_with_said(text, tokens.subspan(source))
                                    : text::words_of(text, tokens.subspan(source)));
    const models::TextToIds* ids = run.model->text_to_ids();
    if (ids && ids->tokenizers.target) target = joined_as_said(target, *ids->tokenizers.target);
    return std::make_shared<const TokenWords>(TokenWords{std::move(read), std::move(target)});
}

namespace {

/// A bit for each token: whether it says something about the text and nothing of it. A token that
/// stands for a word, be it unknown or masked, does not.
std::vector<bool> special_tokens(const models::Run& run, const tokenizers::Tokenizer* tokenizer,
                                 const std::vector<text::Token>& tokens) {
    const bool ids = run.model->text_to_ids() != nullptr;
    std::vector<bool> special;
    for (const text::Token& token : tokens) {
        const bool named = token.text == models::kPadToken || token.text == models::kStartToken ||
                           token.text == models::kEndToken;
        const bool by_id = tokenizer && token.row >= 0 && tokenizer->is_special(token.row) &&
                           token.known && token.row != tokenizer->named().mask;
        special.push_back(by_id || (named && (!ids || token.row < 0)));
    }
    return special;
}

/// The tokens, each a unit, without those that the words leave out.
text::Words tokens_of(const std::vector<text::Token>& tokens, const text::Words& words) {
    std::vector<bool> hidden(tokens.size(), false);
    for (std::size_t i = 0; !words.ends.empty() && i < tokens.size(); ++i) {
        hidden[i] = words.leaves_out(i);
    }
    return text::single_tokens(tokens).without(hidden);
}

/// The words of a target by its rows, each of which says the token that the next one reads; the
/// last one before the padding says one of its own.
text::Words words_said(const text::Words& read, const std::vector<text::Token>& said) {
    std::size_t last = said.size() - 1;
    while (last > 0 && said[last].text == models::kPadToken) --last;
    text::Words words;
    std::optional<std::size_t> before;
    for (std::size_t row = 0; row < said.size(); ++row) {
        const auto word =
            row == last ? std::nullopt : std::optional(read.of(row < last ? row + 1 : row));
        if (word && word == before) {
            words.first.back() = row + 1;
        } else {
            words.words.push_back(word ? read.words[*word] : said[row]);
            words.first.push_back(row + 1);
        }
        before = word;
    }
    return words;
}

std::shared_ptr<const TokenWords> by_said(const std::shared_ptr<const TokenWords>& merged,
                                          const std::vector<text::Token>* said) {
    if (!merged || !said) return merged;
    TokenWords words = *merged;
    words.said = words_said(words.target, *said);
    return std::make_shared<const TokenWords>(std::move(words));
}

} // namespace

std::shared_ptr<const TokenWords> units_of(const Focus& focus, const models::Run& run,
                                           const std::shared_ptr<const TokenWords>& words,
                                           const std::vector<text::Token>* said) {
    const bool crosses = run.trace.n_layers(trace::AttentionKind::cross) > 0;
    if (focus.rows_read || !crosses) said = nullptr;
    const auto merged = focus.merge_words ? by_said(words, said) : nullptr;
    if (!focus.hide_special) return merged;
    const models::TextToIds* ids = run.model->text_to_ids();
    const auto of = [&](const auto& tokens, const std::shared_ptr<const tokenizers::Tokenizer>& t,
                        const text::Words* whole) {
        const text::Words all = whole ? *whole : text::single_tokens(tokens);
        return all.without(special_tokens(run, t.get(), tokens));
    };
    const std::shared_ptr<const tokenizers::Tokenizer> none;
    TokenWords units{of(run.trace.source, ids ? ids->tokenizers.source : none,
                        merged ? &merged->source : nullptr),
                     of(run.trace.target, ids ? ids->tokenizers.target : none,
                        merged ? &merged->target : nullptr)};
    if (said) {
        units.said =
            of(*said, ids ? ids->tokenizers.target : none, merged ? &*merged->said : nullptr);
    }
    units.merged = merged != nullptr;
    units.hides = true;
    const auto leaves_out = [](const text::Words& side) { return !side.ends.empty(); };
    const bool of_said = units.said && leaves_out(*units.said);
    if (!leaves_out(units.source) && !leaves_out(units.target) && !of_said) return merged;
    if (merged) {
        TokenWords tokens{tokens_of(run.trace.source, units.source),
                          tokens_of(run.trace.target, units.target), false, true};
        if (said) tokens.said = tokens_of(*said, *units.said);
        units.tokens = std::make_shared<const TokenWords>(std::move(tokens));
    }
    return std::make_shared<const TokenWords>(std::move(units));
}

bool has_special(const models::Run& run) {
    Focus focus;
    focus.hide_special = true;
    return units_of(focus, run, nullptr, nullptr) != nullptr;
}

std::optional<float> share_left_out(const Matrix<float>& weights, const text::Words& queries,
                                    const text::Words& keys) {
    if (keys.ends.empty()) return std::nullopt;
    float hidden = 0;
    Index rows = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        const bool has_keys = !(weights.row(i).array() == 0).all();
        if (!has_keys || queries.leaves_out(static_cast<std::size_t>(i))) continue;
        ++rows;
        for (Index j = 0; j < weights.cols(); ++j) {
            if (keys.leaves_out(static_cast<std::size_t>(j))) hidden += weights(i, j);
        }
    }
    return rows > 0 ? std::optional(hidden / static_cast<float>(rows)) : std::nullopt;
}

namespace {

std::vector<int> left_out(const text::Words& words) {
    std::vector<int> tokens;
    for (std::size_t token = 0; !words.ends.empty() && token < words.tokens(); ++token) {
        if (words.leaves_out(token)) tokens.push_back(static_cast<int>(token));
    }
    return tokens;
}

} // namespace

std::vector<int> hidden_queries(const TokenWords* units, trace::AttentionKind kind) {
    return units ? left_out(units->queries(kind)) : std::vector<int>();
}
std::vector<int> hidden_keys(const TokenWords* units, trace::AttentionKind kind) {
    return units ? left_out(units->keys(kind)) : std::vector<int>();
}

std::vector<int> word_of_keys(const TokenWords* units, trace::AttentionKind kind) {
    std::vector<int> word_of;
    if (!units || !units->merged) return word_of;
    const text::Words& keys = units->keys(kind);
    for (std::size_t token = 0; token < keys.tokens(); ++token) {
        word_of.push_back(static_cast<int>(keys.of(token)));
    }
    return word_of;
}

std::vector<int> without(const std::vector<int>& hidden, Index count) {
    std::vector<int> kept;
    for (int token = 0; token < count; ++token) {
        if (!std::ranges::binary_search(hidden, token)) kept.push_back(token);
    }
    return kept;
}

Matrix<float> without(const Matrix<float>& values, const std::vector<int>& rows,
                      const std::vector<int>& cols) {
    return values(without(rows, values.rows()), without(cols, values.cols()));
}

std::string left_out_words(const std::vector<float>& weights, const std::vector<int>& hidden) {
    if (hidden.empty()) return {};
    float share = 0;
    for (const int key : hidden) share += weights[static_cast<std::size_t>(key)];
    return " · without special tokens, to which " + figure::percent_text(share) + " goes";
}

std::string special_share_words(const Thumbnails* thumbnails) {
    float sum = 0;
    int heads = 0;
    if (!thumbnails) return {};
    for (const std::optional<float>& share : thumbnails->to_hidden) {
        if (!share) continue;
        sum += *share;
        ++heads;
    }
    if (heads == 0) return {};
    return " · " + figure::percent_text(sum / static_cast<float>(heads)) +
           " goes to special tokens, which are hidden";
}

bool merges(const Snapshot& snapshot) { return snapshot.units != nullptr; }
bool joins_words(const Snapshot& snapshot) { return snapshot.units && snapshot.units->merged; }

std::string unit_words(const TokenWords* units) {
    if (!units) return {};
    const auto joins = [](const text::Words& words) {
        for (std::size_t i = 0; i < words.count(); ++i) {
            if (words.end(i) - words.first[i] > 1) return true;
        }
        return false;
    };
    const bool joined = units->merged && (joins(units->source) || joins(units->target));
    return std::string(joined ? " · merged to words" : "") +
           (units->hides ? " · without special tokens" : "");
}

std::optional<float> share_to_hidden(const Snapshot& snapshot, int query_unit) {
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!snapshot.units || !map || snapshot.focus.combine) return std::nullopt;
    const text::Words& keys = snapshot.units->keys(kind);
    const text::Words& queries = snapshot.units->queries(kind);
    const auto unit = static_cast<std::size_t>(query_unit);
    if (keys.ends.empty() || query_unit < 0 || unit >= queries.count()) return std::nullopt;
    const auto first = static_cast<Index>(queries.first[unit]);
    const auto rows = static_cast<Index>(queries.end(unit)) - first;
    const Matrix<float> weights =
        map->rectangle(Stage::weights, {first, 0, rows, map->cols(Stage::weights)});
    return share_left_out(
        weights, text::single_tokens(std::vector<text::Token>(static_cast<std::size_t>(rows))),
        keys);
}

const TokenWords* token_units(const TokenWords* units) {
    if (units == nullptr || !units->hides) return nullptr;
    return units->merged ? units->tokens.get() : units;
}
const TokenWords* token_units(const Snapshot& snapshot) {
    return token_units(snapshot.units.get());
}

const TokenWords* stage_units(Stage stage, const TokenWords* units) {
    return stage == Stage::weights ? units : token_units(units);
}
bool has_key_rows(Stage stage) { return stage == Stage::k || stage == Stage::v; }

std::pair<std::vector<int>, std::vector<int>> hidden_in(Stage stage, const TokenWords* units,
                                                        trace::AttentionKind kind) {
    return {has_key_rows(stage) ? hidden_keys(units, kind) : hidden_queries(units, kind),
            trace::is_map(stage) ? hidden_keys(units, kind) : std::vector<int>()};
}

Matrix<float> between_units(const trace::AttentionMap& map, Stage stage, const TokenWords* units) {
    const TokenWords* own = stage_units(stage, units);
    if (own == nullptr) return map.whole(stage);
    const trace::AttentionKind kind = map.attention().kind;
    if (stage == Stage::weights) {
        return trace::merged_weights(map, own->queries(kind), own->keys(kind));
    }
    const auto [rows, cols] = hidden_in(stage, own, kind);
    return without(map.whole(stage), rows, cols);
}
const TokenWords* map_units(const Focus& focus, const TokenWords* units) {
    return focus.combine ? units : stage_units(focus.stage, units);
}
const TokenWords* map_units(const Snapshot& snapshot) {
    return map_units(snapshot.focus, snapshot.units.get());
}

bool merges_weights(const Snapshot& snapshot) {
    const Focus& focus = snapshot.focus;
    return merges_map(snapshot) && (focus.combine || focus.stage == Stage::weights);
}

Units::Units(const Snapshot& snapshot, bool merged)
    : Units(snapshot, merged ? snapshot.units.get() : nullptr) {}

Units::Units(const Snapshot& snapshot, const TokenWords* units)
    : snapshot_(snapshot), words_(units), kind_(snapshot.focus.head.kind) {
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
int end_of(const text::Words& words, int word) {
    const auto at = static_cast<std::size_t>(word);
    return static_cast<int>(at < words.count() ? words.end(at) : words.tokens());
}

} // namespace

int Units::of_query(int token) const {
    return words_ ? word_of(words_->queries(kind_), token) : token;
}
int Units::of_key(int token) const { return words_ ? word_of(words_->keys(kind_), token) : token; }
bool Units::shows_query(int token) const {
    return !words_ || !words_->queries(kind_).leaves_out(static_cast<std::size_t>(token));
}
bool Units::shows_key(int token) const {
    return !words_ || !words_->keys(kind_).leaves_out(static_cast<std::size_t>(token));
}
int Units::first_query(int unit) const {
    return words_ ? first_of(words_->queries(kind_), unit) : unit;
}
int Units::first_key(int unit) const { return words_ ? first_of(words_->keys(kind_), unit) : unit; }

std::size_t Units::n_query_tokens() const { return snapshot_.run->trace.queries(kind_).size(); }
std::size_t Units::n_key_tokens() const { return snapshot_.run->trace.keys(kind_).size(); }

int Units::end_query(int unit) const {
    return words_ ? end_of(words_->queries(kind_), unit) : unit + 1;
}
int Units::end_key(int unit) const { return words_ ? end_of(words_->keys(kind_), unit) : unit + 1; }

num::Rect Units::tokens(int query, int key) const {
    const Index row = first_query(query), col = first_key(key);
    return {row, col, end_query(query) - row, end_key(key) - col};
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

int strongest_key(const Snapshot& snapshot, int query) {
    const trace::AttentionMap map = *snapshot.run->trace.map(snapshot.focus.head);
    Matrix<float> row = map.rectangle(Stage::weights, {query, 0, 1, map.cols(Stage::weights)});
    for (const int hidden : hidden_keys(snapshot.units.get(), snapshot.focus.head.kind)) {
        row(0, hidden) = -1;
    }
    Index at = 0, key = 0;
    row.maxCoeff(&at, &key);
    return static_cast<int>(key);
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
