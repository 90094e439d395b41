#include "ui/explore/filter_section.hpp"

#include "app/views/filter.hpp"
#include "app/views/map_views.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/filter.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace heed::ui {

namespace {

/// How many rows and columns both sides of a filter leave.
std::string left_words(const app::ViewState& view, const app::Units& units) {
    std::set<int> rows, columns;
    for (const int token : view.pinned_queries) rows.insert(units.of_query(token));
    for (const int token : view.pinned_keys) columns.insert(units.of_key(token));
    return fmt::format("leaves {} of {} rows, {} of {} columns", rows.size(),
                       units.queries().size(), columns.size(), units.keys().size());
}

} // namespace

void filter_section(Panel& p, Form& f) {
    if (!filters(p) || !p.snapshot().run) return;
    const app::Units units(p.snapshot(), units_shown(p));
    std::vector<std::string> lines = app::filter_words(p.state.view, units);
    const app::ViewState& view = p.state.view;
    const bool of_heads = view.view == app::View::heads || app::shows_combined(p.snapshot(), view);
    if (of_heads) {
        for (std::string& words : app::filter_words(p.snapshot().focus))
            lines.push_back(std::move(words));
    }
    if (!view.pinned_queries.empty() && !view.pinned_keys.empty())
        lines.push_back(left_words(view, units));
    if (lines.empty()) return;
    if (f.aside(f.section("Filter"), "filter/clear", "Clear")) clear_filter(p);
    f.tip(strips_filter(p) ? "Shows everything again (" + keys_of(ActionId::let_go) + ")"
                           : "Shows everything again");
    for (const std::string& line : lines) {
        f.text(f.row(22), Face::body, p.ui.theme().text, line);
    }
}

void faults_section(Panel& p, Form& f) {
    const std::string words = app::fault_words(p.snapshot().faults);
    if (words.empty()) return;
    f.rule();
    p.ui.canvas.heading(f.row(16, 6), p.ui.theme().bad, "Check failed");
    f.paragraph(words, p.ui.theme().text);
    f.space(6);
}

namespace {

/// Words for why the picture shows no strips though those of the small heads can be clicked; empty
/// where it shows some.
std::string why_no_strips(const Panel& p) {
    const app::ViewState& view = p.state.view;
    const auto& reference = p.snapshot().reference;
    if (view.view == app::View::heads) {
        const bool filtered = !view.pinned_keys.empty() || !view.pinned_queries.empty();
        return filtered ? "" : "Shown once a key is filtered";
    }
    const bool differs = view.view == app::View::heatmap &&
                         view.compare == app::Compare::difference && reference &&
                         reference->difference;
    return differs ? "A difference has no strips" : "";
}

} // namespace

void strips_row(Panel& p, Form& f) {
    bool& on = p.state.view.strips;
    const std::string why = why_no_strips(p);
    if (f.toggle("Filter strips", "strips", "Filter strips", on)) on = !on;
    const bool heads = p.state.view.view == app::View::heads;
    f.tip(heads ? "Bars beside layers and heads show how much attention goes to the keys that are "
                  "filtered. A click on a word of the Heatmap filters it."
                : kStripsTip + (why.empty() ? "" : "\n" + why));
    if (heads && !why.empty()) f.note(why); // a comparison moves no button of the panel
    f.space(8);
}

} // namespace heed::ui
