#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/head_scores.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/head_scores_view.hpp"
#include "app/views/head_views.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "small_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace heed;
using app::HeadOrder;
using app::View;
using figure::Tag;

namespace {

std::shared_ptr<const app::Snapshot> snapshot_for(const app::ViewState& state,
                                                  app::Focus focus = {}) {
    app::Computation computation(1);
    const app::Needs needs = app::needs_of(state, focus);
    auto snapshot = computation.answer({1, small_document(), std::move(focus), needs}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    while (auto more = computation.refine({})) snapshot = more;
    return snapshot;
}

std::string dumped(const app::Snapshot& snapshot, const app::ViewState& state) {
    return figure::dump(app::make_figure(snapshot, state, 900, 700));
}

} // namespace

TEST_CASE("thumbnails by row are made once an answer, not at each layout") {
    app::ViewState state;
    state.view = View::heads;
    state.range = figure::RangeMode::row;
    const auto snapshot = snapshot_for(state);
    const auto drawn = [&](float width) {
        std::vector<const void*> maps;
        for (const auto& item : app::make_figure(*snapshot, state, width, 700).items) {
            if (const auto* heat = std::get_if<figure::Heat>(&item)) maps.push_back(&*heat->values);
        }
        return maps;
    };
    const auto maps = drawn(900);
    REQUIRE(maps.size() >= 8);
    int same = 0;
    const auto& made = *snapshot->thumbnails[static_cast<std::size_t>(snapshot->focus.head.kind)];
    for (const auto& by_row : made.by_row) {
        CHECK(by_row->rowwise().maxCoeff().isOnes());
        same += std::ranges::count(maps, static_cast<const void*>(by_row.get())) == 1;
    }
    CHECK(same == 8);
}

TEST_CASE("heads are sorted by what was asked for, the largest first") {
    app::ViewState state;
    state.view = View::heads;
    for (const auto order : {HeadOrder::entropy, HeadOrder::distance, HeadOrder::effect}) {
        state.head_order = order;
        const auto snapshot = snapshot_for(state);
        std::vector<float> values;
        for (const auto& target : app::make_figure(*snapshot, state, 900, 700).targets) {
            const auto* tag = target.as<figure::tag::Head>();
            if (!tag) continue;
            const auto at = static_cast<std::size_t>(tag->layer * 4 + tag->head);
            values.push_back(
                order == HeadOrder::effect    ? snapshot->effects->relative_change[at].value()
                : order == HeadOrder::entropy ? (*snapshot->summaries)[at].mean_entropy_bits
                                              : (*snapshot->summaries)[at].mean_distance);
        }
        REQUIRE(values.size() == 8);
        CHECK(std::is_sorted(values.rbegin(), values.rend()));
        CHECK(values.front() > values.back());
    }
}

TEST_CASE(
    "heads that are off are not compared with those that are on, and are sorted behind them") {
    app::ViewState state;
    state.view = View::heads;
    state.head_order = HeadOrder::effect;
    app::Snapshot snapshot = *snapshot_for(state);
    models::Run run = *snapshot.run;
    models::HeadControls off;
    off.gain = 0.f;
    for (const int head : {1, 2})
        run.controls.set({trace::AttentionKind::encoder_self, 0, head}, off);
    snapshot.run = std::make_shared<const models::Run>(std::move(run));
    app::HeadEffects effects = *snapshot.effects;
    effects.relative_change = {0.3f, 0.9f, 0.01f, 0.1f, 0.2f, 0.5f, 0.4f, 0.6f};
    snapshot.effects = std::make_shared<const app::HeadEffects>(effects);
    const auto ends = app::head_ends(snapshot);
    REQUIRE(ends);
    CHECK(ends->of_effect);
    CHECK(ends->most == 7);
    CHECK(ends->least == 3);
    CHECK(app::heads_in_order(snapshot, HeadOrder::effect) ==
          std::vector<int>{7, 5, 6, 0, 4, 3, 1, 2});
    CHECK(contains(dumped(snapshot, state), "90.0 % with it back"));
    CHECK(contains(dumped(snapshot, state), "2 of 8 heads off"));
}

TEST_CASE("heads are sorted by any score of the text, and ones that have none keep their places") {
    app::ViewState state;
    state.view = View::heads;
    for (const auto& [name, order, tip] : app::names<HeadOrder>()) {
        INFO(name);
        const auto score = app::score_of(order);
        CHECK_FALSE(tip.empty());
        if (!score || !inside::is_of_text(*score)) continue;
        state.head_order = order;
        const auto snapshot = snapshot_for(state);
        const auto places = app::heads_in_order(*snapshot, order);
        REQUIRE(places.size() == 8);
        std::vector<float> values;
        for (const int place : places) {
            const auto& summary = (*snapshot->summaries)[static_cast<std::size_t>(place)];
            CHECK_FALSE(summary.label().empty());
            if (summary.scores.has(*score)) values.push_back(summary.scores[*score]);
        }
        CHECK(std::is_sorted(values.rbegin(), values.rend()));
        // No word of the sentence comes twice.
        const bool repeats = order == HeadOrder::duplicate || order == HeadOrder::followed;
        CHECK(values.size() == (repeats ? 0 : 8));
        const char* tokens = order == HeadOrder::distance ? "{:.1f} tokens" : "{:.2f}";
        const std::string note =
            repeats ? "\u2013" : fmt::format(fmt::runtime(tokens), values.front());
        CHECK(contains(dumped(*snapshot, state), note));
        if (repeats) CHECK(places == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    }
}

TEST_CASE("induction and copying sort heads once random sequences were read") {
    app::Document document = small_document();
    models::spec_of(document.model)->architecture = models::Architecture::decoder_only;
    app::ViewState state;
    state.view = View::heads;
    state.head_order = HeadOrder::induction;
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    CHECK(app::head_values(*snapshot, inside::HeadScore::induction) ==
          std::vector<std::optional<float>>(8));
    while (const auto more = computation.refine({})) snapshot = more;
    REQUIRE(snapshot->head_scores->complete());
    const auto values = app::head_values(*snapshot, inside::HeadScore::induction);
    const auto places = app::heads_in_order(*snapshot, HeadOrder::induction);
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        CHECK(values[static_cast<std::size_t>(places[i])].value() >=
              values[static_cast<std::size_t>(places[i + 1])].value());
    }
    document.source = document.target = "Another sentence of it"; // the same model has the same
    const auto next = computation.answer({2, document, {}, app::needs_of(state, {})}, {});
    CHECK(next->head_scores->complete());
    CHECK(app::head_values(*next, inside::HeadScore::induction) == values);
}

TEST_CASE("a scatter has a point for each head, named and picked, and its scores as numbers") {
    app::ViewState state;
    state.view = View::heads;
    state.heads_as = app::HeadsAs::scatter;
    state.scatter_x = inside::HeadScore::first;
    state.scatter_y = inside::HeadScore::entropy;
    const auto snapshot = snapshot_for(state);
    const auto figure = app::make_figure(*snapshot, state, 900, 700);
    std::size_t heads = 0, axes = 0;
    for (const figure::Target& target : figure.targets) {
        heads += target.as<figure::tag::Head>() ? 1 : 0;
        axes += target.as<figure::tag::Control>() ? 1 : 0;
    }
    CHECK(heads == 8);
    CHECK(axes == 2);
    const std::string words = figure::dump(figure);
    CHECK(contains(words, "mean A(i, 0), i > 0"));
    CHECK(contains(words, "Entropy"));
    const auto tables = app::scatter_tables(*snapshot, state);
    REQUIRE(tables.all.size() == 2);
    CHECK(tables.all[0].cols == std::vector<std::string>{"first", "entropy"});
    CHECK(tables.all[1].cols.size() == inside::kScores);
    const auto values = app::head_values(*snapshot, inside::HeadScore::entropy);
    for (int i = 0; i < 8; ++i) {
        CHECK((*tables.all[0].values)(i, 1) == values[static_cast<std::size_t>(i)].value());
    }
}

TEST_CASE("on white paper nothing that is as the ground stays tinted") {
    app::ViewState state; // of heads that are nearly one dot: a name stands on others'
    state.view = View::heads;
    state.heads_as = app::HeadsAs::scatter;
    state.scatter_x = state.scatter_y = inside::HeadScore::entropy;
    const auto snapshot = snapshot_for(state);
    app::ExportOptions options;
    options.marks.head = true; // so that it has a ground of its own
    const auto of_ground = [&](const figure::Figure& picture, const figure::Color& ground) {
        int found = 0;
        for (const figure::Primitive& item : picture.items) {
            const auto* fill = std::get_if<figure::Fill>(&item);
            if (fill == nullptr) continue;
            const figure::Color& c = fill->color;
            found += c.r == ground.r && c.g == ground.g && c.b == ground.b;
        }
        return found;
    };
    options.ground = app::Ground::theme;
    const figure::Figure tinted = app::export_figure(*snapshot, state, options);
    CHECK(of_ground(tinted, tinted.background) > 0);
    options.ground = app::Ground::white;
    CHECK(of_ground(app::export_figure(*snapshot, state, options), tinted.background) == 0);
}

TEST_CASE("a scatter opens on two scores that heads of every kind of attention have") {
    app::ViewState state;
    state.view = View::heads;
    state.heads_as = app::HeadsAs::scatter;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        app::Focus focus;
        focus.head.kind = kind;
        const auto snapshot = snapshot_for(state, focus);
        const auto figure = app::make_figure(*snapshot, state, 900, 700);
        const auto heads = std::ranges::count_if(figure.targets, [](const figure::Target& target) {
            return target.as<figure::tag::Head>() != nullptr;
        });
        CHECK(heads == snapshot->run->trace.n_layers(kind) * snapshot->run->trace.n_heads(kind));
    }
}

TEST_CASE("a score below nothing has a true minus sign") {
    CHECK(app::score_text(inside::HeadScore::copying, -0.574f) == "−0.57");
    CHECK(app::score_text(inside::HeadScore::copying, -0.001f) == "0.00");
}

TEST_CASE("heads that are sorted and framed by one score have its formula once") {
    app::ViewState state;
    state.view = View::heads;
    state.head_colour = inside::HeadScore::confidence;
    state.head_order = app::HeadOrder::confidence;
    const auto snapshot = snapshot_for(state);
    const std::string words = dumped(*snapshot, state);
    CHECK(contains(words, "Sorted and framed by confidence: mean max A(i, ·), largest first"));
    CHECK_FALSE(contains(words, "frame colour"));
    state.head_order = app::HeadOrder::first;
    CHECK(contains(dumped(*snapshot_for(state), state), "frame colour: confidence, mean max A"));
}

TEST_CASE("heads are coloured by a score, and those below the least stand back") {
    app::ViewState state;
    state.view = View::heads;
    state.head_colour = inside::HeadScore::confidence;
    const auto snapshot = snapshot_for(state);
    figure::HeadGrid grid;
    app::shade_heads(grid, *snapshot, state);
    CHECK(grid.shades.size() == 8);
    CHECK(std::ranges::count(grid.faded, true) == 0);
    CHECK(contains(dumped(*snapshot, state), "colour: confidence, mean max A(i, ·)"));
    const std::string told = app::reading(*snapshot, state);
    CHECK(told.starts_with(std::string(inside::info(*state.head_colour).label) + ": layer "));
    CHECK(contains(told, " has the most, "));
    CHECK(contains(told, " the least, "));
    state.head_least = 1;
    figure::HeadGrid best;
    app::shade_heads(best, *snapshot, state);
    CHECK(std::ranges::count(best.faded, false) == 1);
    const auto most = std::ranges::max_element(best.shades) - best.shades.begin();
    CHECK_FALSE(best.faded[static_cast<std::size_t>(most)]);
    CHECK(app::heads_left(*snapshot, state).left == 1);
    CHECK(app::heads_left(*snapshot, state).all == 8);
}

TEST_CASE("heads with like maps stand together, in an order that stays") {
    app::ViewState state;
    state.view = View::heads;
    state.head_order = HeadOrder::alike;
    const auto snapshot = snapshot_for(state);
    REQUIRE(snapshot->alike);
    auto places = app::heads_in_order(*snapshot, HeadOrder::alike);
    CHECK(places == *snapshot->alike);
    CHECK(places == *snapshot_for(state)->alike);
    std::ranges::sort(places);
    for (int i = 0; i < 8; ++i) CHECK(places[static_cast<std::size_t>(i)] == i);
    CHECK(contains(dumped(*snapshot, state), "like maps together"));
    state.head_order = HeadOrder::place;
    CHECK_FALSE(snapshot_for(state)->alike);
}

TEST_CASE("heads by an effect that is not measured yet keep their places and say so") {
    app::ViewState state;
    state.view = View::heads;
    state.head_order = HeadOrder::effect;
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, small_document(), {}}, {});
    const auto figure = app::make_figure(*snapshot, state, 900, 700);
    CHECK(contains(figure::dump(figure), "\u2026"));
    REQUIRE(figure.targets.size() == 8);
    CHECK(figure.targets[5].tag == Tag(figure::tag::Head{1, 1}));
}

TEST_CASE("the neurons of the selected query stand against every key") {
    app::ViewState state;
    state.view = View::neurons;
    state.selected = {1, 2};
    const std::string dump = dumped(*snapshot_for(state), state);
    CHECK(contains(dump, "query 2 “cat” against every key"));
    state.selected = {90, 90}; // the sentence was longer: as if nothing were chosen
    CHECK(contains(dumped(*snapshot_for(state), state), "query 1 “The” against every key"));
}

TEST_CASE("the flow ends in the selected token, by the rule that was chosen") {
    app::ViewState state;
    state.view = View::flow;
    state.selected = {2, 0};
    const auto snapshot = snapshot_for(state);
    REQUIRE(snapshot->flow != nullptr);
    CHECK(snapshot->flow->token == 2);
    CHECK(contains(dumped(*snapshot, state), "what flows into “sat” · attention rollout"));
    state.flow_rule = trace::FlowRule::raw;
    CHECK(snapshot_for(state)->flow->rule == trace::FlowRule::raw);
}

TEST_CASE("cross-attention has no flow, and the picture says why") {
    app::ViewState state;
    state.view = View::flow;
    app::Focus focus;
    focus.head.kind = trace::AttentionKind::cross;
    const auto snapshot = snapshot_for(state, focus);
    CHECK(snapshot->flow == nullptr);
    CHECK(contains(dumped(*snapshot, state), "Switch to Encoder or Decoder"));
}

TEST_CASE("the range of colours holds for the maps of heads, and is said") {
    app::ViewState state;
    state.view = View::heads;
    const auto snapshot = snapshot_for(state);
    const auto ends = [&] {
        std::vector<float> highs;
        for (const figure::Primitive& item : app::make_figure(*snapshot, state, 900, 700).items) {
            const auto* heat = std::get_if<figure::Heat>(&item);
            if (heat && heat->values->rows() > 1) highs.push_back(heat->high);
        }
        return highs;
    };
    const auto is_one = [](float high) { return high == 1; };
    CHECK(std::ranges::all_of(ends(), is_one));
    state.range = figure::RangeMode::map;
    CHECK(std::ranges::any_of(ends(), [](float high) { return high < 0.99f; }));
    CHECK(contains(dumped(*snapshot, state), "colours 0 to each map's max"));
    state.range = figure::RangeMode::row;
    CHECK(std::ranges::all_of(ends(), is_one));
    CHECK(contains(dumped(*snapshot, state), "colours 0 to each row's max"));
}

TEST_CASE("heads say what their strips are of, where tokens are chosen") {
    app::ViewState state;
    state.view = View::heads;
    const auto told = [&] { return dumped(*snapshot_for(state), state).find("strips: mean"); };
    CHECK(told() == std::string::npos);
    state.pinned_keys = {2};
    const auto snapshot = snapshot_for(state);
    const std::string key = snapshot->run->trace.source[2].text;
    const std::string drawn = dumped(*snapshot, state);
    CHECK(contains(drawn, "strips: mean attention to key “" + key + "”, max "));
    CHECK(contains(drawn, " of heads"));
    state.pinned_keys = {2, 3};
    CHECK(
        contains(dumped(*snapshot_for(state), state), "strips: mean of summed attention to keys "));
    state.pinned_keys = {2};
    state.head_order = HeadOrder::entropy; // which has no strips
    CHECK(told() == std::string::npos);
}

TEST_CASE("one head alone is a map with the names of its tokens, and picked as a head") {
    app::Document document;
    document.model_file = app::shipped_model("headlines-en-one-head");
    document.source = "young woman returns money of club";
    app::ViewState state;
    state.view = View::heads;
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    REQUIRE_FALSE(snapshot->error.has_value());
    const std::string drawn = dumped(*snapshot, state);
    CHECK(contains(drawn, "1 layer × 1 head"));
    for (const char* word : {"young", "woman", "money", "club"}) CHECK(contains(drawn, word));
    const auto figure = app::make_figure(*snapshot, state, 900, 700);
    REQUIRE(figure.targets.size() == 1);
    CHECK(figure.targets[0].as<figure::tag::Head>());
}

TEST_CASE("a file rings the focused head or frames the stage where it was asked for") {
    for (const bool stages : {false, true}) {
        app::ViewState state;
        state.view = stages ? View::stages : View::heads;
        state.heads_as = app::HeadsAs::scatter;
        const auto snapshot = snapshot_for(state);
        app::ExportOptions options;
        const auto marked = [&] {
            const figure::Figure figure = app::export_figure(*snapshot, state, options);
            const figure::Theme& theme = figure::light_theme();
            const figure::Color ink = stages ? theme.accent : theme.text;
            return std::ranges::any_of(figure.items, [&](const figure::Primitive& item) {
                const auto* stroke = std::get_if<figure::Stroke>(&item);
                return stroke && stroke->color == ink && stroke->width >= 1.5f &&
                       (!stages || stroke->radius > 4);
            });
        };
        CHECK_FALSE(marked());
        (stages ? options.marks.stage : options.marks.head) = true;
        CHECK(marked());
    }
}

TEST_CASE("a file frames the focused head among the others where it was asked for") {
    app::ViewState state;
    state.view = View::heads;
    const auto snapshot = snapshot_for(state);
    app::ExportOptions options;
    const auto framed = [&] {
        const figure::Figure figure = app::export_figure(*snapshot, state, options);
        const figure::Color accent = figure::light_theme().accent;
        return std::ranges::any_of(figure.items, [&](const figure::Primitive& item) {
            const auto* stroke = std::get_if<figure::Stroke>(&item);
            const auto* text = std::get_if<figure::Text>(&item);
            return (stroke && stroke->color == accent) || (text && text->color == accent);
        });
    };
    CHECK_FALSE(framed());
    options.marks.head = true;
    CHECK(framed());
    options = {};
    options.reads = true; // as the window shows it
    CHECK(framed());
}
