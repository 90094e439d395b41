#include "app/engine/computation.hpp"

#include "app/document/fitting_controls.hpp"
#include "app/document/painted_cells.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/continuation.hpp"
#include "app/engine/head_scores.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/multiplied_map.hpp"
#include "app/engine/prepare.hpp"
#include "app/engine/speech.hpp"
#include "app/engine/strip_shares.hpp"
#include "app/engine/unknown_words.hpp"
#include "figure/base/text_layout.hpp"
#include "inside/token_gradients.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace heed::app {

using base::Error;
using base::ErrorKind;
using base::Result;

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// Error of what was thrown, which is never the person's fault.
Error as_error(const std::exception& thrown) {
    if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr) {
        return {ErrorKind::unavailable, "memory",
                "there is not enough for this model and sentence; choose a smaller one"};
    }
    return {ErrorKind::unsupported, "a mistake in Heed", thrown.what()};
}

/// Every token that a picture can hold, on one line.
std::string words_of(const trace::Trace& trace) {
    std::string words;
    for (const auto* tokens : {&trace.source, &trace.target}) {
        for (const text::Token& token : *tokens) words += token.text + ' ';
    }
    return words;
}

} // namespace

Computation::Computation(int threads) : pool_(threads) {}

Result<std::shared_ptr<const models::Model>> Computation::model_of(const Document& document) {
    constexpr std::size_t kKept = 2;
    const auto stamp = stamp_of(document.model_file);
    const auto known = std::find_if(models_.begin(), models_.end(), [&](const LoadedModel& m) {
        return m.file == document.model_file && m.stamp == stamp.value_or(m.stamp) &&
               (!m.file.empty() || m.config == document.model);
    });
    if (known != models_.end()) {
        std::rotate(models_.begin(), known, known + 1);
    } else {
        models::Reading reading;
        if (watch_) {
            reading = [&](double fraction) { return watch_(document.model_file, fraction); };
        }
        auto model = prepare_model(document, pool_, reading);
        if (!model) return model;
        std::erase_if(models_, [&](const LoadedModel& m) { // overwritten since
            return !m.file.empty() && m.file == document.model_file;
        });
        models_.insert(models_.begin(),
                       {document.model, document.model_file, stamp.value_or(FileStamp{}), *model});
        if (models_.size() > kKept) models_.pop_back();
    }
    return models_.front().model;
}

namespace {

/// Controls that fit the model: a file's is known only once it is read; a drawn one's fit already.
models::Controls controls_for(const Document& document, const models::Config& config) {
    return document.model_file.empty() ? document.controls
                                       : fitting_controls(document.controls, config);
}

} // namespace

Result<void> Computation::run_into(Snapshot& snapshot, const Request& request,
                                   const std::stop_token& stop) {
    const auto model = model_of(request.document);
    const bool same = model && good_ && run_alike(good_->document, request.document) &&
                      *model == good_->run->model;
    if (same) { // only the focus moved
        static_cast<RunPart&>(snapshot) = *good_;
        snapshot.layers_reused = static_cast<int>(snapshot.run->trace.layers.size());
        return {};
    }
    if (!model) return tl::make_unexpected(model.error());
    PreparedInput prepared = prepare_input(request.document, model->get());
    if (prepared.failed) return tl::make_unexpected(*prepared.failed);
    if (const auto ok = images_.read(request.document, **model, prepared.input); !ok) return ok;
    models::RunOptions options;
    options.stop = stop;
    if (good_) options.previous = good_->run;
    const auto begin = std::chrono::steady_clock::now();
    const auto run = models::run(
        *model, prepared.input, controls_for(request.document, (*model)->config()), pool_, options);
    if (!run) return tl::make_unexpected(run.error());
    snapshot.run_milliseconds = milliseconds_since(begin);
    snapshot.run = *run;
    snapshot.file = request.document.model_file;
    snapshot.words = token_words_of(request.document, **run);
    snapshot.prediction = prediction_of(**run, pool_);
    snapshot.spoken = spoken_steps(**run);
    snapshot.said = said_at_rows(**run, snapshot.prediction.get());
    // The former one stands until there is time for a new one.
    if (good_ && (*run)->model == good_->run->model) snapshot.gallery = good_->gallery;
    gallery_due_ = snapshot.spoken && (*run)->trace.n_layers(trace::AttentionKind::cross) > 0;
    snapshot.layers_reused = (*run)->layers_reused;
    snapshot.source_tokens_dropped = prepared.source_dropped;
    snapshot.target_tokens_dropped = prepared.target_dropped;
    snapshot.missing_letters = figure::missing_characters(words_of((*run)->trace));
    snapshot.unknown_words = unknown_words_note(**run);
    snapshot.typed_text = typed_text_note(request.document, **run);
    if (lacks_picture(request.document, **model)) snapshot.unknown_words = kNoPicture;
    if (reads_pictures((*model)->config())) snapshot.picture = images_.seen();
    snapshot.painted_outside = painted_outside((*run)->controls, (*run)->trace);
    return {};
}

namespace {

std::optional<float> share_to_hidden(const trace::Trace& trace, const Focus& focus,
                                     const TokenWords& units) {
    const text::Words& keys = units.keys(focus.head.kind);
    const auto map = trace.map(focus.head);
    if (focus.combine || keys.ends.empty() || !map) return std::nullopt;
    return share_left_out(map->whole(trace::Stage::weights), units.queries(focus.head.kind), keys);
}

std::optional<float> share_to_special(const Snapshot& s) {
    if (s.focus.hide_special) return s.to_hidden;
    Focus hiding = s.focus;
    hiding.hide_special = true;
    const auto units = units_of(hiding, *s.run, s.words, s.said.get());
    return units ? share_to_hidden(s.run->trace, hiding, *units) : std::nullopt;
}

} // namespace

/// False when it was stopped.
bool Computation::draw_into(Snapshot& snapshot, const Request& request,
                            const std::stop_token& stop) {
    const trace::Trace& trace = snapshot.run->trace;
    HeadPart drawn;
    drawn.focus = focus_inside(trace, request.focus);
    drawn.units = units_of(drawn.focus, *snapshot.run, snapshot.words, snapshot.said.get());
    const bool same_units = drawn.units && good_ && good_->units && *good_->units == *drawn.units;
    if (same_units) drawn.units = good_->units;
    drawn.needs = needs_inside(trace, drawn.focus.head.kind, drawn.units.get(), request.needs);
    if (!snapshot.picture) drawn.needs.query_rows.reset();
    const std::optional<int> step = drawn.needs.step;
    Needs at_step = good_ ? good_->needs : Needs{};
    // Another step of the same pictures is little work.
    if (at_step.step && step) at_step.step = step;
    const bool known = good_ && good_->run == snapshot.run && good_->focus == drawn.focus &&
                       at_step == drawn.needs && good_->document.inside == snapshot.document.inside;
    static_cast<HeadPart&>(snapshot) = known ? static_cast<const HeadPart&>(*good_) : drawn;
    const std::shared_ptr<const TokenWords>& words = snapshot.units;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        const auto k = static_cast<std::size_t>(kind);
        snapshot.thumbnails[k] = thumbnails_[k].update(trace, kind, words, pool_, stop);
        if (stop.stop_requested()) return false;
    }
    if (known && snapshot.needs.step == step) return true;
    snapshot.needs.step = step;
    snapshot.step = step ? trace::decoder_step(trace, *step, snapshot.focus.head) : nullptr;
    const bool of_head = snapshot.step && snapshot.step->head;
    snapshot.step_says = of_head ? spoken_step(*snapshot.run, *step, pool_) : nullptr;
    if (known) {
        renew_additive(snapshot.strip, *snapshot.run, snapshot.focus.head.kind, snapshot.step.get(),
                       words.get());
        return true;
    }
    HeadPictures pictures =
        head_pictures(*snapshot.run, snapshot.focus, snapshot.step.get(), snapshot.units.get());
    snapshot.map = std::move(pictures.map);
    snapshot.strip = std::move(pictures.strip);
    snapshot.summary = pictures.summary;
    snapshot.pattern = pictures.pattern;
    snapshot.faults = std::move(pictures.faults);
    if (snapshot.focus.combine || merges_map(snapshot)) {
        snapshot.map = focused_map(trace, snapshot.focus, words.get(), pool_, stop);
    }
    if (words) snapshot.to_hidden = share_to_hidden(trace, snapshot.focus, *words);
    snapshot.to_special = share_to_special(snapshot);
    const Needs& needs = snapshot.needs;
    snapshot.prepared = figure::prepared(snapshot.map, needs.logarithms);
    if (needs.flow) {
        FlowFocus asked = *needs.flow;
        if (!inside::has_residual(*snapshot.run)) asked.rule = trace::FlowRule::raw;
        snapshot.flow = flow_of(trace, snapshot.focus, asked, words.get(), pool_, stop);
    }
    snapshot.multiplied = multiplied_map(*snapshot.run, snapshot.focus, words.get());
    snapshot.prepared_multiplied = figure::prepared(snapshot.multiplied, needs.logarithms);
    snapshot.overlay = overlay_of(trace, snapshot.focus, needs.overlay, words.get());
    snapshot.slots = slot_pictures(trace, needs, words.get(), good_.get());
    if (needs.histograms) {
        if (!histograms_) histograms_ = dot_histograms(pool_);
        snapshot.histograms = histograms_;
    }
    if (needs.summaries) {
        snapshot.summaries = head_summaries(trace, snapshot.focus.head.kind, pool_, stop);
    }
    if (needs.alike) snapshot.alike = alike_heads(trace, snapshot.focus.head.kind, pool_, stop);
    if (needs.effects) snapshot.effects = effects_known(snapshot, good_.get());
    if (needs.inside) snapshot.inside = inside_begun(snapshot, good_.get(), pool_);
    if (needs.head_scores) {
        snapshot.head_scores = head_scores_begun(snapshot, good_.get(), pool_, stop);
    }
    snapshot.query_rows = query_rows(trace, snapshot.focus.head.kind, needs.query_rows);
    snapshot.strips = strip_shares(snapshot, good_.get(), pool_, stop);
    return !stop.stop_requested();
}

namespace {

void subtract(ReferencePicture& reference, const Snapshot& present) {
    reference.difference =
        present.map && reference.map ? difference_of(*present.map, *reference.map) : nullptr;
    reference.prepared_difference = figure::prepared(reference.difference);
}

} // namespace

Result<std::shared_ptr<const ReferencePicture>>
Computation::reference_picture(const Reference& asked, const Snapshot& present,
                               const std::stop_token& stop) {
    const auto model = model_of(asked.document);
    const auto of_this_model = [&](const ReferencePicture& picture) {
        return !picture.run || (model && picture.run->model == *model);
    };
    const bool known = good_ && good_->reference && good_->reference->asked == asked &&
                       good_->needs.strips == present.needs.strips &&
                       of_this_model(*good_->reference);
    const bool logarithms = present.needs.logarithms;
    const bool lacks = known && logarithms && good_->reference->prepared &&
                       !good_->reference->prepared->logarithms;
    if (known && !lacks && good_->map == present.map) return good_->reference;
    if (known && good_->reference->run) { // held against another map
        auto picture = std::make_shared<ReferencePicture>(*good_->reference);
        if (lacks) picture->prepared = figure::prepared(picture->map, logarithms);
        subtract(*picture, present);
        return picture;
    }
    auto picture = std::make_shared<ReferencePicture>();
    picture->asked = asked;
    if (!model) return tl::make_unexpected(model.error());
    const ReferencePicture* before = good_ ? good_->reference.get() : nullptr;
    if (before && before->run && run_alike(before->asked.document, asked.document) &&
        of_this_model(*before)) {
        picture->run = before->run;
        picture->words = before->words;
        picture->prediction = before->prediction;
        picture->said = before->said;
    } else {
        models::RunOptions options;
        options.stop = stop;
        options.previous = present.run; // shares what lies before the first difference
        models::Input input = prepare_input(asked.document, model->get()).input;
        if (const auto ok = images_.read(asked.document, **model, input); !ok) {
            return tl::make_unexpected(ok.error());
        }
        const auto run =
            models::run(*model, input, controls_for(asked.document, (*model)->config()),
                        pool_, options);
        if (!run) return tl::make_unexpected(run.error());
        picture->run = *run;
        picture->words = token_words_of(asked.document, **run);
        picture->prediction = prediction_of(**run, pool_);
        picture->said = said_at_rows(**run, picture->prediction.get());
    }
    picture->focus = focus_inside(picture->run->trace, asked.focus);
    picture->units = units_of(picture->focus, *picture->run, picture->words, picture->said.get());
    picture->map =
        focused_map(picture->run->trace, picture->focus, picture->units.get(), pool_, stop);
    if (stop.stop_requested()) return picture;
    picture->prepared = figure::prepared(picture->map, logarithms);
    if (const auto head = picture->run->trace.map(picture->focus.head)) {
        picture->faults = faults_of(*head, head->whole(trace::Stage::weights));
    }
    Snapshot reference = as_snapshot(*picture);
    reference.needs.strips = present.needs.strips;
    picture->strips = strip_shares(reference);
    subtract(*picture, present);
    return picture;
}

/// False when it was stopped. A reference that cannot be computed says why and takes nothing else
/// with it.
bool Computation::add_reference(Snapshot& snapshot, const Request& request,
                                const std::stop_token& stop) {
    snapshot.reference = nullptr;
    if (!request.reference) return true;
    auto picture = reference_picture(*request.reference, snapshot, stop);
    if (stop.stop_requested()) return false;
    if (!picture) {
        auto failed = std::make_shared<ReferencePicture>();
        failed->asked = *request.reference;
        failed->error = std::move(picture.error());
        picture = std::move(failed);
    }
    snapshot.reference = *std::move(picture);
    return true;
}

Computation::Answer Computation::failed(const Request& request, Error error,
                                        const std::stop_token& stop) {
    // Heads can still be walked through while the error stands: the last good run is drawn anew
    // where the focus moved.
    Snapshot snapshot = good_ ? *good_ : Snapshot{};
    snapshot.revision = request.revision;
    snapshot.document = request.document;
    snapshot.error = std::move(error);
    if (!good_) {
        snapshot.focus = request.focus;
    } else if (!draw_into(snapshot, request, stop)) {
        return nullptr;
    }
    if (snapshot.reference && snapshot.map != good_->map) { // held against another map
        auto picture = std::make_shared<ReferencePicture>(*snapshot.reference);
        subtract(*picture, snapshot);
        snapshot.reference = std::move(picture);
    }
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

Result<Computation::Answer> Computation::try_answer(const Request& request,
                                                    const std::stop_token& stop) {
    Snapshot snapshot;
    snapshot.revision = request.revision;
    snapshot.document = request.document;
    if (const auto ran = run_into(snapshot, request, stop); !ran) {
        return tl::make_unexpected(ran.error());
    }
    if (!draw_into(snapshot, request, stop)) return Answer{};
    if (!add_reference(snapshot, request, stop)) return Answer{};
    good_ = std::make_shared<const Snapshot>(std::move(snapshot));
    good_is_last_ = true;
    return good_;
}

Computation::Answer Computation::answer(const Request& request, std::stop_token stop) noexcept {
    Error error{ErrorKind::unsupported, "a mistake in Heed", "something unknown was thrown"};
    good_is_last_ = false;
    try {
        auto answered = try_answer(request, stop);
        if (answered) return *answered;
        // A model that a person stopped from being read is answered: no newer request comes.
        const bool cancelled = answered.error().kind == ErrorKind::cancelled;
        if (cancelled && stop.stop_requested()) return nullptr;
        error = answered.error();
    } catch (const std::exception& thrown) {
        error = as_error(thrown);
    } catch (...) {
    }
    try {
        return stop.stop_requested() ? nullptr : failed(request, error, stop);
    } catch (...) {
        Snapshot bare;
        bare.revision = request.revision;
        bare.error = std::move(error);
        return std::make_shared<const Snapshot>(std::move(bare));
    }
}

Computation::Answer Computation::refine(std::stop_token stop) noexcept {
    if (!good_is_last_) return nullptr; // an error stands, which a refined former answer would hide
    const auto publish = [&](auto part, auto measured) -> Answer {
        if (!measured) return nullptr;
        Snapshot snapshot = *good_;
        snapshot.*part = std::move(measured);
        good_ = std::make_shared<const Snapshot>(std::move(snapshot));
        return good_;
    };
    try {
        if (gallery_due_) {
            auto answer = publish(&Snapshot::gallery, score_gallery(good_->run, pool_, stop));
            gallery_due_ = !answer;
            return answer;
        }
        const bool scores = good_->head_scores && !good_->head_scores->complete();
        const bool tokens = tokens_shown(*good_), parts = good_->inside && !tokens;
        if (tokens && tokens_due(*good_)) {
            return publish(&Snapshot::inside, tokens_measured(*good_, pool_, stop));
        }
        if (scores && (!parts || good_->inside->answers_words())) {
            return publish(&Snapshot::head_scores, head_scores_measured(*good_, pool_, stop));
        }
        if (parts && !good_->inside->complete()) {
            return publish(&Snapshot::inside, inside_measured(*good_, known_words_, pool_, stop));
        }
        if (tokens_due(*good_)) {
            return publish(&Snapshot::inside, tokens_measured(*good_, pool_, stop));
        }
        if (following_due(*good_)) {
            return publish(&Snapshot::inside, following_measured(*good_, pool_, stop));
        }
        if (parts && !good_->inside->lens_complete()) {
            return publish(&Snapshot::inside, inside_measured(*good_, known_words_, pool_, stop));
        }
        if (!good_->effects || good_->effects->complete()) return nullptr;
        return publish(&Snapshot::effects, measure_effects(*good_, pool_, stop));
    } catch (...) { // what was published stands
        return nullptr;
    }
}

} // namespace heed::app
