#include "ui/learn/before_card.hpp"

#include "app/document/carried_edits.hpp"
#include "ui/frame/choices.hpp"
#include "ui/learn/learn_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace heed::ui {

namespace {

/// The one of the model and the session that are open; the end where none is.
std::vector<BeforeCard>::iterator of_present(const Panel& p, std::vector<BeforeCard>& all) {
    return std::ranges::find_if(all, [&](const BeforeCard& before) {
        return app::same_model(p.document(), before.document) &&
               p.state.files.session == before.session;
    });
}

/// The controls of before upon the present text: what was set cell by cell goes with its words.
app::Document with_controls_of(const Panel& p, const app::Document& before, app::Document now) {
    now.controls = before.controls;
    now.resting = before.resting;
    if (app::same_text(before, now)) return now;
    return app::carried(before, std::move(now), p.work.reader()).document;
}

/// The present text without what the model wrote behind it since the card was begun; what was typed
/// stays.
app::Document without_written(const Panel& p, const app::Document& before) {
    const app::History& history = p.work.history();
    app::Document now = p.document();
    std::size_t at = history.at();
    const auto written = [&](const app::Document& one) {
        return app::written_ids(one) != nullptr && one.model_file == now.model_file &&
               !app::same_text(before, one);
    };
    while (at > 0 && written(history.document(at))) --at;
    const app::Document& typed = history.document(at);
    if (typed.model_file != now.model_file) return now;
    now.source = typed.source;
    now.target = typed.target;
    now.written = typed.written;
    return now;
}

/// Goes back to the head, the view and the cell from before the card; the room stays. True where
/// another head, stage or combination is asked for. `next`: the document from here on.
bool look_as_before(Panel& p, const BeforeCard& before, const app::Document& next) {
    app::ViewState& view = p.state.view;
    if (app::in_explore(before.view)) {
        p.state.choices.explore_view = before.view;
        if (app::in_explore(view.view)) view.view = before.view;
    }
    view.compare = before.compare;
    p.state.choices.filtered_heads = before.filtered;
    choose_kind(p, before.focus.head.kind); // what is chosen by it goes along
    if (app::same_text(before.document, next)) view.selected = before.selected;
    app::Focus focus = p.focus();
    focus.head = before.focus.head;
    focus.stage = before.focus.stage;
    focus.times = before.focus.times;
    focus.combine = before.focus.combine;
    focus.layers = before.focus.layers;
    focus.heads = before.focus.heads;
    if (focus == p.focus()) return false;
    p.commands.push_back(ChangeFocus{std::move(focus)});
    if (p.work.notice.bad) p.commands.push_back(Say{p.work.notice}); // what went wrong is more
    p.ui.wake_in(0);
    return true;
}

} // namespace

void keep_before_card(Panel& p) {
    auto& all = p.state.learn->before;
    const app::History& history = p.work.history();
    // An opening that failed took its entry with it.
    std::erase_if(all, [&](const BeforeCard& one) { return one.n_entries > history.made(); });
    const auto before = of_present(p, all);
    if (before == all.end()) {
        p.seal(); // what is done from here on is the card's
        const app::ViewState& view = p.state.view;
        all.push_back({*p.state.learn->lesson, p.document(), p.state.choices.apply_to,
                       p.state.files.session, history.made(), history.id(), p.focus(), view.view,
                       view.compare, view.selected, p.work.up_to_date(),
                       p.state.choices.filtered_heads});
        return;
    }
    if (!std::exchange(before->opened, before->opened || p.work.up_to_date()))
        before->selected = p.state.view.selected;
    // An entry that was there already holds: somebody has undone as far as that.
    if (history.id() >= before->n_entries || history.id() == before->entry) return;
    before->document = p.document();
    before->entry = history.id();
}

void leave_card(WindowState& window) {
    LearnState& state = *window.learn;
    std::vector<BeforeCard> before = std::exchange(state.before, {});
    if (state.left.empty()) state.left = std::move(before);
}

bool put_back(Panel& p) {
    std::vector<BeforeCard>& all = p.state.learn->left;
    const auto at = of_present(p, all);
    if (at == all.end()) {
        if (p.work.up_to_date()) all.clear(); // else an opening can fail, and it is present again
        return false;
    }
    const BeforeCard before = std::move(*at);
    all.erase(at); // the others hold again when the opening fails
    p.state.choices.apply_to = before.apply_to;
    const std::string words = fmt::format("as before card {}", before.card + 1);
    const bool undone = p.work.history().id() < before.n_entries;
    const app::Document next =
        undone ? p.document()
               : with_controls_of(p, before.document, without_written(p, before.document));
    const bool looks = look_as_before(p, before, next);
    const bool wrote = !app::same_text(next, p.document());
    if (wrote) p.state.player.playing = false;
    if (next == p.document()) {
        if (looks && !p.work.notice.bad) {
            p.commands.push_back(Say{{"Head and view are " + words, false}});
        }
        return looks;
    }
    p.change(words, [&](app::Document& d) { d = next; });
    const Notice back{.text = "Head, view and controls are " + words +
                              (wrote ? "; what the model wrote is gone · Undo brings it back"
                                     : " · Undo brings back your controls"),
                      .way = WayOut::undo};
    p.commands.push_back(Say{p.work.notice.bad ? p.work.notice : back}); // what went wrong is more
    p.ui.wake_in(0);
    return true;
}

} // namespace heed::ui
