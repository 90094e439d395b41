// Turns a clause into a question.
#include "train/tasks/meaning_parts.hpp"

namespace heed::train {

namespace {

using Kind = NounPhrase::Kind;

bool is_this(const NounPhrase& phrase) {
    return phrase.kind == Kind::pronoun && phrase.pronoun >= Pronoun::this_one;
}

} // namespace

/// "Who is tired ?", "where is the book ?", "what is this ?"
void MeaningParts::draw_question_of_is(Clause& clause) {
    const bool plain = !clause.negative && clause.tense != Tense::future;
    if (rng_.percent(40)) return;
    if (clause.adjective) {
        const bool of_person = is_person(lexicon().adjectives[*clause.adjective].classes) ||
                               has_class(lexicon().adjectives[*clause.adjective].classes, "state");
        ask(clause,
            of_person && !clause.negative && rng_.percent(50) ? Question::who : Question::why);
    } else if (clause.place && !clause.exists && plain) {
        const NounPhrase& subject = clause.subject;
        const bool person =
            subject.kind != Kind::noun || is_person(lexicon().nouns[subject.word].classes);
        ask(clause, person && rng_.percent(25) ? Question::who : Question::where);
    } else if (clause.exists) {
        ask(clause, Question::what);
    } else if (clause.same && plain) {
        ask(clause, is_this(clause.subject) ? Question::what
                    : rng_.percent(40)      ? Question::who
                                            : Question::who_is);
    }
}

std::vector<Question> MeaningParts::questions_of(const Clause& clause) const {
    const Verb& verb = lexicon().verbs[*clause.verb];
    const bool stays = verb.frame == VerbFrame::seat || verb.frame == VerbFrame::home;
    const bool goes = verb.frame == VerbFrame::motion;
    const bool open = clause.tense == Tense::present || clause.tense == Tense::future;
    std::vector<Question> fitting = {Question::who, Question::why};
    if (clause.negative) return fitting;
    if (open && !verb.state && clause.modal == Modal::none) fitting.push_back(Question::when);
    if (clause.tense == Tense::past && !languages_.chinese) fitting.push_back(Question::when);
    if (verb.frame == VerbFrame::transitive) {
        fitting.push_back(is_person(verb.what) ? Question::whom : Question::what);
    }
    const bool acts = verb.frame == VerbFrame::transitive || verb.frame == VerbFrame::intransitive;
    const bool somewhere =
        acts && !verb.state && !verb.with_etre && !has_class(verb.what, "building");
    if (stays || goes || (open && somewhere)) fitting.push_back(Question::where);
    if (open && (goes || (acts && !verb.state && verb.progresses)))
        fitting.push_back(Question::how);
    return fitting;
}

void MeaningParts::ask(Clause& clause, Question question) {
    clause.question = question;
    if (question == Question::who) {
        clause.subject = NounPhrase{};
        clause.subject.kind = Kind::pronoun;
        clause.subject.pronoun = Pronoun::who;
        if (clause.same) clause.same->woman = false; // "who" does not tell
    }
    if (question == Question::what || question == Question::whom) clause.object.reset();
    if (question == Question::what || question == Question::who_is) clause.same.reset();
    if (question == Question::what && clause.exists) clause.subject = NounPhrase{};
    if (question == Question::where) clause.place.reset();
    if (question == Question::when) clause.time.reset();
}

void MeaningParts::draw_question(Clause& clause) {
    clause.question = Question::yes_no;
    clause.very = false;
    if (!clause.verb) return draw_question_of_is(clause);
    if (!rng_.percent(35)) ask(clause, rng_.one_of(questions_of(clause)));
}

} // namespace heed::train
