#include "models/transformer/speaking.hpp"

#include "models/model/likeliest.hpp"
#include "models/model/sampling.hpp"
#include "models/model/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::models {

namespace {

using num::Index;
using num::RowVector;
using text::Token;

bool has(const std::vector<int>& rows, Index row) {
    return std::find(rows.begin(), rows.end(), static_cast<int>(row)) != rows.end();
}

/// The words that may be said at a place, and what they are called.
class Speech {
  public:
    explicit Speech(const Run& run)
        : model_(*run.model), ids_(model_.text_to_ids()), source_(run.input.source),
          given_(target_of(run)) {
        limit_ = most_words(*spec_of(model_.config()), run.input);
        limit_ = limit_ > given_.size() ? limit_ - given_.size() : 0;
    }

    const std::vector<Token>& given() const { return given_; }
    std::size_t limit() const { return limit_; } // tokens that are said at most
    /// True where the text ends at its limit by force.
    bool must_end(std::size_t said) const {
        return said + 1 == limit_ && ids_ && ids_->generation.last;
    }
    float length_penalty() const { return ids_ ? ids_->generation.length_penalty : 0; }
    bool early_stopping() const { return ids_ && ids_->generation.early_stopping; }
    std::size_t n_ends() const { return ids_ ? ids_->generation.ends.size() : 1; }

    bool ends(Index row) const {
        return ids_ ? has(ids_->generation.ends, row)
                    : row == static_cast<Index>(text::Vocabulary::kEnd);
    }
    Token token(Index row) const {
        const std::size_t end = given_.empty() ? 0 : given_.back().end;
        std::string word = model_.vocabulary_word(row);
        if (word.empty()) word = fmt::format("{}", row);
        return {std::move(word), end, end, true, ids_ ? static_cast<int>(row) : -1};
    }
    /// Probabilities behind the target, 0 where a token may not be said.
    void restrict(RowVector<float>& p, const std::vector<Token>& target) const {
        const std::size_t said = target.size() - given_.size();
        forbid(model_, {model_.traits().encodes ? source_ : given_, target, said}, p);
        if (must_end(said)) say_only(p, *ids_->generation.last);
    }

  private:
    static std::vector<Token> target_of(const Run& run) {
        return decoder_tokens(*spec_of(run.model->config()), run.input);
    }

    const Model& model_;
    const TextToIds* ids_; // null of a model that reads words
    std::vector<Token> source_, given_;
    std::size_t limit_ = 0;
};

/// Runs of one input with other targets, each of which shares all but the decoder with the last.
class Runs {
  public:
    Runs(const Run& run, num::ThreadPool& pool, const RunOptions& options, const RunGiven& given)
        : run_{run.model, run.input, run.controls, {}, 0},
          pool_(pool), options_{options.stop, options.previous, nullptr}, given_(given) {}

    base::Result<RowVector<float>> after(const std::vector<Token>& target) {
        run_.input.target = target;
        run_.trace = {};
        if (auto ok = given_(run_, options_); !ok) return tl::make_unexpected(ok.error());
        options_.previous = std::make_shared<Run>(run_);
        return run_.model->next_token_probabilities(run_, pool_);
    }
    trace::Trace& trace() { return run_.trace; }

  private:
    Run run_;
    num::ThreadPool& pool_;
    RunOptions options_;
    const RunGiven& given_;
};

base::Result<void> say_one_by_one(const Speech& speech, const Sampling& sampling, Runs& runs) {
    std::vector<Token> target = speech.given();
    for (std::size_t said = 0;; ++said) {
        auto p = runs.after(target);
        if (!p) return tl::make_unexpected(p.error());
        speech.restrict(*p, target);
        const Index row = drawn(*p, sampling, target.size());
        const bool ends = speech.ends(row);
        runs.trace().stopped_at_limit = ends ? speech.must_end(said) : said >= speech.limit();
        if (ends || runs.trace().stopped_at_limit) return {};
        target.push_back(speech.token(row));
    }
}

class BeamOfTexts {
  public:
    BeamOfTexts(const Speech& speech, const Decoding& how, Runs& runs)
        : speech_(speech), width_(static_cast<std::size_t>(how.beam_width)), runs_(runs) {
        beam_.width = how.beam_width;
        beam_.length_penalty = speech.length_penalty();
    }

    base::Result<trace::Beam> search() {
        going_ = {{-1, 0, speech_.given()}};
        bool improves = true;
        for (std::size_t said = 0; said < speech_.limit() && improves && !going_.empty(); ++said) {
            const auto candidates = best();
            if (!candidates) return tl::make_unexpected(candidates.error());
            take(*candidates, said);
            improves = can_improve(said + 1);
        }
        // Where nothing was to be said at all, or no hypothesis that goes on was left.
        for (const Going& going : ended_.empty() ? going_ : std::vector<Going>()) {
            ended_.push_back({going.node, going.total});
        }
        for (const Ended& ended : ended_) beam_.hypotheses.push_back(ended.node);
        return std::move(beam_);
    }

  private:
    struct Going {
        int node; // −1: nothing was said yet
        float total;
        std::vector<Token> target;
    };
    struct Ended {
        int node;
        float score;
    };
    struct Candidate {
        std::size_t of; // going_
        Index row;
        float log_probability, total;
    };

    float score(float total, std::size_t length) const {
        return total / std::pow(static_cast<float>(length), speech_.length_penalty());
    }

    /// Candidates, so many that as many as the beam is wide go on, should all others end.
    base::Result<std::vector<Candidate>> best() {
        std::vector<Candidate> all;
        for (std::size_t i = 0; i < going_.size(); ++i) {
            auto p = runs_.after(going_[i].target);
            if (!p) return tl::make_unexpected(p.error());
            speech_.restrict(*p, going_[i].target);
            for (Index row = 0; row < p->size(); ++row) {
                if ((*p)(row) <= 0) continue;
                const float log_p = std::log((*p)(row));
                all.push_back({i, row, log_p, going_[i].total + log_p});
            }
        }
        const std::size_t wanted = std::max<std::size_t>(2, 1 + speech_.n_ends()) * width_;
        const auto kept = static_cast<std::ptrdiff_t>(std::min(all.size(), wanted));
        std::partial_sort(all.begin(), all.begin() + kept, all.end(),
                          [](const Candidate& a, const Candidate& b) {
                              if (a.total != b.total) return a.total > b.total;
                              return a.of != b.of ? a.of < b.of : a.row < b.row;
                          });
        all.resize(static_cast<std::size_t>(kept));
        return all;
    }

    void take(const std::vector<Candidate>& candidates, std::size_t said) {
        const bool full = speech_.early_stopping() && ended_.size() == width_;
        const bool last = said + 1 >= speech_.limit();
        std::vector<Going> going;
        for (std::size_t rank = 0; rank < candidates.size(); ++rank) {
            const Candidate& c = candidates[rank];
            const bool ends = speech_.ends(c.row);
            const bool counts = rank < width_ && !full && (ends || last);
            const bool goes_on = !ends && !last && going.size() < width_;
            if (!counts && !goes_on) continue;
            const Token token = speech_.token(c.row);
            beam_.nodes.push_back({going_[c.of].node, static_cast<int>(said), token.text,
                                   static_cast<std::size_t>(c.row), c.log_probability, c.total,
                                   ends});
            const int node = static_cast<int>(beam_.nodes.size()) - 1;
            if (counts) ended_.push_back({node, score(c.total, said + 1)});
            if (!goes_on) continue;
            going.push_back({node, c.total, going_[c.of].target});
            going.back().target.push_back(token);
        }
        std::stable_sort(ended_.begin(), ended_.end(),
                         [](const Ended& a, const Ended& b) { return a.score > b.score; });
        if (ended_.size() > width_) ended_.resize(width_);
        going_ = std::move(going);
    }

    /// True where a hypothesis that goes on could still displace one that ended.
    bool can_improve(std::size_t said) const {
        if (ended_.size() < width_) return true;
        if (speech_.early_stopping() || going_.empty()) return false;
        return score(going_.front().total, said) > ended_.back().score;
    }

    const Speech& speech_;
    std::size_t width_;
    Runs& runs_;
    trace::Beam beam_;
    std::vector<Going> going_;
    std::vector<Ended> ended_; // the best first
};

base::Result<void> say_by_beam(const Speech& speech, const Decoding& how, Runs& runs) {
    auto beam = BeamOfTexts(speech, how, runs).search();
    if (!beam) return tl::make_unexpected(beam.error());
    const int last = static_cast<int>(beam->hypotheses.size()) - 1;
    beam->followed = std::clamp(how.followed, 0, std::max(last, 0));
    std::vector<Token> target = speech.given();
    bool ended = false;
    if (last >= 0) {
        for (const int node : beam->path(beam->followed)) {
            const trace::BeamNode& said = beam->nodes[static_cast<std::size_t>(node)];
            ended = said.ended;
            if (!ended) target.push_back(speech.token(static_cast<Index>(said.row)));
        }
    }
    const auto p = runs.after(target);
    if (!p) return tl::make_unexpected(p.error());
    runs.trace().stopped_at_limit = !ended;
    runs.trace().beam = std::make_shared<const trace::Beam>(*std::move(beam));
    return {};
}

} // namespace

base::Result<void> speak(Run& run, num::ThreadPool& pool, const RunOptions& options,
                         const RunGiven& run_given) {
    const Speech speech(run);
    Runs runs(run, pool, options, run_given);
    const Decoding& how = run.input.decoding;
    auto ok = how.rule == Decoding::Rule::beam ? say_by_beam(speech, how, runs)
                                               : say_one_by_one(speech, how.sampling, runs);
    if (ok) run.trace = std::move(runs.trace());
    return ok;
}

} // namespace heed::models
