#include "app/inside/gradient_report.hpp"

#include "app/inside/word_row.hpp"
#include "figure/base/number_text.hpp"
#include "inside/token_accounts.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace heed::app {

namespace {

using base::Result;
using inside::kTokenMethods;
using inside::TokenMethodInfo;
using tensors::Json;

const TokenMethodInfo& info_of(inside::TokenMethod method) {
    return kTokenMethods[static_cast<std::size_t>(method)];
}

const num::RowVector<double>& side_of(const inside::TokenScores& scores, bool target) {
    return target ? scores.target : scores.source;
}

/// Tokens of one side that the asked one can see.
std::size_t seen_tokens(const InsideReport& r, bool target) {
    const auto& tokens = target ? r.run->trace.target : r.run->trace.source;
    if (target) return std::min(tokens.size(), static_cast<std::size_t>(r.question.token) + 1);
    return tokens.size();
}

std::string token_rows(const InsideReport& r, const inside::TokenAccounts& found, bool target) {
    const auto& tokens = target ? r.run->trace.target : r.run->trace.source;
    std::string text;
    if (side_of(found.accounts.front().scores, target).size() == 0) return text;
    for (std::size_t i = 0; i < seen_tokens(r, target); ++i) {
        text +=
            fmt::format("{:<7} {:>5} {:<16}", target ? "target" : "source", i + 1, tokens[i].text);
        for (const inside::TokenAccount& account : found.accounts) {
            const double score = side_of(account.scores, target)(static_cast<num::Index>(i));
            text += info_of(account.method).is_signed ? fmt::format(" {:>+20.4f}", score)
                                                      : fmt::format(" {:>20.4f}", score);
        }
        text += '\n';
    }
    return text;
}

std::string place_words(const InsideReport& r, const inside::TokenPlace& place) {
    const auto& tokens = place.target ? r.run->trace.target : r.run->trace.source;
    return fmt::format("{} {}", place.token + 1,
                       tokens[static_cast<std::size_t>(place.token)].text);
}

std::string pair_words(const InsideReport& r, const inside::TokenAccounts& found,
                       const inside::TokenAgreement& pair) {
    const auto top = [&](inside::TokenMethod method) {
        return place_words(r, found.find(method)->top);
    };
    const std::string tops =
        pair.same_top ? "both most at token " + top(pair.one)
                      : fmt::format("most at token {} and {}", top(pair.one), top(pair.other));
    return fmt::format("{:<42} {:>+7.2f}  {}\n",
                       fmt::format("{}, {}", info_of(pair.one).label, info_of(pair.other).label),
                       pair.spearman, tops);
}

Json place_json(const inside::TokenPlace& place) {
    return {{"side", place.target ? "target" : "source"}, {"token", place.token}};
}

Json list_of(const num::RowVector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(value);
    return list;
}

} // namespace

Result<std::string> gradient_text(const InsideReport& r, num::ThreadPool& pool) {
    const auto found = inside::token_accounts(*r.run, r.question, pool);
    if (!found) return tl::make_unexpected(found.error());
    const models::Model& model = *r.run->model;
    std::string word = exact_word_name(model, r.question.word);
    if (r.question.against) word += " against " + exact_word_name(model, *r.question.against);
    std::string text = fmt::format("which tokens the logit of {} stands on\n{:<7} {:>5} {:<16}",
                                   word, "side", "token", "");
    for (const inside::TokenAccount& account : found->accounts) {
        text += fmt::format(" {:>20}", info_of(account.method).label);
    }
    text += "\n" + token_rows(r, *found, false) + token_rows(r, *found, true);
    const inside::Integrated& whole = found->integrated;
    text +=
        fmt::format("integrated gradients add up to {:+.4f}; the logit is {:.4f}, with all words "
                    "at zero {:.4f}: remainder {} with {} steps\n\n",
                    whole.sum(), whole.logit, whole.baseline,
                    figure::significant_text(whole.residue(), 2), whole.nodes);
    text += "where they agree: the rank correlation of the tokens (Spearman's), and the first\n";
    for (const inside::TokenAgreement& pair : found->pairs) text += pair_words(r, *found, pair);
    if (found->accounts.size() < kTokenMethods.size()) {
        text += "attention flow is left out: the sentence is too long for it\n";
    }
    return text;
}

Result<void> put_gradients(const InsideReport& r, num::ThreadPool& pool, Json& json) {
    const auto found = inside::token_accounts(*r.run, r.question, pool);
    if (!found) return tl::make_unexpected(found.error());
    for (const inside::TokenAccount& account : found->accounts) {
        Json one = {{"name", info_of(account.method).name},
                    {"citation", info_of(account.method).citation},
                    {"top", place_json(account.top)}};
        if (account.scores.source.size() > 0) one["source"] = list_of(account.scores.source);
        if (account.scores.target.size() > 0) one["target"] = list_of(account.scores.target);
        json["accounts"].push_back(std::move(one));
    }
    const inside::Integrated& whole = found->integrated;
    json["integrated"] = {{"sum", whole.sum()},
                          {"logit", whole.logit},
                          {"baseline", whole.baseline},
                          {"remainder", whole.residue()},
                          {"steps", whole.nodes}};
    for (const inside::TokenAgreement& pair : found->pairs) {
        Json one = {{"one", info_of(pair.one).name},
                    {"other", info_of(pair.other).name},
                    {"same_top", pair.same_top}};
        one["spearman"] = std::isnan(pair.spearman) ? Json() : Json(pair.spearman);
        json["agreement"].push_back(std::move(one));
    }
    return {};
}

} // namespace heed::app
