// The other sentence that the room Inside makes unasked: one word of a person's own in place of its
// nearest neighbour.
#pragma once

#include "models/model/model.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::app {

/// The words of a model that may stand in for another, of one that was trained on a task of Heed's
/// those of its sources alone, and the neighbours of those that were asked about. What is found is
/// kept, of the model that was asked last; a search that is stopped goes on when it is asked again.
class KnownWords {
  public:
    KnownWords();
    ~KnownWords();

    /// Sentences with one word changed, at most 48: for its nearest neighbour by the cosine of
    /// their rows of the embedding, `asked` first where it is one of the words, then longer ones
    /// before shorter; then for the second nearest, and so on. A word and its neighbours are whole
    /// words of one token, of letters, known and not special, alike in case, script and the space
    /// before them. Of a model of a task of Heed's those that the task writes between the two
    /// words beside them come first, then those that it writes beside one of the two. None of a
    /// model without words, or when stopped, before which some thousand words are looked at in any
    /// case. `tokens`: of the sentence, as the run read them.
    std::vector<std::string>
    neighbour_sentences(const std::shared_ptr<const models::Model>& model,
                        const std::string& sentence, const std::vector<text::Token>& tokens,
                        const std::string& asked, num::ThreadPool& pool,
                        const std::stop_token& stop);

    /// Counts of words of the model's list, and of rows of its embedding, that were read since it
    /// was asked about first. For tests.
    struct Read {
        num::Index words = 0, rows = 0;
    };
    Read read() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::app
