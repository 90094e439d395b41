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

models::Decoding fitting_decoding(models::Decoding decoding, const models::Config& config) {
    const models::Traits traits = models::traits(config);
    const bool lacks_words = traits.decodes && !traits.has_beam;
    if (lacks_words && decoding.rule == models::Decoding::Rule::beam) {
        decoding.rule = models::Decoding{}.rule;
        decoding.followed = 0;
    }
    return decoding;
}

namespace {

bool reads_target_alone(const Document& document) {
    if (!document.model_file.empty()) return false;
    const models::Traits traits = models::traits(document.model);
    return traits.decodes && !traits.reads_source;
}

} // namespace

void bring_text(const Document& now, Document& next) {
    const bool another = next.model_file != now.model_file || !(next.model == now.model);
    if (!reads_target_alone(next)) {
        if (reads_target_alone(now) && next.target == next.source) next.target.clear();
    } else if (next.target.empty() && another) {
        next.target = next.source;
    } else if (next.target.empty() && !now.target.empty()) {
        next.source.clear();
    }
}

} // namespace heed::app
