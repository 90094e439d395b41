#include "app/inside/weights_report.hpp"

#include "app/engine/speech.hpp"
#include "app/inside/word_row.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/titles.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

namespace heed::app {

namespace {

using base::Result;
using tensors::Json;

Result<inside::OtherWeights> other_of_report(const InsideReport& r, num::ThreadPool& pool) {
    inside::OtherWeightsOptions options;
    options.allowed = r.allowed;
    return inside::other_weights(r.run, r.question, r.head, r.query, pool, options);
}

std::string token_at(const std::vector<text::Token>& tokens, num::Index at) {
    return fmt::format("{} {}", at + 1, tokens[static_cast<std::size_t>(at)].text);
}

Json weights_list(const num::RowVector<double>& weights) {
    Json list = Json::array();
    for (const double weight : weights) list.push_back(weight);
    return list;
}

std::string verdict_of_report(const InsideReport& r, const inside::OtherWeights& found) {
    return weights_verdict(found, r.allowed, unit_said(*r.run));
}

} // namespace

Result<std::string> weights_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto found = other_of_report(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    const models::Model& model = *r.run->model;
    const auto& keys = r.run->trace.keys(r.head.kind);
    std::string text = fmt::format(
        "weights of {} head {}.{} at token {}, and others that say the same\n"
        "{:<20} {:>10} {:>10}\n",
        trace::name(r.head.kind), r.head.layer + 1, r.head.head + 1,
        token_at(r.run->trace.queries(r.head.kind), r.query), "key", "the run's", "other");
    for (num::Index i = 0; i < found->own.size(); ++i) {
        if (found->own(i) == 0 && found->other(i) == 0) continue;
        text += fmt::format("{:<20} {:>10.4f} {:>10.4f}\n", token_at(keys, i), found->own(i),
                            found->other(i));
    }
    const auto says = [&](const inside::Answer& a) {
        return fmt::format("{:>+.4f}, p {:.4f}, says {} {:.3f}", a.logit, a.probability,
                           candidate_name(model, a.says), a.says_probability);
    };
    text += fmt::format(
        "between them: Jensen-Shannon divergence {:.4f} of 1 bit, total variation {:.4f} of 1\n"
        "of the very same context: divergence {:.4f}\n"
        "logit of {}: {}\n"
        "with the other weights: {}; total variation of the answers {:.5f}\n",
        found->divergence, found->distance, found->same_context,
        exact_word_name(model, r.question.word), says(found->own_answer), says(found->other_answer),
        found->change);
    return text + verdict_of_report(r, *found) + "\n";
}

Result<void> put_weights(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto found = other_of_report(r, pool);
    if (!found) return tl::make_unexpected(found.error());
    json["attention"] = trace::name(r.head.kind);
    json["layer"] = r.head.layer;
    json["head"] = r.head.head;
    json["query"] = r.query;
    json["weights"] = weights_list(found->own);
    json["other_weights"] = weights_list(found->other);
    json["jensen_shannon_bits"] = found->divergence;
    json["total_variation"] = found->distance;
    json["same_context_bits"] = found->same_context;
    json["allowed"] = r.allowed;
    json["answer_change"] = found->change;
    json["most_answer_change"] = found->most;
    json["probability"] = found->own_answer.probability;
    json["other_probability"] = found->other_answer.probability;
    json["verdict"] = inside::name(found->verdict);
    json["words"] = verdict_of_report(r, *found);
    return {};
}

} // namespace heed::app
