#include "app/training/experiment_form.hpp"

#include "train/data/own_sentences.hpp"
#include "train/loop/learns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace heed::app {

namespace {
constexpr std::uint64_t kStairs = 3; // of a rate that drops by and by
}

std::string name(TraineeKind kind) { return models::short_title(config_of(kind, 1)); }

std::string_view tip(TraineeKind kind) {
    switch (kind) {
    case TraineeKind::last:
        return "A recurrent model without attention: the decoder sees only the encoder's last "
               "state "
               "(Sutskever et al. 2014).";
    case TraineeKind::mean:
        return "A recurrent model without attention: the decoder sees the mean of all states.";
    case TraineeKind::attention:
        return "A recurrent model whose decoder looks back at the source at every step (Bahdanau "
               "et al. 2015).";
    case TraineeKind::transformer:
        return "Attention and feed-forward layers only, nothing recurrent (Vaswani et al. 2017).";
    case TraineeKind::decoder:
        return "A transformer's decoder alone: it reads the source and goes on with the target, as "
               "a language model.";
    case TraineeKind::from_word:
        return "A recurrent model that says a whole sentence after reading one word.";
    case TraineeKind::each_word:
        return "A recurrent model that says one word for each word it reads.";
    case TraineeKind::encoder:
        return "A transformer's encoder that says one word for each word it reads.";
    case TraineeKind::classifier:
        return "One attention head reads the words, and a dense layer chooses.";
    case TraineeKind::classifier_of_heads:
        return "Four attention heads read the words, and a dense layer chooses.";
    case TraineeKind::one_word: return "A recurrent model that reads all words and says one.";
    }
    return {};
}

bool is_offered(TraineeKind kind, train::Task task) {
    const models::Config config = config_of(kind, 1);
    const models::Output output = models::traits(config).output;
    const bool one = output == models::Output::one_class || output == models::Output::one_word;
    return one == train::is_classification(task) && train::check_learns(config, task).has_value();
}

Trainees usual_trainees(train::Task task) {
    Trainees chosen{};
    const auto choose = [&](TraineeKind kind) { chosen[static_cast<std::size_t>(kind)] = true; };
    if (train::is_classification(task)) {
        choose(TraineeKind::classifier);
        choose(TraineeKind::classifier_of_heads);
    } else {
        choose(TraineeKind::last);
        choose(task == train::Task::repeat ? TraineeKind::decoder : TraineeKind::attention);
    }
    return chosen;
}

void choose_task(ExperimentForm& form, train::Task task) {
    const bool usual = form.learns == usual_trainees(form.task);
    form.task = task;
    bool any = false;
    for (std::size_t i = 0; i < kTraineeKinds.size(); ++i) {
        form.learns[i] = form.learns[i] && is_offered(kTraineeKinds[i], task);
        any = any || form.learns[i];
    }
    if (usual || !any) form.learns = usual_trainees(task);
}

void take_settings(ExperimentForm& form, const ExperimentForm& from) {
    ExperimentForm made = from;
    made.task = form.task;
    made.learns = form.learns;
    made.file = form.file;
    made.vectors = form.vectors;
    made.vocabulary = form.vocabulary;
    form = std::move(made);
}

std::string differing_settings(const ExperimentForm& form, const ExperimentForm& other) {
    constexpr const char* kRuleNames[] = {"Adam", "RMSprop", "SGD"};
    std::vector<std::string> words;
    const auto tell = [&](bool differs, std::string setting) {
        if (differs) words.push_back(std::move(setting));
    };
    tell(form.rule.index() != other.rule.index(), kRuleNames[form.rule.index()]);
    tell(form.rate_factor != other.rate_factor,
         fmt::format("learning rate × {:g}", form.rate_factor));
    tell(form.schedule != other.schedule,
         fmt::format("schedule {}", form.schedule ? train::info(*form.schedule).label : "default"));
    tell(form.steps != other.steps, fmt::format("{} steps", form.steps));
    tell(form.batch != other.batch, fmt::format("batch {}", form.batch));
    tell(form.dropout != other.dropout, fmt::format("dropout {:.2f}", form.dropout));
    tell(form.label_smoothing != other.label_smoothing,
         fmt::format("label smoothing {:.2f}", form.label_smoothing));
    tell(form.max_length != other.max_length, fmt::format("max source length {}", form.max_length));
    tell(form.patience != other.patience,
         form.patience == 0 ? "early stop never" : fmt::format("early stop {}", form.patience));
    tell(form.seed != other.seed, fmt::format("seed {}", form.seed));
    return fmt::format("{}", fmt::join(words, ", "));
}

models::Config config_of(TraineeKind kind, std::uint64_t seed) {
    using models::Architecture;
    if (kind == TraineeKind::transformer || kind == TraineeKind::encoder ||
        kind == TraineeKind::decoder) {
        models::ModelSpec config = train::small_transformer(
            kind == TraineeKind::encoder   ? Architecture::encoder_only
            : kind == TraineeKind::decoder ? Architecture::decoder_only
                                           : Architecture::encoder_decoder);
        config.seed = seed;
        return config;
    }
    if (kind == TraineeKind::classifier || kind == TraineeKind::classifier_of_heads) {
        models::ModelSpec config = train::small_classifier();
        config.n_heads = kind == TraineeKind::classifier ? 1 : 4;
        config.seed = seed;
        return config;
    }
    models::RecurrentConfig config = train::small_recurrent();
    config.shape = kind == TraineeKind::each_word   ? models::Shape::n_to_n
                   : kind == TraineeKind::one_word  ? models::Shape::n_to_one
                   : kind == TraineeKind::from_word ? models::Shape::one_to_n
                                                    : models::Shape::n_to_m;
    config.context = kind == TraineeKind::last   ? models::Context::last
                     : kind == TraineeKind::mean ? models::Context::mean
                                                 : models::Context::attention;
    config.seed = seed;
    return config;
}

void choose_file(ExperimentForm& form, const std::string& path) {
    if (!train::is_classification(form.task)) choose_task(form, train::Task::zh_en);
    form.file = path;
}

std::size_t first_attending(const ExperimentForm& form) {
    const std::vector<train::Plan> plans = plans_of(form);
    const auto attends = [](const train::Plan& plan) {
        return models::traits(plan.model).aligning_attention().has_value();
    };
    const auto first = std::ranges::find_if(plans, attends);
    return first == plans.end() ? 0 : static_cast<std::size_t>(first - plans.begin());
}

namespace {

/// True where a plan's model came of this learner: word vectors change its width and heads.
bool became_of(const models::Traits& model, const models::Traits& learner) {
    const auto cell = [](const models::Traits& t) {
        return t.steps ? std::optional(std::tuple(t.steps->shape, t.steps->cell, t.steps->context))
                       : std::nullopt;
    };
    const bool scored = model.is_stepwise() && model.aligning_attention();
    return model.form == learner.form && model.attention_layers == learner.attention_layers &&
           cell(model) == cell(learner) && (!scored || model.usual_score == learner.usual_score);
}

/// The place of the learner that this became of, its end where there is none. Of two classifiers
/// the first is the one with one head, unless it is taken.
std::size_t place_of(const models::Config& config, const ExperimentForm& form) {
    const models::Traits model = models::traits(config);
    for (std::size_t i = 0; i < kTraineeKinds.size(); ++i) {
        const models::Traits learner = models::traits(config_of(kTraineeKinds[i], 1));
        if (!became_of(model, learner)) continue;
        const bool other =
            learner.classifies() && learner.n_heads == 1 && (model.n_heads != 1 || form.learns[i]);
        if (!other) return i;
    }
    return kTraineeKinds.size();
}

/// The usual one with a rule of this plan's kind.
train::Plan usual_like(const train::Plan& plan) {
    train::Plan usual = train::usual_plan(plan.task, plan.model);
    train::choose_rule(usual, plan.rule);
    return usual;
}

} // namespace

std::optional<TraineeKind> trainee_kind_of(const models::Config& model) {
    ExperimentForm none;
    none.learns.fill(false);
    const std::size_t place = place_of(model, none);
    return place < kTraineeKinds.size() ? std::optional(kTraineeKinds[place]) : std::nullopt;
}

std::string task_word(const ExperimentForm& form) {
    if (form.file.empty()) return std::string(train::name(form.task));
    train::TaskOptions options;
    train::use_own(options, form.file);
    return options.own.file;
}

std::string task_title(const ExperimentForm& form) { return task_title(task_word(form)); }

std::string task_title(const std::string& word) {
    const auto task = train::task_named(word);
    return task ? std::string(train::info(*task).label)
                : std::filesystem::path(word).filename().string();
}

namespace {

/// The last folders of a file's path: "old/lessons".
std::string last_folders(const std::filesystem::path& file, int count) {
    std::filesystem::path last, folder = file.parent_path();
    for (; count > 0 && folder.has_filename(); --count, folder = folder.parent_path()) {
        last = last.empty() ? folder.filename() : folder.filename() / last;
    }
    return last.string();
}

} // namespace

std::string title_among(const std::string& word, const std::set<std::string>& words) {
    const std::string title = task_title(word);
    if (train::task_named(word)) return title;
    const auto is_told_apart = [&](int folders) {
        return std::ranges::none_of(words, [&](const std::string& other) {
            return other != word && task_title(other) == title &&
                   last_folders(other, folders) == last_folders(word, folders);
        });
    };
    int folders = 0;
    while (!is_told_apart(folders) &&
           last_folders(word, folders) != last_folders(word, folders + 1))
        ++folders;
    return folders == 0 ? title : title + " · " + last_folders(word, folders);
}

std::vector<train::Plan> plans_of(const ExperimentForm& form) {
    std::vector<train::Plan> plans;
    for (std::size_t i = 0; i < kTraineeKinds.size(); ++i) {
        if (!form.learns[i]) continue;
        const auto seed = static_cast<std::uint64_t>(form.seed);
        train::Plan plan = train::usual_plan(form.task, config_of(kTraineeKinds[i], seed));
        plan.seed = plan.sentences.seed = seed;
        if (!form.file.empty()) train::use_own(plan.sentences, form.file);
        plan.sentences.own.words = static_cast<std::size_t>(form.vocabulary);
        plan.sentences.max_length = form.max_length;
        plan.vectors = form.vectors;
        plan.patience = form.patience;
        plan.steps = static_cast<std::uint64_t>(form.steps);
        plan.batch_size = static_cast<std::size_t>(form.batch);
        train::choose_rule(plan, form.rule);
        plan.schedule.kind = form.schedule.value_or(plan.schedule.kind);
        plan.schedule.every = std::max<std::uint64_t>(plan.steps / kStairs, 1);
        plan.schedule.rate *= form.rate_factor;
        plan.regularization.dropout = form.dropout;
        plan.regularization.label_smoothing = form.label_smoothing;
        plans.push_back(plan);
    }
    return plans;
}

ExperimentForm form_of(const std::vector<train::Plan>& plans) {
    const train::Plan& plan = plans.front();
    ExperimentForm form;
    form.task = plan.task;
    form.learns.fill(false);
    for (const train::Plan& each : plans) {
        const std::size_t place = place_of(each.model, form);
        if (place < kTraineeKinds.size()) form.learns[place] = true;
        const bool usual = each.schedule.kind == usual_like(each).schedule.kind;
        if (!usual) form.schedule = each.schedule.kind;
    }
    form.max_length = plan.sentences.max_length;
    form.steps = static_cast<int>(plan.steps);
    form.batch = static_cast<int>(plan.batch_size);
    form.rule = train::kUpdateRules[plan.rule.index()];
    form.rate_factor = plan.schedule.rate / usual_like(plan).schedule.rate;
    form.dropout = plan.regularization.dropout;
    form.label_smoothing = plan.regularization.label_smoothing;
    form.seed = static_cast<int>(plan.seed);
    form.file = plan.sentences.own.file;
    form.vectors = plan.vectors;
    form.vocabulary = static_cast<int>(plan.sentences.own.words);
    form.patience = plan.patience;
    return form;
}

} // namespace heed::app
