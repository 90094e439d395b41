// Every page answers whatever its parameters stand at.
#include "lab/numbers.hpp"

#include <cmath>

using namespace heed;
using namespace heed::lab;

namespace {

/// One seed and few steps, from which nothing follows but that it can be done.
Page hurried(const Page& page, Settings& settings) {
    Page made = page;
    made.n_seeds = 1;
    if (settings.numbers.contains("steps")) settings.numbers["steps"] = 50;
    return made;
}

} // namespace

TEST_CASE("every page is measured with its parameters at either end") {
    num::ThreadPool pool(2);
    const auto measured = [&](const Page& page, Settings settings) {
        const Page quick = hurried(page, settings);
        const auto found = measure(quick, settings, Work{pool});
        INFO((found ? std::string() : base::describe(found.error())));
        REQUIRE(found);
        CHECK(!found->judgement.because.empty());
        CHECK(found->judgement.because.find("nan") == std::string::npos);
        for (const Number& number : found->measured) {
            CAPTURE(number.label); // whole, whatever stands above it
            CHECK(number.label.find("the same") == std::string::npos);
        }
    };
    for (const Page& page : pages()) {
        for (const bool most : {false, true}) {
            Settings all = usual_settings(page.parameters);
            for (const Parameter& p : page.parameters) {
                if (p.kind == ParameterKind::text) continue;
                CAPTURE(page.name, p.name, most);
                all.numbers[p.name] = most ? p.most : p.least;
                Settings one = usual_settings(page.parameters);
                one.numbers[p.name] = all.numbers[p.name];
                // What trains is asked once, with all of them.
                if (page.seconds < 1) measured(page, one);
            }
            CAPTURE(page.name, most);
            measured(page, all);
        }
    }
}

TEST_CASE("texts that say nothing are answered with what is missing") {
    num::ThreadPool pool(1);
    for (const Page& page : pages()) {
        for (const Parameter& p : page.parameters) {
            if (p.kind != ParameterKind::text) continue;
            for (const char* words : {"", " ", "a", "\xF0\x9F\x98\x80", "。", "\x01"}) {
                CAPTURE(page.name, p.name, words);
                Settings settings = usual_settings(page.parameters);
                settings.texts[p.name] = words;
                CHECK(!page.look(settings).empty());
                const auto found = measure(page, settings, Work{pool});
                if (!found) CHECK(found.error().subject == p.name);
            }
        }
    }
}
