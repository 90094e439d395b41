#include "models/transformer/classes.hpp"

#include "models/model/record.hpp"
#include "models/transformer/embedded.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::models {

namespace {

Matrix<float> pooled(const ModelSpec& spec, const Matrix<float>& x) {
    if (spec.pooling == Pooling::mean) return x.colwise().mean();
    if (spec.pooling == Pooling::first) return x.row(0);
    Matrix<float> all = Matrix<float>::Zero(1, pooled_width(spec));
    const Index numbers = std::min(all.cols(), x.size());
    all.leftCols(numbers) = Eigen::Map<const RowVector<float>>(x.data(), numbers);
    return all;
}

} // namespace

void record_classes(num::ThreadPool& pool, const Transformer::Parameters& p, const Matrix<float>& x,
                    const nn::DropoutSettings& dropout, trace::Layer& layer) {
    const ClassifierHead& head = p.head;
    Matrix<float> read = pooled(p.config, x);
    Matrix<float> dense(p.config.dense > 0, p.config.dense), logits(1, std::ssize(head.classes));
    if (dense.size() > 0) {
        num::linear<float>(pool, num::view(std::as_const(read)), head.dense,
                           {numbers(head.dense_bias), num::Epilogue::relu}, num::view(dense));
        nn::apply(nn::Dropout(dropout, "dense.dropout"), dense);
    }
    const Matrix<float>& last = dense.size() > 0 ? dense : read;
    const Index width = head.output.in();
    num::linear<float>(pool, num::view(last, 0, 0, 1, width), head.output,
                       {numbers(head.output_bias)}, num::view(logits));
    if (p.config.pooling == Pooling::leading) { // Touvron et al. 2021, section 3
        Matrix<float> distilled(1, logits.cols());
        num::linear<float>(pool, num::view(last, 0, width, 1, width), head.distilled,
                           {numbers(head.distilled_bias)}, num::view(distilled));
        logits = (logits + distilled) / 2;
    }
    Matrix<float> probabilities = num::softmax<float>(logits.row(0));
    constexpr trace::Axis kRows = trace::Axis::target_tokens;
    record(layer, "pooled", std::move(read), kRows);
    record(layer, "dense", std::move(dense), kRows);
    record(layer, "class_probabilities", std::move(probabilities), kRows);
    record(layer, "class_logits", std::move(logits), kRows);
}

} // namespace heed::models
