// Gradients that tell which tokens an answer stands on: attention times its gradient (Chefer, Gur
// and Wolf 2021), and integrated gradients of the input (Sundararajan, Taly and Yan 2017).
#pragma once

#include "inside/readout.hpp"
#include "num/threads.hpp"

#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace heed::inside {

/// One number a token of each stack's sentence; empty where the model has no such stack.
struct TokenScores {
    num::RowVector<double> source, target;
};

/// Tokens that the answer is read from, of the stack that says it: the one that is asked about; of
/// classes those that the pooling reads. Requires check(question, run).
std::vector<Index> read_tokens(const models::Run& run, const Question& question);
/// The mean of what is told of each; at least one.
TokenScores mean_scores(const std::vector<Index>& tokens,
                        const std::function<TokenScores(Index token)>& of);
/// True where layers add to what they read; else nothing of a token stays where it is.
bool has_residual(const models::Run& run);

/// Relevance of each token for each other one, by the rules of Chefer et al. 2021, section 3.2;
/// modules are told in the order in which they are computed.
class Relevance {
  public:
    /// 0 where there is no such stack.
    Relevance(Index source_tokens, Index target_tokens);
    /// `mean`: Ā = E_h[(∇A ∘ A)⁺] of one module (eq. 5), queries × keys. Self-attention is eq. 6
    /// and 7, R ← R + Ā R; cross-attention eq. 8 to 10, with R − I divided by its rows' sums where
    /// they are not 0. Without a residual self-attention is R ← Ā R.
    void add(AttentionKind kind, const Matrix<double>& mean, bool residual = true);
    /// Relevance that a token of the stack that says words holds.
    TokenScores row(Index token) const;

  private:
    Matrix<double> source_, target_; // of a stack's tokens for its own
    Matrix<double> crossed_;         // target tokens × source tokens
};

/// Relevance for the question's logit, before any softcap; the mean of what the read tokens hold.
/// Errors: those of check_passes and check, cancelled.
base::Result<TokenScores> attention_times_gradient(const models::Run& run, const Question& question,
                                                   const std::stop_token& stop = {});

struct IntegratedOptions {
    int nodes = 16;           // of the integral, at first
    int most_nodes = 256;     // they are doubled up to here, while the residue is larger than
    double tolerance = 0.005; // this share of logit − baseline
    std::stop_token stop = {};
};

struct Integrated {
    TokenScores tokens;  // Σ over features of (word − 0) · ∫ gradient (eq. 1)
    double logit = 0;    // of the run
    double baseline = 0; // where the vector of every word, or every pixel, is 0; positions, types
                         // and the patches' bias are kept
    int nodes = 0;       // that the integral was made with
    double sum() const { return tokens.source.sum() + tokens.target.sum(); }
    /// 0 where the axiom of completeness (proposition 1) is met.
    double residue() const { return logit - baseline - sum(); }
};

/// Gradients of the question's logit, before any softcap, by the words of both sentences at once.
/// The integral is Gauss and Legendre's sum over t with α = t⁴, since a norm makes the way steepest
/// near 0; where nothing is added to the words (T5) it stays so steep there that a residue is left.
/// Errors: those of check_passes and check, cancelled.
base::Result<Integrated> integrated_gradients(const models::Run& run, const Question& question,
                                              num::ThreadPool& pool,
                                              const IntegratedOptions& options = {});

/// Places in (0, 1) and their weights, which sum to 1: exact for polynomials up to degree 2n − 1.
std::vector<std::pair<double, double>> gauss_legendre(int n);

} // namespace heed::inside
