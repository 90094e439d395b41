#include "app/document/weight_edits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

void set_edits(Document& d, const trace::HeadId& head, std::vector<nn::WeightEdit> edits) {
    const models::Scope scope{head.kind, head.layer, head.head};
    models::HeadControls own = d.controls.at(scope);
    own.edits.reset();
    d.controls.set(scope, own);
    // An empty list stands only where it keeps a wider scope's edits away.
    if (edits.empty() && edits_of(d.controls, head).empty()) return;
    own.edits = std::move(edits);
    d.controls.set(scope, std::move(own));
}

} // namespace

std::vector<nn::WeightEdit> edits_of(const models::Controls& controls, const trace::HeadId& head) {
    return controls.resolved_but_mask(head).edits.value_or(std::vector<nn::WeightEdit>{});
}

Document with_weight(Document document, const trace::HeadId& head, const nn::WeightEdit& edit) {
    std::vector<nn::WeightEdit> edits = edits_of(document.controls, head);
    const auto before = [](const nn::WeightEdit& a, const nn::WeightEdit& b) {
        return std::tie(a.query, a.key) < std::tie(b.query, b.key);
    };
    const auto at = std::lower_bound(edits.begin(), edits.end(), edit, before);
    if (at != edits.end() && !before(edit, *at)) {
        at->weight = edit.weight;
    } else {
        edits.insert(at, edit);
    }
    set_edits(document, head, std::move(edits));
    return document;
}

Document without_edits(Document document, const trace::HeadId& head,
                       std::optional<num::Index> query) {
    std::vector<nn::WeightEdit> edits = edits_of(document.controls, head);
    std::erase_if(edits, [&](const nn::WeightEdit& e) { return !query || e.query == *query; });
    set_edits(document, head, std::move(edits));
    return document;
}

} // namespace heed::app
