#include "app/document/weight_edits.hpp"

#include "catch.hpp"

using namespace heed;
using app::Document;

namespace {
constexpr trace::HeadId kEdited{trace::AttentionKind::encoder_self, 1, 2};
}

TEST_CASE("a weight set by hand replaces the one before it in its cell, and keeps the others") {
    Document d = app::with_weight({}, kEdited, {3, 1, 0.5f});
    d = app::with_weight(d, kEdited, {2, 4, 0.25f});
    d = app::with_weight(d, kEdited, {3, 1, 0.75f});
    CHECK(app::edits_of(d.controls, kEdited) ==
          std::vector<nn::WeightEdit>{{2, 4, 0.25f}, {3, 1, 0.75f}});
    CHECK(app::edits_of(d.controls, {trace::AttentionKind::cross, 1, 2}).empty());
}

TEST_CASE("a row or a head is given back, and then nothing has changed") {
    Document d = app::with_weight({}, kEdited, {3, 1, 0.5f});
    d = app::with_weight(d, kEdited, {3, 2, 0.1f});
    d = app::with_weight(d, kEdited, {2, 4, 0.25f});
    CHECK(app::edits_of(app::without_edits(d, kEdited, 3).controls, kEdited) ==
          std::vector<nn::WeightEdit>{{2, 4, 0.25f}});
    CHECK(app::without_edits(d, kEdited) == Document{});
    CHECK(app::without_edits(app::without_edits(d, kEdited, 3), kEdited, 2) == Document{});
}

TEST_CASE("edits of a wider scope are a head's own once it is touched") {
    Document d;
    models::HeadControls all;
    all.edits = {{0, 1, 0.5f}};
    d.controls.set({}, all);
    const Document touched = app::with_weight(d, kEdited, {3, 1, 0.75f});
    CHECK(app::edits_of(touched.controls, kEdited).size() == 2);
    CHECK(app::edits_of(touched.controls, {kEdited.kind, 0, 0}).size() == 1);
    const Document cleared = app::without_edits(touched, kEdited);
    CHECK(app::edits_of(cleared.controls, kEdited).empty());
    CHECK(app::edits_of(cleared.controls, {kEdited.kind, 0, 0}).size() == 1);
}
