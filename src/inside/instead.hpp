// Stand-ins for a part's activation, at every token.
#pragma once

namespace heed::inside {

enum class Instead {
    zero,
    mean,  // over tokens: of MeanActivations where there are some, else of the run itself
    other, // what another sentence made of it, token by token
};

} // namespace heed::inside
