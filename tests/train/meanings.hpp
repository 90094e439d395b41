// Meanings of sentences, made from the English words of the lexicon.
#pragma once

#include "catch.hpp"
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::train {

using Determiner = NounPhrase::Determiner;

inline std::string text_of(const Words& words) {
    std::vector<std::string> texts;
    for (const Word& word : words) texts.push_back(word.text);
    return joined(texts);
}

inline NounPhrase pronoun(Pronoun p) {
    NounPhrase phrase;
    phrase.kind = NounPhrase::Kind::pronoun;
    phrase.pronoun = p;
    return phrase;
}

inline NounPhrase name(std::string_view english) {
    NounPhrase phrase;
    phrase.kind = NounPhrase::Kind::name;
    while (kNames[phrase.word].english != english) ++phrase.word;
    return phrase;
}

inline NounPhrase noun(Determiner determiner, std::string_view english,
                       const std::vector<std::string>& adjectives = {}, bool plural = false) {
    NounPhrase phrase;
    phrase.word = lexicon().noun(english);
    phrase.determiner = determiner;
    phrase.plural = plural;
    for (const auto& a : adjectives) phrase.adjectives.push_back(lexicon().adjective(a));
    return phrase;
}

inline std::size_t time_word(std::string_view english) {
    std::size_t place = 0;
    while (kTimes[place].english != english) ++place;
    return place;
}

inline Clause clause(NounPhrase subject, std::string_view verb, Tense tense,
                     std::optional<NounPhrase> object = std::nullopt) {
    Clause result;
    result.subject = std::move(subject);
    result.verb = lexicon().verb(verb);
    result.tense = tense;
    result.object = std::move(object);
    return result;
}

inline Sentence sentence(std::vector<Clause> clauses) {
    Sentence result;
    result.clauses = std::move(clauses);
    number(result);
    return result;
}

struct Expected {
    std::string en, zh, fr; // empty: not to be judged
};

inline void check(Sentence meaning, const Expected& expected) {
    number(meaning);
    CHECK(text_of(english(meaning)) == expected.en);
    if (!expected.zh.empty()) CHECK(text_of(chinese(meaning)) == expected.zh);
    if (!expected.fr.empty()) CHECK(text_of(french(meaning)) == expected.fr);
}

} // namespace heed::train
