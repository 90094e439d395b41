// Page 10: who supplies queries, keys and values, found out by replacing a word.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "models/open.hpp"
#include "nn/attention/linear_layer.hpp"
#include "text/token.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;
using trace::AttentionKind;

constexpr const char* kReadings[] = {"q", "k", "v"};

/// A small transformer of the 2017 kind; the same seed gives the same one.
std::shared_ptr<const models::Model> small_model(const Settings& s) {
    models::ModelSpec spec;
    spec.d_model = 16;
    spec.n_heads = 2;
    spec.n_encoder_layers = spec.n_decoder_layers = s.integer("layers");
    spec.d_ff = 32;
    spec.vocabulary = 512;
    spec.max_positions = 64;
    spec.seed = s.seed;
    auto model = models::draw_model(spec, nn::alone());
    HEED_CHECK(model.has_value(), "{}", base::describe(model.error()));
    return *std::move(model);
}

std::vector<text::Token> words_of_text(const Settings& s, std::string_view name) {
    return text::tokenize(s.words(name), text::Segmentation::words, 24);
}

struct CrossInput {
    models::Input input;
    bool empty() const { return input.source.empty() || input.target.empty(); }
};

CrossInput cross_input(const Settings& s) {
    CrossInput made;
    made.input.source = words_of_text(s, "source");
    made.input.target = words_of_text(s, "target");
    return made;
}

/// Puts one word that nobody wrote in place of the first.
void replace_first(std::vector<text::Token>& tokens, std::uint64_t seed) {
    tokens.front().text = fmt::format("other{}", seed);
}

std::shared_ptr<const models::Run> run_of(const std::shared_ptr<const models::Model>& model,
                                          const models::Input& input) {
    auto run = models::run(model, input, {}, nn::alone());
    HEED_CHECK(run.has_value(), "{}", base::describe(run.error()));
    return *std::move(run);
}

const num::SharedRows<float>& reading_of(const trace::Attention& attention, int which) {
    return which == 0 ? attention.q : which == 1 ? attention.k : attention.v;
}

/// Changes of q, k and v of a module relative to their size.
std::array<double, 3> changes(const models::Run& before, const models::Run& after,
                              AttentionKind kind, int layer) {
    std::array<double, 3> result{};
    const auto was = before.trace.attention(kind, layer), is = after.trace.attention(kind, layer);
    for (int r = 0; r < 3; ++r) {
        const auto& a = reading_of(*was, r);
        const auto& b = reading_of(*is, r);
        result[static_cast<std::size_t>(r)] =
            static_cast<double>((a - b).norm()) / std::max(1e-30, static_cast<double>(a.norm()));
    }
    return result;
}

struct Sources {
    std::shared_ptr<const models::Run> run, other_source, other_target;
};

Sources sources_of(const Settings& s, const CrossInput& input) {
    const auto model = small_model(s);
    models::Input source = input.input, target = input.input;
    replace_first(source.source, s.seed);
    replace_first(target.target, s.seed);
    return {run_of(model, input.input), run_of(model, source), run_of(model, target)};
}

Picture change_picture(const Sources& sources, AttentionKind kind, int layers,
                       const std::string& seed) {
    Matrix<double> values(3 * layers, 2);
    std::vector<std::string> rows;
    for (int layer = 0; layer < layers; ++layer) {
        const auto by_source = changes(*sources.run, *sources.other_source, kind, layer);
        const auto by_target = changes(*sources.run, *sources.other_target, kind, layer);
        for (int r = 0; r < 3; ++r) {
            values(3 * layer + r, 0) = by_source[static_cast<std::size_t>(r)];
            values(3 * layer + r, 1) = by_target[static_cast<std::size_t>(r)];
            rows.push_back(fmt::format("{}, layer {}", kReadings[r], layer + 1));
        }
    }
    Picture made =
        matrix_picture(kind == AttentionKind::cross          ? "Cross-attention"
                       : kind == AttentionKind::encoder_self ? "Encoder self-attention"
                                                             : "Decoder self-attention",
                       "relative change when the first word of one side is replaced" + seed, values,
                       rows, {"source", "target"});
    auto& grid = std::get<Grid>(made.data);
    grid.signed_values = false;
    grid.zeros = true;
    grid.row_word = "matrix";
    grid.col_word = "replaced in";
    grid.bar_word = "change";
    return made;
}

std::vector<Picture> look_at_sides(const Settings& s) {
    const CrossInput input = cross_input(s);
    if (input.empty()) return {{"Cross-attention", "one side has no words", Words{}}};
    const Sources sources = sources_of(s, input);
    const int layers = s.integer("layers");
    const std::string seed = fmt::format("\u00a0·\u00a0seed\u00a0{}", s.seed);
    std::vector<Picture> pictures;
    for (const AttentionKind kind :
         {AttentionKind::cross, AttentionKind::encoder_self, AttentionKind::decoder_self}) {
        pictures.push_back(change_picture(sources, kind, layers, seed));
    }
    set_in_one_span(pictures);
    const trace::HeadId head{AttentionKind::cross, 0, 0};
    pictures.push_back(picture_of(
        *sources.run, head, first_rows(*sources.run, head, trace::Stage::weights),
        "Weights of cross-attention", "layer 1\u00a0·\u00a0head 1, target by source words" + seed));
    return pictures;
}

Result<Sample> measure_sides(const Settings& s, const Work&) {
    const CrossInput input = cross_input(s);
    if (input.empty()) {
        return base::fail(base::ErrorKind::usage, input.input.source.empty() ? "source" : "target",
                          "has no words");
    }
    const Sources sources = sources_of(s, input);
    const int layers = s.integer("layers");
    double keys_by_target = 0, queries_by_source = 0, encoder_by_target = 0, later = 0;
    double keys_by_source = 1, queries_by_target = 1;
    for (int layer = 0; layer < layers; ++layer) {
        const auto source =
            changes(*sources.run, *sources.other_source, AttentionKind::cross, layer);
        const auto target =
            changes(*sources.run, *sources.other_target, AttentionKind::cross, layer);
        keys_by_target = std::max({keys_by_target, target[1], target[2]});
        keys_by_source = std::min({keys_by_source, source[1], source[2]});
        queries_by_target = std::min(queries_by_target, target[0]);
        (layer == 0 ? queries_by_source : later) =
            std::max(layer == 0 ? queries_by_source : later, source[0]);
        const auto encoder =
            changes(*sources.run, *sources.other_target, AttentionKind::encoder_self, layer);
        encoder_by_target = std::max({encoder_by_target, encoder[0], encoder[1], encoder[2]});
    }
    const auto cross = sources.run->trace.attention(AttentionKind::cross, 0);
    return Sample{
        {{"queries", "number of queries in cross-attention",
          static_cast<double>(cross->n_queries())},
         {"keys", "number of keys in cross-attention", static_cast<double>(cross->n_keys())},
         {"keys_by_target", "change of k and v, another target word", keys_by_target},
         {"keys_by_source", "least change of k and v, another source word", keys_by_source},
         {"queries_by_target", "least change of q, another target word", queries_by_target},
         {"queries_by_source", "change of q in layer 1, another source word", queries_by_source},
         {"later_queries_by_source", "change of q in later layers, another source word", later},
         {"encoder_by_target", "change of the encoder's q, k, v, another target word",
          encoder_by_target}}};
}

Judgement judge_sides(const std::vector<Number>& measured) {
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    const auto value = [&](const char* name) { return of(name).value; };
    const bool apart = value("keys_by_target") == 0 && value("queries_by_source") == 0 &&
                       value("encoder_by_target") == 0;
    const bool moved = least_of(of("keys_by_source")) > 0 && least_of(of("queries_by_target")) > 0;
    if (!apart) {
        return {Verdict::does_not_hold,
                fmt::format("The sides mix: another target word changes the keys and values of "
                            "cross-attention by {} of their size and the encoder by {}, another "
                            "source word the first layer's queries by {}.",
                            in_digits(of("keys_by_target")), in_digits(of("encoder_by_target")),
                            in_digits(of("queries_by_source")))};
    }
    if (!moved) {
        return {Verdict::depends,
                fmt::format("The sides do not mix, but these words show no more: another word of "
                            "their own side changes keys and values by {} of their size and "
                            "queries by {}. Take other words.",
                            in_digits(of("keys_by_source")), in_digits(of("queries_by_target")))};
    }
    std::string because =
        fmt::format("Over all seeds another target word changes the queries of cross-attention, by "
                    "at least {} of their size, and leaves its keys and values exactly as they "
                    "were. Another source word changes keys and values, by at least {}, and leaves "
                    "the first layer's queries as they were.",
                    rounded_down(least_of(of("queries_by_target")), 2),
                    rounded_down(least_of(of("keys_by_source")), 2));
    if (value("later_queries_by_source") > 0) {
        because += fmt::format(" Queries of later layers do follow the source, by {}: they carry "
                               "what the first layer read there.",
                               in_words(of("later_queries_by_source")));
    }
    return {Verdict::holds, because};
}

/// The sides of cross-attention, and a head of it.
OnModel cross_on_head(const models::Run& run, const trace::HeadId& head) {
    const auto cross = run.trace.attention(AttentionKind::cross, head.layer);
    OnModel seen;
    seen.words = fmt::format("Cross-attention has {} queries from the target, {} keys and "
                             "values from the source.",
                             cross->n_queries(), cross->n_keys());
    seen.open = head;
    seen.pictures = {picture_of(run, head, first_rows(run, head, trace::Stage::weights), "Weights",
                                words_of(head))};
    return seen;
}

std::optional<OnModel> sides_on_model(const models::Run& run, const Settings&) {
    if (run.trace.attention(AttentionKind::cross, 0)) {
        return cross_on_head(run, {AttentionKind::cross, 0, 0});
    }
    OnModel seen;
    const auto heads = heads_of(run, 1);
    if (heads.empty()) return std::nullopt;
    seen.words = "This model has self-attention alone: queries, keys and values are of the same "
                 "words.";
    seen.open = heads[0];
    return seen;
}

std::optional<OnModel> sides_on_head(const models::Run& run, const Settings& settings,
                                     const trace::HeadId& head) {
    const bool is_cross = head.kind == AttentionKind::cross && run.trace.map(head);
    return is_cross ? cross_on_head(run, head) : sides_on_model(run, settings);
}

} // namespace

Page self_cross_page() {
    Page page;
    page.name = "self-cross";
    page.group = "Attention";
    page.title = "Self or cross: who supplies q, k and v?";
    page.words =
        "In self-attention all three are projections of the same words. In cross-attention the "
        "target asks and the source answers. In a small random transformer the first word of "
        "either side is replaced: see which matrices change.";
    page.formula = "cross:  Q = X_{target} W_{Q},  K = X_{source} W_{K},  V = X_{source} W_{V}";
    page.claim = "Cross-attention's queries come from the target, its keys and values from the "
                 "source.";
    page.source = "Vaswani et al. 2017, section 3.2.3";
    page.parameters = {
        typed("source", "Source", "What the encoder reads.", "我 昨天 吃 了 一个 苹果"),
        typed("target", "Target", "What the decoder reads.", "I ate an apple yesterday"),
        whole("layers", "Layers", "Of the encoder, and of the decoder.", 1, 4, 2)};
    page.look = look_at_sides;
    page.measure_seed = measure_sides;
    page.judge = judge_sides;
    page.on_model = sides_on_model;
    page.on_head = sides_on_head;
    return page;
}

} // namespace heed::lab
