// The other sentence that the room Inside makes unasked: one word of a person's own in place of its
// nearest neighbour.
#pragma once

#include "models/model/model.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::app {

/// The words of a model that may stand in for another, with their rows' norms.
struct KnownWords;
/// All of them; of a model that was trained on a task of Heed's those of its sources alone. Every
/// row of the embedding is read: made once a model.
std::shared_ptr<const KnownWords> known_words(const models::Model& model, num::ThreadPool& pool);

/// Sentences with one word changed, at most 32: for its nearest neighbour by the cosine of their
/// rows of the embedding, `asked` first where it is one of the words, then longer ones before
/// shorter; then for the second nearest, and so on. A word and its neighbours are whole words of
/// one token, of letters, known and not special, alike in case, script and the space before them.
/// None of a model without words, or when stopped. `known`: of this model. `tokens`: of the
/// sentence, as the run read them.
std::vector<std::string> neighbour_sentences(const models::Model& model, const KnownWords& known,
                                             const std::string& sentence,
                                             const std::vector<text::Token>& tokens,
                                             const std::string& asked, num::ThreadPool& pool,
                                             const std::stop_token& stop);

} // namespace heed::app
