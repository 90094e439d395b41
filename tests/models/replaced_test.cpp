#include "models/model/sides.hpp"
#include "models/recurrent_models.hpp"
#include "models/sentences.hpp"

#include <utility>

using namespace heed;
using namespace heed::models;
using trace::AttentionKind;

namespace {

using Place = Replacement::Place;

std::shared_ptr<const Run> replaced(const std::shared_ptr<const Run>& run, Replacement replacement,
                                    num::ThreadPool& pool, bool shared) {
    RunOptions options;
    if (shared) options.previous = run;
    options.replaced = {std::move(replacement)};
    return ran(run->model, run->input, run->controls, pool, options);
}

Replacement zeros(Place place, AttentionKind kind, int layer, num::Index row, num::Index rows,
                  num::Index width) {
    return {place, kind, layer, 0, row, num::Matrix<float>::Zero(rows, width)};
}

base::ErrorKind refused(const std::shared_ptr<const Model>& model, const Input& input,
                        Replacement replacement, num::ThreadPool& pool) {
    RunOptions options;
    options.replaced = {std::move(replacement)};
    const auto made = models::run(model, input, {}, pool, options);
    REQUIRE_FALSE(made);
    CHECK(made.error().subject == "replaced");
    return made.error().kind;
}

} // namespace

TEST_CASE("a replaced activation comes to the same numbers with and without a run before it") {
    num::ThreadPool pool(2);
    for (const NormOrder norm : {NormOrder::pre, NormOrder::post}) {
        ModelSpec spec = tiny();
        spec.norm = norm;
        const auto run = ran(drawn(spec, pool), sentence(), {}, pool);
        const num::Index d = spec.d_model, head = d / spec.n_heads;
        for (const Replacement& r :
             {zeros(Place::context, AttentionKind::encoder_self, 1, 0, 6, head),
              zeros(Place::context, AttentionKind::decoder_self, 1, 2, 3, head),
              zeros(Place::context, AttentionKind::cross, 0, 1, 2, head),
              zeros(Place::attention, AttentionKind::cross, 1, 3, 1, d),
              zeros(Place::feed_forward, AttentionKind::decoder_self, 0, 4, 1, d),
              zeros(Place::residual, AttentionKind::encoder_self, -1, 2, 1, d),
              zeros(Place::residual, AttentionKind::decoder_self, 0, 2, 2, d)}) {
            const auto with = replaced(run, r, pool, true), alone = replaced(run, r, pool, false);
            CHECK(same_numbers(with->trace, alone->trace));
            CHECK_FALSE(same_numbers(with->trace, run->trace));
            CHECK(with->layers_reused > 0);
            CHECK(alone->layers_reused == 0);
        }
    }
}

TEST_CASE("an activation that takes its own place changes nothing") {
    num::ThreadPool pool(2);
    const auto run = ran(drawn(tiny(), pool), sentence(), {}, pool);
    const auto own = run->trace.tensor("decoder.layers.0.linear2");
    const auto again = replaced(
        run, {Place::feed_forward, AttentionKind::decoder_self, 0, 0, 0, own->values}, pool, true);
    CHECK(same_numbers(again->trace, run->trace));
}

TEST_CASE("a run with replaced activations is none that a later run begins with") {
    num::ThreadPool pool(2);
    const auto run = ran(drawn(tiny(), pool), sentence(), {}, pool);
    const auto other =
        replaced(run, zeros(Place::residual, AttentionKind::encoder_self, 0, 0, 6, tiny().d_model),
                 pool, true);
    RunOptions options;
    options.previous = other;
    const auto later = ran(run->model, run->input, {}, pool, options);
    CHECK(later->layers_reused == 0);
    CHECK(same_numbers(later->trace, run->trace));
}

TEST_CASE("replaced activations that a model has not are refused by what is wrong with them") {
    num::ThreadPool pool(2);
    const auto model = drawn(tiny(), pool);
    const auto d = static_cast<num::Index>(tiny().d_model);
    const auto of = [&](const Replacement& r) { return refused(model, sentence(), r, pool); };
    using base::ErrorKind;
    constexpr AttentionKind kSelf = AttentionKind::encoder_self;
    CHECK(of(zeros(Place::residual, kSelf, 99, 0, 1, d)) == ErrorKind::out_of_range);
    CHECK(of(zeros(Place::feed_forward, kSelf, -1, 0, 1, d)) == ErrorKind::out_of_range);
    CHECK(of(zeros(Place::residual, kSelf, 0, 5, 2, d)) == ErrorKind::out_of_range);
    CHECK(of(zeros(Place::residual, kSelf, 0, -1, 1, d)) == ErrorKind::out_of_range);
    CHECK(of(zeros(Place::residual, kSelf, 0, 0, 0, d)) == ErrorKind::out_of_range);
    CHECK(of(zeros(Place::residual, kSelf, 0, 0, 1, d + 1)) == ErrorKind::mismatch);
    CHECK(of({Place::context, kSelf, 0, 99, 0, num::Matrix<float>::Zero(1, d)}) ==
          ErrorKind::out_of_range);
    CHECK(of(zeros(Place::context, kSelf, 0, 0, 1, d)) == ErrorKind::mismatch);
    const auto recurrent = drawn(small_recurrent(), pool);
    CHECK(refused(recurrent, sentence(), zeros(Place::residual, kSelf, 0, 0, 1, d), pool) ==
          ErrorKind::mismatch);
}
