#include "lab/settings.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace heed::lab {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

Parameter number(ParameterKind kind, std::string name, std::string label, std::string tip,
                 double least, double most, double usual, bool logarithmic) {
    return {std::move(name), std::move(label), std::move(tip), kind, least, most,
            usual,           logarithmic};
}

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

Result<double> read_number(const Parameter& parameter, std::string_view value) {
    const auto read = number_of(value);
    const bool whole = parameter.kind == ParameterKind::whole;
    if (!read || (whole && *read != std::floor(*read))) {
        return fail(ErrorKind::usage, parameter.name,
                    fmt::format("'{}' is no {}number; it goes from {:g} to {:g}", value,
                                whole ? "whole " : "", parameter.least, parameter.most));
    }
    if (*read < parameter.least || *read > parameter.most) {
        return fail(ErrorKind::out_of_range, parameter.name,
                    fmt::format("{:g} is not allowed; it goes from {:g} to {:g}", *read,
                                parameter.least, parameter.most));
    }
    return *read;
}

Result<double> read_toggle(const Parameter& parameter, std::string_view value) {
    if (value == "on" || value == "true" || value == "1") return 1.0;
    if (value == "off" || value == "false" || value == "0") return 0.0;
    return fail(ErrorKind::usage, parameter.name, fmt::format("'{}' is neither on nor off", value));
}

Result<double> read_choice(const Parameter& parameter, std::string_view value) {
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), value);
    if (found != parameter.choices.end()) {
        return static_cast<double>(found - parameter.choices.begin());
    }
    return fail(ErrorKind::usage, parameter.name,
                fmt::format("'{}' is none of {}", value, joined(parameter.choices)));
}

Result<double> read_value(const Parameter& parameter, std::string_view value) {
    if (parameter.kind == ParameterKind::toggle) return read_toggle(parameter, value);
    if (parameter.kind == ParameterKind::choice) return read_choice(parameter, value);
    return read_number(parameter, value);
}

/// Insertions, deletions and substitutions from one to the other (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

/// The text in the braces that open at `at`, which then is behind them; else one letter.
std::string_view argument(std::string_view markup, std::size_t& at) {
    if (at >= markup.size()) return {};
    const std::size_t begin = at;
    if (markup[at] != '{') {
        at += 1;
        return markup.substr(begin, 1);
    }
    int depth = 0;
    for (; at < markup.size(); ++at) {
        if (markup[at] == '{') ++depth;
        if (markup[at] == '}' && --depth == 0) break;
    }
    const std::string_view inside = markup.substr(begin + 1, at - begin - 1);
    at = std::min(at + 1, markup.size());
    return inside;
}

/// Letters as lowered or raised ones; nothing where Unicode lacks one of them.
std::optional<std::string> in_letters(const std::string& text,
                                      const std::map<char, std::string>& letters) {
    std::string result;
    for (const char c : text) {
        const auto found = letters.find(c);
        if (found == letters.end()) return std::nullopt;
        result += found->second;
    }
    return result;
}

const std::map<char, std::string>& lowered() {
    static const std::map<char, std::string> letters = {
        {'0', "₀"}, {'1', "₁"}, {'2', "₂"}, {'3', "₃"}, {'4', "₄"}, {'5', "₅"},
        {'6', "₆"}, {'7', "₇"}, {'8', "₈"}, {'9', "₉"}, {'+', "₊"}, {'(', "₍"},
        {')', "₎"}, {'a', "ₐ"}, {'e', "ₑ"}, {'h', "ₕ"}, {'i', "ᵢ"}, {'j', "ⱼ"},
        {'k', "ₖ"}, {'l', "ₗ"}, {'m', "ₘ"}, {'n', "ₙ"}, {'o', "ₒ"}, {'p', "ₚ"},
        {'r', "ᵣ"}, {'s', "ₛ"}, {'t', "ₜ"}, {'u', "ᵤ"}, {'v', "ᵥ"}, {'x', "ₓ"}};
    return letters;
}

const std::map<char, std::string>& raised() {
    static const std::map<char, std::string> letters = {
        {'0', "⁰"}, {'1', "¹"}, {'2', "²"}, {'3', "³"}, {'4', "⁴"}, {'5', "⁵"},
        {'6', "⁶"}, {'7', "⁷"}, {'8', "⁸"}, {'9', "⁹"}, {'-', "⁻"}, {'+', "⁺"},
        {'(', "⁽"}, {')', "⁾"}, {'T', "ᵀ"}, {'n', "ⁿ"}, {'i', "ⁱ"}};
    return letters;
}

std::string bracketed(const std::string& inside) {
    return inside.find_first_of(" /") == std::string::npos ? inside : "(" + inside + ")";
}

} // namespace

Parameter whole(std::string name, std::string label, std::string tip, double least, double most,
                double usual, bool logarithmic) {
    return number(ParameterKind::whole, std::move(name), std::move(label), std::move(tip), least,
                  most, usual, logarithmic);
}

Parameter real(std::string name, std::string label, std::string tip, double least, double most,
               double usual, bool logarithmic) {
    return number(ParameterKind::real, std::move(name), std::move(label), std::move(tip), least,
                  most, usual, logarithmic);
}

Parameter choice(std::string name, std::string label, std::string tip,
                 std::vector<std::string> choices, int usual, std::vector<std::string> shown) {
    Parameter made =
        number(ParameterKind::choice, std::move(name), std::move(label), std::move(tip), 0,
               static_cast<double>(choices.size()) - 1, usual, false);
    made.choices = std::move(choices);
    made.shown = std::move(shown);
    return made;
}

Parameter toggle(std::string name, std::string label, std::string tip, bool usual) {
    return number(ParameterKind::toggle, std::move(name), std::move(label), std::move(tip), 0, 1,
                  usual ? 1 : 0, false);
}

Parameter typed(std::string name, std::string label, std::string tip, std::string usual) {
    Parameter made = number(ParameterKind::text, std::move(name), std::move(label), std::move(tip),
                            0, 0, 0, false);
    made.usual_text = std::move(usual);
    return made;
}

double Settings::number(std::string_view name) const {
    const auto found = numbers.find(name);
    HEED_CHECK(found != numbers.end(), "no parameter is called {}", name);
    return found->second;
}

int Settings::integer(std::string_view name) const {
    return static_cast<int>(std::lround(number(name)));
}

const std::string& Settings::words(std::string_view name) const {
    const auto found = texts.find(name);
    HEED_CHECK(found != texts.end(), "no text is called {}", name);
    return found->second;
}

Settings usual_settings(const std::vector<Parameter>& parameters) {
    Settings settings;
    for (const Parameter& p : parameters) {
        if (p.kind == ParameterKind::text) {
            settings.texts[p.name] = p.usual_text;
        } else {
            settings.numbers[p.name] = p.usual;
        }
    }
    return settings;
}

Result<void> set(const std::vector<Parameter>& parameters, Settings& settings,
                 std::string_view name, std::string_view value) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.name == name; });
    if (found == parameters.end()) {
        std::vector<std::string> names;
        for (const Parameter& p : parameters) names.push_back(p.name);
        return fail(ErrorKind::usage, std::string(name),
                    fmt::format("no parameter has this name; there are {}", joined(names)));
    }
    if (found->kind == ParameterKind::text) {
        if (!base::is_valid_utf8(value)) {
            return fail(ErrorKind::malformed, found->name, "the text is not valid UTF-8");
        }
        settings.texts[found->name] = value;
        return {};
    }
    const auto read = read_value(*found, value);
    if (!read) return tl::make_unexpected(read.error());
    settings.numbers[found->name] = *read;
    return {};
}

const std::string& shown_choice(const Parameter& parameter, std::size_t choice) {
    return parameter.shown.empty() ? parameter.choices.at(choice) : parameter.shown.at(choice);
}

std::string value_text(const Parameter& parameter, const Settings& settings) {
    switch (parameter.kind) {
    case ParameterKind::text: return settings.words(parameter.name);
    case ParameterKind::toggle: return settings.on(parameter.name) ? "on" : "off";
    case ParameterKind::choice:
        return parameter.choices.at(static_cast<std::size_t>(settings.integer(parameter.name)));
    default: return fmt::format("{:g}", settings.number(parameter.name));
    }
}

std::vector<std::string> nearest(std::string_view typed, const std::vector<std::string>& words) {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& word : words) {
        const bool part = !typed.empty() && word.find(typed) != std::string::npos;
        const std::size_t far = part ? 0 : distance(typed, word);
        if (far <= std::max<std::size_t>(2, word.size() / 3)) found.emplace_back(far, word);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) {
        names.push_back(found[i].second);
    }
    return names;
}

std::string plain(std::string_view markup) {
    std::string text;
    for (std::size_t at = 0; at < markup.size();) {
        const std::string_view rest = markup.substr(at);
        if (rest.starts_with("\\frac")) {
            at += 5;
            const std::string above = plain(argument(markup, at));
            const std::string below = plain(argument(markup, at));
            text += bracketed(above) + "/" + bracketed(below);
        } else if (rest.starts_with("\\sqrt")) {
            at += 5;
            text += "√" + bracketed(plain(argument(markup, at)));
        } else if (rest.starts_with("_{") || rest.starts_with("^{")) {
            at += 1;
            const std::string inside = plain(argument(markup, at));
            const auto letters = in_letters(inside, rest[0] == '_' ? lowered() : raised());
            text += letters ? *letters : rest[0] + inside;
        } else {
            text += rest[0];
            at += 1;
        }
    }
    return text;
}

} // namespace heed::lab
