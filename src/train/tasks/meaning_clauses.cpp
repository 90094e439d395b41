#include "train/tasks/meaning_parts.hpp"

#include <utility>

namespace heed::train {

namespace {

using Kind = NounPhrase::Kind;

} // namespace

std::size_t MeaningParts::verb_of(VerbFrame frame) {
    // Where adjectives pile up is where French turns the order round.
    const bool of_institutions = frame == VerbFrame::transitive && rng_.percent(15);
    return rng_.one_of(of_institutions ? lexicon().learned : lexicon().verbs_of(frame));
}

/// What each past form leaves open is told by a word of time.
bool MeaningParts::must_have_time(const Clause& clause) const {
    if (clause.tense != Tense::past) return false;
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    const bool untold_in_chinese = !verb || verb->state;
    return (languages_.chinese_source && untold_in_chinese) ||
           (languages_.english_source && verb && verb->same_past());
}

void MeaningParts::draw_time(Clause& clause) {
    Choices fitting;
    for (std::size_t i = 0; i < std::size(kTimes); ++i) {
        if (kTimes[i].tense == clause.tense) fitting.push_back(i);
    }
    clause.time = rng_.one_of(fitting);
}

void MeaningParts::draw_tense(Clause& clause) {
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    const int draw = static_cast<int>(rng_.below(100));
    clause.tense = Tense::present;
    if (verb && verb->always) return;
    if (draw < 45) {
        clause.tense = Tense::past;
    } else if (draw < 60 && !clause.profession) {
        clause.tense = Tense::future;
    } else if (draw < 72 && verb && verb->progresses && !clause.place) {
        clause.tense = Tense::progressive;
    } else if (draw < 84 && verb && !verb->state) {
        constexpr Modal kModals[] = {Modal::can, Modal::want, Modal::must, Modal::should};
        clause.modal = kModals[rng_.below(4)];
    }
}

bool MeaningParts::can_negate(const Clause& clause) const {
    if (clause.tense == Tense::progressive || clause.modal == Modal::must || clause.very) {
        return false;
    }
    if (!clause.verb) return true;
    const Verb& verb = lexicon().verbs[*clause.verb];
    // 没有 says both "has not" and "did not"; of 看见 the present is 看不见.
    const bool untold = verb.result && clause.tense == Tense::present &&
                        (clause.modal == Modal::none || clause.modal == Modal::can);
    return verb.frame != VerbFrame::having && !untold;
}

void MeaningParts::draw_verb_clause(Clause& clause, VerbFrame frame) {
    clause.verb = verb_of(frame);
    const Verb& verb = lexicon().verbs[*clause.verb];
    clause.subject = subject(verb.who[verb.who.size() > 1 && rng_.percent(35) ? 1 : 0]);
    clause.place = place_of(verb);
    draw_tense(clause);
    clause.negative = can_negate(clause) && rng_.percent(15);
    const Role role = clause.negative ? Role::negated_object : Role::object;
    if (frame == VerbFrame::transitive) clause.object = object_of(verb, clause.subject, role);
    if (frame == VerbFrame::giving) {
        clause.object = noun_phrase(lexicon().nouns_of(rng_.percent(70) ? "thing" : "text"), role);
        clause.recipient = object_of(lexicon().verbs[lexicon().verb("thank")], clause.subject,
                                     Role::negated_object);
    }
    if (frame == VerbFrame::having) {
        clause.object =
            noun_phrase(lexicon().nouns_of(rng_.percent(70) ? "thing" : "animal"), role);
    }
}

void MeaningParts::draw_is(Clause& clause) {
    if (rng_.percent(25)) {
        clause.profession = rng_.one_of(lexicon().nouns_of("job"));
        clause.subject = subject("person");
        // "The teacher is a teacher" says nothing.
        if (clause.subject.kind == Kind::noun) {
            clause.subject = NounPhrase{};
            clause.subject.kind = Kind::name;
            clause.subject.word = any(kNames);
        }
    } else {
        clause.adjective = rng_.one_of(lexicon().predicates);
        const Adjective& adjective = lexicon().adjectives[*clause.adjective];
        const bool of_person =
            has_class(adjective.classes, "state") || is_person(adjective.classes);
        clause.subject = subject(of_person ? "person" : rng_.one_of(adjective.said_of));
        // "The big house is small": only what stands behind the noun may disagree with it.
        clause.subject.adjectives.clear();
        clause.very = rng_.percent(20);
    }
    draw_tense(clause);
    if (clause.tense == Tense::past && clause.profession && languages_.chinese) {
        clause.tense = Tense::present;
    }
    clause.negative = can_negate(clause) && rng_.percent(18);
}

void MeaningParts::draw_question(Clause& clause) {
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    clause.question = Question::yes_no;
    if (clause.very) clause.very = false;
    const bool can_ask = verb && !clause.negative && clause.modal == Modal::none;
    if (!can_ask || rng_.percent(40)) return;
    const bool stays = verb->frame == VerbFrame::seat || verb->frame == VerbFrame::home;
    const bool open = clause.tense == Tense::present || clause.tense == Tense::future;
    std::vector<Question> fitting;
    if (clause.tense != Tense::progressive) fitting.push_back(Question::who);
    if (!open) fitting.push_back(Question::why);
    if (clause.tense == Tense::future) fitting.push_back(Question::when);
    if (verb->frame == VerbFrame::transitive && !is_person(verb->what)) {
        fitting.push_back(Question::what);
    }
    const bool acts =
        verb->frame == VerbFrame::transitive || verb->frame == VerbFrame::intransitive;
    if (stays ||
        (acts && open && !verb->state && !verb->with_etre && !has_class(verb->what, "building"))) {
        fitting.push_back(Question::where);
    }
    if (fitting.empty()) return;
    clause.question = rng_.one_of(fitting);
    if (clause.question == Question::who) {
        clause.subject = NounPhrase{};
        clause.subject.kind = Kind::pronoun;
        clause.subject.pronoun = Pronoun::who;
    }
    if (clause.question == Question::what) clause.object.reset();
    if (clause.question == Question::where) clause.place.reset();
    if (clause.question == Question::when) clause.time.reset();
}

Clause MeaningParts::clause(bool question) {
    Clause clause;
    const int draw = static_cast<int>(rng_.below(100));
    if (draw < 14) {
        draw_is(clause);
    } else {
        draw_verb_clause(clause, draw < 70   ? VerbFrame::transitive
                                 : draw < 79 ? VerbFrame::intransitive
                                 : draw < 86 ? VerbFrame::motion
                                 : draw < 92
                                     ? (rng_.percent(60) ? VerbFrame::seat : VerbFrame::home)
                                 : draw < 97 ? VerbFrame::giving
                                             : VerbFrame::having);
    }
    const bool plain = clause.modal == Modal::none;
    if (must_have_time(clause) || (plain && rng_.percent(45))) draw_time(clause);
    const bool habit = clause.verb && clause.tense == Tense::present && plain && !clause.negative &&
                       !lexicon().verbs[*clause.verb].state;
    // "Every day" tells how long a state lasts as little as "often" does.
    if (clause.tense == Tense::present && !habit) clause.time.reset();
    // What is over in a moment is no habit until it happens again: 他 经常 丢 雨伞.
    const bool momentary = habit && !lexicon().verbs[*clause.verb].progresses;
    if (habit && !clause.time && (momentary || rng_.percent(40))) {
        clause.frequency = any(kFrequencies);
    }
    if (question) {
        clause.frequency.reset();
        draw_question(clause);
    }
    return clause;
}

Clause MeaningParts::clause_of(Tense tense) {
    for (;;) {
        Clause drawn = clause(false);
        if (drawn.tense == tense && drawn.modal == Modal::none && !drawn.time && !drawn.frequency) {
            return drawn;
        }
    }
}

} // namespace heed::train
