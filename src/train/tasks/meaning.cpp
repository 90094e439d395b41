#include "train/tasks/meaning.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::train {

namespace {

struct Numbering {
    int next = 1;

    void operator()(NounPhrase& phrase) {
        phrase.id = next++;
        if (phrase.owner) (*this)(*phrase.owner);
        if (phrase.relative) (*this)(*phrase.relative);
        if (phrase.other) (*this)(*phrase.other);
    }
    void operator()(Clause& clause) {
        clause.id = next++;
        (*this)(clause.subject);
        if (clause.object) (*this)(*clause.object);
        if (clause.same) (*this)(*clause.same);
        if (clause.recipient) (*this)(*clause.recipient);
        if (clause.place) (*this)(clause.place->where);
    }
};

bool contains(const std::vector<int>& list, int wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

bool shares(const Word& source, const Word& target) {
    const auto tells = [&](int thing) {
        return thing >= 0 && (source.main == thing || contains(source.minor, thing) ||
                              contains(source.hints, thing));
    };
    return tells(target.main) || std::any_of(target.minor.begin(), target.minor.end(), tells);
}

} // namespace

std::vector<int> around(const NounPhrase& phrase) {
    std::vector<int> things = {thing(phrase.id, kHead)};
    for (std::size_t i = 0; i < phrase.adjectives.size(); ++i) {
        things.push_back(thing(phrase.id, kFirstAdjective + static_cast<int>(i)));
    }
    return things;
}

void number(Sentence& sentence) {
    Numbering numbering;
    sentence.id = numbering.next++;
    numbering(sentence.who);
    for (Clause& clause : sentence.clauses) numbering(clause);
}

void append(Words& words, Words more) {
    words.insert(words.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

void append(Words& words, const std::string& phrase, int main, std::vector<int> minor,
            std::vector<int> hints) {
    for (std::size_t begin = phrase.find_first_not_of(' '); begin < phrase.size();) {
        const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
        words.push_back({phrase.substr(begin, end - begin), main, minor, hints});
        begin = end + 1;
    }
}

void append_time(Words& words, const Clause& clause, InLanguage language) {
    if (!clause.time) return;
    append(words, kTimes[*clause.time].*language, thing(clause.id, kTime), {},
           {thing(clause.id, kTense)});
}

void append_frequency(Words& words, const Clause& clause, InLanguage language) {
    if (!clause.frequency) return;
    append(words, kFrequencies[*clause.frequency].*language, thing(clause.id, kFrequency));
}

void append_time_first(Words& words, const Clause& clause, InLanguage language, const char* comma) {
    append_time(words, clause, language);
    append_frequency(words, clause, language);
    if (clause.time_place != TimePlace::first_comma) return;
    append(words, comma, thing(clause.id, kTimeComma),
           {thing(clause.id, kTime), thing(clause.id, kFrequency)});
}

Pair aligned(const Words& source, const Words& target) {
    Pair pair;
    for (const Word& word : source) pair.source.push_back(word.text);
    for (std::size_t t = 0; t < target.size(); ++t) {
        pair.target.push_back(target[t].text);
        const auto says_same = [&](const Word& s) {
            return s.main >= 0 && s.main == target[t].main;
        };
        const bool one = std::count_if(source.begin(), source.end(), says_same) == 1;
        for (std::size_t s = 0; s < source.size(); ++s) {
            const bool sure = one && says_same(source[s]);
            if (!sure && !shares(source[s], target[t])) continue;
            pair.gold.push_back({static_cast<int>(t), static_cast<int>(s), sure});
        }
    }
    return pair;
}

} // namespace heed::train
