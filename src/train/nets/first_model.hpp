// A model before its first step.
#pragma once

#include "models/model/model.hpp"
#include "train/data/data_file.hpp"
#include "train/data/dataset.hpp"

#include <memory>

namespace heed::train {

/// Draws from the configuration's seed that train well, unlike those that models::draw_model makes
/// for pictures: linear maps after Glorot and Bengio 2010 (equation 16), embeddings that are of
/// variance 1 where a network reads them, recurrent weights within 1/√hidden as torch's, biases 0.
/// Its words and classes become those of the dataset, and a transformer speaks. Embeddings of words
/// that `vectors` has are these, where a network reads them. Errors: those of models::check;
/// mismatch where vectors have another width, or for a classifier where the dataset has no classes.
base::Result<std::shared_ptr<const models::Model>>
first_model(models::Config config, const Dataset& dataset, num::ThreadPool& pool,
            const WordVectors* vectors = nullptr);

} // namespace heed::train
