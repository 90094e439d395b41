// Whole recurrent models against PyTorch: tests/reference/make_seq2seq.py.
#include "models/recurrent_models.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>
#include <set>

using namespace heed;
using namespace heed::models;
using trace::Stage;

namespace {

num::Matrix<float> recurrent_found(const Run& run, const std::string& name) {
    if (name == "attention.scores") return alignment(run, Stage::scores);
    if (name == "attention.weights") return alignment(run, Stage::weights);
    if (name == "attention.context") return alignment(run, Stage::context);
    if (name != "said") return values(run, name);
    num::Matrix<float> rows(std::ssize(run.trace.target), 1);
    for (num::Index i = 0; i < rows.size(); ++i) {
        rows(i, 0) = static_cast<float>(
            run.model->vocabulary_row(run.trace.target[static_cast<std::size_t>(i)].text));
    }
    return rows;
}

// |found − expected| as a share of the array's largest magnitude.
void check_close(const num::Matrix<float>& found, const tensors::Array& expected) {
    REQUIRE(expected.shape.size() == 2);
    REQUIRE(found.rows() == expected.shape[0]);
    REQUIRE(found.cols() == expected.shape[1]);
    double worst = 0, scale = 0;
    for (num::Index i = 0; i < found.size(); ++i) {
        const double e = expected.values[static_cast<std::size_t>(i)];
        const double distance = std::abs(found.data()[i] - e);
        worst = std::isfinite(distance) ? std::max(worst, distance) : INFINITY;
        scale = std::max(scale, std::abs(e));
    }
    CHECK(worst <= 1e-5 * scale);
}

std::vector<std::string> recurrent_variants() {
    std::vector<std::string> names;
    for (const auto& [key, value] : seq2seq_reference().metadata) {
        const auto end = key.find("/model");
        if (end != std::string::npos) names.push_back(key.substr(0, end));
    }
    return names;
}

Input recurrent_input(const std::string& variant) {
    if (variant != "gru_forced") return said_by(Decoding::Rule::greedy);
    Input input = question();
    input.target = tokens({"le", "chat", "unheard"});
    return input;
}

std::set<std::string> names_in(const trace::Trace& trace) {
    std::set<std::string> names;
    for (const auto& layer : trace.layers) {
        for (const auto& tensor : layer->tensors) names.insert(tensor->name);
        for (const auto& tensor : layer->remade) names.insert(tensor.name);
    }
    return names;
}

} // namespace

TEST_CASE("recurrent models agree with PyTorch: states, gates, alignments, contexts, words") {
    for (const int threads : {1, 2}) {
        num::ThreadPool pool(threads);
        int compared = 0;
        for (const std::string& name : recurrent_variants()) {
            INFO(name << ", " << threads << " threads");
            const auto result = ran(variant(name, pool), recurrent_input(name), {}, pool);
            std::set<std::string> expected_names;
            for (const auto& [array, expected] : under(seq2seq_reference().arrays, name + "/")) {
                INFO(array);
                if (!starts(array, "attention.") && array != "said") expected_names.insert(array);
                check_close(recurrent_found(*result, array), expected);
            }
            // No array that PyTorch was not asked about.
            CHECK(names_in(result->trace) == expected_names);
            ++compared;
        }
        CHECK(compared == 27);
    }
}

TEST_CASE("a recurrent model's logits are those of PyTorch's last states") {
    num::ThreadPool pool(1);
    for (const std::string& name : recurrent_variants()) {
        INFO(name);
        const auto model = variant(name, pool);
        const auto logits = model->logits(*ran(model, recurrent_input(name), {}, pool), pool);
        const tensors::Archive file = variant_archive(name);
        const auto expected = under(seq2seq_reference().arrays, name + "/");
        const tensors::Array& t = expected.at("decoder_output");
        const tensors::Array& w = file.arrays.at("output.weight");
        REQUIRE(logits.rows() == t.shape[0]);
        REQUIRE(logits.cols() == w.shape[0]);
        const auto d = static_cast<std::size_t>(t.shape[1]);
        double worst = 0;
        for (num::Index i = 0; i < logits.size(); ++i) {
            const auto row = static_cast<std::size_t>(i / logits.cols());
            const auto word = static_cast<std::size_t>(i % logits.cols());
            double sum = static_cast<double>(file.arrays.at("output.bias").values[word]);
            for (std::size_t k = 0; k < d; ++k) {
                sum += static_cast<double>(t.values[row * d + k]) *
                       static_cast<double>(w.values[word * d + k]);
            }
            worst = std::max(worst, std::abs(static_cast<double>(logits.data()[i]) - sum));
        }
        CHECK(worst < 1e-4);
    }
}

TEST_CASE("a score by the controls gives the numbers of a model that has it") {
    num::ThreadPool pool(1);
    const auto model = variant("gru_additive", pool);
    for (const nn::Score score : nn::kScores) {
        const std::string name = "gru_" + std::string(nn::name(score));
        INFO(name);
        HeadControls head;
        head.score = score;
        const auto result = ran(model, said_by(Decoding::Rule::greedy), controlling(head), pool);
        for (const auto& [array, expected] : under(seq2seq_reference().arrays, name + "/")) {
            INFO(array);
            check_close(recurrent_found(*result, array), expected);
        }
    }
}

TEST_CASE("a file's names and shapes are those of torch's modules, and Heed writes no others") {
    num::ThreadPool pool(1);
    for (const std::string& name : recurrent_variants()) {
        INFO(name);
        const tensors::Archive torch = variant_archive(name);
        const TemporaryFile file("heed_seq2seq_names.safetensors");
        RecurrentConfig config = made(torch, pool)->config();
        config.seed = 7;
        REQUIRE(drawn(config, pool)->save(file.path));
        const auto ours = tensors::read_safetensors(bytes_of(file.path), file.path);
        REQUIRE(ours);
        REQUIRE(ours->arrays.size() == torch.arrays.size());
        const auto rows = torch.arrays.at("output.bias").shape[0];
        for (const auto& [array, expected] : torch.arrays) {
            INFO(array);
            REQUIRE(ours->arrays.count(array) == 1);
            auto shape = ours->arrays.at(array).shape;
            // The drawn model knows more words.
            if (array.find("embedding") != std::string::npos || starts(array, "output")) {
                CHECK(shape[0] == drawn(config, pool)->vocabulary_size());
                shape[0] = rows;
            }
            CHECK(shape == expected.shape);
        }
    }
}
