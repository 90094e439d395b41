#include "app/engine/gold_alignment.hpp"

#include "train/data/alignment.hpp"
#include "train/tasks/task.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

constexpr std::size_t kGoldSentences = 32;

std::vector<text::Token> word_tokens(const std::vector<std::string>& words) {
    std::vector<text::Token> tokens;
    for (const std::string& word : words) {
        text::Token token;
        token.text = word;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

std::vector<trace::HeadId> aligning_heads(const models::Traits& traits, trace::AttentionKind kind) {
    std::vector<trace::HeadId> heads;
    for (int layer = 0; layer < traits.layers(kind); ++layer) {
        for (int head = 0; head < traits.n_heads; ++head) heads.push_back({kind, layer, head});
    }
    return heads;
}

} // namespace

std::optional<double> GoldAlignment::of(const trace::HeadId& head) const {
    const auto at = std::ranges::find(heads, head);
    if (at == heads.end() || measured() == 0) return std::nullopt;
    std::vector<train::GoldLinks> links;
    for (std::size_t i = 0; i < measured(); ++i) links.push_back((*pairs)[i].gold);
    const auto error =
        train::alignment_error_rate(aligned[static_cast<std::size_t>(at - heads.begin())], links);
    return error ? std::optional(1 - *error) : std::nullopt;
}

bool has_gold(const models::Model& model) {
    constexpr int kLongest = 30; // words: no task of Heed writes more
    const auto& learned = model.provenance();
    const auto task = learned ? train::task_named(learned->task) : std::nullopt;
    return model.traits().aligning_attention() && task && !train::is_classification(*task) &&
           !(learned->lengths && learned->lengths->second > kLongest);
}

GoldAlignment gold_begun(const models::Model& model) {
    if (!has_gold(model)) return {};
    const auto& learned = model.provenance();
    train::TaskOptions options;
    options.training = 0;
    options.held_out = kGoldSentences;
    if (learned->lengths) std::tie(options.min_length, options.max_length) = *learned->lengths;
    auto pairs = train::make_task(*train::task_named(learned->task), options).held_out;
    std::erase_if(pairs, [](const train::Pair& pair) { return pair.gold.empty(); });
    if (pairs.empty()) return {};
    GoldAlignment gold;
    gold.pairs = std::make_shared<const std::vector<train::Pair>>(std::move(pairs));
    gold.heads = aligning_heads(model.traits(), *model.traits().aligning_attention());
    gold.aligned.resize(gold.heads.size());
    return gold;
}

GoldAlignment gold_again(GoldAlignment gold) {
    for (auto& of_head : gold.aligned) of_head.clear();
    return gold;
}

bool measure_gold(GoldAlignment& gold, const models::Run& run, num::ThreadPool& pool,
                  const std::stop_token& stop) {
    const train::Pair& pair = (*gold.pairs)[gold.measured()];
    models::Input input;
    input.source = word_tokens(pair.source);
    input.target = word_tokens(pair.target);
    models::RunOptions options;
    options.stop = stop;
    const auto told = models::run(run.model, input, run.controls, pool, options);
    if (stop.stop_requested()) return false;
    if (!told) {
        gold = {};
        return true;
    }
    for (std::size_t h = 0; h < gold.heads.size(); ++h) {
        const auto map = (*told)->trace.map(gold.heads[h]);
        num::Rect part = train::aligning_part(**told, *map);
        part.rows = std::ssize(pair.target); // without ⟨end⟩
        const num::Matrix<float> weights = map->rectangle(trace::Stage::weights, part);
        gold.aligned[h].push_back(train::strongest(num::view(weights)));
    }
    return true;
}

} // namespace heed::app
