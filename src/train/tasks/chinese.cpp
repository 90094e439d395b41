// Chinese from a meaning.
#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace heed::train {

namespace {

using Determiner = NounPhrase::Determiner;

constexpr std::array kPronouns = {"我", "你", "他", "她", "我们", "他们", "谁", "这", "那"};
constexpr std::array kChineseNumbers = {"零", "一", "两", "三", "四", "五",
                                        "六", "七", "八", "九", "十"};

Words chinese_clause(const Clause& clause);

/// Appends adjectives, those with 的 first: 有趣 的 新 书. That 的 is a word of its own.
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
        if (phrase.left_out) break;
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
        if (!phrase.left_out) append(words, "的", -1, {determiner, head});
        break;
    case Determiner::the:
    case Determiner::owner:
    case Determiner::none: break;
    }
}

Words chinese_phrase(const NounPhrase& phrase) {
    const int head = thing(phrase.id, kHead);
    const auto is_i = [](const NounPhrase& p) {
        return p.kind == NounPhrase::Kind::pronoun && p.pronoun == Pronoun::i;
    };
    Words words;
    // 我 和 汤姆: I come first.
    if (phrase.other && is_i(*phrase.other)) {
        append(words, chinese_phrase(*phrase.other));
        append(words, "和", thing(phrase.id, kAnd));
    }
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
    if (phrase.other && !is_i(*phrase.other)) {
        append(words, "和", thing(phrase.id, kAnd));
        append(words, chinese_phrase(*phrase.other));
    }
    return words;
}

/// 桌子 上.
void append_where(Words& words, const Clause& clause) {
    const Place& place = *clause.place;
    const int relation = thing(clause.id, kPlace);
    append(words, chinese_phrase(place.where));
    if (place.relation == Place::Relation::in && !place.brief) append(words, "里", relation);
    if (place.relation == Place::Relation::on) append(words, "上", relation);
    if (place.relation == Place::Relation::under) append(words, "下", relation);
}

/// 在 学校, 在 桌子 上.
void append_place(Words& words, const Clause& clause) {
    const int relation = thing(clause.id, kPlace);
    const bool at = clause.place->brief || clause.place->relation == Place::Relation::at;
    // 正在 花园 里 玩: one 在 is enough.
    const bool told = clause.tense == Tense::progressive;
    if (!told) append(words, "在", at ? relation : -1, {relation});
    append_where(words, clause);
}

void append_asked(Words& words, const Clause& clause, const char* what) {
    append(words, what, thing(clause.id, kAsked), {thing(clause.id, kQuestion)});
}

const char* modal_word(Modal modal) {
    switch (modal) {
    case Modal::can: return "能";
    case Modal::want: return "想";
    case Modal::like: return "喜欢";
    case Modal::must: return "必须";
    case Modal::should: return "应该";
    case Modal::none: break;
    }
    return "";
}

/// Negation, tense and modal before the verb.
void append_before_verb(Words& words, const Clause& clause) {
    const int verb = thing(clause.id, kVerb), tense = thing(clause.id, kTense);
    const bool in_course = clause.tense == Tense::progressive;
    if (clause.negative) {
        const bool has = clause.verb && lexicon().verbs[*clause.verb].frame == VerbFrame::having;
        const bool done =
            clause.verb && clause.tense == Tense::past && !lexicon().verbs[*clause.verb].state;
        const bool not_there = done || has || in_course;
        append(words, not_there ? "没有" : "不", thing(clause.id, kNegation),
               not_there ? std::vector<int>{tense, verb} : std::vector<int>{verb});
    }
    append(words, modal_word(clause.modal), thing(clause.id, kModal));
    if (clause.tense == Tense::future) append(words, "会", tense, {verb});
    if (!in_course) return;
    const bool brief = !clause.place && (clause.in_course || clause.negative);
    append(words, brief ? "在" : "正在", tense, {verb, thing(clause.id, kPlace)});
}

/// 桌子 上 有 一本 书.
void append_exists(Words& words, const Clause& clause) {
    append_where(words, clause);
    append(words, "有", thing(clause.id, kVerb));
    if (clause.question == Question::what) append_asked(words, clause, "什么");
    if (shows_subject_last(clause)) append(words, chinese_phrase(clause.subject));
}

/// 书 在 桌子 上, 书 在 哪里.
void append_is_at(Words& words, const Clause& clause) {
    const int relation = thing(clause.id, kPlace);
    append_before_verb(words, clause);
    append(words, "在", thing(clause.id, kVerb), {relation});
    if (clause.place) append_where(words, clause);
    if (clause.question == Question::where) append_asked(words, clause, "哪里");
}

void append_is(Words& words, const Clause& clause) {
    const int is = thing(clause.id, kVerb), predicate = thing(clause.id, kPredicate);
    if (clause.exists) return append_exists(words, clause);
    if (clause.place || clause.question == Question::where) return append_is_at(words, clause);
    append_before_verb(words, clause);
    if (!clause.adjective) append(words, "是", is);
    if (clause.same) return append(words, chinese_phrase(*clause.same));
    if (clause.question == Question::who_is) return append_asked(words, clause, "谁");
    if (clause.question == Question::what) return append_asked(words, clause, "什么");
    if (clause.profession) {
        return append(words, lexicon().nouns[*clause.profession].chinese, predicate);
    }
    const bool bare = clause.negative || clause.question == Question::yes_no ||
                      clause.question == Question::why || clause.bare_quality;
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
    const auto append_asked_where = [&] {
        if (clause.question != Question::where) return;
        append(words, "在", -1, {thing(clause.id, kAsked)});
        append_asked(words, clause, "哪里");
    };
    const bool goes = word.frame == VerbFrame::motion;
    append_before_verb(words, clause);
    if (!stays && !goes) append_asked_where();
    if (clause.place && !stays && !goes) append_place(words, clause);
    const bool has_not = clause.negative && word.frame == VerbFrame::having;
    if (!has_not) append(words, word.chinese, verb, {tense});
    const bool done =
        clause.tense == Tense::past && !clause.negative && !word.state && !clause.lacks_object;
    if (done) append(words, "了", tense, {verb});
    if (stays) append_asked_where();
    if (stays && clause.place) append_place(words, clause);
    if (goes && clause.place) append(words, chinese_phrase(clause.place->where));
    if (goes && clause.question == Question::where) append_asked(words, clause, "哪里");
    if (clause.recipient) append(words, chinese_phrase(*clause.recipient));
    if (clause.question == Question::what) append_asked(words, clause, "什么");
    if (clause.question == Question::whom) append_asked(words, clause, "谁");
    if (clause.object && !clause.lacks_object) {
        append(words, chinese_phrase(*clause.object));
    }
}

Words chinese_clause(const Clause& clause) {
    Words words;
    const bool first = clause.time_place != TimePlace::last;
    if (first) append_time_first(words, clause, &TimeWord::chinese, "，");
    const bool omitted = clause.lacks_subject || clause.exists || clause.omission != Omission::none;
    if (!omitted) append(words, chinese_phrase(clause.subject));
    if (clause.question == Question::who) words.back().minor.push_back(thing(clause.id, kQuestion));
    if (!first) append_time(words, clause, &TimeWord::chinese);
    if (clause.question == Question::why) append_asked(words, clause, "为什么");
    if (clause.question == Question::when) append_asked(words, clause, "什么时候");
    if (!first) append_frequency(words, clause, &TimeWord::chinese);
    if (clause.question == Question::how) append_asked(words, clause, "怎么");
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

/// The word that names someone tells who is left out later.
void tell_of(Words& words, const NounPhrase& named, const NounPhrase& left_out) {
    for (Word& word : words) {
        const int head = thing(named.id, kHead);
        const bool tells = word.main == head || std::find(word.hints.begin(), word.hints.end(),
                                                          head) != word.hints.end();
        if (tells) word.hints.push_back(thing(left_out.id, kHead));
    }
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
            constexpr std::array kJoins = {"", "但是", "所以", "然后", ""};
            const bool adds = sentence.joins[i - 1] == Sentence::Join::and_also;
            append(words, "，", thing(clause.id, adds ? kJoin : kComma), {thing(clause.id, kJoin)});
            append(words, kJoins[static_cast<std::size_t>(sentence.joins[i - 1])],
                   thing(clause.id, kJoin));
            if (i == 1 && sentence.lead == Sentence::Lead::because) {
                append(words, "所以", -1, {lead, thing(clause.id, kComma)});
            }
        }
        append(words, chinese_clause(clause));
        if (clause.omission != Omission::none) {
            tell_of(words, sentence.clauses[i - 1].subject, clause.subject);
        }
    }
    return words;
}

} // namespace heed::train
