// Accounts of the tokens that a word stands on, four beside each other, and where they disagree:
// those of gradients, and of attention alone, rollout and attention flow (Abnar and Zuidema 2020,
// section 3), over both stacks of a model that has two.
#pragma once

#include "inside/token_gradients.hpp"
#include "trace/flow.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace heed::inside {

/// The mean over heads of every module in turn, as maps between all tokens of a run, the source's
/// first: what a module does not read stays where it is.
trace::LayerMaps token_maps(const models::Run& run, num::ThreadPool& pool);

/// The most that can flow from a token behind the last layer to each token before the first, where
/// an edge takes no more than its weight in ½ A + ½ I, or of the raw rule in A: one number a token.
/// Nothing when stopped.
std::optional<num::RowVector<double>> maximum_flow(const trace::LayerMaps& layers, Index token,
                                                   const std::stop_token& stop = {},
                                                   trace::FlowRule rule = trace::FlowRule::rollout);

/// Shares that the asked token holds by rollout, or the mean of those that a class is read from;
/// where layers add to no stream a map counts as it is, without ½ I. Errors: those of readout_of
/// and check.
base::Result<TokenScores> rolled_out(const models::Run& run, const Question& question,
                                     num::ThreadPool& pool);
/// Edges that maximum_flow() is asked for at most, in all its searches together.
inline constexpr double kMostFlowEdges = 3e7;
/// Most that can flow to the asked token. Errors: the same; out_of_range for a sentence and model
/// of more than kMostFlowEdges; cancelled.
base::Result<TokenScores> attention_flow(const models::Run& run, const Question& question,
                                         num::ThreadPool& pool, const std::stop_token& stop = {});

enum class TokenMethod { attention_gradient, integrated, rollout, flow };

struct TokenMethodInfo {
    TokenMethod method;
    std::string_view name;  // of files
    std::string_view label; // on the screen
    std::string_view formula, citation;
    bool is_signed; // of a signed one the magnitude is ranked
    std::string_view tip;
};
inline constexpr std::array<TokenMethodInfo, 4> kTokenMethods = {{
    {TokenMethod::attention_gradient, "attention_gradient", "attention × gradient",
     "R ← R + E_h[(∇A ∘ A)⁺] R", "Chefer et al. 2021", false,
     "Weights that would raise the word's logit, followed through all layers."},
    {TokenMethod::integrated, "integrated_gradients", "integrated gradients",
     "x · ∫ ∂z(αx)/∂x dα, from words of zeros", "Sundararajan et al. 2017", true,
     "What each token adds to the word's logit on the way from a sentence of zeros; all of them "
     "sum "
     "to the logit's rise."},
    {TokenMethod::rollout, "rollout", "rollout", "Π (½ A + ½ I)", "Abnar and Zuidema 2020", false,
     "Mean weights of the heads, multiplied through all layers, as if half of each token stayed "
     "where it is. It knows no word: every word stands on the same tokens."},
    {TokenMethod::flow, "flow", "attention flow", "maximum flow through ½ A + ½ I",
     "Abnar and Zuidema 2020", false,
     "The most that can flow from a token through all layers, where a weight is how much an edge "
     "takes. It knows no word either."},
}};

/// A token of the source's or the target's side.
struct TokenPlace {
    bool target = false;
    Index token = 0;
    bool operator==(const TokenPlace&) const = default;
};

struct TokenAccount {
    TokenMethod method = TokenMethod::rollout;
    TokenScores scores;
    TokenPlace top; // the token with the largest score, or magnitude
};

struct TokenAgreement {
    TokenMethod one = TokenMethod::rollout, other = TokenMethod::rollout;
    double spearman = 0; // of the tokens' ranks; NaN where one of the two tells none apart
    bool same_top = false;
};

struct TokenAccounts {
    std::vector<TokenAccount> accounts; // in the order of kTokenMethods; no flow where it is too
                                        // long a sentence for it
    Integrated integrated;
    std::vector<TokenAgreement> pairs;
    std::size_t tried = 0; // of the methods, the quick ones first

    bool complete() const { return tried == kTokenMethods.size(); }
    /// Null where it is left out, or not made yet.
    const TokenAccount* find(TokenMethod method) const;
    bool left_out(TokenMethod method) const;
};

/// One account more, and where it agrees with the others. Requires some that are not complete.
/// Errors: as token_accounts(); `found` then stays as it was.
base::Result<void> add_account(TokenAccounts& found, const models::Run& run,
                               const Question& question, num::ThreadPool& pool,
                               const IntegratedOptions& options = {});

/// Accounts of the tokens that the asked one can see: of a causal stack those up to it. Errors:
/// those of the four but for flow's out_of_range.
base::Result<TokenAccounts> token_accounts(const models::Run& run, const Question& question,
                                           num::ThreadPool& pool,
                                           const IntegratedOptions& options = {});

/// Spearman's rank correlation, equal numbers with their mean rank; NaN where one is constant.
double spearman(const num::RowVector<double>& a, const num::RowVector<double>& b);

} // namespace heed::inside
