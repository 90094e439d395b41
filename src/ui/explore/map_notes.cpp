// What lies upon a picture that is not what was asked for: which one it is, and the way to another.
#include "models/model/titles.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/player.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

/// A button below the words of an empty picture.
bool way_out(Panel& p, const Box& main, const std::string& id, const std::string& label,
             const std::string& tip) {
    const float w = p.ui.canvas.width_of(Face::strong, label) + 32;
    const Box box{main.x + 24, main.y + 108, w, 32};
    const bool pressed = p.ui.button(box, id, label, Ui::ButtonLook::accent);
    p.ui.tip(tip);
    return pressed;
}

} // namespace

void offer_another(Panel& p, const Box& main) {
    const app::Snapshot& s = p.snapshot();
    const app::View view = p.state.view.view;
    const bool cross = s.focus.head.kind == trace::AttentionKind::cross;
    if (view == app::View::flow && cross && traits_now(p).encodes) {
        if (way_out(p, main, "flow/encoder", "Show the encoder",
                    "Switches to the encoder's self-attention, whose layers attention flows "
                    "through.")) {
            choose_kind(p, trace::AttentionKind::encoder_self);
        }
    } else if (view == app::View::beam && !s.run->trace.beam) {
        const int width = p.document().decoding.beam_width;
        if (way_out(p, main, "beam/search", fmt::format("Search with a beam of {}", width),
                    "Keeps the most probable hypotheses at each step, instead of one (Sutskever et "
                    "al. 2014, 3.2).")) {
            choose_decoding(p, models::Decoding::Rule::beam);
        }
    }
}

void dim_former(Panel& p, const Box& box) {
    const app::Snapshot& s = p.snapshot();
    if (!s.error || !s.run) return;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    constexpr std::size_t kMostWords = 12;
    const auto& tokens = s.run->input.source;
    std::string source;
    for (std::size_t i = 0; i < std::min(tokens.size(), kMostWords); ++i) {
        source += (i == 0 ? "" : " ") + tokens[i].text;
    }
    if (tokens.size() > kMostWords) source += " \u2026";
    const std::string words =
        "All pictures are of the last state that ran: " + models::title(s.run->model->config()) +
        (source.empty() ? "" : " \u00b7 \u201c" + source + "\u201d");
    c.fill(box, faded(t.ground, 0.62f));
    const float w = std::min(c.width_of(Face::control, words) + 24, box.w - 48);
    const Box chip{box.x + (box.w - w) / 2, box.y + box.h - 44, w, 28};
    c.fill(chip, t.raised, 6);
    c.outline(chip, t.border, 6);
    c.text(inset(chip, 12, 0), Face::control, t.text, words);
}

} // namespace heed::ui
