#include "models/sentences.hpp"

#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace heed;
using namespace heed::models;
using trace::AttentionKind;

namespace {

ModelSpec language_model() {
    ModelSpec c = tiny(Architecture::decoder_only);
    c.d_model = 24;
    c.n_heads = 4;
    c.n_decoder_layers = 3;
    c.d_ff = 40;
    c.reads = Reads::ids;
    c.norm = NormOrder::pre;
    c.activation = nn::Activation::gelu_tanh;
    c.positions = nn::Positions::learned;
    return c;
}

// A specification for each thing of a family that rows may depend on.
std::vector<std::pair<std::string, ModelSpec>> families() {
    std::vector<std::pair<std::string, ModelSpec>> all;
    const auto add = [&](std::string name, auto change) {
        ModelSpec c = language_model();
        change(c);
        all.emplace_back(std::move(name), c);
    };
    add("learned positions", [](ModelSpec&) {});
    add("rotary positions, grouped heads, gated", [](ModelSpec& c) {
        c.positions = nn::Positions::rotary;
        c.attention.n_kv_heads = 2;
        c.attention.head_norm = true;
        c.feed_forward.gated = true;
        c.norms.kind = nn::NormKind::rms;
    });
    add("sliding windows, bounded scores, norms after", [](ModelSpec& c) {
        c.positions = nn::Positions::rotary;
        c.attention.windows = {3, 0};
        c.attention.softcap = 2;
        c.norms.after = true;
    });
    add("relative buckets", [](ModelSpec& c) { c.positions = nn::Positions::relative; });
    add("ALiBi, a parallel feed-forward of ReLU", [](ModelSpec& c) {
        c.positions = nn::Positions::alibi;
        c.activation = nn::Activation::relu;
        c.feed_forward.parallel = true;
        c.norms.shared = true;
    });
    return all;
}

Input ids(const std::vector<int>& rows) {
    Input input;
    for (const int row : rows) {
        text::Token token;
        token.text = std::to_string(row);
        token.row = row;
        input.target.push_back(token);
    }
    return input;
}

// How many leading rows a layer took from the run before, where it has kept some: the rows of its
// tensors are made when they are looked at.
bool keeps_rows(const trace::Layer& layer) {
    return !layer.attentions.empty() && layer.tensors.size() == 1 && layer.remade.size() > 1;
}
int layers_that_keep_rows(const Run& run) {
    int count = 0;
    for (const auto& layer : run.trace.layers) count += keeps_rows(*layer);
    return count;
}

const std::vector<int> kText = {11, 40, 7, 7, 300, 12, 5, 81, 2, 19};

std::vector<int> changed(std::vector<int> rows, std::size_t at) {
    rows[at] += 100;
    return rows;
}
std::vector<int> longer(std::vector<int> rows, int more) {
    for (int i = 0; i < more; ++i) rows.push_back(50 + i);
    return rows;
}

} // namespace

TEST_CASE("rows before the first token that differs are kept, and no number is another") {
    num::ThreadPool pool(2);
    for (const auto& [name, config] : families()) {
        CAPTURE(name);
        const auto model = drawn(config, pool);
        auto previous = ran(model, ids(kText), {}, pool);
        const auto then = [&](const std::vector<int>& rows, const Controls& controls, int kept) {
            RunOptions after;
            after.previous = previous;
            const auto run = ran(model, ids(rows), controls, pool, after);
            CHECK(layers_that_keep_rows(*run) == kept);
            CHECK(same_numbers(run->trace, ran(model, ids(rows), controls, pool)->trace));
            previous = run;
        };
        for (int more = 1; more < 6; ++more) then(longer(kText, more), {}, 3); // typed
        then(longer(kText, 9), {}, 3);                                         // pasted
        then(changed(longer(kText, 9), 6), {}, 3);                             // in the middle
        then(changed(longer(kText, 9), 4), {}, 3);
        then(changed(kText, 4), {}, 3); // shortened
        then({11, 40}, {}, 3);
        then(changed(kText, 0), {}, 0); // nothing is left of it

        Controls controls;
        HeadControls gain;
        gain.gain = 0;
        controls.set({AttentionKind::decoder_self, 2, 1}, gain); // a fader in the last layer
        then(changed(kText, 0), controls, 0);
        CHECK(previous->layers_reused == 3); // the embedding and the two layers before
        then(changed(longer(kText, 2), 0), controls, 3);
        then(changed(longer(kText, 3), 0), {}, 2); // and off again while another token comes

        HeadControls edited;
        edited.edits = {{5, 1, 0.75f}};
        controls = {};
        controls.set({AttentionKind::decoder_self, 0, 0}, edited);
        then(changed(longer(kText, 3), 0), controls, 3); // rows before the edited one
        then(changed(longer(kText, 4), 0), controls, 3);
        HeadControls painted;
        painted.mask = nn::Mask{false, true, {}, {{8, 2}}};
        painted.edits = {{5, 6, 0.5f}}; // where the mask lets nothing through
        controls.set({AttentionKind::decoder_self, 0, 0}, painted);
        const bool windows = !config.attention.windows.empty(); // of another width from here on
        then(changed(longer(kText, 4), 0), controls, windows ? 0 : 3);
        then(changed(changed(longer(kText, 4), 0), 6), controls, 3);

        HeadControls open;
        open.mask = nn::Mask{}; // a head that looks ahead
        controls = {};
        controls.set({AttentionKind::decoder_self, 1, 3}, open);
        then(kText, {}, 0);
        then(kText, controls, 0); // the first layer is shared whole
        then(longer(kText, 1), controls, 1);
        controls.dropout = {0.2f, 7};
        then(longer(kText, 1), controls, 0);
        then(longer(kText, 2), controls, 0);
    }
}

TEST_CASE("runs that continue one run do not see each other's rows") {
    num::ThreadPool pool(2);
    for (const auto& [name, config] : families()) {
        CAPTURE(name);
        const auto model = drawn(config, pool);
        const auto key_rows = [](const Run& run) {
            return run.trace.attention(AttentionKind::decoder_self, 1)->k.data();
        };
        const auto fresh = [&](const std::vector<int>& rows) {
            return ran(model, ids(rows), {}, pool);
        };
        const auto behind = [&](const std::shared_ptr<const Run>& run,
                                const std::vector<int>& rows) {
            RunOptions after;
            after.previous = run;
            return ran(model, ids(rows), {}, pool, after);
        };
        const auto text = fresh(kText);
        auto one = behind(text, longer(kText, 1));
        const auto other = behind(text, changed(longer(kText, 1), kText.size()));
        const auto third = behind(one, longer(kText, 3));
        CHECK(key_rows(*one) == key_rows(*text)); // nothing was copied
        CHECK(key_rows(*other) != key_rows(*text));
        CHECK(key_rows(*third) == key_rows(*text));
        CHECK(same_numbers(text->trace, fresh(kText)->trace));
        CHECK(same_numbers(one->trace, fresh(longer(kText, 1))->trace));
        CHECK(same_numbers(other->trace, fresh(changed(longer(kText, 1), kText.size()))->trace));
        one.reset();
        CHECK(same_numbers(third->trace, fresh(longer(kText, 3))->trace));
    }
}

TEST_CASE("a run is read while another thread continues it") {
    num::ThreadPool pool(2);
    const auto model = drawn(language_model(), pool);
    const auto text = ran(model, ids(kText), {}, pool);
    const auto sum = [](const Run& run) {
        double all = 0;
        for (const auto& layer : run.trace.layers) {
            all += static_cast<double>(layer->tensors.back()->values.sum());
            for (const auto& a : layer->attentions) {
                all += static_cast<double>(a->k.sum() + a->v.sum() + a->context.sum());
            }
        }
        return all;
    };
    const double expected = sum(*text);
    bool same = true;
    std::thread reader([&] {
        for (int i = 0; i < 300; ++i) same = same && sum(*text) == expected;
    });
    RunOptions after;
    after.previous = text;
    for (int i = 0; i < 100; ++i) ran(model, ids(longer(kText, 1 + i % 3)), {}, pool, after);
    reader.join();
    CHECK(same);
}

TEST_CASE("a target that grows keeps its rows, since its source stays") {
    num::ThreadPool pool(2);
    ModelSpec config = language_model();
    config.architecture = Architecture::encoder_decoder;
    config.n_encoder_layers = 2;
    const auto model = drawn(config, pool);
    Input input = ids(kText);
    input.source = ids({9, 8, 7}).target;
    RunOptions after;
    after.previous = ran(model, input, {}, pool);
    input.target = ids(longer(kText, 1)).target;
    const auto grown = ran(model, input, {}, pool, after);
    CHECK(layers_that_keep_rows(*grown) == 3);
    CHECK(same_numbers(grown->trace, ran(model, input, {}, pool)->trace));
    after.previous = grown;
    input.source = ids({9, 8}).target;
    input.target = ids(longer(kText, 2)).target;
    const auto other = ran(model, input, {}, pool, after);
    CHECK(layers_that_keep_rows(*other) == 0);
    CHECK(same_numbers(other->trace, ran(model, input, {}, pool)->trace));
}

TEST_CASE("a run of another order of norms or with all weights asked for is made whole") {
    num::ThreadPool pool(1);
    const auto model = drawn(language_model(), pool);
    RunOptions after;
    after.previous = ran(model, ids(kText), {}, pool);
    const auto grown = ids(longer(kText, 1));
    std::vector<float> weights(3 * 4 * 11 * 11), expected(weights.size());
    after.all_weights = weights.data();
    RunOptions alone;
    alone.all_weights = expected.data();
    CHECK(layers_that_keep_rows(*ran(model, grown, {}, pool, after)) == 0);
    ran(model, grown, {}, pool, alone);
    CHECK(weights == expected);
    after.all_weights = nullptr;
    Controls controls;
    controls.norm = NormOrder::post;
    CHECK(layers_that_keep_rows(*ran(model, grown, controls, pool, after)) == 0);
}

TEST_CASE("a newer edit stops a run of a model from elsewhere at its next layer") {
    num::ThreadPool pool(2);
    const auto model = drawn(language_model(), pool);
    std::stop_source newer;
    RunOptions after;
    after.previous = ran(model, ids(kText), {}, pool);
    after.stop = newer.get_token();
    newer.request_stop();
    for (const auto& rows : {longer(kText, 1), changed(kText, 0), kText}) {
        const auto stopped = run(model, ids(rows), {}, pool, after);
        REQUIRE_FALSE(stopped);
        CHECK(stopped.error().kind == base::ErrorKind::cancelled);
        CHECK(stopped.error().subject == "decoder.embedding"); // the first, and no further
    }
}
