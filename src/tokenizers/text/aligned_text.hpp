// A text that was changed, and where each of its bytes comes from. The rules by which an inserted
// or a removed character inherits its place are the library's, since offsets must equal its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct Range {
    std::uint32_t begin = 0, end = 0;

    friend bool operator==(const Range&, const Range&) = default;
};

/// One character of the new text: 1 where it is new, −n where the n characters behind the one that
/// it replaces are gone, 0 where it replaces one.
struct Change {
    char32_t c;
    int change;
};

/// A stretch of a text that a pattern found, or one between two of them.
struct Stretch {
    std::size_t begin, end;
    bool match;
};

enum class Behavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// A text and where it comes from. Making it longer may throw Refused (out_of_range): a few rules of
/// a stranger's file, each of which writes more than it read, would fill any memory.
class AlignedText {
  public:
    AlignedText() = default;
    /// Valid UTF-8 of less than 4 GiB.
    explicit AlignedText(std::string_view original);

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// The place where this part of the original begins.
    std::size_t original_begin() const { return original_.begin; }

    /// The first `removed` characters are gone; the rest becomes `changes`.
    void transform(std::span<const Change> changes, std::size_t removed);
    void prepend(std::string_view words);
    void filter(const std::function<bool(char32_t)>& keep);
    void map(const std::function<char32_t(char32_t)>& becomes);
    void lower_case();
    void strip(bool left, bool right);
    /// Every match becomes `content`.
    void replace(std::span<const Stretch> stretches, std::string_view content);
    /// Other words for the same original; one range of it a byte.
    void assign(std::string text, std::vector<Range> ranges);

    /// Bytes [begin, end) of the text.
    AlignedText slice(std::size_t begin, std::size_t end) const;
    /// Bytes of the original that bytes [begin, end) of the text come from.
    Range original_of(std::size_t begin, std::size_t end) const;

    std::vector<AlignedText> split(std::span<const Stretch> stretches, Behavior behavior) const;

  private:
    void check_growth(std::size_t bytes) const;

    std::string text_;
    std::vector<Range> ranges_; // of the original, one a byte of text_
    Range original_;
};

/// Stretches of characters for which `is` holds, one a character, and what lies between.
std::vector<Stretch> stretches_of(std::string_view text, const std::function<bool(char32_t)>& is);
/// Every place of these words.
std::vector<Stretch> stretches_of(std::string_view text, std::string_view words);

} // namespace heed::tokenizers
