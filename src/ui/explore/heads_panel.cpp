#include "ui/explore/heads_panel.hpp"

#include "app/views/filter.hpp"
#include "app/views/head_views.hpp"
#include "app/views/picture_view.hpp"
#include "app/views/titles.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/head_names.hpp"
#include "ui/explore/colours_section.hpp"
#include "ui/explore/compare_section.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/head_section.hpp"
#include "ui/explore/outcome_section.hpp"
#include "ui/explore/speaker_panel.hpp"
#include "ui/explore/view_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/filter.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/stage/slots.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/stage/thumbnail_words.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

namespace heed::ui {

using trace::AttentionKind;

namespace {

constexpr float kHeadsPad = 14;

void kind_tabs(Panel& p, const Box& box) {
    std::uint32_t enabled = 0;
    std::vector<std::string> labels, tips;
    for (const trace::AttentionKindInfo& row : trace::kAttentionKindInfos) {
        tips.push_back(kind_tip(row.kind));
        if (has_kind(p, row.kind)) enabled |= 1u << static_cast<unsigned>(row.kind);
        labels.emplace_back(row.label);
    }
    const auto kind = static_cast<unsigned>(p.focus().head.kind);
    if (const auto i = p.ui.segments(box, "kind", labels, 1u << kind, enabled)) {
        choose_kind(p, static_cast<AttentionKind>(*i));
    }
    p.ui.tips(tips);
}

/// The strips are thin, and lie beside heads: what a click on one did is told, and how it is
/// undone.
void click_grid_strip(Panel& p, const figure::Hit& hit) {
    const std::size_t before = p.commands.size();
    click_strip(p, hit);
    if (p.commands.size() == before) return;
    const auto* change = std::get_if<ChangeFocus>(&p.commands.back());
    if (change == nullptr) return;
    const auto words = app::filter_words(change->focus);
    p.commands.push_back(
        Say{{words.empty() ? std::string("The filter is cleared")
                           : fmt::format("Filter: {}. {} clears it", fmt::join(words, ", "),
                                         keys_of(ActionId::let_go)),
             false}});
}

constexpr float kHeadName = 18, kBelowName = 10; // points

bool has_row_names(const Panel& p) {
    return has_said_rows(p) && p.state.view.view != app::View::positions;
}

/// Height of what is written below the grid of its heads and rows.
float height_of_names(const Panel& p) {
    constexpr float kRows = 34;
    return kHeadName + (has_row_names(p) ? kBelowName + kRows : 0);
}

/// The grid; a click chooses a head.
float head_grid(Panel& p, const Box& box) {
    const auto& thumbnails =
        p.snapshot().thumbnails[static_cast<std::size_t>(p.snapshot().focus.head.kind)];
    if (!thumbnails || thumbnails->heads == 0 || thumbnails->layers == 0) return 0;
    constexpr int kSmallPicture = 32; // pixels
    constexpr float kMargin = 9;      // of the figure, which the panel's own padding stands for
    FigureCache::Key key = figure_key(p, box.w, 0);
    if (!p.snapshot().query_rows) key.view.selected.reset(); // else it is what they are of
    key.view.viewport.reset();
    key.extra = p.focus().head.layer * 4096 + p.focus().head.head;
    const figure::Figure& grid = p.figures.get(FigureCache::Slot::grid, key, [&] {
        figure::HeadGrid data;
        data.layers = thumbnails->layers;
        data.heads = thumbnails->heads;
        data.maps = thumbnails->weights;
        data.pictures = app::picture_thumbnails(p.snapshot(), p.state.view, kSmallPicture);
        data.selected = {p.focus().head.layer, p.focus().head.head};
        app::note_heads(data, p.snapshot(), p.state.view);
        figure::Frame frame;
        frame.width = box.w + 2 * kMargin;
        frame.theme = &p.ui.theme();
        frame.titled = false;
        return figure::head_grid(data, frame);
    });
    const Box place{box.x - kMargin, box.y - kMargin, grid.width, grid.height};
    const Press press = p.ui.area(place, "heads", "heads", Widget::Kind::area, false, true);
    p.ui.tip(std::string("A row for each layer, a column for each head. ") +
             field_word_tip(FieldWord::head));
    p.ui.canvas.paint(grid, {place.x, place.y});
    const bool near = press.hovered || (p.ui.keyboard_visible() && p.ui.keyboard_at() == "heads");
    fade_handles(p, grid, {place.x, place.y}, p.ui.theme().panel, near,
                 p.state.stage->handles_of_grid);
    step_back(p, place, p.ui.theme().panel);
    const Point mouse = p.ui.mouse();
    if (press.hovered) {
        const auto hit = figure::pick(grid, {mouse.x - place.x, mouse.y - place.y});
        if (hit && hit->as<figure::tag::Strip>()) {
            p.ui.tip_now(strip_words(p, grid, *hit));
            if (press.clicked) click_grid_strip(p, *hit);
        }
        if (const auto* at = hit ? hit->as<figure::tag::Head>() : nullptr) {
            p.ui.tip_within(head_words(p, grid, {mouse.x - place.x, mouse.y - place.y}, *hit),
                            placed(hit->box, place),
                            {box.x, place.y, box.w, place.h + height_of_names(p)});
            const trace::HeadId pointed{p.snapshot().focus.head.kind, at->layer, at->head};
            p.state.stage->pointed_head = pointed;
            if (press.clicked && shim::shift_down()) {
                keep_head(p, pointed);
            } else if (press.clicked) {
                choose_head(p, {p.focus().head.kind, at->layer, at->head});
            }
        }
    }
    return grid.height - 2 * kMargin;
}

/// Row for what a token is.
void segmentation_row(Panel& p, Form& f) {
    const std::string cuts[] = {"words", "characters"};
    const auto cut = static_cast<unsigned>(p.document().segmentation);
    if (const auto i = f.choice("segmentation", cuts, 1u << cut)) {
        choose_segmentation(p, static_cast<text::Segmentation>(*i), cuts[*i]);
    }
    constexpr text::Segmentation kCuts[] = {text::Segmentation::words,
                                            text::Segmentation::characters};
    f.tips(tips_of(kCuts));
}

/// Rows for how sentences are cut, and how long they are made.
void token_rows(Panel& p, Form& f) {
    constexpr int kMostPadding = 32;
    f.section("Tokens", 0,
              "The pieces that a sentence is cut into: each is one row and one column.");
    if (!traits_now(p).reads_ids) segmentation_row(p, f); // else the model's own tokeniser cuts
    const bool pieces = has_pieces(p);
    const bool merged = pieces && p.focus().merge_words;
    if (f.toggle("Merge to words", "merge", "merge to words", merged, pieces)) toggle_merging(p);
    f.tip(kMergeTip);
    if (has_special(p)) {
        if (f.toggle("Hide special tokens", "special", "hide special tokens",
                     p.focus().hide_special)) {
            toggle_special(p);
        }
        f.tip(kSpecialTip);
    }
    const int padded = p.document().pad_to;
    float place = static_cast<float>(padded) / kMostPadding;
    const auto slid =
        f.slider("Pad to length", "pad", padded == 0 ? "off" : fmt::format("{} tokens", padded),
                 place, 1.0f / kMostPadding);
    f.tip("Fills each sentence with empty places up to this length, as in a batch: the padding "
          "mask hides them.");
    if (slid.changed || slid.reset) {
        p.change_text({app::UndoTag::Of::padding}, "padding", false, [&](app::Document& d) {
            d.pad_to = slid.reset ? 0 : static_cast<int>(place * kMostPadding + 0.5f);
        });
    }
    if (slid.released) p.seal();
    f.space(8);
}

/// Choice of what the rows of cross-attention are named by.
void row_names(Panel& p, Form& f) {
    const auto& run = p.snapshot().run;
    const std::string unit = run ? app::unit_of(*run, run->input.target) : "word";
    const std::string of = unit.size() > 5 ? "" : unit + " "; // a character's has no room
    const std::string names[] = {of + "said", of + "read"};
    const bool read = p.focus().rows_read;
    if (const auto i = f.choice("Rows", "rows", names, 1u << read, 0.74f)) name_rows(p, *i == 1);
    f.tip(kDecoderRowsTip);
}

void own_section(Panel& p, Form& f) {
    const ViewOptions options = options_of(p);
    if (!options || app::lacks_model(p.snapshot(), p.state.view.view)) return;
    f.section(app::info(p.state.view.view).label, 0, std::string(app::info(p.state.view.view).tip));
    options(p, f);
}

/// True of models whose answer is nowhere else on the screen: classes, what fills a mask, the next
/// token; an encoder-decoder's stands behind its text.
bool answers_first(const Panel& p) {
    const models::Model& model = *p.snapshot().run->model;
    const models::Traits& traits = model.traits();
    return traits.classifies() || model.text_to_ids() || (model.words() && !traits.encodes);
}

void heads_rows(Panel& p, Form& f) {
    const bool speaker = is_stepwise(p);
    if (!speaker) kind_tabs(p, f.row(28, 10));
    if (!p.snapshot().run) return;
    if (can_fill(p) && !p.snapshot().prediction) {
        f.note("To mask a token, click it under Masked token below, or select its row and press K");
        f.space(4);
    }
    const trace::HeadId& head = p.focus().head;
    // First what the picture in the middle is made of: it must not be looked for.
    const bool in_room = !app::in_explore(p.state.view.view);
    if (speaker) {
        if (in_room) { // a room's own, above what is of every view
            own_section(p, f);
            f.space(12);
        }
        speaker_panel(p, f);
    } else {
        f.space(head_grid(p, {f.x, f.y, f.w, 0}) + 6);
        const Box name = f.row(kHeadName, kBelowName);
        p.ui.area(name, "head/name", "layer and head");
        f.tip(fmt::format("The head that all pictures show. {}\n{}",
                          field_word_tip(FieldWord::head), info(FieldWord::layer).sentence));
        f.text(name, Face::mono, p.ui.theme().muted,
               shows_former(p) ? trace::head_number(head.layer, head.head) + " of the previous run"
                               : trace::head_name(head.layer, head.head));
        if (has_row_names(p)) row_names(p, f);
        if (plays_steps(p)) step_section(p, f);
    }
    const models::Traits traits = traits_now(p);
    // What it is all for.
    const bool first = !speaker && !in_room && answers_first(p);
    if (first) outcome_section(p, f);
    if (!speaker || !in_room) own_section(p, f);
    if (!speaker && !in_room && traits.has_beam && traits.reads_source) decoding_section(p, f);
    if (speaker && !attends(p)) { // nothing below is of a model without attention
        if (traits_now(p).decodes) outcome_section(p, f);
        f.space(kHeadsPad);
        return;
    }
    if (in_room) return; // what is below is of maps
    f.section("Compare", 0, "Puts the current map and a baseline side by side, or subtracts them.");
    compare_section(p, f);
    f.section(scope_name(p, ApplyTo::head, head), 0,
              speaker ? "What this attention is like, and how much of it is passed on."
                      : field_word_tip(FieldWord::head));
    head_section(p, f);
    const bool weights_alone = traits_now(p).weights_alone;
    if (!speaker && !first && !weights_alone) {
        outcome_section(p, f); // it has a row for every step above
    }
    if (!weights_alone && !traits_now(p).reads_pictures) token_rows(p, f);
    f.section("Colours", 0, "How numbers become colours.");
    colours_section(p, f);
    f.space(14);
}

} // namespace

void heads_panel(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    c.fill(box, ui.theme().panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    const app::View view = p.state.view.view;
    Scroll& scroll = app::in_explore(view) ? p.state.explore->left_scroll
                                           : p.state.explore->left_scroll_of[view];
    ui.begin_scroll({box.x, box.y, box.w - 1, box.h}, "heads", scroll);
    Form f(ui, box.x + kHeadsPad, box.y + kHeadsPad - scroll.offset, box.w - 2 * kHeadsPad - 1);
    heads_rows(p, f);
    ui.end_scroll(f.y + scroll.offset);
}

} // namespace heed::ui
