// The choice of positions, of which some are added once and others in each head.
#include "app/document/changes.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/tips.hpp"
#include "ui/widgets/form.hpp"

#include <algorithm>
#include <utility>

namespace heed::ui {

using models::HeadControls;

namespace {

/// Positions that hold in the chosen scope where nothing sets any.
nn::Positions usual_positions(const Panel& p) {
    const models::Traits traits = models::traits(chosen_config(p));
    return p.state.choices.apply_to == ApplyTo::model ? traits.usual_positions
                                                      : traits.positions(p.focus().head.kind);
}

} // namespace

nn::Positions positions_now(const Panel& p) {
    return controls_now(p).positions.value_or(usual_positions(p));
}

std::optional<nn::Positions> position_choice(Form& f, const std::string& id, nn::Positions now,
                                             const std::string& more) {
    constexpr std::size_t kInRow = 3;
    constexpr float kRow = 27;
    std::vector<nn::Positions> order(nn::kPositions.begin(), nn::kPositions.end());
    std::ranges::stable_partition(order, [](auto kind) { return kind != nn::Positions::none; });
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> tips;
    std::uint32_t on = 0;
    for (const nn::Positions kind : order) {
        if (kind == now) on |= 1u << tips.size();
        if (rows.empty() || rows.back().size() == kInRow) rows.emplace_back();
        rows.back().emplace_back(nn::info(kind).label);
        tips.push_back(positions_tip(kind) + more);
    }
    const Box box = f.row(kRow * static_cast<float>(rows.size()) + 2, 8);
    const auto chosen = f.ui.segment_rows(box, f.ids() + id, rows, on);
    f.tips(tips);
    return chosen ? std::optional(order[static_cast<std::size_t>(*chosen)]) : std::nullopt;
}

namespace {

bool act_in_no_head(nn::Positions positions) {
    return nn::joins_embedding(positions) || positions == nn::Positions::none;
}

/// Positions that hold in the chosen scope without its own setting.
nn::Positions positions_around(const Panel& p) {
    models::Controls around = p.document().controls;
    const models::Scope scope = scope_of(p.state.choices.apply_to, p.focus().head);
    HeadControls own = around.at(scope);
    own.positions.reset();
    around.set(scope, std::move(own));
    return effective(around, scope).positions.value_or(usual_positions(p));
}

} // namespace

void choose_positions(Panel& p, nn::Positions positions) {
    const nn::Positions around = positions_around(p);
    const bool in_heads = !act_in_no_head(positions) || !act_in_no_head(around);
    if (p.state.choices.apply_to != ApplyTo::model && !in_heads) {
        set_controls(p, "positions reset", [](HeadControls& h) { h.positions.reset(); });
        if (positions == around) return;
        p.commands.push_back(Say{{"Such positions are added once, before all heads: choose "
                                  "“model” under Apply to",
                                  false}});
        return;
    }
    set_controls(p, "positions " + app::positions_words(positions), [&](HeadControls& h) {
        h.positions = positions == around ? std::nullopt : std::optional(positions);
    });
}

} // namespace heed::ui
