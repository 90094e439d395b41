// The user's files in the list of tasks, and what they are called.
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"

#include <filesystem>

namespace heed::ui {

std::set<std::string> own_files(const Panel& p) {
    std::set<std::string> files = p.experiment.runs().own_files();
    for (const auto& [file, task] : p.state.train->loaded) files.insert(file);
    const app::ExperimentForm& form = p.state.train->form;
    if (!form.file.empty()) files.insert(app::task_word(form));
    return files;
}

void remember_own_file(Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (!now.dataset || now.trainees.empty()) return; // none, or one that cannot be read
    const train::Plan& plan = now.trainees[0].plan;
    if (!plan.sentences.own.file.empty())
        p.state.train->loaded[plan.sentences.own.file] = plan.task;
}

std::set<std::string> titled_files(const Panel& p) {
    std::set<std::string> files = own_files(p);
    if (const auto& asked = p.state.train->asked) files.insert(app::task_word(*asked));
    return files;
}

std::string sentences_title(const Panel& p, const std::string& word) {
    return app::title_among(word, titled_files(p));
}

bool tells_of_sentences(const Panel& p) {
    const auto& opened = p.experiment.opened();
    const auto tells_of = [&](const std::string& file) {
        const std::string name = std::filesystem::path(file).filename().string();
        return !name.empty() && p.work.notice.text.find(name) != std::string::npos;
    };
    return p.work.notice.bad &&
           ((opened && tells_of(opened->file)) || tells_of(p.state.train->form.file));
}

} // namespace heed::ui
