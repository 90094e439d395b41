#include "train/tasks/meaning_writer.hpp"

#include "train/tasks/meaning_parts.hpp"

namespace heed::train {

namespace {

/// "But", "so", "then", "and", by what the clauses say.
Sentence::Join draw_join(TaskRng& rng, MeaningParts& writer, const Clause& before, Clause& after) {
    const bool again = rng.percent(40) && writer.go_on(after, before);
    const bool alike = after.tense == before.tense && after.modal == before.modal;
    if (again && alike && rng.percent(50)) {
        after.omission = Omission::everywhere;
        after.time_place = TimePlace::last;
        return Sentence::Join::and_also;
    }
    constexpr Sentence::Join kJoins[] = {Sentence::Join::but, Sentence::Join::so,
                                         Sentence::Join::then};
    const bool follows = before.tense == Tense::past && after.tense == Tense::past;
    return kJoins[rng.below(follows ? 3 : 2)];
}

} // namespace

Sentence draw_meaning(TaskRng& rng, const Languages& languages, int words) {
    const int clauses = words <= 8    ? 1
                        : words <= 13 ? rng.between(1, 2)
                        : words <= 20 ? rng.between(2, 3)
                                      : rng.between(3, 4);
    const int each = words / clauses;
    const int richness = each <= 3 ? 0 : each <= 4 ? 50 : each <= 7 ? 100 : 180;
    MeaningParts writer(rng, languages, richness);
    Sentence sentence;
    const bool question = clauses == 1 && rng.percent(25);
    if (clauses == 2 && rng.percent(20)) {
        sentence.lead = Sentence::Lead::if_so;
        sentence.clauses = {writer.clause_of(Tense::present), writer.clause_of(Tense::future)};
        sentence.joins = {Sentence::Join::comma};
        if (rng.percent(40)) writer.go_on(sentence.clauses[1], sentence.clauses[0]);
        sentence.clauses[0].bare_quality = languages.chinese_source && rng.percent(40);
        return sentence;
    }
    for (int i = 0; i < clauses; ++i) sentence.clauses.push_back(writer.clause(question));
    if (clauses > 1 && rng.percent(30)) sentence.lead = Sentence::Lead::because;
    for (std::size_t i = 1; i < sentence.clauses.size(); ++i) {
        const Clause& before = sentence.clauses[i - 1];
        Clause& after = sentence.clauses[i];
        if (i == 1 && sentence.lead == Sentence::Lead::because) {
            if (rng.percent(40)) writer.go_on(after, before);
            sentence.joins.push_back(Sentence::Join::comma);
        } else {
            sentence.joins.push_back(draw_join(rng, writer, before, after));
        }
    }
    const bool led = sentence.lead == Sentence::Lead::because;
    sentence.clauses[0].bare_quality = led && languages.chinese_source && rng.percent(40);
    if (clauses == 1 && !question && words > 5 && rng.percent(15)) {
        sentence.saying = static_cast<Sentence::Saying>(rng.between(1, 4));
        sentence.who = writer.subject("person");
    }
    return sentence;
}

} // namespace heed::train
