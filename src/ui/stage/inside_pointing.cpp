#include "ui/stage/inside_pointing.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/views/inside_lens.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "figure/views/inside_room.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using figure::InsidePart;

/// Tokens before the first one that the lens has room for.
int left_out(const app::Snapshot& s, const figure::Figure& figure) {
    for (const figure::Target& target : figure.targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(InsidePart::lens)) continue;
        return figure::lens_columns_from(static_cast<int>(app::lens_tokens(s).size()),
                                         app::lens_column(s), cells->cols);
    }
    return 0;
}

/// The layer of a row, from below, of the lens, which may show some of them.
int lens_layer(const app::Snapshot& s, int row, int rows) {
    const int all = s.inside->readout.layers;
    return rows < all ? figure::lens_layers(all, rows)[static_cast<std::size_t>(row)] : row;
}

void ask_in_column(Panel& p, int column) {
    const auto tokens = app::lens_tokens(p.snapshot());
    if (column >= 0 && column < std::ssize(tokens))
        ask_at(p, tokens[static_cast<std::size_t>(column)]);
}

/// The head is what the pointer is at, and a click chooses it.
void point_at_head(Panel& p, const Pointing& to, const trace::HeadId& head) {
    p.state.stage->pointed_head = head;
    if (to.clicked) choose_head(p, head);
}

/// A cell of a row for each layer and a column for each head.
void point_at_head_cell(Panel& p, const Pointing& to, int layer, int head) {
    if (head >= p.snapshot().run->model->traits().n_heads) return; // a feed-forward network
    point_at_head(p, to, {app::inside_kind(p.snapshot()), layer, head});
}

/// A place of the run in Explore, or a head.
void point_at_patch(Panel& p, const Pointing& to, int row, int column) {
    const app::InsidePicture& now = *p.snapshot().inside;
    switch (now.patch) {
    case app::PatchBy::heads: return point_at_head_cell(p, to, row, column);
    case app::PatchBy::paths:
        return point_at_head(p, to, {now.asked_paths.stack, now.asked_paths.to, column});
    case app::PatchBy::stream: break;
    }
    if (!to.clicked) return;
    const int token = app::patched_token(p.snapshot(), column);
    if (token < 0) return;
    app::Focus focus = p.focus();
    focus.head.kind = now.patched_stack;
    focus.head.layer = row;
    p.commands.push_back(ChangeFocus{focus});
    choose_room(p, app::View::heatmap);
    p.state.view.view = app::View::heatmap;
    p.state.view.selected = {token, token};
}

void tell_bar(Panel& p, const Pointing& to, int place) {
    const app::InsideBarPart bar = app::bar_part(p.snapshot(), place);
    if (!bar.words.empty()) p.ui.tip_now(bar.words + "\n" + field_word_tip(FieldWord::logit));
    if (!bar.part || bar.part->kind != inside::PartId::Kind::head) return;
    point_at_head(p, to, {bar.part->module, bar.part->layer, bar.part->head});
}

/// A token of the source is the one whose weights are asked about, where an encoder's head is.
void tell_token(Panel& p, const Pointing& to, const figure::tag::Bar& bar) {
    const app::Snapshot& s = p.snapshot();
    const auto places = app::account_places(s);
    if (bar.place < 0 || bar.place >= std::ssize(places)) return;
    const int token = places[static_cast<std::size_t>(bar.place)];
    std::string words = app::token_share_words(s, token, bar.series);
    const auto source = app::source_token(s, token);
    const bool chooses = source && s.inside->readout.stack == trace::AttentionKind::decoder_self &&
                         s.focus.head.kind == trace::AttentionKind::encoder_self;
    if (chooses) {
        words += "\nClick: asks about this token's weights in the encoder's head";
        if (to.clicked) p.state.view.selected = {*source, *source};
    }
    if (!words.empty()) p.ui.tip_now(words);
}

} // namespace

bool point_at_inside(Panel& p, const Pointing& to) {
    const app::Snapshot& s = p.snapshot();
    if (!s.inside || s.inside->error) return true;
    if (const auto* bar = to.hit.as<figure::tag::Bar>()) {
        const bool of_token = bar->part == static_cast<int>(InsidePart::tokens);
        of_token ? tell_token(p, to, *bar) : tell_bar(p, to, bar->place);
        return true;
    }
    if (const auto* label = to.hit.as<figure::tag::ColLabel>()) {
        const bool of_heads = label->part == static_cast<int>(InsidePart::heads);
        if (of_heads && label->key >= s.run->model->traits().n_heads)
            p.ui.tip_now(field_word_tip(FieldWord::feed_forward));
        if (label->part != static_cast<int>(InsidePart::lens)) return true;
        p.ui.tip_now("Click: asks at this token");
        if (to.clicked) ask_in_column(p, label->key + left_out(s, to.figure));
        return true;
    }
    const auto* cells = to.hit.as<figure::tag::Cells>();
    if (!cells || to.hit.row < 0) return true;
    const auto part = static_cast<InsidePart>(cells->part);
    const int row = cells->rows - 1 - to.hit.row; // the last layer is on top
    const int layer = part == InsidePart::lens ? lens_layer(s, row, cells->rows) : row;
    const int column = to.hit.col + (part == InsidePart::lens ? left_out(s, to.figure) : 0);
    std::string words;
    switch (part) {
    case InsidePart::lens:
        words = app::lens_words(s, layer, column);
        if (!words.empty()) words += "\nClick: asks at this token";
        if (to.clicked) ask_in_column(p, column);
        break;
    case InsidePart::patching:
        words = app::patch_words(s, layer, column);
        if (!words.empty() && s.inside->patch == app::PatchBy::stream) {
            words += fmt::format("\nClick: opens layer {} at token {} in Explore", layer + 1,
                                 app::patched_token(s, column) + 1);
        }
        point_at_patch(p, to, layer, column);
        break;
    case InsidePart::heads:
        words = app::head_words(s, layer, column);
        if (column >= s.run->model->traits().n_heads && !words.empty())
            words += "\n" + field_word_tip(FieldWord::feed_forward);
        point_at_head_cell(p, to, layer, column);
        break;
    case InsidePart::weights: words = app::weight_words(s, column); break;
    case InsidePart::below: words = app::below_words(s, column); break;
    case InsidePart::tokens:
    case InsidePart::parts: break;
    }
    if (!words.empty()) p.ui.tip_now(words);
    return true;
}

void ask(Panel& p, const std::string& words, const std::function<void(app::InsideFocus&)>& edit) {
    p.change(words, [&](app::Document& document) { edit(document.inside); });
}

void ask_at(Panel& p, int token) {
    ask(p, fmt::format("asks at token {}", token + 1), [&](app::InsideFocus& asked) {
        asked.token = token;
        asked.word.reset();
        asked.against.reset();
    });
}

} // namespace heed::ui
