#include "app/document/gains.hpp"

#include "catch.hpp"

using namespace heed;
using app::Document;
using trace::AttentionKind;

namespace {

constexpr int kHeads = 4;
constexpr trace::HeadId kChanged{AttentionKind::encoder_self, 1, 2};

std::vector<float> gains(const Document& document) {
    std::vector<float> list;
    trace::HeadId head = kChanged;
    for (head.head = 0; head.head < kHeads; ++head.head) {
        list.push_back(app::gain_of(document.controls, head));
    }
    return list;
}

} // namespace

TEST_CASE("a fader sets the gain of its head, and 100 % leaves nothing set") {
    const Document set = app::with_gain({}, kChanged, 1.5f);
    CHECK(gains(set) == std::vector<float>{1, 1, 1.5f, 1});
    CHECK(app::with_gain(set, kChanged, 1) == Document{});
    Document silent;
    silent.controls.set({}, {{}, {}, {}, {}, {}, 0.0f, {}});
    CHECK(gains(app::with_gain(silent, kChanged, 1)) == std::vector<float>{0, 0, 1, 0});
}

TEST_CASE("a muted head is heard again as loud as it was") {
    const Document loud = app::with_gain({}, kChanged, 1.5f);
    const Document muted = app::with_mute(loud, kChanged, true);
    CHECK(app::muted(muted.controls, kChanged));
    CHECK(app::with_mute(muted, kChanged, false) == loud);
    CHECK(app::with_mute(app::with_mute({}, kChanged, true), kChanged, false) == Document{});
    // A wider scope may have switched it off.
    Document silent;
    silent.controls.set({}, {{}, {}, {}, {}, {}, 0.0f, {}});
    CHECK(gains(app::with_mute(silent, kChanged, false)) == std::vector<float>{0, 0, 1, 0});
}

TEST_CASE("solo silences the other heads of that layer and no other, and gives them back") {
    Document before = app::with_gain({}, {AttentionKind::encoder_self, 1, 0}, 0.5f);
    before = app::with_gain(before, kChanged, 1.25f);
    const Document solo = app::with_solo(before, kChanged, kHeads, true);
    CHECK(gains(solo) == std::vector<float>{0, 0, 1.25f, 0});
    CHECK(app::soloed(solo.controls, kChanged, kHeads));
    CHECK(app::gain_of(solo.controls, {AttentionKind::encoder_self, 0, 2}) == 1);
    CHECK(app::gain_of(solo.controls, {AttentionKind::cross, 1, 2}) == 1);
    const Document after = app::with_solo(solo, kChanged, kHeads, false);
    CHECK(gains(after) == gains(before));
    CHECK(after.controls.scoped.size() == before.controls.scoped.size());
    CHECK(after.resting == models::Controls{});
    CHECK(app::with_solo(app::with_solo({}, kChanged, kHeads, true), kChanged, kHeads, false) ==
          Document{});
}

TEST_CASE("solo goes from head to head, and muting by hand is solo too") {
    const trace::HeadId other{AttentionKind::encoder_self, 1, 0};
    Document d = app::with_solo({}, kChanged, kHeads, true);
    d = app::with_solo(d, other, kHeads, true);
    CHECK(gains(d) == std::vector<float>{1, 0, 0, 0});
    CHECK_FALSE(app::soloed(d.controls, kChanged, kHeads));
    d = app::with_solo(d, other, kHeads, false);
    CHECK(gains(d) == std::vector<float>{1, 1, 1, 1});
    CHECK(d == Document{}); // no "gain 1" is left of the first
    for (int i = 0; i < kHeads; ++i) {
        if (i != 2) d = app::with_mute(d, {AttentionKind::encoder_self, 1, i}, true);
    }
    CHECK(app::soloed(d.controls, kChanged, kHeads));
    CHECK(gains(app::with_solo(d, kChanged, kHeads, false)) == std::vector<float>{1, 1, 1, 1});
    CHECK_FALSE(app::soloed({}, {AttentionKind::encoder_self, 0, 0}, 1));
}
