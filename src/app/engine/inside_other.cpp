#include "app/engine/inside_other.hpp"

#include "models/model/sides.hpp"
#include "models/transformer/parameters.hpp"
#include "num/product.hpp"
#include "tokenizers/text/characters.hpp"
#include "train/tasks/task.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

namespace heed::app {

namespace {

using num::Index;

constexpr std::size_t kNeighbours = 3, kMostSentences = 48;
constexpr std::size_t kSought = 24; // neighbours, of which some do not fit between two words

enum class Script { latin, han, other };

/// Form in which two words can be alike: the space before, capitals, and the script.
struct WordForm {
    bool spaced = false, capital = false, capitals = false;
    Script script = Script::other;
    auto operator<=>(const WordForm&) const = default;
};

/// A word with a row of its own, without the space before it.
struct RowWord {
    Index row = 0;
    std::string text{};
    WordForm form{};
    std::size_t begin = 0, end = 0; // in the sentence, where it stands in one
    std::string before{}, after{};  // words beside it there, empty at its ends

    /// Key that its neighbours depend on: words of several forms may share a row.
    std::pair<Index, WordForm> key() const { return {row, form}; }
};

bool is_letter(char32_t c) {
    return tokenizers::is_word(c) && !tokenizers::is_numeric(c) && c != U'_';
}
bool is_latin(char32_t c) {
    return c < 0x250 || (c >= 0x1E00 && c < 0x1F00) || tokenizers::is_nonspacing_mark(c);
}
/// Script of letters; of a word in several: other.
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

/// Sources that a model's task writes.
struct Sources {
    std::unordered_set<std::string> words{};
    std::set<std::pair<std::string, std::string>> pairs{}; // of words side by side, ends empty

    /// Sides of a place on which the task writes this word beside what stands there: 0 to 2.
    int fits(const RowWord& place, const std::string& word) const {
        return int{pairs.contains({place.before, word})} + int{pairs.contains({word, place.after})};
    }
};

/// Empty of a model whose task is none of Heed's.
Sources sources_of(const models::Model& model) {
    constexpr std::size_t kWritten = 8192;
    const auto& learned = model.provenance();
    const auto task = learned ? train::task_named(learned->task) : std::nullopt;
    if (!task || !model.traits().reads_source) return {};
    train::TaskOptions options;
    options.training = kWritten;
    options.held_out = 0;
    options.min_length = 2;
    Sources sources;
    for (const train::Pair& pair : train::make_task(*task, options).training) {
        std::string before;
        for (const std::string& word : pair.source) {
            sources.words.insert(word);
            sources.pairs.emplace(std::exchange(before, word), word);
        }
        sources.pairs.emplace(before, "");
    }
    return sources;
}

/// Words that a model may know, and one of them: nothing where it cannot stand in for another.
Index listed_words(const models::Model& model) {
    if (const auto* tokenizer = tokenizer_of(model)) {
        return std::min<Index>(tokenizer->size(), model.vocabulary_size());
    }
    if (model.words()) return model.vocabulary_size();
    // Other words find their rows by a hash.
    return model.reads_ids() ? 0 : std::ssize(text::everyday_words());
}
std::optional<RowWord> listed_word(const models::Model& model, Index i) {
    if (const auto* tokenizer = tokenizer_of(model)) return word_of_id(*tokenizer, i);
    if (model.words()) {
        if (i < Index{text::Vocabulary::kFirstWord}) return std::nullopt;
        return lettered_word(i, model.vocabulary_word(i));
    }
    const std::string& word = text::everyday_words()[static_cast<std::size_t>(i)];
    return lettered_word(model.vocabulary_row(word), word);
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
        if (i > 0) word->before = tokens[i - 1].text;
        if (i + 1 < tokens.size()) word->after = tokens[i + 1].text;
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

/// A word of those known, and its cosine times the length of the word that was asked about.
struct Near {
    float value = 0;
    std::size_t word = 0;
};

/// Nearest words of some, in one pass over the known ones.
struct Search {
    std::vector<RowWord> of;
    num::Matrix<float> rows; // of them; words × width
    std::vector<std::vector<Near>> nearest{}; // of each, the nearest first; of equal ones the first
    std::size_t done = 0;                     // known words that were passed

    /// Requires `known` in their order, each once.
    void add(std::size_t i, const Near& known) {
        auto& near = nearest[i];
        const auto at =
            std::ranges::find_if(near, [&](const Near& n) { return n.value < known.value; });
        near.insert(at, known);
        if (near.size() > kSought) near.pop_back();
    }
    bool asks_for(const WordForm& form) const {
        return std::ranges::any_of(of, [&](const RowWord& word) { return word.form == form; });
    }
};

} // namespace

struct KnownWords::State {
    std::weak_ptr<const models::Model> model;
    Sources sources;            // where there are any, no other word is known
    Index all = 0, passed = 0;  // of the model's list
    std::vector<RowWord> words; // of it, that are known
    std::map<std::pair<Index, WordForm>, std::vector<std::size_t>> near; // by RowWord::key()
    std::optional<Search> search;
    Index rows_read = 0;

    void begin(const std::shared_ptr<const models::Model>& of) {
        *this = {};
        model = of;
        sources = sources_of(*of);
        all = listed_words(*of);
    }

    void read_words(const models::Model& of) {
        constexpr Index kAtOnce = 4096;
        const Index end = std::min(all, passed + kAtOnce);
        for (; passed < end; ++passed) {
            auto word = listed_word(of, passed);
            if (!word || (!sources.words.empty() && !sources.words.contains(word->text))) continue;
            words.push_back(*std::move(word));
        }
    }

    /// False where nothing is left to look for.
    bool begin_search(const std::vector<RowWord>& asked, const models::WordTable& table) {
        Search next;
        std::vector<Index> rows;
        for (const RowWord& word : asked) {
            const bool twice =
                std::ranges::find(next.of, word.key(), &RowWord::key) != next.of.end();
            if (twice || near.contains(word.key())) continue;
            next.of.push_back(word);
            rows.push_back(word.row);
        }
        if (rows.empty()) return false;
        next.rows = models::embed(table, rows, 1);
        next.nearest.resize(rows.size());
        rows_read += std::ssize(rows);
        search = std::move(next);
        return true;
    }

    void search_words(const models::WordTable& table, num::ThreadPool& pool) {
        constexpr std::size_t kAtOnce = 2048;
        constexpr Index kBlock = 128; // of one thread
        std::vector<std::size_t> these;
        std::vector<Index> rows;
        for (; search->done < words.size() && these.size() < kAtOnce; ++search->done) {
            const RowWord& word = words[search->done];
            if (!search->asks_for(word.form)) continue;
            these.push_back(search->done);
            rows.push_back(word.row);
        }
        const Index count = std::ssize(rows);
        num::Matrix<float> products(search->rows.rows(), count);
        num::RowVector<float> norms(count);
        pool.for_each((count + kBlock - 1) / kBlock, [&](Index block) {
            const Index begin = block * kBlock, n = std::min(kBlock, count - begin);
            const auto part = std::span(rows).subspan(static_cast<std::size_t>(begin),
                                                      static_cast<std::size_t>(n));
            const num::Matrix<float> read = models::embed(table, part, 1);
            num::product_transposed(num::view(std::as_const(search->rows)), num::view(read), 1,
                                    num::view(products, 0, begin, products.rows(), n));
            norms.segment(begin, n) = read.rowwise().norm().transpose();
        });
        rows_read += count;
        for (Index j = 0; j < count; ++j) {
            const std::size_t at = these[static_cast<std::size_t>(j)];
            for (std::size_t i = 0; i < search->of.size(); ++i) {
                const RowWord& word = search->of[i];
                const float value = products(static_cast<Index>(i), j) / norms(j);
                if (word.row == words[at].row || !(word.form == words[at].form)) continue;
                if (norms(j) > 0 && std::isfinite(value)) search->add(i, {value, at});
            }
        }
        if (search->done < words.size()) return;
        for (std::size_t i = 0; i < search->of.size(); ++i) {
            auto& found = near[search->of[i].key()];
            for (const Near& n : search->nearest[i]) found.push_back(n.word);
        }
        search.reset();
    }

    /// Some thousand words. False once the neighbours of all that are asked for are known.
    bool step(const models::Model& of, const std::vector<RowWord>& asked, num::ThreadPool& pool) {
        if (passed < all) {
            read_words(of);
            return true;
        }
        const models::WordTable& table = models::transformer(of)->usual_parameters().embedding;
        const auto wanted = [&](const RowWord& word) {
            return std::ranges::find(asked, word.key(), &RowWord::key) != asked.end();
        };
        if (search && std::ranges::none_of(search->of, wanted)) search.reset();
        if (!search && !begin_search(asked, table)) return false;
        search_words(table, pool);
        return true;
    }

    /// Nearest words, the nearest first, that fit on so many sides where a task tells.
    std::vector<std::string> instead_of(const RowWord& place, int sides) const {
        std::vector<std::string> found;
        for (const std::size_t known : near.at(place.key())) {
            const std::string& word = words[known].text;
            if (!sources.pairs.empty() && sources.fits(place, word) < sides) continue;
            if (found.size() < kNeighbours) found.push_back(word);
        }
        return found;
    }
};

KnownWords::KnownWords() : state_(std::make_unique<State>()) {}
KnownWords::~KnownWords() = default;

KnownWords::Read KnownWords::read() const { return {state_->passed, state_->rows_read}; }

std::vector<std::string> KnownWords::neighbour_sentences(
    const std::shared_ptr<const models::Model>& model, const std::string& sentence,
    const std::vector<text::Token>& tokens, const std::string& asked, num::ThreadPool& pool,
    const std::stop_token& stop) {
    if (!models::transformer(*model)) return {};
    auto words = words_of_sentence(*model, sentence, tokens, asked);
    if (words.empty()) return {};
    if (words.size() > kMostSentences) words.resize(kMostSentences);
    if (state_->model.lock() != model) state_->begin(model);
    while (state_->step(*model, words, pool)) {
        if (stop.stop_requested()) return {};
    }
    // Each word's are those that fit best; a word for which none fits comes last.
    constexpr int kSides = 2;
    std::vector<std::vector<std::string>> instead;
    std::vector<int> fits;
    for (const RowWord& word : words) {
        int sides = kSides;
        instead.push_back(state_->instead_of(word, sides));
        while (instead.back().empty() && sides > 0) {
            instead.back() = state_->instead_of(word, --sides);
        }
        fits.push_back(sides);
    }
    std::vector<std::string> sentences;
    for (int sides = kSides; sides >= 0; --sides) {
        for (std::size_t rank = 0; rank < kNeighbours; ++rank) {
            for (std::size_t i = 0; i < words.size() && sentences.size() < kMostSentences; ++i) {
                if (fits[i] != sides || rank >= instead[i].size()) continue;
                std::string changed = sentence;
                changed.replace(words[i].begin, words[i].end - words[i].begin, instead[i][rank]);
                sentences.push_back(std::move(changed));
            }
        }
    }
    return sentences;
}

} // namespace heed::app
