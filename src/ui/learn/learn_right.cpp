// The Learn room's right: what is turned, what was measured, and what it comes to.
#include "figure/base/number_text.hpp"
#include "figure/lab_picture.hpp"
#include "lab/number_words.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/learn/start_page.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

using lab::Parameter;
using lab::ParameterKind;

constexpr float kMeasuredPad = 18;
constexpr std::size_t kSegmentsInRow = 3;

/// Place of a number between the least and the most, 0 to 1.
float place_of(const Parameter& parameter, double value) {
    if (parameter.logarithmic) {
        return static_cast<float>(std::log(value / parameter.least) /
                                  std::log(parameter.most / parameter.least));
    }
    return static_cast<float>((value - parameter.least) / (parameter.most - parameter.least));
}

double number_at(const Parameter& parameter, float place) {
    const auto share = static_cast<double>(std::clamp(place, 0.0f, 1.0f));
    const double value = parameter.logarithmic
                             ? parameter.least * std::pow(parameter.most / parameter.least, share)
                             : parameter.least + share * (parameter.most - parameter.least);
    return parameter.kind == ParameterKind::whole ? std::round(value) : value;
}

/// Step of an arrow key on the slider: of whole numbers by one at the least.
float key_step(const Parameter& parameter, double value) {
    constexpr float kUsual = 0.02f;
    if (parameter.kind != ParameterKind::whole) return kUsual;
    const double from = std::max(value - 1, parameter.least);
    const float one = place_of(parameter, from + 1) - place_of(parameter, from);
    return parameter.logarithmic ? std::max(one, kUsual) : one;
}

void slider_row(Form& f, const Parameter& parameter, lab::Settings& settings) {
    double& value = settings.numbers[parameter.name];
    float place = place_of(parameter, value);
    const auto slid = f.slider(lab::plain(parameter.label), parameter.name,
                               lab::grouped(lab::value_text(parameter, settings)), place,
                               key_step(parameter, value));
    f.tip(parameter.tip);
    if (slid.reset) {
        value = parameter.usual;
    } else if (slid.changed) {
        value = number_at(parameter, place);
    }
}

/// A few side by side; of many, a row for every three.
void choice_rows(Form& f, const Parameter& parameter, lab::Settings& settings) {
    double& value = settings.numbers[parameter.name];
    const auto now = static_cast<std::size_t>(value);
    f.label(lab::plain(parameter.label), {}, parameter.tip);
    const std::size_t in_row =
        parameter.choices.size() <= 4 ? parameter.choices.size() : kSegmentsInRow;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
        if (i % in_row == 0) rows.emplace_back();
        rows.back().push_back(lab::shown_choice(parameter, i));
    }
    const Box box = f.row(28 * static_cast<float>(rows.size()), 6);
    const auto chosen = f.draws() ? f.ui.segment_rows(box, f.ids() + parameter.name, rows, 1u << now)
                                  : std::nullopt;
    f.tip(parameter.tip);
    if (chosen) value = *chosen;
}

/// The beginning of a text in whole words, as far as it fits.
std::string in_whole_words(Canvas& c, const std::string& text, float width) {
    if (c.width_of(Face::control, text) <= width) return text;
    std::string shown = text.substr(0, 400); // more fits no field
    while (shown.find(' ') != std::string::npos) {
        shown.resize(shown.rfind(' '));
        if (c.width_of(Face::control, shown + " …") <= width) break;
    }
    return shown + " …";
}

void text_row(Form& f, const Parameter& parameter, lab::Settings& settings) {
    std::string& text = settings.texts[parameter.name];
    Ui::FieldOptions options;
    options.resting = [&](const Box& inside) {
        f.ui.canvas.text(inside, Face::control, f.ui.theme().text,
                         in_whole_words(f.ui.canvas, text, inside.w));
    };
    f.label(lab::plain(parameter.label), {}, parameter.tip);
    f.field(parameter.name, lab::plain(parameter.label), text, options);
    f.tip(parameter.tip + ("\n" + text));
    f.space(6);
}

void parameter_row(Form& f, const Parameter& parameter, lab::Settings& settings) {
    switch (parameter.kind) {
    case ParameterKind::whole:
    case ParameterKind::real: return slider_row(f, parameter, settings);
    case ParameterKind::choice: return choice_rows(f, parameter, settings);
    case ParameterKind::toggle: {
        double& value = settings.numbers[parameter.name];
        const std::string label = lab::plain(parameter.label);
        const std::string idle = parameter.idle ? parameter.idle(settings) : std::string();
        if (f.toggle(label, parameter.name, label, value != 0, idle.empty()))
            value = value != 0 ? 0 : 1;
        f.tip(parameter.tip);
        if (!idle.empty()) f.note(idle);
        return;
    }
    case ParameterKind::text: return text_row(f, parameter, settings);
    }
}

void experiment(Form& f, LearnState& state) {
    const lab::Page& page = state.now();
    lab::Settings& settings = state.settings_now();
    const lab::Settings usual = lab::usual_settings(page.parameters);
    const Box top = f.heading("Experiment", "Everything that matters to the answer; pictures "
                                            "follow while a slider is dragged.");
    if (!(settings == usual)) {
        if (f.aside(top, "reset", "Reset")) settings = usual;
        f.tip("Sets every parameter of this page back to what it usually is");
    }
    for (const Parameter& parameter : page.parameters) parameter_row(f, parameter, settings);
    if (page.n_seeds == 1) return; // nothing is drawn
    const int way = f.stepper("Random seed", "seed", fmt::format("{}", settings.seed),
                              settings.seed > 0, settings.seed < 999);
    f.tip("Whatever is drawn at random is drawn from this number on: another one, another draw.");
    settings.seed = static_cast<std::uint64_t>(static_cast<std::int64_t>(settings.seed) + way);
}

std::string measure_label(const lab::Page& page, const lab::Settings& settings, bool again) {
    const char* word = again ? "Measure again" : "Measure";
    const double seconds = lab::seconds_of(page, settings);
    return seconds < 1 ? word : fmt::format("{} · about {:.0f} s", word, seconds);
}

/// The button that measures or stops, and how far it is.
void measure_rows(Panel& p, Form& f, LearnState& state) {
    const lab::Page& page = state.now();
    const app::PageSnapshot& seen = *state.seen;
    const bool measuring = seen.measuring == &page;
    f.space(4);
    const Box row = f.row(30, 8);
    if (measuring) {
        if (f.button(row, "stop", "Stop")) state.desk.stop_measuring();
        f.tip("Stops the measurement; what was found so far stays");
        const Box bar = f.row(6, 4);
        p.ui.canvas.fill(bar, p.ui.theme().raised, 3);
        p.ui.canvas.fill({bar.x, bar.y, bar.w * static_cast<float>(seen.done), bar.h},
                         p.ui.theme().accent, 3);
        f.note(seen.doing.empty() ? "Measuring …" : lab::plain(seen.doing));
        return;
    }
    const bool fresh =
        seen.measured && seen.measured->whole && seen.measured->settings == state.settings_now();
    if (f.button(row, "measure", measure_label(page, state.settings_now(), fresh),
                 fresh ? Ui::ButtonLook::plain : Ui::ButtonLook::accent)) {
        state.desk.measure(page, state.settings_now());
    }
    f.tip(fmt::format("Measures with {} seeds, from the seed above on", page.n_seeds));
}

/// A label and its value, which has a line of its own where one is too narrow for both; the label
/// is never cut: two may differ in their last words alone.
void number_row(Form& f, const lab::Number& number) {
    const figure::Theme& t = f.ui.theme();
    const std::string label = lab::plain(number.label), value = figure::measured_text(number);
    const Face digits = figure::has_raised_digits(value) ? Face::control : Face::mono;
    const float wide =
        f.ui.canvas.width_of(Face::control, label) + 14 + f.ui.canvas.width_of(digits, value);
    const bool two = wide > f.w;
    constexpr float kAbove = 2;
    const float high =
        two ? f.ui.canvas.paragraph({}, f.w, Face::control, t.muted, label, false) + kAbove : 0;
    const Box box = f.row(two ? high + 23 : 23);
    f.ui.area(box, f.ids() + "number/" + number.name, label);
    f.tip(label + (number.spread > 0 ? "\nThe mean over the seeds ± its standard deviation"
                                     : "\nAs it was measured"));
    if (two && f.draws()) {
        f.ui.canvas.paragraph({box.x, box.y + kAbove}, f.w, Face::control, t.muted, label);
    } else if (!two) {
        f.text({box.x, box.y, box.w, 22}, Face::control, t.muted, label);
    }
    f.text({box.x, box.y + high, box.w, 22}, digits, t.text, value, AlignX::right);
}

void verdict_box(Panel& p, Form& f, const app::Measured& measured) {
    const lab::Judgement& judgement = measured.finding.judgement;
    const Color ink = ink_of(p.ui.theme(), judgement.verdict);
    std::string words(lab::name(judgement.verdict));
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
    const std::string because = lab::plain(judgement.because);
    const float width = f.w - 24;
    const float high = p.ui.canvas.paragraph({}, width, Face::control, ink, because, false);
    f.space(6);
    const Box box = f.row(high + 46, 8);
    p.ui.canvas.fill(box, faded(ink, 0.12f), 6);
    p.ui.canvas.outline(box, faded(ink, 0.6f), 6);
    p.ui.canvas.text({box.x + 12, box.y + 10, width, 18}, Face::strong, ink, words);
    p.ui.canvas.paragraph({box.x + 12, box.y + 32}, width, Face::control, ink, because);
    p.ui.area(box, "learn/verdict", words);
    p.ui.tip("What the numbers above make of the claim");
}

void measured_section(Panel& p, Form& f, LearnState& state) {
    const app::PageSnapshot& seen = *state.seen;
    f.section("Measured, not asserted", 12, "Numbers of this measurement, and what they say");
    f.paragraph("Claim: " + lab::plain(state.now().claim));
    f.space(6);
    if (seen.page == &state.now() && seen.error)
        f.paragraph(base::describe(*seen.error), p.ui.theme().bad);
    const auto& measured = seen.page == &state.now() ? seen.measured : nullptr;
    if (measured) {
        const auto& seeds = measured->finding.seeds;
        if (seeds.size() > 1) {
            f.paragraph(fmt::format("Means ± standard deviations over "
                                    "seeds\u00a0{}\u00a0to\u00a0{}:",
                                    seeds.front(), seeds.back()));
            f.space(4);
        }
        for (const lab::Number& number : measured->finding.measured) number_row(f, number);
        if (!(measured->settings == state.settings_now())) {
            f.note("of other settings than those above");
        } else if (!measured->whole) {
            f.note("of the seeds so far");
        }
        verdict_box(p, f, *measured);
    }
    measure_rows(p, f, state);
}

} // namespace

void learn_right(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    LearnState& state = learn_state(p);
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x, box.y, box.h);
    if (state.starts) return start_signs(p, box);
    if (!state.seen) return;
    ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "learn/right", state.right);
    Form f(ui, box.x + kMeasuredPad, box.y + kMeasuredPad - state.right.offset,
           box.w - 2 * kMeasuredPad - 1, "learn/set/");
    const lab::Settings before = state.settings_now();
    experiment(f, state);
    state.note_turn(before, ImGui::IsMouseDown(ImGuiMouseButton_Left) || ui.typing());
    measured_section(p, f, state);
    f.section("Source");
    f.paragraph(state.now().source);
    ui.end_scroll(f.y + kMeasuredPad + state.right.offset);
}

} // namespace heed::ui
