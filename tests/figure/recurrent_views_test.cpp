// The views of a model that goes step by step: one step, the model unrolled, a beam.
#include "catch.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/parts/stripe.hpp"
#include "golden.hpp"
#include "recurrent_samples.hpp"
#include "texts.hpp"

#include <optional>
#include <set>
#include <sstream>

using namespace heed::figure;
using namespace samples;

namespace {

/// A long word among short ones.
const std::vector<std::string> kFrench = {"le", "jeune", "professeur", "n'a",   "pas",
                                          "lu", "le",    "vieux",      "livre", "⟨end⟩"};

/// The middle of the letters of a text, and how far they reach to each side.
std::pair<float, float> middle_and_half(const Text& text, Measure measure) {
    const float width = measure(text.text, text.style).width;
    const float left = text.align_x == AlignX::left    ? text.at.x
                       : text.align_x == AlignX::right ? text.at.x - width
                                                       : text.at.x - width / 2;
    return {left + width / 2, width / 2};
}

/// Whether an upright piece of a line goes through the letters of a text.
bool is_crossed(const Text& text, const Figure& figure, Measure measure) {
    const auto [middle, half] = middle_and_half(text, measure);
    for (const Primitive& item : figure.items) {
        const Line* line = std::get_if<Line>(&item);
        if (!line) continue;
        for (std::size_t i = 0; i + 1 < line->points.size(); ++i) {
            const Point a = line->points[i], b = line->points[i + 1];
            const bool beside = std::abs(a.x - b.x) > 0.01f || std::abs(a.x - middle) > half + 1;
            const auto [top, bottom] = std::minmax(a.y, b.y);
            if (!beside && top < text.at.y && bottom > text.at.y) return true;
        }
    }
    return false;
}

/// The letters of a number.
Box letters_of(const Text& text, Measure measure) {
    const auto [middle, half] = middle_and_half(text, measure);
    return {middle - half, text.at.y - text.style.size / 2 + 2, 2 * half, text.style.size - 4};
}

/// Whether the ink of a link lies in a box.
bool is_covered(const Box& box, const Curve& link) {
    for (float t = 0; t <= 1; t += 1 / 64.f) {
        const float u = 1 - t;
        const auto at = [&](float Point::*axis) {
            return u * u * u * (link.a.*axis) + 3 * u * u * t * (link.control_a.*axis) +
                   3 * u * t * t * (link.control_b.*axis) + t * t * t * (link.b.*axis);
        };
        const float x = std::clamp(at(&Point::x), box.x, box.x + box.w),
                    y = std::clamp(at(&Point::y), box.y, box.y + box.h);
        if (std::hypot(x - at(&Point::x), y - at(&Point::y)) < link.width / 2) return true;
    }
    return false;
}

/// The step's picture in a window: a reading in one of the two lines that are kept free for it.
Frame window_frame(float width, float height, Measure measure = &heed::figure::measure) {
    Frame frame = frame_of(width, height, measure);
    frame.reading = "Step 3 attends most to “black” (0.987) and says “noir”.";
    frame.reading_lines = 2;
    return frame;
}

const std::vector<std::string> kGru = {"r", "z", "n"}, kLstm = {"i", "f", "g", "o"};

std::set<int> tagged_rows(const Figure& figure) {
    std::set<int> found;
    for (const Target& target : figure.targets) {
        if (const auto* row = target.as<tag::RowLabel>()) found.insert(row->query);
    }
    return found;
}

std::set<int> tagged_columns(const Figure& figure) {
    std::set<int> found;
    for (const Target& target : figure.targets) {
        if (const auto* column = target.as<tag::ColLabel>()) found.insert(column->key);
    }
    return found;
}

} // namespace

TEST_CASE("one step of a decoder is as approved") {
    DecoderStepOptions options;
    options.selected = 1;
    CHECK(difference_from_golden("decoder_step",
                                 dump(decoder_step(step_of(5, kEnglish, kGru), options,
                                                   frame_of(900, 640, &plain_measure)))) == "");
}

TEST_CASE("a step names every symbol of the paper's equations") {
    const Figure figure = decoder_step(step_of(5, kEnglish, kGru), {}, frame_of(940, 700));
    for (const char* symbol : {"sᵢ₋₁", "hⱼ", "eᵢⱼ", "αᵢⱼ", "αᵢⱼ hⱼ", "cᵢ", "yᵢ₋₁", "sᵢ", "p(yᵢ)",
                               "r reset", "z update", "n new"}) {
        INFO(symbol);
        CHECK(has_text(figure, symbol));
    }
    const Figure lstm = decoder_step(step_of(5, kEnglish, kLstm), {}, frame_of(940, 700));
    for (const char* gate : {"i input", "f forget", "g new", "o output", "mᵢ memory"}) {
        CHECK(has_text(lstm, gate));
    }
    CHECK(has_text(lstm, "mᵢ = f∘mᵢ₋₁ + i∘g   sᵢ = o∘tanh mᵢ")); // c is the context
    auto luong = step_of(5, kEnglish, kGru);
    luong.updates_first = true;
    const Figure updated_first = decoder_step(luong, {}, frame_of(940, 700, &plain_measure));
    CHECK(has_text(updated_first, "cᵢ₋₁"));
    check_texts(updated_first, &plain_measure);
}

TEST_CASE("a step marks weights that were set by hand") {
    auto data = head_step_of(5, kEnglish, 3);
    const Figure before = decoder_step(data, {}, frame_of(940, 700, &plain_measure));
    data.edited = {1};
    const Figure figure = decoder_step(data, {}, frame_of(940, 700, &plain_measure));
    CHECK_FALSE(has_text(before, "underlined: set by hand"));
    CHECK(has_text(figure, "underlined: set by hand"));
    CHECK(figure.items.size() == before.items.size() + 2); // the words, and a line
    check_texts(figure, &plain_measure);
}

TEST_CASE("a step that leaves keys out tells equal words apart") {
    std::vector<std::string> words;
    for (int i = 0; i < 100; ++i) words.push_back(i % 2 == 0 ? "the" : "cat");
    DecoderStepOptions options;
    options.selected = 2;
    const Figure figure =
        decoder_step(head_step_of(100, words, 3), options, frame_of(940, 700, &plain_measure));
    CHECK(has_text(figure, "the (3)"));
}

TEST_CASE("one step of a transformer's decoder is as approved") {
    DecoderStepOptions options;
    options.selected = 1;
    CHECK(difference_from_golden("decoder_step_head",
                                 dump(decoder_step(head_step_of(5, kEnglish, 3), options,
                                                   frame_of(900, 640, &plain_measure)))) == "");
}

TEST_CASE("a transformer's step has the letters of queries, keys and values, and no state") {
    const auto data = head_step_of(5, kEnglish, 3);
    const Figure figure = decoder_step(data, {}, frame_of(940, 700));
    for (const char* symbol : {"qᵢ", "kⱼ", "sᵢⱼ", "αᵢⱼ", "αᵢⱼ vⱼ", "zᵢ", "yᵢ₋₁", "p(yᵢ)", "g(tᵢ)",
                               "xᵢ layer 1", "xᵢ layer 3", "layer 2 reads zᵢ"}) {
        INFO(symbol);
        CHECK(has_text(figure, symbol));
    }
    for (const char* other : {"hⱼ", "eᵢⱼ", "cᵢ", "sᵢ₋₁", "sᵢ"}) {
        INFO(other);
        CHECK_FALSE(has_text(figure, other));
    }
    auto louder = std::make_shared<heed::trace::DecoderStep>(*data.step);
    louder->gain = 1.5f;
    auto of_louder = data;
    of_louder.step = louder;
    bool gained = false;
    for (const Text& text : texts_of(decoder_step(of_louder, {}, frame_of(940, 700)))) {
        gained = gained || text.text.find("zᵢ = 1.5 Σⱼ αᵢⱼ vⱼ") != std::string::npos;
    }
    CHECK(gained);
}

TEST_CASE("texts of a transformer's step keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] :
         {std::pair<float, float>{1200, 900}, {936, 700}, {640, 520}, {480, 420}, {0, 0}}) {
        for (const Index m : {1, 6, 400}) {
            for (const int layers : {1, 6, 48}) {
                INFO(m << " words, " << layers << " layers in " << width << " × " << height);
                auto data = head_step_of(m, kMixed, layers);
                check_texts(decoder_step(data, {}, frame_of(width, height, measure)), measure);
                data.words.clear(); // a model that says none
                const Figure silent = decoder_step(data, {}, frame_of(width, height, measure));
                CHECK_FALSE(has_text(silent, "p(yᵢ)"));
                CHECK_FALSE(has_text(silent, data.others));
                check_texts(silent, measure);
            }
        }
    }
}

TEST_CASE("the number beside a gate is the mean of its sizes, and says so") {
    auto data = step_of(5, kEnglish, kGru);
    auto step = std::make_shared<heed::trace::DecoderStep>(*data.step);
    for (heed::trace::StepGate& gate : step->layers.back().gates) {
        if (gate.name != "n") continue;
        for (Index i = 0; i < gate.values.size(); ++i) gate.values[i] = i % 2 == 0 ? 0.93f : -0.93f;
    }
    data.step = step;
    const Figure figure = decoder_step(data, {}, frame_of(1000, 800));
    CHECK(has_text(figure, "0.93")); // a signed mean would be nothing
    CHECK(has_text(figure, "mean |x|"));
}

TEST_CASE("a word that a step may say is read from its beginning, however long it is") {
    auto data = step_of(5, kEnglish, kGru);
    data.words[1].word = "l'organisation";
    const Figure figure = decoder_step(data, {}, frame_of(940, 700, &plain_measure));
    int found = 0;
    for (const Text& text : texts_of(figure)) {
        if (!text.text.starts_with("l'o")) continue;
        INFO(text.text);
        ++found;
        CHECK((text.text == data.words[1].word || text.text.ends_with("…")));
    }
    CHECK(found > 0);
}

TEST_CASE("what all other words share is never told as none") {
    auto data = step_of(5, kEnglish, kGru);
    data.rest = 0; // by rounding
    const Figure figure = decoder_step(data, {}, frame_of(940, 700, &plain_measure));
    CHECK(has_text(figure, "< 0.01 %"));
    CHECK_FALSE(has_text(figure, "0 %"));
}

TEST_CASE("no bar touches the share of a word, however much of the width the share takes") {
    auto data = step_of(5, kEnglish, kGru);
    for (auto& word : data.words) word.probability = 1e-6f;
    data.words[0].probability = 0.99999f;
    data.rest = 1e-6f;
    for (const float width : {520.f, 940.f}) {
        const Figure figure = decoder_step(data, {}, frame_of(width, 700, &plain_measure));
        int found = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.text != "> 99.9 %") continue;
            ++found;
            const float left = text.at.x - plain_measure(text.text, text.style).width;
            for (const Primitive& item : figure.items) {
                const Fill* fill = std::get_if<Fill>(&item);
                const bool beside = fill != nullptr && fill->box.y <= text.at.y &&
                                    fill->box.y + fill->box.h >= text.at.y && fill->box.h < 10 &&
                                    fill->box.x < left;
                if (beside) CHECK(fill->box.x + fill->box.w <= left - 4);
            }
        }
        CHECK(found > 0);
    }
}

TEST_CASE("weighted stripes are the values times the weights") {
    const auto data = step_of(4, kEnglish, kGru);
    const Figure figure = decoder_step(data, {}, frame_of(940, 700));
    const auto& row = *data.step->row;
    const auto drawn_at = [&](const Box& box) -> const Matrix<float>* {
        for (const Primitive& item : figure.items) {
            const Heat* heat = std::get_if<Heat>(&item);
            if (heat && heat->box.x == box.x && heat->box.y == box.y) return heat->values.get();
        }
        return nullptr;
    };
    int found = 0;
    for (const Target& target : figure.targets) {
        const auto* stripe = target.as<tag::Stripe>();
        if (!stripe || stripe->of < 0 || stripe->of >= 4) continue;
        const Index j = stripe->of;
        const bool weighted = stripe->which == static_cast<int>(StepStripe::weighted);
        if (!weighted && stripe->which != static_cast<int>(StepStripe::state)) continue;
        const Matrix<float>* values = drawn_at(target.box);
        REQUIRE(values);
        CAPTURE(j, weighted);
        for (Index i = 0; i < values->cols(); ++i) {
            const float weight = row.weights[static_cast<std::size_t>(j)];
            CHECK((*values)(0, i) ==
                  (weighted ? Approx(weight * data.step->attention->v(j, i)).margin(1e-6)
                            : Approx(data.step->states->values(j, i))));
        }
        ++found;
    }
    CHECK(found == 8); // h and α h of four words
}

TEST_CASE("texts of a step keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {936, 700},
                                        {640, 520},
                                        {480, 420},
                                        {300, 240},
                                        {0, 0}}) {
        for (const Index m : {1, 6, 30, 400}) {
            for (const auto* gates : {&kGru, &kLstm}) {
                for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                    INFO(m << " words in " << width << " × " << height);
                    Frame frame = frame_of(width, height, measure);
                    frame.caption = "Bahdanau · biGRU 256 · seed 1 · Alignment αᵢⱼ";
                    const auto data = step_of(m, *words, *gates, m == 6 ? 2 : 1, m != 30);
                    check_texts(decoder_step(data, {}, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("of many words those with the largest weights are shown, and the chosen one") {
    DecoderStepOptions options;
    options.selected = 399;
    const Figure figure = decoder_step(step_of(400, kEnglish, kGru), options, frame_of(940, 700));
    const auto shown = tagged_columns(figure);
    CHECK(shown.size() < 60);
    CHECK(shown.count(399) == 1);
    CHECK(shown.count(14) == 1); // sin 14 is nearly 1
}

TEST_CASE("a word that is hardly probable is not said to be impossible") {
    auto data = step_of(3, kEnglish, kGru);
    data.words[0].probability = 0.9998f;
    data.words[1].probability = 0.00002f;
    data.words[2].probability = 0;
    const Figure figure = decoder_step(data, {}, frame_of(940, 700));
    CHECK(has_text(figure, "> 99.9 %")); // nor is one certain that is not
    CHECK(has_text(figure, "< 0.01 %"));
    CHECK(has_text(figure, "0 %"));
}

TEST_CASE("the words that may be said are whole beside shorter bars") {
    auto data = step_of(9, kEnglish, kGru);
    data.words = {{"professeur", 0.9f, true, true}, {"dictionnaire", 0.05f, false, true}};
    data.rest = 0.05f;
    for (const float height : {560.f, 620.f, 700.f}) {
        INFO(height);
        const Figure figure = decoder_step(data, {}, frame_of(720, height));
        for (const char* word : {"professeur", "dictionnaire", "other words"}) {
            CHECK(has_text(figure, word));
        }
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("words and numbers of a step's rows have one size, with space between rows") {
    const auto data = step_of(14, kEnglish, kGru); // rows of 14 points in the lowest
    for (const float height : {560.f, 620.f, 900.f}) {
        INFO(height);
        const auto texts = texts_of(decoder_step(data, {}, frame_of(720, height)));
        const auto find = [&](const std::string& wanted) {
            const auto at = std::find_if(texts.begin(), texts.end(),
                                         [&](const Text& text) { return text.text == wanted; });
            REQUIRE(at != texts.end());
            return *at;
        };
        const Text first = find("The"), second = find("cat");
        int numbers = 0;
        for (const Text& text : texts) {
            if (text.at.y != first.at.y || text.style.font != Font::mono) continue;
            CHECK(text.style.size == first.style.size);
            ++numbers;
        }
        CHECK(numbers == 2); // e and α
        CHECK(first.style.size >= 9.5f);
        CHECK(second.at.y - first.at.y >= 1.25f * first.style.size);
    }
}

TEST_CASE("in a column of a paper the names of a step are whole") {
    auto data = step_of(9, kEnglish, kGru);
    data.before = "⟨start⟩";
    data.words = {{"le", 0.9f, true, true}, {"l'ordinateur", 0.05f, false, true}};
    const Figure figure = decoder_step(data, {}, frame_of(482, 640));
    for (const char* name : {"“⟨start⟩”", "r reset", "z update", "l'ordinateur", "other words"}) {
        INFO(name);
        CHECK(has_text(figure, name));
    }
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("a step is drawn on every page, however narrow") {
    auto first = step_of(9, kEnglish, kGru);
    first.updates_first = true;
    for (const float width : {150.f, 313.f, 391.f, 430.f, 460.f, 482.f, 510.f}) {
        for (const auto& data : {step_of(9, kEnglish, kGru), step_of(9, kEnglish, kLstm), first,
                                 head_step_of(9, kEnglish, 6)}) {
            INFO(width << " " << data.cell);
            const Figure figure = decoder_step(data, {}, frame_of(width, 0));
            CHECK(figure.width == Approx(width));
            CHECK(tagged_columns(figure).size() == 9);
            CHECK(has_text(figure, "p(yᵢ)"));
            CHECK(has_text(figure, "mean |x|"));
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("words of a step in a column of a paper are at least 6 points high") {
    constexpr float kWidth = 391, kScale = 8 / 13.f; // as 8.5 cm are laid out, and printed
    auto data = step_of(9, kEnglish, kGru);
    data.words = {{"le", 0.9f, true, true}, {"l'ordinateur", 0.05f, false, true}};
    for (const Text& text : texts_of(decoder_step(data, {}, frame_of(kWidth, 0)))) {
        INFO(text.text);
        CHECK(text.style.size * kScale >= 6);
    }
    for (const Text& text : texts_of(decoder_step(data, {}, frame_of(482, 0)))) {
        if (text.text == "l'ordinateur") CHECK(text.style.size * 0.5f >= 6);
    }
}

TEST_CASE("numbers beside the gates of a step have their name, at every width") {
    for (const float width : {482.f, 540.f, 636.f, 900.f}) {
        INFO(width);
        for (const auto& cell : {kGru, kLstm}) {
            const Figure figure = decoder_step(step_of(9, kEnglish, cell), {}, frame_of(width, 0));
            float mean = -1, gate = -1;
            for (const Text& text : texts_of(figure)) {
                if (text.text == "mean |x|") mean = text.at.y;
                if (text.text == "r reset" || text.text == "i input") gate = text.at.y;
            }
            CHECK(mean >= 0);
            CHECK(mean < gate); // at the top of its column
        }
    }
}

TEST_CASE("shares of words that may be said are no larger than the words") {
    auto data = step_of(9, kEnglish, kLstm);
    data.words = {{"professeur", 0.9f, true}, {"mathématicienne", 0.05f}, {"étudiants", 0.04f}};
    for (float width = 480; width <= 1000; width += 40) {
        for (float height = 420; height <= 620; height += 20) {
            INFO(width << " × " << height);
            float word = 0, share = 0;
            for (const Text& text : texts_of(decoder_step(data, {}, frame_of(width, height)))) {
                if (text.text.starts_with("professeur")) word = text.style.size;
                if (text.text.starts_with("90.0")) share = text.style.size;
            }
            CHECK(share <= word);
        }
    }
}

TEST_CASE("equations of a step stand where a short sentence leaves a line free") {
    for (float height = 420; height <= 700; height += 10) {
        Frame frame = frame_of(765, height);
        frame.reading = "Step 9 attends most to “book” (0.998) and says “livre”.";
        frame.reading_lines = 2;
        INFO(height);
        const Figure figure = decoder_step(step_of(9, kEnglish, kLstm), {}, frame);
        check_texts(figure, &heed::figure::measure);
        if (!has_text(figure, "eᵢⱼ")) continue; // nothing has room
        CHECK(std::ranges::any_of(texts_of(figure), [](const Text& text) {
            return text.text.find("Σⱼ αᵢⱼ") != std::string::npos &&
                   text.text.find("eᵢⱼ = ") != std::string::npos;
        }));
        float keys = 0, equations = 1e9f; // below what its colours mean, wherever both stand
        for (const Text& text : texts_of(figure)) {
            if (text.text == "−a" || text.text.find("feature") != std::string::npos)
                keys = std::max(keys, text.at.y);
            if (text.text.find("eᵢⱼ = ") != std::string::npos) equations = text.at.y;
        }
        CHECK(keys < equations);
    }
}

TEST_CASE("no word of a step is left out while the update has more room than it needs") {
    for (const float height : {470.f, 500.f, 560.f}) {
        INFO(height);
        const Figure figure = decoder_step(step_of(10, kEnglish, kGru), {}, frame_of(700, height));
        CHECK(tagged_columns(figure).size() == 10);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("in the smallest window a step has its words, and what may be said") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] :
         {std::pair<float, float>{636, 430}, {542, 430}, {632, 410}, {560, 400}}) {
        for (const auto* gates : {&kGru, &kLstm}) {
            INFO(gates->size() << " gates in " << width << " × " << height);
            const auto data = step_of(9, kEnglish, *gates);
            const Figure figure = decoder_step(data, {}, window_frame(width, height, measure));
            CHECK_FALSE(has_text(figure, "This picture needs more room"));
            CHECK(has_text(figure, "p(yᵢ)"));
            CHECK(has_text(figure, "cᵢ"));
            CHECK(tagged_columns(figure).size() >= 3);
            check_texts(figure, measure);
        }
        const auto head = head_step_of(9, kEnglish, 12);
        const Figure figure = decoder_step(head, {}, window_frame(width, height, measure));
        CHECK_FALSE(has_text(figure, "This picture needs more room"));
        CHECK(has_text(figure, "zᵢ"));
        check_texts(figure, measure);
    }
}

TEST_CASE("words that may be said and have no room are among the others") {
    auto data = step_of(9, kEnglish, kGru);
    data.words.clear();
    for (int i = 0; i < 8; ++i) {
        data.words.push_back({"word" + std::to_string(i), 0.16f - 0.02f * static_cast<float>(i)});
    }
    data.words.back().said = true;
    data.rest = 0.28f;
    const Figure figure = decoder_step(data, {}, window_frame(636, 430));
    REQUIRE(has_text(figure, data.others));
    float rest = data.rest;
    int shown = 0;
    for (const auto& word : data.words) {
        const bool has = has_text(figure, word.word);
        shown += has;
        if (!has) rest += word.probability;
    }
    CHECK(shown >= 3);
    CHECK(shown < 8);
    CHECK(has_text(figure, "word7"));
    CHECK(has_text(figure, percent_text(static_cast<double>(rest))));
}

TEST_CASE("in a low place without room for the update a step still has its attention") {
    const Figure figure = decoder_step(step_of(9, kEnglish, kGru), {}, frame_of(560, 240));
    CHECK_FALSE(has_text(figure, "This picture needs more room"));
    CHECK(has_text(figure, "αᵢⱼ"));
    CHECK_FALSE(has_text(figure, "p(yᵢ)"));
    CHECK(tagged_columns(figure).size() >= 3);
}

TEST_CASE("no word of a step is left out in a small window that has room for all") {
    for (const auto& [width, height] : {std::pair<float, float>{542, 545}, {800, 470}}) {
        INFO(width << " × " << height);
        const auto data = step_of(9, kEnglish, kGru);
        const Figure figure = decoder_step(data, {}, window_frame(width, height));
        CHECK(tagged_columns(figure).size() == 9);
    }
}

TEST_CASE("a step that is not there says so") {
    CHECK(has_text(decoder_step({}, {}, frame_of(640, 480)), "There is no such step"));
}

TEST_CASE("a beam is as approved") {
    auto data = beam_of(3, 4, kEnglish);
    auto beam = *data.beam;
    beam.followed = 1;
    data.beam = std::make_shared<heed::trace::Beam>(beam);
    BeamTreeOptions options;
    options.step = 1;
    CHECK(difference_from_golden(
              "beam_tree", dump(beam_tree(data, options, frame_of(700, 0, &plain_measure)))) == "");
}

TEST_CASE("below a tree with room the sentences stand whole, and point at their ends") {
    const auto data = beam_of(3, 4, kEnglish);
    const auto path = data.beam->path(0);
    std::string words;
    for (const int node : path) {
        words += (words.empty() ? "" : " ") + data.beam->nodes[static_cast<std::size_t>(node)].word;
    }
    const Figure roomy = beam_tree(data, {}, frame_of(900, 700));
    CHECK(has_text(roomy, words));
    CHECK(std::count_if(roomy.targets.begin(), roomy.targets.end(), [&](const Target& t) {
              const auto* node = t.as<tag::Node>();
              return node && node->place == path.back();
          }) == 2);
    CHECK(has_text(beam_tree(data, {}, frame_of(900, 0)), words)); // as high as it asks for
    CHECK(has_text(beam_tree(data, {}, frame_of(900, 250)), words)); // one at the least
    CHECK_FALSE(has_text(beam_tree(data, {}, frame_of(900, 150)), words));
}

TEST_CASE("of the sentences below a tree as many stand as fit, the followed one among them") {
    auto data = beam_of(4, 4, kEnglish);
    auto beam = *data.beam;
    beam.followed = 3;
    data.beam = std::make_shared<heed::trace::Beam>(beam);
    std::set<int> seen;
    for (int height = 240; height <= 640; height += 10) {
        INFO(height);
        const Figure figure = beam_tree(data, {}, frame_of(720, static_cast<float>(height)));
        check_texts(figure, &heed::figure::measure);
        std::vector<int> ranks;
        for (const Text& text : texts_of(figure)) {
            for (int h = 0; h < 4; ++h) {
                if (text.text == std::to_string(h + 1)) ranks.push_back(h);
            }
        }
        seen.insert(static_cast<int>(ranks.size()));
        REQUIRE_FALSE(ranks.empty());
        CHECK(ranks.back() == beam.followed);
        // What is left out is counted.
        for (int more = 1; more < 4; ++more) {
            const bool said = has_text(figure, "+" + std::to_string(more) + " more");
            CHECK(said == (static_cast<int>(ranks.size()) + more == 4));
        }
    }
    CHECK(seen.count(1) == 1);
    CHECK(seen.count(4) == 1);
    // A high tree makes way for its sentences.
    const Figure shared = beam_tree(data, {}, frame_of(720, 440));
    for (const char* rank : {"1", "2", "3", "4"}) CHECK(has_text(shared, rank));
}

TEST_CASE("in a large window what a beam drops stays near what it came from") {
    const auto data = beam_of(4, 10, kFrench);
    for (const auto& [width, height] : {std::pair<float, float>{930, 700}, {1300, 1200}}) {
        const Figure figure = beam_tree(data, {}, frame_of(width, height));
        std::vector<Box> boxes(data.beam->nodes.size());
        for (const Target& target : figure.targets) {
            const auto* node = target.as<tag::Node>();
            if (node) boxes[static_cast<std::size_t>(node->place)] = target.box;
        }
        int branches = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const int parent = data.beam->nodes[i].parent;
            if (parent < 0 || boxes[i].h == 0) continue;
            ++branches;
            CHECK(std::abs(boxes[i].y - boxes[static_cast<std::size_t>(parent)].y) <= 300);
            CHECK(boxes[i].h <= 60);
        }
        CHECK(branches > 20);
        for (const Text& text : texts_of(figure)) { // below the title no hole
            if (text.text == "step 1") CHECK(text.at.y < 100);
        }
    }
}

TEST_CASE("a beam's words are whole where there is room, and its last step is shown") {
    for (const float width : {720.f, 800.f, 930.f, 1300.f}) {
        for (const float height : {480.f, 560.f, 760.f}) {
            INFO(width << " × " << height);
            BeamTreeOptions options;
            options.step = 2;
            const int wide = width > 900 ? 4 : 1;
            const Figure figure =
                beam_tree(beam_of(wide, 10, kFrench), options, frame_of(width, height));
            for (const Text& text : texts_of(figure)) {
                CHECK(text.text.find("…") == std::string::npos);
            }
            CHECK(has_text(figure, "step 10"));
            CHECK(has_text(figure, "professeur"));
            check_texts(figure, &heed::figure::measure);
        }
    }
    // Where not all of them have room, words are whole all the same.
    const Figure narrow = beam_tree(beam_of(4, 10, kFrench), {}, frame_of(480, 480));
    CHECK_FALSE(has_text(narrow, "step 10"));
    CHECK(has_text(narrow, "professeur"));
}

TEST_CASE("sentences that a wide beam found have room, or are counted, at every size") {
    for (const auto& [width, height] :
         {std::pair<float, float>{672, 560}, {496, 500}, {588, 400}, {940, 700}}) {
        for (const int wide : {5, 8, 16}) {
            INFO(wide << " in " << width << " × " << height);
            const auto data = beam_of(wide, 7, kEnglish);
            const Figure figure = beam_tree(data, {}, frame_of(width, height));
            check_texts(figure, &heed::figure::measure);
            int listed = 0;
            for (const Text& text : texts_of(figure)) {
                listed += text.style.font == Font::mono && text.text.find('.') == std::string::npos;
            }
            CHECK(listed > 0);
            const auto found = static_cast<int>(data.beam->hypotheses.size());
            CHECK((listed == found ||
                   has_text(figure, "+" + std::to_string(found - listed) + " more")));
        }
    }
    const Figure low = beam_tree(beam_of(5, 7, kEnglish), {}, frame_of(900, 150));
    CHECK(std::ranges::any_of(texts_of(low), [](const Text& text) {
        return text.text.find("5 hypotheses in all") != std::string::npos;
    }));
}

TEST_CASE("the ground of a beam's chosen step ends with its own nodes") {
    auto beam = std::make_shared<heed::trace::Beam>();
    beam->nodes.push_back({-1, 0, "I", 3, 0, -1, false});
    for (int i = 0; i < 6; ++i) {
        const auto p = -2.f - static_cast<float>(i);
        beam->nodes.push_back({0, 1, "⟨end⟩", 3, p, p, true});
        beam->hypotheses.push_back(i + 1);
    }
    BeamTreeOptions options;
    options.step = 0;
    const Frame frame = frame_of(900, 600);
    const Figure figure = beam_tree({"Beam search", "", beam}, options, frame);
    const auto tint = heed::figure::faded(frame.theme->accent, 0.07f);
    float node = 0, node_middle = 0, ground = 0;
    for (const Target& target : figure.targets) {
        const auto* tag = target.as<tag::Node>();
        if (!tag || tag->place != 0 || target.box.w > 400) continue; // that of its sentence
        node = target.box.y + target.box.h;
        node_middle = target.box.x + target.box.w / 2;
    }
    for (const auto& item : figure.items) {
        const auto* fill = std::get_if<heed::figure::Fill>(&item);
        if (fill && fill->color == tint) ground = fill->box.y + fill->box.h;
    }
    REQUIRE(ground > 0);
    CHECK(std::abs(ground - node) < 8);
    for (const auto& item : figure.items) { // about its nodes, within the margin
        const auto* fill = std::get_if<heed::figure::Fill>(&item);
        if (!fill || fill->color != tint) continue;
        CHECK(fill->box.x >= 12);
        CHECK(std::abs(fill->box.x + fill->box.w / 2 - node_middle) < 0.1f);
    }
}

TEST_CASE("a beam on a page leads nowhere, and is as high as what it shows") {
    BeamTreeOptions options;
    options.step = 0;
    // The last step, which has no room, has more rows than the others.
    auto beam = *beam_of(4, 10, kFrench).beam;
    int at_last = 0;
    for (const auto& node : beam.nodes) at_last += node.step == 9;
    const auto parent = beam.nodes.back().parent;
    for (int i = at_last; i < 16; ++i) {
        beam.nodes.push_back({parent, 9, "professeur", 3, -9, -40.f - static_cast<float>(i), true});
    }
    const BeamTreeData data{"Beam search", "", std::make_shared<heed::trace::Beam>(beam)};
    const Figure page = beam_tree(data, options, frame_of(480, 0));
    float lowest = 0;
    for (const Text& text : texts_of(page)) lowest = std::max(lowest, text.at.y);
    CHECK(page.height - lowest < 50);
    for (const Text& text : texts_of(page)) CHECK_FALSE(text.text.starts_with("+"));
    for (const Target& target : page.targets) CHECK_FALSE(target.as<tag::RowLabel>());
    bool leads = false;
    for (const Target& target : beam_tree(data, options, frame_of(480, 480)).targets) {
        leads = leads || target.as<tag::RowLabel>();
    }
    CHECK(leads);
}

TEST_CASE("a beam in a column of a page shows the whole best path, in bands") {
    for (const float width : {300.f, 420.f, 480.f, 560.f}) {
        INFO(width);
        const BeamTreeData data = beam_of(4, 12, kFrench);
        const Figure page = beam_tree(data, {}, frame_of(width, 0));
        std::vector<int> nodes;
        for (const Target& target : page.targets) {
            const auto* node = target.as<tag::Node>();
            if (node) nodes.push_back(node->place);
        }
        for (const int node : data.beam->path(0)) {
            INFO(node);
            CHECK(std::ranges::count(nodes, node) >= 1);
        }
        for (int step = 1; step <= 12; ++step)
            CHECK(has_text(page, "step " + std::to_string(step)));
        check_texts(page, &heed::figure::measure);
        // What one band leads to goes on in the next: the best path has no gap.
        int joints = 0;
        for (const Primitive& item : page.items) {
            const auto* line = std::get_if<Line>(&item);
            joints += line && line->width == 3 && line->color == light_theme().accent;
        }
        CHECK(joints >= 2);
    }
}

TEST_CASE("a beam in a column of a page shows all steps, whichever is chosen") {
    for (int chosen = 0; chosen < 12; ++chosen) {
        INFO(chosen);
        BeamTreeOptions options;
        options.step = chosen;
        const Figure page = beam_tree(beam_of(4, 12, kFrench), options, frame_of(420, 0));
        for (int step = 1; step <= 12; ++step)
            CHECK(has_text(page, "step " + std::to_string(step)));
        for (const Text& text : texts_of(page)) CHECK_FALSE(text.text.starts_with("+"));
        for (const Target& target : page.targets) CHECK_FALSE(target.as<tag::RowLabel>());
    }
}

TEST_CASE("no word of a beam of many steps is cut while one step has room for it") {
    for (const float width : {420.f, 560.f, 720.f, 1100.f}) {
        INFO(width);
        static const std::vector<std::string> kLong{"l'organisation", "n'avons", "l'agriculteur"};
        for (const Text& text :
             texts_of(beam_tree(beam_of(8, 12, kLong), {}, frame_of(width, 300)))) {
            if (text.style.font != Font::sans || text.text.find(' ') != std::string::npos) continue;
            CHECK(text.text.find("…") == std::string::npos);
        }
    }
}

TEST_CASE("below a beam stands what its colours say") {
    const auto notes_of = [](const Figure& figure) {
        std::string words;
        for (const Text& text : texts_of(figure)) {
            if (text.style.size == type_size::kNote) words += text.text + "|";
        }
        return words;
    };
    const auto many = notes_of(beam_tree(beam_of(4, 5, kEnglish), {}, frame_of(720, 600)));
    CHECK(many.find("Blue lines: other hypotheses") != std::string::npos);
    CHECK(many.find("Grey: dropped") != std::string::npos);
    for (const float width : {420.f, 496.f, 588.f, 720.f}) { // also where the place is low
        for (const float height : {260.f, 320.f, 400.f, 500.f}) {
            INFO(width << " × " << height);
            const auto low =
                notes_of(beam_tree(beam_of(4, 5, kEnglish), {}, frame_of(width, height)));
            CHECK(low.find("Blue lines: other hypotheses") != std::string::npos);
            CHECK(low.find("Grey: dropped") != std::string::npos);
        }
    }
    const auto alone = notes_of(beam_tree(beam_of(1, 5, kEnglish), {}, frame_of(720, 600)));
    CHECK(alone.find("Blue") == std::string::npos);
    CHECK(alone.find("Grey") == std::string::npos);
    // Of what is in sight alone: here the hypotheses part at the last step, which has no room.
    auto beam = std::make_shared<heed::trace::Beam>();
    for (int step = 0; step < 20; ++step) {
        beam->nodes.push_back(
            {step - 1, step, "yesterday", 3, -1, -1.f - static_cast<float>(step), false});
    }
    for (int i = 0; i < 3; ++i) {
        beam->nodes.push_back({19, 20, "⟨end⟩", 3, -1, -21.f - static_cast<float>(i), true});
        if (i < 2) beam->hypotheses.push_back(20 + i);
    }
    const auto early = notes_of(beam_tree({"Beam search", "", beam}, {}, frame_of(600, 600)));
    CHECK(early.find("Bold: best hypothesis") != std::string::npos);
    CHECK(early.find("Blue") == std::string::npos);
    CHECK(early.find("Grey") == std::string::npos);
}

TEST_CASE("steps of a beam that have no room are reached at its sides") {
    const auto ways = [](std::optional<int> step, float width) {
        std::vector<int> steps;
        BeamTreeOptions options;
        options.step = 0;
        options.sight = step;
        const Figure figure = beam_tree(beam_of(4, 10, kFrench), options, frame_of(width, 480));
        for (const Target& target : figure.targets) {
            if (const auto* row = target.as<tag::RowLabel>()) steps.push_back(row->query);
        }
        return steps;
    };
    int step = ways(std::nullopt, 480).at(0), clicks = 1;
    for (; ways(step, 480).back() > step; step = ways(step, 480).back()) REQUIRE(++clicks < 10);
    CHECK(clicks > 1);
    CHECK(ways(step, 480).size() == 1); // the last steps are in sight: back alone
    CHECK(ways(step, 480).front() < step);
    CHECK(ways(std::nullopt, 1300).empty());
}

TEST_CASE("a hypothesis that has no room is cut between words") {
    const auto data = beam_of(2, 14, kFrench);
    const Figure figure = beam_tree(data, {}, frame_of(480, 700));
    std::set<std::string> words;
    for (const auto& node : data.beam->nodes) words.insert(node.word);
    int cut = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.text.find(" … ") == std::string::npos) continue;
        ++cut;
        std::istringstream all(text.text);
        for (std::string word; all >> word;) CHECK((word == "…" || words.count(word) == 1));
    }
    CHECK(cut == 2);
}

TEST_CASE("the hypotheses below a beam stay where they are, whichever is followed") {
    for (const float width : {430.f, 520.f, 640.f, 760.f}) {
        INFO(width);
        std::set<float> places;
        for (const int followed : {0, 1, 3}) {
            auto data = beam_of(4, 4, kEnglish);
            auto beam = *data.beam;
            beam.followed = followed;
            data.beam = std::make_shared<heed::trace::Beam>(beam);
            for (const Text& text : texts_of(beam_tree(data, {}, frame_of(width, 700)))) {
                if (text.text == "1") places.insert(text.at.y);
            }
        }
        CHECK(places.size() == 1);
    }
}

TEST_CASE("the hypothesis through a node is the most probable one") {
    const auto data = beam_of(3, 4, kEnglish);
    const auto& beam = *data.beam;
    for (int h = 0; h < 3; ++h) {
        const auto path = beam.path(h);
        CHECK(hypothesis_through(beam, path.back()) == h);
        const auto first = hypothesis_through(beam, path.front());
        REQUIRE(first);
        CHECK(*first <= h);
    }
    CHECK_FALSE(hypothesis_through(beam, 2)); // nothing followed it
}

TEST_CASE("a wide or long beam keeps the followed path in sight, and its texts apart") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] :
         {std::pair<float, float>{1200, 900}, {936, 700}, {480, 300}, {300, 240}, {0, 0}}) {
        for (const int wide : {1, 4, 64}) {
            for (const int steps : {1, 5, 40}) {
                for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                    INFO(wide << " × " << steps << " in " << width << " × " << height);
                    auto data = beam_of(wide, steps, *words);
                    auto beam = *data.beam;
                    beam.followed = static_cast<int>(beam.hypotheses.size()) - 1;
                    data.beam = std::make_shared<heed::trace::Beam>(beam);
                    BeamTreeOptions options;
                    options.step = steps - 1;
                    const Figure figure =
                        beam_tree(data, options, frame_of(width, height, measure));
                    check_texts(figure, measure);
                    std::set<int> nodes;
                    for (const Target& t : figure.targets) {
                        if (const auto* node = t.as<tag::Node>()) nodes.insert(node->place);
                    }
                    if (height != 240 && height != 300) {
                        CHECK(nodes.count(beam.path(beam.followed).back()) == 1);
                    }
                }
            }
        }
    }
    CHECK(has_text(beam_tree({}, {}, frame_of(640, 480)), "No beam search yet."));
}

TEST_CASE("the ground of the chosen step ends with the nodes of the steps in sight") {
    auto beam = std::make_shared<heed::trace::Beam>();
    beam->width = 6;
    for (int step = 0; step < 30; ++step) {
        const float total = -0.1f * static_cast<float>(step + 1);
        beam->nodes.push_back({step - 1, step, "yesterday", 3, -0.1f, total, false});
    }
    for (int i = 0; i < 6; ++i) { // the last step alone has several
        const float p = -0.1f * static_cast<float>(i + 1);
        beam->nodes.push_back({29, 30, "⟨end⟩", 3, p, p - 3, true});
        beam->hypotheses.push_back(30 + i);
    }
    BeamTreeOptions options;
    options.step = 1;
    const Frame frame = frame_of(700, 600);
    const Figure figure = beam_tree({"Beam search", "", beam}, options, frame);
    float nodes = 0, ground = 0;
    for (const Target& target : figure.targets) {
        const auto* node = target.as<tag::Node>();
        if (node && node->level < 29 && target.box.w < 400) {
            nodes = std::max(nodes, target.box.y + target.box.h);
        }
    }
    const auto tint = heed::figure::faded(frame.theme->accent, 0.07f);
    for (const auto& item : figure.items) {
        const auto* fill = std::get_if<heed::figure::Fill>(&item);
        if (fill && fill->color == tint) ground = fill->box.y + fill->box.h;
    }
    REQUIRE(ground > 0);
    CHECK(std::abs(ground - nodes) < 8);
    CHECK(texts_of(figure).size() > 20); // the hypotheses have the room that this leaves
    CHECK(has_text(figure, "6"));        // the last one's rank
}

TEST_CASE("an unrolled model is as approved") {
    UnrolledOptions options;
    options.step = 1;
    options.word = 2;
    CHECK(difference_from_golden("unrolled",
                                 dump(unrolled(translator_of(4, 3, 1, kEnglish), options,
                                               frame_of(800, 620, &plain_measure)))) == "");
}

TEST_CASE("texts of an unrolled model keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] :
         {std::pair<float, float>{1200, 900}, {936, 700}, {640, 520}, {300, 240}, {0, 0}}) {
        for (const int steps : {1, 6, 300}) {
            for (const int layers : {1, 3}) {
                for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                    INFO(steps << " steps, " << layers << " layers in " << width << " × "
                               << height);
                    const Frame frame = frame_of(width, height, measure);
                    UnrolledOptions options;
                    options.step = steps / 2;
                    options.word = steps - 1;
                    const auto all = translator_of(steps, steps, layers, *words);
                    check_texts(unrolled(all, options, frame), measure);
                    UnrolledData labels; // a word each
                    labels.title = "Unrolled";
                    labels.encoder = side_of(steps, layers, layers == 1, false, *words);
                    labels.encoder->said = repeated(*words, steps);
                    check_texts(unrolled(labels, options, frame), measure);
                    labels.encoder->said = {(*words)[0]}; // one for all
                    check_texts(unrolled(labels, options, frame), measure);
                    UnrolledData speaker;
                    speaker.decoder = side_of(steps, layers, false, true, *words);
                    speaker.decoder->said = repeated(*words, steps);
                    speaker.seed = (*words)[0];
                    check_texts(unrolled(speaker, options, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("the chosen step and word of a long sentence are in sight") {
    UnrolledOptions options;
    options.step = 150;
    options.word = 299;
    const Figure figure =
        unrolled(translator_of(300, 300, 1, kEnglish), options, frame_of(936, 700));
    CHECK(tagged_rows(figure).count(150) == 1);
    CHECK(tagged_columns(figure).count(299) == 1);
    CHECK(tagged_columns(figure).size() < 40);
}

TEST_CASE("the numbers over the encoder's states have their name at the head of their row") {
    UnrolledOptions options;
    for (const int step : {0, 8}) {
        options.step = step;
        const Figure figure =
            unrolled(translator_of(9, 10, 1, kEnglish), options, frame_of(696, 600));
        CHECK(has_text(figure, step == 0 ? "α₁ⱼ" : "α₉ⱼ"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("all that leads to the chosen step is lit, at the first step too") {
    const auto lit = [](const Figure& figure, const Frame& frame) {
        int count = 0;
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            count += line && line->color == frame.theme->accent;
        }
        return count;
    };
    const auto data = translator_of(6, 6, 1, kEnglish);
    const Frame frame = frame_of(900, 700);
    CHECK(lit(unrolled(data, {0, 1}, frame), frame) == lit(unrolled(data, {2, 1}, frame), frame));
    auto words = data;
    words.decoder->read = {"⟨start⟩", "I", "ate", "an", "apple", "yesterday"};
    const Figure figure = unrolled(words, {2, 1}, frame);
    for (const Text& text : texts_of(figure)) {
        if (text.text == "ate") CHECK(text.color == frame.theme->accent);
        if (text.text == "an") CHECK(text.color != frame.theme->accent);
    }
}

TEST_CASE("the rows of words of a decoder are named at the left") {
    auto data = translator_of(9, 10, 1, kFrench);
    for (const float width : {452.f, 640.f, 900.f}) {
        INFO(width);
        const Figure figure = unrolled(data, {1, 1}, frame_of(width, 0));
        check_texts(figure, &heed::figure::measure);
        const bool whole = has_text(figure, "says yᵢ");
        CHECK((whole || has_text(figure, "yᵢ")));
        CHECK(has_text(figure, whole ? "reads yᵢ₋₁" : "yᵢ₋₁"));
        if (width > 600) CHECK(whole);
    }
}

TEST_CASE("what starts a decoder comes from words that end a direction, and of parts it is said") {
    auto data = translator_of(14, 16, 1, kEnglish);
    REQUIRE(data.encoder->rows[1].reversed);
    REQUIRE(data.decoder->rows[0].start.size() > 0);
    const auto ways = [](const Figure& figure) {
        int count = 0;
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            count += line && line->dashed;
        }
        return count;
    };
    UnrolledOptions options;
    options.step = options.word = 0;
    const Figure all = unrolled(data, options, frame_of(1400, 800));
    CHECK(ways(all) == 2);
    CHECK_FALSE(has_text(all, "of 16"));
    const Figure part = unrolled(data, options, frame_of(334, 500));
    check_texts(part, &heed::figure::measure);
    CHECK(ways(part) == 1); // back, at the first word
    CHECK(has_text(part, "of 14"));
    CHECK(std::ranges::any_of(texts_of(part), [](const Text& text) { // below what is read
        return text.text.starts_with("1–") && text.text.ends_with(" of 16");
    }));
    CHECK(has_text(part, "reads yᵢ₋₁"));
    CHECK(std::ranges::any_of(texts_of(part),
                              [](const Text& text) { return text.text.starts_with("words 1–"); }));
    options.word = 13;
    CHECK(ways(unrolled(data, options, frame_of(334, 500))) == 1); // forwards, at the last
}

TEST_CASE("words of an unrolled model are whole where there is room, and no line crosses them") {
    for (const float width : {720.f, 800.f, 930.f}) {
        INFO(width);
        auto data = translator_of(9, 10, 1, kFrench);
        data.decoder->rows[0].name = "s";
        data.encoder->rows[0].name = "h →";
        data.encoder->rows[1].name = "h ←";
        UnrolledOptions options;
        options.step = 2;
        const Figure figure = unrolled(data, options, frame_of(width, 614));
        int words = 0;
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            CHECK(text.text.find("…") == std::string::npos);
            words += text.text == "professeur";
            const bool is_word =
                std::find(kFrench.begin(), kFrench.end(), text.text) != kFrench.end();
            if (!is_word) continue;
            CHECK(text.style.size >= 10);
            CHECK_FALSE(is_crossed(text, figure, &heed::figure::measure));
        }
        CHECK(words == 3); // read by the encoder, said, and read after it was said
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("an unrolled model is drawn in a low place, and whole on a narrow page") {
    auto data = translator_of(9, 10, 1, kFrench);
    data.decoder->rows[0].name = "s";
    data.encoder->rows[0].name = "h →";
    data.encoder->rows[1].name = "h ←";
    const Figure low = unrolled(data, {}, frame_of(636, 340));
    CHECK_FALSE(has_text(low, "This picture needs more room"));
    CHECK(tagged_rows(low).size() == 10);
    check_texts(low, &heed::figure::measure);
    for (const float width : {452.f, 480.f}) { // of 8.5 cm
        INFO(width);
        data.decoder->said = {"le",    "chat", "noir",  "n'a",   "pas",
                              "mangé", "la",   "pomme", "rouge", "⟨end⟩"};
        const Figure page = unrolled(data, {}, frame_of(width, 0));
        CHECK(tagged_rows(page).size() == 10);
        CHECK(has_text(page, "⟨end⟩"));
        CHECK(has_text(page, "pomme"));
        check_texts(page, &heed::figure::measure);
    }
}

TEST_CASE("an unrolled model has its key on every page, however long its words and its caption") {
    UnrolledData speaker, labels, one;
    speaker.decoder = side_of(12, 2, false, true, kFrench);
    speaker.decoder->said = repeated(kFrench, 12);
    speaker.seed = kFrench[0];
    labels.encoder = side_of(8, 1, false, false, kEnglish);
    labels.encoder->said = repeated(kEnglish, 8);
    one.encoder = side_of(8, 2, true, false, kEnglish);
    one.encoder->said = {"world"};
    for (UnrolledData data : {translator_of(9, 10, 2, kFrench), speaker, labels, one}) {
        data.title = "Unrolled";
        data.subtitle = "a recurrent network of two layers · what it reads and says at every step "
                        "· its weights as they were when the training ended";
        for (const float width : {330.f, 452.f, 640.f, 900.f}) {
            INFO(width << ", " << (data.encoder ? data.encoder->said.size() : 99) << " said");
            Frame frame = frame_of(width, 0);
            frame.caption = "Model: a network that was trained here · its head and its controls · "
                            "the text that it reads, all of it, in as many lines as that takes on "
                            "a page of one column, which are quite a few of them";
            const Figure figure = unrolled(data, {}, frame);
            CHECK(has_text(figure, "−a"));
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("words of an unrolled model are of one size, and whole in a column of a page") {
    auto data = translator_of(9, 10, 1, kFrench);
    data.decoder->rows[0].name = "s";
    data.encoder->rows[0].name = "h →";
    data.encoder->rows[1].name = "h ←";
    data.encoder->read = {"the", "young", "teacher", "did", "not", "read", "the", "old", "book"};
    for (const float width : {445.f, 452.f, 480.f, 636.f}) {
        INFO(width);
        const Figure figure = unrolled(data, {}, frame_of(width, 0));
        std::set<float> sizes, names;
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            CHECK(text.text.find("…") == std::string::npos);
            if (std::ranges::find(kFrench, text.text) != kFrench.end() || text.text == "teacher")
                sizes.insert(text.style.size);
            if (text.text == "s" || text.text == "h →") names.insert(text.style.size);
        }
        REQUIRE(sizes.size() == 1);
        REQUIRE(names.size() == 1);
        CHECK(*names.begin() <= *sizes.begin());
        CHECK(has_text(figure, "professeur"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("numbers of an unrolled model's links have a 0 before the point, all or none") {
    auto data = translator_of(12, 9, 1, kFrench);
    data.weights = heed::num::RowVector<float>::Constant(12, 0.09f);
    data.weights[3] = 0.004f;
    for (const float width : {440.f, 480.f, 520.f, 600.f, 700.f}) {
        INFO(width);
        int with = 0, without = 0;
        for (const Text& text : texts_of(unrolled(data, {}, frame_of(width, 600)))) {
            if (text.style.font != heed::figure::Font::mono) continue;
            INFO(text.text);
            with += text.text.find("0.") != std::string::npos;
            without += text.text.find("0.") == std::string::npos;
        }
        CHECK(with + without > 6);
        CHECK((with == 0 || without == 0));
    }
}

TEST_CASE("no line crosses the number of a weight, of the last word either") {
    for (const float width : {560.f, 720.f, 900.f}) {
        INFO(width);
        auto data = translator_of(9, 4, 1, kFrench);
        data.weights = heed::num::RowVector<float>::Constant(9, 0.111f);
        UnrolledOptions options;
        options.step = 0; // links lean to the left, and their numbers stand on the right
        const Figure figure = unrolled(data, options, frame_of(width, 560));
        int numbers = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.text != "0.111") continue;
            ++numbers;
            CHECK_FALSE(is_crossed(text, figure, &heed::figure::measure));
        }
        CHECK(numbers == 9);
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line) continue;
            for (const Point point : line->points) CHECK(point.x < figure.width);
        }
    }
}

TEST_CASE("no thick link of an unrolled model hides a digit of a number") {
    for (const float width : {560.f, 636.f, 800.f}) {
        for (const int step : {0, 1, 2, 4, 5}) {
            INFO(width << ", step " << step);
            auto data = translator_of(9, 6, 1, kFrench);
            data.weights = heed::num::RowVector<float>::Constant(9, 0.006f);
            data.weights[1] = 0.952f;
            UnrolledOptions options;
            options.step = step;
            options.word = 1;
            const Figure figure = unrolled(data, options, frame_of(width, 390));
            int numbers = 0;
            for (std::size_t i = 0; i < figure.items.size(); ++i) {
                const auto* text = std::get_if<Text>(&figure.items[i]);
                if (!text || !text->text.starts_with("0.")) continue;
                ++numbers;
                const Box box = letters_of(*text, &heed::figure::measure);
                bool patch = false; // of ground, drawn after the links that pass there
                for (std::size_t k = 0; k < i; ++k) {
                    const auto* fill = std::get_if<Fill>(&figure.items[k]);
                    patch = patch || (fill && fill->box.x <= box.x &&
                                      fill->box.x + fill->box.w >= box.x + box.w);
                }
                for (std::size_t k = 0; k < figure.items.size(); ++k) {
                    const auto* link = std::get_if<Curve>(&figure.items[k]);
                    if (!link || link->width < 4) continue;
                    CHECK(k < i);
                    CHECK((patch || !is_covered(box, *link)));
                }
            }
            CHECK(numbers == 9);
        }
    }
}

TEST_CASE("a weight of an unrolled model stands between its state and its link, on a page too") {
    for (const float width : {452.f, 480.f, 636.f, 900.f}) {
        for (const int step : {0, 4, 8}) {
            INFO(width << ", step " << step);
            auto data = translator_of(7, 9, 1, kFrench);
            data.weights.resize(7);
            data.weights << 0.1f, 0.11f, 0.12f, 0.43f, 0.14f, 0.05f, 0.06f;
            UnrolledOptions options;
            options.step = step;
            const Figure figure = unrolled(data, options, frame_of(width, 0));
            std::vector<Curve> links;
            std::vector<Fill> dots; // where a wire of a forward state ends
            for (const Primitive& item : figure.items) {
                if (const auto* link = std::get_if<Curve>(&item)) links.push_back(*link);
                const auto* fill = std::get_if<Fill>(&item);
                if (fill && fill->box.w == 4 && fill->box.h == 4) dots.push_back(*fill);
            }
            REQUIRE(links.size() == 7);
            REQUIRE(dots.size() == 7);
            for (Index word = 0; word < 7; ++word) {
                const std::string number = number_text(data.weights[word], 3);
                REQUIRE(has_text(figure, number));
                for (const Text& text : texts_of(figure)) {
                    if (text.text != number) continue;
                    const Curve& link = links[static_cast<std::size_t>(word)];
                    const auto [middle, half] = middle_and_half(text, &heed::figure::measure);
                    CHECK(std::abs(middle - link.a.x) < 1);
                    const Box letters = letters_of(text, &heed::figure::measure);
                    CHECK(letters.y - link.a.y > 3);
                    for (const Fill& dot : dots) {
                        if (std::abs(dot.box.x + 2 - middle) < 1 && dot.box.y > letters.y)
                            CHECK(dot.box.y - letters.y - letters.h > 2.5f);
                    }
                    for (const Curve& other : links) {
                        CHECK_FALSE(is_covered(letters_of(text, &heed::figure::measure), other));
                    }
                }
            }
        }
    }
}

TEST_CASE("a wide word of an unrolled model has its context's line beside it") {
    const std::vector<std::string> words = {"I", "ate", "an", "apple", "yesterday", "⟨end⟩"};
    for (const float width : {720.f, 900.f}) {
        auto data = translator_of(6, 6, 1, words);
        data.decoder->read = {"⟨start⟩", "I", "ate", "an", "apple", "yesterday"};
        const Figure figure = unrolled(data, {}, frame_of(width, 614));
        for (const Text& text : texts_of(figure)) {
            if (std::find(words.begin(), words.end(), text.text) == words.end()) continue;
            INFO(text.text << " in " << width);
            CHECK_FALSE(is_crossed(text, figure, &heed::figure::measure));
        }
    }
}

TEST_CASE("a context of last states has an arrow from the end of each direction, and no others") {
    UnrolledOptions options;
    options.step = 1;
    auto data = translator_of(5, 4, 1, kEnglish);
    data.weights = {};
    data.last_read = 3; // the fifth word is padding
    const auto curves = [](const Figure& figure) {
        std::vector<float> begins;
        for (const auto& item : figure.items) {
            if (const auto* curve = std::get_if<heed::figure::Curve>(&item)) {
                begins.push_back(curve->a.x);
            }
        }
        return begins;
    };
    const auto apart = curves(unrolled(data, options, frame_of(900, 700)));
    REQUIRE(apart.size() == 2);
    CHECK(apart[0] > apart[1]); // forwards from the last word, backwards from the first
    data.last_read = 0; // both directions end at the one word
    const auto ends = curves(unrolled(data, options, frame_of(900, 700)));
    REQUIRE(ends.size() == 2);
    CHECK(ends[0] == ends[1]);
    data.last_read.reset();
    CHECK(curves(unrolled(data, options, frame_of(900, 700))).empty());
}

TEST_CASE("what is 0.000 has no bar in a step") {
    auto data = step_of(3, kEnglish, kGru);
    data.words[0].probability = 0.9998f;
    data.words[1].probability = data.words[2].probability = data.rest = 0.00005f;
    auto step = std::make_shared<heed::trace::DecoderStep>(*data.step);
    step->row->weights = {0.9999f, 0.0001f, 0};
    data.step = step;
    for (const Primitive& item : decoder_step(data, {}, frame_of(940, 700)).items) {
        if (const Fill* fill = std::get_if<Fill>(&item)) CHECK(fill->box.w > 2);
    }
}

TEST_CASE("behind a hypothesis that has ended its row is empty") {
    auto beam = std::make_shared<heed::trace::Beam>();
    beam->width = 2;
    beam->nodes = {{-1, 0, "le", 3, -0.1f, -0.1f, false},  {-1, 0, "un", 3, -2, -2, false},
                   {0, 1, "⟨end⟩", 3, -0.1f, -0.2f, true}, {1, 1, "chat", 3, -1, -3, false},
                   {3, 2, "noir", 3, -0.5f, -3.5f, false}, {4, 3, "⟨end⟩", 3, -0.5f, -4, true}};
    beam->hypotheses = {2, 5};
    for (const float height : {0.f, 420.f}) {
        const Figure figure = beam_tree({"Beam search", "", beam}, {}, frame_of(700, height));
        std::map<int, Box> boxes;
        for (const Target& target : figure.targets) {
            const auto* node = target.as<tag::Node>();
            if (node && target.box.w < 300) boxes[node->place] = target.box;
        }
        REQUIRE(boxes.size() == 6);
        const float ended = boxes[2].y;
        CHECK(boxes[3].y > ended);
        CHECK(boxes[4].y > ended + 1);
        CHECK(boxes[5].y > ended + 1);
        CHECK(boxes[4].y == boxes[5].y);
    }
}

TEST_CASE("on a page no sentence of a beam is cut") {
    const BeamTreeData data = beam_of(2, 14, kFrench);
    const Figure page = beam_tree(data, {}, frame_of(390, 0));
    for (const Text& text : texts_of(page)) {
        INFO(text.text);
        CHECK(text.text.find("…") == std::string::npos);
    }
    check_texts(page, &heed::figure::measure);
}

TEST_CASE("links of an unrolled network are seen however small, and rise with the weight") {
    auto data = translator_of(4, 3, 1, kEnglish);
    REQUIRE(data.weights.size() > 2);
    data.weights.setConstant(0.002f);
    data.weights[1] = 0.9f;
    const auto links = [&](const UnrolledOptions& options) {
        std::vector<Curve> curves;
        for (const Primitive& item : unrolled(data, options, frame_of(900, 640)).items) {
            if (const auto* curve = std::get_if<Curve>(&item)) curves.push_back(*curve);
        }
        return curves;
    };
    const auto free = links({0, std::nullopt}), chosen = links({0, 1});
    REQUIRE(free.size() >= 3);
    for (std::size_t i = 0; i < free.size(); ++i) {
        CHECK(free[i].width >= 0.9f);
        CHECK(free[i].color.a >= 120);
        CHECK(free[i].color == chosen[i].color); // whether one is chosen or not
    }
}

TEST_CASE("a step of more boxes than the beam is wide says why, and every line ends its sentence") {
    const auto notes_of = [](const BeamTreeData& data, float width) {
        std::vector<std::string> notes;
        for (const Text& text : texts_of(beam_tree(data, {}, frame_of(width, 600)))) {
            const bool note = text.style.size == type_size::kNote && text.text.find("step ") != 0 &&
                              text.text.find(": ") != std::string::npos;
            if (note) notes.push_back(text.text);
        }
        return notes;
    };
    BeamTreeData data = beam_of(4, 5, kEnglish);
    const auto says = [](const std::vector<std::string>& notes) {
        return std::any_of(notes.begin(), notes.end(), [](const std::string& line) {
            return line.find("up to 4 that go on, beside those that end") != std::string::npos;
        });
    };
    CHECK_FALSE(says(notes_of(data, 900)));
    auto beam = std::make_shared<heed::trace::Beam>(*data.beam);
    heed::trace::BeamNode ended = beam->nodes[8];
    ended.word = "⟨end⟩";
    ended.ended = true;
    beam->nodes.push_back(ended);
    data.beam = beam;
    CHECK(says(notes_of(data, 900)));
    for (const float width : {420.f, 520.f, 640.f}) {
        const auto lines = notes_of(data, width);
        INFO(width);
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) CHECK(lines[i].back() == '.');
    }
}

TEST_CASE("the way up from a context does not run along the frame before it") {
    for (const float width : {640.f, 720.f, 800.f}) {
        INFO(width);
        const Figure figure = unrolled(translator_of(9, 10, 1, kFrench), {}, frame_of(width, 614));
        std::vector<Box> contexts;
        for (const Primitive& item : figure.items) {
            const auto* heat = std::get_if<Heat>(&item);
            if (heat && heat->box.h == 14) contexts.push_back(heat->box);
        }
        REQUIRE(contexts.size() == 10);
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line) continue;
            for (std::size_t i = 1; i < line->points.size(); ++i) {
                const Point a = line->points[i - 1], b = line->points[i];
                const bool level = std::abs(a.y - b.y) < 0.1f && std::abs(a.x - b.x) > 1;
                const float above = contexts[0].y - a.y;
                CHECK_FALSE((level && above > 0 && above < 8));
            }
        }
    }
}

TEST_CASE(
    "a context is read by its own state, or in Luong's order by its word and the next state") {
    for (const bool later : {false, true}) {
        INFO(later);
        UnrolledData data = translator_of(9, 10, 1, kFrench);
        data.decoder->updates_first = later;
        const Figure figure = unrolled(data, {}, frame_of(900, 614));
        std::vector<Box> contexts;
        for (const Primitive& item : figure.items) {
            const auto* heat = std::get_if<Heat>(&item);
            if (heat && heat->box.h == 14) contexts.push_back(heat->box);
        }
        REQUIRE(contexts.size() == 10);
        const float pitch = contexts[1].x - contexts[0].x;
        std::vector<int> at(10), next(10), over(10); // ends of lines, by the context they come from
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line || std::abs(line->points[0].y - contexts[0].y + 2) > 0.1f) continue;
            const Point from = line->points.front(), to = line->points.back();
            const auto i = static_cast<std::size_t>(
                std::clamp((from.x - contexts[0].x + 2) / pitch, 0.f, 9.f));
            const float middle = contexts[i].x + contexts[i].w / 2;
            const bool into_cell = to.y > contexts[0].y - 60;
            if (into_cell) ++(to.x < middle ? at : next)[i];
            if (!into_cell || i == 9) ++over[i];
        }
        for (std::size_t i = 0; i < 10; ++i) {
            INFO(i);
            CHECK(at[i] == (later ? 0 : 1));
            CHECK(next[i] == (later && i < 9 ? 1 : 0));
            if (later) CHECK(over[i] > 0);
        }
    }
}

TEST_CASE("the way up from a context is upright wherever it can begin below its end") {
    for (const float width : {640.f, 720.f, 1000.f}) {
        INFO(width);
        const Figure figure = unrolled(translator_of(9, 10, 1, kFrench), {}, frame_of(width, 614));
        int ways = 0;
        for (const Primitive& item : figure.items) {
            const auto* heat = std::get_if<Heat>(&item);
            if (!heat || heat->box.h != 14) continue;
            for (const Primitive& other : figure.items) {
                const auto* line = std::get_if<Line>(&other);
                if (!line || std::abs(line->points[0].y - heat->box.y + 2) > 0.1f) continue;
                const Point from = line->points[0], to = line->points[1];
                if (from.x < heat->box.x - 3 || from.x > heat->box.x + heat->box.w) continue;
                ++ways;
                CHECK((to.x == from.x || to.x < heat->box.x + 1));
            }
        }
        CHECK(ways == 10);
    }
}

TEST_CASE("the way from an encoder's end to a decoder's start keeps off the wires of its cells") {
    for (const float width : {560.f, 720.f, 1000.f}) {
        INFO(width);
        const Figure figure = unrolled(translator_of(6, 6, 1, kEnglish), {}, frame_of(width, 614));
        float wire = 0, way = 0;
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line) continue;
            for (std::size_t i = 1; i < line->points.size(); ++i) {
                const Point a = line->points[i - 1], b = line->points[i];
                if (a.x == b.x)
                    (line->dashed ? way : wire) = std::max(line->dashed ? way : wire, a.x);
            }
        }
        REQUIRE(way > 0);
        CHECK(way - wire > 5);
    }
}

TEST_CASE("a step in a column of a page has all of its equations, and its words whole") {
    auto data = step_of(9, kEnglish, kGru);
    data.projection = "kⱼ = vⱼ = hⱼ K";
    data.words = {{"le", 0.9f, true, true}, {"l'ordinateur", 0.05f, false, true}};
    const Figure figure = decoder_step(data, {}, frame_of(482, 0));
    const auto texts = texts_of(figure);
    CHECK(std::ranges::any_of(texts, [](const Text& text) {
        return text.text.find("kⱼ = vⱼ = hⱼ K") != std::string::npos;
    }));
    CHECK(has_text(figure, "other words"));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("every link of an unrolled model that is drawn has its number") {
    for (const float width : {420.f, 520.f, 640.f, 900.f}) {
        for (const float height : {0.f, 390.f, 700.f}) {
            INFO(width << " × " << height);
            auto data = translator_of(9, 9, 1, kFrench);
            data.weights.resize(9);
            data.weights << 0.9f, 0.05f, 0.03f, 0.0123f, 0.004f, 0.002f, 0.0017f, 0.00002f, 0;
            const Figure figure = unrolled(data, {4, 1}, frame_of(width, height));
            int links = 0, numbers = 0;
            for (const Primitive& item : figure.items) {
                links += std::holds_alternative<Curve>(item) ? 1 : 0;
                const Text* text = std::get_if<Text>(&item);
                numbers += text && text->style.font == Font::mono ? 1 : 0;
            }
            CHECK(links > 0);
            CHECK(links == numbers);
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("an unrolled model and a step say what their colours are, on a page and in a window") {
    for (const float height : {0.f, 700.f}) {
        const Figure cells =
            unrolled(translator_of(6, 6, 1, kEnglish), {2, 1}, frame_of(700, height));
        const Figure step = decoder_step(step_of(5, kEnglish, kGru), {}, frame_of(700, height));
        for (const Figure* figure : {&cells, &step}) {
            CHECK(has_text(*figure, "−a"));
            CHECK(std::ranges::any_of(
                texts_of(*figure), [](const Text& text) { return text.text.starts_with("a = "); }));
        }
        CHECK(has_text(step, "0"));
        CHECK(has_text(step, "1: gates"));
        check_texts(cells, &heed::figure::measure);
        check_texts(step, &heed::figure::measure);
    }
}

TEST_CASE("where stripes have no room for all features, the picture says which are drawn") {
    const auto says = [](const Figure& figure, const std::string& words) {
        return std::ranges::any_of(texts_of(figure), [&](const Text& text) {
            return text.text.find(words) != std::string::npos;
        });
    };
    auto data = step_of(5, kEnglish, kGru);
    auto step = std::make_shared<heed::trace::DecoderStep>(*data.step);
    step->layers.back().gates[0].values = wave_row(2000, 0.2f).cwiseAbs();
    data.step = step;
    for (const float height : {0.f, 700.f}) {
        CHECK(says(decoder_step(data, {}, frame_of(900, height)), "feature"));
        CHECK_FALSE(
            says(decoder_step(step_of(5, kEnglish, kGru), {}, frame_of(900, height)), "feature"));
    }
    UnrolledData cells = translator_of(6, 6, 1, kEnglish);
    CHECK_FALSE(says(unrolled(cells, {}, frame_of(700, 700)), "feature"));
    cells.decoder->rows[0].states = std::make_shared<Matrix<float>>(wave_rows(6, 3000, 0.3f));
    cells.decoder->rows[0].start = {};
    CHECK(says(unrolled(cells, {}, frame_of(700, 700)), "feature"));
}

TEST_CASE("a probability of a step that is rounded to 1 is less than all, as everywhere") {
    auto data = head_step_of(5, kEnglish, 2);
    data.words = {{"t", 1, true, true}, {"e", 1e-8f, false, true}};
    data.rest = 0;
    const Figure figure = decoder_step(data, {}, frame_of(700, 600));
    CHECK(has_text(figure, "> 99.9 %"));
    CHECK_FALSE(has_text(figure, "100 %"));
}

TEST_CASE("what stripes leave out is counted where they all leave out alike") {
    const auto words = [](std::initializer_list<std::pair<Index, Index>> stripes) {
        LeftOutFeatures left_out;
        for (const auto& [drawn, features] : stripes) left_out.add(drawn, features);
        return left_out.words();
    };
    CHECK(words({}) == "");
    CHECK(words({{104, 104}, {16, 16}}) == "");
    CHECK(words({{104, 208}, {52, 104}}) == "every second feature drawn");
    CHECK(words({{104, 208}, {104, 104}}) == "not all features drawn");
    CHECK(words({{104, 208}, {26, 104}}) == "not all features drawn");
}

TEST_CASE("an unrolled model says that the smallest weights have no link") {
    auto data = translator_of(4, 4, 1, kEnglish);
    const std::string words = "links below 0.0005 not drawn";
    for (const auto& [width, height] : {std::pair<float, float>{672, 560}, {482, 0}, {700, 700}}) {
        INFO(width << " × " << height);
        data.weights.resize(4);
        data.weights << 0.9f, 0.0998f, 0.0002f, 0;
        const Figure some = unrolled(data, {}, frame_of(width, height));
        CHECK(has_text(some, words));
        check_texts(some, &heed::figure::measure);
        data.weights << 0.9f, 0.1f, 0, 0;
        CHECK_FALSE(has_text(unrolled(data, {}, frame_of(width, height)), words));
    }
}

TEST_CASE("weighted values, their sum, and what the cell reads of it have one range of colours") {
    const auto data = step_of(5, kEnglish, kGru);
    const Figure figure = decoder_step(data, {}, frame_of(900, 700));
    std::vector<float> ends;
    for (const Target& target : figure.targets) {
        const auto* stripe = target.as<tag::Stripe>();
        const bool is_of = stripe && (stripe->which == static_cast<int>(StepStripe::context) ||
                                      stripe->which == static_cast<int>(StepStripe::weighted));
        for (const Primitive& item : figure.items) {
            const auto* heat = is_of ? std::get_if<Heat>(&item) : nullptr;
            if (heat && heat->box == target.box) ends.push_back(heat->high);
        }
    }
    REQUIRE(ends.size() >= 3);
    CHECK(std::ranges::min(ends) == std::ranges::max(ends));
    CHECK(std::ranges::any_of(texts_of(figure), [](const Text& text) {
        return text.text.find("for αᵢⱼvⱼ and cᵢ; otherwise") != std::string::npos ||
               text.text.find("for αᵢⱼhⱼ and cᵢ; otherwise") != std::string::npos;
    }));
}

TEST_CASE("one side alone of an unrolled model says on a page what its colours are") {
    UnrolledData labels = translator_of(9, 9, 1, kEnglish); // a word each
    labels.decoder.reset();
    labels.encoder->said = labels.encoder->read;
    UnrolledData one = labels;
    one.encoder->said = {"book"};
    for (const UnrolledData* data : {&labels, &one}) {
        const Figure figure = unrolled(*data, {}, frame_of(900, 0));
        CHECK(has_text(figure, "−a"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("words that some steps of a decoder read have their name above which steps they are") {
    const Figure figure = unrolled(translator_of(6, 40, 1, kEnglish), {1, 1}, frame_of(700, 600));
    CHECK(has_text(figure, "reads yᵢ₋₁"));
    CHECK(std::ranges::any_of(texts_of(figure),
                              [](const Text& text) { return text.text.ends_with(" of 40"); }));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE(
    "best and shown hypotheses of a beam are bold in tree and list, and both are said to be") {
    auto data = beam_of(3, 4, kEnglish);
    auto beam = *data.beam;
    beam.followed = 1;
    data.beam = std::make_shared<heed::trace::Beam>(beam);
    const Figure figure = beam_tree(data, {}, frame_of(900, 700));
    const auto weight_of = [&](int hypothesis) {
        std::string words;
        for (const int node : beam.path(hypothesis))
            words += (words.empty() ? "" : " ") + beam.nodes[static_cast<std::size_t>(node)].word;
        for (const Text& text : texts_of(figure))
            if (text.text == words) return text.style.weight;
        return Weight::regular;
    };
    CHECK(weight_of(0) == Weight::bold);
    CHECK(weight_of(1) == Weight::bold);
    CHECK(dump(figure).find("Bold amber: the one shown") != std::string::npos);
}

TEST_CASE("equations of a step in a column of a page stand close below the meaning of colours") {
    for (const bool head : {false, true}) {
        const auto data = head ? head_step_of(5, kEnglish, 2) : step_of(5, kEnglish, kGru);
        float keys = 0, equations = 1e9f;
        const auto texts = texts_of(decoder_step(data, {}, frame_of(482, 0)));
        for (const Text& text : texts) {
            if (text.text.find("ᵢⱼ = ") != std::string::npos)
                equations = std::min(equations, text.at.y);
        }
        for (const Text& text : texts)
            if (text.style.size == 11 && text.at.y < equations) keys = std::max(keys, text.at.y);
        INFO(keys << " " << equations);
        CHECK(equations > keys);
        CHECK(equations - keys < 28);
    }
}
