#include "models/transformer/kept_rows.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace heed::models {

namespace {

using num::Index;
using num::Matrix;

/// Leading rows of a tensor that one run kept, or can make again.
struct RowBlock {
    std::shared_ptr<const trace::Tensor> tensor; // null where it is made
    std::function<Matrix<float>()> make;
    Index rows;
};

/// Blocks of several runs, one below another. A run of one more token adds a block, so that a text
/// that grows token by token is never copied as a whole until somebody looks.
struct JoinedRows {
    std::vector<RowBlock> blocks;

    Matrix<float> operator()() const {
        Index rows = 0;
        for (const RowBlock& block : blocks) rows += block.rows;
        Matrix<float> whole;
        for (Index at = 0; const RowBlock& block : blocks) {
            const num::SharedRows<float> from =
                block.tensor ? block.tensor->values : num::SharedRows<float>(block.make());
            if (at == 0) whole.resize(rows, from.cols());
            whole.middleRows(at, block.rows) = from.topRows(block.rows);
            at += block.rows;
        }
        return whole;
    }
};

/// The tensor with other rows, of which the new ones are these.
std::shared_ptr<const trace::Tensor> with_values(const trace::Tensor& tensor,
                                                 num::SharedRows<float> whole,
                                                 const num::SharedRows<float>& rows) {
    whole.own(whole.first_own(), 0, rows.rows(), rows.cols()) = rows;
    return std::make_shared<const trace::Tensor>(
        trace::Tensor{tensor.name, std::move(whole), tensor.rows, tensor.cols});
}

std::vector<RowBlock> kept_blocks(const trace::Layer& before, const std::string& name, Index kept) {
    const auto named = [&](const auto& x) { return x.name == name; };
    const auto stored = std::find_if(before.tensors.begin(), before.tensors.end(),
                                     [&](const auto& tensor) { return named(*tensor); });
    if (stored != before.tensors.end()) return {{*stored, {}, kept}};
    const auto remade = std::find_if(before.remade.begin(), before.remade.end(), named);
    HEED_CHECK(remade != before.remade.end(), "{} was no part of the run before", name);
    const JoinedRows* joined = remade->make.target<JoinedRows>();
    if (joined == nullptr) return {{nullptr, remade->make, kept}};
    std::vector<RowBlock> blocks;
    for (const RowBlock& block : joined->blocks) {
        if (kept == 0) break;
        blocks.push_back(block);
        blocks.back().rows = std::min(block.rows, kept);
        kept -= blocks.back().rows;
    }
    return blocks;
}

/// Rows before the first one that either list has and the other has not.
template <class Cells, class RowOf>
Index first_difference(const Cells& a, const Cells& b, Index rows, RowOf row_of) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (in_a != a.end()) rows = std::min(rows, row_of(*in_a));
    if (in_b != b.end()) rows = std::min(rows, row_of(*in_b));
    return rows;
}

Index rows_of_head(const trace::HeadSettings& then, const trace::HeadSettings& now, Index rows,
                   bool causal) {
    if (causal && (!now.mask->causal || now.mask->only_last)) return 0;
    if (now.dropout > 0) return 0;
    // An edited weight may stand where no mask lets anything through.
    for (const auto* edits : {&then.edits, &now.edits}) {
        if (!edits->empty()) rows = std::min(rows, edits->front().query);
    }
    if (then == now) return rows;
    rows = first_difference(then.mask->painted, now.mask->painted, rows,
                            [](const auto& cell) { return cell.first; });
    const auto bare = [](trace::HeadSettings settings) {
        nn::Mask mask = *settings.mask;
        mask.painted.clear();
        settings.mask = std::move(mask);
        settings.edits.clear();
        return settings;
    };
    return bare(then) == bare(now) ? rows : 0;
}

} // namespace

bool same_heads(const trace::Attention& then, const std::vector<trace::Head>& now,
                Index valid_keys) {
    return then.valid_keys == valid_keys &&
           std::equal(now.begin(), now.end(), then.heads.begin(), then.heads.end(),
                      [](const auto& a, const auto& b) { return a.settings == b.settings; });
}

Index rows_kept(const trace::Attention& then, const std::vector<trace::Head>& now, Index rows,
                bool causal) {
    if (causal) rows = std::min(rows, then.valid_keys);
    for (std::size_t h = 0; h < now.size() && rows > 0; ++h) {
        rows = rows_of_head(then.heads[h].settings, now[h].settings, rows, causal);
    }
    return rows;
}

trace::Layer with_kept_rows(num::ThreadPool& pool, trace::Layer made, const trace::Layer& before,
                            Index kept) {
    const Index rows = made.tensors.back()->values.rows();
    trace::Layer layer{made.name, {}, std::move(made.attentions)};
    const auto add = [&](const std::string& name, RowBlock own, trace::Axis axis) {
        JoinedRows all{kept_blocks(before, name, kept)};
        all.blocks.push_back(std::move(own));
        layer.remade.push_back({name, std::move(all), axis});
    };
    for (auto& remade : made.remade) add(remade.name, {nullptr, remade.make, rows}, remade.rows);
    const auto last = std::move(made.tensors.back());
    made.tensors.pop_back();
    for (auto& tensor : made.tensors) add(tensor->name, {tensor, {}, rows}, tensor->rows);
    const auto& above = before.tensors.back()->values;
    layer.tensors.push_back(with_values(*last, above.continued(pool, kept, rows), last->values));
    return layer;
}

trace::Layer that_grows(trace::Layer layer) {
    const auto& values = layer.tensors.back()->values;
    auto grows = num::SharedRows<float>::unfilled(values.rows(), values.cols(), true);
    layer.tensors.back() = with_values(*layer.tensors.back(), std::move(grows), values);
    return layer;
}

} // namespace heed::models
