// A checkpoint in the window: opened, typed to, gone on with.
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/map_data.hpp"
#include "catch.hpp"
#include "inside/map_scores.hpp"
#include "models/text_checkpoint.hpp"
#include "tensors/named.hpp"
#include "ui/driver.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/trained_words.hpp"

#include <algorithm>
#include <filesystem>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

TEST_CASE("a checkpoint's folder opens, reads what is typed, and says what comes next") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "tiny-gpt");
    Driver d;
    d.replace_field("source", "the cat sat");
    open(d, folder / "tiny-gpt");
    CHECK(d.shows("Opened tiny-gpt"));
    REQUIRE_FALSE(d.snapshot().error);
    d.replace_field("target", "the cat sat w5 w8");
    d.settle();
    REQUIRE(d.snapshot().run);
    CHECK(d.snapshot().run->trace.target.size() == 5);
    CHECK(d.shows("w8"));
    CHECK(d.shows("Next token"));
    // What it says next is written behind the text by a click.
    num::Index best = 0;
    d.snapshot().prediction->probabilities.maxCoeff(&best);
    if (best == 60) best = 3;
    d.click(fmt::format("next/{}", best));
    d.settle();
    CHECK(d.document().target.starts_with("the cat sat w5 w8 "));
    CHECK(d.snapshot().run->trace.target.back().row == static_cast<int>(best));
    d.key(Key::z, true);
    CHECK(d.document().target == "the cat sat w5 w8");
    // Space goes on until the end, or until it is stopped.
    d.key(Key::space);
    for (int i = 0; i < 5; ++i) d.settle();
    CHECK(d.document().target.size() > std::string("the cat sat w5 w8").size());
    d.shell->state.player.playing = false;
    d.settle();
    // One step back is before all that it wrote, and forth again behind it.
    const std::string went_on = d.document().target;
    d.key(Key::z, true);
    CHECK(d.document().target == "the cat sat w5 w8");
    d.key(Key::y, true);
    CHECK(d.document().target == went_on);
    d.settle();
    // A control acts on it as on any other model.
    const float before = d.snapshot().prediction->entropy_bits;
    d.click("scale");
    d.settle();
    CHECK(d.snapshot().prediction->entropy_bits != before);
}

TEST_CASE("the deleted text of a decoder alone is not read from what another model was given") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "tiny-gpt");
    Driver d;
    d.replace_field("source", "the cat sat");
    open(d, folder / "tiny-gpt");
    d.replace_field("target", "the cat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    d.replace_field("target", "");
    d.settle();
    CHECK(d.document().source.empty());
    CHECK(d.snapshot().error);
    d.key(Key::escape); // out of the field
    d.settle();
    CHECK(says(d, "ype a sentence"));
    d.replace_field("target", "cat sat the");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.snapshot().run->trace.target.size() == 3);
}

TEST_CASE("a word that the tokeniser lacks is marked on the axis, and told in one notice") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "tiny-gpt");
    Driver d;
    open(d, folder / "tiny-gpt");
    d.replace_field("target", "the cat w60 sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(app::map_data(d.snapshot()).unknown_cols == std::vector<int>{2});
    CHECK(says(d, "“w59” stands for what this model's vocabulary lacks"));
    d.replace_field("target", "the cat w59 sat");
    d.settle();
    CHECK(app::map_data(d.snapshot()).unknown_cols.empty());
    CHECK_FALSE(says(d, "vocabulary lacks"));
}

TEST_CASE("a broken checkpoint says what is wrong, and the model that was open stays") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "broken");
    std::filesystem::resize_file(folder / "broken/model.safetensors", 5000);
    Driver d;
    const models::Config before = d.document().model;
    open(d, folder / "broken");
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shell->work.notice.text.find("model.safetensors") != std::string::npos);
    CHECK(d.document().model == before);
    CHECK(d.document().model_file.empty());
    CHECK(d.snapshot().run);
}

namespace {

/// Its table of positions is so large that it is read for many frames.
void make_large_checkpoint(const std::string& folder) {
    constexpr num::Index kPositions = 1 << 20; // the most that are read
    make_text_checkpoint(folder);
    const std::string config = folder + "/config.json", file = folder + "/model.safetensors";
    std::string settings = base::read_file(config, 1 << 20).value();
    const std::string few = "\"n_positions\": 32";
    REQUIRE(settings.find(few) != std::string::npos);
    settings.replace(settings.find(few), few.size(),
                     fmt::format("\"n_positions\": {}", kPositions));
    REQUIRE(base::write_file_atomic(config, settings));
    auto archive = tensors::read_safetensors(base::read_file(file, 1 << 20).value(), file).value();
    tensors::Array& table = archive.arrays.at("transformer.wpe.weight");
    table.shape[0] = kPositions;
    table.values.assign(static_cast<std::size_t>(kPositions * table.shape[1]), 0.25f);
    REQUIRE(base::write_file_atomic(file, tensors::write_safetensors(archive)));
}

} // namespace

TEST_CASE("a stop of a checkpoint that is read is no error, and says what is still open") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "small");
    make_large_checkpoint(folder / "large");
    Driver d;
    open(d, folder / "small");
    const app::Document before = d.document();
    d.shell->open_file(folder / "large");
    for (int i = 0; i < 10'000 && !d.shell->work.reading(); ++i) d.frames(1);
    REQUIRE(d.shell->work.reading());
    d.key(Key::escape);
    d.settle();
    CHECK(d.document() == before);
    CHECK_FALSE(d.snapshot().error);
    CHECK_FALSE(d.shell->work.notice.bad);
    CHECK(d.shows("Stopped; small is still open"));
}

TEST_CASE(
    "a model that is opened while another is read opens, and one stopped over it stays away") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "small");
    make_text_checkpoint(folder / "other");
    make_large_checkpoint(folder / "large");
    Driver d;
    open(d, folder / "small");
    const auto read_large = [&] {
        d.shell->open_file(folder / "large");
        for (int i = 0; i < 10'000 && !d.shell->work.reading(); ++i) d.frames(1);
        REQUIRE(d.shell->work.reading());
    };
    read_large();
    open(d, folder / "other");
    CHECK(d.document().model_file == folder / "other");
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.snapshot().document.model_file == folder / "other");
    CHECK_FALSE(d.shell->work.notice.bad);
    CHECK_FALSE(d.shell->work.reading());

    read_large();
    d.shell->open_file(folder / "small");
    d.key(Key::escape);
    d.settle();
    CHECK(d.document().model_file != folder / "large");
    CHECK_FALSE(d.snapshot().error);
    CHECK_FALSE(d.shell->work.notice.bad);
    CHECK(d.snapshot().document.model_file == d.document().model_file);
    d.replace_field("target", "the cat");
    d.settle();
    CHECK(d.snapshot().run->trace.target.size() == 2);
}

TEST_CASE("how a pickle is converted can be read, in lines of its own") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    std::filesystem::remove(folder / "m/model.safetensors");
    REQUIRE(base::write_file_atomic(folder / "m/pytorch_model.bin", "PK"));
    Driver d(Driver::high());
    open(d, folder / "m");
    CHECK(d.shows(
        "\n  from transformers import GPT2LMHeadModel\n  GPT2LMHeadModel.from_pretrained("));
}

TEST_CASE("Esc stops a text that goes on, and keeps what was written") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt");
    Driver::Options options = Driver::high();
    options.document.decoding.sampling.temperature = 2;
    Driver d(options);
    open(d, folder / "gpt");
    const bool& playing = d.shell->state.player.playing;
    const auto press = [&](Key key) { // and look on while the text grows
        ui::shim::press_key(key, true);
        d.frames(2);
        ui::shim::press_key(key, false);
        d.frame();
    };
    std::string begun;
    for (int word = 3; word < 40 && !playing; ++word) { // until one whose text does not end at once
        begun = fmt::format("the cat w{}", word);
        d.replace_field("target", begun);
        d.settle();
        d.key(Key::escape);
        CHECK(d.shows("Click to append, Space to continue"));
        press(Key::space);
    }
    REQUIRE(playing);
    CHECK(d.shows("Space, Esc: stop"));
    press(Key::escape);
    const std::string written = d.document().target;
    CHECK(written.starts_with(begun));
    d.settle();
    d.frames(5);
    CHECK_FALSE(playing);
    CHECK(d.document().target == written);
}

TEST_CASE("a click masks a token, another writes what fills it, and undo takes both back") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    Driver d(Driver::high());
    open(d, folder / "bert");
    d.replace_field("source", "the cat sat w9");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    std::string screen = d.screen(); // the words stand in as many lines as they need
    std::replace(screen.begin(), screen.end(), '\n', ' ');
    CHECK(screen.find("Click a token to mask it, and see what fills it") != std::string::npos);
    CHECK_FALSE(d.has("masking/0")); // [CLS]
    d.click("masking/2");
    d.settle();
    CHECK(d.document().source == "the [MASK] sat w9");
    REQUIRE(d.snapshot().prediction);
    const num::Index best = d.snapshot().prediction->likeliest.front();
    d.click(fmt::format("next/{}", best));
    d.settle();
    const std::string filled = d.snapshot().run->trace.source[2].text;
    CHECK(d.snapshot().run->trace.source[2].row == static_cast<int>(best));
    CHECK(d.document().source == "the " + filled + " sat w9");
    d.key(Key::z, true);
    CHECK(d.document().source == "the [MASK] sat w9");
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().source == "the cat sat w9");
    // By the keyboard, of the row that is selected; typed, it does as well.
    d.shell->state.view.selected = {3, 3};
    d.frame();
    d.key(Key::k);
    d.settle();
    CHECK(d.document().source == "the cat [MASK] w9");
    d.replace_field("source", "[MASK] cat [MASK] w9");
    d.settle();
    CHECK(d.snapshot().prediction->masked.size() == 2);
}

TEST_CASE("a switch hides special tokens from the map, which says what goes to them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    Driver d(Driver::high());
    open(d, folder / "bert");
    d.replace_field("source", "the cat sat w9");
    d.settle();
    REQUIRE(d.snapshot().map->rows() == 6);
    CHECK_FALSE(d.has("segmentation/0")); // its tokeniser cuts the sentence
    d.click("special");
    d.settle();
    CHECK(d.snapshot().map->rows() == 4);
    CHECK(d.shows("without special tokens"));
    CHECK(d.screen().find("% goes to special tokens") != std::string::npos);
    d.hover(d.cell(1, 2));
    d.frames(40);
    CHECK(d.screen().find("of this row") != std::string::npos);
    // What is chosen stays a token: behind [CLS].
    d.click(d.cell(1, 2));
    CHECK(d.shell->state.view.selected == std::pair(2, 3));
    const auto row = d.snapshot()
                         .run->trace.map(d.snapshot().focus.head)
                         ->rectangle(trace::Stage::weights, {2, 0, 1, 6});
    CHECK(d.shows(fmt::format("entropy {:.2f} bits", inside::mean_entropy_bits(row))));
    d.click("special");
    d.settle();
    CHECK(d.snapshot().map->rows() == 6);
}

TEST_CASE("one click sets every control as the checkpoint was trained, and undo brings them back") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "t5", "t5");
    Driver d(Driver::high());
    open(d, folder / "t5");
    d.replace_field("source", "the cat sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    d.hover("scale");
    d.frames(40);
    CHECK(d.screen().find("never divides its scores") != std::string::npos);
    const float place = d.find("temperature").box.y;
    d.click("scale");
    d.settle();
    CHECK(d.find("temperature").box.y == place); // what appears moves no control
    const auto altered = d.document();
    d.click("changes/clear");
    d.settle();
    CHECK(d.document().controls == models::Controls{});
    d.key(Key::z, true);
    CHECK(d.document() == altered);
}

TEST_CASE("a layer with a sliding window shows it, and keeps it when its mask is changed") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gemma2", "gemma2"); // a window of 4 in its first layer alone
    Driver d(Driver::high());
    open(d, folder / "gemma2");
    d.replace_field("target", "the cat sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    REQUIRE(d.snapshot().focus.head.layer == 0);
    CHECK(d.find("mask/causal").on);
    CHECK(d.find("mask/window").on);
    CHECK(d.shows("± 3"));
    d.click("mask/padding");
    d.settle();
    const auto& mask = d.document().controls.resolved(d.snapshot().focus.head).mask;
    REQUIRE(mask);
    CHECK(mask->padding);
    CHECK(mask->window == std::optional<num::Index>(3));
    d.key(Key::z, true);
    app::Focus second = d.snapshot().focus;
    second.head.layer = 1;
    d.shell->work.apply(ui::ChangeFocus{second});
    d.settle();
    CHECK(d.find("mask/causal").on);
    CHECK_FALSE(d.find("mask/window").on);
}

TEST_CASE("a folder that holds a checkpoint is opened from the card, and no other folder") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d(Driver::high());
    const std::string before = d.document().model_file;
    d.key(Key::o, true);
    d.replace_field("open/path", folder / "");
    d.key(Key::enter);
    d.settle();
    CHECK(d.document().model_file == before);
    REQUIRE(d.has("open/path"));
    d.replace_field("open/path", (folder / "gpt2") + "/");
    d.key(Key::enter);
    while (d.shell->busy_with_files()) d.frames(1);
    d.settle();
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().model_file == folder / "gpt2");
    CHECK_FALSE(d.has("open/path"));
}

TEST_CASE("what a decoder alone read is no target of the model that is opened after it") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    make_text_checkpoint(folder / "marian", "marian");
    Driver d(Driver::high());
    open(d, folder / "gpt2");
    d.replace_field("target", "the cat sat");
    d.settle();
    app::Document both = d.document();
    both.source = both.target;
    d.shell->work.apply(ui::ChangeDocument{both, {}, "both"});
    d.settle();
    open(d, folder / "marian");
    CHECK(d.document().source == "the cat sat");
    CHECK(d.document().target.empty());
}

TEST_CASE("the scale is the layer's own, and that of a model that has none says so") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d(Driver::high());
    open(d, folder / "gpt2"); // divides by the number of the layer as well
    d.replace_field("target", "the cat sat");
    d.settle();
    CHECK(d.shows("0.408")); // 1/√6
    d.key(Key::escape);
    d.key(Key::page_down);
    d.settle();
    REQUIRE(d.snapshot().focus.head.layer == 1);
    CHECK(d.snapshot().run->trace.map(d.snapshot().focus.head)->head().settings.gamma ==
          Approx(0.5 / std::sqrt(6.0)));
    CHECK(d.shows("Scale 0.204"));
    CHECK_FALSE(d.shows("0.408"));

    make_text_checkpoint(folder / "t5", "t5");
    open(d, folder / "t5");
    CHECK(d.shows("This model was trained without a factor"));
    // So its switch is off; on, it divides them, and off again nothing is left of it.
    CHECK_FALSE(d.find("scale").on);
    const auto gamma = [&] {
        return d.snapshot().run->trace.map(d.snapshot().focus.head)->head().settings.gamma;
    };
    REQUIRE(gamma() == 1);
    d.click("scale");
    d.settle();
    CHECK(d.find("scale").on);
    const auto d_k = d.snapshot().run->model->traits().head_width;
    CHECK(gamma() == Approx(1 / std::sqrt(static_cast<float>(d_k))));
    d.click("scale");
    d.settle();
    CHECK(gamma() == 1);
    CHECK(d.document().controls == models::Controls{});
}

TEST_CASE("the Positions room of every checkpoint opens, for heads of every kind") {
    const TemporaryFolder folder;
    for (const char* name : {"t5", "mt5", "llama", "gpt2", "bart", "marian", "neox"}) {
        INFO(name);
        make_text_checkpoint(folder / name, name);
        Driver d;
        open(d, folder / name);
        d.replace_field(d.has("source") ? "source" : "target", "the cat sat");
        d.settle();
        d.click("room/positions");
        for (const char* kind : {"kind/Encoder", "kind/Decoder", "kind/Cross"}) {
            if (!d.has(kind)) continue;
            d.click(kind); // no change where the model has none
            d.settle();
            CHECK_FALSE(d.shows("No picture"));
        }
    }
}

TEST_CASE("a checkpoint of two stacks says its text greedily or by beam, with the tree") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "bart", "bart");
    Driver::Options options = Driver::high();
    options.document.target.clear();
    Driver d(options);
    open(d, folder / "bart");
    d.replace_field("source", "the cat sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    const auto said = d.snapshot().run->trace.target;
    REQUIRE(said.size() > 2);
    CHECK(d.shows(said[1].text));      // in the field of the target
    CHECK(d.find("decode/greedy").on); // there is no target that it could follow
    // A click on what comes next writes it behind what was said.
    const num::Index next = d.snapshot().prediction->likeliest.front();
    d.click(fmt::format("next/{}", next));
    d.settle();
    REQUIRE(d.snapshot().run->trace.target.size() == said.size() + 1);
    for (std::size_t i = 1; i < said.size(); ++i) {
        CHECK(d.snapshot().run->trace.target[i].row == said[i].row);
    }
    CHECK(d.snapshot().run->trace.target.back().row == static_cast<int>(next));
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().target.empty());
    d.click("beam");
    d.settle();
    REQUIRE(d.snapshot().run->trace.beam);
    CHECK(d.has("view/Beam"));
    CHECK(d.shows("Hypothesis"));
    d.click("view/Beam");
    d.settle();
    CHECK(d.shows("Beam search"));
}

TEST_CASE("heads that share keys and values say so") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "llama", "qwen3");
    Driver d(Driver::high());
    open(d, folder / "llama");
    d.replace_field("target", "the cat sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    const ui::Widget grid = d.find("heads");
    d.hover(figure::Point{grid.box.x + grid.box.w * 0.55f, grid.box.y + grid.box.h * 0.6f});
    d.frames(40);
    CHECK(says(d, "read the same keys and values")); // wherever its lines break
}

TEST_CASE("what a decoder alone read is the source of an encoder, and no translation") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt");
    make_text_checkpoint(folder / "t5", "t5");
    Driver d;
    open(d, folder / "gpt");
    d.replace_field("target", "the cat sat w5");
    d.settle();
    open(d, folder / "t5");
    CHECK(d.document().source == "the cat sat w5");
    CHECK(d.document().target.empty());
}

TEST_CASE("a text that a BERT read is no translation either") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    make_text_checkpoint(folder / "t5", "t5");
    Driver d;
    d.replace_field("target", "");
    d.settle();
    open(d, folder / "bert");
    open(d, folder / "t5");
    CHECK(d.document().target.empty());
}

TEST_CASE("the two texts of a decoder alone that reads both stay apart") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "t5", "t5");
    Driver d;
    open(d, app::shipped_model("repeat"));
    d.replace_field("target", "q");
    d.settle();
    const std::string source = d.document().source;
    open(d, folder / "t5");
    CHECK(d.document().source == source);
}

TEST_CASE("Space, first behind a model that was opened, goes on with its sentence") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    for (const bool ends : {false, true}) { // with End the field is the person's own
        Driver d;
        d.shell->open_file(folder / "gpt2");
        for (int i = 0; i < 1000 && !ui::test::says(d, "Opened gpt2"); ++i) d.frames(1);
        d.settle();
        const std::string before = d.document().target;
        REQUIRE_FALSE(before.empty());
        REQUIRE(d.shell->ui.typing());
        if (ends) d.key(Key::end);
        d.type(" "); // as the window gives it to a field: the character alone
        d.frames(3);
        CHECK(d.document().target.starts_with(before));
        CHECK((d.document().target == before + " ") == ends); // else by words of the model
        CHECK(d.document().target != before);
        CHECK(d.shell->ui.typing() == ends);
    }
}

TEST_CASE("letters typed while a model is opened wait for its sentence") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d;
    const auto waits = [&] { return d.shell->holds() != ui::Holds::nothing; };
    CHECK_FALSE(waits());
    d.shell->open_file(folder / "gpt2");
    bool waited = waits(); // till the field has the keys
    CHECK(waited);
    for (int i = 0; i < 1000 && !ui::test::says(d, "Opened gpt2"); ++i) {
        d.frames(1);
        waited &= waits() || d.shell->ui.typing();
    }
    CHECK(waited);
    d.frames(4);
    CHECK_FALSE(waits());
    d.shell->open_file(folder / "none");
    for (int i = 0; i < 1000 && d.shell->busy_with_files(); ++i) d.frames(1);
    CHECK_FALSE(waits());
}

TEST_CASE("a text that is dragged in is read where the model reads it") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    REQUIRE(base::write_file_atomic(folder / "note.txt", "the cat sat"));
    Driver d;
    open(d, folder / "gpt2");
    d.shell->open_file(folder / "note.txt");
    for (int i = 0; i < 1000 && !ui::test::says(d, "Opened note.txt"); ++i) d.frames(1);
    d.settle();
    CHECK(d.document().target == "the cat sat");
}

TEST_CASE("behind a model that is opened its sentence takes what is typed") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d;
    d.shell->open_file(folder / "gpt2");
    for (int i = 0; i < 1000 && !ui::test::says(d, "Opened gpt2"); ++i) d.frames(1);
    d.settle();
    d.type("w5 sat");
    d.settle();
    CHECK(d.document().target == "w5 sat");
}

TEST_CASE("of two models that cannot be read, one dropped while the other is, neither stays") {
    const TemporaryFolder folder;
    Driver d;
    const app::Document before = d.document();
    for (const char* name : {"first", "second"}) {
        make_text_checkpoint(folder / name);
        std::filesystem::resize_file(folder / name + "/model.safetensors", 2000);
        d.shell->open_file(folder / name);
        for (int i = 0; i < 1000 && !d.document().model_file.ends_with(name); ++i) d.frames(1);
    }
    d.settle();
    CHECK(d.document() == before);
    CHECK(ui::test::says(d, "second was not opened"));
    CHECK_FALSE(d.snapshot().error);
}

TEST_CASE("lists of tokens tell which one goes on with the word before it") {
    const TemporaryFolder folder;
    Driver find(Driver::high());
    make_piece_checkpoint(folder / "first");
    open(find, folder / "first");
    find.replace_field("target", "the cat sat");
    find.settle();
    const auto likeliest = find.snapshot().prediction->likeliest; // of a model that goes
    const auto usual = std::ranges::find_if(likeliest, [](num::Index row) { return row > 5; });
    REQUIRE(usual != likeliest.end());
    const int piece = static_cast<int>(*usual); // which is listed
    make_piece_checkpoint(folder / "pieces", piece);
    open(find, folder / "pieces");
    find.replace_field("target", "the cat sat");
    find.settle();
    Driver& d = find;
    const std::string id = fmt::format("next/{}", piece);
    REQUIRE(d.has(id));
    CHECK(d.find(id).label == "##s");
    d.hover(id);
    d.frames(60);
    CHECK(says(d, "it goes on with the word before it"));
    for (const num::Index row : likeliest) {
        const std::string other = fmt::format("next/{}", row);
        if (row != piece && d.has(other)) CHECK_FALSE(d.find(other).label.starts_with("##"));
    }
    // In a sentence it has none.
    d.replace_field("target", "the sats");
    d.settle();
    const models::Run& run = *d.snapshot().run;
    const auto is_piece = [&](const text::Token& token) { return token.row == piece; };
    const auto at = std::ranges::find_if(run.trace.target, is_piece) - run.trace.target.begin();
    REQUIRE(at > 0);
    REQUIRE(at < std::ssize(run.trace.target));
    num::ThreadPool pool(1);
    const auto step = app::spoken_step(run, at - 1, pool);
    REQUIRE(step);
    CHECK(step->said.row == piece);
    CHECK(step->said.word == "s");
}

TEST_CASE("an added word of a checkpoint points at its own row, be its start given or not") {
    using trace::AttentionKind;
    const auto [name, kind] = GENERATE(std::pair("gpt2", AttentionKind::decoder_self),
                                       std::pair("t5", AttentionKind::decoder_self),
                                       std::pair("t5", AttentionKind::cross));
    INFO(name);
    const TemporaryFolder folder;
    make_text_checkpoint(folder / name, name);
    Driver d(Driver::high());
    open(d, folder / name);
    app::Document next = d.document();
    next.target = "the cat";
    next.decoding.rule = models::Decoding::Rule::greedy;
    app::Focus focus = d.shell->work.focus();
    focus.head = {kind, 0, 0};
    d.shell->work.apply(ui::ChangeFocus{focus});
    for (int i = 0; i < 4; ++i) { // a model of random weights says a word again and again
        INFO(next.target);
        d.shell->work.apply(ui::ChangeDocument{next, {}, "target"});
        d.settle();
        REQUIRE_FALSE(d.snapshot().error);
        const models::Run& run = *d.snapshot().run;
        const std::size_t given = run.input.target.size();
        REQUIRE(run.trace.target.size() > given);
        REQUIRE(d.has("answer/0"));
        d.click("answer/0");
        REQUIRE(d.shell->state.view.selected);
        const std::size_t row = kind == AttentionKind::cross ? given - 1 : given;
        CHECK(d.shell->state.view.selected->first == static_cast<int>(row));
        next.target += " " + d.snapshot().run->trace.target[given].text;
        d.key(Key::escape);
        d.settle();
    }
}
