// Every plot of src/figure in every format, theme and script: painted, not blank, alike.
//
// With HEED_LOOK=folder in the environment the pictures are written there, for a person's eyes.
#include "sample.hpp"

#include "base/file.hpp"
#include "figure/view_samples.hpp"
#include "figure/views/plots.hpp"

#include "catch.hpp"

#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

struct Script {
    const char* name;
    std::vector<std::string> source, target;
};

const std::vector<Script>& scripts() {
    static const std::vector<Script> all = {
        {"english",
         {"The", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired"},
         {"I", "ate", "an", "apple", "yesterday", "."}},
        {"chinese",
         {"我", "昨天", "吃", "了", "一个", "苹果", "，", "因为", "饿", "。"},
         {"汤姆", "追逐", "杰瑞", "很", "久", "。"}},
        {"arabic",
         {"القطة", "جلست", "على", "السجادة", "لأنها", "كانت", "متعبة", "جدا", "اليوم", "."},
         {"أكلت", "تفاحة", "أمس", "في", "البيت", "."}},
        {"emoji",
         {"🙂", "👨‍👩‍👧‍👦", "🇫🇷", "e\u0301te\u0301", "→", "½", "#️⃣", "☕",
          "naïve", "✓"},
         {"🍎", "👍🏽", "∑", "“quoted”", "<tag>", "&"}}};
    return all;
}

using Values = std::shared_ptr<const Matrix<float>>;

/// Scores that look like attention: near the diagonal, one strong key, some noise.
Matrix<float> scores(int rows, int cols, int seed) {
    Matrix<float> s(rows, cols);
    std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 1;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            state = state * 1664525u + 1013904223u;
            const float noise = static_cast<float>(state >> 8) / 16777216.0f;
            const float distance = std::abs(static_cast<float>(i) / static_cast<float>(rows) -
                                            static_cast<float>(j) / static_cast<float>(cols));
            s(i, j) = 2 * noise + (seed % 3 != 1 ? 4 - 12 * distance : 0.0f) +
                      (j == 1 + seed % 3 ? 2.0f : 0.0f);
        }
    }
    return s;
}

Matrix<float> softmax_rows(Matrix<float> s) {
    for (Index i = 0; i < s.rows(); ++i) {
        s.row(i) = (s.row(i).array() - s.row(i).maxCoeff()).exp().matrix();
        s.row(i) /= s.row(i).sum();
    }
    return s;
}

Values shared(Matrix<float> m) { return std::make_shared<const Matrix<float>>(std::move(m)); }

MapData map_of(const Script& script, bool cross) {
    MapData map;
    map.title = cross ? "Decoder layer 5 · head 3 · cross" : "Encoder layer 5 · head 3";
    map.subtitle = "query (rows) attends to key (columns)";
    map.row_labels = cross ? script.target : script.source;
    map.col_labels = script.source;
    map.values = shared(softmax_rows(scores(static_cast<int>(map.row_labels.size()),
                                            static_cast<int>(map.col_labels.size()), 3)));
    return map;
}

struct Plot {
    std::string name;
    Figure figure;
};

std::vector<Plot> view_plots(const Script& script, const Theme& theme);

std::vector<Plot> plots(const Script& script, const Theme& theme) {
    Frame frame;
    frame.theme = &theme;
    std::vector<Plot> all;
    const std::vector<std::string>& words = script.source;
    const int n = static_cast<int>(words.size());

    const MapData self = map_of(script, false), cross = map_of(script, true);
    HeatmapOptions chosen;
    chosen.selected = {7, 1};
    chosen.hovered = {3, 4};
    all.push_back({"heatmap", heatmap(self, chosen, frame)});
    Frame captioned = frame;
    captioned.caption = "Transformer base · encoder layer 5 · head 3 · scale off · temperature 2";
    captioned.width = 700;
    captioned.height = 560;
    HeatmapOptions by_row;
    by_row.range = RangeMode::row;
    all.push_back({"heatmap-cross", heatmap(cross, by_row, captioned)});

    MapData masked = self;
    masked.title = "Masked scores, one row without any key";
    masked.signed_values = true;
    masked.weights = false;
    Matrix<float> s = scores(n, n, 0);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            if (j > i || i == 4) s(i, j) = -std::numeric_limits<float>::infinity();
    masked.values = shared(s);
    masked.rows_without_distribution = {4};
    HeatmapOptions whole;
    whole.range = RangeMode::map;
    all.push_back({"heatmap-masked", heatmap(masked, whole, frame)});

    HeadGrid grid{"Encoder self-attention", 6, 8, {}, std::pair{4, 2}};
    for (int k = 0; k < 48; ++k) grid.maps.push_back(shared(softmax_rows(scores(n, n, k))));
    all.push_back({"heads", head_grid(grid, frame)});

    LinksOptions links;
    all.push_back({"arcs", arcs(self, links, frame)});
    links.selected = {7, 1};
    all.push_back({"arcs-selected", arcs(self, links, frame)});
    all.push_back({"lines", lines(cross, LinksOptions{}, frame)});
    links.selected = {2, 4};
    all.push_back({"lines-selected", lines(cross, links, frame)});

    std::vector<StageThumbnail> stages;
    for (const char* label : {"q", "k", "v", "Q·Kᵀ", "÷ √dₖ", "+ mask", "softmax", "· V"}) {
        const int id = static_cast<int>(stages.size());
        const bool weights = std::string(label) == "softmax";
        stages.push_back({label,
                          weights ? self.values : shared(scores(n, id < 3 || id == 7 ? 16 : n, id)),
                          !weights, id});
    }
    Frame strip = frame;
    strip.width = 1040;
    all.push_back({"stages", stage_strip(stages, 6, strip)});

    for (Plot& plot : view_plots(script, theme)) all.push_back(std::move(plot));
    return all;
}

/// The views and rooms that are figures of their own.
std::vector<Plot> view_plots(const Script& script, const Theme& theme) {
    Frame frame;
    frame.theme = &theme;
    frame.caption = "Transformer base · seed 1";
    const std::vector<std::string>& words = script.source;
    const auto n = static_cast<Index>(words.size());
    std::vector<Plot> all;

    NeuronsOptions neuron;
    neuron.selected = 2;
    neuron.feature = 9;
    all.push_back({"neurons", neurons(samples::neurons_of(n, 64, words), neuron, frame)});
    FlowOptions node;
    node.hovered = {2, 3};
    all.push_back({"flow", flow(samples::flow_of(n, 6, words, n - 3), node, frame)});

    LinksOptions links;
    links.queries = {1, 4};
    const auto heads = samples::lines_of(n, n, words, words, {0, 2, 5});
    Frame high = frame;
    high.width = 860;
    high.height = 560;
    all.push_back({"lines-heads", lines(heads, {}, high)});
    all.push_back({"lines-queries", lines(heads, links, high)});
    all.push_back({"arcs-heads", arcs(heads, {}, frame)});

    PositionRoomOptions position;
    position.position = 12;
    all.push_back({"position-room", position_room(samples::positions_of(48, 32), position, frame)});
    SoftmaxRoomOptions key;
    key.key = 2;
    all.push_back({"softmax-room", softmax_room(samples::softmax_of(n, words, 0.25f), key, frame)});

    HeatmapOptions logarithmic;
    logarithmic.scale = ColourScale::logarithmic;
    logarithmic.palette = theme.dark ? PaletteId::lagoon : PaletteId::heather;
    all.push_back({"heatmap-log", heatmap(map_of(script, false), logarithmic, frame)});
    return all;
}

/// Pixels that are not the background, as a share.
double share_of_ink(const Picture& picture, Color ground) {
    std::size_t ink = 0;
    const std::size_t pixels = picture.rgba.size() / 4;
    for (std::size_t i = 0; i < pixels; ++i) {
        const auto* p = picture.rgba.data() + 4 * i;
        ink += !(Color{p[0], p[1], p[2]} == ground);
    }
    return static_cast<double>(ink) / static_cast<double>(pixels);
}

std::string escaped(std::string text) {
    for (const auto& [raw, entity] : {std::pair{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}}) {
        for (std::size_t at = 0; (at = text.find(raw, at)) != std::string::npos;
             at += std::string(entity).size())
            text.replace(at, 1, entity);
    }
    return text;
}

void keep(const std::string& name, const std::string& bytes) {
    if (const char* folder = std::getenv("HEED_LOOK"))
        CHECK(heed::base::write_file_atomic(std::string(folder) + "/" + name, bytes));
}

} // namespace

TEST_CASE("every plot is painted in every format, theme and script, and is not blank") {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        for (const Script& script : scripts()) {
            for (const Plot& plot : plots(script, *theme)) {
                const std::string name =
                    plot.name + "-" + script.name + (theme->dark ? "-dark" : "-light");
                INFO(name);
                CHECK_FALSE(plot.figure.title.empty());
                const std::string png = painted(plot.figure, Format::png, 1);
                const std::string svg = painted(plot.figure, Format::svg);
                const std::string pdf = painted(plot.figure, Format::pdf);
                keep(name + ".png", painted(plot.figure, Format::png, 2));
                keep(name + ".svg", svg);
                keep(name + ".pdf", pdf);
                const auto picture = heed::files::read_png(png, name);
                REQUIRE(picture);
                CHECK(share_of_ink(*picture, plot.figure.background) > 0.02);
                CHECK(xml_fault(svg) == "");
                CHECK(pdf.substr(0, 5) == "%PDF-");
            }
        }
    }
}

TEST_CASE("every token of a plot that names tokens stands in its SVG as text") {
    for (const Script& script : scripts()) {
        for (const Plot& plot : plots(script, light_theme())) {
            if (plot.name != "heatmap" && plot.name != "arcs" && plot.name != "lines") continue;
            const std::string svg = painted(plot.figure, Format::svg);
            for (const std::string& token : script.source) {
                INFO(plot.name << " " << token);
                CHECK(svg.find(">" + escaped(token) + "</text>") != std::string::npos);
            }
        }
    }
}

TEST_CASE("every plot stays inside its figure") {
    // Ink within two points of an edge means that something runs out of the picture.
    for (const Script& script : scripts()) {
        for (const Plot& plot : plots(script, light_theme())) {
            const Picture picture = pixels(plot.figure);
            const Color ground = plot.figure.background;
            std::size_t at_edge = 0;
            for (int y = 0; y < picture.height; ++y) {
                for (int x = 0; x < picture.width; ++x) {
                    const bool edge =
                        x < 2 || y < 2 || x >= picture.width - 2 || y >= picture.height - 2;
                    const auto* p = picture.at(x, y);
                    at_edge += edge && !(Color{p[0], p[1], p[2]} == ground);
                }
            }
            INFO(plot.name << " " << script.name);
            CHECK(at_edge == 0);
        }
    }
}

TEST_CASE("a plot looks alike in PNG, SVG and PDF") {
    if (!installed("rsvg-convert") || !installed("pdftoppm")) return;
    const Folder folder;
    for (const Script& script : {scripts()[0], scripts()[1]}) {
        for (const Plot& plot : plots(script, light_theme())) {
            // A page has whole points, whatever the viewer: sizes are made whole for comparing.
            Figure figure = plot.figure;
            figure.width = std::ceil(figure.width);
            figure.height = std::ceil(figure.height);
            const Picture png = pixels(figure);
            INFO(plot.name << " " << script.name);
            CHECK(share_that_differs(png, viewed_svg(painted(figure, Format::svg), folder), 128) <
                  0.02);
            CHECK(share_that_differs(png, viewed_pdf(painted(figure, Format::pdf), folder), 128) <
                  0.02);
        }
    }
}
