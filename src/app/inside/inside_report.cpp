#include "app/inside/inside_report.hpp"

#include "app/engine/speech.hpp"
#include "app/inside/gradient_report.hpp"
#include "app/inside/weights_report.hpp"
#include "app/inside/word_row.hpp"
#include "app/views/inside_view.hpp"
#include "figure/base/number_text.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace heed::app {

namespace {

using base::Result;
using tensors::Json;

constexpr std::array<std::pair<InsideWhat, std::string_view>, 7> kWhats = {
    {{InsideWhat::lens, "lens"},
     {InsideWhat::attribution, "attribution"},
     {InsideWhat::ablation, "ablation"},
     {InsideWhat::patching, "patching"},
     {InsideWhat::paths, "paths"},
     {InsideWhat::gradients, "gradients"},
     {InsideWhat::weights, "weights"}}};

const std::vector<text::Token>& tokens_at(const models::Run& run, trace::AttentionKind stack) {
    return run.trace.queries(stack);
}

std::string question_words(const InsideReport& r) {
    const models::Model& model = *r.run->model;
    std::string words = exact_word_name(model, r.question.word);
    if (r.question.against) words += " against " + exact_word_name(model, *r.question.against);
    return words;
}

Json answer_json(const models::Model& model, const inside::Answer& a) {
    return {{"logit", a.logit},
            {"probability", a.probability},
            {"says", word_name(model, a.says)},
            {"says_probability", a.says_probability}};
}

Json part_json(const inside::PartId& part) {
    constexpr const char* kKinds[] = {"embedding", "head", "feed-forward", "biases"};
    Json json = {{"part", kKinds[static_cast<std::size_t>(part.kind)]}};
    const bool head = part.kind == inside::PartId::Kind::head;
    if (head || part.kind == inside::PartId::Kind::feed_forward) {
        json["attention"] = trace::name(part.module);
        json["layer"] = part.layer;
    }
    if (head) json["head"] = part.head;
    return json;
}

Json patch_json(const inside::Patch& patch) {
    constexpr const char* kKinds[] = {"residual", "head"};
    Json json = {{"part", kKinds[static_cast<std::size_t>(patch.kind)]},
                 {"attention", trace::name(patch.module)},
                 {"layer", patch.layer}};
    if (patch.kind == inside::Patch::Kind::head) json["head"] = patch.head;
    if (patch.token) json["token"] = *patch.token;
    return json;
}

Json token_list(const std::vector<text::Token>& tokens) {
    Json list = Json::array();
    for (const text::Token& token : tokens) list.push_back(token.text);
    return list;
}

Result<std::vector<inside::LensCell>> lens_of(const InsideReport& r, num::ThreadPool& pool) {
    const auto readout = inside::any_readout_of(*r.run);
    if (!readout) return tl::make_unexpected(readout.error());
    auto places = inside::lens_places(*readout, 0, inside::askable_tokens(*r.run, *readout));
    std::reverse(places.begin(), places.end());
    inside::LensOptions options;
    options.likeliest = r.likeliest;
    options.word = r.question.word;
    return inside::logit_lens(*r.run, places, pool, options);
}

Result<inside::Ablation> ablation_of(const InsideReport& r, num::ThreadPool& pool) {
    inside::AblationOptions options;
    options.instead = r.instead;
    options.means = r.means.get();
    options.other = r.other;
    options.parts = inside::parts_of(*r.run);
    return inside::ablate(r.run, r.question, pool, options);
}

/// Patching of the residual stream by layer and token, then of the heads.
Result<inside::Patching> patching_of(const InsideReport& r, num::ThreadPool& pool) {
    const auto stack = inside::patched_stack(*r.run, *r.other);
    auto patches = inside::head_by_head(*r.run);
    const auto places = inside::layer_by_token(*r.run, stack);
    patches.insert(patches.end(), places.begin(), places.end());
    std::reverse(patches.begin(), patches.end());
    return inside::patch(r.run, r.other, r.question, patches, pool);
}

Result<inside::Paths> paths_of(const InsideReport& r, num::ThreadPool& pool) {
    inside::PathsAsked asked = r.paths;
    asked.stack = inside::patched_stack(*r.run, *r.other);
    return inside::patch_paths(r.run, r.other, r.question, asked, pool);
}

/// Width of the names of the lens' rows.
std::size_t lens_column(const std::vector<std::string>& parts) {
    std::size_t widest = std::string_view("layer").size();
    for (const std::string& part : parts) widest = std::max(widest, part.size());
    return widest;
}

Result<std::string> lens_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto cells = lens_of(r, pool);
    if (!cells) return tl::make_unexpected(cells.error());
    const inside::Readout readout = *inside::any_readout_of(*r.run);
    const auto& tokens = tokens_at(*r.run, readout.stack);
    const auto parts = inside::part_names(readout);
    const models::Model& model = *r.run->model;
    std::string text =
        parts.empty() ? "" : "the readout of one part alone; Heed's extension, no paper\n";
    text += fmt::format("{:>{}} {:>6} {:<16} {:>10} {:>8}  most probable\n",
                        parts.empty() ? "layer" : "part", lens_column(parts), "token", "",
                        "p(" + word_name(model, r.question.word) + ")", "rank");
    for (const inside::LensCell& cell : *cells) {
        const auto part = static_cast<std::size_t>(cell.place.layer);
        text += fmt::format("{:>{}} {:>6} {:<16} {:>10.4f} {:>8} ",
                            parts.empty() ? std::to_string(part + 1) : parts[part],
                            lens_column(parts), cell.place.token + 1,
                            tokens[static_cast<std::size_t>(cell.place.token)].text,
                            cell.probability, cell.rank + 1);
        for (const inside::LensWord& word : cell.likeliest) {
            text += fmt::format(" {} {:.3f}", candidate_name(model, word.word), word.probability);
        }
        text += '\n';
    }
    return text;
}

std::string softcap_words(float softcap) {
    return softcap > 0 ? fmt::format(", before the softcap of {:g}", softcap) : "";
}

Result<std::string> attribution_text(const InsideReport& r) {
    auto found = inside::attribute(*r.run, r.question);
    if (!found) return tl::make_unexpected(found.error());
    std::stable_sort(found->parts.begin(), found->parts.end(), [](const auto& a, const auto& b) {
        return std::abs(a.logit) > std::abs(b.logit);
    });
    std::string text =
        "logit of " + question_words(r) + ", part by part" + softcap_words(found->softcap) + "\n";
    for (const inside::Part& part : found->parts) {
        text += fmt::format("{:<24} {:>+10.4f}\n", inside::name(part.id, r.run->model->traits()),
                            part.logit);
    }
    return text + fmt::format("{:<24} {:>+10.4f}  remainder {}\n", "sum", found->sum(),
                              figure::significant_text(found->residue(), 2));
}

std::string answer_text(const models::Model& model, const inside::Answer& a) {
    return fmt::format("{:>+10.4f} {:>8.4f}  {} {:.3f}", a.logit, a.probability,
                       candidate_name(model, a.says), a.says_probability);
}

Result<std::string> ablation_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto found = ablation_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    const models::Model& model = *r.run->model;
    std::string text = fmt::format("logit of {}, with one part {}\n{:<24} {:>10} {:>10} {:>8}  "
                                   "says\n{:<24} {:>10} {}\n",
                                   question_words(r), instead_words(r.instead), "part", "change",
                                   "logit", "p", "whole", "", answer_text(model, found->whole));
    for (const inside::Ablated& part : found->parts) {
        text +=
            fmt::format("{:<24} {:>+10.4f} {}\n", inside::name(part.part, model.traits()),
                        part.answer.logit - found->whole.logit, answer_text(model, part.answer));
    }
    return text;
}

std::string patch_name(const inside::Patch& patch, const models::Traits& traits) {
    if (patch.kind == inside::Patch::Kind::head) {
        return inside::name({inside::PartId::Kind::head, patch.module, patch.layer, patch.head},
                            traits);
    }
    return fmt::format("layer {} token {}", patch.layer + 1, patch.token.value_or(0) + 1);
}

Result<std::string> patching_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto found = patching_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    const models::Model& model = *r.run->model;
    std::string text = fmt::format("logit of {}, with one activation of the sentence in the other\n"
                                   "{:<24} {:>9} {:>10} {:>8}  says\n{:<24} {:>9.4f} {}\n"
                                   "{:<24} {:>9.4f} {}\n",
                                   question_words(r), "activation", "back", "logit", "p",
                                   "the sentence", 1.0, answer_text(model, found->clean),
                                   "the other", 0.0, answer_text(model, found->corrupted));
    for (const inside::Patched& at : found->patches) {
        text += fmt::format("{:<24} {:>9.4f} {}\n", patch_name(at.patch, model.traits()),
                            at.recovered, answer_text(model, at.answer));
    }
    return text;
}

Result<std::string> paths_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto found = paths_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    const models::Model& model = *r.run->model;
    std::string text = fmt::format("logit of {}, where one head hears of one other\n"
                                   "{:<24} {:>9} {:>10} {:>8}  says\n",
                                   question_words(r), "from, to", "back", "logit", "p");
    for (const inside::PatchedPath& path : found->paths) {
        const std::string name = fmt::format("{}.{} to {}.{}", r.paths.from + 1, path.from + 1,
                                             r.paths.to + 1, path.to + 1);
        text += fmt::format("{:<24} {:>9.4f} {}\n", name, path.recovered,
                            answer_text(model, path.answer));
    }
    return text;
}

Result<void> put_lens(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto cells = lens_of(r, pool);
    if (!cells) return tl::make_unexpected(cells.error());
    for (const inside::LensCell& cell : *cells) {
        Json words = Json::array();
        for (const inside::LensWord& word : cell.likeliest) {
            words.push_back({{"word", word_name(*r.run->model, word.word)},
                             {"id", word.word},
                             {"probability", word.probability}});
        }
        json["cells"].push_back({{"layer", cell.place.layer},
                                 {"token", cell.place.token},
                                 {"words", std::move(words)},
                                 {"logit", cell.logit},
                                 {"probability", cell.probability},
                                 {"rank", cell.rank},
                                 {"entropy_bits", cell.entropy_bits}});
    }
    return {};
}

Result<void> put_attribution(const InsideReport& r, Json& json) {
    const auto found = inside::attribute(*r.run, r.question);
    if (!found) return tl::make_unexpected(found.error());
    for (const inside::Part& part : found->parts) {
        Json one = part_json(part.id);
        one["logit"] = part.logit;
        json["parts"].push_back(std::move(one));
    }
    json["logit"] = found->logit;
    json["remainder"] = found->residue();
    if (found->softcap > 0) json["before_softcap"] = found->softcap;
    return {};
}

Result<void> put_ablation(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto found = ablation_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    json["instead"] = inside::name(r.instead);
    json["whole"] = answer_json(*r.run->model, found->whole);
    for (const inside::Ablated& part : found->parts) {
        Json one = part_json(part.part);
        one.update(answer_json(*r.run->model, part.answer));
        one["change"] = part.answer.logit - found->whole.logit;
        json["parts"].push_back(std::move(one));
    }
    return {};
}

Result<void> put_patching(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto found = patching_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    const auto stack = inside::patched_stack(*r.run, *r.other);
    json["stack"] = stack == trace::AttentionKind::encoder_self ? "encoder" : "decoder";
    json["patched_tokens"] = token_list(tokens_at(*r.run, stack));
    json["other_tokens"] = token_list(tokens_at(*r.other, stack));
    json["clean"] = answer_json(*r.run->model, found->clean);
    json["corrupted"] = answer_json(*r.run->model, found->corrupted);
    for (const inside::Patched& at : found->patches) {
        Json one = patch_json(at.patch);
        one.update(answer_json(*r.run->model, at.answer));
        one["recovered"] = at.recovered;
        json["patches"].push_back(std::move(one));
    }
    return {};
}

Result<void> put_paths(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto found = paths_of(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    json["from_layer"] = r.paths.from;
    json["to_layer"] = r.paths.to;
    for (const inside::PatchedPath& path : found->paths) {
        Json one = answer_json(*r.run->model, path.answer);
        one.update({{"from", path.from}, {"to", path.to}, {"recovered", path.recovered}});
        json["paths"].push_back(std::move(one));
    }
    return {};
}

} // namespace

std::string_view name(InsideWhat what) { return kWhats[static_cast<std::size_t>(what)].second; }

std::optional<InsideWhat> inside_what_named(std::string_view name) {
    for (const auto& [what, word] : kWhats) {
        if (word == name) return what;
    }
    return std::nullopt;
}

base::Result<std::string> inside_text(const InsideReport& report, num::ThreadPool& pool) {
    switch (report.what) {
    case InsideWhat::lens: return lens_text(report, pool);
    case InsideWhat::attribution: return attribution_text(report);
    case InsideWhat::ablation: return ablation_text(report, pool);
    case InsideWhat::paths: return paths_text(report, pool);
    case InsideWhat::gradients: return gradient_text(report, pool);
    case InsideWhat::weights: return weights_text(report, pool);
    case InsideWhat::patching: break;
    }
    return patching_text(report, pool);
}

base::Result<std::string> inside_json(const InsideReport& r, num::ThreadPool& pool) {
    const auto readout = inside::any_readout_of(*r.run);
    if (!readout) return tl::make_unexpected(readout.error());
    Json json = {{"what", name(r.what)},
                 {"tokens", token_list(tokens_at(*r.run, readout->stack))},
                 {"layers", readout->layers},
                 {"token", r.question.token},
                 {"word", word_name(*r.run->model, r.question.word)},
                 {"id", r.question.word}};
    if (r.question.against) {
        json["against"] = word_name(*r.run->model, *r.question.against);
        json["against_id"] = *r.question.against;
    }
    if (const auto parts = inside::part_names(*readout); !parts.empty()) json["parts_read"] = parts;
    base::Result<void> ok;
    switch (r.what) {
    case InsideWhat::lens: ok = put_lens(r, pool, json); break;
    case InsideWhat::attribution: ok = put_attribution(r, json); break;
    case InsideWhat::ablation: ok = put_ablation(r, pool, json); break;
    case InsideWhat::patching: ok = put_patching(r, pool, json); break;
    case InsideWhat::paths: ok = put_paths(r, pool, json); break;
    case InsideWhat::gradients: ok = put_gradients(r, pool, json); break;
    case InsideWhat::weights: ok = put_weights(r, pool, json); break;
    }
    if (!ok) return tl::make_unexpected(ok.error());
    return tensors::dump_json(json) + "\n";
}

} // namespace heed::app
