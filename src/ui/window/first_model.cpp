#include "ui/window/first_model.hpp"

#include "app/files/model_opening.hpp"
#include "app/views/view_figure.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <variant>

namespace heed::ui {

app::FileOpened ask_ahead(app::Engine& engine, const app::Session& session,
                          const std::string& checkpoint) {
    const std::string path = app::whole_path(checkpoint);
    app::FileOpened opened{path, app::read_opened(path)};
    const auto* model = opened.result ? std::get_if<app::OpenedModel>(&*opened.result) : nullptr;
    if (model == nullptr) return opened;
    const app::ModelOpening opening =
        app::model_opening(path, *model, session.document, session.focus, session.document.model);
    app::ViewState view = session.view;
    view.compare = app::Compare::off; // as the shell has it then
    engine.submit(opening.document, opening.focus, app::needs_of(view, opening.focus));
    return opened;
}

void wait_for_first_map(const app::Engine& engine, const LeaveSignals& signals) {
    constexpr std::chrono::milliseconds kMoment(200);
    const auto until = std::chrono::steady_clock::now() + kMoment;
    while (engine.busy() && !signals.asked()) {
        const std::chrono::duration<double> left = until - std::chrono::steady_clock::now();
        if (left.count() <= 0) return;
        glfwWaitEventsTimeout(left.count());
    }
}

} // namespace heed::ui
