// The card that exports what Explore and the rooms of formulas show.
#include "app/names.hpp"
#include "ui/export_card.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

/// Named after what the file will hold: "heed-encoder-1-3", "heed-cross-2-1-lines",
/// "heed-encoder-1-3-scores".
std::string proposed_name(const Panel& p, app::ExportFormat format) {
    const trace::HeadId& head = p.focus().head;
    const app::ViewInfo& view =
        app::info(is_picture(format) ? p.state.view.view : app::View::heatmap);
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

/// A switch of what a picture is like.
void picture_switch(ExportCard& card, const Box& row, const char* words, const std::string& name,
                    bool& on) {
    Ui& ui = card.p.ui;
    ui.canvas.text({row.x, row.y, 320, row.h}, Face::body, card.ink(), words);
    if (ui.toggle(row, "export/" + name, name, on, is_picture(card.form.format))) on = !on;
}

} // namespace

void export_dialog(Panel& p) {
    if (p.state.view.view == app::View::train) return class_export_dialog(p);
    Ui& ui = p.ui;
    ExportForm& form = p.state.export_form;
    auto card = begin_export_card(p, form, 68);
    if (!card) return;
    export_title(*card, is_picture(form.format) ? "what is on the screen"
                                                : "the numbers of the chosen map");
    export_formats(*card);
    export_path(*card, proposed_name(p, form.format));
    export_scale(*card);
    picture_switch(*card, card->row(28, 32), "A line with model, layer, head and controls",
                   "caption", p.state.view.caption);
    picture_switch(*card, card->row(28, 36), "Without a background", "transparent",
                   form.transparent);
    if (ui.button({card->rest.x, card->rest.y + 6, 170, 34}, "export/copy", "Copy the numbers")) {
        p.commands.push_back(CopyNumbers{});
    }
    ui.tip("Tab-separated text, for a spreadsheet. Pictures cannot go to the clipboard from here.");
    if (!end_export_card(*card)) return;
    Export command;
    command.path = form.path;
    command.view = p.state.view;
    command.options.png_scale = static_cast<float>(form.scale);
    command.options.transparent = form.transparent;
    command.options.width = p.state.picture_width;
    command.options.height = p.state.picture_height;
    command.options.beside_title =
        main_place(p.state.picture_width, p.state.picture_height).beside_title;
    p.commands.push_back(std::move(command));
}

} // namespace heed::ui
