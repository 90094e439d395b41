#include "trace/beam.hpp"

#include "catch.hpp"

using heed::trace::Beam;
using heed::trace::BeamNode;

namespace {

// le ─ chat ─ ⟨end⟩
//    └ chien
// ⟨end⟩
Beam small_beam() {
    Beam beam;
    beam.width = 3;
    beam.nodes = {{-1, 0, "le", 3, -0.5f, -0.5f, false},
                  {-1, 0, "⟨end⟩", 2, -2.f, -2.f, true},
                  {0, 1, "chat", 4, -0.25f, -0.75f, false},
                  {0, 1, "chien", 5, -3.f, -3.5f, false},
                  {2, 2, "⟨end⟩", 2, -0.125f, -0.875f, true}};
    beam.hypotheses = {4, 1, 3};
    return beam;
}

} // namespace

TEST_CASE("the path of a hypothesis leads from its first word to its last") {
    const Beam beam = small_beam();
    CHECK(beam.path(0) == std::vector<int>{0, 2, 4});
    CHECK(beam.path(1) == std::vector<int>{1});
    CHECK(beam.path(2) == std::vector<int>{0, 3});
}

TEST_CASE("a hypothesis that said nothing has no path, and one that is not there is an error") {
    Beam beam = small_beam();
    beam.hypotheses = {-1};
    CHECK(beam.path(0).empty());
    CHECK_THROWS(beam.path(1));
    CHECK_THROWS(beam.path(-1));
    CHECK_THROWS(Beam{}.path(0));
}
