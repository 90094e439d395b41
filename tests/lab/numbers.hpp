// What the tests of the lab share.
#pragma once

#include "catch.hpp"
#include "lab/page.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::tests {

/// One number by name, with its spread over seeds.
struct Given {
    double value = 0, spread = 0;
};

inline std::vector<lab::Number> given_numbers(const std::map<std::string, Given>& values) {
    std::vector<lab::Number> measured;
    for (const auto& [name, given] : values) {
        measured.push_back({name, name, given.value, given.spread});
    }
    return measured;
}

/// What a page's verdict is of these numbers, where `changed` overrules some.
inline lab::Judgement judged(const char* page, std::map<std::string, Given> values,
                             const std::map<std::string, Given>& changed = {}) {
    for (const auto& [name, given] : changed) {
        REQUIRE(values.contains(name));
        values[name] = given;
    }
    return lab::page_named(page)->judge(given_numbers(values));
}

/// A page measured as it stands, on two threads, with less of what takes time.
inline lab::Finding found(const char* page,
                          std::initializer_list<std::pair<const char*, const char*>> set = {},
                          int n_seeds = 0) {
    lab::Page measured = *lab::page_named(page);
    if (n_seeds > 0) measured.n_seeds = n_seeds;
    lab::Settings settings = lab::usual_settings(measured.parameters);
    for (const auto& [name, value] : set) {
        REQUIRE(lab::set(measured.parameters, settings, name, value));
    }
    num::ThreadPool pool(2);
    auto result = lab::measure(measured, settings, lab::Work{pool});
    INFO((result ? std::string() : base::describe(result.error())));
    REQUIRE(result);
    return *std::move(result);
}

inline double value_of(const lab::Finding& finding, const char* name) {
    return lab::number(finding.measured, name).value;
}

} // namespace heed::tests
