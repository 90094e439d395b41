// heed attend: every attention map of a run, as arrays.
#include "app/cli/attend_size.hpp"
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/id_flags.hpp"
#include "app/cli/image_flag.hpp"
#include "app/document/controls_json.hpp"
#include "app/document/names.hpp"
#include "app/document/painted_cells.hpp"
#include "app/document/prepare_image.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/prepare.hpp"
#include "app/engine/speech.hpp"
#include "app/engine/unknown_words.hpp"
#include "app/inside/norm_arrays.hpp"
#include "app/views/titles.hpp"
#include "num/softmax.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <ostream>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;
using trace::Stage;

namespace {

Result<ArrayFormat> format_of(const std::string& path) {
    if (path == "-" || path.ends_with(".json")) return ArrayFormat::json;
    if (path.ends_with(".npz")) return ArrayFormat::npz;
    if (path.ends_with(".safetensors")) return ArrayFormat::safetensors;
    return fail(ErrorKind::usage, "--output",
                fmt::format("'{}' ends in none of .npz, .safetensors, .json, and is not -", path));
}

/// `usual`: where the flag is not given.
Result<std::vector<Stage>> read_stages(const Given& given, const std::string& usual) {
    const std::string words = given.find("--stages").value_or(usual);
    if (words == "all")
        return std::vector<Stage>(std::begin(trace::kStages), std::end(trace::kStages));
    std::vector<Stage> stages;
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find(',', begin), words.size());
        const auto stage = trace::stage_named(std::string_view(words).substr(begin, end - begin));
        if (!stage) {
            return fail(ErrorKind::usage, "--stages",
                        fmt::format("'{}' is not one of {}, all", words.substr(begin, end - begin),
                                    allowed<Stage>()));
        }
        if (std::find(stages.begin(), stages.end(), *stage) == stages.end()) {
            stages.push_back(*stage);
        }
        begin = end + 1;
    }
    return stages;
}

/// heads × queries × keys, or heads × tokens × features.
tensors::Array stack(const std::shared_ptr<const trace::Attention>& attention, Stage stage) {
    tensors::Array array;
    const int heads = static_cast<int>(attention->heads.size());
    for (int head = 0; head < heads; ++head) {
        const Matrix<float> whole = trace::AttentionMap(attention, head).whole(stage);
        array.shape = {heads, whole.rows(), whole.cols()};
        array.values.reserve(static_cast<std::size_t>(heads * whole.size()));
        array.values.insert(array.values.end(), whole.data(), whole.data() + whole.size());
    }
    return array;
}

std::vector<std::string> texts(const std::vector<text::Token>& tokens) {
    std::vector<std::string> list;
    for (const text::Token& token : tokens) list.push_back(token.text);
    return list;
}

/// States and gates are what a stepwise model is about, and what a class is made of that of a
/// classifier; of others what goes in and out is written.
bool written(const models::Run& run, const std::string& tensor) {
    const models::Traits& traits = run.model->traits();
    if (traits.is_stepwise() || traits.classifies()) return true;
    constexpr const char* kEnds[] = {"encoder_input", "decoder_input", "memory", "decoder_output"};
    return std::find(std::begin(kEnds), std::end(kEnds), tensor) != std::end(kEnds);
}

tensors::Array as_array(const Matrix<float>& m) {
    return {{m.rows(), m.cols()}, {m.data(), m.data() + m.size()}};
}

/// `file`: of its model, or empty.
tensors::Archive archive_of(const std::string& file, const models::Run& run,
                            const std::vector<Stage>& stages) {
    tensors::Archive archive;
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            for (const Stage stage : stages) {
                const std::string name = fmt::format("{}.{}", attention->name, trace::name(stage));
                archive.arrays[name] = stack(attention, stage);
            }
        }
    }
    for (const auto& layer : run.trace.layers) {
        for (const auto& tensor : layer->tensors) {
            if (!written(run, tensor->name)) continue;
            archive.arrays[tensor->name] = as_array(tensor->values);
        }
    }
    if (!run.trace.source.empty()) archive.strings["source_tokens"] = texts(run.trace.source);
    if (!run.trace.target.empty()) archive.strings["target_tokens"] = texts(run.trace.target);
    archive.metadata["controls"] = tensors::dump_json(controls_to_json(run.controls));
    archive.metadata["seed"] = fmt::format("{}", run.model->traits().seed);
    if (has_random_weights(file, *run.model)) archive.metadata["weights"] = kRandomWeights;
    return archive;
}

/// Adds what is said at every position: logits, their softmax, and the words or classes that both
/// are of.
Result<void> add_logits(tensors::Archive& archive, const models::Run& run, num::ThreadPool& pool,
                        ArrayFormat format) {
    const models::Model& model = *run.model;
    Matrix<float> logits = model.logits(run, pool);
    if (logits.size() == 0) {
        return fail(ErrorKind::unsupported, "--logits", "this model says no words and no class");
    }
    if (auto ok = check_logits_memory(logits.rows(), logits.cols(), format); !ok) return ok;
    archive.arrays["logits"] = as_array(logits);
    for (Index row = 0; row < logits.rows(); ++row) {
        logits.row(row) = num::softmax<float>(logits.row(row));
    }
    archive.arrays["probabilities"] = as_array(logits);
    if (!model.words() && model.classes().empty()) return {}; // rows are found by a hash
    std::vector<std::string> words;
    for (Index i = 0; i < logits.cols(); ++i) words.push_back(model.answer(i));
    archive.strings["vocabulary"] = std::move(words);
    return {};
}

Result<std::string> write(tensors::Archive archive, ArrayFormat format) {
    switch (format) {
    case ArrayFormat::json: return tensors::write_json(archive) + "\n";
    case ArrayFormat::npz: return tensors::write_npz(std::move(archive));
    case ArrayFormat::safetensors: return tensors::write_safetensors(archive);
    }
    return fail(ErrorKind::unsupported, "attend", "no such format");
}

struct AttendPlan {
    Document document;
    std::vector<Stage> stages;
    std::string path;
    ArrayFormat format = ArrayFormat::json;
};

Result<AttendPlan> read_attend_plan(const Given& given) {
    AttendPlan plan;
    plan.path = given.find("--output").value_or("-");
    const auto format = format_of(plan.path);
    if (!format) return tl::make_unexpected(format.error());
    plan.format = *format;
    Result<void> ok = read_model(given, plan.document);
    if (!ok) return tl::make_unexpected(ok.error());
    const bool stepwise = models::traits(plan.document.model).is_stepwise();
    auto stages = read_stages(given, stepwise ? "scores,weights,context" : "weights");
    if (!stages) return tl::make_unexpected(stages.error());
    plan.stages = *std::move(stages);
    if (ok) ok = read_sentences(given, plan.document);
    if (ok) ok = read_controls(given, nullptr, plan.document);
    if (!ok) return tl::make_unexpected(ok.error());
    return plan;
}

int run_attend(const Given& given, const Io& io) {
    auto plan = read_attend_plan(given);
    if (!plan) return complain_of_flags(io, plan.error());
    num::ThreadPool pool;
    const auto model = prepare_model(plan->document, pool);
    if (!model) return complain_of_run(io, model.error());
    if ((*model)->traits().weights_alone) {
        return complain_of_flags(io, {ErrorKind::usage, "--model",
                                      "holds attention already; `heed export --maps` draws it"});
    }
    if (const auto ok = check_image(given, (*model)->config()); !ok) {
        return complain_of_flags(io, ok.error());
    }
    fit_sentences(given, facts_of(**model), plan->document);
    PreparedInput prepared = prepare_input(plan->document, model->get());
    if (const auto ok = read_ids(given, **model, prepared.input); !ok) {
        return complain_of_flags(io, ok.error());
    }
    const bool by_ids = given.has("--source-ids") || given.has("--target-ids");
    if (prepared.failed && !by_ids) return complain_of_run(io, *prepared.failed);
    if (const auto ok = ImageReader().read(plan->document, **model, prepared.input); !ok) {
        return complain_of_run(io, ok.error());
    }
    mention_dropped(io, prepared);
    if (const auto ok =
            check_memory((*model)->config(), prepared.input, plan->stages, plan->format);
        !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    const auto run = models::run(*model, prepared.input, plan->document.controls, pool);
    if (!run) return complain_of_run(io, run.error(), &given);
    if (const auto ok = check_painted(given, nullptr, **run); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    mention(io, painted_outside((*run)->controls, (*run)->trace));
    mention(io, unknown_words_note(**run));
    mention(io, typed_text_note(plan->document, **run));
    const bool found = (*run)->input.decoding.rule != models::Decoding::Rule::forced;
    if (found) mention(io, not_followed_words(**model));
    tensors::Archive archive = archive_of(plan->document.model_file, **run, plan->stages);
    if (given.has("--logits")) {
        if (auto ok = add_logits(archive, **run, pool, plan->format); !ok) {
            return complain(io, ok.error(), kWrongUsage);
        }
    }
    if (given.has("--norms")) add_norms(archive, **run);
    const auto bytes = write(std::move(archive), plan->format);
    if (!bytes) return complain(io, bytes.error(), kFailed);
    return deliver(io, plan->path, *bytes);
}

} // namespace

Command attend_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH",
         ".npz, .safetensors or .json; - is JSON on standard output (the default)", kOutput},
        {"--stages", "LIST",
         allowed<Stage>() +
             ", with commas between, or all (default weights; of seq2seq scores,weights,context)",
         kOutput},
        {"--norms", "",
         "also how long values are, before and after the map that joins the heads (Kobayashi et "
         "al. 2020), and how long what each layer passes on and adds is",
         kOutput},
        {"--logits", "", "also what is said at every position: logits and probabilities", kOutput},
    };
    for (const auto& list : {model_flags(), sentence_flags(), id_flags(), control_flags()}) {
        flags.insert(flags.end(), list.begin(), list.end());
    }
    return {
        "attend",
        "Run a model and write its attention as arrays.",
        "Arrays are named after the modules of torch.nn.Transformer and the stage: "
        "encoder.layers.0.self_attn.weights, decoder.layers.0.multihead_attn.scores; layers "
        "count from 0 there. Maps are heads x queries x keys; q, k, v and context are heads x "
        "tokens x features. Beside them: encoder_input and decoder_input (embeddings with "
        "positions), memory, decoder_output, source_tokens and target_tokens. Of seq2seq: "
        "attention.scores, attention.weights, attention.context, encoder.states, decoder.states, "
        "and every gate (encoder.l0.r, encoder.l0_reverse.z, decoder.l0.n). With --logits: logits "
        "and probabilities, positions x vocabulary, and what the columns are of. Row i of a "
        "transformer's decoder is what comes after the target's token i, so the last row is the "
        "next word; of seq2seq row i says the target's word i. With --norms: .value_norms and "
        ".transformed_norms of every module, heads x keys, and stream_norms, update_norms and "
        "norm_layers of the layers.",
        "Examples:\n"
        "  heed attend --source \"the black cat is small\" -o trace.npz\n"
        "  heed attend --size tiny --seed 7 --source \"a b c\" --stages weights,masked -o -\n"
        "  heed attend --model seq2seq --cell lstm --source \"我 昨天 吃 了 一个 苹果\" \\\n"
        "      --target \"I ate an apple yesterday\" -o trace.npz\n"
        "  heed attend --score additive --mask causal,window:3 --temperature 2 \\\n"
        "      --source \"The dog chased the cat\" -o trace.safetensors\n"
        "  heed attend --model en-fr-transformer --source \"the cat sleeps\" --logits -o said.npz\n"
        "  heed attend --model FOLDER --source-ids 101,7592,102 --logits -o maps.npz\n"
        "  heed attend --model VIT --image cat.jpg --logits -o maps.npz\n"
        "  heed attend --model model.safetensors --source \"The cat\" --controls c.json -o t.json",
        std::move(flags),
        run_attend};
}

} // namespace heed::app
