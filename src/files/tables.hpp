// Several labelled matrices under their names: the numbers of one picture, as a file.
#pragma once

#include "base/result.hpp"
#include "files/table.hpp"
#include "num/matrix.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heed::files {

struct Table {
    std::string name;                    // "nodes", "encoder.2.1.weights"
    std::vector<std::string> rows, cols; // labels; where there are fewer, the rest have none
    std::shared_ptr<const num::Matrix<float>> values;
    std::vector<std::string> words{}; // what each value is of, row by row, or none
    std::string unit{};               // what the numbers are; of one table alone a CSV has it not
    int stacked = 0; // matrices of one size below each other in `values`; 0: it is one matrix
};

/// The numbers of one picture. `main`: places of the tables, all of one size, that the picture is
/// about; of more than one size the first counts alone.
struct Tables {
    std::vector<Table> all;
    std::vector<std::size_t> main{0};
    std::map<std::string, std::vector<std::string>> lists{}; // of an .npz file, by name
};

/// One table as write_csv() of a matrix has it. Several below each other, each under a line with
/// its name, behind which its unit stands, and before an empty line; words follow their numbers in
/// the same form.
std::string write_csv(const Tables& tables, const Dialect& dialect = kCommas);
/// The main table alone; of several, their stack: tables × rows × columns. Requires a table.
std::string write_npy(const Tables& tables);
/// Every table as an array of its name (of stacked ones: matrices × rows × columns), with the
/// labels as "name.rows" and "name.columns", words as "name.words", the unit as "name.unit", and
/// what else is told of the picture. A name that comes twice gets a number. Errors: those of
/// tensors::write_npz.
base::Result<std::string> write_npz(const Tables& tables,
                                    const std::map<std::string, std::string>& metadata);

} // namespace heed::files
