// The Learn room's desk: the newest wins, what is found stays, and a mistake of a page is an error.
#include "app/learn/page_desk.hpp"

#include "catch.hpp"

#include <atomic>
#include <semaphore>
#include <stdexcept>

using namespace heed;
using app::PageDesk;

namespace {

lab::Page page_named(const char* name) {
    lab::Page page;
    page.name = name;
    page.parameters = {lab::real("x", "x", "What is told.", 0, 10, 1)};
    page.n_seeds = 2;
    page.look = [](const lab::Settings& s) {
        return std::vector<lab::Picture>{{fmt::format("x is {}", s.number("x")), {}, {}}};
    };
    page.measure_seed = [](const lab::Settings& s, const lab::Work&) -> base::Result<lab::Sample> {
        return lab::Sample{{{"x", "x", s.number("x"), 0, {}}}, {}};
    };
    page.judge = [](const std::vector<lab::Number>& numbers) {
        const bool much = numbers.front().value > 5;
        return lab::Judgement{much ? lab::Verdict::holds : lab::Verdict::does_not_hold, "x"};
    };
    return page;
}

lab::Settings page_with(const lab::Page& page, double x) {
    lab::Settings settings = lab::usual_settings(page.parameters);
    settings.numbers["x"] = x;
    return settings;
}

} // namespace

TEST_CASE("a desk that was asked nothing rests, and shows nothing") {
    const PageDesk desk(1);
    CHECK_FALSE(desk.busy());
    REQUIRE(desk.latest());
    CHECK(desk.latest()->page == nullptr);
}

TEST_CASE("pictures are those of the newest settings") {
    const lab::Page page = page_named("a");
    PageDesk desk(1);
    for (int x = 0; x <= 10; ++x) desk.look(page, page_with(page, x), nullptr);
    desk.wait();
    CHECK_FALSE(desk.busy());
    CHECK(desk.latest()->page == &page);
    REQUIRE(desk.latest()->pictures.size() == 1);
    CHECK(desk.latest()->pictures[0].title == "x is 10");
    CHECK_FALSE(desk.latest()->on_model);
}

TEST_CASE("rows of cross-attention are named as Explore names them, by the word that is said") {
    const auto tokens = [](std::initializer_list<const char*> words) {
        std::vector<text::Token> made;
        for (const char* word : words) made.push_back({word, 0, 0});
        return made;
    };
    auto run = std::make_shared<models::Run>();
    run->trace.source = tokens({"the", "cat"});
    run->trace.target = tokens({"(start)", "le", "chat"});
    const auto said =
        std::make_shared<const std::vector<text::Token>>(tokens({"le", "chat", "(end)"}));
    lab::Page page = page_named("a");
    page.on_model = [](const models::Run& r, const lab::Settings& s) {
        lab::Grid grid;
        lab::Bars bars, layers;
        for (const text::Token& token : r.trace.target) {
            grid.rows.push_back(token.text);
            bars.labels.push_back(token.text);
        }
        layers.labels = {"encoder 1", "decoder 1"};
        lab::OnModel seen;
        seen.pictures = {{"a", "", grid}, {"b", "", bars}, {"c", "", layers}};
        const bool own = s.number("x") > 5;
        const auto kind = own ? trace::AttentionKind::decoder_self : trace::AttentionKind::cross;
        seen.open = trace::HeadId{kind, 0, 0};
        return std::optional<lab::OnModel>(seen);
    };
    PageDesk desk(1);
    const auto rows = [&] {
        desk.wait();
        REQUIRE(desk.latest()->on_model);
        return std::get<lab::Grid>(desk.latest()->on_model->pictures[0].data).rows;
    };
    const auto labels = [&](std::size_t picture) {
        return std::get<lab::Bars>(desk.latest()->on_model->pictures[picture].data).labels;
    };
    using Words = std::vector<std::string>;
    desk.look(page, page_with(page, 1), run, said);
    CHECK(rows() == Words{"le", "chat", "(end)"});
    CHECK(labels(1) == Words{"le", "chat", "(end)"});
    CHECK(labels(2) == Words{"encoder 1", "decoder 1"});
    desk.look(page, page_with(page, 1), run); // by what is read, as --rows-read has it
    CHECK(rows() == Words{"(start)", "le", "chat"});
    desk.look(page, page_with(page, 9), run, said); // words that look at themselves
    CHECK(rows() == Words{"(start)", "le", "chat"});
}

TEST_CASE("a measurement leaves its verdict with its page") {
    const lab::Page one = page_named("one"), other = page_named("other");
    PageDesk desk(1);
    desk.look(one, page_with(one, 7), nullptr);
    desk.measure(one, page_with(one, 7));
    desk.wait();
    REQUIRE(desk.latest()->measured);
    CHECK(desk.latest()->measured->whole);
    CHECK(desk.latest()->measured->finding.judgement.verdict == lab::Verdict::holds);
    CHECK(desk.latest()->measured->finding.seeds.size() == 2);
    CHECK(desk.latest()->measuring == nullptr);
    desk.look(other, page_with(other, 1), nullptr);
    desk.wait();
    CHECK_FALSE(desk.latest()->measured);
    REQUIRE(desk.latest()->found); // its mark is in the list, whatever page is looked at
    CHECK(desk.latest()->found_of == &one);
    desk.measure(one, page_with(one, 7)); // behind another page
    desk.wait();
    CHECK_FALSE(desk.latest()->measured);
    CHECK(desk.latest()->found_of == &one);
    desk.look(one, page_with(one, 1), nullptr);
    desk.wait();
    REQUIRE(desk.latest()->measured); // of the settings that it was measured with
    CHECK(desk.latest()->measured->settings == page_with(one, 7));
}

TEST_CASE("a newer measurement stops the one before, and stopping leaves none") {
    std::binary_semaphore began(0);
    lab::Page slow = page_named("slow");
    std::atomic<int> stopped = 0;
    slow.measure_seed = [&](const lab::Settings& s,
                            const lab::Work& work) -> base::Result<lab::Sample> {
        if (s.number("x") > 0) return lab::Sample{{{"x", "x", s.number("x"), 0, {}}}, {}};
        work.say(0.25, "waits");
        began.release();
        while (!work.stopped()) std::this_thread::yield();
        ++stopped;
        return lab::cancelled();
    };
    PageDesk desk(1);
    desk.look(slow, page_with(slow, 0), nullptr);
    desk.measure(slow, page_with(slow, 0));
    began.acquire();
    CHECK(desk.busy());
    CHECK(desk.latest()->measuring == &slow);
    desk.measure(slow, page_with(slow, 9));
    desk.wait();
    CHECK(stopped == 1);
    REQUIRE(desk.latest()->measured);
    CHECK(desk.latest()->measured->settings.number("x") == 9);
    CHECK_FALSE(desk.latest()->error);

    desk.measure(slow, page_with(slow, 0));
    began.acquire();
    desk.stop_measuring();
    desk.wait();
    CHECK(stopped == 2);
    CHECK_FALSE(desk.latest()->error); // it was asked for
    CHECK(desk.latest()->measured->settings.number("x") == 9);
}

TEST_CASE("a desk that goes away stops what it measures") {
    std::binary_semaphore began(0);
    lab::Page slow = page_named("slow");
    slow.measure_seed = [&](const lab::Settings&,
                            const lab::Work& work) -> base::Result<lab::Sample> {
        began.release();
        while (!work.stopped()) std::this_thread::yield();
        return lab::cancelled();
    };
    PageDesk desk(1);
    desk.measure(slow, page_with(slow, 0));
    began.acquire();
}

TEST_CASE("what a page throws or fails with is told, and the next measurement works") {
    lab::Page page = page_named("bad");
    page.measure_seed = [](const lab::Settings& s, const lab::Work&) -> base::Result<lab::Sample> {
        if (s.number("x") > 8) throw std::runtime_error("no such thing");
        if (s.number("x") > 4) return base::fail(base::ErrorKind::out_of_range, "x", "is too much");
        return lab::Sample{{{"x", "x", 1, 0, {}}}, {}};
    };
    PageDesk desk(1);
    desk.look(page, page_with(page, 9), nullptr);
    desk.measure(page, page_with(page, 9));
    desk.wait();
    REQUIRE(desk.latest()->error);
    CHECK(desk.latest()->error->message == "no such thing");
    desk.measure(page, page_with(page, 5));
    desk.wait();
    REQUIRE(desk.latest()->error);
    CHECK(desk.latest()->error->message == "is too much");
    desk.measure(page, page_with(page, 1));
    desk.wait();
    CHECK_FALSE(desk.latest()->error);
    CHECK(desk.latest()->measured);
}
