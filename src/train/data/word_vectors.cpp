#include "train/data/data_file.hpp"

#include "base/utf8.hpp"
#include "train/data/text_lines.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

namespace heed::train {

namespace {

using num::Index;

/// Parts between blanks and tabs.
std::vector<std::string_view> columns_of(std::string_view line) {
    std::vector<std::string_view> parts;
    constexpr std::string_view kBlanks = " \t";
    for (auto begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
        const auto end = std::min(line.find_first_of(kBlanks, begin), line.size());
        parts.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(kBlanks, end);
    }
    return parts;
}

std::optional<std::size_t> whole_number(std::string_view part) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    return number;
}

/// Appends the numbers; says in `why` which is none.
void append_numbers(std::span<const std::string_view> parts, std::vector<float>& numbers,
                    std::string& why) {
    for (const std::string_view part : parts) {
        float number = 0;
        const char* const last = part.data() + part.size();
        const auto [end, error] = std::from_chars(part.data(), last, number);
        // Underflow is out of range too, and 1e-50 is a number.
        const bool tiny =
            error == std::errc::result_out_of_range && part.find("e-") != std::string_view::npos;
        if ((error != std::errc() && !tiny) || end != last) {
            why = fmt::format("\"{}\" is not a number", part);
        } else if (!std::isfinite(number)) {
            why = fmt::format("\"{}\" is not finite", part);
        }
        if (!why.empty()) return;
        numbers.push_back(tiny ? 0 : number);
    }
}

/// "400000 300" before lines of 300 numbers; without such a line after it, a word and one number.
bool is_header(const std::vector<std::string_view>& parts, std::string_view rest) {
    if (parts.size() != 2 || !whole_number(parts[0])) return false;
    const auto width = whole_number(parts[1]);
    bool as_told = false;
    for_each_line(rest, [&](std::size_t, std::string_view line) {
        as_told = width && columns_of(line).size() == *width + 1;
        return false;
    });
    return as_told;
}

struct Collected {
    WordVectors result;
    std::vector<float> numbers;
    std::size_t width = 0; // of the first good line
    std::unordered_set<std::string> seen;
};

void take_line(Collected& collected, const std::vector<std::string_view>& parts,
               const text::Vocabulary* vocabulary, std::string& why) {
    const std::size_t width = parts.size() - 1;
    if (width == 0) why = "it has a word and no number";
    if (collected.width > 0 && width != collected.width) {
        why = fmt::format("it has {} numbers instead of {}", width, collected.width);
    }
    if (!why.empty()) return;
    const std::size_t before = collected.numbers.size();
    append_numbers(std::span(parts).subspan(1), collected.numbers, why);
    std::string word(parts[0]);
    if (why.empty() && !collected.seen.insert(word).second) why = "its word came before";
    const bool wanted = !vocabulary || (vocabulary->can_be_said(vocabulary->row(word)) &&
                                        vocabulary->row(word) != text::Vocabulary::kEnd);
    if (why.empty()) collected.width = width;
    if (!why.empty() || !wanted) {
        collected.numbers.resize(before);
        return;
    }
    collected.result.words.push_back(std::move(word));
}

} // namespace

base::Result<WordVectors> parse_word_vectors(std::string_view bytes,
                                             const text::Vocabulary* vocabulary,
                                             const DataLimits& limits) {
    Collected collected;
    bool first = true;
    for_each_line(bytes, [&](std::size_t number, std::string_view line) {
        if (limits.stop.stop_requested()) return false;
        WordVectors& result = collected.result;
        if (result.words.size() == limits.lines) {
            result.cut = true;
            return false;
        }
        const std::vector<std::string_view> parts = columns_of(line);
        if (parts.empty()) return true;
        const auto behind = static_cast<std::size_t>(line.data() + line.size() - bytes.data());
        if (std::exchange(first, false) && is_header(parts, bytes.substr(behind))) return true;
        std::string why;
        if (!base::is_valid_utf8(line)) {
            why = "it is not valid UTF-8";
        } else {
            take_line(collected, parts, vocabulary, why);
        }
        if (!why.empty()) result.bad.add(number, std::move(why));
        return true;
    });
    if (limits.stop.stop_requested()) return not_read_on();
    if (collected.width == 0) return no_good_line(collected.result.bad, "a word and numbers");
    const auto rows = static_cast<Index>(collected.result.words.size());
    const auto cols = static_cast<Index>(collected.width);
    collected.result.vectors =
        num::ConstView<float>(collected.numbers.data(), rows, cols, Eigen::OuterStride<>(cols));
    return std::move(collected.result);
}

base::Result<WordVectors> read_word_vectors(const std::string& path,
                                            const text::Vocabulary* vocabulary,
                                            const DataLimits& limits) {
    return read_and(path, limits.bytes, [&](std::string_view bytes) {
        return parse_word_vectors(bytes, vocabulary, limits);
    });
}

base::Result<std::size_t> fill_embedding(const WordVectors& vectors,
                                         const text::Vocabulary& vocabulary,
                                         num::Matrix<float>& table) {
    if (vectors.vectors.cols() != table.cols()) {
        return base::fail(base::ErrorKind::mismatch, "word vectors",
                          fmt::format("they have {} numbers, the embedding has {}; choose an "
                                      "embedding of that width",
                                      vectors.vectors.cols(), table.cols()));
    }
    std::size_t filled = 0;
    for (std::size_t i = 0; i < vectors.words.size(); ++i) {
        const std::size_t row = vocabulary.row(vectors.words[i]);
        if (row == text::Vocabulary::kEnd || !vocabulary.can_be_said(row)) continue;
        table.row(static_cast<Index>(row)) = vectors.vectors.row(static_cast<Index>(i));
        ++filled;
    }
    return filled;
}

} // namespace heed::train
