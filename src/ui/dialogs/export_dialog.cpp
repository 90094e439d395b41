// The card that exports what Explore and the rooms of formulas show.
#include "app/document/names.hpp"
#include "ui/dialogs/export_card.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

/// Named after what the file will hold: "heed-encoder-1-3", "heed-cross-2-1-lines",
/// "heed-encoder-1-3-scores".
std::string proposed_name(const Panel& p) {
    const trace::HeadId& head = p.focus().head;
    const app::ViewInfo& view = app::info(p.state.view.view);
    std::string name = fmt::format("heed-{}", trace::name(head.kind));
    if (view.shows != app::Shows::heads)
        name += fmt::format("-{}-{}", head.layer + 1, head.head + 1);
    if (view.shows != app::Shows::map) {
        name += fmt::format("-{}", view.name);
    } else if (p.focus().stage != trace::Stage::weights) {
        name += fmt::format("-{}", trace::name(p.focus().stage));
    }
    return name;
}

void picture_rows(Panel& p, Form& f, ExportForm& form) {
    const bool picture = is_picture(form.format);
    const auto row = [&](const char* words, const std::string& name, bool& on, const char* tip) {
        if (f.toggle(words, name, name, on, picture)) on = !on;
        f.tip(tip);
        f.space(4);
    };
    row("Add caption line", "caption", p.state.view.caption,
        "Writes model, layer, head and controls below the picture");
    row("Transparent background", "transparent", form.transparent,
        "Leaves the ground out, so that the page shows through");
    f.space(6);
    if (f.button({f.x, f.y + 6, 170, 34}, "copy", "Copy numbers")) {
        p.commands.push_back(CopyNumbers{});
    }
    f.tip("Copies the values of this head as tab-separated text, for a spreadsheet");
}

} // namespace

void export_dialog(Panel& p) {
    if (!p.ui.popup_open(CardId::export_picture)) return;
    if (p.state.view.view == app::View::train) return experiment_export_dialog(p);
    ExportForm& form = p.state.export_form;
    export_card(p, form,
                {.holds = is_picture(form.format) ? "Current view" : "Numbers of this view",
                 .name = proposed_name(p),
                 .below = [&](Form& f) { picture_rows(p, f, form); },
                 .command =
                     [&] {
                         Export command{form.path, p.state.view, export_options(p, form)};
                         command.options.transparent = form.transparent;
                         const app::Place place =
                             main_place(p.state.picture_width, p.state.picture_height);
                         command.options.beside_title = place.beside_title;
                         command.options.reads = place.reads;
                         return command;
                     }});
}

} // namespace heed::ui
