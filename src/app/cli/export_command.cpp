// heed export: what the window would show, as a file.
#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/image_flag.hpp"
#include "app/cli/maps_flag.hpp"
#include "app/cli/view_flags.hpp"
#include "app/document/names.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/missing_letters.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/filter.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

/// The plan that the flags come to.
struct ExportPlan {
    Document document;
    Focus focus;
    ViewState view;
    ExportOptions options;
    ExportFormat format = ExportFormat::png;
    std::string path;
};

Result<ExportFormat> read_format(const Given& given, const std::string& path) {
    if (const auto word = given.find("--format")) {
        return parse_name<ExportFormat>(*word, "--format");
    }
    if (path == "-") {
        return fail(ErrorKind::usage, "--format",
                    "is needed for the standard output: png, svg, pdf, csv, npy or npz");
    }
    if (const auto format = export_format_of(path)) return *format;
    return fail(ErrorKind::usage, "--output",
                fmt::format("'{}' ends in none of .png, .svg, .pdf, .csv, .npy, .npz", path));
}

/// A column of a paper, and the size of its words.
Result<void> read_page(const Given& given, ExportOptions& options) {
    if (!given.find("--cm")) {
        if (!given.find("--font-size")) return {};
        return fail(ErrorKind::usage, "--font-size", "is of a page: add --cm");
    }
    if (given.find("--width") || given.find("--height")) {
        return fail(ErrorKind::usage, "--cm",
                    "says how wide it is: leave --width and --height out");
    }
    options.page.emplace();
    options.png_scale = kPaperScale; // 300 dpi, where no scale is asked for
    Result<void> ok = read_real(given, "--cm", {2, 100}, options.page->width_cm);
    if (ok) ok = read_real(given, "--font-size", {4, 36}, options.page->font_points);
    return ok;
}

Result<ExportPlan> read_export_plan(const Given& given) {
    ExportPlan plan;
    const auto path = given.find("--output");
    if (!path || path->empty()) {
        return fail(ErrorKind::usage, "--output", "is needed: a path, or - for standard output");
    }
    plan.path = *path;
    const auto format = read_format(given, plan.path);
    if (!format) return tl::make_unexpected(format.error());
    plan.format = *format;
    const auto view = read_view(given);
    if (!view) return tl::make_unexpected(view.error());
    plan.view = *view;
    plan.options.crop = given.has("--crop");
    plan.options.marks = {given.has("--layer") || given.has("--head"), given.has("--stage")};
    if (plan.view.dark) plan.options.ground = Ground::theme;
    Result<void> ok = read_word<Ground>(given, "--ground", plan.options.ground);
    if (ok) ok = read_page(given, plan.options);
    if (ok) ok = read_word<ExportedHeads>(given, "--of-heads", plan.options.heads);
    if (ok && given.has("--of-heads") && is_picture(plan.format)) {
        ok = fail(ErrorKind::usage, "--of-heads",
                  "is about numbers: write .csv, .npy or .npz, or choose heads with --overlay, "
                  "--slots or --combine");
    }
    if (ok) ok = read_real(given, "--width", {40, 20000}, plan.options.width);
    if (ok) ok = read_real(given, "--height", {40, 20000}, plan.options.height);
    if (ok) ok = read_real(given, "--png-scale", {0.1, 16}, plan.options.png_scale);
    if (ok) ok = read_maps(given, plan.document);
    if (ok) ok = read_model(given, plan.document);
    if (ok) ok = read_sentences(given, plan.document);
    if (!ok) return tl::make_unexpected(ok.error());
    return plan;
}

/// True of a picture that is of one token or step: without a selection it starts where the window
/// does. Of others a cell is a mark, which nobody asked for.
bool starts_at_token(View view) {
    switch (view) {
    case View::neurons:
    case View::flow:
    case View::stages:
    case View::softmax:
    case View::step:
    case View::unrolled: return true;
    default: return false;
    }
}

/// The head of this model that the flags name.
Result<void> read_head(const Given& given, const ModelFacts& model, ExportPlan& plan) {
    const auto focus = read_focus(given, model);
    if (!focus) return tl::make_unexpected(focus.error());
    plan.focus = *focus;
    if (const auto ok = read_controls(given, &plan.focus.head, plan.document); !ok) return ok;
    return check_maps(given, model.config, plan.document);
}

int run_export(const Given& given, const Io& io) {
    auto plan = read_export_plan(given);
    if (!plan) return complain_of_flags(io, plan.error());
    Computation computation(0);
    const auto model = computation.model_of(plan->document);
    if (!model) return complain_of_run(io, model.error(), &given);
    if (const auto ok = check_image(given, (*model)->config()); !ok) {
        return complain_of_flags(io, ok.error());
    }
    fit_sentences(given, facts_of(**model), plan->document);
    if (const auto ok = read_head(given, facts_of(**model), *plan); !ok) {
        return complain_of_flags(io, ok.error());
    }
    fit_view(io, given, (*model)->config(), plan->view);
    if (plan->view.view == View::inside) {
        num::ThreadPool pool;
        if (const auto ok = read_asked(given, *model, pool, plan->document); !ok) {
            return complain_of_flags(io, ok.error());
        }
    }
    Request request{1, plan->document, plan->focus, needs_of(plan->view, plan->focus)};
    request.needs.effects |= plan->view.caption && tells_worth(**model, plan->focus.head.kind);
    if (plan->view.compare != Compare::off) {
        request.reference = unaltered(plan->document, request.focus);
    }
    auto snapshot = computation.answer(request, {});
    if (!snapshot->error && !plan->view.selected && starts_at_token(plan->view.view)) {
        plan->view.selected = first_cell(*snapshot, plan->view);
        request.revision += 1;
        const bool effects = request.needs.effects;
        request.needs = needs_of(plan->view, plan->focus);
        request.needs.effects |= effects;
        snapshot = computation.answer(request, {});
    }
    if (snapshot->error) return complain_of_run(io, *snapshot->error, &given);
    while (auto more = computation.refine({})) snapshot = std::move(more);
    if (const auto ok = check_selection(*snapshot, plan->view); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    if (const auto ok = check_painted(given, &plan->focus.head, *snapshot->run); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    mention(io, snapshot->painted_outside);
    mention(io, snapshot->unknown_words);
    mention(io, snapshot->typed_text);
    PreparedInput prepared;
    prepared.input.source = snapshot->run->trace.source;
    prepared.input.target = snapshot->run->trace.target;
    prepared.source_dropped = snapshot->source_tokens_dropped;
    prepared.target_dropped = snapshot->target_tokens_dropped;
    mention_dropped(io, prepared);
    if (is_picture(plan->format))
        mention(io, missing_letters_note(snapshot->missing_letters, kMostNamed));
    const auto bytes = export_bytes(*snapshot, plan->view, plan->format, plan->options);
    if (!bytes) return complain_of_run(io, bytes.error(), &given);
    return deliver(io, plan->path, *bytes);
}

} // namespace

Command export_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH",
         "format by suffix: .png .svg .pdf, or of numbers .csv .npy .npz; - is standard output",
         kOutput},
        {"--format", "FORMAT", allowed<ExportFormat>() + ", whatever the suffix says", kOutput},
        {"--width", "POINTS", "of the picture (default: what it needs)", kOutput},
        {"--height", "POINTS", "of the picture (default: what it needs)", kOutput},
        {"--png-scale", "X", "pixels a point, 0.1 to 16 (default 2; with --cm 300 dpi)", kOutput},
        {"--cm", "CM", "as wide as a column of a paper, 2 to 100: 8.5 one, 17 two", kOutput},
        {"--font-size", "PT",
         "of a map's words at that width, 4 to 36 (default 8); others stand to them "
         "as on the screen",
         kOutput},
        {"--crop", "", "cut it to what is drawn", kOutput},
        {"--ground", "GROUND", allowed<Ground>() + " (default white; of a dark theme its own)",
         kOutput},
        {"--of-heads", "WHICH",
         allowed<ExportedHeads>() +
             ": numbers of the one head, of those that the picture shows, or of every head: of the "
             "attention, in .npz of every attention, named as heed attend does (default shown)",
         kOutput},
    };
    for (const auto& list : {view_flags(), model_flags(), maps_flags(), sentence_flags(),
                             control_flags(), question_flags(), std::vector<Flag>{patch_flag()}}) {
        flags.insert(flags.end(), list.begin(), list.end());
    }
    return {
        "export",
        "Write what the window would show, as a picture or as numbers.",
        "No display is needed. Without --select a picture of one token or step is of the cell that "
        "the window starts from. Numbers are those of the view: what its picture is drawn of. .csv "
        "and .npz hold all of them with their labels (several tables of a .csv stand below each "
        "other under their names), .npy the main one alone: the difference of --compare, the nodes "
        "of flow, the weights of lines. Of several heads .npy is their stack. In .csv a token that "
        "a "
        "spreadsheet would take for a formula begins with an apostrophe. The same flags give the "
        "same "
        "bytes.",
        "Examples:\n"
        "  heed export --source \"the black cat is small\" --layer 2 --head 3 -o map.pdf\n"
        "  heed export --size base --attention cross --source \"我 昨天 吃 了 一个 苹果\" \\\n"
        "      --target \"I ate an apple yesterday\" --view lines --theme dark -o lines.svg\n"
        "  heed export --scale off --mask causal --view heads -o heads.png\n"
        "  heed export --cm 8.5 --font-size 8 --no-title -o column.pdf\n"
        "  heed export --stage scores -o scores.csv\n"
        "  heed export --view flow --attention encoder -o flow.csv\n"
        "  heed export --attention cross --of-heads all -o cross.npy\n"
        "  heed export --of-heads all -o attention.npz\n"
        "  heed export --model vit-base --image cat.jpg --view picture --select 90,1 -o cat.png\n"
        "  heed export --model gpt2/ --view inside --word Mary --against John -o inside.pdf \\\n"
        "      --source \"When Mary and John went to the store, John gave a drink to\"\n"
        "  heed export --maps attention.npz --view heads -o heads.pdf",
        std::move(flags),
        run_export};
}

int export_demonstration(const std::string& reason, std::ostream& out, std::ostream& err) {
    Console console(out, err);
    const Io io = console.io();
    mention(io, "no window can be opened here: " + reason);
    mention(io, "writing the demonstration picture instead; `heed export --help` tells how to make "
                "others");
    Computation computation(0);
    const Opening opening = first_opening();
    const auto snapshot = computation.answer({1, opening.document, opening.focus}, {});
    if (snapshot->error) return complain(io, *snapshot->error, kFailed);
    const std::string name = "heed-demonstration.png";
    std::error_code error;
    const auto temporary = std::filesystem::temp_directory_path(error);
    Result<void> written = export_to(*snapshot, ViewState{}, name);
    std::string path = name;
    if (!written && !error) {
        path = (temporary / name).string();
        written = export_to(*snapshot, ViewState{}, path);
    }
    if (!written) return complain(io, written.error(), kFailed);
    const auto absolute = std::filesystem::absolute(path, error);
    io.out << (error ? path : absolute.string()) << '\n';
    return console.ended(kGood);
}

} // namespace heed::app
