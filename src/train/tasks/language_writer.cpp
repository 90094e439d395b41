#include "train/tasks/writers.hpp"

#include "base/check.hpp"
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning_writer.hpp"

#include <cstdlib>
#include <utility>

namespace heed::train {

namespace {

Words write_side(Task task, bool source, const Sentence& sentence) {
    switch (task) {
    case Task::zh_en: return source ? chinese(sentence) : english(sentence);
    case Task::en_fr: return source ? english(sentence) : french(sentence);
    case Task::en_zh: return source ? english(sentence) : chinese(sentence);
    default: break;
    }
    HEED_CHECK(false, "{} has no languages", name(task));
}

/// A source need not be right to be understood.
void drop_endings(Sentence& sentence) {
    for (Clause& clause : sentence.clauses) {
        const bool tenseless = clause.verb && lexicon().verbs[*clause.verb].same_past();
        clause.bare = clause.verb && !tenseless && clause.tense == Tense::present &&
                      !clause.negative && clause.modal == Modal::none &&
                      clause.question == Question::none;
    }
}

} // namespace

Pair write_languages(TaskRng& rng, Task task, int length) {
    const Languages languages{.chinese = task != Task::en_fr,
                              .chinese_source = task == Task::zh_en,
                              .english_source = task != Task::zh_en};
    // A grammar cannot be told a length; of some sentences one has it, or nearly.
    constexpr int kTries = 16;
    Sentence closest;
    Words source;
    for (int i = 0; i < kTries; ++i) {
        Sentence sentence = draw_meaning(rng, languages, length);
        if (task == Task::en_zh && rng.percent(6)) drop_endings(sentence);
        number(sentence);
        Words words = write_side(task, true, sentence);
        const auto miss = [&](const Words& w) {
            return std::abs(static_cast<int>(w.size()) - length);
        };
        if (i > 0 && miss(words) >= miss(source)) continue;
        closest = std::move(sentence);
        source = std::move(words);
        if (miss(source) == 0) break;
    }
    // Who types a question often leaves its mark out.
    const bool question = closest.clauses.front().question != Question::none;
    if (question && rng.percent(25)) source.pop_back();
    return aligned(source, write_side(task, false, closest));
}

} // namespace heed::train
