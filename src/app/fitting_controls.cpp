#include "app/fitting_controls.hpp"

#include "models/resolve.hpp"

#include <vector>

namespace heed::app {

models::Controls fitting_controls(models::Controls controls,
                                  const models::TransformerConfig& config) {
    std::erase_if(controls.scoped, [&](const models::ScopedControls& entry) {
        models::Controls scope_alone; // what it sets may be wrong, and is then told by the run
        scope_alone.scoped.push_back({entry.scope, {}});
        return !models::check(scope_alone, config);
    });
    return controls;
}

} // namespace heed::app
