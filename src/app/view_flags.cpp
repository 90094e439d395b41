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
constexpr int kMostLayers = 9999;

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
        {"--select", "QUERY,KEY", "a cell to point out; both count from 1", kView},
        {"--theme", "THEME", "light, dark (default light)", kView},
        {"--palette", "NAME", allowed<figure::PaletteId>() + " (default: the theme's)", kView},
        {"--range", "RANGE",
         "what the colours span: each row, the map, or fixed from 0 to 1: " +
             allowed<figure::RangeMode>() + " (default fixed)",
         kView},
        {"--no-numbers", "", "no numbers in the cells", kView},
        {"--caption", "", "a line that says model, layer, head and controls (the default)", kView},
        {"--no-caption", "", "without that line", kView},
    };
}

Result<Focus> read_focus(const Given& given) {
    Focus focus;
    int layer = 1, head = 1;
    Result<void> ok = read_word<trace::AttentionKind>(given, "--attention", focus.head.kind);
    if (ok) ok = read_word<trace::Stage>(given, "--stage", focus.stage);
    if (ok) ok = read_integer(given, "--layer", 1, kMostLayers, layer);
    if (ok) ok = read_integer(given, "--head", 1, kMostLayers, head);
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
    view.caption = !given.has("--no-caption");
    Result<void> ok = read_word<View>(given, "--view", view.view);
    if (ok) ok = read_word<figure::PaletteId>(given, "--palette", view.palette);
    if (ok) ok = read_word<figure::RangeMode>(given, "--range", view.range);
    if (ok) ok = read_selection(given, view);
    if (ok) ok = read_theme(given, view);
    if (!ok) return tl::make_unexpected(ok.error());
    return view;
}

void settle_attention(const Given& given, const Document& document, Focus& focus) {
    if (given.has("--attention") || !document.model_file.empty()) return;
    if (!models::has_encoder(document.model)) focus.head.kind = trace::AttentionKind::decoder_self;
}

Result<void> check_focus(const Snapshot& snapshot, const Focus& wanted, const ViewState& view) {
    const trace::Trace& trace = snapshot.run->trace;
    const trace::HeadId& head = wanted.head;
    const int layers = trace.n_layers(head.kind), heads = trace.n_heads(head.kind);
    if (layers == 0) {
        std::string kinds;
        for (const trace::AttentionKind kind : trace::kAttentionKinds) {
            if (trace.n_layers(kind) == 0) continue;
            kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", trace::name(kind));
        }
        return fail(ErrorKind::out_of_range, "--attention",
                    fmt::format("this {} model has no {} attention; it has {}",
                                name_of(snapshot.run->model->config().architecture),
                                trace::name(head.kind), kinds));
    }
    if (head.layer >= layers) {
        return fail(ErrorKind::out_of_range, "--layer",
                    fmt::format("{} is not from 1 to {}", head.layer + 1, layers));
    }
    if (head.head >= heads) {
        return fail(ErrorKind::out_of_range, "--head",
                    fmt::format("{} is not from 1 to {}", head.head + 1, heads));
    }
    if (view.selected && snapshot.map) {
        const auto map = trace.map(head);
        const auto queries = map->rows(trace::Stage::weights),
                   keys = map->cols(trace::Stage::weights);
        if (view.selected->first >= queries || view.selected->second >= keys) {
            return fail(ErrorKind::out_of_range, "--select",
                        fmt::format("{},{} lies outside of {} queries and {} keys",
                                    view.selected->first + 1, view.selected->second + 1, queries,
                                    keys));
        }
    }
    return {};
}

} // namespace heed::app
