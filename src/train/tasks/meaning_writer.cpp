#include "train/tasks/meaning_writer.hpp"

#include "train/tasks/meaning_parts.hpp"

namespace heed::train {

Sentence draw_meaning(TaskRng& rng, const Languages& languages, int words) {
    const int clauses = words <= 8    ? 1
                        : words <= 13 ? rng.between(1, 2)
                        : words <= 20 ? rng.between(2, 3)
                                      : rng.between(3, 4);
    const int each = words / clauses;
    const int richness = each <= 3 ? 0 : each <= 4 ? 50 : each <= 7 ? 100 : 180;
    MeaningParts writer(rng, languages, richness);
    Sentence sentence;
    const bool question = clauses == 1 && rng.percent(18);
    if (clauses == 2 && rng.percent(20)) {
        sentence.lead = Sentence::Lead::if_so;
        sentence.clauses = {writer.clause_of(Tense::present), writer.clause_of(Tense::future)};
        sentence.joins = {Sentence::Join::comma};
        return sentence;
    }
    for (int i = 0; i < clauses; ++i) sentence.clauses.push_back(writer.clause(question));
    for (int i = 1; i < clauses; ++i) {
        constexpr Sentence::Join kJoins[] = {Sentence::Join::but, Sentence::Join::so,
                                             Sentence::Join::then};
        const Clause& before = sentence.clauses[static_cast<std::size_t>(i) - 1];
        const Clause& after = sentence.clauses[static_cast<std::size_t>(i)];
        const bool follows = before.tense == Tense::past && after.tense == Tense::past;
        sentence.joins.push_back(kJoins[rng.below(follows ? 3 : 2)]);
    }
    if (clauses > 1 && rng.percent(30)) {
        sentence.lead = Sentence::Lead::because;
        sentence.joins[0] = Sentence::Join::comma;
    } else if (!question && words > 5 && rng.percent(15)) {
        sentence.saying = static_cast<Sentence::Saying>(rng.between(1, 4));
        sentence.who = writer.subject("person");
    }
    return sentence;
}

} // namespace heed::train
