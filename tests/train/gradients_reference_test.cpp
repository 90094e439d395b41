// Gradients of whole models against PyTorch: tests/reference/make_gradients.py.
#include "models/recurrent_models.hpp"
#include "models/transformer/parameters.hpp"
#include "paths.hpp"
#include "train/nets/model_learners.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace heed;
using namespace heed::models;
using train::Example;

namespace {

tensors::Archive archive_of(const std::string& file) {
    const std::string path = fmt::format("{}/tests/reference/{}", HEED_SOURCE_DIR, file);
    auto archive = tensors::read_safetensors(bytes_of(path), path);
    REQUIRE(archive);
    return *archive;
}

/// The transformer of make_transformer.py, with words, so that its decoder reads ⟨start⟩.
std::shared_ptr<const Model> transformer_of(std::map<std::string, std::string> fields,
                                            num::ThreadPool& pool) {
    auto archive = archive_of("transformer_weights.safetensors");
    for (const auto& [name, value] : fields) archive.metadata[name] = value;
    std::string words;
    for (int i = 0; i < 59; ++i) words += (i ? " w" : "w") + std::to_string(i);
    archive.metadata["vocabulary.words"] = words;
    archive.metadata["vocabulary.others"] = "2";
    auto model = Transformer::read(archive, "a model", pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

/// What a learner found, by the names and in the layout of a model's file.
template <class Kind>
std::map<std::string, tensors::Array> gradients_of(train::Learner& learner, num::ThreadPool& pool) {
    for (const auto& p : learner.parameters()) {
        std::copy(p.gradients.begin(), p.gradients.end(), p.values.begin());
    }
    const auto model = std::dynamic_pointer_cast<const Kind>(learner.model(pool));
    tensors::Archive archive;
    write(named_tensors(model->parameters()), archive);
    std::map<std::string, tensors::Array> learned;
    for (const auto& p : learner.parameters()) learned[p.name] = archive.arrays.at(p.name);
    return learned;
}

template <class Kind>
void check_against_torch(const std::string& variant, std::shared_ptr<const Model> model,
                         const std::vector<Example>& examples, float smoothing) {
    static const tensors::Archive all = archive_of("gradients.safetensors");
    auto expected = under(all.arrays, variant + "/");
    REQUIRE(expected.contains("loss"));
    std::vector<const Example*> batch;
    for (const Example& e : examples) batch.push_back(&e);
    for (const int threads : {1, 2}) {
        INFO(variant << ", " << threads << " threads");
        num::ThreadPool pool(threads);
        const auto learner = train::make_learner(pool, model);
        const auto result = learner->learn(pool, batch, {0, smoothing, 0}, 1);
        CHECK(result.objective == Approx(expected["loss"].values[0]).epsilon(1e-5));
        const auto found = gradients_of<Kind>(*learner, pool);
        CHECK(found.size() == expected.size() - 1);
        // Of the whole model: where sums cancel, as those of a key's bias do, nothing but rounding
        // is left of a parameter's gradient.
        double largest = 0;
        for (const auto& [name, array] : expected) {
            if (name == "loss") continue;
            for (const float g : array.values) largest = std::max(largest, std::abs(double(g)));
        }
        for (const auto& [name, array] : found) {
            INFO(name);
            REQUIRE(expected.contains(name));
            const auto& wanted = expected[name].values;
            REQUIRE(array.values.size() == wanted.size());
            double own = 1e-2 * largest, worst = 0;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                own = std::max(own, std::abs(double(wanted[i])));
                worst = std::max(worst, std::abs(double(array.values[i]) - double(wanted[i])));
            }
            CHECK(worst <= 1e-5 * own);
        }
    }
}

} // namespace

TEST_CASE("gradients of transformers agree with PyTorch") {
    const std::vector<Example> batch{{{3, 4, 5, 17, 60}, {6, 7, 40}, {}, -1},
                                     {{8}, {3, 3, 4, 5, 21}, {}, -1},
                                     {{33, 12, 3}, {}, {}, -1}};
    num::ThreadPool pool(1);
    check_against_torch<Transformer>("transformer_post", transformer_of({}, pool), batch, 0);
    check_against_torch<Transformer>(
        "transformer_pre",
        transformer_of(
            {{"norm", "pre"}, {"activation", "gelu"}, {"positions", "learned"}, {"join", "concat"}},
            pool),
        batch, 0.1f);
    check_against_torch<Transformer>("transformer_relative",
                                     transformer_of({{"positions", "relative"}}, pool), batch, 0);
}

TEST_CASE("gradients of recurrent models agree with PyTorch") {
    num::ThreadPool pool(1);
    for (const char* name :
         {"gru_additive", "gru_luong", "gru_none_bilinear", "gru_last", "gru_mean", "gru_cosine",
          "gru_squared-distance", "lstm_scaled_luong", "lstm_one_way_dot", "rnn_deep_concat"}) {
        const auto model = variant(name, pool);
        const auto rows = [&](std::initializer_list<const char*> words) {
            std::vector<num::Index> found;
            for (const char* word : words) found.push_back(model->vocabulary_row(word));
            return found;
        };
        const std::vector<Example> batch{
            {rows({"the", "cat", "昨天", "ate"}), rows({"le", "chat", "mangé"}), {}, -1},
            {rows({"苹果"}), rows({"le"}), {}, -1},
            {rows({"ate", "the"}), rows({"chat", "le", "昨天", "cat"}), {}, -1}};
        check_against_torch<Recurrent>(name, model, batch, 0);
    }
}
