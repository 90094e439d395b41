#include "app/computation.hpp"

#include "app/missing_letters.hpp"
#include "app/painted_cells.hpp"
#include "app/prepare.hpp"

#include <chrono>
#include <exception>
#include <new>
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

/// What is thrown is never the person's fault.
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

Computation::Computation(int threads) : team_(threads) {}

Result<std::shared_ptr<const models::Transformer>> Computation::model_of(const Document& document) {
    const bool same = model_ && model_file_ == document.model_file &&
                      (!model_file_.empty() || model_config_ == document.model);
    if (same) return model_;
    auto model = prepare_model(document, team_);
    if (!model) return model;
    model_ = *model;
    model_file_ = document.model_file;
    model_config_ = document.model;
    return model;
}

Result<void> Computation::run_into(Snapshot& snapshot, const Request& request,
                                   const std::stop_token& stop) {
    if (good_ && good_->document == request.document) { // only the focus moved
        snapshot.run = good_->run;
        snapshot.run_milliseconds = good_->run_milliseconds;
        snapshot.layers_reused = static_cast<int>(snapshot.run->trace.layers.size());
        snapshot.source_tokens_dropped = good_->source_tokens_dropped;
        snapshot.target_tokens_dropped = good_->target_tokens_dropped;
        snapshot.missing_letters = good_->missing_letters;
        snapshot.painted_outside = good_->painted_outside;
        return {};
    }
    const auto model = model_of(request.document);
    if (!model) return tl::make_unexpected(model.error());
    const PreparedInput prepared = prepare_input(request.document);
    models::RunOptions options;
    options.stop = stop;
    if (good_) options.previous = good_->run;
    const auto begin = std::chrono::steady_clock::now();
    const auto run = models::run(*model, prepared.input, request.document.controls, team_, options);
    if (!run) return tl::make_unexpected(run.error());
    snapshot.run_milliseconds = milliseconds_since(begin);
    snapshot.run = *run;
    snapshot.layers_reused = (*run)->layers_reused;
    snapshot.source_tokens_dropped = prepared.source_dropped;
    snapshot.target_tokens_dropped = prepared.target_dropped;
    snapshot.missing_letters = missing_letters(words_of((*run)->trace));
    snapshot.painted_outside = painted_outside((*run)->controls, (*run)->trace);
    return {};
}

/// False when it was stopped.
bool Computation::draw_into(Snapshot& snapshot, const Focus& focus, const std::stop_token& stop) {
    const trace::Trace& trace = snapshot.run->trace;
    snapshot.focus = focus_inside(trace, focus);
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        const auto k = static_cast<std::size_t>(kind);
        snapshot.thumbnails[k] = thumbnails_[k].update(trace, kind, team_, stop);
        if (stop.stop_requested()) return false;
    }
    if (good_ && good_->run == snapshot.run && good_->focus == snapshot.focus) {
        snapshot.map = good_->map;
        snapshot.stages = good_->stages;
        snapshot.strip = good_->strip;
        snapshot.summary = good_->summary;
        return true;
    }
    HeadPictures pictures = head_pictures(trace, snapshot.focus);
    snapshot.map = std::move(pictures.map);
    snapshot.stages = std::move(pictures.stages);
    snapshot.strip = std::move(pictures.strip);
    snapshot.summary = pictures.summary;
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
    } else if (!draw_into(snapshot, request.focus, stop)) {
        return nullptr;
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
    if (!draw_into(snapshot, request.focus, stop)) return Answer{};
    good_ = std::make_shared<const Snapshot>(std::move(snapshot));
    return good_;
}

Computation::Answer Computation::answer(const Request& request, std::stop_token stop) noexcept {
    Error error{ErrorKind::unsupported, "a mistake in Heed", "something unknown was thrown"};
    try {
        auto answered = try_answer(request, stop);
        if (answered) return *answered;
        if (answered.error().kind == ErrorKind::cancelled) return nullptr;
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

} // namespace heed::app
