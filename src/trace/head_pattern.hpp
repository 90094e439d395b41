// The pattern of one head on one sentence, by simple measures of its map.
#pragma once

#include "num/matrix.hpp"
#include "text/token.hpp"

#include <string_view>
#include <vector>

namespace heed::trace {

/// Shares are the attention that a row gives, meaned over the rows that have a distribution and
/// where the place exists (the first row has no previous key). Clark et al. 2019, section 3; Voita
/// et al. 2019, section 4.
struct HeadPattern {
    static constexpr float kSettled = 0.6f;
    float previous = 0, next = 0; // keys i − 1 and i + 1 of query i
    float same = 0;               // key i, of rows past the first, as first: a causal one has no other
    float first = 0;                        // key 0, of rows past the first
    float separator = 0; // punctuation and marks such as ⟨end⟩, but for key 0
    float largest = 0;   // of a row: its confidence
    num::Index one_key = 0; // the key that gets most from all rows
    float to_one_key = 0;
    int at_one_key = 0;  // rows whose largest weight is that key's
    int rows = 0;        // that have a distribution
    int settled = 0;     // of these, with more than kSettled upon one key
    /// Mean entropy of a row over the entropy of a uniform one over the keys that it may see: 1 is
    /// as broad as can be. Rows that see one key alone are left out.
    float breadth = 0;
};
/// True of so few rows that what a head does in them says nothing of it: the weights of one row are
/// no habit.
constexpr bool tells_little(int rows) {
    constexpr int kFewest = 3;
    return rows > 0 && rows < kFewest;
}
/// weights: queries × keys; as many tokens as there are rows and columns, or fewer. Rows of padding
/// (`padding`: its text) are left out.
HeadPattern head_pattern(const num::Matrix<float>& weights, const std::vector<text::Token>& queries,
                         const std::vector<text::Token>& keys, std::string_view padding);

} // namespace heed::trace
