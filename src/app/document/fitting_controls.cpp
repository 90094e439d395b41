#include "app/document/fitting_controls.hpp"

#include "models/model/model.hpp"

#include <vector>

namespace heed::app {

models::Controls fitting_controls(models::Controls controls, const models::Config& config) {
    std::erase_if(controls.scoped, [&](const models::ScopedControls& entry) {
        models::Controls scope_alone; // what it sets may be wrong, and is then told by the run
        scope_alone.scoped.push_back({entry.scope, {}});
        return !models::check(scope_alone, config);
    });
    const models::Traits traits = models::traits(config);
    if (!traits.norm) controls.norm.reset();
    if (!traits.join) controls.join.reset();
    if (!traits.has_dropout) controls.dropout = {};
    if (!traits.has_positions) {
        for (models::ScopedControls& entry : controls.scoped) entry.controls.positions.reset();
        std::erase_if(controls.scoped, [](const auto& entry) { return entry.controls.empty(); });
    }
    return controls;
}

} // namespace heed::app
