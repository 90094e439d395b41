#include "ui/stage/view_rows.hpp"

#include "app/engine/merging.hpp"
#include "figure/base/number_text.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/inside_pointing.hpp"
#include "ui/stage/map_panel.hpp"
#include "ui/stage/patch_pointing.hpp"
#include "ui/stage/step_pointing.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heed::ui {

using app::View;

namespace {

std::string plain(float value) { return "   " + figure::weight_digits(value); }

std::string key_text(const Panel& p, int key) {
    return token_text(app::Units(p.snapshot(), units_shown(p)).keys(), key);
}

std::string flow_value(const Panel& p, const figure::HeatCell& under, const figure::Hit& hit) {
    return key_text(p, hit.col) + plain(under.value);
}

std::string flow_link(const Panel& p, const figure::tag::Link& link) {
    const auto& flow = p.snapshot().flow;
    if (!flow || link.which < 0 || link.which >= flow->n_layers()) return {};
    const num::Matrix<float>& step = *flow->steps[static_cast<std::size_t>(link.which)];
    if (link.query < 0 || link.key < 0 || link.query >= step.rows() || link.key >= step.cols())
        return {};
    const app::Units units(p.snapshot(), units_shown(p));
    return fmt::format("{} \u2192 {}{} of the flow, in layer {}",
                       token_text(units.queries(), link.query), token_text(units.keys(), link.key),
                       plain(flow->share(link.which, link.query, link.key)), link.which + 1);
}

std::string neurons_value(const Panel&, const figure::HeatCell& under, const figure::Hit& hit) {
    return fmt::format("feature {}", hit.col + 1) + plain(under.value);
}

std::string positions_value(const Panel&, const figure::HeatCell& under, const figure::Hit& hit) {
    return fmt::format("position {} \u00b7 dimension {}", hit.row + 1, hit.col + 1) +
           plain(under.value);
}

std::string softmax_value(const Panel& p, const figure::HeatCell& under, const figure::Hit& hit) {
    const app::Units units(p.snapshot(), units_shown(p));
    return fmt::format("weight of {} by score of {}", name_of_key(units, hit.row),
                       name_of_key(units, hit.col)) +
           plain(under.value) + "\n" + field_word_tip(FieldWord::jacobian);
}

constexpr ViewRow kRows[] = {
    {View::heatmap, point_at_map},
    {View::heads, point_at_heads},
    {View::lines},
    {View::neurons, nullptr, neurons_value},
    {View::flow, nullptr, flow_value, flow_link},
    {View::stages},
    {View::positions, nullptr, positions_value},
    {View::softmax, nullptr, softmax_value},
    {View::step, point_at_step},
    {View::unrolled, point_at_unrolled},
    {View::beam, point_at_beam},
    {View::picture, point_at_picture},
    {View::inside, point_at_inside},
    {View::learn},
    {View::train},
};
static_assert(std::size(kRows) == std::size(app::kViews));

} // namespace

const ViewRow& row_of(View view) { return kRows[static_cast<std::size_t>(view)]; }

} // namespace heed::ui
