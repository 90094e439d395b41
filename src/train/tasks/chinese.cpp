// Chinese from a meaning.
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <array>
#include <string>
#include <utility>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;

constexpr std::array kPronouns = {"我", "你", "他", "她", "我们", "他们", "谁"};
constexpr std::array kChineseNumbers = {"零", "一", "两", "三", "四", "五",
                                        "六", "七", "八", "九", "十"};

Words chinese_clause(const Clause& clause);

/// Those with 的 come first: 有趣 的 新 书. That 的 is a word of its own.
void append_adjectives(Words& words, const NounPhrase& phrase) {
    static const std::string of = "的";
    Words close;
    for (std::size_t i = 0; i < phrase.adjectives.size(); ++i) {
        const std::string& text = lexicon().adjectives[phrase.adjectives[i]].chinese_before;
        const int adjective = thing(phrase.id, kFirstAdjective + static_cast<int>(i));
        if (text.size() > of.size() && text.substr(text.size() - of.size()) == of) {
            append(words, text.substr(0, text.size() - of.size()), adjective);
            append(words, of, -1, {adjective, thing(phrase.id, kHead)});
        } else {
            append(close, text, adjective);
        }
    }
    append(words, std::move(close));
}

void append_determiner(Words& words, const NounPhrase& phrase, const std::string& measure) {
    const int head = thing(phrase.id, kHead), determiner = thing(phrase.id, kDeterminer);
    const int counted = phrase.container ? thing(phrase.id, kContainer) : -1;
    std::vector<int> measured = {determiner};
    if (!phrase.container) {
        for (const int part : around(phrase)) measured.push_back(part);
    }
    switch (phrase.determiner) {
    case Determiner::a:
        append(words, "一" + measure, determiner,
               phrase.container ? std::vector<int>{counted} : std::vector<int>{});
        break;
    case Determiner::count:
        append(words, kChineseNumbers[static_cast<std::size_t>(phrase.count)], determiner);
        append(words, measure, counted, measured);
        break;
    case Determiner::this_one:
    case Determiner::that_one: {
        const std::string which = phrase.determiner == Determiner::this_one ? "这" : "那";
        append(words, phrase.plural ? which + "些" : which, determiner);
        if (!phrase.plural) append(words, measure, counted, measured);
        break;
    }
    case Determiner::some: append(words, "一些", determiner); break;
    case Determiner::many: append(words, "很多", determiner); break;
    case Determiner::whose:
        append(words, form_of(kPronouns, phrase.whose), determiner);
        append(words, "的", -1, {determiner, head});
        break;
    case Determiner::the:
    case Determiner::owner:
    case Determiner::none: break;
    }
}

Words chinese_phrase(const NounPhrase& phrase) {
    const int head = thing(phrase.id, kHead);
    Words words;
    if (phrase.kind == NounPhrase::Kind::pronoun) {
        append(words, form_of(kPronouns, phrase.pronoun), head);
    } else if (phrase.kind == NounPhrase::Kind::name) {
        append(words, kNames[phrase.word].chinese, head);
    } else {
        const Noun& noun = lexicon().nouns[phrase.word];
        const bool person = has_class(noun.classes, "person");
        if (phrase.owner) {
            append(words, chinese_phrase(*phrase.owner));
            append(words, "的", thing(phrase.id, kOwning), {head, thing(phrase.owner->id, kHead)});
        }
        if (phrase.relative) {
            append(words, chinese_clause(*phrase.relative));
            append(words, "的", thing(phrase.id, kRelative),
                   {head, thing(phrase.relative->id, kVerb)});
        }
        append_determiner(words, phrase,
                          phrase.container ? lexicon().nouns[*phrase.container].chinese
                                           : noun.measure);
        append_adjectives(words, phrase);
        // Only people take 们, and only where nothing else has said that they are several.
        const bool several =
            phrase.plural && person &&
            (phrase.determiner == Determiner::the || phrase.determiner == Determiner::whose);
        append(words, several ? noun.chinese + "们" : noun.chinese, head);
    }
    if (phrase.other) {
        append(words, "和", thing(phrase.id, kAnd));
        append(words, chinese_phrase(*phrase.other));
    }
    return words;
}

/// 在 学校, 在 桌子 上.
void append_place(Words& words, const Clause& clause) {
    const Place& place = *clause.place;
    const int relation = thing(clause.id, kPlace);
    const bool at = place.relation == Place::Relation::at;
    append(words, "在", at ? relation : -1, {relation});
    append(words, chinese_phrase(place.where));
    if (place.relation == Place::Relation::in) append(words, "里", relation);
    if (place.relation == Place::Relation::on) append(words, "上", relation);
    if (place.relation == Place::Relation::under) append(words, "下", relation);
}

const char* modal_word(Modal modal) {
    switch (modal) {
    case Modal::can: return "能";
    case Modal::want: return "想";
    case Modal::must: return "必须";
    case Modal::should: return "应该";
    case Modal::none: break;
    }
    return "";
}

/// Negation, tense and modal before the verb.
void append_before_verb(Words& words, const Clause& clause) {
    const int verb = thing(clause.id, kVerb), tense = thing(clause.id, kTense);
    if (clause.negative) {
        const bool done =
            clause.verb && clause.tense == Tense::past && !lexicon().verbs[*clause.verb].state;
        append(words, done ? "没有" : "不", thing(clause.id, kNegation),
               done ? std::vector<int>{tense, verb} : std::vector<int>{verb});
    }
    append(words, modal_word(clause.modal), thing(clause.id, kModal));
    if (clause.tense == Tense::future) append(words, "会", tense, {verb});
    if (clause.tense == Tense::progressive) append(words, "正在", tense, {verb});
}

void append_is(Words& words, const Clause& clause) {
    const int is = thing(clause.id, kVerb), predicate = thing(clause.id, kPredicate);
    append_before_verb(words, clause);
    if (clause.profession) {
        append(words, "是", is);
        append(words, lexicon().nouns[*clause.profession].chinese, predicate);
        return;
    }
    const bool bare = clause.negative || clause.question == Question::yes_no;
    if (clause.very) {
        append(words, "非常", thing(clause.id, kVery), {is});
    } else if (!bare) {
        append(words, "很", -1, {is, predicate});
    }
    append(words, lexicon().adjectives[*clause.adjective].chinese, predicate);
}

void append_verb(Words& words, const Clause& clause) {
    const Verb& word = lexicon().verbs[*clause.verb];
    const int verb = thing(clause.id, kVerb), tense = thing(clause.id, kTense);
    const bool stays = word.frame == VerbFrame::seat || word.frame == VerbFrame::home;
    const auto append_asked = [&](const char* what) {
        append(words, what, thing(clause.id, kAsked), {thing(clause.id, kQuestion)});
    };
    const auto append_where = [&] {
        if (clause.question != Question::where) return;
        append(words, "在", -1, {thing(clause.id, kAsked)});
        append_asked("哪里");
    };
    append_before_verb(words, clause);
    if (!stays) append_where();
    if (clause.place && !stays && word.frame != VerbFrame::motion) append_place(words, clause);
    append(words, word.chinese, verb, {tense});
    const bool done =
        clause.tense == Tense::past && !clause.negative && !word.state && !clause.lacks_object;
    if (done) append(words, "了", tense, {verb});
    if (stays) append_where();
    if (stays && clause.place) append_place(words, clause);
    if (word.frame == VerbFrame::motion && clause.place) {
        append(words, chinese_phrase(clause.place->where));
    }
    if (clause.recipient) append(words, chinese_phrase(*clause.recipient));
    if (clause.question == Question::what) {
        append_asked("什么");
    } else if (clause.object && !clause.lacks_object) {
        append(words, chinese_phrase(*clause.object));
    }
}

Words chinese_clause(const Clause& clause) {
    Words words;
    const auto append_asked = [&](const char* what) {
        append(words, what, thing(clause.id, kAsked), {thing(clause.id, kQuestion)});
    };
    if (!clause.lacks_subject) append(words, chinese_phrase(clause.subject));
    if (clause.time) {
        append(words, kTimes[*clause.time].chinese, thing(clause.id, kTime), {},
               {thing(clause.id, kTense)});
    }
    if (clause.question == Question::why) append_asked("为什么");
    if (clause.question == Question::when) append_asked("什么时候");
    if (clause.frequency) {
        append(words, kFrequencies[*clause.frequency].chinese, thing(clause.id, kFrequency));
    }
    if (clause.verb) {
        append_verb(words, clause);
    } else {
        append_is(words, clause);
    }
    if (clause.question == Question::yes_no) {
        append(words, "吗", -1, {thing(clause.id, kQuestion)});
    }
    if (clause.question != Question::none) append(words, "？", thing(clause.id, kQuestion));
    return words;
}

} // namespace

Words chinese(const Sentence& sentence) {
    const int lead = thing(sentence.id, kJoin);
    Words words;
    if (sentence.lead == Sentence::Lead::because) append(words, "因为", lead);
    if (sentence.lead == Sentence::Lead::if_so) append(words, "如果", lead);
    if (sentence.saying != Sentence::Saying::none) {
        constexpr std::array kSayings = {"", "觉得", "说", "知道", "希望"};
        append(words, chinese_phrase(sentence.who));
        append(words, kSayings[static_cast<std::size_t>(sentence.saying)],
               thing(sentence.id, kVerb));
    }
    for (std::size_t i = 0; i < sentence.clauses.size(); ++i) {
        const Clause& clause = sentence.clauses[i];
        if (i > 0) {
            constexpr std::array kJoins = {"", "但是", "所以", "然后"};
            append(words, "，", thing(clause.id, kComma), {thing(clause.id, kJoin)});
            append(words, kJoins[static_cast<std::size_t>(sentence.joins[i - 1])],
                   thing(clause.id, kJoin));
            if (i == 1 && sentence.lead == Sentence::Lead::because) {
                append(words, "所以", -1, {lead, thing(clause.id, kComma)});
            }
        }
        append(words, chinese_clause(clause));
    }
    return words;
}

} // namespace heed::train
