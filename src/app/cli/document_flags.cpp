#include "app/cli/document_flags.hpp"

#include "app/cli/decoding_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/document/controls_json.hpp"
#include "app/document/names.hpp"
#include "app/document/painted_cells.hpp"
#include "app/files/open_file.hpp"
#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/stored.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kModel = "Model";
constexpr const char* kControls = "Controls";
constexpr std::size_t kMaxControlsBytes = 16 << 20;

std::string size_names() {
    std::string list;
    for (const models::NamedSize& size : models::named_sizes()) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", size.name);
    }
    return list;
}

Result<void> read_size(const Given& given, models::ModelSpec& config) {
    const auto word = given.find("--size");
    if (!word) return {};
    for (const models::NamedSize& size : models::named_sizes()) {
        if (size.name != *word) continue;
        config.d_model = size.d_model;
        config.n_heads = size.n_heads;
        config.n_encoder_layers = config.n_decoder_layers = size.n_layers;
        config.d_ff = size.d_ff;
        return {};
    }
    return fail(ErrorKind::usage, "--size",
                fmt::format("'{}' is not one of {}", *word, size_names()));
}

Result<void> read_layers(const Given& given, models::ModelSpec& config) {
    if (!given.has("--layers")) return {};
    const auto ok = read_integer(given, "--layers", 1, 128, config.n_encoder_layers);
    config.n_decoder_layers = config.n_encoder_layers;
    return ok;
}

constexpr const char* kTransformerFlags[] = {"--architecture", "--d-model", "--heads", "--d-ff",
                                             "--activation"};
constexpr const char* kRecurrentFlags[] = {"--shape",          "--cell",   "--bidirectional",
                                           "--unidirectional", "--hidden", "--embedding",
                                           "--context",        "--step",   "--projection"};
constexpr const char* kSizeFlags[] = {"--size", "--layers", "--seed"};
constexpr const char* kClassifierFlags[] = {"--length", "--pooling", "--dense"};

Result<void> without(const Given& given, std::span<const char* const> flags,
                     const std::string& reason) {
    for (const char* flag : flags) {
        if (given.has(flag)) return fail(ErrorKind::usage, flag, reason);
    }
    return {};
}

bool any_given(const Given& given, std::span<const char* const> flags) {
    return std::ranges::any_of(flags, [&](const char* flag) { return given.has(flag); });
}

/// The model without --model: a drawn transformer where its shape is asked for.
std::string unnamed_model(const Given& given) {
    const bool shaped = any_given(given, kTransformerFlags) || any_given(given, kSizeFlags) ||
                        any_given(given, kRecurrentFlags) || any_given(given, kClassifierFlags);
    const std::string trained = shaped ? std::string() : default_model();
    return trained.empty() ? "transformer" : trained;
}

/// "transformer", "seq2seq", "classifier", or a model file, which brings everything else with it.
Result<void> read_kind(const Given& given, Document& document) {
    const auto named = given.find("--maps") ? given.find("--maps") : given.find("--model");
    const std::string model = named ? *named : unnamed_model(given);
    if (model == "transformer") {
        return in_turn(
            [&] {
                return without(given, kRecurrentFlags,
                               "is of a recurrent model: add --model seq2seq");
            },
            [&] {
                return without(given, kClassifierFlags,
                               "is of a classifier: add --model classifier");
            });
    }
    if (model == "seq2seq") {
        document.model = models::RecurrentConfig{};
        const char* const size[] = {"--size"};
        const char* reason = "is of a transformer, not of seq2seq";
        return in_turn([&] { return without(given, kTransformerFlags, reason); },
                       [&] { return without(given, kClassifierFlags, "is of a classifier"); },
                       [&] { return without(given, size, reason); });
    }
    if (model == "classifier") {
        document.model = models::classifier_spec();
        const char* const others[] = {"--size", "--layers", "--architecture", "--d-ff",
                                      "--activation"};
        const char* reason = "is not of a classifier, which has one layer of attention";
        return in_turn([&] { return without(given, others, reason); },
                       [&] { return without(given, kRecurrentFlags, reason); });
    }
    const std::string shipped = shipped_model(model);
    if (shipped.empty() && !given.has("--maps") && !model.ends_with(".safetensors") &&
        !models::is_checkpoint(model) && !models::holds_attention(model)) {
        return fail(ErrorKind::usage, "--model",
                    fmt::format("'{}' is neither transformer, seq2seq, classifier, {} nor one of "
                                "the models that come with Heed: {}",
                                model, model_kinds(), fmt::join(shipped_models(), ", ")));
    }
    const char* reason = "cannot be combined with --model FILE: fixed by the file";
    document.model_file = shipped.empty() ? model : shipped;
    return in_turn([&] { return without(given, kTransformerFlags, reason); },
                   [&] { return without(given, kRecurrentFlags, reason); },
                   [&] { return without(given, kClassifierFlags, reason); },
                   [&] { return without(given, kSizeFlags, reason); });
}

Result<void> read_fields(const Given& given, models::RecurrentConfig& config) {
    if (given.has("--bidirectional") && given.has("--unidirectional")) {
        return fail(ErrorKind::usage, "--bidirectional",
                    "cannot be combined with --unidirectional");
    }
    config.bidirectional = !given.has("--unidirectional");
    return in_turn(
        [&] { return read_word<models::Shape>(given, "--shape", config.shape); },
        [&] { return read_word<nn::Cell>(given, "--cell", config.cell); },
        [&] { return read_integer(given, "--layers", 1, 16, config.n_layers); },
        [&] { return read_integer(given, "--hidden", 1, 4096, config.hidden); },
        [&] { return read_integer(given, "--embedding", 1, 4096, config.embedding); },
        [&] { return read_word<models::Context>(given, "--context", config.context); },
        [&] { return read_word<models::StepOrder>(given, "--step", config.order); },
        [&] { return read_word<models::Projection>(given, "--projection", config.projection); },
        [&] { return read_seed(given, "--seed", config.seed); });
}

Result<void> read_classifier(const Given& given, models::ModelSpec& config) {
    return in_turn([&] { return read_integer(given, "--d-model", 1, 4096, config.d_model); },
                   [&] { return read_integer(given, "--heads", 1, 256, config.n_heads); },
                   [&] {
                       return read_integer(given, "--length", 1, models::kMaxTokens,
                                           config.max_positions);
                   },
                   [&] { return read_word<models::Pooling>(given, "--pooling", config.pooling); },
                   [&] { return read_integer(given, "--dense", 1, 65536, config.dense); },
                   [&] { return read_seed(given, "--seed", config.seed); });
}

Result<void> read_fields(const Given& given, models::ModelSpec& config) {
    if (is_classifier(config)) return read_classifier(given, config);
    return in_turn(
        [&] { return read_size(given, config); },
        [&] {
            return read_word<models::Architecture>(given, "--architecture", config.architecture);
        },
        [&] { return read_integer(given, "--d-model", 1, 16384, config.d_model); },
        [&] { return read_integer(given, "--heads", 1, 256, config.n_heads); },
        [&] { return read_layers(given, config); },
        [&] { return read_integer(given, "--d-ff", 1, 65536, config.d_ff); },
        [&] { return read_word<models::Activation>(given, "--activation", config.activation); },
        [&] { return read_seed(given, "--seed", config.seed); });
}

Result<void> read_fields(const Given&, models::StoredConfig&) { return {}; }

Result<models::Scope> read_scope(const Given& given, const trace::HeadId* focused) {
    const std::string word = given.find("--apply-to").value_or("model");
    models::Scope scope;
    if (word == "model") return scope;
    const bool with_focus = focused != nullptr;
    if (with_focus && (word == "layer" || word == "head")) {
        scope.kind = focused->kind;
        scope.layer = focused->layer;
        if (word == "head") scope.head = focused->head;
        return scope;
    }
    for (const auto& kind : names<trace::AttentionKind>()) {
        if (kind.name == word) {
            scope.kind = kind.value;
            return scope;
        }
    }
    return fail(ErrorKind::usage, "--apply-to",
                fmt::format("'{}' is not one of model, {}{}", word, allowed<trace::AttentionKind>(),
                            with_focus ? ", layer, head" : ""));
}

Result<void> read_head_controls(const Given& given, models::HeadControls& controls) {
    const auto scale = [&]() -> Result<void> {
        const auto word = given.find("--scale");
        if (!word) return {};
        const auto parsed = parse_scale(*word, "--scale");
        if (!parsed) return tl::make_unexpected(parsed.error());
        controls.scale = *parsed;
        return {};
    };
    const auto mask = [&]() -> Result<void> {
        const auto words = given.find("--mask");
        if (!words) return {};
        auto parsed = parse_mask(*words, "--mask", Counting::from_1);
        if (!parsed) return tl::make_unexpected(parsed.error());
        controls.mask = *std::move(parsed);
        return {};
    };
    const auto temperature = [&]() -> Result<void> {
        if (!given.has("--temperature")) return {};
        return read_real(given, "--temperature", kTemperatures, controls.temperature.emplace());
    };
    return in_turn(
        scale, mask, temperature,
        [&] { return read_word<nn::Score>(given, "--score", controls.score); },
        [&] { return read_word<nn::Positions>(given, "--positions", controls.positions); });
}

} // namespace

std::vector<Flag> model_flags() {
    return {
        {"--model", "KIND|FILE",
         "one of `heed models`, a .safetensors or .gguf file, the folder of a checkpoint, or "
         "transformer, seq2seq or classifier, drawn "
         "from a seed (default: the trained model that the window opens with, or a transformer "
         "where "
         "its shape is given)",
         kModel},
        {"--size", "SIZE", fmt::format("{}; base is the 2017 paper's", size_names()), kModel},
        {"--architecture", "KIND", allowed<models::Architecture>(), kModel},
        {"--d-model", "N", "width, a multiple of --heads", kModel},
        {"--heads", "N", "heads of every attention", kModel},
        {"--layers", "N", "layers of the encoder, and of the decoder", kModel},
        {"--shape", "KIND",
         allowed<models::Shape>() + ": words in and out (default n-m); this and what follows are "
                                    "of seq2seq",
         kModel},
        {"--cell", "KIND", allowed<nn::Cell>(), kModel},
        {"--bidirectional", "", "the encoder reads in both directions (the default)", kModel},
        {"--unidirectional", "", "the encoder reads forwards only", kModel},
        {"--hidden", "N", "width of a state (default 256)", kModel},
        {"--embedding", "N", "width of a word (default 128)", kModel},
        {"--context", "KIND",
         fmt::format("what the decoder reads of the source: {}", allowed<models::Context>()),
         kModel},
        {"--step", "KIND",
         fmt::format("{}: attention before or after the decoder's update",
                     allowed<models::StepOrder>()),
         kModel},
        {"--projection", "KIND",
         fmt::format("linear maps of the states to keys and values: {}",
                     allowed<models::Projection>()),
         kModel},
        {"--length", "N", "tokens that a classifier reads, the others are cut (default 200)",
         kModel},
        {"--pooling", "KIND",
         fmt::format("what its dense layer reads of them: {}", allowed<models::Pooling>()), kModel},
        {"--dense", "N", "width of its dense layer (default 256)", kModel},
        {"--d-ff", "N", "width of the feed-forward network", kModel},
        {"--activation", "KIND", allowed<models::Activation>(), kModel},
        {"--seed", "N", "random seed of the weights (default 1)", kModel},
    };
}

std::vector<Flag> sentence_flags() {
    std::vector<Flag> flags = {
        {"--source", "TEXT", "what the encoder reads, in any language", kSentences},
        {"--image", "FILE", "the PNG or JPEG that a model of pictures (ViT, DeiT) reads",
         kSentences},
        {"--target", "TEXT",
         "what the decoder reads, or says; without it, and with --source, a transformer reads the "
         "source again and seq2seq speaks freely",
         kSentences},
    };
    for (Flag& flag : decoding_flags()) flags.push_back(std::move(flag));
    const Flag rest[] = {
        {"--segmentation", "KIND", allowed<text::Segmentation>(), kSentences},
        {"--pad-to", "N", "pad both sentences to N tokens", kSentences},
    };
    flags.insert(flags.end(), std::begin(rest), std::end(rest));
    return flags;
}

Flag controls_file_flag() {
    return {"--controls", "FILE",
            "controls as JSON (- is standard input), which also reaches single layers and heads "
            "(in it, they and painted cells count from 0), such as "
            R"({"controls": [{"attention": "encoder", "layer": 0, "head": 2, "scale": "off"}]})",
            kControls};
}

std::vector<Flag> control_flags() {
    return {
        controls_file_flag(),
        {"--scale", "on|off|FACTOR", "on: scores / sqrt(d_k), off: as they are", kControls},
        {"--temperature", "X", "softmax(scores / X), above 0", kControls},
        {"--mask", "MASK",
         "none, padding, causal, window:N, paint:QUERY:KEY (both count from 1), or several with "
         "commas "
         "between. It takes the place of the decoder's own causal mask",
         kControls},
        {"--score", "KIND", allowed<nn::Score>(), kControls},
        {"--positions", "KIND", allowed<nn::Positions>(), kControls},
        {"--join", "KIND", fmt::format("how positions join the embedding: {}", allowed<nn::Join>()),
         kControls},
        {"--norm", "ORDER",
         fmt::format("where the norm of a sublayer stands: {}", allowed<models::NormOrder>()),
         kControls},
        {"--dropout", "RATE", "as training sees it, from 0 up to 1; 0 is off", kControls},
        {"--dropout-seed", "N", "which values are dropped (default 1)", kControls},
        {"--apply-to", "SCOPE",
         fmt::format("where --scale, --temperature, --mask, --score and --positions hold: model, "
                     "{}, and where there is a --layer: layer, head",
                     allowed<trace::AttentionKind>()),
         kControls},
    };
}

Result<void> read_model(const Given& given, Document& document) {
    if (const auto ok = read_kind(given, document); !ok) return ok;
    const auto read = [&](auto& config) { return read_fields(given, config); };
    if (const auto ok = std::visit(read, document.model); !ok) return ok;
    if (models::traits(document.model).classifies()) return {};
    return read_decoding(given, document.decoding);
}

Result<void> read_sentences(const Given& given, Document& document) {
    const auto source = given.find("--source"), target = given.find("--target");
    if (source) document.source = *source;
    document.image_file = given.find("--image").value_or("");
    if (target) {
        document.target = *target;
    } else if (source) {
        document.target.clear(); // fit_sentences(), once the model is known
    }
    return in_turn(
        [&] {
            return read_word<text::Segmentation>(given, "--segmentation", document.segmentation);
        },
        [&] { return read_integer(given, "--pad-to", 0, models::kMaxTokens, document.pad_to); });
}

void fit_sentences(const Given& given, const ModelFacts& model, Document& document) {
    const bool source = given.has("--source"), target = given.has("--target");
    if (model.provenance && !document.model_file.empty()) {
        const Document own = opening_of(document.model_file, *model.provenance).document;
        if (!given.has("--segmentation")) document.segmentation = own.segmentation;
        if (!source) document.source = own.source;
        if (!target) document.target.clear();
    }
    const models::Traits traits = models::traits(model.config);
    if (traits.reads_ids) {
        if (!target) document.target = traits.encodes ? "" : document.source;
    } else if (source && !target && !traits.has_vocabulary) {
        document.target = document.source;
    }
    if (!traits.decodes) document.target.clear(); // nothing reads it, and nothing tells of it
}

Result<void> read_controls_file(const Given& given, Document& document) {
    const auto path = given.find("--controls");
    if (!path) return {};
    const auto bytes = *path == "-" ? base::read_standard_input(kMaxControlsBytes)
                                    : base::read_file(*path, kMaxControlsBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto parsed = parse_controls(*bytes, *path);
    if (!parsed) {
        return fail(parsed.error().kind, "--controls", base::describe(parsed.error()));
    }
    document.controls = *std::move(parsed);
    return {};
}

Result<void> read_controls(const Given& given, const trace::HeadId* focused, Document& document) {
    models::Controls& controls = document.controls;
    if (const auto ok = read_controls_file(given, document); !ok) return ok;
    const auto scope = read_scope(given, focused);
    if (!scope) return tl::make_unexpected(scope.error());
    models::HeadControls head = controls.at(*scope);
    auto read =
        in_turn([&] { return read_head_controls(given, head); },
                [&] { return read_word<nn::Join>(given, "--join", controls.join); },
                [&] { return read_word<models::NormOrder>(given, "--norm", controls.norm); },
                [&] { return read_real(given, "--dropout", kDropoutRates, controls.dropout.rate); },
                [&] { return read_seed(given, "--dropout-seed", controls.dropout.seed); });
    if (!read) return read;
    controls.set(*scope, std::move(head));
    return {};
}

Result<void> check_painted(const Given& given, const trace::HeadId* focused,
                           const models::Run& run) {
    if (!given.has("--mask")) return {};
    const auto scope = read_scope(given, focused);
    if (!scope) return tl::make_unexpected(scope.error());
    const std::string outside = painted_outside({*scope, run.controls.at(*scope)}, run.trace);
    if (outside.empty()) return {};
    return fail(ErrorKind::out_of_range, "--mask", outside);
}

} // namespace heed::app
