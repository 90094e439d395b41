// What the maps of recurrent models that nobody trained look like.
#include "models/recurrent_models.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>
#include <memory>
#include <vector>

using namespace heed;
using namespace heed::models;
using num::Index;

namespace {

// Eight words each: an even row has 3 bits.
const std::vector<std::vector<std::string>> kSentences = {
    {"The", "cat", "sat", "on", "the", "mat", "today", "."},
    {"I", "bought", "an", "apple", "and", "ate", "it", "."},
    {"我", "昨天", "吃", "了", "一个", "红", "苹果", "。"}};

struct Look {
    double entropy = 0;    // bits, mean of all rows
    double difference = 0; // of a row to the one before: the weight that went elsewhere
};

using Models = std::vector<std::shared_ptr<const Recurrent>>;

Models drawn_thrice(RecurrentConfig config, num::ThreadPool& pool) {
    Models models;
    for (config.seed = 1; config.seed <= 3; ++config.seed) models.push_back(drawn(config, pool));
    return models;
}

Look look(const Models& models, nn::Score score, num::ThreadPool& pool) {
    HeadControls head;
    head.score = score;
    Look sum;
    Index rows = 0, pairs = 0;
    for (const auto& model : models) {
        for (const auto& words : kSentences) {
            const auto weights =
                alignment(*ran(model, {tokens(words), {}, 0, {Decoding::Rule::greedy, 4, 10, 0}},
                               controlling(head), pool));
            for (Index i = 0; i < weights.rows(); ++i, ++rows) {
                for (const float w : weights.row(i)) sum.entropy -= w > 0 ? w * std::log2(w) : 0;
                if (i == 0) continue;
                sum.difference += (weights.row(i) - weights.row(i - 1)).cwiseAbs().sum() / 2;
                ++pairs;
            }
        }
    }
    return {sum.entropy / static_cast<double>(rows), sum.difference / static_cast<double>(pairs)};
}

std::vector<RecurrentConfig> configs(nn::Cell cell) {
    std::vector<RecurrentConfig> all(6);
    all[1].n_layers = 2;
    all[2].bidirectional = false;
    all[3].order = StepOrder::update_first;
    all[4].projection = Projection::two;
    all[5].projection = Projection::none;
    for (auto& config : all) config.cell = cell;
    return all;
}

} // namespace

TEST_CASE("rows of an untrained alignment are no even grey, and differ, for every cell and score") {
    num::ThreadPool pool(2);
    for (const nn::Cell cell : nn::kCells) {
        for (const RecurrentConfig& config : configs(cell)) {
            const Models models = drawn_thrice(config, pool);
            for (const nn::Score score : nn::kScores) {
                // Between vectors of 256 features that nobody trained a cosine is about 0, and the
                // shortest key is the nearest to every query.
                if (score == nn::Score::cosine || score == nn::Score::squared_distance) continue;
                if (!check_score(config, score, "score")) continue;
                INFO(nn::name(cell)
                     << ", " << config.n_layers << " layers, " << name(config.projection) << ", "
                     << name(config.order) << ", " << nn::name(score));
                const Look found = look(models, score, pool);
                CHECK(found.entropy > 1.5);
                CHECK(found.entropy < 2.5);
                CHECK(found.difference > 0.15);
            }
        }
    }
}

TEST_CASE("states of an untrained model move from word to word, whatever the cell") {
    num::ThreadPool pool(2);
    for (const nn::Cell cell : nn::kCells) {
        for (const RecurrentConfig& config : configs(cell)) {
            INFO(nn::name(cell));
            const auto result =
                ran(drawn(config, pool), {tokens(kSentences[0]), {}, 0, {}}, {}, pool);
            const auto h = values(*result, "encoder.states");
            CHECK(h.array().square().mean() > 0.1);
            CHECK(h.cwiseAbs().maxCoeff() <= 1);
            for (Index i = 1; i < h.rows(); ++i) {
                CHECK((h.row(i) - h.row(i - 1)).squaredNorm() > 0.1 * h.row(i).squaredNorm());
            }
        }
    }
}
