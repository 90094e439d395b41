#include "train/data/alignment.hpp"

#include "models/model/sides.hpp"

namespace heed::train {

num::Rect aligning_part(const models::Run& run, const trace::AttentionMap& map) {
    const num::Index rows = map.rows(trace::Stage::weights), cols = map.cols(trace::Stage::weights);
    const num::Index source = models::leading_source(run);
    return {source, 0, rows - source, run.model->traits().encodes ? cols : source};
}

} // namespace heed::train
