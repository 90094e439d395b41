// Pictures in a column of a page, and of small windows: what is named there is named whole.
#include "catch.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/patch_map.hpp"
#include "figure/views/plots.hpp"
#include "figure/views/softmax_room.hpp"
#include "figure/views/unrolled.hpp"
#include "recurrent_samples.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>

using namespace heed::figure;
using namespace samples;

namespace {

const std::vector<std::string> kSentence = {"the", "young", "black", "cat", "and",   "the",
                                            "old", "white", "dog",   "did", "not",   "eat",
                                            "the", "red",   "apple", "in",  "garden"};

bool shows(const Figure& figure, const std::string& words) {
    return std::ranges::any_of(texts_of(figure),
                               [&](const Text& text) { return text.text == words; });
}

} // namespace

TEST_CASE("lines of many words in a column of a page name each of them whole") {
    const auto n = static_cast<Index>(kSentence.size());
    for (const float width : {380.f, 391.f, 430.f}) {
        INFO(width);
        const Figure figure =
            lines(lines_of(n, n, kSentence, kSentence, {0}, 1), {}, frame_of(width, 0));
        for (const std::string& word : kSentence) {
            INFO(word);
            CHECK(std::ranges::count_if(texts_of(figure), [&](const Text& text) {
                      return text.text == word;
                  }) == 2 * std::ranges::count(kSentence, word));
        }
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("a subtitle in a file is whole") {
    MapData map = map_of(weights(4, 4), repeated(kEnglish, 4), repeated(kEnglish, 4));
    map.subtitle = "the word being said (rows) attends to source words (columns) · scale off · "
                   "temperature 0.5 · mask causal";
    const Figure figure = heatmap(map, {}, frame_of(190, 0));
    for (const Text& text : texts_of(figure)) {
        INFO(text.text);
        CHECK(text.text.find("…") == std::string::npos);
    }
    CHECK(std::ranges::any_of(texts_of(figure),
                              [](const Text& text) { return text.text.ends_with("causal"); }));
}

TEST_CASE("single Han characters above columns stand upright") {
    const std::vector<std::string> words = {"我", "昨", "天", "吃", "了", "一", "个", "苹", "果"};
    const Frame frame = frame_of(400, 300);
    const Sheet sheet(frame, 400, 300);
    for (const float pitch : {11.f, 12.f, 14.f, 20.f, 40.f}) {
        INFO(pitch);
        const LabelPlan plan = plan_columns(sheet, words, 9, pitch, 80);
        CHECK_FALSE(plan.slanted);
        CHECK(plan.step == 1);
        CHECK(plan.style.size >= 9);
        CHECK(sheet.width_of("果", plan.style) <= pitch - 1);
    }
    const LabelPlan low = plan_columns(sheet, words, 9, 7, 80);
    CHECK_FALSE(low.slanted);
    CHECK(low.step == 2);
}

TEST_CASE("the numbers of an unrolled model stand in the middle of their columns") {
    UnrolledData data = translator_of(6, 5, 1, kEnglish);
    data.weights.resize(6);
    data.weights << 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.1f;
    UnrolledOptions options;
    options.step = 2;
    options.word = 1;
    const Figure figure = unrolled(data, options, frame_of(1000, 620));
    int numbers = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.text.size() != 5 || !text.text.starts_with("0.")) continue;
        ++numbers;
        CHECK(text.align_x == AlignX::centre);
    }
    CHECK(numbers == 6);
}

TEST_CASE("the classes of a picture are listed as far as there is room for them") {
    PatchMapData data;
    data.title = "Encoder layer 2 · head 1";
    auto pixels = std::make_shared<Pixels>(Pixels{12, 12, {}});
    pixels->rgba.assign(12 * 12 * 4, 200);
    data.picture = pixels;
    data.rows = data.cols = 3;
    data.leading = {"⟨class⟩"};
    data.query = 0;
    data.weights = {0.2f, 0.05f, 0.3f, 0, 0.05f, 0.1f, 0.15f, 0.1f, 0.05f, 0};
    data.classes = {{"tabby", 0.5f}, {"lynx", 0.2f}, {"fox", 0.1f}, {"dog", 0.1f}, {"hat", 0.05f}};
    for (const auto& [width, height] :
         {std::pair<float, float>{640, 350}, {560, 480}, {520, 400}, {460, 0}, {1000, 700}}) {
        INFO(width << " × " << height);
        const Figure figure = patch_map(data, {}, frame_of(width, height));
        for (const ClassShare& one : data.classes) {
            INFO(one.name);
            CHECK(shows(figure, one.name));
        }
        CHECK(shows(figure, "of a patch"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("a low softmax room names the keys of its Jacobian, and says what has no room") {
    const std::vector<std::string> words = {"the", "black", "cat", "did",  "not",
                                            "eat", "a",     "red", "apple"};
    const auto data = softmax_of(9, words, 0.5f);
    SoftmaxRoomOptions options;
    options.key = 2;
    const Figure figure = softmax_room(data, options, frame_of(636, 384));
    for (const std::string& word : words) {
        INFO(word);
        // Beside its bar, and beside its row of the Jacobian; above it those that have room.
        CHECK(std::ranges::count_if(texts_of(figure), [&](const Text& text) {
                  return text.text == word;
              }) >= (word == words[2] ? 3 : 2));
    }
    CHECK(std::ranges::any_of(texts_of(figure), [](const Text& text) {
        return text.text.starts_with("No room for: Distribution of random q · k");
    }));
    check_texts(figure, &heed::figure::measure);
    const Figure high = softmax_room(data, options, frame_of(1000, 900));
    CHECK(std::ranges::none_of(texts_of(high),
                               [](const Text& text) { return text.text.starts_with("No room"); }));
}
