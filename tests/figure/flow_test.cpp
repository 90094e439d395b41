#include "catch.hpp"

#include "figure/views/flow.hpp"
#include "figure/views/links.hpp"
#include "golden.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace heed::figure;
using namespace samples;

TEST_CASE("the flow to a token is as approved") {
    FlowOptions options;
    options.selected = {1, 2};
    options.hovered = {2, 0};
    options.mass = 0.6f;
    CHECK(difference_from_golden("flow", dump(flow(flow_of(5, 3, kEnglish, 4), options,
                                                   dark_frame(640, 420, &plain_measure)))) == "");
}

namespace {

std::vector<std::string> words_in(const Figure& figure) {
    std::vector<std::string> words;
    for (const auto& item : figure.items) {
        if (const auto* text = std::get_if<Text>(&item)) words.push_back(text->text);
    }
    return words;
}

bool any_has(const std::vector<std::string>& words, const std::string& part) {
    return std::ranges::any_of(
        words, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE(
    "a flow speaks of its numbers where it has some, and its bar ends no lower than it says") {
    const FlowData data = flow_of(7, 3, kEnglish, 4);
    const auto large = words_in(flow(data, {}, dark_frame(1000, 800)));
    CHECK(any_has(large, "numbers: per cent"));
    const auto small = words_in(flow(flow_of(40, 12, kEnglish, 4), {}, dark_frame(700, 500)));
    CHECK(any_has(small, "Top links"));
    CHECK_FALSE(any_has(small, "numbers"));
    // The chosen token has all of itself, and no other node as much.
    CHECK(data.flow->reach.maxCoeff() == 1);
    CHECK(any_has(large, "≥ "));
}

TEST_CASE("texts of the flow view keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {0, 0}}) {
        for (const Index n : {1, 7, 24, 90}) {
            for (const int n_layers : {1, 6, 24}) {
                for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                    INFO(n << " tokens, " << n_layers << " layers in " << width << " × " << height);
                    Frame frame = dark_frame(width, height, measure);
                    frame.caption = "transformer base · seed 1 · encoder";
                    check_texts(flow(flow_of(n, n_layers, *words, n / 2), {}, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("every node of every level can be picked") {
    const Figure figure = flow(flow_of(6, 4, kEnglish, 5), {}, dark_frame(800, 600));
    std::set<std::pair<int, int>> found;
    for (const Target& target : figure.targets) {
        if (!target.as<tag::Node>()) continue;
        const auto hit =
            pick(figure, {target.box.x + target.box.w / 2, target.box.y + target.box.h / 2});
        REQUIRE(hit);
        REQUIRE(hit->tag == target.tag);
        const auto [level, token] = std::get<tag::Node>(hit->tag);
        found.insert({level, token});
    }
    CHECK(found.size() == 6 * 5);
}

TEST_CASE("no link ends in a token that no link leaves") {
    const auto data = flow_of(9, 4, kEnglish, 6, true);
    for (const float mass : {0.3f, 0.6f, 0.8f}) {
        const auto links = flow_links(*data.flow, mass);
        REQUIRE_FALSE(links.empty());
        for (const FlowLink& link : links) {
            INFO("layer " << link.layer << " into " << link.to << ", mass " << mass);
            const bool last = link.layer == static_cast<int>(data.flow->n_layers()) - 1;
            CHECK((last ? link.to == static_cast<int>(data.flow->token)
                        : std::ranges::any_of(links, [&](const FlowLink& next) {
                              return next.layer == link.layer + 1 && next.from == link.to;
                          })));
        }
    }
}

namespace {

bool is_strongest_of_one(const trace::Flow& flow, int layer, const std::set<int>& into,
                         float share) {
    return std::ranges::any_of(into, [&](int to) {
        float best = 0;
        for (int from = 0; from < flow.n_tokens(); ++from) {
            best = std::max(best, flow.share(layer, to, from));
        }
        return best == share;
    });
}

} // namespace

TEST_CASE("every token that a link leads up to is left by one, or is of the input") {
    const auto data = flow_of(9, 4, kEnglish, 6, true);
    for (const float mass : {0.05f, 0.3f, 0.8f}) {
        const auto links = flow_links(*data.flow, mass);
        for (const FlowLink& link : links) {
            INFO("layer " << link.layer << " from " << link.from << ", mass " << mass);
            CHECK((link.layer == 0 || std::ranges::any_of(links, [&](const FlowLink& next) {
                       return next.layer == link.layer - 1 && next.to == link.from;
                   })));
        }
    }
}

TEST_CASE("the links of each layer carry the asked share of what flows into linked tokens") {
    const auto data = flow_of(7, 3, kEnglish, 6, true);
    for (const float mass : {0.3f, 0.8f, 1.f}) {
        FlowOptions options;
        options.mass = mass;
        std::map<int, std::vector<float>> shares;
        std::map<int, std::set<int>> linked;
        for (const Target& target : flow(data, options, dark_frame(900, 700)).targets) {
            const auto* link = target.as<tag::Link>();
            if (!link) continue;
            shares[link->which].push_back(data.flow->share(link->which, link->query, link->key));
            linked[link->which].insert(link->key);
        }
        REQUIRE(shares.size() == 3);
        for (const auto& [layer, carried] : shares) {
            float sum = 0;
            for (const float share : carried) sum += share;
            const std::set<int> into =
                layer == 2 ? std::set{static_cast<int>(data.flow->token)} : linked[layer + 1];
            float whole = 0;
            for (const int to : into) {
                for (int from = 0; from < 7; ++from) whole += data.flow->share(layer, to, from);
            }
            INFO("layer " << layer << ", mass " << mass);
            CHECK(sum >= mass * whole - 1e-4f);
            // No more than that, but for the strongest link of each token.
            const float least = *std::min_element(carried.begin(), carried.end());
            CHECK((carried.size() <= into.size() || sum - least < mass * whole + 1e-4f ||
                   is_strongest_of_one(*data.flow, layer, into, least)));
        }
    }
}

TEST_CASE("the strongest that hold a share of a sum") {
    const std::vector<float> values = {1, 4, 0, 3, 2, -5, std::numeric_limits<float>::quiet_NaN()};
    using Places = std::vector<std::size_t>;
    CHECK(strongest_share(values, 0.4f, 9) == Places{1});
    CHECK(strongest_share(values, 0.41f, 9) == Places{1, 3});
    CHECK(strongest_share(values, 1, 9) == Places{1, 3, 4, 0});
    CHECK(strongest_share(values, 1, 2) == Places{1, 3});
    CHECK(strongest_share(values, 0, 9).empty());
    CHECK(strongest_share({}, 1, 9).empty());
    // Of equal ones all, though nine of these ten hold nine tenths; the mean of a softmax is not
    // quite the same in each.
    std::vector<float> equal(10, 0.1f);
    equal[9] = 0.0999999f;
    CHECK(strongest_share(equal, 0.9f, 600).size() == 10);
    CHECK(strongest_share(std::vector<float>{0.5f, 0.2f, 0.2f, 0.1f}, 0.7f, 9).size() == 3);
    CHECK(strongest_share(std::vector<float>{0.5f, 0.2f, 0.2f, 0.1f}, 0.5f, 9).size() == 1);
    CHECK(strongest_share(equal, 0.9f, 4).size() == 4); // but no more than is asked for
}

TEST_CASE("a thousand tokens are strips of cells") {
    const Figure figure = flow(flow_of(1000, 2, kEnglish, 999), {}, dark_frame(900, 500));
    const auto heats =
        std::count_if(figure.items.begin(), figure.items.end(),
                      [](const Primitive& item) { return std::holds_alternative<Heat>(item); });
    CHECK(heats == 3 + 1); // levels, and the colour bar
    check_texts(figure, &heed::figure::measure);
    for (const Target& target : figure.targets) {
        if (!target.as<tag::Cells>()) continue;
        const auto hit = pick(figure, {target.box.x + target.box.w * 0.9995f, target.box.y + 1});
        REQUIRE(hit);
        CHECK(hit->col == 999);
    }
}

TEST_CASE("a flow of nothing, and frames without room, give a figure") {
    for (const float side : {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f}) {
        CHECK(std::isfinite(flow({}, {}, dark_frame(side, side)).height));
        FlowOptions odd;
        odd.selected = {99, -3};
        odd.hovered = {-1, 4000};
        odd.mass = 7;
        CHECK(std::isfinite(flow(flow_of(3, 2, kMixed, 0), odd, dark_frame(side, side)).height));
    }
}

TEST_CASE("the bar of a flow ends at the number that words beside it say") {
    FlowData data = flow_of(7, 3, kEnglish, 4);
    auto flow = *data.flow;
    flow.reach.topRows(flow.n_layers()) *= 0.906f / flow.reach.topRows(flow.n_layers()).maxCoeff();
    data.flow = std::make_shared<heed::trace::Flow>(flow);
    CHECK(any_has(words_in(heed::figure::flow(data, {}, dark_frame(1000, 800))), "≥ 90.6 %"));
}

TEST_CASE("nodes of a sentence in a column of a page have their numbers") {
    const Figure figure = flow(flow_of(13, 2, kEnglish, 12), {}, frame_of(482, 0));
    CHECK(any_has(words_in(figure), "numbers: per cent"));
    check_texts(figure, &heed::figure::measure);
}
