#include "models/spec/controls.hpp"

#include "catch.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <vector>

using namespace heed;
using models::Controls;
using models::HeadControls;
using models::Scale;
using models::Scope;
using trace::AttentionKind;
using trace::HeadId;

namespace {

HeadControls with_gain(float gain) {
    HeadControls c;
    c.gain = gain;
    return c;
}

const HeadId kHead{AttentionKind::cross, 2, 3};

// The eight scopes that hold for kHead, by which parts they name: 1 kind, 2 layer, 4 head.
Scope scope_of(int parts) {
    Scope s;
    if (parts & 1) s.kind = kHead.kind;
    if (parts & 2) s.layer = kHead.layer;
    if (parts & 4) s.head = kHead.head;
    return s;
}

} // namespace

TEST_CASE("a scope holds for the heads that agree with everything it names") {
    for (int parts = 0; parts < 8; ++parts) {
        const Scope s = scope_of(parts);
        CHECK(s.holds_for(kHead));
        CHECK(s.holds_for({AttentionKind::encoder_self, 2, 3}) == !(parts & 1));
        CHECK(s.holds_for({AttentionKind::cross, 1, 3}) == !(parts & 2));
        CHECK(s.holds_for({AttentionKind::cross, 2, 0}) == !(parts & 4));
    }
}

TEST_CASE("a head is narrower than a layer, a layer than a kind, a kind than the model") {
    Scope model, kind, layer, head;
    kind.kind = AttentionKind::cross;
    layer.layer = 0;
    head.head = 0;
    CHECK(model.narrowness() < kind.narrowness());
    CHECK(kind.narrowness() < layer.narrowness());
    CHECK(layer.narrowness() < head.narrowness());
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < a; ++b) {
            CHECK(scope_of(a).narrowness() != scope_of(b).narrowness());
        }
    }
}

TEST_CASE("the narrowest scope wins, in whatever order scopes were set") {
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < 8; ++b) {
            if (a == b) continue;
            Controls controls;
            controls.set(scope_of(a), with_gain(static_cast<float>(a)));
            controls.set(scope_of(b), with_gain(static_cast<float>(b)));
            CHECK(controls.resolved(kHead).gain == static_cast<float>(std::max(a, b)));
        }
    }
}

TEST_CASE("fields that a narrow scope leaves open come from a wider one") {
    Controls controls;
    HeadControls wide, narrow;
    wide.temperature = 2.f;
    wide.scale = Scale{Scale::Kind::off, 1};
    wide.score = nn::Score::cosine;
    narrow.scale = Scale{Scale::Kind::factor, 0.5f};
    narrow.mask = nn::Mask{true, true, 3, {{0, 1}}};
    narrow.positions = nn::Positions::alibi;
    controls.set(scope_of(1), wide);
    controls.set(scope_of(7), narrow);
    const HeadControls r = controls.resolved(kHead);
    CHECK(r.temperature == 2.f);
    CHECK(r.score == nn::Score::cosine);
    CHECK(r.scale == narrow.scale);
    CHECK(r.mask == narrow.mask);
    CHECK(r.positions == narrow.positions);
    CHECK_FALSE(r.gain.has_value());
    CHECK(controls.resolved({AttentionKind::cross, 2, 0}).scale == wide.scale);
    CHECK(controls.resolved({AttentionKind::decoder_self, 2, 3}).empty());
}

TEST_CASE("setting a scope replaces it, setting it to nothing removes it") {
    Controls controls;
    controls.set(scope_of(3), with_gain(1));
    controls.set(scope_of(3), with_gain(2));
    REQUIRE(controls.scoped.size() == 1);
    CHECK(controls.at(scope_of(3)).gain == 2.f);
    CHECK(controls.at(scope_of(2)).empty());
    controls.set(scope_of(2), {});
    CHECK(controls.scoped.size() == 1);
    controls.set(scope_of(3), {});
    CHECK(controls == Controls{});
}
