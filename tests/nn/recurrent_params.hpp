// Recurrent parameters from state dictionaries of PyTorch, of tests/reference/make_recurrent.py.
#pragma once

#include "nn/layers/recurrent.hpp"
#include "reference_arrays.hpp"

#include <string>

namespace heed::tests {

inline const ReferenceArrays& recurrent_arrays() {
    static const ReferenceArrays arrays("recurrent.txt");
    return arrays;
}

/// `suffix` ends the names of the four arrays: "_l0_reverse", or "" of a single cell.
template <class S>
nn::CellParams<S> cell_params(nn::Cell cell, const std::string& prefix, const std::string& suffix) {
    const auto& a = recurrent_arrays();
    const auto weights = [&](const std::string& name) {
        return num::Weights<S>(num::Matrix<S>(a.at<S>(prefix + name + suffix).transpose()));
    };
    return {cell, weights("weight_ih"), weights("weight_hh"), a.at<S>(prefix + "bias_ih" + suffix),
            a.at<S>(prefix + "bias_hh" + suffix)};
}

inline std::string suffix_of(num::Index layer, num::Index direction) {
    return "l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
}

template <class S>
nn::RecurrentStackParams<S> stack_params(nn::Cell cell, const std::string& prefix,
                                         num::Index layers, num::Index directions) {
    nn::RecurrentStackParams<S> params;
    params.directions = directions;
    for (num::Index layer = 0; layer < layers; ++layer) {
        for (num::Index d = 0; d < directions; ++d) {
            params.cells.push_back(cell_params<S>(cell, prefix, "_" + suffix_of(layer, d)));
        }
    }
    return params;
}

/// Waves in place of draws, for parameters of any size.
inline num::Matrix<double> wave(num::Index rows, num::Index cols, double step) {
    num::Matrix<double> x(rows, cols);
    for (num::Index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(step * double(i * i % 1009));
    return x;
}

template <class S> nn::CellParams<S> wave_params(nn::Cell cell, num::Index in, num::Index hidden) {
    const num::Index width = nn::n_gates(cell) * hidden;
    return {cell, num::Weights<S>(num::Matrix<S>((wave(in, width, 0.31) * 0.4).cast<S>())),
            num::Weights<S>(num::Matrix<S>((wave(hidden, width, 0.17) * 0.3).cast<S>())),
            wave(1, width, 0.7).cast<S>(), wave(1, width, 0.9).cast<S>()};
}

} // namespace heed::tests
