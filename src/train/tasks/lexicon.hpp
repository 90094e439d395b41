// The words of the languages that Heed writes sentences in, from the lists of assets/tasks.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::train {

/// The adjectives that a noun can have, by their places in a row of them: European (wide), economic
/// (narrow); interesting (opinion), big (before the noun in French), red.
struct Fitting {
    std::vector<std::size_t> wide, narrow, opinion, before, after;
};

struct Noun {
    std::string english, english_plural; // no plural: it cannot be counted
    std::string chinese, measure;        // 本 of 书
    std::string french, french_plural;
    bool feminine = false;            // in French
    std::string french_woman;         // of a profession, a friend
    std::vector<std::string> classes; // what can be done with it: "food", "person"
    Fitting fitting;
    bool counted() const { return !english_plural.empty(); }
};

/// The frame of a verb: what it takes behind it.
enum class VerbFrame {
    intransitive,
    transitive,
    motion, // goes to a place
    seat,   // sits on something
    home,   // lives in something
    giving, // to someone, something
    having,
};

struct Verb {
    std::string english, english_third, english_past, english_ing; // "look for", "looks for"
    std::string chinese;
    std::string french;                           // the infinitive
    std::array<std::string, 5> french_present;    // je, il, nous, vous, ils
    std::string french_participle, french_future; // "mangé", "manger"
    std::string french_adjective;                 // instead of a verb: être assis
    VerbFrame frame = VerbFrame::transitive;
    std::vector<std::string> who, what; // classes of subjects and objects
    std::vector<std::size_t> objects;   // the nouns of those
    bool state = false;                 // 喜欢 takes no 了
    bool progresses = true;             // can be going on
    bool result = false;                // 看见 takes no 不 in the present
    bool always = false;                // knows, and hardly knew or will know
    bool with_etre = false;             // il est allé
    bool generic = false;               // said of a kind: "he reads books"
    bool whole = false;                 // with its bare object another verb: 唱歌
    bool abstract = false;              // of institutions, and nowhere
    /// True where its English past is its present: "they read".
    bool same_past() const { return english == english_past; }
};

struct Adjective {
    std::string english;
    std::string chinese, chinese_before; // 红, 红色的
    std::string french, french_feminine, french_before_vowel;
    bool before = false;              // its place in French
    std::vector<std::string> classes; // of nouns; "state" of persons, "colour"
    std::vector<std::string> said_of; // those that nouns have
    int order = 0;                    // before an English noun: an interesting small new red book
};

struct Lexicon {
    std::vector<Noun> nouns;
    std::vector<Verb> verbs;
    std::vector<Adjective> adjectives;

    /// The nouns of this class, by their places.
    const std::vector<std::size_t>& nouns_of(const std::string& a_class) const;
    /// The verbs of this frame.
    const std::vector<std::size_t>& verbs_of(VerbFrame frame) const {
        return by_frame[static_cast<std::size_t>(frame)];
    }
    std::map<std::string, std::vector<std::size_t>> by_class;
    std::array<std::vector<std::size_t>, 7> by_frame;
    std::vector<std::size_t> learned;    // verbs of institutions
    std::vector<std::size_t> predicates; // adjectives that stand behind "is"
    /// Number of a word by its English, which must be there.
    std::size_t noun(std::string_view english) const;
    std::size_t verb(std::string_view english) const;
    std::size_t adjective(std::string_view english) const;
};

/// Read once.
const Lexicon& lexicon();

bool has_class(const std::vector<std::string>& classes, std::string_view wanted);

/// True of a French word that is elided before, and takes "bel": "arbre", "homme", not "huit".
bool begins_with_vowel(std::string_view french);

} // namespace heed::train
