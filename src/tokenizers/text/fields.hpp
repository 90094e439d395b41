// The members of a JSON object that a component reads. What it did not read is refused by name.
#pragma once

#include "tensors/json_type.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

/// Every function throws Refused with the path.
class Fields {
  public:
    Fields(const tensors::Json& object, std::string path);

    const std::string& path() const { return path_; }
    std::string path_of(std::string_view key) const { return path_ + "." + std::string(key); }

    /// Null where it is absent or null.
    const tensors::Json* find(std::string_view key);
    const tensors::Json& member(std::string_view key);
    static constexpr std::size_t kMostBytes = 64 << 10; // a stranger's words are copied often
    std::string string(std::string_view key, std::size_t most = kMostBytes);
    std::optional<std::string> find_string(std::string_view key);
    bool boolean(std::string_view key);
    bool boolean(std::string_view key, bool otherwise);
    std::size_t count(std::string_view key);
    /// One character of a string.
    char32_t character(std::string_view key);
    /// The members of an array, as objects with their paths.
    std::vector<Fields> objects(std::string_view key);
    void ignore(std::string_view key) { read_.insert(std::string(key)); }
    /// Refuses what was not read.
    void done() const;

  private:
    const tensors::Json* object_;
    std::string path_;
    std::set<std::string> read_;
};

} // namespace heed::tokenizers
