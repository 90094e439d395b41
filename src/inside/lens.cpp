#include "inside/lens.hpp"

#include "models/recurrent/readout_parts.hpp"
#include "num/product.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

// The first few soon; then as many as make it worth to pack the vocabulary for them.
constexpr std::size_t kFirstCells = 16, kCellsAtOnce = 96;

std::vector<LensWord> likeliest_words(std::span<const float> logits, std::size_t most, float max,
                                      float sum) {
    std::vector<Index> rows(std::min(most, logits.size()));
    const auto first = [&](Index a, Index b) {
        const float x = logits[static_cast<std::size_t>(a)];
        const float y = logits[static_cast<std::size_t>(b)];
        return x > y || (x == y && a < b);
    };
    std::vector<Index> found; // at most `most`, sorted
    for (Index row = 0; row < std::ssize(logits); ++row) {
        if (found.size() == rows.size() && !first(row, found.back())) continue;
        if (found.size() == rows.size()) found.pop_back();
        found.insert(std::lower_bound(found.begin(), found.end(), row, first), row);
    }
    std::vector<LensWord> words;
    for (const Index row : found) {
        const float z = logits[static_cast<std::size_t>(row)];
        words.push_back({row, std::exp(z - max) / sum});
    }
    return words;
}

LensCell cell_of(const LensPlace& place, std::span<const float> logits,
                 const LensOptions& options) {
    LensCell cell{place, {}, 0, 0, 0, 0};
    std::vector<float> p(logits.begin(), logits.end());
    const auto [max, sum] = num::exp_row(p);
    cell.likeliest = likeliest_words(logits, options.likeliest, max, sum);
    double mean = 0; // of the logits, less their largest
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p[i] > 0) mean += static_cast<double>(p[i]) * static_cast<double>(logits[i] - max);
    }
    const double total = static_cast<double>(sum);
    cell.entropy_bits = static_cast<float>((std::log(total) - mean / total) / std::log(2.0));
    if (!options.word && cell.likeliest.empty()) return cell;
    const auto word = static_cast<std::size_t>(
        options.word.value_or(cell.likeliest.empty() ? 0 : cell.likeliest.front().word));
    cell.logit = logits[word];
    cell.probability = p[word] / sum;
    cell.rank =
        std::count_if(logits.begin(), logits.end(), [&](float z) { return z > cell.logit; });
    return cell;
}

base::Result<void> check_word(const std::optional<Index>& word, const models::Run& run) {
    const Index words = run.model->vocabulary_size();
    if (!word || (*word >= 0 && *word < words)) return {};
    return fail(ErrorKind::out_of_range, "word",
                fmt::format("is {}; allowed are 0 to {}", *word, words - 1));
}

base::Result<void> check_places(const std::vector<LensPlace>& places, const Readout& readout,
                                const models::Run& run) {
    const Index tokens = askable_tokens(run, readout);
    const int first = readout.recurrent ? 0 : -1;
    for (const LensPlace& at : places) {
        const bool there =
            at.layer >= first && at.layer < readout.layers && at.token >= 0 && at.token < tokens;
        if (there) continue;
        return fail(ErrorKind::out_of_range, "lens",
                    fmt::format("names layer {} and token {}; the model has {} layers, the "
                                "sentence {} tokens",
                                at.layer, at.token, readout.layers, tokens));
    }
    return {};
}

/// States that the vocabulary reads of these places, a row each.
Matrix<float> read_states(const models::Run& run, const Readout& readout,
                          std::span<const LensPlace> places, num::ThreadPool& pool) {
    std::map<int, Matrix<float>> parts;
    const auto row_of = [&](const LensPlace& at) -> num::RowVector<float> {
        if (!readout.recurrent) return residual_after(run, readout.stack, at.layer).row(at.token);
        auto& part = parts[at.layer];
        if (part.size() == 0) {
            part = models::part_output(pool, run, static_cast<std::size_t>(at.layer));
        }
        return part.row(at.token);
    };
    Matrix<float> states;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const num::RowVector<float> row = row_of(places[i]);
        if (i == 0) states.resize(std::ssize(places), row.size());
        states.row(static_cast<Index>(i)) = row;
    }
    return readout.recurrent ? states : normed_states(readout, states, pool);
}

} // namespace

base::Result<std::vector<LensCell>> logit_lens(const models::Run& run,
                                               const std::vector<LensPlace>& places,
                                               num::ThreadPool& pool, const LensOptions& options) {
    const auto readout = any_readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (readout->classes) {
        return fail(ErrorKind::mismatch, "model",
                    "predicts one class of a sentence; the logit lens reads words at tokens");
    }
    if (auto ok = check_places(places, *readout, run); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check_word(options.word, run); !ok) return tl::make_unexpected(ok.error());
    std::vector<LensCell> all;
    for (std::size_t begin = 0; begin < places.size(); begin = all.size()) {
        if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "lens", "stopped");
        const std::size_t n =
            std::min(begin == 0 ? kFirstCells : kCellsAtOnce, places.size() - begin);
        const std::span<const LensPlace> next(places.data() + begin, n);
        const Matrix<float> logits =
            word_logits(*readout, read_states(run, *readout, next, pool), pool);
        std::vector<LensCell> cells(n);
        pool.for_each(static_cast<Index>(n), [&](Index i) {
            const auto at = static_cast<std::size_t>(i);
            cells[at] = cell_of(places[begin + at], num::row_span(logits, i), options);
        });
        if (options.told) options.told(cells);
        all.insert(all.end(), std::make_move_iterator(cells.begin()),
                   std::make_move_iterator(cells.end()));
    }
    return all;
}

std::vector<LensPlace> lens_places(const Readout& readout, Index first, Index tokens) {
    std::vector<LensPlace> places;
    for (Index token = first + tokens - 1; token >= first; --token) {
        for (int layer = readout.layers - 1; layer >= 0; --layer) places.push_back({layer, token});
    }
    return places;
}

} // namespace heed::inside
