// The shapes of a recurrent model beside that of a translator, against PyTorch:
// tests/reference/make_shapes.py.
#include "models/open.hpp"
#include "models/recurrent_models.hpp"
#include "paths.hpp"

#include <cmath>

using namespace heed;
using namespace heed::models;
using num::Index;

namespace {

const tensors::Archive& shapes_reference() {
    static const tensors::Archive archive = [] {
        const std::string path =
            std::string(HEED_SOURCE_DIR) + "/tests/reference/shapes.safetensors";
        auto read = tensors::read_safetensors(bytes_of(path), path);
        REQUIRE(read);
        return *read;
    }();
    return archive;
}

tensors::Archive archive_of(const std::string& name) {
    tensors::Archive archive;
    archive.metadata = under(shapes_reference().metadata, name + "/");
    archive.arrays = under(shapes_reference().arrays, name + ":");
    return archive;
}

std::vector<std::string> shape_names() {
    std::vector<std::string> found;
    for (const auto& [key, value] : shapes_reference().metadata) {
        const auto end = key.find("/model");
        if (end != std::string::npos) found.push_back(key.substr(0, end));
    }
    return found;
}

num::Matrix<float> found(const Run& run, const std::string& name) {
    if (name != "said") return values(run, name);
    num::Matrix<float> rows(std::ssize(run.trace.target), 1);
    for (Index i = 0; i < rows.size(); ++i) {
        rows(i, 0) = static_cast<float>(
            run.model->vocabulary_row(run.trace.target[static_cast<std::size_t>(i)].text));
    }
    return rows;
}

RecurrentConfig shaped(Shape shape, nn::Cell cell = nn::Cell::gru) {
    RecurrentConfig config = small_recurrent(cell);
    config.shape = shape;
    return config;
}

} // namespace

TEST_CASE("shapes agree with PyTorch: states, gates, words") {
    for (const int threads : {1, 2}) {
        num::ThreadPool pool(threads);
        int compared = 0;
        for (const std::string& name : shape_names()) {
            INFO(name << ", " << threads << " threads");
            const auto result =
                ran(made(archive_of(name), pool), said_by(Decoding::Rule::greedy), {}, pool);
            std::size_t arrays = 0;
            for (const auto& [array, expected] : under(shapes_reference().arrays, name + "/")) {
                INFO(array);
                const num::Matrix<float> values = found(*result, array);
                REQUIRE(values.rows() == expected.shape[0]);
                REQUIRE(values.cols() == expected.shape[1]);
                double worst = 0, scale = 0;
                for (Index i = 0; i < values.size(); ++i) {
                    const double e = expected.values[static_cast<std::size_t>(i)];
                    worst = std::max(worst, std::abs(values.data()[i] - e));
                    scale = std::max(scale, std::abs(e));
                }
                CHECK(worst <= 1e-5 * scale);
                ++arrays;
            }
            // No array that PyTorch was not asked about; "said" is the target.
            std::size_t traced = 1;
            for (const auto& layer : result->trace.layers) {
                traced += layer->tensors.size() + layer->remade.size();
            }
            CHECK(traced == arrays);
            ++compared;
        }
        CHECK(compared == 9);
    }
}

TEST_CASE("a shape comes back from its file, and its file has nothing that it does not need") {
    num::ThreadPool pool(1);
    for (const Shape shape : kShapes) {
        const TemporaryFile file("heed_shape.safetensors");
        const RecurrentConfig config = shaped(shape, nn::Cell::lstm);
        const auto model = drawn(config, pool);
        REQUIRE(model->save(file.path));
        const auto again = load_model(file.path, pool);
        REQUIRE(again);
        CHECK((*again)->config() == Config(config));
        const auto archive = tensors::read_safetensors(bytes_of(file.path), file.path);
        REQUIRE(archive);
        const auto has = [&](const std::string& start) {
            return std::any_of(archive->arrays.begin(), archive->arrays.end(),
                               [&](const auto& array) { return starts(array.first, start); });
        };
        CHECK(has("encoder.weight_ih_l0") == has_encoder(config));
        CHECK(has("decoder.weight_ih_l0") == has_decoder(config));
        CHECK(has("bridge.") == has_decoder(config));
        CHECK(has("attention.") == attends(config));
        const auto a = ran(model, question(), {}, pool), b = ran(*again, question(), {}, pool);
        CHECK(a->trace.target == b->trace.target);
    }
}

TEST_CASE("a file of before there were shapes is a translator") {
    num::ThreadPool pool(1);
    tensors::Archive archive = variant_archive("gru_additive");
    CHECK(archive.metadata.count("shape") == 0);
    CHECK(made(archive, pool)->config().shape == Shape::n_to_m);
    archive.metadata["shape"] = "m-n";
    const auto refused = Recurrent::read(archive, "a model", pool);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("n-m, n-n, n-1, 1-n") != std::string::npos);
}

TEST_CASE("as many words are said as the shape says") {
    num::ThreadPool pool(1);
    for (const nn::Cell cell : nn::kCells) {
        const auto each = ran(drawn(shaped(Shape::n_to_n, cell), pool), question(), {}, pool);
        CHECK(each->trace.target.size() == each->trace.source.size());
        CHECK(each->trace.n_layers(trace::AttentionKind::cross) == 0);
        const auto one = ran(drawn(shaped(Shape::n_to_one, cell), pool), question(), {}, pool);
        CHECK(one->trace.target.size() == 1);
        Input input = question();
        input.decoding.limit = 5;
        input.decoding.rule = Decoding::Rule::greedy;
        const auto free = ran(drawn(shaped(Shape::one_to_n, cell), pool), input, {}, pool);
        CHECK(free->trace.source.size() == 1);
        CHECK(free->trace.target.size() <= 5);
        // A word that comes second is not read.
        Input other = input;
        other.source.resize(1);
        CHECK(ran(free->model, other, {}, pool)->trace.target == free->trace.target);
    }
}

TEST_CASE("one word speaks in a beam, too, which finds nothing worse than greedy") {
    num::ThreadPool pool(1);
    for (const StepOrder order : {StepOrder::attend_first, StepOrder::update_first}) {
        RecurrentConfig config = shaped(Shape::one_to_n);
        config.order = order;
        const auto model = drawn(config, pool);
        Input input = question();
        input.decoding = {Decoding::Rule::beam, 1, 5, 0};
        const auto narrow = ran(model, input, {}, pool);
        input.decoding.beam_width = 4;
        const auto wide = ran(model, input, {}, pool);
        REQUIRE(narrow->trace.beam);
        REQUIRE(wide->trace.beam);
        const auto best = [](const trace::Beam& beam) {
            return beam.nodes[static_cast<std::size_t>(beam.hypotheses[0])].total;
        };
        CHECK(best(*wide->trace.beam) >= best(*narrow->trace.beam) - 1e-5f);
        input.decoding = {Decoding::Rule::greedy, 1, 5, 0};
        CHECK(ran(model, input, {}, pool)->trace.target == narrow->trace.target);
    }
}

TEST_CASE("padding is no part of what an encoder says") {
    num::ThreadPool pool(1);
    for (const Shape shape : {Shape::n_to_n, Shape::n_to_one}) {
        const auto model = drawn(shaped(shape), pool);
        Input input = question();
        const auto plain = ran(model, input, {}, pool);
        input.pad_to = 12;
        const auto padded = ran(model, input, {}, pool);
        CHECK(padded->trace.target == plain->trace.target);
        CHECK(values(*padded, "readout") == values(*plain, "readout"));
    }
}

TEST_CASE("an empty source is refused by every shape") {
    num::ThreadPool pool(1);
    for (const Shape shape : kShapes) {
        const auto result = run(drawn(shaped(shape), pool), Input{}, {}, pool);
        REQUIRE_FALSE(result);
        CHECK(result.error().subject == "source");
    }
}
