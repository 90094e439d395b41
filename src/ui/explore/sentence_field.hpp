// The two sentences of the top bar: what is typed, and what the model says by itself.
#pragma once

#include "ui/frame/panel.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::ui {

/// A word that the model says, and the row of the picture where it does.
struct AnswerWord {
    std::string text;
    std::optional<int> row;
    Box chip{}; // of no width: there is no room for it
    bool lit = false, chosen = false;
};
struct Answer : std::vector<AnswerWord> {
    int hypothesis = 0; // of a beam, from the best
};

/// The model's own words, behind the target that is typed; nothing where it says none. Until the
/// model has read what is typed: those that still follow that, of no row.
Answer answer_of(const Panel& panel);

/// The field of the source or of the target. Behind a target the words stand that the model adds,
/// in grey; where none is typed, the model's answer.
void sentence_field(Panel& panel, const Box& box, bool is_source, Answer answer = {});

/// The source's share of the two fields' width. An answer that is longer cannot be scrolled: it
/// gets more, by steps, so that the fields do not move with every word.
float source_share(Panel& panel, float width, const Answer& answer);
/// True where what the model says is read whole, with the sentences this wide.
bool answer_fits(Panel& panel, float width, const Answer& answer);

} // namespace heed::ui
