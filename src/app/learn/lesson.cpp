#include "app/learn/lesson.hpp"

#include "app/document/names.hpp"
#include "base/file.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::Result;

namespace {

enum class Key { need, task, check, once, point, guess, head, seen, same };
struct KeyInfo {
    Key key;
    std::string_view name, help;
    bool many = false, needed = false;
};
constexpr KeyInfo kKeys[] = {
    {Key::need, "need", "FACT that the model must have, beside those of the other lines", true},
    {Key::task, "do", "the one thing to do", false, true},
    {Key::check, "check",
     "CONDITION | what the card asks: it has to hold, after those above it and with their checks; "
     "without the bar the card finds words",
     true},
    {Key::once, "once", "the same, and it may be over by the time of those below it", true},
    {Key::point, "point", "where the card points to; of several, to the last that can be seen",
     true},
    {Key::guess, "guess", "FACT | a question that is asked before and answered afterwards", false},
    {Key::head, "head", "scale: the card begins at the head that the scale changes most", false},
    {Key::seen, "seen",
     "what is said when it was done; {FACT} is measured then, "
     "{FACT before} is what it was before anything was changed",
     false, true},
    {Key::same, "same",
     "said in its place while every {FACT before} of it is what it was; the card looks on until "
     "one is another",
     false},
};

std::string key_names() {
    std::string list;
    for (const KeyInfo& key : kKeys) list += (list.empty() ? "" : ", ") + std::string(key.name);
    return list;
}

std::string_view bare(std::string_view line) {
    const std::size_t end = line.find_last_not_of(" \t\r");
    return end == std::string_view::npos ? std::string_view{} : line.substr(0, end + 1);
}

/// "do" of "do: Turn …"; empty where the line is none of a key: one lower-case word and a colon.
std::string_view key_of(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && line[at] >= 'a' && line[at] <= 'z') ++at;
    return at > 0 && at < line.size() && line[at] == ':' ? line.substr(0, at) : std::string_view{};
}

struct Entry {
    std::string key, value;
    int line = 0;
};

class LessonReader {
  public:
    explicit LessonReader(const std::string& file) { read_.lesson.file = file; }

    ReadLesson read(std::string_view bytes) {
        if (!base::is_valid_utf8(bytes)) {
            wrong(line_of_broken(bytes), "these bytes are not UTF-8; save the file as UTF-8");
            return std::move(read_);
        }
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"; // of some editors
        if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
        int number = 0;
        while (!bytes.empty()) {
            const std::size_t end = std::min(bytes.find('\n'), bytes.size());
            take_line(bare(bytes.substr(0, end)), ++number);
            bytes.remove_prefix(std::min(end + 1, bytes.size()));
        }
        last_ = std::max(number, 1);
        for (const Entry& entry : entries_) take_entry(entry);
        see_what_lacks();
        return std::move(read_);
    }

  private:
    static int line_of_broken(std::string_view bytes) {
        int line = 1;
        for (std::size_t at = 0; at < bytes.size();) {
            const base::Decoded one = base::decode_utf8(bytes, at);
            if (!one.valid) break;
            line += one.code_point == U'\n';
            at += one.length;
        }
        return line;
    }

    std::string place(int line) const {
        return fmt::format("{}, line {}", read_.lesson.file, line);
    }
    void wrong(int line, std::string message) {
        read_.wrong.push_back({ErrorKind::malformed, place(line), std::move(message)});
    }

    void take_line(std::string_view line, int number) {
        if (line.empty()) {
            paragraph_open_ = false;
            return;
        }
        Lesson& lesson = read_.lesson;
        if (!titled_) {
            titled_ = true;
            if (line.starts_with("# ") && line.size() > 2) {
                lesson.title = line.substr(2);
            } else {
                wrong(number, fmt::format("expected '# ' and a title, found '{}'", line));
            }
            return;
        }
        if (!entries_.empty() && line.starts_with("  ")) {
            entries_.back().value += ' ' + std::string(line.substr(line.find_first_not_of(' ')));
            return;
        }
        if (const std::string_view key = key_of(line); !key.empty()) {
            std::string_view value = line.substr(key.size() + 1);
            value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
            entries_.push_back({std::string(key), std::string(value), number});
            return;
        }
        if (!entries_.empty()) {
            wrong(number, fmt::format("expected one of {} and a colon, or two spaces before what "
                                      "goes on with the line above; found '{}'",
                                      key_names(), line));
            return;
        }
        if (!std::exchange(paragraph_open_, true)) {
            lesson.words.emplace_back(line);
        } else {
            lesson.words.back() += ' ' + std::string(line);
        }
    }

    void take_entry(const Entry& entry) {
        const auto* key = std::ranges::find(kKeys, entry.key, &KeyInfo::name);
        if (key == std::end(kKeys)) {
            return wrong(entry.line, fmt::format("expected one of {} before the colon, found '{}'",
                                                 key_names(), entry.key));
        }
        if (entry.value.empty()) {
            return wrong(entry.line,
                         fmt::format("expected words after '{}:': {}", key->name, key->help));
        }
        const bool again = std::exchange(given_[static_cast<std::size_t>(key->key)], true);
        if (again && !key->many) {
            return wrong(entry.line, fmt::format("'{}:' stands here twice", key->name));
        }
        switch (key->key) {
        case Key::need: return take_need(entry);
        case Key::task: read_.lesson.task = entry.value; return;
        case Key::check:
        case Key::once: return take_check(entry, key->key == Key::once);
        case Key::point: return take_point(entry);
        case Key::guess: return take_guess(entry);
        case Key::head: return take_word(entry, "scale", read_.lesson.at_head_of_scale);
        case Key::seen:
            return keep(parse_filled(entry.value, place(entry.line)), read_.lesson.seen);
        case Key::same:
            return keep(parse_filled(entry.value, place(entry.line)), read_.lesson.same);
        }
    }

    template <class T> void keep(Result<T> result, T& into) {
        if (result) {
            into = *std::move(result);
        } else {
            read_.wrong.push_back(result.error());
        }
    }

    const Fact* fact_of(const std::string& name, int line, const char* expected) {
        if (const Fact* fact = fact_named(name)) return fact;
        const auto filled = parse_filled("{" + name + "}", place(line));
        wrong(line, filled ? expected : filled.error().message);
        return nullptr;
    }

    void take_need(const Entry& entry) {
        const Fact* fact = fact_of(entry.value, entry.line, "expected a fact");
        if (fact) read_.lesson.needs.push_back(fact);
    }

    void take_check(const Entry& entry, bool once) {
        auto& checks = read_.lesson.checks;
        if (checks.size() == kMostChecks) {
            return wrong(entry.line, fmt::format("expected at most {} conditions", kMostChecks));
        }
        constexpr std::string_view kBar = " | ";
        const std::size_t bar = entry.value.rfind(kBar);
        const std::string_view whole = entry.value;
        checks.emplace_back();
        keep(parse_condition(whole.substr(0, bar), place(entry.line)), checks.back());
        checks.back().once = once;
        if (bar == std::string::npos) return;
        checks.back().asked =
            whole.substr(std::min(whole.find_first_not_of(' ', bar + kBar.size()), whole.size()));
    }

    void take_point(const Entry& entry) {
        const auto* at = std::ranges::find(kLessonPlaces, entry.value, &LessonPlaceInfo::name);
        if (at != std::end(kLessonPlaces)) {
            read_.lesson.points.push_back(at->place);
            return;
        }
        std::string list;
        for (const LessonPlaceInfo& p : kLessonPlaces)
            list += (list.empty() ? "" : ", ") + std::string(p.name);
        wrong(entry.line, fmt::format("expected one of {}, found '{}'", list, entry.value));
    }

    void take_guess(const Entry& entry) {
        const std::size_t bar = entry.value.find('|');
        const std::string name(bare(entry.value.substr(0, bar)));
        const Fact* fact = fact_of(name, entry.line, "expected a fact before '|'");
        if (!fact) return;
        std::string_view question;
        if (bar != std::string::npos) question = std::string_view(entry.value).substr(bar + 1);
        question.remove_prefix(std::min(question.find_first_not_of(' '), question.size()));
        if (question.empty()) {
            return wrong(entry.line, "expected '|' and a question after the fact");
        }
        read_.lesson.guess = Guess{fact, std::string(question)};
    }

    void take_word(const Entry& entry, std::string_view only, bool& into) {
        if (entry.value != only)
            return wrong(entry.line, fmt::format("expected {}, found '{}'", only, entry.value));
        into = true;
    }

    void see_what_lacks() {
        const Lesson& lesson = read_.lesson;
        if (!titled_) wrong(last_, "expected '# ' and a title in the first line");
        if (titled_ && lesson.words.empty()) {
            wrong(last_, "expected two or three sentences below the title");
        }
        for (const KeyInfo& key : kKeys) {
            if (!key.needed || given_[static_cast<std::size_t>(key.key)]) continue;
            wrong(last_, fmt::format("expected a line '{}:', {}", key.name, key.help));
        }
        if (lesson.checks.empty()) {
            wrong(last_, "expected at least one line 'check:' or 'once:' with a condition");
        }
    }

    ReadLesson read_;
    std::vector<Entry> entries_;
    bool titled_ = false, paragraph_open_ = false;
    bool given_[std::size(kKeys)] = {};
    int last_ = 1;
};

} // namespace

ReadLesson parse_lesson(std::string_view bytes, const std::string& file) {
    return LessonReader(file).read(bytes);
}

ReadLesson read_lesson(const std::string& path) {
    const auto bytes = base::read_file(path, kMostLessonBytes);
    if (bytes) return parse_lesson(*bytes, path);
    ReadLesson failed;
    failed.lesson.file = path;
    failed.wrong.push_back(bytes.error());
    return failed;
}

std::string lesson_help() {
    std::string help = "A lesson is a text file (UTF-8): '# ' and a title, two or three sentences, "
                       "then lines\n";
    for (const KeyInfo& key : kKeys) {
        help += fmt::format("  {:<10} {}\n", std::string(key.name) + ":", key.help);
    }
    help += "\nConditions:\n"
            "  FACT > NUMBER, FACT < NUMBER, FACT is WORD, FACT is not WORD, FACT changed\n"
            "  head is the most";
    for (const PatternMeasure& m : pattern_measures()) {
        help += fmt::format("{} {}", &m == &pattern_measures().front() ? "" : ",", m.word);
    }
    help += "\n  edited row \"WORD\" keys \"WORD\" …   (any in place of words: any row, any one "
            "key)\n\nFacts:\n";
    for (const Fact& fact : facts()) {
        help += fmt::format("  {:<24} {}", fact.name, fact.help);
        const auto choices = fact.choices ? fact.choices() : std::vector<std::string>{};
        for (const std::string& c : choices) {
            help += fmt::format("{} {}", &c == &choices.front() ? ":" : ",", c);
        }
        help += '\n';
    }
    help += "\nPlaces to point to:\n";
    for (const LessonPlaceInfo& place : kLessonPlaces) {
        help += fmt::format("  {:<24} {}\n", place.name, place.help);
    }
    return help;
}

bool tells_said(const Lesson& lesson) {
    const Fact* said = fact_named("said");
    return (lesson.guess && lesson.guess->fact == said) ||
           std::ranges::find(lesson.seen.parts, said, &FilledText::Part::fact) !=
               lesson.seen.parts.end();
}

} // namespace heed::app
