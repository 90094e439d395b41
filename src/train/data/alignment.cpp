#include "train/data/alignment.hpp"

#include "models/model/sides.hpp"

namespace heed::train {

num::Rect aligning_part(const models::Run& run, const trace::AttentionMap& map) {
    const num::Index rows = map.rows(trace::Stage::weights), cols = map.cols(trace::Stage::weights);
    const num::Index source = models::leading_source(run);
    const num::Index first = models::first_saying_row(run);
    return {first, 0, rows - first, run.model->traits().encodes ? cols : source};
}

} // namespace heed::train
