#include "ui/stage/scatter_pointing.hpp"

#include "app/views/head_scores_view.hpp"
#include "figure/parts/head_scatter.hpp"
#include "trace/head_names.hpp"
#include "ui/frame/choices.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

namespace heed::ui {

using inside::HeadScore;
using inside::HeadScoreInfo;

bool point_at_scatter(Panel& p, const Pointing& to) {
    const app::ViewState& view = p.state.view;
    if (view.heads_as != app::HeadsAs::scatter) return false;
    if (const auto* control = to.hit.as<figure::tag::Control>()) {
        const bool across = control->axis == static_cast<int>(figure::ScatterAxis::across);
        const HeadScoreInfo& score = inside::info(across ? view.scatter_x : view.scatter_y);
        p.ui.tip_now(tip_words(score.tip, score.formula, score.citation));
    }
    const auto* point = to.hit.as<figure::tag::Head>();
    if (!point) return true;
    const trace::HeadId head{p.snapshot().focus.head.kind, point->layer, point->head};
    const auto place = static_cast<std::size_t>(
        head.layer * p.snapshot().run->trace.n_heads(head.kind) + head.head);
    std::string words = trace::head_name(head.layer, head.head);
    for (const HeadScore score : {view.scatter_x, view.scatter_y}) {
        const auto values = app::head_values(p.snapshot(), score);
        if (place >= values.size() || !values[place]) continue;
        words += fmt::format("\n{}   {}", inside::info(score).label,
                             app::score_text(score, *values[place]));
    }
    p.ui.tip_now(words + "\nClick: look at this head");
    p.state.stage->pointed_head = head;
    if (!to.clicked) return true;
    choose_head(p, head);
    return true;
}

} // namespace heed::ui
