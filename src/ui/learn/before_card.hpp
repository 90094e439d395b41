// The state from before the card of a lesson, and how it comes back when the card is left.
#pragma once

#include "ui/frame/panel.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace heed::ui {

struct BeforeCard {
    std::size_t card = 0;      // of LearnState::lessons
    app::Document document;    // of which the controls come back; a text stays as it was typed
    ApplyTo apply_to{};        // where controls applied
    std::size_t session = 0;   // WindowState::session that was open
    std::size_t n_entries = 0; // of the history that had been made
    std::size_t entry = 0;     // of the history, that `document` is
    app::Focus focus{};        // what was looked at, and how
    app::View view{};
    app::Compare compare{};
    std::optional<std::pair<int, int>> selected{};
    bool opened = false; // the model: until then the chosen cell is one of the model before it
    FilteredHeads filtered{};
};

/// Once a frame, while a card is followed and none that was left waits to be put back. What is
/// undone to before the card comes back, too. Another model or session that is opened has a state
/// of its own to come back; that of the one before holds again when the opening fails or is undone.
void keep_before_card(Panel& panel);
/// The card is left: what it changed is put back in the next frame.
void leave_card(WindowState& window);
/// Asks for the controls from before the card that was left, and for the text without what the
/// model wrote meanwhile, as one act: Undo brings back what was changed. The head and the view are
/// those from before it again. False where nothing is another, or no card was left.
bool put_back(Panel& panel);

} // namespace heed::ui
