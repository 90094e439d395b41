// Layout of the parameters that learn in one flat buffer.
#pragma once

#include "models/file/named_tensors.hpp"

#include <map>
#include <string>
#include <vector>

namespace heed::train {

using num::Index;

/// Tensors get their places when they are asked for first, whole, parts one after another. A
/// Weights part lies in × out there, any other as it is in the model.
class ParameterLayout {
  public:
    struct Tensor {
        std::string name;
        Index offset, size;
    };

    /// `slots` point into a model's parameters, which are only looked at here and in read().
    explicit ParameterLayout(models::ConstNamedTensors named_tensors);

    /// Start of this parameter's numbers. ContractError when the slots have none such.
    Index of(const void* parameter);
    /// Numbers in all, gaps between tensors among them.
    Index size() const { return size_; }
    const std::vector<Tensor>& tensors() const { return tensors_; }

    /// The model's numbers, into `values` of size().
    template <class S> void read(S* values) const;
    /// The other way, into another set of parameters with the same slots.
    void write(const float* values, const models::NamedTensors& named_tensors) const;

  private:
    models::ConstNamedTensors slots_;
    std::map<const void*, std::pair<std::size_t, std::size_t>> parts_; // slot and part
    std::map<std::size_t, Index> offsets_;                             // of slots that have a place
    std::vector<Tensor> tensors_;
    Index size_ = 0;
};

} // namespace heed::train
