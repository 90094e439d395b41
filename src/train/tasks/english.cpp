// English from a meaning.
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <array>
#include <string>
#include <string_view>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;

constexpr std::array kEnglishSubjects = {"I",    "you", "he",   "she", "we",
                                         "they", "who", "this", "that"};
constexpr std::array kObjects = {"me", "you", "him", "her", "us", "them", "whom", "this", "that"};
constexpr std::array kEnglishPossessives = {"my", "your", "his", "her", "our", "their", "whose"};
constexpr std::array kEnglishNumbers = {"zero", "one",   "two",   "three", "four", "five",
                                        "six",  "seven", "eight", "nine",  "ten"};

bool is_plural(const NounPhrase& phrase) {
    if (phrase.other) return true;
    if (phrase.kind != NounPhrase::Kind::pronoun) return phrase.plural;
    return phrase.pronoun == Pronoun::we || phrase.pronoun == Pronoun::they ||
           phrase.pronoun == Pronoun::you;
}

bool is_i(const NounPhrase& phrase) {
    return phrase.kind == NounPhrase::Kind::pronoun && phrase.pronoun == Pronoun::i;
}

/// "an hour" has no place in our lists; "a university" and "a European" have.
bool takes_an(std::string_view word) {
    if (word.substr(0, 3) == "uni" || word.substr(0, 3) == "Eur" || word.substr(0, 3) == "use") {
        return false;
    }
    return std::string_view("aeiouAEIO").find(word[0]) != std::string_view::npos;
}

Words english_clause(const Clause& clause, const NounPhrase* head);

Words english_phrase(const NounPhrase& phrase, bool as_object) {
    const int head = thing(phrase.id, kHead), determiner = thing(phrase.id, kDeterminer);
    Words words;
    if (phrase.kind == NounPhrase::Kind::pronoun) {
        append(words, form_of(as_object ? kObjects : kEnglishSubjects, phrase.pronoun), head);
    } else if (phrase.kind == NounPhrase::Kind::name) {
        append(words, kNames[phrase.word].english, head);
    } else {
        const Noun& noun = lexicon().nouns[phrase.word];
        const std::vector<int> of_head = {head};
        switch (phrase.determiner) {
        case Determiner::the: append(words, "the", determiner, around(phrase)); break;
        case Determiner::a: append(words, "a", determiner, of_head); break;
        case Determiner::some: append(words, "some", determiner, of_head); break;
        case Determiner::many: append(words, "many", determiner, of_head); break;
        case Determiner::this_one:
            append(words, phrase.plural ? "these" : "this", determiner, of_head);
            break;
        case Determiner::that_one:
            append(words, phrase.plural ? "those" : "that", determiner, of_head);
            break;
        case Determiner::count:
            append(words, kEnglishNumbers[static_cast<std::size_t>(phrase.count)], determiner,
                   of_head);
            break;
        case Determiner::whose:
            append(words, form_of(kEnglishPossessives, phrase.whose), determiner, of_head);
            break;
        case Determiner::owner:
            append(words, english_phrase(*phrase.owner, false));
            words.back().text += "'s";
            words.back().minor.push_back(thing(phrase.id, kOwning));
            break;
        case Determiner::none: break;
        }
        if (phrase.container) {
            const Noun& container = lexicon().nouns[*phrase.container];
            const int holding = thing(phrase.id, kContainer);
            append(words, phrase.plural ? container.english_plural : container.english, holding);
            append(words, "of", -1, {holding, head});
        }
        for (std::size_t i = 0; i < phrase.adjectives.size(); ++i) {
            append(words, lexicon().adjectives[phrase.adjectives[i]].english,
                   thing(phrase.id, kFirstAdjective + static_cast<int>(i)));
        }
        const bool many = phrase.plural && !phrase.container && noun.counted();
        append(words, many ? noun.english_plural : noun.english, head);
        if (words.size() > 1 && words[0].text == "a" && takes_an(words[1].text)) {
            words[0].text = "an";
        }
    }
    if (phrase.relative) {
        const bool person = phrase.kind == NounPhrase::Kind::noun &&
                            has_class(lexicon().nouns[phrase.word].classes, "person");
        append(words, phrase.relative->lacks_subject && person ? "who" : "that",
               thing(phrase.id, kRelative), {head, thing(phrase.relative->id, kVerb)});
        append(words, english_clause(*phrase.relative, &phrase));
    }
    if (phrase.other) {
        append(words, "and", thing(phrase.id, kAnd));
        append(words, english_phrase(*phrase.other, as_object));
    }
    return words;
}

const char* be(const NounPhrase& subject, bool past) {
    if (is_plural(subject)) return past ? "were" : "are";
    return past ? "was" : is_i(subject) ? "am" : "is";
}

/// The auxiliary, where there is one, and the rest of the verb.
struct EnglishVerbGroup {
    Words auxiliary, rest;
};

EnglishVerbGroup verb_group(const Clause& clause, const NounPhrase& subject, bool inverted) {
    const int verb = thing(clause.id, kVerb), tense = thing(clause.id, kTense),
              modal = thing(clause.id, kModal);
    const std::vector<int> helps = {verb, tense, thing(clause.id, kNegation),
                                    thing(clause.id, kQuestion)};
    EnglishVerbGroup group;
    const bool third = !is_plural(subject) && !is_i(subject) && !clause.bare;
    if (!clause.verb) {
        if (clause.tense == Tense::future) {
            append(group.auxiliary, "will", tense, {verb});
            append(group.rest, "be", verb, {thing(clause.id, kPredicate)});
        } else {
            append(group.auxiliary, be(subject, clause.tense == Tense::past), verb,
                   {tense, thing(clause.id, kPredicate)});
        }
        return group;
    }
    const Verb& word = lexicon().verbs[*clause.verb];
    const auto add_verb = [&](const std::string& form) {
        const auto space = form.find(' ');
        append(group.rest, form.substr(0, space), verb, {tense});
        if (space != std::string::npos) append(group.rest, form.substr(space), -1, {verb});
    };
    const bool helped = inverted || clause.negative;
    if (clause.modal == Modal::want || clause.modal == Modal::like) {
        const std::string wish = clause.modal == Modal::want ? "want" : "like";
        if (helped) append(group.auxiliary, third ? "does" : "do", -1, helps);
        append(group.rest, third && !helped ? wish + "s" : wish, modal);
        append(group.rest, "to", -1, {modal, verb});
        add_verb(word.english);
    } else if (clause.modal != Modal::none) {
        const bool cannot = clause.modal == Modal::can && clause.negative && !inverted;
        append(group.auxiliary,
               cannot                          ? "cannot"
               : clause.modal == Modal::can    ? "can"
               : clause.modal == Modal::should ? "should"
                                               : "must",
               modal, cannot ? std::vector<int>{thing(clause.id, kNegation)} : std::vector<int>{});
        add_verb(word.english);
    } else if (clause.tense == Tense::future) {
        append(group.auxiliary, "will", tense, {verb});
        add_verb(word.english);
    } else if (clause.tense == Tense::progressive) {
        append(group.auxiliary, be(subject, false), -1, {tense, verb, thing(clause.id, kNegation)});
        add_verb(word.english_ing);
    } else if (helped) {
        append(group.auxiliary,
               clause.tense == Tense::past ? "did"
               : third                     ? "does"
                                           : "do",
               -1, helps);
        add_verb(word.english);
    } else {
        add_verb(clause.tense == Tense::past ? word.english_past
                 : third                     ? word.english_third
                                             : word.english);
    }
    return group;
}

const char* preposition(Place::Relation relation) {
    switch (relation) {
    case Place::Relation::at: return "at";
    case Place::Relation::in: return "in";
    case Place::Relation::on: return "on";
    case Place::Relation::under: break;
    }
    return "under";
}

const char* asked(Question question) {
    switch (question) {
    case Question::whom:
    case Question::who_is: return "who";
    case Question::what: return "what";
    case Question::where: return "where";
    case Question::why: return "why";
    case Question::when: return "when";
    case Question::how: return "how";
    default: return "";
    }
}

/// One word of the auxiliary and "not": "doesn't".
void contract(Words& auxiliary, const Clause& clause) {
    Word& word = auxiliary.back();
    word.text = word.text == "will" ? "won't" : word.text == "cannot" ? "can't" : word.text + "n't";
    word.minor.push_back(thing(clause.id, kVerb));
    if (word.main >= 0) word.minor.push_back(word.main);
    word.main = thing(clause.id, kNegation);
}

/// Complements: what comes after the verb.
Words complements(const Clause& clause) {
    Words words;
    if (clause.recipient) append(words, english_phrase(*clause.recipient, true));
    if (clause.object && !clause.lacks_object) {
        append(words, english_phrase(*clause.object, true));
    }
    if (clause.same) append(words, english_phrase(*clause.same, true));
    if (clause.adjective) {
        if (clause.very) append(words, "very", thing(clause.id, kVery));
        append(words, lexicon().adjectives[*clause.adjective].english,
               thing(clause.id, kPredicate));
    }
    if (clause.profession) {
        const Noun& noun = lexicon().nouns[*clause.profession];
        const bool many =
            is_plural(clause.subject) && !(clause.subject.kind == NounPhrase::Kind::pronoun &&
                                           clause.subject.pronoun == Pronoun::you);
        const int job = thing(clause.id, kPredicate);
        if (!many)
            append(words, takes_an(noun.english) ? "an" : "a", -1, {job, thing(clause.id, kVerb)});
        append(words, many ? noun.english_plural : noun.english, job);
    }
    if (clause.place) {
        const bool motion = clause.verb && lexicon().verbs[*clause.verb].frame == VerbFrame::motion;
        append(words, motion ? "to" : preposition(clause.place->relation), thing(clause.id, kPlace),
               {thing(clause.place->where.id, kHead), thing(clause.id, kVerb)});
        append(words, english_phrase(clause.place->where, true));
    }
    if (!stands_first(clause)) append_time(words, clause, &TimeWord::english);
    return words;
}

/// Subject of a clause; what "there" stands for comes after the verb.
Words english_subject(const Clause& clause) {
    if (!clause.exists) return english_phrase(clause.subject, false);
    Words there;
    append(there, "there", -1, {thing(clause.id, kVerb)});
    return there;
}

/// `head`: the noun that a relative clause is about.
Words english_clause(const Clause& clause, const NounPhrase* head) {
    const NounPhrase& subject = clause.lacks_subject ? *head : clause.subject;
    const bool inverted = clause.question != Question::none && clause.question != Question::who;
    EnglishVerbGroup group = verb_group(clause, subject, inverted);
    const bool contracted = clause.negative && clause.contracted && !group.auxiliary.empty() &&
                            group.auxiliary.back().text != "am";
    if (contracted) contract(group.auxiliary, clause);
    Words words;
    const bool time_first = stands_first(clause);
    if (time_first) append_time_first(words, clause, &TimeWord::english, ",");
    append(words, asked(clause.question), thing(clause.id, kAsked), {thing(clause.id, kQuestion)});
    if (inverted) {
        // What stands before its subject asks: "should he", "is she".
        for (Word& word : group.auxiliary) word.minor.push_back(thing(clause.id, kQuestion));
        append(words, std::move(group.auxiliary));
    }
    const bool omitted = clause.lacks_subject || clause.omission == Omission::everywhere;
    if (!omitted) append(words, english_subject(clause));
    if (clause.question == Question::who) words.back().minor.push_back(thing(clause.id, kQuestion));
    if (!inverted) append(words, std::move(group.auxiliary));
    const bool cannot = !words.empty() && words.back().text == "cannot";
    if (clause.negative && !cannot && !contracted) {
        append(words, "not", thing(clause.id, kNegation), {thing(clause.id, kVerb)});
    }
    if (!time_first) append_frequency(words, clause, &TimeWord::english);
    append(words, std::move(group.rest));
    if (shows_subject_last(clause)) append(words, english_phrase(clause.subject, false));
    append(words, complements(clause));
    if (clause.question != Question::none) append(words, "?", thing(clause.id, kQuestion));
    return words;
}

} // namespace

Words english(const Sentence& sentence) {
    const int lead = thing(sentence.id, kJoin), saying = thing(sentence.id, kVerb);
    Words words;
    if (sentence.lead == Sentence::Lead::because) append(words, "because", lead);
    if (sentence.lead == Sentence::Lead::if_so) append(words, "if", lead);
    if (sentence.saying != Sentence::Saying::none) {
        constexpr std::array kBases = {"", "think", "say", "know", "hope"};
        std::string verb = kBases[static_cast<std::size_t>(sentence.saying)];
        if (!is_plural(sentence.who) && !is_i(sentence.who)) verb += "s";
        append(words, english_phrase(sentence.who, false));
        append(words, verb, saying);
        append(words, "that", -1, {saying});
    }
    for (std::size_t i = 0; i < sentence.clauses.size(); ++i) {
        const Clause& clause = sentence.clauses[i];
        if (i > 0) {
            constexpr std::array kJoins = {"", "but", "so", "then", "and"};
            if (sentence.joins[i - 1] != Sentence::Join::and_also) {
                append(words, ",", thing(clause.id, kComma), {thing(clause.id, kJoin)});
            }
            append(words, kJoins[static_cast<std::size_t>(sentence.joins[i - 1])],
                   thing(clause.id, kJoin));
        }
        append(words, english_clause(clause, nullptr));
    }
    return words;
}

} // namespace heed::train
