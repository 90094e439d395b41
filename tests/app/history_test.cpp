#include "app/document/history.hpp"
#include "catch.hpp"

using heed::app::Document;
using heed::app::History;
using heed::app::UndoTag;

namespace {

Document with_source(const std::string& source) {
    Document document;
    document.source = source;
    return document;
}

constexpr UndoTag kOne{UndoTag::Of::source}, kOther{UndoTag::Of::target},
    kThird{UndoTag::Of::padding};

} // namespace

TEST_CASE("a history that has just begun has nothing to undo or redo") {
    History history(with_source("a"));
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.can_redo());
    CHECK_FALSE(history.undo());
    CHECK_FALSE(history.redo());
    CHECK(history.now().source == "a");
}

TEST_CASE("undo and redo walk through every change") {
    History history(with_source("a"));
    history.change(with_source("b"), kOne, "one");
    history.change(with_source("c"), kOther, "two");
    REQUIRE(history.undo());
    CHECK(history.now().source == "b");
    REQUIRE(history.undo());
    CHECK(history.now().source == "a");
    REQUIRE(history.redo());
    REQUIRE(history.redo());
    CHECK(history.now().source == "c");
    CHECK_FALSE(history.can_redo());
}

TEST_CASE("successive changes with one tag are one entry until it is sealed") {
    History history(with_source(""));
    history.change(with_source("c"), kOne, "source");
    history.change(with_source("ca"), kOne, "source");
    history.change(with_source("cat"), kOne, "source");
    CHECK(history.size() == 2);
    history.seal();
    history.change(with_source("cat "), kOne, "source");
    CHECK(history.size() == 3);
    history.undo();
    CHECK(history.now().source == "cat");
    history.undo();
    CHECK(history.now().source.empty());
}

TEST_CASE("changes that come back to where they began are no entry") {
    History history(with_source("a"));
    history.change(with_source("ab"), kOther, "target");
    history.change(with_source("abc"), kOne, "source");
    history.change(with_source("ab"), kOne, "source");
    CHECK(history.size() == 2);
    REQUIRE(history.undo());
    CHECK(history.now().source == "a");
}

TEST_CASE("a change with another tag begins another entry") {
    History history(with_source(""));
    history.change(with_source("a"), kOne, "source");
    history.change(with_source("b"), kOther, "target");
    history.change(with_source("c"), kOne, "source");
    CHECK(history.size() == 4);
    CHECK(history.words(2) == "target");
}

TEST_CASE("a change after an undo forgets what could have been redone") {
    History history(with_source("a"));
    history.change(with_source("b"), kOne, "x");
    history.change(with_source("c"), kOther, "y");
    history.undo();
    history.change(with_source("d"), kThird, "z");
    CHECK_FALSE(history.can_redo());
    history.undo();
    CHECK(history.now().source == "b");
}

TEST_CASE("an entry that was undone or redone is never changed by a later edit with its tag") {
    History history(with_source("a"));
    history.change(with_source("b"), kOne, "x");
    history.undo();
    history.redo();
    history.change(with_source("c"), kOne, "x");
    history.undo();
    CHECK(history.now().source == "b");
}

TEST_CASE("a change that changes nothing is no entry") {
    History history(with_source("a"));
    history.change(with_source("a"), kOne, "x");
    CHECK(history.size() == 1);
}

TEST_CASE("a history of thousands of changes keeps the newest and stays bounded") {
    History history(with_source("start"));
    for (int i = 0; i < 3000; ++i) {
        history.change(with_source(std::to_string(i)), {UndoTag::Of::weight, {}, i, 0}, "edit");
    }
    CHECK(history.now().source == "2999");
    CHECK(history.size() <= 500);
    CHECK(history.at() + 1 == history.size());
    REQUIRE(history.undo());
    CHECK(history.now().source == "2998");
}

TEST_CASE("an entry of its own is one also where nothing changes, and each has its own id") {
    History history(with_source("a"));
    const std::size_t first = history.id();
    history.change(with_source("b"), kOne, "tag");
    const std::size_t second = history.id();
    history.begin(with_source("b"), "tag");
    CHECK(history.size() == 3);
    const std::size_t third = history.id();
    history.change(with_source("c"), kOne, "tag");
    CHECK(history.size() == 4);
    history.undo();
    CHECK(history.id() == third);
    history.undo();
    CHECK(history.id() == second);
    history.undo();
    CHECK(history.id() == first);
    history.begin(with_source("d"), "tag");
    CHECK_FALSE(history.can_redo());
    for (const std::size_t old : {first, second, third}) CHECK(history.id() != old);
}

TEST_CASE("a pause divides what is undone, and not what it stands on") {
    History history(with_source("start"));
    history.change(with_source("one"), kOne, "x");
    history.change(with_source("one t"), kOne, "x");
    history.pause(kOther); // of something else
    history.change(with_source("one two"), kOne, "x");
    CHECK(history.size() == 2);
    CHECK_FALSE(history.continues());
    history.pause(kOne);
    CHECK(history.before(kOne).source == "start");
    history.change(with_source("another"), kOne, "x");
    history.pause(kOne);
    history.change(with_source("a third"), kOne, "x");
    history.change(with_source("a third one"), kOne, "x");
    CHECK(history.size() == 4);
    CHECK(history.continues());
    CHECK(history.before(kOne).source == "start");
    CHECK(history.before(kOther).source == "a third one");
    REQUIRE(history.undo());
    CHECK(history.now().source == "another");
    CHECK(history.before(kOne).source == "another");
    REQUIRE(history.undo());
    CHECK(history.now().source == "one two");
    CHECK_FALSE(history.continues());
    REQUIRE(history.undo());
    CHECK(history.now().source == "start");
    CHECK_FALSE(history.can_undo());
    REQUIRE(history.redo());
    CHECK(history.now().source == "one two");
}

TEST_CASE("letters behind the letter that was typed last go on in its word") {
    using heed::app::goes_on_in_word;
    CHECK(goes_on_in_word("the ", "the c", "the ca"));
    CHECK(goes_on_in_word("the ", "the c", "the catalogue")); // that came in one frame
    CHECK(goes_on_in_word("", "\u00e9", "\u00e9t"));
    CHECK(goes_on_in_word("on mat", "on the mat", "on them mat")); // in the middle
    CHECK_FALSE(goes_on_in_word("the ", "the c", "the c "));
    CHECK_FALSE(goes_on_in_word("the", "the ", "the c"));
    CHECK_FALSE(goes_on_in_word("the", "the", "them")); // nothing was typed before it
    CHECK_FALSE(goes_on_in_word("the ", "the cat", "the ca"));
    CHECK_FALSE(goes_on_in_word("the ", "the cat", "thes cat")); // elsewhere
    CHECK_FALSE(goes_on_in_word("", "\u6211", "\u6211\u5403"));
    CHECK_FALSE(goes_on_in_word("", "one", "one two"));
    CHECK(goes_on_in_word("", "a sm", "a small dog")); // the rest of a word, and others
}

TEST_CASE("a word begins behind the space of another one that was typed") {
    using heed::app::begins_word;
    CHECK(begins_word("", "a ", "a s"));
    CHECK(begins_word("the ", "the c ", "the c a"));
    CHECK(begins_word("x y", "x a y", "x a b y"));     // in the middle
    CHECK_FALSE(begins_word("the ", "the ", "the c")); // nothing was typed yet
    CHECK_FALSE(begins_word("the", "the ", "the c"));  // but its space
    CHECK_FALSE(begins_word("", "a", "a "));
    CHECK_FALSE(begins_word("", "a s", "a sm"));
    CHECK_FALSE(begins_word("", "a s", "a "));
    CHECK_FALSE(begins_word("", "\u6211", "\u6211\u5403"));
}

TEST_CASE("words that come at once are cut behind the space of the first") {
    using heed::app::up_to_next_word;
    CHECK(up_to_next_word("", "a s") == "a ");
    CHECK(up_to_next_word("smal", "small d") == "small ");
    CHECK(up_to_next_word("one two", "one or two") == std::nullopt);
    CHECK(up_to_next_word("one", "one t") == "one ");
    CHECK(up_to_next_word("one ", "one t") == std::nullopt);
    CHECK(up_to_next_word("one", "one ") == std::nullopt);
    CHECK(up_to_next_word("one t", "one") == std::nullopt);
}

TEST_CASE("a few characters that come or go at one place are typed, and other texts are not") {
    using heed::app::is_typed;
    CHECK(is_typed("", ""));
    CHECK(is_typed("the ca", "the cat"));
    CHECK(is_typed("the cat", "the ca"));
    CHECK(is_typed("the at", "the cat"));
    CHECK(is_typed("\u6211", "\u6211\u5403\u82f9\u679c"));
    CHECK(is_typed("", "\U0001F600"));
    CHECK(is_typed("aa", "a"));
    CHECK_FALSE(is_typed("the cat", "c")); // typed over a selection
    CHECK_FALSE(is_typed("the cat", "the dog"));
    CHECK_FALSE(is_typed("the", "the black cat"));
    CHECK_FALSE(is_typed("the black cat", "the"));
    CHECK_FALSE(is_typed("the cat", ""));
}

TEST_CASE("a history forgets what lies before an entry, and never what holds") {
    History history(with_source("a"));
    history.begin(with_source("b"), "one");
    const std::size_t first = history.id();
    history.change(with_source("c"), kOther, "two");
    history.forget_until(first - 1);
    CHECK(history.now().source == "c");
    REQUIRE(history.undo());
    CHECK(history.now().source == "b");
    CHECK_FALSE(history.can_undo());
    history.forget_until(first + 1);
    CHECK(history.now().source == "b");
    CHECK(history.can_redo());
}
