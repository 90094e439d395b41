// Dates as people write them, in three languages. With slashes and the year last the month comes
// first, as in America; with dots the day does.
#include "train/tasks/writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

namespace heed::train {

namespace {

constexpr std::array kMonths = {"January",   "February", "March",    "April",
                                "May",       "June",     "July",     "August",
                                "September", "October",  "November", "December"};
constexpr std::array kMois = {"janvier", "février", "mars",      "avril",   "mai",      "juin",
                              "juillet", "août",    "septembre", "octobre", "novembre", "décembre"};
constexpr std::array kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                              "Thursday", "Friday", "Saturday"};
constexpr std::array kJours = {"dimanche", "lundi",    "mardi", "mercredi",
                               "jeudi",    "vendredi", "samedi"};
constexpr std::array kDigits = {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

// Signs for a part of the date in a spelling; all other characters stand for themselves. Y year,
// m month, d day, each with a twin: M month of two digits, D day of two digits.
constexpr std::array kSpellings = {
    "d {Month} Y",
    "{Month} d, Y",
    "{Mon} d, Y",
    "d {Mon} Y",
    "{Month} dth, Y",
    "the dth of {Month} Y",
    "Y/m/d",
    "Y/M/D",
    "d.m.Y",
    "D.M.Y",
    "m/d/Y",
    "M/D/Y",
    "Y-m-d",
    "d-{Mon}-Y",
    "Y年m月d日",
    "{年}年{月}月{日}日",
    "d {mois} Y",
    "le d {mois} Y",
    "{jour} d {mois} Y",
    "{Day}, d {Month} Y",
    "{Day}, {Month} d, Y",
};

std::string chinese(int number) {
    std::string words;
    if (number >= 20) words += kDigits[static_cast<std::size_t>(number / 10)];
    if (number >= 10) words += "十";
    if (number % 10 > 0) words += kDigits[static_cast<std::size_t>(number % 10)];
    return words;
}

std::string chinese_year(int year) {
    std::string words;
    for (const char digit : std::to_string(year))
        words += kDigits[static_cast<std::size_t>(digit - '0')];
    return words;
}

std::string_view ordinal_ending(int day) {
    if (day / 10 == 1) return "th";
    return day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
}

enum class Role { other, year, month, day };

/// A date being written, with the role of each byte.
struct Writing {
    std::string text;
    std::vector<Role> roles;
    void add(std::string_view words, Role role) {
        text += words;
        roles.resize(text.size(), role);
    }
};

struct Date {
    int year, month, day, weekday;
};

void add_name(Writing& writing, std::string_view part, const Date& date) {
    const auto month = static_cast<std::size_t>(date.month - 1);
    const auto weekday = static_cast<std::size_t>(date.weekday);
    if (part == "Month") writing.add(kMonths[month], Role::month);
    if (part == "Mon") writing.add(std::string_view(kMonths[month]).substr(0, 3), Role::month);
    if (part == "mois") writing.add(kMois[month], Role::month);
    if (part == "Day") writing.add(kDays[weekday], Role::other);
    if (part == "jour") writing.add(kJours[weekday], Role::other);
    if (part == "年") writing.add(chinese_year(date.year), Role::year);
    if (part == "月") writing.add(chinese(date.month), Role::month);
    if (part == "日") writing.add(chinese(date.day), Role::day);
}

Writing write(std::string_view spelling, const Date& date) {
    Writing writing;
    const bool french = spelling.find("mois") != std::string_view::npos;
    for (std::size_t i = 0; i < spelling.size(); ++i) {
        switch (spelling[i]) {
        case '{': {
            const std::size_t end = spelling.find('}', i);
            add_name(writing, spelling.substr(i + 1, end - i - 1), date);
            i = end;
            break;
        }
        case 'Y': writing.add(std::to_string(date.year), Role::year); break;
        case 'm': writing.add(std::to_string(date.month), Role::month); break;
        case 'M': writing.add(fmt::format("{:02}", date.month), Role::month); break;
        case 'D': writing.add(fmt::format("{:02}", date.day), Role::day); break;
        case 'd':
            writing.add(std::to_string(date.day), Role::day);
            if (french && date.day == 1) writing.add("er", Role::day);
            if (spelling.substr(i, 3) == "dth") {
                writing.add(ordinal_ending(date.day), Role::day);
                i += 2;
            }
            break;
        default: writing.add(spelling.substr(i, 1), Role::other);
        }
    }
    return writing;
}

/// Links of one part of the ISO date: target characters [target, target + digits). Digits of the
/// source are the same ones from the right; a name of a month, or a zero, is all of its characters.
void align(Pair& pair, const std::vector<Role>& roles, Role role, int target, int digits) {
    std::vector<int> all, numerals;
    for (std::size_t s = 0; s < roles.size(); ++s) {
        if (roles[s] != role) continue;
        all.push_back(static_cast<int>(s));
        const std::string& character = pair.source[s];
        if (character.size() == 1 && character[0] >= '0' && character[0] <= '9') {
            numerals.push_back(static_cast<int>(s));
        }
    }
    const bool by_place = role == Role::year; // 二〇二一 has a character a digit too
    const std::vector<int>& placed = by_place ? all : numerals;
    for (int k = 0; k < digits; ++k) {
        const int from_right = digits - 1 - k;
        const int place = static_cast<int>(placed.size()) - 1 - from_right;
        for (const int s : all) {
            // Years are of two centuries, and either digit tells which.
            const bool of_century = by_place && k < 2 && (s == all[0] || s == all[1]);
            const bool sure =
                !of_century && place >= 0 && placed[static_cast<std::size_t>(place)] == s;
            if (sure || of_century || place < 0) pair.gold.push_back({target + k, s, sure});
        }
    }
}

} // namespace

namespace {

/// The characters that a model of dates reads: no spaces.
std::string without_spaces(std::string text) {
    std::erase(text, ' ');
    return text;
}

/// True where a text has this number, in digits or as Chinese words.
bool has_number(std::string_view text, int number) {
    if (text.find(chinese(number)) != std::string_view::npos) return true;
    constexpr std::string_view kNumerals = "0123456789";
    for (std::size_t at = 0; (at = text.find_first_of(kNumerals, at)) != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(kNumerals, at), text.size());
        int found = 0;
        std::from_chars(text.data() + at, text.data() + end, found);
        if (found == number) return true;
        at = end;
    }
    return false;
}

bool has_month(std::string_view text, int month) {
    const auto at = static_cast<std::size_t>(month - 1);
    const auto has = [&](std::string_view name) {
        return text.find(name) != std::string_view::npos;
    };
    return has(std::string_view(kMonths[at]).substr(0, 3)) || has(kMois[at]) ||
           has_number(text, month);
}

bool is_written(std::string_view text, const std::chrono::year_month_day& day) {
    const Date date{
        static_cast<int>(day.year()), static_cast<int>(static_cast<unsigned>(day.month())),
        static_cast<int>(static_cast<unsigned>(day.day())),
        static_cast<int>(std::chrono::weekday(std::chrono::sys_days(day)).c_encoding())};
    return std::ranges::any_of(kSpellings, [&](const char* spelling) {
        return without_spaces(write(spelling, date).text) == text;
    });
}

/// Only the months and days that the text has are written.
bool is_date_of(std::string_view text, int in_year) {
    using namespace std::chrono;
    for (int month = 1; month <= 12; ++month) {
        if (!has_month(text, month)) continue;
        for (int day = 1; day <= 31; ++day) {
            const year_month_day date(year(in_year),
                                      std::chrono::month(static_cast<unsigned>(month)),
                                      std::chrono::day(static_cast<unsigned>(day)));
            if (date.ok() && has_number(text, day) && is_written(text, date)) return true;
        }
    }
    return false;
}

} // namespace

bool is_date(std::string_view typed) {
    constexpr std::size_t kLongest = 200; // bytes; no spelling is as long
    if (typed.size() > kLongest) return false;
    const std::string text = without_spaces(std::string(typed));
    for (int year = 1900; year < 2100; ++year) {
        const bool named = text.find(std::to_string(year)) != std::string_view::npos ||
                           text.find(chinese_year(year)) != std::string_view::npos;
        if (named && is_date_of(text, year)) return true;
    }
    return false;
}

Pair write_date(TaskRng& rng) {
    using namespace std::chrono;
    const auto first = sys_days(year(1900) / 1 / 1), last = sys_days(year(2099) / 12 / 31);
    const sys_days day =
        first + days(rng.below(static_cast<std::size_t>((last - first).count()) + 1));
    const year_month_day ymd(day);
    const Date date{static_cast<int>(ymd.year()),
                    static_cast<int>(static_cast<unsigned>(ymd.month())),
                    static_cast<int>(static_cast<unsigned>(ymd.day())),
                    static_cast<int>(weekday(day).c_encoding())};
    const Writing writing = write(rng.one_of(kSpellings), date);

    Pair pair;
    std::vector<Role> roles;
    const auto tokens = text::tokenize(writing.text, text::Segmentation::characters, 64);
    for (const text::Token& token : tokens) {
        pair.source.push_back(token.text);
        roles.push_back(writing.roles[token.begin]);
    }
    for (const char c : fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day)) {
        pair.target.emplace_back(1, c);
    }
    align(pair, roles, Role::year, 0, 4);
    align(pair, roles, Role::month, 5, 2);
    align(pair, roles, Role::day, 8, 2);
    return pair;
}

} // namespace heed::train
