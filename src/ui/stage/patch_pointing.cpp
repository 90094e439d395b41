#include "ui/stage/patch_pointing.hpp"

#include "app/views/picture_view.hpp"
#include "figure/base/number_text.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

/// The token under the pointer; nothing beside the patches.
std::optional<int> token_at(const figure::Hit& hit, const app::PatchGrid& grid) {
    if (const auto* label = hit.as<figure::tag::RowLabel>()) return label->query;
    if (!hit.as<figure::tag::Cells>() || hit.row < 0) return std::nullopt;
    return grid.leading + hit.row * grid.cols + hit.col;
}

int chosen_token(const Panel& p) {
    return p.state.view.selected ? p.state.view.selected->first : 0;
}

void choose_token_of_picture(Panel& p, int token) {
    const int key = p.state.view.selected ? p.state.view.selected->second : 0;
    p.state.view.selected = {token, key};
}

} // namespace

bool point_at_picture(Panel& p, const Pointing& to) {
    const auto grid = app::patch_grid(*p.snapshot().run->model);
    if (!grid) return false;
    const auto token = token_at(to.hit, *grid);
    if (!token) return false;
    const auto& tokens = p.snapshot().run->trace.source;
    point_out(p, *token, std::nullopt);
    const std::string name = token_text(tokens, *token);
    const char* what = *token < grid->leading ? "" : "patch ";
    const auto map = p.snapshot().run->trace.map(p.snapshot().focus.head);
    const int from = chosen_token(p);
    std::string words = what + name;
    if (map && !p.snapshot().focus.combine && from < static_cast<int>(tokens.size())) {
        const float weight = map->rectangle(trace::Stage::weights, {from, *token, 1, 1})(0, 0);
        words += fmt::format(" gets {} from the chosen {}", figure::weight_digits(weight, 4),
                             token_text(tokens, from));
    }
    p.ui.tip_now(words);
    if (to.clicked) choose_token_of_picture(p, *token);
    return true;
}

app::Hovered hovered_patch(const Panel& p) {
    const auto& run = p.snapshot().run;
    if (!run || !p.state.stage->pointed.query) return {};
    if (*p.state.stage->pointed.query >= static_cast<int>(run->trace.source.size())) return {};
    return {p.state.stage->pointed.query, {}};
}

void move_patch(Panel& p, int down, int right) {
    const auto& run = p.snapshot().run;
    const auto grid = run ? app::patch_grid(*run->model) : std::nullopt;
    if (!grid) return;
    const int last = grid->leading + grid->rows * grid->cols - 1;
    const int now = chosen_token(p);
    const int step = now < grid->leading ? down + right : down * grid->cols + right;
    int next = std::clamp(now + step, 0, last);
    if (now >= grid->leading && down != 0 && next - now != step) next = now; // no row there
    if (now >= grid->leading && down < 0 && now + step < grid->leading) next = grid->leading - 1;
    choose_token_of_picture(p, next);
}

} // namespace heed::ui
