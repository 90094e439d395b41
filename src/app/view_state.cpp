#include "app/view_state.hpp"

namespace heed::app {

using trace::AttentionKind;
using trace::Stage;

Focus chosen(const Focus& focus) {
    ViewState plain; // a view that asks for nothing
    plain.strips = false;
    Focus made = focus_for(plain, focus);
    made.step.reset();
    return made;
}

Focus focus_for(const ViewState& state, Focus focus) {
    focus.effects = focus.summaries = false;
    focus.histograms = state.view == View::softmax;
    focus.flow.reset();
    focus.logarithms = state.scale == figure::ColourScale::logarithmic;
    focus.overlay.clear();
    focus.strips.reset();
    if (state.strips) focus.strips = StripFocus{state.pinned_queries, state.pinned_keys};
    focus.slots.clear();
    if (state.view == View::lines) focus.overlay = state.overlay;
    if (state.view == View::heads) {
        focus.slots = state.slots;
        focus.effects = state.head_order == HeadOrder::effect;
        focus.summaries =
            state.head_order == HeadOrder::entropy || state.head_order == HeadOrder::distance;
    }
    // Its strip shows what a step's score is made of, whatever the view.
    focus.step.reset();
    if (state.view == View::step || focus.head.kind == AttentionKind::cross) {
        focus.step = state.selected ? state.selected->first : 0;
    }
    if (state.view == View::flow) {
        focus.flow = FlowFocus{state.flow_rule, state.selected ? state.selected->first : 0};
    }
    return focus;
}

bool shows_signed(const ViewState& state, const Focus& focus) {
    return state.compare == Compare::difference ||
           (focus.stage != Stage::weights && !focus.combine);
}

} // namespace heed::app
