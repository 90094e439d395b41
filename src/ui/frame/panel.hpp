// A panel, as all are given it: it reads the workspace, edits the window's own state, and returns
// commands. One file a panel.
#pragma once

#include "ui/frame/window_state.hpp"
#include "ui/frame/workspace.hpp"
#include "ui/widgets/widgets.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

class ExperimentDesk; // ui/frame/experiment_desk.hpp
class FigureCache;    // ui/frame/figure_cache.hpp

struct Panel {
    Ui& ui;
    const Workspace& work;
    WindowState& state;
    FigureCache& figures;
    Commands& commands;
    ExperimentDesk& experiment;

    const app::Snapshot& snapshot() const { return work.snapshot(); }
    const app::Document& document() const { return work.document(); }
    const app::Focus& focus() const { return work.focus(); }
    using Edit = std::function<void(app::Document&)>;
    /// Asks for the document that `edit` makes of the present one, as an act of its own. `words`
    /// name it in the history.
    void change(const std::string& words, const Edit& edit) const { change({}, words, true, edit); }
    /// Asks for it as a part of a longer act, which `seal` ends.
    void change(const app::UndoTag& tag, const std::string& words, bool seal,
                const Edit& edit) const;
    /// A change of what decides the tokens.
    void change_text(const app::UndoTag& tag, const std::string& words, bool seal,
                     const Edit& edit) const;
    void seal() const { commands.push_back(Seal{}); }
    /// The cell that every panel points out.
    std::optional<std::pair<int, int>> selected() const;
};

/// The word of a token in queries or keys; empty where there is none.
std::string token_text(const std::vector<text::Token>& tokens, int index);
/// True where the model that is shown has something for this view.
bool view_fits(const Panel& panel, app::View view);
/// True where the room shows something that a file can hold.
bool can_export(const Panel& panel);
inline app::Shows shown_in(const Panel& p) { return app::info(p.state.view.view).shows; }

} // namespace heed::ui
