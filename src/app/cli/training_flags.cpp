#include "app/cli/training_flags.hpp"

#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/files/open_file.hpp"
#include "train/data/own_sentences.hpp"
#include "train/loop/learns.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kTask = "Task";
constexpr const char* kTraining = "Training";

std::string task_names() {
    std::string list;
    for (const train::Task task : train::all_tasks()) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", train::name(task));
    }
    return list;
}

Result<void> read_task(const Given& given, train::Task& task) {
    const auto word = given.find("--task");
    if (given.has("--data")) {
        if (!word) return {};
        return fail(ErrorKind::usage, "--task", "cannot be set beside --data, which has the task");
    }
    if (!word)
        return fail(ErrorKind::usage, "--task", "is needed, or --data: one of " + task_names());
    const auto found = train::task_named(*word);
    if (!found) {
        return fail(ErrorKind::usage, "--task",
                    fmt::format("'{}' is not one of {}", *word, task_names()));
    }
    task = *found;
    return {};
}

template <class N>
Result<void> read_count(const Given& given, const std::string& flag, int high, N& value) {
    int number = static_cast<int>(value);
    auto ok = read_integer(given, flag, 1, high, number);
    value = static_cast<N>(number);
    return ok;
}

Result<void> read_rule(const Given& given, train::Plan& plan) {
    const auto word = given.find("--optimizer");
    if (!word) return {};
    for (const train::UpdateRule& rule : train::kUpdateRules) {
        if (train::name(rule) != *word) continue;
        train::choose_rule(plan, rule);
        return {};
    }
    return fail(ErrorKind::usage, "--optimizer",
                fmt::format("'{}' is not one of adam, rmsprop, sgd", *word));
}

Result<void> read_schedule(const Given& given, train::Schedule& schedule) {
    if (const auto word = given.find("--schedule")) {
        bool found = false;
        for (const train::Schedule::Kind kind : train::kSchedules) {
            if (train::name(kind) != *word) continue;
            schedule.kind = kind;
            found = true;
        }
        if (!found) {
            return fail(ErrorKind::usage, "--schedule",
                        fmt::format("'{}' is not one of constant, step, warm-up, fall", *word));
        }
    }
    return in_turn(
        [&] {
            return read_real(given, "--rate", {1e-9, 100}, schedule.rate);
        },
        [&] { return read_count(given, "--warm-up", 1 << 30, schedule.warm_up); },
        [&] { return read_count(given, "--every", 1 << 30, schedule.every); },
        [&] {
            return read_real(given, "--drop", {1e-6, 1}, schedule.drop);
        });
}

/// Flags that read_model() does not know are of some kinds alone.
Result<void> of_another_kind(const Given& given, const std::string& kind) {
    const struct {
        const char *flag, *kinds;
    } flags[] = {{"--score", "seq2seq"},
                 {"--scheduled-sampling", "seq2seq"},
                 {"--norm", "transformer"},
                 {"--positions", "transformer, classifier"}};
    for (const auto& [flag, kinds] : flags) {
        if (!given.has(flag) || std::string_view(kinds).find(kind) != std::string_view::npos) {
            continue;
        }
        return fail(ErrorKind::usage, flag, fmt::format("is of {}, not of {}", kinds, kind));
    }
    const std::string shape = given.find("--shape").value_or("n-m");
    for (const char* flag : {"--context", "--score", "--step", "--projection"}) {
        if (kind != "seq2seq" || shape == "n-m" || !given.has(flag)) continue;
        return fail(ErrorKind::usage, flag,
                    fmt::format("is of --shape n-m: {} has no attention", shape));
    }
    return {};
}

/// Reads flags of a training beside the shape. Of a classifier --norm was refused before.
Result<void> read_learning(const Given& given, models::ModelSpec& config) {
    if (!is_classifier(config)) {
        const auto small = train::small_transformer(config.architecture);
        config.norm = small.norm;
        config.max_positions = small.max_positions;
        config.has_vocabulary = true;
    }
    return in_turn([&] { return read_word<nn::Positions>(given, "--positions", config.positions); },
                   [&] { return read_word<models::NormOrder>(given, "--norm", config.norm); });
}
Result<void> read_learning(const Given& given, models::RecurrentConfig& config) {
    return read_word<nn::Score>(given, "--score", config.score);
}
Result<void> read_learning(const Given&, models::StoredConfig&) { return {}; }

/// The model flags as of other commands; sizes that are not given are the small ones that a
/// training can be watched with.
Result<models::Config> read_config(const Given& given) {
    const std::string kind = given.find("--model").value_or("seq2seq");
    if (kind != "transformer" && kind != "seq2seq" && kind != "classifier") {
        return fail(ErrorKind::usage, "--model",
                    fmt::format("'{}' is not one of transformer, seq2seq, classifier", kind));
    }
    if (auto ok = of_another_kind(given, kind); !ok) return tl::make_unexpected(ok.error());
    Given filled = given;
    const auto usual = [&](const char* flag, int value) {
        if (!given.has(flag)) filled.set(flag, fmt::format("{}", value));
    };
    filled.set("--model", kind);
    const auto transformer = train::small_transformer();
    const auto recurrent = train::small_recurrent();
    if (kind == "transformer" && !given.has("--size")) {
        usual("--d-model", transformer.d_model);
        usual("--heads", transformer.n_heads);
        usual("--layers", transformer.n_encoder_layers);
        usual("--d-ff", transformer.d_ff);
    } else if (kind == "seq2seq") {
        usual("--hidden", recurrent.hidden);
        usual("--embedding", recurrent.embedding);
    }
    Document document;
    auto ok = read_model(filled, document);
    if (ok) ok = std::visit([&](auto& c) { return read_learning(given, c); }, document.model);
    if (!ok) return tl::make_unexpected(ok.error());
    return document.model;
}

} // namespace

std::vector<Flag> training_flags() {
    std::vector<Flag> flags = {
        {"--task", "TASK", task_names(), kTask},
        {"--data", "FILE",
         "your own sentences instead: source (of a classifier: label), a tab, target (text) on "
         "each line; further columns are "
         "ignored, Chinese is segmented",
         kTask},
        {"--vocabulary", "N", "vocabulary size of --data, the most frequent words (default 8000)",
         kTask},
        {"--vectors", "FILE",
         "word vectors (word n1 n2 … on each line) that embeddings begin with; the model is as "
         "wide as they are, with no more heads than divide that",
         kTask},
        {"--sentences", "N", "training sentences (default 20000; of --data all)", kTask},
        {"--held-out", "N", "sentences that are held out (default 1000)", kTask},
        {"--steps", "N", "batches that are learned from (default 3000)", kTraining},
        {"--batch", "N", "sentences a batch (default 32)", kTraining},
        {"--optimizer", "RULE", "adam, rmsprop, sgd", kTraining},
        {"--rate", "X",
         "the largest learning rate (default: what is usual with model and optimizer)", kTraining},
        {"--schedule", "KIND", "constant, step, warm-up, fall (warm-up without its rise)",
         kTraining},
        {"--warm-up", "N", "steps up to the largest rate (default 400)", kTraining},
        {"--every", "N", "steps after which --schedule step drops the rate (default 1000)",
         kTraining},
        {"--drop", "X", "what it is multiplied with then (default 0.5)", kTraining},
        {"--dropout", "RATE", "share that is dropped, from 0 up to 0.95", kTraining},
        {"--label-smoothing", "SHARE", "of the right word's probability, from 0", kTraining},
        {"--scheduled-sampling", "SHARE",
         "of the words that a recurrent decoder reads as it said them itself", kTraining},
        {"--patience", "N",
         "stop when the held-out loss has not fallen for so many measures, and keep the best model",
         kTraining},
        {"--clip", "NORM", "the largest norm of a gradient, 0: any (default 1)", kTraining},
        {"--positions", "KIND", allowed<nn::Positions>() + " (transformer, classifier)", "Model"},
        {"--norm", "ORDER", allowed<models::NormOrder>() + " (transformer; default pre)", "Model"},
        {"--score", "KIND", allowed<nn::Score>() + " (seq2seq)", "Model"},
    };
    for (const Flag& flag : length_flags(kTask, "3; of --data 1", "15; of --data 30"))
        flags.push_back(flag);
    for (Flag flag : model_flags()) {
        if (flag.name == "--architecture") {
            flag.help += "; encoder-only learns to say a word at each of the source's, "
                         "decoder-only to go on after it";
        }
        if (flag.name == "--model") flag.help = "transformer, seq2seq (the default) or classifier";
        if (flag.name == "--hidden")
            flag.help =
                fmt::format("width of a state (default {})", train::small_recurrent().hidden);
        if (flag.name == "--embedding")
            flag.help =
                fmt::format("width of a word (default {})", train::small_recurrent().embedding);
        flags.push_back(flag);
    }
    return flags;
}

std::vector<Flag> length_flags(const std::string& group, const std::string& shortest,
                               const std::string& longest) {
    return {
        {"--min-length", "N",
         fmt::format("words of the shortest source, up to 30 (default {})", shortest), group},
        {"--max-length", "N", fmt::format("words of the longest (default {})", longest), group}};
}

Result<void> read_lengths(const Given& given, train::TaskOptions& sentences) {
    auto ok =
        in_turn([&] { return read_integer(given, "--min-length", 1, 30, sentences.min_length); },
                [&] { return read_integer(given, "--max-length", 1, 30, sentences.max_length); });
    if (ok && sentences.min_length > sentences.max_length) {
        return fail(ErrorKind::usage, "--min-length",
                    fmt::format("is {}, more than --max-length {}", sentences.min_length,
                                sentences.max_length));
    }
    return ok;
}

namespace {

/// Word vectors decide the width: until they are read it is one that the heads divide.
void await_width(models::Config& config) {
    const models::Traits traits = models::traits(config);
    if (traits.n_heads < 1 || traits.width % traits.n_heads == 0) return;
    models::set_embedding_width(config, (traits.width / traits.n_heads + 1) * traits.n_heads);
}

} // namespace

Result<train::Plan> read_plan(const Given& given) {
    train::Task task = train::Task::zh_en;
    if (auto ok = read_task(given, task); !ok) return tl::make_unexpected(ok.error());
    const auto config = read_config(given);
    if (!config) return tl::make_unexpected(config.error());
    if (given.has("--data")) task = train::own_task(*config);
    if (given.has("--vocabulary") && !given.has("--data")) {
        return fail(ErrorKind::usage, "--vocabulary", "is of --data: a task knows all its words");
    }
    train::Plan plan = train::usual_plan(task, *config);
    plan.seed = models::traits(*config).seed;
    if (const auto file = given.find("--data")) train::use_own(plan.sentences, *file);
    if (const auto file = given.find("--vectors")) {
        plan.vectors = whole_path(*file);
        if (!given.has("--d-model") && !given.has("--size")) await_width(plan.model);
    }
    if (!plan.vectors.empty() && given.has("--embedding")) {
        return fail(ErrorKind::usage, "--embedding",
                    "cannot be set beside --vectors, whose width it takes");
    }
    float max_norm = static_cast<float>(plan.max_norm);
    train::Regularization& h = plan.regularization;
    const auto ok = in_turn(
        [&] { return read_count(given, "--sentences", 10'000'000, plan.sentences.training); },
        [&] { return read_count(given, "--held-out", 1'000'000, plan.sentences.held_out); },
        [&] { return read_lengths(given, plan.sentences); },
        [&] { return read_count(given, "--vocabulary", 100'000, plan.sentences.own.words); },
        [&] { return read_integer(given, "--patience", 1, 1'000'000, plan.patience); },
        [&] { return read_count(given, "--steps", 1'000'000'000, plan.steps); },
        [&] { return read_count(given, "--batch", 4096, plan.batch_size); },
        [&] { return read_rule(given, plan); }, [&] { return read_schedule(given, plan.schedule); },
        [&] {
            return read_real(given, "--dropout", {0, 0.95}, h.dropout);
        },
        [&] {
            return read_real(given, "--label-smoothing", {0, 0.95}, h.label_smoothing);
        },
        [&] {
            return read_real(given, "--scheduled-sampling", {0, 1}, h.scheduled_sampling);
        },
        [&] {
            return read_real(given, "--clip", {0, 1e9}, max_norm);
        });
    if (!ok) return tl::make_unexpected(ok.error());
    plan.max_norm = static_cast<double>(max_norm);
    if (auto checked = train::check(plan); !checked) return tl::make_unexpected(checked.error());
    return plan;
}

} // namespace heed::app
