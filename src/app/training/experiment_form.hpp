// Settings of an experiment before it begins: a task, who learns it, and how.
#pragma once

#include "models/model/titles.hpp"
#include "train/loop/plan.hpp"
#include "train/tasks/task_info.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// Models that the Train room puts side by side.
enum class TraineeKind {
    last,
    mean,
    attention,
    transformer,
    decoder,   // a transformer's decoder, which goes on where the source ends
    from_word, // a recurrent model that says a sentence of the source's first word alone
    each_word, // a recurrent model that says a word at each of the source's
    encoder,   // a transformer's encoder that does
    classifier,
    classifier_of_heads,
    one_word, // a recurrent model that says one word of the whole
};
inline constexpr std::array kTraineeKinds = {
    TraineeKind::last,       TraineeKind::mean,
    TraineeKind::attention,  TraineeKind::transformer,
    TraineeKind::decoder,    TraineeKind::from_word,
    TraineeKind::each_word,  TraineeKind::encoder,
    TraineeKind::classifier, TraineeKind::classifier_of_heads,
    TraineeKind::one_word};
std::string name(TraineeKind kind);
/// The model in one sentence.
std::string_view tip(TraineeKind kind);
/// True where it is offered for a task.
bool is_offered(TraineeKind kind, train::Task task);

using Trainees = std::array<bool, kTraineeKinds.size()>; // by TraineeKind
/// A model that a task is made for; beside one without attention one sees what attention is for.
Trainees usual_trainees(train::Task task);

struct ExperimentForm {
    train::Task task = train::Task::zh_en;
    Trainees learns = usual_trainees(train::Task::zh_en);
    int max_length = 15; // words of a source, 4 to 30
    int steps = 3000;
    int batch = 32;
    train::UpdateRule rule = train::Adam{}; // its kind; each model has the usual numbers of it
    std::optional<train::Schedule::Kind> schedule{}; // none: what is usual for each model
    float rate_factor = 1; // on the rate that is usual for a model and its rule
    float dropout = 0, label_smoothing = 0;
    int seed = 1;
    std::string file{}, vectors{}; // a user's own sentences instead of the task's; word vectors
    int vocabulary = 8000;         // words of the file that are known
    int patience = 0;              // measures without a better one after which it stops; 0: never
    bool operator==(const ExperimentForm&) const = default;
};

/// The name of its sentences, as a SavedExperiment has it: "reverse", or the whole path of a
/// file.
std::string task_word(const ExperimentForm& form);
/// Name of the sentences for a reader: "Headlines → topic", "pairs.tsv".
std::string task_title(const std::string& word);
std::string task_title(const ExperimentForm& form);
/// Name of the sentences with as much of a file's folder as tells it from others of that name:
/// "pairs.tsv · lessons".
std::string title_among(const std::string& word, const std::set<std::string>& words);

/// The kind that a model became of; nothing where it is none of them.
std::optional<TraineeKind> trainee_kind_of(const models::Config& model);

/// Another task, and who learns it: those that were chosen, or what is usual for it where nothing
/// else was or none of them can.
void choose_task(ExperimentForm& form, train::Task task);
/// Takes the settings of another form; the task, its sentences and who learns stay.
void take_settings(ExperimentForm& form, const ExperimentForm& from);
/// The settings of `form` that `other` has otherwise: "Adam, 3000 steps". Empty where there is
/// none.
std::string differing_settings(const ExperimentForm& form, const ExperimentForm& other);
/// A user's sentences, whole path: of pairs, or of labels where the task is to classify.
void choose_file(ExperimentForm& form, const std::string& path);

/// One of each model that learns, in the order above; all on the same sentences.
std::vector<train::Plan> plans_of(const ExperimentForm& form);
/// The place of the first of them that attends, whose map is shown; 0 where none does.
std::size_t first_attending(const ExperimentForm& form);
models::Config config_of(TraineeKind kind, std::uint64_t seed);
/// The form that plans were made of. Requires one plan at least.
ExperimentForm form_of(const std::vector<train::Plan>& plans);

} // namespace heed::app
