#include "files/table.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

namespace heed::files {
namespace {

bool is_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// Begins as formulas do for a spreadsheet (OWASP, "CSV injection"); a negative number is none, nor
/// is a sign alone.
bool is_formula(std::string_view text) {
    for (const std::string_view sign :
         {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"}) {
        if (text.starts_with(sign)) return text != sign && !is_number(text);
    }
    return false;
}

void append_label(std::string& out, const std::string& label) {
    const std::string valid = base::to_valid_utf8(label);
    const std::string text = is_formula(valid) ? "'" + valid : valid;
    // Blanks at an end are cut by readers unless they stand in quotes.
    const bool quoted = text.find_first_of(",\"\r\n") != std::string::npos ||
                        (!text.empty() && (text.front() == ' ' || text.back() == ' '));
    if (!quoted) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

} // namespace

std::string write_csv(const num::Matrix<float>& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols) {
    HEED_CHECK(static_cast<num::Index>(rows.size()) == values.rows() &&
                   static_cast<num::Index>(cols.size()) == values.cols(),
               "{} row and {} column labels for a matrix of {} × {}", rows.size(), cols.size(),
               values.rows(), values.cols());
    std::string out;
    for (const std::string& label : cols) {
        out += ',';
        append_label(out, label);
    }
    out += "\r\n";
    for (num::Index i = 0; i < values.rows(); ++i) {
        append_label(out, rows[static_cast<std::size_t>(i)]);
        for (num::Index j = 0; j < values.cols(); ++j)
            fmt::format_to(std::back_inserter(out), ",{}", values(i, j));
        out += "\r\n";
    }
    return out;
}

} // namespace heed::files
