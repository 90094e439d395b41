// The Neurons view: one query against all keys, from the features of two vectors to a weight.
#pragma once

#include "figure/base/frame.hpp"
#include "trace/neurons.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::figure {

struct NeuronsData {
    std::string title{}, subtitle{};
    std::shared_ptr<const trace::Neurons> row{};
    std::string query_label{};
    std::vector<std::string> key_labels{}; // one a key; where there are fewer, the rest have none
    std::vector<int> word_of{}; // the word that each key is a piece of; empty: none are joined
};

enum class FeatureOrder {
    place,
    contribution, // the largest |q_i k_i| first: of the selected key, else of all by their weights
};

struct NeuronsOptions {
    FeatureOrder order = FeatureOrder::place;
    std::optional<int> selected{}, hovered{}; // keys
    std::optional<int> feature{};             // framed in every stripe; its number in the vectors
    std::vector<int> hidden{};                // keys that are left out, ascending
};

/// The vector that a stripe shows: `which` of its tag.
enum class Stripe { query, key, product };

/// The feature that each column of the stripes shows: Hit::col of a stripe is an index of it.
/// Scores that are no products have no contributions, and keep features in their places.
std::vector<Index> feature_order(const trace::Neurons& row, const NeuronsOptions& options);

/// True where the mask keeps the query from a key.
bool is_masked(const trace::Neurons& row, int key);

/// Keys in their order, at most `most`, none of them hidden (ascending): those with the largest
/// weights, and the selected one.
std::vector<int> keys_with_most_weight(std::span<const float> weights, int most,
                                       std::optional<int> selected,
                                       const std::vector<int>& hidden = {});

/// The names of these keys, ascending, up to the first that `words` have no word of: where some are
/// left out, a word that comes again has its position behind it.
std::vector<std::string> key_names(const std::vector<std::string>& words, std::vector<int> keys);

/// Columns: key, its features, the products q_i k_i (where the score is made of them), score,
/// scaled, masked, exp, weight; what has no room is left out. q stands over the keys' features in
/// the same colours. Targets: labels of columns (a key's whole row), stripes.
Figure neurons(const NeuronsData& data, const NeuronsOptions& options, const Frame& frame);

} // namespace heed::figure
