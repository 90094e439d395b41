#include "models/prediction.hpp"

#include "models/parameters.hpp"
#include "nn/row_blocks.hpp"
#include "num/softmax.hpp"

namespace heed::models {

num::RowVector<float> next_token_probabilities(const Run& run, num::Team& team) {
    const auto output = run.trace.tensor("decoder_output");
    const auto self = run.trace.attention(trace::AttentionKind::decoder_self, 0);
    if (!output || !self || self->valid_keys <= 0) return {};
    const Matrix<float>& rows = run.model->parameters().output;
    const num::RowVector<float> x = output->values.row(self->valid_keys - 1);
    num::RowVector<float> logits(rows.rows());
    nn::for_row_blocks(team, rows.rows(), rows.cols(), [&](num::Index begin, num::Index end) {
        logits.segment(begin, end - begin).noalias() =
            x * rows.middleRows(begin, end - begin).transpose();
    });
    return num::softmax<float>(logits);
}

} // namespace heed::models
