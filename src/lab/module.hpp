// An attention module with random maps, for looking at: the functions of every model, in double.
#pragma once

#include "lab/draws.hpp"
#include "lab/picture.hpp"
#include "nn/attention/attention.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::lab {

struct Module {
    nn::AttentionParams<double> params;
    std::vector<nn::HeadSettings<double>> heads;
    std::vector<std::shared_ptr<const nn::ScoreParams<double>>> scores; // null where it has none
};

struct ModuleShape {
    Index width = 8; // d_model
    int n_heads = 1; // that divide it
    nn::Score score = nn::kDotScore;
    bool scaled = true; // of scores that are divided by √d_k
};

/// Maps of variance 1 / width, so that what is put in at variance 1 comes out so.
Module draw_module(std::uint64_t seed, const ModuleShape& shape);

/// nn::attention_forward on the calling thread.
nn::AttentionCache<double> attend(const Module& module, const Matrix<double>& queries,
                                  const Matrix<double>& keys);

/// Weights of a module's first head over rows of words, told of their places in one way; learned
/// positions and relative buckets are drawn.
Matrix<double> weights_with_positions(const Module& module, std::uint64_t seed,
                                      const Matrix<double>& words, nn::Positions positions,
                                      bool causal);

/// Each word sees those before it and itself.
nn::Mask causal_mask();

/// A whole map of one head.
Matrix<double> stage_of(const nn::AttentionCache<double>& cache, Index head, trace::Stage stage);

/// Weights and context by loops, term after term: what `attend` is held to. Without masks and
/// positions, of one head with the score dot or scaled dot.
struct ByHand {
    Matrix<double> weights, context;
};
ByHand attend_by_hand(const Module& module, const Matrix<double>& queries,
                      const Matrix<double>& keys);

/// "w_{1}", "w_{2}", …: markup.
std::vector<std::string> numbered(std::string_view prefix, Index count);

/// The largest size of a difference.
double largest_difference(const Matrix<double>& a, const Matrix<double>& b);

/// A line at that one of few xs that is nearest by ratio, named by these words and its number:
/// "at n = 128".
void mark_nearest(Curves& curves, double at, std::string_view words);

/// A matrix as a signed heat map.
Picture matrix_picture(std::string title, std::string subtitle, const Matrix<double>& values,
                       std::vector<std::string> rows, std::vector<std::string> cols = {});
/// Weights as a heat map from 0 to 1.
Picture weights_picture(std::string title, std::string subtitle, const Matrix<double>& weights,
                        std::vector<std::string> rows, std::vector<std::string> cols);

/// Gives maps that are compared one span of colours, up to the largest value. Each picture is one.
void set_in_one_span(std::vector<Picture>& maps);

} // namespace heed::lab
