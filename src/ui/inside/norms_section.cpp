// How long the residual stream is behind each layer, and how long what that wrote into it.
#include "figure/base/number_text.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

void norms_section(Panel& p, Form& f, const app::InsidePicture& now) {
    const auto& norms = now.norms;
    if (norms.empty()) return;
    constexpr float kNormRow = 15;
    f.section("Norms by layer", 12,
              field_word_tip(FieldWord::residual_stream) +
                  "\nHow long it is after each layer, and how long what that wrote, on average.");
    const figure::Theme& t = p.ui.theme();
    double most = 1e-9;
    for (const auto& layer : norms) most = std::max({most, layer.stream, layer.update});
    const int decimals = figure::decimals_for(static_cast<float>(most));
    for (std::size_t i = norms.size(); i-- > 0;) { // the last layer on top, as in the pictures
        const inside::LayerNorms& layer = norms[i];
        const Box row = f.row(kNormRow);
        const bool encoder = layer.stack == trace::AttentionKind::encoder_self;
        const std::string name =
            fmt::format("{} {}", encoder ? "encoder" : "decoder", layer.layer + 1);
        p.ui.area(row, "inside/norm/" + layer.name, name);
        f.tip(fmt::format("Layer {}: ‖x‖ = {} after it, of which it wrote ‖Δx‖ = {}.\n"
                          "Kobayashi et al. 2020 on values; here the whole stream",
                          name, figure::significant_text(layer.stream, 4),
                          figure::significant_text(layer.update, 4)));
        const float names = 76, numbers = 110, room = row.w - names - numbers;
        p.ui.canvas.text({row.x, row.y, names, row.h}, Face::small, t.muted, name);
        const auto bar = [&](double value, float y, float high, Color ink) {
            const float wide = room * static_cast<float>(value / most);
            p.ui.canvas.fill({row.x + names, row.y + y, std::max(wide, 1.0f), high}, ink, 1.5f);
        };
        bar(layer.stream, 3, 5, t.faint);
        bar(layer.update, 8, 4, t.accent);
        p.ui.canvas.text(row, Face::mono, t.muted,
                         figure::number_text(static_cast<float>(layer.stream), decimals) + " / " +
                             figure::number_text(static_cast<float>(layer.update), decimals),
                         AlignX::right);
    }
    f.note("grey: ‖x‖ · coloured: ‖Δx‖, what the layer wrote");
}

} // namespace heed::ui
