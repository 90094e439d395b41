#include "text/vocabulary.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"

#include <utility>

namespace heed::text {

Vocabulary::Vocabulary(std::vector<std::string> words, std::size_t others)
    : words_(std::move(words)), others_(others) {
    HEED_CHECK(others > 0, "a vocabulary of {} words has no row for others", words_.size());
    rows_.emplace("⟨pad⟩", kPad);
    rows_.emplace("⟨start⟩", kStart);
    rows_.emplace("⟨end⟩", kEnd);
    for (std::size_t i = 0; i < words_.size(); ++i) rows_.emplace(words_[i], kFirstWord + i);
}

std::size_t Vocabulary::row(std::string_view word) const {
    if (const auto found = rows_.find(std::string(word)); found != rows_.end()) {
        return found->second;
    }
    return kFirstWord + words_.size() + base::hash_bytes(word) % others_;
}

std::string Vocabulary::word(std::size_t row) const {
    HEED_CHECK(row < size(), "row {} of {}", row, size());
    if (row == kPad) return "⟨pad⟩";
    if (row == kStart) return "⟨start⟩";
    if (row == kEnd) return "⟨end⟩";
    if (row < kFirstWord + words_.size()) return words_[row - kFirstWord];
    if (others_ == 1) return "⟨other⟩";
    return fmt::format("⟨other {}⟩", row - kFirstWord - words_.size() + 1);
}

bool Vocabulary::can_be_said(std::size_t row) const {
    return row >= kEnd && row < kFirstWord + words_.size();
}

} // namespace heed::text
