// A picture becomes what a ViT reads, and its maps: tests/reference/images.py.
#include "app/document/controls_json.hpp"
#include "app/document/prepare_image.hpp"
#include "app/engine/computation.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "figure/base/number_text.hpp"
#include "files/picture_formats.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace heed;

namespace {

namespace fs = std::filesystem;

const std::string kCheckpoints = HEED_SOURCE_DIR "/tests/models/checkpoints/";
const std::string kPictures = HEED_SOURCE_DIR "/tests/files/pictures/";

const tensors::Archive& library() {
    static const tensors::Archive archive =
        tensors::read_safetensors(
            base::read_file(kCheckpoints + "images.safetensors", 1 << 20).value(), "images")
            .value();
    return archive;
}

template <class Found>
double difference(const Found& found, std::size_t size, const tensors::Array& wanted) {
    REQUIRE(size == wanted.values.size());
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i) {
        worst = std::max(worst, std::abs(double{found[i]} - double{wanted.values[i]}));
    }
    return worst;
}

HeedRan attend_image(std::vector<std::string> flags) {
    flags.insert(flags.begin(), "attend");
    return heed_ran(flags);
}

/// A copy of a small ViT, gone afterwards, whose settings of pictures can be others.
struct CopiedVit {
    TemporaryFolder folder;
    std::string model = folder / "vit";
    CopiedVit() { fs::copy(kCheckpoints + "vit", model); }
    void write(const std::string& settings) const {
        REQUIRE(base::write_file_atomic(model + "/preprocessor_config.json", settings));
    }
    base::Result<models::ImageSettings> settings(int leading = 1) const {
        models::ModelSpec spec;
        spec.patches = {12, 4, 3, leading};
        return models::image_settings(model, spec.patches);
    }
    std::string refusal(const std::string& text) const {
        write(text);
        const auto read = settings();
        REQUIRE_FALSE(read);
        CHECK(read.error().subject == model + "/preprocessor_config.json");
        return read.error().message;
    }
};

} // namespace

TEST_CASE("a picture becomes the numbers that transformers' processor makes of it") {
    num::ThreadPool pool(1);
    for (const std::string name : {"vit", "deit"}) {
        for (const std::string picture : {"alpha.png", "half.jpg"}) {
            CAPTURE(name, picture);
            const auto model = models::open_checkpoint(kCheckpoints + name, pool).value();
            app::Document document;
            document.model_file = kCheckpoints + name;
            document.image_file = kPictures + picture;
            models::Input input;
            app::ImageReader reader;
            REQUIRE(reader.read(document, *model, input));
            const double worst =
                difference(input.image->data(), static_cast<std::size_t>(input.image->size()),
                           library().arrays.at(name + "." + picture + ".pixels"));
            // A colour of 255 is 1/127.5 or about 1/57 here; decoders of JPEG differ by one or two.
            CHECK(worst < (picture == "half.jpg" ? 2.01 / 57 : 1e-6));
            const auto first = input.image;
            REQUIRE(reader.read(document, *model, input));
            CHECK(input.image == first); // the very same, so that runs share layers
        }
    }
}

TEST_CASE("heed attend writes what transformers says of a PNG and of a JPEG") {
    for (const std::string name : {"vit", "deit"}) {
        for (const std::string picture : {"alpha.png", "half.jpg"}) {
            CAPTURE(name, picture);
            const TemporaryFolder folder;
            const HeedRan ran =
                attend_image({"--model", kCheckpoints + name, "--image", kPictures + picture,
                              "--logits", "-o", folder / "x.npz"});
            INFO(ran.err);
            REQUIRE(ran.code == 0);
            const auto made = tensors::read_npz(folder.bytes("x.npz"), "npz").value();
            const std::string prefix = name + "." + picture + ".";
            for (const auto& [array, wanted] : library().arrays) {
                if (!array.starts_with(prefix) || array.ends_with("pixels")) continue;
                CAPTURE(array);
                const auto& found = made.arrays.at(array.substr(prefix.size()));
                const double worst = difference(found.values, found.values.size(), wanted);
                // What a colour that differs by one moves in maps as sharp as these.
                const double tolerance = picture == "half.jpg"       ? 0.03
                                         : array.ends_with("logits") ? 1e-4
                                                                     : 1e-5;
                CHECK(worst < tolerance);
            }
        }
    }
}

TEST_CASE("a picture that does not fit the command is refused by its flag") {
    const std::string vit = kCheckpoints + "vit", picture = kPictures + "rgb.png";
    const auto error = [](const std::vector<std::string>& flags) {
        const HeedRan ran = attend_image(flags);
        CHECK(ran.code != 0);
        return ran.err;
    };
    CHECK(contains(error({"--model", vit}), "--image: is missing: this model reads a picture"));
    CHECK(contains(error({"--size", "tiny", "--image", picture}), "this one reads words"));
    CHECK(contains(error({"--model", vit, "--image", picture, "--source", "cat"}), "--source"));
    CHECK(contains(error({"--model", vit, "--image", "/no/such.png"}), "/no/such.png"));
    CHECK(contains(error({"--model", vit, "--image", kPictures + "print.jpg"}), "four channels"));
    CHECK(contains(error({"--model", vit, "--image", vit + "/config.json"}), "is no PNG or JPEG"));
}

TEST_CASE("a picture is in a document's JSON, where there is one") {
    app::Document document;
    CHECK_FALSE(app::document_to_json(document).contains("image_file"));
    document.image_file = "cat.jpg";
    const auto read = app::document_from_json(app::document_to_json(document), "");
    REQUIRE(read);
    CHECK(read->image_file == "cat.jpg");
}

TEST_CASE("preprocessor_config.json is followed, or refused by the setting") {
    const CopiedVit vit;
    vit.write(R"({"size": 30, "resample": 3, "do_normalize": false, "do_rescale": false,
                  "feature_extractor_type": "ViTFeatureExtractor", "do_convert_rgb": true})");
    const auto old = vit.settings().value();
    CHECK(old.width == 30);
    CHECK(old.height == 30);
    CHECK(old.resample == 3);
    CHECK(old.factor == 1);
    CHECK(old.mean.empty());
    CHECK_FALSE(old.crops);
    vit.write(R"({"image_processor_type": "DeiTImageProcessor", "size": {"shortest_edge": 20},
                  "crop_size": {"height": 12, "width": 14}})");
    const auto deit = vit.settings().value();
    CHECK(deit.shortest_edge == 20);
    CHECK(deit.crops);
    CHECK(deit.crop_height == 12);
    CHECK(deit.crop_width == 14);
    CHECK(deit.resample == 3);
    CHECK(contains(
        vit.refusal(R"({"image_processor_type": "CLIPImageProcessor"})"),
        "\"image_processor_type\" is \"CLIPImageProcessor\"; Heed knows ViTImageProcessor"));
    CHECK(contains(vit.refusal(R"({"do_flip_channel_order": true})"), "do_flip_channel_order"));
    CHECK(contains(vit.refusal(R"({"do_pad": true})"), "\"do_pad\" is true; Heed knows false"));
    CHECK(contains(vit.refusal(R"({"size": {"longest_edge": 8}})"), "shortest_edge"));
    CHECK(
        contains(vit.refusal(R"({"size": {"shortest_edge": 8, "longest_edge": 9}})"), "\"size\""));
    CHECK(contains(vit.refusal(R"({"size": 99999999})"), "\"size\""));
    CHECK(contains(vit.refusal(R"({"crop_size": {"shortest_edge": 8}})"), "\"crop_size\""));
    CHECK(contains(vit.refusal(R"({"resample": 9})"), "filters, 0 to 5"));
    CHECK(contains(vit.refusal(R"({"image_mean": [0.5, 0.5]})"), "a list of 3 numbers"));
    CHECK(contains(vit.refusal(R"({"image_mean": 0.5})"), "a list of 3 numbers"));
    CHECK(contains(vit.refusal(R"({"image_std": [0.5, 0, 0.5]})"), "above 0"));
    const std::string whole = R"({"size": {"height": 12, "width": 12}, "do_resize": true})";
    for (std::size_t n = 0; n < whole.size(); ++n) vit.refusal(whole.substr(0, n));
}

TEST_CASE("without preprocessor_config.json a picture is read as its family does") {
    const CopiedVit copy;
    fs::remove(copy.model + "/preprocessor_config.json");
    const auto vit = copy.settings(1).value(), deit = copy.settings(2).value();
    CHECK(vit.width == 12);
    CHECK(vit.resample == 2);
    CHECK_FALSE(vit.crops);
    CHECK(deit.crop_width == 12);
    CHECK(deit.width == 13); // 256 / 224 as much
    CHECK(deit.resample == 3);
    CHECK(vit.mean == std::vector<float>{0.5F, 0.5F, 0.5F});
}

TEST_CASE("a picture that becomes another size than the model reads is refused with both") {
    const CopiedVit vit;
    vit.write(R"({"size": {"height": 10, "width": 16}})");
    const HeedRan ran = attend_image({"--model", vit.model, "--image", kPictures + "rgb.png"});
    CHECK(ran.code != 0);
    CHECK(contains(ran.err, "becomes 16 \u00d7 10 pixels by " + vit.model));
    CHECK(contains(ran.err, "this model reads 12 \u00d7 12"));
    vit.write(R"({"size": {"shortest_edge": 32767}})");
    const HeedRan large = attend_image({"--model", vit.model, "--image", kPictures + "rgb.png"});
    CHECK(contains(large.err, "are more than Heed reads"));
}

TEST_CASE("a crop that is larger than the picture has black around it") {
    files::Picture picture{3, 2, std::vector<std::uint8_t>(24, 200)};
    models::ImageSettings settings;
    settings.resizes = false;
    settings.crops = true;
    settings.crop_width = 6;
    settings.crop_height = 5;
    settings.factor = 1;
    const auto numbers = app::preprocessed(picture, settings, "x").value();
    REQUIRE(numbers.rows() == 15);
    REQUIRE(numbers.cols() == 6);
    // transformers: (2 − 5) // 2 rows above and (3 − 6) // 2 columns before.
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 6; ++x) {
            const bool inside = y >= 2 && y < 4 && x >= 2 && x < 5;
            CHECK(numbers(y, x) == (inside ? 200 : 0));
        }
    }
}

namespace {

std::string exported(const std::vector<std::string>& flags) {
    const TemporaryFolder folder;
    std::vector<std::string> all{"export", "-o", folder / "o.out"};
    all.insert(all.end(), flags.begin(), flags.end());
    const HeedRan ran = heed_ran(all);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return folder.bytes("o.out");
}

std::size_t count_of(const std::string& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
}

} // namespace

TEST_CASE("a map of a ViT lies over its picture in every format") {
    const std::vector<std::string> flags{
        "--model", kCheckpoints + "vit", "--image", kPictures + "rgb.png", "--view", "picture"};
    const auto as = [&](const char* format, const char* select = "6,1") {
        auto all = flags;
        all.insert(all.end(), {"--format", format, "--select", select});
        return exported(all);
    };
    const std::string svg = as("svg");
    CHECK(count_of(svg, "<image") == 2); // the picture, and what covers it
    CHECK(contains(svg, "patch 2,2 attends to patches"));
    CHECK(contains(svg, "\u27e8class\u27e9"));
    CHECK(contains(svg, "thing "));
    CHECK(contains(svg, "rgb.png"));
    CHECK(as("svg", "1,1") != svg);
    CHECK(as("pdf").starts_with("%PDF"));
    CHECK(as("png").starts_with("\x89PNG"));
    // Its numbers are the row of the map.
    const std::string numbers = as("csv");
    CHECK(contains(numbers, "weights"));
    CHECK(contains(numbers, "classes"));
}

TEST_CASE("what a model reads of a picture is its middle, in the picture's own pixels") {
    files::Picture picture{80, 40, {}};
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 80; ++x) {
            const auto red = static_cast<std::uint8_t>(x < 40 ? 0 : 255);
            picture.rgba.insert(picture.rgba.end(), {red, 10, 20, 255});
        }
    }
    models::ImageSettings settings;
    settings.shortest_edge = 10;
    settings.crops = true;
    settings.crop_width = settings.crop_height = 10;
    settings.resample = 0;
    const figure::Pixels seen = app::seen_of(picture, settings);
    CHECK(seen.width == 40); // four pixels for each that the model reads
    CHECK(seen.height == 40);
    CHECK(seen.rgba[0] == 0);
    CHECK(seen.rgba[39 * 4] == 255);
    CHECK(seen.rgba[19 * 4] == 0);
    CHECK(seen.rgba[20 * 4] == 255);
    settings = {};
    settings.width = settings.height = 12; // a small picture is not blown up
    picture = {4, 4, std::vector<std::uint8_t>(64, 255)};
    CHECK(app::seen_of(picture, settings).width == 12);
}

TEST_CASE("without a picture the view of a ViT says how to give it one") {
    app::Document document;
    document.model_file = kCheckpoints + "vit";
    app::ViewState state;
    state.view = app::View::picture;
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    REQUIRE_FALSE(snapshot->error);
    CHECK_FALSE(snapshot->picture);
    const std::string dump = figure::dump(app::make_figure(*snapshot, state, 700, 500));
    CHECK(contains(dump, "Drop a PNG or JPEG here, or press Ctrl+O."));
    document.image_file = kPictures + "rgb.png";
    state.view = app::View::heads;
    const auto seen = computation.answer({2, document, {}, app::needs_of(state, {})}, {});
    REQUIRE(seen->picture);
    REQUIRE(seen->query_rows);
    CHECK(seen->query_rows->rows() == 6);
    CHECK(seen->query_rows->cols() == 10);
    // Its grid of heads shows the picture in each.
    CHECK(count_of(figure::dump(app::make_figure(*seen, state, 700, 500)), "image ") == 6);
}

TEST_CASE("the sentence of a picture names the patch that gets most, and what the rest comes to") {
    app::Document document;
    document.model_file = kCheckpoints + "vit";
    document.image_file = kPictures + "alpha.png";
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, {}}, {});
    REQUIRE_FALSE(snapshot->error);
    app::ViewState state;
    state.view = app::View::picture;
    const auto map = snapshot->run->trace.map(snapshot->focus.head)->whole(trace::Stage::weights);
    for (const int query : {0, 1, 5}) {
        state.selected = {query, 0};
        num::Index patch = 0;
        const float most = map.row(query).tail(map.cols() - 1).maxCoeff(&patch);
        const std::string words = app::reading(*snapshot, state);
        INFO(words);
        const float lead = map(query, 0); // of the token before the patches
        const std::string to = lead > most
                                   ? fmt::format("“⟨class⟩” ({}); of the patches, most to that",
                                                 figure::weight_text(lead))
                                   : "the patch";
        CHECK(
            contains(words, fmt::format("attends most to {} in row {}, column {} ({}).", to,
                                        patch / 3 + 1, patch % 3 + 1, figure::weight_text(most))));
        CHECK(contains(words, "of what all 9 patches get"));
        CHECK(contains(words, "goes to tokens that are no patches"));
    }
}

TEST_CASE("all words above a picture are of the patch under the pointer, where there is one") {
    app::Document document;
    document.model_file = kCheckpoints + "vit";
    document.image_file = kPictures + "alpha.png";
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, {}}, {});
    REQUIRE_FALSE(snapshot->error);
    app::ViewState state;
    state.view = app::View::picture;
    state.caption = false;
    state.selected = {0, 0};
    app::Place place{700, 600};
    place.reads = true;
    app::Hovered hovered;
    hovered.query = 5;
    const std::string picture = figure::dump(app::make_figure(*snapshot, state, place, hovered));
    INFO(picture);
    CHECK(contains(picture, "patch 2,2 attends to patches"));
    CHECK(contains(picture, "The patch in row 2, column 2 attends most"));
    CHECK_FALSE(contains(figure::dump(app::make_figure(*snapshot, state, place, {})),
                         "The patch in row 2, column 2"));
}
