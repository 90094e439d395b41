// The document that a person works on: everything that decides which numbers are computed, and
// nothing that is only looked at. Undo goes over this; a session file holds it.
#pragma once

#include "inside/instead.hpp"
#include "models/model/model.hpp"
#include "models/spec/controls.hpp"
#include "text/token.hpp"
#include "trace/combined.hpp"
#include "trace/flow.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

struct CorpusMeans; // app/engine/inside_picture.hpp

/// The patch into the other sentence's run, in the room Inside: what a layer passes on at one
/// token, what one head makes, or one head's words to one later head.
enum class PatchBy { stream, heads, paths };

/// Questions of the room Inside to a run.
struct InsideFocus {
    std::optional<int> token{}; // at which it is said, from 0; none: the masked or the last one
    std::optional<int> word{};  // a row of the vocabulary; none: the most probable
    std::optional<int> against{};
    std::string other{}; // another sentence of as many tokens; empty: one is made, a word apart
    inside::Instead instead = inside::Instead::mean;
    PatchBy patch = PatchBy::stream;
    int from = 0, to = 1; // of paths: layers, from 0
    bool operator==(const InsideFocus&) const = default;
};

/// Tokens that were written one by one. As ids, since a tokeniser may cut the text that they say
/// into others, and no text ends in a part of a character.
struct WrittenTokens {
    std::string text{};     // whole characters of them; they hold for this target alone
    std::vector<int> ids{}; // all that the decoder reads, special ones too; empty: none were
    bool operator==(const WrittenTokens&) const = default;
};

struct Document {
    models::Config model;   // drawn from its seed, unless
    std::string model_file; // a file is named here
    std::string source = "The cat sat on the mat because it was tired";
    std::string target = "Le chat s'est assis sur le tapis";
    WrittenTokens written{};
    text::Segmentation segmentation = text::Segmentation::words;
    int pad_to = 0;
    models::Decoding decoding;
    models::Controls controls;
    models::Controls resting; // ticked off: kept, and not computed with
    std::string image_file;   // a PNG or JPEG, of a model that reads pictures
    int sentence = 0;         // which one of a file of alignments, from 0
    InsideFocus inside{};     // is asked of the run, and changes nothing in it
    bool operator==(const Document&) const = default;
};
/// The tokens that the document's target was written as; null where none were.
const std::vector<int>* written_ids(const Document& document);
/// True where both have the same run: only what is asked of it may differ.
bool run_alike(const Document& a, const Document& b);
/// True where both are of one model: of a file, or drawn alike.
bool same_model(const Document& a, const Document& b);
/// True where what is typed is cut into the same tokens in both; what a model says may differ.
bool same_text(const Document& a, const Document& b);

/// The flow through all layers of self-attention that is made ready.
struct FlowFocus {
    trace::FlowRule rule = trace::FlowRule::rollout;
    std::optional<int> token{}; // the one that is flowed to; nothing: the last
    bool operator==(const FlowFocus&) const = default;
};

/// Tokens that the strips along maps and grid are about: ascending, from 0; empty means all.
struct StripFocus {
    std::vector<int> queries, keys;
    bool operator==(const StripFocus&) const = default;
};

/// The factor on weights in their maps: nothing, how long each key's value is, or how long what the
/// output map makes of that (Kobayashi et al. 2020, ‖f(x)‖).
enum class Times { nothing, value, transformed };

/// The part of a trace that a person chose to look at.
struct Focus {
    trace::HeadId head;
    trace::Stage stage = trace::Stage::weights;
    Times times = Times::nothing; // of the stage weights of one head alone
    /// The combination of several heads of head.kind, when the map is made of their weights: of
    /// those in these layers and with these numbers, from 0 and ascending. Empty means all of them.
    std::optional<trace::Combine> combine{};
    std::vector<int> layers{}, heads{};
    bool merge_words = false;  // pictures of weights are between words, where tokens are pieces
    bool hide_special = false; // tokens such as BOS, SEP and PAD are left out of maps
    /// Rows of cross-attention are named by the word that the decoder reads there, rather than by
    /// the one that it says next.
    bool rows_read = false;
    bool operator==(const Focus&) const = default;
};

/// The parts of a trace that a view needs beside the focused map: app/view_kinds.hpp.
struct Needs {
    std::vector<int> overlay{}; // heads of the focused layer, from 0, whose weights are wanted
    std::vector<trace::HeadId> slots{}; // heads of any kind whose weights are wanted, side by side
    bool summaries = false;             // of every head of the kind
    bool alike = false;      // the order in which heads of the kind with like maps stand together
    bool effects = false;    // of each on the output: measured after the answer, while idle
    bool histograms = false; // of q · k of random vectors
    bool logarithms = false; // of large maps of weights, for their colours
    std::optional<FlowFocus> flow{};
    std::optional<StripFocus> strips{};
    std::optional<int> query_rows{}; // the query whose weights in every head are wanted, from 0
    std::optional<int> step{};  // of a decoder that goes step by step, from 0: what it is made of
    bool any_step = false;      // likewise of a transformer's, with what it says there
    bool inside = false;        // what the document asks, measured after the answer, while idle
    bool inside_tokens = false; // of it, what the word's tokens are for, in place of its parts
    int encoder_row = 0;        // of an encoder beside a decoder: whose weights are asked about
    bool head_scores = false;   // of every head of the model; induction and copying while idle
    /// Means over a corpus that was read, to stand in the place of a head; null: this run's own.
    std::shared_ptr<const CorpusMeans> means{};
    bool operator==(const Needs&) const = default;
};

/// Another state that the present one is held against.
struct Reference {
    std::string name; // "original", "pinned"
    Document document;
    Focus focus;
    bool operator==(const Reference&) const = default;
};
/// Reference of the same text and model, with no control altered.
inline Reference unaltered(Document document, const Focus& focus) {
    document.controls = {};
    document.resting = {};
    document.inside = {};
    return {"original", std::move(document), focus};
}

} // namespace heed::app
