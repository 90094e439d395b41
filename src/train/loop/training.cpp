#include "train/loop/training.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "models/file/metadata.hpp"
#include "models/open.hpp"
#include "tensors/named.hpp"
#include "train/data/data_file.hpp"
#include "train/nets/first_model.hpp"
#include "train/nets/model_learners.hpp"
#include "train/tasks/task_info.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace heed::train {

namespace {

using base::ErrorKind;
using base::fail;

constexpr const char* kFirst = "training.optimizer.first";
constexpr const char* kSecond = "training.optimizer.second";
constexpr const char* kStep = "training.step";
constexpr const char* kNotes = "training.notes";
constexpr const char* kThreads = "training.threads";
constexpr std::size_t kMaxFileBytes = std::size_t(4) << 30;

void put(tensors::Archive& archive, const char* name, const std::vector<float>& values) {
    if (!values.empty()) archive.arrays[name] = {{std::ssize(values)}, values};
}
std::vector<float> take(tensors::Archive& archive, const char* name) {
    const auto found = archive.arrays.find(name);
    return found == archive.arrays.end() ? std::vector<float>() : std::move(found->second.values);
}

Optimizer optimizer_of(const UpdateRule& rule, std::size_t numbers,
                       std::optional<Optimizer::State> state) {
    return state ? Optimizer(rule, numbers, *std::move(state)) : Optimizer(rule, numbers);
}

template <class Stop, class Visitor> void visit_stop(Stop& stop, Visitor&& v) {
    v.newer_number("training.stop.best", stop.best);
    v.newer_number("training.stop.best_step", stop.best_step);
    v.newer_number("training.stop.since", stop.since);
}

base::Result<Optimizer::State> state_of(tensors::Archive& archive, const UpdateRule& rule,
                                        std::size_t numbers, const std::string& path) {
    Optimizer::State state;
    const auto found = archive.metadata.find(kStep);
    if (found == archive.metadata.end()) {
        return fail(ErrorKind::mismatch, path,
                    "is a model, but no checkpoint: it does not tell how far its training went");
    }
    const std::string& text = found->second;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), state.steps);
    if (error != std::errc() || stop != text.data() + text.size()) {
        return fail(ErrorKind::malformed, path,
                    fmt::format("\"{}\" in its metadata is '{:.40}', which is no number of steps",
                                kStep, text));
    }
    state.first = take(archive, kFirst);
    state.second = take(archive, kSecond);
    const Optimizer::State wanted = Optimizer(rule, numbers).state();
    if (state.first.size() != wanted.first.size() || state.second.size() != wanted.second.size()) {
        return fail(ErrorKind::mismatch, path,
                    fmt::format("its optimiser's state has {} and {} numbers; {} and {} are "
                                "expected",
                                state.first.size(), state.second.size(), wanted.first.size(),
                                wanted.second.size()));
    }
    return state;
}

/// A decoder alone is a language model of a task whose targets go on from their sources.
void read_as_one_text(Plan& plan) {
    if (!plan.sentences.own.file.empty()) return;
    models::set_one_text(plan.model, info(plan.task).target == TargetKind::continuation);
}

} // namespace

Training::Training(Plan plan, std::shared_ptr<const Dataset> dataset,
                   std::unique_ptr<Learner> learner, std::optional<Optimizer::State> state)
    : plan_(std::move(plan)), dataset_(std::move(dataset)), learner_(std::move(learner)),
      optimizer_(optimizer_of(plan_.rule, count(learner_->parameters()), std::move(state))),
      batches_(dataset_->training, plan_.batch_size, plan_.seed) {
    early_stop_.patience = plan_.patience;
}

base::Result<std::unique_ptr<Training>>
Training::begin(Plan plan, std::shared_ptr<const Dataset> dataset, num::ThreadPool& pool) {
    if (auto ok = check(plan); !ok) return tl::make_unexpected(ok.error());
    std::optional<WordVectors> vectors;
    if (!plan.vectors.empty()) {
        auto read = read_word_vectors(plan.vectors, &dataset->vocabulary);
        if (!read) return tl::make_unexpected(read.error());
        vectors = *std::move(read);
        models::set_embedding_width(plan.model, static_cast<int>(vectors->vectors.cols()));
    }
    read_as_one_text(plan);
    const auto model = first_model(plan.model, *dataset, pool, vectors ? &*vectors : nullptr);
    if (!model) return tl::make_unexpected(model.error());
    plan.model = (*model)->config();
    auto learner = make_learner(pool, *model);
    std::unique_ptr<Training> training(
        new Training(std::move(plan), std::move(dataset), std::move(learner), std::nullopt));
    if (vectors) {
        training->words_filled_ = vectors->words.size();
        training->bad_vectors_ = std::move(vectors->bad);
    }
    return training;
}

base::Result<Progress> Training::step(num::ThreadPool& pool) {
    Progress progress;
    std::vector<const Example*> batch;
    for (const std::size_t at : batches_.at(steps_done())) {
        batch.push_back(&dataset_->training[at]);
    }
    const std::uint64_t seed = base::mix(base::mix(plan_.seed) ^ steps_done());
    progress.batch = learner_->learn(pool, batch, plan_.regularization, seed);
    const auto parameters = learner_->parameters();
    progress.norms = gradient_norms(pool, parameters);
    progress.step = steps_done() + 1;
    progress.rate = rate_at(plan_.schedule, progress.step);
    if (!std::isfinite(progress.batch.loss) || !std::isfinite(progress.norms.total)) {
        return fail(ErrorKind::out_of_range, "training",
                    fmt::format("step {} came to a loss or gradient that is no finite number; a "
                                "smaller rate or clipping keeps it from that",
                                progress.step));
    }
    const float factor = clip_factor(progress.norms.total, plan_.max_norm);
    optimizer_.step(pool, parameters, progress.rate, factor);
    learner_->parameters_changed(pool);
    return progress;
}

base::Result<void> Training::save(const std::string& path, num::ThreadPool& pool,
                                  const std::string& notes) const {
    tensors::Archive archive = learner_->model(pool)->archive();
    write_plan(plan_, archive.metadata);
    archive.metadata[kStep] = fmt::format("{}", steps_done());
    archive.metadata[kThreads] = fmt::format("{}", pool.size());
    visit_stop(early_stop_, models::MetadataWriter{archive.metadata});
    if (!notes.empty()) archive.metadata[kNotes] = notes;
    put(archive, kFirst, optimizer_.state().first);
    put(archive, kSecond, optimizer_.state().second);
    return base::write_file_atomic(path, tensors::write_safetensors(archive));
}

base::Result<std::unique_ptr<Training>> Training::resume(const std::string& path,
                                                         num::ThreadPool& pool,
                                                         std::shared_ptr<const Dataset> dataset) {
    auto model = models::load_model(path, pool);
    if (!model) return tl::make_unexpected(model.error());
    const auto bytes = base::read_file(path, kMaxFileBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto archive = tensors::read_safetensors(*bytes, path);
    if (!archive) return tl::make_unexpected(archive.error());
    auto plan = read_plan((*model)->config(), archive->metadata, path);
    if (!plan) return tl::make_unexpected(plan.error());
    if (!dataset) {
        auto made = prepare_dataset(plan->task, plan->sentences);
        if (!made) return tl::make_unexpected(made.error());
        dataset = *std::move(made);
    }
    if (!(*model)->words() || (*model)->words()->words() != dataset->vocabulary.words()) {
        const std::string& own = plan->sentences.own.file;
        if (!own.empty()) {
            return fail(ErrorKind::mismatch, own,
                        "has other words than when this training was kept: bring back the file as "
                        "it was, or train anew");
        }
        return fail(ErrorKind::mismatch, path,
                    "knows other words than its task's sentences have now; train it anew");
    }
    auto learner = make_learner(pool, *model);
    auto state = state_of(*archive, plan->rule, count(learner->parameters()), path);
    if (!state) return tl::make_unexpected(state.error());
    std::unique_ptr<Training> training(
        new Training(*std::move(plan), std::move(dataset), std::move(learner), *std::move(state)));
    models::MetadataReader reader{archive->metadata, path};
    visit_stop(training->early_stop_, reader);
    reader.newer_number(kThreads, training->threads_before_);
    reader.newer_text(kNotes, training->notes_);
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    return training;
}

} // namespace heed::train
