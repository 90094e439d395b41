// A safetensors file whose tensors are read one at a time: checkpoints are larger than what should
// stand in memory twice.
#pragma once

#include "base/open_file.hpp"
#include "base/result.hpp"
#include "tensors/element.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::tensors {

struct SafetensorsEntry {
    std::string name;
    Element element;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end; // bytes into the data
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; // in the order of the data, which they cover
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::vector<std::string>> strings;
};

class SafetensorsFile {
  public:
    /// Reads the header alone. Errors: those of read_safetensors and base::OpenFile.
    static base::Result<SafetensorsFile> open(const std::string& path);
    const SafetensorsHeader& header() const { return header_; }
    const std::string& path() const { return file_.path(); }
    /// The numbers of one of its entries, so many as it has. Any thread may call. Errors: those of
    /// base::OpenFile.
    base::Result<void> read(const SafetensorsEntry& entry, std::span<float> to) const;

  private:
    SafetensorsFile(base::OpenFile file, SafetensorsHeader header, std::uint64_t data)
        : file_(std::move(file)), header_(std::move(header)), data_(data) {}
    base::OpenFile file_;
    SafetensorsHeader header_;
    std::uint64_t data_; // where it begins in the file
};

} // namespace heed::tensors
