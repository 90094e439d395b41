// Whole models against PyTorch: tests/reference/make_transformer.py.
#include "base/file.hpp"
#include "models/open.hpp"
#include "models/sentences.hpp"
#include "nn/attention/score_info.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace heed;
using namespace heed::models;
using trace::AttentionKind;

namespace {

const std::string kFolder = std::string(HEED_SOURCE_DIR) + "/tests/reference/";

tensors::Archive read(const std::string& name) {
    const auto bytes = base::read_file(kFolder + name, 1 << 24);
    REQUIRE(bytes);
    auto archive = tensors::read_safetensors(*bytes, name);
    REQUIRE(archive);
    return *archive;
}

struct Variant {
    std::string name;
    NormOrder norm = NormOrder::post;
    Activation activation = Activation::relu;
    Controls controls = {};
    int pad_to = 0;
    bool decoder_only = false;
};

bool starts(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

// The reference weights under another configuration. A decoder-only model lacks what it lacks.
std::shared_ptr<const Transformer> load(const Variant& v, num::ThreadPool& pool) {
    tensors::Archive archive = read("transformer_weights.safetensors");
    archive.metadata["activation"] = nn::name(v.activation);
    if (v.decoder_only) {
        archive.metadata["architecture"] = "decoder-only";
        std::erase_if(archive.arrays, [](const auto& entry) {
            const std::string& name = entry.first;
            return starts(name, "encoder.") || starts(name, "scores.encoder.") ||
                   name.find("multihead_attn") != std::string::npos ||
                   name.find("norm2") != std::string::npos ||
                   name == "positions.relative.encoder.weight" ||
                   name == "positions.relative.cross.weight";
        });
    }
    const auto path = std::filesystem::temp_directory_path() /
                      (std::to_string(::getpid()) + ".heed_reference_" + v.name);
    REQUIRE(base::write_file_atomic(path, tensors::write_safetensors(archive)));
    auto model = load_model(path, pool);
    std::filesystem::remove(path);
    if (!model) FAIL(base::describe(model.error()));
    return std::dynamic_pointer_cast<const Transformer>(*model);
}

// |found − expected| as a share of the array's largest magnitude.
double distance(const num::Matrix<float>& found, const float* expected) {
    double worst = 0, scale = 0;
    for (num::Index i = 0; i < found.size(); ++i) {
        worst = std::max<double>(worst, std::abs(found.data()[i] - expected[i]));
        scale = std::max<double>(scale, std::abs(expected[i]));
    }
    return scale > 0 && std::isfinite(worst) ? worst / scale : INFINITY;
}

HeadControls scoring(nn::Score score) {
    HeadControls c;
    c.score = score;
    return c;
}

std::vector<Variant> variants() {
    std::vector<Variant> all = {
        {"post_relu"},
        {"post_gelu", NormOrder::post, Activation::gelu},
        {"pre_relu", NormOrder::pre},
        {"pre_gelu", NormOrder::pre, Activation::gelu},
        {"padded"},
        {"additive_relative"},
        {"bilinear_learned_concat", NormOrder::pre},
        {"decoder_only_post"},
        {"decoder_only_pre", NormOrder::pre, Activation::gelu},
    };
    all[4].pad_to = 9;
    HeadControls padding;
    padding.mask = nn::Mask{true, false, {}, {}};
    all[4].controls.set({AttentionKind::encoder_self, {}, {}}, padding);
    all[4].controls.set({AttentionKind::cross, {}, {}}, padding);
    HeadControls additive = scoring(nn::Score::additive);
    additive.positions = nn::Positions::relative;
    all[5].controls.set({}, additive);
    HeadControls bilinear = scoring(nn::Score::bilinear);
    bilinear.positions = nn::Positions::learned;
    all[6].controls.set({}, bilinear);
    all[6].controls.join = nn::Join::concatenate;
    all[7].decoder_only = all[8].decoder_only = true;
    for (Variant& v : all) v.controls.norm = v.norm;
    return all;
}

} // namespace

TEST_CASE("whole models and all their attention weights agree with PyTorch") {
    num::ThreadPool pool(2);
    const tensors::Archive expected = read("transformer_expected.safetensors");
    const Input words{tokens({"The", "cat", "昨天", "吃", "了", "an", "apple"}),
                      tokens({"Le", "chat", "mangé", "🍎", "."}), 0};
    for (const Variant& v : variants()) {
        INFO(v.name);
        Input input = words;
        input.pad_to = v.pad_to;
        const auto result = ran(load(v, pool), input, v.controls, pool);
        int compared = 0;
        for (const auto& [name, array] : expected.arrays) {
            if (!starts(name, (v.name + "/").c_str())) continue;
            const std::string array_name = name.substr(v.name.size() + 1);
            INFO(array_name);
            ++compared;
            if (array.shape.size() == 2) {
                const auto tensor = result->trace.tensor(array_name);
                REQUIRE(tensor);
                REQUIRE(tensor->values.rows() == array.shape[0]);
                REQUIRE(tensor->values.cols() == array.shape[1]);
                CHECK(distance(tensor->values, array.values.data()) < 1e-5);
                continue;
            }
            const AttentionKind kind = starts(array_name, "encoder") ? AttentionKind::encoder_self
                                       : array_name.find("multihead") != std::string::npos
                                           ? AttentionKind::cross
                                           : AttentionKind::decoder_self;
            const int layer = array_name[std::string("encoder.layers.").size()] - '0';
            const auto attention = result->trace.attention(kind, layer);
            REQUIRE(attention);
            CHECK(attention->name + ".weights" == array_name);
            for (int head = 0; head < array.shape[0]; ++head) {
                const auto weights =
                    result->trace.map({kind, layer, head})->whole(trace::Stage::weights);
                REQUIRE(weights.rows() == array.shape[1]);
                REQUIRE(weights.cols() == array.shape[2]);
                CHECK(distance(weights, array.values.data() + head * weights.size()) < 1e-5);
            }
        }
        CHECK(compared == (v.decoder_only ? 4 : 10));
    }
}

TEST_CASE("an encoder alone gives the memory of the whole model") {
    num::ThreadPool pool(1);
    tensors::Archive archive = read("transformer_weights.safetensors");
    archive.metadata["architecture"] = "encoder-only";
    std::erase_if(archive.arrays, [](const auto& entry) {
        return starts(entry.first, "decoder.") || starts(entry.first, "scores.decoder.") ||
               entry.first == "positions.relative.decoder.weight" ||
               entry.first == "positions.relative.cross.weight";
    });
    const auto path = std::filesystem::temp_directory_path() /
                      (std::to_string(::getpid()) + ".heed_encoder_only.safetensors");
    REQUIRE(base::write_file_atomic(path, tensors::write_safetensors(archive)));
    const auto model = load_model(path, pool);
    std::filesystem::remove(path);
    REQUIRE(model);
    const auto result =
        ran(*model, {tokens({"The", "cat", "昨天", "吃", "了", "an", "apple"}), {}, 0}, {}, pool);
    const auto expected = read("transformer_expected.safetensors").arrays.at("post_relu/memory");
    CHECK(distance(result->trace.tensor("memory")->values, expected.values.data()) < 1e-5);
}
