#include "train/tasks/task.hpp"
#include "train/tasks/writers.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

using namespace heed;
using train::Pair;
using train::Task;
using train::TaskOptions;

namespace {

std::string text_of(const std::vector<std::string>& characters) {
    std::string text;
    for (const auto& c : characters) text += c;
    return text;
}

} // namespace

TEST_CASE("every task is found by its name") {
    for (const Task task : train::all_tasks()) CHECK(train::task_named(train::name(task)) == task);
    CHECK(!train::task_named("zh-fr"));
}

TEST_CASE("copy, reverse and sort are what they say, with the gold that made them") {
    const TaskOptions options{.training = 500, .held_out = 50, .max_length = 30};
    for (const Task task : {Task::copy, Task::reverse, Task::sort}) {
        INFO(train::name(task));
        const auto data = train::make_task(task, options);
        REQUIRE(data.training.size() == 500);
        for (const Pair& pair : data.training) {
            auto expected = pair.source;
            if (task == Task::reverse) std::reverse(expected.begin(), expected.end());
            if (task == Task::sort) std::sort(expected.begin(), expected.end());
            CHECK(pair.target == expected);
            std::set<int> linked;
            for (const auto& link : pair.gold) {
                linked.insert(link.target);
                CHECK(pair.target[static_cast<std::size_t>(link.target)] ==
                      pair.source[static_cast<std::size_t>(link.source)]);
            }
            CHECK(linked.size() == pair.target.size());
        }
    }
}

TEST_CASE("repeat says random symbols, then the same again, and the gold leads back to them") {
    const auto data = train::make_task(Task::repeat, {.training = 400, .held_out = 40});
    REQUIRE(data.training.size() == 400);
    for (const Pair& pair : data.training) {
        const std::size_t n = pair.source.size() - 1; // symbols, each of which comes once
        auto text = pair.source;
        text.insert(text.end(), pair.target.begin(), pair.target.end());
        REQUIRE(text.size() == 2 * n);
        CHECK(std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n),
                         text.begin() + static_cast<std::ptrdiff_t>(n)));
        CHECK(std::set<std::string>(text.begin(), text.end()).size() == n);
        REQUIRE(pair.gold.size() == pair.target.size());
        for (const auto& link : pair.gold) {
            CHECK(pair.target[static_cast<std::size_t>(link.target)] ==
                  pair.source[static_cast<std::size_t>(link.source)]);
        }
    }
}

TEST_CASE("more symbols than there are come in rounds") {
    const auto data = train::make_task(
        Task::repeat, {.training = 3, .held_out = 1, .min_length = 30, .max_length = 30});
    REQUIRE(data.training.size() == 3);
    for (const Pair& pair : data.training) {
        CHECK(std::set<std::string>(pair.source.begin(), pair.source.end()).size() == 26);
    }
}

TEST_CASE("numbers are sorted by value, not by their digits") {
    const auto data = train::make_task(
        Task::sort, {.training = 100, .held_out = 5, .symbols = train::Symbols::numbers});
    for (const Pair& pair : data.training) {
        CHECK(std::is_sorted(
            pair.target.begin(), pair.target.end(),
            [](const auto& a, const auto& b) { return std::stoi(a) < std::stoi(b); }));
    }
}

TEST_CASE("of equal symbols that were sorted none is surely the one") {
    int repeated = 0;
    const auto data = train::make_task(Task::sort, {.training = 200, .held_out = 5});
    for (const Pair& pair : data.training) {
        for (const auto& link : pair.gold) {
            const auto& word = pair.target[static_cast<std::size_t>(link.target)];
            const bool once = std::count(pair.source.begin(), pair.source.end(), word) == 1;
            CHECK(link.sure == once);
            repeated += once ? 0 : 1;
        }
    }
    CHECK(repeated > 100);
}

TEST_CASE("dates say the same in every spelling") {
    const auto data = train::make_task(Task::dates, {.training = 4000, .held_out = 400});
    REQUIRE(data.training.size() == 4000);
    REQUIRE(data.held_out.size() == 400);
    std::map<std::string, std::string> iso;
    for (const auto* set : {&data.training, &data.held_out}) {
        for (const Pair& pair : *set) {
            const std::string target = text_of(pair.target);
            CHECK(target.size() == 10);
            iso.emplace(text_of(pair.source), target);
        }
    }
    // Independent of how they are written: spellings that a reader can take apart at a glance.
    int read = 0;
    for (const auto& [source, target] : iso) {
        int a = 0, b = 0, c = 0;
        char rest = 0;
        std::string expected;
        const auto is_form = [&](const char* form) {
            return std::sscanf(source.c_str(), form, &a, &b, &c, &rest) == 3;
        };
        const auto make = [](int y, int m, int d) {
            char text[40];
            std::snprintf(text, sizeof text, "%04d-%02d-%02d", y, m, d);
            return std::string(text);
        };
        if (is_form("%d.%d.%d%c"))
            expected = make(c, b, a);
        else if (is_form("%d/%d/%d%c"))
            expected = a > 31 ? make(a, b, c) : make(c, a, b);
        else if (is_form("%4d年%d月%d日%c"))
            expected = make(a, b, c);
        else
            continue;
        INFO(source);
        CHECK(target == expected);
        ++read;
    }
    CHECK(read > 500);
}

TEST_CASE("a date's digits come from where they stand") {
    for (std::uint64_t number = 0; number < 400; ++number) {
        const Pair pair = train::draw_pair(Task::dates, {}, number);
        INFO(text_of(pair.source) << " " << text_of(pair.target));
        std::set<int> linked;
        for (const auto& link : pair.gold) {
            linked.insert(link.target);
            const auto& from = pair.source[static_cast<std::size_t>(link.source)];
            if (link.sure && from.size() == 1) {
                CHECK(pair.target[static_cast<std::size_t>(link.target)] == from);
            }
        }
        CHECK(linked == std::set<int>{0, 1, 2, 3, 5, 6, 8, 9});
        for (const auto& link : pair.gold) CHECK((link.target > 1 || !link.sure));
    }
}

TEST_CASE("characters of a date are what the tokenizer makes of it") {
    CHECK(train::segmentation(Task::dates) == text::Segmentation::characters);
    CHECK(train::segmentation(Task::zh_en) == text::Segmentation::words);
}

TEST_CASE("held-out sets never overlap the training sets, whatever the seeds") {
    for (const Task task : train::all_tasks()) {
        INFO(train::name(task));
        std::set<std::string> trained;
        for (const std::uint64_t seed : {1, 2}) {
            for (const Pair& pair :
                 train::make_task(task,
                                  {.seed = seed, .training = 2000, .held_out = 0, .max_length = 4})
                     .training) {
                trained.insert(train::joined(pair.source));
            }
        }
        const auto data =
            train::make_task(task, {.seed = 3, .training = 0, .held_out = 500, .max_length = 4});
        CHECK(data.held_out.size() == 500);
        std::set<std::string> held_out;
        for (const Pair& pair : data.held_out) {
            held_out.insert(train::joined(pair.source));
            CHECK(trained.count(train::joined(pair.source)) == 0);
        }
        CHECK(held_out.size() == 500);
    }
}

TEST_CASE("the same seed writes the same sentences, another one others") {
    const auto a = train::make_task(Task::reverse, {.training = 50, .held_out = 5});
    const auto b = train::make_task(Task::reverse, {.training = 50, .held_out = 5});
    const auto c = train::make_task(Task::reverse, {.seed = 2, .training = 50, .held_out = 5});
    CHECK(a.training == b.training);
    CHECK(a.held_out == b.held_out);
    CHECK(a.training != c.training);
}

TEST_CASE("lengths are spread over those that are allowed") {
    const auto data = train::make_task(
        Task::copy, {.training = 2000, .held_out = 100, .min_length = 5, .max_length = 24});
    std::map<std::size_t, int> lengths;
    for (const Pair& pair : data.training) ++lengths[pair.source.size()];
    CHECK(lengths.size() == 20);
    CHECK(lengths.begin()->first == 5);
    for (const auto& [length, times] : lengths) CHECK(times > 60);
}

TEST_CASE("a task with few sentences gives those it has") {
    const auto data = train::make_task(
        Task::copy, {.training = 5000, .held_out = 500, .min_length = 1, .max_length = 2});
    CHECK(data.training.size() + data.held_out.size() == 26 + 26 * 26);
}

TEST_CASE("every date that is drawn is known as one, and no other text is") {
    for (std::uint64_t number = 0; number < 200; ++number) {
        std::string text;
        for (const std::string& letter : train::draw_pair(Task::dates, {}, number).source)
            text += letter;
        INFO(text);
        CHECK(train::is_date(text));
    }
    for (const char* text : {"", "hello", "2019", "31 April 2019", "3 May 1899", "May 2019 3"})
        CHECK_FALSE(train::is_date(text));
    CHECK(train::is_date(" 3 May 2019 "));
}
