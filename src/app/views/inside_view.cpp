#include "app/views/inside_view.hpp"

#include "app/engine/head_scores.hpp"
#include "app/views/inside_lens.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/views/inside_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

using figure::BarKind;
using figure::InsideRoomData;
using inside::PartId;
using num::Index;
using trace::AttentionKind;

constexpr int kNamedHeads = 6, kNamedNetworks = 3;
constexpr float kOpen = std::numeric_limits<float>::quiet_NaN();

std::shared_ptr<Matrix<float>> open_grid(Index rows, Index cols) {
    return std::make_shared<Matrix<float>>(Matrix<float>::Constant(rows, cols, kOpen));
}

/// "+0.41", "−1.80".
std::string signed_text(double value, int decimals) {
    return (value < 0 ? "" : "+") + figure::number_text(static_cast<float>(value), decimals);
}

std::string quoted(const std::string& word) { return "“" + word + "”"; }

std::string word_asked(const Snapshot& s) {
    return quoted(inside_word(*s.run->model, s.inside->question.word));
}

/// "logit of “Mary”", or "logit difference “Mary” − “John”".
std::string asked_logit(const Snapshot& s) {
    const inside::Question& asked = s.inside->question;
    if (!asked.against) return "logit of " + word_asked(s);
    return fmt::format("logit difference {} − {}", word_asked(s),
                       quoted(inside_word(*s.run->model, *asked.against)));
}

/// The largest heads and networks by name, what is left of each in one bar; the largest first.
std::vector<figure::InsideBar> bars_of(const inside::Attribution& attribution,
                                       const models::Traits& traits) {
    std::vector<int> order;
    for (int i = 0; i < std::ssize(attribution.parts); ++i) order.push_back(i);
    const auto size = [&](int i) {
        return std::abs(attribution.parts[static_cast<std::size_t>(i)].logit);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    std::vector<figure::InsideBar> bars;
    double heads = 0, networks = 0;
    int n_heads = -kNamedHeads, n_networks = -kNamedNetworks; // behind those with a name
    for (const int i : order) {
        const inside::Part& part = attribution.parts[static_cast<std::size_t>(i)];
        const bool head = part.id.kind == PartId::Kind::head;
        const bool network = part.id.kind == PartId::Kind::feed_forward;
        if (head && ++n_heads > 0) {
            heads += part.logit;
        } else if (network && ++n_networks > 0) {
            networks += part.logit;
        } else {
            const BarKind kind = head ? BarKind::head : network ? BarKind::network : BarKind::other;
            bars.push_back({inside::name(part.id, traits), part.logit, i, kind});
        }
    }
    for (const auto& [kind, count, logit] :
         {std::tuple(BarKind::head, n_heads, heads), {BarKind::network, n_networks, networks}}) {
        if (count > 0) bars.push_back({name_of_several(kind, count), logit, -1, kind, count});
    }
    std::stable_sort(bars.begin(), bars.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
    return bars;
}

void add_parts(const Snapshot& s, InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    const bool capped = now.attribution && now.attribution->softcap > 0;
    const bool says = now.likeliest.empty() || now.likeliest.front().word == now.question.word;
    data.parts_card = {
        (says ? "What made it say " : "What speaks for ") + word_asked(s),
        fmt::format("L{}, what each part adds directly{} · Elhage et\u00a0al.\u00a02021",
                    asked_logit(s).substr(1),
                    capped ? fmt::format(", before the softcap of {:g}", now.attribution->softcap)
                           : ", layer norms frozen"),
        {}};
    data.parts_card.missing = now.readout.classes || now.readout.recurrent;
    if (!now.attribution) {
        data.parts_card.instead =
            now.attribution_error ? inside_refusal(*now.attribution_error) : not_yet_words(s);
        return;
    }
    data.bars = bars_of(*now.attribution, s.run->model->traits());
    data.sum = fmt::format("Σ = {} · remainder {}", signed_text(now.attribution->sum(), 2),
                           inside_remainder(now.attribution->residue(), 2));
}

bool is_head(const PartId& part, AttentionKind kind) {
    return part.kind == PartId::Kind::head && part.module == kind;
}

bool is_network(const PartId& part, AttentionKind kind) {
    return part.kind == PartId::Kind::feed_forward &&
           (part.module == AttentionKind::encoder_self) == (kind == AttentionKind::encoder_self);
}

const inside::Ablated* ablated_at(const Snapshot& s, int layer, int column) {
    const AttentionKind kind = inside_kind(s);
    const int heads = s.run->model->traits().n_heads;
    for (const inside::Ablated& part : s.inside->without) {
        const bool here = column < heads ? is_head(part.part, kind) && part.part.head == column
                                         : is_network(part.part, kind);
        if (here && part.part.layer == layer) return &part;
    }
    return nullptr;
}

struct WithoutWords { // "−1.80", "still says", "“Mary”", "41.0 %"
    std::string change, verb, says, probability;
};
WithoutWords without_words(const Snapshot& s, const inside::Ablated& part) {
    const InsidePicture& now = *s.inside;
    return {signed_text(static_cast<double>(part.answer.logit - now.answer.logit), 2),
            part.answer.says == now.answer.says ? "still says" : "then says",
            quoted(inside_word(*s.run->model, part.answer.says)),
            figure::probability_text(part.answer.says_probability)};
}

/// "for “Mary”", "against “Mary”", or "for “John” over “Mary”".
std::string side_words(const Snapshot& s, bool against) {
    const inside::Question& asked = s.inside->question;
    const std::string word = quoted(inside_word(*s.run->model, asked.word));
    if (!asked.against) return (against ? "against " : "for ") + word;
    const std::string other = quoted(inside_word(*s.run->model, *asked.against));
    return fmt::format("for {} over {}", against ? other : word, against ? word : other);
}

/// What a head is named by, and what it gives to the logit: "+9.53 directly for “t”".
std::vector<std::string> what_head_does(const Snapshot& s, const PartId& head) {
    std::vector<std::string> words;
    if (const std::string score = score_of_head(s, head); !score.empty()) words.push_back(score);
    if (!s.inside->attribution) return words;
    const auto& parts = s.inside->attribution->parts;
    const auto part = std::ranges::find(parts, head, &inside::Part::id);
    if (part != parts.end()) {
        words.push_back(signed_text(part->logit, 2) + " directly " + side_words(s, false));
    }
    return words;
}

void add_heads(const Snapshot& s, InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    const models::Traits& traits = s.run->model->traits();
    const AttentionKind kind = inside_kind(s);
    const bool networks = std::ranges::any_of(
        inside::parts_of(*s.run), [&](const PartId& part) { return is_network(part, kind); });
    data.heads_card = {"Without each part",
                       fmt::format("Change of the {} with one {} {}{}", asked_logit(s),
                                   kind_of_parts(traits, kind, networks),
                                   instead_words(now.instead()),
                                   now.means_of_corpus(*s.run) ? " over " + now.means->name : ""),
                       {}};
    data.heads_card.missing = now.parts == 0;
    if (now.parts == 0) return;
    const bool mute = now.mean_changes_nothing && now.instead() == inside::Instead::zero;
    if (mute) data.heads_card.subtitle += " (its mean would leave the answer as it is)";
    auto grid = open_grid(traits.layers(kind), traits.n_heads + (networks ? 1 : 0));
    for (const inside::Ablated& part : now.without) {
        const bool head = is_head(part.part, kind);
        if (!head && !is_network(part.part, kind)) continue;
        (*grid)(part.part.layer, head ? part.part.head : traits.n_heads) =
            part.answer.logit - now.answer.logit;
    }
    if (!grid->array().isFinite().any()) data.heads_card.instead = not_yet_words(s);
    data.heads.values = std::move(grid);
    for (int head = 1; head <= traits.n_heads; ++head)
        data.heads.columns.push_back(std::to_string(head));
    if (networks) data.heads.columns.emplace_back("FF");
    const char* whose = kind == AttentionKind::cross ? "decoder " : ""; // else as the heads'
    data.heads.across = data.heads.across_short = kind_of_heads(traits, kind);
    if (networks) {
        data.heads.across += fmt::format(" · FF: {}feed-forward", whose);
        data.heads.across_short += " · FF: feed-forward";
    }
    const trace::HeadId& focus = s.focus.head;
    if (focus.kind != kind) return;
    data.heads.row = focus.layer;
    data.heads.col = focus.head;
    const PartId chosen{PartId::Kind::head, kind, focus.layer, focus.head};
    data.beside.push_back(inside::name(chosen, traits));
    if (is_off(*s.run, focus)) {
        data.beside.emplace_back(kOffAlready);
        return;
    }
    data.does = what_head_does(s, chosen);
    if (const auto* part = ablated_at(s, focus.layer, focus.head)) {
        const auto [change, verb, says, probability] = without_words(s, *part);
        const std::string_view instead = instead_words(now.instead(), true);
        data.beside.insert(data.beside.end(), {std::string(instead), change, verb, says});
        data.beside_number = probability;
    }
}

/// Reason why cards are missing.
std::string missing_words(const Snapshot& s) {
    if (s.inside->readout.recurrent) {
        return "The parts of a logit, patching and gradients are measured for transformers only.";
    }
    if (s.run->model->traits().reads_pictures) {
        return "A logit lens and the parts of a logit need a model that predicts words, and "
               "patching a second sentence; this one predicts one class of an image.";
    }
    if (s.inside->readout.classes) {
        return "A logit lens and the parts of a logit need a model that predicts words; this one "
               "predicts one class of a sentence.";
    }
    return {};
}

} // namespace

figure::InsideRoomData inside_room_data(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    const models::Model& model = *s.run->model;
    InsideRoomData data;
    data.title = fmt::format("Inside: {}", quoted(inside_word(model, now.question.word)));
    data.subtitle = "probability " + figure::probability_text(now.answer.probability);
    if (const auto& against = now.question.against)
        data.subtitle += fmt::format(" · against {}", quoted(inside_word(model, *against)));
    if (!now.readout.classes) data.subtitle += " · " + asked_where(s);
    data.subtitle += changes_of_model(*s.run);
    add_lens(s, data);
    add_parts(s, data);
    add_patching(s, data);
    add_heads(s, data);
    add_token_cards(s, data);
    data.missing = missing_words(s);
    return data;
}

bool shows_inside_tokens(const Snapshot& s, const ViewState& state) {
    return state.inside_cards == InsideCards::tokens && !s.inside->readout.recurrent;
}

namespace {

/// Reason why there is no picture; empty where there is one.
std::string lacking(const Snapshot& s) {
    if (!s.inside) return not_yet_words(s);
    if (s.inside->error) return inside_refusal(*s.inside->error);
    // What was measured before stays to be read; while a sentence does not run nothing else is.
    const std::string side = s.error ? s.error->subject : "";
    if ((side != "source" && side != "target") || s.inside->complete()) return {};
    const std::string& text = side == "source" ? s.document.source : s.document.target;
    if (text.find_first_not_of(" \t\n") != text.npos) return base::describe(*s.error);
    return "Type a sentence at the top: what is inside is measured on it.";
}

/// The part of the grid without which the logit falls most, and where that is no head the head;
/// nothing of a fall that its two decimals do not show.
std::string falls_words(const Snapshot& s) {
    constexpr double kLeastFall = 0.005;
    const InsidePicture& now = *s.inside;
    if (now.without.size() < now.parts) return {};
    const AttentionKind kind = inside_kind(s);
    const inside::Ablated *most = nullptr, *head = nullptr;
    const auto falls_more = [&](const inside::Ablated& part, const inside::Ablated* than) {
        return part.answer.logit < (than ? than->answer.logit : now.answer.logit - kLeastFall);
    };
    for (const inside::Ablated& part : now.without) {
        const bool of_heads = is_head(part.part, kind);
        if (!of_heads && !is_network(part.part, kind)) continue;
        if (falls_more(part, most)) most = &part;
        if (of_heads && falls_more(part, head)) head = &part;
    }
    if (!most) return {};
    const models::Traits& traits = s.run->model->traits();
    const auto fall = [&](const inside::Ablated* part) {
        return "by " +
               figure::number_text(static_cast<float>(now.answer.logit - part->answer.logit), 2);
    };
    const bool part_of_them = !stack_prefix(s, kind).empty(); // the other stack is not shown
    std::string words =
        fmt::format("{}{} lowers the logit{} most, {}", part_of_them ? "in the grid, " : "",
                    replacing_words(now.instead(), inside::name(most->part, traits)),
                    now.question.against ? " difference" : "", fall(most));
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
    if (head && head != most) {
        words += fmt::format("; of the heads, {} does, {}", inside::name(head->part, traits),
                             fall(head));
    }
    return words + ".";
}

const inside::Part* largest_head(const inside::Attribution& attribution) {
    const inside::Part* most = nullptr;
    for (const inside::Part& part : attribution.parts) {
        if (part.id.kind != PartId::Kind::head) continue;
        if (!most || std::abs(part.logit) > std::abs(most->logit)) most = &part;
    }
    return most;
}

} // namespace

std::string inside_remainder(double value, int decimals) {
    const bool shows = std::abs(value) >= 0.5 * std::pow(10, -decimals);
    return shows ? signed_text(value, decimals) : figure::significant_text(value, 2);
}

AttentionKind inside_kind(const Snapshot& s) {
    return s.run->model->traits().layers(s.focus.head.kind) > 0 ? s.focus.head.kind
                                                                : s.inside->readout.stack;
}

std::string_view instead_words(inside::Instead instead, bool narrow) {
    if (instead == inside::Instead::zero) return "set to zero";
    if (instead == inside::Instead::mean) return "set to its mean";
    return narrow ? "other sentence's" : "from the other sentence";
}

figure::Figure inside_figure(const Snapshot& s, const ViewState& state,
                             const figure::Frame& frame) {
    const std::string lacks = lacking(s);
    if (!lacks.empty()) return figure::sentence_instead("Inside", lacks, frame);
    if (shows_inside_tokens(s, state))
        return figure::inside_tokens_room(inside_room_data(s), frame);
    return figure::inside_room(inside_room_data(s), frame);
}

std::string inside_provenance(const Snapshot& s) {
    if (!lacking(s).empty()) return {};
    const InsidePicture& now = *s.inside;
    const models::Model& model = *s.run->model;
    std::string words = " · " + quoted(inside_word(model, now.question.word));
    if (const auto& against = now.question.against)
        words += " against " + quoted(inside_word(model, *against));
    if (!now.readout.classes) words += " " + asked_where(s);
    return words + changes_of_model(*s.run);
}

std::string inside_reading(const Snapshot& s, const ViewState&) {
    if (!lacking(s).empty()) return {};
    const InsidePicture& now = *s.inside;
    std::string words = lens_reading(s);
    if (const auto* most = now.attribution ? largest_head(*now.attribution) : nullptr) {
        std::string name = inside::name(most->id, s.run->model->traits());
        const std::string role = role_of_head(s, most->id);
        if (!role.empty()) name += ", which " + role + ",";
        const auto kind = [](const inside::Part& part) { return part.id.kind; };
        const bool alone =
            std::ranges::count(now.attribution->parts, PartId::Kind::head, kind) == 1;
        words += fmt::format("{}{} speaks {}{} ({}). ", alone ? "Its one head, " : "Of all heads, ",
                             alone && role.empty() ? name + "," : name, alone ? "" : "most ",
                             side_words(s, most->logit < 0), signed_text(most->logit, 2));
    }
    words += falls_words(s);
    const std::string back = patching_reading(s);
    return words.empty() || back.empty() ? words + back : words + " " + back;
}

std::string inside_citations(const Snapshot& s) {
    if (!lacking(s).empty()) return {};
    const InsidePicture& now = *s.inside;
    std::vector<std::string_view> papers;
    if (now.lens_tokens > 0 && !now.readout.recurrent) papers.push_back("nostalgebraist 2020");
    if (now.attribution) papers.push_back("Elhage et al. 2021");
    if (!now.patched.empty() || now.paths) papers.push_back("Vig et al. 2020");
    if (now.parts > 0) papers.push_back("Wang et al. 2022");
    return fmt::format("{}", fmt::join(papers, " · "));
}

std::string head_words(const Snapshot& s, int layer, int head) {
    if (!lacking(s).empty()) return {};
    const auto* part = ablated_at(s, layer, head);
    if (!part) return {};
    const std::string name = inside::name(part->part, s.run->model->traits());
    const bool is_part_off =
        part->part.kind == PartId::Kind::head && is_off(*s.run, {part->part.module, layer, head});
    if (is_part_off) return fmt::format("{} {}", name, kOffAlready);
    const auto [change, verb, says, probability] = without_words(s, *part);
    return fmt::format("{} {}: {}, {} {} {}", name, instead_words(s.inside->instead()), change,
                       verb, says, probability);
}

InsideBarPart bar_part(const Snapshot& s, int place) {
    if (!lacking(s).empty() || !s.inside->attribution) return {};
    const auto bars = bars_of(*s.inside->attribution, s.run->model->traits());
    if (place < 0 || place >= std::ssize(bars)) return {};
    const figure::InsideBar& bar = bars[static_cast<std::size_t>(place)];
    InsideBarPart result{fmt::format("{}: {} of the logit{}", bar.name, signed_text(bar.value, 4),
                                     s.inside->question.against ? " difference" : ""),
                         {}};
    if (bar.part >= 0)
        result.part = s.inside->attribution->parts[static_cast<std::size_t>(bar.part)].id;
    return result;
}

std::string weights_verdict(const inside::OtherWeights& found, double allowed,
                            std::string_view unit) {
    using Verdict = inside::OtherWeightsVerdict;
    constexpr float kSure = 0.99f; // from here on there is little left to change
    const float says = found.own_answer.says_probability;
    switch (found.verdict) {
    case Verdict::one_key: return "The row can see one key: there are no other weights.";
    case Verdict::idle:
        return fmt::format(
            "No weights of this row change the answer by more than {} (at most {}, with all weight "
            "on one key): this row does not change what the model says{}.",
            figure::percent_text(allowed), figure::percent_text(found.most),
            says < kSure
                ? ""
                : fmt::format(" (the likeliest {} has {})", unit, figure::probability_text(says)));
    case Verdict::free:
        return fmt::format(
            "Weights that differ in {} of their mass give the same answer to "
            "within {}, though all weight on one key would change it by up to "
            "{}: for this {} these weights are one of many that explain it "
            "(Jain and Wallace 2019). Whether a model trained to use those would say "
            "it too is another question (Wiegreffe and Pinter 2019).",
            figure::percent_text(found.distance), figure::percent_text(allowed),
            figure::percent_text(found.most), unit);
    case Verdict::held: break;
    }
    constexpr double kAlike = 0.1; // of their mass: weights that a reader would call the same
    const char* leaves = found.distance < kAlike ? "needs weights like these"
                                                 : "narrows the weights down but leaves them room";
    return fmt::format("No weights that differ in more than {} of their mass were found that "
                       "give the same answer to within {}; all weight on one key changes it by up "
                       "to {}: for this {} the answer {}.",
                       figure::percent_text(found.distance), figure::percent_text(allowed),
                       figure::percent_text(found.most), unit, leaves);
}

} // namespace heed::app
