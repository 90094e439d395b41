// heed evaluate: how well a trained model does on sentences that it has never seen.
#include "app/cli/command.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/training_flags.hpp"
#include "app/files/shipped_models.hpp"
#include "models/model/model.hpp"
#include "models/open.hpp"
#include "tensors/json.hpp"
#include "train/data/own_sentences.hpp"
#include "train/loop/evaluation.hpp"
#include "train/loop/learns.hpp"

#include <fmt/format.h>

#include <ostream>
#include <tuple>
#include <utility>
#include <vector>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kGroup = "Evaluation";

struct Exam {
    std::string model_file;
    train::Task task = train::Task::zh_en;
    train::TaskOptions sentences;
};

Result<Exam> read_exam(const Given& given) {
    Exam exam;
    const std::string named = given.find("model").value_or("");
    exam.model_file = shipped_model(named);
    if (exam.model_file.empty()) exam.model_file = named;
    if (exam.model_file.empty()) {
        return fail(ErrorKind::usage, "model", "is needed: a file of `heed train`");
    }
    int held_out = static_cast<int>(exam.sentences.held_out), seed = 1;
    for (const char* flag : {"--task", "--seed"}) {
        if (!given.has("--data") || !given.has(flag)) continue;
        return fail(ErrorKind::usage, flag, "cannot be set beside --data");
    }
    if (const auto file = given.find("--data")) train::use_own(exam.sentences, *file);
    exam.sentences.training = 0; // only what is held out is read
    const auto ok =
        in_turn([&] { return read_integer(given, "--sentences", 1, 1'000'000, held_out); },
                [&] { return read_integer(given, "--seed", 0, 1 << 30, seed); });
    if (!ok) return tl::make_unexpected(ok.error());
    exam.sentences.held_out = static_cast<std::size_t>(held_out);
    exam.sentences.seed = static_cast<std::uint64_t>(seed);
    return exam;
}

Result<train::Task> task_of(const Given& given, const models::Model& model,
                            const std::string& path) {
    std::string word;
    if (model.provenance()) word = model.provenance()->task;
    if (given.has("--data")) return train::own_task(model.config());
    word = given.find("--task").value_or(word);
    if (const auto task = train::task_named(word)) return *task;
    if (word.empty()) {
        return fail(ErrorKind::mismatch, path,
                    "was not trained here; name a task that it shall be judged by with --task");
    }
    if (given.has("--task")) {
        return fail(ErrorKind::usage, "--task", fmt::format("'{}' is not a task", word));
    }
    return fail(ErrorKind::usage, "--data",
                fmt::format("is needed: the model was trained on a file, '{}'", word));
}

/// The lengths that were asked for, else those that the model was trained on where it is judged by
/// its own task.
Result<void> choose_lengths(const Given& given, const models::Model& model, train::Task task,
                            train::TaskOptions& sentences) {
    const auto& trained = model.provenance();
    // A user's file has sentences of its own lengths, unless it is what the model learned.
    const bool own_task =
        trained && (sentences.own.file.empty() ? trained->task == train::name(task)
                                               : !train::task_named(trained->task));
    if (own_task && trained->lengths) {
        std::tie(sentences.min_length, sentences.max_length) = *trained->lengths;
    }
    return read_lengths(given, sentences);
}

/// Every sentence that came out wrong: what is read, what was said, what was wanted.
tensors::Json mistakes_of(const train::Evaluation& result, const train::Dataset& dataset) {
    tensors::Json list = tensors::Json::array();
    for (const train::Sample& sample : result.samples) {
        if (sample.right) continue;
        const train::Pair& pair = dataset.pairs[sample.pair];
        list.push_back({{"source", train::joined(pair.source)},
                        {"said", train::joined(sample.said)},
                        {"wanted", train::joined(pair.target)}});
    }
    return list;
}

std::string json_of(const train::Evaluation& result, const train::Dataset& dataset, bool mistakes) {
    const train::Measures& m = result.measures;
    tensors::Json lengths = tensors::Json::array();
    for (const train::LengthAccuracy& length : m.by_length) {
        lengths.push_back({{"length", length.length},
                           {"sentences", length.sentences},
                           {"exact_match", length.accuracy()}});
    }
    tensors::Json json = {
        {"loss", m.loss}, {"token_accuracy", m.token_accuracy}, {"exact_match", m.exact_match},
        {"bleu", m.bleu}, {"alignment_error_rate", nullptr},    {"by_length", std::move(lengths)}};
    if (m.label_accuracy) {
        json["accuracy"] = *m.label_accuracy;
        json["bleu"] = nullptr; // of one word there is none
    }
    if (m.alignment_error_rate) {
        json["alignment_error_rate"] = *m.alignment_error_rate;
        json["aligned_by"] = {{"attention", trace::name(result.aligned_by->kind)},
                              {"layer", result.aligned_by->layer + 1},
                              {"head", result.aligned_by->head + 1}};
    }
    if (mistakes) json["mistakes"] = mistakes_of(result, dataset);
    return tensors::dump_json(json);
}

std::string text_of(const train::Evaluation& result, const train::Dataset& dataset, bool mistakes) {
    const train::Measures& m = result.measures;
    std::string text =
        m.label_accuracy
            ? fmt::format("sentences         {}\nloss              {:.4f} nats per label\n"
                          "label accuracy    {:.2f} %\n",
                          result.samples.size(), m.loss, 100 * *m.label_accuracy)
            : fmt::format("sentences         {}\nloss              {:.4f} nats per token\n"
                          "token accuracy    {:.2f} %\nsentence accuracy {:.2f} %\n"
                          "BLEU              {:.2f}\n",
                          result.samples.size(), m.loss, 100 * m.token_accuracy,
                          100 * m.exact_match, 100 * m.bleu);
    if (m.alignment_error_rate) {
        const trace::HeadId& by = *result.aligned_by;
        const bool own = by.kind == trace::AttentionKind::decoder_self;
        text += fmt::format("alignment error   {:.2f} %, by layer {} head {}{}\n",
                            100 * *m.alignment_error_rate, by.layer + 1, by.head + 1,
                            own ? " of the decoder's self-attention to the source" : "");
    }
    text += "length  sentences  accuracy\n";
    for (const train::LengthAccuracy& length : m.by_length) {
        text += fmt::format("{:6}  {:9}  {:.1f} %\n", length.length, length.sentences,
                            100 * length.accuracy());
    }
    if (!mistakes) return text;
    for (const train::Sample& sample : result.samples) {
        if (sample.right) continue;
        const train::Pair& pair = dataset.pairs[sample.pair];
        text += fmt::format("\n{}\n  said   {}\n  wanted {}\n", train::joined(pair.source),
                            train::joined(sample.said), train::joined(pair.target));
    }
    return text;
}

int run_evaluate(const Given& given, const Io& io) {
    auto exam = read_exam(given);
    if (!exam) return complain(io, exam.error(), kWrongUsage);
    num::ThreadPool pool;
    const auto model = models::load_model(exam->model_file, pool);
    if (!model) return complain(io, model.error(), kFailed);
    const auto task = task_of(given, **model, exam->model_file);
    if (!task) return complain(io, task.error(), kFailed);
    if (!(*model)->words()) {
        return complain(
            io,
            base::Error{ErrorKind::unsupported, exam->model_file, "is a model that says no words"},
            kFailed);
    }
    if (const auto ok = choose_lengths(given, **model, *task, exam->sentences); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    const auto dataset = train::prepare_dataset(*task, exam->sentences);
    if (!dataset) return complain(io, dataset.error(), kFailed);
    if (const auto words = train::words_of((*dataset)->left_out, !(*dataset)->classes.empty());
        !words.empty()) {
        io.err << fmt::format("{}: {}\n", exam->sentences.own.file, words);
    }
    const auto result = train::evaluate(pool, *model, **dataset, (*dataset)->pairs.size());
    if (!result) return complain(io, result.error(), kFailed);
    const bool mistakes = given.has("--mistakes");
    io.out << (given.has("--json") ? json_of(*result, **dataset, mistakes)
                                   : text_of(*result, **dataset, mistakes));
    return kGood;
}

} // namespace

Command evaluate_command() {
    std::vector<Flag> flags = {
        {"model", "FILE", "a model of `heed train`, or a checkpoint", kGroup},
        {"--task", "TASK", "the task it is judged by; the one that it was trained on", kGroup},
        {"--data", "FILE",
         "your own sentences, of which those are judged that a training holds out", kGroup},
        {"--sentences", "N", "held-out sentences (default 1000)", kGroup},
        {"--seed", "N", "of the sentences (default 1)", kGroup},
        {"--mistakes", "", "every sentence that came out wrong, with what was wanted", kGroup},
        {"--json", "", "as a JSON object", kGroup},
    };
    const char* usual = "as it was trained";
    for (const Flag& flag : length_flags(kGroup, usual, usual)) flags.push_back(flag);
    return {
        "evaluate",
        "Judge a trained model by sentences that were held out.",
        "Loss in nats per token and token accuracy are measured with the right target given "
        "(teacher forcing), words without \u27e8end\u27e9. Sentence accuracy (the share that is "
        "fully correct) and BLEU (Papineni et al. 2002, not smoothed) are of what the model "
        "says freely, the most probable word each time. Alignment error rate against gold (Och and "
        "Ney 2003) of the head that aligns best, and sentence accuracy by length. Of headlines: "
        "loss per label and label accuracy, which is token_accuracy, exact_match and accuracy "
        "alike.",
        "Examples:\n"
        "  heed evaluate zh-en.safetensors\n"
        "  heed evaluate zh-en.safetensors --min-length 16 --max-length 30 --json",
        std::move(flags),
        run_evaluate};
}

} // namespace heed::app
