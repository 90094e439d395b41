// French from a meaning. Words are written whole, "de" "le" "eau"; what French joins is joined
// last.
#include "train/tasks/french_forms.hpp"
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;
using namespace french_forms;

constexpr std::array kFrenchSubjects = {"je",  "vous", "il", "elle", "nous",
                                        "ils", "qui",  "ce", "ce"};
constexpr std::array kDirect = {"me", "vous", "le", "la", "nous", "les", ""};
constexpr std::array kIndirect = {"me", "vous", "lui", "lui", "nous", "leur", ""};
/// Before a masculine noun, a feminine one, several.
constexpr std::array<std::array<const char*, 3>, 6> kFrenchPossessives = {
    {{"mon", "ma", "mes"},
     {"votre", "votre", "vos"},
     {"son", "sa", "ses"},
     {"son", "sa", "ses"},
     {"notre", "notre", "nos"},
     {"leur", "leur", "leurs"}}};
constexpr std::array kFrenchNumbers = {"zéro", "un",   "deux", "trois", "quatre", "cinq",
                                       "six",  "sept", "huit", "neuf",  "dix"};

Words french_clause(const Clause& clause, const NounPhrase* head);
Words french_phrase(const NounPhrase& phrase, bool negated = false, bool definite_mass = false);

bool is_pronoun(const NounPhrase& phrase) { return phrase.kind == NounPhrase::Kind::pronoun; }

/// Articles and what stands for them. `first`: the word that follows.
void append_determiner(Words& words, const NounPhrase& phrase, const Agreement& with,
                       std::string_view first, bool before, bool negated, bool definite_mass) {
    const int head = thing(phrase.id, kHead), determiner = thing(phrase.id, kDeterminer);
    const std::vector<int> of_head = {head};
    const char* the = with.plural ? "les" : with.feminine ? "la" : "le";
    const bool vowel = begins_with_vowel(first);
    switch (phrase.determiner) {
    case Determiner::the:
    case Determiner::owner: append(words, the, determiner, of_head); break;
    case Determiner::a:
        append(words, negated ? "de" : with.feminine ? "une" : "un", determiner, of_head);
        break;
    case Determiner::some:
        append(words, negated || before ? "de" : "des", determiner, of_head);
        break;
    case Determiner::many: append(words, "beaucoup de", determiner, of_head); break;
    case Determiner::this_one:
    case Determiner::that_one:
        append(words,
               with.plural     ? "ces"
               : with.feminine ? "cette"
               : vowel         ? "cet"
                               : "ce",
               determiner, of_head);
        break;
    case Determiner::count:
        append(words, kFrenchNumbers[static_cast<std::size_t>(phrase.count)], determiner, of_head);
        break;
    case Determiner::whose: {
        const auto& forms = kFrenchPossessives[static_cast<std::size_t>(phrase.whose)];
        append(words,
               forms[with.plural               ? 2
                     : with.feminine && !vowel ? 1
                                               : 0],
               determiner, of_head);
        break;
    }
    case Determiner::none:
        if (definite_mass) {
            append(words, the, -1, of_head);
        } else {
            append(words, "de", -1, of_head);
            const bool partitive = !negated && !(with.plural && before);
            if (partitive) append(words, the, -1, of_head);
        }
        break;
    }
}

/// Adjectives, the noun, adjectives in the other order: la petite voiture rouge, la zone
/// économique européenne.
Words noun_words(const NounPhrase& phrase, const Agreement& with) {
    const Noun& noun = lexicon().nouns[phrase.word];
    Words words, after;
    std::string text = phrase.woman ? noun.french_woman : noun.french;
    if (with.plural && !phrase.container) text = noun.french_plural;
    for (std::size_t i = 0; i < phrase.adjectives.size(); ++i) {
        const Adjective& adjective = lexicon().adjectives[phrase.adjectives[i]];
        const Word word{agreed(adjective, with),
                        thing(phrase.id, kFirstAdjective + static_cast<int>(i)),
                        {},
                        {}};
        if (adjective.before) {
            words.push_back(word);
        } else {
            after.insert(after.begin(), word);
        }
    }
    append(words, text, thing(phrase.id, kHead));
    // un bel homme
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (with.feminine || with.plural || !begins_with_vowel(words[i + 1].text)) continue;
        for (const Adjective& adjective : lexicon().adjectives) {
            if (adjective.before && adjective.french == words[i].text) {
                words[i].text = adjective.french_before_vowel;
                break;
            }
        }
    }
    append(words, std::move(after));
    return words;
}

Words french_phrase(const NounPhrase& phrase, bool negated, bool definite_mass) {
    const int head = thing(phrase.id, kHead);
    Words words;
    if (is_pronoun(phrase)) {
        append(words, form_of(kFrenchSubjects, phrase.pronoun), head);
    } else if (phrase.kind == NounPhrase::Kind::name) {
        append(words, kNames[phrase.word].english, head);
    } else {
        const Agreement with = agreement_of(phrase);
        Agreement own = with; // without what "and" adds
        own.plural = phrase.plural;
        own.feminine =
            phrase.woman || lexicon().nouns[phrase.container.value_or(phrase.word)].feminine;
        Agreement of_noun = own;
        of_noun.feminine = phrase.woman || lexicon().nouns[phrase.word].feminine;
        Words noun = noun_words(phrase, of_noun);
        if (phrase.container) {
            const Noun& container = lexicon().nouns[*phrase.container];
            const int holding = thing(phrase.id, kContainer);
            Words whole;
            append(whole, phrase.plural ? container.french_plural : container.french, holding);
            append(whole, "de", -1, {holding, head});
            append(whole, std::move(noun));
            noun = std::move(whole);
        }
        const bool before =
            !phrase.adjectives.empty() && lexicon().adjectives[phrase.adjectives.front()].before;
        append_determiner(words, phrase, own, noun.front().text, before, negated, definite_mass);
        append(words, std::move(noun));
        if (phrase.owner) {
            append(words, "de", thing(phrase.id, kOwning), {thing(phrase.owner->id, kHead)});
            append(words, french_phrase(*phrase.owner));
        }
    }
    if (phrase.relative) {
        append(words, phrase.relative->lacks_subject ? "qui" : "que", thing(phrase.id, kRelative),
               {head, thing(phrase.relative->id, kVerb)});
        append(words, french_clause(*phrase.relative, &phrase));
    }
    if (phrase.other) {
        append(words, "et", thing(phrase.id, kAnd));
        if (is_pronoun(*phrase.other)) {
            append(words, "moi", thing(phrase.other->id, kHead));
        } else {
            append(words, french_phrase(*phrase.other, negated, definite_mass));
        }
    }
    return words;
}

const Forms& modal_forms(Modal modal) {
    switch (modal) {
    case Modal::can: return kCan;
    case Modal::want: return kWant;
    case Modal::like: return kLike;
    case Modal::must: return kMust;
    default: return kShould;
    }
}

/// The finite verb, and what of the verb comes after "pas".
struct FrenchVerbGroup {
    Words finite, rest;
};

void append_future(Words& words, const std::string& stem, int person, int verb, int tense) {
    append(words, stem + kFuture[static_cast<std::size_t>(person)], verb, {tense});
}

FrenchVerbGroup verb_group(const Clause& clause, const Agreement& subject,
                           const NounPhrase* preceding) {
    const int verb = thing(clause.id, kVerb), tense = thing(clause.id, kTense);
    const auto person = static_cast<std::size_t>(subject.person);
    FrenchVerbGroup group;
    const Verb* word = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    if (clause.exists) {
        append(group.finite, kAvoir[1], verb, {tense});
    } else if (!word || !word->french_adjective.empty()) {
        const int is = word ? -1 : verb;
        const std::vector<int> minor = {verb, tense};
        if (clause.tense == Tense::future) {
            append(group.finite, "ser" + kFuture[person], is, minor);
        } else {
            append(group.finite, (clause.tense == Tense::past ? kEtait : kEtre)[person], is, minor);
        }
        if (word) {
            Adjective seated;
            seated.french = word->french_adjective;
            seated.french_feminine = seated.french == "debout" ? "debout" : seated.french + "e";
            append(group.rest, seated.french == "debout" ? seated.french : agreed(seated, subject),
                   verb);
        }
    } else if (clause.modal != Modal::none) {
        append(group.finite, modal_forms(clause.modal)[person], thing(clause.id, kModal));
        append(group.rest, word->french, verb);
    } else if (clause.tense == Tense::future) {
        append_future(group.finite, word->french_future, subject.person, verb, tense);
    } else if (clause.tense == Tense::past) {
        append(group.finite, (word->with_etre ? kEtre : kAvoir)[person], -1, {tense, verb});
        const bool agrees = word->with_etre || preceding;
        append(group.rest,
               agrees ? agreed_participle(word->french_participle,
                                          preceding ? agreement_of(*preceding) : subject)
                      : word->french_participle,
               verb, {tense});
    } else {
        append(group.finite, word->french_present[person], verb, {tense});
    }
    return group;
}

void append_is_it_that(Words& words, const Clause& clause) {
    append(words, "est - ce que", -1, {thing(clause.id, kQuestion), thing(clause.id, kVerb)});
}

/// Où est le livre ? Qui est - il ?
bool inverts(const Clause& clause) {
    return !clause.verb &&
           (clause.question == Question::where || clause.question == Question::who_is);
}

/// "il" behind its verb takes a hyphen, "il" before it none.
void append_subject(Words& words, const Clause& clause) {
    if (clause.exists) return append(words, "il y", -1, {thing(clause.id, kVerb)});
    if (inverts(clause) && is_pronoun(clause.subject)) {
        append(words, "-", -1, {thing(clause.subject.id, kHead)});
    }
    append(words, french_phrase(clause.subject));
}

void append_question(Words& words, const Clause& clause) {
    const int asked = thing(clause.id, kAsked), question = thing(clause.id, kQuestion);
    switch (clause.question) {
    case Question::who_is: // "qui est - il"
    case Question::whom: append(words, "qui", asked, {question}); break;
    case Question::what: append(words, "que", asked, {question}); break;
    case Question::where: append(words, "où", asked, {question}); break;
    case Question::why: append(words, "pourquoi", asked, {question}); break;
    case Question::when: append(words, "quand", asked, {question}); break;
    case Question::how: append(words, "comment", asked, {question}); break;
    case Question::none:
    case Question::who: return;
    case Question::yes_no: break;
    }
    if (!inverts(clause)) append_is_it_that(words, clause);
}

const char* preposition(const Clause& clause) {
    if (clause.verb && lexicon().verbs[*clause.verb].frame == VerbFrame::motion) return "à";
    switch (clause.place->relation) {
    case Place::Relation::at: return "à";
    case Place::Relation::in: return "dans";
    case Place::Relation::on: return "sur";
    case Place::Relation::under: break;
    }
    return "sous";
}

/// le, me, lui: before the verb.
struct Clitics {
    Words words;
    const NounPhrase* direct = nullptr;
};

Clitics clitics(const Clause& clause) {
    Clitics found;
    if (clause.recipient && is_pronoun(*clause.recipient)) {
        append(found.words, form_of(kIndirect, clause.recipient->pronoun),
               thing(clause.recipient->id, kHead));
    }
    if (clause.object && is_pronoun(*clause.object)) {
        append(found.words, form_of(kDirect, clause.object->pronoun),
               thing(clause.object->id, kHead));
        found.direct = &*clause.object;
    }
    return found;
}

/// Complements: what comes after the verb.
Words complements(const Clause& clause, const Agreement& subject) {
    Words words;
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    // On aime le thé, on boit du thé.
    const bool definite_mass = verb && (verb->english == "like" || verb->english == "love");
    const bool has_object = clause.object && !clause.lacks_object;
    if (has_object && !is_pronoun(*clause.object)) {
        append(words, french_phrase(*clause.object, clause.negative, definite_mass));
    }
    if (clause.same) append(words, french_phrase(*clause.same));
    if (shows_subject_last(clause)) append(words, french_phrase(clause.subject, clause.negative));
    if (clause.recipient && !is_pronoun(*clause.recipient)) {
        append(words, "à", -1, {thing(clause.recipient->id, kHead)});
        append(words, french_phrase(*clause.recipient));
    }
    const int predicate = thing(clause.id, kPredicate);
    if (clause.adjective) {
        if (clause.very) append(words, "très", thing(clause.id, kVery));
        append(words, agreed(lexicon().adjectives[*clause.adjective], subject), predicate);
    }
    if (clause.profession) {
        const Noun& noun = lexicon().nouns[*clause.profession];
        const std::string one = subject.feminine ? noun.french_woman : noun.french;
        append(words, subject.plural ? plural_of(one, subject.feminine) : one, predicate);
    }
    if (clause.place) {
        append(words, preposition(clause), thing(clause.id, kPlace),
               {thing(clause.place->where.id, kHead), thing(clause.id, kVerb)});
        append(words, french_phrase(clause.place->where));
    }
    if (!stands_first(clause)) append_time(words, clause, &TimeWord::french);
    return words;
}

Words french_clause(const Clause& clause, const NounPhrase* head) {
    const NounPhrase& subject = clause.lacks_subject ? *head : clause.subject;
    const Agreement with = agreement_of(subject);
    const int verb = thing(clause.id, kVerb), negation = thing(clause.id, kNegation);
    Words words;
    const bool time_first = stands_first(clause);
    if (time_first) append_time_first(words, clause, &TimeWord::french, ",");
    append_question(words, clause);
    const bool omitted = clause.lacks_subject || clause.omission == Omission::everywhere;
    if (!omitted && !inverts(clause)) append_subject(words, clause);
    if (clause.question == Question::who) words.back().minor.push_back(thing(clause.id, kQuestion));
    const Clitics before = clitics(clause);
    const NounPhrase* preceding = clause.lacks_object ? head : before.direct;
    FrenchVerbGroup group = verb_group(clause, with, preceding);
    if (clause.negative) append(words, "ne", -1, {negation, verb});
    const bool with_infinitive = clause.modal != Modal::none;
    if (!with_infinitive) append(words, before.words);
    append(words, std::move(group.finite));
    if (inverts(clause)) append_subject(words, clause);
    if (clause.negative) append(words, "pas", negation);
    if (!time_first) append_frequency(words, clause, &TimeWord::french);
    if (with_infinitive) append(words, before.words);
    append(words, std::move(group.rest));
    append(words, complements(clause, with));
    if (clause.question != Question::none) append(words, "?", thing(clause.id, kQuestion));
    return words;
}

} // namespace

Words french(const Sentence& sentence) {
    const int lead = thing(sentence.id, kJoin), saying = thing(sentence.id, kVerb);
    Words words;
    if (sentence.lead == Sentence::Lead::because) append(words, "comme", lead);
    if (sentence.lead == Sentence::Lead::if_so) append(words, "si", lead);
    if (sentence.saying != Sentence::Saying::none) {
        static const std::array<Forms, 5> kForms = {
            {{},
             {"pense", "pense", "pensons", "pensez", "pensent"},
             {"dis", "dit", "disons", "dites", "disent"},
             {"sais", "sait", "savons", "savez", "savent"},
             {"espère", "espère", "espérons", "espérez", "espèrent"}}};
        const auto person = static_cast<std::size_t>(agreement_of(sentence.who).person);
        append(words, french_phrase(sentence.who));
        append(words, kForms[static_cast<std::size_t>(sentence.saying)][person], saying);
        append(words, "que", -1, {saying});
    }
    for (std::size_t i = 0; i < sentence.clauses.size(); ++i) {
        const Clause& clause = sentence.clauses[i];
        if (i > 0) {
            constexpr std::array kJoins = {"", "mais", "donc", "puis", "et"};
            if (sentence.joins[i - 1] != Sentence::Join::and_also) {
                append(words, ",", thing(clause.id, kComma), {thing(clause.id, kJoin)});
            }
            append(words, kJoins[static_cast<std::size_t>(sentence.joins[i - 1])],
                   thing(clause.id, kJoin));
        }
        append(words, french_clause(clause, nullptr));
    }
    return join(std::move(words));
}

} // namespace heed::train
