// Tokens and their ids: both ways, a quarter of a million in a few milliseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

class Vocabulary {
  public:
    static constexpr int kMaxId = (1 << 22) - 1;
    static constexpr std::size_t kMostTokens = 1 << 20; // XLM-V has 0.9 million
    static constexpr std::size_t kMaxToken = 1 << 10;   // bytes; of real ones the longest has 256

    void reserve(std::size_t tokens);
    /// Nothing happens where it returns false: the token is there. Requires 0 <= id <= kMaxId.
    bool add(std::string_view token, int id);

    std::optional<int> find(std::string_view token) const;
    bool has(int id) const {
        return id >= 0 && id < rows() && by_id_[static_cast<std::size_t>(id)] != 0;
    }
    /// "" where there is none.
    std::string_view token(int id) const;
    std::size_t size() const { return entries_.size(); }         // tokens
    int rows() const { return static_cast<int>(by_id_.size()); } // the highest id and one
    std::size_t longest() const { return longest_; }             // bytes

  private:
    struct Entry {
        std::uint32_t begin, length;
        int id;
    };
    struct Slot {
        std::uint32_t hash = 0, entry = 0; // one past the index; 0: free
    };

    std::string_view words(const Entry& entry) const {
        return std::string_view(bytes_).substr(entry.begin, entry.length);
    }
    std::size_t slot_of(std::string_view token, std::uint32_t hash) const;
    void grow(std::size_t tokens);

    std::string bytes_;
    std::vector<Entry> entries_;
    std::vector<Slot> slots_; // a power of two
    std::vector<std::uint32_t> by_id_;
    std::size_t longest_ = 0;
};

} // namespace heed::tokenizers
