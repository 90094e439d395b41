#include "app/engine/computation.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/pictures.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "models/text_checkpoint.hpp"
#include "models/transformer/transformer.hpp"
#include "small_document.hpp"
#include "temporary_folder.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <sys/stat.h>

using namespace heed;
using app::Engine;
using app::Focus;
using trace::AttentionKind;
using trace::Stage;

TEST_CASE("a new engine has an empty snapshot and is not busy") {
    Engine engine(nullptr, 1);
    REQUIRE(engine.latest() != nullptr);
    CHECK(engine.latest()->run == nullptr);
    CHECK(engine.latest()->revision == 0);
    CHECK_FALSE(engine.busy());
}

TEST_CASE("a request is answered with a run and everything that is drawn of it") {
    std::atomic<int> woken = 0;
    Engine engine([&] { ++woken; }, 2);
    Focus focus;
    focus.head = {AttentionKind::encoder_self, 1, 3};
    const auto revision = engine.submit(small_document(), focus);
    const auto snapshot = engine.wait_for(revision);
    REQUIRE(snapshot->revision == revision);
    REQUIRE_FALSE(snapshot->error.has_value());
    REQUIRE(snapshot->run != nullptr);
    CHECK(snapshot->document == small_document());
    CHECK(snapshot->focus == focus);
    for (const auto& thumbnails : snapshot->thumbnails) {
        REQUIRE(thumbnails != nullptr);
        CHECK(thumbnails->layers == 2);
        CHECK(thumbnails->heads == 4);
        REQUIRE(thumbnails->weights.size() == 8);
        for (const auto& map : thumbnails->weights) REQUIRE(map != nullptr);
    }
    const auto map = snapshot->run->trace.map(focus.head);
    REQUIRE(map.has_value());
    CHECK(*snapshot->map == map->whole(Stage::weights));
    CHECK(*snapshot->thumbnails[0]->weights[4 + 3] == *snapshot->map);
    CHECK(snapshot->strip.size() >= std::size(trace::kStages));
    CHECK(snapshot->run_milliseconds > 0);
    CHECK_FALSE(engine.busy());
}

TEST_CASE("the newest request wins") {
    Engine engine(nullptr, 2);
    std::uint64_t last = 0;
    for (int i = 0; i < 200; ++i) {
        app::Document document = small_document();
        document.source = "word" + std::to_string(i);
        last = engine.submit(document, {});
    }
    const auto snapshot = engine.wait_for(last);
    CHECK(snapshot->revision == last);
    CHECK(snapshot->document.source == "word199");
    CHECK(snapshot->run->trace.source.at(0).text == "word199");
    CHECK_FALSE(engine.busy());
}

TEST_CASE("snapshots can be read by other threads while requests come") {
    Engine engine(nullptr, 2);
    std::atomic<bool> over = false;
    std::uint64_t seen = 0;
    std::thread reader([&] {
        while (!over) {
            const auto snapshot = engine.latest();
            if (snapshot->revision < seen) std::terminate(); // revisions only grow
            seen = snapshot->revision;
            if (snapshot->map) static_cast<void>(snapshot->map->sum());
        }
    });
    std::uint64_t last = 0;
    for (int i = 0; i < 50; ++i) {
        app::Document document = small_document();
        document.source += " and" + std::to_string(i);
        last = engine.submit(document, {});
        if (i % 10 == 0) engine.wait_for(last);
    }
    engine.wait_for(last);
    over = true;
    reader.join();
    CHECK(engine.latest()->revision == last);
}

TEST_CASE("an engine that dies in the middle of a long run stops it") {
    app::Document document = small_document();
    document.source.clear();
    for (int i = 0; i < 1500; ++i) document.source += "w" + std::to_string(i) + " ";
    document.target = document.source;
    Engine engine(nullptr, 2);
    engine.submit(document, {});
}

TEST_CASE("a request that fails keeps the last good run and says why") {
    Engine engine(nullptr, 1);
    const auto good = engine.wait_for(engine.submit(small_document(), {}));
    app::Document empty = small_document();
    empty.source = " \n ";
    const auto failed = engine.wait_for(engine.submit(empty, {}));
    REQUIRE(failed->error.has_value());
    CHECK(base::describe(*failed->error).find("source") != std::string::npos);
    CHECK(failed->run == good->run);
    CHECK(failed->map == good->map);
    CHECK(failed->document == empty);

    SECTION("heads can still be looked at") {
        Focus focus;
        focus.head = {AttentionKind::cross, 1, 2};
        const auto moved = engine.wait_for(engine.submit(empty, focus));
        CHECK(moved->error.has_value());
        CHECK(moved->focus == focus);
        CHECK(*moved->map == good->run->trace.map(focus.head)->whole(Stage::weights));
    }
    SECTION("the next good request has no error") {
        CHECK_FALSE(engine.wait_for(engine.submit(small_document(), {}))->error.has_value());
    }
}

TEST_CASE("controls that are not numbers are refused with a message") {
    app::Document document = small_document();
    models::HeadControls controls;
    controls.temperature = std::numeric_limits<float>::quiet_NaN();
    document.controls.set({}, controls);
    Engine engine(nullptr, 1);
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    REQUIRE(snapshot->error.has_value());
    CHECK(base::describe(*snapshot->error).find("temperature") != std::string::npos);
}

TEST_CASE("a model that cannot be is refused with its numbers") {
    app::Document document = small_document();
    models::spec_of(document.model)->d_model = 30;
    Engine engine(nullptr, 1);
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    REQUIRE(snapshot->error.has_value());
    CHECK(base::describe(*snapshot->error).find("30") != std::string::npos);
    CHECK(snapshot->run == nullptr);
}

TEST_CASE("a toggle in a decoder layer reuses the encoder and the layers below") {
    Engine engine(nullptr, 2);
    const auto before = engine.wait_for(engine.submit(small_document(), {}));
    app::Document toggled = small_document();
    scale_off(toggled, AttentionKind::decoder_self, 1);
    const auto after = engine.wait_for(engine.submit(toggled, {}));
    REQUIRE_FALSE(after->error.has_value());
    const auto encoder = static_cast<std::size_t>(AttentionKind::encoder_self);
    const auto decoder = static_cast<std::size_t>(AttentionKind::decoder_self);
    CHECK(after->layers_reused >= 4);
    CHECK(after->thumbnails[encoder] == before->thumbnails[encoder]);
    CHECK(after->thumbnails[decoder]->weights[0] == before->thumbnails[decoder]->weights[0]);
    CHECK(after->thumbnails[decoder]->weights[4] != before->thumbnails[decoder]->weights[4]);
    CHECK(after->run->trace.attention(AttentionKind::decoder_self, 0) ==
          before->run->trace.attention(AttentionKind::decoder_self, 0));
}

TEST_CASE("the same model is not drawn again for another sentence") {
    Engine engine(nullptr, 1);
    const auto before = engine.wait_for(engine.submit(small_document(), {}));
    app::Document other = small_document();
    other.source = "Another sentence";
    const auto after = engine.wait_for(engine.submit(other, {}));
    CHECK(after->run->model == before->run->model);
    models::spec_of(other.model)->seed = 2;
    CHECK(engine.wait_for(engine.submit(other, {}))->run->model != before->run->model);
}

TEST_CASE("a moved focus alone runs nothing") {
    Engine engine(nullptr, 1);
    const auto before = engine.wait_for(engine.submit(small_document(), {}));
    Focus focus;
    focus.head.head = 2;
    focus.stage = Stage::q;
    const auto after = engine.wait_for(engine.submit(small_document(), focus));
    CHECK(after->run == before->run);
    CHECK(after->map->cols() == 8);
    CHECK(after->focus == focus);
}

TEST_CASE("a focus that the model has not is moved to what it has") {
    Engine engine(nullptr, 1);
    app::Document document = small_document();
    models::spec_of(document.model)->architecture = models::Architecture::encoder_only;
    Focus focus;
    focus.head = {AttentionKind::cross, 40, 90};
    const auto snapshot = engine.wait_for(engine.submit(document, focus));
    REQUIRE(snapshot->map != nullptr);
    CHECK(snapshot->focus.head == trace::HeadId{AttentionKind::encoder_self, 1, 3});
    CHECK(snapshot->thumbnails[static_cast<std::size_t>(AttentionKind::cross)] == nullptr);
}

TEST_CASE("a paste of 100 000 words is cut, and the number left out is told") {
    app::Document document = small_document();
    models::spec_of(document.model)->n_heads = 1; // what is counted here is tokens, not time
    models::spec_of(document.model)->n_encoder_layers =
        models::spec_of(document.model)->n_decoder_layers = 1;
    document.source.clear();
    for (int i = 0; i < 100000; ++i) document.source += "word ";
    Engine engine(nullptr, 2);
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    REQUIRE_FALSE(snapshot->error.has_value());
    CHECK(snapshot->run->trace.source.size() == models::kMaxTokens);
    CHECK(snapshot->source_tokens_dropped == 100000 - models::kMaxTokens);
    CHECK(snapshot->target_tokens_dropped == 0);
    CHECK(snapshot->thumbnails[0]->weights[0]->rows() == app::kThumbnail);
}

TEST_CASE("a row whose keys are all masked is all zero, and no picture holds a NaN") {
    app::Document document = small_document();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index key = 0; key < 6; ++key) controls.mask->painted.emplace_back(2, key);
    document.controls.set({AttentionKind::encoder_self, std::nullopt, std::nullopt}, controls);
    Engine engine(nullptr, 1);
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    REQUIRE_FALSE(snapshot->error.has_value());
    CHECK((snapshot->map->row(2).array() == 0).all());
    CHECK(std::isfinite(snapshot->summary.mean_entropy_bits));
    for (const auto& map : snapshot->thumbnails[0]->weights) CHECK(map->allFinite());
}

TEST_CASE("a model file that is not there is an error, and the window goes on") {
    app::Document document = small_document();
    document.model_file = "/nowhere/model.safetensors";
    Engine engine(nullptr, 1);
    const auto failed = engine.wait_for(engine.submit(document, {}));
    REQUIRE(failed->error.has_value());
    CHECK(base::describe(*failed->error).find("model.safetensors") != std::string::npos);
    CHECK_FALSE(engine.wait_for(engine.submit(small_document(), {}))->error.has_value());
}

TEST_CASE("a model that is a pipe is an error, and neither the engine nor its end waits for it") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "model.safetensors";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    app::Document document = small_document();
    for (const std::string& model : {pipe, std::string("/dev/zero")}) {
        document.model_file = model;
        Engine engine(nullptr, 1);
        const auto failed = engine.wait_for(engine.submit(document, {}));
        REQUIRE(failed->error.has_value());
        CHECK(base::describe(*failed->error).find(model + ": is not a file but a") == 0);
    }
}

TEST_CASE("what is asked for again meanwhile is not begun anew") {
    app::Document document = small_document();
    models::spec_of(document.model)->n_encoder_layers = 12;
    for (int i = 0; i < 1500; ++i) document.source += " word";
    std::mutex lock;
    std::set<std::uint64_t> published;
    Engine* asked = nullptr;
    Engine engine(
        [&] {
            const std::scoped_lock held(lock);
            if (asked) published.insert(asked->latest()->revision);
        },
        1);
    {
        const std::scoped_lock held(lock);
        asked = &engine;
    }
    const std::uint64_t first = engine.submit(document, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(150)); // runs are let finish for 100
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    CHECK_FALSE(snapshot->error);
    const std::scoped_lock held(lock);
    CHECK(published.contains(first));
}

TEST_CASE("controls for a head that a model file lacks do not fail its runs") {
    const TemporaryFolder folder;
    const std::string path = folder / "model.safetensors";
    app::Document document = small_document();
    num::ThreadPool pool(1);
    const auto model = models::draw_model(document.model, pool);
    REQUIRE(model);
    REQUIRE((*model)->save(path).has_value());
    document.model_file = path;
    models::HeadControls off;
    off.gain = 0;
    document.controls.set({trace::AttentionKind::encoder_self, 50, 0}, off);
    Engine engine([] {}, 1);
    const auto snapshot = engine.wait_for(engine.submit(document, {}));
    CHECK_FALSE(snapshot->error);
    CHECK(snapshot->run);
}

TEST_CASE("a model file that was overwritten is read again, for the reference too") {
    const TemporaryFolder folder;
    const std::string path = folder / "model.safetensors";
    app::Document document = small_document();
    num::ThreadPool pool(1);
    const auto save = [&](std::uint64_t seed) {
        models::spec_of(document.model)->seed = seed;
        const auto model = models::draw_model(document.model, pool);
        REQUIRE(model);
        REQUIRE((*model)->save(path).has_value());
    };
    save(1);
    app::Document opened = small_document();
    opened.model_file = path;
    app::Computation computation(1);
    const auto answer = [&] {
        const auto snapshot =
            computation.answer({1, opened, {}, {}, app::unaltered(opened, app::Focus{})}, {});
        REQUIRE_FALSE(snapshot->error);
        return snapshot;
    };
    const auto first = answer();
    CHECK(answer()->run == first->run);
    save(2);
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) +
                                               std::chrono::seconds(1));
    const auto second = answer();
    CHECK(second->run != first->run);
    CHECK((*second->map - *first->map).cwiseAbs().maxCoeff() > 0);
    CHECK(*second->reference->map == *second->map);
    std::filesystem::remove(path); // what was read of it stands
    CHECK(answer()->run == second->run);
}

TEST_CASE("a folder whose weights were overwritten is read again, and a log beside them is not") {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const std::string path = folder / "gpt";
    make_text_checkpoint(path);
    const auto write = [&](const std::string& file, const std::string& bytes, int seconds) {
        REQUIRE(base::write_file_atomic(path + "/" + file, bytes));
        fs::last_write_time(path + "/" + file,
                            fs::file_time_type::clock::now() + std::chrono::seconds(seconds));
    };
    app::Computation computation(1);
    for (const std::string& opened : {path, path + "/config.json"}) {
        CAPTURE(opened);
        app::Document document = small_document();
        document.model_file = opened;
        document.source = document.target = "the cat sat";
        const auto answer = [&] {
            const auto snapshot =
                computation.answer({1, document, {}, {}, app::unaltered(document, Focus{})}, {});
            REQUIRE_FALSE(snapshot->error);
            return snapshot->run;
        };
        const auto first = answer();
        write("events.log", "step 1", 10);
        CHECK(answer()->model == first->model);
        write("model.safetensors", *base::read_file(path + "/model.safetensors", 1 << 24),
              opened == path ? 20 : 30);
        CHECK(answer()->model != first->model);
    }
}
