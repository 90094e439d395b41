// Special tokens that are hidden, in the views that show tokens one by one, and what goes to them.
#include "app/engine/inside_picture.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/engine/merging.hpp"
#include "app/views/inside_lens.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/figure.hpp"
#include "figure/base/number_text.hpp"
#include "models/text_checkpoint.hpp"
#include "temporary_folder.hpp"

using namespace heed;
using trace::AttentionKind;
using trace::Stage;

namespace {

struct Shown {
    std::shared_ptr<const app::Snapshot> snapshot;
    app::ViewState state;

    /// "the cat [MASK] w9" between [CLS] and [SEP], as a masked model reads it.
    Shown(const std::string& folder, app::View view, bool hides, bool merges = false) {
        app::Document document;
        document.model_file = folder;
        document.source = "the cat [MASK] w9";
        app::Focus focus{{AttentionKind::encoder_self, 1, 2}};
        focus.hide_special = hides;
        focus.merge_words = merges;
        state.view = view;
        state.selected = {2, 3};
        app::Engine engine({}, 2);
        engine.submit(document, focus, app::needs_of(state, focus));
        snapshot = engine.wait_for_all();
        if (snapshot->error) FAIL(base::describe(*snapshot->error));
    }
    bool says(const std::string& words) const {
        const auto figure = app::make_figure(*snapshot, state, 1400, 900);
        return figure::dump(figure).find(words) != std::string::npos;
    }
};

} // namespace

TEST_CASE("one query's neurons leave special tokens out, and say what goes to them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::neurons, false);
    CHECK(all.says("[CLS]"));
    for (const bool merges : {false, true}) {
        const Shown shown(folder / "m", app::View::neurons, true, merges);
        CHECK_FALSE(shown.says("[CLS]"));
        CHECK_FALSE(shown.says("[SEP]"));
        CHECK(shown.says("w9"));
        const auto weights =
            all.snapshot->run->trace.map(all.snapshot->focus.head)->whole(Stage::weights);
        CHECK(shown.says("to which " + figure::percent_text(weights(2, 0) + weights(2, 5)) +
                         " goes"));
        CHECK_FALSE(app::reading(*shown.snapshot, shown.state).find("[CLS]") != std::string::npos);
    }
}

TEST_CASE("stages leave special tokens out, the vectors and what is between them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::stages, false),
        shown(folder / "m", app::View::stages, true);
    REQUIRE(all.snapshot->strip.size() == shown.snapshot->strip.size());
    for (std::size_t i = 0; i < shown.snapshot->strip.size(); ++i) {
        const app::StripItem &whole = all.snapshot->strip[i], &item = shown.snapshot->strip[i];
        INFO(item.label);
        CHECK(whole.rows == 6);
        CHECK(item.rows == 4);
        CHECK(item.values->rows() == 4);
        const bool pairs = item.stage && trace::is_map(*item.stage);
        CHECK(item.cols == (pairs ? 4 : whole.cols));
        const auto from = whole.values->block(1, pairs ? 1 : 0, 4, item.values->cols());
        CHECK(*item.values == from);
    }
    REQUIRE(shown.snapshot->to_hidden);
    CHECK(shown.says("without special tokens"));
    CHECK(app::reading(*shown.snapshot, shown.state)
              .starts_with("On average " + figure::percent_text(*shown.snapshot->to_hidden) +
                           " goes to special tokens"));
}

TEST_CASE("heads and flow say what their weights give to special tokens on average") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown heads(folder / "m", app::View::heads, true);
    const trace::Trace& trace = heads.snapshot->run->trace;
    float sum = 0;
    int count = 0;
    for (const trace::HeadId& head : trace::heads_in(trace, AttentionKind::encoder_self, {}, {})) {
        const auto weights = trace.map(head)->whole(Stage::weights);
        for (num::Index i = 1; i < 5; ++i) sum += weights(i, 0) + weights(i, 5);
        count += 4;
    }
    const std::string words =
        figure::percent_text(sum / static_cast<float>(count)) + " goes to special tokens";
    CHECK(heads.says(words));
    CHECK(Shown(folder / "m", app::View::flow, true).says(words));
    CHECK_FALSE(Shown(folder / "m", app::View::heads, false).says("special tokens"));
}

TEST_CASE("the room Inside leaves special tokens out of its cards") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::inside, false),
        shown(folder / "m", app::View::inside, true);
    REQUIRE(shown.snapshot->inside);
    REQUIRE_FALSE(shown.snapshot->inside->error);
    CHECK(app::lens_tokens(*all.snapshot) ==
          std::vector<int>{0, 1, 2, 3, 4, 5}); // on both sides of the mask
    CHECK(app::lens_tokens(*shown.snapshot) == std::vector<int>{1, 2, 3, 4});
    CHECK(all.says("[CLS]"));
    CHECK_FALSE(shown.says("[CLS]"));
    CHECK(app::account_places(*shown.snapshot) == std::vector<int>{1, 2, 3, 4});
}
