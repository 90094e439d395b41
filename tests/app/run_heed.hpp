// The command line, run in this process.
#pragma once

#include "app/cli/cli.hpp"

#include <sstream>
#include <string>
#include <vector>

struct HeedRan {
    int code = 0;
    std::string out, err;

    bool says(const std::string& words) const { return out.find(words) != std::string::npos; }
    bool complains(const std::string& words) const { return err.find(words) != std::string::npos; }
};

inline HeedRan heed_ran(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"heed"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const auto outcome =
        heed::app::run_cli(static_cast<int>(argv.size()), argv.data(), nullptr, out, err);
    return {outcome.exit_code, out.str(), err.str()};
}
