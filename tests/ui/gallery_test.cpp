// The card of models: found by what is typed, told by their shapes, opened from the disk.
#include "ui/driver.hpp"

#include "app/document/controls_json.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "models/model/titles.hpp"
#include "paths.hpp"
#include "tensors/json.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/gallery.hpp"

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;
using shim::Key;

namespace {

constexpr const char* kFrench = "English → français, transformer";
constexpr const char* kChinese = "中文 → English, transformer";

void wait_for_entries(Driver& d) {
    while (!d.shell->state.explore->gallery->complete()) d.frame();
    d.frame();
}

} // namespace

TEST_CASE("Ctrl+M opens the models, and what is typed finds one by language, kind or sentence") {
    Driver d;
    d.key(Key::m, true);
    d.frames(3);
    REQUIRE(d.shell->ui.edits("model/file"));
    wait_for_entries(d);
    CHECK(d.has(kFrench));
    CHECK(d.has(kChinese));
    d.type("chinese bahdanau");
    CHECK_FALSE(d.has(kFrench));
    CHECK_FALSE(d.has(kChinese));
    CHECK(d.has("中文 → English, Bahdanau"));
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file == app::shipped_model("zh-en-bahdanau"));
    d.key(Key::m, true);
    d.frames(3);
    CHECK(d.has(kFrench)); // what was typed is gone with the card
    d.type("no such words");
    CHECK(d.shows("No trained model has these words"));
    d.key(Key::enter);
    d.settle();
    CHECK(d.shell->ui.edits("model/file")); // it stays to be mended
    CHECK(d.document().model_file == app::shipped_model("zh-en-bahdanau"));
}

TEST_CASE("a model that is called so comes before one whose sentence has the words") {
    Driver d;
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    d.type("one"); // "young woman returns money of club"
    d.key(Key::enter);
    d.settle();
    CHECK(d.document().model_file == app::shipped_model("headlines-en-one-head"));
}

TEST_CASE("what the card of models changes behind it is undone while it is open") {
    Driver d;
    open(d, app::shipped_model("dates"));
    d.click("model");
    d.click("model/make");
    d.settle();
    REQUIRE(d.document().model_file.empty());
    REQUIRE(d.has("model/file"));
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().model_file == app::shipped_model("dates"));
    CHECK(d.has("model/file"));
}

TEST_CASE("models are told by their shapes") {
    const TemporaryFolder folder;
    Driver d;
    REQUIRE(d.snapshot().run->model->save(folder / "mine.safetensors"));
    open(d, folder / "mine.safetensors");
    d.click("model");
    wait_for_entries(d);
    CHECK(d.shows("transformer · 2+2 layers"));
    CHECK(d.shows("Bahdanau · biLSTM 104"));
    CHECK(d.shows("language model · 2 layers"));
    const std::string size = models::size_title(d.snapshot().run->model->config());
    CHECK(d.shows(size)); // of one's own
}

TEST_CASE("the foot of the models opens others from the disk") {
    Driver d;
    d.click("model");
    d.click("model/open");
    d.settle();
    CHECK(d.has("open/path"));
    CHECK_FALSE(d.has("model/file"));
}

TEST_CASE("arrows go through what the search has found, and Enter opens what they are at") {
    Driver d;
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    const auto& search = d.shell->state.explore->models;
    CHECK_FALSE(search.at);
    d.key(Key::down); // from the first one to what stands below it, two in a row
    CHECK(search.at == 2u);
    d.key(Key::right);
    CHECK(search.at == 3u);
    d.key(Key::up);
    CHECK(search.at == 1u);
    d.key(Key::left);
    CHECK(search.at == 0u);
    d.key(Key::up); // around the end: the last one alone in its row
    CHECK(search.at == 8u);
    d.key(Key::down);
    CHECK(search.at == 0u);
    CHECK(d.shell->ui.edits("model/file")); // it keeps the keys
    d.type("chinese");
    CHECK_FALSE(search.at);
    d.key(Key::right); // the caret's
    CHECK_FALSE(search.at);
    d.key(Key::down);
    REQUIRE(search.at);
    REQUIRE(search.at < search.found->trained.size());
    const std::string lit = search.found->trained[*search.at]->path;
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file == lit);
}

TEST_CASE("before anything is typed the open model is lit, and Enter and the arrows begin at it") {
    Driver d;
    open(d, app::shipped_model("dates"));
    const std::string source = d.document().source;
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    d.key(Key::enter); // it stays as it is
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file == app::shipped_model("dates"));
    CHECK(d.document().source == source);
    const auto& search = d.shell->state.explore->models;
    std::size_t at = 0;
    d.key(Key::m, true);
    d.frames(3);
    const auto entries = d.shell->state.explore->gallery->entries();
    while ((*entries)[at].path != app::shipped_model("dates")) ++at;
    d.key(Key::right);
    CHECK(search.at == (at + 1) % entries->size());
    d.key(Key::left);
    CHECK(search.at == at);
    d.key(Key::up);
    CHECK(search.at == at - 2);
    d.key(Key::enter);
    d.settle();
    CHECK(d.document().model_file == (*entries)[at - 2].path);
}

TEST_CASE("the card of a new model tells all of its sizes, and lights the one that it has") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.click("model");
    REQUIRE(d.has("model/size/own"));
    const float heads = d.find("model/heads/more").box.y;
    CHECK_FALSE(d.find("model/size/own").on); // nothing is set yet
    const models::ModelSpec& spec = *models::spec_of(d.snapshot().run->model->config());
    CHECK(d.shows(fmt::format("{} layers · {} heads · width {}", spec.n_encoder_layers,
                              spec.n_heads, spec.d_model)));
    CHECK(d.shows("Feed-forward width"));
    CHECK(d.shows(fmt::format("{}", spec.d_ff)));
    d.click("model/size/0");
    d.settle();
    CHECK_FALSE(d.has("model/size/own")); // it has a name now
    CHECK(d.find("model/heads/more").box.y == heads); // its row stays, so that none below moves
    CHECK(d.find("model/size/0").on);
    CHECK(d.document().model_file == app::shipped_model("en-fr-transformer"));
}

TEST_CASE("a model of a size is the same whichever model was open before it") {
    models::ModelSpec tiny =
        models::transformer_spec(models::named_sizes()[0], models::Architecture::decoder_only);
    tiny.activation = nn::Activation::gelu;
    for (const char* before : {"zh-en-transformer", "reverse", "dates"}) {
        INFO(before);
        Driver d;
        open(d, app::shipped_model(before));
        d.click("model");
        d.click("model/kind/Transformer");
        d.click("model/activation/GELU");
        d.click("model/form/decoder");
        d.click("model/size/0");
        d.click("model/make");
        d.settle();
        tiny.seed = models::spec_of(d.document().model)->seed; // the card shows it
        CHECK(d.document().model == models::Config(tiny));
    }
}

TEST_CASE("the text in sight goes along to every kind of model that is made") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    const auto make = [&](std::initializer_list<const char*> settings) {
        d.click("model");
        d.frames(3);
        for (const char* setting : settings) d.click(setting);
        d.click("model/make");
        d.settle();
        d.key(Key::escape);
    };
    const auto read = [&] {
        const auto& input = d.snapshot().run->input;
        std::string words;
        const bool source = models::traits(d.document().model).reads_source;
        for (const auto& token : source || input.target.empty() ? input.source : input.target)
            words += token.text + " ";
        return words;
    };
    make({"model/kind/Transformer", "model/form/decoder", "model/size/0"});
    d.replace_field("target", "the young cat");
    d.settle();
    make({"model/kind/Classifier", "model/pooling/flatten"});
    CHECK(read().find("the young cat") != std::string::npos);
    d.replace_field("source", "young man eats");
    d.settle();
    make({"model/kind/Transformer", "model/form/decoder", "model/size/0"});
    CHECK(d.shows("young man eats"));
    CHECK(read().find("young man eats") != std::string::npos);
    make({"model/kind/Recurrent", "model/cell/LSTM"});
    CHECK(read().find("young man eats") != std::string::npos);
}

TEST_CASE("the card of models follows the arrows") {
    Driver d;
    d.resize(900, 600, 1);
    d.settle();
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    const std::string last = "Headlines → topic, one head";
    const Box first = d.find(last).box;
    d.resize(900, 480, 1);
    d.settle();
    CHECK(first.y + first.h > 480);
    for (int i = 0; i < 9; ++i) d.key(Key::down);
    const Box at = d.find(last).box;
    CHECK(at.y + at.h <= 480);
    for (int i = 0; i < 9; ++i) d.key(Key::up);
    CHECK(d.find("model/file").box.y >= 48);
}

TEST_CASE("models with random weights are found by their kinds, and drawn by Enter") {
    Driver d;
    const auto find = [&](const char* words) {
        d.key(Key::m, true);
        d.frames(3);
        wait_for_entries(d);
        d.type(words);
    };
    find("lstm"); // those that are trained stand first
    d.click("Recurrent, LSTM");
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    const auto* recurrent = std::get_if<models::RecurrentConfig>(&d.document().model);
    REQUIRE(recurrent != nullptr);
    CHECK(recurrent->cell == nn::Cell::lstm);
    find("GPT");
    REQUIRE(d.has("Transformer, decoder"));
    d.key(Key::enter);
    d.settle();
    REQUIRE(models::spec_of(d.document().model) != nullptr);
    CHECK(models::spec_of(d.document().model)->architecture == models::Architecture::decoder_only);
    for (const auto& [words, name] : {std::pair("seq2seq", "Transformer, encoder-decoder"),
                                      {"seq2seq", "Recurrent, GRU"},
                                      {"classifier", "Classifier, one layer"},
                                      {"bert", "Transformer, encoder"}}) {
        INFO(words);
        find(words);
        CHECK(d.has(name));
        d.key(Key::escape);
    }
}

TEST_CASE("beside a trained model the card has the form of a new one, which its button makes") {
    Driver d;
    open(d, app::shipped_model("dates"));
    d.click("model");
    CHECK(d.has("model/make"));
    CHECK(d.find("model/kind/1").on); // Recurrent
    CHECK(d.find("model/cell/GRU").on);
    CHECK(d.shows("96"));
    d.click("model/make");
    d.settle();
    REQUIRE(d.document().model_file.empty());
    const auto* made = std::get_if<models::RecurrentConfig>(&d.document().model);
    REQUIRE(made != nullptr);
    CHECK(made->cell == nn::Cell::gru);
    CHECK(made->hidden == 96);
    CHECK(d.find("model/kind/1").on);
    CHECK_FALSE(d.has("model/make")); // it is open now
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().model_file == app::shipped_model("dates"));
    CHECK(d.has("model/make"));
}

TEST_CASE(
    "kinds and settings are looked at beside a trained model, which stays until one is made") {
    Driver d;
    open(d, app::shipped_model("dates"));
    d.shell->state.view.selected = {1, 1};
    d.settle();
    const app::Document before = d.document();
    const auto act = d.shell->work.history().id();
    const auto selected = d.shell->state.view.selected;
    const auto untouched = [&] {
        d.settle();
        return d.document() == before && d.shell->work.history().id() == act &&
               d.shell->state.view.selected == selected;
    };
    d.click("model");
    d.click("model/kind/Transformer");
    CHECK(d.find("model/kind/Transformer").on);
    CHECK_FALSE(d.find("model/kind/Recurrent").on);
    CHECK(untouched());
    for (const char* id : {"model/size/0", "model/form/decoder", "model/activation/GELU",
                           "model/heads/more", "model/layers/more", "model/seed/more"}) {
        INFO(id);
        d.click(id);
        CHECK(untouched());
    }
    CHECK(d.find("model/form/decoder").on);
    d.click("model/kind/Transformer"); // what was set stays
    CHECK(d.find("model/form/decoder").on);
    d.click("model/kind/Classifier");
    d.click("model/pooling/flatten");
    CHECK(d.find("model/pooling/flatten").on);
    CHECK(untouched());
    d.click("model/kind/Recurrent"); // as the open one is
    CHECK(d.shows("96"));
    for (const char* id : {"model/shape/N\u2192N", "model/cell/LSTM", "model/hidden/more"})
        d.click(id);
    CHECK(d.shows("192"));
    CHECK(untouched());
    d.click("model/make");
    d.settle();
    REQUIRE(d.document().model_file.empty());
    const auto& made = std::get<models::RecurrentConfig>(d.document().model);
    CHECK(made.shape == models::Shape::n_to_n);
    CHECK(made.cell == nn::Cell::lstm);
    CHECK(made.hidden == 192);
    d.key(Key::z, true); // one step
    d.settle();
    CHECK(d.document() == before);
    CHECK(d.shell->work.history().id() == act);
    d.click("model/kind/Transformer");
    d.key(Key::escape);
    d.click("model");
    CHECK(d.find("model/kind/Recurrent").on); // gone with the card
    CHECK(d.document() == before);
}

TEST_CASE("settings of an untrained model change it at once, and another kind's are looked at") {
    Driver d;
    const models::Config first = d.document().model;
    d.click("model");
    CHECK_FALSE(d.has("model/make"));
    CHECK(d.shows("Settings of the open model: a change acts at once"));
    const float seed = d.find("model/seed/more").box.y;
    d.click("model/seed/more");
    d.settle();
    const app::Document before = d.document();
    REQUIRE(models::spec_of(before.model)->seed == models::spec_of(first)->seed + 1);
    d.click("model/kind/Recurrent");
    d.click("model/cell/LSTM");
    d.settle();
    CHECK(d.find("model/kind/Recurrent").on);
    CHECK(d.find("model/cell/LSTM").on);
    CHECK(d.document() == before);
    d.click("model/kind/Transformer"); // the open one's again
    CHECK_FALSE(d.has("model/make"));
    CHECK(d.find("model/seed/more").box.y == seed);
    d.click("model/kind/Recurrent");
    d.click("model/make");
    d.settle();
    REQUIRE(models::traits(d.document().model).is_stepwise());
    CHECK_FALSE(d.has("model/make"));
    d.click("model/cell/RNN");
    d.settle();
    CHECK(std::get<models::RecurrentConfig>(d.document().model).cell == nn::Cell::rnn);
    d.key(Key::z, true);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document() == before);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().model == first);
}

TEST_CASE("a kind of model is looked at and made by keys alone") {
    Driver d;
    open(d, app::shipped_model("dates"));
    const auto go_to = [&](const std::string& id) {
        for (int i = 0; i < 80 && d.shell->ui.keyboard_at() != id; ++i) d.key(Key::tab);
        REQUIRE(d.shell->ui.keyboard_at() == id);
    };
    d.key(Key::m, true);
    d.frames(3);
    go_to("model/kind/2"); // Classifier
    d.key(Key::enter);
    d.settle();
    CHECK(d.has("model/pooling/flatten"));
    CHECK(d.document().model_file == app::shipped_model("dates"));
    go_to("model/make"); // the next one
    d.key(Key::enter);
    d.settle();
    CHECK(models::traits(d.document().model).classifies());
    go_to("model/pooling/1"); // though the button is gone
    d.key(Key::enter);
    d.settle();
    CHECK(models::spec_of(d.document().model)->pooling == models::Pooling::flatten);
}

TEST_CASE("a model of a trained one's form is what a session keeps of it") {
    for (const char* name : {"en-fr-transformer", "repeat", "headlines-en-four-heads", "dates"}) {
        INFO(name);
        Driver d;
        open(d, app::shipped_model(name));
        d.click("model");
        d.frames(3);
        d.click("model/make");
        d.settle();
        REQUIRE(d.document().model_file.empty());
        const auto kept = app::document_from_json(app::document_to_json(d.document()), "");
        REQUIRE(kept);
        CHECK(kept->model == d.document().model);
    }
}

TEST_CASE("in a small window the card of models hangs below the bar, and typing moves it nowhere") {
    Driver::Options options = Driver::tiny();
    options.width = 900;
    options.height = 600;
    Driver d(options);
    const Box bar = d.find("model").box;
    d.click("model");
    wait_for_entries(d);
    const Box before = d.find("model/file").box;
    CHECK(before.y > bar.y + bar.h);
    d.type("chinese");
    CHECK(d.find("model/file").box == before);
    d.type(" no such words");
    CHECK(d.find("model/file").box == before);
}

TEST_CASE("Enter on an untouched card of models leaves the model in hand") {
    Driver d; // of no file
    const models::Config model = d.document().model;
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file.empty());
    CHECK(d.document().model == model);
    const TemporaryFolder folder; // of a file that is not in the card
    REQUIRE(d.snapshot().run->model->save(folder / "mine.safetensors"));
    open(d, folder / "mine.safetensors");
    d.shell->state.files.recent_files.clear();
    const std::string opened = d.document().model_file;
    REQUIRE_FALSE(opened.empty());
    d.key(Key::m, true);
    d.frames(3);
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file == opened);
}

TEST_CASE("the model that is open is lit whatever its path's spelling") {
    const std::filesystem::path shipped = app::shipped_model("dates");
    const std::filesystem::path models = shipped.parent_path();
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = (models / ".." / models.filename() / shipped.filename()).string();
    Driver d(options);
    d.settle();
    REQUIRE(d.document().model_file != shipped);
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    const auto entries = d.shell->state.explore->gallery->entries();
    std::size_t at = 0;
    while ((*entries)[at].path != shipped) ++at;
    d.key(Key::right);
    CHECK(d.shell->state.explore->models.at == (at + 1) % entries->size());
    d.key(Key::left);
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("model/file"));
    CHECK(d.document().model_file == options.document.model_file);
}

TEST_CASE("behind a search's words left and right are the caret's or the tiles', never both") {
    Driver d;
    d.key(Key::m, true);
    d.frames(3);
    wait_for_entries(d);
    const auto& search = d.shell->state.explore->models;
    d.type("chinese");
    d.key(Key::left);
    CHECK_FALSE(search.at);
    d.type("x");
    CHECK(search.query == "chinesxe");
    d.key(Key::backspace);
    d.key(Key::right);
    d.key(Key::down);
    REQUIRE(search.at == 0u);
    d.key(Key::left);
    d.key(Key::left);
    d.key(Key::right);
    REQUIRE(search.at);
    d.type("x"); // where the caret was left
    CHECK(search.query == "chinesex");
}
