#include "app/history.hpp"
#include "catch.hpp"

using heed::app::Document;
using heed::app::History;

namespace {

Document with_source(const std::string& source) {
    Document document;
    document.source = source;
    return document;
}

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
    history.change(with_source("b"), "one");
    history.change(with_source("c"), "two");
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
    history.change(with_source("c"), "source");
    history.change(with_source("ca"), "source");
    history.change(with_source("cat"), "source");
    CHECK(history.size() == 2);
    history.seal();
    history.change(with_source("cat "), "source");
    CHECK(history.size() == 3);
    history.undo();
    CHECK(history.now().source == "cat");
    history.undo();
    CHECK(history.now().source.empty());
}

TEST_CASE("a change with another tag begins another entry") {
    History history(with_source(""));
    history.change(with_source("a"), "source");
    history.change(with_source("b"), "target");
    history.change(with_source("c"), "source");
    CHECK(history.size() == 4);
    CHECK(history.tag(2) == "target");
}

TEST_CASE("a change after an undo forgets what could have been redone") {
    History history(with_source("a"));
    history.change(with_source("b"), "x");
    history.change(with_source("c"), "y");
    history.undo();
    history.change(with_source("d"), "z");
    CHECK_FALSE(history.can_redo());
    history.undo();
    CHECK(history.now().source == "b");
}

TEST_CASE("an entry that was undone or redone is never changed by a later edit with its tag") {
    History history(with_source("a"));
    history.change(with_source("b"), "x");
    history.undo();
    history.redo();
    history.change(with_source("c"), "x");
    history.undo();
    CHECK(history.now().source == "b");
}

TEST_CASE("a change that changes nothing is no entry") {
    History history(with_source("a"));
    history.change(with_source("a"), "x");
    CHECK(history.size() == 1);
}

TEST_CASE("a history of thousands of changes keeps the newest and stays bounded") {
    History history(with_source("start"));
    for (int i = 0; i < 3000; ++i) {
        history.change(with_source(std::to_string(i)), "edit " + std::to_string(i));
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
    history.change(with_source("b"), "tag");
    const std::size_t second = history.id();
    history.begin(with_source("b"), "tag");
    CHECK(history.size() == 3);
    const std::size_t third = history.id();
    history.change(with_source("c"), "tag");
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
