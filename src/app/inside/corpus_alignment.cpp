#include "app/inside/corpus_alignment.hpp"

#include "app/inside/corpus_check.hpp"
#include "app/inside/head_corpus.hpp"
#include "models/model/alignment_file.hpp"
#include "train/data/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;

namespace {

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The word that each token is of, by white space; −1 of tokens that stand for no text.
std::vector<Index> words_by_space(const std::vector<text::Token>& tokens,
                                  const std::string& sentence) {
    std::vector<Index> words;
    for (const text::Token& token : tokens) {
        std::size_t at = token.begin;
        const std::size_t end = std::min(token.end, sentence.size());
        while (at < end && is_white(sentence[at])) ++at;
        if (at >= end) {
            words.push_back(-1);
            continue;
        }
        Index word = 0; // words that end before it
        for (std::size_t i = 0; i < at; ++i) {
            if (!is_white(sentence[i]) && is_white(sentence[i + 1])) ++word;
        }
        words.push_back(word);
    }
    return words;
}

std::vector<Index> words_by_token(std::size_t tokens) {
    std::vector<Index> words;
    for (std::size_t i = 0; i < tokens; ++i) words.push_back(static_cast<Index>(i));
    return words;
}

struct WordsOfTokens {
    std::vector<Index> source, target; // of tokens that the map has columns, and rows, for
    Index sources = 0, targets = 0;
};

WordsOfTokens words_of_run(const models::Run& run, const SentencePair& pair) {
    WordsOfTokens words;
    const models::Input& input = run.input;
    if (run.model->traits().reads_ids) {
        words.source = words_by_space(input.source, pair.source);
        words.target = words_by_space(input.target, pair.target);
        // A row says what comes behind the token that it reads.
        if (!words.target.empty()) words.target.erase(words.target.begin());
    } else {
        words.source = words_by_token(input.source.size());
        words.target = words_by_token(input.target.size());
    }
    const auto count = [](const std::vector<Index>& of) {
        return of.empty() ? 0 : std::max<Index>(*std::ranges::max_element(of) + 1, 0);
    };
    words.sources = count(words.source);
    words.targets = count(words.target);
    return words;
}

/// Target words × source words, of tokens.
num::Matrix<float> word_map(const num::Matrix<float>& weights, const WordsOfTokens& words) {
    num::Matrix<float> map = num::Matrix<float>::Zero(words.targets, words.sources);
    std::vector<int> rows(static_cast<std::size_t>(words.targets));
    const Index all = std::min(std::ssize(words.target), weights.rows());
    for (Index i = 0; i < all; ++i) {
        const Index to = words.target[static_cast<std::size_t>(i)];
        if (to < 0) continue;
        ++rows[static_cast<std::size_t>(to)];
        for (Index j = 0; j < std::min(std::ssize(words.source), weights.cols()); ++j) {
            const Index from = words.source[static_cast<std::size_t>(j)];
            if (from >= 0) map(to, from) += weights(i, j);
        }
    }
    for (Index to = 0; to < map.rows(); ++to) {
        map.row(to) /= static_cast<float>(std::max(rows[static_cast<std::size_t>(to)], 1));
    }
    return map;
}

} // namespace

Result<GoldCorpus> read_gold(std::string_view bytes, const std::string& subject,
                             std::size_t corpus_lines) {
    const auto texts = lines_of(bytes);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].find(',') == std::string_view::npos) continue;
        return fail(ErrorKind::malformed, subject,
                    fmt::format("line {} has weights; links such as 0-0 are expected", i + 1));
    }
    if (texts.size() != corpus_lines) {
        return fail(ErrorKind::mismatch, subject,
                    fmt::format("lines: {}, of the corpus: {}; both need the same number",
                                texts.size(), corpus_lines));
    }
    const auto maps = models::read_alignments(bytes, subject);
    if (!maps) return tl::make_unexpected(maps.error());
    GoldCorpus gold{{}, text_check(bytes)};
    for (const models::AttentionFile& sentence : *maps) {
        const num::Matrix<float>& map = sentence.of(trace::AttentionKind::cross)[0][0];
        train::GoldLinks links;
        for (Index target = 0; target < map.rows(); ++target) {
            for (Index source = 0; source < map.cols(); ++source) {
                if (map(target, source) <= 0) continue;
                links.push_back({static_cast<int>(target), static_cast<int>(source), true});
            }
        }
        gold.lines.push_back(std::move(links));
    }
    return gold;
}

Result<SentencePair> sentence_pair(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
        return fail(ErrorKind::malformed, "the line",
                    "has no tab: beside gold alignments it is source, a tab, target");
    }
    return SentencePair{std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))};
}

Result<std::vector<std::optional<float>>> gold_scores(const models::Run& run,
                                                      const SentencePair& pair,
                                                      const train::GoldLinks& gold,
                                                      const std::vector<trace::HeadId>& heads) {
    std::vector<std::optional<float>> scores(heads.size());
    if (gold.empty()) return scores;
    const WordsOfTokens words = words_of_run(run, pair);
    for (const train::Link& link : gold) {
        if (link.source < words.sources && link.target < words.targets) continue;
        return fail(ErrorKind::out_of_range, "the link",
                    fmt::format("{}-{} is past the {} source and {} target words", link.source,
                                link.target, words.sources, words.targets));
    }
    const std::vector<train::GoldLinks> links{gold};
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const auto map = run.trace.map(heads[h]);
        const num::Matrix<float> of_words =
            word_map(map->rectangle(trace::Stage::weights, train::aligning_part(run, *map)), words);
        const std::vector<train::Aligned> aligned{train::strongest(num::view(of_words))};
        const auto error = train::alignment_error_rate(aligned, links);
        if (error) scores[h] = static_cast<float>(1 - *error);
    }
    return scores;
}

} // namespace heed::app
