// GGUF version 3, the files of llama.cpp: typed values by key, then tensors, many of them in blocks
// of small whole numbers.
#pragma once

#include "tensors/tensor_file.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heed::tensors {

/// Whole numbers keep their sign and all their bits; numbers of a list become doubles.
using GgufValue = std::variant<bool, std::uint64_t, std::int64_t, double, std::string,
                               std::vector<double>, std::vector<std::string>>;

struct GgufHeader {
    std::vector<TensorEntry> entries; // in the order of the data; the longest axis out comes first
    std::map<std::string, GgufValue, std::less<>> values; // keys are UTF-8; texts are as they lie

    /// Null where there is no such key, or one of another type.
    template <class T> const T* find(std::string_view key) const {
        const auto found = values.find(key);
        return found == values.end() ? nullptr : std::get_if<T>(&found->second);
    }
};

class GgufFile : public TensorFile {
  public:
    /// Reads all but the data. Tensors of F32, F16, BF16, Q8_0, Q4_0, Q4_K, Q5_K and Q6_K are read.
    /// Errors: those of base::OpenFile; malformed (cut, a key or tensor that is there twice, data
    /// that overlap, have gaps or are not those of the shape); unsupported (another version, a type
    /// that is not read, by its name; lists of lists); out_of_range (more than is read).
    static base::Result<GgufFile> open(const std::string& path);
    const GgufHeader& header() const { return header_; }

  private:
    GgufFile(base::OpenFile file, GgufHeader header, std::uint64_t data)
        : TensorFile(std::move(file), data), header_(std::move(header)) {}
    GgufHeader header_;
};

} // namespace heed::tensors
