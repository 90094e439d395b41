// BPE and WordPiece learned merge by merge from a short text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed::lab {

enum class Subwords {
    bpe,       // joins the pair that occurs most often (Sennrich et al. 2016, algorithm 1)
    wordpiece, // joins the pair that makes the text most likely (Schuster and Nakajima 2012), with
               // each token drawn by its own share of all
};

struct Merge {
    std::string left, right, joined;
    std::size_t count = 0; // of the pair when it was joined, over all words
    double score = 0;      // what it was chosen by: the count, or the gain of likelihood in nats
    std::size_t tokens = 0, vocabulary = 0; // of the text afterwards
};

struct Learned {
    std::vector<std::string> alphabet; // symbols before the first merge, sorted
    std::size_t letters = 0;           // tokens of the text before the first merge
    std::vector<Merge> merges;
};

/// The words of a text in their order, as everywhere: by Unicode's rules, and by ICU's dictionary
/// in scripts without spaces (text::tokenize); punctuation is a word of its own.
std::vector<std::string> text_words(std::string_view text);

/// A word of a text, and how often it stands there.
struct WordCount {
    std::string word;
    std::size_t count = 0;
};
/// Words in the order in which they first stand in the text.
std::vector<WordCount> count_words(std::string_view text);

/// The beginning of a text, as much as has at most so many bytes, ending behind a whole letter.
std::string_view beginning_of(std::string_view text, std::size_t bytes);

/// The merges learned from the words of a text. BPE ends each in "·", the mark of the end of
/// a word (Sennrich's ⟨/w⟩); WordPiece begins all but a word's first symbol with "##" (Devlin et
/// al. 2019). Among pairs that are equally good the one that comes first in the text is joined. At
/// most `merges`, fewer where every word is one symbol.
Learned learn_subwords(Subwords kind, std::string_view text, std::size_t merges);

/// Nats by which a text of `all` tokens becomes likelier when a pair is joined `count` times: with
/// f(x) = x ln x and ln p = Σ f(count of a token) − f(all), the change of it. left, right: counts
/// of the two before; `same`: they are one symbol.
double likelihood_gain(double count, double left, double right, double all, bool same);

/// Symbols of a word with the first `merges` merges, in order, by the rule of the kind: merges in
/// the order in which they were learned; or the longest known piece first, {"[UNK]"} where none
/// begins the rest.
std::vector<std::string> segment(Subwords kind, const Learned& learned, std::size_t merges,
                                 std::string_view word);

} // namespace heed::lab
