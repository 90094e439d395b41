#include "files/tables.hpp"

#include "base/check.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::files {

namespace {

std::vector<std::string> as_many(std::vector<std::string> labels, num::Index count) {
    labels.resize(static_cast<std::size_t>(count));
    return labels;
}

std::string csv_of(const Table& table, const Dialect& dialect) {
    const auto& m = *table.values;
    return write_csv(m, as_many(table.rows, m.rows()), as_many(table.cols, m.cols()), dialect);
}

std::string csv_of_words(const Table& table, const Dialect& dialect) {
    const auto& m = *table.values;
    return write_csv(as_many(table.words, m.size()), as_many(table.rows, m.rows()),
                     as_many(table.cols, m.cols()), dialect);
}

/// A table under its name, and its unit where it has one, and before an empty line. A matrix
/// without columns is its row labels alone: here the one cell is the name.
std::string named_block(const std::string& name, const std::string& unit, const std::string& table,
                        const Dialect& dialect) {
    const std::size_t end = dialect.line_end.size();
    const std::string named =
        unit.empty() ? write_csv(num::Matrix<float>(1, 0), {name}, {}, dialect).substr(end)
                     : write_csv({unit}, {name}, {""}, dialect).substr(1 + end);
    return named + table + std::string(dialect.line_end);
}

bool same_size(const Table& a, const Table& b) {
    return a.values->rows() == b.values->rows() && a.values->cols() == b.values->cols();
}

} // namespace

std::string write_csv(const Tables& tables, const Dialect& dialect) {
    if (tables.all.size() == 1 && tables.all[0].words.empty())
        return csv_of(tables.all[0], dialect);
    std::string out;
    for (const Table& table : tables.all) {
        out += named_block(table.name, table.unit, csv_of(table, dialect), dialect);
        if (table.words.empty()) continue;
        out += named_block(table.name + " words", {}, csv_of_words(table, dialect), dialect);
    }
    return out;
}

std::string write_npy(const Tables& tables) {
    HEED_CHECK(!tables.all.empty() && !tables.main.empty(), "no table to write");
    const Table& first = tables.all[tables.main[0]];
    const bool stack =
        tables.main.size() > 1 && std::ranges::all_of(tables.main, [&](std::size_t i) {
            return same_size(tables.all[i], first);
        });
    tensors::Array array{{first.values->rows(), first.values->cols()}, {}};
    if (stack) array.shape.insert(array.shape.begin(), std::ssize(tables.main));
    for (const std::size_t i : tables.main) {
        const auto& m = *tables.all[i].values;
        if (stack || i == tables.main[0]) {
            array.values.insert(array.values.end(), m.data(), m.data() + m.size());
        }
    }
    return tensors::write_npy(array);
}

base::Result<std::string> write_npz(const Tables& tables,
                                    const std::map<std::string, std::string>& metadata) {
    tensors::Archive archive;
    archive.metadata = metadata;
    archive.strings.insert(tables.lists.begin(), tables.lists.end());
    for (const Table& table : tables.all) {
        std::string name = table.name;
        for (int i = 2; archive.arrays.contains(name); ++i) {
            name = fmt::format("{} {}", table.name, i);
        }
        const auto& m = *table.values;
        tensors::Array& array = archive.arrays[name];
        array = {{m.rows(), m.cols()}, {m.data(), m.data() + m.size()}};
        const num::Index rows = m.rows() / std::max(table.stacked, 1);
        if (table.stacked > 0) array.shape = {table.stacked, rows, m.cols()};
        if (!table.rows.empty()) archive.strings[name + ".rows"] = as_many(table.rows, rows);
        if (!table.cols.empty()) archive.strings[name + ".columns"] = as_many(table.cols, m.cols());
        if (!table.unit.empty()) archive.strings[name + ".unit"] = {table.unit};
        if (!table.words.empty()) archive.strings[name + ".words"] = as_many(table.words, m.size());
    }
    return tensors::write_npz(std::move(archive));
}

} // namespace heed::files
