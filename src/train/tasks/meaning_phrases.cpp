#include "train/tasks/meaning_parts.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;
using Kind = NounPhrase::Kind;

/// "Some big dogs and the cat" is not said.
bool can_join(const NounPhrase& phrase) {
    if (phrase.kind != Kind::noun) return phrase.kind == Kind::name;
    const bool simple = phrase.adjectives.empty() && !phrase.relative && !phrase.container;
    const bool alike = phrase.determiner == Determiner::the || phrase.determiner == Determiner::a ||
                       phrase.determiner == Determiner::none ||
                       phrase.determiner == Determiner::whose;
    return simple && alike;
}

} // namespace

NounPhrase MeaningParts::subject(const std::string& a_class) {
    const bool person = a_class == "person";
    if (person && rng_.percent(38)) return a_pronoun();
    const bool named = person && rng_.percent(35);
    NounPhrase phrase = named ? a_name() : noun_phrase(lexicon().nouns_of(a_class), Role::subject);
    if (richly(person ? 20 : 12)) draw_other(phrase, a_class);
    return phrase;
}

NounPhrase MeaningParts::a_name() {
    NounPhrase phrase;
    phrase.kind = Kind::name;
    phrase.word = any(kNames);
    return phrase;
}

NounPhrase MeaningParts::a_pronoun() {
    NounPhrase phrase;
    phrase.kind = Kind::pronoun;
    phrase.pronoun = pronoun();
    return phrase;
}

/// "Tom and Mary", "the doctor and the nurse", "my brother and I".
void MeaningParts::draw_other(NounPhrase& phrase, const std::string& a_class) {
    if (!can_join(phrase)) return;
    const bool person = a_class == "person";
    NounPhrase other;
    if (person && rng_.percent(15)) {
        other = a_pronoun();
        other.pronoun = Pronoun::i;
    } else if (person && rng_.percent(phrase.kind == Kind::name ? 75 : 25)) {
        other = a_name();
    } else {
        other = noun_phrase(lexicon().nouns_of(a_class), Role::joined);
    }
    const bool same = other.kind == phrase.kind && other.word == phrase.word;
    if (!same) phrase.other = std::make_shared<NounPhrase>(other);
}

/// "An apple and a pear", "Tom and his sister".
void MeaningParts::draw_other_object(Clause& clause) {
    NounPhrase& object = *clause.object;
    const bool counted = object.kind == Kind::noun && object.determiner == Determiner::count &&
                         !object.container && object.adjectives.empty();
    if (!(can_join(object) || counted) || !richly(16)) return;
    const Verb& verb = lexicon().verbs[*clause.verb];
    NounPhrase other =
        object.kind == Kind::name ? a_name() : noun_phrase(verb.objects, Role::joined);
    if (other.word == object.word || other.container) return;
    draw_kind(other, clause);
    // Two cats and a dog.
    if (counted && !lexicon().nouns[other.word].counted()) return;
    if (counted) {
        other.determiner = Determiner::a;
        other.plural = false;
    }
    object.other = std::make_shared<NounPhrase>(other);
}

/// Draws a kind in place of one that is known: "he reads books". Chinese does not tell: of the bare
/// 书, habits and likings are said of a kind, and what is not yet done of any one.
void MeaningParts::draw_kind(NounPhrase& object, const Clause& clause) {
    const Verb& verb = lexicon().verbs[*clause.verb];
    if (object.kind != Kind::noun || object.determiner != Determiner::the || object.relative)
        return;
    const Noun& noun = lexicon().nouns[object.word];
    if (verb.whole && languages_.chinese && object.adjectives.empty()) {
        object.determiner = Determiner::a;
        object.plural = false;
    }
    if (!verb.generic || !noun.counted() || is_person(noun.classes)) return;
    const bool has_none = clause.negative && verb.frame == VerbFrame::having;
    const bool habit = clause.tense == Tense::present &&
                       (clause.modal == Modal::none || clause.modal == Modal::like);
    if (has_none) {
        object.determiner = Determiner::a;
        object.plural = false;
        object.left_out = true;
    } else if (!languages_.chinese_source) {
        if (object.adjectives.empty() && rng_.percent(40)) return;
        object.determiner = Determiner::none;
        object.plural = true;
    } else if (habit || verb.state) {
        object.determiner = Determiner::none;
        object.plural = true;
    } else if (clause.tense != Tense::past) {
        object.determiner = Determiner::a;
        object.left_out = true;
    }
}

/// 我 妈妈 for 我 的 妈妈.
void MeaningParts::draw_left_out(NounPhrase& phrase) {
    const bool kin = has_class(lexicon().nouns[phrase.word].classes, "kin");
    const bool may = phrase.determiner == Determiner::whose && kin && phrase.adjectives.empty();
    phrase.left_out = may && languages_.chinese_source && rng_.percent(60);
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
    draw_left_out(phrase);
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
                      kRelative = {0, 0, 0, 15, 0}, kJoined = {25, 0, 15, 5, 0};
    Chances chances = role == Role::subject          ? kSubject
                      : role == Role::object         ? kObject
                      : role == Role::negated_object ? kNegated
                      : role == Role::place          ? kPlace
                      : role == Role::joined         ? kJoined
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
    std::stable_sort(phrase.adjectives.begin(), phrase.adjectives.end(), [](auto a, auto b) {
        return lexicon().adjectives[a].order < lexicon().adjectives[b].order;
    });
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
        draw_kind(*relative->object, *relative);
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
            const auto is_itself = [&](const NounPhrase& one) {
                return one.kind == Kind::pronoun && of_two(one.pronoun) == of_two(phrase.pronoun);
            };
            const bool itself = is_itself(subject) || (subject.other && is_itself(*subject.other));
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
    const bool container = std::string_view(a_class) == "in";
    place.brief = relation == Place::Relation::in && !container && languages_.chinese_source &&
                  rng_.percent(40);
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
        if (!richly(18) || verb.with_etre || verb.state || verb.abstract ||
            has_class(verb.what, "building")) {
            return std::nullopt;
        }
        return rng_.percent(60) ? place(Relation::at, "at") : place(Relation::in, "area");
    default: return std::nullopt;
    }
}

} // namespace heed::train
