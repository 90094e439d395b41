#include "ui/explore/scores_section.hpp"

#include "app/views/head_scores_view.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using inside::HeadScore;
using inside::HeadScoreInfo;

constexpr float kScoreLine = 21, kColourMark = 42, kAxisMark = 24;

/// A small round mark in a table. True on a click.
bool score_mark(Panel& p, const Box& box, const std::string& id, const HeadScoreInfo& score,
                bool on, const std::string& does) {
    const figure::Theme& t = p.ui.theme();
    const Press press = p.ui.area(box, id, fmt::format("{}: {}", does, score.label),
                                  Widget::Kind::choice, on, true);
    p.ui.tip(tip_words(fmt::format("{} {}", does, score.tip), score.formula, score.citation));
    const Point middle{box.x + box.w / 2, box.y + box.h / 2};
    if (press.hovered) p.ui.canvas.disc(middle, 8, t.raised);
    p.ui.canvas.disc(middle, 5, on ? t.accent : t.faint);
    if (!on) p.ui.canvas.disc(middle, 4, t.panel);
    return press.clicked;
}

/// One row a score: its name and a mark for each thing that it may be used for.
void score_table(Panel& p, Form& f) {
    app::ViewState& view = p.state.view;
    const bool scatter = view.heads_as == app::HeadsAs::scatter;
    const figure::Theme& t = p.ui.theme();
    Line head{f.row(20), 0};
    const auto name = [&](float width, const char* words) {
        f.text(head.right(width), Face::small, t.muted, words, AlignX::centre);
    };
    name(kColourMark, "colour");
    if (scatter) {
        name(kAxisMark, "↑");
        name(kAxisMark, "→");
    }
    f.text(head.rest, Face::body, t.muted, "Measure");
    for (const HeadScoreInfo& score : inside::kHeadScores) {
        Line line{f.row(kScoreLine), 0};
        const bool coloured = view.head_colour == score.score;
        if (score_mark(p, line.right(kColourMark), fmt::format("heads/colour/{}", score.name),
                       score, coloured, "Colours heads by it; again: no colours.")) {
            view.head_colour = coloured ? std::optional<HeadScore>() : score.score;
        }
        if (scatter) {
            if (score_mark(p, line.right(kAxisMark), fmt::format("heads/up/{}", score.name), score,
                           view.scatter_y == score.score, "The scatter's height.")) {
                view.scatter_y = score.score;
            }
            if (score_mark(p, line.right(kAxisMark), fmt::format("heads/across/{}", score.name),
                           score, view.scatter_x == score.score, "The scatter's width.")) {
                view.scatter_x = score.score;
            }
        }
        const bool used =
            coloured ||
            (scatter && (view.scatter_x == score.score || view.scatter_y == score.score));
        f.text(line.rest, Face::control, used ? t.text : t.muted, score.label);
    }
}

} // namespace

void scores_rows(Panel& p, Form& f) {
    app::ViewState& view = p.state.view;
    score_table(p, f);
    f.space(6);
    if (!view.head_colour) return;
    const app::HeadsLeft heads = app::heads_left(p.snapshot(), view);
    const auto slid =
        f.slider("At least", "heads/least",
                 fmt::format("{} · {} of {}", app::score_text(*view.head_colour, heads.least),
                             heads.left, heads.all),
                 view.head_least, 0.05f);
    if (slid.reset) view.head_least = 0;
    f.tip("Heads whose measure is below this stand back. Double click: none does");
}

} // namespace heed::ui
