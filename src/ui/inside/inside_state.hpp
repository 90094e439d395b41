// State of the room Inside while the window is open, beyond what is asked of a run.
#pragma once

#include "app/inside/corpus_desk.hpp"
#include "ui/dialogs/file_dialogs.hpp"

#include <optional>

namespace heed::ui {

struct InsideState {
    std::optional<inside::HeadScore> score{}; // that the list of heads is sorted by
    float least = 0;                          // heads below it are left out, 0 to 1
    bool all = false;                         // the list has every head

    app::CorpusDesk corpus;
    bool over_corpus = true;     // scores are shown over the corpus, where one was measured
    std::string path, save_path; // as typed
    std::string replaces;        // the path that is there already and may be replaced
    WriteQuestion write{};
    FileList listed{};
    Scroll scroll; // of the right side
};

/// Made when it is first asked for.
InsideState& inside_state(Panel& panel);
/// The corpus whose scores are shown: measured of this very model, and chosen. Null: none.
std::shared_ptr<const app::CorpusFound> corpus_shown(Panel& panel);
/// The corpus measured of this very model, whether it is chosen or not.
std::shared_ptr<const app::CorpusFound> corpus_of_model(Panel& panel);

/// "5.3", "cross 2.1"; "attention" of a recurrent model.
std::string short_name(const Panel& panel, const trace::HeadId& head);

/// Section on a corpus: how it is read, what is told of it while it is measured, and below it the
/// sentences in which the head that is looked at does most of the chosen score.
void corpus_section(Panel& panel, Form& form);

} // namespace heed::ui
