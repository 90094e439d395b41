#include "train/tasks/meaning_parts.hpp"

#include <string_view>

namespace heed::train {

std::size_t MeaningParts::verb_of(VerbFrame frame) {
    // Where adjectives pile up is where French turns the order round.
    const bool of_institutions = frame == VerbFrame::transitive && rng_.percent(15);
    return rng_.one_of(of_institutions ? lexicon().learned : lexicon().verbs_of(frame));
}

/// True where a word of time has to tell what the past form leaves open.
bool MeaningParts::must_have_time(const Clause& clause) const {
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    if (languages_.english_source && verb && verb->same_past() && clause.modal == Modal::none) {
        return clause.tense == Tense::past || clause.tense == Tense::present;
    }
    const bool untold_in_chinese = !verb || verb->state;
    return clause.tense == Tense::past && languages_.chinese_source && untold_in_chinese;
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
    } else if (draw < 72 && verb && verb->progresses && verb->frame != VerbFrame::motion) {
        clause.tense = Tense::progressive;
    } else if (draw < 84 && verb && !verb->state) {
        constexpr Modal kModals[] = {Modal::can, Modal::want, Modal::like, Modal::must,
                                     Modal::should};
        clause.modal = kModals[rng_.below(verb->progresses || verb->with_etre ? 5 : 2)];
    }
}

bool MeaningParts::can_negate(const Clause& clause) const {
    if (clause.modal == Modal::must || clause.very) return false;
    if (clause.tense == Tense::progressive && clause.place) return false;
    if (!clause.verb) return true;
    const Verb& verb = lexicon().verbs[*clause.verb];
    if (verb.frame == VerbFrame::having) {
        return clause.modal == Modal::none && clause.tense != Tense::future;
    }
    // 没有 says both "has not" and "did not"; of 看见 the present is 看不见.
    const bool untold = verb.result && clause.tense == Tense::present &&
                        (clause.modal == Modal::none || clause.modal == Modal::can);
    return !untold;
}

void MeaningParts::draw_verb_clause(Clause& clause, VerbFrame frame) {
    clause.verb = verb_of(frame);
    const Verb& verb = lexicon().verbs[*clause.verb];
    clause.subject = subject(verb.who[verb.who.size() > 1 && rng_.percent(35) ? 1 : 0]);
    clause.place = place_of(verb);
    draw_tense(clause);
    clause.negative = can_negate(clause) && rng_.percent(20);
    clause.contracted = languages_.english_source && rng_.percent(35);
    clause.in_course = languages_.chinese_source && rng_.percent(50);
    const Role role = clause.negative ? Role::negated_object : Role::object;
    if (frame == VerbFrame::transitive) {
        clause.object = object_of(verb, clause.subject, role);
        draw_kind(*clause.object, clause);
        if (!clause.negative) draw_other_object(clause);
    }
    if (frame == VerbFrame::giving) {
        clause.object = noun_phrase(lexicon().nouns_of(rng_.percent(70) ? "thing" : "text"), role);
        clause.recipient = object_of(lexicon().verbs[lexicon().verb("thank")], clause.subject,
                                     Role::negated_object);
    }
    if (frame == VerbFrame::having) {
        clause.object =
            noun_phrase(lexicon().nouns_of(rng_.percent(70) ? "thing" : "animal"), role);
        draw_kind(*clause.object, clause);
    }
}

Clause MeaningParts::clause(bool question) {
    Clause clause;
    const int draw = static_cast<int>(rng_.below(100));
    if (draw < 20) {
        draw_is(clause);
    } else {
        draw_verb_clause(clause, draw < 68   ? VerbFrame::transitive
                                 : draw < 80 ? VerbFrame::intransitive
                                 : draw < 87 ? VerbFrame::motion
                                 : draw < 93
                                     ? (rng_.percent(60) ? VerbFrame::seat : VerbFrame::home)
                                 : draw < 96 ? VerbFrame::giving
                                             : VerbFrame::having);
    }
    const bool plain = clause.modal == Modal::none;
    const bool timeless = clause.same || clause.exists;
    if (must_have_time(clause) || (plain && !timeless && rng_.percent(45))) draw_time(clause);
    const bool habit = clause.verb && clause.tense == Tense::present && plain &&
                       !lexicon().verbs[*clause.verb].state;
    // "Every day" tells how long a state lasts as little as "often" does.
    if (clause.tense == Tense::present && !habit) clause.time.reset();
    // What is over in a moment is no habit until it happens again: 他 经常 丢 雨伞.
    const bool momentary = habit && !lexicon().verbs[*clause.verb].progresses;
    if (habit && !clause.time && !clause.negative && (momentary || rng_.percent(40))) {
        clause.frequency = any(kFrequencies);
    }
    if (question) {
        clause.frequency.reset();
        draw_question(clause);
    }
    draw_time_place(clause);
    return clause;
}

/// Chinese says 昨天 你 吃 了 什么 too, of which English keeps one order.
void MeaningParts::draw_time_place(Clause& clause) {
    const bool may_stand_first = clause.time || clause.frequency == kSometimes;
    const bool told = clause.question == Question::none || languages_.chinese_source;
    if (!may_stand_first || !told || !rng_.percent(35)) return;
    // A comma behind 每天 早上 would hide that it is one word.
    const auto is_short = [](std::string_view chinese) { return chinese.size() == 6; };
    const bool short_word =
        !clause.time || !languages_.chinese || is_short(kTimes[*clause.time].chinese);
    const bool comma = clause.question == Question::none && short_word && rng_.percent(30);
    clause.time_place = comma ? TimePlace::first_comma : TimePlace::first;
}

bool MeaningParts::go_on(Clause& clause, const Clause& before) {
    const NounPhrase& named = before.subject;
    const bool one = named.kind == NounPhrase::Kind::name ||
                     (named.kind == NounPhrase::Kind::pronoun && named.pronoun < Pronoun::who);
    if (!one || named.other || before.exists || clause.exists || clause.same) return false;
    const NounPhrase& subject = clause.subject;
    const bool of_person =
        subject.kind != NounPhrase::Kind::noun || is_person(lexicon().nouns[subject.word].classes);
    const auto is_someone = [](const std::optional<NounPhrase>& phrase) {
        return phrase && phrase->kind != NounPhrase::Kind::noun;
    };
    // Nobody sees himself here.
    if (!of_person || is_someone(clause.object) || is_someone(clause.recipient)) return false;
    NounPhrase again = named;
    again.kind = NounPhrase::Kind::pronoun;
    if (named.kind == NounPhrase::Kind::name) {
        again.pronoun = kNames[named.word].feminine ? Pronoun::she : Pronoun::he;
    }
    clause.subject = again;
    if (languages_.chinese_source && rng_.percent(50)) {
        clause.omission = Omission::in_chinese;
        // Whether a word of time stood before or behind it nobody can tell then.
        clause.time_place = TimePlace::last;
    }
    return true;
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
