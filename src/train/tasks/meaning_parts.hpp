// Draws the parts of a meaning: noun phrases and clauses.
#pragma once

#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning_writer.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace heed::train {

inline bool is_person(const std::vector<std::string>& classes) {
    return has_class(classes, "person");
}

class MeaningParts {
    using Choices = std::vector<std::size_t>; // places in a list of the lexicon

  public:
    MeaningParts(TaskRng& rng, const Languages& languages, int richness)
        : rng_(rng), languages_(languages), richness_(richness) {}

    Clause clause(bool question);
    /// No question and no negation, so that it can stand in a chain of clauses.
    Clause clause_of(Tense tense);
    NounPhrase subject(const std::string& a_class);
    /// Makes the clause be about whom the one before it is about: "so he slept". Not where that
    /// cannot be.
    bool go_on(Clause& clause, const Clause& before);

  private:
    enum class Role { subject, object, negated_object, place, relative_subject, joined };

    NounPhrase noun_phrase(const Choices& nouns, Role role);
    void draw_determiner(NounPhrase& phrase, Role role);
    void draw_mass(NounPhrase& phrase, Role role);
    void draw_adjectives(NounPhrase& phrase);
    void draw_left_out(NounPhrase& phrase);
    void draw_other(NounPhrase& phrase, const std::string& a_class);
    void draw_other_object(Clause& clause);
    void draw_kind(NounPhrase& object, const Clause& clause);
    void draw_relative(NounPhrase& phrase);
    NounPhrase object_of(const Verb& verb, const NounPhrase& subject, Role role);
    std::optional<Place> place_of(const Verb& verb);
    Place place(Place::Relation relation, const char* a_class);

    std::size_t verb_of(VerbFrame frame);
    void draw_verb_clause(Clause& clause, VerbFrame frame);
    void draw_is(Clause& clause);
    void draw_profession(Clause& clause);
    void draw_quality(Clause& clause);
    void draw_same(Clause& clause);
    void draw_is_at(Clause& clause);
    void draw_exists(Clause& clause);
    void draw_tense(Clause& clause);
    void draw_time(Clause& clause);
    void draw_time_place(Clause& clause);
    void draw_question(Clause& clause);
    void draw_question_of_is(Clause& clause);
    std::vector<Question> questions_of(const Clause& clause) const;
    void ask(Clause& clause, Question question);
    bool must_have_time(const Clause& clause) const;
    bool can_negate(const Clause& clause) const;

    NounPhrase a_name();
    NounPhrase a_pronoun();
    Pronoun pronoun() { return static_cast<Pronoun>(rng_.below(6)); }
    bool richly(int percent) { return rng_.percent(percent * richness_ / 100); }
    template <class List> std::size_t any(const List& list) { return rng_.below(std::size(list)); }

    TaskRng& rng_;
    Languages languages_;
    int richness_; // 100 is usual
};

} // namespace heed::train
