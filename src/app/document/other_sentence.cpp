#include "app/document/other_sentence.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace heed::app {

namespace {

struct Span {
    std::size_t begin, size;
};

/// Runs of what is neither white space nor ASCII punctuation, nor in brackets.
std::vector<Span> words_in(const std::string& sentence) {
    std::vector<Span> words;
    bool inside = false;
    int brackets = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const auto c = static_cast<unsigned char>(sentence[i]);
        brackets = std::max(0, brackets + (c == '[' || c == '<') - (c == ']' || c == '>'));
        const bool letter = brackets == 0 && (c >= 0x80 || (!std::isspace(c) && !std::ispunct(c)));
        if (letter && !inside) words.push_back({i, 0});
        if (letter) ++words.back().size;
        inside = letter;
    }
    return words;
}

std::string span_text(const std::string& sentence, const Span& span) {
    return sentence.substr(span.begin, span.size);
}

/// The last place where a word stands, or none.
const Span* last_of(const std::string& sentence, const std::vector<Span>& words,
                    const std::string& word) {
    const auto found = std::find_if(words.rbegin(), words.rend(), [&](const Span& span) {
        return !word.empty() && span_text(sentence, span) == word;
    });
    return found == words.rend() ? nullptr : &*found;
}

std::string replaced(std::string sentence, const Span& span, const std::string& by) {
    return sentence.replace(span.begin, span.size, by);
}

} // namespace

const std::string& first_sentence(const Document& document, const models::Traits& traits) {
    const bool target = !traits.encodes && !traits.source_leads && !document.target.empty();
    return target ? document.target : document.source;
}

std::optional<std::string> words_swapped(const std::string& sentence, const std::string& word,
                                         const std::string& against) {
    const auto words = words_in(sentence);
    const Span* one = last_of(sentence, words, word);
    const Span* other = last_of(sentence, words, against);
    if (!one || !other || one == other) return std::nullopt;
    return other->begin > one->begin ? replaced(sentence, *other, word)
                                     : replaced(sentence, *one, against);
}

} // namespace heed::app
