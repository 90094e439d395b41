#include "train/data/data_file.hpp"

#include "base/check.hpp"
#include "base/file.hpp"
#include "base/utf8.hpp"
#include "text/token.hpp"
#include "train/data/text_lines.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace heed::train {

namespace {

using base::ErrorKind;

std::vector<std::string> first_words(std::string_view text, std::size_t most) {
    std::vector<std::string> words;
    for (text::Token& token : text::tokenize(text, text::Segmentation::words, most)) {
        words.push_back(std::move(token.text));
    }
    return words;
}

/// Words of one side of a line; an empty list says that `why` was set.
std::vector<std::string> words_within(std::string_view sentence, const DataLimits& limits,
                                      const char* side, std::string& why) {
    std::vector<std::string> words = first_words(sentence, limits.words + 1);
    if (words.empty()) why = fmt::format("there is no {}", side);
    if (words.size() > limits.words) {
        why = fmt::format("the {} has more than {} words", side, limits.words);
        words.clear();
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

struct Columns {
    std::string_view first, second;
};

/// Calls take(columns, why) for each line that has two; take says in `why` what is wrong with it.
template <class Take>
base::Result<DataFile> parse(std::string_view bytes, const DataLimits& limits, Take take) {
    DataFile file;
    for_each_line(bytes, [&](std::size_t number, std::string_view line) {
        if (limits.stop.stop_requested()) return false;
        if (file.pairs.size() == limits.lines) {
            file.cut = true;
            return false;
        }
        const auto tab = line.find('\t');
        std::string why;
        if (!base::is_valid_utf8(line)) {
            why = "it is not valid UTF-8";
        } else if (tab == std::string_view::npos) {
            why = "it has no tab";
        } else {
            const std::string_view rest = line.substr(tab + 1);
            take(file, Columns{line.substr(0, tab), rest.substr(0, rest.find('\t'))}, why);
        }
        if (!why.empty()) file.bad.add(number, std::move(why));
        return true;
    });
    if (limits.stop.stop_requested()) return not_read_on();
    if (!file.pairs.empty()) return file;
    return no_good_line(file.bad, "two columns with a tab between them");
}

} // namespace

void BadLines::add(std::size_t line, std::string reason) {
    constexpr std::size_t kKept = 100;
    ++count;
    if (first.size() < kKept) first.push_back({line, std::move(reason)});
}

base::Result<DataFile> parse_pairs(std::string_view bytes, const DataLimits& limits) {
    return parse(bytes, limits, [&](DataFile& file, const Columns& columns, std::string& why) {
        Pair pair;
        pair.source = words_within(columns.first, limits, "source", why);
        if (!pair.source.empty()) pair.target = words_within(columns.second, limits, "target", why);
        if (!pair.target.empty()) file.pairs.push_back(std::move(pair));
    });
}

base::Result<DataFile> parse_labelled(std::string_view bytes, const DataLimits& limits) {
    std::unordered_map<std::string, int> labels;
    return parse(bytes, limits, [&](DataFile& file, const Columns& columns, std::string& why) {
        const std::string label(trimmed(columns.first));
        if (label.empty()) {
            why = "there is no label";
            return;
        }
        Pair pair;
        pair.source = first_words(columns.second, limits.words);
        if (pair.source.empty()) {
            why = "there is no text";
            return;
        }
        const auto [known, is_new] = labels.emplace(label, static_cast<int>(file.labels.size()));
        if (is_new) file.labels.push_back(label);
        pair.label = known->second;
        file.pairs.push_back(std::move(pair));
    });
}

base::Result<DataFile> read_pairs(const std::string& path, const DataLimits& limits) {
    return read_and(path, limits.bytes,
                    [&](std::string_view bytes) { return parse_pairs(bytes, limits); });
}

base::Result<DataFile> read_labelled(const std::string& path, const DataLimits& limits) {
    return read_and(path, limits.bytes,
                    [&](std::string_view bytes) { return parse_labelled(bytes, limits); });
}

TaskData split(std::vector<Pair> pairs) {
    TaskData data;
    for (Pair& pair : pairs) {
        (is_held_out(pair.source) ? data.held_out : data.training).push_back(std::move(pair));
    }
    return data;
}

} // namespace heed::train
