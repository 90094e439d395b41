// The text that follows, as the model says it now and without the head that is looked at.
#include "app/engine/continuation.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/engine/speech.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/titles.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <string>

namespace heed::ui {

void following_rows(Panel& p, Form& f, const app::Following& following) {
    const std::string head = short_name(p, following.head);
    const bool recurrent = p.snapshot().inside->readout.recurrent;
    if (recurrent) {
        f.label("On the text that follows", "",
                "What the model says freely: with attention, and with its context set to zero.");
    } else {
        f.section("The text with " + head + " at zero", 12,
                  "What the model says freely, or goes on with by its likeliest token: as it is "
                  "now, and with the head that is looked at set to zero, whatever is chosen under "
                  "Without a part.");
    }
    const auto shown = [](std::string text) { // a text that goes on begins with a space
        text.erase(0, text.find_first_not_of(' '));
        return text.empty() ? "nothing" : text;
    };
    const bool changed = !app::changes_of_model(*p.snapshot().run).empty();
    const std::string of_beam = app::hypothesis_words(*p.snapshot().run);
    f.paragraph((changed     ? "with your changes"
                 : recurrent ? "as it is"
                             : "with all heads") +
                of_beam + ": " + shown(following.whole));
    if (app::is_off(*p.snapshot().run, following.head)) {
        return f.note(fmt::format("{} {}", head, app::kOffAlready));
    }
    const bool same = following.whole == following.without;
    f.paragraph((recurrent ? "without attention" : "with " + head + " set to zero") + of_beam +
                    ": " + (same ? "the same" : shown(following.without)),
                same ? p.ui.theme().muted : p.ui.theme().text);
    const auto instead = p.snapshot().inside->instead();
    if (recurrent || instead == inside::Instead::zero) return;
    f.note(fmt::format("Always zero here; {} in the card", app::instead_words(instead)));
}

} // namespace heed::ui
