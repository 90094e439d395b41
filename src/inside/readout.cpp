#include "inside/readout.hpp"

#include "base/check.hpp"
#include "models/recurrent/decoder.hpp"
#include "models/recurrent/readout_parts.hpp"
#include "models/transformer/parameters.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

bool encodes(AttentionKind stack) { return stack == AttentionKind::encoder_self; }

const num::SharedRows<float>& output_of(const models::Run& run, const std::string& layer) {
    const auto& layers = run.trace.layers;
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](const auto& l) { return l->name == layer; });
    HEED_CHECK(found != layers.end(), "the run has no {}", layer);
    return (*found)->tensors.back()->values;
}

std::optional<Index> first_masked(const models::Run& run) {
    const models::TextToIds* ids = run.model->text_to_ids();
    if (!run.model->traits().fills_masks || !ids || !ids->tokenizers.source) return std::nullopt;
    const auto mask = ids->tokenizers.source->named().mask;
    const auto& read = run.trace.source;
    const auto found = std::find_if(read.begin(), read.end(),
                                    [&](const text::Token& t) { return mask && t.row == *mask; });
    if (found == read.end()) return std::nullopt;
    return found - read.begin();
}

/// The last token that an encoder was given and that is not one of its marks, such as [SEP]; the
/// last one where all are marks, and of a decoder, which goes on from it.
Index last_word(const models::Run& run, AttentionKind stack) {
    const Index last = run.trace.attention(stack, 0)->valid_keys - 1;
    const models::TextToIds* ids = run.model->text_to_ids();
    if (!encodes(stack) || !ids || !ids->tokenizers.source) return last;
    const auto& read = run.trace.source;
    for (Index i = last; i >= 0; --i) {
        const int row = read[static_cast<std::size_t>(i)].row;
        if (row < 0 || !ids->tokenizers.source->is_special(row)) return i;
    }
    return last;
}

} // namespace

base::Result<Readout> readout_of(const models::Run& run) {
    const auto refuse = [](const char* text) {
        return fail(ErrorKind::mismatch, "model", std::string(text));
    };
    const models::Traits& traits = run.model->traits();
    if (traits.weights_alone) return refuse("has stored attention only; open a model that runs");
    const models::Transformer* model = models::transformer(*run.model);
    if (!model) return refuse("has no residual stream; open a transformer");
    const models::ModelSpec& spec = model->config();
    const AttentionKind stack =
        has_decoder(spec) ? AttentionKind::decoder_self : AttentionKind::encoder_self;
    const int layers = n_layers(spec, stack);
    if (is_classifier(spec)) return Readout{model, stack, layers, true};
    const bool says = has_decoder(spec) || spec.has_vocabulary || !reads_words(spec);
    if (spec.logits == models::Logits::none || !says) {
        return refuse("predicts no words; open one with a language-model head");
    }
    return Readout{model, stack, layers, false};
}

base::Result<Readout> word_readout_of(const models::Run& run) {
    auto readout = readout_of(run);
    if (readout && readout->classes) {
        return fail(ErrorKind::mismatch, "model",
                    "predicts one class of a sentence; open one that predicts words");
    }
    return readout;
}

base::Result<Readout> any_readout_of(const models::Run& run) {
    const models::Recurrent* model = models::recurrent(*run.model);
    if (!model) return readout_of(run);
    Readout readout;
    readout.recurrent = model;
    readout.layers = static_cast<int>(models::readout_parts(model->config()).size());
    return readout;
}

Index askable_tokens(const models::Run& run, const Readout& readout) {
    if (readout.classes) return 1;
    return readout.recurrent ? models::words_read_from(run)->values.rows()
                             : final_states(run, readout.stack).rows();
}

std::vector<std::string> part_names(const Readout& readout) {
    if (!readout.recurrent || !readout.recurrent->traits().decodes) return {};
    return models::readout_parts(readout.recurrent->config());
}

std::string layer_name(AttentionKind stack, int layer) {
    const char* name = encodes(stack) ? "encoder" : "decoder";
    return layer < 0 ? fmt::format("{}.embedding", name) : fmt::format("{}.layers.{}", name, layer);
}

const num::SharedRows<float>& residual_after(const models::Run& run, AttentionKind stack,
                                             int layer) {
    return output_of(run, layer_name(stack, layer));
}

const num::SharedRows<float>& final_states(const models::Run& run, AttentionKind stack) {
    return output_of(run, encodes(stack) ? "encoder.norm" : "decoder.norm");
}

Matrix<float> normed_states(const Readout& readout, const Matrix<float>& states,
                            num::ThreadPool& pool) {
    const auto& p = readout.model->usual_parameters();
    if (!p.config.norms.last) return states;
    const auto& norm = encodes(readout.stack) ? p.encoder_norm : p.decoder_norm;
    return nn::layer_norm_forward(pool, norm, states).y;
}

Matrix<float> word_logits(const Readout& readout, const Matrix<float>& states,
                          num::ThreadPool& pool) {
    if (readout.recurrent) {
        return models::word_logits(pool, readout.recurrent->parameters(), states);
    }
    return models::word_logits(pool, readout.model->usual_parameters(), states);
}

base::Result<void> check(const Question& question, const models::Run& run) {
    const auto readout = any_readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    const auto outside = [](const char* what, Index value, Index end) {
        return fail(ErrorKind::out_of_range, what,
                    fmt::format("is {}; allowed are 0 to {}", value, end - 1));
    };
    const Index tokens = askable_tokens(run, *readout);
    const Index words =
        readout->classes ? std::ssize(readout->model->classes()) : run.model->vocabulary_size();
    if (question.token < 0 || question.token >= tokens) {
        return outside("token", question.token, tokens);
    }
    if (question.word < 0 || question.word >= words) return outside("word", question.word, words);
    const Index other = question.against.value_or(0);
    if (other < 0 || other >= words) return outside("against", other, words);
    return {};
}

namespace {

/// True of ⟨end⟩ and of a full stop, question or exclamation mark, where a model knows words.
bool ends_sentence(const models::Model& model, Index word) {
    if (!model.words()) return false;
    constexpr std::string_view kMarks[] = {".", "?", "!", "。", "？", "！"};
    return word == static_cast<Index>(text::Vocabulary::kEnd) ||
           std::ranges::find(kMarks, model.vocabulary_word(word)) != std::end(kMarks);
}

} // namespace

base::Result<Question> usual_question(const models::Run& run, num::ThreadPool& pool) {
    const auto readout = any_readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    Question question;
    if (readout->recurrent) {
        question.token = askable_tokens(run, *readout) - 1;
    } else if (!readout->classes) {
        question.token = first_masked(run).value_or(last_word(run, readout->stack));
    }
    const auto say = [&] {
        const auto row = asked_row(run, *readout, question);
        question.word = answers_of(*readout, row, question, pool)[0].says;
    };
    say();
    constexpr int kEndAndMark = 2;
    for (int back = 0; back < kEndAndMark && !readout->classes && question.token > 0 &&
                       ends_sentence(*run.model, question.word);
         ++back) {
        --question.token;
        say();
    }
    return question;
}

std::vector<Answer> answers_of(const Matrix<float>& logits, const Question& question) {
    std::vector<Answer> answers;
    for (Index i = 0; i < logits.rows(); ++i) {
        Answer a;
        const num::RowVector<float> p = num::softmax<float>(logits.row(i));
        a.logit = logits(i, question.word);
        if (question.against) a.logit -= logits(i, *question.against);
        a.probability = p(question.word);
        a.says_probability = p.maxCoeff(&a.says);
        answers.push_back(a);
    }
    return answers;
}

std::vector<Answer> answers_of(const Readout& readout, const Matrix<float>& states,
                               const Question& question, num::ThreadPool& pool) {
    return answers_of(readout.classes ? states : word_logits(readout, states, pool), question);
}

Matrix<float> asked_row(const models::Run& run, const Readout& readout, const Question& question) {
    if (readout.classes) return run.trace.tensor("class_logits")->values;
    if (readout.recurrent) {
        return models::words_read_from(run)->values.middleRows(question.token, 1);
    }
    return final_states(run, readout.stack).middleRows(question.token, 1);
}

} // namespace heed::inside
