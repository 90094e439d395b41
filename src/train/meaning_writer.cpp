#include "train/meaning_writer.hpp"

#include "train/lexicon.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;
using Kind = NounPhrase::Kind;
using Choices = std::vector<std::size_t>; // in a list of the lexicon
using Classes = std::vector<std::string>;

bool is_person(const Classes& classes) { return has_class(classes, "person"); }

class MeaningWriter {
  public:
    MeaningWriter(Dice& dice, const Languages& languages, int richness)
        : dice_(dice), languages_(languages), richness_(richness) {}

    Clause clause(bool question);
    /// No question and no negation, so that it can stand in a chain of clauses.
    Clause clause_of(Tense tense);
    NounPhrase subject(const std::string& a_class);

  private:
    enum class Role { subject, object, negated_object, place, relative_subject };

    NounPhrase noun_phrase(const Choices& nouns, Role role);
    void draw_determiner(NounPhrase& phrase, Role role);
    void draw_mass(NounPhrase& phrase, Role role);
    void draw_adjectives(NounPhrase& phrase);
    void draw_relative(NounPhrase& phrase);
    NounPhrase object_of(const Verb& verb, const NounPhrase& subject, Role role);
    std::optional<Place> place_of(const Verb& verb);
    Place place(Place::Relation relation, const char* a_class);

    std::size_t verb_of(Frame frame);
    void draw_verb_clause(Clause& clause, Frame frame);
    void draw_is(Clause& clause);
    void draw_tense(Clause& clause);
    void draw_time(Clause& clause);
    void draw_question(Clause& clause);
    bool must_have_time(const Clause& clause) const;
    bool can_negate(const Clause& clause) const;

    Pronoun pronoun() { return static_cast<Pronoun>(dice_.below(6)); }
    bool richly(int percent) { return dice_.percent(percent * richness_ / 100); }
    template <class List> std::size_t any(const List& list) { return dice_.below(std::size(list)); }

    Dice& dice_;
    Languages languages_;
    int richness_; // 100 is usual
};

// Noun phrases ----------------------------------------------------------------------------------

NounPhrase MeaningWriter::subject(const std::string& a_class) {
    NounPhrase phrase;
    const bool person = a_class == "person";
    if (person && dice_.percent(38)) {
        phrase.kind = Kind::pronoun;
        phrase.pronoun = pronoun();
        return phrase;
    }
    if (person && dice_.percent(35)) {
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

NounPhrase MeaningWriter::noun_phrase(const Choices& nouns, Role role) {
    NounPhrase phrase;
    phrase.word = dice_.one_of(nouns);
    if (lexicon().nouns[phrase.word].counted()) {
        draw_determiner(phrase, role);
    } else {
        draw_mass(phrase, role);
    }
    if (!phrase.container) draw_adjectives(phrase);
    if (role == Role::subject || role == Role::object) draw_relative(phrase);
    return phrase;
}

void MeaningWriter::draw_determiner(NounPhrase& phrase, Role role) {
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
    auto falls = [draw = static_cast<int>(dice_.below(100))](int chance) mutable {
        draw -= chance;
        return draw < 0;
    };
    if (falls(chances.a)) {
        phrase.determiner = Determiner::a;
    } else if (falls(chances.several)) {
        constexpr Determiner kSeveral[] = {Determiner::some, Determiner::many, Determiner::count};
        phrase.determiner = kSeveral[dice_.below(3)];
        phrase.plural = true;
        phrase.count = dice_.between(2, 10);
    } else if (falls(chances.whose)) {
        phrase.determiner = Determiner::whose;
    } else if (falls(chances.this_one)) {
        phrase.determiner = dice_.percent(60) ? Determiner::this_one : Determiner::that_one;
        phrase.plural = dice_.percent(35);
    } else if (falls(chances.owner)) {
        phrase.determiner = Determiner::owner;
        phrase.owner = std::make_shared<NounPhrase>();
        if (dice_.percent(50)) {
            phrase.owner->kind = Kind::name;
            phrase.owner->word = any(kNames);
        } else {
            phrase.owner->word = dice_.one_of(lexicon().nouns_of("person"));
        }
    }
    if (phrase.determiner == Determiner::whose) phrase.whose = pronoun();
    // Chinese says of people alone that they are several without saying how many.
    const bool may_be_several = (!languages_.chinese || person) && role != Role::place;
    const bool open =
        phrase.determiner == Determiner::the || phrase.determiner == Determiner::whose;
    if (open && may_be_several && role != Role::relative_subject) {
        phrase.plural = dice_.percent(30);
    }
}

void MeaningWriter::draw_mass(NounPhrase& phrase, Role role) {
    const Classes& classes = lexicon().nouns[phrase.word].classes;
    phrase.determiner = Determiner::none;
    Classes containers;
    for (const char* container : {"cup", "bottle", "bowl"}) {
        if (has_class(classes, container)) containers.emplace_back(container);
    }
    if (role == Role::object && !containers.empty() && dice_.percent(45)) {
        phrase.container = lexicon().noun(dice_.one_of(containers));
        phrase.plural = dice_.percent(40);
        phrase.determiner = phrase.plural ? Determiner::count : Determiner::a;
        phrase.count = dice_.between(2, 10);
    } else if (dice_.percent(15)) {
        phrase.determiner = Determiner::whose;
        phrase.whose = pronoun();
    } else if (!languages_.chinese && dice_.percent(40)) {
        phrase.determiner = Determiner::the;
    }
}

void MeaningWriter::draw_adjectives(NounPhrase& phrase) {
    const Fitting& fitting = lexicon().nouns[phrase.word].fitting;
    if (has_class(lexicon().nouns[phrase.word].classes, "institution")) {
        if (richly(60)) phrase.adjectives.push_back(dice_.one_of(fitting.wide));
        if (richly(60)) phrase.adjectives.push_back(dice_.one_of(fitting.narrow));
        return;
    }
    // In English's order: an interesting new book, a small red car.
    const bool has_opinion = !fitting.opinion.empty() && richly(12);
    if (has_opinion) phrase.adjectives.push_back(dice_.one_of(fitting.opinion));
    if (!fitting.before.empty() && richly(18)) {
        const std::size_t before = dice_.one_of(fitting.before);
        // A good interesting book is praised twice.
        const bool praises = has_class(lexicon().adjectives[before].classes, "praise");
        if (!has_opinion || !praises) phrase.adjectives.push_back(before);
    }
    if (!has_opinion && !fitting.after.empty() && richly(16)) {
        phrase.adjectives.push_back(dice_.one_of(fitting.after));
    }
}

/// "that I bought", "who is reading a book".
void MeaningWriter::draw_relative(NounPhrase& phrase) {
    const Classes& classes = lexicon().nouns[phrase.word].classes;
    const bool bare = phrase.determiner == Determiner::the ||
                      (phrase.determiner == Determiner::none && languages_.chinese);
    if (!bare || phrase.plural || !phrase.adjectives.empty() || !richly(14)) return;
    const bool of_person = is_person(classes);
    auto relative = std::make_shared<Clause>();
    Choices verbs;
    for (std::size_t i = 0; i < lexicon().verbs.size(); ++i) {
        const Verb& verb = lexicon().verbs[i];
        if (verb.frame != Frame::transitive || verb.state) continue;
        const bool does = of_person && is_person(verb.who) && verb.progresses;
        const bool is_done = std::any_of(verb.what.begin(), verb.what.end(),
                                         [&](const auto& c) { return has_class(classes, c); });
        if (of_person ? does : is_done) verbs.push_back(i);
    }
    if (verbs.empty()) return;
    relative->verb = dice_.one_of(verbs);
    const Verb& verb = lexicon().verbs[*relative->verb];
    if (of_person) {
        relative->lacks_subject = true;
        relative->tense = dice_.percent(50) ? Tense::progressive : Tense::past;
        relative->object = object_of(verb, phrase, Role::relative_subject);
    } else {
        relative->lacks_object = true;
        relative->tense = Tense::past;
        if (dice_.percent(50)) {
            relative->subject.kind = Kind::pronoun;
            relative->subject.pronoun = pronoun();
        } else if (dice_.percent(50)) {
            relative->subject.kind = Kind::name;
            relative->subject.word = any(kNames);
        } else {
            relative->subject = noun_phrase(lexicon().nouns_of("person"), Role::relative_subject);
        }
    }
    if (relative->tense == Tense::past && (must_have_time(*relative) || dice_.percent(60))) {
        draw_time(*relative);
    }
    phrase.relative = relative;
    phrase.determiner = Determiner::the; // of tea too: the tea that I drank
}

NounPhrase MeaningWriter::object_of(const Verb& verb, const NounPhrase& subject, Role role) {
    NounPhrase phrase;
    if (is_person(verb.what) && dice_.percent(45)) {
        if (dice_.percent(60)) {
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

Place MeaningWriter::place(Place::Relation relation, const char* a_class) {
    Place place;
    place.relation = relation;
    place.where = noun_phrase(lexicon().nouns_of(a_class), Role::place);
    return place;
}

std::optional<Place> MeaningWriter::place_of(const Verb& verb) {
    using Relation = Place::Relation;
    switch (verb.frame) {
    case Frame::motion: return place(Relation::at, dice_.percent(70) ? "at" : "area");
    case Frame::seat: {
        const int draw = static_cast<int>(dice_.below(3));
        return draw == 0   ? place(Relation::on, "on")
               : draw == 1 ? place(Relation::under, "under")
                           : place(Relation::in, "area");
    }
    case Frame::home: return place(Relation::in, "home");
    case Frame::transitive:
    case Frame::intransitive:
        if (!richly(18) || verb.with_etre || verb.state) return std::nullopt;
        return dice_.percent(60) ? place(Relation::at, "at") : place(Relation::in, "area");
    default: return std::nullopt;
    }
}

// Clauses ---------------------------------------------------------------------------------------

std::size_t MeaningWriter::verb_of(Frame frame) {
    // Where adjectives pile up is where French turns the order round.
    const bool of_institutions = frame == Frame::transitive && dice_.percent(15);
    return dice_.one_of(of_institutions ? lexicon().learned : lexicon().verbs_of(frame));
}

/// What each past form leaves open is told by a word of time.
bool MeaningWriter::must_have_time(const Clause& clause) const {
    if (clause.tense != Tense::past) return false;
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    const bool untold_in_chinese = !verb || verb->state;
    return (languages_.chinese_source && untold_in_chinese) ||
           (languages_.english_source && verb && verb->same_past());
}

void MeaningWriter::draw_time(Clause& clause) {
    Choices fitting;
    for (std::size_t i = 0; i < std::size(kTimes); ++i) {
        if (kTimes[i].tense == clause.tense) fitting.push_back(i);
    }
    clause.time = dice_.one_of(fitting);
}

void MeaningWriter::draw_tense(Clause& clause) {
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    const int draw = static_cast<int>(dice_.below(100));
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
        clause.modal = kModals[dice_.below(4)];
    }
}

bool MeaningWriter::can_negate(const Clause& clause) const {
    if (clause.tense == Tense::progressive || clause.modal == Modal::must || clause.very) {
        return false;
    }
    if (!clause.verb) return true;
    const Verb& verb = lexicon().verbs[*clause.verb];
    // 没有 says both "has not" and "did not"; of 看见 the present is 看不见.
    const bool untold = verb.result && clause.tense == Tense::present &&
                        (clause.modal == Modal::none || clause.modal == Modal::can);
    return verb.frame != Frame::having && !untold;
}

void MeaningWriter::draw_verb_clause(Clause& clause, Frame frame) {
    clause.verb = verb_of(frame);
    const Verb& verb = lexicon().verbs[*clause.verb];
    clause.subject = subject(verb.who[verb.who.size() > 1 && dice_.percent(35) ? 1 : 0]);
    clause.place = place_of(verb);
    draw_tense(clause);
    clause.negative = can_negate(clause) && dice_.percent(15);
    const Role role = clause.negative ? Role::negated_object : Role::object;
    if (frame == Frame::transitive) clause.object = object_of(verb, clause.subject, role);
    if (frame == Frame::giving) {
        clause.object = noun_phrase(lexicon().nouns_of(dice_.percent(70) ? "thing" : "text"), role);
        clause.recipient = object_of(lexicon().verbs[lexicon().verb("thank")], clause.subject,
                                     Role::negated_object);
    }
    if (frame == Frame::having) {
        clause.object =
            noun_phrase(lexicon().nouns_of(dice_.percent(70) ? "thing" : "animal"), role);
    }
}

void MeaningWriter::draw_is(Clause& clause) {
    if (dice_.percent(25)) {
        clause.profession = dice_.one_of(lexicon().nouns_of("job"));
        clause.subject = subject("person");
        // "The teacher is a teacher" says nothing.
        if (clause.subject.kind == Kind::noun) {
            clause.subject = NounPhrase{};
            clause.subject.kind = Kind::name;
            clause.subject.word = any(kNames);
        }
    } else {
        clause.adjective = dice_.one_of(lexicon().predicates);
        const Adjective& adjective = lexicon().adjectives[*clause.adjective];
        const bool of_person =
            has_class(adjective.classes, "state") || is_person(adjective.classes);
        clause.subject = subject(of_person ? "person" : dice_.one_of(adjective.said_of));
        // "The big house is small": only what stands behind the noun may disagree with it.
        clause.subject.adjectives.clear();
        clause.very = dice_.percent(20);
    }
    draw_tense(clause);
    if (clause.tense == Tense::past && clause.profession && languages_.chinese) {
        clause.tense = Tense::present;
    }
    clause.negative = can_negate(clause) && dice_.percent(18);
}

void MeaningWriter::draw_question(Clause& clause) {
    const Verb* verb = clause.verb ? &lexicon().verbs[*clause.verb] : nullptr;
    clause.question = Question::yes_no;
    if (clause.very) clause.very = false;
    const bool can_ask = verb && !clause.negative && clause.modal == Modal::none;
    if (!can_ask || dice_.percent(40)) return;
    const bool stays = verb->frame == Frame::seat || verb->frame == Frame::home;
    const bool open = clause.tense == Tense::present || clause.tense == Tense::future;
    std::vector<Question> fitting;
    if (clause.tense != Tense::progressive) fitting.push_back(Question::who);
    if (!open) fitting.push_back(Question::why);
    if (clause.tense == Tense::future) fitting.push_back(Question::when);
    if (verb->frame == Frame::transitive && !is_person(verb->what)) {
        fitting.push_back(Question::what);
    }
    const bool acts = verb->frame == Frame::transitive || verb->frame == Frame::intransitive;
    if (stays ||
        (acts && open && !verb->state && !verb->with_etre && !has_class(verb->what, "building"))) {
        fitting.push_back(Question::where);
    }
    if (fitting.empty()) return;
    clause.question = dice_.one_of(fitting);
    if (clause.question == Question::who) {
        clause.subject = NounPhrase{};
        clause.subject.kind = Kind::pronoun;
        clause.subject.pronoun = Pronoun::who;
    }
    if (clause.question == Question::what) clause.object.reset();
    if (clause.question == Question::where) clause.place.reset();
    if (clause.question == Question::when) clause.time.reset();
}

Clause MeaningWriter::clause(bool question) {
    Clause clause;
    const int draw = static_cast<int>(dice_.below(100));
    if (draw < 14) {
        draw_is(clause);
    } else {
        draw_verb_clause(clause, draw < 70   ? Frame::transitive
                                 : draw < 79 ? Frame::intransitive
                                 : draw < 86 ? Frame::motion
                                 : draw < 92 ? (dice_.percent(60) ? Frame::seat : Frame::home)
                                 : draw < 97 ? Frame::giving
                                             : Frame::having);
    }
    const bool plain = clause.modal == Modal::none;
    if (must_have_time(clause) || (plain && dice_.percent(45))) draw_time(clause);
    const bool habit = clause.verb && clause.tense == Tense::present && plain && !clause.negative &&
                       !lexicon().verbs[*clause.verb].state;
    // "Every day" tells how long a state lasts as little as "often" does.
    if (clause.tense == Tense::present && !habit) clause.time.reset();
    // What is over in a moment is no habit until it happens again: 他 经常 丢 雨伞.
    const bool momentary = habit && !lexicon().verbs[*clause.verb].progresses;
    if (habit && !clause.time && (momentary || dice_.percent(40))) {
        clause.frequency = any(kFrequencies);
    }
    if (question) {
        clause.frequency.reset();
        draw_question(clause);
    }
    return clause;
}

Clause MeaningWriter::clause_of(Tense tense) {
    for (;;) {
        Clause drawn = clause(false);
        if (drawn.tense == tense && drawn.modal == Modal::none && !drawn.time && !drawn.frequency) {
            return drawn;
        }
    }
}

} // namespace

Sentence draw_meaning(Dice& dice, const Languages& languages, int words) {
    const int clauses = words <= 8    ? 1
                        : words <= 13 ? dice.between(1, 2)
                        : words <= 20 ? dice.between(2, 3)
                                      : dice.between(3, 4);
    const int each = words / clauses;
    const int richness = each <= 3 ? 0 : each <= 4 ? 50 : each <= 7 ? 100 : 180;
    MeaningWriter writer(dice, languages, richness);
    Sentence sentence;
    const bool question = clauses == 1 && dice.percent(18);
    if (clauses == 2 && dice.percent(20)) {
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
        sentence.joins.push_back(kJoins[dice.below(follows ? 3 : 2)]);
    }
    if (clauses > 1 && dice.percent(30)) {
        sentence.lead = Sentence::Lead::because;
        sentence.joins[0] = Sentence::Join::comma;
    } else if (!question && words > 5 && dice.percent(15)) {
        sentence.saying = static_cast<Sentence::Saying>(dice.between(1, 4));
        sentence.who = writer.subject("person");
    }
    return sentence;
}

} // namespace heed::train
