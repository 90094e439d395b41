// Page 13: BPE and WordPiece, merge by merge.
#include "lab/all_pages.hpp"
#include "lab/number_words.hpp"
#include "lab/subwords.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace heed::lab {

namespace {

using base::Result;

constexpr std::size_t kMostBytes = 8000; // of a text: more would not keep pace with typing

/// The most frequent first; of equal ones in the order of the text.
std::vector<WordCount> words_by_count(std::string_view text) {
    auto counted = count_words(text);
    std::stable_sort(counted.begin(), counted.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    return counted;
}

Subwords kind_of(const Settings& s) {
    return s.integer("rule") == 0 ? Subwords::bpe : Subwords::wordpiece;
}

std::string_view text_to_learn(const Settings& s) {
    return beginning_of(s.words("text"), kMostBytes);
}

Words pieces_of(Subwords kind, const Learned& learned, std::size_t merges,
                const std::vector<WordCount>& counted) {
    constexpr std::size_t kMostRows = 12, kMostLetters = 400;
    std::set<std::string> joined;
    for (std::size_t i = 0; i < std::min(merges, learned.merges.size()); ++i) {
        joined.insert(learned.merges[i].joined);
    }
    Words words;
    for (std::size_t i = 0; i < std::min(counted.size(), kMostRows); ++i) {
        Words::Row row;
        // No picture is as wide as a longer one; its last piece may be cut in two.
        const std::string_view shown = beginning_of(counted[i].word, kMostLetters);
        row.label = fmt::format("{} ×{}", shown, counted[i].count);
        for (const std::string& piece : segment(kind, learned, merges, shown)) {
            row.tokens.push_back({piece, joined.contains(piece) ? 1.0 : 0.0});
        }
        if (shown.size() < counted[i].word.size()) row.tokens.back() = {"…"};
        words.rows.push_back(std::move(row));
    }
    return words;
}

Words merges_of(Subwords kind, const Learned& learned, std::size_t merges) {
    Words words;
    words.last_rows = true; // what a person has just asked for
    for (std::size_t i = 0; i < std::min(merges, learned.merges.size()); ++i) {
        const Merge& merge = learned.merges[i];
        const std::string times =
            fmt::format("{} time{}", merge.count, merge.count == 1 ? "" : "s");
        const std::string why =
            kind == Subwords::bpe ? times
                                  : fmt::format("{}, {} nats likelier", times,
                                                digits_text(std::round(10 * merge.score) / 10, 4));
        words.rows.push_back(
            {fmt::format("{}", i + 1),
             {{merge.left}, {merge.right}, {"→", 0, true}, {merge.joined, 1}, {why, 0, true}}});
    }
    return words;
}

Curves lengths_of(const Learned& bpe, const Learned& wordpiece) {
    const std::size_t n = std::max(bpe.merges.size(), wordpiece.merges.size());
    Curves curves;
    curves.series = {{"BPE"}, {"WordPiece"}};
    for (std::size_t i = 0; i <= n; ++i) {
        curves.xs.push_back(static_cast<double>(i));
        for (const bool second : {false, true}) {
            const Learned& l = second ? wordpiece : bpe;
            const std::size_t at = std::min(i, l.merges.size());
            curves.series[second].values.push_back(
                static_cast<double>(at == 0 ? l.letters : l.merges[at - 1].tokens));
        }
    }
    curves.x_word = "merges";
    curves.y_word = "tokens";
    return curves;
}

std::vector<Picture> look_at_subwords(const Settings& s) {
    const std::string_view text = text_to_learn(s);
    const auto merges = static_cast<std::size_t>(s.integer("merges"));
    const auto counted = words_by_count(text);
    const Learned bpe = learn_subwords(Subwords::bpe, text, merges);
    const Learned wordpiece = learn_subwords(Subwords::wordpiece, text, merges);
    const Learned& shown = kind_of(s) == Subwords::bpe ? bpe : wordpiece;
    Curves lengths = lengths_of(bpe, wordpiece);
    lengths.now = std::min(s.number("merges"), lengths.xs.back());
    lengths.now_words =
        fmt::format("after {:g} merge{}", *lengths.now, *lengths.now == 1 ? "" : "s");
    return {{"The last merges", "left and right are joined, and why",
             merges_of(kind_of(s), shown, merges)},
            {"Words in pieces", "the most frequent first; learned pieces are filled",
             pieces_of(kind_of(s), shown, merges, counted)},
            {"Tokens of the text",
             text.size() < s.words("text").size()
                 ? fmt::format("after so many merges; of its first {} bytes", text.size())
                 : std::string("how many are left after each merge; BPE begins with one “·” more "
                               "per word"),
             lengths}};
}

/// Mean pieces a word of some words, each counted once.
double pieces_each(Subwords kind, const Learned& learned, std::size_t merges,
                   const std::vector<WordCount>& words) {
    double sum = 0;
    for (const WordCount& w : words) {
        sum += static_cast<double>(segment(kind, learned, merges, w.word).size());
    }
    return sum / static_cast<double>(std::max<std::size_t>(words.size(), 1));
}

/// The part of a piece that stands in the text: without marks.
std::string bare(std::string piece) {
    if (piece.starts_with("##")) piece.erase(0, 2);
    if (const std::string end = "·"; piece.ends_with(end)) piece.resize(piece.size() - end.size());
    return piece;
}

/// The share of pieces that both learned, of those that either did.
double shared_pieces(const Learned& a, const Learned& b) {
    std::set<std::string> of_a, of_b, all;
    for (const Merge& m : a.merges) of_a.insert(bare(m.joined));
    for (const Merge& m : b.merges) of_b.insert(bare(m.joined));
    all = of_a;
    all.insert(of_b.begin(), of_b.end());
    std::size_t both = 0;
    for (const std::string& piece : of_a) both += of_b.contains(piece) ? 1 : 0;
    return static_cast<double>(both) / static_cast<double>(std::max<std::size_t>(all.size(), 1));
}

Result<Sample> measure_subwords(const Settings& s, const Work& work) {
    const std::string_view text = text_to_learn(s);
    const auto merges = static_cast<std::size_t>(s.integer("merges"));
    auto counted = words_by_count(text);
    if (counted.size() < 2 || counted.front().count == counted.back().count) {
        return base::fail(base::ErrorKind::usage, "text",
                          "has no word that is more frequent than another: write some twice");
    }
    const std::size_t most = counted.front().count, least = counted.back().count;
    std::vector<WordCount> frequent, rare;
    for (const WordCount& w : counted) {
        if (w.count == least) rare.push_back(w);
        if (2 * w.count > most) frequent.push_back(w);
    }
    const Learned bpe = learn_subwords(Subwords::bpe, text, merges);
    if (work.stopped()) return cancelled();
    const Learned wordpiece = learn_subwords(Subwords::wordpiece, text, merges);
    const auto left = [](const Learned& l) {
        return static_cast<double>(l.merges.empty() ? l.letters : l.merges.back().tokens);
    };
    return Sample{
        {{"merges", "merges",
          static_cast<double>(std::max(bpe.merges.size(), wordpiece.merges.size()))},
         {"bpe_frequent", "BPE: pieces of a frequent word",
          pieces_each(Subwords::bpe, bpe, merges, frequent)},
         {"bpe_rare", "BPE: pieces of a rare word", pieces_each(Subwords::bpe, bpe, merges, rare)},
         {"wordpiece_frequent", "WordPiece: pieces of a frequent word",
          pieces_each(Subwords::wordpiece, wordpiece, merges, frequent)},
         {"wordpiece_rare", "WordPiece: pieces of a rare word",
          pieces_each(Subwords::wordpiece, wordpiece, merges, rare)},
         {"bpe_tokens", "BPE: tokens of the text", left(bpe)},
         {"wordpiece_tokens", "WordPiece: tokens of the text", left(wordpiece)},
         {"shared", "learned by both, without marks", shared_pieces(bpe, wordpiece), 0, kShare}}};
}

Judgement judge_subwords(const std::vector<Number>& measured) {
    const auto value = [&](const char* name) { return number(measured, name).value; };
    const bool bpe = value("bpe_frequent") < value("bpe_rare");
    const bool wordpiece = value("wordpiece_frequent") < value("wordpiece_rare");
    const auto pieces = [&](const char* name) {
        const double n = value(name);
        return n == 1 ? std::string("1 piece") : fmt::format("{:.3g} pieces", n);
    };
    const std::string numbers = fmt::format(
        "After {:g} merges BPE writes a frequent word in {} on average and a rare one in {}; "
        "WordPiece in {} and {}. ",
        value("merges"), pieces("bpe_frequent"), pieces("bpe_rare"), pieces("wordpiece_frequent"),
        pieces("wordpiece_rare"));
    const bool some = value("shared") > 0 && value("shared") < 1;
    const std::string shared =
        fmt::format("They choose pairs by different rules; without the marks “·” and “##”, {} of "
                    "all pieces that either learned are learned by both.",
                    percent_of(number(measured, "shared"), some ? 1 : 0));
    if (bpe && wordpiece) return {Verdict::holds, numbers + shared};
    const char* none =
        "Rare words take no more pieces than frequent ones: try another number of merges. ";
    if (!bpe && !wordpiece) return {Verdict::does_not_hold, numbers + none + shared};
    return {Verdict::depends,
            numbers + (bpe ? "So it holds for BPE alone. " : "So it holds for WordPiece alone. ") +
                shared};
}

/// The text of some tokens, as far as they tell it: where one is written otherwise stand letters.
std::string text_of(std::span<const text::Token> tokens) {
    std::string whole;
    for (const text::Token& token : tokens) {
        std::string_view piece = token.text;
        if (piece.starts_with("##")) piece.remove_prefix(2);
        if (token.end <= token.begin) continue;
        if (token.end > whole.size()) whole.resize(token.end, ' ');
        const std::size_t size = token.end - token.begin;
        // A token of some models begins with the space before it.
        const bool told = piece.size() == size || (token.known && piece.size() < size);
        const std::string written = told ? std::string(piece) : std::string(size, 'x');
        whole.replace(token.end - written.size(), written.size(), written);
    }
    return whole;
}

/// The tokens that the open model made of its text, those of one word in one row.
std::optional<OnModel> subwords_on_model(const models::Run& run, const Settings&) {
    const auto& tokens = run.trace.source.empty() ? run.trace.target : run.trace.source;
    if (tokens.empty() || run.model->traits().reads_pictures) return std::nullopt;
    constexpr std::size_t kMostRows = 24;
    const models::Model& model = *run.model;
    const bool reads_words = model.words() && model.provenance() &&
                             model.provenance()->segmentation == text::Segmentation::words;
    const text::Words read =
        reads_words ? text::single_tokens(tokens) : text::words_of(text_of(tokens), tokens);
    Words words;
    for (std::size_t w = 0; w < std::min(read.count(), kMostRows); ++w) {
        words.rows.push_back({fmt::format("{}", w + 1)});
        for (std::size_t i = read.first[w]; i < read.end(w); ++i) {
            words.rows.back().tokens.push_back({tokens[i].text});
        }
    }
    const auto unknown = std::ranges::count(tokens, false, &text::Token::known);
    OnModel seen;
    seen.words = fmt::format(
        "This model reads its text as {} token{}{}. Each word has a row below, with all pieces "
        "that it is read in.",
        tokens.size(), tokens.size() == 1 ? "" : "s",
        unknown == 0 ? "" : fmt::format(", {} of which it does not know", unknown));
    seen.pictures = {{"Tokens of the open model", "a row for each word, with its pieces", words}};
    return seen;
}

} // namespace

Page subwords_page() {
    Page page;
    page.name = "subwords";
    page.group = "Training";
    page.title = "What do BPE and WordPiece learn?";
    page.words =
        "Both begin with letters and join one pair of pieces after another: BPE the pair ab that "
        "occurs most often, WordPiece the one that makes the text most likely, where token t "
        "occurs count(t) times among all N. BPE ends each word with “·”, at first a token of its "
        "own; "
        "WordPiece marks a piece that continues a word with “##”. Write a text of your own. "
        "Frequent words occur more than half as often as the most frequent one, rare ones occur "
        "least often.";
    page.formula = "BPE: largest count(ab),  WordPiece: largest growth of Σ_{t} count(t) "
                   "ln \\frac{count(t)}{N}";
    page.claim = "Frequent words become one token, rare ones are written in pieces.";
    page.source = "Sennrich et al. 2016, algorithm 1; Schuster and Nakajima 2012; Devlin "
                  "et al. 2019, section 3";
    page.parameters = {
        typed("text", "Text",
              "Words by Unicode's rules, Chinese by dictionary; the first 8000 bytes are read.",
              "low low low low low lower lower newest newest newest newest newest newest widest "
              "widest widest"),
        whole("merges", "Merges", "How many pairs are joined.", 0, 200, 10),
        choice("rule", "Shown", "Whose merges.", {"bpe", "wordpiece"}, 0, {"BPE", "WordPiece"})};
    page.look = look_at_subwords;
    page.measure_seed = measure_subwords;
    page.judge = judge_subwords;
    page.on_model = subwords_on_model;
    page.n_seeds = 1; // nothing is drawn
    return page;
}

} // namespace heed::lab
