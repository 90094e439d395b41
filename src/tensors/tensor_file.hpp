// A file whose tensors are read one at a time: checkpoints are larger than what should stand in
// memory twice.
#pragma once

#include "base/open_file.hpp"
#include "base/result.hpp"
#include "tensors/element.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::tensors {

struct TensorEntry {
    std::string name;
    Element element;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end; // bytes into the data
};

class TensorFile {
  public:
    const std::string& path() const { return file_.path(); }
    /// The numbers of one of its entries, so many as it has. Any thread may call. Errors: those of
    /// base::OpenFile.
    base::Result<void> read(const TensorEntry& entry, std::span<float> to) const;
    /// Bytes of an entry as they lie, as many as `to` holds, from the first one or another on.
    base::Result<void> read(const TensorEntry& entry, std::span<char> to,
                            std::uint64_t first = 0) const;

  protected:
    TensorFile(base::OpenFile file, std::uint64_t data) : file_(std::move(file)), data_(data) {}

  private:
    base::OpenFile file_;
    std::uint64_t data_; // where it begins in the file
};

} // namespace heed::tensors
