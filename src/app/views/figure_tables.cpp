#include "app/views/figure_tables.hpp"

#include "app/engine/merging.hpp"
#include "figure/views/line_columns.hpp"
#include "num/softmax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::app {

using files::Table;
using files::Tables;
using num::Index;
using num::Matrix;
using Labels = std::vector<std::string>;

namespace {

std::shared_ptr<const Matrix<float>> row_matrix(const num::RowVector<float>& values) {
    return std::make_shared<const Matrix<float>>(values);
}

/// Columns of equally many numbers side by side.
std::shared_ptr<const Matrix<float>>
columns_beside(const std::vector<const std::vector<float>*>& columns) {
    const auto rows = static_cast<Index>(columns.empty() ? 0 : columns[0]->size());
    auto values = std::make_shared<Matrix<float>>(rows, std::ssize(columns));
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (Index r = 0; r < rows; ++r) {
            (*values)(r, static_cast<Index>(c)) = (*columns[c])[static_cast<std::size_t>(r)];
        }
    }
    return values;
}

std::string label_or_number(const Labels& labels, int place) {
    const auto at = static_cast<std::size_t>(place);
    return at < labels.size() && !labels[at].empty() ? labels[at] : fmt::format("{}", place + 1);
}

/// "cat → chat": a link from one word to another.
std::string link_label(const std::string& from, const std::string& to) {
    return from + " \u2192 " + to;
}

float counted_from_1(int place) { return static_cast<float>(place + 1); }

} // namespace

std::shared_ptr<const Matrix<float>> rows_of(const Matrix<float>& values,
                                             const std::vector<int>& rows) {
    return std::make_shared<const Matrix<float>>(values(rows, Eigen::all));
}

Labels labels_of(const Labels& labels, const std::vector<int>& rows) {
    Labels kept;
    for (const int row : rows) {
        const auto at = static_cast<std::size_t>(row);
        if (at < labels.size()) kept.push_back(labels[at]);
    }
    return kept;
}

Labels counted_labels(Index count, Index first) {
    Labels labels;
    for (Index i = first; i < first + count; ++i) labels.push_back(fmt::format("{}", i));
    return labels;
}

Tables tables_of(const figure::MapData& map, const figure::HeatmapOptions& options,
                 const std::string& name) {
    Tables tables;
    tables.all.push_back({name, map.row_labels, map.col_labels, map.values});
    const auto strip = [](const std::optional<figure::Strip>& s) {
        return s ? s->shares : nullptr;
    };
    if (const auto shares = strip(options.row_strip)) {
        tables.all.push_back({"given", map.row_labels, {"given"}, shares});
    }
    if (const auto shares = strip(options.col_strip)) {
        tables.all.push_back({"received", {"received"}, map.col_labels, shares});
    }
    return tables;
}

Tables tables_of(const figure::LinesData& data, const figure::LinksOptions& options, bool squares) {
    Tables tables{{}, {}};
    const bool one = data.heads.size() == 1;
    Labels names;
    for (const figure::LinkHead& head : data.heads) {
        names.push_back(one ? "weights" : fmt::format("weights of head {}", head.head + 1));
        tables.main.push_back(tables.all.size());
        tables.all.push_back({names.back(), data.row_labels, data.col_labels, head.weights});
    }
    const auto links = figure::strongest_links(data, options, figure::most_links(data));
    Table drawn{"links", {}, {"query", "key", "weight"}, nullptr};
    if (!one) drawn.cols.emplace_back("head");
    auto values = std::make_shared<Matrix<float>>(std::ssize(links), std::ssize(drawn.cols));
    for (std::size_t i = 0; i < links.size(); ++i) {
        const figure::Link& link = links[links.size() - 1 - i]; // the strongest first
        drawn.rows.push_back(link_label(label_or_number(data.row_labels, link.query),
                                        label_or_number(data.col_labels, link.key)));
        const auto row = static_cast<Index>(i);
        (*values)(row, 0) = counted_from_1(link.query);
        (*values)(row, 1) = counted_from_1(link.key);
        (*values)(row, 2) = link.weight;
        if (!one) {
            (*values)(row, 3) =
                counted_from_1(data.heads[static_cast<std::size_t>(link.head)].head);
        }
    }
    drawn.values = std::move(values);
    tables.all.push_back(std::move(drawn));
    if (!squares || data.heads.empty()) return tables;
    tables.all.push_back({"beside queries", data.row_labels, names,
                          num::shared_matrix(figure::squares_of_queries(data, options))});
    tables.all.push_back({"beside keys", data.col_labels, names,
                          num::shared_matrix(figure::squares_of_keys(data, options))});
    return tables;
}

Tables tables_of(const figure::NeuronsData& data, const figure::NeuronsOptions& options) {
    if (!data.row) return {};
    const trace::Neurons& row = *data.row;
    const std::vector<int> shown = without(options.hidden, row.n_keys());
    const Labels keys = labels_of(data.key_labels, shown);
    Tables tables;
    const auto numbers =
        columns_beside({&row.scores, &row.scaled, &row.masked, &row.exponentials, &row.weights});
    tables.all.push_back({"numbers",
                          keys,
                          {"score", "scaled", "masked", "exp", "weight"},
                          rows_of(*numbers, shown)});
    tables.all.push_back(
        {"row",
         {data.query_label},
         {"scale", "temperature", "max", "sum of exp"},
         row_matrix(num::RowVector<float>{{row.gamma, row.temperature, row.max, row.sum}})});
    if (row.q.size() != row.d_k()) return tables; // they do not pair, and no stripe is drawn
    const std::vector<Index> order = figure::feature_order(row, options);
    Labels features;
    auto q = std::make_shared<Matrix<float>>(1, row.d_k());
    auto k = std::make_shared<Matrix<float>>(std::ssize(shown), row.d_k());
    for (std::size_t i = 0; i < order.size(); ++i) {
        features.push_back(fmt::format("{}", order[i] + 1));
        (*q)(0, static_cast<Index>(i)) = row.q[order[i]];
        k->col(static_cast<Index>(i)) = row.k(shown, order[i]);
    }
    tables.all.push_back({"query", {data.query_label}, features, q});
    tables.all.push_back({"keys", keys, features, k});
    if (!row.is_product) return tables;
    auto products = std::make_shared<Matrix<float>>(*k);
    for (Index key = 0; key < k->rows(); ++key) {
        products->row(key) = k->row(key).cwiseProduct(q->row(0));
    }
    tables.all.push_back({"products", keys, features, products});
    return tables;
}

Tables tables_of(const figure::FlowData& data, const figure::FlowOptions& options) {
    if (!data.flow) return {};
    const trace::Flow& flow = *data.flow;
    Tables tables;
    Labels levels{"input"};
    for (Index l = 1; l <= flow.n_layers(); ++l) levels.push_back(fmt::format("layer {}", l));
    tables.all.push_back({"nodes", std::move(levels), data.tokens,
                          std::make_shared<const Matrix<float>>(flow.reach)});
    const auto links = figure::flow_links(flow, options.mass);
    Table drawn{"links", {}, {"layer", "from", "to", "share"}, nullptr};
    auto values = std::make_shared<Matrix<float>>(std::ssize(links), 4);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const figure::FlowLink& link = links[links.size() - 1 - i]; // the strongest first
        drawn.rows.push_back(link_label(label_or_number(data.tokens, link.from),
                                        label_or_number(data.tokens, link.to)));
        values->row(static_cast<Index>(i)) << counted_from_1(link.layer), counted_from_1(link.from),
            counted_from_1(link.to), link.share;
    }
    drawn.values = std::move(values);
    tables.all.push_back(std::move(drawn));
    return tables;
}

namespace {

void add_offsets(Tables& tables, const figure::PositionRoomData& data) {
    if (data.offsets.empty()) return;
    Table table{"offsets",
                counted_labels(std::ssize(data.offsets[0].values), data.first_offset),
                {},
                nullptr};
    std::vector<const std::vector<float>*> columns;
    for (const figure::Series& series : data.offsets) {
        for (const auto& [words, values] :
             {std::pair("", &series.values), {" least", &series.least}, {" most", &series.most}}) {
            if (values->empty()) continue;
            table.cols.push_back(series.name + words);
            columns.push_back(values);
        }
    }
    table.values = columns_beside(columns);
    tables.all.push_back(std::move(table));
}

} // namespace

Tables tables_of(const figure::PositionRoomData& data) {
    Tables tables;
    if (data.table && data.table->size() > 0) {
        const Labels positions = counted_labels(data.table->rows(), 1);
        tables.all.push_back(
            {"table", positions, counted_labels(data.table->cols(), 1), data.table});
        const Matrix<float>& waves = data.waves ? *data.waves : *data.table;
        Table curves{"curves", positions, {}, nullptr};
        if (data.waves) { // between positions as well
            curves.rows.clear();
            for (Index row = 0; row < waves.rows(); ++row) {
                curves.rows.push_back(
                    fmt::format("{}", 1 + static_cast<double>(row) / data.between));
            }
        }
        auto values = std::make_shared<Matrix<float>>(waves.rows(), std::ssize(data.dimensions));
        for (std::size_t i = 0; i < data.dimensions.size(); ++i) {
            curves.cols.push_back(
                fmt::format("{} {}", data.dimension_word, data.dimensions[i] + 1));
            values->col(static_cast<Index>(i)) = waves.col(data.dimensions[i]);
        }
        curves.values = std::move(values);
        tables.all.push_back(std::move(curves));
    }
    add_offsets(tables, data);
    return tables;
}

namespace {

void add_sweep(Tables& tables, const figure::SoftmaxRoomData& data, const Labels& keys,
               const std::vector<int>& shown) {
    if (!data.sweep || data.sweep->factors.empty()) return;
    const num::SoftmaxSweep& sweep = *data.sweep;
    Labels factors;
    for (const float factor : sweep.factors) factors.push_back(fmt::format("{}", factor));
    tables.all.push_back({"weights over the factor", factors, keys,
                          std::make_shared<const Matrix<float>>(sweep.weights(Eigen::all, shown))});
    tables.all.push_back({"gradient and entropy over the factor",
                          factors,
                          {"norm of the Jacobian", "entropy in bits"},
                          columns_beside({&sweep.jacobian_norm, &sweep.entropy_bits})});
}

void add_histograms(Tables& tables, const figure::SoftmaxRoomData& data, bool scaled) {
    Table densities{scaled ? "distribution scaled" : "distribution", {}, {}, nullptr};
    Table variances{scaled ? "variance scaled" : "variance", {"variance"}, {}, nullptr};
    std::vector<const std::vector<float>*> columns;
    std::vector<float> variance;
    for (const num::DotHistogram& h : data.histograms) {
        if (h.scaled != scaled || h.density.empty()) continue;
        const auto bins = static_cast<float>(h.density.size());
        for (std::size_t i = 0; columns.empty() && i < h.density.size(); ++i) {
            const float share = (static_cast<float>(i) + 0.5f) / bins;
            densities.rows.push_back(fmt::format("{}", h.low + share * (h.high - h.low)));
        }
        densities.cols.push_back(fmt::format("d_k {}", h.d_k));
        columns.push_back(&h.density);
        variance.push_back(static_cast<float>(h.variance));
    }
    if (columns.empty()) return;
    variances.cols = densities.cols;
    densities.values = columns_beside(columns);
    variances.values =
        row_matrix(Eigen::Map<const num::RowVector<float>>(variance.data(), std::ssize(variance)));
    tables.all.push_back(std::move(densities));
    tables.all.push_back(std::move(variances));
}

} // namespace

Tables tables_of(const figure::SoftmaxRoomData& data) {
    Tables tables;
    const auto m = static_cast<Index>(data.logits.size());
    const std::vector<int> keys_shown = without(data.hidden, m);
    Labels keys = figure::names_of_keys(data, keys_shown); // as in the picture
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].empty()) keys[i] = fmt::format("{}", keys_shown[i] + 1);
    }
    const num::RowVector<float> y = figure::softmax_weights(data);
    const std::vector<float> weights(y.data(), y.data() + y.size());
    std::vector<float> scores = data.logits;
    for (float& score : scores) {
        if (std::isfinite(score)) score *= data.factor;
    }
    Table shown{"weights", keys, {"score", "score × factor", "weight"}, nullptr};
    std::vector<const std::vector<float>*> columns{&data.logits, &scores, &weights};
    if (!data.run_weights.empty()) {
        shown.cols.push_back("in the run, " + data.run_differs);
        columns.push_back(&data.run_weights);
    }
    shown.values = rows_of(*columns_beside(columns), keys_shown);
    tables.all.push_back(std::move(shown));
    if (m > 0 && m <= figure::kMostJacobianKeys) {
        const Matrix<float> jacobian = num::softmax_jacobian<float>(y);
        tables.all.push_back(
            {"jacobian", keys, keys,
             std::make_shared<const Matrix<float>>(jacobian(keys_shown, keys_shown))});
    }
    add_sweep(tables, data, keys, keys_shown);
    add_histograms(tables, data, false);
    add_histograms(tables, data, true);
    return tables;
}

} // namespace heed::app
