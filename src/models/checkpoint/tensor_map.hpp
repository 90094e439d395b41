// The places of a checkpoint's tensors among ours: one row a pair of names, for weight and bias
// alike.
#pragma once

#include <string>
#include <vector>

namespace heed::models {

/// Layout of our numbers in a tensor of theirs.
enum class Layout {
    plain,       // as torch.nn.Linear, out × in
    conv1d,      // in × out, GPT-2's Conv1D
    per_head,    // q, k and v of the first head, those of the second, … (GPT-NeoX)
    plus_one,    // a gain that is stored less 1 (Gemma)
    first_half,  // the upper half of its rows
    second_half, // the lower half
    stacked,     // ours are rows of several of theirs, of one row each
};

/// `ours` and `theirs` are names without ".weight" and ".bias", or, with "=" before, whole ones. #
/// stands for a layer's number. Several parts of ours have a tensor of theirs each, or follow one
/// another in one.
struct TensorRow {
    std::string ours;
    std::vector<std::string> theirs;
    Layout layout = Layout::plain;
};

struct TensorMap {
    /// The prefix of names where the model was saved with a head, and may lack elsewhere.
    std::string prefix;
    std::vector<TensorRow> rows;
    /// Names that change nothing: copies of tied tensors, masks, heads of other tasks. # is a
    /// number, and a "*" at the end anything.
    std::vector<std::string> ignored;
    int head_width = 1; // of Layout::per_head
};

} // namespace heed::models
