#include "app/views/inside_lens.hpp"

#include "app/views/inside_view.hpp"
#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

namespace {

using num::Index;

std::vector<std::string> texts_of(const std::vector<text::Token>& tokens, Index first,
                                  Index count) {
    std::vector<std::string> texts;
    for (Index i = first; i < first + count && i < std::ssize(tokens); ++i) {
        texts.push_back(tokens[static_cast<std::size_t>(i)].text);
    }
    return texts;
}

const inside::LensCell* cell_at(const InsidePicture& now, int layer, Index token) {
    if (!now.lens) return nullptr;
    for (const inside::LensCell& cell : *now.lens) {
        if (cell.place.layer == layer && cell.place.token == token) return &cell;
    }
    return nullptr;
}

std::string asked_word(const Snapshot& s) {
    return "“" + inside_word(*s.run->model, s.inside->question.word) + "”";
}

/// True where a row of the lens says the asked word first, at the asked token.
bool says_it(const InsidePicture& now, int layer) {
    const auto* cell = cell_at(now, layer, now.question.token);
    return cell && !cell->likeliest.empty() && cell->likeliest.front().word == now.question.word;
}

/// Parts of a recurrent readout that say the word by themselves.
std::string reading_of_parts(const Snapshot& s, const std::vector<std::string>& names) {
    const InsidePicture& now = *s.inside;
    if (!now.lens || now.lens->size() < now.lens_cells) return {};
    const std::string word = asked_word(s);
    std::vector<std::string> alone;
    for (int part = 0; part + 1 < std::ssize(names); ++part) {
        if (says_it(now, part)) alone.push_back("the " + names[static_cast<std::size_t>(part)]);
    }
    if (alone.empty()) return fmt::format("No part of the readout says {} by itself.", word);
    return fmt::format("By itself, {} makes the readout say {}.", fmt::join(alone, " or "), word);
}

} // namespace

void add_lens(const Snapshot& s, figure::InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    data.lens_card = {"Logit lens",
                      fmt::format("What the model would say after each {}layer · colour: its "
                                  "probability",
                                  stack_prefix(s, now.readout.stack)),
                      {}};
    if (now.lens_cells == 0) {
        data.lens_card.missing = true; // it predicts one class, and no words at tokens
        return;
    }
    const Index layers = now.readout.layers;
    data.lens.rows = inside::part_names(now.readout);
    if (!data.lens.rows.empty()) {
        data.lens_card.subtitle =
            "What one part alone would say (Heed's extension, no paper) · colour: probability";
    }
    auto grid = std::make_shared<Matrix<float>>(
        Matrix<float>::Constant(layers, now.tokens, std::numeric_limits<float>::quiet_NaN()));
    data.words.resize(static_cast<std::size_t>(layers * now.tokens));
    for (const inside::LensCell& cell : now.lens ? *now.lens : std::vector<inside::LensCell>()) {
        const Index column = cell.place.token - now.first_token;
        if (column < 0 || column >= now.tokens || cell.likeliest.empty()) continue;
        (*grid)(cell.place.layer, column) = cell.likeliest.front().probability;
        data.words[static_cast<std::size_t>(cell.place.layer * now.tokens + column)] =
            inside_word(*s.run->model, cell.likeliest.front().word);
    }
    data.lens.values = std::move(grid);
    data.lens.columns =
        texts_of(s.run->trace.queries(now.readout.stack), now.first_token, now.tokens);
    data.lens.col = static_cast<int>(now.question.token - now.first_token);
    data.lens.row = static_cast<int>(layers) - 1;
    const bool sees_all = now.readout.stack == trace::AttentionKind::encoder_self;
    data.lens_first = now.first_token;
    data.lens_tokens =
        sees_all ? inside::askable_tokens(*s.run, now.readout) : now.first_token + now.tokens;
}

std::string lens_reading(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const auto names = inside::part_names(now.readout);
    if (!names.empty()) return reading_of_parts(s, names);
    int first = -1; // the first layer from which on every layer says it
    for (int layer = now.readout.layers - 1; layer >= 0 && says_it(now, layer); --layer) {
        first = layer;
    }
    if (first < 0) return {};
    return fmt::format("From layer {} on the model says {}. ", first + 1, asked_word(s));
}

std::string lens_words(const Snapshot& s, int layer, int column) {
    if (!s.inside || s.inside->error) return {};
    const auto* cell = cell_at(*s.inside, layer, s.inside->first_token + column);
    if (!cell) return {};
    const auto parts = inside::part_names(s.inside->readout);
    std::string words = parts.empty() ? fmt::format("after layer {} the model would say", layer + 1)
                                      : fmt::format("the readout would say of {}",
                                                    parts[static_cast<std::size_t>(layer)]);
    for (const inside::LensWord& word : cell->likeliest) {
        words += fmt::format("\n{}   {}", inside_word(*s.run->model, word.word),
                             figure::percent_text(static_cast<double>(word.probability)));
    }
    return words;
}

} // namespace heed::app
