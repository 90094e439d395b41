#include "app/views/inside_tokens.hpp"

#include "app/engine/inside_tokens.hpp"
#include "app/engine/merging.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::app {

namespace {

using figure::InsideRoomData;
using inside::TokenAccount;
using inside::TokenAccounts;
using inside::TokenMethod;
using num::Index;
using trace::AttentionKind;

const inside::TokenMethodInfo& method_info(TokenMethod method) {
    return inside::kTokenMethods[static_cast<std::size_t>(method)];
}

std::string_view short_label(TokenMethod method) {
    return method == TokenMethod::integrated ? "integrated" : method_info(method).label;
}

/// The shortest name, in which no two are alike.
std::string_view brief_label(TokenMethod method) {
    if (method == TokenMethod::attention_gradient) return "attn × grad";
    return method == TokenMethod::flow ? "flow" : short_label(method);
}

std::string with_sign(double value, int decimals) {
    return (value < 0 ? "" : "+") + figure::number_text(static_cast<float>(value), decimals);
}

std::string place_name(const models::Run& run, const inside::TokenPlace& place) {
    const auto &source = run.trace.source, &target = run.trace.target;
    const auto& tokens = place.target ? target : source;
    const char* side = source.empty() || target.empty() ? "" : place.target ? "target " : "source ";
    return fmt::format("“{}” ({}token {})", tokens[static_cast<std::size_t>(place.token)].text,
                       side, place.token + 1);
}

/// One number a token, the source's first; NaN behind the last target token that is seen.
std::vector<float> in_order(const inside::TokenScores& scores, Index seen, double divided_by) {
    std::vector<float> all;
    for (const double score : scores.source) all.push_back(static_cast<float>(score / divided_by));
    for (Index i = 0; i < scores.target.size(); ++i) {
        all.push_back(i < seen ? static_cast<float>(scores.target(i) / divided_by)
                               : std::numeric_limits<float>::quiet_NaN());
    }
    return all;
}

Index seen_target(const InsidePicture& now) {
    const bool causal = now.readout.stack == AttentionKind::decoder_self;
    return causal ? now.question.token + 1 : 0;
}

double sum_of_sizes(const TokenAccount& account, Index seen) {
    const auto& target = account.scores.target;
    return account.scores.source.cwiseAbs().sum() +
           target.head(std::min(seen, target.size())).cwiseAbs().sum();
}

/// Shares of all that an account gives, signs left out.
std::vector<float> shares_of(const InsidePicture& now, const TokenAccount& account) {
    const Index seen = seen_target(now);
    const double sum = sum_of_sizes(account, seen);
    return in_order(account.scores, seen, sum > 0 ? sum : 1);
}

std::vector<std::string> token_names(const Snapshot& s) {
    const auto& scores = s.inside->accounts.accounts.front().scores;
    auto words = token_words(s.run->trace.source, scores.source.size());
    const auto target = token_words(s.run->trace.target, scores.target.size());
    words.insert(words.end(), target.begin(), target.end());
    return words;
}

std::string line_note(const Snapshot& s, const TokenAccount& account) {
    const InsidePicture& now = *s.inside;
    const auto& info = method_info(account.method);
    if (account.method != TokenMethod::integrated) {
        const bool stays = !inside::has_residual(*s.run); // attention alone
        return std::string(info.citation) + (stays ? " · attention alone, no residual" : "");
    }
    const inside::Integrated& whole = now.accounts.integrated;
    return fmt::format("{} · Σ {} · remainder {} with {} steps", info.citation,
                       with_sign(whole.sum(), 2), inside_remainder(whole.residue(), 2),
                       whole.nodes);
}

/// " · 12 % on special tokens, which are hidden": of the sizes of all shares; empty where none are.
std::string on_hidden(const std::vector<float>& shares, const std::vector<int>& shown) {
    if (shown.size() == shares.size()) return {};
    float hidden = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const bool told = std::ranges::binary_search(shown, static_cast<int>(i));
        if (!told && std::isfinite(shares[i])) hidden += std::abs(shares[i]);
    }
    return " · " + figure::percent_text(hidden) + " on special tokens, which are hidden";
}

template <class T>
std::vector<T> at_places(const std::vector<T>& all, const std::vector<int>& places) {
    std::vector<T> some;
    for (const int place : places) some.push_back(all[static_cast<std::size_t>(place)]);
    return some;
}

void add_lines(const Snapshot& s, figure::TintedText& text) {
    const InsidePicture& now = *s.inside;
    const auto& scores = now.accounts.accounts.front().scores;
    const int source = static_cast<int>(scores.source.size());
    const std::vector<int> shown = account_places(s);
    const auto before = [&](int place) {
        return static_cast<int>(std::ranges::lower_bound(shown, place) - shown.begin());
    };
    text.words = at_places(token_names(s), shown);
    if (source > 0 && scores.target.size() > 0) text.second = before(source);
    if (!now.readout.classes) { // a class is read from no token alone
        text.marked = before(asked_place(now));
    }
    for (const TokenAccount& account : now.accounts.accounts) {
        const auto& info = method_info(account.method);
        const auto shares = shares_of(now, account);
        text.lines.push_back({std::string(info.label),
                              line_note(s, account) + on_hidden(shares, shown),
                              at_places(shares, shown), info.is_signed});
    }
}

void add_agreement(const Snapshot& s, figure::InsideBeside& beside) {
    const TokenAccounts& accounts = s.inside->accounts;
    beside.verdict = accounts_verdict(*s.run, accounts);
    if (!accounts.pairs.empty()) beside.facts.push_back({"rank correlation (Spearman)", ""});
    for (const inside::TokenAgreement& pair : accounts.pairs) {
        beside.facts.push_back(
            {fmt::format("{} · {}", short_label(pair.one), short_label(pair.other)),
             std::isnan(pair.spearman) ? "none" : with_sign(pair.spearman, 2),
             fmt::format("{} · {}", brief_label(pair.one), brief_label(pair.other))});
    }
    if (!accounts.complete() && !s.inside->accounts_error) {
        beside.facts.push_back({not_yet_words(s), ""});
    }
    if (accounts.left_out(TokenMethod::flow)) {
        beside.facts.push_back({"attention flow: too long a sentence for it", ""});
    }
}

void add_tokens(const Snapshot& s, InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    std::string word = inside_word(*s.run->model, now.question.word);
    if (now.question.against) {
        word += " against " + inside_word(*s.run->model, *now.question.against);
    }
    data.tokens_card = {fmt::format("Tokens behind “{}”", word),
                        "Colour: a token's share of each attribution, full at the row's largest; "
                        "orange for and blue against where it is signed",
                        {}};
    data.tokens_card.missing = now.readout.recurrent != nullptr;
    if (now.accounts_error && now.accounts.accounts.empty()) {
        data.tokens_card.instead = inside_refusal(*now.accounts_error);
    } else if (now.accounts.accounts.empty()) {
        data.tokens_card.instead = not_yet_words(s);
    } else {
        add_lines(s, data.tokens);
        add_agreement(s, data.of_tokens);
    }
}

/// Keys behind the last one that has any weight are left out.
int shown_keys(const inside::OtherWeights& found) {
    Index count = found.own.size();
    while (count > 1 && found.own(count - 1) == 0 && found.other(count - 1) == 0) --count;
    return static_cast<int>(count);
}

std::vector<float> weights_at(const num::RowVector<double>& weights, const std::vector<int>& keys) {
    std::vector<float> some;
    for (const int key : keys) some.push_back(static_cast<float>(weights(key)));
    return some;
}

/// The keys of the card of other weights that are not hidden.
std::vector<int> keys_of(const Snapshot& s, const OtherRow& row) {
    return without(hidden_keys(s.units.get(), row.head.kind), shown_keys(*row.found));
}

std::string says_words(const Snapshot& s, const inside::Answer& answer) {
    return fmt::format("{} {}", inside_word(*s.run->model, answer.says),
                       figure::probability_text(static_cast<double>(answer.says_probability)));
}

void add_found(const Snapshot& s, const OtherRow& row, InsideRoomData& data) {
    const inside::OtherWeights& found = *row.found;
    const std::vector<int> keys = keys_of(s, row);
    data.weights.names = {"as they are", "other weights, the same answer"};
    data.weights.values = {weights_at(found.own, keys), weights_at(found.other, keys)};
    data.weights.columns =
        at_places(token_words(s.run->trace.keys(row.head.kind), found.own.size()), keys);
    const auto marked = std::ranges::find(keys, static_cast<int>(row.query));
    if (row.head.kind != AttentionKind::cross && marked != keys.end()) {
        data.weights.marked = static_cast<int>(marked - keys.begin());
    }
    data.of_weights.verdict =
        is_off(*s.run, row.head)
            ? fmt::format("This head {}: none of its weights reaches the answer.", kOffAlready)
            : weights_verdict(found, inside::OtherWeightsOptions().allowed, unit_said(*s.run));
    const auto number = [](double value) {
        return figure::number_text(static_cast<float>(value), 3);
    };
    const auto share = [](double value) { return figure::percent_text(value); };
    data.of_weights.facts = {
        {"Jensen–Shannon divergence, bits", number(found.divergence), "Jensen–Shannon, bits"},
        {"total variation", share(found.distance)},
        {"divergence with the very same context", number(found.same_context),
         "with the very same context"},
        {"change of the answer", share(found.change)},
        {"largest, with all weight on one key", share(found.most), "largest, all on one key"},
        {"says", says_words(s, found.own_answer)},
        {"with the other weights", says_words(s, found.other_answer), "with the others"},
    };
    const auto hidden = hidden_keys(s.units.get(), row.head.kind);
    if (hidden.empty()) return;
    data.of_weights.facts.push_back(
        {"to special tokens, which are hidden",
         share(found.own(hidden).sum()) + " and " + share(found.other(hidden).sum())});
}

void add_weights(const Snapshot& s, InsideRoomData& data) {
    data.weights_card.missing = s.inside->readout.recurrent != nullptr;
    if (data.weights_card.missing) return;
    const auto asked = asked_row(s);
    if (!asked) {
        data.weights_card = {"Other weights, the same answer", "",
                             "Choose a head, and its weights are held against others"};
        return;
    }
    const auto& queries = s.run->trace.queries(asked->head.kind);
    const inside::PartId head{inside::PartId::Kind::head, asked->head.kind, asked->head.layer,
                              asked->head.head};
    data.weights_card = {
        fmt::format("Other weights of {} at “{}”", inside::name(head, s.run->model->traits()),
                    queries[static_cast<std::size_t>(asked->query)].text),
        "Above: its own · below: the farthest with the same answer · Jain and Wallace 2019",
        {}};
    const OtherRow* row = other_row_of(s);
    if (!row) {
        data.weights_card.instead = not_yet_words(s);
    } else if (row->error) {
        data.weights_card.instead = inside_refusal(*row->error);
    } else {
        add_found(s, *row, data);
    }
}

} // namespace

void add_token_cards(const Snapshot& s, InsideRoomData& data) {
    add_tokens(s, data);
    add_weights(s, data);
}

std::vector<float> gradient_shares(const Snapshot& s, AttentionKind stack) {
    const auto* account = s.inside->accounts.find(TokenMethod::attention_gradient);
    if (!account) return {};
    const auto& scores = account->scores;
    const bool source = stack == AttentionKind::encoder_self;
    const Index count = source ? scores.source.size() : scores.target.size();
    auto shares = shares_of(*s.inside, *account);
    const auto begin = shares.begin() + (source ? 0 : scores.source.size());
    return {begin, begin + count};
}

files::Tables token_card_tables(const Snapshot& s) {
    files::Tables tables;
    const auto& accounts = s.inside->accounts.accounts;
    if (!accounts.empty()) {
        const auto names = token_names(s);
        auto values = std::make_shared<num::Matrix<float>>(std::ssize(names), std::ssize(accounts));
        std::vector<std::string> columns, labels;
        for (std::size_t j = 0; j < accounts.size(); ++j) {
            const auto& info = method_info(accounts[j].method);
            labels.emplace_back(info.label);
            columns.push_back(fmt::format("{} ({})", info.label, info.unit));
            const auto column = in_order(accounts[j].scores, seen_target(*s.inside), 1);
            for (std::size_t i = 0; i < column.size(); ++i) {
                (*values)(static_cast<Index>(i), static_cast<Index>(j)) = column[i];
            }
        }
        auto ranks = std::make_shared<num::Matrix<float>>(
            num::Matrix<float>::Identity(std::ssize(accounts), std::ssize(accounts)));
        const auto column_of = [&](TokenMethod method) {
            return std::ranges::find(accounts, method, &TokenAccount::method) - accounts.begin();
        };
        for (const inside::TokenAgreement& pair : s.inside->accounts.pairs) {
            const Index one = column_of(pair.one), other = column_of(pair.other);
            (*ranks)(one, other) = (*ranks)(other, one) = static_cast<float>(pair.spearman);
        }
        tables.all.push_back({"tokens",
                              names,
                              columns,
                              std::move(values),
                              {},
                              "what each token counts, by account"});
        tables.all.push_back({"agreement",
                              labels,
                              labels,
                              std::move(ranks),
                              {},
                              "Spearman's rank correlation of the tokens, −1 to 1"});
    }
    if (const OtherRow* row = other_row_of(s); row && row->found) {
        const Index keys = row->found->own.size();
        auto values = std::make_shared<num::Matrix<float>>(keys, 2);
        values->col(0) = row->found->own.transpose().cast<float>();
        values->col(1) = row->found->other.transpose().cast<float>();
        tables.all.push_back({"weights",
                              token_words(s.run->trace.keys(row->head.kind), keys),
                              {"weight as it is", "weight that gives the same answer"},
                              std::move(values),
                              {},
                              "attention weight, sums to 1"});
    }
    return tables;
}

std::string top_token_words(const Snapshot& s, TokenMethod method) {
    const TokenAccount* account = s.inside->accounts.find(method);
    if (!account) return {};
    const auto& tokens = account->top.target ? s.run->trace.target : s.run->trace.source;
    const Index before = account->top.target ? account->scores.source.size() : 0;
    const float share =
        shares_of(*s.inside, *account)[static_cast<std::size_t>(before + account->top.token)];
    return fmt::format("“{}” {}{}", tokens[static_cast<std::size_t>(account->top.token)].text,
                       share < 0 ? "−" : "",
                       figure::percent_text(static_cast<double>(std::abs(share))));
}

std::string token_share_words(const Snapshot& s, int token, int line) {
    const auto& accounts = s.inside->accounts.accounts;
    if (line < 0 || line >= std::ssize(accounts) || token < 0) return {};
    const TokenAccount& account = accounts[static_cast<std::size_t>(line)];
    const auto scores = in_order(account.scores, seen_target(*s.inside), 1);
    const auto at = static_cast<std::size_t>(token);
    if (at >= scores.size()) return {};
    const std::string name = token_names(s)[at];
    if (!std::isfinite(scores[at])) {
        return fmt::format("“{}” stands after the word, which does not see it", name);
    }
    const auto& info = method_info(account.method);
    return fmt::format(
        "“{}”: {} by {}, {} of all", name,
        info.is_signed ? with_sign(static_cast<double>(scores[at]), 4)
                       : figure::number_text(scores[at], 4),
        info.label,
        figure::percent_text(static_cast<double>(std::abs(shares_of(*s.inside, account)[at]))));
}

std::string weight_words(const Snapshot& s, int key) {
    const OtherRow* row = other_row_of(s);
    if (!row || !row->found || key < 0) return {};
    const auto keys = keys_of(s, *row);
    if (key >= std::ssize(keys)) return {};
    key = keys[static_cast<std::size_t>(key)];
    const auto words = token_words(s.run->trace.keys(row->head.kind), row->found->own.size());
    return fmt::format("“{}”: weight {}\nin the other row {}", words[static_cast<std::size_t>(key)],
                       figure::number_text(static_cast<float>(row->found->own(key)), 4),
                       figure::number_text(static_cast<float>(row->found->other(key)), 4));
}

std::string below_words(const Snapshot& s, int column) {
    const auto shares = gradient_shares(s, s.inside->patched_stack);
    column = patched_token(s, column);
    if (column < 0 || column >= std::ssize(shares)) return {};
    const auto& info = method_info(TokenMethod::attention_gradient);
    const float share = shares[static_cast<std::size_t>(column)];
    if (!std::isfinite(share)) return "stands after the word, which does not see it";
    const auto told = inside::words_of(info, *s.run, s.inside->question);
    return fmt::format("{} of {}\n{}\n{}\n{}", figure::percent_text(static_cast<double>(share)),
                       info.label, told.tip, told.formula, info.citation);
}

std::optional<int> source_token(const Snapshot& s, int token) {
    const auto& accounts = s.inside->accounts.accounts;
    if (accounts.empty() || token >= accounts.front().scores.source.size()) return std::nullopt;
    return token;
}

std::string accounts_verdict(const models::Run& run, const TokenAccounts& found) {
    if (found.pairs.empty()) return {};
    std::vector<std::pair<std::string, std::string>> firsts; // a token, and who says so
    for (const TokenAccount& account : found.accounts) {
        const auto& scores = account.top.target ? account.scores.target : account.scores.source;
        const std::string first =
            place_name(run, account.top) +
            (scores[account.top.token] < 0 ? ", which speaks against the answer," : "");
        const auto same = std::ranges::find(firsts, first, &decltype(firsts)::value_type::first);
        const std::string label(method_info(account.method).label);
        if (same == firsts.end()) {
            firsts.emplace_back(first, label);
        } else {
            same->second += ", " + label;
        }
    }
    std::string words;
    if (firsts.size() == 1) {
        words = "All put " + firsts.front().first + " first.";
    } else {
        words = "They disagree on the top token: ";
        for (const auto& [token, who] : firsts) {
            words +=
                fmt::format("{}{} by {}", &token == &firsts.front().first ? "" : "; ", token, who);
        }
        words += ".";
    }
    const inside::TokenAgreement *least = nullptr, *most = nullptr;
    for (const inside::TokenAgreement& pair : found.pairs) {
        if (std::isnan(pair.spearman)) continue;
        if (!least || pair.spearman < least->spearman) least = &pair;
        if (!most || pair.spearman > most->spearman) most = &pair;
    }
    if (!least) return words + " Their ranks cannot be compared: there are too few tokens.";
    words += fmt::format(" Their orders of all tokens differ most between {} and {} (rank "
                         "correlation {})",
                         method_info(least->one).label, method_info(least->other).label,
                         with_sign(least->spearman, 2));
    if (most == least) return words + ".";
    return words + fmt::format(", least between {} and {} ({}).", method_info(most->one).label,
                               method_info(most->other).label, with_sign(most->spearman, 2));
}

} // namespace heed::app
