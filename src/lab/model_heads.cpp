#include "lab/model_heads.hpp"

#include "num/softmax_sweep.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/head_names.hpp"

#include <algorithm>

namespace heed::lab {

std::vector<trace::HeadId> heads_of(const models::Run& run, std::size_t most) {
    std::vector<trace::HeadId> all;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < run.trace.n_layers(kind); ++layer) {
            const auto attention = run.trace.attention(kind, layer);
            if (!attention) continue;
            for (int head = 0; head < static_cast<int>(attention->heads.size()); ++head) {
                if (attention->heads[static_cast<std::size_t>(head)].stored) continue;
                all.push_back({kind, layer, head});
            }
        }
    }
    if (all.size() <= most) return all;
    std::vector<trace::HeadId> taken;
    for (std::size_t i = 0; i < most; ++i) taken.push_back(all[i * all.size() / most]);
    return taken;
}

num::Matrix<double> first_rows(const models::Run& run, const trace::HeadId& head,
                               trace::Stage stage) {
    const auto map = run.trace.map(head);
    if (!map) return {};
    const num::Rect rect{0, 0, std::min(map->rows(stage), kMostCells), map->cols(stage)};
    return map->rectangle(stage, rect).cast<double>();
}

std::string of_first_words(const models::Run& run, const trace::HeadId& head) {
    const auto map = run.trace.map(head);
    if (!map || map->rows(trace::Stage::weights) <= kMostCells) return "";
    return fmt::format(" The numbers are of the first {} words.", kMostCells);
}

double mean_jacobian_norm(const num::Matrix<double>& weights) {
    double sum = 0;
    for (num::Index i = 0; i < weights.rows(); ++i) {
        sum += num::jacobian_norm<double>(weights.row(i));
    }
    return sum / static_cast<double>(weights.rows());
}

std::string words_of(const trace::HeadId& head) {
    std::string words(trace::info(head.kind).title);
    words[0] = static_cast<char>(words[0] - 'A' + 'a');
    return words + " " + trace::head_name(head.layer, head.head);
}

std::string capitalised(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') {
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    }
    return words;
}

Picture picture_of(const models::Run& run, const trace::HeadId& head,
                   const num::Matrix<double>& values, std::string title, std::string subtitle) {
    Grid grid;
    grid.values = grid_values(num::Matrix<double>(values.topLeftCorner(
        std::min(values.rows(), kMostCells), std::min(values.cols(), kMostCells))));
    grid.weights = true;
    grid.row_word = "query";
    grid.col_word = "key";
    const auto& queries = run.trace.queries(head.kind);
    const auto& keys = run.trace.keys(head.kind);
    for (std::size_t i = 0; i < std::min<std::size_t>(queries.size(), kMostCells); ++i) {
        grid.rows.push_back(queries[i].text);
    }
    for (std::size_t j = 0; j < std::min<std::size_t>(keys.size(), kMostCells); ++j) {
        grid.cols.push_back(keys[j].text);
    }
    return {std::move(title), std::move(subtitle), std::move(grid)};
}

models::Controls with(const models::Run& run, const trace::HeadId& head,
                      const models::HeadControls& more) {
    models::Controls controls = run.controls;
    const models::Scope scope{head.kind, head.layer, head.head};
    models::HeadControls own = controls.at(scope);
    if (more.scale) own.scale = more.scale;
    if (more.temperature) own.temperature = more.temperature;
    if (more.mask) own.mask = more.mask;
    if (more.positions) own.positions = more.positions;
    if (more.gain) own.gain = more.gain;
    if (more.score) own.score = more.score;
    controls.set(scope, own);
    return controls;
}

} // namespace heed::lab
