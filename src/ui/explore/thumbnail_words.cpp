// What pointing at a thumbnail says: the value that is drawn under the pointer, and of what.
#include "app/engine/speech.hpp"
#include "figure/base/viewport.hpp"
#include "ui/frame/panel.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using Tokens = std::vector<text::Token>;

/// A matrix of which a thumbnail shows every value, some rows and columns, or the largest of
/// blocks.
struct Whole {
    num::Index rows, cols;
    const Tokens& queries;
    const Tokens* keys; // null where columns are features
};

/// `values`: what the thumbnail is of, which its colours may show otherwise (logarithms).
std::string value_words(const figure::HeatCell& at, const num::Matrix<float>& values,
                        const Whole& whole) {
    const num::Index shown_rows = at.heat->values->rows(), shown_cols = at.heat->values->cols();
    const num::Index rows = std::max(whole.rows, shown_rows),
                     cols = std::max(whole.cols, shown_cols);
    const bool every = rows == shown_rows && cols == shown_cols;
    const std::string value = fmt::format("{:.6g}", values(at.row, at.col));
    if (whole.keys != nullptr && !every) {
        return fmt::format("{} is the largest of some {} \u00d7 {} cells", value,
                           (rows + shown_rows - 1) / shown_rows,
                           (cols + shown_cols - 1) / shown_cols);
    }
    const auto row = static_cast<int>(at.row * rows / shown_rows);
    const auto col = static_cast<int>(at.col * cols / shown_cols);
    return fmt::format("{} \u2192 {}   {}", token_text(whole.queries, row),
                       whole.keys != nullptr ? token_text(*whole.keys, col)
                                             : fmt::format("feature {}", col + 1),
                       value);
}

} // namespace

std::string head_words(const Panel& p, const figure::Figure& grid, Point at,
                       const figure::Hit& hit) {
    std::string words = fmt::format("layer {} \u00b7 head {}", hit.tag.a + 1, hit.tag.b + 1);
    const auto& s = p.snapshot();
    const auto under = figure::heat_at(grid, at);
    if (!s.run || !under) return words;
    const app::Units units(s, app::merges(s));
    const Tokens& queries = units.queries();
    const Tokens& keys = units.keys();
    const Whole whole{static_cast<num::Index>(queries.size()), static_cast<num::Index>(keys.size()),
                      queries, &keys};
    const auto& thumbnails = s.thumbnails[static_cast<std::size_t>(s.focus.head.kind)];
    const auto at_head = static_cast<std::size_t>(hit.tag.a * thumbnails->heads + hit.tag.b);
    const auto& shown = thumbnails->weights[at_head];
    if (under->heat->values->rows() != shown->rows() ||
        under->heat->values->cols() != shown->cols()) {
        return words;
    }
    words += " \u00b7 " + value_words(*under, *shown, whole);
    if (at_head < thumbnails->faults.size() && thumbnails->faults[at_head].any()) {
        words += " \u00b7 " + app::fault_words(thumbnails->faults[at_head]);
    }
    return words;
}

namespace {

/// Of what an additive score is made of, for the step that is looked at.
std::string formula_of(const std::string& label) {
    if (label == "W s") return "W s of this step, once for all of its words";
    if (label == "U h") return "U h of every source word, once for all steps";
    if (label == "W s + U h") return "this step's W s added to every U h";
    if (label == "tanh") return "tanh(W s + U h); v times it is e";
    return "What the layer reads or passes on";
}

} // namespace

std::string stage_words(const app::StripItem& item) {
    std::string words = item.stage ? "Show this stage large" : formula_of(item.label);
    const bool features = !item.stage || !trace::is_map(*item.stage);
    if (features && item.values && item.values->cols() < item.cols) {
        words += fmt::format(" \u00b7 here {} of its {} features", item.values->cols(), item.cols);
    }
    return words;
}

std::string stage_words(const Panel& p, const figure::Figure& strip, Point at,
                        const app::StripItem& item) {
    const auto& s = p.snapshot();
    const auto under = figure::heat_at(strip, at);
    if (!s.run || !under || !item.values || under->heat->values->rows() != item.values->rows() ||
        under->heat->values->cols() != item.values->cols()) {
        return stage_words(item);
    }
    const trace::AttentionKind kind = s.focus.head.kind;
    const bool of_keys = item.stage == trace::Stage::k || item.stage == trace::Stage::v;
    const bool map = item.stage && trace::is_map(*item.stage);
    const Tokens& keys = s.run->trace.keys(kind);
    const Whole whole{item.rows, item.cols, of_keys ? keys : app::row_tokens(s),
                      map ? &keys : nullptr};
    return item.label + ": " + value_words(*under, *item.values, whole) + " \u00b7 " +
           stage_words(item);
}

} // namespace heed::ui
