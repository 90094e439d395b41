// What pictures, captions and controls are called: of a head, a model, and what was changed in
// them.
#include "app/views/titles.hpp"

#include "app/document/changes.hpp"
#include "app/document/names.hpp"
#include "app/engine/merging.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/rooms.hpp"
#include "models/model/titles.hpp"
#include "trace/attention_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using trace::AttentionKind;

std::string head_title(const trace::HeadId& head) {
    return fmt::format("{} layer {} · head {}", trace::info(head.kind).title, head.layer + 1,
                       head.head + 1);
}

std::string shown_title(const models::Run& run, const trace::HeadId& head) {
    const models::Traits& traits = run.model->traits();
    if (!traits.is_stepwise()) return head_title(head);
    return traits.attends() ? "Alignment αᵢⱼ" : "States";
}

const char* unit_of(const models::Run& run) {
    if (run.model->reads_ids()) return "token";
    const auto& tokens = run.trace.source.empty() ? run.trace.target : run.trace.source;
    // A character of another script may well be a word.
    const bool letters = std::ranges::all_of(
        tokens, [](const text::Token& token) { return token.text.size() <= 1; });
    const auto& trained = run.model->provenance();
    const bool cut = trained && trained->segmentation == text::Segmentation::characters;
    return letters || cut ? "character" : "word";
}

std::string context_words(const models::Run& run) {
    const auto& steps = run.model->traits().steps;
    if (!steps || run.trace.n_layers(AttentionKind::cross) == 0) return {};
    switch (steps->context) {
    case models::Context::attention: return {};
    case models::Context::mean: return "context: mean of the states";
    case models::Context::last: break;
    }
    const auto& source = run.trace.source;
    const auto last = std::find_if(source.rbegin(), source.rend(), [](const text::Token& token) {
        return token.text != models::kPadToken;
    });
    if (!steps->bidirectional || last == source.rend()) return "context: last state";
    return fmt::format("context: last states, → at “{}”, ← at “{}”", last->text,
                       source.front().text);
}

std::string model_title(const Document& document, const models::Config& config) {
    if (!document.model_file.empty()) {
        const ShippedTitle title = file_title(document.model_file);
        return title.kind.empty() ? title.task : title.task + " \u00b7 " + title.kind;
    }
    return models::title(config);
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
    nn::Mask usual_mask;
    usual_mask.causal = head.kind == AttentionKind::decoder_self;
    if (controls.mask && !(*controls.mask == usual_mask)) add(Control::mask);
    if (controls.positions && *controls.positions != usual.usual_positions) {
        add(Control::positions);
    }
    if (controls.gain.value_or(1) != 1) add(Control::gain);
    if (controls.edits && !controls.edits->empty()) add(Control::edits);
    if (usual.norm && run.controls.norm.value_or(*usual.norm) != *usual.norm) {
        changes.push_back(fmt::format("norm {}", name_of(*run.controls.norm)));
    }
    if (usual.join && run.controls.join.value_or(*usual.join) != *usual.join) {
        changes.push_back(fmt::format("join {}", name_of(*run.controls.join)));
    }
    if (run.controls.dropout.rate > 0) {
        changes.push_back(fmt::format("dropout {:g} (seed {})", run.controls.dropout.rate,
                                      run.controls.dropout.seed));
    }
    return changes;
}

std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads) {
    constexpr std::size_t kMostShown = 8;
    std::vector<std::pair<std::string, std::vector<trace::HeadId>>> changes;
    for (const trace::HeadId& id : heads) {
        for (std::string& change : changed_controls(run, id)) {
            auto known = std::find_if(changes.begin(), changes.end(),
                                      [&](const auto& c) { return c.first == change; });
            if (known == changes.end()) known = changes.insert(known, {std::move(change), {}});
            known->second.push_back(id);
        }
    }
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
            words.push_back(fmt::format("{} in {} of {} heads", change, count, total));
        }
    }
    return words;
}

std::vector<std::string> changed_in_any_head(const models::Run& run, AttentionKind kind) {
    return changed_in(run, trace::heads_in(run.trace, kind, {}, {}));
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

std::vector<std::string> changed_in_overlay(const Snapshot& snapshot) {
    std::vector<trace::HeadId> heads;
    for (const auto& [number, weights] : snapshot.overlay) {
        heads.push_back({snapshot.focus.head.kind, snapshot.focus.head.layer, number});
    }
    return changed_in(*snapshot.run, heads);
}

std::string focus_title(const trace::Trace& trace, const Focus& focus) {
    if (!focus.combine) return head_title(focus.head);
    const auto numbers = [](const char* what, const std::vector<int>& list) {
        std::string words = fmt::format("{}{}", what, list.size() == 1 ? "" : "s");
        for (std::size_t i = 0; i < list.size(); ++i) {
            words += fmt::format("{} {}", i == 0 ? "" : ",", list[i] + 1);
        }
        return words;
    };
    const auto heads = trace::heads_in(trace, focus.head.kind, focus.layers, focus.heads);
    std::string title(trace::info(focus.head.kind).title);
    if (!focus.layers.empty()) title += " " + numbers("layer", focus.layers);
    title += fmt::format(" · {} of ", name_of(*focus.combine));
    if (focus.heads.empty()) return title + fmt::format("{} heads", heads.size());
    title += numbers("head", focus.heads);
    return focus.layers.size() == 1 ? title : title + " in each layer";
}

std::string drawn_model_title(const Snapshot& snapshot) {
    const models::Config& config = snapshot.run->model->config();
    const std::string title = model_title(snapshot.document, config);
    return snapshot.document.model_file.empty()
               ? title + fmt::format(" · seed {}", models::traits(config).seed)
               : title;
}

namespace {

std::string after_dots(const std::vector<std::string>& changes) {
    std::string words;
    for (const std::string& change : changes) words += " · " + change;
    return words;
}

std::string merged_words(const Snapshot& snapshot, bool merged = true) {
    return unit_words(merged ? snapshot.units.get() : nullptr);
}

/// " · Encoder layer 5 · head 3", `words`, and the head's controls.
std::string of_head(const Snapshot& snapshot, const std::string& words) {
    const trace::HeadId& head = snapshot.focus.head;
    return " · " + shown_title(*snapshot.run, head) + words +
           after_dots(changed_controls(*snapshot.run, head));
}

} // namespace

std::string head_provenance(const Snapshot& snapshot) { return of_head(snapshot, ""); }

std::string map_provenance(const Snapshot& snapshot) {
    const Focus& focus = snapshot.focus;
    if (focus.combine) {
        return fmt::format(" · {} · weights{}", focus_title(snapshot.run->trace, focus),
                           merged_words(snapshot)) +
               after_dots(changed_in_any_head(*snapshot.run, focus.head.kind));
    }
    const std::string times = shows_multiplied(snapshot) ? " " + times_words(focus) : std::string();
    return of_head(snapshot, fmt::format(" · {}{}{}", trace::name(focus.stage), times,
                                         merged_words(snapshot, merges_map(snapshot))));
}

std::string links_provenance(const Snapshot& snapshot) {
    const std::string weights = std::string(" · weights") + merged_words(snapshot);
    if (snapshot.overlay.empty()) return of_head(snapshot, weights);
    return " · " + overlay_title(snapshot) + weights + after_dots(changed_in_overlay(snapshot));
}

std::string all_heads_provenance(const Snapshot& snapshot) {
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    return fmt::format(" · {} · all heads · weights{}", trace::info(kind).phrase,
                       merged_words(snapshot)) +
           after_dots(changed_in_any_head(*snapshot.run, kind));
}

std::string positions_provenance(const Snapshot& snapshot) {
    const models::Run& run = *snapshot.run;
    const trace::HeadId& head = snapshot.focus.head;
    const nn::Positions positions = positions_of(run, head);
    const bool of_head = nn::adds_bias(positions);
    return fmt::format("{}{} · {}{}", of_head ? " · " : "", of_head ? head_title(head) : "",
                       positions == nn::Positions::none ? "no" : nn::name(positions), " positions");
}

} // namespace heed::app
