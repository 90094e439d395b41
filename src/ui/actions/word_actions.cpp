// Words of the field in the search: what each means, and the place where it can be seen.
#include "ui/actions/action_table.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/player.hpp"

#include <iterator>

namespace heed::ui {

namespace {

using Word = FieldWord;

/// The place where a word can be seen.
struct WordPlace {
    const char* name; // as the search shows it
    bool (*can)(const Panel&);
    void (*go)(Panel&);
};

/// Shows the right panel, and in it what has this id, with the keyboard on it.
void point_to_control(Panel& p, const std::string& id) {
    choose_room(p, app::View::heatmap);
    p.state.layout.shown_panel = Edge::right;
    p.ui.point_keyboard(id);
}

template <app::View room> bool has_room(const Panel& p) {
    return has_run(p) && app::fits(room, p.snapshot().run->model->config());
}
template <app::View room> constexpr WordPlace room_of(const char* name) {
    return {name, has_room<room>, [](Panel& p) { choose_room(p, room); }};
}
template <app::View view> constexpr WordPlace view_of(const char* name) {
    return {name, [](const Panel& p) { return has_run(p) && view_fits(p, view); },
            [](Panel& p) { choose_view(p, view); }};
}
template <trace::Stage stage> constexpr WordPlace stage_of(const char* name) {
    return {name, has_run, [](Panel& p) { choose_stage(p, stage); }};
}

constexpr WordPlace kTrainRoom = {"Train", [](const Panel&) { return true; },
                                  [](Panel& p) { choose_room(p, app::View::train); }};
constexpr WordPlace kHeadMeasures = {"Heads panel", shows_heads, [](Panel& p) {
                                         choose_room(p, app::View::heatmap);
                                         p.state.layout.shown_panel = Edge::left;
                                         p.ui.point_keyboard("head/gain"); // beside it
                                     }};
constexpr WordPlace kTemperature = {
    "Controls", [](const Panel& p) { return has_run(p) && traits_now(p).attends(); },
    [](Panel& p) { point_to_control(p, "temperature"); }};
constexpr WordPlace kMask = {"Controls", kTemperature.can,
                             [](Panel& p) { point_to_control(p, "mask/0"); }};
constexpr WordPlace kNorm = {"Controls", [](const Panel& p) { return norm_now(p).has_value(); },
                             [](Panel& p) { point_to_control(p, "norm/0"); }};
constexpr WordPlace kPositions = {"Positions",
                                  [](const Panel& p) { return traits_now(p).has_positions; },
                                  [](Panel& p) { choose_room(p, app::View::positions); }};
constexpr WordPlace kCross = {
    "Cross", [](const Panel& p) { return has_run(p) && has_kind(p, trace::AttentionKind::cross); },
    [](Panel& p) {
        choose_kind(p, trace::AttentionKind::cross);
        choose_room(p, app::View::heatmap);
    }};
constexpr WordPlace kGold = {
    "Heads", [](const Panel& p) { return has_run(p) && view_fits(p, app::View::heads); },
    [](Panel& p) {
        p.state.view.head_order = app::HeadOrder::alignment;
        choose_view(p, app::View::heads);
    }};
constexpr WordPlace kModelCard = {"Model",
                                  [](const Panel& p) {
                                      return !p.state.layout.presenting &&
                                             p.state.view.view != app::View::train;
                                  },
                                  [](Panel& p) { open_card(p, CardId::model); }};

/// Places in the order of the words.
constexpr WordPlace kPlaces[] = {
    stage_of<trace::Stage::q>("Stage q"),
    stage_of<trace::Stage::k>("Stage k"),
    stage_of<trace::Stage::v>("Stage v"),
    view_of<app::View::heads>("Heads"),
    kMask,
    room_of<app::View::softmax>("Softmax"),
    room_of<app::View::softmax>("Softmax"), // Jacobian
    kTemperature,
    kCross,
    kHeadMeasures,                        // entropy
    kHeadMeasures,                        // bits
    room_of<app::View::inside>("Inside"), // logit
    kTrainRoom,                           // nats
    room_of<app::View::inside>("Inside"), // feed-forward
    room_of<app::View::inside>("Inside"), // residual stream
    kModelCard,
    kNorm,
    kNorm,
    kPositions,
    kPositions,
    view_of<app::View::step>("Step"), // greedy
    view_of<app::View::beam>("Beam"),
    view_of<app::View::step>("Step"), // teacher forcing
    kGold,
    kTrainRoom, // alignment error
    kTrainRoom, // BLEU
};
static_assert(std::size(kPlaces) == std::size(kFieldWords));

} // namespace

void add_word_actions(ActionTable& table) {
    for (const FieldWordInfo& row : kFieldWords) {
        const WordPlace& place = kPlaces[static_cast<std::size_t>(row.word)];
        table.push_back({.group = ActionGroup::word,
                         .name = std::string(row.name),
                         .run = place.go,
                         .keywords = std::string(row.keywords),
                         .usable = place.can,
                         .tip = field_word_tip(row.word),
                         .leads_to = place.name});
    }
}

} // namespace heed::ui
