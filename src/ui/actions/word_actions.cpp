// Words of the field in the search: what each means, and the place where it can be seen.
#include "app/engine/gold_alignment.hpp"
#include "ui/actions/action_table.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/player.hpp"

#include <algorithm>

namespace heed::ui {

namespace {

using Word = FieldWord;

/// The place where a word can be seen.
struct WordPlace {
    const char* name; // as the search shows it
    bool (*can)(const Panel&);
    void (*go)(Panel&);
};

/// Shows the right panel, and in it what has this id, framed.
void point_to_control(Panel& p, const std::string& id) {
    choose_room(p, app::View::heatmap);
    p.state.layout.shown_panel = Edge::right;
    p.ui.point_at(id);
}

/// The left panel, and what has this id.
void point_to_heads(Panel& p, const std::string& id) {
    choose_room(p, app::View::heatmap);
    p.state.layout.shown_panel = Edge::left;
    p.ui.point_at(id);
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
constexpr WordPlace kHeadMeasures = {"Heads panel", has_run,
                                     [](Panel& p) { point_to_heads(p, "label/Entropy"); }};
constexpr WordPlace kLayers = {"Heads panel",
                               [](const Panel& p) { return has_run(p) && traits_now(p).attends(); },
                               [](Panel& p) { point_to_heads(p, "heads"); }};
constexpr WordPlace kSpecial = {"Heads panel",
                                [](const Panel& p) { return has_run(p) && has_special(p); },
                                [](Panel& p) { point_to_heads(p, "special"); }};
/// The score by which heads are sorted and coloured there.
template <inside::HeadScore score> constexpr WordPlace score_of(const char* name) {
    return {name, [](const Panel& p) { return has_run(p) && view_fits(p, app::View::heads); },
            [](Panel& p) {
                p.state.view.head_colour = score;
                choose_view(p, app::View::heads);
            }};
}
constexpr WordPlace kTemperature = {
    "Controls", [](const Panel& p) { return has_run(p) && traits_now(p).attends(); },
    [](Panel& p) { point_to_control(p, "temperature"); }};
constexpr WordPlace kDropout = {"Controls", kTemperature.can,
                                [](Panel& p) { point_to_control(p, "dropout"); }};
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
constexpr WordPlace kGold = {"Heads",
                             [](const Panel& p) {
                                 return has_run(p) && view_fits(p, app::View::heads) &&
                                        app::has_gold(*p.snapshot().run->model);
                             },
                             [](Panel& p) {
                                 choose_kind(
                                     p, *p.snapshot().run->model->traits().aligning_attention());
                                 p.state.view.head_colour = inside::HeadScore::alignment;
                                 choose_view(p, app::View::heads);
                             }};
constexpr WordPlace kModelCard = {"Model",
                                  [](const Panel& p) { return !p.state.layout.presenting; },
                                  [](Panel& p) {
                                      const bool trains = p.state.view.view == app::View::train;
                                      if (trains) choose_room(p, app::View::heatmap);
                                      open_card(p, CardId::model);
                                  }};

bool shows_kind(const Panel& p, trace::AttentionKind kind) {
    return has_run(p) && has_kind(p, kind);
}
void show_kind(Panel& p, trace::AttentionKind kind) {
    choose_kind(p, kind);
    choose_view(p, app::View::heatmap);
}
/// Attention is the weights, whatever stage is shown.
constexpr WordPlace kWeights = {
    "Heatmap", [](const Panel& p) { return has_run(p) && view_fits(p, app::View::heatmap); },
    [](Panel& p) { choose_stage(p, trace::Stage::weights); }};
template <trace::AttentionKind kind> constexpr WordPlace map_of() {
    return {"Heatmap", [](const Panel& p) { return shows_kind(p, kind); },
            [](Panel& p) { show_kind(p, kind); }};
}
constexpr auto kEncoder = trace::AttentionKind::encoder_self;
constexpr auto kDecoder = trace::AttentionKind::decoder_self;
constexpr WordPlace kSelf = {
    "Heatmap", [](const Panel& p) { return shows_kind(p, kEncoder) || shows_kind(p, kDecoder); },
    [](Panel& p) { show_kind(p, shows_kind(p, kEncoder) ? kEncoder : kDecoder); }};

struct PlaceOfWord {
    FieldWord word;
    WordPlace place;
};

/// Places in the order of the words.
constexpr PlaceOfWord kPlaces[] = {
    {Word::attention, kWeights},
    {Word::self_attention, kSelf},
    {Word::encoder, map_of<kEncoder>()},
    {Word::decoder, map_of<kDecoder>()},
    {Word::embedding, room_of<app::View::inside>("Inside")},
    {Word::transformer, kModelCard},
    {Word::query, stage_of<trace::Stage::q>("Stage q")},
    {Word::key, stage_of<trace::Stage::k>("Stage k")},
    {Word::value, stage_of<trace::Stage::v>("Stage v")},
    {Word::head, view_of<app::View::heads>("Heads")},
    {Word::mask, kMask},
    {Word::softmax, room_of<app::View::softmax>("Softmax")},
    {Word::jacobian, room_of<app::View::softmax>("Softmax")},
    {Word::temperature, kTemperature},
    {Word::cross_attention, kCross},
    {Word::entropy, kHeadMeasures},
    {Word::bits, kHeadMeasures},
    {Word::logit, room_of<app::View::inside>("Inside")},
    {Word::nats, kTrainRoom},
    {Word::feed_forward, room_of<app::View::inside>("Inside")},
    {Word::residual_stream, room_of<app::View::inside>("Inside")},
    {Word::d_model, kModelCard},
    {Word::pre_norm, kNorm},
    {Word::post_norm, kNorm},
    {Word::rope, kPositions},
    {Word::alibi, kPositions},
    {Word::greedy, view_of<app::View::step>("Step")},
    {Word::beam, view_of<app::View::beam>("Beam")},
    {Word::teacher_forcing, view_of<app::View::step>("Step")},
    {Word::gold_alignment, kGold},
    {Word::alignment_error, kTrainRoom},
    {Word::bleu, kTrainRoom},
    {Word::token, view_of<app::View::heatmap>("Heatmap")},
    {Word::special_tokens, kSpecial},
    {Word::weight, stage_of<trace::Stage::weights>("Stage weights")},
    {Word::layer, kLayers},
    {Word::confident, score_of<inside::HeadScore::confidence>("Heads")},
    {Word::mean_distance, score_of<inside::HeadScore::distance>("Heads")},
    {Word::induction_head, score_of<inside::HeadScore::followed>("Heads")},
    {Word::dropout, kDropout},
    {Word::gradient, kTrainRoom},
    {Word::norm, kNorm},
    {Word::warm_up, kTrainRoom},
    {Word::held_out, kTrainRoom},
    {Word::label_smoothing, kTrainRoom},
    {Word::logit_lens, room_of<app::View::inside>("Inside")},
    {Word::attention_sink, score_of<inside::HeadScore::first>("Heads")},
    {Word::perplexity, kTrainRoom},
};
static_assert(std::ranges::equal(kPlaces, kFieldWords, {}, &PlaceOfWord::word,
                                 &FieldWordInfo::word));

} // namespace

void add_word_actions(ActionTable& table) {
    for (const FieldWordInfo& row : kFieldWords) {
        const WordPlace& place = kPlaces[static_cast<std::size_t>(row.word)].place;
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
