#include "ui/frame/panel.hpp"

#include "app/engine/merging.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"
#include "ui/frame/experiment_desk.hpp"

namespace heed::ui {

void Panel::change(const app::UndoTag& tag, const std::string& words, bool seal,
                   const Edit& edit) const {
    // On top of what earlier widgets of this frame asked for.
    app::Document next = document();
    for (const Command& command : commands) {
        if (const auto* earlier = std::get_if<ChangeDocument>(&command)) next = earlier->document;
    }
    edit(next);
    commands.push_back(ChangeDocument{std::move(next), tag, words, seal});
}

void Panel::change_text(const app::UndoTag& tag, const std::string& words, bool seal,
                        const Edit& edit) const {
    change(tag, words, seal, edit);
    std::get<ChangeDocument>(commands.back()).of_text = true;
}

std::optional<std::pair<int, int>> Panel::selected() const {
    return app::selected_cell(snapshot(), state.view);
}

std::string token_text(const std::vector<text::Token>& tokens, int index) {
    return index >= 0 && index < static_cast<int>(tokens.size())
               ? tokens[static_cast<std::size_t>(index)].text
               : std::string();
}

bool view_fits(const Panel& p, app::View view) {
    const auto& run = p.snapshot().run;
    return app::fits(view, run ? run->model->config() : p.document().model);
}

bool can_export(const Panel& p) {
    switch (p.state.view.view) {
    case app::View::train: return !p.experiment.seen().trainees.empty();
    case app::View::learn: return p.state.picture.of_page;
    default: return p.snapshot().run != nullptr;
    }
}

} // namespace heed::ui
