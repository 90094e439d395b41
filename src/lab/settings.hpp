// Parameters of a page, and their values.
//
// Words and labels have a small markup, which drawing sets and plain() writes in one line:
// _{…} and ^{…} lower and raise; formulas have \frac{above}{below} and \sqrt{…} besides. Greek
// letters and signs are themselves: √, Σ, ∂, ‖.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::lab {

enum class ParameterKind { whole, real, choice, toggle, text };

struct Settings;

/// Something that a person turns.
struct Parameter {
    std::string name;  // of --set: "d_k"
    std::string label; // markup: "d_{k}"
    std::string tip;   // one sentence
    ParameterKind kind = ParameterKind::real;
    double least = 0, most = 1;         // of numbers
    double usual = 0;                   // a choice's place, 0 or 1 of a toggle
    bool logarithmic = false;           // a slider's steps are factors
    std::vector<std::string> choices{}; // of a choice, by their names in --set
    std::vector<std::string> shown{};   // and as the screen has them, where that is otherwise
    std::string usual_text{};
    /// The reason why it does nothing with other settings; null, or empty words, where it does.
    std::function<std::string(const Settings&)> idle{};
};

/// One of each kind; what `Parameter` says of the arguments.
Parameter whole(std::string name, std::string label, std::string tip, double least, double most,
                double usual, bool logarithmic = false);
Parameter real(std::string name, std::string label, std::string tip, double least, double most,
               double usual, bool logarithmic = false);
Parameter choice(std::string name, std::string label, std::string tip,
                 std::vector<std::string> choices, int usual = 0,
                 std::vector<std::string> shown = {});
Parameter toggle(std::string name, std::string label, std::string tip, bool usual);
Parameter typed(std::string name, std::string label, std::string tip, std::string usual);

/// Values of the parameters of a page, by name, and the seed of what is drawn.
struct Settings {
    std::map<std::string, double, std::less<>> numbers{};
    std::map<std::string, std::string, std::less<>> texts{};
    std::uint64_t seed = 1;
    bool operator==(const Settings&) const = default;

    /// The parameter has to be the page's. A choice's place, 0 or 1 of a toggle.
    double number(std::string_view name) const;
    int integer(std::string_view name) const;
    bool on(std::string_view name) const { return number(name) != 0; }
    const std::string& words(std::string_view name) const;
};

/// Every parameter as it usually is.
Settings usual_settings(const std::vector<Parameter>& parameters);
/// Sets a parameter from its text, "64", "on", "normal". Errors: usage where there is no such
/// parameter, or no such choice, naming those that there are; out_of_range.
base::Result<void> set(const std::vector<Parameter>& parameters, Settings& settings,
                       std::string_view name, std::string_view value);
/// A choice as the screen has it.
const std::string& shown_choice(const Parameter& parameter, std::size_t choice);
/// The value of a parameter, as set() reads it.
std::string value_text(const Parameter& parameter, const Settings& settings);

/// The words, of a few, that look most like what was typed, the nearest first; none where all are
/// too far from it.
std::vector<std::string> nearest(std::string_view typed, const std::vector<std::string>& words);

/// Markup as plain text: "d_{k}" becomes "dₖ", "d_{model}", which Unicode has no letters for,
/// "d_model", \frac{a}{b} "a/b" and \sqrt{a} "√a", with brackets about what has parts.
std::string plain(std::string_view markup);

} // namespace heed::lab
