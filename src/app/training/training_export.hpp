// Exports of the Train room, as files.
#pragma once

#include "app/training/training_room.hpp"
#include "app/views/export.hpp"

#include <string>

namespace heed::app {

/// The part of the room: its pictures, the film as one sheet, or as pictures one after another.
enum class TrainingPart { room, film, gif, animation };
/// True where it is pictures that follow one another.
constexpr bool moves(TrainingPart part) {
    return part == TrainingPart::gif || part == TrainingPart::animation;
}
/// Frames of what moves: their size in points, and for how many seconds each stands.
struct FilmPace {
    float width = 560, height = 520;
    double each = 0.6, last = 2.5;
};
inline constexpr FilmPace kFilmPace;
/// Parts as names of files have them.
template <> std::span<const Named<TrainingPart>> names();

struct TrainingExport {
    std::string path;
    TrainingPart part = TrainingPart::room;
    TrainingView view;
    bool dark = true;
    ExportOptions options; // the size is the room's on the screen
};

/// True of a path that ends in .gif, in any case.
bool is_gif(const std::string& path);

/// The figure that a picture file would hold; of a film the frame that the view shows. Requires an
/// experiment, and a film with frames for all but the room.
figure::Figure training_picture(const ExperimentSnapshot& snapshot, const TrainingExport& wish);

/// PNG, SVG and PDF of the room or the film; of an animation a PNG or, whatever the part, a path
/// that ends in .gif; CSV and NPY are numbers: the curves of the chosen model, the alignment that
/// is shown.
/// Errors: as export_to; unsupported for an animation that is neither PNG nor GIF; not_found
/// without an experiment or an alignment.
base::Result<void> export_training(const ExperimentSnapshot& snapshot, const TrainingExport& wish);

} // namespace heed::app
