#include "ui/learn/before_card.hpp"

#include "app/document/carried_edits.hpp"
#include "ui/learn/learn_state.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::ui {

namespace {

/// Whether the document is still of the model and the session that the card was opened over.
bool goes_on_from(const Panel& p, const BeforeCard& before) {
    const app::Document& now = p.document();
    return now.model_file == before.document.model_file && now.model == before.document.model &&
           p.state.session_file == before.session_file;
}

/// The controls of before upon the present text: what was set cell by cell goes with its words.
app::Document with_controls_of(const Panel& p, const app::Document& before, app::Document now) {
    now.controls = before.controls;
    now.resting = before.resting;
    const bool same_text = now.source == before.source && now.target == before.target &&
                           now.segmentation == before.segmentation && now.pad_to == before.pad_to;
    if (same_text) return now;
    return app::carried(before, std::move(now), p.work.reader()).document;
}

} // namespace

void keep_before_card(Panel& p) {
    auto& before = p.state.learn->before;
    const app::History& history = p.work.history();
    const bool others = !before || !goes_on_from(p, *before);
    // An entry that was there already holds: somebody has undone as far as that.
    const bool undone = !others && history.id() < before->n_entries;
    if (!others && (!undone || history.id() == before->entry)) return;
    if (others) p.seal(); // what is done from here on is the card's
    const std::size_t n_entries = others ? history.made() : before->n_entries;
    const ApplyTo apply_to = others ? p.state.apply_to : before->apply_to;
    before = BeforeCard{*p.state.learn->lesson, p.document(), apply_to,
                        p.state.session_file,   n_entries,    history.id()};
}

void leave_card(WindowState& window) {
    LearnState& state = *window.learn;
    auto before = std::exchange(state.before, std::nullopt);
    if (before && !state.left) state.left = std::move(before);
}

bool put_back(Panel& p) {
    const auto before = std::exchange(p.state.learn->left, std::nullopt);
    if (!before || !goes_on_from(p, *before)) return false;
    p.state.apply_to = before->apply_to;
    if (p.work.history().id() < before->n_entries) return false;
    const app::Document next = with_controls_of(p, before->document, p.document());
    if (next == p.document()) return false;
    const std::string words = fmt::format("as before card {}", before->card + 1);
    p.change(words, [&](app::Document& d) { d = next; });
    p.commands.push_back(
        Say{{"Controls are " + words + " · Undo brings back what you changed", false}});
    p.ui.wake_in(0);
    return true;
}

} // namespace heed::ui
