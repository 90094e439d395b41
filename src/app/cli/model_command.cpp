// heed model: the weights as a file.
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/document/names.hpp"
#include "app/engine/prepare.hpp"

#include <fmt/format.h>

#include <ostream>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

Result<void> read_more(const Given& given, models::ModelSpec& config) {
    if (!is_classifier(config)) {
        return in_turn(
            [&] { return read_word<nn::Positions>(given, "--positions", config.positions); },
            [&] { return read_word<nn::Join>(given, "--join", config.join); },
            [&] { return read_word<models::NormOrder>(given, "--norm", config.norm); },
            [&] { return read_integer(given, "--vocabulary", 1, 1 << 20, config.vocabulary); });
    }
    for (const char* flag : {"--join", "--norm", "--vocabulary", "--score"}) {
        if (given.has(flag)) return fail(ErrorKind::usage, flag, "is not of a classifier");
    }
    return read_word<nn::Positions>(given, "--positions", config.positions);
}

Result<void> read_more(const Given& given, models::RecurrentConfig& config) {
    for (const char* flag : {"--positions", "--join", "--norm", "--vocabulary"}) {
        if (given.has(flag)) {
            return fail(ErrorKind::usage, flag, "is of a transformer, not of seq2seq");
        }
    }
    return read_word<nn::Score>(given, "--score", config.score);
}

Result<void> read_more(const Given&, models::StoredConfig&) { return {}; }

Result<void> read_model_file(const Given& given, Document& document) {
    const std::string path = given.find("--output").value_or("");
    if (path.empty()) {
        return fail(ErrorKind::usage, "--output", "is needed: a path that ends in .safetensors");
    }
    if (!path.ends_with(".safetensors")) {
        return fail(ErrorKind::usage, "--output",
                    fmt::format("'{}' does not end in .safetensors", path));
    }
    Given drawn = given;
    if (!given.has("--model")) drawn.set("--model", "transformer");
    Result<void> ok = read_model(drawn, document);
    if (ok) ok = std::visit([&](auto& c) { return read_more(given, c); }, document.model);
    if (ok && !document.model_file.empty()) {
        return fail(ErrorKind::usage, "--model",
                    fmt::format("'{}' has its weights already; what is drawn here is transformer, "
                                "seq2seq or classifier",
                                given.find("--model").value_or(document.model_file)));
    }
    return ok;
}

int run_model(const Given& given, const Io& io) {
    Document document;
    if (const auto ok = read_model_file(given, document); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    num::ThreadPool pool;
    const auto model = prepare_model(document, pool);
    if (!model) return complain_of_run(io, model.error());
    const std::string path = *given.find("--output");
    if (const auto ok = (*model)->save(path); !ok) return complain(io, ok.error(), kFailed);
    io.out << path << '\n';
    return kGood;
}

} // namespace

Command model_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH", "a .safetensors file", kOutput},
        {"--positions", "KIND", allowed<nn::Positions>(), "Model"},
        {"--join", "KIND", fmt::format("how positions join the embedding: {}", allowed<nn::Join>()),
         "Model"},
        {"--norm", "ORDER", allowed<models::NormOrder>(), "Model"},
        {"--score", "KIND", allowed<nn::Score>() + " (seq2seq)", "Model"},
        {"--vocabulary", "N", "rows of the embedding; a token finds its row by a hash", "Model"},
    };
    auto model = model_flags();
    for (Flag& flag : model) {
        if (flag.name != "--model") continue;
        flag.value = "KIND";
        flag.help = "transformer, seq2seq or classifier (default transformer)";
    }
    flags.insert(flags.begin() + 1, model.begin(), model.end());
    return {
        "model",
        "Draw a model from a seed and write its weights as safetensors.",
        "Tensors have the names, shapes and layouts of torch.nn.Transformer, or of torch.nn.GRU, "
        "LSTM and RNN under encoder. and decoder.; the configuration is in the metadata. Every "
        "command takes the file back with --model FILE.",
        "Examples:\n"
        "  heed model --size base --seed 1 -o model.safetensors\n"
        "  heed model --d-model 96 --heads 4 --layers 2 --norm pre -o small.safetensors\n"
        "  heed model --model seq2seq --cell gru --hidden 256 -o seq2seq.safetensors",
        std::move(flags),
        run_model};
}

} // namespace heed::app
