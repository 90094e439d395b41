#include "app/views/view_figure.hpp"

#include "app/document/changes.hpp"
#include "app/document/other_sentence.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/head_views.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/picture_view.hpp"
#include "app/views/reading.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/rooms.hpp"
#include "app/views/titles.hpp"
#include "base/check.hpp"
#include "base/utf8.hpp"
#include "figure/base/sheet.hpp"
#include "figure/parts/side_by_side.hpp"
#include "trace/attention_kinds.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace heed::app {

using figure::Figure;
using figure::Frame;
using models::Traits;

namespace {

bool always(const Traits&) { return true; }
bool with_attention(const Traits& t) { return !t.is_stepwise() || t.attends(); }
bool with_layers(const Traits& t) { return !t.is_stepwise(); } // else one head, and no layers
bool with_steps(const Traits& t) { return t.is_stepwise(); }
bool with_decoder(const Traits& t) { return t.decodes; }
bool with_beam(const Traits& t) { return t.has_beam && t.reads_source; }

template <Figure (*make)(const Snapshot&, const ViewState&, const Frame&)>
Figure of_state(const Snapshot& snapshot, const ViewState& state, const Frame& frame,
                const Hovered&) {
    return make(snapshot, state, frame);
}

/// A row, or none.
int chosen_query(const ViewState& state) { return state.selected ? state.selected->first : -1; }

void need_heads(const ViewState& state, Needs& needs) {
    needs.query_rows = chosen_query(state); // their thumbnails, where there is a picture
    needs.slots = state.slots;
    needs.effects = state.head_order == HeadOrder::effect;
    needs.alike = state.head_order == HeadOrder::alike;
    needs.summaries = true; // what is sorted by, and what is said of the picture
    const auto order = score_of(state.head_order);
    needs.head_scores = state.heads_as == HeadsAs::scatter ||
                        (order && !inside::is_of_text(*order)) ||
                        (state.head_colour && !inside::is_of_text(*state.head_colour));
}

bool with_pictures(const Traits& t) { return t.reads_pictures; }

constexpr auto kTokens = [](const Snapshot&) -> const TokenWords* { return nullptr; };
constexpr auto kWords = [](const Snapshot& s) { return s.units.get(); };
constexpr bool kOfOneHead = true, kOfModels = true;
constexpr std::string_view kDot = " · ", kBeamSearch = "beam search";

std::string beam_provenance(const Snapshot& s) {
    return std::string(kDot) + std::string(kBeamSearch) + changes_of_model(*s.run);
}

constexpr ViewKind kKinds[] = {
    {View::heatmap, with_attention, of_state<heatmap_figure>, heatmap_tables, map_provenance,
     map_reading, nullptr, map_units, kOfOneHead},
    {View::heads, with_layers, of_state<heads_figure>, heads_tables, all_heads_provenance,
     heads_reading, need_heads, kTokens},
    {View::lines, with_attention, links_figure, links_tables, links_provenance, map_reading,
     [](const ViewState& state, Needs& needs) { needs.overlay = state.overlay; }, kWords,
     kOfOneHead},
    {View::neurons, with_attention, of_state<neurons_figure>, neurons_tables, head_provenance,
     neurons_reading, nullptr, kTokens, kOfOneHead, kOfModels},
    {View::flow, with_layers, of_state<flow_figure>, flow_tables, all_heads_provenance,
     flow_reading,
     [](const ViewState& state, Needs& needs) {
         needs.flow = FlowFocus{state.flow_rule, std::nullopt};
         if (state.selected) needs.flow->token = state.selected->first;
     },
     kWords},
    {View::stages, always, of_state<stages_figure>, stages_tables, layer_provenance, stages_reading,
     nullptr, kTokens, kOfOneHead, kOfModels},
    {View::positions, always, of_state<position_room_figure>, position_room_tables,
     positions_provenance, position_room_reading, nullptr, kTokens, false, kOfModels},
    {View::softmax, with_attention, of_state<softmax_room_figure>, softmax_room_tables,
     head_provenance, softmax_room_reading,
     [](const ViewState&, Needs& needs) { needs.histograms = true; }, token_units, kOfOneHead,
     kOfModels},
    {View::step, with_decoder, of_state<step_figure>, step_tables, step_provenance, step_reading,
     [](const ViewState& state, Needs& needs) {
         needs.step = chosen_query(state);
         needs.any_step = true;
     }},
    {View::unrolled, with_steps, of_state<unrolled_figure>, unrolled_tables, step_provenance,
     step_reading},
    {View::beam, with_beam, of_state<beam_figure>, beam_tables, beam_provenance, beam_reading},
    {View::picture, with_pictures, picture_figure, picture_tables, picture_provenance,
     picture_reading,
     [](const ViewState& state, Needs& needs) { needs.query_rows = chosen_query(state); }, kTokens,
     kOfOneHead},
    {View::inside, always, of_state<inside_figure>, inside_tables, inside_provenance, nullptr,
     [](const ViewState& state, Needs& needs) {
         needs.inside = needs.head_scores = true;
         needs.inside_tokens = state.inside_cards == InsideCards::tokens;
         if (needs.inside_tokens) needs.encoder_row = chosen_query(state);
         needs.means = state.means;
     },
     kTokens, false, kOfModels},
    {View::learn, always, nullptr, nullptr, head_provenance, nullptr}, // figure/lab_picture.hpp
    {View::train, always, nullptr, nullptr, head_provenance, nullptr}, // app/training_room.hpp
};
static_assert(std::size(kKinds) == std::size(kViews));

} // namespace

const ViewKind& view_kind(View view) { return kKinds[static_cast<std::size_t>(view)]; }

bool fits(View view, const models::Config& config) {
    return view_kind(view).fits(models::traits(config));
}

View fitting(View view, const models::Config& config) {
    for (const View next : {view, View::heatmap}) {
        if (fits(next, config)) return next;
    }
    return View::unrolled;
}

Needs needs_of(const ViewState& state, const Focus& focus) {
    Needs needs;
    needs.logarithms = state.scale == figure::ColourScale::logarithmic;
    if (state.strips) needs.strips = StripFocus{state.pinned_queries, state.pinned_keys};
    // The strip below shows what a step's score is made of, whatever the view.
    if (focus.head.kind == trace::AttentionKind::cross) needs.step = chosen_query(state);
    if (const auto need = view_kind(state.view).need) need(state, needs);
    return needs;
}

bool can_be_read(const ViewState& state) { return view_kind(state.view).reading != nullptr; }

std::string reading(const Snapshot& snapshot, const ViewState& state) {
    const bool fit = fits(state.view, snapshot.run->model->config());
    if (!can_be_read(state) || !fit || lacks_model(snapshot, state.view)) return {};
    const bool compares = state.compare != Compare::off && state.view == View::heatmap;
    if (!compares) return view_kind(state.view).reading(snapshot, state);
    const std::string same = same_maps_words(snapshot, state);
    return same.empty() ? compared_reading(snapshot, state) : same;
}

std::string provenance(const Snapshot& snapshot, View view) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no provenance");
    return drawn_model_title(snapshot) + view_kind(view).provenance(snapshot);
}

bool lacks_model(const Snapshot& snapshot, View view) {
    return view_kind(view).needs_model && snapshot.run->model->traits().weights_alone;
}

Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width, float height) {
    return make_figure(snapshot, state, Place{width, height});
}

namespace {} // namespace

std::string no_difference_words(const Snapshot& snapshot) {
    const std::string& name = snapshot.reference->asked.name;
    const bool changed = !(snapshot.run->controls == snapshot.reference->run->controls);
    return changed ? fmt::format("no difference from {}: what was changed does not reach this map",
                                 name)
                   : fmt::format("no difference from {} yet: change a control to see one", name);
}

std::string reference_named(const Snapshot& snapshot, const std::string& title) {
    const ReferencePicture& then = *snapshot.reference;
    std::string words;
    if (!same_model(snapshot.document, then.asked.document))
        words += std::string(kDot) + drawn_model_title(as_snapshot(then));
    if (!title.empty()) words += std::string(kDot) + title;
    if (!then.focus.combine) words += changes_told(*then.run, {then.focus.head});
    return words.empty() ? then.asked.name
                         : fmt::format("{} ({})", then.asked.name, words.substr(kDot.size()));
}

namespace {

/// What is changed now, as a difference from what the picture takes off; else as it is.
std::string with_difference(const Snapshot& snapshot, const ViewState& state, std::string changes) {
    const bool differs = state.view == View::heatmap && state.compare == Compare::difference &&
                         snapshot.reference && snapshot.reference->difference;
    if (!differs) return changes;
    const std::string now = changes.empty() ? "now" : fmt::format("now ({})", changes);
    return fmt::format("{} minus {}", now, reference_named(snapshot));
}

/// Takes what the title above the picture says already out of what the caption says of it.
void leave_out_title(std::string& what, const Snapshot& s, View view) {
    const trace::AttentionKind kind = s.focus.head.kind;
    const std::string names[] = {s.overlay.empty() ? "" : overlay_title(s),
                                 focus_title(s.run->trace, s.focus),
                                 shown_title(*s.run, s.focus.head),
                                 std::string(trace::info(kind).phrase) + " · all heads",
                                 std::string(kBeamSearch),
                                 "sinusoidal positions"};
    if (view == View::inside) return; // whose title is another
    for (const std::string& name : names) {
        const auto at = name.empty() ? std::string::npos : what.find(" · " + name);
        if (at != std::string::npos) return void(what.erase(at, name.size() + kDot.size()));
    }
}

/// The tokens of the first sentence of a run.
std::string read_words(const models::Input& input, const models::Traits& traits) {
    const bool target = !traits.encodes && !traits.source_leads && !input.target.empty();
    std::string words;
    for (const text::Token& token : target ? input.target : input.source) {
        words += (words.empty() ? "" : " ") + token.text;
    }
    return words;
}

/// A text in quotes, up to a line of it.
std::string quoted_line(std::string words) {
    constexpr std::size_t kMost = 80; // code points
    words.erase(words.find_last_not_of(' ') + 1);
    words.erase(0, words.find_first_not_of(' '));
    std::size_t end = 0;
    for (std::size_t i = 0; i < kMost && end < words.size(); ++i) {
        end += base::decode_utf8(words, end).length;
    }
    if (end == words.size()) return "“" + words + "”";
    if (const auto space = words.find_last_of(' ', end); space != words.npos && space > end / 2) {
        end = space; // whole words, where the script has spaces
    }
    return fmt::format("“{}…”", words.substr(0, end));
}

/// The text that was read, and where rows are of it, what the decoder writes.
std::string text_words(const Snapshot& s, View view) {
    const models::Traits& traits = s.run->model->traits();
    std::string words = first_sentence(s.document, traits);
    if (s.error) words = read_words(s.run->input, traits); // the document is what did not run
    const bool of_no_text = traits.reads_pictures || traits.weights_alone;
    const bool blank = words.find_first_not_of(' ') == words.npos;
    if (blank || view == View::positions || of_no_text) return {};
    const bool reads_alone = s.run->trace.n_layers(trace::AttentionKind::cross) == 0 ||
                             s.focus.head.kind == trace::AttentionKind::encoder_self;
    const std::string written =
        reads_alone || s.error ? std::string() : with_added(*s.run, s.document);
    return fmt::format(" Text: {}{}.", quoted_line(std::move(words)),
                       written.empty() ? "" : " → " + quoted_line(written));
}

} // namespace

std::string caption(const Snapshot& snapshot, const ViewState& state) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no caption");
    std::string what = view_kind(state.view).provenance(snapshot);
    if (state.title) leave_out_title(what, snapshot, state.view);
    if (what.starts_with(kDot)) what.erase(0, kDot.size());
    what = with_difference(snapshot, state, std::move(what));
    if (!what.empty() && what[0] >= 'a' && what[0] <= 'z') what[0] += 'A' - 'a';
    if (!what.empty()) what += ". ";
    return what + "Model: " + drawn_model_title(snapshot) + "." + text_words(snapshot, state.view);
}

namespace {

/// Reading behind a caption, without what that says of the head already.
std::string reading_behind(const std::string& caption, std::string words) {
    if (caption.find("ead switched off") == caption.npos &&
        caption.find(kAttentionOff.substr(1)) == caption.npos) {
        return words;
    }
    for (const std::string_view off : {"This head is off.", "Attention is off."}) {
        const auto at = words.find(off);
        if (at == words.npos) continue;
        return words.erase(at, off.size() + (at + off.size() < words.size() ? 1 : 0));
    }
    return words;
}

/// What a picture in this place is given.
Frame frame_of(const Snapshot& snapshot, const ViewState& state, const Place& place,
               const Hovered& hovered) {
    Frame frame;
    frame.width = place.width;
    frame.height = place.height;
    frame.beside_title = place.beside_title;
    frame.titled = place.titled;
    frame.in_file = place.in_file;
    frame.marks = place.marks;
    frame.grows = place.grows;
    frame.pixels = place.pixels;
    frame.above = place.above;
    frame.headline = state.title;
    frame.theme = state.dark ? &figure::dark_theme() : &figure::light_theme();
    if (place.reads && can_be_read(state)) {
        // A patch under the pointer has the whole picture, so the words are of it, too.
        ViewState read = state;
        if (state.view == View::picture && hovered.query) read.selected = {*hovered.query, 0};
        frame.reading = reading(snapshot, read);
        frame.reading_lines = 2;
    }
    if (state.caption) {
        frame.caption = caption(snapshot, state);
        const std::string words =
            place.reads ? "" : reading_behind(frame.caption, reading(snapshot, state));
        frame.caption += (words.empty() ? "" : " ") + words;
    }
    return frame;
}

} // namespace

float content_end(const Snapshot& snapshot, const ViewState& state, const Place& place) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no figure");
    return figure::content_end(frame_of(snapshot, state, place, {}));
}

Figure make_figure(const Snapshot& snapshot, const ViewState& state, const Place& place,
                   const Hovered& hovered) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no figure");
    Frame frame = frame_of(snapshot, state, place, hovered);
    const ViewKind& kind = view_kind(fitting(state.view, snapshot.run->model->config()));
    if (lacks_model(snapshot, kind.view)) {
        return figure::sentence_instead(std::string(info(kind.view).label), kNeedsModel, frame);
    }
    if (place.links_of_map && kind.view == View::heatmap) {
        const Focus& of = snapshot.focus;
        const bool of_map = of.stage == trace::Stage::weights && of.times == Times::nothing &&
                            (state.compare == Compare::off || !snapshot.reference);
        if (of_map) return links_figure(snapshot, state, frame, hovered);
        constexpr float kNamed = 18; // points, of the words that say whose links these are
        frame.height = std::max(frame.height - kNamed, 1.f);
        Figure whole;
        Figure links = links_figure(snapshot, state, frame, hovered);
        whole.title = links.title;
        whole.background = links.background;
        whole.width = links.width;
        whole.height = links.height + kNamed;
        figure::put(whole, links, {0, kNamed});
        return whole;
    }
    return kind.figure ? kind.figure(snapshot, state, frame, hovered) : Figure{};
}

} // namespace heed::app
