// Parts that are ablated together, against one run a part.
#include "inside/ablation.hpp"
#include "inside/checkpoint_runs.hpp"

#include <stop_token>

using namespace heed;
using namespace heed::inside;

TEST_CASE("parts ablated together are what runs by themselves say") {
    num::ThreadPool pool(2);
    for (const std::string family : {"gpt2", "llama", "neox", "bert", "albert", "bart", "gemma2"}) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        const auto readout = *readout_of(*run);
        for (const Index token : {Index(2), Index(5)}) {
            const Question asked{token, 17, 9};
            AblationOptions options;
            options.instead = Instead::zero;
            std::size_t told = 0;
            options.told = [&](const std::vector<Ablated>& some) { told += some.size(); };
            const auto found = ablate(run, asked, pool, options);
            REQUIRE(found);
            REQUIRE(found->parts.size() == parts_of(*run).size());
            CHECK(told == found->parts.size());
            for (const Ablated& part : found->parts) {
                CAPTURE(name(part.part), token);
                Matrix<float> none = activation_of(*run, part.part);
                none.setZero();
                const auto alone = replayed(run, {in_place_of(part.part, none)}, pool, {});
                REQUIRE(alone);
                const auto answer =
                    answers_of(readout, asked_row(**alone, readout, asked), asked, pool)[0];
                CHECK(part.answer.logit == Approx(answer.logit).margin(2e-4));
                CHECK(part.answer.probability == Approx(answer.probability).margin(1e-5));
                CHECK(part.answer.says == answer.says);
            }
        }
    }
}

TEST_CASE("ablation stops where it is asked to") {
    num::ThreadPool pool(2);
    const auto run = Checkpoint("gpt2", pool).run(pool);
    std::stop_source source;
    AblationOptions options;
    options.stop = source.get_token();
    options.told = [&](const std::vector<Ablated>&) { source.request_stop(); };
    const auto found = ablate(run, {5, 17, {}}, pool, options);
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == base::ErrorKind::cancelled);
}
