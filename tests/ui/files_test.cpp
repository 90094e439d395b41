// Sessions, models and texts as files, under a person's hands.
#include "app/document/changes.hpp"
#include "app/document/prepare_image.hpp"
#include "app/views/export.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "figure/base/number_text.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/driver.hpp"
#include "ui/frame/choices.hpp"

#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "models/text_checkpoint.hpp"
#include "paths.hpp"
#include "ui/explore/explore_state.hpp"

#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

/// A folder of the test's own, gone at the end.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "heed-files-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

void write(const std::string& path, std::string_view bytes) {
    REQUIRE(base::write_file_atomic(path, bytes));
}
std::string bytes_of(const std::string& path) { return base::read_file(path, 1 << 24).value(); }

std::string dump(const Driver& d) {
    return figure::dump(app::make_figure(d.snapshot(), d.shell->state.view, 800, 600));
}

/// Saves for the first time, under this path.
void save_as(Driver& d, const std::string& path) {
    d.key(Key::s, true, true);
    d.replace_field("save/path", path);
    d.click("save/save");
}

/// Controls, a cell, a kept and a pinned state, another head.
void work_on(Driver& d) {
    d.click("scale");
    d.click("apply/model");
    d.click("mask/causal");
    d.click("change/0");
    d.key(Key::k, true);
    d.key(Key::enter);
    d.key(Key::p);
    d.key(Key::page_down);
    d.click(d.cell(4, 2));
    d.click("compare/difference");
    d.click("numbers");
}

} // namespace

TEST_CASE("a session that is saved, left and opened again shows the same picture") {
    const Folder folder;
    std::string before, saved;
    app::Session session;
    {
        Driver d;
        work_on(d);
        session = d.shell->session();
        before = dump(d);
        d.key(Key::s, true);
        d.replace_field("save/path", folder / "mine"); // the ending is ours to add
        d.click("save/save");
        CHECK_FALSE(d.has("save/save")); // it went well: the card is gone
        CHECK(d.shows("Saved " + (folder / "mine.json")));
        saved = bytes_of(folder / "mine.json");
    }
    Driver d; // another start
    d.click("kind/Cross");
    d.click("view/Lines");
    d.click("theme");
    d.replace_field("source", "something else");
    d.key(Key::escape);
    const app::Session left = d.shell->session();
    CHECK(dump(d) != before);

    d.key(Key::o, true);
    d.replace_field("open/path", folder / "mine.json");
    d.key(Key::enter);
    CHECK_FALSE(d.has("open/open"));
    CHECK(d.shows("Opened mine.json"));
    CHECK(d.shell->state.view.dark); // the theme is the window's own
    d.click("theme");
    CHECK(dump(d) == before);
    CHECK(d.shell->session() == session);

    // One step back, and everything is as it was left; one step forth, and it is the session.
    d.click("theme");
    d.key(Key::z, true);
    CHECK(d.shell->session() == left);
    CHECK(d.shell->state.files.session_file.empty());
    d.key(Key::z, true, true);
    d.click("theme");
    CHECK(d.shell->session() == session);
    CHECK(dump(d) == before);
    CHECK(bytes_of(folder / "mine.json") == saved);
    CHECK_FALSE(d.find("kept/0").on);
    d.click("kept/0");
    CHECK(d.find("kept/0").on); // it is known again
}

TEST_CASE("a session brings its chosen cell, whichever model is open") {
    const Folder folder;
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.click(d.cell(7, 4));
    const auto chosen = d.shell->state.view.selected;
    REQUIRE(chosen == std::pair(7, 4));
    d.key(Key::s, true);
    d.replace_field("save/path", folder / "mine.json");
    d.click("save/save");
    open(d, app::shipped_model("reverse"));
    open(d, folder / "mine.json");
    CHECK(d.document().model_file == app::shipped_model("en-fr-transformer"));
    CHECK(d.shell->state.view.selected == chosen);
}

TEST_CASE("a session brings its view, though the model that is open has none such") {
    const Folder folder;
    Driver d;
    const std::pair<const char*, app::View> saved[] = {{"en-fr-transformer", app::View::heads},
                                                       {"en-fr-bahdanau", app::View::unrolled}};
    for (const auto& [model, view] : saved) {
        open(d, app::shipped_model(model));
        d.shell->state.view.view = view;
        d.settle();
        d.key(Key::s, true, true);
        d.replace_field("save/path", folder / (std::string(model) + ".json"));
        d.click("save/save");
    }
    for (const auto& [model, view] : saved) {
        INFO(model);
        open(d, folder / (std::string(model) + ".json"));
        CHECK(d.document().model_file == app::shipped_model(model));
        CHECK(d.shell->state.view.view == view);
    }
}

TEST_CASE("every view of a session is the same picture when it is opened again") {
    const Folder folder;
    for (const char* view : {"view/Heatmap", "view/Lines", "view/Heads", "view/Neurons",
                             "view/Flow", "view/Stages", "room/positions", "room/softmax"}) {
        INFO(view);
        const std::string path = folder / "s.json";
        std::filesystem::remove(path);
        std::string before;
        {
            Driver d;
            d.click("mask/causal");
            d.click("view/Heatmap");
            d.click(d.cell(4, 2));
            d.click(view);
            before = dump(d);
            save_as(d, path);
        }
        Driver d;
        open(d, path);
        CHECK(dump(d) == before);
    }
}

TEST_CASE("after the first time Ctrl+S saves to the same file and only says so") {
    const Folder folder;
    Driver d;
    save_as(d, folder / "a.json");
    const std::string first = bytes_of(folder / "a.json");
    d.click("scale");
    d.key(Key::s, true);
    CHECK_FALSE(d.has("save/save"));
    CHECK(d.shows("Saved " + (folder / "a.json")));
    CHECK(bytes_of(folder / "a.json") != first);
    CHECK(app::load_session(folder / "a.json").value() == d.shell->session());
    // Saving it elsewhere moves on to there.
    save_as(d, folder / "b.json");
    d.click("scale");
    d.key(Key::s, true);
    CHECK(app::load_session(folder / "b.json").value() == d.shell->session());
    CHECK_FALSE(app::load_session(folder / "a.json").value() == d.shell->session());
    CHECK(d.shell->state.files.recent_files ==
          std::vector<std::string>{folder / "b.json", folder / "a.json"});
}

TEST_CASE("a file that is there is replaced by a session only when that was said") {
    const Folder folder;
    Driver d;
    write(folder / "a.json", "precious");
    d.key(Key::s, true);
    d.replace_field("save/path", folder / "a");
    d.key(Key::enter);
    CHECK(d.shows("a.json is there already"));
    CHECK(d.find("save/save").label == "Replace");
    CHECK(bytes_of(folder / "a.json") == "precious");
    d.type("b"); // another path asks anew
    CHECK(d.find("save/save").label == "Save");
    d.key(Key::backspace);
    d.click("save/save");
    CHECK(bytes_of(folder / "a.json") == "precious");
    d.click("save/save");
    CHECK(bytes_of(folder / "a.json").find("document") != std::string::npos);
    CHECK_FALSE(d.has("save/save"));
}

TEST_CASE("a session that cannot be saved says why, and its card stays") {
    Driver d;
    save_as(d, "/no/such/folder/a.json");
    CHECK(d.has("save/save"));
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shows("/no/such/folder"));
    CHECK(d.shell->state.files.session_file.empty());
    CHECK(d.shell->state.files.recent_files.empty());
}

TEST_CASE("a file that cannot be opened says why and leaves everything as it was") {
    const Folder folder;
    Driver d;
    d.click("scale");
    d.click("mask/causal");
    d.key(Key::z, true);
    const app::Session session = d.shell->session();
    write(folder / "a.json", R"({"a": 1})");
    write(folder / "b.json", R"({"document": {"source": 5}})");
    write(folder / "c.json", std::string(100000, '['));
    write(folder / "d.json", R"({"document": {"model_file": "/nowhere/m.safetensors"}})");
    write(folder / "e.json", R"({"document": {}, "kept": [{"focus": {"layer": -1}}]})");
    write(folder / "f.bin", std::string_view("a\0b", 3));
    write(folder / "g.safetensors", "this is no model");
    write(folder / "h.json", R"({"document": {"model_file": "g.safetensors"}})");
    std::filesystem::create_directory(folder / "i.json");
    for (const char* name :
         {"a.json", "b.json", "c.json", "d.json", "e.json", "f.bin", "g.safetensors", "h.json",
          "i.json", "none.json", "none.safetensors"}) {
        INFO(name);
        d.key(Key::o, true);
        d.replace_field("open/path", folder / name);
        d.click("open/open");
        CHECK(d.has("open/open")); // the card stays, with the reason
        CHECK(d.shell->work.notice.bad);
        CHECK(d.shell->work.notice.text.find(name) != std::string::npos);
        d.click("open/close");
        CHECK(d.shell->session() == session);
        CHECK_FALSE(d.snapshot().error);
        CHECK(d.shell->work.history().can_redo()); // the mask that was taken back
    }
    CHECK(d.shell->state.files.recent_files.empty());
    d.key(Key::z, true, true);
    CHECK(d.find("mask/causal").on);
}

TEST_CASE("a model without a tokeniser says what is missing, until a click or Esc") {
    Driver d;
    for (const bool by_click : {true, false}) {
        open(d, HEED_SOURCE_DIR "/tests/models/checkpoints/gpt2");
        CHECK(d.shell->work.notice.bad);
        CHECK(d.shell->work.notice.text.starts_with(
            "gpt2 was not opened: no tokeniser in it (tokenizer.json, or vocab.json and "
            "merges.txt;"));
        CHECK(d.shell->work.notice.text.find("`heed attend` reads ids without one "
                                             "(--source-ids, --target-ids)") != std::string::npos);
        CHECK(d.document().model_file.empty());
        if (by_click) {
            d.click("notice");
        } else {
            d.key(Key::escape);
        }
        CHECK(d.shell->work.notice.text.empty());
        CHECK_FALSE(d.has("notice"));
    }
}

TEST_CASE("why a file that a start names did not open is told, be it read early or late") {
    const Folder folder;
    write(folder / "half.json", R"({"document": {)");
    write(folder / "layer.json", R"({"document": {}, "focus": {"layer": -1}})");
    for (const char* name : {"half.json", "layer.json"}) {
        for (const bool read_first : {true, false}) {
            INFO(name << ' ' << read_first);
            Driver d;
            if (!read_first) d.frame();
            d.shell->open_file(folder / name);
            // With luck it is read before the first frame.
            std::this_thread::sleep_for(std::chrono::milliseconds(read_first ? 30 : 0));
            d.settle();
            CHECK(d.shell->work.notice.bad);
            CHECK(d.shows(std::string(name) + ": "));
        }
    }
}

TEST_CASE("why a file did not open is told where the state before it shows nothing, too") {
    const Folder folder;
    write(folder / "half.json", R"({"document": {)");
    Driver::Options options = Driver::tiny();
    const std::string pipe = folder / "m.safetensors";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    options.document.model_file = pipe;
    Driver d(options);
    CHECK_FALSE(d.snapshot().run);
    CHECK(d.shows(pipe + ": is not a file but a pipe"));
    open(d, folder / "half.json");
    CHECK(d.shows("half.json: not JSON"));
}

TEST_CASE("what went wrong is not covered by letters that no font has") {
    Driver d;
    app::Document document = d.document();
    document.source += " \U0010ABCD";
    d.shell->work.apply(ui::ChangeDocument{document, {}, "typed"});
    d.shell->work.notice = {"half.json: not JSON", true};
    d.settle();
    CHECK(d.shows("half.json: not JSON"));
}

TEST_CASE("a session with places that no map has opens, and shows what there is") {
    const Folder folder;
    Driver d;
    write(folder / "far.json", R"({"document": {"source": "one two"},
        "focus": {"layer": 9999, "head": 9999, "layers": [7777], "heads": [9998], "combine": "sum"},
        "view": {"selected": [2000, 1999], "overlay": [9999], "viewport": [5, 1e6, 0, 0]}})");
    open(d, folder / "far.json");
    CHECK_FALSE(d.shell->work.notice.bad);
    for (const char* view :
         {"view/Lines", "view/Heads", "view/Neurons", "view/Flow", "view/Stages", "view/Heatmap"}) {
        d.click(view);
        CHECK(d.snapshot().run);
    }
    CHECK(d.document().source == "one two");
}

TEST_CASE("a model that is opened is one step back; a session names it and finds it again") {
    const Folder folder;
    Driver d;
    const app::Document drawn = d.document();
    REQUIRE(d.snapshot().run->model->save(folder / "m.safetensors"));
    open(d, folder / "m.safetensors");
    CHECK(d.shows("Opened m"));
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().model_file == folder / "m.safetensors");
    save_as(d, folder / "s.json");
    d.key(Key::z, true);
    CHECK(d.document() == drawn);
    open(d, folder / "s.json");
    CHECK(d.document().model_file == folder / "m.safetensors");
    d.key(Key::z, true);
    std::filesystem::remove(folder / "m.safetensors");
    open(d, folder / "s.json");
    CHECK(d.shows("is gone"));
    CHECK(d.document() == drawn);
}

TEST_CASE("what was opened of late is in the card and among the commands, by name") {
    const Folder folder;
    Driver d;
    write(folder / "one.txt", "the first");
    write(folder / "two.txt", "the second");
    open(d, folder / "one.txt");
    CHECK(d.document().source == "the first");
    open(d, folder / "two.txt");
    CHECK(d.document().source == "the second");
    d.key(Key::o, true);
    d.click("open/recent/1");
    CHECK_FALSE(d.has("open/open"));
    CHECK(d.document().source == "the first");
    d.key(Key::p, true, true);
    d.type("open two");
    d.key(Key::enter);
    CHECK(d.document().source == "the second");
    CHECK(d.shell->state.files.recent_files ==
          std::vector<std::string>{folder / "two.txt", folder / "one.txt"});
    std::filesystem::remove(folder / "one.txt");
    d.key(Key::o, true);
    d.click(folder / "one.txt");
    CHECK(d.has("open/open"));
    CHECK(d.shows("one.txt: cannot be opened: No such file"));
    CHECK(d.find("open/path").on); // to be mended
}

TEST_CASE("models that were opened of late are listed by their titles") {
    Driver d;
    open(d, app::shipped_model("dates"));
    d.settle();
    d.key(Key::o, true);
    CHECK(d.shows("Dates \u2192 ISO \u00b7 Bahdanau"));
    CHECK_FALSE(d.shows("dates.safetensors"));
    CHECK(d.find("open/recent/0").label == app::shipped_model("dates"));
}

TEST_CASE("the model card's field opens a model, and says when there is none") {
    const Folder folder;
    Driver d;
    REQUIRE(d.snapshot().run->model->save(folder / "m.safetensors"));
    d.click("model");
    d.replace_field("model/file", folder / "m.safetensors");
    d.key(Key::enter);
    CHECK(d.document().model_file == folder / "m.safetensors");
    CHECK_FALSE(d.has("model/file")); // what is said of it stands on the stage
    d.click("model");
    d.replace_field("model/file", folder / "none.safetensors");
    d.key(Key::enter);
    CHECK(d.document().model_file == folder / "m.safetensors");
    CHECK(d.shows("no such file"));
}

TEST_CASE("the model card lists the trained models that come with the program, by what they do") {
    Driver d;
    num::ThreadPool pool(1);
    d.click("model");
    CHECK(d.shows("English → français"));
    while (!d.shell->state.explore->gallery->complete()) d.frame();
    d.frame();
    const auto model = models::load_model(app::shipped_model("en-fr-transformer"), pool);
    REQUIRE(model);
    CHECK(d.shows(figure::percent_text(*(*model)->provenance()->exact_match) + " fully correct"));
    CHECK(d.shows("the black cat did not eat the red apple"));
    CHECK(d.shows("Untrained: random weights"));
    for (const app::GalleryEntry& entry : *d.shell->state.explore->gallery->entries()) {
        INFO(entry.path);
        CHECK(entry.map != nullptr);
        if (entry.classifies)
            CHECK(d.shows("\n" + figure::percent_text(entry.exact_match.value()) + " correct\n"));
    }
    d.click("English → français, transformer");
    d.settle();
    CHECK_FALSE(d.has("model/file")); // the card is gone
    CHECK(d.shows("English → français · transformer"));
    CHECK(d.document().source == "the black cat did not eat the red apple");
    CHECK(d.document().model_file == app::shipped_model("en-fr-transformer"));
    CHECK(d.snapshot().run->model->provenance().has_value());
    CHECK_FALSE(d.snapshot().error.has_value());
}

TEST_CASE(
    "a model of one's own is offered again, under its name, and the search finds the trained") {
    const Folder folder;
    Driver d;
    REQUIRE(d.snapshot().run->model->save(folder / "mine.safetensors"));
    open(d, folder / "mine.safetensors");
    d.click("model");
    CHECK(d.shows("Yours, opened or trained lately"));
    CHECK(d.has(folder / "mine.safetensors"));
    d.key(Key::escape);
    d.key(Key::p, true, true);
    d.type("french transformer");
    d.frames(2);
    d.key(Key::enter);
    d.settle();
    CHECK(d.document().model_file == app::shipped_model("en-fr-transformer"));
}

TEST_CASE("a newcomer's first transformer is shown, and is said to be untrained") {
    Driver d;
    open(d, app::shipped_model("zh-en-bahdanau"));
    d.replace_field("source", "我 昨天 吃 了 一个 苹果");
    d.settle();
    CHECK_FALSE(d.shows("untrained"));
    d.click("model");
    d.click("model/kind/Transformer");
    d.click("model/make");
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.snapshot().error.has_value());
    CHECK(d.snapshot().run->trace.target.size() == 6); // it reads the source again
    CHECK(d.shows("untrained"));
}

TEST_CASE("what one model says is not held against what another one said") {
    Driver d;
    open(d, app::shipped_model("headlines-en-four-heads"));
    open(d, app::shipped_model("headlines-en-one-head"));
    CHECK(d.shows("Class"));
    CHECK_FALSE(d.shows("before the last change"));
}

TEST_CASE("the session whose place another takes is kept in a file of its own") {
    const Folder folder;
    Driver d;
    save_as(d, folder / "other.json");
    work_on(d);
    const app::Session mine = d.shell->session();
    d.shell->state.files.before_opening = folder / "before.json";
    open(d, folder / "other.json");
    CHECK(d.shows("Opened other.json"));
    REQUIRE(std::filesystem::exists(folder / "before.json"));
    CHECK(d.shell->state.files.session_file == folder / "other.json");
    CHECK(d.shell->state.files.recent_files.size() == 2);
    open(d, folder / "before.json");
    CHECK(d.shell->session() == mine);
}

TEST_CASE("the Open card lists what the typed path may become: a folder goes on, a file opens") {
    const Folder folder;
    std::filesystem::create_directory(folder / "texts");
    write(folder / "texts/mine.txt", "one two three");
    write(folder / "texts/picture.png", "of a ViT");
    write(folder / "texts/film.mp4", "nothing that is opened");
    Driver d;
    d.key(Key::o, true);
    d.replace_field("open/path", folder / "te");
    REQUIRE(d.has("texts/"));
    d.click("texts/");
    CHECK(d.find("open/path").text == folder / "texts/");
    REQUIRE(d.has("mine.txt"));
    CHECK(d.has("picture.png"));
    CHECK_FALSE(d.has("film.mp4"));
    d.click("mine.txt");
    d.settle();
    CHECK(d.document().source == "one two three");
}

TEST_CASE("the controls of a model from a file show what is usual for it") {
    const Folder folder;
    num::ThreadPool pool(1);
    models::RecurrentConfig config;
    config.hidden = 24;
    config.embedding = 12;
    const auto model = models::draw_model(config, pool);
    REQUIRE(model);
    REQUIRE((*model)->save(folder / "m.safetensors"));
    Driver d;
    open(d, folder / "m.safetensors");
    ui::Commands commands;
    const ui::Panel panel{d.shell->ui,      d.shell->work, d.shell->state,
                          d.shell->figures, commands,      d.shell->experiment};
    CHECK(ui::score_now(panel) == nn::Score::additive);
    CHECK_FALSE(ui::norm_now(panel));
}

TEST_CASE("a trained model opens on its own sentence's strongest cell") {
    Driver d;
    d.click(d.cell(4, 2));
    open(d, app::shipped_model("dates"));
    Eigen::Index row = 0, col = 0;
    d.snapshot().map->maxCoeff(&row, &col);
    CHECK(d.shell->state.view.selected == std::pair{static_cast<int>(row), static_cast<int>(col)});
}

TEST_CASE("a decoder alone opens on what its last token looks at, from which it says the next") {
    Driver d;
    open(d, app::shipped_model("repeat"));
    const auto& map = *d.snapshot().map;
    Eigen::Index col = 0;
    map.row(map.rows() - 1).maxCoeff(&col);
    CHECK(d.shell->state.view.selected ==
          std::pair{static_cast<int>(map.rows()) - 1, static_cast<int>(col)});
}

TEST_CASE("pictures of a former run are called by the model that the top bar names, all of them") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    CHECK_FALSE(d.shows("of the previous run"));
    d.replace_field("source", " ");
    d.settle();
    REQUIRE(d.snapshot().error.has_value());
    const std::string title = app::model_title(d.document().model_file, d.shell->work.config());
    CHECK(d.shows("All pictures are of the last state that ran: " + title));
    CHECK(d.shows("1 of the previous run")); // beside the grid of heads
    CHECK(d.shows("stages of the previous run"));
}

TEST_CASE("a picture that could not be computed anew steps back and says what it is of") {
    Driver d;
    d.replace_field("source", "the cat");
    d.settle();
    CHECK_FALSE(d.shows("All pictures are of the last state that ran"));
    d.replace_field("source", " ");
    d.settle();
    REQUIRE(d.snapshot().error.has_value());
    CHECK(d.shows("All pictures are of the last state that ran: Transformer"));
    CHECK(d.shows("\u201cthe cat\u201d"));
    d.replace_field("source", "the dog");
    d.settle();
    CHECK_FALSE(d.shows("All pictures are of the last state that ran"));
}

TEST_CASE("words in the place of a former picture step back as it would") {
    Driver::Options options = ui::test::small_unrolled();
    SECTION("in a small Unrolled") {}
    SECTION("in Flow on cross-attention") {
        options.document.model_file = app::shipped_model("en-fr-transformer");
        options.view.view = app::View::flow;
        options.focus = {{trace::AttentionKind::cross, 1, 0}};
    }
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    REQUIRE(app::is_sentence(d.picture()));
    CHECK_FALSE(d.shows("All pictures are of the last state that ran"));
    d.replace_field("source", " ");
    d.settle();
    REQUIRE(d.snapshot().error);
    CHECK(says(d, "All pictures are of the last state that ran"));
}

TEST_CASE("a view that has nothing to show offers what gives it something") {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.target.clear();
    options.focus = {{trace::AttentionKind::cross, 1, 0}};
    options.view.view = app::View::flow;
    {
        Driver flow(options);
        flow.settle();
        for (const figure::Primitive& item : flow.picture().items) {
            const auto* text = std::get_if<figure::Text>(&item);
            const bool words = text && text->text.starts_with("Flow shows");
            if (words)
                CHECK(flow.find("flow/encoder").box.y >
                      flow.find("picture").box.y + text->at.y + 8);
        }
        flow.click("flow/encoder");
        flow.settle();
        CHECK(flow.snapshot().flow != nullptr);
        CHECK_FALSE(flow.has("flow/encoder"));
    }

    options.document.model_file = app::shipped_model("zh-en-bahdanau");
    options.document.source = "\u6211 \u6628\u5929 \u5403 \u4e86 \u4e00\u4e2a \u82f9\u679c";
    options.view.view = app::View::beam;
    Driver beam(options);
    beam.settle();
    CHECK(beam.shows("No beam search yet."));
    CHECK(beam.shows("Run beam search"));
    beam.click("beam/search");
    beam.settle();
    CHECK(beam.snapshot().run->trace.beam != nullptr);
    CHECK_FALSE(beam.has("beam/search"));
}

TEST_CASE("a model that is opened starts without the changes that were made to the former one") {
    Driver d;
    d.key(Key::m); // mutes a head
    CHECK_FALSE(d.document().controls == models::Controls{});
    open(d, app::shipped_model("en-fr-transformer"));
    CHECK(d.document().controls == models::Controls{});
    CHECK(d.shows("are cleared"));
    d.key(Key::z, true);
    d.settle();
    CHECK_FALSE(d.document().controls == models::Controls{});
}

TEST_CASE("a step back to another model shows the head that was looked at in it") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.click("kind/Decoder");
    d.settle();
    const auto looked_at = d.shell->work.focus().head;
    REQUIRE(looked_at.kind == trace::AttentionKind::decoder_self);
    open(d, app::shipped_model("dates"));
    REQUIRE(d.shell->work.focus().head != looked_at);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.shell->work.focus().head == looked_at);
    d.key(Key::z, true, true);
    d.settle();
    CHECK(d.snapshot().focus.head.kind == trace::AttentionKind::cross);
}

TEST_CASE("each kind of attention keeps its chosen cell, as long as the text is the same") {
    Driver d;
    d.click(d.cell(2, 1));
    const auto chosen = d.shell->state.view.selected;
    REQUIRE(chosen == std::pair(2, 1));
    d.click("kind/Cross");
    d.settle();
    CHECK_FALSE(d.shell->state.view.selected);
    d.click("kind/Encoder");
    d.settle();
    CHECK(d.shell->state.view.selected == chosen);
    d.click("kind/Cross");
    d.replace_field("source", "something else");
    d.settle();
    d.click("kind/Encoder");
    d.settle();
    CHECK_FALSE(d.shell->state.view.selected);
}

TEST_CASE("a drawn model that has no words to search is decoded as its target says") {
    Driver d;
    open(d, app::shipped_model("zh-en-transformer"));
    d.settle();
    d.click("decode/beam");
    REQUIRE(d.document().decoding.rule == models::Decoding::Rule::beam);
    d.click("model");
    d.click("model/size/0");
    d.click("model/make");
    d.settle();
    REQUIRE(d.document().model_file.empty());
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().decoding.rule == models::Decoding::Rule::forced);
    d.key(ui::shim::Key::escape);
    d.key(ui::shim::Key::z, true);
    d.settle();
    CHECK(d.document().decoding.rule == models::Decoding::Rule::beam);
}

TEST_CASE("a list of files that match nothing says so, and not that there are none") {
    const Folder folder;
    const auto rest = [](Driver& d) { // until the disk has answered
        d.frames(30);
        while (d.shell->busy_with_files()) d.frame();
        d.frames(10);
    };
    REQUIRE(base::write_file_atomic(folder / "text.txt", "the cat"));
    Driver d;
    d.key(ui::shim::Key::o, true);
    d.replace_field("open/path", folder / "");
    rest(d);
    CHECK(d.shows("text.txt"));
    d.replace_field("open/path", folder / "qqq");
    rest(d);
    CHECK(d.shows("Nothing here has the typed name"));
    std::filesystem::remove(folder / "text.txt");
    d.key(ui::shim::Key::escape);
    d.key(ui::shim::Key::o, true);
    d.replace_field("open/path", folder / "q");
    rest(d);
    CHECK_FALSE(d.shows("Nothing here has the typed name"));
    CHECK(d.shows("Nothing here that Heed opens"));
}

TEST_CASE("a filter is of one model's tokens, and goes with it") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    d.shell->state.view.pinned_queries = {1};
    d.shell->state.view.pinned_keys = {2};
    d.frames(2);
    d.click("model");
    d.click("model/kind/Transformer");
    d.click("model/make");
    d.settle();
    REQUIRE(d.document().model_file.empty());
    CHECK(d.shell->state.view.pinned_queries.empty());
    CHECK(d.shell->state.view.pinned_keys.empty());
    d.shell->state.view.pinned_queries = {1};
    d.shell->state.view.pinned_keys = {2};
    open(d, app::shipped_model("zh-en-transformer")); // as the gallery does
    d.settle();
    CHECK(d.shell->state.view.pinned_queries.empty());
    CHECK(d.shell->state.view.pinned_keys.empty());
}

TEST_CASE("a model that undo brings back has the filter that it was left with") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    const auto filter = [&] {
        const app::ViewState& view = d.shell->state.view;
        return std::pair(view.pinned_queries, view.pinned_keys);
    };
    const auto set = std::pair<std::vector<int>, std::vector<int>>({1}, {2});
    for (const bool drawn : {false, true}) {
        CAPTURE(drawn);
        d.shell->state.view.pinned_queries = set.first;
        d.shell->state.view.pinned_keys = set.second;
        d.frames(2);
        if (drawn) {
            d.click("model");
            d.click("model/kind/Transformer");
            d.click("model/make");
            d.key(ui::shim::Key::escape);
        } else {
            open(d, app::shipped_model("zh-en-transformer"));
        }
        d.settle();
        REQUIRE(filter().first.empty());
        d.key(ui::shim::Key::escape);
        d.key(ui::shim::Key::z, true);
        d.settle();
        REQUIRE(d.document().model_file == app::shipped_model("en-fr-transformer"));
        CHECK(filter() == set);
        d.key(ui::shim::Key::z, true, true);
        d.settle();
        CHECK(filter().first.empty());
        d.key(ui::shim::Key::z, true);
        d.settle();
        CHECK(filter() == set);
    }
}

TEST_CASE("a drawn decoder shows the text that it reads in its field, and reads no other") {
    Driver d;
    app::Document document = d.document();
    document.source = "hello world again";
    document.target.clear();
    d.shell->work.apply(ui::ChangeDocument{document, {}, "sentence"});
    d.settle();
    d.click("model");
    d.click("model/form/decoder");
    d.settle();
    CHECK(d.document().target == "hello world again");
    CHECK_FALSE(d.snapshot().error);
    d.click("model/form/encoder-decoder");
    d.settle();
    CHECK(d.document().source == "hello world again");
    CHECK(d.document().target.empty());
    d.click("model/form/decoder");
    d.key(ui::shim::Key::escape);
    d.settle();
    d.replace_field("target", "");
    d.settle();
    CHECK(d.document().source.empty()); // it would be read, unseen
    CHECK(d.snapshot().error);
    d.key(ui::shim::Key::escape);
    d.key(ui::shim::Key::z, true);
    d.settle();
    CHECK(d.document().target == "hello world again");
}

TEST_CASE("beside a trained model the untrained one of its kind is made of the same settings") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.key(Key::m); // mutes a head: not of the one that comes
    d.shell->state.view.compare = app::Compare::difference;
    d.click("model");
    d.click("model/kind/Transformer");
    d.click("model/make");
    d.settle();
    CHECK(d.document().model_file.empty());
    CHECK(d.document().controls == models::Controls{});
    CHECK(d.shell->work.notice.text == app::kChangesCleared);
    CHECK(d.shell->state.view.compare == app::Compare::off);
    CHECK(d.shows("untrained"));
    CHECK_FALSE(d.snapshot().error.has_value());
}

TEST_CASE("what was changed in one model does not come into another that is dropped") {
    const Folder folder;
    make_text_checkpoint(folder / "tiny-gpt");
    Driver d;
    d.key(Key::m);
    REQUIRE_FALSE(d.document().controls == models::Controls{});
    open(d, folder / "tiny-gpt");
    CHECK(d.document().controls == models::Controls{});
    CHECK(d.shell->work.notice.text.find(app::kChangesCleared) != std::string::npos);
}

TEST_CASE("no control acts on a model that has not run while the map of another one is in sight") {
    Driver d;
    d.replace_field("source", "");
    d.key(Key::escape);
    d.settle();
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    d.key(Key::z, true);
    d.settle();
    REQUIRE(d.document().model_file.empty());
    REQUIRE(d.snapshot().error.has_value());
    d.click("scale");
    d.settle();
    CHECK(d.document().controls == models::Controls{});
    CHECK(d.shell->work.notice.text.find("has not run yet") != std::string::npos);
}

TEST_CASE("the cards for files remember where one was, and go up, down and to known places") {
    const Folder folder;
    std::filesystem::create_directory(folder / "texts");
    write(folder / "texts/one.txt", "the dog ran");
    Driver d;
    d.shell->state.files.folder = folder / "texts";
    d.key(Key::o, true);
    CHECK(d.find("open/path").text == folder / "texts/");
    CHECK(d.has("one.txt"));
    d.click("open/entry/0"); // the folder above
    CHECK(d.find("open/path").text == std::string(folder / ""));
    CHECK(d.has("texts/"));
    d.type("tex");
    CHECK(d.has("texts/"));
    d.click("texts/");
    d.click("open/order/Newest");
    d.click("one.txt");
    d.settle();
    CHECK(d.document().source == "the dog ran");
    CHECK(d.shell->state.files.folder == folder / "texts");
    d.key(Key::e, true); // a picture goes where one was written, and nothing was
    CHECK_FALSE(d.find("export/path").text.starts_with(folder / "texts/"));
    d.key(Key::escape);
    d.shell->state.files.written_folder = folder / "texts";
    d.key(Key::e, true);
    CHECK(d.find("export/path").text.starts_with(folder / "texts/"));
    d.click("export/folders");
    CHECK(d.has("export/place/0"));
    CHECK_FALSE(d.has("export/preview"));
    d.click("export/entry/0");
    const std::string path = d.find("export/path").text;
    CHECK(std::filesystem::path(path).parent_path() ==
          std::filesystem::path(folder / "").parent_path());
    CHECK(path.ends_with(".png"));
}

TEST_CASE("a picture dropped on a ViT is what it reads; without one a message says what reads it") {
    const std::string pictures = HEED_SOURCE_DIR "/tests/files/pictures/";
    Driver d;
    d.settle();
    const app::Document before = d.shell->work.document();
    open(d, pictures + "rgb.png");
    CHECK(d.shell->work.notice.text ==
          "rgb.png is a picture: open a ViT or DeiT first, which reads it");
    CHECK(d.shell->work.document() == before);

    open(d, HEED_SOURCE_DIR "/tests/models/checkpoints/vit");
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.snapshot().unknown_words == app::kNoPicture);
    const auto grey = d.snapshot().run;
    open(d, pictures + "half.jpg");
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shell->work.document().image_file == pictures + "half.jpg");
    CHECK(d.snapshot().unknown_words.empty());
    CHECK_FALSE(*d.snapshot().run->input.image == *grey->input.image);

    open(d, pictures + "print.jpg"); // refused: the picture before it stays
    CHECK(d.shell->work.notice.text.find("four channels") != std::string::npos);
    CHECK(d.shell->work.document().image_file == pictures + "half.jpg");
    d.key(Key::z, true);
    CHECK(d.shell->work.document().image_file.empty());
}

TEST_CASE("a model that is opened is read in words, whatever was chosen for the one before") {
    const Folder folder;
    Driver::Options options = Driver::tiny();
    options.document.segmentation = text::Segmentation::characters;
    Driver d(options);
    num::ThreadPool pool(1);
    const auto model = models::draw_model(Driver::tiny().document.model, pool);
    REQUIRE(model);
    REQUIRE((*model)->save(folder / "m.safetensors"));
    open(d, folder / "m.safetensors");
    CHECK(d.document().segmentation == text::Segmentation::words);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().segmentation == text::Segmentation::characters);
}

TEST_CASE("random weights in the place of a trained model are told, with the way back") {
    Driver d;
    open(d, app::shipped_model("reverse"));
    d.settle();
    d.shell->work.clear_notices();
    app::Document drawn = d.document();
    drawn.model_file.clear();
    d.shell->work.apply(ui::ChangeDocument{drawn, {}, "drawn", true});
    CHECK(d.shell->work.notice.text.find(" has random weights. Ctrl+Z brings Reverse") !=
          std::string::npos);
    d.frames(3);
    d.click("notice/way");
    d.settle();
    CHECK(d.document().model_file == app::shipped_model("reverse"));
    d.shell->work.clear_notices();
    open(d, app::shipped_model("repeat")); // trained too
    CHECK(d.shell->work.notice.text.find("random weights") == std::string::npos);
}

TEST_CASE("undone to the empty sentence of another model, controls are its own and pictures say whose") {
    Driver d;
    open(d, app::shipped_model("en-fr-bahdanau"));
    d.replace_field("source", "");
    d.key(Key::escape);
    d.settle();
    REQUIRE(d.snapshot().error);
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shows("Controls \u00b7 cross 2.1"));
    CHECK(d.has("positions/0"));
    d.key(Key::z, true);
    d.settle();
    REQUIRE(d.document().model_file == app::shipped_model("en-fr-bahdanau"));
    REQUIRE(d.snapshot().error);
    CHECK(says(d, "last state that ran: English \u2192 fran\u00e7ais \u00b7 transformer"));
    CHECK(d.shows("Controls \u00b7 attention")); // a recurrent model's, without positions
    CHECK_FALSE(d.has("positions/0"));
    d.key(Key::y, true);
    d.settle();
    CHECK(d.has("positions/0"));
}
