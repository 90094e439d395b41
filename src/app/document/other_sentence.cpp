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

std::string one_word_changed(const std::string& sentence, const std::string& word,
                             const std::string& against) {
    const auto words = words_in(sentence);
    const Span* one = last_of(sentence, words, word);
    const Span* other = last_of(sentence, words, against);
    if (one && other && one != other) {
        const bool against_last = other->begin > one->begin;
        return against_last ? replaced(sentence, *other, word) : replaced(sentence, *one, against);
    }
    auto longest = words;
    std::stable_sort(longest.begin(), longest.end(),
                     [](const Span& a, const Span& b) { return a.size > b.size; });
    for (const Span& next : longest) {
        const std::string text = span_text(sentence, next);
        if (text != span_text(sentence, longest.front())) {
            return replaced(sentence, longest.front(), text);
        }
    }
    return sentence;
}

std::vector<std::string> other_sentences(const std::string& sentence, const std::string& word,
                                         const std::string& against) {
    constexpr std::size_t kMost = 32;
    std::vector<std::string> sentences;
    const auto add = [&](std::string changed) {
        const bool news =
            changed != sentence && std::ranges::find(sentences, changed) == sentences.end();
        if (news && sentences.size() < kMost) sentences.push_back(std::move(changed));
    };
    add(one_word_changed(sentence, word, against));
    auto longest = words_in(sentence);
    std::stable_sort(longest.begin(), longest.end(),
                     [](const Span& a, const Span& b) { return a.size > b.size; });
    // Each word once before any word twice, so that the first ones differ most.
    for (std::size_t by = 1; by < longest.size(); ++by) {
        for (std::size_t i = 0; i < longest.size(); ++i) {
            const Span& word_for_it = longest[(i + by) % longest.size()];
            add(replaced(sentence, longest[i], span_text(sentence, word_for_it)));
        }
    }
    return sentences;
}

} // namespace heed::app
