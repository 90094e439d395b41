#include "app/cli/view_flags.hpp"

#include "app/cli/flag_values.hpp"
#include "app/document/names.hpp"
#include "app/views/view_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kView = "View";
constexpr int kMostHeads = 9999; // far beyond any model's: what it has is known later

trace::AttentionKind first_kind(const models::Traits& traits) {
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        if (traits.layers(kind) > 0) return kind;
    }
    return trace::AttentionKind::encoder_self;
}

/// "encoder, decoder, cross", those that the model has.
std::string kinds_of(const models::Traits& traits) {
    std::string kinds;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        if (traits.layers(kind) == 0) continue;
        kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", trace::name(kind));
    }
    return kinds;
}

/// "8,2": query 8 and key 2, from 1.
Result<void> read_selection(const Given& given, std::optional<std::pair<int, int>>& selected) {
    const auto words = given.find("--select");
    if (!words) return {};
    const std::string_view cell = *words;
    const std::size_t comma = std::min(cell.find(','), cell.size());
    const auto query = parse_integer(cell.substr(0, comma), "--select", 1, models::kMaxTokens);
    const auto key = parse_integer(cell.substr(std::min(comma + 1, cell.size())), "--select", 1,
                                   models::kMaxTokens);
    if (!query || !key) {
        return fail(ErrorKind::usage, "--select",
                    fmt::format("'{}' is not QUERY,KEY such as 8,2; both count from 1 to {}", cell,
                                models::kMaxTokens));
    }
    selected = {static_cast<int>(*query) - 1, static_cast<int>(*key) - 1};
    return {};
}

/// Words have no pieces, and scores no sum that means anything.
Result<void> check_merging(const Given& given, const Focus& focus, const models::Traits& traits) {
    if (!focus.merge_words) return {};
    if (!traits.reads_ids &&
        given.find("--segmentation") != name_of(text::Segmentation::characters)) {
        return fail(ErrorKind::usage, "--merge-words",
                    "merges characters: add --segmentation characters");
    }
    if (focus.stage != trace::Stage::weights) {
        return fail(ErrorKind::usage, "--merge-words", "merges weights: leave --stage out");
    }
    return {};
}

/// "2,5": places that count from 1, in rising order and once each.
Result<void> read_places(const Given& given, const char* flag, int most, std::vector<int>& places) {
    const auto words = given.find(flag);
    if (!words) return {};
    std::string_view rest = *words;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        const auto place = parse_integer(rest.substr(0, comma), flag, 1, most);
        if (!place) {
            return fail(place.error().kind, flag,
                        fmt::format("'{}' is not a list such as 2,5 of numbers from 1 to {}",
                                    *words, most));
        }
        places.push_back(static_cast<int>(*place) - 1);
        more = comma != rest.npos;
        if (more) rest.remove_prefix(comma + 1);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return {};
}

/// "encoder.5.3,cross.2.1": layers and heads count from 1.
Result<void> read_slots(const Given& given, std::vector<trace::HeadId>& slots) {
    const auto words = given.find("--slots");
    if (!words) return {};
    const auto bad = [&] {
        return fail(
            ErrorKind::usage, "--slots",
            fmt::format("'{}' is not a list of at most {} heads such as encoder.5.3,cross.2.1",
                        *words, kMostSlots));
    };
    std::string_view rest = *words;
    for (bool more = true; more;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view word = rest.substr(0, comma);
        const std::size_t first = std::min(word.find('.'), word.size());
        const std::size_t second = std::min(word.find('.', first + 1), word.size());
        const auto kind = parse_name<trace::AttentionKind>(word.substr(0, first), "--slots");
        const auto number = [&](std::size_t from, std::size_t to) {
            return parse_integer(from < word.size() ? word.substr(from, to - from) : "", "--slots",
                                 1, kMostHeads);
        };
        const auto layer = number(first + 1, second), head = number(second + 1, word.size());
        if (!kind || !layer || !head) return bad();
        const trace::HeadId id{*kind, static_cast<int>(*layer) - 1, static_cast<int>(*head) - 1};
        if (std::find(slots.begin(), slots.end(), id) == slots.end()) slots.push_back(id);
        more = comma < rest.size();
        if (more) rest.remove_prefix(comma + 1);
    }
    if (slots.size() > kMostSlots) return bad();
    return {};
}

Result<void> read_theme(const Given& given, ViewState& view) {
    const std::string theme = given.find("--theme").value_or("light");
    if (theme != "light" && theme != "dark") {
        return fail(ErrorKind::usage, "--theme",
                    fmt::format("'{}' is not one of light, dark", theme));
    }
    view.dark = theme == "dark";
    return {};
}

/// Reads the fields that have a flag, up to the first error.
struct FlagReader {
    const Given& given;
    Result<void>& ok;

    template <class T> void operator()(const ViewField& field, T& value) {
        if (ok && *field.flag != '\0') ok = read(field, value);
    }

  private:
    template <class T> Result<void> read(const ViewField& f, T& value) const {
        if constexpr (std::is_enum_v<T>) return read_word<T>(given, f.flag, value);
        return {};
    }
    template <class E> Result<void> read(const ViewField& f, std::optional<E>& value) const {
        if constexpr (std::is_enum_v<E>) return read_word<E>(given, f.flag, value);
        return {};
    }
    Result<void> read(const ViewField&, std::optional<std::pair<int, int>>& value) const {
        return read_selection(given, value);
    }
    Result<void> read(const ViewField& f, bool& value) const {
        value = given.has(f.flag) != std::string_view(f.flag).starts_with("--no-");
        return {};
    }
    Result<void> read(const ViewField& f, float& value) const {
        return read_real(given, f.flag, {f.low, f.high}, value);
    }
    Result<void> read(const ViewField& f, std::vector<int>& value) const {
        return read_places(given, f.flag, static_cast<int>(f.high), value);
    }
    Result<void> read(const ViewField&, std::vector<trace::HeadId>& value) const {
        return read_slots(given, value);
    }
};

} // namespace

std::vector<Flag> view_flags() {
    return {
        {"--view", "VIEW", allowed<View>() + " (default heatmap; of a ViT or DeiT picture)", kView},
        {"--attention", "KIND",
         allowed<trace::AttentionKind>() + " (default: the first that there is)", kView},
        {"--layer", "N", "counts from 1 (default 1; without any of these as the window)", kView},
        {"--head", "N", "counts from 1, as in the picture's title (default 1)", kView},
        {"--stage", "STAGE", allowed<trace::Stage>() + " (default weights)", kView},
        {"--times", "WHAT",
         "in a map of weights, times how long each key's value is, or what the output map makes "
         "of it (Kobayashi et al. 2020): " +
             allowed<Times>() + " (default nothing)",
         kView},
        {"--compare", "HOW",
         "compare the map with the original, without any changed control: " + allowed<Compare>() +
             " (default off)",
         kView},
        {"--select", "QUERY,KEY", "a cell to point out; both count from 1", kView},
        {"--combine", "HOW", "all heads of the attention as one map: " + allowed<trace::Combine>(),
         kView},
        {"--rows-read", "",
         "rows of cross-attention are named by the word that the decoder reads there, not by the "
         "one that it says",
         kView},
        {"--merge-words", "",
         "characters become their words again in pictures of weights: attention to a word is the "
         "sum over its characters, from it the mean; vectors and scores stay tokens, with brackets",
         kView},
        {"--hide-special", "",
         "no special tokens (BOS, EOS, CLS, SEP, PAD, codes of languages) but in steps that ran; "
         "what remains is not renormalised",
         kView},
        {"--order", "ORDER",
         "order of heads: " + allowed<HeadOrder>() +
             "; of numbers the largest first (default place)",
         kView},
        {"--heads-as", "HOW", "with --view heads: " + allowed<HeadsAs>() + " (default maps)",
         kView},
        {"--cards", "CARDS", "of Inside: " + allowed<InsideCards>() + " (default parts)", kView},
        {"--colour-by", "SCORE",
         "with --view heads, the score that heads are coloured by: " + allowed<inside::HeadScore>(),
         kView},
        {"--least", "SHARE",
         "heads below it stand back: of --colour-by's range over the heads, 0 to 1 (default 0)",
         kView},
        {"--across", "SCORE", "of a scatter, from left to right (default distance)", kView},
        {"--up", "SCORE", "of a scatter, upwards (default entropy)", kView},
        {"--from", "QUERIES", "in lines, these tokens' links alone, summed: 2,5", kView},
        {"--to", "KEYS", "in lines, the links to these tokens alone, summed: 3", kView},
        {"--overlay", "HEADS", "in lines, these heads of the layer over each other: 1,3", kView},
        {"--mass", "SHARE",
         "in lines, of each query the strongest links that hold this share (default 0.9)", kView},
        {"--columns", "", "in lines, two columns of tokens (two rows where it is too low)", kView},
        {"--slots", "HEADS",
         "with --view heads, these side by side above all others: encoder.5.3,cross.2.1", kView},
        {"--features", "ORDER",
         "order of features in neurons: " + allowed<figure::FeatureOrder>() + " (default place)",
         kView},
        {"--flow", "RULE",
         "rollout adds residual connections, raw does not: " + allowed<trace::FlowRule>() +
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
        {"--caption", "", "below it head, controls, model, text and reading (the default)", kView},
        {"--no-caption", "", "without those words", kView},
        {"--no-title", "", "no words above the picture", kView},
        {"--no-bar", "", "no colour bar beside the map", kView},
    };
}

Result<Focus> read_focus(const Given& given, const ModelFacts& model) {
    const models::Traits traits = models::traits(model.config);
    Focus focus;
    focus.head.kind = first_kind(traits);
    const bool crosses = traits.layers(trace::AttentionKind::cross) > 0;
    if (crosses && given.find("--view") == name_of(View::step)) {
        focus.head.kind = trace::AttentionKind::cross; // the view is of the decoder
    }
    const bool flows = given.find("--view") == name_of(View::flow); // through self-attention
    const bool placed =
        flows || given.has("--attention") || given.has("--layer") || given.has("--head");
    if (!placed && model.provenance && model.provenance->aligned_by) {
        const trace::HeadId& own = *model.provenance->aligned_by;
        const bool has = own.layer < traits.layers(own.kind) && own.head < traits.n_heads;
        if (has) focus.head = own;
    }
    Result<void> ok = read_word<trace::AttentionKind>(given, "--attention", focus.head.kind);
    if (ok) ok = read_word<trace::Stage>(given, "--stage", focus.stage);
    if (ok) ok = read_word<Times>(given, "--times", focus.times);
    if (ok) ok = read_word<trace::Combine>(given, "--combine", focus.combine);
    if (ok && focus.combine && focus.stage != trace::Stage::weights) {
        ok = fail(ErrorKind::usage, "--combine", "combines weights: leave --stage out");
    }
    if (!ok) return tl::make_unexpected(ok.error());
    if (focus.times != Times::nothing && (focus.combine || focus.stage != trace::Stage::weights)) {
        return fail(ErrorKind::usage, "--times",
                    "multiplies the weights of one head: leave --stage and --combine out");
    }
    const int layers = traits.layers(focus.head.kind);
    if (kinds_of(traits).empty()) {
        for (const char* flag :
             {"--attention", "--stage", "--times", "--combine", "--layer", "--head"}) {
            if (!given.has(flag)) continue;
            return fail(ErrorKind::usage, flag,
                        "is about attention, which this model does not have");
        }
        return focus;
    }
    if (layers == 0) {
        return fail(ErrorKind::out_of_range, "--attention",
                    fmt::format("this {} model has no {} attention; it has {}", traits.form,
                                trace::name(focus.head.kind), kinds_of(traits)));
    }
    focus.merge_words = given.has("--merge-words");
    focus.hide_special = given.has("--hide-special");
    if (focus.hide_special && traits.reads_pictures) {
        return fail(ErrorKind::usage, "--hide-special", "is about text; this model reads pictures");
    }
    if (const auto ok_to_merge = check_merging(given, focus, traits); !ok_to_merge) {
        return tl::make_unexpected(ok_to_merge.error());
    }
    focus.rows_read = given.has("--rows-read");
    int layer = focus.head.layer + 1, head = focus.head.head + 1;
    ok = read_integer(given, "--layer", 1, layers, layer);
    if (ok) ok = read_integer(given, "--head", 1, traits.n_heads, head);
    if (!ok) return tl::make_unexpected(ok.error());
    focus.head.layer = layer - 1;
    focus.head.head = head - 1;
    return focus;
}

Result<ViewState> read_view(const Given& given) {
    ViewState view;
    if (given.has("--caption") && given.has("--no-caption")) {
        return fail(ErrorKind::usage, "--caption", "cannot be combined with --no-caption");
    }
    Result<void> ok;
    view_fields(view, FlagReader{given, ok});
    if (ok) ok = read_theme(given, view);
    if (ok && view.compare != Compare::off && view.view != View::heatmap) {
        ok = fail(ErrorKind::usage, "--compare", "holds maps against each other: leave --view out");
    }
    if (!ok) return tl::make_unexpected(ok.error());
    return view;
}

void fit_view(const Io& io, const Given& given, const models::Config& config, ViewState& view) {
    const bool pictures = models::traits(config).reads_pictures;
    const bool compares = view.compare != Compare::off; // maps alone
    if (pictures && !compares && !given.has("--view") && view.view == View::heatmap) {
        view.view = View::picture;
    }
    const View shown = fitting(view.view, config);
    if (shown == view.view) return;
    mention(io, fmt::format("--view {}: this model has nothing to show there; {} is drawn",
                            name_of(view.view), name_of(shown)));
    view.view = shown;
}

Result<void> check_selection(const Snapshot& snapshot, const ViewState& view) {
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!map) return {};
    const auto queries = map->rows(trace::Stage::weights), keys = map->cols(trace::Stage::weights);
    const auto reaches = [](const std::vector<int>& tokens, num::Index count, const char* flag,
                            const char* of) -> Result<void> {
        if (tokens.empty() || tokens.back() < count) return {};
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("{} lies outside of {} {}", tokens.back() + 1, count, of));
    };
    Result<void> ok = reaches(view.pinned_queries, queries, "--from", "queries");
    if (ok) ok = reaches(view.pinned_keys, keys, "--to", "keys");
    if (ok)
        ok = reaches(view.overlay, snapshot.run->trace.n_heads(snapshot.focus.head.kind),
                     "--overlay", "heads");
    for (const trace::HeadId& id : view.slots) {
        if (!ok || snapshot.run->trace.map(id)) continue;
        ok = fail(ErrorKind::out_of_range, "--slots",
                  fmt::format("this model has no {}.{}.{}", trace::name(id.kind), id.layer + 1,
                              id.head + 1));
    }
    if (!ok || !view.selected) return ok;
    if (view.selected->first < queries && view.selected->second < keys) return {};
    return fail(ErrorKind::out_of_range, "--select",
                fmt::format("{},{} lies outside of {} queries and {} keys",
                            view.selected->first + 1, view.selected->second + 1, queries, keys));
}

} // namespace heed::app
