#include "app/engine/inside_other.hpp"

#include "models/model/sides.hpp"
#include "models/transformer/parameters.hpp"
#include "tokenizers/text/characters.hpp"
#include "train/tasks/task.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

namespace heed::app {

namespace {

using num::Index;

constexpr std::size_t kNeighbours = 3, kMostSentences = 32;

enum class Script { latin, han, other };

/// Form in which two words can be alike: the space before, capitals, and the script.
struct WordForm {
    bool spaced = false, capital = false, capitals = false;
    Script script = Script::other;
    bool operator==(const WordForm&) const = default;
};

/// A word with a row of its own, without the space before it.
struct RowWord {
    Index row = 0;
    std::string text{};
    WordForm form{};
    std::size_t begin = 0, end = 0; // in the sentence, where it stands in one
};

bool is_letter(char32_t c) {
    return tokenizers::is_word(c) && !tokenizers::is_numeric(c) && c != U'_';
}
bool is_latin(char32_t c) {
    return c < 0x250 || (c >= 0x1E00 && c < 0x1F00) || tokenizers::is_nonspacing_mark(c);
}
/// Of a word in several: other.
Script script_of(const std::u32string& letters) {
    if (std::ranges::all_of(letters, is_latin)) return Script::latin;
    return std::ranges::all_of(letters, tokenizers::is_cjk_ideograph) ? Script::han : Script::other;
}
bool is_capital(char32_t c) { return tokenizers::lower_case(c) != std::u32string(1, c); }

/// Nothing where some of it is no letter.
std::optional<RowWord> lettered_word(Index row, std::string text) {
    RowWord word{row, std::move(text)};
    word.form.spaced = word.text.starts_with(' ');
    word.text.erase(0, word.text.find_first_not_of(' '));
    const std::u32string letters = tokenizers::to_characters(word.text);
    if (letters.empty() || !std::ranges::all_of(letters, is_letter)) return std::nullopt;
    word.form.capital = is_capital(letters.front());
    word.form.capitals = std::any_of(letters.begin() + 1, letters.end(), is_capital);
    word.form.script = script_of(letters);
    return word;
}

const tokenizers::Tokenizer* tokenizer_of(const models::Model& model) {
    const models::TextToIds* ids = model.text_to_ids();
    return ids ? ids->tokenizers.source.get() : nullptr;
}

/// The word of a row that begins one and is not special.
std::optional<RowWord> word_of_id(const tokenizers::Tokenizer& tokenizer, Index row) {
    const int id = static_cast<int>(row);
    if (tokenizer.is_special(id) || !tokenizer.starts_word(id)) return std::nullopt;
    return lettered_word(row, tokenizer.shown(id));
}

/// The words of the sources that a model's task writes; empty where it has none of Heed's.
std::unordered_set<std::string> source_words(const models::Model& model) {
    constexpr std::size_t kWritten = 512;
    const auto& learned = model.provenance();
    const auto task = learned ? train::task_named(learned->task) : std::nullopt;
    if (!task || !model.traits().reads_source) return {};
    train::TaskOptions options;
    options.training = 0;
    options.held_out = kWritten;
    std::unordered_set<std::string> words;
    for (const train::Pair& pair : train::make_task(*task, options).held_out) {
        words.insert(pair.source.begin(), pair.source.end());
    }
    return words;
}

std::vector<RowWord> all_words(const models::Model& model) {
    std::vector<RowWord> words;
    const auto add = [&](std::optional<RowWord> word) {
        if (word) words.push_back(*std::move(word));
    };
    if (const auto* tokenizer = tokenizer_of(model)) {
        const Index rows = std::min<Index>(tokenizer->size(), model.vocabulary_size());
        for (Index row = 0; row < rows; ++row) add(word_of_id(*tokenizer, row));
    } else if (model.words()) {
        for (Index row = text::Vocabulary::kFirstWord; row < model.vocabulary_size(); ++row) {
            add(lettered_word(row, model.vocabulary_word(row)));
        }
    } else if (!model.reads_ids()) { // words find their rows by a hash
        for (const std::string& word : text::everyday_words()) {
            add(lettered_word(model.vocabulary_row(word), word));
        }
    }
    return words;
}

/// The words of a sentence that are one token, the asked one first, then by their length.
std::vector<RowWord> words_of_sentence(const models::Model& model, const std::string& sentence,
                                       const std::vector<text::Token>& tokens,
                                       const std::string& asked) {
    const auto* tokenizer = tokenizer_of(model);
    std::vector<RowWord> words;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const text::Token& token = tokens[i];
        if (!token.known || token.begin >= token.end || token.end > sentence.size()) continue;
        const Index row = models::row_of(model, token);
        if (model.words() && model.vocabulary_word(row) != token.text) continue; // shares a row
        auto word = tokenizer ? word_of_id(*tokenizer, row) : lettered_word(row, token.text);
        const bool goes_on = tokenizer && i + 1 < tokens.size() && tokens[i + 1].row >= 0 &&
                             tokens[i + 1].begin == token.end &&
                             !tokenizer->starts_word(tokens[i + 1].row) &&
                             lettered_word(0, tokenizer->shown(tokens[i + 1].row));
        if (!word || goes_on) continue;
        word->begin = token.begin;
        while (sentence[word->begin] == ' ' && word->begin + 1 < token.end) ++word->begin;
        word->end = token.end;
        if (sentence.substr(word->begin, word->end - word->begin) == word->text) {
            words.push_back(*std::move(word));
        }
    }
    const std::string bare = asked.substr(std::min(asked.find_first_not_of(' '), asked.size()));
    std::ranges::stable_sort(words, [&](const RowWord& a, const RowWord& b) {
        const bool first = a.text == bare, second = b.text == bare;
        return first != second ? first : a.text.size() > b.text.size();
    });
    return words;
}

/// Words nearest first, of equal ones in the vocabulary's order.
std::vector<const RowWord*> neighbours(const RowWord& word, const std::vector<RowWord>& known,
                                       const std::vector<float>& norms,
                                       const num::Matrix<float>& products) {
    std::vector<std::pair<float, const RowWord*>> near;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const RowWord& other = known[i];
        if (other.row == word.row || norms[i] <= 0 || !(other.form == word.form)) continue;
        near.emplace_back(products(0, other.row) / norms[i], &other);
    }
    const auto most = near.begin() + std::min<std::ptrdiff_t>(kNeighbours, std::ssize(near));
    std::partial_sort(near.begin(), most, near.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<const RowWord*> words;
    for (auto at = near.begin(); at != most; ++at) words.push_back(at->second);
    return words;
}

} // namespace

struct KnownWords {
    std::vector<RowWord> words;
    std::vector<float> norms; // of their rows
};

std::shared_ptr<const KnownWords> known_words(const models::Model& model, num::ThreadPool& pool) {
    auto known = std::make_shared<KnownWords>();
    const auto* transformer = models::transformer(model);
    if (!transformer) return known;
    known->words = all_words(model);
    if (const auto sources = source_words(model); !sources.empty()) {
        std::erase_if(known->words, [&](const RowWord& w) { return !sources.contains(w.text); });
    }
    known->norms.resize(known->words.size());
    const models::WordTable& table = transformer->usual_parameters().embedding;
    pool.for_each(std::ssize(known->words), [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        known->norms[at] = table.row(known->words[at].row).norm();
    });
    return known;
}

std::vector<std::string> neighbour_sentences(const models::Model& model, const KnownWords& known,
                                             const std::string& sentence,
                                             const std::vector<text::Token>& tokens,
                                             const std::string& asked, num::ThreadPool& pool,
                                             const std::stop_token& stop) {
    const auto* transformer = models::transformer(model);
    auto words = words_of_sentence(model, sentence, tokens, asked);
    if (!transformer || words.empty()) return {};
    if (words.size() > kMostSentences) words.resize(kMostSentences);
    const models::WordTable& table = transformer->usual_parameters().embedding;
    std::vector<std::vector<const RowWord*>> near;
    for (const RowWord& word : words) {
        if (stop.stop_requested()) return {};
        const num::Matrix<float> row = table.row(word.row);
        near.push_back(
            neighbours(word, known.words, known.norms, models::products(pool, row, table)));
    }
    std::vector<std::string> sentences;
    for (std::size_t rank = 0; rank < kNeighbours; ++rank) {
        for (std::size_t i = 0; i < words.size() && sentences.size() < kMostSentences; ++i) {
            if (rank >= near[i].size()) continue;
            std::string changed = sentence;
            changed.replace(words[i].begin, words[i].end - words[i].begin, near[i][rank]->text);
            sentences.push_back(std::move(changed));
        }
    }
    return sentences;
}

} // namespace heed::app
