// Edits made cell by cell (painted masks, edited weights, pinned tokens) when the sentence under
// them becomes another: they stay with the words that they were made for, or they go.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// The new place of each token of a sentence: those before and behind what changed have one.
using Moves = std::vector<std::optional<int>>;
Moves moves(const std::vector<text::Token>& before, const std::vector<text::Token>& after);

/// Moves of both sides of a run, padding among them.
struct TokenMoves {
    Moves source, target;

    const Moves& queries(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::encoder_self ? source : target;
    }
    const Moves& keys(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::decoder_self ? target : source;
    }
};
/// The model that runs: it splits a text into tokens and gives them to a stack.
struct Reader {
    const models::Config& config;
    const models::Model* model = nullptr; // as in prepare_input()
};
TokenMoves token_moves(const Document& before, const Document& after, const Reader& reader);

/// Tokens that are still there, at their new places.
std::vector<int> moved(const std::vector<int>& tokens, const Moves& moves);

struct Carried {
    Document document;
    std::size_t painted = 0, edits = 0; // that were let go
};
/// `next`, another text of `before`, with the painted cells and the edited weights of `before`:
/// each at the new places of its query and key, or let go where one of them has none. A cell that
/// holds for several kinds of attention stays where it has one place in all of them.
Carried carried(const Document& before, Document next, const Reader& reader);

/// "3 painted cells and 1 edited weight were let go: their words are gone · Undo brings them back";
/// empty where nothing was.
std::string let_go_words(const Carried& carried);

} // namespace heed::app
