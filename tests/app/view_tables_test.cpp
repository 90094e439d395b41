// What is written of a view is what its picture holds: of every view of every kind of model.
#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/multiplied_map.hpp"
#include "app/engine/pictures.hpp"
#include "app/views/export.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/fitted.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/palette.hpp"
#include "figure/views/position_room.hpp"
#include "small_document.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>

using namespace heed;
using app::Compare;
using app::ExportedHeads;
using app::View;
using app::ViewState;
using num::Index;
using num::Matrix;
using trace::AttentionKind;

namespace {

app::Document recurrent(models::Shape shape, models::Context context = models::Context::attention) {
    models::RecurrentConfig config;
    config.shape = shape;
    config.context = context;
    config.hidden = 12;
    config.embedding = 8;
    config.n_layers = 2;
    app::Document document;
    document.model = config;
    document.source = "the cat sat on the mat";
    document.target = "";
    document.decoding.limit = 5;
    return document;
}

app::Document transformer(models::Architecture architecture, nn::Positions positions) {
    app::Document document = small_document();
    models::spec_of(document.model)->architecture = architecture;
    models::spec_of(document.model)->positions = positions;
    return document;
}

/// Every kind of model that Heed has.
std::vector<std::pair<std::string, app::Document>> documents() {
    using models::Shape;
    std::vector<std::pair<std::string, app::Document>> all = {
        {"transformer", small_document()},
        {"encoder", transformer(models::Architecture::encoder_only, nn::Positions::alibi)},
        {"decoder", transformer(models::Architecture::decoder_only, nn::Positions::rotary)},
        {"attention", recurrent(Shape::n_to_m)},
        {"mean", recurrent(Shape::n_to_m, models::Context::mean)},
        {"last", recurrent(Shape::n_to_m, models::Context::last)},
        {"n-n", recurrent(Shape::n_to_n)},
        {"n-1", recurrent(Shape::n_to_one)},
        {"1-n", recurrent(Shape::one_to_n)}};
    app::Document beam = recurrent(Shape::n_to_m);
    beam.decoding.rule = models::Decoding::Rule::beam;
    std::get<models::RecurrentConfig>(beam.model).order = models::StepOrder::update_first;
    all.emplace_back("beam", beam);
    app::Document classifier = small_document();
    classifier.model = models::classifier_spec();
    models::spec_of(classifier.model)->d_model = 16;
    models::spec_of(classifier.model)->n_heads = 2;
    models::spec_of(classifier.model)->max_positions = 12;
    models::spec_of(classifier.model)->dense = 20;
    all.emplace_back("classifier", classifier);
    return all;
}

std::shared_ptr<const app::Snapshot> shown(const app::Document& document, const ViewState& state,
                                           app::Focus focus = {}) {
    app::Computation computation(1);
    app::Request request{1, document, focus, app::needs_of(state, focus)};
    if (state.compare != Compare::off) request.reference = app::unaltered(document, focus);
    auto snapshot = computation.answer(request, {});
    REQUIRE(snapshot);
    if (snapshot->error) FAIL(base::describe(*snapshot->error));
    while (auto more = computation.refine({})) snapshot = std::move(more);
    return snapshot;
}

figure::Figure picture(const app::Snapshot& snapshot, const ViewState& state) {
    return app::export_figure(snapshot, state, {1400, 1400});
}

template <class T> std::vector<T> items(const figure::Figure& figure) {
    std::vector<T> found;
    for (const auto& item : figure.items) {
        if (const T* one = std::get_if<T>(&item)) found.push_back(*one);
    }
    return found;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// All of a row, or the features that a thumbnail has room for.
bool is_row(const Matrix<float>& drawn, Index row, const Matrix<float>& held, Index at) {
    const bool sampled = drawn.cols() == app::kSampledFeatures && held.cols() > drawn.cols();
    if (!sampled && drawn.cols() != held.cols()) return false;
    for (Index c = 0; c < drawn.cols(); ++c) {
        const Index column = sampled ? c * held.cols() / drawn.cols() : c;
        if (!same(drawn(row, c), held(at, column))) return false;
    }
    return true;
}

/// Whether every row that is coloured is one of a table's.
bool holds(const files::Tables& tables, const Matrix<float>& drawn) {
    for (Index row = 0; row < drawn.rows(); ++row) {
        const bool found = std::ranges::any_of(tables.all, [&](const files::Table& table) {
            for (Index at = 0; at < table.values->rows(); ++at) {
                if (is_row(drawn, row, *table.values, at)) return true;
            }
            return false;
        });
        if (!found) return false;
    }
    return true;
}

/// The colour bar, and the little square that says how masked cells look.
bool explains(const Matrix<float>& m) {
    return m.size() == 1 ? std::isnan(m(0, 0))
                         : m.rows() == 256 && m.cols() == 1 && m(0, 0) == 1 && m(255, 0) == 0;
}

/// How many matrices were compared.
int check_colours(const figure::Figure& figure, const files::Tables& tables) {
    int compared = 0;
    for (const figure::Heat& heat : items<figure::Heat>(figure)) {
        if (explains(*heat.values)) continue;
        ++compared;
        const Matrix<float> turned = heat.values->transpose(); // a state may stand upright
        const bool one = holds(tables, *heat.values) || holds(tables, turned);
        INFO(heat.values->rows() << " x " << heat.values->cols() << ": " << *heat.values);
        CHECK(one);
    }
    return compared;
}

/// Whether a curve's heights are a table's column up to where 0 and 1 lie on the paper.
bool is_curve(const std::vector<figure::Point>& points, const Matrix<float>& m, Index col) {
    if (std::ssize(points) != m.rows()) return false;
    Index least = 0, most = 0;
    m.col(col).minCoeff(&least);
    m.col(col).maxCoeff(&most);
    const auto y = [&](Index i) { return points[static_cast<std::size_t>(i)].y; };
    const float span = m(most, col) - m(least, col);
    const float points_each = span > 0 ? (y(most) - y(least)) / span : 0;
    for (Index i = 0; i < m.rows(); ++i) {
        if (std::abs(y(least) + points_each * (m(i, col) - m(least, col)) - y(i)) > 0.05f) {
            return false;
        }
    }
    return true;
}

/// How many curves were compared.
int check_curves(const figure::Figure& figure, const files::Tables& tables) {
    int compared = 0;
    for (const figure::Line& line : items<figure::Line>(figure)) {
        if (line.points.size() < 20) continue; // arrows and rules
        ++compared;
        CHECK(std::ranges::any_of(tables.all, [&](const files::Table& table) {
            for (Index col = 0; col < table.values->cols(); ++col) {
                if (is_curve(line.points, *table.values, col)) return true;
            }
            return false;
        }));
    }
    return compared;
}

const Matrix<float>* table_named(const files::Tables& tables, const std::string& name) {
    const auto found = std::ranges::find(tables.all, name, &files::Table::name);
    return found == tables.all.end() ? nullptr : found->values.get();
}

using Places = std::multiset<std::array<int, 3>>;

Places places(const Matrix<float>& links, Index a, Index b, Index c) {
    const auto at = [&](Index row, Index col) {
        return col < 0 ? 0 : static_cast<int>(links(row, col)) - 1;
    };
    Places all;
    for (Index i = 0; i < links.rows(); ++i) all.insert({at(i, a), at(i, b), at(i, c)});
    return all;
}

Places drawn_links(const figure::Figure& figure) {
    Places all;
    for (const figure::Target& target : figure.targets) {
        const auto* link = target.as<figure::tag::Link>();
        if (link) all.insert({link->query, link->key, link->which});
    }
    return all;
}

/// The numbers that a picture writes as decimals in cells and rows: "0.053", "−1.20".
/// `left`: those that begin at their place, too, which beside a map are of its colour bar.
void check_numbers(const figure::Figure& figure, const files::Tables& tables, bool left) {
    for (const figure::Text& text : items<figure::Text>(figure)) {
        const std::size_t point = text.text.find('.');
        const bool number = text.style.font == figure::Font::mono && point != std::string::npos &&
                            text.text.find_first_not_of("0123456789.\u2212") == std::string::npos;
        if (!number || (!left && text.align_x == figure::AlignX::left)) continue;
        const int decimals = static_cast<int>(text.text.size() - point - 1);
        INFO(text.text);
        CHECK(std::ranges::any_of(tables.all, [&](const files::Table& table) {
            for (Index i = 0; i < table.values->size(); ++i) {
                if (figure::number_text(table.values->data()[i], decimals) == text.text) {
                    return true;
                }
            }
            return false;
        }));
    }
}

void check_view(const app::Snapshot& snapshot, const ViewState& state) {
    const figure::Figure figure = picture(snapshot, state);
    const files::Tables tables = app::view_tables(snapshot, state);
    INFO(app::info(state.view).name << ", " << figure.title);
    for (const files::Table& table : tables.all) {
        INFO(table.name);
        REQUIRE(table.values);
        CHECK(std::ssize(table.rows) <= table.values->rows());
        CHECK(std::ssize(table.cols) <= table.values->cols());
    }
    const int compared = check_colours(figure, tables) + check_curves(figure, tables);
    // Inside colours words; its numbers are held to its tables in inside_view_test.
    const bool coloured = state.view != View::lines && state.view != View::flow &&
                          state.view != View::beam && state.view != View::inside;
    CHECK((compared > 0) == (coloured && !tables.all.empty()));
    if (state.view == View::heatmap || state.view == View::neurons || state.view == View::beam) {
        check_numbers(figure, tables, state.view == View::beam);
    }
    if (state.view == View::lines) {
        const Matrix<float>* links = table_named(tables, "links");
        REQUIRE(links);
        Places drawn = drawn_links(figure);
        if (links->cols() == 3) CHECK(drawn == places(*links, 0, 1, -1));
    }
}

} // namespace

TEST_CASE("every view of every kind of model is written as its picture draws it") {
    for (const auto& [name, document] : documents()) {
        INFO(name);
        const auto config = document.model;
        for (const app::ViewInfo& view : app::kViews) {
            if (!app::of_snapshot(view.view) || !app::fits(view.view, config)) continue;
            ViewState state;
            state.view = view.view;
            state.selected = {1, 0};
            for (const AttentionKind kind : trace::kAttentionKinds) {
                if (models::traits(config).layers(kind) == 0 &&
                    kind != AttentionKind::encoder_self) {
                    continue;
                }
                const auto snapshot = shown(document, state, {{kind, 0, 0}});
                check_view(*snapshot, state);
            }
        }
    }
}

TEST_CASE("a difference is written where it is drawn, and both maps where they stand beside") {
    app::Document document = small_document();
    scale_off(document, AttentionKind::encoder_self, 0);
    ViewState state;
    state.compare = Compare::difference;
    const auto snapshot = shown(document, state);
    check_view(*snapshot, state);
    auto tables = app::view_tables(*snapshot, state);
    REQUIRE(tables.all.size() == 1);
    CHECK(tables.all[0].name == "difference");
    const Matrix<float> expected = *snapshot->map - *snapshot->reference->map;
    CHECK(tables.all[0].values->isApprox(expected));
    CHECK(tables.all[0].values->cwiseAbs().maxCoeff() > 0);
    CHECK(tables.all[0].values->sum() == Approx(0).margin(1e-5)); // weights would sum to 6

    state.compare = Compare::beside;
    tables = app::view_tables(*snapshot, state);
    check_view(*snapshot, state);
    REQUIRE(tables.all.size() == 2);
    CHECK(*tables.all[0].values == *snapshot->map);
    CHECK(*tables.all[1].values == *snapshot->reference->map);
    CHECK(tables.all[1].name == "original weights");
}

TEST_CASE("of the flow every node and link is written, and no head's weights") {
    ViewState state;
    state.view = View::flow;
    state.selected = {2, 0};
    const auto snapshot = shown(small_document(), state);
    const auto tables = app::view_tables(*snapshot, state);
    const Matrix<float>* nodes = table_named(tables, "nodes");
    REQUIRE(nodes);
    CHECK(*nodes == snapshot->flow->reach);
    CHECK((*nodes)(2, 2) == 1); // all of the chosen token at the last level
    const figure::Figure figure = picture(*snapshot, state);
    CHECK(drawn_links(figure) == places(*table_named(tables, "links"), 2, 1, 0));
    std::multiset<std::string> drawn, held;
    for (const figure::Text& text : items<figure::Text>(figure)) {
        const bool in_node =
            text.style.font == figure::Font::mono && text.align_x == figure::AlignX::centre;
        if (in_node) drawn.insert(text.text);
    }
    for (const float share : nodes->reshaped()) {
        if (share >= 0.005f) held.insert(figure::number_text(100 * share, 0));
    }
    CHECK(drawn == held);
}

TEST_CASE("of the Softmax and Positions rooms every card is written") {
    ViewState state;
    state.view = View::softmax;
    state.selected = {1, 2};
    state.softmax_factor = 4;
    app::Document document = small_document();
    document.source = "the cat sat on the mat";
    auto snapshot = shown(document, state);
    auto tables = app::view_tables(*snapshot, state);
    std::set<std::string> names;
    for (const files::Table& table : tables.all) names.insert(table.name);
    CHECK(names == std::set<std::string>{"weights", "jacobian", "weights over the factor",
                                         "gradient and entropy over the factor", "distribution",
                                         "distribution scaled", "variance", "variance scaled"});
    const Matrix<float>& weights = *table_named(tables, "weights");
    CHECK(weights.col(2).sum() == Approx(1));
    CHECK(weights(3, 1) == Approx(4 * weights(3, 0)));
    const Matrix<float>& jacobian = *table_named(tables, "jacobian");
    CHECK(jacobian(0, 0) == Approx(weights(0, 2) * (1 - weights(0, 2))));
    const auto named = std::ranges::find(tables.all, "jacobian", &files::Table::name);
    CHECK(named->cols[1] == "cat"); // and equal words as in the picture
    CHECK(named->cols[4] == "the (5)");

    state.view = View::positions;
    snapshot = shown(small_document(), state);
    tables = app::view_tables(*snapshot, state);
    CHECK(table_named(tables, "table")->rows() == 128);
    CHECK((*table_named(tables, "table"))(3, 0) == Approx(std::sin(3.0)));
    // Two waves by sine and cosine, with seven places between a position and the next.
    const Matrix<float>& curves = *table_named(tables, "curves");
    CHECK(curves.rows() == 127 * 8 + 1);
    const Matrix<float>& table = *table_named(tables, "table");
    const figure::Index first = figure::telling_dimensions(table.cols())[0];
    CHECK(curves(8 * 3, 0) == Approx(table(3, first)));
    CHECK(table_named(tables, "offsets")->rows() == 255);
}

TEST_CASE("numbers are of one head, of those that the picture shows, or of all") {
    ViewState state;
    const trace::HeadId second{AttentionKind::cross, 1, 2};
    auto snapshot = shown(small_document(), state, {second});
    const auto whole = [run = snapshot->run](const trace::HeadId& head) {
        return run->trace.map(head)->whole(trace::Stage::weights);
    };
    const auto all = app::view_tables(*snapshot, state, ExportedHeads::all);
    REQUIRE(all.all.size() == 8);
    CHECK(all.main.size() == 8);
    CHECK(all.all[6].name == "cross.2.3.weights");
    CHECK(*all.all[6].values == whole(second));
    CHECK(*all.all[1].values == whole({AttentionKind::cross, 0, 1}));

    state.view = View::heads;
    state.slots = {{AttentionKind::cross, 0, 3}, {AttentionKind::encoder_self, 1, 0}};
    snapshot = shown(small_document(), state, {second});
    check_view(*snapshot, state);
    const auto kept = app::view_tables(*snapshot, state);
    REQUIRE(kept.all.size() == 10); // two kept, and the grid of eight
    CHECK(kept.all[1].name == "encoder.2.1");
    CHECK(*kept.all[1].values == whole(state.slots[1]));
    const auto one = app::view_tables(*snapshot, state, ExportedHeads::one);
    REQUIRE(one.all.size() == 1);
    CHECK(*one.all[0].values == whole(second));

    state = {};
    state.view = View::lines;
    state.overlay = {0, 3};
    snapshot = shown(small_document(), state, {second});
    const auto lines = app::view_tables(*snapshot, state);
    CHECK(lines.all[1].name == "weights of head 4");
    CHECK(*lines.all[1].values == whole({AttentionKind::cross, 1, 3}));
    CHECK(table_named(lines, "beside queries")->cols() == 2);
    CHECK(*app::view_tables(*snapshot, state, ExportedHeads::one).all[0].values == whole(second));
}

TEST_CASE("of every head the difference is written, and of heads in an order what they are by") {
    app::Document document = small_document();
    scale_off(document, AttentionKind::encoder_self, 1);
    ViewState state;
    state.compare = Compare::difference;
    auto snapshot = shown(document, state);
    const auto all = app::view_tables(*snapshot, state, ExportedHeads::all);
    REQUIRE(all.all.size() == 8);
    CHECK(all.all[0].values->isZero());
    const auto of = [](const models::Run& run) {
        return run.trace.map({AttentionKind::encoder_self, 1, 1})->whole(trace::Stage::weights);
    };
    const Matrix<float> expected = of(*snapshot->run) - of(*snapshot->reference->run);
    CHECK(all.all[5].values->isApprox(expected));

    state = {};
    state.view = View::heads;
    state.head_order = app::HeadOrder::entropy;
    snapshot = shown(document, state);
    const auto sorted = app::view_tables(*snapshot, state);
    const Matrix<float>* entropies = table_named(sorted, "entropy");
    REQUIRE(entropies);
    CHECK(std::ranges::is_sorted(entropies->reshaped(), std::greater<>()));
}

TEST_CASE("files of numbers hold the tables: all in .csv and .npz, the main one in .npy") {
    ViewState state;
    state.view = View::flow;
    const auto snapshot = shown(small_document(), state);
    const auto tables = app::view_tables(*snapshot, state);
    const auto npz = tensors::read_npz(
        app::export_bytes(*snapshot, state, app::ExportFormat::npz).value(), "npz");
    REQUIRE(npz);
    for (const files::Table& table : tables.all) {
        const tensors::Array& array = npz->arrays.at(table.name);
        CHECK(std::equal(array.values.begin(), array.values.end(), table.values->data()));
        CHECK(npz->strings.at(table.name + ".rows") == table.rows);
        CHECK(npz->strings.at(table.name + ".columns") == table.cols);
    }
    CHECK(npz->metadata.at("view") == "flow");
    const auto npy = tensors::read_npy(
        app::export_bytes(*snapshot, state, app::ExportFormat::npy).value(), "npy");
    REQUIRE(npy);
    CHECK(npy->shape == std::vector<std::int64_t>{3, 6});
    const std::string csv = app::export_bytes(*snapshot, state, app::ExportFormat::csv).value();
    CHECK(csv.starts_with("nodes\r\n,The,cat,sat,on,the,mat\r\ninput,"));
    CHECK(csv.find("\r\n\r\nlinks\r\n,layer,from,to,share\r\n") != std::string::npos);

    app::ExportOptions every;
    every.heads = ExportedHeads::all;
    const auto stack = tensors::read_npy(
        app::export_bytes(*snapshot, {}, app::ExportFormat::npy, every).value(), "npy");
    REQUIRE(stack);
    CHECK(stack->shape == std::vector<std::int64_t>{8, 6, 6});
}

TEST_CASE("an .npz file of all heads holds every attention under the names of the run") {
    const auto snapshot = shown(small_document(), {}, {{AttentionKind::cross, 1, 0}});
    app::ExportOptions every;
    every.heads = ExportedHeads::all;
    const auto npz = tensors::read_npz(
        app::export_bytes(*snapshot, {}, app::ExportFormat::npz, every).value(), "npz");
    REQUIRE(npz);
    std::size_t arrays = 0;
    for (const auto& layer : snapshot->run->trace.layers) {
        for (const auto& attention : layer->attentions) {
            INFO(attention->name);
            const auto at = npz->arrays.find(attention->name + ".weights");
            REQUIRE(at != npz->arrays.end());
            ++arrays;
            const auto n_heads = static_cast<int>(attention->heads.size());
            std::vector<float> expected;
            for (int head = 0; head < n_heads; ++head) {
                const Matrix<float> whole =
                    trace::AttentionMap(attention, head).whole(trace::Stage::weights);
                CHECK(at->second.shape ==
                      std::vector<std::int64_t>{n_heads, whole.rows(), whole.cols()});
                expected.insert(expected.end(), whole.data(), whole.data() + whole.size());
            }
            CHECK(at->second.values == expected);
            CHECK(npz->strings.at(attention->name + ".weights.columns").size() ==
                  static_cast<std::size_t>(at->second.shape.back()));
        }
    }
    CHECK(arrays == 6);
    CHECK(npz->arrays.size() == arrays);
    CHECK(npz->strings.at("source_tokens").size() == snapshot->run->trace.source.size());
    CHECK(npz->strings.at("target_tokens").size() == snapshot->run->trace.target.size());
}

TEST_CASE("numbers of all heads are each head's own, also of weights times what they pass on") {
    app::Focus focus{{AttentionKind::cross, 1, 0}};
    focus.times = app::Times::value;
    const auto snapshot = shown(small_document(), {}, focus);
    const auto tables = app::view_tables(*snapshot, {}, ExportedHeads::all);
    const auto heads = trace::heads_in(snapshot->run->trace, AttentionKind::cross, {}, {});
    REQUIRE(tables.all.size() == heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        focus.head = heads[i];
        CHECK(*tables.all[i].values == *app::multiplied_map(*snapshot->run, focus, nullptr));
    }
}

TEST_CASE("links of heads that have other links are a table a head in an .npz file") {
    ViewState state;
    state.view = View::lines;
    const auto snapshot = shown(small_document(), state, {{AttentionKind::cross, 1, 0}});
    const auto tables = app::every_attention(*snapshot, state);
    std::size_t links = 0;
    for (const files::Table& table : tables.all) {
        if (!table.rows.empty()) {
            const auto rows = table.values->rows() / std::max(table.stacked, 1);
            CHECK(std::ssize(table.rows) == rows);
        }
        links += table.name.find(".head 2.") != std::string::npos;
    }
    CHECK(links > 0);
}

TEST_CASE("a cropped picture keeps a margin around all that is drawn") {
    const auto snapshot = shown(small_document(), {}, {{AttentionKind::cross, 1, 0}});
    app::ExportOptions options;
    options.crop = true;
    for (const float width : {420.f, 720.f, 1100.f}) {
        options.width = width;
        options.height = 500;
        const figure::Figure figure = app::export_figure(*snapshot, {}, options);
        const figure::Box drawn = figure::content_box(figure);
        CHECK(drawn.x >= 11.5f);
        CHECK(drawn.y >= 11.5f);
        CHECK(drawn.x + drawn.w <= figure.width - 11.5f);
        CHECK(drawn.y + drawn.h <= figure.height - 11.5f);
    }
}

TEST_CASE("a view with nothing to show says so instead of writing another's numbers") {
    ViewState state;
    state.view = View::flow;
    const auto snapshot = shown(small_document(), state, {{AttentionKind::cross, 0, 0}});
    const auto refused = app::export_bytes(*snapshot, state, app::ExportFormat::csv);
    REQUIRE_FALSE(refused);
    CHECK(base::describe(refused.error()) == "Flow: has no numbers to export here");
    state.view = View::beam; // none was searched
    const auto unsearched = shown(recurrent(models::Shape::n_to_m), state, {});
    const auto picture = app::export_bytes(*unsearched, state, app::ExportFormat::svg);
    REQUIRE_FALSE(picture);
    CHECK(base::describe(picture.error()) == "nothing to export: Beam search: No beam search yet.");
}
