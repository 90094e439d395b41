// Titles and other words of pictures, captions and controls: of a head, a model, and what was
// changed in them.
#include "app/views/titles.hpp"

#include "app/document/changes.hpp"
#include "app/document/names.hpp"
#include "app/engine/merging.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/rooms.hpp"
#include "figure/base/sheet.hpp"
#include "models/model/sides.hpp"
#include "models/model/titles.hpp"
#include "models/model/usual_mask.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/combined.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

namespace heed::app {

using trace::AttentionKind;

std::string head_title(const trace::HeadId& head) {
    return fmt::format("{} {}", trace::info(head.kind).title,
                       trace::head_name(head.layer, head.head));
}

void fit_titles(const std::vector<BesideTitle>& beside) {
    const auto named = [](const BesideTitle& one, std::string_view kind) {
        const std::string words = head_title(one.head);
        if (!one.title->starts_with(words)) return *one.title; // of several heads, or of none
        return fmt::format("{} {}", kind, trace::head_number(one.head.layer, one.head.head)) +
               one.title->substr(words.size());
    };
    const auto in_words = [](const BesideTitle& one) { return *one.title; };
    const auto in_numbers = [&](const BesideTitle& one) {
        return named(one, trace::info(one.head.kind).title);
    };
    const auto shortest = [&](const BesideTitle& one) {
        return named(one, trace::info(one.head.kind).label);
    };
    const auto fit = [&](const auto& form) {
        return std::ranges::all_of(beside, [&](const BesideTitle& one) {
            const bool open = !(one.frame.width > 0); // as wide as the title is
            return open || figure::has_room_for_title(one.frame, form(one));
        });
    };
    if (fit(in_words)) return;
    const bool numbers = fit(in_numbers);
    for (const BesideTitle& one : beside) *one.title = numbers ? in_numbers(one) : shortest(one);
}

std::string shown_title(const models::Run& run, const trace::HeadId& head) {
    const models::Traits& traits = run.model->traits();
    if (!traits.is_stepwise()) return head_title(head);
    return traits.attends() ? "Alignment αᵢⱼ" : "States";
}

namespace {

/// True where letters that are written together are two tokens. Of scripts that set no white space
/// between words, characters may well be words.
bool has_split_word(const std::vector<text::Token>& tokens) {
    const auto touch = [](const text::Token& one, const text::Token& next) {
        const auto letter = [](const text::Token& token) {
            const char c = token.text.front();
            const bool latin = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return token.text.size() == 1 && latin;
        };
        return one.end == next.begin && letter(one) && letter(next);
    };
    return std::ranges::adjacent_find(tokens, touch) != tokens.end();
}

} // namespace

std::string quoted_token(const std::vector<text::Token>& tokens, num::Index i,
                         std::optional<num::Index> place) {
    const auto at = static_cast<std::size_t>(i);
    if (at >= tokens.size()) return fmt::format("“{}”", i + 1);
    const std::string& word = tokens[at].text;
    const auto alike = std::ranges::count(tokens, word, &text::Token::text);
    return alike > 1 ? fmt::format("“{}” at position {}", word, place.value_or(i) + 1)
                     : fmt::format("“{}”", word);
}

const char* unit_of(const models::Run& run, const std::vector<text::Token>& tokens) {
    if (run.model->reads_ids()) return "token";
    const text::Vocabulary* known = run.model->words();
    if (known && known->of_characters()) return "character";
    const auto& trained = run.model->provenance();
    if (trained && trained->segmentation == text::Segmentation::characters) return "character";
    return has_split_word(tokens) ? "character" : "word";
}

const char* unit_of(const models::Run& run) {
    return unit_of(run, has_split_word(run.input.source) ? run.input.source : run.input.target);
}

const char* unit_said(const models::Run& run) {
    return run.model->traits().classifies() ? "class" : unit_of(run, run.input.target);
}

std::string said_heading(const models::Run& run, std::string_view unit) {
    const models::Output output = run.model->traits().output;
    if (output == models::Output::sentence) return fmt::format("Next {}", unit);
    const std::string words = char(std::toupper(unit[0])) + std::string(unit.substr(1));
    return output == models::Output::word_at_each ? words + " here" : words;
}

std::string others_of(const models::Run& run) {
    const bool classes = run.model->traits().classifies();
    if (!classes && !run.model->words() && !run.model->text_to_ids()) return "other rows";
    return fmt::format("other {}{}", unit_said(run), classes ? "es" : "s");
}

std::string model_title(const std::string& file, const models::Config& config) {
    if (file.empty()) return models::title(config);
    const ShippedTitle title = file_title(file);
    return title.kind.empty() ? title.task : title.task + " \u00b7 " + title.kind;
}

bool is_off(const models::Run& run, const trace::HeadId& head) {
    return run.controls.resolved(head).gain == 0.0f;
}

std::vector<std::string> changed_controls(const models::Run& run, const trace::HeadId& head) {
    const models::Traits& usual = run.model->traits();
    const models::HeadControls controls = run.controls.resolved(head);
    std::vector<std::string> changes;
    const auto add = [&](Control control) { changes.push_back(control_words(control, controls)); };
    const nn::Score score = controls.score.value_or(usual.usual_score);
    if (score != usual.usual_score) add(Control::score);
    if (controls.scale && !(*controls.scale == models::usual_scale(score))) add(Control::scale);
    if (controls.temperature.value_or(1) != 1) add(Control::temperature);
    const nn::Mask usual_mask = models::usual_mask(run.model->config(), head.kind, head.layer);
    if (controls.mask && !(*controls.mask == usual_mask)) add(Control::mask);
    if (controls.positions && *controls.positions != usual.positions(head.kind)) {
        add(Control::positions);
    }
    if (usual.is_stepwise() && is_off(run, head)) {
        changes.emplace_back(kAttentionOff);
    } else if (controls.gain.value_or(1) != 1) {
        add(Control::gain);
    }
    if (controls.edits && !controls.edits->empty()) add(Control::edits);
    if (usual.norm && run.controls.norm.value_or(*usual.norm) != *usual.norm) {
        changes.push_back(fmt::format("norm {}", name_of(*run.controls.norm)));
    }
    if (usual.join && run.controls.join.value_or(*usual.join) != *usual.join) {
        changes.push_back(join_words(*run.controls.join));
    }
    if (run.controls.dropout.rate > 0) {
        changes.push_back(fmt::format("dropout {:g} (seed {})", run.controls.dropout.rate,
                                      run.controls.dropout.seed));
    }
    return changes;
}

namespace {

/// Every change of these heads, and of which.
using HeadChanges = std::vector<std::pair<std::string, std::vector<trace::HeadId>>>;

HeadChanges changes_of(const models::Run& run, const std::vector<trace::HeadId>& heads) {
    HeadChanges changes;
    for (const trace::HeadId& id : heads) {
        for (std::string& change : changed_controls(run, id)) {
            auto known = std::ranges::find(changes, change, &HeadChanges::value_type::first);
            if (known == changes.end()) known = changes.insert(known, {std::move(change), {}});
            known->second.push_back(id);
        }
    }
    return changes;
}

/// "3 of 8 heads off", "temperature 2 in 3 of 8 heads".
std::string change_in(const std::string& change, const std::string& heads) {
    return change == kSwitchedOff ? heads + " off" : change + " in " + heads;
}

} // namespace

std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads) {
    constexpr std::size_t kMostShown = 8;
    const HeadChanges changes = changes_of(run, heads);
    const auto total = static_cast<int>(heads.size());
    std::vector<std::string> words;
    for (const auto& [change, where] : changes) {
        if (words.size() == kMostShown) {
            words.push_back(fmt::format("{} more changes", changes.size() - kMostShown));
            break;
        }
        const int count = static_cast<int>(where.size());
        const bool one_layer = where.front().layer == where.back().layer;
        if (count == total) {
            words.push_back(change);
        } else if (count == 1) {
            words.push_back(fmt::format("{} in layer {}, head {}", change, where[0].layer + 1,
                                        where[0].head + 1));
        } else if (one_layer && count == run.trace.n_heads(where[0].kind)) {
            words.push_back(fmt::format("{} in layer {}", change, where[0].layer + 1));
        } else {
            words.push_back(change_in(change, fmt::format("{} of {} heads", count, total)));
        }
    }
    return words;
}

namespace {

/// True where what a head does reaches what is drawn of another: its weights, or what follows.
/// `said`: its rows are what the model says.
bool reaches(const trace::HeadId& from, const trace::HeadId& to, Reach reach, bool said) {
    const bool encodes = to.kind == AttentionKind::encoder_self;
    if (reach == Reach::said || (said && !encodes)) return true;
    if (encodes && from.kind != to.kind) return false;
    if (from.kind == AttentionKind::encoder_self && !encodes)
        return to.kind == AttentionKind::cross || to.layer > 0 || reach == Reach::layer;
    const bool before = from.kind == AttentionKind::decoder_self && to.kind == AttentionKind::cross;
    return from.layer < to.layer || (from.layer == to.layer && (before || reach == Reach::layer));
}

/// What was changed in heads that are not drawn and reach those that are.
HeadChanges changes_elsewhere(const models::Run& run, const std::vector<trace::HeadId>& heads,
                              Reach reach) {
    if (run.controls.scoped.empty() || heads.empty()) return {};
    const bool said = models::forced_input(run) != run.input;
    std::set<std::tuple<AttentionKind, int, int>> drawn;
    for (const trace::HeadId& head : heads) drawn.emplace(head.kind, head.layer, head.head);
    std::vector<trace::HeadId> others;
    for (const trace::AttentionKindInfo& kind : trace::kAttentionKindInfos) {
        bool reached = false; // by the heads of a layer, which reach alike
        for (const trace::HeadId& other : trace::heads_in(run.trace, kind.kind, {}, {})) {
            const auto is = [&](const auto& head) { return reaches(other, head, reach, said); };
            if (other.head == 0) reached = std::ranges::any_of(heads, is);
            const bool is_drawn = drawn.contains({other.kind, other.layer, other.head});
            if (reached && !is_drawn) others.push_back(other);
        }
    }
    const auto is_alike = [&](const auto& head) { return head.kind == heads.front().kind; };
    const auto alike = std::ranges::count_if(others, is_alike);
    HeadChanges changes = changes_of(run, others);
    const HeadChanges own = changes_of(run, heads);
    for (auto& [change, where] : changes) { // of all heads, or their kind, it is told of these
        const auto of = std::ranges::find(own, change, &HeadChanges::value_type::first);
        if (of == own.end() || of->second.size() != heads.size()) continue;
        if (where.size() == others.size()) where.clear();
        if (std::ranges::count_if(where, is_alike) == alike) std::erase_if(where, is_alike);
    }
    std::erase_if(changes, [](const auto& change) { return change.second.empty(); });
    return changes;
}

std::string after_dots(const std::vector<std::string>& changes) {
    std::string words;
    for (const std::string& change : changes) words += " · " + change;
    return words;
}

/// " · off: cross 2.2, 2.3, 2.4": which heads, by name; of none the change alone.
std::string named_elsewhere(const HeadChanges& changes) {
    constexpr std::ptrdiff_t kMostNamed = 8;
    std::string words;
    for (const auto& [change, heads] : changes) {
        words += " · " + (change == kSwitchedOff && !heads.empty() ? "off" : change);
        if (!heads.empty()) words += ':';
        for (const trace::AttentionKindInfo& kind : trace::kAttentionKindInfos) {
            const auto count = std::ranges::count(heads, kind.kind, &trace::HeadId::kind);
            if (count == 0) continue;
            words += (words.ends_with(':') ? " " : ", ") + std::string(kind.name);
            if (count > kMostNamed) {
                words += fmt::format(" {} heads", count);
                continue;
            }
            const char* between = " ";
            for (const trace::HeadId& head : heads) {
                if (head.kind != kind.kind) continue;
                words += between + trace::head_number(head.layer, head.head);
                between = ", ";
            }
        }
    }
    return words;
}

} // namespace

std::string changes_of_model(const models::Run& run) {
    std::vector<trace::HeadId> all;
    for (const trace::AttentionKindInfo& kind : trace::kAttentionKindInfos) {
        const auto heads = trace::heads_in(run.trace, kind.kind, {}, {});
        all.insert(all.end(), heads.begin(), heads.end());
    }
    HeadChanges changes = changes_of(run, all);
    for (auto& change : changes) {
        if (change.second.size() == all.size()) change.second.clear();
    }
    return named_elsewhere(changes);
}

std::string changes_told(const models::Run& run, const std::vector<trace::HeadId>& heads,
                         Reach reach) {
    const auto own = heads.size() == 1 ? changed_controls(run, heads[0]) : changed_in(run, heads);
    const HeadChanges elsewhere = changes_elsewhere(run, heads, reach);
    std::set<std::tuple<AttentionKind, int, int>> others;
    for (const auto& change : elsewhere) {
        for (const trace::HeadId& id : change.second) others.emplace(id.kind, id.layer, id.head);
    }
    if (others.empty()) return after_dots(own);
    const std::string where =
        others.size() == 1 ? "another head" : fmt::format("{} other heads", others.size());
    const bool same = std::ranges::count(own, elsewhere[0].first) > 0; // told before
    return after_dots(own) + " · " +
           (elsewhere.size() > 1 ? "changes in " + where
            : same               ? "also in " + where
                                 : change_in(elsewhere[0].first, where));
}

std::string overlay_title(const Snapshot& snapshot) {
    const trace::HeadId& head = snapshot.focus.head;
    std::string numbers;
    for (const auto& [number, weights] : snapshot.overlay) {
        numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", number + 1);
    }
    return fmt::format("{} layer {} · head{} {}", trace::info(head.kind).title, head.layer + 1,
                       snapshot.overlay.size() == 1 ? "" : "s", numbers);
}

std::vector<trace::HeadId> overlay_heads(const Snapshot& snapshot) {
    std::vector<trace::HeadId> heads;
    for (const auto& [number, weights] : snapshot.overlay) {
        heads.push_back({snapshot.focus.head.kind, snapshot.focus.head.layer, number});
    }
    return heads;
}

std::string focus_title(const trace::Trace& trace, const Focus& focus) {
    if (!focus.combine) return head_title(focus.head);
    const auto heads = trace::heads_in(trace, focus.head.kind, focus.layers, focus.heads);
    if (heads.size() == 1) return head_title(heads.front());
    const auto numbers = [](const char* what, const std::vector<int>& list) {
        std::string words = fmt::format("{}{}", what, list.size() == 1 ? "" : "s");
        for (std::size_t i = 0; i < list.size(); ++i) {
            words += fmt::format("{} {}", i == 0 ? "" : ",", list[i] + 1);
        }
        return words;
    };
    std::string title(trace::info(focus.head.kind).title);
    if (!focus.layers.empty()) title += " " + numbers("layer", focus.layers);
    title += fmt::format(" · {} of ", name_of(*focus.combine));
    if (focus.heads.empty()) return title + fmt::format("{} heads", heads.size());
    title += numbers("head", focus.heads);
    const int layers = heads.empty() ? 0 : heads.back().layer - heads.front().layer + 1;
    const auto over = focus.layers.empty() ? layers : static_cast<int>(focus.layers.size());
    return over == 1 ? title : fmt::format("{} over {} layers", title, over);
}

bool has_random_weights(const std::string& file, const models::Model& model) {
    if (model.traits().weights_alone) return false;
    if (const auto& trained = model.provenance()) return trained->steps == 0;
    return file.empty() || !models::trained_elsewhere(model.config());
}

std::string drawn_model_title(const Snapshot& snapshot) {
    const models::Config& config = snapshot.run->model->config();
    std::string title = model_title(snapshot.file, config);
    if (snapshot.file.empty()) {
        title += fmt::format(" · seed {}", models::traits(config).seed);
    }
    const bool random = has_random_weights(snapshot.file, *snapshot.run->model);
    return random ? fmt::format("{} · {}", title, kRandomWeights) : title;
}

namespace {

std::string changes_named(const models::Run& run, const std::vector<trace::HeadId>& heads) {
    return after_dots(changed_in(run, heads)) +
           named_elsewhere(changes_elsewhere(run, heads, Reach::weights));
}

/// " · Encoder layer 5 · head 3", `words`, and the head's controls and others that reach it.
std::string of_head(const Snapshot& snapshot, const std::string& words,
                    Reach reach = Reach::weights) {
    const trace::HeadId& head = snapshot.focus.head;
    return " · " + shown_title(*snapshot.run, head) + words +
           after_dots(changed_controls(*snapshot.run, head)) +
           named_elsewhere(changes_elsewhere(*snapshot.run, {head}, reach));
}

} // namespace

std::string head_provenance(const Snapshot& snapshot) { return of_head(snapshot, ""); }

std::string layer_provenance(const Snapshot& snapshot) {
    return of_head(snapshot, "", Reach::layer);
}

std::string step_provenance(const Snapshot& snapshot) { return of_head(snapshot, "", Reach::said); }

std::string map_provenance(const Snapshot& snapshot) {
    const Focus& focus = snapshot.focus;
    if (focus.combine) {
        const auto heads =
            trace::heads_in(snapshot.run->trace, focus.head.kind, focus.layers, focus.heads);
        return " · " + focus_title(snapshot.run->trace, focus) + unit_words(snapshot.units.get()) +
               changes_named(*snapshot.run, heads);
    }
    const std::string shown = shows_multiplied(snapshot)
                                  ? " · weights " + times_words(focus)
                                  : stage_words(*snapshot.run, focus.head, focus.stage);
    return of_head(snapshot, shown + unit_words(map_units(snapshot)));
}

std::string links_provenance(const Snapshot& s) {
    const std::string merged = unit_words(s.units.get());
    if (s.overlay.empty()) return s.focus.combine ? map_provenance(s) : of_head(s, merged);
    return " · " + overlay_title(s) + merged + changes_named(*s.run, overlay_heads(s));
}

std::string all_heads_provenance(const Snapshot& snapshot) {
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    return fmt::format(" · {} · all heads{}", trace::info(kind).phrase,
                       unit_words(snapshot.units.get())) +
           changes_named(*snapshot.run, trace::heads_in(snapshot.run->trace, kind, {}, {}));
}

std::string positions_provenance(const Snapshot& snapshot) {
    const models::Run& run = *snapshot.run;
    const trace::HeadId& head = snapshot.focus.head;
    const nn::Positions positions = positions_of(run, head);
    const nn::Positions whole =
        run.controls.at({}).positions.value_or(run.model->traits().usual_positions);
    const bool of_head = nn::adds_bias(positions) || positions != whole;
    return fmt::format("{}{} · {}{}", of_head ? " · " : "", of_head ? head_title(head) : "",
                       positions == nn::Positions::none ? "no" : positions_words(positions),
                       " positions");
}

} // namespace heed::app
