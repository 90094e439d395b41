#include "app/document/session.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <string>

using namespace heed;
using app::Session;

namespace {

Session unusual() {
    Session session;
    session.document.source = "我 ate";
    models::HeadControls c;
    c.edits = {{1, 0, 0.25f}};
    session.document.controls.set({trace::AttentionKind::cross, 2, 1}, c);
    session.document.resting.norm = models::NormOrder::pre;
    session.focus.head = {trace::AttentionKind::decoder_self, 1, 2};
    session.focus.combine = trace::Combine::maximum;
    session.focus.layers = {1, 3};
    session.focus.heads = {0};
    session.focus.merge_words = true;
    session.view.selected = {2, 3};
    session.view.pinned_queries = {1, 4};
    session.view.pinned_keys = {0};
    session.view.slots = {{trace::AttentionKind::cross, 1, 0}};
    session.view.scale = figure::ColourScale::logarithmic;
    session.view.compare = app::Compare::beside;
    session.pinned = app::Reference{"pinned", session.document, session.focus};
    session.pinned->document.source = "before";
    session.kept.push_back({"first try", session.document, session.focus, session.view});
    session.kept.push_back({"", {}, {}, {}});
    return session;
}

std::string message(const TemporaryFolder& folder, const std::string& bytes) {
    const std::string path = folder / "broken.json";
    REQUIRE(base::write_file_atomic(path, bytes));
    const auto loaded = app::load_session(path);
    REQUIRE_FALSE(loaded.has_value());
    return base::describe(loaded.error());
}

} // namespace

TEST_CASE("a session comes back as it was saved") {
    const TemporaryFolder folder;
    const std::string path = folder / "work.json";
    REQUIRE(app::save_session(unusual(), path));
    const auto loaded = app::load_session(path);
    REQUIRE(loaded.has_value());
    CHECK(*loaded == unusual());
}

TEST_CASE("a file that is no session says what is wrong and where") {
    const TemporaryFolder folder;
    CHECK(contains(message(folder, "{}"), "broken.json: this JSON is not a Heed session"));
    CHECK(contains(message(folder, "{"), "broken.json"));
    CHECK(contains(message(folder, R"({"document": {}, "kept": [{"view": {"range": "x"}}]})"),
                   "kept[0].view.range"));
    CHECK(contains(message(folder, R"({"document": {}, "pinned": {"focus": {"layers": [-1]}}})"),
                   "pinned.focus.layers[0]"));
    const auto none = app::load_session(folder / "nothing.json");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("a session that cannot be written leaves the old one") {
    const auto failed = app::save_session({}, "/nowhere/work.json");
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().kind == base::ErrorKind::unwritable);
}

TEST_CASE("a session holds what a person chose of a focus, whatever its view needs") {
    app::Focus focus = unusual().focus;
    focus.merge_words = true;
    app::ViewState view;
    for (const app::View which : {app::View::heatmap, app::View::lines, app::View::heads,
                                  app::View::flow, app::View::softmax}) {
        view.view = which;
        view.head_order = app::HeadOrder::effect;
        view.overlay = {0, 1};
        view.scale = figure::ColourScale::logarithmic;
        app::Session session;
        session.focus = focus;
        session.view = view;
        const auto read = app::session_from_json(app::session_to_json(session), "");
        REQUIRE(read);
        CHECK(read->focus == focus);
    }
}
