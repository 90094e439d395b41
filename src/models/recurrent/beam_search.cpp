#include "models/recurrent/beam_search.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace heed::models {

namespace {

using text::Vocabulary;

Matrix<float> picked(const Matrix<float>& rows, std::span<const Index> wanted) {
    if (rows.size() == 0) return rows;
    return rows_of(rows, wanted);
}

DecoderState picked(const DecoderState& state, std::span<const Index> rows) {
    DecoderState out;
    for (const auto& layer : state.layers) {
        out.layers.push_back({picked(layer.h, rows), picked(layer.c, rows)});
    }
    out.context = picked(state.context, rows);
    return out;
}

class Search {
  public:
    Search(const Decoder& decoder, const Vocabulary& vocabulary, const BeamOptions& options)
        : decoder_(decoder), vocabulary_(vocabulary), options_(options) {
        HEED_CHECK(options.width > 0, "a beam of width {}", options.width);
        beam_.width = options.width;
    }

    trace::Beam run(const DecoderState& start) {
        alive_ = {{-1, 0, 0}};
        state_ = start;
        for (int step = 0; step < options_.limit && !alive_.empty(); ++step) {
            if (options_.stop.stop_requested()) break;
            extend(step);
        }
        for (const Kept& kept : alive_) ended_.push_back(kept);
        std::stable_sort(ended_.begin(), ended_.end(),
                         [](const Kept& a, const Kept& b) { return a.total > b.total; });
        for (const Kept& kept : ended_) beam_.hypotheses.push_back(kept.node);
        return std::move(beam_);
    }

  private:
    struct Kept {
        int node;  // −1: nothing was said yet
        Index row; // of state_, where it goes on
        float total;
    };
    struct Candidate {
        std::size_t of;                  // alive_, or ended_ where there is no word to say
        std::optional<std::size_t> word; // nothing comes before every word
        float log_probability, total;
    };

    void extend(int step) {
        std::vector<Index> said;
        for (const Kept& kept : alive_) {
            said.push_back(
                kept.node < 0
                    ? static_cast<Index>(Vocabulary::kStart)
                    : static_cast<Index>(beam_.nodes[static_cast<std::size_t>(kept.node)].row));
        }
        const DecoderStep made = decoder_.step(state_, said, step);
        const auto chosen = best(decoder_.log_probabilities(made.output), step);

        std::vector<Kept> alive, ended;
        std::vector<Index> rows;
        for (const Candidate& c : chosen) {
            if (!c.word) {
                ended.push_back(ended_[c.of]);
                continue;
            }
            const bool ends = *c.word == Vocabulary::kEnd;
            beam_.nodes.push_back({alive_[c.of].node, step, vocabulary_.word(*c.word), *c.word,
                                   c.log_probability, c.total, ends});
            const int node = static_cast<int>(beam_.nodes.size()) - 1;
            (ends ? ended : alive).push_back({node, static_cast<Index>(rows.size()), c.total});
            if (!ends) rows.push_back(static_cast<Index>(c.of));
        }
        alive_ = std::move(alive);
        ended_ = std::move(ended);
        state_ = picked(made.state(), rows);
    }

    /// The hypotheses that are kept of all that could follow.
    std::vector<Candidate> best(const Matrix<float>& log_probabilities, int step) const {
        std::vector<Candidate> all;
        for (std::size_t i = 0; i < ended_.size(); ++i) {
            all.push_back({i, {}, 0, ended_[i].total});
        }
        const bool forced = static_cast<std::size_t>(step) < options_.prefix.size();
        for (std::size_t i = 0; i < alive_.size(); ++i) {
            const auto add = [&](std::size_t word) {
                const float p = log_probabilities(static_cast<Index>(i), static_cast<Index>(word));
                all.push_back({i, word, p, alive_[i].total + p});
            };
            if (forced) {
                add(static_cast<std::size_t>(options_.prefix[static_cast<std::size_t>(step)]));
                continue;
            }
            for (std::size_t word = Vocabulary::kEnd; word < vocabulary_.size(); ++word) {
                if (vocabulary_.can_be_said(word)) add(word);
            }
        }
        const auto kept = std::min(all.size(), static_cast<std::size_t>(options_.width));
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                          [](const Candidate& a, const Candidate& b) {
                              return std::tuple(-a.total, a.of, a.word) <
                                     std::tuple(-b.total, b.of, b.word);
                          });
        all.resize(kept);
        return all;
    }

    const Decoder& decoder_;
    const Vocabulary& vocabulary_;
    const BeamOptions& options_;
    trace::Beam beam_;
    std::vector<Kept> alive_, ended_;
    DecoderState state_;
};

} // namespace

trace::Beam beam_search(const Decoder& decoder, const DecoderState& start,
                        const text::Vocabulary& vocabulary, const BeamOptions& options) {
    return Search(decoder, vocabulary, options).run(start);
}

} // namespace heed::models
