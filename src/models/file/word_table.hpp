// A table with a row for every word, as an embedding and the output of a language model are: of
// floats, or of the 16 bits that a file has, which stay so in memory.
#pragma once

#include "num/half_weights.hpp"
#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <span>

namespace heed::models {

struct WordTable {
    num::Matrix<float> floats;  // words × width; empty where there are halves
    num::Weights<float> halves; // width × words, packed: as many bits as the file has

    num::Index rows() const { return halves.out() > 0 ? halves.out() : floats.rows(); }
    num::Index cols() const { return halves.out() > 0 ? halves.in() : floats.cols(); }
    num::Index size() const { return rows() * cols(); }
    num::RowVector<float> row(num::Index word) const;
};

/// The row of each word times a factor; words × width (Vaswani et al. 2017, section 3.4).
num::Matrix<float> embed(const WordTable& table, std::span<const num::Index> words, float factor);

/// x · tableᵀ: x is n × width, the result n × words.
num::Matrix<float> products(num::ThreadPool& pool, const num::Matrix<float>& x,
                            const WordTable& table);

} // namespace heed::models
