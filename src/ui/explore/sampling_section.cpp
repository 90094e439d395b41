#include "ui/explore/sampling_section.hpp"

#include "app/engine/speech.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

using app::UndoTag;
using models::Sampling;

constexpr float kMostOfTopK = 1000; // of the slider; a file may say more
constexpr float kSeedRow = 30;      // a stepper's

/// One slider of sampling: its place is what it was, or becomes what was dragged to.
struct SamplingSlider {
    const char* label;
    const char* id;
    std::string value;
    float place;
    float step;
    const char* tip;
    UndoTag::Of of;
    std::function<void(Sampling&, float)> set; // by the place
    std::function<void(Sampling&)> reset;
};

void slider_row(Panel& p, Form& f, SamplingSlider slider) {
    const auto slid = f.slider(slider.label, slider.id, slider.value, slider.place, slider.step);
    f.tip(slider.tip);
    if (slid.reset) {
        set_sampling(p, slider.of, slider.label, true, slider.reset);
    } else if (slid.changed) {
        set_sampling(p, slider.of, slider.label, false,
                     [&](Sampling& sampling) { slider.set(sampling, slider.place); });
    }
    if (slid.released) p.seal();
}

void seed_row(Panel& p, Form& f, const Sampling& now) {
    const int by =
        f.stepper("Seed", "sampling/seed", fmt::format("{}", now.seed), now.seed > 0, true, 60);
    f.tip("The same seed draws the same tokens for the same text");
    if (by == 0) return;
    set_sampling(p, UndoTag::Of::sampling_seed, "sampling seed", false, [&](Sampling& sampling) {
        sampling.seed = by > 0 ? sampling.seed + 1 : sampling.seed - 1;
    });
}

} // namespace

void not_followed_row(Panel& p, Form& f) {
    const auto& run = p.snapshot().run;
    const std::string words = run ? app::not_followed_words(*run->model) : "";
    if (words.empty()) return;
    f.paragraph(words);
    f.space(4);
}

void sampling_rows(Panel& p, Form& f) {
    const Sampling& now = p.document().decoding.sampling;
    f.space(4);
    slider_row(p, f,
               {"Sampling", "sampling/temperature",
                now.temperature <= 0 ? "greedy" : fmt::format("T = {:.2f}", now.temperature),
                now.temperature / models::kMostSamplingTemperature, 0.025f,
                "How Space goes on. Greedy: with the most probable token. Above 0 it draws: below "
                "1 likely tokens come more often than the model says, above 1 less often.",
                UndoTag::Of::sampling_temperature,
                [](Sampling& sampling, float place) {
                    const float t = place * models::kMostSamplingTemperature;
                    sampling.temperature = std::abs(t - 1) < 0.02f ? 1 : std::round(t * 100) / 100;
                },
                [](Sampling& sampling) { sampling.temperature = 0; }});
    const float k = static_cast<float>(now.top_k);
    slider_row(p, f,
               {"Top-k", "sampling/top_k", now.top_k > 0 ? fmt::format("{}", now.top_k) : "all",
                now.top_k > 0 ? std::min(0.98f, std::log(k) / std::log(kMostOfTopK)) : 1, 0.02f,
                "Only the k most probable tokens can be drawn", UndoTag::Of::top_k,
                [](Sampling& sampling, float place) {
                    const int most = static_cast<int>(std::lround(std::pow(kMostOfTopK, place)));
                    sampling.top_k = place >= 0.99f ? 0 : std::max(1, most);
                },
                [](Sampling& sampling) { sampling.top_k = 0; }});
    slider_row(p, f,
               {"Top-p", "sampling/top_p",
                now.top_p < 1 ? fmt::format("{:.2f}", now.top_p) : std::string("all"), now.top_p,
                0.01f,
                "Only the fewest tokens that hold this share of the probability together can be "
                "drawn (Holtzman et al. 2020)",
                UndoTag::Of::top_p,
                [](Sampling& sampling, float place) {
                    sampling.top_p = std::max(0.01f, std::round(place * 100) / 100);
                },
                [](Sampling& sampling) { sampling.top_p = 1; }});
    if (now.temperature > 0) {
        seed_row(p, f, now);
    } else {
        f.space(kSeedRow); // nothing moves under the pointer
    }
    if (!traits_now(p).encodes) not_followed_row(p, f); // else under Decoding
}

void mask_chips(Panel& p, Form& f) {
    constexpr float kHeight = 24, kGap = 4, kPad = 7;
    constexpr std::size_t kMost = 120; // chips; longer texts are masked in their field
    const figure::Theme& t = p.ui.theme();
    Canvas& c = p.ui.canvas;
    const auto& read = p.snapshot().run->trace.source;
    const int chosen = mask_chosen(p);
    f.paragraph(p.snapshot().prediction ? "Click a filling to write it, or another token to mask it"
                                        : "Click a token to mask it, and see what fills it");
    f.space(6);
    float x = f.x;
    Box line = f.row(kHeight, kGap);
    for (std::size_t i = 0; i < std::min(read.size(), kMost); ++i) {
        const int token = static_cast<int>(i);
        if (!can_mask(p, token)) continue;
        const float w =
            std::min(f.w, std::ceil(c.width_of(Face::control, read[i].text)) + 2 * kPad);
        if (x > f.x && x + w > f.x + f.w) {
            line = f.row(kHeight, kGap);
            x = f.x;
        }
        const Box chip{x, line.y, w, kHeight};
        const bool masked = is_masked(p, token);
        const Press press = p.ui.area(chip, fmt::format("masking/{}", token), read[i].text,
                                      Widget::Kind::button, masked, true);
        p.ui.tip(masked ? "Masked: what fills it stands above"
                        : "Masks this token, and with it all pieces of its word");
        c.fill(chip, press.hovered ? t.raised : faded(t.muted, 0.1f), 5);
        if (token == chosen) c.outline(chip, t.accent, 5);
        c.text({x + kPad, line.y, w - 2 * kPad + 1, kHeight}, Face::control,
               masked ? t.accent : t.text, read[i].text);
        if (press.clicked) mask_token(p, token);
        x += w + kGap;
    }
    f.space(4);
}

} // namespace heed::ui
