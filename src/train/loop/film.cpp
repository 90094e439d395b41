#include "train/loop/film.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::train {

namespace {

/// Loss when the frame between two others goes.
double worth(const Film& film, std::size_t i) {
    return std::min(change(film[i - 1], film[i]), change(film[i], film[i + 1]));
}

void drop_least(Film& film) {
    std::size_t least = 1;
    for (std::size_t i = 2; i + 1 < film.size(); ++i) {
        if (worth(film, i) < worth(film, least)) least = i;
    }
    film.erase(film.begin() + static_cast<std::ptrdiff_t>(least));
}

} // namespace

double change(const FilmFrame& a, const FilmFrame& b) {
    if (!a.weights && !b.weights) return std::abs(a.accuracy - b.accuracy);
    const bool same = a.weights && b.weights && a.weights->rows() == b.weights->rows() &&
                      a.weights->cols() == b.weights->cols() && a.weights->rows() > 0;
    if (!same) return 1;
    const double elsewhere = (*a.weights - *b.weights).cwiseAbs().sum() / 2;
    return elsewhere / static_cast<double>(a.weights->rows());
}

void keep(Film& film, FilmFrame frame, bool at_any_rate) {
    const bool shows = film.empty() || change(film.back(), frame) >= kLeastChange;
    if (!shows && !at_any_rate) return;
    film.push_back(std::move(frame));
    while (film.size() > kMostFrames) drop_least(film);
}

const FilmFrame* frame_at(const Film& film, std::uint64_t step) {
    const FilmFrame* shown = nullptr;
    for (const FilmFrame& frame : film) {
        if (frame.step <= step) shown = &frame;
    }
    return shown;
}

} // namespace heed::train
