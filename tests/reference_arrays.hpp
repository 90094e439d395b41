// Expected numbers that PyTorch made (tests/reference/make_nn.py), read from a text file of arrays:
// a line "name rows columns", then one line a row.
#pragma once

#include "catch.hpp"
#include "num/matrix.hpp"
#include "paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace heed::tests {

class ReferenceArrays {
  public:
    explicit ReferenceArrays(const std::string& file) {
        std::string path = HEED_SOURCE_DIR;
        path += "/tests/reference/";
        path += file;
        std::ifstream in(path);
        REQUIRE(in);
        std::string name, number;
        num::Index rows = 0, cols = 0;
        while (in >> name >> rows >> cols) {
            num::Matrix<double> m(rows, cols);
            for (num::Index i = 0; i < m.size(); ++i) {
                // A stream does not read "-inf"; strtod does.
                REQUIRE(in >> number);
                m.data()[i] = std::strtod(number.c_str(), nullptr);
            }
            arrays_.emplace(name, std::move(m));
        }
    }

    bool has(const std::string& name) const { return arrays_.count(name) > 0; }
    template <class S = double> num::Matrix<S> at(const std::string& name) const {
        INFO("reference array " << name);
        REQUIRE(has(name));
        return arrays_.at(name).template cast<S>();
    }

  private:
    std::map<std::string, num::Matrix<double>> arrays_;
};

/// The arrays of tests/reference/nn.txt.
inline const ReferenceArrays& nn_arrays() {
    static const ReferenceArrays arrays("nn.txt");
    return arrays;
}

/// How far a result may be from PyTorch's, as a share of the array's largest finite number: 1e-5 in
/// float and 1e-12 in double. Not of each element, because elements that are small as the
/// difference of large ones (a sum over features, a normalised row) have no digits to promise.
template <class S> inline constexpr double kTolerance = sizeof(S) == sizeof(float) ? 1e-5 : 1e-12;

/// Where the expected number is infinite the result must be so too.
template <class Result>
void check_close(const Result& result, const num::Matrix<double>& expected, double tolerance) {
    REQUIRE(result.rows() == expected.rows());
    REQUIRE(result.cols() == expected.cols());
    double largest = 0;
    for (num::Index i = 0; i < expected.size(); ++i) {
        const double e = std::abs(expected.data()[i]);
        if (std::isfinite(e)) largest = std::max(largest, e);
    }
    for (num::Index i = 0; i < expected.rows(); ++i) {
        for (num::Index j = 0; j < expected.cols(); ++j) {
            const double e = expected(i, j), r = static_cast<double>(result(i, j));
            INFO("row " << i << ", column " << j << ": expected " << e << ", found " << r);
            CHECK((std::isfinite(e) ? std::abs(r - e) <= tolerance * largest : r == e));
        }
    }
}

/// Runs a test for float and for double: for_float_and_double([](auto zero) { using S =
/// decltype(zero); … }).
template <class Test> void for_float_and_double(Test&& test) {
    {
        INFO("float");
        test(float());
    }
    {
        INFO("double");
        test(double());
    }
}

} // namespace heed::tests
