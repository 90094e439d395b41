#include "train/nets/parameters.hpp"

#include "train/nets/pieces.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace heed::train {

namespace {

double sum_of_squares(std::span<const float> numbers) {
    // Sixteen sums, because each addition waits for the one before it, and a float adds up only so
    // many numbers without losing digits.
    constexpr std::size_t kSums = 16, kRun = 2048;
    double total = 0;
    for (std::size_t begin = 0; begin < numbers.size(); begin += kRun) {
        const auto run = numbers.subspan(begin, std::min(kRun, numbers.size() - begin));
        float sums[kSums] = {};
        std::size_t i = 0;
        for (; i + kSums <= run.size(); i += kSums) {
            for (std::size_t s = 0; s < kSums; ++s) sums[s] += run[i + s] * run[i + s];
        }
        for (; i < run.size(); ++i) sums[0] += run[i] * run[i];
        for (const float sum : sums) total += static_cast<double>(sum);
    }
    return total;
}

bool is_number(const std::string& part) {
    return !part.empty() &&
           std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c); });
}

} // namespace

std::size_t count(std::span<const Parameter> parameters) {
    std::size_t numbers = 0;
    for (const Parameter& p : parameters) numbers += p.values.size();
    return numbers;
}

std::string layer_of(const std::string& name) {
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        if (is_number(name.substr(begin, end - begin))) return name.substr(0, end);
        begin = end + 1;
    }
    return name.substr(0, name.rfind('.'));
}

GradientNorms gradient_norms(num::ThreadPool& pool, std::span<const Parameter> parameters) {
    const std::vector<Piece> pieces = pieces_of(parameters);
    std::vector<double> squares(pieces.size());
    for_each_piece(pool, pieces, [&](std::size_t i) {
        const Piece& piece = pieces[i];
        squares[i] =
            sum_of_squares(parameters[piece.parameter].gradients.subspan(piece.begin, piece.size));
    });

    GradientNorms norms;
    std::vector<double> by_parameter(parameters.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) by_parameter[pieces[i].parameter] += squares[i];
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const std::string layer = layer_of(parameters[p].name);
        auto known = std::find_if(norms.layers.begin(), norms.layers.end(),
                                  [&](const LayerGradient& l) { return l.layer == layer; });
        if (known == norms.layers.end()) known = norms.layers.insert(known, {layer, 0});
        known->norm += by_parameter[p];
        norms.total += by_parameter[p];
    }
    for (LayerGradient& layer : norms.layers) layer.norm = std::sqrt(layer.norm);
    norms.total = std::sqrt(norms.total);
    return norms;
}

float clip_factor(double norm, double max_norm) {
    if (max_norm == 0) return 1;
    return static_cast<float>(std::min(1.0, max_norm / (norm + 1e-6)));
}

} // namespace heed::train
