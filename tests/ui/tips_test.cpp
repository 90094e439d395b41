// Whatever can be pointed at says in one sentence what it is.
#include "ui/driver.hpp"

#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "paths.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/train/train_state.hpp"

#include <filesystem>
#include <map>
#include <set>

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;
using shim::Key;

namespace {

/// What is shown without a sentence, by id: where it was met first.
class Bare {
  public:
    void look(const Driver& d, const std::string& where) {
        for (const Widget& w : d.shell->ui.widgets()) {
            ++met_;
            if (w.tip.empty()) list_.emplace(w.id, where);
            if (w.tip == w.label) list_.emplace(w.id, where + ": its tip repeats its label");
        }
    }
    std::string words() const {
        std::string all;
        for (const auto& [id, where] : list_) all += id + " (" + where + ")\n";
        return all;
    }
    int met() const { return met_; }

  private:
    std::map<std::string, std::string> list_;
    int met_ = 0;
};

void check(const Bare& bare) {
    CHECK(bare.met() > 20);
    CHECK(bare.words() == "");
}

Driver::Options with_model(models::Config model) {
    Driver::Options options = Driver::tiny();
    options.document.model = std::move(model);
    options.document.source = "the cat sat on the mat";
    options.document.target = "le chat est assis";
    options.width = 1280;
    options.height = 2400; // nothing has to be scrolled to
    return options;
}

models::ModelSpec small(models::Architecture architecture) {
    models::ModelSpec model = *models::spec_of(Driver::tiny().document.model);
    model.architecture = architecture;
    return model;
}

models::RecurrentConfig small_recurrent() {
    models::RecurrentConfig config;
    config.hidden = 24;
    config.embedding = 12;
    return config;
}

/// Every tab and every room of formulas, with a cell chosen and without.
void walk(Driver& d, Bare& bare, const std::string& model) {
    bare.look(d, model);
    std::vector<std::string> tabs;
    for (const Widget& w : d.shell->ui.widgets()) {
        if (w.id.starts_with("view/")) tabs.push_back(w.id);
    }
    REQUIRE(tabs.size() >= 2);
    for (const std::string& tab : tabs) {
        d.click(tab);
        d.settle_all();
        bare.look(d, model + ", " + d.find(tab).label);
        d.shell->state.view.selected = {1, 1};
        d.settle();
        bare.look(d, model + ", a cell in " + d.find(tab).label);
        d.shell->state.view.selected.reset();
    }
    for (const char* room : {"room/inside", "room/positions", "room/softmax", "room/explore"}) {
        d.click(room);
        d.settle_all();
        bare.look(d, model + ", " + room);
    }
}

} // namespace

TEST_CASE("everything that can be pointed at says what it is, of pictures and of files of maps") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.align", "0-0 1-1\n0-1 1-0\n"));
    Bare bare;
    Driver d(with_model(Driver::tiny().document.model));
    const auto open = [&](const std::string& path) {
        d.shell->open_file(path);
        d.settle();
        REQUIRE_FALSE(d.snapshot().error);
    };
    open(HEED_SOURCE_DIR "/tests/models/checkpoints/vit");
    walk(d, bare, "a ViT without a picture");
    open(HEED_SOURCE_DIR "/tests/files/pictures/rgb.png");
    walk(d, bare, "a ViT");
    open(folder / "a.align");
    walk(d, bare, "alignments");
    check(bare);
}

TEST_CASE("everything that can be pointed at says what it is, of every kind of transformer") {
    using models::Architecture;
    Bare bare;
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        Driver d(with_model(small(architecture)));
        walk(d, bare,
             architecture == Architecture::encoder_decoder ? "encoder-decoder"
             : architecture == Architecture::encoder_only  ? "encoder"
                                                           : "decoder");
    }
    Driver classifier(with_model(models::classifier_spec()));
    walk(classifier, bare, "classifier");
    check(bare);
}

TEST_CASE("everything that can be pointed at says what it is, of recurrent models") {
    Bare bare;
    for (const models::Shape shape : models::kShapes) {
        models::RecurrentConfig config = small_recurrent();
        config.shape = shape;
        Driver d(with_model(config));
        walk(d, bare, "recurrent");
    }
    Driver d(with_model(small_recurrent()));
    d.click("decode/beam");
    d.shell->state.view.selected = {1, 1};
    walk(d, bare, "beam");
    check(bare);
}

TEST_CASE("what a change brings with it says what it is") {
    Bare bare;
    Driver d(with_model(small(models::Architecture::encoder_decoder)));
    d.click("scale");
    d.click("mask/window");
    d.click("mask/paint");
    d.click("dropout");
    d.click("positions/RoPE");
    d.click("head/mute");
    bare.look(d, "changed");
    d.click("change/0");
    d.click("undo");
    bare.look(d, "undone");
    d.key(Key::k, true);
    bare.look(d, "a snapshot is named");
    d.key(Key::enter);
    bare.look(d, "a snapshot");
    d.click("combine/mean");
    bare.look(d, "combined");
    d.click("pin");
    d.click("compare/difference");
    bare.look(d, "compared");
    d.click("compare/off");
    d.click("combine/one");
    d.click("segmentation/characters");
    d.click("merge");
    d.shell->state.view.selected = {1, 1};
    d.shell->state.view.pinned_queries = {1};
    d.settle();
    bare.look(d, "merged, filtered");
    d.key(Key::c);
    d.click("view/Heads");
    d.click("heads/order");
    bare.look(d, "orders of heads");
    d.click("heads/order/effect");
    d.settle_all();
    bare.look(d, "side by side");
    check(bare);
}

TEST_CASE("a tip asks for the frame in which it is seen, since ImGui hides its first") {
    Driver d;
    d.hover("theme");
    d.settle();
    int waited = 0;
    for (; d.shell->ui.tip_shown().w == 0 && waited < 100; ++waited) d.frame();
    REQUIRE(d.shell->ui.tip_shown().w > 0);
    CHECK(waited > 10);
    CHECK(d.shell->ui.wants_frame_in() == 0);
    d.frame();
    CHECK_FALSE(d.shell->ui.wants_frame_in() == 0);
}

TEST_CASE("a weight that is set by hand says how it is undone") {
    Bare bare;
    Driver d(with_model(small(models::Architecture::encoder_decoder)));
    d.shell->state.view.selected = {1, 1};
    d.settle();
    const Box weight = d.find("weight").box;
    d.click(ui::Point{weight.x + weight.w * 0.9f, weight.y + weight.h / 2});
    REQUIRE(d.has("weight/row"));
    bare.look(d, "edited");
    check(bare);
}

TEST_CASE("every card says of each of its parts what it does") {
    Bare bare;
    Driver d(with_model(small(models::Architecture::encoder_decoder)));
    d.shell->state.files.recent_files = {"/tmp/one.json"};
    for (const CardId card : {CardId::open_file, CardId::save_session, CardId::export_picture,
                              CardId::keys, CardId::search, CardId::colours, CardId::data}) {
        d.shell->state.open_dialog = card;
        d.settle();
        REQUIRE(d.shell->ui.any_popup());
        bare.look(d, "card " + std::to_string(static_cast<int>(card)));
        d.key(Key::escape);
        d.key(Key::escape);
        REQUIRE_FALSE(d.shell->ui.any_popup());
    }
    d.click("score");
    bare.look(d, "scores");
    d.key(Key::escape);
    d.shell->state.files.recent_files = {"/tmp/one.safetensors"};
    d.key(Key::escape);
    d.settle();
    d.click("model");
    d.settle();
    REQUIRE(d.shell->state.explore->gallery);
    while (!d.shell->state.explore->gallery->complete()) d.frame();
    d.frame();
    REQUIRE(d.has("/tmp/one.safetensors"));
    bare.look(d, "models");
    d.key(Key::escape);
    d.key(Key::escape);
    d.settle();
    d.right_click(d.cell(1, 1));
    d.frames(2);
    REQUIRE(d.shell->ui.any_popup());
    bare.look(d, "menu of a cell");
    check(bare);
}

TEST_CASE("a small window, its edges and the presenter's panels say what they are") {
    Bare bare;
    Driver::Options options = with_model(small(models::Architecture::encoder_decoder));
    options.width = 900;
    options.height = 600;
    Driver d(options);
    d.shell->state.layout.cues = {};
    d.settle();
    bare.look(d, "small");
    d.key(Key::left_bracket, true);
    d.key(Key::right_bracket, true);
    d.settle();
    bare.look(d, "small, without panels");
    d.key(Key::f11);
    d.settle();
    for (const Point edge : {Point{2, 300}, Point{898, 300}, Point{450, 598}}) {
        d.hover(edge);
        d.settle();
        bare.look(d, "presenting");
    }
    check(bare);
}

TEST_CASE("what a tokenizer and a masked model bring with them says what it is") {
    const TemporaryFolder folder;
    Bare bare;
    Driver d(with_model(small(models::Architecture::decoder_only)));
    for (const char* family : {"gpt2", "bert", "t5"}) {
        make_text_checkpoint(folder / family, family);
        open(d, folder / family);
        d.settle_all();
        REQUIRE_FALSE(d.snapshot().error);
        bare.look(d, family);
    }
    check(bare);
}

TEST_CASE("the Train room and its cards say what they are") {
    Bare bare;
    const TemporaryFolder folder;
    Driver d(with_model(small(models::Architecture::encoder_decoder)));
    ExperimentDesk& desk = d.shell->experiment;
    desk.folder = folder / "experiments";
    app::ExperimentForm& form = d.shell->state.train->form;
    const auto rest = [&] {
        d.frames(2);
        desk.room().wait_until_it_rests();
        d.frames(3);
    };
    for (const train::Task task : {train::Task::reverse, train::Task::headlines_en}) {
        app::choose_task(form, task);
        form.steps = 16;
        form.batch = 8;
        form.max_length = 5;
        d.click("room/train");
        rest();
        d.click("train/again");
        rest();
        bare.look(d, "train");
        d.click("train/play");
        rest();
        bare.look(d, "trained");
    }
    d.key(Key::e, true);
    bare.look(d, "export of an experiment");
    d.key(Key::escape);
    d.shell->wish_to_leave();
    d.settle();
    REQUIRE(d.has("leave/save"));
    bare.look(d, "leave");
    check(bare);
}

TEST_CASE("a tip over a picture goes while the pointer rests, or by a key, until it moves") {
    Driver d;
    d.settle();
    const auto shown = [&] { return d.shell->ui.tip_shown().w > 0; };
    const Box picture = d.find("picture").box;
    ui::Point at{picture.x + picture.w / 2, picture.y + picture.h - 20};
    const auto move = [&] {
        at.x += 3;
        d.hover(at);
        d.frames(60);
    };
    move();
    REQUIRE(shown());
    d.frames(11 * 60);
    CHECK_FALSE(shown());
    move();
    CHECK(shown());
    d.key(Key::end);
    d.frames(60);
    CHECK_FALSE(shown());
    move();
    CHECK(shown());
    d.hover("scale"); // of a control they stay
    d.frames(60);
    REQUIRE(shown());
    d.frames(11 * 60);
    CHECK(shown());
}

TEST_CASE("every page of the Learn room and every lesson's card say what they are") {
    Bare bare;
    Driver d(with_model(small(models::Architecture::encoder_decoder)));
    d.click("room/learn");
    std::vector<std::string> pages, lessons;
    for (const Widget& w : d.shell->ui.widgets()) {
        if (w.id.starts_with("learn/page/")) pages.push_back(w.id);
        if (w.id.starts_with("learn/lesson/")) lessons.push_back(w.id);
    }
    REQUIRE(lessons.size() == 8);
    for (const std::string& page : pages) {
        d.click(page);
        d.frames(2);
        d.shell->state.learn->desk.wait();
        d.frames(3);
        bare.look(d, page);
    }
    for (const std::string& lesson : lessons) {
        d.click("room/learn");
        d.click(lesson);
        d.settle();
        bare.look(d, lesson);
    }
    check(bare);
}

TEST_CASE("a tooltip is not upon what it speaks of") {
    Driver d;
    for (const char* name : {"temperature", "theme", "keys", "view/0", "stages"}) {
        const Box of = d.find(name).box;
        d.hover(name);
        d.frames(40);
        const Box tip = d.shell->ui.tip_shown();
        INFO(name);
        REQUIRE(tip.w > 0);
        CHECK((tip.y >= of.y + of.h || tip.y + tip.h <= of.y || tip.x >= of.x + of.w ||
               tip.x + tip.w <= of.x));
        CHECK(tip.w <= 340);
        if (std::string_view(name) == "stages") continue; // it says what tile is pointed at
        const std::string words = d.find(name).tip;
        CHECK(d.shows(words.substr(0, words.find(' ', 12)))); // its own, not what lies below it
    }
}

TEST_CASE("everything that the room Inside opens says what it is") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", "the cat sat on the mat\nthe dog\n"));
    Bare bare;
    Driver d(with_model(small(models::Architecture::decoder_only)));
    d.click("room/inside");
    d.settle_all();
    d.click("inside/patch/paths");
    for (const char* score : {"positional", "first"}) {
        d.click(fmt::format("inside/score/{}", score));
        d.settle_all();
        bare.look(d, score);
    }
    d.replace_field("inside/other", "the dog sat on the mat");
    d.settle_all();
    bare.look(d, "another sentence");
    d.click("inside/cards/tokens");
    d.settle_all();
    bare.look(d, "tokens");
    d.click("inside/cards/parts");
    d.settle_all();
    d.click("inside/choose");
    d.settle();
    bare.look(d, "the card that chooses a file");
    d.replace_field("corpus/path", folder / "a.txt");
    d.click("corpus/measure");
    d.settle();
    d.shell->state.inside->corpus.wait();
    d.shell->wake();
    d.settle_all();
    bare.look(d, "a corpus");
    d.click("room/explore");
    d.settle_all();
    d.shell->state.view.view = app::View::heads;
    d.shell->state.view.heads_as = app::HeadsAs::scatter;
    d.shell->state.view.head_colour = inside::HeadScore::entropy;
    d.shell->wake();
    d.settle_all();
    bare.look(d, "a scatter");
    check(bare);
}

TEST_CASE("a tooltip leaves the rows beside its own free, and goes when it is pressed") {
    Driver d;
    const auto covers = [](const Box& a, const Box& b) {
        return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    };
    for (const char* name : {"temperature", "factor", "scale"}) {
        d.hover(name);
        d.frames(40);
        const Box tip = d.shell->ui.tip_shown();
        INFO(name);
        REQUIRE(tip.w > 0);
        for (const Widget& w : d.shell->ui.widgets()) {
            if (w.kind == Widget::Kind::area) continue;
            INFO(w.id);
            CHECK_FALSE(covers(tip, w.box));
        }
    }
    d.click("scale");
    d.frames(60);
    CHECK(d.shell->ui.tip_shown().w == 0);
    const Box scale = d.find("scale").box;
    d.hover(ui::Point{scale.x + scale.w - 8, scale.y + scale.h / 2});
    d.frames(60);
    CHECK(d.shell->ui.tip_shown().w > 0);
}

TEST_CASE("the tooltip of a room comes late, at the height of its sign") {
    Driver d;
    d.hover("room/learn");
    d.frames(40);
    CHECK(d.shell->ui.tip_shown().w == 0);
    d.frames(60);
    const Box tip = d.shell->ui.tip_shown(), of = d.find("room/learn").box;
    REQUIRE(tip.w > 0);
    CHECK(tip.w <= 230);
    CHECK(tip.x >= of.x + of.w);
    CHECK(tip.y < of.y + of.h);
    CHECK(tip.y + tip.h > of.y);
}

TEST_CASE("between the cards of Inside nothing is told of the room") {
    Driver d(with_model(Driver::tiny().document.model));
    d.click("room/inside");
    d.settle_all();
    const Box picture = d.find("picture").box;
    d.hover(Point{picture.x + 4, picture.y + picture.h / 2});
    d.frames(120);
    CHECK(d.shell->ui.tip_shown().h == 0);
}
