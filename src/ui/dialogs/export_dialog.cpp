#include "ui/dialogs/export_dialog.hpp"

#include "app/document/names.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/fitted.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/stage/map_panel.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace heed::ui {

namespace {

/// "en-fr-transformer-", of its file or folder; nothing of a model that was drawn.
std::string model_word(const Panel& p) {
    constexpr std::array kEndings = {".safetensors", ".gguf", ".npz", ".json"};
    const std::filesystem::path path = p.document().model_file;
    std::filesystem::path name = (path.has_filename() ? path : path.parent_path()).filename();
    if (std::ranges::find(kEndings, name.extension()) != kEndings.end()) name.replace_extension();
    return name.empty() ? "" : name.string() + "-";
}

/// The number of all heads of the model.
int all_heads(const models::Traits& traits) {
    int heads = 0;
    for (const auto kind : trace::kAttentionKinds) heads += traits.layers(kind) * traits.n_heads;
    return heads;
}

/// True where a file of numbers may hold one head or several.
bool offers_heads(const Panel& p) {
    return app::is_of_heads(p.state.view.view) && all_heads(traits_now(p)) > 1;
}

/// Named after what the file will hold: "heed-encoder-1-3", "heed-gpt2-decoder-2-1-lines",
/// "heed-encoder-1-3-scores", "heed-encoder-mean" of several, "heed-cross-all" of the numbers of
/// every head, "heed-cross-1-2-difference", "heed-dates-heatmap" where there is one head.
std::string proposed_name(const Panel& p, const ExportForm& form) {
    const trace::HeadId& head = p.focus().head;
    const app::ViewInfo& view = app::info(p.state.view.view);
    const bool one_head = traits_now(p).is_stepwise();
    const bool all =
        !is_picture(form.format) && offers_heads(p) && form.heads == app::ExportedHeads::all;
    std::string name = "heed-" + model_word(p);
    if (!all || form.format != app::ExportFormat::npz) // which has every attention
        name += fmt::format("{}-", one_head ? view.name : trace::name(head.kind));
    if (all)
        name += "all-";
    else if (app::shows_combined(p.snapshot(), p.state.view))
        name += fmt::format("{}-", app::name_of(*p.focus().combine));
    else if (view.shows != app::Shows::heads && !one_head)
        name += fmt::format("{}-{}-", head.layer + 1, head.head + 1);
    if (view.shows != app::Shows::map) {
        if (!one_head) name += fmt::format("{}-", view.name);
    } else if (p.focus().stage != trace::Stage::weights) {
        name += fmt::format("{}-", trace::name(p.focus().stage));
    }
    const auto& against = p.snapshot().reference;
    if (p.state.view.compare == app::Compare::difference && view.shows == app::Shows::map &&
        against && against->difference) {
        name += "difference-";
    }
    name.pop_back();
    return name;
}

/// The heads whose numbers are written. An .npz file has a place for every attention.
void heads_row(Panel& p, Form& f, ExportForm& form) {
    const auto kind = p.focus().head.kind;
    int kinds = 0;
    for (const auto one : trace::kAttentionKinds) kinds += traits_now(p).layers(one) > 0;
    const bool one_kind = form.format != app::ExportFormat::npz;
    const std::string labels[] = {"This head", "Heads shown",
                                  one_kind && kinds > 1 ? fmt::format("All {}", trace::name(kind))
                                                        : "All"};
    const auto chosen =
        f.choice("Numbers of", "heads", labels, 1u << static_cast<unsigned>(form.heads), 0.64f);
    const std::string tips[] = {
        "The chosen head alone",
        "The heads that the picture shows: one, several, or the grid; all of their words, also "
        "where it is zoomed in",
        one_kind && kinds > 1 ? "Every head of this attention; choose NPZ "
                                "for those of every attention in one file"
        : one_kind            ? "Every head"
                              : "Every head of every attention, an array a layer under "
                                "the name that heed attend gives it"};
    f.tip("Of which heads a file of numbers holds the values");
    f.tips(tips);
    if (chosen) form.heads = static_cast<app::ExportedHeads>(*chosen);
}

void copy_button(Panel& p, Form& f, const ExportForm& form, const Box& box,
                 const std::string& refusal) {
    const Box button{box.x, box.y, std::min(box.w, 130.f), box.h};
    if (f.button(button, "copy", "Copy numbers", Ui::ButtonLook::plain, refusal.empty()))
        p.commands.push_back(CopyNumbers{
            p.state.view, is_picture(form.format) ? app::ExportedHeads::shown : form.heads});
    f.tip(refusal.empty() ? "Copies what a CSV file of this view holds, for a spreadsheet"
                          : refusal);
}

/// Rows beside the picture itself, in two columns.
void picture_rows(Panel& p, Form& f, ExportForm& form) {
    const float half = (f.w - 24) / 2;
    Form left(f.ui, f.x, f.y + 4, half, f.ids(), f.draws());
    Form right(f.ui, f.x + half + 24, f.y + 4, half, f.ids(), f.draws());
    const auto row = [&](Form& column, const char* words, const std::string& name, bool& on,
                         const char* tip, bool possible = true) {
        if (column.toggle(words, name, name, on, possible)) on = !on;
        column.tip(tip);
    };
    row(left, "Title", "title", p.state.view.title, "What the picture is, above it");
    row(right, "Numbers", "numbers", p.state.view.numbers, "Weights in the cells, where they fit");
    row(left, "Colour bar", "bar", p.state.view.bar, "What the colours stand for, beside the map");
    row(right, "Caption", "caption", p.state.view.caption,
        "The picture in words, with model, layer, head and controls, below it");
    const bool screen = form.size == ExportForm::Size::screen;
    bool always = true;
    row(left, "Crop to content", "crop", screen ? form.crop : always,
        screen ? "Cuts it to what is drawn"
               : "Always on at a width in centimetres: what is drawn fills the column. Set Width "
                 "to Screen to keep the space around it",
        screen);
    f.y = left.y;
}

/// Rows of what the format has, as high as those of the others, so that the card keeps its size.
void rows_below(Panel& p, Form& f, ExportForm& form) {
    const float end =
        f.y + std::max(height_of(p.ui, f.w, [&](Form& g) { picture_rows(p, g, form); }),
                       height_of(p.ui, f.w, [&](Form& g) { heads_row(p, g, form); }));
    if (is_picture(form.format)) {
        picture_rows(p, f, form);
    } else if (offers_heads(p)) {
        heads_row(p, f, form);
    }
    f.y = end;
}

/// Height that a caption takes from cards, which fill the height that is left.
float below_cards(const Panel& p, const app::Place& place) {
    if (!p.state.view.caption || app::in_explore(p.state.view.view)) return 0;
    const float end = app::content_end(p.snapshot(), p.state.view, place);
    const Box& cards = p.state.picture.drawn; // in the window, which shows no caption
    return std::max(cards.y + cards.h - end, 0.0f);
}

app::ExportOptions options_of(const Panel& p, const ExportForm& form) {
    app::ExportOptions options = export_options(p, form);
    const app::Place place = main_place(p.state.picture.width, p.state.picture.height, p.state);
    options.beside_title = place.beside_title;
    options.reads = place.reads;
    options.grows = place.grows;
    if (!options.page) options.height += below_cards(p, place); // every card of the window is in it
    return options;
}

/// The picture that a file would hold; of numbers one that has the room it needs.
figure::Figure picture_of(const Panel& p, const ExportForm& form) {
    if (is_picture(form.format))
        return app::export_figure(p.snapshot(), p.state.view, options_of(p, form));
    return app::make_figure(p.snapshot(), p.state.view, app::Place{});
}

/// What a file of the form holds, and what of the page it does not.
const char* words_of_file(const Panel& p, const ExportForm& form) {
    if (!is_picture(form.format)) return "Numbers of this view";
    const bool strips = p.state.picture.strips && !app::to_print(p.snapshot(), p.state.view).strips;
    if (p.state.picture.links) {
        return strips ? "Current view without strips and links" : "Current view without links";
    }
    return strips ? "Current view without strips" : "Current view";
}

} // namespace

void export_dialog(Panel& p) {
    ExportForm& form = p.state.dialogs->export_form;
    const bool picture = is_picture(form.format);
    export_card(
        p, form,
        {.holds = words_of_file(p, form),
         .name = proposed_name(p, form),
         .below = [&](Form& f) { rows_below(p, f, form); },
         .aside = [&](Form& f, const Box& box,
                      const std::string& refusal) { copy_button(p, f, form, box, refusal); },
         .picture = [&] { return picture_of(p, form); },
         .command =
             [&] {
                 return Export{form.path, p.state.view, options_of(p, form)};
             },
         .may_be_words = picture || app::info(p.state.view.view).shows != app::Shows::map});
}

} // namespace heed::ui
