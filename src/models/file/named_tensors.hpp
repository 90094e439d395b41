// The parameters of a model as named tensors: one list of them serves drawing, reading and writing.
#pragma once

#include "base/result.hpp"
#include "models/file/word_table.hpp"
#include "num/half_weights.hpp"
#include "num/product.hpp"
#include "num/threads.hpp"
#include "tensors/named.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace heed::models {

using num::Index;
using num::Matrix;
using num::RowVector;

/// A matrix or vector that is, or is a part of, one tensor of a file. Weights lie out × in in a
/// file, as in torch, and in × out here.
template <bool kConst> struct Part {
    template <class T> using To = std::conditional_t<kConst, const T, T>*;
    std::variant<To<num::Weights<float>>, To<Matrix<float>>, To<RowVector<float>>, To<WordTable>>
        to;
    Index rows, cols; // in the file; a vector is one row
    float bound = 0;  // drawn uniformly from fill − bound to fill + bound
    float fill = 0;
};

/// One named tensor: its parts lie one after another.
template <bool kConst> struct NamedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<Part<kConst>> parts;
    /// A model runs without it until a control asks for it: what a file lacks is drawn.
    bool optional = false;
};

using NamedTensors = std::vector<NamedTensor<false>>;
using ConstNamedTensors = std::vector<NamedTensor<true>>;

/// Fills every part by draws that depend on seed, name and place alone; weights of 16 bits are
/// rounded from the same draws.
void draw(const NamedTensors& named_tensors, std::uint64_t seed, num::ThreadPool& pool,
          num::Stored stored = num::Stored::f32);
/// Optional tensors that the archive lacks are drawn. Errors: mismatch (tensors missing, left over
/// or of another shape, each named), out_of_range (NaN or infinity, with their number), with the
/// path as the subject.
base::Result<void> read(const NamedTensors& named_tensors, const tensors::Archive& archive,
                        const std::string& path, std::uint64_t seed, num::ThreadPool& pool);
/// One part, of its rows × cols numbers as they lie in a file; a linear map may be told in × out,
/// that is cols × rows.
void put(const Part<false>& part, const float* values, bool in_by_out = false);
void write(const ConstNamedTensors& named_tensors, tensors::Archive& archive);

} // namespace heed::models
