#include "app/document/changes.hpp"

#include "app/document/gains.hpp"
#include "catch.hpp"

#include <vector>

using namespace heed;
using app::Control;

namespace {

app::Document with_changes() {
    app::Document document;
    models::HeadControls head;
    head.scale = models::Scale{models::Scale::Kind::off, 1};
    head.gain = 0.0f;
    document.controls.set({trace::AttentionKind::encoder_self, 2, 3}, head);
    models::HeadControls all;
    all.mask = nn::Mask{false, true, 3, {{0, 1}}};
    all.edits = {{0, 1, 0.5f}};
    document.controls.set({}, all);
    document.controls.dropout = {0.1f, 4};
    document.controls.norm = models::NormOrder::pre;
    return document;
}

std::vector<std::string> words(const app::Document& document) {
    std::vector<std::string> list;
    for (const app::Change& change : app::changes(document)) {
        list.push_back((change.on ? "+ " : "- ") + change.words);
    }
    return list;
}

} // namespace

TEST_CASE("every control that is set is one change, with its scope") {
    CHECK(app::changes({}).empty());
    CHECK(words(with_changes()) == std::vector<std::string>{
                                       "+ whole model: mask causal, window ± 3, painted cell 1 → 2",
                                       "+ whole model: 1 edited weight",
                                       "+ whole model: norm pre",
                                       "+ whole model: dropout 0.1",
                                       "+ encoder 3.4: scale off",
                                       "+ encoder 3.4: head switched off",
                                   });
}

TEST_CASE("each change can be ticked off and on again, and then nothing has changed") {
    const app::Document document = with_changes();
    for (const app::Change& change : app::changes(document)) {
        const app::Document off = app::toggled(document, change);
        CHECK_FALSE(off == document);
        CHECK(app::changes(off).size() == app::changes(document).size());
        for (const app::Change& other : app::changes(off)) {
            if (other.on) continue;
            CHECK(other.words == change.words);
            const app::Document on = app::toggled(off, other);
            CHECK(on.resting == models::Controls{});
            CHECK(on.controls.norm == document.controls.norm);
            CHECK(on.controls.dropout == document.controls.dropout);
            for (const auto& entry : document.controls.scoped) {
                CHECK(on.controls.at(entry.scope) == entry.controls);
            }
        }
    }
}

TEST_CASE("solo is one change, which is ticked off, on and taken away as a whole") {
    const trace::HeadId head{trace::AttentionKind::cross, 1, 2};
    const app::Document solo = app::with_solo({}, head, 4, true);
    CHECK(words(solo) == std::vector<std::string>{"+ cross 2.3: solo"});
    const app::Document off = app::toggled(solo, app::changes(solo)[0]);
    CHECK(off.controls == models::Controls{});
    CHECK(words(off) == std::vector<std::string>{"- cross 2.3: solo"});
    CHECK(app::toggled(off, app::changes(off)[0]) == solo);
    CHECK(app::without(off, app::changes(off)[0]) == app::Document{});
    CHECK(app::without(solo, app::changes(solo)[0]) == app::Document{});
    const app::Document loud = app::with_solo(app::with_gain({}, head, 1.5f), head, 4, true);
    CHECK(words(loud) == std::vector<std::string>{"+ cross 2.3: solo, gain 150 %"});
    const app::Document two = app::with_gain(solo, {head.kind, 1, 0}, 0.5f);
    CHECK(words(two).size() == 3); // nobody is alone
}

TEST_CASE("a change can be taken away, whether it is on or rests") {
    app::Document document = with_changes();
    while (!app::changes(document).empty()) {
        const auto list = app::changes(document);
        document = app::without(document, list.back());
        CHECK(app::changes(document).size() == list.size() - 1);
        if (list.size() > 2) document = app::toggled(document, app::changes(document).front());
    }
    CHECK(document == app::Document{});
}

TEST_CASE("what rests gives way to what is set anew and comes back in its place") {
    app::Document document;
    models::HeadControls c;
    c.temperature = 2.0f;
    document.controls.set({}, c);
    document = app::toggled(document, app::changes(document)[0]);
    c.temperature = 3.0f;
    document.controls.set({}, c);
    CHECK(words(document) ==
          std::vector<std::string>{"+ whole model: temperature 3", "- whole model: temperature 2"});
    document = app::toggled(document, app::changes(document)[1]);
    CHECK(words(document) == std::vector<std::string>{"+ whole model: temperature 2"});
}

TEST_CASE("a change that is ticked off keeps its place in the list") {
    const app::Document document = with_changes();
    const auto list = app::changes(document);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto ticked = app::changes(app::toggled(document, list[i]));
        REQUIRE(ticked.size() == list.size());
        CHECK(ticked[i].words == list[i].words);
        CHECK_FALSE(ticked[i].on);
    }
}
