// Headlines of ten topics. Who acts may tell nothing of the topic, and a circumstance may speak of
// another one: what happens tells it, by words that other topics use too.
#include "train/tasks/writers.hpp"

#include "train/tasks/lexicon_lines.hpp"
#include "train/tasks/word_lists.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::train {

namespace {

using Phrases = std::vector<std::vector<std::string>>;

/// Verbs that can be said of all of these; `who` alone does it, or else anybody.
struct Happening {
    Phrases who, does, what;
};

struct Topic {
    Phrases who, tail, beside;
    std::vector<Happening> happenings;
};

Phrases phrases_of(const std::string& list) {
    Phrases phrases;
    for (const std::string& phrase : parts_of(list, ';')) phrases.push_back(words_of(phrase));
    return phrases;
}

std::map<std::string, Topic> topics_of(const char* list) {
    std::map<std::string, Topic> topics;
    for (const Line& line : lines_of(list)) {
        Topic& topic = topics[line[0]];
        if (line[1] == "happens") {
            const std::vector<std::string> sides = parts_of(line[2], '>');
            const std::size_t verbs = sides.size() - 2;
            topic.happenings.push_back({verbs > 0 ? phrases_of(sides[0]) : Phrases{},
                                        phrases_of(sides.at(verbs)),
                                        phrases_of(sides.at(verbs + 1))});
        } else {
            (line[1] == "who"      ? topic.who
             : line[1] == "beside" ? topic.beside
                                   : topic.tail) = phrases_of(line[2]);
        }
    }
    return topics;
}

/// "criticise" of "criticises": what several do.
std::string without_s(const std::string& verb) {
    for (const char* ending : {"sses", "shes", "ches"}) {
        if (verb.ends_with(ending)) return verb.substr(0, verb.size() - 2);
    }
    if (verb.ends_with("ies")) return verb.substr(0, verb.size() - 3) + "y";
    return verb.substr(0, verb.size() - 1);
}

void append(std::vector<std::string>& words, const std::vector<std::string>& phrase) {
    words.insert(words.end(), phrase.begin(), phrase.end());
}

} // namespace

Pair write_headline(TaskRng& rng, Task task) {
    static const std::map<std::string, Topic> english = topics_of(word_lists::headlines_en);
    static const std::map<std::string, Topic> chinese = topics_of(word_lists::headlines_zh);
    const bool in_chinese = task == Task::headlines_zh;
    const auto& topics = in_chinese ? chinese : english;
    const Topic& any = topics.at("any");
    const std::vector<std::string> names = labels(task);

    Pair pair;
    const std::size_t label = rng.below(names.size());
    pair.label = static_cast<int>(label);
    const Topic& topic = topics.at(names[label]);
    const Happening& happening = rng.one_of(topic.happenings);
    std::vector<std::string> who = rng.one_of(!happening.who.empty() ? happening.who
                                              : rng.percent(50)      ? any.who
                                                                     : topic.who);
    std::vector<std::string> does = rng.one_of(happening.does);
    const auto& what = rng.one_of(happening.what);
    if (who[0][0] == '+') {
        who[0].erase(0, 1);
        does[0] = without_s(does[0]);
    }
    std::vector<std::string> tail;
    const int draw = static_cast<int>(rng.below(100));
    if (draw < 25) {
        tail = rng.one_of(any.tail);
    } else if (draw < 75) {
        const auto& others = topics.at(rng.one_of(names)).happenings;
        const auto& other = rng.one_of(rng.one_of(others).what);
        const auto& beside = rng.one_of(any.beside);
        append(tail, in_chinese ? other : beside);
        append(tail, in_chinese ? beside : other);
    }
    // A circumstance stands first in Chinese and last in English.
    if (in_chinese) append(pair.source, tail);
    append(pair.source, who);
    append(pair.source, does);
    append(pair.source, what);
    if (!in_chinese) append(pair.source, tail);
    return pair;
}

} // namespace heed::train
