// Accounts of the tokens that a word stands on, four beside each other, and where they disagree:
// those of gradients, and of attention alone, rollout and attention flow (Abnar and Zuidema 2020,
// section 3), over both stacks of a model that has two.
#pragma once

#include "inside/token_gradients.hpp"
#include "trace/flow.hpp"

#include <array>
#include <optional>
#include <string>
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
    std::string_view citation;
    std::string_view unit; // of its numbers
    bool is_signed;        // of a signed one the magnitude is ranked
    std::string_view formula, tip;
    std::string_view other_formula, other_tip; // where layers add to no stream; of the integrated
                                               // ones, of a picture
};
inline constexpr std::array<TokenMethodInfo, 4> kTokenMethods = {{
    {TokenMethod::attention_gradient, "attention_gradient", "attention × gradient",
     "Chefer et al. 2021", "relevance, no unit", false, "R ← R + E_h[(∇A ∘ A)⁺] R",
     "Weights that would raise the answer's logit, followed through all layers.",
     "R ← E_h[(∇A ∘ A)⁺] R",
     "Weights that would raise the answer's logit. Layers have no residual connection: nothing of "
     "a token stays where it is."},
    {TokenMethod::integrated, "integrated_gradients", "integrated gradients",
     "Sundararajan et al. 2017", "logits", true, "x · ∫ ∂z(αx)/∂x dα, from words of zeros",
     "What each token adds to the answer's logit on the way from a sentence of zeros; all of them "
     "sum to the logit's rise.",
     "x · ∫ ∂z(αx)/∂x dα, from pixels of zeros",
     "What each patch adds to the answer's logit on the way from a picture whose pixels, as the "
     "model reads them, are 0; all of them sum to the logit's rise."},
    {TokenMethod::rollout, "rollout", "rollout", "Abnar and Zuidema 2020", "share, sums to 1",
     false, "Π (½ A + ½ I)",
     "Mean weights of the heads, multiplied through all layers, as if half of each token stayed "
     "where it is. It does not depend on the answer.",
     "Π A",
     "Mean weights of the heads, multiplied through all layers. These have no residual "
     "connection: nothing of a token stays where it is. It does not depend on the answer."},
    {TokenMethod::flow, "flow", "attention flow", "Abnar and Zuidema 2020", "weight, at most 1",
     false, "maximum flow through ½ A + ½ I",
     "The most that can flow from a token through all layers, where a weight is how much an edge "
     "takes. It does not depend on the answer either.",
     "maximum flow through A",
     "The most that can flow from a token through all layers, where a weight is how much an edge "
     "takes; the layers have no residual connection. It does not depend on the answer either."},
}};

/// Words about a method, for what a run's model is and how its answer is read.
struct TokenMethodWords {
    std::string_view formula;
    std::string tip;
};
TokenMethodWords words_of(const TokenMethodInfo& info, const models::Run& run,
                          const Question& question);

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
