#include "app/engine/continuation.hpp"

#include "app/document/prepare_input.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/speech.hpp"
#include "models/model/sampling.hpp"
#include "models/model/sides.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

bool can_go_on(const Snapshot& snapshot) {
    if (!snapshot.run || !snapshot.prediction) return false;
    const models::Model& model = *snapshot.run->model;
    const models::TextToIds* ids = model.text_to_ids();
    return ids && ids->tokenizers.target && model.traits().decodes && !model.traits().classifies();
}

std::optional<std::string> written_behind(const models::Run& run, num::Index token) {
    const tokenizers::Tokenizer& tokenizer = *run.model->text_to_ids()->tokenizers.target;
    const int id = static_cast<int>(token);
    if (tokenizer.is_special(id)) return std::nullopt;
    // A space before it is there or not by the token before it, and up to four are one character.
    constexpr std::size_t kBefore = 8;
    std::vector<int> ids;
    for (const text::Token& read : run.trace.target | std::views::reverse) {
        if (read.row < 0) continue;
        if (tokenizer.is_special(read.row) || ids.size() == kBefore) break;
        ids.insert(ids.begin(), read.row);
    }
    const std::string from = models::whole_characters(tokenizer, ids);
    ids.push_back(id);
    const std::string to = models::whole_characters(tokenizer, ids);
    return to.starts_with(from) ? to.substr(from.size()) : tokenizer.shown(id);
}

std::vector<int> ids_with(const models::Run& run, num::Index token) {
    std::vector<int> ids = models::ids_of(run.trace.target);
    ids.push_back(static_cast<int>(token));
    return ids;
}

num::Index found_next(const Snapshot& snapshot) {
    const models::Run& run = *snapshot.run;
    return models::drawn(probabilities_to_draw(run, snapshot.prediction->probabilities),
                         run.input.decoding.sampling, run.trace.target.size());
}

bool can_fill(const Snapshot& snapshot) {
    if (!snapshot.run || !snapshot.run->model->traits().fills_masks) return false;
    const models::TextToIds* ids = snapshot.run->model->text_to_ids();
    return ids && ids->tokenizers.source && ids->tokenizers.source->named().mask;
}

namespace {

const tokenizers::Tokenizer& source_tokenizer(const Snapshot& snapshot) {
    return *snapshot.run->model->text_to_ids()->tokenizers.source;
}

/// Nothing where the token is not of the text: one that the model's processor added.
const text::Token* token_of_text(const Snapshot& snapshot, int token) {
    const auto& read = snapshot.run->trace.source;
    if (token < 0 || static_cast<std::size_t>(token) >= read.size()) return nullptr;
    const text::Token& found = read[static_cast<std::size_t>(token)];
    const bool inside = found.begin < found.end && found.end <= snapshot.document.source.size();
    return inside ? &found : nullptr;
}

/// The first and last token of the word that a token is of. What is left of a word would be cut
/// anew.
std::pair<std::size_t, std::size_t> word_around(const std::vector<text::Token>& read,
                                                std::size_t token,
                                                const tokenizers::Tokenizer& tokenizer) {
    const auto goes_on = [&](std::size_t i) { // the word of the token before it
        const bool follows = read[i - 1].begin < read[i - 1].end && read[i].begin < read[i].end &&
                             read[i - 1].end == read[i].begin;
        return follows && !tokenizer.starts_word(read[i].row);
    };
    std::size_t first = token, last = token;
    while (first > 0 && goes_on(first)) --first;
    while (last + 1 < read.size() && goes_on(last + 1)) ++last;
    return {first, last};
}

} // namespace

std::optional<std::string> masked_source(const Snapshot& snapshot, int token) {
    const text::Token* found = token_of_text(snapshot, token);
    const tokenizers::Tokenizer& tokenizer = source_tokenizer(snapshot);
    const int mask = *tokenizer.named().mask;
    if (!found || found->row == mask) return std::nullopt;
    const auto& read = snapshot.run->trace.source;
    const auto [first, last] = word_around(read, static_cast<std::size_t>(token), tokenizer);
    std::string source = snapshot.document.source, masks;
    for (std::size_t i = first; i <= last; ++i) masks += tokenizer.token(mask);
    std::size_t begin = read[first].begin;
    const std::size_t end = read[last].end;
    if (end > source.size()) return std::nullopt;
    // The space that a token may begin with stays.
    while (begin < end && source[begin] == ' ') ++begin;
    return source.replace(begin, end - begin, masks);
}

std::optional<std::string> filled_source(const Snapshot& snapshot, int token, num::Index row) {
    const text::Token* found = token_of_text(snapshot, token);
    const tokenizers::Tokenizer& tokenizer = source_tokenizer(snapshot);
    if (!found || found->row != *tokenizer.named().mask) return std::nullopt;
    const int id = static_cast<int>(row);
    std::string word = tokenizer.shown(id);
    std::string source = snapshot.document.source;
    const std::string mask = tokenizer.token(found->row);
    const std::size_t begin = source.find(mask, found->begin);
    if (begin == std::string::npos || begin >= found->end) return std::nullopt;
    const bool spaced = begin == 0 || source[begin - 1] == ' ';
    if (spaced && word.starts_with(' ')) word.erase(0, 1);
    const bool piece = !tokenizer.starts_word(id) && spaced && begin > 0;
    // A piece of a word follows the one before it.
    const std::size_t from = piece ? begin - 1 : begin;
    return source.replace(from, begin + mask.size() - from, word);
}

namespace {

constexpr int kTokensBehind = 12;

models::Controls muted(models::Controls controls, const trace::HeadId& head) {
    const models::Scope scope{head.kind, head.layer, head.head};
    models::HeadControls own = controls.at(scope);
    own.gain = 0.0f;
    controls.set(scope, std::move(own));
    return controls;
}

bool says_freely(const models::Run& run) { return !(models::forced_input(run) == run.input); }

/// The likeliest token again and again; nothing when stopped or refused.
std::optional<std::string> gone_on(const Snapshot& s, const models::Controls& controls,
                                   num::ThreadPool& pool, const std::stop_token& stop) {
    Document document = s.document;
    if (document.target.empty() && !s.run->model->traits().encodes) {
        document.target = document.source; // what such a decoder reads
    }
    std::string behind;
    std::shared_ptr<const models::Run> last = s.run;
    for (int i = 0; i < kTokensBehind; ++i) {
        const PreparedInput prepared = prepare_input(document, s.run->model.get());
        if (prepared.failed) return std::nullopt;
        models::RunOptions options;
        options.previous = last;
        options.stop = stop;
        const auto run = models::run(s.run->model, prepared.input, controls, pool, options);
        if (!run) return stop.stop_requested() ? std::nullopt : std::optional(behind);
        last = *run;
        const auto question = inside::usual_question(*last, pool);
        const auto next = question ? written_behind(*last, question->word) : std::nullopt;
        if (!next) return behind;
        behind += *next;
        document.target += *next;
        document.written = {document.target, ids_with(*last, question->word)};
    }
    return behind;
}

std::optional<std::string> said(const Snapshot& s, const models::Controls& controls,
                                num::ThreadPool& pool, const std::stop_token& stop) {
    if (!says_freely(*s.run)) return gone_on(s, controls, pool, stop);
    models::RunOptions options;
    options.previous = s.run;
    options.stop = stop;
    const auto run = models::run(s.run->model, s.run->input, controls, pool, options);
    if (!run) return std::nullopt;
    return said_line(**run, s.document.segmentation);
}

} // namespace

const Following* following_of(const Snapshot& s) {
    if (!s.inside) return nullptr;
    const auto found = std::ranges::find(s.inside->following, s.focus.head, &Following::head);
    return found == s.inside->following.end() ? nullptr : &*found;
}

bool following_due(const Snapshot& s) {
    if (!s.run || !s.inside || s.inside->error || !s.inside->complete()) return false;
    if (following_of(s) || !s.run->trace.map(s.focus.head)) return false;
    const bool freely = says_freely(*s.run) && !s.run->model->traits().reads_pictures;
    return freely || (can_go_on(s) && !s.inside->readout.classes);
}

std::shared_ptr<const InsidePicture> following_measured(const Snapshot& s, num::ThreadPool& pool,
                                                        const std::stop_token& stop) {
    auto now = std::make_shared<InsidePicture>(*s.inside);
    const models::Controls& controls = s.run->controls;
    const auto whole = now->following.empty() ? said(s, controls, pool, stop)
                                              : std::optional(now->following.front().whole);
    const auto without = said(s, muted(controls, s.focus.head), pool, stop);
    if (stop.stop_requested()) return nullptr;
    now->following.push_back({s.focus.head, whole.value_or(""), without.value_or("")});
    return now;
}

} // namespace heed::app
