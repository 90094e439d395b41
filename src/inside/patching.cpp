#include "inside/patching.hpp"

#include <algorithm>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

models::Replacement from_clean(const models::Run& clean, const Patch& patch) {
    models::Replacement r;
    r.kind = patch.module;
    r.layer = patch.layer;
    r.head = patch.head;
    if (patch.kind == Patch::Kind::residual) {
        r.place = models::Replacement::Place::residual;
        r.values = residual_after(clean, patch.module, patch.layer);
    } else {
        r.place = models::Replacement::Place::context;
        r.values =
            activation_of(clean, {PartId::Kind::head, patch.module, patch.layer, patch.head});
    }
    if (patch.token) {
        r.row = *patch.token;
        r.values = r.values.middleRows(r.row, 1).eval();
    }
    return r;
}

} // namespace

std::vector<Patch> layer_by_token(const models::Run& run, AttentionKind stack) {
    std::vector<Patch> patches;
    if (!run.model->traits().has_feed_forward) return patches;
    const Index tokens = residual_after(run, stack, -1).rows();
    for (int layer = run.model->traits().layers(stack) - 1; layer >= 0; --layer) {
        for (Index token = tokens - 1; token >= 0; --token) {
            patches.push_back({Patch::Kind::residual, stack, layer, 0, token});
        }
    }
    return patches;
}

std::vector<Patch> head_by_head(const models::Run& run) {
    std::vector<Patch> patches;
    for (const PartId& part : parts_of(run)) {
        if (part.kind != PartId::Kind::head) continue;
        patches.push_back({Patch::Kind::head, part.module, part.layer, part.head, std::nullopt});
    }
    std::reverse(patches.begin(), patches.end());
    return patches;
}

AttentionKind patched_stack(const models::Run& clean, const models::Run& corrupted) {
    const models::Traits& traits = clean.model->traits();
    if (!traits.decodes) return AttentionKind::encoder_self;
    const bool sources_differ = traits.encodes && clean.trace.source != corrupted.trace.source;
    return sources_differ ? AttentionKind::encoder_self : AttentionKind::decoder_self;
}

base::Result<Patching> patch(const std::shared_ptr<const models::Run>& clean,
                             const std::shared_ptr<const models::Run>& corrupted,
                             const Question& question, const std::vector<Patch>& patches,
                             num::ThreadPool& pool, const PatchOptions& options) {
    const auto readout = readout_of(*clean);
    if (!readout) return tl::make_unexpected(readout.error());
    if (auto ok = check(question, *clean); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check_pair(*clean, *corrupted); !ok) return tl::make_unexpected(ok.error());
    const auto answer = [&](const std::optional<Answer>& known, const models::Run& run) {
        if (known) return *known;
        return answers_of(*readout, asked_row(run, *readout, question), question, pool)[0];
    };
    Patching result{answer(options.clean, *clean), answer(options.corrupted, *corrupted), {}};
    const float apart = result.clean.logit - result.corrupted.logit;
    if (apart == 0) {
        return fail(ErrorKind::out_of_range, "other",
                    "gives the same answer, so nothing can come back; change a word that matters");
    }
    if (options.begun) options.begun(result.clean, result.corrupted);
    AnswerBatch batch(*readout, question, pool,
                      [&](std::size_t first, const std::vector<Answer>& answers) {
                          std::vector<Patched> made;
                          for (std::size_t i = 0; i < answers.size(); ++i) {
                              const float back = answers[i].logit - result.corrupted.logit;
                              made.push_back({patches[first + i], back / apart, answers[i]});
                          }
                          result.patches.insert(result.patches.end(), made.begin(), made.end());
                          if (options.told) options.told(made);
                      });
    for (const Patch& one : patches) {
        const auto patched = replayed(corrupted, {from_clean(*clean, one)}, pool, options.stop);
        if (!patched) return tl::make_unexpected(patched.error());
        batch.add(**patched);
    }
    batch.flush();
    return result;
}

} // namespace heed::inside
