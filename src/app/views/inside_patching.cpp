#include "app/views/inside_patching.hpp"

#include "app/document/names.hpp"
#include "app/document/other_sentence.hpp"
#include "app/engine/merging.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "lab/number_words.hpp"
#include "tokenizers/text/characters.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace heed::app {

namespace {

using inside::PartId;
using num::Index;
using trace::AttentionKind;

std::shared_ptr<Matrix<float>> unmeasured(Index rows, Index cols) {
    return std::make_shared<Matrix<float>>(
        Matrix<float>::Constant(rows, cols, std::numeric_limits<float>::quiet_NaN()));
}

std::vector<std::string> head_numbers(int heads) {
    std::vector<std::string> numbers;
    for (int head = 1; head <= heads; ++head) numbers.push_back(fmt::format("{}", head));
    return numbers;
}

/// The tokens at which the stream is put in, ascending, without those that are hidden.
std::vector<int> columns_shown(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const auto hidden = hidden_queries(s.units.get(), now.patched_stack);
    std::vector<int> tokens;
    for (const inside::Patch& patch : now.patches) {
        if (patch.token) tokens.push_back(static_cast<int>(*patch.token));
    }
    std::ranges::sort(tokens);
    tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
    std::erase_if(tokens, [&](int token) { return std::ranges::binary_search(hidden, token); });
    return tokens;
}

void add_patched_tokens(const Snapshot& s, figure::InsideGrid& grid) {
    const InsidePicture& now = *s.inside;
    const auto& tokens = s.run->trace.queries(now.patched_stack);
    const auto& others = now.other->trace.queries(now.patched_stack);
    const std::vector<int> shown = columns_shown(s);
    const auto names = token_words(tokens, std::ssize(tokens));
    const auto shares = gradient_shares(s, now.patched_stack);
    auto values = unmeasured(s.run->model->traits().layers(now.patched_stack), std::ssize(shown));
    for (const inside::Patched& at : now.patched) {
        const auto column = std::ranges::lower_bound(shown, static_cast<int>(*at.patch.token));
        if (column == shown.end() || *column != static_cast<int>(*at.patch.token)) continue;
        (*values)(at.patch.layer, column - shown.begin()) = at.recovered;
    }
    grid.values = std::move(values);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto at = static_cast<std::size_t>(shown[i]);
        grid.columns.push_back(names[at]);
        if (tokens[at].text != others[at].text) grid.marked.push_back(static_cast<int>(i));
        if (at < shares.size()) grid.below.push_back(shares[at]);
    }
    grid.below_name = "attention × gradient";
}

void add_patched_heads(const Snapshot& s, figure::InsideGrid& grid) {
    const models::Traits& traits = s.run->model->traits();
    const AttentionKind kind = inside_kind(s);
    auto values = unmeasured(traits.layers(kind), traits.n_heads);
    for (const inside::Patched& at : s.inside->patched) {
        if (at.patch.module == kind) (*values)(at.patch.layer, at.patch.head) = at.recovered;
    }
    grid.values = std::move(values);
    grid.columns = head_numbers(traits.n_heads);
    grid.across = kind_of_heads(traits, kind);
    grid.row = s.focus.head.layer;
    grid.col = s.focus.head.head;
}

/// "decoder head 1.2"; where a model has one kind of heads "head 1.2".
std::string path_head(const Snapshot& s, int layer, int head) {
    return inside::name({PartId::Kind::head, s.inside->asked_paths.stack, layer, head},
                        s.run->model->traits());
}

/// Heads that are heard of down the side, those that hear of them across.
void add_paths(const Snapshot& s, figure::InsideGrid& grid) {
    const int heads = s.run->model->traits().n_heads;
    auto values = unmeasured(heads, heads);
    if (s.inside->paths) {
        for (const inside::PatchedPath& path : s.inside->paths->paths) {
            (*values)(path.from, path.to) = path.recovered;
        }
    }
    grid.values = std::move(values);
    const auto& asked = s.inside->asked_paths;
    for (int head = 0; head < heads; ++head) {
        grid.rows.push_back(path_head(s, asked.from, head));
        grid.columns.push_back(trace::head_number(asked.to, head));
    }
    grid.across = "through " + kind_of_heads(s.run->model->traits(), asked.stack);
}

/// Tokens of a long sentence at which the stream is not put in.
std::optional<Index> tokens_left_out(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    if (!now.other || now.patch != PatchBy::stream || now.patches.empty()) return {};
    const Index tokens = std::ssize(s.run->trace.queries(now.patched_stack));
    const Index left = tokens - std::ssize(columns_shown(s)) -
                       std::ssize(hidden_queries(s.units.get(), now.patched_stack));
    return left > 0 ? std::optional(left) : std::nullopt;
}

std::string card_title(const Snapshot& s) {
    return s.inside->other ? fmt::format("Put one activation into “{}”", other_words(s))
                           : "Put one activation into the other run";
}

constexpr float kNothingBack = 0.005f; // is written as 0.00

/// The path that brings back the largest share; null where none is measured.
const inside::PatchedPath* strongest_path(const InsidePicture& now) {
    if (!now.paths || now.paths->paths.empty()) return nullptr;
    return &*std::ranges::max_element(now.paths->paths, {}, &inside::PatchedPath::recovered);
}

std::string patching_words(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const std::string what = answers_alike(now)
                                 ? fmt::format("its logit's change ({})", logit_change(now))
                                 : "the answer";
    const auto& asked = now.asked_paths;
    switch (now.patch) {
    case PatchBy::stream:
        return fmt::format("Share of {} that one {}layer's stream at one token brings back", what,
                           stack_prefix(s, now.patched_stack));
    case PatchBy::heads:
        return fmt::format("Share of {} that one head at every token brings back", what);
    case PatchBy::paths: break;
    }
    const inside::PatchedPath* most = strongest_path(now);
    if (most && !(most->recovered >= kNothingBack)) {
        return fmt::format("No {}head of layer {} brings any of {} back through one of layer {}",
                           stack_prefix(s, asked.stack), asked.from + 1, what, asked.to + 1);
    }
    return fmt::format("Share of {} that {}heads of layer {} bring back through heads of layer {}",
                       what, stack_prefix(s, asked.stack), asked.from + 1, asked.to + 1);
}

/// The last letters of a sentence up to a change, or the first behind it, from a whole word on
/// where words have spaces.
std::string ending_of(const std::string& words, std::size_t most) {
    const std::u32string letters = tokenizers::to_characters(words);
    if (letters.size() <= most + 2) return words;
    std::u32string kept = letters.substr(letters.size() - most);
    const auto space = kept.find(U' ');
    if (space != kept.npos && space + 1 < kept.size()) kept = kept.substr(space + 1);
    return "… " + tokenizers::to_utf8(kept);
}
std::string beginning_of(const std::string& words, std::size_t most) {
    const std::u32string letters = tokenizers::to_characters(words);
    if (letters.size() <= most + 2) return words;
    std::u32string kept = letters.substr(0, most);
    const auto space = kept.rfind(U' ');
    if (space != kept.npos && space > 0) kept = kept.substr(0, space);
    return tokenizers::to_utf8(kept) + " …";
}

/// "the [cat → dog] sat", with a space between the brackets and a word.
std::string marked_change(const std::string& before, const std::string& own,
                          const std::string& other, const std::string& behind) {
    const bool word_behind =
        !behind.empty() && tokenizers::is_word(tokenizers::to_characters(behind).front());
    return fmt::format("{}{}[{} → {}]{}{}", before,
                       before.empty() || before.ends_with(' ') ? "" : " ", own, other,
                       word_behind ? " " : "", behind);
}

/// "a b c": letters that are tokens, without marks that nobody typed.
std::string spaced_out(const std::vector<text::Token>& tokens, std::size_t from, std::size_t to) {
    std::string words;
    for (std::size_t i = from; i < to; ++i) {
        if (tokens[i].begin == tokens[i].end) continue;
        words += (words.empty() ? "" : " ") + tokens[i].text;
    }
    return words;
}

} // namespace

void add_patching(const Snapshot& s, figure::InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    data.patching_card = {card_title(s), patching_words(s), {}};
    data.patching_card.short_title = "Put one activation into the other run";
    if (answers_alike(now)) { // first, so that it is never cut
        data.patching_card.subtitle =
            fmt::format("Both sentences give “{}”. {}",
                        inside_word(*s.run->model, now.corrupted.says), patching_words(s));
    }
    if (const auto left = tokens_left_out(s)) {
        data.patching_card.subtitle +=
            fmt::format(" · {} tokens of this long sentence are left out", *left);
    }
    data.patching_card.missing =
        now.readout.recurrent || s.run->model->traits().reads_pictures; // of one sentence, or none
    std::string& instead = data.patching_card.instead;
    if (now.other_error) {
        instead = inside_refusal(*now.other_error);
    } else if (!now.other_read) {
        instead = not_yet_words(s);
    } else if (!now.other) {
        instead = "Needs another sentence of as many tokens, on the right";
    } else if (now.patch == PatchBy::paths) {
        add_paths(s, data.patching);
    } else if (now.patch == PatchBy::heads) {
        add_patched_heads(s, data.patching);
    } else {
        add_patched_tokens(s, data.patching);
    }
}

std::string inside_refusal(const base::Error& error) {
    if (error.subject == "model") return "This model " + error.message;
    if (error.subject == "other") return "The other sentence " + error.message;
    if (error.subject == "run" && !error.message.empty()) {
        std::string words = error.message;
        words[0] = static_cast<char>(std::toupper(words[0]));
        return words;
    }
    return base::describe(error);
}

std::string logit_change(const InsidePicture& now) {
    const float change = now.corrupted.logit - now.answer.logit;
    const bool tiny = std::abs(change) < 0.005f; // no number with two decimals
    return tiny ? lab::digits_text(static_cast<double>(change), 1) : figure::number_text(change, 2);
}

bool answers_alike(const InsidePicture& now) {
    const bool measured = !now.patched.empty() || now.paths;
    return measured && !now.question.against && now.corrupted.says == now.answer.says;
}

namespace {

/// A place of the stream from one layer to another, from 0.
struct PlaceOfAnswer {
    int token = 0, first = 0, last = 0;
};

/// Where the stream brings back at least half of the answer, layer by layer; empty where there is a
/// layer that has no such place.
std::vector<PlaceOfAnswer> places_of_answer(const InsidePicture& now, int layers) {
    constexpr float kHalf = 0.5f;
    std::vector<PlaceOfAnswer> places;
    for (int layer = 0; layer < layers; ++layer) {
        const inside::Patched* most = nullptr;
        for (const inside::Patched& at : now.patched) {
            if (at.patch.layer != layer || !at.patch.token || !(at.recovered >= kHalf)) continue;
            if (!most || at.recovered > most->recovered) most = &at;
        }
        if (!most) return {};
        const int token = static_cast<int>(*most->patch.token);
        if (places.empty() || places.back().token != token) places.push_back({token, layer, layer});
        places.back().last = layer;
    }
    return places;
}

/// "“t” up to layer 1".
std::string place_words(const Snapshot& s, const PlaceOfAnswer& place, int layers) {
    const auto& tokens = s.run->trace.queries(s.inside->patched_stack);
    const std::string& text = tokens[static_cast<std::size_t>(place.token)].text;
    std::string words = "“" + text + "”";
    if (std::ranges::count(tokens, text, &text::Token::text) > 1) {
        words += fmt::format(" (token {})", place.token + 1);
    }
    const int first = place.first + 1, last = place.last + 1;
    if (first == 1)
        return words + (last == layers ? " in every layer" : fmt::format(" up to layer {}", last));
    if (last == layers) return words + fmt::format(" from layer {} on", first);
    return words + (first == last ? fmt::format(" in layer {}", first)
                                  : fmt::format(" in layers {} to {}", first, last));
}

/// Of heads, the one that brings back most.
std::string heads_reading(const Snapshot& s) {
    const inside::Patched* most = nullptr;
    for (const inside::Patched& at : s.inside->patched) {
        if (at.recovered > 0 && (!most || at.recovered > most->recovered)) most = &at;
    }
    if (!most) return "No head by itself brings any of the answer back.";
    const PartId id{PartId::Kind::head, most->patch.module, most->patch.layer, most->patch.head};
    if (s.inside->patched.size() == 1) {
        return fmt::format("Its one head brings back {} of the answer.",
                           figure::number_text(most->recovered, 2));
    }
    return fmt::format("Of the heads, {} brings back the largest share of the answer, {}.",
                       inside::name(id, s.run->model->traits()),
                       figure::number_text(most->recovered, 2));
}

/// Of paths, the one that brings back most.
std::string paths_reading(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const inside::PatchedPath* most = strongest_path(now);
    if (!most) return {};
    if (!(most->recovered >= kNothingBack)) {
        return "No path between heads of these layers brings any of the answer back.";
    }
    return fmt::format("Of the paths, that of {} through {} brings back the largest share of "
                       "the answer, {}.",
                       path_head(s, now.asked_paths.from, most->from),
                       trace::head_number(now.asked_paths.to, most->to),
                       figure::number_text(most->recovered, 2));
}

} // namespace

std::string patching_reading(const Snapshot& s) {
    constexpr std::size_t kMostPlaces = 4;
    const InsidePicture& now = *s.inside;
    if (!now.other || now.other_error || answers_alike(now)) return {};
    if (now.patch == PatchBy::paths) return paths_reading(s);
    if (now.patches.empty() || now.patched.size() < now.patches.size()) return {};
    if (now.patch == PatchBy::heads) return heads_reading(s);
    const int layers = s.run->model->traits().layers(now.patched_stack);
    std::vector<std::string> words;
    for (const PlaceOfAnswer& place : places_of_answer(now, layers)) {
        words.push_back(place_words(s, place, layers));
    }
    if (words.empty()) {
        return fmt::format("In some layers no token {}by itself brings back half of the answer.",
                           tokens_left_out(s) ? "that was tried " : "");
    }
    if (words.size() > kMostPlaces) {
        return "The token that brings the answer back changes from layer to layer.";
    }
    return fmt::format("Put into the other run, the stream brings the answer back at {}.",
                       fmt::join(words, ", at "));
}

std::string other_words(const Snapshot& s) {
    constexpr std::size_t kBefore = 18, kBehind = 10; // letters
    const InsidePicture& now = *s.inside;
    if (!now.other) return now.other_text;
    const models::Traits& traits = s.run->model->traits();
    const std::string& own = first_sentence(s.document, traits);
    const bool target = &own == &s.document.target;
    const auto& tokens = target ? s.run->input.target : s.run->input.source;
    const auto& others = target ? now.other->input.target : now.other->input.source;
    const auto differs = [&](std::size_t i) { return tokens[i].text != others[i].text; };
    const std::size_t count = std::min(tokens.size(), others.size());
    std::size_t first = 0, last = count;
    while (first < count && !differs(first)) ++first;
    while (last > first && !differs(last - 1)) --last;
    if (first < last && std::string_view(unit_of(*s.run)) == "character") {
        const std::string behind = spaced_out(others, last, count);
        const std::string before = spaced_out(others, 0, first);
        return marked_change(ending_of(before, kBefore), spaced_out(tokens, first, last),
                             spaced_out(others, first, last), beginning_of(behind, kBehind));
    }
    if (first == last || others[last - 1].end > now.other_text.size() ||
        tokens[last - 1].end > own.size()) {
        return now.other_text;
    }
    const auto between = [](const std::string& text, std::size_t from, std::size_t to) {
        while (from < to && text[from] == ' ') ++from;
        return text.substr(from, to - from);
    };
    const std::size_t begin = others[first].begin, end = others[last - 1].end;
    return marked_change(ending_of(now.other_text.substr(0, begin), kBefore),
                         between(own, tokens[first].begin, tokens[last - 1].end),
                         between(now.other_text, begin, end),
                         beginning_of(now.other_text.substr(end), kBehind));
}

namespace {

std::string came_back(const Snapshot& s, const std::string& place, float recovered,
                      const inside::Answer& answer) {
    return fmt::format("{}: {} of the answer comes back\nthe other run then says “{}” ({})", place,
                       figure::number_text(recovered, 2), inside_word(*s.run->model, answer.says),
                       figure::probability_text(static_cast<double>(answer.says_probability)));
}

std::string path_words(const Snapshot& s, int from, int to) {
    const InsidePicture& now = *s.inside;
    if (!now.paths) return {};
    for (const inside::PatchedPath& path : now.paths->paths) {
        if (path.from != from || path.to != to) continue;
        return came_back(s,
                         fmt::format("{} through {}", path_head(s, now.asked_paths.from, from),
                                     trace::head_number(now.asked_paths.to, to)),
                         path.recovered, path.answer);
    }
    return {};
}

} // namespace

int patched_token(const Snapshot& s, int column) {
    const auto shown = columns_shown(s);
    return column >= 0 && column < std::ssize(shown) ? shown[static_cast<std::size_t>(column)] : -1;
}

std::string patch_words(const Snapshot& s, int row, int column) {
    if (!s.inside || s.inside->error) return {};
    const PatchBy by = s.inside->patch;
    if (by == PatchBy::paths) return path_words(s, row, column);
    const bool heads = by == PatchBy::heads;
    if (!heads) column = patched_token(s, column);
    for (const inside::Patched& at : s.inside->patched) {
        const bool here = heads ? at.patch.module == inside_kind(s) && at.patch.head == column
                                : at.patch.token == column;
        if (!here || at.patch.layer != row) continue;
        const std::string place =
            heads ? inside::name({PartId::Kind::head, at.patch.module, row, column},
                                 s.run->model->traits())
                  : fmt::format("layer {}, token {}", row + 1, column + 1);
        if (heads && is_off(*s.run, {at.patch.module, row, column}))
            return fmt::format("{} {}", place, kOffAlready);
        return came_back(s, place, at.recovered, at.answer);
    }
    return {};
}

} // namespace heed::app
