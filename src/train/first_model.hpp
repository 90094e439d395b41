// A model before its first step.
#pragma once

#include "models/model.hpp"
#include "text/vocabulary.hpp"
#include "train/data_file.hpp"

#include <memory>

namespace heed::train {

/// Draws from the configuration's seed that train well, unlike those that models::draw_model makes
/// for pictures: linear maps after Glorot and Bengio 2010 (equation 16), embeddings that are of
/// variance 1 where a network reads them, recurrent weights within 1/√hidden as torch's, biases 0.
/// A transformer's vocabulary becomes the given one, and it speaks. Embeddings of words that
/// `vectors` has are these, where a network reads them. Errors: those of models::check; mismatch
/// where vectors have another width.
base::Result<std::shared_ptr<const models::Model>>
first_model(models::Config config, const text::Vocabulary& vocabulary,
            const models::Schooling& schooling, num::Team& team,
            const WordVectors* vectors = nullptr);

} // namespace heed::train
