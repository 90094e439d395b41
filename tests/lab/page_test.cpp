#include "catch.hpp"
#include "lab/number_words.hpp"
#include "lab/page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace heed;
using namespace heed::lab;

TEST_CASE("every page says what it asks, where that is claimed, and what it measures") {
    std::set<std::string> names;
    for (const Page& page : pages()) {
        CAPTURE(page.name);
        CHECK(names.insert(page.name).second);
        CHECK(page_named(page.name) == &page);
        for (const std::string* words :
             {&page.title, &page.group, &page.words, &page.claim, &page.source}) {
            CHECK(!words->empty());
        }
        for (const std::string* words : {&page.words, &page.formula, &page.claim}) {
            CHECK(std::none_of(words->begin(), words->end(),
                               [](unsigned char c) { return c < ' '; }));
            CHECK(std::count(words->begin(), words->end(), '{') ==
                  std::count(words->begin(), words->end(), '}'));
        }
        CHECK(page.look);
        CHECK(page.measure_seed);
        CHECK(page.judge);
        CHECK(page.n_seeds > 0);
    }
    CHECK(page_named("nothing") == nullptr);
}

TEST_CASE("every page draws with its usual settings, and its parameters lie within their ranges") {
    for (const Page& page : pages()) {
        CAPTURE(page.name);
        const Settings usual = usual_settings(page.parameters);
        CHECK(!page.look(usual).empty());
        for (const Parameter& p : page.parameters) {
            CAPTURE(p.name);
            Settings again = usual;
            REQUIRE(set(page.parameters, again, p.name, value_text(p, usual)));
            CHECK(again == usual);
            // The screen may write a choice otherwise, and then all of them.
            CHECK((p.shown.empty() || p.shown.size() == p.choices.size()));
            for (std::size_t i = 0; i < p.choices.size(); ++i) CHECK(!shown_choice(p, i).empty());
        }
    }
}

TEST_CASE("words beside pictures have true minus signs and raised powers of ten") {
    const auto all_tidy = [](const Page& page, const Settings& settings) {
        for (const Picture& picture : page.look(settings)) {
            CAPTURE(page.name, picture.title, picture.subtitle);
            CHECK(tidy(picture.title) == picture.title);
            CHECK(tidy(picture.subtitle) == picture.subtitle);
        }
    };
    for (const Page& page : pages()) all_tidy(page, usual_settings(page.parameters));
    const Page& masks = *page_named("masks");
    Settings leaks = usual_settings(masks.parameters);
    REQUIRE(set(masks.parameters, leaks, "added", "-10")); // 10^{-5} is left of a word's attention
    all_tidy(masks, leaks);
}

TEST_CASE("the two Jacobians of √d_k are shown side by side, in the same colours") {
    const Page& page = *page_named("sqrt-dk");
    const auto pictures = page.look(usual_settings(page.parameters));
    REQUIRE(pictures.size() == 4);
    const auto& unscaled = std::get<Grid>(pictures[2].data);
    const auto& scaled = std::get<Grid>(pictures[3].data);
    CHECK(unscaled.reach == scaled.reach);
    CHECK(unscaled.reach == Approx(std::max(unscaled.values->cwiseAbs().maxCoeff(),
                                            scaled.values->cwiseAbs().maxCoeff())));
}

TEST_CASE("maps that are compared share their colours, but where one would hide the others") {
    const auto maps = [](const char* name) {
        const Page& page = *page_named(name);
        std::vector<Grid> grids;
        for (const Picture& picture : page.look(usual_settings(page.parameters))) {
            if (const auto* grid = std::get_if<Grid>(&picture.data)) grids.push_back(*grid);
        }
        return grids;
    };
    const auto scores = maps("scores"); // additive, dot, scaled dot
    REQUIRE(scores.size() == 3);
    CHECK(scores[0].reach == scores[2].reach);
    CHECK(scores[0].reach > 0);
    CHECK(scores[1].reach == 0);
    const auto masks = maps("masks");
    REQUIRE(masks.size() == 3);
    for (const Grid& grid : masks) CHECK(grid.reach == 1); // of the first row that is masked
}

TEST_CASE("the steps say what was done to scores, and the temperature where it is used") {
    const Page& page = *page_named("steps");
    Settings settings = usual_settings(page.parameters);
    REQUIRE(set(page.parameters, settings, "temperature", "0.25"));
    REQUIRE(set(page.parameters, settings, "scale", "off"));
    for (const auto& [score, words] : {std::pair{"dot", "not scaled"},
                                       {"additive", "not scaled"},
                                       {"scaled", "not scaled further"}}) {
        REQUIRE(set(page.parameters, settings, "score", score));
        const auto pictures = page.look(settings);
        CHECK(pictures.at(pictures.size() - 3).subtitle ==
              std::string(words) + "\u00a0·\u00a0same colour range as Scores");
        CHECK(pictures.at(pictures.size() - 2).subtitle ==
              "softmax of scores / 0.25, along each row");
    }
}

TEST_CASE("no line of a subtitle ends or begins with a dot between two parts") {
    for (const Page& page : pages()) {
        for (const Picture& picture : page.look(usual_settings(page.parameters))) {
            CAPTURE(page.name, picture.subtitle);
            CHECK(picture.subtitle.find(" ·") == std::string::npos);
            CHECK(picture.subtitle.find("· ") == std::string::npos);
        }
    }
}

TEST_CASE("the width under the root is one letter on a page") {
    for (const char* name : {"steps", "scores", "masks"}) {
        const auto& parameters = page_named(name)->parameters;
        CHECK(std::ranges::find(parameters, "width", &Parameter::name)->label == "Width d_{k}");
    }
    CHECK(page_named("sqrt-dk")->parameters.front().label == "Width d_{k}");
    const Page& steps = *page_named("steps");
    const auto pictures = steps.look(usual_settings(steps.parameters));
    CHECK(pictures.at(pictures.size() - 4).subtitle == "q·k / √d_{k}");
}

TEST_CASE("what is measured of shuffled words says which mask it was") {
    const Page& page = *page_named("shuffle");
    num::ThreadPool pool(1);
    const auto sample = page.measure_seed(usual_settings(page.parameters), {pool});
    REQUIRE(sample);
    for (const Number& number : sample->measured)
        CHECK(number.label.find(" mask: ") != std::string::npos);
}

TEST_CASE("the two norms are shown side by side, in the same colours") {
    const Page& page = *page_named("norms");
    const auto pictures = page.look(usual_settings(page.parameters));
    const auto& layer = std::get<Grid>(pictures.at(0).data);
    const auto& batch = std::get<Grid>(pictures.at(1).data);
    CHECK(layer.reach > 0);
    CHECK(layer.reach == batch.reach);
    CHECK(pictures[1].subtitle.find("same\u00a0colour\u00a0scale") != std::string::npos);
}

TEST_CASE("a dashed line says what it is, and stands at a value that curves have") {
    int lines = 0;
    for (const Page& page : pages()) {
        for (const Picture& picture : page.look(usual_settings(page.parameters))) {
            const auto* curves = std::get_if<Curves>(&picture.data);
            if (!curves || !curves->now) continue;
            CAPTURE(page.name, picture.title);
            CHECK(!curves->now_words.empty());
            const auto is_there = [&](double x) { return std::abs(x - *curves->now) < 1e-3; };
            CHECK(std::ranges::any_of(curves->xs, is_there));
            ++lines;
        }
    }
    CHECK(lines >= 5);
    const Page& cost = *page_named("cost");
    Settings between = usual_settings(cost.parameters);
    REQUIRE(set(cost.parameters, between, "words", "100"));
    CHECK(std::get<Curves>(cost.look(between).at(0).data).now_words == "at n = 128");
    const Page& warm_up = *page_named("warm-up");
    Settings short_one = usual_settings(warm_up.parameters);
    CHECK(!std::get<Curves>(warm_up.look(short_one).at(0).data).now_values); // all are alike there
    REQUIRE(set(warm_up.parameters, short_one, "warm_up", "1000"));
    CHECK(!std::get<Curves>(warm_up.look(short_one).at(0).data).now);
}

TEST_CASE("bars and heat maps say what is counted along them") {
    for (const Page& page : pages()) {
        for (const Picture& picture : page.look(usual_settings(page.parameters))) {
            CAPTURE(page.name, picture.title);
            if (const auto* bars = std::get_if<Bars>(&picture.data)) CHECK(!bars->y_word.empty());
            if (const auto* curves = std::get_if<Curves>(&picture.data)) {
                CHECK(!curves->x_word.empty());
            }
            const auto* grid = std::get_if<Grid>(&picture.data);
            if (!grid) continue;
            CHECK(!grid->row_word.empty());
            CHECK(!grid->col_word.empty());
        }
    }
}

TEST_CASE("weights by distance are those of whole rows, and nothing lies beyond a string") {
    const Page& page = *page_named("long-copies");
    const Settings usual = usual_settings(page.parameters);
    const auto pictures = page.look(usual);
    const auto* far = std::get_if<Curves>(&pictures.at(2).data);
    REQUIRE(far);
    const int seen = usual.integer("seen");
    for (std::size_t s = 0; s < 2; ++s) {
        const int words = s == 0 ? seen : 2 * seen;
        double all = 0; // each row of weights adds up to 1, that is to as many even shares as words
        for (std::size_t i = 0; i < far->xs.size(); ++i) {
            const int pairs = words - static_cast<int>(std::abs(far->xs[i]));
            const double mean = far->series[s].values[i];
            CHECK(std::isnan(mean) == (pairs <= 0));
            if (pairs > 0) all += pairs * mean;
        }
        CHECK(all == Approx(words * words));
    }
}

TEST_CASE("a text without a space keeps pace with typing, and its long word is cut for the eye") {
    const Page& page = *page_named("subwords");
    Settings settings = usual_settings(page.parameters);
    settings.texts["text"] = "b b " + std::string(7000, 'a');
    for (const double rule : {0.0, 1.0}) {
        settings.numbers["rule"] = rule;
        const auto pictures = page.look(settings);
        const auto& rows = std::get<Words>(pictures.at(1).data).rows;
        REQUIRE(rows.size() == 2);
        CHECK(rows[1].tokens.back().text == "…");
        CHECK(rows[1].label.size() < 500);
    }
}

namespace {

/// What two pictures show, as far as it is numbers and words.
bool same_data(const Picture& a, const Picture& b) {
    if (a.data.index() != b.data.index()) return false;
    if (const auto* grid = std::get_if<Grid>(&a.data)) {
        const auto& other = *std::get<Grid>(b.data).values;
        return grid->values->rows() == other.rows() && grid->values->cols() == other.cols() &&
               *grid->values == other;
    }
    const auto text_of = [](const Picture& picture) {
        std::string text;
        if (const auto* words = std::get_if<Words>(&picture.data)) {
            for (const auto& row : words->rows) {
                for (const auto& token : row.tokens) text += token.text + " ";
            }
        }
        return text;
    };
    return text_of(a) == text_of(b);
}

} // namespace

TEST_CASE("pictures of what is learned follow the task and the positions that are chosen") {
    const auto first = [](const char* page, const char* name, const char* value, std::size_t at) {
        const auto& parameters = page_named(page)->parameters;
        Settings settings = usual_settings(parameters);
        REQUIRE(set(parameters, settings, name, value));
        return page_named(page)->look(settings).at(at);
    };
    CHECK(!same_data(first("bottleneck", "task", "reverse", 0),
                     first("bottleneck", "task", "copy", 0)));
    CHECK(!same_data(first("long-copies", "task", "reverse", 0),
                     first("long-copies", "task", "copy", 0)));
    for (const char* positions : {"learned", "rotary", "alibi", "relative"}) {
        CAPTURE(positions);
        const Picture other = first("long-copies", "positions", positions, 1);
        CHECK(!same_data(first("long-copies", "positions", "sinusoidal", 1), other));
    }
}

TEST_CASE("more steps and wider models are announced to take longer") {
    const auto seconds = [](const char* page, const char* name, const char* value) {
        const auto& parameters = page_named(page)->parameters;
        Settings settings = usual_settings(parameters);
        REQUIRE(set(parameters, settings, name, value));
        return seconds_of(*page_named(page), settings);
    };
    CHECK(seconds("heads", "steps", "1600") == Approx(2 * page_named("heads")->seconds));
    CHECK(seconds("bottleneck", "hidden", "64") == Approx(2 * page_named("bottleneck")->seconds));
    CHECK(seconds("sqrt-dk", "d_k", "64") < 1);
    // 512 numbers of each of 50 000 draws are not drawn while a slider moves.
    Settings many = usual_settings(page_named("sqrt-dk")->parameters);
    many.numbers["d_k"] = 512;
    many.numbers["draws"] = 50000;
    CHECK(seconds_of(*page_named("sqrt-dk"), many) > 1);
    for (const Page& page : pages()) {
        CHECK(seconds_of(page, usual_settings(page.parameters)) == Approx(page.seconds));
    }
}

TEST_CASE("a parameter that does not exist, or a value out of range, is told with what there is") {
    const std::vector<Parameter> parameters = {
        whole("d_k", "d_{k}", "", 1, 512, 64), toggle("scale", "Scale", "", true),
        choice("features", "Features", "", {"normal", "uniform"}), typed("text", "Text", "", "a")};
    Settings settings = usual_settings(parameters);
    const auto why = [&](std::string_view name, std::string_view value) {
        const auto ok = set(parameters, settings, name, value);
        return ok ? std::string() : base::describe(ok.error());
    };
    CHECK(why("d", "1") == "d: no parameter has this name; there are d_k, scale, features, text");
    CHECK(why("d_k", "0") == "d_k: 0 is not allowed; it goes from 1 to 512");
    CHECK(why("d_k", "1.5") == "d_k: '1.5' is no whole number; it goes from 1 to 512");
    CHECK(why("d_k", "nan") == "d_k: 'nan' is no whole number; it goes from 1 to 512");
    CHECK(why("scale", "maybe") == "scale: 'maybe' is neither on nor off");
    CHECK(why("features", "odd") == "features: 'odd' is none of normal, uniform");
    CHECK(why("text", "\xff") == "text: the text is not valid UTF-8");
    CHECK(settings == usual_settings(parameters));
    CHECK(why("d_k", "512") == "");
    CHECK(why("scale", "off") == "");
    CHECK(why("features", "uniform") == "");
    CHECK(settings.integer("d_k") == 512);
    CHECK(!settings.on("scale"));
    CHECK(settings.number("features") == 1);
}

TEST_CASE("markup becomes plain text") {
    CHECK(plain("d_{k}") == "dₖ");
    CHECK(plain("d_{model}") == "d_model");
    CHECK(plain("softmax(\\frac{QK^{T}}{\\sqrt{d_{k}}}) V") == "softmax(QKᵀ/√dₖ) V");
    CHECK(plain("\\frac{a + b}{c}") == "(a + b)/c");
    CHECK(plain("\\sqrt{a + b}") == "√(a + b)");
    CHECK(plain("_{") == "");
    CHECK(plain("\\frac{") == "/");
}

TEST_CASE("the words nearest to a mistyped one are offered") {
    const std::vector<std::string> words = {"sqrt-dk", "masks", "heads"};
    CHECK(nearest("mask", words) == std::vector<std::string>{"masks"});
    CHECK(nearest("sqrt-kd", words) == std::vector<std::string>{"sqrt-dk"});
    CHECK(nearest("entirely else", words).empty());
}

namespace {

Page seeds_page() {
    Page page;
    page.name = "seeds";
    page.n_seeds = 3;
    page.measure_seed = [](const Settings& s, const Work&) -> base::Result<Sample> {
        const auto v = static_cast<double>(s.seed);
        return Sample{{{"v", "v", v}}, {{"a", "", Curves{{1, 2}, {{"y", {v, 2 * v}}}}}}};
    };
    page.judge = [](const std::vector<Number>& measured) {
        return Judgement{Verdict::holds, fmt::format("-{} 1e-9 ", number(measured, "v").value)};
    };
    return page;
}

} // namespace

TEST_CASE("a finding is the mean over its seeds, with the spread of what was drawn") {
    num::ThreadPool pool(1);
    Settings settings;
    settings.seed = 3;
    std::vector<double> told;
    Work work{pool};
    work.tell = [&](double done, const std::string&, const Finding*) { told.push_back(done); };
    const auto found = measure(seeds_page(), settings, work);
    REQUIRE(found);
    CHECK(found->seeds == std::vector<std::uint64_t>{3, 4, 5});
    CHECK(number(found->measured, "v").value == 4);
    CHECK(number(found->measured, "v").spread == Approx(1)); // of 3, 4, 5
    CHECK(found->pictures.at(0).subtitle ==
          "bold: mean\u00a0·\u00a0thin: lowest and highest of 3 seeds");
    CHECK(least_of(number(found->measured, "v")) == 3);
    CHECK(most_of(number(found->measured, "v")) == 5);
    CHECK(most_of({"v", "v", 7}) == 7); // of one draw
    CHECK(found->judgement.because == "−4 10⁻⁹");
    const auto& curves = std::get<Curves>(found->pictures.at(0).data);
    CHECK(curves.series[0].values == std::vector<double>{4, 8});
    CHECK(curves.series[0].least == std::vector<double>{3, 6});
    CHECK(curves.series[0].most == std::vector<double>{5, 10});
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.back() == 1);
}

TEST_CASE("equal numbers have no spread, be they infinite, and seeds without one are left out") {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Page page = seeds_page();
    page.measure_seed = [](const Settings& s, const Work&) -> base::Result<Sample> {
        const auto v = static_cast<double>(s.seed);
        return Sample{{{"endless", "endless", -std::numeric_limits<double>::infinity()},
                       {"some", "some", s.seed == 4 ? kNone : v},
                       {"none", "none", kNone},
                       {"v", "v", v}}};
    };
    num::ThreadPool pool(1);
    Settings settings;
    settings.seed = 3;
    const auto found = measure(page, settings, Work{pool});
    REQUIRE(found);
    CHECK(number(found->measured, "endless").value == -std::numeric_limits<double>::infinity());
    CHECK(number(found->measured, "endless").spread == 0);
    CHECK(number(found->measured, "some").value == 4); // of 3 and 5
    CHECK(number(found->measured, "some").spread == Approx(std::sqrt(2.0)));
    CHECK(number_if(found->measured, "none") == nullptr);
}

TEST_CASE("a measurement that is stopped says so") {
    num::ThreadPool pool(1);
    std::stop_source stop;
    stop.request_stop();
    const auto found = measure(seeds_page(), Settings{}, Work{pool, stop.get_token()});
    REQUIRE(!found);
    CHECK(found.error().kind == base::ErrorKind::cancelled);
}
