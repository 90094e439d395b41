#include "train/tasks/writers.hpp"

#include "base/check.hpp"
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning_writer.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <unordered_set>
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

namespace {

/// The lexicon's words, and those that the grammar adds, of so many sentences that the rarest one
/// that is no possessive is met.
std::unordered_set<std::string> english_words() {
    std::unordered_set<std::string> words;
    const auto add = [&](const std::string& of_lexicon) {
        std::istringstream parts(of_lexicon);
        for (std::string word; parts >> word;) words.insert(word);
    };
    for (const Noun& noun : lexicon().nouns) {
        for (const auto* form : {&noun.english, &noun.english_plural}) add(*form);
    }
    for (const Verb& verb : lexicon().verbs) {
        for (const auto* form :
             {&verb.english, &verb.english_third, &verb.english_past, &verb.english_ing}) {
            add(*form);
        }
    }
    for (const Adjective& adjective : lexicon().adjectives) add(adjective.english);
    constexpr std::uint64_t kSentences = 3000;
    constexpr int kShortest = 2, kLengths = 14;
    for (std::uint64_t i = 0; i < kSentences; ++i) {
        TaskRng rng(1, "words of English sources", i);
        const int length = kShortest + static_cast<int>(i % kLengths);
        Sentence sentence = draw_meaning(rng, Languages{.english_source = true}, length);
        number(sentence);
        for (const auto& word : english(sentence)) words.insert(word.text);
    }
    return words;
}

} // namespace

bool in_english_source(std::string_view word) {
    static const std::unordered_set<std::string> words = english_words();
    if (words.contains(std::string(word))) return true;
    return word.ends_with("'s") && words.contains(std::string(word.substr(0, word.size() - 2)));
}

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
