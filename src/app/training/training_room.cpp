#include "app/training/training_room.hpp"

#include "app/training/experiment_form.hpp"
#include "app/views/reading.hpp"
#include "figure/base/number_text.hpp"
#include "figure/film_strip.hpp"
#include "figure/views/plots.hpp"
#include "figure/views/training_room.hpp"
#include "train/data/alignment.hpp"
#include "train/data/own_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

namespace {

const Trainee* trainee_of(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    return view.trainee < snapshot.trainees.size() ? &snapshot.trainees[view.trainee] : nullptr;
}

figure::Frame frame_for(bool dark, float width, float height) {
    figure::Frame frame;
    frame.width = width;
    frame.height = height;
    frame.theme = dark ? &figure::dark_theme() : &figure::light_theme();
    frame.titled = false;
    return frame;
}

constexpr const char* kEnd = "⟨end⟩";

/// The word at which this target word looks most, or that there is none.
std::string strongest_link(const figure::TrainingRoomData& data) {
    const auto& weights = *data.alignment;
    num::Index row = 0, col = 0;
    const bool ends = data.rows.back() == kEnd;
    weights.topRows(std::max<num::Index>(weights.rows() - (ends ? 1 : 0), 1)).maxCoeff(&row, &col);
    if (const num::Index even = evenly_over(weights.row(row)); even > 0) {
        return fmt::format("“{}” attends about evenly to all {} tokens",
                           data.rows[static_cast<std::size_t>(row)], even);
    }
    return fmt::format("“{}” attends most to “{}” ({})", data.rows[static_cast<std::size_t>(row)],
                       data.columns[static_cast<std::size_t>(col)],
                       figure::row_weight_text(weights(row, col), figure::row_of(weights, row)));
}

/// Count of the words that are read: labels are said alone.
std::size_t words_known(const train::Dataset& dataset) {
    const text::Vocabulary& known = dataset.vocabulary;
    const auto said = std::ranges::count_if(dataset.classes, [&](const std::string& label) {
        return known.knows(label) && known.word(known.row(label)) == label;
    });
    return known.words().size() - static_cast<std::size_t>(said);
}

/// ": line 3, it is not valid UTF-8", both of two, of more the first; or nothing.
std::string first_of(const train::BadLines& bad) {
    if (bad.first.empty()) return {};
    const auto& [line, reason] = bad.first.front();
    std::string words = fmt::format(": line {}, {}", line, reason);
    if (bad.count == 2 && bad.first.size() == 2) {
        words += fmt::format("; line {}, {}", bad.first[1].line, bad.first[1].reason);
    } else if (bad.count > 1) {
        words += fmt::format("; and {} more", bad.count - 1);
    }
    return words;
}

} // namespace

std::string own_data_words(const ExperimentSnapshot& snapshot) {
    if (!snapshot.dataset || snapshot.trainees.empty()) return {};
    if (snapshot.trainees[0].plan.sentences.own.file.empty()) return {};
    const train::Dataset& dataset = *snapshot.dataset;
    const bool labelled = !dataset.classes.empty();
    std::string words =
        fmt::format("{} training {}, {} held out, vocabulary of {} words", dataset.training.size(),
                    labelled ? "texts" : "pairs", dataset.pairs.size(), words_known(dataset));
    const std::string left_out = train::words_of(dataset.left_out, labelled);
    if (!left_out.empty()) words += "; " + left_out + first_of(dataset.left_out.bad);
    const train::BadLines& vectors = snapshot.trainees[0].bad_vectors;
    if (vectors.count > 0) {
        words += "; of the word vectors " + train::words_of(vectors) + first_of(vectors);
    }
    return words;
}

const Trainee* watched_trainee(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* chosen = trainee_of(snapshot, view);
    if (!chosen || watched_attention(chosen->plan.model)) return chosen;
    const auto attends = [](const Trainee& t) {
        return watched_attention(t.plan.model).has_value();
    };
    const auto first = std::ranges::find_if(snapshot.trainees, attends);
    return first == snapshot.trainees.end() ? chosen : &*first;
}

const train::HeldOutPoint* measured(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* trainee = trainee_of(snapshot, view);
    if (!trainee) return nullptr;
    return train::measured_at(*trainee->history, view.step.value_or(trainee->step));
}

std::string task_title(const train::Plan& plan) {
    ExperimentForm form;
    form.task = plan.task;
    form.file = plan.sentences.own.file;
    return task_title(form);
}

std::string training_name(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* trainee = trainee_of(snapshot, view);
    if (!trainee) return {};
    return fmt::format("{} · {}", task_title(trainee->plan),
                       models::short_title(trainee->plan.model));
}

std::string training_title(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* trainee = trainee_of(snapshot, view);
    if (!trainee) return {};
    const std::string what = training_name(snapshot, view);
    if (!view.step) return fmt::format("{} · step {}", what, trainee->step);
    return fmt::format("{} · step {} of {}", what, *view.step, trainee->plan.steps);
}

const train::FilmFrame* frame_of(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* trainee = watched_trainee(snapshot, view);
    return trainee && view.step ? train::frame_at(trainee->history->film, *view.step) : nullptr;
}

std::uint64_t steps_drawn(const ExperimentSnapshot& snapshot) {
    constexpr std::uint64_t kHardly = 50; // so many times what was taken
    std::uint64_t steps = 1, taken = 0;
    for (const Trainee& trainee : snapshot.trainees) {
        steps = std::max(steps, trainee.plan.steps);
        taken = std::max(taken, trainee.step);
    }
    if (taken * kHardly > steps) return steps;
    std::uint64_t end = figure::kPlaces - 1;
    while (end < taken) end *= 2;
    return std::min(end, steps);
}

namespace {

/// The curves of all, and how well each did by length at the moment that is looked at.
void add_curves(figure::TrainingRoomData& data, const ExperimentSnapshot& snapshot,
                const TrainingView& view) {
    const Trainee* watched = watched_trainee(snapshot, view);
    data.prepares = snapshot.state == ExperimentSnapshot::State::preparing;
    for (const Trainee& trainee : snapshot.trainees) {
        if (&trainee == watched) data.watched = data.learners.size();
        data.labels = train::is_classification(trainee.plan.task);
        figure::LearnerCurves curves{models::short_title(trainee.plan.model), trainee.history, {}};
        const auto kind = trainee_kind_of(trainee.plan.model);
        curves.kind =
            static_cast<int>(kind ? static_cast<std::size_t>(*kind) : kTraineeKinds.size());
        const std::uint64_t step = view.step.value_or(trainee.step);
        if (const auto* point = train::measured_at(*trainee.history, step)) {
            curves.by_length = point->measures.by_length;
        }
        data.learners.push_back(std::move(curves));
    }
    data.steps = steps_drawn(snapshot);
}

/// True where a sentence looks at itself in the map that is watched.
bool looks_at_itself(const models::Config& model) {
    const auto watched = watched_attention(model);
    return watched && watched != models::traits(model).aligning_attention();
}

/// Tokens of the rows of that map.
std::vector<std::string> row_tokens(const models::Config& model, const train::Pair& pair) {
    if (looks_at_itself(model)) return pair.source;
    std::vector<std::string> tokens = pair.target;
    tokens.emplace_back(kEnd);
    return tokens;
}

/// The map that is watched.
void add_alignment(figure::TrainingRoomData& data, const ExperimentSnapshot& snapshot,
                   const TrainingView& view) {
    const Trainee* trainee = watched_trainee(snapshot, view);
    if (!trainee) return;
    const auto watched = watched_attention(trainee->plan.model);
    const models::Traits traits = models::traits(trainee->plan.model);
    const auto aligning = traits.aligning_attention();
    const bool itself = looks_at_itself(trainee->plan.model);
    const char* what = itself ? "Attention"
                       : aligning == trace::AttentionKind::decoder_self
                           ? "Self-attention to the source"
                           : "Alignment";
    const train::FilmFrame* frame = frame_of(snapshot, view);
    if (watched) {
        data.alignment = frame ? frame->weights : trainee->alignment;
    } else {
        data.no_alignment =
            traits.reads_one_word ? "This model reads only one word" : "No attention in this model";
    }
    data.marked = view.step;
    data.alignment_title =
        frame ? fmt::format("{} at step {}", what, frame->step) : fmt::format("{} now", what);
    data.alignment_subtitle = models::short_title(trainee->plan.model);
    if (watched && !itself) data.alignment_subtitle += " · rows: the reference";
    if (itself && traits.n_heads > 1) {
        data.alignment_subtitle += fmt::format(" · mean of {} heads", traits.n_heads);
    }
    if (!data.alignment || !snapshot.dataset) return;
    const train::Pair& pair = snapshot.dataset->pairs[snapshot.shown];
    data.columns = pair.source;
    data.rows = row_tokens(trainee->plan.model, pair);
    data.rows.resize(static_cast<std::size_t>(data.alignment->rows()));
    data.columns.resize(static_cast<std::size_t>(data.alignment->cols()));
    data.alignment_subtitle += " · " + strongest_link(data);
}

figure::TrainingRoomData room_data(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    figure::TrainingRoomData data;
    data.title = training_title(snapshot, view);
    add_curves(data, snapshot, view);
    add_alignment(data, snapshot, view);
    return data;
}

/// All frames as one picture, in as many rows as they need.
figure::Figure film_sheet(const ExperimentSnapshot& snapshot, const Trainee& trainee,
                          figure::Frame place) {
    std::vector<figure::StageThumbnail> frames;
    for (const train::FilmFrame& frame : trainee.history->film) {
        figure::StageThumbnail thumbnail;
        thumbnail.label = fmt::format("step {}", frame.step);
        thumbnail.values = frame.weights;
        thumbnail.signed_values = false;
        thumbnail.full = 1; // as in the alignment
        thumbnail.id = static_cast<int>(frames.size());
        frames.push_back(std::move(thumbnail));
    }
    const int last = static_cast<int>(frames.size()) - 1;
    std::string title = models::short_title(trainee.plan.model);
    if (snapshot.dataset) {
        const train::Pair& pair = snapshot.dataset->pairs[snapshot.shown];
        title = fmt::format("{} · {}", task_title(trainee.plan), title);
        place.caption = train::joined(pair.source) + " → " + train::joined(pair.target);
    }
    auto film = figure::stage_strip(frames, last, place, title);
    film.title = fmt::format("{} frames of {}", frames.size(), title);
    return film;
}

/// The width below which a title would leave no room for what it is of.
constexpr float kTitledFrom = 420;

} // namespace

figure::Figure training_figure(const ExperimentSnapshot& snapshot, const TrainingView& view,
                               bool dark, float width, float height) {
    figure::Frame frame = frame_for(dark, width, height);
    frame.titled = height <= 0 || height >= kTitledFrom;
    return figure::training_room(room_data(snapshot, view), frame);
}

std::string link_words(const ExperimentSnapshot& snapshot, const TrainingView& view, int row,
                       int col) {
    const Trainee* trainee = watched_trainee(snapshot, view);
    if (!trainee || !snapshot.dataset) return {};
    const train::FilmFrame* frame = frame_of(snapshot, view);
    const auto& weights = frame ? frame->weights : trainee->alignment;
    const train::Pair& pair = snapshot.dataset->pairs[snapshot.shown];
    const auto rows = row_tokens(trainee->plan.model, pair);
    const auto end = [](num::Index count, std::size_t tokens) {
        return std::min(count, static_cast<num::Index>(tokens));
    };
    if (!weights || row < 0 || row >= end(weights->rows(), rows.size()) || col < 0 ||
        col >= end(weights->cols(), pair.source.size())) {
        return {};
    }
    return fmt::format("{} → {}: {:.4f}", rows[static_cast<std::size_t>(row)],
                       pair.source[static_cast<std::size_t>(col)], (*weights)(row, col));
}

figure::Figure frame_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                            float width, float height) {
    return figure::training_alignment(room_data(snapshot, view), frame_for(dark, width, height));
}

figure::Figure film_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                           float width, float height, bool titled) {
    figure::Frame place = frame_for(dark, width, height);
    place.titled = titled;
    const Trainee* trainee = watched_trainee(snapshot, view);
    if (trainee && titled) return film_sheet(snapshot, *trainee, place);
    std::vector<figure::FilmFrame> frames;
    std::optional<std::size_t> selected;
    const train::FilmFrame* shown = frame_of(snapshot, view);
    if (trainee) {
        for (const train::FilmFrame& frame : trainee->history->film) {
            if (&frame == shown) selected = frames.size();
            frames.push_back({frame.step, frame.weights});
        }
    }
    return figure::film_strip(frames, selected, place);
}

} // namespace heed::app
