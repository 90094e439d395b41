#include "text/vocabulary.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "text/fold.hpp"

#include <algorithm>
#include <utility>

namespace heed::text {

namespace {

/// Form by which a word is found where it is not listed as it is written.
std::string loose(std::string_view word) {
    constexpr std::string_view kTypographic = "’";
    std::string key = folded(word);
    for (std::size_t at = 0; (at = key.find(kTypographic, at)) != std::string::npos;) {
        key.replace(at, kTypographic.size(), "'");
    }
    return key;
}

} // namespace

Vocabulary::Vocabulary(std::vector<std::string> words, std::size_t others)
    : words_(std::move(words)), others_(others), of_characters_(!words_.empty()) {
    HEED_CHECK(others > 0, "a vocabulary of {} words has no row for others", words_.size());
    rows_.emplace("⟨pad⟩", kPad);
    rows_.emplace("⟨start⟩", kStart);
    rows_.emplace("⟨end⟩", kEnd);
    for (std::size_t i = 0; i < words_.size(); ++i) {
        rows_.emplace(words_[i], kFirstWord + i);
        folded_rows_.emplace(loose(words_[i]), kFirstWord + i);
        const std::size_t letter = base::decode_utf8(words_[i], 0).length;
        of_characters_ = of_characters_ && letter == words_[i].size();
        constexpr std::size_t kLongest = 96;
        longest_ = std::max(longest_, std::min(words_[i].size(), kLongest));
    }
}

std::optional<std::size_t> Vocabulary::listed(std::string_view word) const {
    if (const auto found = rows_.find(std::string(word)); found != rows_.end()) {
        return found->second;
    }
    const auto found = folded_rows_.find(loose(word));
    return found != folded_rows_.end() ? std::optional(found->second) : std::nullopt;
}

std::size_t Vocabulary::row(std::string_view word) const {
    if (const auto own = listed(word)) return *own;
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
