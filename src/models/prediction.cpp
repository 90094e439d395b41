#include "models/prediction.hpp"

#include "models/parameters.hpp"
#include "num/softmax.hpp"

namespace heed::models {

num::RowVector<float> next_token_probabilities(const Run& run) {
    const auto output = run.trace.tensor("decoder_output");
    const auto self = run.trace.attention(trace::AttentionKind::decoder_self, 0);
    if (!output || !self || self->valid_keys <= 0) return {};
    const Matrix<float>& rows = run.model->parameters().output;
    return num::softmax<float>(output->values.row(self->valid_keys - 1) * rows.transpose());
}

} // namespace heed::models
