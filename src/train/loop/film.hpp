// The film of a training: how one sentence was aligned at the moments when that changed most.
#pragma once

#include "models/model/model.hpp"
#include "num/matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heed::train {

/// The alignment of one sentence when the model was so old.
struct FilmFrame {
    std::uint64_t step = 0;
    std::shared_ptr<const models::Model> model;
    std::size_t pair = 0;                              // of the dataset's held-out ones
    std::optional<trace::HeadId> head;                 // whose weights; none: a mean
    std::shared_ptr<const num::Matrix<float>> weights; // target words and ⟨end⟩ × source words
    double accuracy = 0; // of its words, held out: what is compared where nothing attends
};
using Film = std::vector<FilmFrame>;

/// Distance of two frames, 0 to 1: the share of a row's weights that lies elsewhere (½ Σ|a − b|),
/// the mean over rows; without weights, by how much the accuracy differs. 1 where they are not of
/// the same sentence.
double change(const FilmFrame& a, const FilmFrame& b);

/// More frames are never kept, so that a long training has a short film.
inline constexpr std::size_t kMostFrames = 20;
/// A frame that differs by less from the one before it is not kept.
inline constexpr double kLeastChange = 0.02;

/// Adds a later frame where it shows something new, or where it has to be there (`at_any_rate`).
/// Of too many the one goes whose removal loses least, because it is nearest to a neighbour; never
/// the first or the last.
void keep(Film& film, FilmFrame frame, bool at_any_rate = false);

/// The frame that shows this step: the last one up to it. Null before the first.
const FilmFrame* frame_at(const Film& film, std::uint64_t step);

} // namespace heed::train
