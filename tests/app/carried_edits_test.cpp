#include "app/document/carried_edits.hpp"
#include "app/document/weight_edits.hpp"
#include "catch.hpp"
#include "small_document.hpp"

using namespace heed;
using app::Document;
using trace::AttentionKind;

namespace {

const trace::HeadId kHead{AttentionKind::encoder_self, 0, 0};

Document saying(const std::string& source) {
    Document d = small_document();
    d.source = source;
    return d;
}

Document painted(Document d, const models::Scope& scope, std::pair<num::Index, num::Index> cell) {
    models::HeadControls own = d.controls.at(scope);
    nn::Mask mask = own.mask.value_or(nn::Mask{});
    mask.painted.push_back(cell);
    own.mask = mask;
    d.controls.set(scope, own);
    return d;
}

app::Carried to(const Document& before, const std::string& source) {
    Document next = before;
    next.source = source;
    return app::carried(before, next, {before.model});
}

} // namespace

TEST_CASE("tokens before and behind what changed keep a place, and no other") {
    const auto places = [](const std::string& a, const std::string& b) {
        const auto words = text::Segmentation::words;
        std::vector<int> list;
        for (const auto& place :
             app::moves(text::tokenize(a, words, 100), text::tokenize(b, words, 100))) {
            list.push_back(place.value_or(-1));
        }
        return list;
    };
    CHECK(places("the cat sat", "the cat sat down") == std::vector<int>{0, 1, 2});
    CHECK(places("the cat sat", "the old cat sat") == std::vector<int>{0, 2, 3});
    CHECK(places("the cat sat", "the dog sat") == std::vector<int>{0, -1, 2});
    CHECK(places("the cat sat", "a dog barked") == std::vector<int>{-1, -1, -1});
    CHECK(places("cat cat", "cat") == std::vector<int>{0, -1});
    CHECK(places("cat", "cat cat") == std::vector<int>{0});
    CHECK(places("", "cat").empty());
}

TEST_CASE("painted cells and edited weights go along with their words, or are let go and told") {
    const models::Scope scope{kHead.kind, kHead.layer, kHead.head};
    Document d = saying("the cat sat on the mat");
    d = painted(d, scope, {1, 2});                // cat, sat
    d = painted(d, scope, {1, 5});                // cat, mat
    d = app::with_weight(d, kHead, {5, 0, 0.5f}); // mat, the

    const app::Carried longer = to(d, "so the cat sat on the mat");
    CHECK(longer.document.controls.at(scope).mask->painted ==
          std::vector<std::pair<num::Index, num::Index>>{{2, 3}, {2, 6}});
    CHECK(app::edits_of(longer.document.controls, kHead) ==
          std::vector<nn::WeightEdit>{{6, 1, 0.5f}});
    CHECK(app::let_go_words(longer).empty());

    const app::Carried other = to(d, "the cat sat on the rug");
    CHECK(other.document.controls.at(scope).mask->painted ==
          std::vector<std::pair<num::Index, num::Index>>{{1, 2}});
    CHECK(app::edits_of(other.document.controls, kHead).empty());
    CHECK(app::let_go_words(other) ==
          "1 painted cell and 1 edited weight were removed with their words "
          "\u00b7 Undo brings them back");

    const app::Carried none = to(d, "une autre phrase");
    CHECK(none.document.controls == models::Controls{}); // no empty mask stays behind
    CHECK(none.painted == 2);
    CHECK(none.edits == 1);
}

TEST_CASE("a cell that holds for every kind of attention stays where it has one place in all") {
    Document d = saying("the cat sat");
    d.target = "le chat dort";
    d = painted(d, {}, {1, 1});
    const auto cells = [](const app::Carried& c) {
        return c.document.controls.at({}).mask->painted;
    };
    CHECK(cells(to(d, "the cat sat down")).size() == 1);
    CHECK(cells(to(d, "so the cat sat")).empty()); // the source's moved, the target's did not
}

TEST_CASE("pinned tokens stay with their words") {
    const auto words = text::Segmentation::words;
    const app::Moves places =
        app::moves(text::tokenize("a b c d", words, 9), text::tokenize("x a b d", words, 9));
    CHECK(app::moved({0, 2, 3, 9}, places) == std::vector<int>{3});
}
