// Words that have a row of their own in a model's tables, and where all others go.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::text {

/// Rows, in order: ⟨pad⟩, ⟨start⟩, ⟨end⟩, the words, and some that all other words share.
class Vocabulary {
  public:
    static constexpr std::size_t kPad = 0, kStart = 1, kEnd = 2, kFirstWord = 3;

    /// `others`: rows for words that are not listed, at least 1; each finds its own by a hash. Of a
    /// word that is listed twice the first place counts, and ⟨end⟩ stays what it is.
    Vocabulary(std::vector<std::string> words, std::size_t others);

    std::size_t size() const { return kFirstWord + words_.size() + others_; }
    /// A word that is not listed as it is written finds the one that differs in capitals or in the
    /// form of its apostrophe: "The" is read as "the".
    std::size_t row(std::string_view word) const;
    /// True where a word has a row of its own, as it is written or as row() finds it.
    bool knows(std::string_view word) const { return listed(word).has_value(); }
    /// True where every word listed is one character: of letters, digits or other symbols.
    bool of_characters() const { return of_characters_; }
    /// Bytes of the longest word listed, of those that are no longer than words are.
    std::size_t longest_word() const { return longest_; }
    /// "⟨end⟩", "apple"; "⟨other 3⟩" for a row that words share, counted from 1.
    std::string word(std::size_t row) const;
    /// True of a row that a decoder may say: a listed word or ⟨end⟩.
    bool can_be_said(std::size_t row) const;
    const std::vector<std::string>& words() const { return words_; }

  private:
    std::optional<std::size_t> listed(std::string_view word) const;

    std::vector<std::string> words_;
    std::size_t others_, longest_ = 0;
    bool of_characters_;
    std::unordered_map<std::string, std::size_t> rows_, folded_rows_;
};

/// Common words of English, French and Chinese, for models that nobody has trained.
const std::vector<std::string>& everyday_words();

} // namespace heed::text
