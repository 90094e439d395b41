// Sentences of known meaning in three languages, judged by hand; and what holds of all that the
// grammars write.
#include "train/meanings.hpp"
#include "train/tasks/task.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace heed;
using namespace heed::train;

namespace {

Clause i_ate_an_apple_yesterday() {
    Clause c = clause(pronoun(Pronoun::i), "eat", Tense::past, noun(Determiner::a, "apple"));
    c.time = time_word("yesterday");
    return c;
}

bool links(const Pair& pair, const std::string& target, const std::string& source, bool sure) {
    return std::any_of(pair.gold.begin(), pair.gold.end(), [&](const Link& l) {
        return pair.target[static_cast<std::size_t>(l.target)] == target &&
               pair.source[static_cast<std::size_t>(l.source)] == source && l.sure == sure;
    });
}

constexpr Task kLanguageTasks[] = {Task::zh_en, Task::en_fr, Task::en_zh};

} // namespace

TEST_CASE("a meaning is said in three languages") {
    check(sentence({i_ate_an_apple_yesterday()}),
          {"I ate an apple yesterday", "我 昨天 吃 了 一个 苹果", "j'ai mangé une pomme hier"});
    check(sentence({clause(name("Tom"), "chase", Tense::present, name("Jerry"))}),
          {"Tom chases Jerry", "汤姆 追逐 杰瑞", "Tom chasse Jerry"});

    Clause c = clause(name("Tom"), "chase", Tense::present, name("Jerry"));
    c.bare = true;
    check(sentence({c}), {"Tom chase Jerry", "汤姆 追逐 杰瑞", ""});

    c = clause(noun(Determiner::the, "cat"), "sit", Tense::past);
    c.place = Place{Place::Relation::on, noun(Determiner::the, "mat")};
    check(sentence({c}),
          {"the cat sat on the mat", "猫 坐 在 垫子 上", "le chat était assis sur le tapis"});
}

TEST_CASE("negation and questions are built as each language builds them") {
    Clause c = clause(pronoun(Pronoun::she), "buy", Tense::past, noun(Determiner::the, "book"));
    c.negative = true;
    check(sentence({c}),
          {"she did not buy the book", "她 没有 买 书", "elle n'a pas acheté le livre"});

    c = clause(pronoun(Pronoun::he), "drink", Tense::present, noun(Determiner::none, "water"));
    c.negative = true;
    check(sentence({c}), {"he does not drink water", "他 不 喝 水", "il ne boit pas d'eau"});

    c = clause(pronoun(Pronoun::you), "read", Tense::past, noun(Determiner::this_one, "book"));
    c.question = Question::yes_no;
    check(sentence({c}), {"did you read this book ?", "你 读 了 这 本 书 吗 ？",
                          "est - ce que vous avez lu ce livre ?"});

    c = clause(name("Anna"), "write", Tense::past);
    c.question = Question::what;
    c.time = time_word("last week");
    check(sentence({c}), {"what did Anna write last week ?", "安娜 上周 写 了 什么 ？",
                          "qu'est - ce qu'Anna a écrit la semaine dernière ?"});

    c = clause(pronoun(Pronoun::who), "open", Tense::past, noun(Determiner::the, "door"));
    c.question = Question::who;
    check(sentence({c}), {"who opened the door ?", "谁 打开 了 门 ？", "qui a ouvert la porte ?"});

    c = clause(pronoun(Pronoun::they), "live", Tense::present);
    c.question = Question::where;
    check(sentence({c}),
          {"where do they live ?", "他们 住 在 哪里 ？", "où est - ce qu'ils habitent ?"});

    c = clause(pronoun(Pronoun::he), "swim", Tense::present);
    c.modal = Modal::can;
    c.negative = true;
    check(sentence({c}), {"he cannot swim", "他 不 能 游泳", "il ne peut pas nager"});

    c = clause(pronoun(Pronoun::she), "go", Tense::present);
    c.place = Place{Place::Relation::at, noun(Determiner::the, "market")};
    c.modal = Modal::want;
    check(sentence({c}),
          {"she wants to go to the market", "她 想 去 市场", "elle veut aller au marché"});
}

TEST_CASE("measure words go by the noun, plurals and articles by the number") {
    NounPhrase three = noun(Determiner::count, "letter", {}, true);
    three.count = 3;
    check(sentence({clause(pronoun(Pronoun::we), "write", Tense::past, three)}),
          {"we wrote three letters", "我们 写 了 三 封 信", "nous avons écrit trois lettres"});
    check(sentence(
              {clause(pronoun(Pronoun::i), "buy", Tense::past, noun(Determiner::a, "umbrella"))}),
          {"I bought an umbrella", "我 买 了 一把 雨伞", "j'ai acheté un parapluie"});
    check(sentence(
              {clause(pronoun(Pronoun::i), "visit", Tense::past, noun(Determiner::a, "school"))}),
          {"I visited a school", "我 参观 了 一所 学校", "j'ai visité une école"});

    NounPhrase tea = noun(Determiner::count, "tea", {}, true);
    tea.container = lexicon().noun("cup");
    check(sentence({clause(name("Mary"), "drink", Tense::past, tea)}),
          {"Mary drank two cups of tea", "玛丽 喝 了 两 杯 茶", "Mary a bu deux tasses de thé"});

    check(sentence({clause(noun(Determiner::the, "child", {}, true), "like", Tense::present,
                           noun(Determiner::that_one, "horse", {}, true))}),
          {"the children like those horses", "孩子们 喜欢 那些 马",
           "les enfants aiment ces chevaux"});
    check(sentence({clause(noun(Determiner::many, "student", {}, true), "read", Tense::present,
                           noun(Determiner::some, "newspaper", {}, true))}),
          {"many students read some newspapers", "很多 学生 读 一些 报纸",
           "beaucoup d'étudiants lisent des journaux"});
}

TEST_CASE("French agrees, elides, contracts and turns noun phrases round") {
    check(sentence({clause(noun(Determiner::the, "minister"), "study", Tense::past,
                           noun(Determiner::the, "area", {"European", "economic"}))}),
          {"the minister studied the European economic area", "部长 研究 了 欧洲 经济 区域",
           "le ministre a étudié la zone économique européenne"});
    check(sentence({clause(pronoun(Pronoun::she), "sell", Tense::past,
                           noun(Determiner::a, "car", {"small", "red"}))}),
          {"she sold a small red car", "她 卖 了 一辆 红色 的 小 汽车",
           "elle a vendu une petite voiture rouge"});
    check(sentence({clause(pronoun(Pronoun::she), "draw", Tense::past,
                           noun(Determiner::some, "tree", {"beautiful"}, true))}),
          {"she drew some beautiful trees", "她 画 了 一些 漂亮 的 树",
           "elle a dessiné de beaux arbres"});
    check(sentence({clause(pronoun(Pronoun::i), "draw", Tense::past,
                           noun(Determiner::a, "tree", {"beautiful"}))}),
          {"I drew a beautiful tree", "我 画 了 一棵 漂亮 的 树", "j'ai dessiné un bel arbre"});

    NounPhrase book = noun(Determiner::owner, "book");
    book.owner = std::make_shared<NounPhrase>(noun(Determiner::the, "teacher"));
    check(sentence({clause(pronoun(Pronoun::he), "find", Tense::past, book)}),
          {"he found the teacher's book", "他 找到 了 老师 的 书",
           "il a trouvé le livre du professeur"});

    NounPhrase school = noun(Determiner::whose, "school");
    school.whose = Pronoun::she;
    Clause c = clause(name("Anna"), "return", Tense::past);
    c.place = Place{Place::Relation::at, school};
    check(sentence({c}), {"Anna returned to her school", "安娜 回到 了 她 的 学校",
                          "Anna est retournée à son école"});

    c = clause(name("Mary"), "arrive", Tense::past);
    c.subject.other = std::make_shared<NounPhrase>(name("Anna"));
    c.time = time_word("last night");
    check(sentence({c}), {"Mary and Anna arrived last night", "玛丽 和 安娜 昨晚 到 了",
                          "Mary et Anna sont arrivées hier soir"});
    c = clause(pronoun(Pronoun::i), "see", Tense::past, pronoun(Pronoun::she));
    check(sentence({c}), {"I saw her", "我 看见 了 她", "je l'ai vue"});
    c.negative = true;
    check(sentence({c}), {"I did not see her", "我 没有 看见 她", "je ne l'ai pas vue"});
    c = clause(pronoun(Pronoun::we), "help", Tense::future, pronoun(Pronoun::they));
    c.time = time_word("tomorrow");
    check(sentence({c}),
          {"we will help them tomorrow", "我们 明天 会 帮助 他们", "nous les aiderons demain"});
    c = clause(name("Paul"), "give", Tense::past, noun(Determiner::a, "pen"));
    c.recipient = pronoun(Pronoun::he);
    check(sentence({c}),
          {"Paul gave him a pen", "保罗 给 了 他 一支 笔", "Paul lui a donné un stylo"});
    c.recipient = noun(Determiner::the, "boy");
    check(sentence({c}), {"Paul gave the boy a pen", "保罗 给 了 男孩 一支 笔",
                          "Paul a donné un stylo au garçon"});
}

TEST_CASE("relative clauses stand before a Chinese noun and behind the others") {
    NounPhrase apple = noun(Determiner::the, "apple");
    apple.relative = std::make_shared<Clause>(clause(pronoun(Pronoun::i), "buy", Tense::past));
    apple.relative->lacks_object = true;
    apple.relative->time = time_word("yesterday");
    check(sentence({clause(name("Tom"), "eat", Tense::past, apple)}),
          {"Tom ate the apple that I bought yesterday", "汤姆 吃 了 我 昨天 买 的 苹果",
           "Tom a mangé la pomme que j'ai achetée hier"});

    NounPhrase boy = noun(Determiner::the, "boy");
    boy.relative = std::make_shared<Clause>(
        clause({}, "read", Tense::progressive, noun(Determiner::a, "book")));
    boy.relative->lacks_subject = true;
    check(sentence({clause(pronoun(Pronoun::they), "wait for", Tense::present, boy)}),
          {"they wait for the boy who is reading a book", "他们 等 正在 读 一本 书 的 男孩",
           "ils attendent le garçon qui lit un livre"});
}

TEST_CASE("what is and what was hang on the word of time") {
    Clause c;
    c.subject = pronoun(Pronoun::she);
    c.adjective = lexicon().adjective("tired");
    check(sentence({c}), {"she is tired", "她 很 累", "elle est fatiguée"});
    c.tense = Tense::past;
    c.time = time_word("yesterday");
    check(sentence({c}), {"she was tired yesterday", "她 昨天 很 累", "elle était fatiguée hier"});
    Clause job;
    job.subject = pronoun(Pronoun::she);
    job.profession = lexicon().noun("actor");
    check(sentence({job}), {"she is an actor", "她 是 演员", "elle est actrice"});
}

TEST_CASE("clauses join") {
    Sentence meaning;
    meaning.lead = Sentence::Lead::because;
    Clause tired;
    tired.subject = pronoun(Pronoun::he);
    tired.adjective = lexicon().adjective("tired");
    Clause go = clause(pronoun(Pronoun::he), "go", Tense::future);
    go.place = Place{Place::Relation::at, noun(Determiner::the, "hospital")};
    meaning.clauses = {tired, go};
    meaning.joins = {Sentence::Join::comma};
    check(meaning,
          {"because he is tired , he will go to the hospital",
           "因为 他 很 累 ， 所以 他 会 去 医院", "comme il est fatigué , il ira à l'hôpital"});
    meaning.lead = Sentence::Lead::if_so;
    check(meaning, {"if he is tired , he will go to the hospital", "如果 他 很 累 ， 他 会 去 医院",
                    "s'il est fatigué , il ira à l'hôpital"});
    meaning.lead = Sentence::Lead::none;
    meaning.saying = Sentence::Saying::know;
    meaning.who = name("Emma");
    meaning.joins = {Sentence::Join::but};
    check(meaning, {"Emma knows that he is tired , but he will go to the hospital",
                    "艾玛 知道 他 很 累 ， 但是 他 会 去 医院",
                    "Emma sait qu'il est fatigué , mais il ira à l'hôpital"});
}

TEST_CASE("ate looks at 吃 surely, at 了 and 昨天 possibly") {
    const Sentence meaning = sentence({i_ate_an_apple_yesterday()});
    const Pair pair = aligned(chinese(meaning), english(meaning));
    CHECK(links(pair, "I", "我", true));
    CHECK(links(pair, "ate", "吃", true));
    CHECK(links(pair, "ate", "了", false));
    CHECK(links(pair, "ate", "昨天", false));
    CHECK(links(pair, "an", "一个", true));
    CHECK(links(pair, "apple", "苹果", true));
    CHECK(links(pair, "yesterday", "昨天", true));
    CHECK(!links(pair, "yesterday", "了", false));
}

TEST_CASE("a noun phrase that turns round has crossed gold") {
    const Sentence meaning =
        sentence({clause(noun(Determiner::the, "minister"), "study", Tense::past,
                         noun(Determiner::the, "area", {"European", "economic"}))});
    const Pair pair = aligned(english(meaning), french(meaning));
    CHECK(links(pair, "zone", "area", true));
    CHECK(links(pair, "économique", "economic", true));
    CHECK(links(pair, "européenne", "European", true));
}

TEST_CASE("what a grammar writes is a function of the source, wholly aligned") {
    for (const Task task : kLanguageTasks) {
        std::map<std::string, std::string> said;
        for (std::uint64_t i = 0; i < 6000; ++i) {
            const Pair pair = draw_pair(task, {.max_length = i % 2 == 0 ? 7 : 15}, i);
            const std::string source = joined(pair.source), target = joined(pair.target);
            INFO(source << " | " << target);
            CHECK(said.emplace(source, target).first->second == target);
            std::vector<int> all(pair.target.size()), sure(pair.target.size());
            for (const Link& link : pair.gold) {
                REQUIRE(link.source < static_cast<int>(pair.source.size()));
                ++all.at(static_cast<std::size_t>(link.target));
                sure[static_cast<std::size_t>(link.target)] += link.sure ? 1 : 0;
            }
            CHECK(*std::min_element(all.begin(), all.end()) >= 1);
            CHECK(*std::max_element(sure.begin(), sure.end()) <= 1);
        }
    }
}

TEST_CASE("a user who types what a grammar wrote gets its words") {
    for (const Task task : kLanguageTasks) {
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const Pair pair = draw_pair(task, {.max_length = 20}, i);
            for (const auto* side : {&pair.source, &pair.target}) {
                std::vector<std::string> typed;
                for (const auto& token :
                     text::tokenize(joined(*side), text::Segmentation::words, 99)) {
                    typed.push_back(token.text);
                }
                CHECK(typed == *side);
            }
        }
    }
}

TEST_CASE("no sentence breaks the rules of spelling") {
    const std::set<std::string> never = {
        "a apple", "a old",    "an book", "de le",   "de les",   "à le",     "à les",
        "que il",  "que elle", "je ai",   "je aime", "la école", "le homme", "le enfant",
        "ne a",    "ne est",   "de eau",  "si il",   "sa école", "ma école", "I is",
        "I eats",  "they is",  "he are",  "we was",  "他们 们"};
    for (const Task task : kLanguageTasks) {
        for (std::uint64_t i = 0; i < 4000; ++i) {
            const Pair pair = draw_pair(task, {}, i);
            for (const auto* side : {&pair.source, &pair.target}) {
                for (std::size_t w = 1; w < side->size(); ++w) {
                    const std::string two = (*side)[w - 1] + " " + (*side)[w];
                    INFO(joined(*side));
                    CHECK(never.count(two) == 0);
                }
            }
        }
    }
}

TEST_CASE("languages have several hundred words a side and all lengths from 3 to 30") {
    for (const Task task : kLanguageTasks) {
        INFO(train::name(task));
        const TaskData data =
            make_task(task, {.training = 5000, .held_out = 300, .max_length = 30});
        CHECK(data.training.size() == 5000);
        CHECK(data.held_out.size() == 300);
        CHECK(vocabulary_of(data.training, Side::source, 9999).words().size() > 350);
        CHECK(vocabulary_of(data.training, Side::target, 9999).words().size() > 350);
        std::map<std::size_t, int> lengths;
        for (const Pair& pair : data.training) ++lengths[pair.source.size()];
        for (std::size_t length = 3; length <= 30; ++length) CHECK(lengths[length] > 20);
    }
}

TEST_CASE("relative clauses, questions, negation and turned phrases all occur") {
    std::map<std::string, int> words;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Pair pair = draw_pair(Task::zh_en, {}, i);
        const std::set<std::string> once(pair.source.begin(), pair.source.end());
        for (const auto& word : once) ++words[word];
    }
    for (const char* word : {"了", "没有", "不", "吗", "什么", "哪里", "为什么", "正在", "会", "本",
                             "昨天", "因为", "如果", "但是", "一些", "能", "想", "必须"}) {
        INFO(word);
        CHECK(words[word] >= 8);
    }
}
