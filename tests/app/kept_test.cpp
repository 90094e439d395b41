#include "app/document/kept.hpp"

#include "catch.hpp"

using namespace heed;

TEST_CASE("a kept state is called by its changes, and no two alike") {
    app::Document document;
    const app::Focus focus{{trace::AttentionKind::cross, 1, 2}};
    std::vector<app::Bookmark> kept;
    CHECK(app::proposed_name(document, focus, kept) == "cross 2.3 · original");
    CHECK(app::proposed_name(document, focus, kept, true) == "attention · original");
    models::HeadControls controls;
    controls.gain = 0.5f;
    document.resting.set({}, controls); // what rests is no change
    kept.push_back({"cross 2.3 · original", {}, {}, {}});
    CHECK(app::proposed_name(document, focus, kept) == "cross 2.3 · original (2)");
    document.controls.set({}, controls);
    document.controls.norm = models::NormOrder::pre;
    CHECK(app::proposed_name(document, focus, kept) == "whole model: gain 50 % +1");
}
