#include "app/document/view_state.hpp"

namespace heed::app {

static_assert(
    [] {
        for (std::size_t i = 0; i < std::size(kViews); ++i) {
            if (static_cast<std::size_t>(kViews[i].view) != i) return false;
        }
        return true;
    }(),
    "a row for each view, in the order of the enum");

bool shows_signed(const ViewState& state, const Focus& focus) {
    return state.compare == Compare::difference ||
           (focus.stage != trace::Stage::weights && !focus.combine);
}

} // namespace heed::app
