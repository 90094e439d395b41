#include "app/engine/speech.hpp"

#include "app/document/prepare_input.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/pictures.hpp"
#include "base/utf8.hpp"
#include "inside/readout.hpp"
#include "models/model/likeliest.hpp"
#include "models/model/sides.hpp"
#include "nn/attention/score_info.hpp"
#include "num/softmax.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace heed::app {

using num::Index;

std::string candidate_name(const models::Model& model, Index row) {
    const std::string name = model.candidate(row);
    return name.empty() ? fmt::format("no. {}", row) : name;
}

std::string hypothesis_name(int hypothesis) { return fmt::format("hypothesis {}", hypothesis + 1); }

std::string hypothesis_words(const models::Run& run) {
    const auto& beam = run.trace.beam;
    return beam && beam->followed > 0 ? ", " + hypothesis_name(beam->followed) : "";
}

std::string not_followed_words(const models::Model& model) {
    const models::TextToIds* ids = model.text_to_ids();
    if (!ids || ids->generation.ignored.empty()) return {};
    return fmt::format("{} of the model's file: not followed",
                       fmt::join(ids->generation.ignored, ", "));
}

namespace {

/// The likeliest of these probabilities, one a row of the vocabulary, and the word that was said,
/// which its row, `said`, is named by where that is one of a model's words.
SpokenStep step_of(const models::Model& model, const num::RowVector<float>& p, Index said,
                   std::string word) {
    const text::Vocabulary* words = model.words();
    SpokenStep step;
    step.rest = 1;
    for (const Index row : likeliest_rows(p, kLikeliest)) {
        const bool can = row == said || !words || words->can_be_said(static_cast<std::size_t>(row));
        const bool named = row == said && !model.text_to_ids();
        step.likeliest.push_back({named ? word : candidate_name(model, row), p(row), can, row});
        step.rest -= p(row);
    }
    const bool all = std::ssize(step.likeliest) == p.size();
    step.rest = all ? 0 : std::max(step.rest, 0.f); // all: no rounding
    step.said = {std::move(word), p(said), true, said};
    return step;
}

} // namespace

std::shared_ptr<const std::vector<SpokenStep>> spoken_steps(const models::Run& run) {
    const models::Model& model = *run.model;
    auto table = run.trace.tensor("decoder.probabilities");
    if (!table) table = run.trace.tensor("readout.probabilities");
    if (!model.traits().is_stepwise() || !table) return nullptr;
    const Matrix<float>& p = table->values;
    std::vector<SpokenStep> steps(static_cast<std::size_t>(p.rows()));
    for (Index i = 0; i < p.rows(); ++i) {
        const std::string& said = run.trace.target[static_cast<std::size_t>(i)].text;
        steps[static_cast<std::size_t>(i)] =
            step_of(model, p.row(i), model.vocabulary_row(said), said);
    }
    return std::make_shared<const std::vector<SpokenStep>>(std::move(steps));
}

std::shared_ptr<const SpokenStep> spoken_step(const models::Run& run, Index row,
                                              num::ThreadPool& pool) {
    const auto readout = inside::word_readout_of(run);
    const auto states = run.trace.tensor("decoder_output");
    if (!readout || !states || row < 0 || row >= states->values.rows()) return nullptr;
    const Matrix<float> logits =
        inside::word_logits(*readout, states->values.middleRows(row, 1), pool);
    const num::RowVector<float> p = num::softmax<float>(logits.row(0));
    const models::Model& model = *run.model;
    const auto next = static_cast<std::size_t>(row) + 1;
    if (next < run.trace.target.size() && run.trace.target[next].text != models::kPadToken) {
        const text::Token& said = run.trace.target[next];
        const Index said_row = std::max<Index>(models::row_of(model, said), 0);
        return std::make_shared<const SpokenStep>(step_of(model, p, said_row, said.text));
    }
    const Index best =
        model.words() ? models::likeliest(*model.words(), p) : likeliest_rows(p, 1).front();
    const std::string word = model.answer(best);
    return std::make_shared<const SpokenStep>(
        step_of(model, p, best, word.empty() ? candidate_name(model, best) : word));
}

const SpokenStep* spoken_at(const Snapshot& snapshot, Index step) {
    if (snapshot.spoken && step >= 0 && step < std::ssize(*snapshot.spoken)) {
        return &(*snapshot.spoken)[static_cast<std::size_t>(step)];
    }
    const bool shown = snapshot.step && snapshot.step->step == step;
    return shown ? snapshot.step_says.get() : nullptr;
}

namespace {

/// The row of the vocabulary that a model says next.
Index said_next(const models::Run& run, const num::RowVector<float>& probabilities) {
    if (run.model->words()) return models::likeliest(*run.model->words(), probabilities);
    Index best = 0;
    probabilities_to_draw(run, probabilities).maxCoeff(&best);
    return best;
}

} // namespace

std::shared_ptr<const std::vector<text::Token>> said_at_rows(const models::Run& run,
                                                             const Prediction* prediction) {
    const models::Model& model = *run.model;
    const std::vector<text::Token>& read = run.trace.target;
    const bool says_ids =
        model.text_to_ids() && run.trace.n_layers(trace::AttentionKind::cross) > 0;
    if (model.traits().is_stepwise() || !(model.words() || says_ids) || !prediction ||
        read.empty() || prediction->probabilities.size() != model.vocabulary_size()) {
        return nullptr;
    }
    auto said = std::make_shared<std::vector<text::Token>>(read.begin() + 1, read.end());
    std::size_t last = said->size(); // of the tokens that are no padding
    while (last > 0 && (*said)[last - 1].text == models::kPadToken) --last;
    const Index row = said_next(run, prediction->probabilities);
    text::Token next{model.words() ? model.answer(row) : model.vocabulary_word(row), 0, 0};
    if (next.text.empty()) next.text = std::to_string(row);
    if (model.text_to_ids()) next.row = static_cast<int>(row); // its name may be any text
    said->insert(said->begin() + static_cast<std::ptrdiff_t>(last), std::move(next));
    return said;
}

const std::vector<text::Token>& row_tokens(const models::Run& run, const Focus& focus,
                                           const std::vector<text::Token>* said,
                                           trace::AttentionKind kind) {
    const bool names_said = said && !focus.rows_read && kind == trace::AttentionKind::cross;
    return names_said ? *said : run.trace.queries(kind);
}

const std::vector<text::Token>& row_tokens(const Snapshot& snapshot) {
    return row_tokens(*snapshot.run, snapshot.focus, snapshot.said.get(), snapshot.focus.head.kind);
}

std::shared_ptr<const std::vector<ScoreMap>>
score_gallery(const std::shared_ptr<const models::Run>& run, num::ThreadPool& pool,
              const std::stop_token& stop) {
    const models::Traits& traits = run->model->traits();
    if (!traits.is_stepwise() || !traits.attends()) return nullptr;
    const trace::HeadId head{trace::AttentionKind::cross, 0, 0};
    const models::Input said = models::forced_input(*run); // other words would be other rows
    auto gallery = std::make_shared<std::vector<ScoreMap>>();
    for (const nn::Score score : nn::kScores) {
        models::Controls controls = run->controls;
        const models::Scope scope{head.kind, head.layer, head.head};
        models::HeadControls own = controls.at(scope);
        own.score = score;
        controls.set(scope, own);
        models::RunOptions options;
        options.stop = stop;
        options.previous = run;
        const auto made = models::run(run->model, said, controls, pool, options);
        if (stop.stop_requested()) return nullptr;
        ScoreMap entry{score, nullptr, {}};
        if (made) {
            entry.weights = std::make_shared<const Matrix<float>>(
                (*made)->trace.map(head)->reduced(trace::Stage::weights, kThumbnail, kThumbnail));
        } else {
            entry.error = made.error();
        }
        gallery->push_back(std::move(entry));
    }
    return gallery;
}

namespace {

/// True where a space stands between words, so that they are read as its tokens again: characters
/// need none, words that a model of words says of them do.
bool stand_apart(const std::vector<std::string>& words, text::Segmentation segmentation) {
    const bool characters = std::ranges::all_of(words, [](const std::string& word) {
        return word.empty() || base::decode_utf8(word, 0).length == word.size();
    });
    return segmentation == text::Segmentation::words || !characters;
}

std::string joined(const std::vector<std::string>& words, text::Segmentation segmentation) {
    return fmt::format("{}", fmt::join(words, stand_apart(words, segmentation) ? " " : ""));
}

/// True where the target would be read as just these words.
bool reads_as(const models::Model& model, const Document& document,
              const std::vector<std::string>& words) {
    Document target = document; // the source need not be split for it
    target.source.clear();
    const auto tokens = prepare_input(target, &model).input.target;
    return std::equal(
        tokens.begin(), tokens.end(), words.begin(), words.end(),
        [](const auto& token, const std::string& word) { return token.text == word; });
}

} // namespace

std::optional<Document> forced(Document document, const models::Run& run, int step,
                               const std::string& word) {
    const std::span said(run.trace.target);
    const std::size_t first = run.model->traits().is_stepwise() ? 0 : 1; // behind ⟨start⟩
    std::vector<std::string> words;
    for (std::size_t i = first; i < first + static_cast<std::size_t>(step) && i < said.size(); ++i) {
        words.push_back(said[i].text);
    }
    const bool ends = word == models::kEndToken;
    if (!ends) words.push_back(word);
    document.target = joined(words, document.segmentation);
    if (!reads_as(*run.model, document, words)) return std::nullopt;
    document.decoding.rule = ends ? models::Decoding::Rule::forced : models::Decoding::Rule::greedy;
    return document;
}

namespace {

/// Tokens that a model which reads ids said by itself, behind what it was given.
std::span<const text::Token> said_tokens(const models::Run& run) {
    const std::span tokens(run.trace.target);
    return tokens.subspan(std::min(run.input.target.size(), tokens.size()));
}

std::string decoded(const tokenizers::Tokenizer& tokenizer, std::span<const text::Token> tokens) {
    return models::whole_characters(tokenizer, models::ids_of(tokens));
}

} // namespace

std::vector<std::string> said_words(const models::Run& run) {
    std::vector<std::string> words;
    if (run.model->text_to_ids()) {
        for (const text::Token& token : said_tokens(run)) words.push_back(token.text);
        return words;
    }
    const std::span tokens(run.trace.target);
    for (const text::Token& token :
         tokens.subspan(static_cast<std::size_t>(models::leading_source(run)))) {
        if (!token.text.starts_with("⟨")) words.push_back(token.text);
    }
    return words;
}

std::string said_line(const models::Run& run, text::Segmentation segmentation) {
    const models::TextToIds* ids = run.model->text_to_ids();
    if (ids && ids->tokenizers.target) return decoded(*ids->tokenizers.target, said_tokens(run));
    return joined(said_words(run), segmentation);
}

std::string written_and_said(const models::Run& run, const std::string& written) {
    const tokenizers::Tokenizer& tokenizer = *run.model->text_to_ids()->tokenizers.target;
    const std::string said = decoded(tokenizer, said_tokens(run));
    if (written.empty() || said.empty()) return written + said;
    // Whether a space stands between is known by who reads both.
    const std::string before = decoded(tokenizer, run.input.target);
    const std::string whole = decoded(tokenizer, run.trace.target);
    return written + (whole.starts_with(before) ? whole.substr(before.size()) : " " + said);
}

std::vector<std::string> added_words(const models::Run& run) {
    std::vector<std::string> words = said_words(run);
    if (run.model->text_to_ids()) return words; // which were none of the target's
    const auto given = std::ranges::count_if(
        run.input.target, [](const text::Token& token) { return !token.text.starts_with("⟨"); });
    words.erase(words.begin(), words.begin() + std::min(given, std::ssize(words)));
    return words;
}

std::string added_line(const models::Run& run, text::Segmentation segmentation) {
    if (run.model->text_to_ids()) return said_line(run, segmentation);
    return joined(added_words(run), segmentation);
}

std::string with_added(const models::Run& run, const Document& document) {
    const models::TextToIds* ids = run.model->text_to_ids();
    if (ids && ids->tokenizers.target) return written_and_said(run, document.target);
    const std::vector<std::string> added = added_words(run);
    const bool apart = !document.target.empty() && !document.target.ends_with(' ') &&
                       !added.empty() && stand_apart(added, document.segmentation);
    return document.target + (apart ? " " : "") + joined(added, document.segmentation);
}

} // namespace heed::app
