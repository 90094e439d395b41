#include "train/loop/evaluation.hpp"

#include "models/model/likeliest.hpp"
#include "models/model/sides.hpp"
#include "train/data/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::train {

namespace {

using models::Run;
using RunResult = base::Result<std::shared_ptr<const Run>>;

std::vector<text::Token> tokens_of(const std::vector<std::string>& words) {
    std::vector<text::Token> tokens;
    for (const std::string& word : words) tokens.push_back({word, 0, 0});
    return tokens;
}

/// Manner in which a model answers.
enum class Manner {
    word_by_word, // by a decoder
    at_once,      // a word at each of the source's, or one of the whole
    by_class,
};
Manner manner_of(const models::Traits& traits) {
    if (traits.classifies()) return Manner::by_class;
    return traits.decodes ? Manner::word_by_word : Manner::at_once;
}

/// Probabilities of a run that said all words at once.
std::shared_ptr<const trace::Tensor> said_at_once(const Run& run) {
    auto p = run.trace.tensor("readout.probabilities");
    return p ? p : run.trace.tensor("encoder.probabilities");
}

double surprise(const num::Matrix<float>& p, Index row, Index wanted) {
    return -std::log(std::max(static_cast<double>(p(row, wanted)), 1e-300));
}

/// Words that were said, without ⟨start⟩ and ⟨end⟩.
std::vector<std::string> said_words(const Run& run) {
    std::vector<std::string> words;
    const auto& tokens = run.trace.target;
    for (auto i = static_cast<std::size_t>(models::leading_source(run)); i < tokens.size(); ++i) {
        const std::size_t row = run.model->words()->row(tokens[i].text);
        if (row != text::Vocabulary::kStart && row != text::Vocabulary::kEnd) {
            words.push_back(tokens[i].text);
        }
    }
    return words;
}

/// Outcome of one sentence.
struct Outcome {
    Answer answer;
    std::vector<std::string> said;
    std::vector<Aligned> heads; // of all heads that align, layer after layer
    double loss = 0;            // summed
    std::size_t tokens = 0;
    std::optional<base::Error> error;
};

class Judge {
  public:
    Judge(std::shared_ptr<const models::Model> model, const Dataset& dataset,
          std::span<const Example> examples)
        : model_(std::move(model)), dataset_(dataset), examples_(examples) {}

    Outcome judge(std::size_t at, bool speaks) const {
        Outcome outcome;
        num::ThreadPool alone(1);
        const Pair& pair = dataset_.pairs[at];
        const RunResult forced = run_pair(alone, model_, pair);
        if (!forced) {
            outcome.error = forced.error();
            return outcome;
        }
        switch (manner_of(model_->traits())) {
        case Manner::word_by_word: judge_decoder(alone, **forced, at, speaks, outcome); break;
        case Manner::at_once: read_at_once(**forced, examples_[at].target, outcome); break;
        case Manner::by_class: classify(**forced, pair, outcome); break;
        }
        return outcome;
    }

  private:
    void judge_decoder(num::ThreadPool& pool, const Run& forced, std::size_t at, bool speaks,
                       Outcome& outcome) const {
        const Pair& pair = dataset_.pairs[at];
        if (read(forced, examples_[at].target, outcome)) {
            outcome.said = pair.target;
            outcome.answer.said = outcome.answer.forced;
        } else if (speaks) {
            if (auto ok = speak(pool, pair, outcome); !ok) outcome.error = ok.error();
        }
        align(forced, outcome);
    }

    void read_at_once(const Run& run, const WordRows& target, Outcome& outcome) const {
        const auto p = said_at_once(run);
        for (Index row = 0; row < p->values.rows(); ++row) {
            const Index best = models::likeliest(*model_->words(), p->values.row(row));
            outcome.answer.said.push_back(best);
            outcome.said.push_back(model_->vocabulary_word(best));
        }
        const std::size_t n = std::min(target.size(), outcome.said.size());
        for (std::size_t i = 0; i < n; ++i) {
            outcome.loss += surprise(p->values, static_cast<Index>(i), target[i]);
        }
        outcome.tokens = n;
        outcome.answer.forced = outcome.answer.said;
    }

    void classify(const Run& run, const Pair& pair, Outcome& outcome) const {
        const auto& classes = model_->classes();
        const auto p = run.trace.tensor("class_probabilities");
        Index best = 0;
        p->values.row(0).maxCoeff(&best);
        const std::string& wanted = dataset_.classes[static_cast<std::size_t>(pair.label)];
        const auto found = std::find(classes.begin(), classes.end(), wanted);
        outcome.loss = surprise(p->values, 0, found - classes.begin());
        outcome.tokens = 1;
        outcome.said = {classes[static_cast<std::size_t>(best)]};
        outcome.answer.said = {model_->vocabulary_row(outcome.said[0])};
        outcome.answer.forced = outcome.answer.said;
    }

    /// True where every word, ⟨end⟩ too, is the most probable one.
    bool read(const Run& run, const WordRows& target, Outcome& outcome) const {
        const auto p = run.trace.tensor("decoder.probabilities");
        bool all = true;
        for (std::size_t i = 0; i <= target.size(); ++i) {
            const Index row = models::first_saying_row(run) + static_cast<Index>(i);
            const bool end = i == target.size();
            const Index wanted = end ? static_cast<Index>(text::Vocabulary::kEnd) : target[i];
            const Index best = models::likeliest(*model_->words(), p->values.row(row));
            outcome.loss += surprise(p->values, row, wanted);
            ++outcome.tokens;
            if (!end) outcome.answer.forced.push_back(best);
            all = all && best == wanted;
        }
        return all;
    }

    base::Result<void> speak(num::ThreadPool& pool, const Pair& pair, Outcome& outcome) const {
        models::Input input;
        input.source = tokens_of(pair.source);
        input.decoding.rule = models::Decoding::Rule::greedy;
        input.decoding.limit = static_cast<int>(2 * pair.target.size() + 8);
        const RunResult free = models::run(model_, input, {}, pool);
        if (!free) return tl::make_unexpected(free.error());
        outcome.said = said_words(**free);
        for (const std::string& word : outcome.said) {
            outcome.answer.said.push_back(model_->vocabulary_row(word));
        }
        return {};
    }

    void align(const Run& run, Outcome& outcome) const {
        const auto kind = model_->traits().aligning_attention();
        if (!kind) return;
        for (int layer = 0; layer < run.trace.n_layers(*kind); ++layer) {
            for (int head = 0; head < run.trace.n_heads(*kind); ++head) {
                const auto map = run.trace.map({*kind, layer, head});
                num::Rect part = aligning_part(run, *map);
                part.rows = std::ssize(outcome.answer.forced); // without ⟨end⟩
                const Matrix<float> weights = map->rectangle(trace::Stage::weights, part);
                outcome.heads.push_back(strongest(num::view(weights)));
            }
        }
    }

    template <class T> using Matrix = num::Matrix<T>;
    std::shared_ptr<const models::Model> model_;
    const Dataset& dataset_;
    std::span<const Example> examples_; // in the model's words
};

/// −1 where what was said is none of the classes.
int label_of(const Dataset& dataset, const std::vector<std::string>& said) {
    const auto found = std::find(dataset.classes.begin(), dataset.classes.end(), joined(said));
    return found == dataset.classes.end() ? -1 : static_cast<int>(found - dataset.classes.begin());
}

/// Checks that this model can be judged by this dataset.
base::Result<void> check(const models::Model& model, const Dataset& dataset) {
    const auto refuse = [](std::string why) {
        return base::fail(base::ErrorKind::unsupported, "model", std::move(why));
    };
    if (!model.words()) {
        return refuse("says no words: nothing of it can be judged");
    }
    if (!model.traits().classifies()) return {};
    for (const std::string& name : dataset.classes) {
        const auto& classes = model.classes();
        if (std::find(classes.begin(), classes.end(), name) != classes.end()) continue;
        return refuse(fmt::format("is a classifier that has no class '{:.40}'", name));
    }
    if (!dataset.classes.empty()) return {};
    return refuse("is a classifier, but this task's sentences have no labels");
}

/// The head with the smallest alignment error; its alignments become the answers'.
std::optional<trace::HeadId> best_head(const models::Traits& traits,
                                       std::span<const Example> examples,
                                       const std::vector<Outcome>& outcomes,
                                       std::vector<Answer>& answers) {
    const auto kind = traits.aligning_attention();
    if (!kind || outcomes.empty()) return std::nullopt;
    std::vector<GoldLinks> gold;
    for (const Example& example : examples) gold.push_back(example.gold);
    std::optional<double> least;
    std::size_t best = 0;
    for (std::size_t h = 0; h < outcomes[0].heads.size(); ++h) {
        std::vector<Aligned> aligned;
        for (const Outcome& outcome : outcomes) aligned.push_back(outcome.heads[h]);
        const auto error = alignment_error_rate(aligned, gold);
        if (error && (!least || *error < *least)) {
            least = error;
            best = h;
        }
    }
    if (!least) return std::nullopt;
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i].aligned = outcomes[i].heads[best];
    const int heads = traits.n_heads;
    return trace::HeadId{*kind, static_cast<int>(best) / heads, static_cast<int>(best) % heads};
}

} // namespace

RunResult run_pair(num::ThreadPool& pool, std::shared_ptr<const models::Model> model,
                   const Pair& pair) {
    models::Input input;
    input.source = tokens_of(pair.source);
    input.target = tokens_of(pair.target);
    return models::run(std::move(model), input, {}, pool);
}

base::Result<Evaluation> evaluate(num::ThreadPool& pool, std::shared_ptr<const models::Model> model,
                                  const Dataset& dataset, std::size_t sentences,
                                  const std::stop_token& stop, std::size_t spoken) {
    if (auto ok = check(*model, dataset); !ok) return tl::make_unexpected(ok.error());
    const std::size_t n = std::min(sentences, dataset.pairs.size());
    std::vector<Outcome> outcomes(n);
    const auto examples =
        encode(std::span(dataset.pairs).first(n), *model->words(), *model->words());
    const Judge judge(model, dataset, examples);
    pool.for_each(static_cast<Index>(n), [&](Index i) {
        if (stop.stop_requested()) return;
        const auto at = static_cast<std::size_t>(i);
        outcomes[at] = judge.judge(at, at < spoken);
    });
    if (stop.stop_requested()) {
        return base::fail(base::ErrorKind::cancelled, "evaluation", "stopped");
    }
    Evaluation result;
    std::vector<Answer> answers;
    double loss = 0;
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (outcomes[i].error) return tl::make_unexpected(*outcomes[i].error);
        loss += outcomes[i].loss;
        tokens += outcomes[i].tokens;
        answers.push_back(outcomes[i].answer);
        answers.back().label = label_of(dataset, outcomes[i].said);
        if (i >= spoken) continue;
        result.samples.push_back(
            {i, outcomes[i].said, outcomes[i].said == dataset.pairs[i].target});
    }
    result.aligned_by = best_head(model->traits(), examples, outcomes, answers);
    result.measures = measure(examples, answers, spoken);
    if (!result.aligned_by) result.measures.alignment_error_rate.reset();
    result.measures.loss = loss / static_cast<double>(std::max<std::size_t>(tokens, 1));
    return result;
}

} // namespace heed::train
