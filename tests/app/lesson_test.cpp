// Lessons as text: what a good one says, and what is told of a bad one.
#include "app/learn/lesson.hpp"
#include "app/learn/lesson_run.hpp"
#include "app/learn/lessons.hpp"
#include "app/run_heed.hpp"
#include "app/temporary_folder.hpp"
#include "base/file.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"

#include <algorithm>
#include <set>

using namespace heed;
using app::Condition;

namespace {

constexpr const char* kGood = "# Why scores are scaled\n"
                              "\n"
                              "Scores grow with the width.\n"
                              "So they are divided.\n"
                              "\n"
                              "A second paragraph.\n"
                              "\n"
                              "do: Turn Scale off,\n"
                              "  and watch.\n"
                              "check: scale is off\n"
                              "once: head looks previous > 0.6\n"
                              "check: edited row \"ate\" keys \"昨天\" “了”\n"
                              "point: scale\n"
                              "guess: head confidence | How much?\n"
                              "seen: It was {head confidence before}, now {head confidence}.\n";

std::string mistakes(const std::string& text) {
    std::string all;
    for (const base::Error& error : app::parse_lesson(text, "a.md").wrong) {
        all += base::describe(error) + '\n';
    }
    return all;
}

/// The good lesson with one line in place of another.
std::string with_line(const std::string& line, const std::string& other) {
    std::string text = kGood;
    const std::size_t at = text.find(line);
    REQUIRE(at != std::string::npos);
    return text.replace(at, line.size(), other);
}

void check_wrong(const std::string& line, const std::string& other, const std::string& where,
                 const std::string& expected) {
    const std::string said = mistakes(with_line(line, other));
    INFO(said);
    CHECK(said.starts_with("a.md, " + where + ": "));
    CHECK(said.find(expected) != std::string::npos);
}

Condition condition(const std::string& words) {
    const auto parsed = app::parse_condition(words, "here");
    INFO((parsed ? "" : base::describe(parsed.error())));
    REQUIRE(parsed);
    return *parsed;
}

} // namespace

TEST_CASE("a lesson is a title, paragraphs, a task, conditions, and what is said when it is done") {
    const app::ReadLesson read = app::parse_lesson(kGood, "a.md");
    REQUIRE(read.wrong.empty());
    const app::Lesson& lesson = read.lesson;
    CHECK(lesson.title == "Why scores are scaled");
    REQUIRE(lesson.words.size() == 2);
    CHECK(lesson.words[0] == "Scores grow with the width. So they are divided.");
    CHECK(lesson.task == "Turn Scale off, and watch.");
    REQUIRE(lesson.checks.size() == 3);
    CHECK(lesson.checks[0].kind == Condition::Kind::is);
    CHECK(lesson.checks[0].word == "off");
    CHECK_FALSE(lesson.checks[0].once);
    CHECK(lesson.checks[1].kind == Condition::Kind::above);
    CHECK(lesson.checks[1].number == 0.6);
    CHECK(lesson.checks[1].once);
    CHECK(lesson.checks[2].row == "ate");
    CHECK(lesson.checks[2].keys == std::vector<std::string>{"昨天", "了"});
    CHECK(lesson.points == std::vector{app::LessonPlace::scale});
    REQUIRE(lesson.guess);
    CHECK(lesson.guess->question == "How much?");
    REQUIRE(lesson.seen.parts.size() == 5);
    CHECK(lesson.seen.parts[1].before);
    CHECK_FALSE(lesson.seen.parts[3].before);
    CHECK(lesson.same.parts.empty());
    const auto same =
        app::parse_lesson(std::string(kGood) + "same: It is {head confidence}.\n", "a.md");
    REQUIRE(same.wrong.empty());
    REQUIRE(same.lesson.same.parts.size() == 3);
    CHECK(same.lesson.same.parts[1].fact == app::fact_named("head confidence"));
}

TEST_CASE("line ends of other systems and spaces at ends of lines make no other lesson") {
    std::string text;
    for (const char c : std::string(kGood))
        text += c == '\n' ? std::string(" \r\n") : std::string(1, c);
    const app::ReadLesson read = app::parse_lesson(text, "a.md");
    REQUIRE(read.wrong.empty());
    CHECK(read.lesson.task == "Turn Scale off, and watch.");
    CHECK(read.lesson.checks[0].word == "off");
}

TEST_CASE("every kind of condition is read as it is written") {
    using Kind = Condition::Kind;
    CHECK(condition("head confidence < 0.5").kind == Kind::below);
    CHECK(condition("mask is not causal").kind == Kind::is_not);
    CHECK(condition("positions are none").kind == Kind::is);
    CHECK(condition("row changed").kind == Kind::changed);
    CHECK(condition("head is the most previous").kind == Kind::most);
    CHECK(condition("edited row any keys any").row.empty());
    // A longer name wins over a shorter one that it begins with.
    CHECK(condition("row looks at changed").fact->name == "row looks at");
    CHECK(condition("head gain < 0.01").fact->name == "head gain");
    CHECK(condition("  scale   is   off ").word == "off");
}

TEST_CASE("what is wrong in a lesson names the line, what was expected and what was found") {
    check_wrong("# Why scores are scaled", "Why", "line 1", "expected '# ' and a title");
    check_wrong("check: scale is off", "chek: scale is off", "line 10",
                "expected one of need, do, check, once, point, guess, head, seen, same before the "
                "colon, found "
                "'chek'");
    check_wrong("check: scale is off", "check: scale is of", "line 10",
                "expected one of on, off after 'scale is', found 'of'");
    check_wrong("check: scale is off", "check: skale is off", "line 10", "found 'skale is off'");
    check_wrong("check: scale is off", "check:", "line 10", "expected words after 'check:'");
    check_wrong("check: scale is off", "check: scale > 3", "line 10", "expected 'is WORD'");
    check_wrong("> 0.6", "> lots", "line 11", "expected a number such as 0.6");
    check_wrong("> 0.6", "is high", "line 11", "expected '> NUMBER'");
    check_wrong("keys \"昨天\" “了”", "keys 昨天", "line 12", "expected words in quotes");
    check_wrong("keys \"昨天\" “了”", "keys \"昨天", "line 12", "expected words in quotes");
    check_wrong("row \"ate\"", "row \"\"", "line 12", "expected a word in quotes");
    check_wrong("point: scale", "point: roof", "line 13", "expected one of sentence, model");
    check_wrong("guess: head confidence | How much?", "guess: head confidence", "line 14",
                "expected '|' and a question");
    check_wrong("guess: head confidence", "guess: luck", "line 14", "found 'luck'");
    check_wrong("{head confidence}", "{head confidenc}", "line 15", "found 'head confidenc'");
    check_wrong("{head confidence}", "{head confidence", "line 15", "expected '}'");
    check_wrong("point: scale", "seen: Twice.\npoint: scale", "line 16", "stands here twice");
    check_wrong("do: Turn Scale off,\n  and watch.\n", "", "line 13", "expected a line 'do:'");
    check_wrong("  and watch.", "and watch.", "line 9", "two spaces");
    check_wrong("check: scale is off", "check: head is the most tall", "line 10",
                "expected one of previous, next, same, first, separator, confident");
}

TEST_CASE("what can never hold is wrong, and a byte order mark is not") {
    check_wrong("check: scale is off", "check: head confidence > 5", "line 10",
                "expected a number that 'head confidence' can be above: it goes from 0 to 1");
    check_wrong("check: scale is off", "check: temperature < 0", "line 10", "can be below");
    CHECK(mistakes("\xEF\xBB\xBF" + std::string(kGood)).empty());
}

TEST_CASE("conditions are told in words to who follows them") {
    CHECK(in_words(condition("edited row any keys any")) == "Let a word look at one word alone");
    CHECK(in_words(condition("edited row \"ate\" keys \"昨天\" \"了\"")) ==
          "Let “ate” look at “昨天”, “了” alone");
    CHECK(in_words(condition("head is the most previous")) ==
          "Choose the head that looks most at the word before");
    CHECK(in_words(condition("row changed")) == "Choose another row");
    CHECK(in_words(condition("sentence changed")) == "Change “sentence”");
    CHECK(in_words(condition("training steps > 199")) == "Bring “training steps” above 199");
    CHECK(in_words(condition("scale is off")) == "Turn Scale off");
    CHECK(in_words(condition("scale is not off")) == "Turn Scale on");
    CHECK(in_words(condition("mask is causal")) == "Set the mask to causal");
    CHECK(in_words(condition("mask is not causal")) == "Take the causal mask off");
    CHECK(in_words(condition("mask is none")) == "Take every mask off");
    CHECK(in_words(condition("positions are none")) == "Set Positions to off");
    CHECK(in_words(condition("positions are not none")) == "Set Positions to another than off");
    CHECK(in_words(condition("attention is decoder")) == "Choose Decoder");
    CHECK(in_words(condition("attention is not cross")) == "Choose another than Cross");
    CHECK(in_words(condition("view is train")) == "Open Train");
    CHECK(in_words(condition("row is ate")) == "Choose the row “ate”");
    CHECK(in_words(condition("said is le chat")) == "See that “said” is “le chat”");
}

TEST_CASE("a condition's own words stand behind a bar, and are no part of it") {
    const auto read =
        app::parse_lesson(with_line("scale is off", "scale is off | Turn the switch"), "a.md");
    REQUIRE(read.wrong.empty());
    const Condition& check = read.lesson.checks.front();
    CHECK(check.word == "off");
    CHECK(check.written == "scale is off");
    CHECK(in_words(check) == "Turn the switch");
    CHECK(in_words(read.lesson.checks[1]) == "Bring “head looks previous” above 0.6");
    check_wrong("check: scale is off", "check: scale is of | Turn the switch", "line 10",
                "found 'of'");
}

TEST_CASE("what a condition looks at has its place in the window") {
    using Place = app::LessonPlace;
    const auto place = [](const char* words) { return app::place_for(condition(words)); };
    CHECK(place("attention is not cross") == Place::attention);
    CHECK(place("head is the most previous") == Place::heads);
    CHECK(place("row changed") == Place::map);
    CHECK(place("edited row any keys any") == Place::weight);
    CHECK(place("mask is causal") == Place::mask);
    CHECK(place("view is train") == Place::train);
    CHECK(place("training steps > 199") == Place::play);
    CHECK_FALSE(place("head looks ahead > 0"));
    for (const app::ListedLesson& entry : app::shipped_lessons()) {
        INFO(entry.name);
        CHECK(app::is_of_map(entry.lesson) == (entry.name != "8-watch-it-learn"));
        for (const Condition& check : entry.lesson.checks) CHECK_FALSE(check.asked.empty());
    }
}

TEST_CASE("all mistakes of a lesson are told at once, and an empty file has some") {
    const std::string two =
        mistakes(with_line("check: scale is off", "check: scale is of\npoint: roof"));
    CHECK(two.find("line 10") != std::string::npos);
    CHECK(two.find("line 11") != std::string::npos);
    CHECK(mistakes("").find("expected '# ' and a title") != std::string::npos);
    CHECK(mistakes("# Title").find("expected two or three sentences") != std::string::npos);
}

TEST_CASE("every beginning of a lesson is a lesson or says what is missing") {
    const std::string text = kGood;
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const app::ReadLesson read = app::parse_lesson(text.substr(0, size), "a.md");
        for (const base::Error& error : read.wrong) {
            CHECK(error.subject.starts_with("a.md, line "));
            CHECK_FALSE(error.message.empty());
            CHECK(base::is_valid_utf8(error.message));
        }
        const bool whole = size >= text.size() - 1; // but for the last line's end
        if (whole) CHECK(read.wrong.empty());
        if (size < text.find("seen:")) CHECK_FALSE(read.wrong.empty());
    }
}

TEST_CASE("a lesson that is not UTF-8 is told so, with the line") {
    CHECK(mistakes(with_line("A second", "A \xFFsecond")) ==
          "a.md, line 6: these bytes are not UTF-8; save the file as UTF-8\n");
    CHECK(mistakes(std::string(kGood) + "\xE6\x98").starts_with("a.md, line 16: "));
}

TEST_CASE("too many conditions are too many, and a large file is none") {
    std::string many = kGood;
    for (int i = 0; i < 20; ++i) many += "check: scale is off\n";
    CHECK(mistakes(many).find("at most 16 conditions") != std::string::npos);
    const TemporaryFolder folder;
    REQUIRE(
        base::write_file_atomic(folder / "large.md", std::string(app::kMostLessonBytes + 1, 'x')));
    CHECK(app::read_lesson(folder / "large.md").wrong.size() == 1);
    CHECK(app::read_lesson(folder / "none.md").wrong.front().kind == base::ErrorKind::not_found);
}

TEST_CASE("facts have names of their own, and each is told in the help") {
    std::set<std::string_view> names;
    const std::string help = app::lesson_help();
    for (const app::Fact& fact : app::facts()) {
        INFO(fact.name);
        CHECK(names.insert(fact.name).second);
        CHECK(app::fact_named(fact.name) == &fact);
        CHECK(help.find("  " + std::string(fact.name) + " ") != std::string::npos);
    }
    CHECK(app::fact_named("nothing") == nullptr);
}

TEST_CASE("all eight lessons that come with the program are good ones") {
    REQUIRE(app::shipped_lessons().size() == 8);
    std::set<std::string> titles;
    for (const app::ListedLesson& entry : app::shipped_lessons()) {
        const auto text = app::shipped_lesson_text(entry.name);
        for (const base::Error& error : app::parse_lesson(text, entry.name).wrong) {
            FAIL_CHECK(base::describe(error));
        }
        CHECK(titles.insert(entry.lesson.title).second);
        CHECK_FALSE(entry.lesson.points.empty());
    }
}

TEST_CASE("a card names Cross, which some models do not have, only where it asks for it") {
    for (const app::ListedLesson& entry : app::shipped_lessons()) {
        CAPTURE(entry.name);
        const bool asks = std::ranges::any_of(entry.lesson.checks, [](const auto& check) {
            return check.fact == app::fact_named("attention");
        });
        CHECK((asks || app::shipped_lesson_text(entry.name).find("Cross") == std::string::npos));
    }
}

TEST_CASE("a teacher's own lessons are found by their files, and bad ones are told") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "b.md", kGood));
    REQUIRE(base::write_file_atomic(folder / "a.md", kGood));
    REQUIRE(base::write_file_atomic(folder / "bad.md", "# Only a title\n"));
    REQUIRE(base::write_file_atomic(folder / "notes.txt", "no lesson"));
    const app::OwnLessons own = app::own_lessons(folder / "");
    REQUIRE(own.lessons.size() == 2);
    CHECK(own.lessons[0].name == "a");
    CHECK(own.lessons[0].own);
    REQUIRE(own.wrong.size() == 1);
    CHECK(own.wrong[0].subject.find("bad.md, line 1") != std::string::npos);
    CHECK(app::own_lessons(folder / "nowhere").lessons.empty());
    CHECK(app::own_lessons("").lessons.empty());
}

TEST_CASE("heed lesson --check says what is wrong with exit code 1, and what is good with 0") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "good.md", kGood));
    REQUIRE(base::write_file_atomic(folder / "bad.md", with_line("scale is off", "scale is of")));
    const HeedRan good = heed_ran({"lesson", folder / "good.md", "--check"});
    CHECK(good.code == 0);
    CHECK(good.says("3 conditions: nothing is wrong"));
    const HeedRan bad = heed_ran({"lesson", folder / "bad.md", "--check"});
    CHECK(bad.code == 1);
    CHECK(bad.complains("bad.md, line 10: expected one of on, off"));
    CHECK(bad.out.empty());
    CHECK(heed_ran({"lesson", "--check"}).code == 2);
    CHECK(heed_ran({"lesson", folder / "none.md"}).code == 1);
    const HeedRan list = heed_ran({"lesson"});
    CHECK(list.says("4-why-root-of-d-k"));
}

TEST_CASE("heed lesson shows a card, and what of it holds for the controls that are given") {
    const std::vector<std::string> model{"--d-model", "32",     "--heads",  "4",
                                         "--layers",  "1",      "--source", "the cat sat",
                                         "--target",  "le chat"};
    std::vector<std::string> words{"lesson", "4-why-root-of-d-k"};
    words.insert(words.end(), model.begin(), model.end());
    const HeedRan before = heed_ran(words);
    INFO(before.err);
    CHECK(before.code == 0);
    CHECK(before.says("Do: Turn Scale off"));
    CHECK(before.says("[ ] scale is off"));
    words.insert(words.end(), {"--scale", "off"});
    const HeedRan after = heed_ran(words);
    CHECK(after.says("[x] scale is off"));
    CHECK(after.says("The head is 8 wide."));
}
