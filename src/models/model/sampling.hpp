// Sampling of the next token from the probabilities that a model gives.
#pragma once

#include "models/model/model.hpp"

#include <cstddef>
#include <vector>

namespace heed::models {

/// The rest that temperature, top-k and top-p leave of the probabilities of the vocabulary's rows.
struct Cut {
    /// p^(1/temperature), normalised over all rows; p itself at a temperature of 0.
    num::RowVector<float> tempered;
    std::vector<bool> keeps; // of each row whether it can be drawn
    num::Index kept = 0;     // rows that can
    float kept_mass = 1;     // what they hold of `tempered`
    float entropy_bits = 0;  // of the kept rows, renormalised

    /// The probability of a kept row to be drawn, or that of another one before it was cut.
    float shown(num::Index row) const {
        return keeps[static_cast<std::size_t>(row)] ? tempered(row) / kept_mass : tempered(row);
    }
};

/// The tokens that another is said behind: `source`, which an encoder read or a decoder alone was
/// given, and `target`, which the decoder read. Of the target the model said the last `said` by
/// itself; the start of a decoder is none.
struct SaidSoFar {
    std::span<const text::Token> source, target;
    std::size_t said;
};
/// Sets to 0 the probability of every token that may not be said: of a model that reads ids what
/// its files forbid, of another what is no word.
void forbid(const Model& model, const SaidSoFar& so_far, num::RowVector<float>& p);

/// Leaves nothing but one row, if there is such a row.
void say_only(num::RowVector<float>& p, num::Index row);

/// True where any of it alters probabilities.
bool alters(const Sampling& sampling);
/// The cut of a distribution; of equal probabilities the earlier row counts as the more probable.
/// At least one row is kept. `p` has numbers from 0 on, of which only the ratios matter but to
/// `tempered` itself.
Cut cut(const num::RowVector<float>& p, const Sampling& sampling);
/// The row that is drawn at a place of the text, the same whenever it is asked; the most probable
/// one at a temperature of 0. `place`: how many tokens stand before it.
num::Index drawn(const num::RowVector<float>& p, const Sampling& sampling, std::size_t place);

} // namespace heed::models
