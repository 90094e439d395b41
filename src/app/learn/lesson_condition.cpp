#include "app/document/names.hpp"
#include "app/engine/speech.hpp"
#include "app/learn/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

std::string_view trimmed(std::string_view words) {
    const std::size_t from = words.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    return words.substr(from, words.find_last_not_of(" \t") - from + 1);
}

/// Cuts `head` off the front where a word ends behind it.
bool take(std::string_view& words, std::string_view head) {
    if (!words.starts_with(head)) return false;
    const std::string_view rest = words.substr(head.size());
    if (!rest.empty() && rest.front() != ' ') return false;
    words = trimmed(rest);
    return true;
}

/// The longest fact that the words begin with.
const Fact* take_fact(std::string_view& words) {
    const Fact* best = nullptr;
    for (const Fact& fact : facts()) {
        std::string_view rest = words;
        if (take(rest, fact.name) && (!best || fact.name.size() > best->name.size())) best = &fact;
    }
    if (best) take(words, best->name);
    return best;
}

template <class List, class Word> std::string listed(const List& list, Word word) {
    std::string words;
    for (const auto& entry : list) {
        if (!words.empty()) words += ", ";
        words += word(entry);
    }
    return words;
}

std::string fact_names() {
    return listed(facts(), [](const Fact& f) { return std::string(f.name); });
}

/// A word in quotes, straight or curly; nothing where none begins here.
std::optional<std::string> take_quoted(std::string_view& words) {
    constexpr std::pair<std::string_view, std::string_view> kQuotes[] = {{"\"", "\""}, {"“", "”"}};
    for (const auto& [open, close] : kQuotes) {
        if (!words.starts_with(open)) continue;
        const std::size_t end = words.find(close, open.size());
        if (end == std::string_view::npos) return std::nullopt;
        std::string inside(words.substr(open.size(), end - open.size()));
        words = trimmed(words.substr(end + close.size()));
        return inside;
    }
    return std::nullopt;
}

Result<Condition> parse_edited(std::string_view words, const std::string& subject) {
    const auto wrong = [&](const char* expected) {
        return fail(ErrorKind::malformed, subject,
                    fmt::format("expected {} such as edited row \"ate\" keys \"yesterday\" or "
                                "edited row any keys any, found '{}'",
                                expected, words));
    };
    Condition condition{.kind = Condition::Kind::edited, .written = {}};
    if (!take(words, "row")) return wrong("'row' and a word");
    if (!take(words, "any")) {
        const auto row = take_quoted(words);
        if (!row || row->empty()) return wrong("a word in quotes, or any,");
        condition.row = *row;
    }
    if (!take(words, "keys")) return wrong("'keys' and words");
    if (take(words, "any")) {
        if (!words.empty()) return wrong("nothing after 'any',");
        return condition;
    }
    do {
        const auto key = take_quoted(words);
        if (!key || key->empty()) return wrong("words in quotes, or any,");
        condition.keys.push_back(*key);
    } while (!words.empty());
    return condition;
}

Result<Condition> parse_most(std::string_view words, const std::string& subject) {
    for (const PatternMeasure& measure : pattern_measures()) {
        if (measure.word != words) continue;
        Condition condition{.kind = Condition::Kind::most, .written = {}};
        condition.fact = fact_named(fmt::format("most {} head", measure.word));
        condition.word = measure.word;
        return condition;
    }
    return fail(
        ErrorKind::malformed, subject,
        fmt::format("expected one of {} after 'head is the most', found '{}'",
                    listed(pattern_measures(), [](const auto& m) { return std::string(m.word); }),
                    words));
}

Result<Condition> parse_is(const Fact& fact, std::string_view words, const std::string& subject) {
    Condition condition{.kind = Condition::Kind::is, .fact = &fact, .written = {}};
    if (take(words, "not")) condition.kind = Condition::Kind::is_not;
    condition.word = words;
    if (words.empty()) {
        return fail(ErrorKind::malformed, subject,
                    fmt::format("expected a word after '{} is'", fact.name));
    }
    const auto choices = fact.choices ? fact.choices() : std::vector<std::string>{};
    const bool known = choices.empty() || std::ranges::find(choices, words) != choices.end();
    if (known) return condition;
    return fail(ErrorKind::malformed, subject,
                fmt::format("expected one of {} after '{} is', found '{}'",
                            listed(choices, [](const std::string& c) { return c; }), fact.name,
                            words));
}

Result<Condition> parse_about_fact(std::string_view words, const std::string& subject) {
    const Fact* fact = take_fact(words);
    if (!fact) {
        return fail(
            ErrorKind::malformed, subject,
            fmt::format("expected one of {}, or edited row, found '{}'", fact_names(), words));
    }
    if (words == "changed") {
        return Condition{.kind = Condition::Kind::changed, .fact = fact, .written = {}};
    }
    const bool above = words.starts_with('>');
    if (fact->is_number && (above || words.starts_with('<'))) {
        const std::string_view digits = trimmed(words.substr(1));
        const auto number = parse_number(digits, subject);
        if (!number) {
            return fail(ErrorKind::malformed, subject,
                        fmt::format("expected a number such as 0.6 after '{} {}', found '{}'",
                                    fact->name, words.front(), digits));
        }
        if (above ? *number >= fact->most : *number <= 0) {
            return fail(ErrorKind::malformed, subject,
                        fmt::format("expected a number that '{}' can be {}: it goes from 0 to {:g}",
                                    fact->name, above ? "above" : "below", fact->most));
        }
        return Condition{.kind = above ? Condition::Kind::above : Condition::Kind::below,
                         .fact = fact,
                         .number = *number,
                         .written = {}};
    }
    if (!fact->is_number && (take(words, "is") || take(words, "are"))) {
        return parse_is(*fact, words, subject);
    }
    return fail(ErrorKind::malformed, subject,
                fmt::format("expected '{}' or 'changed' after '{}', found '{}'",
                            fact->is_number ? "> NUMBER', '< NUMBER" : "is WORD", fact->name,
                            words));
}

} // namespace

Result<Condition> parse_condition(std::string_view words, const std::string& subject) {
    const std::string_view whole = words = trimmed(words);
    Result<Condition> condition = take(words, "head is the most") ? parse_most(words, subject)
                                  : take(words, "edited")         ? parse_edited(words, subject)
                                                          : parse_about_fact(words, subject);
    if (condition) condition->written = whole;
    return condition;
}

namespace {

std::string capital(std::string_view word) {
    std::string words(word);
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') {
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    }
    return words;
}

/// The setting or choice that it asks for, as its control is called.
std::string choice_in_words(const Condition& condition) {
    const std::string_view fact = condition.fact->name, word = condition.word;
    const bool so = condition.kind == Condition::Kind::is;
    if (fact == "scale") return (word == "on") == so ? "Turn Scale on" : "Turn Scale off";
    if (fact == "mask") {
        if (word == "none") return so ? "Take every mask off" : "Set a mask";
        return so ? fmt::format("Set the mask to {}", word)
                  : fmt::format("Take the {} mask off", word);
    }
    if (fact == "positions") {
        const std::string_view shown = word == "none" ? "off" : word;
        return fmt::format("Set Positions to {}{}", so ? "" : "another than ", shown);
    }
    if (fact == "attention") {
        return fmt::format("Choose {}{}", so ? "" : "another than ", capital(word));
    }
    if (fact == "view") return fmt::format("{} {}", so ? "Open" : "Leave", capital(word));
    if (fact == "sentence" && so) return fmt::format("Type “{}”", word);
    if ((fact == "row" || fact == "key" || fact == "head") && so) {
        return fmt::format("Choose the {} “{}”", fact, word);
    }
    return fmt::format("See that “{}” is {}“{}”", fact, so ? "" : "not ", word);
}

std::string edit_in_words(const Condition& condition) {
    std::string keys;
    for (const std::string& key : condition.keys) keys += (keys.empty() ? "“" : ", “") + key + "”";
    return fmt::format("Let {} look at {} alone",
                       condition.row.empty() ? "a word" : "“" + condition.row + "”",
                       keys.empty() ? "one word" : keys);
}

} // namespace

std::string in_words(const Condition& condition) {
    using Kind = Condition::Kind;
    if (!condition.asked.empty()) return condition.asked;
    const std::string_view fact = condition.fact ? condition.fact->name : std::string_view{};
    switch (condition.kind) {
    case Kind::above: return fmt::format("Bring “{}” above {:g}", fact, condition.number);
    case Kind::below: return fmt::format("Bring “{}” below {:g}", fact, condition.number);
    case Kind::changed: {
        const bool chosen = fact == "row" || fact == "key" || fact == "head";
        return chosen ? fmt::format("Choose another {}", fact) : fmt::format("Change “{}”", fact);
    }
    case Kind::most: {
        const auto measures = pattern_measures();
        const auto at = std::ranges::find(measures, condition.word, &PatternMeasure::word);
        return fmt::format("Choose the head that looks most {}", at->phrase);
    }
    case Kind::edited: return edit_in_words(condition);
    case Kind::is:
    case Kind::is_not: break;
    }
    return choice_in_words(condition);
}

std::optional<LessonPlace> place_for(const Condition& condition) {
    using Kind = Condition::Kind;
    if (condition.kind == Kind::edited) return LessonPlace::weight;
    if (condition.kind == Kind::most) return LessonPlace::heads;
    const std::string_view fact = condition.fact->name;
    if (fact == "row" || fact == "key") return LessonPlace::map;
    if (fact == "head") return LessonPlace::heads;
    if (fact == "training steps") return LessonPlace::play;
    if (fact == "training task") return LessonPlace::tasks;
    if (fact == "view") return condition.word == "train" ? LessonPlace::train : LessonPlace::views;
    const auto* at = std::ranges::find(kLessonPlaces, fact, &LessonPlaceInfo::name);
    return at == std::end(kLessonPlaces) ? std::nullopt : std::optional(at->place);
}

bool is_of_map(const Lesson& lesson) {
    return std::ranges::none_of(lesson.checks, [](const Condition& check) {
        return check.fact && check.fact->name == "view";
    });
}

std::optional<std::uint64_t> steps_asked(const Lesson& lesson) {
    for (const Condition& check : lesson.checks) {
        const bool steps = check.fact == fact_named("training steps");
        if (!check.fact || !steps || check.kind != Condition::Kind::above) continue;
        return static_cast<std::uint64_t>(std::max(check.number, 0.0)) + 1;
    }
    return std::nullopt;
}

bool needs_fresh_run(const Lesson& lesson, const TrainingFact& training) {
    if (!training.before_card || !steps_asked(lesson)) return false;
    return std::ranges::all_of(lesson.checks, [&](const Condition& check) {
        const bool of_task = check.fact && check.fact == fact_named("training task");
        return !of_task || (check.word == training.task) == (check.kind == Condition::Kind::is);
    });
}

Result<FilledText> parse_filled(std::string_view words, const std::string& subject) {
    constexpr std::string_view kBefore = " before";
    FilledText text;
    while (!words.empty()) {
        const std::size_t open = words.find('{');
        if (open > 0) text.parts.push_back({std::string(words.substr(0, open)), nullptr, false});
        if (open == std::string_view::npos) break;
        const std::size_t close = words.find('}', open);
        if (close == std::string_view::npos) {
            return fail(ErrorKind::malformed, subject, "expected '}' after '{' and a fact's name");
        }
        std::string_view name = trimmed(words.substr(open + 1, close - open - 1));
        const bool before = name.ends_with(kBefore);
        if (before) name.remove_suffix(kBefore.size());
        const Fact* fact = fact_named(name);
        if (!fact) {
            return fail(
                ErrorKind::malformed, subject,
                fmt::format("expected one of {} in braces, found '{}'", fact_names(), name));
        }
        text.parts.push_back({{}, fact, before});
        words = words.substr(close + 1);
    }
    return text;
}

namespace {

/// Almost all: what edits leave to others by rounding is none.
constexpr float kAll = 0.99f;

} // namespace

bool has_little(const trace::AttentionMap& map, num::Index query, num::Index key) {
    const trace::Cell cell = map.cell(query, key);
    return cell.exponential <= 0.5f * cell.sum;
}

bool edited_so(const Condition& condition, const Snapshot& snapshot) {
    if (!snapshot.run || snapshot.error) return false;
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!map) return false;
    const auto& edits = map->head().settings.edits;
    const auto& rows = row_tokens(snapshot);
    const auto& keys = snapshot.run->trace.keys(snapshot.focus.head.kind);
    const num::Index n = map->rows(trace::Stage::weights), m = map->cols(trace::Stage::weights);
    for (num::Index i = 0; i < n; ++i) {
        if (nn::edits_of(edits, i).empty()) continue;
        const auto at = static_cast<std::size_t>(i);
        if (!condition.row.empty() && (at >= rows.size() || rows[at].text != condition.row)) {
            continue;
        }
        const num::Matrix<float> row = map->rectangle(trace::Stage::weights, {i, 0, 1, m});
        num::Index most = 0;
        float upon = condition.keys.empty() ? row.row(0).maxCoeff(&most) : 0;
        for (num::Index j = 0; j < m && !condition.keys.empty(); ++j) {
            const std::string& key = keys[static_cast<std::size_t>(j)].text;
            if (std::ranges::find(condition.keys, key) != condition.keys.end()) upon += row(0, j);
        }
        if (upon >= kAll && (!condition.keys.empty() || has_little(*map, i, most))) return true;
    }
    return false;
}

} // namespace heed::app
