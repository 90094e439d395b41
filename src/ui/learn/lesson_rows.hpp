// Rows of a lesson's card: its words, and the step that is taken now.
#pragma once

#include "ui/learn/learn_state.hpp"
#include "ui/widgets/form.hpp"

namespace heed::ui {

/// States of the card: each has room in it, so that nothing moves when one follows the other.
enum class CardState { asks, asked, seen };
CardState state_of(const app::LessonRun& run);

/// All of the card below its first row.
void card_rows(Panel& panel, Form& form, LearnState& state, CardState as);
/// The lesson's paragraphs and its task, which are scrolled in a card that has no room for all.
void low_words(Panel& panel, Form& form, const app::LessonRun& run);
/// The step: what is asked for now, the guess with its buttons, and what came of it, in as few rows
/// as that takes. In such a card they stay in sight.
void low_step(Panel& panel, Form& form, LearnState& state, CardState as);

} // namespace heed::ui
