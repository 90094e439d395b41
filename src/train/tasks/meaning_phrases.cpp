#include "train/tasks/meaning_parts.hpp"

#include <algorithm>
#include <memory>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;
using Kind = NounPhrase::Kind;

} // namespace

NounPhrase MeaningParts::subject(const std::string& a_class) {
    NounPhrase phrase;
    const bool person = a_class == "person";
    if (person && rng_.percent(38)) {
        phrase.kind = Kind::pronoun;
        phrase.pronoun = pronoun();
        return phrase;
    }
    if (person && rng_.percent(35)) {
        phrase.kind = Kind::name;
        phrase.word = any(kNames);
    } else {
        phrase = noun_phrase(lexicon().nouns_of(a_class), Role::subject);
    }
    const bool can_join =
        !phrase.relative && !phrase.owner && phrase.determiner != Determiner::none;
    if (person && can_join && richly(10)) {
        auto other = std::make_shared<NounPhrase>();
        other->kind = Kind::name;
        other->word = any(kNames);
        if (phrase.kind == Kind::noun || other->word != phrase.word) phrase.other = other;
    }
    return phrase;
}

NounPhrase MeaningParts::noun_phrase(const Choices& nouns, Role role) {
    NounPhrase phrase;
    phrase.word = rng_.one_of(nouns);
    if (lexicon().nouns[phrase.word].counted()) {
        draw_determiner(phrase, role);
    } else {
        draw_mass(phrase, role);
    }
    if (!phrase.container) draw_adjectives(phrase);
    if (role == Role::subject || role == Role::object) draw_relative(phrase);
    return phrase;
}

void MeaningParts::draw_determiner(NounPhrase& phrase, Role role) {
    const bool person = is_person(lexicon().nouns[phrase.word].classes);
    const bool kin = has_class(lexicon().nouns[phrase.word].classes, "kin");
    // "A", several, "my", "this", "the teacher's", of 100; "the" is the rest.
    struct Chances {
        int a, several, whose, this_one, owner;
    };
    constexpr Chances kSubject = {8, 25, 15, 12, 6}, kObject = {42, 22, 8, 10, 6},
                      kNegated = {0, 0, 25, 25, 10}, kPlace = {0, 0, 8, 8, 0},
                      kRelative = {0, 0, 0, 15, 0};
    Chances chances = role == Role::subject          ? kSubject
                      : role == Role::object         ? kObject
                      : role == Role::negated_object ? kNegated
                      : role == Role::place          ? kPlace
                                                     : kRelative;
    // Friends are someone's; "his nurse" is not said.
    if (person) chances = {chances.a, chances.several, kin ? 60 : 0, kin ? 5 : 10, 0};
    auto falls = [draw = static_cast<int>(rng_.below(100))](int chance) mutable {
        draw -= chance;
        return draw < 0;
    };
    if (falls(chances.a)) {
        phrase.determiner = Determiner::a;
    } else if (falls(chances.several)) {
        constexpr Determiner kSeveral[] = {Determiner::some, Determiner::many, Determiner::count};
        phrase.determiner = kSeveral[rng_.below(3)];
        phrase.plural = true;
        phrase.count = rng_.between(2, 10);
    } else if (falls(chances.whose)) {
        phrase.determiner = Determiner::whose;
    } else if (falls(chances.this_one)) {
        phrase.determiner = rng_.percent(60) ? Determiner::this_one : Determiner::that_one;
        phrase.plural = rng_.percent(35);
    } else if (falls(chances.owner)) {
        phrase.determiner = Determiner::owner;
        phrase.owner = std::make_shared<NounPhrase>();
        if (rng_.percent(50)) {
            phrase.owner->kind = Kind::name;
            phrase.owner->word = any(kNames);
        } else {
            phrase.owner->word = rng_.one_of(lexicon().nouns_of("person"));
        }
    }
    if (phrase.determiner == Determiner::whose) phrase.whose = pronoun();
    // Chinese says of people alone that they are several without saying how many.
    const bool may_be_several = (!languages_.chinese || person) && role != Role::place;
    const bool open =
        phrase.determiner == Determiner::the || phrase.determiner == Determiner::whose;
    if (open && may_be_several && role != Role::relative_subject) {
        phrase.plural = rng_.percent(30);
    }
}

void MeaningParts::draw_mass(NounPhrase& phrase, Role role) {
    const std::vector<std::string>& classes = lexicon().nouns[phrase.word].classes;
    phrase.determiner = Determiner::none;
    std::vector<std::string> containers;
    for (const char* container : {"cup", "bottle", "bowl"}) {
        if (has_class(classes, container)) containers.emplace_back(container);
    }
    if (role == Role::object && !containers.empty() && rng_.percent(45)) {
        phrase.container = lexicon().noun(rng_.one_of(containers));
        phrase.plural = rng_.percent(40);
        phrase.determiner = phrase.plural ? Determiner::count : Determiner::a;
        phrase.count = rng_.between(2, 10);
    } else if (rng_.percent(15)) {
        phrase.determiner = Determiner::whose;
        phrase.whose = pronoun();
    } else if (!languages_.chinese && rng_.percent(40)) {
        phrase.determiner = Determiner::the;
    }
}

void MeaningParts::draw_adjectives(NounPhrase& phrase) {
    const Fitting& fitting = lexicon().nouns[phrase.word].fitting;
    if (has_class(lexicon().nouns[phrase.word].classes, "institution")) {
        if (richly(60)) phrase.adjectives.push_back(rng_.one_of(fitting.wide));
        if (richly(60)) phrase.adjectives.push_back(rng_.one_of(fitting.narrow));
        return;
    }
    // In English's order: an interesting new book, a small red car.
    const bool has_opinion = !fitting.opinion.empty() && richly(12);
    if (has_opinion) phrase.adjectives.push_back(rng_.one_of(fitting.opinion));
    if (!fitting.before.empty() && richly(18)) {
        const std::size_t before = rng_.one_of(fitting.before);
        // A good interesting book is praised twice.
        const bool praises = has_class(lexicon().adjectives[before].classes, "praise");
        if (!has_opinion || !praises) phrase.adjectives.push_back(before);
    }
    if (!has_opinion && !fitting.after.empty() && richly(16)) {
        phrase.adjectives.push_back(rng_.one_of(fitting.after));
    }
}

/// "that I bought", "who is reading a book".
void MeaningParts::draw_relative(NounPhrase& phrase) {
    const std::vector<std::string>& classes = lexicon().nouns[phrase.word].classes;
    const bool bare = phrase.determiner == Determiner::the ||
                      (phrase.determiner == Determiner::none && languages_.chinese);
    if (!bare || phrase.plural || !phrase.adjectives.empty() || !richly(14)) return;
    const bool of_person = is_person(classes);
    auto relative = std::make_shared<Clause>();
    Choices verbs;
    for (std::size_t i = 0; i < lexicon().verbs.size(); ++i) {
        const Verb& verb = lexicon().verbs[i];
        if (verb.frame != VerbFrame::transitive || verb.state) continue;
        const bool does = of_person && is_person(verb.who) && verb.progresses;
        const bool is_done = std::any_of(verb.what.begin(), verb.what.end(),
                                         [&](const auto& c) { return has_class(classes, c); });
        if (of_person ? does : is_done) verbs.push_back(i);
    }
    if (verbs.empty()) return;
    relative->verb = rng_.one_of(verbs);
    const Verb& verb = lexicon().verbs[*relative->verb];
    if (of_person) {
        relative->lacks_subject = true;
        relative->tense = rng_.percent(50) ? Tense::progressive : Tense::past;
        relative->object = object_of(verb, phrase, Role::relative_subject);
    } else {
        relative->lacks_object = true;
        relative->tense = Tense::past;
        if (rng_.percent(50)) {
            relative->subject.kind = Kind::pronoun;
            relative->subject.pronoun = pronoun();
        } else if (rng_.percent(50)) {
            relative->subject.kind = Kind::name;
            relative->subject.word = any(kNames);
        } else {
            relative->subject = noun_phrase(lexicon().nouns_of("person"), Role::relative_subject);
        }
    }
    if (relative->tense == Tense::past && (must_have_time(*relative) || rng_.percent(60))) {
        draw_time(*relative);
    }
    phrase.relative = relative;
    phrase.determiner = Determiner::the; // of tea too: the tea that I drank
}

NounPhrase MeaningParts::object_of(const Verb& verb, const NounPhrase& subject, Role role) {
    NounPhrase phrase;
    if (is_person(verb.what) && rng_.percent(45)) {
        if (rng_.percent(60)) {
            phrase.kind = Kind::pronoun;
            phrase.pronoun = pronoun();
            // Nobody sees himself here: languages say that in other words.
            const auto of_two = [](Pronoun p) {
                return p == Pronoun::we ? Pronoun::i : p == Pronoun::they ? Pronoun::he : p;
            };
            const bool itself =
                subject.kind == Kind::pronoun && of_two(subject.pronoun) == of_two(phrase.pronoun);
            if (!itself && role != Role::relative_subject) return phrase;
        }
        phrase.kind = Kind::name;
        phrase.word = any(kNames);
        if (subject.kind != Kind::name || subject.word != phrase.word) return phrase;
    }
    return noun_phrase(verb.objects, role);
}

Place MeaningParts::place(Place::Relation relation, const char* a_class) {
    Place place;
    place.relation = relation;
    place.where = noun_phrase(lexicon().nouns_of(a_class), Role::place);
    return place;
}

std::optional<Place> MeaningParts::place_of(const Verb& verb) {
    using Relation = Place::Relation;
    switch (verb.frame) {
    case VerbFrame::motion: return place(Relation::at, rng_.percent(70) ? "at" : "area");
    case VerbFrame::seat: {
        const int draw = static_cast<int>(rng_.below(3));
        return draw == 0   ? place(Relation::on, "on")
               : draw == 1 ? place(Relation::under, "under")
                           : place(Relation::in, "area");
    }
    case VerbFrame::home: return place(Relation::in, "home");
    case VerbFrame::transitive:
    case VerbFrame::intransitive:
        if (!richly(18) || verb.with_etre || verb.state) return std::nullopt;
        return rng_.percent(60) ? place(Relation::at, "at") : place(Relation::in, "area");
    default: return std::nullopt;
    }
}

} // namespace heed::train
