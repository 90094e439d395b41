#include "app/views/inside_lens.hpp"

#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

namespace {

using num::Index;

std::vector<std::string> texts_of(const std::vector<text::Token>& read,
                                  const std::vector<int>& tokens) {
    std::vector<std::string> texts;
    for (const int token : tokens) {
        if (token < std::ssize(read)) texts.push_back(read[static_cast<std::size_t>(token)].text);
    }
    return texts;
}

std::string asked_word(const Snapshot& s) {
    return "“" + inside_word(*s.run->model, s.inside->question.word) + "”";
}

/// True where a row of the lens says the asked word first, at the asked token.
bool says_it(const InsidePicture& now, int layer) {
    const auto* cell = now.lens_cell(layer, now.question.token);
    return cell && cell->likeliest.front().word == now.question.word;
}

/// Parts of a recurrent readout that say the word by themselves.
std::string reading_of_parts(const Snapshot& s, const std::vector<std::string>& names) {
    const InsidePicture& now = *s.inside;
    if (!now.complete()) return {};
    const std::string word = asked_word(s);
    std::vector<std::string> alone;
    for (int part = 0; part + 1 < std::ssize(names); ++part) {
        if (says_it(now, part)) alone.push_back("the " + names[static_cast<std::size_t>(part)]);
    }
    if (alone.empty()) return fmt::format("No part of the readout says {} by itself.", word);
    return fmt::format("By itself, {} makes the readout say {}.", fmt::join(alone, " or "), word);
}

/// What every layer says at some tokens, and how probable it is.
struct LensWords {
    std::shared_ptr<const Matrix<float>> probabilities; // layers × tokens
    std::vector<std::string> tokens, words;             // words of the cells, row by row
    bool shared = false; // some cell holds a row that unknown words share, which is never said
};

LensWords words_at(const Snapshot& s, const std::vector<int>& tokens) {
    const InsidePicture& now = *s.inside;
    const Index layers = now.readout.layers, count = std::ssize(tokens);
    auto grid = std::make_shared<Matrix<float>>(
        Matrix<float>::Constant(layers, count, std::numeric_limits<float>::quiet_NaN()));
    LensWords at{grid, texts_of(s.run->trace.queries(now.readout.stack), tokens), {}, false};
    at.words.resize(static_cast<std::size_t>(layers * count));
    const text::Vocabulary* known = s.run->model->words();
    for (int layer = 0; layer < now.readout.layers; ++layer) {
        for (Index column = 0; column < count; ++column) {
            const auto* cell = now.lens_cell(layer, tokens[static_cast<std::size_t>(column)]);
            if (!cell) continue;
            (*grid)(layer, column) = cell->likeliest.front().probability;
            const Index row = cell->likeliest.front().word;
            at.words[static_cast<std::size_t>(layer * count + column)] =
                candidate_name(*s.run->model, row);
            at.shared |= known && !known->can_be_said(static_cast<std::size_t>(row));
        }
    }
    return at;
}

/// Rows of a recurrent lens; of a model of characters "word before" is one of them too.
std::vector<std::string> part_names(const Snapshot& s) {
    auto names = inside::part_names(s.inside->readout);
    const std::string unit = unit_of(*s.run, s.run->input.target);
    for (std::string& name : names) {
        if (name == "word before") name = unit + " before";
    }
    return names;
}

} // namespace

namespace {

/// Those of the tokens from `first` up to `end` that are not hidden, or are asked about.
std::vector<int> shown_tokens(const Snapshot& s, Index first, Index end) {
    const auto hidden = hidden_queries(s.units.get(), s.inside->readout.stack);
    std::vector<int> tokens;
    for (Index token = first; token < end; ++token) {
        const bool shown = !std::ranges::binary_search(hidden, static_cast<int>(token));
        if (shown || token == s.inside->question.token) tokens.push_back(static_cast<int>(token));
    }
    return tokens;
}

} // namespace

void add_lens(const Snapshot& s, figure::InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    data.lens_card = {
        "Logit lens",
        fmt::format("What it would say {} after each {}layer · colour: its "
                    "probability",
                    now.readout.stack == trace::AttentionKind::decoder_self ? "next" : "there",
                    stack_prefix(s, now.readout.stack)),
        {}};
    if (now.lens_tokens == 0) {
        data.lens_card.missing = true; // it predicts one class, and no words at tokens
        return;
    }
    data.lens.rows = part_names(s);
    if (!data.lens.rows.empty()) {
        data.lens_card.subtitle =
            "What each part of the readout alone, and all together, would say (Heed's extension, "
            "no paper) · colour: probability";
    }
    const std::vector<int> tokens = lens_tokens(s);
    auto shown = words_at(s, tokens);
    if (shown.shared) data.lens_card.subtitle += " · ⟨other⟩: unknown words, never said";
    data.lens.values = std::move(shown.probabilities);
    data.lens.columns = std::move(shown.tokens);
    data.lens.corner = now.readout.recurrent ? "says" : "reads";
    data.words = std::move(shown.words);
    data.lens.col = lens_column(s);
    data.lens.row = now.readout.layers - 1;
    data.lens_first = std::ssize(shown_tokens(s, 0, now.first_token));
    data.lens_tokens = std::ssize(shown_tokens(s, 0, now.lens_tokens));
    if (data.lens_tokens < now.lens_tokens) {
        data.lens_card.subtitle += " · without special tokens";
    }
}

files::Table lens_table(const Snapshot& s) {
    std::vector<int> tokens(static_cast<std::size_t>(s.inside->lens_tokens));
    std::iota(tokens.begin(), tokens.end(), 0);
    auto all = words_at(s, tokens);
    auto rows = part_names(s);
    for (int layer = 1; layer <= s.inside->readout.layers && std::ssize(rows) < layer; ++layer) {
        rows.push_back(fmt::format("{}layer {}", stack_prefix(s, s.inside->readout.stack), layer));
    }
    return {"lens",
            std::move(rows),
            std::move(all.tokens),
            std::move(all.probabilities),
            std::move(all.words),
            "probability of the most probable word, which stands below"};
}

std::string lens_reading(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const auto names = part_names(s);
    if (!names.empty()) return reading_of_parts(s, names);
    int first = -1; // the first layer from which on every layer says it
    for (int layer = now.readout.layers - 1; layer >= 0 && says_it(now, layer); --layer) {
        first = layer;
    }
    if (first < 0) return {};
    const bool last = first > 0 && first + 1 == now.readout.layers;
    return last ? fmt::format("The model says {} only after its last layer. ", asked_word(s))
                : fmt::format("From layer {} on the model says {}. ", first + 1, asked_word(s));
}

std::vector<int> lens_tokens(const Snapshot& s) {
    return shown_tokens(s, s.inside->first_token, s.inside->first_token + s.inside->tokens);
}

int lens_column(const Snapshot& s) {
    const std::vector<int> tokens = lens_tokens(s);
    const auto asked = static_cast<int>(s.inside->question.token);
    return static_cast<int>(std::ranges::lower_bound(tokens, asked) - tokens.begin());
}

std::string lens_words(const Snapshot& s, int layer, int column) {
    if (!s.inside || s.inside->error) return {};
    const auto tokens = lens_tokens(s);
    if (column < 0 || column >= std::ssize(tokens)) return {};
    const auto* cell = s.inside->lens_cell(layer, tokens[static_cast<std::size_t>(column)]);
    if (!cell) return {};
    const auto parts = part_names(s);
    std::string words = parts.empty() ? fmt::format("after layer {} the model would say", layer + 1)
                                      : fmt::format("the readout would say of {}",
                                                    parts[static_cast<std::size_t>(layer)]);
    for (const inside::LensWord& word : cell->likeliest) {
        words += fmt::format("\n{}   {}", candidate_name(*s.run->model, word.word),
                             figure::probability_text(static_cast<double>(word.probability)));
    }
    return words;
}

std::string asked_where(const Snapshot& s) {
    const num::Index token = s.inside->question.token;
    const inside::Readout& readout = s.inside->readout;
    const models::Traits& traits = s.run->model->traits();
    if (traits.output == models::Output::one_word) return "of the whole sentence";
    if (readout.recurrent && traits.decodes && token > 0)
        return "after " + quoted_token(s.run->trace.target, token - 1);
    if (readout.recurrent) return fmt::format("at {} {}", unit_said(*s.run), token + 1);
    const bool says_next = readout.stack == trace::AttentionKind::decoder_self;
    return (says_next ? "after " : "at ") +
           quoted_token(s.run->trace.queries(readout.stack), token);
}

std::string inside_word(const models::Model& model, Index row) {
    const std::string word = model.answer(row);
    return word.empty() ? fmt::format("no. {}", row) : word;
}

std::string kind_of_heads(const models::Traits& traits, trace::AttentionKind kind) {
    const std::string name = inside::name({inside::PartId::Kind::head, kind, 0, 0}, traits);
    return name.substr(0, name.rfind(' '));
}

std::string replacing_words(inside::Instead instead, const std::string& part) {
    using enum inside::Instead;
    return instead == zero   ? "setting " + part + " to zero"
           : instead == mean ? "setting " + part + " to its mean"
                             : "taking " + part + " from the other sentence";
}

std::string stack_prefix(const Snapshot& s, trace::AttentionKind kind) {
    const models::Traits& traits = s.run->model->traits();
    if (!traits.encodes || !traits.decodes) return {};
    return kind == trace::AttentionKind::encoder_self ? "encoder " : "decoder ";
}

std::string kind_of_parts(const models::Traits& traits, trace::AttentionKind kind, bool networks) {
    if (!traits.encodes || !traits.decodes) return "part";
    return kind_of_heads(traits, kind) + (networks ? " or feed-forward layer" : "");
}

} // namespace heed::app
