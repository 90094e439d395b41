// A safetensors file whose tensors are read one at a time.
#pragma once

#include "tensors/tensor_file.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::tensors {

struct SafetensorsHeader {
    std::vector<TensorEntry> entries; // in the order of the data, which they cover
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::vector<std::string>> strings;
};

class SafetensorsFile : public TensorFile {
  public:
    /// Reads the header alone. Errors: those of read_safetensors and base::OpenFile.
    static base::Result<SafetensorsFile> open(const std::string& path);
    const SafetensorsHeader& header() const { return header_; }

  private:
    SafetensorsFile(base::OpenFile file, SafetensorsHeader header, std::uint64_t data)
        : TensorFile(std::move(file), data), header_(std::move(header)) {}
    SafetensorsHeader header_;
};

} // namespace heed::tensors
