#include "models/model/alignment_file.hpp"

#include "base/utf8.hpp"
#include "models/model/model.hpp"
#include "models/spec/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::Result;
using num::Index;
using num::Matrix;

namespace {

constexpr double kRoundedSum = 0.02; // Marian writes six digits, and leaves small weights out
constexpr auto kMostAlignedWords = static_cast<int>(kMaxTokens);
constexpr std::size_t kMostCells = std::size_t{16} << 20;      // of all sentences
constexpr std::size_t kMostWords = (std::size_t{1} << 20) + 1; // links of a line, and one more

tl::unexpected<base::Error> refused(ErrorKind kind, std::string what) {
    return tl::make_unexpected(base::Error{kind, "", std::move(what)});
}

/// The part of `text` before the next `by`, which is taken off it with that.
std::string_view take_part(std::string_view& text, std::string_view by) {
    const std::size_t end = std::min(text.find(by), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + by.size(), text.size()));
    return part;
}

/// At most `most` of them: what stands behind is not read.
std::vector<std::string_view> words_of_line(std::string_view text, std::size_t most = kMostWords) {
    std::vector<std::string_view> words;
    while (!text.empty() && words.size() < most) {
        if (const auto word = take_part(text, " "); !word.empty()) words.push_back(word);
    }
    return words;
}

/// The whole of a text as a number.
template <class T> std::optional<T> whole_number(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

struct Link {
    int source, target;
};

/// "3-4"; nothing for anything else.
std::optional<Link> link_of(std::string_view word) {
    const auto dash = word.find('-');
    if (dash == std::string_view::npos || word.starts_with('-')) return std::nullopt;
    const auto source = whole_number<int>(word.substr(0, dash));
    const auto target = whole_number<int>(word.substr(dash + 1));
    if (!source || !target || *target < 0) return std::nullopt;
    return Link{*source, *target};
}

Result<Matrix<float>> map_of_links(const std::vector<std::string_view>& words) {
    if (words.size() == kMostWords) {
        return refused(ErrorKind::out_of_range, "more links than the map has cells");
    }
    std::vector<Link> links;
    int sources = 1, targets = 1;
    for (const std::string_view word : words) {
        const auto link = link_of(word);
        if (!link) {
            return refused(ErrorKind::malformed,
                           fmt::format("'{:.40}' is no link of two words, such as 0-0", word));
        }
        if (link->source >= kMostAlignedWords || link->target >= kMostAlignedWords) {
            return refused(ErrorKind::out_of_range,
                           fmt::format("the link {:.40} is past the {} words that are read", word,
                                       kMostAlignedWords));
        }
        links.push_back(*link);
        sources = std::max(sources, link->source + 1);
        targets = std::max(targets, link->target + 1);
    }
    Matrix<float> map = Matrix<float>::Zero(targets, sources);
    for (const Link& link : links) map(link.target, link.source) = 1;
    for (Index row = 0; row < map.rows(); ++row) {
        if (const float sum = map.row(row).sum(); sum > 0) map.row(row) /= sum;
    }
    return map;
}

/// "0.1,0.9", as a row.
Result<std::vector<float>> row_of_weights(std::string_view word) {
    std::vector<float> row;
    double sum = 0;
    for (std::string_view rest = word; row.size() <= kMaxTokens;) {
        const bool last = rest.find(',') == rest.npos;
        const std::string_view number = take_part(rest, ",");
        const auto weight = whole_number<float>(number);
        if (!weight) {
            return refused(ErrorKind::malformed,
                           fmt::format("'{:.40}' is neither a link such as 0-0 nor weights with "
                                       "commas between",
                                       word));
        }
        if (!std::isfinite(*weight) || *weight < 0) {
            return refused(ErrorKind::out_of_range,
                           fmt::format("the weight {:.40} is below 0 or not finite", number));
        }
        row.push_back(*weight);
        sum += *weight;
        if (last) break;
    }
    if (row.size() > kMaxTokens) {
        return refused(ErrorKind::out_of_range,
                       fmt::format("a target word has weights of more than {} source words",
                                   kMostAlignedWords));
    }
    if (sum != 0 && std::abs(sum - 1) > kRoundedSum) {
        return refused(ErrorKind::out_of_range,
                       fmt::format("the weights {:.40} sum to {:.4}; 1 is expected", word, sum));
    }
    return row;
}

Result<Matrix<float>> map_of_weights(const std::vector<std::string_view>& words) {
    Matrix<float> map;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto row = row_of_weights(words[i]);
        if (!row) return tl::make_unexpected(row.error());
        if (i == 0) {
            if (words.size() > kMaxTokens) {
                return refused(
                    ErrorKind::out_of_range,
                    fmt::format("more than the {} target words that are read", kMostAlignedWords));
            }
            map.resize(std::ssize(words), std::ssize(*row));
        }
        if (std::ssize(*row) != map.cols()) {
            return refused(ErrorKind::mismatch,
                           fmt::format("target word {} has {} weights, the first {}", i + 1,
                                       row->size(), map.cols()));
        }
        std::copy(row->begin(), row->end(), map.row(static_cast<Index>(i)).data());
    }
    return map;
}

void name_tokens(const std::vector<std::string_view>& words, std::vector<std::string>& tokens) {
    for (const std::string_view word : words) tokens.push_back(base::to_valid_utf8(word));
}

void number_tokens(Index count, std::vector<std::string>& tokens) {
    for (Index i = std::ssize(tokens); i < count; ++i) tokens.push_back(std::to_string(i + 1));
}

/// The parts of a line that are of interest.
struct AlignedLine {
    std::string_view alignment, translation;
};

AlignedLine parts_of_line(std::string_view line) {
    constexpr std::string_view kBar = "|||";
    if (line.find(kBar) == line.npos) return {line, {}};
    const auto first = take_part(line, kBar), second = take_part(line, kBar);
    // An n-best list begins with the sentence's number, and ends in scores.
    const auto number = words_of_line(first, 2);
    const bool best = line.find(kBar) != line.npos && number.size() == 1 &&
                      whole_number<long>(number[0]).has_value();
    return best ? AlignedLine{take_part(line, kBar), second} : AlignedLine{second, first};
}

Result<AttentionFile> sentence_of(std::string_view line) {
    const AlignedLine parts = parts_of_line(line);
    const auto words = words_of_line(parts.alignment);
    const bool links = words.empty() || link_of(words[0]);
    auto map = links ? map_of_links(words) : map_of_weights(words);
    if (!map) return tl::make_unexpected(map.error());
    AttentionFile sentence;
    const auto translated = words_of_line(parts.translation);
    const auto count = std::ssize(translated);
    if (!links && (map->rows() == count || map->rows() == count + 1)) {
        name_tokens(translated, sentence.target);
        if (count > 0 && map->rows() > count) sentence.target.emplace_back(kEndToken);
    } else if (links && count >= map->rows() && count <= kMostAlignedWords) {
        // Words behind the last link have none.
        name_tokens(translated, sentence.target);
        const Index before = map->rows();
        map->conservativeResize(count, map->cols());
        map->bottomRows(count - before).setZero();
    }
    number_tokens(map->rows(), sentence.target);
    number_tokens(map->cols(), sentence.source);
    sentence.of(trace::AttentionKind::cross) = {{*std::move(map)}};
    return sentence;
}

} // namespace

bool begins_as_alignment(std::string_view text) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto words = words_of_line(parts_of_line(line).alignment);
    if (end == text.npos && words.size() > 1) words.pop_back(); // it may be cut
    return !words.empty() && std::ranges::all_of(words, [](std::string_view word) {
        return link_of(word) || (word.find(',') != word.npos && row_of_weights(word));
    });
}

Result<std::vector<AttentionFile>> read_alignments(std::string_view text,
                                                   const std::string& subject) {
    if (text.size() > kMostAlignmentBytes) {
        return base::fail(ErrorKind::out_of_range, subject, "is larger than 64 MB");
    }
    std::vector<AttentionFile> sentences;
    if (text.ends_with('\n')) text.remove_suffix(1);
    int number = 0;
    std::size_t cells = 0;
    for (bool more = true; more;) {
        more = text.find('\n') != text.npos;
        std::string_view line = take_part(text, "\n");
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (sentences.size() == kMostSentences) {
            return base::fail(
                ErrorKind::out_of_range, subject,
                fmt::format("has more than {} sentences: open a part of it", kMostSentences));
        }
        auto sentence = sentence_of(line);
        if (!sentence) {
            return base::fail(sentence.error().kind, subject,
                              fmt::format("line {}: {}", number, sentence.error().message));
        }
        cells += static_cast<std::size_t>(sentence->of(trace::AttentionKind::cross)[0][0].size());
        if (cells > kMostCells) {
            return base::fail(
                ErrorKind::out_of_range, subject,
                fmt::format("has more links than are read at once, from line {} on", number));
        }
        sentences.push_back(*std::move(sentence));
    }
    return sentences;
}

} // namespace heed::models
