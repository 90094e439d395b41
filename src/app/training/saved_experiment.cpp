#include "app/training/saved_experiment.hpp"

#include "app/document/json_reader.hpp"
#include "app/files/settings.hpp"
#include "app/training/experiment_form.hpp"
#include "base/file.hpp"
#include "models/model/titles.hpp"
#include "models/open.hpp"
#include "tensors/json.hpp"
#include "train/loop/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::app {

namespace {

namespace fs = std::filesystem;
constexpr const char* kList = "experiment.json";
constexpr const char* kFilm = ".film-";
constexpr const char* kFileSuffix = ".safetensors";

/// No path: nothing outside of the folder is ever read or removed.
bool is_plain_name(const std::string& name) {
    return !name.empty() && fs::path(name).filename() == name && name != ".." && name != ".";
}

base::Result<bool> read_finished(const tensors::Json& value, const std::string& path) {
    if (!value.is_boolean())
        return base::fail(base::ErrorKind::malformed, path, "expected true or false");
    return value.get<bool>();
}

base::Result<std::vector<std::string>> read_strings(const tensors::Json& value,
                                                    const std::string& path) {
    std::vector<std::string> strings;
    for (const tensors::Json& item : value) {
        auto text = tensors::string(item, path);
        if (!text) return tl::make_unexpected(text.error());
        strings.push_back(*std::move(text));
    }
    return strings;
}

std::string prefix_of(const std::string& checkpoint) {
    return checkpoint.substr(0, checkpoint.find('.'));
}

/// Removes what no experiment of this list needs; a frame goes with its checkpoint.
void remove_others(const std::string& folder, const std::vector<std::string>& files) {
    base::remove_left_over(folder);
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename().string();
        const bool needed = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
            return prefix_of(file) == prefix_of(name);
        });
        if (!needed && name != kList && name.ends_with(kFileSuffix))
            fs::remove(entry.path(), failed);
    }
}

/// The step of "1f3-0.film-200.safetensors" among frames of "1f3-0".
std::optional<std::uint64_t> film_step(const std::string& name, const std::string& prefix) {
    const std::string begin = prefix + kFilm;
    if (!name.starts_with(begin) || !name.ends_with(kFileSuffix)) return std::nullopt;
    std::uint64_t step = 0;
    const char *from = name.data() + begin.size(), *to = name.data() + name.find('.', begin.size());
    const auto [stop, error] = std::from_chars(from, to, step);
    return error == std::errc() && stop == to ? std::optional(step) : std::nullopt;
}

std::string frame_file(const std::string& name, std::uint64_t step) {
    return fmt::format("{}{}{}{}", name, kFilm, step, kFileSuffix);
}

/// A frame that cannot be read is one frame less.
void read_film(const std::string& folder, const std::string& prefix, std::uint64_t up_to,
               train::History& history, num::ThreadPool& pool) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const auto step = film_step(entry.path().filename().string(), prefix);
        if (!step || *step > up_to) continue;
        auto model = models::load_model(entry.path().string(), pool);
        if (model) history.film.push_back({*step, *std::move(model), 0, std::nullopt, nullptr});
    }
    std::sort(history.film.begin(), history.film.end(),
              [](const auto& a, const auto& b) { return a.step < b.step; });
}

} // namespace

std::string experiment_folder() {
    return (fs::path(models_folder()).parent_path() / "experiment").string();
}

std::optional<SavedExperiment> read_saved_experiment(const std::string& folder) {
    const fs::path list = fs::path(folder) / kList;
    const auto bytes = base::read_file(list.string(), 1 << 20);
    if (folder.empty() || !bytes) return std::nullopt;
    const auto json = tensors::parse_json(*bytes, kList);
    if (!json) return std::nullopt;
    SavedExperiment saved;
    std::error_code failed;
    saved.when = fs::last_write_time(list, failed);
    JsonReader reader(*json, "");
    reader.take("task", saved.task, tensors::string);
    reader.take("step", saved.step, tensors::count);
    reader.take("steps", saved.steps, tensors::count);
    reader.take("learners", saved.learners, read_strings);
    reader.take("files", saved.files, read_strings);
    saved.finished = saved.step >= saved.steps;
    reader.take("finished", saved.finished, read_finished);
    const bool whole = reader.done() && !saved.files.empty() &&
                       std::all_of(saved.files.begin(), saved.files.end(), is_plain_name);
    return whole ? std::optional(saved) : std::nullopt;
}

bool holds_experiment(const std::string& folder) {
    std::error_code failed; // what cannot be looked at may hold one
    return fs::status(fs::path(folder) / kList, failed).type() != fs::file_type::not_found;
}

void forget_saved_experiment(const std::string& folder) {
    if (folder.empty()) return;
    std::error_code ignored;
    fs::remove(fs::path(folder) / kList, ignored);
    remove_others(folder, {});
}

void ExperimentSaver::begin() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    id_ = fmt::format("{:x}", std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    filmed_.clear();
}

void ExperimentSaver::move_to(std::string folder) {
    folder_ = std::move(folder);
    filmed_.clear();
}

base::Result<void> ExperimentSaver::save_film(const std::string& name,
                                              const train::History& history) {
    for (const train::FilmFrame& frame : history.film) {
        const std::string file = frame_file(name, frame.step);
        if (std::find(filmed_.begin(), filmed_.end(), file) != filmed_.end()) continue;
        if (auto ok = frame.model->save((fs::path(folder_) / file).string()); !ok) return ok;
        filmed_.push_back(file);
    }
    return {};
}

/// Removes frames of the folder's film that gave way to others.
void ExperimentSaver::remove_dropped_frames(const std::vector<SavedTrainee>& trainees) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < trainees.size(); ++i) {
        for (const train::FilmFrame& frame : trainees[i].history->film) {
            shown.push_back(frame_file(fmt::format("{}-{}", id_, i), frame.step));
        }
    }
    std::erase_if(filmed_, [&](const std::string& file) {
        const bool dropped = std::find(shown.begin(), shown.end(), file) == shown.end();
        std::error_code ignored;
        if (dropped) fs::remove(fs::path(folder_) / file, ignored);
        return dropped;
    });
}

base::Result<void> ExperimentSaver::save(const std::vector<SavedTrainee>& trainees,
                                         num::ThreadPool& pool) {
    if (folder_.empty() || trainees.empty()) return {};
    std::error_code ignored; // what matters is whether files can be written
    fs::create_directories(folder_, ignored);
    SavedExperiment saved;
    saved.finished = true;
    for (std::size_t i = 0; i < trainees.size(); ++i) {
        const train::Training& training = *trainees[i].training;
        saved.finished = saved.finished && training.finished();
        const std::string name = fmt::format("{}-{}", id_, i);
        const std::string file = name + ".checkpoint" + kFileSuffix;
        auto ok = save_film(name, *trainees[i].history);
        if (ok) {
            ok = training.save((fs::path(folder_) / file).string(), pool,
                               train::write_history(*trainees[i].history));
        }
        if (!ok) return ok;
        const std::string& own = training.plan().sentences.own.file;
        saved.task = own.empty() ? std::string(train::name(training.plan().task)) : own;
        saved.step = std::max(saved.step, training.steps_done());
        saved.steps = std::max(saved.steps, training.plan().steps);
        saved.learners.push_back(models::short_title(training.plan().model));
        saved.files.push_back(file);
    }
    const tensors::Json json = {{"task", saved.task},   {"step", saved.step},
                                {"steps", saved.steps}, {"learners", saved.learners},
                                {"files", saved.files}, {"finished", saved.finished}};
    auto ok = base::write_file_atomic((fs::path(folder_) / kList).string(),
                                      tensors::dump_json(json, 2) + "\n");
    if (!ok) return ok;
    remove_others(folder_, saved.files);
    remove_dropped_frames(trainees);
    return ok;
}

base::Result<std::vector<ResumedTrainee>> resume_experiment(const std::string& folder,
                                                            num::ThreadPool& pool) {
    const auto saved = read_saved_experiment(folder);
    if (!saved) return base::fail(base::ErrorKind::not_found, folder, "holds no experiment");
    std::vector<ResumedTrainee> trainees;
    for (const std::string& file : saved->files) {
        auto training =
            train::Training::resume((fs::path(folder) / file).string(), pool,
                                    trainees.empty() ? nullptr : trainees[0].training->dataset());
        if (!training) return tl::make_unexpected(training.error());
        ResumedTrainee trainee{*std::move(training), {}};
        // Curves are worth less than weights: without them it goes on, too.
        if (auto history = train::read_history(trainee.training->notes())) {
            trainee.history = *std::move(history);
        }
        read_film(folder, prefix_of(file), trainee.training->steps_done(), trainee.history, pool);
        trainees.push_back(std::move(trainee));
    }
    return trainees;
}

} // namespace heed::app
