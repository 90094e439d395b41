// Direct logit attribution (Elhage et al. 2021, "Logit attribution"; Wang et al. 2022, section 3):
// a logit is a sum over what every part wrote into the residual stream.
#pragma once

#include "inside/readout.hpp"

namespace heed::inside {

/// A part of a model that writes into the stream which says the word.
struct PartId {
    enum class Kind { embedding, head, feed_forward, bias } kind = Kind::head;
    AttentionKind module = AttentionKind::decoder_self; // of a head; else the stack, as self
    int layer = 0;                                      // from 0; 0 of the embedding and the biases
    int head = 0;                                       // from 0
    bool operator==(const PartId&) const = default;
};
/// "head 10.7", "cross head 2.1", "feed-forward 3", "embedding", "biases": counted from 1.
std::string name(const PartId& part);
/// The part's name; in a model of both stacks "encoder head 1.1", "decoder head 1.1" and "decoder
/// feed-forward 2".
std::string name(const PartId& part, const models::Traits& traits);

struct Part {
    PartId id;
    double logit = 0;
};

struct Attribution {
    /// The embedding (with positions), the heads and feed-forward networks in the order in which
    /// they were computed, and the biases of output maps, norms and the readout in one.
    std::vector<Part> parts;
    double logit = 0;  // of the run, before the softcap
    float softcap = 0; // that bounds the model's logits; 0: none
    double sum() const;
    /// Residue that float32 left of the run's logit.
    double residue() const { return logit - sum(); }
};

/// Every norm on the way is a linear map once its mean and factor are those of this run, in
/// post-norm models too, and so is the readout's activation f(z) = z · (f(z)/z) (BERT): the parts
/// sum to the logit exactly, but they do not say what another part would have done to a norm.
/// A head has the bias of its values, a feed-forward network its own. Of an encoder-decoder the
/// parts are the decoder's; what the encoder did comes in through cross heads.
/// Errors: those of readout_of and check, mismatch for a model of classes and with dropout.
base::Result<Attribution> attribute(const models::Run& run, const Question& question);

} // namespace heed::inside
