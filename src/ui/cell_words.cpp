// What pointing at a cell of the large map says: its tokens, its exact value, and the value that
// it is held against.
#include "figure/viewport.hpp"
#include "ui/panel.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

/// A map on the screen and the run that it is of.
struct Shown {
    const models::Run& run;
    const app::Focus& focus;
    const num::Matrix<float>& map;

    bool has(const figure::Hit& hit) const {
        return hit.row >= 0 && hit.col >= 0 && hit.row < map.rows() && hit.col < map.cols();
    }
};

std::string place_words(const Shown& shown, int row, int col) {
    const trace::AttentionKind kind = shown.focus.head.kind;
    const trace::Stage stage = shown.focus.combine ? trace::Stage::weights : shown.focus.stage;
    const bool of_keys = stage == trace::Stage::k || stage == trace::Stage::v;
    const auto& trace = shown.run.trace;
    return token_text(of_keys ? trace.keys(kind) : trace.queries(kind), row) + " \u2192 " +
           (trace::is_map(stage) ? token_text(trace.keys(kind), col)
                                 : fmt::format("feature {}", col + 1));
}

} // namespace

std::string cell_words(const Panel& p, const figure::Figure& picture, const figure::Hit& hit) {
    const app::Snapshot& s = p.snapshot();
    if (!s.run || !s.map) return {};
    const Shown present{*s.run, s.focus, *s.map};
    const bool compares = p.state.view.compare != app::Compare::off && s.reference &&
                          s.reference->run && s.reference->map;
    if (!compares) {
        if (!present.has(hit)) return {};
        return fmt::format("{}   {:.6g}", place_words(present, hit.row, hit.col),
                           present.map(hit.row, hit.col));
    }
    const app::ReferencePicture& r = *s.reference;
    const Shown reference{*r.run, r.focus, *r.map};
    const bool at_reference =
        p.state.view.compare == app::Compare::beside && hit.box.x < picture.width / 2;
    const Shown& pointed = at_reference ? reference : present;
    if (!pointed.has(hit)) return {};
    std::string words = place_words(pointed, hit.row, hit.col) + "  ";
    if (present.has(hit)) words += fmt::format(" {:.6g} \u00b7", present.map(hit.row, hit.col));
    if (!reference.has(hit)) return words.substr(0, words.size() - 3); // without the dot
    const float other = reference.map(hit.row, hit.col);
    words += fmt::format(" {} {:.6g}", r.asked.name, other);
    if (!present.has(hit)) return words;
    const float value = present.map(hit.row, hit.col);
    if (value == other) return words + " \u00b7 no difference"; // of two masked cells too
    return words + fmt::format(" \u00b7 difference {:+.6g}", value - other);
}

std::string value_words(const Panel& p, const figure::Figure& picture, Point at,
                        const figure::Hit& hit) {
    const auto under = figure::heat_at(picture, at);
    const app::Snapshot& s = p.snapshot();
    if (!under || !s.run) return {};
    const auto& keys = s.run->trace.keys(s.focus.head.kind);
    const std::string value = fmt::format("   {:.6g}", under->value);
    switch (p.state.view.view) {
    case app::View::flow: return token_text(keys, hit.col) + value;
    case app::View::neurons: return fmt::format("feature {}", hit.col + 1) + value;
    case app::View::positions:
        return fmt::format("position {} \u00b7 dimension {}", hit.row + 1, hit.col + 1) + value;
    case app::View::softmax:
        return fmt::format("weight of {} by score of {}", token_text(keys, hit.row),
                           token_text(keys, hit.col)) +
               value;
    default: return {};
    }
}

} // namespace heed::ui
