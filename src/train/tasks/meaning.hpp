// The meaning of a sentence, before a language says it. The grammars of English, French and Chinese
// write the same meaning, and mark every word with the thing it stands for: from that follows which
// words are aligned.
#pragma once

#include "train/tasks/pair.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::train {

struct Clause;

/// I, you, he, she, we, they, who; "this" and "that" are what only "is" is said of.
enum class Pronoun { i, you, he, she, we, they, who, this_one, that_one };

struct NounPhrase {
    enum class Kind { pronoun, name, noun } kind = Kind::noun;
    enum class Determiner { the, a, some, many, this_one, that_one, count, whose, owner, none };
    Pronoun pronoun = Pronoun::i;
    std::size_t word = 0; // of the names, or of the lexicon's nouns
    Determiner determiner = Determiner::the;
    int count = 2;                        // "three books"
    Pronoun whose = Pronoun::i;           // "my book"
    std::shared_ptr<NounPhrase> owner;    // "the teacher's book"; one of them
    bool plural = false;                  // of the container where there is one
    bool woman = false;                   // of "friend", where French tells
    bool left_out = false;                // 一个, or the 的 of 我 妈妈
    std::optional<std::size_t> container; // "a cup of tea"
    std::vector<std::size_t> adjectives;
    std::shared_ptr<Clause> relative;  // "that I bought": lacks its object, or else its subject
    std::shared_ptr<NounPhrase> other; // "and my brother", "and I"
    int id = 0;
};

struct Place {
    enum class Relation { at, in, on, under } relation = Relation::at;
    NounPhrase where;
    bool brief = false; // 在 公园 for 在 公园 里
};

enum class Tense { present, progressive, past, future };
enum class Modal { none, can, want, like, must, should };
/// "Whom" is an object; "who is" asks for a name.
enum class Question { none, yes_no, who, whom, who_is, what, where, why, when, how };
/// Place of a word of time: "I slept yesterday", "yesterday I slept", "yesterday , I slept".
enum class TimePlace { last, first, first_comma };
/// Omission of a subject that the clause before has: of he in no language ("and drank tea"), or in
/// Chinese alone (所以 没有 去).
enum class Omission { none, everywhere, in_chinese };

struct Clause {
    NounPhrase subject;
    std::optional<std::size_t> verb;       // of the lexicon, or else "is":
    std::optional<std::size_t> adjective;  // tired
    std::optional<std::size_t> profession; // a noun: a teacher
    std::optional<NounPhrase> same;        // my friend
    bool exists = false;                   // "there is a book on the table"
    bool very = false;
    bool bare_quality = false; // 因为 我 累 for 因为 我 很 累
    std::optional<NounPhrase> object, recipient;
    std::optional<Place> place;
    bool lacks_object = false, lacks_subject = false; // of a relative clause
    Tense tense = Tense::present;
    Modal modal = Modal::none;
    bool negative = false;
    bool contracted = false; // "don't"
    bool in_course = false;  // 在 睡觉 instead of 正在 睡觉
    bool bare = false;       // in English without its -s, as learners write: "Tom chase Jerry"
    Question question = Question::none;
    std::optional<std::size_t> time, frequency; // of the tables below
    TimePlace time_place = TimePlace::last;
    Omission omission = Omission::none;
    int id = 0;
};

struct Sentence {
    enum class Lead { none, because, if_so } lead = Lead::none;
    enum class Join { comma, but, so, then, and_also };
    enum class Saying { none, think, say, know, hope } saying = Saying::none;
    NounPhrase who; // thinks or says
    std::vector<Clause> clauses;
    std::vector<Join> joins; // before the second clause and each further one
    int id = 0;
};

// Words that are no lists of their own --------------------------------------------------------
struct Name {
    const char *english, *chinese;
    bool feminine;
};
inline constexpr Name kNames[] = {
    {"Tom", "汤姆", false},    {"Jerry", "杰瑞", false}, {"Mary", "玛丽", true},
    {"Anna", "安娜", true},    {"Lucy", "露西", true},   {"Peter", "彼得", false},
    {"Paul", "保罗", false},   {"John", "约翰", false},  {"David", "大卫", false},
    {"Alice", "爱丽丝", true}, {"Mike", "迈克", false},  {"Julie", "朱莉", true},
    {"Emma", "艾玛", true},    {"Lily", "莉莉", true},   {"Martin", "马丁", false},
};

struct TimeWord {
    const char *english, *chinese, *french;
    Tense tense;
};
inline constexpr TimeWord kTimes[] = {
    {"yesterday", "昨天", "hier", Tense::past},
    {"last night", "昨晚", "hier soir", Tense::past},
    {"last week", "上周", "la semaine dernière", Tense::past},
    {"last month", "上个月", "le mois dernier", Tense::past},
    {"last year", "去年", "l'année dernière", Tense::past},
    {"every day", "每天", "chaque jour", Tense::present},
    {"every week", "每周", "chaque semaine", Tense::present},
    {"every morning", "每天早上", "chaque matin", Tense::present},
    {"every evening", "每天晚上", "chaque soir", Tense::present},
    {"now", "现在", "maintenant", Tense::progressive},
    {"tomorrow", "明天", "demain", Tense::future},
    {"tonight", "今晚", "ce soir", Tense::future},
    {"next week", "下周", "la semaine prochaine", Tense::future},
    {"next month", "下个月", "le mois prochain", Tense::future},
    {"next year", "明年", "l'année prochaine", Tense::future},
};
inline constexpr TimeWord kFrequencies[] = {{"often", "经常", "souvent", Tense::present},
                                            {"always", "总是", "toujours", Tense::present},
                                            {"sometimes", "有时", "parfois", Tense::present}};
inline constexpr std::size_t kSometimes = 2; // may stand first

// What a grammar writes -------------------------------------------------------------------------
struct Word {
    std::string text;
    int main = -1;          // the thing that this word says
    std::vector<int> minor; // things that it belongs to, or shows
    std::vector<int> hints; // as a source word only: what it tells about, as 昨天 does of the tense
};
using Words = std::vector<Word>;

enum NounSlot { kHead, kDeterminer, kContainer, kOwning, kRelative, kAnd, kFirstAdjective };
enum ClauseSlot {
    kVerb,
    kTense,
    kNegation,
    kQuestion,
    kTime,
    kFrequency,
    kPlace,
    kAsked,
    kPredicate,
    kModal,
    kVery,
    kJoin,
    kComma,
    kTimeComma,
};
/// The name of a thing: slots of a numbered part of the meaning. At most ten adjectives.
constexpr int thing(int id, int tensor) { return id * 16 + tensor; }

/// A noun and its adjectives. "The" and 本 have no word of their own in the other language, so that
/// any word of their phrase may be said to bring them.
std::vector<int> around(const NounPhrase& phrase);

/// Gives every part a number of its own.
void number(Sentence& sentence);

/// Sentences in words, in lower case but for names; questions end in a question mark, statements in
/// nothing. Words are those of text::tokenize: "l'eau" is one, "est-ce que" is four.
Words english(const Sentence& sentence);
Words chinese(const Sentence& sentence);
Words french(const Sentence& sentence);

/// Form for a pronoun, of a list with one form each.
template <class List> const char* form_of(const List& list, Pronoun pronoun) {
    return list[static_cast<std::size_t>(pronoun)];
}

/// True where the word of time stands before the subject in English and French.
inline bool stands_first(const Clause& clause) {
    return clause.time_place != TimePlace::last && clause.question == Question::none;
}

/// True where what there is stands behind its verb: unless it is what is asked for.
inline bool shows_subject_last(const Clause& clause) {
    return clause.exists && clause.question != Question::what;
}

/// Appends words.
void append(Words& words, Words more);
/// Appends each word of a phrase between spaces.
void append(Words& words, const std::string& phrase, int main, std::vector<int> minor = {},
            std::vector<int> hints = {});

/// Member of a word of time in one language: &TimeWord::french.
using InLanguage = const char* TimeWord::*;
void append_time(Words& words, const Clause& clause, InLanguage language);
void append_frequency(Words& words, const Clause& clause, InLanguage language);
/// Appends both, and the comma behind them.
void append_time_first(Words& words, const Clause& clause, InLanguage language, const char* comma);

/// Sure where two words say the same thing and no other word of the source says it; possible where
/// they share anything.
Pair aligned(const Words& source, const Words& target);

} // namespace heed::train
