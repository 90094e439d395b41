// The user's files in the list of tasks, and what they are called.
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"

namespace heed::ui {

std::set<std::string> own_files(const Panel& p) {
    std::set<std::string> files = p.experiment.runs().own_files();
    files.insert(p.state.train->loaded.begin(), p.state.train->loaded.end());
    const app::ExperimentForm& form = p.state.train->form;
    if (!form.file.empty()) files.insert(app::task_word(form));
    return files;
}

void remember_own_file(Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (!now.dataset || now.trainees.empty()) return; // none, or one that cannot be read
    const std::string& file = now.trainees[0].plan.sentences.own.file;
    if (!file.empty()) p.state.train->loaded.insert(file);
}

std::string sentences_title(const Panel& p, const std::string& word) {
    std::set<std::string> files = own_files(p);
    if (const auto& asked = p.state.train->asked) files.insert(app::task_word(*asked));
    return app::title_among(word, files);
}

} // namespace heed::ui
