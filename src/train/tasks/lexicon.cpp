#include "train/tasks/lexicon.hpp"

#include "base/check.hpp"
#include "train/tasks/lexicon_lines.hpp"
#include "train/tasks/word_lists.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace heed::train {

namespace {

/// "apples", "boxes", "ladies"; the third person of a verb by the same rule.
std::string with_s(const std::string& word) {
    const char last = word.back();
    const bool hisses = last == 's' || last == 'x' || word.ends_with("ch") || word.ends_with("sh");
    if (hisses || word.ends_with("go")) return word + "es";
    const bool y_alone =
        last == 'y' && word.size() > 1 &&
        std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos;
    return y_alone ? word.substr(0, word.size() - 1) + "ies" : word + "s";
}

std::string third_person(const std::string& verb) {
    if (verb == "have") return "has";
    const auto space = verb.find(' '); // "look for"
    return space == std::string::npos ? with_s(verb)
                                      : with_s(verb.substr(0, space)) + verb.substr(space);
}

std::string french_feminine(const std::string& adjective) {
    const std::string stem = adjective.substr(0, adjective.size() - 1);
    if (adjective.ends_with("e")) return adjective;
    if (adjective.ends_with("eux")) return stem + "se";
    if (adjective.ends_with("en") || adjective.ends_with("el")) {
        return adjective + adjective.back() + "e";
    }
    return adjective + "e";
}

/// Present of a verb in -er: je mange, nous mangeons.
std::array<std::string, 5> regular_present(const std::string& infinitive) {
    const std::string stem = infinitive.substr(0, infinitive.size() - 2);
    const std::string soft = stem.ends_with("g") ? stem + "e" : stem;
    return {stem + "e", stem + "e", soft + "ons", stem + "ez", stem + "ent"};
}

VerbFrame frame_of(const std::string& what) {
    if (what.empty()) return VerbFrame::intransitive;
    if (what == "to") return VerbFrame::motion;
    if (what == "seat") return VerbFrame::seat;
    if (what == "home") return VerbFrame::home;
    if (what == "give") return VerbFrame::giving;
    if (what == "have") return VerbFrame::having;
    return VerbFrame::transitive;
}

Noun noun_of(const Line& line) {
    Noun noun;
    noun.english = line[0];
    noun.english_plural = line[1] == "-" ? "" : line[1].empty() ? with_s(line[0]) : line[1];
    noun.chinese = line[2];
    noun.measure = line[3];
    noun.french = line[4];
    noun.feminine = line[5] == "f";
    noun.classes = words_of(line[6]);
    noun.french_plural = line[7].empty() ? line[4] + "s" : line[7];
    noun.french_woman = line[8];
    return noun;
}

Verb verb_of(const Line& line) {
    Verb verb;
    verb.english = line[0];
    verb.english_third = third_person(line[0]);
    verb.english_past = line[1];
    verb.english_ing = line[2];
    verb.chinese = line[3];
    const auto arrow = line[5].find('>');
    const std::string what = line[5].substr(std::min(arrow + 2, line[5].size()));
    verb.who = words_of(line[5].substr(0, arrow));
    verb.what = words_of(what);
    verb.frame = frame_of(what);
    verb.state = has_class(words_of(line[9]), "state");
    verb.progresses = !verb.state && !has_class(words_of(line[9]), "noprogress");
    verb.result = has_class(words_of(line[9]), "result");
    verb.always = has_class(words_of(line[9]), "always");
    verb.with_etre = has_class(words_of(line[9]), "être");
    verb.whole = has_class(words_of(line[9]), "whole");
    verb.generic = has_class(words_of(line[9]), "generic");
    if (line[4][0] == '=') {
        verb.french_adjective = line[4].substr(1);
        return verb;
    }
    verb.french = line[4];
    verb.french_present = regular_present(line[4]);
    if (const auto forms = words_of(line[6]); !forms.empty()) {
        std::copy_n(forms.begin(), 5, verb.french_present.begin());
    }
    verb.french_participle =
        line[7].empty() ? line[4].substr(0, line[4].size() - 2) + "é" : line[7];
    verb.french_future = line[8].empty() ? line[4] : line[8];
    return verb;
}

/// Opinion, size, what it is like, age, colour, and of whom it is: a famous old building, a strong
/// young man.
int order_of(const std::vector<std::string>& classes) {
    constexpr std::array kOrder = {"opinion", "praise", "size", "",
                                   "age",     "colour", "wide", "narrow"};
    const auto found = std::find_if(kOrder.begin(), kOrder.end(),
                                    [&](const char* c) { return has_class(classes, c); });
    const auto quality = std::find(kOrder.begin(), kOrder.end(), std::string_view());
    return static_cast<int>((found == kOrder.end() ? quality : found) - kOrder.begin());
}

Adjective adjective_of(const Line& line) {
    Adjective adjective;
    adjective.english = line[0];
    adjective.chinese = line[1];
    adjective.chinese_before = line[2].empty() ? line[1] : line[2];
    adjective.french = line[3];
    adjective.french_feminine = line[4].empty() ? french_feminine(line[3]) : line[4];
    adjective.french_before_vowel = line[5].empty() ? line[3] : line[5];
    adjective.before = line[6] == "before";
    adjective.classes = words_of(line[7]);
    adjective.order = order_of(adjective.classes);
    return adjective;
}

bool share_any(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& one) { return has_class(b, one); });
}

Fitting fitting_of(const Noun& noun, const std::vector<Adjective>& adjectives) {
    Fitting fitting;
    for (std::size_t i = 0; i < adjectives.size(); ++i) {
        const std::vector<std::string>& classes = adjectives[i].classes;
        if (!share_any(classes, noun.classes)) continue;
        (has_class(classes, "wide")      ? fitting.wide
         : has_class(classes, "narrow")  ? fitting.narrow
         : has_class(classes, "opinion") ? fitting.opinion
         : adjectives[i].before          ? fitting.before
                                         : fitting.after)
            .push_back(i);
    }
    return fitting;
}

/// Connects what follows from the lists together.
void connect(Lexicon& words) {
    for (std::size_t i = 0; i < words.nouns.size(); ++i) {
        Noun& noun = words.nouns[i];
        for (const std::string& a_class : noun.classes) words.by_class[a_class].push_back(i);
        noun.fitting = fitting_of(noun, words.adjectives);
    }
    for (Adjective& adjective : words.adjectives) {
        std::copy_if(adjective.classes.begin(), adjective.classes.end(),
                     std::back_inserter(adjective.said_of),
                     [&](const auto& c) { return words.by_class.count(c) > 0; });
    }
    for (std::size_t i = 0; i < words.adjectives.size(); ++i) {
        const std::vector<std::string>& classes = words.adjectives[i].classes;
        if (!share_any(classes, {"colour", "wide", "narrow"})) words.predicates.push_back(i);
    }
    for (std::size_t v = 0; v < words.verbs.size(); ++v) {
        Verb& verb = words.verbs[v];
        words.by_frame[static_cast<std::size_t>(verb.frame)].push_back(v);
        verb.abstract = share_any(verb.what, {"studied", "backed", "protected"});
        if (verb.abstract) words.learned.push_back(v);
        for (std::size_t i = 0; i < words.nouns.size(); ++i) {
            if (share_any(verb.what, words.nouns[i].classes)) verb.objects.push_back(i);
        }
    }
}

template <class List> std::size_t place_of(const List& list, std::string_view english) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].english == english) return i;
    }
    HEED_CHECK(false, "no word {}", english);
}

} // namespace

bool has_class(const std::vector<std::string>& classes, std::string_view wanted) {
    return std::find(classes.begin(), classes.end(), wanted) != classes.end();
}

bool begins_with_vowel(std::string_view french) {
    if (french.substr(0, 4) == "huit") return false;
    for (const std::string_view vowel : {"a", "e", "i", "o", "u", "y", "h", "A", "E", "I",
                                         "O", "U", "é", "è", "ê", "â", "î", "ô", "œ", "É"}) {
        if (french.substr(0, vowel.size()) == vowel) return true;
    }
    return false;
}

const std::vector<std::size_t>& Lexicon::nouns_of(const std::string& a_class) const {
    const auto found = by_class.find(a_class);
    HEED_CHECK(found != by_class.end(), "no noun of class {}", a_class);
    return found->second;
}

std::size_t Lexicon::noun(std::string_view english) const { return place_of(nouns, english); }
std::size_t Lexicon::verb(std::string_view english) const { return place_of(verbs, english); }
std::size_t Lexicon::adjective(std::string_view english) const {
    return place_of(adjectives, english);
}

const Lexicon& lexicon() {
    static const Lexicon read = [] {
        Lexicon words;
        for (const Line& line : lines_of(word_lists::nouns)) words.nouns.push_back(noun_of(line));
        for (const Line& line : lines_of(word_lists::verbs)) words.verbs.push_back(verb_of(line));
        for (const Line& line : lines_of(word_lists::adjectives)) {
            words.adjectives.push_back(adjective_of(line));
        }
        connect(words);
        return words;
    }();
    return read;
}

} // namespace heed::train
