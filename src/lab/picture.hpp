// Pictures of a page of the lab, as plain numbers and words: figures draw them, tests read them.
#pragma once

#include "num/matrix.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heed::lab {

/// Numbers under one name: of bars, or of a curve.
struct Series {
    std::string name;
    std::vector<double> values{};        // what is not finite is a gap
    std::vector<double> least{}, most{}; // over seeds; empty, or one a value
    std::optional<int> colour{};         // of those in their order; by default that of its place
};

/// Groups of bars, one bar a series in each.
struct Bars {
    std::vector<std::string> labels{}; // of the groups
    std::vector<Series> series{};      // one value a label
    std::string y_word{};              // what a bar's height is, with its unit
};

/// Shares of draws in bins of equal width.
struct Histogram {
    double from = 0, to = 1;      // of the first and the last bin
    std::vector<Series> counts{}; // one value a bin, as densities
    std::vector<Series> closed{}; // densities that a formula gives, in the middle of each bin
    std::string x_word{}, y_word{};
};

/// Values of several series over one quantity.
struct Curves {
    std::vector<double> xs{}; // rising
    std::vector<Series> series{};
    bool log_x = false, log_y = false; // xs or values above 0
    std::string x_word{}, y_word{};
    std::optional<double> now{};   // the x of the present settings: a dashed line
    std::string now_words{};       // what that line is: "at offset 5"
    bool now_values = true;        // the names of the series are told with their values there
    std::optional<int> decimals{}; // of the values there; nothing: as many as they need
};

/// A matrix as a heat map.
struct Grid {
    std::shared_ptr<const num::Matrix<float>> values{}; // not finite: masked
    std::vector<std::string> rows{}, cols{};            // labels; empty: counted from 1
    std::string row_word{}, col_word{};
    bool signed_values = false; // colours centred at 0
    double reach = 0;           // colours span so much, too; of signed values on either side
    std::string bar_word{};     // what colours are, where the bar's ends say how far they span
    bool weights = false;       // shares, coloured from 0 to 1 whatever they reach
    bool numbers = true;        // in the cells, where they fit
    bool zeros = false;         // what is exactly 0 is written so: it is what a page is to show
    int line_behind = 0;        // so many rows and columns: what follows is of another kind
};

/// Rows of tokens, each on a ground as strong as its share.
struct Words {
    struct Token {
        std::string text;
        double share = 0;    // 0 to 1
        bool remark = false; // about the tokens before it, without a ground
    };
    struct Row {
        std::string label;
        std::vector<Token> tokens{};
    };
    std::vector<Row> rows{};
    bool last_rows = false; // where there is no room for all, the last ones are shown
};

struct Picture {
    std::string title;
    std::string subtitle{};
    std::variant<Histogram, Bars, Curves, Grid, Words> data{};
};

/// A grid of a matrix.
template <class S> std::shared_ptr<const num::Matrix<float>> grid_values(const num::Matrix<S>& m) {
    return num::shared_matrix<float>(m.template cast<float>());
}

} // namespace heed::lab
