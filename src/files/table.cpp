#include "files/table.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heed::files {
namespace {

void append_label(std::string& out, const std::string& label) {
    const std::string text = base::to_valid_utf8(label);
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
