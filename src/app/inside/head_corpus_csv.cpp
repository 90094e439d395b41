#include "app/inside/head_corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::Result;

namespace {

std::string score_name(std::size_t s) { return std::string(inside::info(corpus_scores()[s]).name); }

std::vector<std::string> heads_columns() {
    std::vector<std::string> columns = {"kind", "layer", "head", "label"};
    for (const char* part : {"", "_spread", "_sums", "_top"}) {
        for (std::size_t s = 0; s < corpus_scores().size(); ++s) {
            columns.push_back(score_name(s) + part);
        }
    }
    for (const char* name : {"offsets", "model", "corpus", "lines", "sequences", "part",
                             "top_lines", "heads", "check", "text_check"}) {
        columns.emplace_back(name);
    }
    return columns;
}

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string text = "\"";
    for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

/// "12=0.93 4=0.5"
template <class List> std::string pairs_text(const List& list) {
    std::string text;
    for (const auto& [key, value] : list) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    }
    return text;
}

std::vector<std::string> fields_of(const HeadCorpus& corpus, const CorpusHead& head) {
    std::vector<std::string> fields = {std::string(trace::name(head.head.kind)),
                                       fmt::format("{}", head.head.layer + 1),
                                       fmt::format("{}", head.head.head + 1), head.label("-")};
    for (const auto& tally : head.tallies) fields.push_back(fmt::format("{}", tally.mean()));
    for (const auto& tally : head.tallies) fields.push_back(fmt::format("{}", tally.spread()));
    for (const auto& tally : head.tallies) fields.push_back(tally.text());
    for (const auto& top : head.top) {
        std::vector<std::pair<std::size_t, float>> pairs;
        for (const TopLine& line : top) pairs.emplace_back(line.line, line.value);
        fields.push_back(pairs_text(pairs));
    }
    fields.push_back(pairs_text(head.offsets));
    fields.push_back(corpus.model);
    fields.push_back(corpus.corpus);
    fields.push_back(fmt::format("{}", corpus.lines));
    fields.push_back(fmt::format("{}", corpus.sequences));
    fields.push_back(fmt::format("{}/{}", fmt::join(corpus.held, "+"), corpus.parts));
    fields.push_back(fmt::format("{}", corpus.most_top));
    fields.push_back(fmt::format("{}", corpus.heads.size()));
    fields.push_back(corpus.check);
    fields.push_back(corpus.text_check);
    return fields;
}

void append_row(std::string& out, const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) out += ',';
        out += quoted(fields[i]);
    }
    out += "\r\n";
}

/// Fields of a table with commas, some of them in quotes; as many rows as there are.
std::vector<std::vector<std::string>> rows_of(std::string_view bytes) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row(1);
    bool inside_quotes = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        const bool escaped =
            inside_quotes && c == '"' && i + 1 < bytes.size() && bytes[i + 1] == '"';
        if (escaped) {
            row.back() += bytes[++i];
        } else if (c == '"') {
            inside_quotes = !inside_quotes;
        } else if (c == ',' && !inside_quotes) {
            row.emplace_back();
        } else if (c == '\n' && !inside_quotes) {
            rows.push_back(std::exchange(row, std::vector<std::string>(1)));
        } else if (c != '\r' || inside_quotes) {
            row.back() += c;
        }
    }
    if (row.size() > 1 || !row.front().empty()) rows.push_back(std::move(row));
    return rows;
}

template <class N> bool parse(std::string_view text, N& number) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end;
}

/// Reads one row's fields in the order of the columns; what is wrong with the first wrong one.
class HeadRowReader {
  public:
    HeadRowReader(const std::vector<std::string>& columns, const std::vector<std::string>& fields)
        : columns_(columns), fields_(fields) {}

    const std::string& error() const { return error_; }
    void refuse(std::string_view found, std::string_view expected) {
        if (!error_.empty()) return;
        error_ =
            fmt::format("{} has '{:.40}' where {} is expected", columns_[at_ - 1], found, expected);
    }

    const std::string& text() { return fields_[at_++]; }
    template <class N> N number() {
        N value{};
        const std::string& field = text();
        if (!parse(field, value)) refuse(field, "a number");
        return value;
    }
    inside::ExactTally tally() {
        const auto read = inside::ExactTally::read(text(), columns_[at_ - 1]);
        if (!read && error_.empty()) error_ = read.error().subject + " " + read.error().message;
        return read.value_or(inside::ExactTally());
    }
    /// "12=0.93 4=0.5"
    template <class K, class V> std::vector<std::pair<K, V>> pairs() {
        std::vector<std::pair<K, V>> list;
        std::string_view rest = text();
        const std::string_view whole = rest;
        while (!rest.empty()) {
            const std::string_view pair = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
            const std::size_t sign = pair.find('=');
            std::pair<K, V> entry{};
            const bool good = sign != pair.npos && parse(pair.substr(0, sign), entry.first) &&
                              parse(pair.substr(sign + 1), entry.second) &&
                              std::isfinite(static_cast<double>(entry.second));
            if (!good) refuse(whole, "pairs such as 12=0.5");
            if (!good) return list;
            list.push_back(entry);
        }
        return list;
    }
    trace::AttentionKind kind() {
        const std::string& field = text();
        for (const trace::AttentionKind kind : trace::kAttentionKinds) {
            if (trace::name(kind) == field) return kind;
        }
        refuse(field, "encoder, decoder or cross");
        return {};
    }
    /// "1+3/4"
    std::pair<std::set<std::size_t>, std::size_t> part() {
        const std::string& field = text();
        std::string_view rest = field;
        std::set<std::size_t> held;
        std::size_t parts = 0;
        const std::size_t slash = rest.find('/');
        bool good = slash != rest.npos && parse(rest.substr(slash + 1), parts);
        rest = rest.substr(0, slash);
        while (good && !rest.empty()) {
            const std::string_view one = rest.substr(0, rest.find('+'));
            rest.remove_prefix(std::min(one.size() + 1, rest.size()));
            std::size_t place = 0;
            good = parse(one, place) && place >= 1 && place <= parts && held.insert(place).second;
        }
        if (!good || held.empty()) refuse(field, "a part such as 2/4");
        return {held, parts};
    }

  private:
    const std::vector<std::string>& columns_;
    const std::vector<std::string>& fields_;
    std::size_t at_ = 0;
    std::string error_;
};

/// `rows`: of the file.
CorpusHead read_head(HeadRowReader& reader, std::size_t rows, HeadCorpus& corpus) {
    CorpusHead head;
    head.head.kind = reader.kind();
    head.head.layer = reader.number<std::uint16_t>() - 1;
    head.head.head = reader.number<std::uint16_t>() - 1;
    reader.text(); // the label follows from the sums, as means and spreads do
    const std::size_t scores = corpus_scores().size();
    for (std::size_t s = 0; s < 2 * scores; ++s) reader.text();
    for (std::size_t s = 0; s < scores; ++s) head.tallies.push_back(reader.tally());
    for (std::size_t s = 0; s < scores; ++s) {
        head.top.emplace_back();
        for (const auto& [line, value] : reader.pairs<std::size_t, float>()) {
            head.top.back().push_back({line, value});
        }
    }
    for (const auto& [offset, lines] : reader.pairs<int, std::uint64_t>()) {
        head.offsets[offset] += lines;
    }
    corpus.model = reader.text();
    corpus.corpus = reader.text();
    corpus.lines = reader.number<std::uint64_t>();
    corpus.sequences = reader.number<std::uint64_t>();
    std::tie(corpus.held, corpus.parts) = reader.part();
    corpus.most_top = reader.number<std::size_t>();
    const auto heads = reader.number<std::size_t>();
    if (heads != rows)
        reader.refuse(fmt::format("{}", heads),
                      fmt::format("{}, as many as there are lines,", rows));
    corpus.check = reader.text();
    corpus.text_check = reader.text();
    return head;
}

} // namespace

std::string write_heads_csv(const HeadCorpus& corpus) {
    std::string out;
    append_row(out, heads_columns());
    for (const CorpusHead& head : corpus.heads) append_row(out, fields_of(corpus, head));
    return out;
}

Result<HeadCorpus> read_heads_csv(std::string_view bytes, const std::string& subject) {
    const auto refuse = [&](std::string why) {
        return base::fail(ErrorKind::malformed, subject, std::move(why));
    };
    const auto rows = rows_of(bytes);
    const auto columns = heads_columns();
    if (rows.size() < 2 || rows.front() != columns) {
        return refuse("is no table of heed heads: its first line does not name those columns");
    }
    HeadCorpus corpus, first;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].size() != columns.size()) {
            return refuse(fmt::format("line {} has {} columns of {}; is the file whole?", i + 1,
                                      rows[i].size(), columns.size()));
        }
        HeadRowReader reader(columns, rows[i]);
        corpus.heads.push_back(read_head(reader, rows.size() - 1, corpus));
        if (!reader.error().empty()) {
            return refuse(fmt::format("line {}, column {}", i + 1, reader.error()));
        }
        HeadCorpus told = corpus;
        told.heads.clear();
        if (i == 1) first = told;
        if (!(told == first)) {
            return refuse(fmt::format("line {} is of another run than line 2", i + 1));
        }
    }
    return corpus;
}

} // namespace heed::app
