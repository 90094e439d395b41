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

void append_label(std::string& out, const std::string& label, const Dialect& dialect) {
    const std::string valid = base::to_valid_utf8(label);
    const std::string text = is_formula(valid) ? "'" + valid : valid;
    // Blanks at an end are cut by readers unless they stand in quotes.
    const bool quoted = text.find_first_of("\"\r\n") != std::string::npos ||
                        text.find(dialect.between) != std::string::npos ||
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

/// `append_cell` appends the cell of a row and a column.
template <class AppendCell>
std::string csv_of(const std::vector<std::string>& rows, const std::vector<std::string>& cols,
                   const Dialect& dialect, AppendCell append_cell) {
    std::string out;
    for (const std::string& label : cols) {
        out += dialect.between;
        append_label(out, label, dialect);
    }
    out += dialect.line_end;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        append_label(out, rows[i], dialect);
        for (std::size_t j = 0; j < cols.size(); ++j) {
            out += dialect.between;
            append_cell(out, i, j);
        }
        out += dialect.line_end;
    }
    return out;
}

} // namespace

std::string write_csv(const num::Matrix<float>& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const Dialect& dialect) {
    HEED_CHECK(static_cast<num::Index>(rows.size()) == values.rows() &&
                   static_cast<num::Index>(cols.size()) == values.cols(),
               "{} row and {} column labels for a matrix of {} × {}", rows.size(), cols.size(),
               values.rows(), values.cols());
    return csv_of(rows, cols, dialect, [&](std::string& out, std::size_t i, std::size_t j) {
        fmt::format_to(std::back_inserter(out), "{}",
                       values(static_cast<num::Index>(i), static_cast<num::Index>(j)));
    });
}

std::string write_csv(const std::vector<std::string>& cells, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const Dialect& dialect) {
    HEED_CHECK(cells.size() == rows.size() * cols.size(), "{} texts for {} × {} cells",
               cells.size(), rows.size(), cols.size());
    return csv_of(rows, cols, dialect, [&](std::string& out, std::size_t i, std::size_t j) {
        append_label(out, cells[i * cols.size() + j], dialect);
    });
}

} // namespace heed::files
