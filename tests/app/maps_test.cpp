// Attention that another program wrote: opened, drawn and written without a model.
#include "app/engine/computation.hpp"
#include "app/files/open_file.hpp"
#include "app/views/export.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"

#include <filesystem>

using namespace heed;
using app::View;

namespace {

/// As `heed attend` writes it, of a small transformer.
std::string written_maps(const TemporaryFolder& folder, const std::string& name) {
    const HeedRan ran = heed_ran({"attend", "--size", "tiny", "--source", "the black cat",
                                  "--target", "le chat noir", "-o", folder / name});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return folder / name;
}

app::Document document_of(const std::string& path) {
    app::Document document;
    document.model_file = path;
    return document;
}

std::shared_ptr<const app::Snapshot>
mapped(const app::Document& document, const app::ViewState& state, const app::Focus& focus = {}) {
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot);
    while (auto more = computation.refine({})) snapshot = more;
    return snapshot;
}

std::string texts_of(const figure::Figure& figure) {
    std::string words;
    for (const figure::Primitive& item : figure.items) {
        if (const auto* text = std::get_if<figure::Text>(&item)) words += text->text + " ";
    }
    return words;
}

} // namespace

TEST_CASE("every view of weights draws a file of maps as it draws the run that wrote it") {
    const TemporaryFolder folder;
    const std::string path = written_maps(folder, "x.npz");
    const std::vector<std::string> live{"--size",        "tiny",     "--source",
                                        "the black cat", "--target", "le chat noir"};
    for (const std::string view : {"heatmap", "heads", "lines", "flow"}) {
        for (const std::string kind : {"encoder", "decoder", "cross"}) {
            if (view == "flow" && kind == "cross") continue; // it follows self-attention
            CAPTURE(view, kind);
            const auto made = [&](const std::vector<std::string>& source, const char* name) {
                std::vector<std::string> flags{
                    "export",     "--view",      view,     "--attention", kind,
                    "--layer",    "2",           "--head", "3",           "--no-caption",
                    "--no-title", "--rows-read", "-o",     folder / name};
                flags.insert(flags.end(), source.begin(), source.end());
                const HeedRan ran = heed_ran(flags);
                INFO(ran.err);
                REQUIRE(ran.code == 0);
                return folder.bytes(name);
            };
            CHECK(made({"--maps", path}, "maps.csv") == made(live, "live.csv"));
            // Which cells a mask left out is not in the file.
            if (view == "heatmap" && kind == "decoder") continue;
            CHECK(made({"--maps", path}, "maps.svg") == made(live, "live.svg"));
        }
    }
}

TEST_CASE("what needs a model says so in its place, and nothing of it is written as numbers") {
    const TemporaryFolder folder;
    const std::string path = written_maps(folder, "x.json");
    for (const View view : {View::neurons, View::stages, View::positions, View::softmax}) {
        app::ViewState state;
        state.view = view;
        const auto snapshot = mapped(document_of(path), state);
        REQUIRE_FALSE(snapshot->error);
        CAPTURE(app::info(view).name);
        CHECK(contains(texts_of(app::make_figure(*snapshot, state, 700, 500)), "weights alone"));
        CHECK(app::view_tables(*snapshot, state).all.empty());
    }
    app::ViewState grid;
    grid.view = View::heads;
    grid.head_order = app::HeadOrder::effect;
    const auto snapshot = mapped(document_of(path), grid);
    CHECK_FALSE(snapshot->effects); // there is no output to measure
    CHECK_FALSE(snapshot->prediction);
    grid.head_order = app::HeadOrder::entropy;
    CHECK(mapped(document_of(path), grid)->summaries->size() == 8);
}

TEST_CASE("two heads of a file of maps can be held side by side, and its heads combined") {
    const TemporaryFolder folder;
    const std::string path = written_maps(folder, "x.safetensors");
    app::ViewState state;
    state.view = View::heads;
    state.slots = {{trace::AttentionKind::encoder_self, 0, 1}, {trace::AttentionKind::cross, 1, 2}};
    const auto snapshot = mapped(document_of(path), state);
    CHECK(snapshot->slots.size() == 2);
    app::Focus focus;
    focus.combine = trace::Combine::mean;
    const auto mean = mapped(document_of(path), {}, focus);
    REQUIRE(mean->map);
    CHECK(mean->map->row(0).sum() == Approx(1).margin(1e-4));
    focus = {};
    focus.stage = trace::Stage::scores; // chosen in another model
    CHECK(mapped(document_of(path), {}, focus)->focus.stage == trace::Stage::weights);
}

TEST_CASE("flags of a model beside a file of maps are refused by name") {
    const TemporaryFolder folder;
    const std::string path = written_maps(folder, "x.npz");
    const auto error = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"export", "-o", folder / "o.svg"});
        const HeedRan ran = heed_ran(flags);
        CHECK(ran.code != 0);
        return ran.err;
    };
    CHECK(contains(error({"--maps", path, "--source", "a"}), "--source: is of a model"));
    CHECK(contains(error({"--maps", path, "--model", "transformer"}), "cannot be combined"));
    CHECK(contains(error({"--maps", path, "--size", "tiny"}), "--size"));
    CHECK(contains(error({"--maps", path, "--temperature", "2"}), "attention weights alone"));
    CHECK(contains(error({"--maps", path, "--sentence", "2"}), "is 2; this file has 1 to 1"));
    CHECK(contains(error({"--maps", path, "--layer", "3"}), "--layer"));
    CHECK(contains(error({"--sentence", "2"}), "--maps"));
    CHECK(contains(error({"--maps", folder / "none.npz"}), "none.npz"));
    CHECK(contains(error({"--maps", HEED_SOURCE_DIR "/README.md"}), "holds no attention weights"));
    CHECK(contains(error({"--maps", path, "--view", "neurons", "--format", "csv"}), "no numbers"));
    const HeedRan attend = heed_ran({"attend", "--model", path, "-o", folder / "y.npz"});
    CHECK(contains(attend.err, "holds attention already"));
}

TEST_CASE("alignments are drawn sentence by sentence") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", "0-0 1-1\nle chat noir ||| 0-0 1-1 1-2\n"));
    const HeedRan ran =
        heed_ran({"export", "--maps", folder / "a.txt", "--sentence", "2", "-o", folder / "o.csv"});
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(contains(folder.bytes("o.csv"), ",1,2\r\nle,1,0"));
}

TEST_CASE("a file of attention is opened as one, and a broken one is no text") {
    const TemporaryFolder folder;
    const auto opened = [](const std::string& path) {
        const auto read = app::read_opened(path);
        if (!read) FAIL(base::describe(read.error()));
        const auto* model = std::get_if<app::OpenedModel>(&*read);
        return model != nullptr && model->weights_alone;
    };
    for (const char* name : {"x.npz", "x.json", "x.safetensors"}) {
        CAPTURE(name);
        CHECK(opened(written_maps(folder, name)));
    }
    REQUIRE(base::write_file_atomic(folder / "a.align", "0-0 1-1\n"));
    CHECK(opened(folder / "a.align"));
    REQUIRE(base::write_file_atomic(folder / "l.json", R"({"attn": [[[[2]]]], "tokens": ["a"]})"));
    CHECK(opened(folder / "l.json")); // what is wrong with it, the engine tells
    const auto snapshot = mapped(document_of(folder / "l.json"), {});
    REQUIRE(snapshot->error);
    CHECK(contains(base::describe(*snapshot->error), "sums to 2"));
    REQUIRE(base::write_file_atomic(folder / "o.json", R"({"words": ["a"]})"));
    const auto other = app::read_opened(folder / "o.json");
    REQUIRE_FALSE(other);
    CHECK(contains(base::describe(other.error()), "neither a Heed session nor attention weights"));
}

TEST_CASE("every refusal of a file names all that can be opened") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "b.bin", std::string("a\0b", 3)));
    const std::string why = base::describe(app::read_opened(folder / "b.bin").error());
    for (const char* kind : {".gguf", ".safetensors", "PNG, JPEG", ".npz", "alignments"}) {
        CHECK(contains(why, kind));
    }
    const HeedRan ran = heed_ran({"export", "--model", folder / "b.bin", "-o", folder / "o.svg"});
    for (const char* kind : {".gguf", ".safetensors", ".npz", "alignments", "en-fr-transformer"}) {
        CHECK(contains(ran.err, kind));
    }
}

TEST_CASE("a caption of maps names no text that the program had open") {
    const TemporaryFolder folder;
    const auto snapshot = mapped(document_of(written_maps(folder, "x.npz")), {});
    REQUIRE_FALSE(snapshot->document.source.empty()); // a sentence that nobody read
    CHECK(app::caption(*snapshot, {}).find("Text:") == std::string::npos);
}
