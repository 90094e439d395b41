// Draws what sentences say.
#pragma once

#include "train/tasks/meaning.hpp"
#include "train/tasks/task_rng.hpp"

namespace heed::train {

/// Languages that have to be able to say it. A source must tell all that the target shows: Chinese
/// has neither articles nor tenses, and "they read" has no tense in English.
struct Languages {
    bool chinese = false; // on either side
    bool chinese_source = false, english_source = false;
};

/// `words`: how long it should become, roughly. Not numbered yet.
Sentence draw_meaning(TaskRng& rng, const Languages& languages, int words);

} // namespace heed::train
