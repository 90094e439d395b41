// What a run's model knows of order, as one matrix to look at.
#pragma once

#include "figure/plots.hpp"
#include "models/transformer.hpp"

namespace heed::app {

/// Sinusoidal and learned: positions × d_model, what joins the embedding. Rotary: positions × d_k,
/// the cosine and sine that turn each pair of features. ALiBi and relative: query × key, what this
/// head adds to its scaled scores. None: zeros.
figure::PositionsData model_positions(const models::Run& run, const trace::HeadId& head);

} // namespace heed::app
