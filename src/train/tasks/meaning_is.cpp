// Clauses without a verb of their own: she is tired, is my sister, is in the garden; there is a
// cat.
#include "train/tasks/meaning_parts.hpp"

#include <string>

namespace heed::train {

namespace {

using Kind = NounPhrase::Kind;

bool is_woman(const NounPhrase& person) {
    switch (person.kind) {
    case Kind::name: return kNames[person.word].feminine;
    case Kind::noun: return lexicon().nouns[person.word].feminine;
    case Kind::pronoun: break;
    }
    return person.pronoun == Pronoun::she;
}

/// "This girl": who is said to be someone.
NounPhrase that_person(TaskRng& rng) {
    constexpr const char* kPeople[] = {"man", "woman", "boy", "girl"};
    NounPhrase person;
    person.word = lexicon().noun(kPeople[rng.below(std::size(kPeople))]);
    person.determiner =
        rng.percent(50) ? NounPhrase::Determiner::this_one : NounPhrase::Determiner::that_one;
    return person;
}

} // namespace

void MeaningParts::draw_profession(Clause& clause) {
    clause.profession = rng_.one_of(lexicon().nouns_of("job"));
    clause.subject = subject("person");
    // "The teacher is a teacher" says nothing.
    if (clause.subject.kind == Kind::noun) clause.subject = a_name();
}

void MeaningParts::draw_quality(Clause& clause) {
    clause.adjective = rng_.one_of(lexicon().predicates);
    const Adjective& adjective = lexicon().adjectives[*clause.adjective];
    const bool of_person = has_class(adjective.classes, "state") || is_person(adjective.classes);
    clause.subject = subject(of_person ? "person" : rng_.one_of(adjective.said_of));
    // "The big house is small": only what stands behind the noun may disagree with it.
    clause.subject.adjectives.clear();
    if (clause.subject.other) clause.subject.other->adjectives.clear();
    clause.very = rng_.percent(20);
}

/// "He is my friend", "this is her book".
void MeaningParts::draw_same(Clause& clause) {
    NounPhrase same;
    if (rng_.percent(45)) {
        clause.subject.kind = Kind::pronoun;
        clause.subject.pronoun = rng_.percent(65) ? Pronoun::this_one : Pronoun::that_one;
        same.word = rng_.one_of(lexicon().nouns_of(rng_.percent(70) ? "thing" : "person"));
        const std::vector<std::string>& classes = lexicon().nouns[same.word].classes;
        const bool owned = !is_person(classes) || has_class(classes, "kin");
        same.determiner =
            owned && rng_.percent(65) ? NounPhrase::Determiner::whose : NounPhrase::Determiner::a;
    } else {
        clause.subject = rng_.percent(35)   ? that_person(rng_)
                         : rng_.percent(50) ? a_name()
                                            : a_pronoun();
        while (clause.subject.kind == Kind::pronoun && clause.subject.pronoun > Pronoun::she) {
            clause.subject.pronoun = pronoun();
        }
        const bool either =
            clause.subject.kind == Kind::pronoun && clause.subject.pronoun < Pronoun::he;
        const bool woman = !either && is_woman(clause.subject);
        do {
            same.word = rng_.one_of(lexicon().nouns_of("kin"));
            same.woman = woman && !lexicon().nouns[same.word].french_woman.empty();
        } while (!same.woman && lexicon().nouns[same.word].feminine != woman);
        same.determiner = NounPhrase::Determiner::whose;
        // 他 是 一个 老师 beside 他 是 老师.
        if (languages_.chinese_source && rng_.percent(30)) {
            same = NounPhrase{};
            same.word = rng_.one_of(lexicon().nouns_of("job"));
            same.determiner = NounPhrase::Determiner::a;
        }
    }
    do {
        same.whose = pronoun();
    } while (clause.subject.kind == Kind::pronoun && clause.subject.pronoun == same.whose);
    draw_left_out(same);
    clause.same = same;
}

/// "The book is on the table": 书 在 桌子 上.
void MeaningParts::draw_is_at(Clause& clause) {
    using Relation = Place::Relation;
    if (rng_.percent(50)) {
        clause.subject = subject("person");
        clause.place = rng_.percent(50) ? place(Relation::at, "at") : place(Relation::in, "area");
        return;
    }
    clause.subject = subject(rng_.percent(60) ? "thing" : "animal");
    const int draw = static_cast<int>(rng_.below(100));
    clause.place = draw < 45   ? place(Relation::on, "on")
                   : draw < 70 ? place(Relation::under, "under")
                               : place(Relation::in, rng_.percent(50) ? "in" : "area");
    // A bag is in no bag.
    if (clause.place->where.word == clause.subject.word) {
        clause.place = place(Relation::in, "room");
    }
}

/// "There is a cat under the table": 桌子 下 有 一只 猫.
void MeaningParts::draw_exists(Clause& clause) {
    clause.exists = true;
    draw_is_at(clause);
    NounPhrase there;
    there.word = rng_.one_of(lexicon().nouns_of(
        clause.place->where.word == clause.subject.word || rng_.percent(60) ? "thing" : "animal"));
    if (there.word == clause.place->where.word) there.word = lexicon().noun("cat");
    there.determiner = NounPhrase::Determiner::a;
    if (rng_.percent(35)) {
        constexpr NounPhrase::Determiner kSeveral[] = {NounPhrase::Determiner::some,
                                                       NounPhrase::Determiner::many,
                                                       NounPhrase::Determiner::count};
        there.determiner = kSeveral[rng_.below(3)];
        there.plural = true;
        there.count = rng_.between(2, 10);
    }
    draw_adjectives(there);
    clause.subject = there;
    if (clause.place->relation == Place::Relation::at) {
        clause.place = place(Place::Relation::in, "area");
    }
}

void MeaningParts::draw_is(Clause& clause) {
    const int draw = static_cast<int>(rng_.below(100));
    if (draw < 15) {
        draw_profession(clause);
    } else if (draw < 30) {
        draw_same(clause);
    } else if (draw < 50) {
        draw_is_at(clause);
    } else if (draw < 58) {
        draw_exists(clause);
    } else {
        draw_quality(clause);
    }
    const bool stays = clause.same || clause.exists;
    if (!stays) draw_tense(clause);
    if (clause.tense == Tense::past && clause.profession && languages_.chinese) {
        clause.tense = Tense::present;
    }
    clause.negative = !clause.exists && can_negate(clause) && rng_.percent(20);
    clause.contracted = languages_.english_source && rng_.percent(35);
}

} // namespace heed::train
