// heed inside: what made a model say a word.
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/id_flags.hpp"
#include "app/document/names.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/prepare.hpp"
#include "app/inside/inside_report.hpp"
#include "app/inside/word_row.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Matrix;
using trace::AttentionKind;

namespace {

constexpr const char* kQuestion = "Question";

/// Row of those that a word may mean: the most probable one at the asked token; `form`, its place
/// among them, is kept for a second word, so that both have a space before them or neither.
Result<num::Index> read_asked_word(const models::Model& model, const std::string& word,
                                   const std::string& flag, const Matrix<float>& logits,
                                   std::optional<std::size_t>& form) {
    const auto rows = word_rows(model, word, flag);
    if (!rows) return tl::make_unexpected(rows.error());
    if (rows->size() == 1) return rows->front();
    if (!form) form = logits(0, rows->back()) >= logits(0, rows->front()) ? 1 : 0;
    return (*rows)[*form];
}

} // namespace

Result<inside::Question> read_question(const Given& given, const models::Run& run,
                                       num::ThreadPool& pool) {
    auto question = inside::usual_question(run, pool);
    if (!question) return question;
    const auto readout = inside::any_readout_of(run);
    const auto tokens = inside::askable_tokens(run, *readout);
    int token = static_cast<int>(question->token) + 1;
    if (auto ok = read_integer(given, "--at", 1, tokens, token); !ok) {
        return tl::make_unexpected(ok.error());
    }
    question->token = token - 1;
    const auto row = inside::asked_row(run, *readout, *question);
    const Matrix<float> logits = readout->classes ? row : inside::word_logits(*readout, row, pool);
    logits.row(0).maxCoeff(&question->word);
    std::optional<std::size_t> form;
    for (const char* flag : {"--word", "--against"}) {
        const auto word = given.find(flag);
        if (!word) continue;
        const auto asked = read_asked_word(*run.model, *word, flag, logits, form);
        if (!asked) return tl::make_unexpected(asked.error());
        if (flag == std::string_view("--word")) {
            question->word = *asked;
        } else {
            question->against = *asked;
        }
    }
    return question;
}

bool asks_of_words(const Given& given) {
    return given.has("--word") || given.has("--against") || given.has("--at");
}

Result<void> read_asked(const Given& given, const std::shared_ptr<const models::Model>& model,
                        num::ThreadPool& pool, Document& document) {
    InsideFocus& asked = document.inside;
    asked.other = given.find("--other").value_or("");
    int from = asked.from + 1, to = asked.to + 1;
    auto ok =
        in_turn([&] { return read_word<inside::Instead>(given, "--instead", asked.instead); },
                [&] { return read_word<PatchBy>(given, "--patch", asked.patch); },
                [&] { return read_integer(given, "--from-layer", 1, 9999, from); },
                [&] { return read_integer(given, "--to-layer", 1, 9999, to); });
    if (!ok) return ok;
    asked.from = from - 1;
    asked.to = to - 1;
    if (!asks_of_words(given)) return {};
    const PreparedInput prepared = prepare_input(document, model.get());
    if (prepared.failed) return tl::make_unexpected(*prepared.failed);
    const auto run = models::run(model, prepared.input, document.controls, pool);
    if (!run) return tl::make_unexpected(run.error());
    const auto question = read_question(given, **run, pool);
    if (!question) return tl::make_unexpected(question.error());
    if (given.has("--at")) asked.token = static_cast<int>(question->token);
    if (given.has("--word")) asked.word = static_cast<int>(question->word);
    if (question->against) asked.against = static_cast<int>(*question->against);
    return {};
}

std::vector<Flag> question_flags() {
    return {
        {"--word", "WORD", "the word that is asked about (default the most probable)", kQuestion},
        {"--against", "WORD", "a second word: logits are the first's minus this one's", kQuestion},
        {"--at", "N", "the token at which it is said, from 1 (default the last one)", kQuestion},
        {"--other", "TEXT", "another sentence of as many tokens, of patching and --instead other",
         kQuestion},
        {"--instead", "KIND", "of ablation: zero, mean (over the tokens), other (default mean)",
         kQuestion},
        {"--from-layer", "N", "of paths: the layer of the heads that are heard of, from 1",
         kQuestion},
        {"--to-layer", "N", "of paths: that of the heads that hear of them (default 2)", kQuestion},
    };
}

Flag patch_flag() {
    return {"--patch", "WHAT",
            "what is put into the other sentence's run: " + allowed<PatchBy>() +
                " (default stream)",
            kQuestion};
}

namespace {

constexpr std::size_t kMostOtherTexts = std::size_t{256} << 20;

struct InsidePlan {
    Document document;
    InsideWhat what = InsideWhat::lens;
    inside::Instead instead = inside::Instead::mean;
    int likeliest = 5;
    int from = 1, to = 2; // layers, counted from 1
};

Result<InsidePlan> read_inside_plan(const Given& given) {
    InsidePlan plan;
    const std::string what = given.find("--what").value_or("lens");
    const auto named = inside_what_named(what);
    if (!named) {
        return fail(
            ErrorKind::usage, "--what",
            "'" + what +
                "' is not one of lens, attribution, ablation, patching, paths, gradients, weights");
    }
    plan.what = *named;
    const std::string instead = given.find("--instead").value_or("mean");
    const auto word = inside::instead_named(instead);
    if (!word) {
        return fail(ErrorKind::usage, "--instead",
                    "'" + instead + "' is not one of zero, mean, other");
    }
    plan.instead = *word;
    const bool needs_other =
        plan.what == InsideWhat::patching || plan.what == InsideWhat::paths ||
        (plan.what == InsideWhat::ablation && plan.instead == inside::Instead::other);
    if (needs_other && !given.has("--other")) {
        return fail(ErrorKind::usage, "--other", "is needed: another sentence of as many tokens");
    }
    const auto ok = in_turn([&] { return read_integer(given, "--top", 1, 100, plan.likeliest); },
                            [&] { return read_integer(given, "--from-layer", 1, 9999, plan.from); },
                            [&] { return read_integer(given, "--to-layer", 1, 9999, plan.to); },
                            [&] { return read_model(given, plan.document); },
                            [&] { return read_sentences(given, plan.document); },
                            [&] { return read_controls(given, nullptr, plan.document); });
    if (!ok) return tl::make_unexpected(ok.error());
    return plan;
}

/// The row of --attention, --layer, --head and --query, into the report.
Result<void> read_weights_row(const Given& given, InsideReport& report) {
    if (report.what != InsideWhat::weights) return {};
    const models::Traits& traits = report.run->model->traits();
    const auto readout = inside::readout_of(*report.run);
    if (!readout) return {}; // what is asked says why
    report.head.kind = readout->stack;
    auto ok = read_word<trace::AttentionKind>(given, "--attention", report.head.kind);
    const int layers = traits.layers(report.head.kind);
    if (ok && layers == 0) {
        ok = fail(ErrorKind::out_of_range, "--attention", "is of a kind that this model has not");
    }
    if (!ok) return ok;
    const bool own = report.head.kind == AttentionKind::encoder_self;
    const bool same = own == (readout->stack == AttentionKind::encoder_self);
    const auto queries = std::ssize(report.run->trace.queries(report.head.kind));
    int layer = layers, head = 1, query = same ? static_cast<int>(report.question.token) + 1 : 1;
    float allowed = static_cast<float>(report.allowed);
    ok = in_turn([&] { return read_integer(given, "--layer", 1, layers, layer); },
                 [&] { return read_integer(given, "--head", 1, traits.n_heads, head); },
                 [&] { return read_integer(given, "--query", 1, queries, query); },
                 [&] {
                     return read_real(given, "--allowed", {1e-6, 1}, allowed);
                 });
    report.head.layer = layer - 1;
    report.head.head = head - 1;
    report.query = query - 1;
    report.allowed = static_cast<double>(allowed);
    return ok;
}

/// The means of --corpus, one sentence a line; null without the flag.
Result<std::shared_ptr<const inside::MeanActivations>>
read_means(const Given& given, const Document& document,
           const std::shared_ptr<const models::Model>& model, num::ThreadPool& pool) {
    const auto path = given.find("--corpus");
    if (!path) return nullptr;
    const auto bytes = *path == "-" ? base::read_standard_input(kMostOtherTexts)
                                    : base::read_file(*path, kMostOtherTexts);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto means = std::make_shared<inside::MeanActivations>();
    std::istringstream lines(*bytes);
    for (std::string line; std::getline(lines, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        Document one = document;
        one.source = line;
        one.target = model->traits().encodes || !model->traits().reads_ids ? "" : line;
        const PreparedInput prepared = prepare_input(one, model.get());
        if (prepared.failed) return tl::make_unexpected(*prepared.failed);
        const auto run = models::run(model, prepared.input, document.controls, pool);
        if (!run) return tl::make_unexpected(run.error());
        means->add(**run);
    }
    if (means->tokens() > 0) return means;
    return fail(ErrorKind::malformed, *path, "has no line; write one sentence on each");
}

int run_inside(const Given& given, const Io& io) {
    auto plan = read_inside_plan(given);
    if (!plan) return complain_of_flags(io, plan.error());
    num::ThreadPool pool;
    const auto model = prepare_model(plan->document, pool);
    if (!model) return complain_of_run(io, model.error());
    fit_sentences(given, facts_of(**model), plan->document);
    PreparedInput prepared = prepare_input(plan->document, model->get());
    if (const auto ok = read_ids(given, **model, prepared.input); !ok) {
        return complain_of_flags(io, ok.error());
    }
    const bool by_ids = given.has("--source-ids") || given.has("--target-ids");
    if (prepared.failed && !by_ids) return complain_of_run(io, *prepared.failed);
    mention_dropped(io, prepared);
    const auto run = models::run(*model, prepared.input, plan->document.controls, pool);
    if (!run) return complain_of_run(io, run.error(), &given);
    InsideReport report;
    report.what = plan->what;
    report.run = *run;
    report.instead = plan->instead;
    report.likeliest = static_cast<std::size_t>(plan->likeliest);
    const auto means = read_means(given, plan->document, *model, pool);
    if (!means) return complain(io, means.error(), kFailed);
    report.means = *means;
    const auto question = read_question(given, **run, pool);
    if (!question) {
        const bool flag = question.error().subject.starts_with("--");
        return complain(io, question.error(), flag ? kWrongUsage : kFailed);
    }
    report.question = *question;
    if (const auto ok = read_weights_row(given, report); !ok) {
        return complain_of_flags(io, ok.error());
    }
    report.paths.from = plan->from - 1;
    report.paths.to = plan->to - 1;
    if (const auto other = given.find("--other")) {
        const auto input = prepare_other(plan->document, **run, *other);
        if (!input) return complain(io, input.error(), kFailed);
        const auto second = models::run(*model, *input, plan->document.controls, pool);
        if (!second) return complain(io, second.error(), kFailed);
        report.other = *second;
    }
    const auto text = given.has("--json") ? inside_json(report, pool) : inside_text(report, pool);
    if (!text) {
        const bool pair = text.error().subject == "other";
        base::Error error = text.error();
        if (pair) error.subject = "--other";
        return complain(io, error, pair ? kWrongUsage : kFailed);
    }
    return deliver(io, "-", *text);
}

} // namespace

Command inside_command() {
    std::vector<Flag> flags = {
        {"--what", "KIND",
         "lens, what every layer would say; attribution, what each part gives to the word's logit; "
         "ablation, the answer without each head and feed-forward network; patching, what comes "
         "back of the answer when one activation is put into --other's run; paths, what comes back "
         "when one head hears of one other head of this run, as feed-forward networks between "
         "answer; gradients, which tokens the word stands on, by four accounts, and where they "
         "disagree; weights, others of one row of a head, as far as can be, that give the same "
         "answer (default lens)",
         kQuestion},
        {"--corpus", "FILE",
         "of ablation to the mean: over these sentences, one a line, in place of the one that is "
         "asked about (- is standard input)",
         kQuestion},
        {"--attention", "KIND",
         "of weights: encoder, decoder, cross (default that of the stack that says words)",
         kQuestion},
        {"--layer", "N", "of weights: the head's, from 1 (default the last one)", kQuestion},
        {"--head", "N", "of weights: from 1 (default 1)", kQuestion},
        {"--query", "N", "of weights: the row, a token from 1 (default that of --at)", kQuestion},
        {"--allowed", "X",
         "of weights: the most that the answer may change, as total variation between the next "
         "word's distributions (default 0.01)",
         kQuestion},
        {"--top", "N", "of the lens: words a layer and token (default 5)", kQuestion},
        {"--json", "", "numbers as JSON in place of a table; layers, heads and tokens count from 0",
         kOutput},
    };
    for (const auto& list :
         {question_flags(), model_flags(), sentence_flags(), id_flags(), control_flags()}) {
        flags.insert(flags.end(), list.begin(), list.end());
    }
    return {"inside",
            "Look inside a model: what each layer would say, and what made it say a word.",
            "The logit lens reads every layer's state with the final norm and the vocabulary "
            "(nostalgebraist 2020); a recurrent decoder has no stream of layers, so its readout "
            "reads one part alone instead: the word before, the context, the state (Heed's "
            "extension, no paper). Attribution splits the logit into what embedding, heads, "
            "feed-forward networks and biases gave, each norm with the factor that it has in this "
            "run: the parts add up to the logit. Ablation sets one part's activation to zero, to "
            "its mean over the tokens, or to that of --other. Patching puts one activation of this "
            "run into the run of --other: 1 is the whole answer, 0 nothing (Vig et al. 2020; Meng "
            "et al. 2022; Wang et al. 2022). Gradients are attention times its gradient (Chefer et "
            "al. 2021), integrated gradients of the words from zeros, with what is left of their "
            "sum (Sundararajan et al. 2017), rollout and attention flow (Abnar and Zuidema 2020). "
            "Other weights of the same answer ask whether attention explains it (Jain and Wallace "
            "2019; Wiegreffe and Pinter 2019). "
            "A word that is two tokens of the vocabulary, with a "
            "space before it and without, is the more probable one where it is said.",
            "Examples:\n"
            "  heed inside --model gpt2/ --source \"The cat sat on the\"\n"
            "  heed inside --model gpt2/ --what attribution --word Mary --against John \\\n"
            "      --source \"When Mary and John went to the store, John gave a drink to\"\n"
            "  heed inside --model gpt2/ --what patching --word Mary --against John --json \\\n"
            "      --source \"When Mary and John went to the store, John gave a drink to\" \\\n"
            "      --other \"When Mary and John went to the store, Mary gave a drink to\"",
            flags,
            run_inside};
}

} // namespace heed::app
