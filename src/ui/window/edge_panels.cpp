#include "ui/window/edge_panels.hpp"

#include "ui/explore/top_bar.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/player.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/train/train_room.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::ui {

namespace {

constexpr float kTabs = 44;        // below the top bar of a stage alone
// Points, before panels beside the stage are put away: a step of a decoder has room; where one
// trains and learns, the left is what is chosen by.
constexpr float kLeastStage = 480, kLeastChosen = 420;
constexpr float kLeastAlone =
    600; // of a map beside one panel, which a lesson may need all the same
constexpr float kLeastStrip = 800; // below it the stages' names have no room
constexpr float kWithCard = 900;   // below it the strip gives its height to the card of a lesson
constexpr float kHandle = 12;
constexpr float kNamed = 14;      // a handle at a side that says what is behind it
constexpr float kNamedBelow = 16; // the one below
constexpr float kSlides = 0.12f; // seconds

constexpr std::array kAllEdges = {Edge::left, Edge::right, Edge::bottom, Edge::top};

const char* const kIds[] = {"edge/left", "edge/right", "edge/bottom", "edge/top"};
const char* const kPanelNames[] = {"the left panel", "the right panel", "the strip of stages",
                                   "the top bar"};

/// What a panel holds, in the word that stands on its handle.
std::string word_of(const Panel& p, Edge edge) {
    if (edge == Edge::bottom) return "Stages";
    const app::View view = p.state.view.view;
    const bool left = edge == Edge::left;
    if (view == app::View::learn) return left ? "Pages" : "Experiment";
    if (view == app::View::train) return left ? "Tasks" : "Settings";
    if (view == app::View::inside) return "Measures";
    return !left ? "Controls" : is_stepwise(p) ? "Steps" : "Heads";
}

} // namespace

Places places_of(const Ui& ui, const WindowState& state) {
    const float w = ui.width(), h = ui.height();
    const app::View view = state.view.view;
    const bool trains = view == app::View::train, alone = state.layout.presenting;
    const app::PanelSizes& sizes = state.layout.panels;
    // Smaller windows narrow the panels before the middle; a dragged size is kept for larger ones.
    const float spare = std::clamp((w - kRail) / 1540, 0.72f, 1.25f);
    const float left =
        std::round(std::clamp(sizes.left * spare, 216.0f, std::max(216.0f, w * 0.3f)));
    const float right =
        std::round(std::clamp(sizes.right * spare, 284.0f, std::max(284.0f, w * 0.4f)));
    // Large in the middle, the stages are not shown a second time along the bottom; a room other
    // than Explore needs its height for its own pictures. A film is part of the stage.
    // Over the stage it takes no height from anything.
    const bool strip =
        (alone || h >= 560) && app::info(view).shows != app::Shows::stages && app::in_explore(view);
    const float tall = std::round(sizes.bottom * (h < 760 ? 0.84f : 1.0f));
    const float bottom = trains ? std::min(tall, 150.0f) : strip ? tall : 0;

    Places at;
    at.spare = spare;
    // Inside shows all heads in its own pictures.
    const bool with_left = alone || view != app::View::inside;
    at.exists = {with_left, true, trains || strip, alone};
    const float rail = alone ? 0 : kRail, top = alone ? 0 : kTopBar;
    const bool strip_fits = w - kRail - (sizes.shows_right ? right : kNamed) >= kLeastStrip;
    const float least = trains || view == app::View::learn ? kLeastChosen : kLeastStage;
    // Where there is room for one, it is the one that the next thing of a lesson is in.
    const bool both_fit = w - kRail - right - left >= least;
    const bool follows = follows_lesson(state) && (trains || app::in_explore(view));
    const bool left_first = follows && sizes.shows_left && state.learn->needs == Edge::left;
    const bool needs_right = follows && state.learn->needs == Edge::right;
    const float least_alone = app::in_explore(view) && !needs_right ? kLeastAlone : least;
    const bool left_fits = both_fit || (left_first && w - kRail - left >= least);
    const bool right_fits = both_fit || (!left_fits && w - kRail - right >= least_alone);
    const bool gives_way = follows_lesson(state) && h < kWithCard;
    at.docked = {!alone && with_left && sizes.shows_left && left_fits,
                 !alone && sizes.shows_right && right_fits,
                 trains || (strip && !alone && sizes.shows_bottom && strip_fits && !gives_way),
                 !alone};
    const auto room = [&](Edge edge, float docked) {
        const float handle = edge == Edge::bottom ? kNamedBelow : kNamed;
        return at.docks(edge) ? docked : at.exists[index_of(edge)] && !alone ? handle : 0;
    };
    const float x = rail + room(Edge::left, left), end = w - room(Edge::right, right);
    const float floor = h - room(Edge::bottom, bottom);
    const bool tabs = alone && app::in_explore(view);
    at.rail = {0, top, rail, h - top};
    at.stage = {x, top, end - x, floor - top};
    const bool above_strip = at.docks(Edge::left) && at.docks(Edge::bottom);
    at.panels[index_of(Edge::left)] =
        alone ? Box{0, 0, kRail + left, h} : Box{rail, top, left, (above_strip ? floor : h) - top};
    at.panels[index_of(Edge::right)] = {w - right, top, right, h - top};
    const float strip_end = at.docks(Edge::bottom) ? end : w; // alone it has the whole width
    at.panels[index_of(Edge::bottom)] = {rail, h - bottom, strip_end - rail, bottom};
    at.panels[index_of(Edge::top)] = {0, 0, w, kTopBar + (tabs ? kTabs : 0)};
    return at;
}

namespace {

/// The edge of the stage at which a panel waits.
Box edge_of(const Places& at, Edge edge, float depth) {
    const Box& s = at.stage;
    switch (edge) {
    case Edge::left: return {s.x, s.y, depth, s.h};
    case Edge::right: return {s.x + s.w - depth, s.y, depth, s.h};
    case Edge::bottom: return {s.x, s.y + s.h - depth, s.w, depth};
    case Edge::top: return {s.x, s.y, s.w, depth};
    }
    return {};
}

bool& shows(app::PanelSizes& panels, Edge edge) {
    return edge == Edge::left    ? panels.shows_left
           : edge == Edge::right ? panels.shows_right
                                 : panels.shows_bottom;
}

Box grown(const Box& box, float by) {
    return {box.x - by, box.y - by, box.w + 2 * by, box.h + 2 * by};
}

} // namespace

void EdgePanels::handle(Panel& p, const Places& at, Edge edge) {
    const bool docked = at.docks(edge), flat = edge == Edge::bottom;
    const Box& s = at.stage;
    constexpr float kLong = 44;
    Box box = edge_of(at, edge, kHandle);
    if (docked) { // at the middle of the border, which is dragged
        // Pictures end at the lower border: there it stands in the strip, above its cards.
        constexpr float kBorder = 3, kAboveCards = 10;
        const float scrollbar = app::in_explore(p.state.view.view) ? 0 : 8; // of the stage
        box.x += edge == Edge::left ? kBorder : edge == Edge::right ? -kBorder - scrollbar : 0;
        box = flat ? Box{s.x + (s.w - kLong) / 2, s.y + s.h + kBorder, kLong, kAboveCards}
                   : Box{box.x, s.y + (s.h - kLong) / 2, kHandle, kLong};
    } else {
        box = edge_of(at, edge, flat ? kNamedBelow : kNamed);
        box.x += edge == Edge::left ? -kNamed : edge == Edge::right ? kNamed : 0;
        box.y += flat ? kNamedBelow : 0;
        for (const Edge side : {Edge::left, Edge::right}) { // corners below handles at the sides
            if (!flat || !at.can_slide(side)) continue;
            box.x -= side == Edge::left ? kNamed : 0;
            box.w += kNamed;
        }
    }
    const std::string name = std::string(docked ? "Hide " : "Show ") + kPanelNames[index_of(edge)];
    const Press press =
        p.ui.area(box, kIds[index_of(edge)], name, Widget::Kind::button, docked, true);
    p.ui.tip(flat ? name + (docked ? ": the picture takes its place" : " below the picture")
                  : name + " (" +
                        keys_of(edge == Edge::left ? ActionId::left_panel : ActionId::right_panel) +
                        ")");
    if (press.clicked) p.state.layout.wanted_panel = edge;
    handles_.push_back({edge, box, docked, press.hovered, docked ? "" : word_of(p, edge)});
}

void EdgePanels::begin(Panel& p, const Places& at) {
    handles_.clear();
    const bool trains = p.state.view.view == app::View::train;
    if (!p.state.layout.presenting) {
        for (const Edge edge : {Edge::left, Edge::right, Edge::bottom}) {
            const bool film = trains && edge == Edge::bottom;
            if (at.exists[index_of(edge)] && !film && open_ != edge) handle(p, at, edge);
        }
    }
    const auto wanted = std::exchange(p.state.layout.wanted_panel, {});
    if (wanted && at.exists[index_of(*wanted)] && !(trains && wanted == Edge::bottom)) {
        p.ui.wake_in(0);
        const bool away = !p.state.layout.presenting && at.docks(*wanted);
        const bool back = open_ == wanted;
        if (!p.state.layout.presenting) shows(p.state.layout.panels, *wanted) = !away;
        open_ = away || back ? std::nullopt : wanted;
        entered_ = false;
    }
    const auto shown = std::exchange(p.state.layout.shown_panel, {});
    if (shown && at.exists[index_of(*shown)]) {
        p.ui.wake_in(0);
        if (!p.state.layout.presenting) shows(p.state.layout.panels, *shown) = true;
        if (!at.docks(*shown)) open_ = shown; // until it is docked, where it has room
        entered_ = false;
    }
    follow(p, at);
}

/// The pointer at an edge calls its panel; leaving it lets it go.
void EdgePanels::follow(Panel& p, const Places& at) {
    if (open_ && !at.can_slide(*open_)) open_.reset();
    const bool asked = p.state.view.view == app::View::train && is_asked(p);
    if (asked && !asked_) open_.reset(); // the question lies below it
    asked_ = asked;
    const Point mouse = p.ui.mouse();
    const bool busy =
        ImGui::IsMouseDown(0) || p.ui.typing() || p.ui.awaits_field() || p.ui.any_popup();
    if (open_ && !busy && p.ui.take_escape()) {
        open_.reset();
        sent_away_ = true;
        p.ui.wake_in(0);
    }
    if (open_ && !busy) {
        constexpr float kNear = 24;
        const bool inside = grown(at.of(*open_), kNear).contains(mouse);
        if (entered_ && !inside) open_.reset();
        entered_ = entered_ || inside;
    }
    if (!open_ && p.state.layout.presenting && !busy) {
        constexpr float kEdge = 6;
        const auto* edge = std::ranges::find_if(kAllEdges, [&](Edge one) {
            return at.can_slide(one) && edge_of(at, one, kEdge).contains(mouse);
        });
        const bool at_one = edge != kAllEdges.end();
        if (at_one && !sent_away_) {
            open_ = *edge;
            entered_ = true;
        }
        sent_away_ = sent_away_ && at_one;
    }
    if (open_ != seen_) {
        share_ = 0;
        seen_ = open_;
    }
    if (open_ && share_ < 1) {
        share_ = std::min(1.0f, share_ + p.ui.seconds_passed() / kSlides);
        p.ui.wake_in(0);
    }
}

std::optional<std::pair<Edge, Box>> EdgePanels::over(const Places& at) const {
    if (!open_) return std::nullopt;
    Box box = at.of(*open_);
    const float hidden = (1 - share_) * (1 - share_);
    switch (*open_) {
    case Edge::left: box.x -= std::round(box.w * hidden); break;
    case Edge::right: box.x += std::round(box.w * hidden); break;
    case Edge::bottom: box.y += std::round(box.h * hidden); break;
    case Edge::top: box.y -= std::round(box.h * hidden); break;
    }
    return std::pair(*open_, box);
}

namespace {

/// Words that run along a handle, around a point; their length.
float draw_along(Canvas& c, const std::string& words, Point middle, Edge edge, Color ink) {
    figure::Text text{words,  middle, style_of(Face::control), ink, AlignX::centre,
                      figure::AlignY::middle};
    text.degrees = edge == Edge::left ? -90.0f : edge == Edge::right ? 90.0f : 0.0f;
    figure::Figure figure;
    figure.items.push_back(std::move(text));
    c.paint(figure, {});
    return c.width_of(Face::control, words);
}

} // namespace

void EdgePanels::draw_handles(Panel& p) const {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    for (const Handle& handle : handles_) {
        if (!handle.docked) c.fill(handle.box, t.panel);
        if (handle.hovered) c.fill(handle.box, t.raised, handle.docked ? 4 : 0);
        // It points to where the panel goes.
        const bool flat = handle.edge == Edge::bottom;
        const bool forth = (handle.edge == Edge::left) != handle.docked;
        const float tip = forth ? 2.0f : -2.0f;
        Point at{handle.box.x + handle.box.w / 2, handle.box.y + handle.box.h / 2};
        if (!handle.word.empty()) {
            constexpr float kAboveWord = 14;
            const Color ink = handle.hovered ? t.text : t.muted;
            const float away = draw_along(c, handle.word, at, handle.edge, ink) / 2 + kAboveWord;
            (flat ? at.x : at.y) -= away;
        }
        const float s = c.scale();
        const auto point = [&](float along, float across) {
            return flat ? ImVec2{(at.x + across) * s, (at.y + along) * s}
                        : ImVec2{(at.x + along) * s, (at.y + across) * s};
        };
        const ImU32 ink = packed(faded(t.muted, handle.hovered ? 1.0f : 0.55f));
        for (const float along : {-2.3f, 2.3f}) { // two: one alone leads from card to card
            const std::array corners = {point(along - tip, -4), point(along + tip, 0),
                                        point(along - tip, 4)};
            shim::polyline(c.list(), corners, ink, false, 1.5f * s);
        }
    }
}

} // namespace heed::ui
