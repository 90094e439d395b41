#include "app/training/training_room.hpp"

#include "app/training/experiment_form.hpp"
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

/// The word at which this target word looks most.
std::string strongest_link(const figure::TrainingRoomData& data) {
    const auto& weights = *data.alignment;
    num::Index row = 0, col = 0;
    const bool ends = data.rows.back() == kEnd;
    weights.topRows(std::max<num::Index>(weights.rows() - (ends ? 1 : 0), 1)).maxCoeff(&row, &col);
    return fmt::format("“{}” attends most to {} ({:.2f})", data.rows[static_cast<std::size_t>(row)],
                       data.columns[static_cast<std::size_t>(col)],
                       static_cast<double>(weights(row, col)));
}

/// ": line 3, it is not valid UTF-8", or nothing.
std::string first_of(const train::BadLines& bad) {
    if (bad.first.empty()) return {};
    return fmt::format(": line {}, {}", bad.first.front().line, bad.first.front().reason);
}

} // namespace

std::string own_data_words(const ExperimentSnapshot& snapshot) {
    if (!snapshot.dataset || snapshot.trainees.empty()) return {};
    if (snapshot.trainees[0].plan.sentences.own.file.empty()) return {};
    const train::Dataset& dataset = *snapshot.dataset;
    std::string words =
        fmt::format("{} training pairs, {} held out, vocabulary of {}", dataset.training.size(),
                    dataset.pairs.size(), dataset.vocabulary.size());
    const std::string left_out = train::words_of(dataset.left_out);
    if (!left_out.empty()) words += "; " + left_out + first_of(dataset.left_out.bad);
    const train::BadLines& vectors = snapshot.trainees[0].bad_vectors;
    if (vectors.count > 0) {
        words += "; of the word vectors " + train::words_of(vectors) + first_of(vectors);
    }
    return words;
}

const train::Frame* frame_of(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    const Trainee* trainee = trainee_of(snapshot, view);
    if (!trainee || !view.frame || *view.frame >= trainee->history->film.size()) return nullptr;
    return &trainee->history->film[*view.frame];
}

namespace {

figure::TrainingRoomData room_data(const ExperimentSnapshot& snapshot, const TrainingView& view) {
    figure::TrainingRoomData data;
    for (const Trainee& trainee : snapshot.trainees) {
        data.labels = train::is_classification(trainee.plan.task);
        figure::LearnerCurves curves{models::short_title(trainee.plan.model), trainee.history, {}};
        if (trainee.held_out) curves.by_length = trainee.held_out->measures.by_length;
        data.learners.push_back(std::move(curves));
        data.steps = std::max(data.steps, trainee.plan.steps);
    }
    bool itself = false; // whether a sentence looks at itself
    if (const Trainee* trainee = trainee_of(snapshot, view)) {
        const auto watched = watched_attention(trainee->plan.model);
        const models::Traits traits = models::traits(trainee->plan.model);
        const auto aligning = traits.aligning_attention();
        itself = watched && watched != aligning;
        const bool own = aligning == trace::AttentionKind::decoder_self;
        const char* what = itself ? "Attention"
                           : own  ? "Self-attention to the source"
                                  : "Alignment";
        const train::Frame* frame = frame_of(snapshot, view);
        if (watched) {
            data.alignment = frame ? frame->weights : trainee->alignment;
        } else {
            data.no_alignment = traits.reads_one_word ? "This model reads only one word"
                                                      : "No attention in this model";
        }
        if (frame) {
            data.marked = frame->step;
            data.alignment_title = fmt::format("{} at step {}", what, frame->step);
        } else {
            data.alignment_title = fmt::format("{} now", what);
        }
        data.alignment_subtitle = data.learners[view.trainee].name;
        if (itself && traits.n_heads > 1) {
            data.alignment_subtitle += fmt::format(" · mean of {} heads", traits.n_heads);
        }
    }
    if (data.alignment && snapshot.dataset) {
        const train::Pair& pair = snapshot.dataset->pairs[snapshot.shown];
        data.columns = pair.source;
        data.rows = itself ? pair.source : pair.target;
        if (!itself) data.rows.emplace_back(kEnd);
        data.rows.resize(static_cast<std::size_t>(data.alignment->rows()));
        data.columns.resize(static_cast<std::size_t>(data.alignment->cols()));
        data.alignment_subtitle += " · " + strongest_link(data);
    }
    return data;
}

} // namespace

figure::Figure training_figure(const ExperimentSnapshot& snapshot, const TrainingView& view,
                               bool dark, float width, float height) {
    return figure::training_room(room_data(snapshot, view), frame_for(dark, width, height));
}

figure::Figure frame_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                            float width, float height) {
    return figure::training_alignment(room_data(snapshot, view), frame_for(dark, width, height));
}

figure::Figure film_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                           float width, float height, bool titled) {
    std::vector<figure::StageThumbnail> frames;
    int selected = -1;
    std::string title;
    figure::Frame place = frame_for(dark, width, height);
    place.titled = titled;
    if (const Trainee* trainee = trainee_of(snapshot, view)) {
        for (const train::Frame& frame : trainee->history->film) {
            figure::StageThumbnail thumbnail;
            thumbnail.label = fmt::format("step {}", frame.step);
            thumbnail.values = frame.weights;
            thumbnail.signed_values = false;
            thumbnail.full = 1; // what is even is dark, what has found its word is bright
            thumbnail.id = static_cast<int>(frames.size());
            frames.push_back(std::move(thumbnail));
        }
        selected = static_cast<int>(view.frame.value_or(frames.empty() ? 0 : frames.size() - 1));
        title = models::short_title(trainee->plan.model);
    }
    if (snapshot.dataset) {
        const train::Pair& pair = snapshot.dataset->pairs[snapshot.shown];
        title = fmt::format("{} · {}", snapshot.dataset->provenance.task, title);
        if (titled) place.caption = train::joined(pair.source) + " → " + train::joined(pair.target);
    }
    auto film = figure::stage_strip(frames, selected, place, title);
    film.title = fmt::format("{} moments of {}", frames.size(), title);
    return film;
}

} // namespace heed::app
