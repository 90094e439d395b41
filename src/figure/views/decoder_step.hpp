// The Step view: one step of a decoder in the order in which it is computed, with the symbols of
// Bahdanau et al. 2015; of a transformer's with q, k, v of the chosen head and x of every layer.
#pragma once

#include "figure/base/frame.hpp"
#include "trace/decoder_step.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct DecoderStepData {
    std::string title{}, subtitle{};
    std::shared_ptr<const trace::DecoderStep> step{};
    bool updates_first = false; // Luong's order: the new state is compared, not the old one
    std::string cell{};         // "GRU", "Layers"
    std::string score{};        // "vᵀ tanh(W sᵢ₋₁ + U hⱼ)", "qᵢ·kⱼ ÷ √dₖ"
    std::string projection{};   // "kⱼ = vⱼ = hⱼ K"; empty where both are the states
    std::vector<std::string> source{}; // where there are fewer than states, the rest have none
    std::vector<int> word_of{};        // the word that each is a piece of; empty: none are joined
    std::string before{};              // y(i−1): "⟨start⟩"
    struct Word {
        std::string word{};
        float probability = 0;
        bool said = false;
        bool can_be_said = true;
    };
    std::vector<Word> words{}; // the likeliest first; the one that is said is among them; or none
    float rest = 0;            // what the other words of the vocabulary share
    std::string others = "other words"; // as the window calls them
    std::vector<int> hidden{};         // source words that are left out, ascending
    std::vector<int> edited{};         // whose weights a person set by hand, ascending
};

struct DecoderStepOptions {
    std::optional<int> selected{}; // a source word
};

/// The vector that a stripe shows: `which` of its tag. It is `of` the source word at `state` and
/// `weighted`, of the layer at a cell's own, and of −1 else.
enum class StepStripe {
    compared,
    state,
    weighted,
    context,
    said_before,
    before,
    gate,
    after,
    output
};

/// Letters of a picture: those of a recurrent model, or of a transformer's head.
struct StepLetters {
    const char *query, *key, *score, *value, *context, *said;
};
StepLetters letters_of(const DecoderStepData& data);
/// The vector that is compared with every key. Requires a step that attends.
const num::RowVector<float>& query_of(const DecoderStepData& data);

/// Above, a row for every source word: h_j, e_ij, α_ij and α_ij h_j, with their sum c_i below;
/// under that the update of the state with its gates, and the words that it may say. Of a head k_j,
/// what its softmax reads, α_ij and α_ij v_j, with their sum z_i; under that what every layer of
/// the decoder passes on. Numbers in circles say what comes after what. Of more words than have
/// room those with the largest weights are shown, and one that comes again has its position behind
/// it. Targets: labels of columns (source words), stripes, bars (places in `words`).
Figure decoder_step(const DecoderStepData& data, const DecoderStepOptions& options,
                    const Frame& frame);

} // namespace heed::figure
