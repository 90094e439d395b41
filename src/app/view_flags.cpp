#include "app/view_flags.hpp"

#include "app/flag_values.hpp"
#include "app/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kView = "View";

trace::AttentionKind first_kind(const models::TransformerConfig& config) {
    return models::has_encoder(config) ? trace::AttentionKind::encoder_self
                                       : trace::AttentionKind::decoder_self;
}

/// "encoder, decoder, cross", those that the model has.
std::string kinds_of(const models::TransformerConfig& config) {
    std::string kinds;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        if (models::n_layers(config, kind) == 0) continue;
        kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", trace::name(kind));
    }
    return kinds;
}

/// "8,2": query 8 and key 2, from 1.
Result<void> read_selection(const Given& given, ViewState& view) {
    const auto words = given.find("--select");
    if (!words) return {};
    const std::string_view cell = *words;
    const std::size_t comma = std::min(cell.find(','), cell.size());
    const auto query = parse_integer(cell.substr(0, comma), "--select", 1, models::kMaxTokens);
    const auto key = parse_integer(cell.substr(std::min(comma + 1, cell.size())), "--select", 1,
                                   models::kMaxTokens);
    if (!query || !key) {
        return fail(ErrorKind::usage, "--select",
                    fmt::format("'{}' is no QUERY,KEY such as 8,2; both count from 1 to {}", cell,
                                models::kMaxTokens));
    }
    view.selected = {static_cast<int>(*query) - 1, static_cast<int>(*key) - 1};
    return {};
}

/// Words have no pieces, and scores no sum that means anything.
Result<void> check_merging(const Given& given, const Focus& focus) {
    if (!focus.merge_words) return {};
    if (given.find("--segmentation") != name_of(text::Segmentation::characters)) {
        return fail(ErrorKind::usage, "--merge-words",
                    "merges characters: add --segmentation characters");
    }
    if (focus.stage != trace::Stage::weights) {
        return fail(ErrorKind::usage, "--merge-words", "merges weights: leave --stage out");
    }
    return {};
}

Result<void> read_theme(const Given& given, ViewState& view) {
    const std::string theme = given.find("--theme").value_or("light");
    if (theme != "light" && theme != "dark") {
        return fail(ErrorKind::usage, "--theme", fmt::format("'{}' is none of light, dark", theme));
    }
    view.dark = theme == "dark";
    return {};
}

} // namespace

std::vector<Flag> view_flags() {
    return {
        {"--view", "VIEW", allowed<View>() + " (default heatmap)", kView},
        {"--attention", "KIND",
         allowed<trace::AttentionKind>() + " (default: the first that there is)", kView},
        {"--layer", "N", "counts from 1, as in the picture's title (default 1)", kView},
        {"--head", "N", "counts from 1, as in the picture's title (default 1)", kView},
        {"--stage", "STAGE", allowed<trace::Stage>() + " (default weights)", kView},
        {"--compare", "HOW",
         "hold the map against the same one with no control altered: " + allowed<Compare>() +
             " (default off)",
         kView},
        {"--select", "QUERY,KEY", "a cell to point out; both count from 1", kView},
        {"--combine", "HOW", "all heads of the attention as one map: " + allowed<trace::Combine>(),
         kView},
        {"--merge-words", "",
         "characters become their words again in pictures of weights: attention to a word is the "
         "sum "
         "over its characters, from it the mean",
         kView},
        {"--order", "ORDER",
         "of heads: " + allowed<HeadOrder>() + "; the largest first (default place)", kView},
        {"--features", "ORDER",
         "of neurons: " + allowed<figure::FeatureOrder>() + " (default place)", kView},
        {"--flow", "RULE",
         "rollout adds what a token keeps of itself, raw does not: " + allowed<trace::FlowRule>() +
             " (default rollout)",
         kView},
        {"--theme", "THEME", "light, dark (default light)", kView},
        {"--palette", "NAME", allowed<figure::PaletteId>() + " (default: the theme's)", kView},
        {"--range", "RANGE",
         "what the colours span: each row, the map, or fixed from 0 to 1: " +
             allowed<figure::RangeMode>() + " (default fixed)",
         kView},
        {"--colours", "SCALE",
         "of weights: equal steps of colour for equal steps, or for equal ratios: " +
             allowed<figure::ColourScale>() + " (default linear)",
         kView},
        {"--no-strips", "", "no tinted strips along maps and grids of heads", kView},
        {"--no-numbers", "", "no numbers in the cells", kView},
        {"--caption", "", "a line that says model, layer, head and controls (the default)", kView},
        {"--no-caption", "", "without that line", kView},
    };
}

Result<Focus> read_focus(const Given& given, const models::TransformerConfig& config) {
    Focus focus;
    focus.head.kind = first_kind(config);
    Result<void> ok = read_word<trace::AttentionKind>(given, "--attention", focus.head.kind);
    if (ok) ok = read_word<trace::Stage>(given, "--stage", focus.stage);
    if (ok) ok = read_word<trace::Combine>(given, "--combine", focus.combine);
    if (ok && focus.combine && focus.stage != trace::Stage::weights) {
        ok = fail(ErrorKind::usage, "--combine", "combines weights: leave --stage out");
    }
    if (!ok) return tl::make_unexpected(ok.error());
    const int layers = models::n_layers(config, focus.head.kind);
    if (layers == 0) {
        return fail(ErrorKind::out_of_range, "--attention",
                    fmt::format("this {} model has no {} attention; it has {}",
                                name_of(config.architecture), trace::name(focus.head.kind),
                                kinds_of(config)));
    }
    focus.merge_words = given.has("--merge-words");
    if (const auto ok_to_merge = check_merging(given, focus); !ok_to_merge) {
        return tl::make_unexpected(ok_to_merge.error());
    }
    int layer = 1, head = 1;
    ok = read_integer(given, "--layer", 1, layers, layer);
    if (ok) ok = read_integer(given, "--head", 1, config.n_heads, head);
    if (!ok) return tl::make_unexpected(ok.error());
    focus.head.layer = layer - 1;
    focus.head.head = head - 1;
    return focus;
}

Result<ViewState> read_view(const Given& given) {
    ViewState view;
    if (given.has("--caption") && given.has("--no-caption")) {
        return fail(ErrorKind::usage, "--caption", "cannot stand beside --no-caption");
    }
    view.numbers = !given.has("--no-numbers");
    view.strips = !given.has("--no-strips");
    view.caption = !given.has("--no-caption");
    Result<void> ok = read_word<View>(given, "--view", view.view);
    if (ok) ok = read_word<figure::PaletteId>(given, "--palette", view.palette);
    if (ok) ok = read_word<figure::RangeMode>(given, "--range", view.range);
    if (ok) ok = read_word<figure::ColourScale>(given, "--colours", view.scale);
    if (ok) ok = read_word<HeadOrder>(given, "--order", view.head_order);
    if (ok) ok = read_word<figure::FeatureOrder>(given, "--features", view.feature_order);
    if (ok) ok = read_word<trace::FlowRule>(given, "--flow", view.flow_rule);
    if (ok) ok = read_word<Compare>(given, "--compare", view.compare);
    if (ok) ok = read_selection(given, view);
    if (ok) ok = read_theme(given, view);
    if (!ok) return tl::make_unexpected(ok.error());
    return view;
}

Result<void> check_selection(const Snapshot& snapshot, const ViewState& view) {
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!view.selected || !map) return {};
    const auto queries = map->rows(trace::Stage::weights), keys = map->cols(trace::Stage::weights);
    if (view.selected->first < queries && view.selected->second < keys) return {};
    return fail(ErrorKind::out_of_range, "--select",
                fmt::format("{},{} lies outside of {} queries and {} keys",
                            view.selected->first + 1, view.selected->second + 1, queries, keys));
}

} // namespace heed::app
