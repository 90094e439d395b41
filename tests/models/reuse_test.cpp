#include "models/sentences.hpp"

#include "nn/attention/score_info.hpp"
#include "num/random.hpp"

#include <set>
#include <string>

using namespace heed;
using namespace heed::models;
using trace::AttentionKind;

namespace {

ModelSpec six_layers() {
    ModelSpec c = tiny();
    c.d_model = 32;
    c.d_ff = 32;
    c.n_encoder_layers = c.n_decoder_layers = 6;
    return c;
}

HeadControls gain(float value) {
    HeadControls c;
    c.gain = value;
    return c;
}

// Names of the layers of b that it does not share with a.
std::set<std::string> computed(const Run& a, const Run& b) {
    std::set<std::string> names;
    int shared = 0;
    for (std::size_t i = 0; i < b.trace.layers.size(); ++i) {
        if (a.trace.layers[i] == b.trace.layers[i]) {
            ++shared;
        } else {
            names.insert(b.trace.layers[i]->name);
        }
    }
    CHECK(shared == b.layers_reused);
    return names;
}

} // namespace

TEST_CASE("what an edit does not reach is not computed again") {
    num::ThreadPool pool(2);
    const auto model = drawn(six_layers(), pool);
    const auto first = ran(model, sentence(), {}, pool);
    CHECK(first->layers_reused == 0);
    RunOptions after;
    after.previous = first;

    SECTION("nothing changed") {
        const auto second = ran(model, sentence(), {}, pool, after);
        CHECK(computed(*first, *second).empty());
    }
    SECTION("the scale of the last decoder layer") {
        Controls controls;
        HeadControls off;
        off.scale = Scale{Scale::Kind::off, 1};
        controls.set({AttentionKind::cross, 5, {}}, off);
        const auto second = ran(model, sentence(), controls, pool, after);
        CHECK(computed(*first, *second) ==
              std::set<std::string>{"decoder.layers.5", "decoder.norm"});
        CHECK(second->layers_reused == 14);
    }
    SECTION("one head of encoder layer 3") {
        Controls controls;
        controls.set({AttentionKind::encoder_self, 3, 1}, gain(2));
        const auto second = ran(model, sentence(), controls, pool, after);
        const auto names = computed(*first, *second);
        CHECK(names.size() == 11);
        for (const char* name : {"encoder.embedding", "encoder.layers.0", "encoder.layers.1",
                                 "encoder.layers.2", "decoder.embedding"}) {
            CHECK_FALSE(names.contains(name));
        }
    }
    SECTION("the target") {
        Input input = sentence();
        input.target.push_back({"!", 30, 31});
        const auto second = ran(model, input, {}, pool, after);
        CHECK(second->layers_reused == 8);
        CHECK(computed(*first, *second).count("encoder.norm") == 0);
    }
    SECTION("the source") {
        Input input = sentence();
        input.source[0].text = "A";
        const auto second = ran(model, input, {}, pool, after);
        CHECK(second->layers_reused == 1); // the decoder's embedding
    }
    SECTION("the norm order") {
        Controls controls;
        controls.norm = NormOrder::pre;
        CHECK(ran(model, sentence(), controls, pool, after)->layers_reused == 2);
        controls.norm = NormOrder::post; // what the model has anyway
        CHECK(ran(model, sentence(), controls, pool, after)->layers_reused == 16);
    }
    SECTION("another model") {
        ModelSpec config = six_layers();
        config.seed = 5;
        CHECK(ran(drawn(config, pool), sentence(), {}, pool, after)->layers_reused == 0);
    }
}

TEST_CASE("a run that shares layers equals a fresh one, bit for bit, over any series of edits") {
    num::ThreadPool pool(2);
    ModelSpec config = tiny();
    config.d_model = 32;
    config.n_encoder_layers = config.n_decoder_layers = 3;
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        config.architecture = architecture;
        const auto model = drawn(config, pool);
        const num::Rng draws(3, name(architecture));
        std::uint64_t at = 0;
        const auto pick = [&](int n) {
            return static_cast<int>(draws.bits(at++) % static_cast<std::uint64_t>(n));
        };
        Input input = sentence();
        Controls controls;
        std::shared_ptr<const Run> previous;
        int reused = 0;
        for (int edit = 0; edit < 120; ++edit) {
            Scope scope;
            if (architecture == Architecture::encoder_decoder && pick(2) == 0) {
                scope.kind = trace::kAttentionKinds[pick(3)];
            }
            if (pick(4) != 0) scope.layer = pick(3);
            if (pick(2) == 0) scope.head = pick(4);
            HeadControls c = controls.at(scope);
            switch (pick(14)) {
            case 0: c.gain = static_cast<float>(pick(3)); break;
            case 1: c.temperature = 1 + static_cast<float>(pick(3)); break;
            case 2: c.score = nn::kScores[pick(static_cast<int>(nn::kScores.size()))]; break;
            case 3: c.positions = nn::kPositions[pick(6)]; break;
            case 4:
                c.mask = nn::Mask{pick(2) == 0, pick(2) == 0, pick(3), {{pick(7), pick(7)}}};
                break;
            case 5: c = {}; break;
            case 6: c.scale = Scale{Scale::Kind::factor, static_cast<float>(pick(2))}; break;
            case 7: input.target = tokens(1 + pick(6)); break;
            case 8: input.source = tokens(1 + pick(6)); break;
            case 9: input.pad_to = pick(8); break;
            case 10: controls.norm = pick(2) == 0 ? NormOrder::pre : NormOrder::post; break;
            case 11: controls.join = pick(2) == 0 ? nn::Join::add : nn::Join::concatenate; break;
            case 12: controls.dropout = {pick(3) == 0 ? 0.2f : 0.f, draws.bits(at++)}; break;
            case 13: c.edits = {{pick(7), pick(7), 0.25f * static_cast<float>(pick(5))}}; break;
            }
            controls.set(scope, c);
            RunOptions options;
            options.previous = previous;
            const auto shared = ran(model, input, controls, pool, options);
            REQUIRE(same_numbers(shared->trace, ran(model, input, controls, pool)->trace));
            reused += shared->layers_reused;
            previous = shared;
        }
        CHECK(reused > 100); // or this test would compare nothing
    }
}
