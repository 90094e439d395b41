#include "text/token.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf16.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace heed::text {

namespace {

using Iterator = icu::BreakIterator;

std::unique_ptr<Iterator> make_iterator(Segmentation segmentation) {
    UErrorCode status = U_ZERO_ERROR;
    // The root locale: what a sentence splits into must not hang on the user's language.
    const icu::Locale& root = icu::Locale::getRoot();
    std::unique_ptr<Iterator> iterator(segmentation == Segmentation::words
                                           ? Iterator::createWordInstance(root, status)
                                           : Iterator::createCharacterInstance(root, status));
    HEED_CHECK(U_SUCCESS(status) && iterator, "ICU makes no break iterator: {}",
               u_errorName(status));
    return iterator;
}

/// This thread's iterator. Making one takes tens of milliseconds, copying one some microseconds.
Iterator& iterator_for(Segmentation segmentation) {
    if (segmentation == Segmentation::words) {
        static const std::unique_ptr<Iterator> first = make_iterator(Segmentation::words);
        thread_local const std::unique_ptr<Iterator> own(first->clone());
        return *own;
    }
    static const std::unique_ptr<Iterator> first = make_iterator(Segmentation::characters);
    thread_local const std::unique_ptr<Iterator> own(first->clone());
    return *own;
}

/// Nothing to look at on its own: white space, controls, joiners, direction marks, selectors.
/// Arabic number signs are format characters too, but they are drawn.
bool is_invisible(UChar32 c) {
    if (u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR) return true;
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return true;
    return u_charType(c) == U_FORMAT_CHAR &&
           !u_hasBinaryProperty(c, UCHAR_PREPENDED_CONCATENATION_MARK);
}

/// A stretch of the sentence in UTF-16, which is what ICU reads best.
struct Window {
    std::u16string units;
    std::vector<std::size_t> byte_of; // where each unit's character begins; one more for the end

    void fill(std::string_view sentence, std::size_t at, std::size_t limit) {
        units.clear();
        byte_of.clear();
        while (at < sentence.size() && units.size() < limit) {
            const base::Decoded decoded = base::decode_utf8(sentence, at);
            const auto c = static_cast<UChar32>(decoded.code_point);
            if (c > 0xFFFF) {
                byte_of.push_back(at);
                units.push_back(U16_LEAD(c));
            }
            byte_of.push_back(at);
            units.push_back(c > 0xFFFF ? U16_TRAIL(c) : static_cast<char16_t>(c));
            at += decoded.length;
        }
        byte_of.push_back(at);
    }

    /// The bytes of units [begin, end) without leading white space; none when nothing is visible.
    std::pair<std::size_t, std::size_t> visible(std::size_t begin, std::size_t end) const {
        std::size_t from = begin;
        bool trimming = true;
        for (std::size_t i = begin; i < end;) {
            UChar32 c = 0;
            U16_NEXT(units, i, end, c);
            trimming = trimming && u_isUWhiteSpace(c);
            if (trimming) from = i;
            if (!is_invisible(c)) return {byte_of[from], byte_of[end]};
        }
        return {0, 0};
    }
};

/// Recognises Chinese words that their writer has set apart by white space. Chinese is written
/// without it, so white space between two ideographs is meant: the dictionary, which knows few
/// foreign names, does not split such a word. It does split what is longer than a word.
class WrittenWords {
  public:
    /// The end of the word of this kind that begins at `begin`; `begin` when there is none.
    std::size_t end_of(const std::u16string& units, std::size_t begin) const {
        constexpr int kLongest = 4;
        if (before_ != Before::other && !spaced_) return begin;
        std::size_t end = begin;
        int length = 0;
        while (length <= kLongest && is_ideograph(at(units, end))) {
            end += U16_LENGTH(at(units, end));
            ++length;
        }
        if (length == 0 || length > kLongest || u_isalnum(at(units, end))) return begin;
        std::size_t after = end;
        while (u_isUWhiteSpace(at(units, after))) ++after;
        const bool follows = before_ == Before::ideograph && spaced_;
        const bool precedes = after > end && is_ideograph(at(units, after));
        return follows || precedes ? end : begin;
    }

    /// Takes note of what has been passed.
    void pass(const std::u16string& units, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end;) {
            UChar32 c = 0;
            U16_NEXT(units, i, end, c);
            if (u_isUWhiteSpace(c)) {
                spaced_ = true;
            } else {
                spaced_ = false;
                before_ = is_ideograph(c) ? Before::ideograph
                          : u_isalnum(c)  ? Before::letter
                                          : Before::other;
            }
        }
    }

  private:
    enum class Before { ideograph, letter, other };

    static bool is_ideograph(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC); }
    static UChar32 at(const std::u16string& units, std::size_t i) {
        if (i >= units.size()) return 0;
        UChar32 c = 0;
        U16_NEXT(units, i, units.size(), c);
        return c;
    }

    Before before_ = Before::other; // the last character that is not white space
    bool spaced_ = false;           // white space came after it
};

/// Calls take(begin, end) with the byte range of each token until it returns false.
///
/// The text goes to ICU by windows: its dictionary would else work through a whole paragraph of
/// Chinese before it gives the first word. Boundaries near a window's end may be wrong for want of
/// what follows, so the next window starts before them, at the last boundary that is sure. That is
/// exact: what follows a boundary does not depend on what lies before it.
template <class Take> void walk(std::string_view sentence, Segmentation segmentation, Take take) {
    constexpr std::size_t kWindow = 2048;
    const bool words = segmentation == Segmentation::words;
    Iterator& iterator = iterator_for(segmentation);
    Window window;
    WrittenWords written;
    std::size_t limit = kWindow;
    for (std::size_t at = 0; at < sentence.size();) {
        window.fill(sentence, at, limit);
        const bool last = window.byte_of.back() == sentence.size();
        const std::size_t sure = last ? window.units.size() : window.units.size() / 8 * 7;

        UErrorCode status = U_ZERO_ERROR;
        UText* text = utext_openUChars(nullptr, window.units.data(),
                                       static_cast<std::int64_t>(window.units.size()), &status);
        iterator.setText(text, status);
        utext_close(text);
        HEED_CHECK(U_SUCCESS(status), "ICU takes no text: {}", u_errorName(status));

        std::size_t begin = 0;
        for (std::int32_t next = iterator.next(); next != Iterator::DONE; next = iterator.next()) {
            const auto end = static_cast<std::size_t>(next);
            // The dictionary would split what its writer has joined.
            if (words && end < written.end_of(window.units, begin)) continue;
            if (end > sure) break;
            const auto [from, to] = window.visible(begin, end);
            if (from < to && !take(from, to)) return;
            if (words) written.pass(window.units, begin, end);
            begin = end;
        }
        limit = begin == 0 ? 2 * limit : kWindow; // a word longer than the window
        at = window.byte_of[begin];
    }
}

} // namespace

std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            std::size_t max_tokens) {
    std::vector<Token> tokens;
    if (max_tokens == 0) return tokens;
    walk(sentence, segmentation, [&](std::size_t begin, std::size_t end) {
        tokens.push_back({base::to_valid_utf8(sentence.substr(begin, end - begin)), begin, end});
        return tokens.size() < max_tokens;
    });
    return tokens;
}

bool is_separator(const Token& token) {
    if (token.text.starts_with("⟨")) return true;
    for (std::size_t at = 0; at < token.text.size();) {
        const base::Decoded decoded = base::decode_utf8(token.text, at);
        if (!u_ispunct(static_cast<UChar32>(decoded.code_point))) return false;
        at += decoded.length;
    }
    return !token.text.empty();
}

std::size_t count_tokens(std::string_view sentence, Segmentation segmentation) {
    std::size_t count = 0;
    walk(sentence, segmentation, [&](std::size_t, std::size_t) {
        ++count;
        return true;
    });
    return count;
}

} // namespace heed::text
