#include "app/document/changes.hpp"

#include "app/document/names.hpp"
#include "nn/attention/position_info.hpp"
#include "nn/attention/score_info.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

using models::Controls;
using models::HeadControls;
using models::Scope;

/// Calls f(control, a's field, b's field) for each field of head controls.
template <class A, class B, class F> void for_each_field(A& a, B& b, F&& f) {
    f(Control::score, a.score, b.score);
    f(Control::scale, a.scale, b.scale);
    f(Control::temperature, a.temperature, b.temperature);
    f(Control::mask, a.mask, b.mask);
    f(Control::positions, a.positions, b.positions);
    f(Control::gain, a.gain, b.gain);
    f(Control::edits, a.edits, b.edits);
}

std::string plural(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string words_of(const nn::Mask& mask) {
    std::vector<std::string> rules;
    if (mask.padding) rules.emplace_back("padding");
    if (mask.causal) rules.emplace_back("causal");
    if (mask.window) rules.push_back(fmt::format("window ± {}", *mask.window));
    if (mask.painted.size() == 1) {
        const auto& [query, key] = mask.painted.front();
        rules.push_back(fmt::format("painted cell {} → {}", query + 1, key + 1));
    } else if (!mask.painted.empty()) {
        rules.push_back(plural(mask.painted.size(), "painted cell"));
    }
    return rules.empty() ? "off" : fmt::format("{}", fmt::join(rules, ", "));
}

Scope layer_of(const Scope& head) { return {head.kind, head.layer, {}}; }

/// Moves what `change` names from one set of controls to the other; to nothing when `to` is null.
void move_control(const Change& change, Controls& from, Controls* to) {
    Controls nowhere;
    Controls& into = to != nullptr ? *to : nowhere;
    switch (change.control) {
    case Control::norm: into.norm = std::exchange(from.norm, std::nullopt); return;
    case Control::join: into.join = std::exchange(from.join, std::nullopt); return;
    case Control::dropout: into.dropout = std::exchange(from.dropout, {}); return;
    default: break;
    }
    if (change.solo) {
        move_control({layer_of(change.scope), Control::gain, change.on, {}}, from, to);
    }
    HeadControls source = from.at(change.scope), target = into.at(change.scope);
    for_each_field(source, target, [&](Control control, auto& a, auto& b) {
        if (control == change.control) b = std::exchange(a, std::nullopt);
    });
    from.set(change.scope, std::move(source));
    into.set(change.scope, std::move(target));
}

/// The words of a scope; of a model with one head those of its attention, which needs no number.
std::string scope_name(const Scope& scope, bool one_head) {
    return one_head && scope.kind ? "attention" : scope_words(scope);
}

void add_scope(std::vector<Change>& list, const Scope& scope, const HeadControls& on,
               const HeadControls& resting, bool one_head) {
    for_each_field(on, resting, [&](Control control, const auto& now, const auto& rests) {
        const auto add = [&](const HeadControls& controls, bool is_on) {
            const bool off = control == Control::gain && controls.gain == 0.0f;
            const bool silence = off && !scope.head && !one_head;
            const std::string words = silence ? "heads switched off"
                                      : off && one_head
                                          ? (scope.kind ? "switched off" : "attention switched off")
                                          : control_words(control, controls);
            list.push_back({scope, control, is_on, scope_name(scope, one_head) + ": " + words});
        };
        if (now) add(on, true);
        if (rests) add(resting, false);
    });
}

void add_model(std::vector<Change>& list, const Controls& controls, bool on) {
    const auto add = [&](Control control, const std::string& words) {
        list.push_back({{}, control, on, "whole model: " + words});
    };
    if (controls.norm) add(Control::norm, fmt::format("norm {}", name_of(*controls.norm)));
    if (controls.join) add(Control::join, join_words(*controls.join));
    if (controls.dropout.rate > 0) {
        add(Control::dropout, fmt::format("dropout {:g}", controls.dropout.rate));
    }
}

/// The head that alone has a gain of its own in this layer, whose gain is 0, becomes one change
/// with it.
void join_solo(std::vector<Change>& list, const Document& document, const Scope& layer, bool on) {
    const Controls& controls = on ? document.controls : document.resting;
    const auto is_of = [&](const Change& change, const Scope& scope) {
        return change.control == Control::gain && change.on == on && change.scope == scope;
    };
    const auto is_heard = [&](const Change& change) {
        return change.scope.head && is_of(change, change.scope) &&
               layer_of(change.scope) == layer && controls.at(change.scope).gain != 0.0f;
    };
    if (!layer.kind || !layer.layer || layer.head || controls.at(layer).gain != 0.0f) return;
    if (std::ranges::count_if(list, is_heard) != 1) return;
    const auto head = std::ranges::find_if(list, is_heard);
    head->solo = true;
    const bool usual = controls.at(head->scope).gain == 1.0f;
    head->words =
        fmt::format("{}: solo{}", scope_words(head->scope),
                    usual ? "" : ", " + control_words(Control::gain, controls.at(head->scope)));
    std::erase_if(list, [&](const Change& change) { return is_of(change, layer); });
}

std::tuple<int, int, int, Control> place_of(const Change& change) {
    const Scope& s = change.scope;
    return {s.kind ? static_cast<int>(*s.kind) : -1, s.layer.value_or(-1), s.head.value_or(-1),
            change.control};
}

} // namespace

std::string control_words(Control control, const HeadControls& c) {
    switch (control) {
    case Control::score: return fmt::format("score {}", nn::info(c.score.value()).label);
    case Control::scale:
        return c.scale->kind == models::Scale::Kind::factor
                   ? fmt::format("scale {:.3g}", c.scale->factor)
                   : "scale " + write_scale(*c.scale);
    case Control::temperature: return fmt::format("temperature {:.3g}", c.temperature.value());
    case Control::mask: return "mask " + words_of(c.mask.value());
    case Control::positions: return "positions " + positions_words(c.positions.value());
    case Control::gain:
        return c.gain == 0 ? std::string(kSwitchedOff)
                           : fmt::format("gain {:.3g} %", 100 * c.gain.value());
    case Control::edits: return plural(c.edits.value().size(), "edited weight");
    case Control::norm:
    case Control::join:
    case Control::dropout: break; // the model's
    }
    return "";
}

std::string positions_words(nn::Positions positions) {
    const nn::PositionInfo& row = nn::info(positions);
    const std::string label(row.label);
    return positions == nn::Positions::rotary ? fmt::format("{} ({})", row.name, label) : label;
}

std::string join_words(nn::Join join) {
    return join == nn::Join::add ? "positions added" : "positions concatenated";
}

std::string scope_words(const Scope& scope) {
    std::string words = scope.kind ? std::string(name_of(*scope.kind)) : "";
    const auto add = [&](const std::string& part) { words += (words.empty() ? "" : " ") + part; };
    if (scope.layer && scope.head) {
        add(trace::head_number(*scope.layer, *scope.head));
    } else if (scope.layer) {
        add(fmt::format("layer {}", *scope.layer + 1));
    } else if (scope.head) {
        add(fmt::format("head {}", *scope.head + 1));
    }
    return words.empty() ? "whole model" : words;
}

std::vector<Change> changes(const Document& document, bool one_head) {
    std::vector<Scope> scopes;
    for (const Controls* controls : {&document.controls, &document.resting}) {
        for (const auto& entry : controls->scoped) {
            if (std::find(scopes.begin(), scopes.end(), entry.scope) == scopes.end()) {
                scopes.push_back(entry.scope);
            }
        }
    }
    std::vector<Change> list;
    for (const Scope& scope : scopes) {
        add_scope(list, scope, document.controls.at(scope), document.resting.at(scope), one_head);
    }
    for (const Scope& scope : scopes) {
        for (const bool on : {true, false}) join_solo(list, document, scope, on);
    }
    add_model(list, document.controls, true);
    add_model(list, document.resting, false);
    // A line stays where it is when it is ticked off.
    std::stable_sort(list.begin(), list.end(),
                     [](const Change& a, const Change& b) { return place_of(a) < place_of(b); });
    return list;
}

Document toggled(Document document, const Change& change) {
    Controls& from = change.on ? document.controls : document.resting;
    move_control(change, from, change.on ? &document.resting : &document.controls);
    return document;
}

Document without(Document document, const Change& change) {
    move_control(change, change.on ? document.controls : document.resting, nullptr);
    return document;
}

} // namespace heed::app
