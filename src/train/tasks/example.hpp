// One sentence, or pair of sentences, as a model is trained on it.
#pragma once

#include "num/matrix.hpp"

#include <vector>

namespace heed::train {

using num::Index;

/// "This target word says what that source word says." Positions count from 0; ⟨start⟩ and ⟨end⟩
/// have none. Sure links are those that every judge would draw, at most one a target word here; the
/// others are possible ones (Och and Ney 2003, section 5).
struct Link {
    int target = 0, source = 0;
    bool sure = true;
    bool operator==(const Link&) const = default;
};

struct Example {
    std::vector<Index> source; // rows of the source's vocabulary, at least one
    std::vector<Index> target; // rows of the target's, without ⟨start⟩ and ⟨end⟩; may be empty
    std::vector<Link> gold;    // empty where nobody has aligned the pair
    int label = -1;            // the topic of a classifier, −1 where there is none
    bool operator==(const Example&) const = default;
};

} // namespace heed::train
