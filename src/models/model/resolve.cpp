#include "models/model/resolve.hpp"

#include "base/check.hpp"
#include "models/model/usual_mask.hpp"
#include "models/spec/head_width.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using num::Index;
using trace::AttentionKind;

// "temperature of encoder, layer 3, head 0"
std::string subject(const char* control, const Scope& scope) {
    std::string where;
    const auto add = [&](const std::string& part) { where += (where.empty() ? "" : ", ") + part; };
    if (scope.kind) add(std::string(trace::name(*scope.kind)));
    if (scope.layer) add(fmt::format("layer {}", *scope.layer));
    if (scope.head) add(fmt::format("head {}", *scope.head));
    return where.empty() ? control : fmt::format("{} of {}", control, where);
}

base::Result<void> check_scope(const Scope& scope, const Traits& traits) {
    int layers = 0;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        if (scope.kind && *scope.kind != kind) continue;
        layers = std::max(layers, traits.layers(kind));
    }
    if (layers == 0) {
        return fail(ErrorKind::out_of_range, subject("controls", scope),
                    fmt::format("this {} model has no {} attention", traits.form,
                                scope.kind ? trace::name(*scope.kind) : "such"));
    }
    if (scope.layer && (*scope.layer < 0 || *scope.layer >= layers)) {
        return fail(ErrorKind::out_of_range, subject("controls", scope),
                    fmt::format("there is no layer {}; counted from 0, this model has 0 to {}",
                                *scope.layer, layers - 1));
    }
    if (scope.head && (*scope.head < 0 || *scope.head >= traits.n_heads)) {
        return fail(ErrorKind::out_of_range, subject("controls", scope),
                    fmt::format("there is no head {}; counted from 0, this model has 0 to {}",
                                *scope.head, traits.n_heads - 1));
    }
    return {};
}

base::Result<void> check_factor(const char* control, const Scope& scope, float value) {
    if (std::isfinite(value) && std::abs(value) <= kMaxFactor) return {};
    return fail(
        ErrorKind::out_of_range, subject(control, scope),
        fmt::format("is {}; allowed are numbers from {} to {}", value, -kMaxFactor, kMaxFactor));
}

base::Result<void> check_mask(const nn::Mask& mask, const Scope& scope) {
    if (mask.window && *mask.window < 0) {
        return fail(ErrorKind::out_of_range, subject("mask window", scope),
                    fmt::format("is {}; allowed are whole numbers from 0", *mask.window));
    }
    constexpr std::size_t kMostCells = kMaxTokens * kMaxTokens;
    if (mask.painted.size() > kMostCells) {
        return fail(ErrorKind::out_of_range, subject("painted mask", scope),
                    fmt::format("has {} cells; the largest map, of {} queries and {} keys, has {}",
                                mask.painted.size(), kMaxTokens, kMaxTokens, kMostCells));
    }
    for (const auto& [query, key] : mask.painted) {
        if (query < 0 || key < 0) {
            return fail(
                ErrorKind::out_of_range, subject("painted mask", scope),
                fmt::format("has a cell ({}, {}); queries and keys count from 0", query, key));
        }
    }
    return {};
}

base::Result<void> check_edits(const std::vector<nn::WeightEdit>& edits, const Scope& scope) {
    for (const nn::WeightEdit& edit : edits) {
        if (edit.query < 0 || edit.key < 0) {
            return fail(ErrorKind::out_of_range, subject("edited weight", scope),
                        fmt::format("of the cell ({}, {}); queries and keys count from 0",
                                    edit.query, edit.key));
        }
        if (!(edit.weight >= 0 && edit.weight <= 1)) {
            return fail(ErrorKind::out_of_range, subject("edited weight", scope),
                        fmt::format("is {}; allowed are numbers from 0 to 1", edit.weight));
        }
    }
    return {};
}

base::Result<void> check_head(const ScopedControls& entry, const Traits& traits) {
    const auto& [scope, c] = entry;
    if (c.temperature && !(std::isfinite(*c.temperature) && *c.temperature >= kMinTemperature)) {
        return fail(ErrorKind::out_of_range, subject("temperature", scope),
                    fmt::format("is {}; allowed are finite numbers above 0 (at least {})",
                                *c.temperature, kMinTemperature));
    }
    if (c.scale && c.scale->kind == Scale::Kind::factor) {
        if (auto ok = check_factor("scale", scope, c.scale->factor); !ok) return ok;
    }
    if (c.gain) {
        if (auto ok = check_factor("gain", scope, *c.gain); !ok) return ok;
    }
    if (c.mask) {
        if (auto ok = check_mask(*c.mask, scope); !ok) return ok;
    }
    if (c.edits) {
        if (auto ok = check_edits(*c.edits, scope); !ok) return ok;
    }
    if (!traits.has_positions && c.positions) {
        return fail(ErrorKind::mismatch, subject("positions", scope),
                    "a recurrent model reads words in order and has no positions");
    }
    const int width = traits.width, heads = traits.n_heads;
    if (c.positions == nn::Positions::rotary && (width / heads) % 2 != 0) {
        return fail(ErrorKind::mismatch, subject("positions", scope), odd_rotary(width, heads));
    }
    return {};
}

float gamma_of(const Scale& scale, const HeadDefaults& usual, int layer) {
    switch (scale.kind) {
    case Scale::Kind::on:
        return scale_factor(usual.scale, usual.d_k, usual.scale_by_layer, layer);
    case Scale::Kind::off: return 1;
    case Scale::Kind::factor: return scale.factor;
    }
    return 1;
}

nn::Mask cut(nn::Mask mask, Index queries, Index keys) {
    auto& cells = mask.painted;
    std::erase_if(cells,
                  [&](const auto& cell) { return cell.first >= queries || cell.second >= keys; });
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return mask;
}

/// Edits inside the map, sorted; of several for one cell the last counts.
std::vector<nn::WeightEdit> cut(std::vector<nn::WeightEdit> edits, Index queries, Index keys) {
    std::erase_if(edits, [&](const auto& e) { return e.query >= queries || e.key >= keys; });
    const auto cell = [](const nn::WeightEdit& e) { return std::pair(e.query, e.key); };
    std::stable_sort(edits.begin(), edits.end(),
                     [&](const auto& a, const auto& b) { return cell(a) < cell(b); });
    std::vector<nn::WeightEdit> last;
    for (const nn::WeightEdit& edit : edits) {
        if (!last.empty() && cell(last.back()) == cell(edit)) last.pop_back();
        last.push_back(edit);
    }
    return last;
}

} // namespace

base::Result<void> check(const Controls& controls, const Config& config) {
    const Traits traits = models::traits(config);
    if (traits.weights_alone && !(controls == Controls{})) {
        return fail(ErrorKind::unsupported, "controls",
                    "need a model; this file holds attention weights alone");
    }
    for (const ScopedControls& entry : controls.scoped) {
        if (auto ok = check_scope(entry.scope, traits); !ok) return ok;
        if (auto ok = check_head(entry, traits); !ok) return ok;
    }
    const char* without = controls.norm && !traits.norm                       ? "norm"
                          : controls.join && !traits.join                     ? "join"
                          : controls.dropout.rate != 0 && !traits.has_dropout ? "dropout"
                                                                              : nullptr;
    if (without) {
        return fail(ErrorKind::mismatch, without,
                    fmt::format("is a control of a transformer; this model is {}",
                                traits.is_stepwise() ? "recurrent" : "a classifier"));
    }
    const float rate = controls.dropout.rate;
    if (!(rate >= 0 && rate < 1)) {
        return fail(ErrorKind::out_of_range, "dropout",
                    fmt::format("is {}; allowed are numbers from 0 up to, not with, 1", rate));
    }
    return {};
}

HeadDefaults head_defaults(const ModelSpec& spec) {
    const AttentionSpec& a = spec.attention;
    return {head_width(spec), nn::kDotScore, spec.positions,    a.scale,
            a.scale_by_layer, a.windows,     a.cross_positions, a.softcap};
}

HeadResolver::HeadResolver(const HeadDefaults& usual, const Controls& controls)
    : usual_(usual), controls_(controls) {}

const nn::Mask& HeadResolver::usual_mask(const trace::HeadId& id) {
    nn::Mask mask = models::usual_mask(usual_.windows, id.kind, id.layer);
    const std::pair key(mask.causal, mask.window);
    return usual_masks_.try_emplace(key, std::move(mask)).first->second;
}

const nn::SharedMask& HeadResolver::mask(const trace::HeadId& id, Index queries, Index keys) {
    const nn::Mask* wanted = controls_.resolved_mask(id);
    if (!wanted) wanted = &usual_mask(id);
    const std::tuple key(wanted, queries, keys);
    const auto found = masks_.find(key);
    if (found != masks_.end()) return found->second;
    return masks_.emplace(key, cut(*wanted, queries, keys)).first->second;
}

trace::HeadSettings HeadResolver::settings(const trace::HeadId& id, Index queries, Index keys) {
    const HeadControls c = controls_.resolved_but_mask(id);
    trace::HeadSettings s;
    s.score = c.score.value_or(usual_.score);
    s.gamma = gamma_of(c.scale.value_or(usual_scale(s.score)), usual_, id.layer);
    s.temperature = c.temperature.value_or(1.f);
    s.softcap = usual_.softcap;
    s.mask = mask(id, queries, keys);
    const bool unplaced = id.kind == AttentionKind::cross && !usual_.cross_positions;
    const nn::Positions positions =
        c.positions.value_or(unplaced ? nn::Positions::none : usual_.positions);
    s.positions = nn::joins_embedding(positions) ? nn::Positions::none : positions;
    s.gain = c.gain.value_or(1.f);
    if (c.edits) s.edits = cut(*c.edits, queries, keys);
    s.dropout = controls_.dropout.rate;
    s.dropout_seed = controls_.dropout.rate > 0 ? controls_.dropout.seed : 0;
    return s;
}

NormOrder norm_order(const ModelSpec& spec, const Controls& controls) {
    return controls.norm.value_or(spec.norm);
}
nn::Join join(const ModelSpec& spec, const Controls& controls) {
    return controls.join.value_or(spec.join);
}

nn::Positions joined_positions(const ModelSpec& spec, const Controls& controls) {
    const nn::Positions p = controls.at(Scope{}).positions.value_or(spec.positions);
    return nn::joins_embedding(p) ? p : nn::Positions::none;
}
nn::DropoutSettings dropout(const Controls& controls) {
    // A seed that nothing reads is not a difference.
    return {controls.dropout.rate, controls.dropout.rate > 0 ? controls.dropout.seed : 0};
}

} // namespace heed::models
