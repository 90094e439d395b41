#include "app/inside/head_corpus.hpp"

#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using inside::HeadScore;
using inside::ScoreValues;

const std::vector<HeadScore>& corpus_scores() {
    static const std::vector<HeadScore> scores = [] {
        std::vector<HeadScore> list;
        for (const inside::HeadScoreInfo& row : inside::kHeadScores) list.push_back(row.score);
        return list;
    }();
    return scores;
}

ScoreValues CorpusHead::means() const {
    ScoreValues values;
    values.across = head.kind == trace::AttentionKind::cross;
    for (std::size_t s = 0; s < tallies.size(); ++s) {
        values[corpus_scores()[s]] = static_cast<float>(tallies[s].mean());
    }
    return values;
}

std::string CorpusHead::label(std::string_view minus) const {
    int offset = 0;
    std::uint64_t most = 0, all = 0;
    for (const auto& [d, lines] : offsets) {
        if (lines > most) std::tie(offset, most) = std::pair(d, lines);
        all += lines;
    }
    ScoreValues values = means();
    // The mean is that of each line's own offset: of one offset only where that is the same.
    if (10 * most < 9 * all) {
        values[HeadScore::positional] = std::numeric_limits<float>::quiet_NaN();
    }
    return inside::head_label(values, offset, minus);
}

namespace {

/// The first of all, by value and then by line, no more than `most`.
void keep_top(std::vector<TopLine>& top, std::size_t most) {
    std::ranges::sort(top, [](const TopLine& a, const TopLine& b) {
        return a.value != b.value ? a.value > b.value : a.line < b.line;
    });
    if (top.size() > most) top.resize(most);
}

void add_head(CorpusHead& to, const CorpusHead& from, std::size_t most_top) {
    for (std::size_t s = 0; s < to.tallies.size(); ++s) {
        to.tallies[s].add(from.tallies[s]);
        to.top[s].insert(to.top[s].end(), from.top[s].begin(), from.top[s].end());
        keep_top(to.top[s], most_top);
    }
    for (const auto& [offset, lines] : from.offsets) to.offsets[offset] += lines;
}

/// Reason why a part cannot be added; empty where it can.
std::string misfit(const HeadCorpus& sum, const HeadCorpus& part) {
    if (part.model != sum.model) {
        return fmt::format("is of the model {}, and the files before it of {}", part.model,
                           sum.model);
    }
    if (part.corpus != sum.corpus) {
        return fmt::format("is of the corpus {}, and the files before it of {}", part.corpus,
                           sum.corpus);
    }
    if (part.check != sum.check) {
        return "was measured with another version of the corpus or model, or another --seed, "
               "--sequences or --top, than the files before it";
    }
    if (part.parts != sum.parts) {
        return fmt::format("is one of {} parts, and the files before it of {}", part.parts,
                           sum.parts);
    }
    for (const std::size_t held : part.held) {
        if (sum.held.contains(held)) {
            return fmt::format("holds part {} of {}, which a file before it holds, too", held,
                               part.parts);
        }
    }
    const bool same =
        std::ranges::equal(part.heads, sum.heads, {}, &CorpusHead::head, &CorpusHead::head);
    return same ? "" : "has other heads than the files before it";
}

} // namespace

Result<HeadCorpus> merged(const std::vector<HeadCorpus>& parts,
                          const std::vector<std::string>& names) {
    if (parts.empty()) {
        return fail(ErrorKind::usage, "--merge", "names no file; give it those of --shard");
    }
    HeadCorpus sum = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const HeadCorpus& part = parts[i];
        if (const std::string why = misfit(sum, part); !why.empty()) {
            return fail(ErrorKind::mismatch, names[i], why);
        }
        sum.held.insert(part.held.begin(), part.held.end());
        sum.lines += part.lines;
        sum.sequences += part.sequences;
        for (std::size_t h = 0; h < sum.heads.size(); ++h) {
            add_head(sum.heads[h], part.heads[h], sum.most_top);
        }
    }
    if (sum.held.size() == sum.parts) {
        sum.parts = 1;
        sum.held = {1};
    }
    return sum;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string heads_json(const HeadCorpus& corpus, std::string_view text) {
    using tensors::Json;
    const auto number = [](double x) { return std::isnan(x) ? Json(nullptr) : Json(x); };
    const auto lines = lines_of(text);
    Json heads = Json::array();
    for (const CorpusHead& head : corpus.heads) {
        Json scores = Json::object();
        for (std::size_t s = 0; s < corpus_scores().size(); ++s) {
            Json top = Json::array();
            for (const TopLine& line : head.top[s]) {
                Json entry = {{"line", line.line}, {"value", line.value}};
                if (line.line <= lines.size()) entry["text"] = std::string(lines[line.line - 1]);
                top.push_back(std::move(entry));
            }
            scores[std::string(inside::info(corpus_scores()[s]).name)] = {
                {"mean", number(head.tallies[s].mean())},
                {"spread", number(head.tallies[s].spread())},
                {"count", head.tallies[s].count()},
                {"top", std::move(top)}};
        }
        heads.push_back({{"kind", trace::name(head.head.kind)},
                         {"layer", head.head.layer + 1},
                         {"head", head.head.head + 1},
                         {"label", head.label("-")},
                         {"scores", std::move(scores)}});
    }
    return tensors::dump_json({{"model", corpus.model},
                               {"corpus", corpus.corpus},
                               {"lines", corpus.lines},
                               {"sequences", corpus.sequences},
                               {"heads", std::move(heads)}});
}

} // namespace heed::app
