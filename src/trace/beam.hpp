// The hypotheses of a beam search (Sutskever et al. 2014, section 3.2), as the tree that they are.
#pragma once

#include <string>
#include <vector>

namespace heed::trace {

struct BeamNode {
    int parent = -1; // −1: follows the start
    int step = 0;    // the word's place in its hypothesis, from 0
    std::string word;
    std::size_t row = 0;       // of the vocabulary
    float log_probability = 0; // of this word, in nats
    float total = 0;           // of the hypothesis up to and with it
    bool ended = false;        // its word is ⟨end⟩
};

struct Beam {
    int width = 1;
    std::vector<BeamNode> nodes; // a parent before its children; those that were kept
    std::vector<int> hypotheses; // the last node of each, the most probable first
    float length_penalty = 0;    // hypotheses are ranked by total / tokens^penalty
    int followed = 0;            // of hypotheses: the one that the rest of the trace is about

    /// The nodes of a hypothesis, first word first.
    std::vector<int> path(int hypothesis) const;
};

} // namespace heed::trace
