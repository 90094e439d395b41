#include "inside/other_weights.hpp"

#include "num/softmax.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;
using Weights = num::RowVector<double>;
using Square = Matrix<double>;

constexpr double kFree = 0.5;     // of total variation between two rows of weights
constexpr double kProbe = 0.05;   // the share of the way to a key that a replay goes
constexpr int kSteps = 400;       // of one ascent
constexpr Index kMostStarts = 24; // of ascents, and fewer where there are many keys
constexpr Index kStartsByKeys = 3000;
constexpr Index kAnswersHeld = 64;         // whole distributions at once
constexpr int kRounds = 6, kPolishes = 14; // of the bound on the form; of replays around the best
constexpr double kNoDirection = 1e-7;
constexpr Index kMostKeysMoved = 256; // of weights with one context
constexpr std::size_t kMostGivers = 8;
constexpr std::size_t kMostPolished = 12; // replays of a round

constexpr std::array<std::string_view, 4> kVerdictNames = {"one_key", "idle", "free", "held"};

Weights some(const Weights& all, const std::vector<Index>& keys) {
    Weights of(std::ssize(keys));
    for (Index i = 0; i < of.size(); ++i) of(i) = all(keys[static_cast<std::size_t>(i)]);
    return of;
}

/// d divergence / d w of each weight: ½ log2(w / mean).
Weights divergence_slope(const Weights& own, const Weights& w) {
    Weights slope(w.size());
    for (Index i = 0; i < w.size(); ++i) {
        const double least = 1e-12;
        slope(i) = 0.5 * std::log2(std::max(w(i), least) / std::max(0.5 * (own(i) + w(i)), least));
    }
    return slope;
}

/// Orthonormal rows that span what was added.
class Span {
  public:
    explicit Span(Index width) : rows_(0, width) {}
    void add(Weights row) {
        const double size = row.norm();
        if (size == 0) return;
        for (int twice = 0; twice < 2; ++twice) row -= (row * rows_.transpose()) * rows_;
        if (row.norm() < 1e-6 * size) return;
        rows_.conservativeResize(rows_.rows() + 1, Eigen::NoChange);
        rows_.row(rows_.rows() - 1) = row.normalized();
    }
    Weights beside(const Weights& row) const { return row - (row * rows_.transpose()) * rows_; }

  private:
    Square rows_;
};

/// Corner from `own` along `begin` and then along the divergence, beside what `held` spans, until
/// no weight can give. The divergence is convex, so it is largest at such a corner.
Weights corner_of(const Weights& own, Span held, const Weights& begin) {
    Weights w = own, along = begin;
    for (Index step = 0; step < own.size(); ++step) {
        const Weights d = held.beside(along);
        if (d.norm() < kNoDirection * std::max(1.0, along.norm())) break;
        double far = std::numeric_limits<double>::infinity();
        Index stops = 0;
        for (Index i = 0; i < d.size(); ++i) {
            if (d(i) < -1e-12 && w(i) / -d(i) < far) {
                far = w(i) / -d(i);
                stops = i;
            }
        }
        if (!std::isfinite(far)) break;
        w = (w + far * d).cwiseMax(0.0);
        w(stops) = 0;
        held.add(Weights::Unit(own.size(), stops));
        along = divergence_slope(own, w);
    }
    return w / w.sum();
}

/// The farthest corner of weights with one context that begins at a key giving to another; `own`
/// where there is none.
Weights same_context(const Weights& own, const Square& values, const std::stop_token& stop) {
    const Index m = own.size();
    if (m > kMostKeysMoved) return own;
    Span held(m);
    held.add(Weights::Ones(m));
    for (Index c = 0; c < values.cols(); ++c) held.add(values.col(c).transpose());
    for (Index i = 0; i < m; ++i) {
        if (own(i) <= 0) held.add(Weights::Unit(m, i));
    }
    std::vector<Index> order(static_cast<std::size_t>(m));
    std::iota(order.begin(), order.end(), Index(0));
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return own(a) > own(b); });
    order.resize(std::min<std::size_t>(order.size(), kMostGivers));
    Weights best = own;
    double most = 0;
    for (const Index from : order) {
        for (Index to = 0; to < m; ++to) {
            if (to == from || stop.stop_requested()) continue;
            const Weights w = corner_of(own, held, Weights::Unit(m, to) - Weights::Unit(m, from));
            const double divergence = jensen_shannon_bits(own, w);
            if (divergence > most) std::tie(most, best) = std::pair(divergence, w);
        }
    }
    return best;
}

/// Raises the divergence by Adam's ascent over softmax(θ), with a fine where ½ d G dᵀ of the
/// difference d is above `bound`; what is left too far is drawn back.
Weights ascended(const Weights& own, const Square& form, double bound, const Weights& start) {
    Weights theta = start.cwiseMax(1e-6).array().log();
    Weights first = Weights::Zero(own.size()), second = first, w = start;
    for (int step = 1; step <= kSteps; ++step) {
        w = num::softmax<double>(theta);
        const Weights d = w - own, pull = d * form;
        const double excess = 0.5 * pull.dot(d) / bound - 1;
        Weights slope = divergence_slope(own, w);
        if (excess > 0) slope -= (0.5 / bound) * pull;
        const Weights g = w.cwiseProduct((slope.array() - slope.dot(w)).matrix());
        first = 0.9 * first + 0.1 * g;
        second = 0.99 * second + 0.01 * g.cwiseAbs2();
        const double level = std::sqrt(1 - std::pow(0.99, step)) / (1 - std::pow(0.9, step));
        theta.array() += 0.1 * level * first.array() / (second.array().sqrt() + 1e-10);
        theta.array() -= theta.maxCoeff();
        theta = theta.cwiseMax(-30.0);
    }
    const Weights d = w - own;
    const double size = 0.5 * (d * form).dot(d);
    return size > bound ? Weights(own + std::sqrt(bound / size) * d) : w;
}

/// One row of one head: what the answer becomes with other contexts there.
class Row {
  public:
    Row(const std::shared_ptr<const models::Run>& run, const Readout& readout,
        const Question& question, const trace::HeadId& head, Index query, num::ThreadPool& pool)
        : run_(run), readout_(readout), question_(question), head_(head), query_(query),
          pool_(pool) {
        const auto attention = run->trace.attention(head.kind, head.layer);
        const Index d = attention->d_v();
        values_ =
            attention->v.middleCols(attention->layout().kv_head(head.head) * d, d).cast<double>();
        values_ *= static_cast<double>(
            attention->heads[static_cast<std::size_t>(head.head)].settings.gain);
        context_ = attention->context.row(query).segment(head.head * d, d).cast<double>();
    }

    const Square& values() const { return values_; }    // keys × d_v, with the head's gain
    const Weights& context() const { return context_; } // of the run

    /// The logits of each of these contexts. Errors: those of a run.
    base::Result<Matrix<float>> logits(const Square& contexts, const std::stop_token& stop) const {
        Matrix<float> states;
        for (Index i = 0; i < contexts.rows(); ++i) {
            models::Replacement other;
            other.place = models::Replacement::Place::context;
            other.kind = head_.kind;
            other.layer = head_.layer;
            other.head = head_.head;
            other.row = query_;
            other.values = contexts.row(i).cast<float>();
            const auto replay = replayed(run_, {std::move(other)}, pool_, stop);
            if (!replay) return tl::make_unexpected(replay.error());
            const Matrix<float> row = asked_row(**replay, readout_, question_);
            if (i == 0) states.resize(contexts.rows(), row.cols());
            states.row(i) = row;
        }
        return readout_.classes ? states : word_logits(readout_, states, pool_);
    }
    Matrix<float> own_logits() const {
        const Matrix<float> row = asked_row(*run_, readout_, question_);
        return readout_.classes ? row : word_logits(readout_, row, pool_);
    }

  private:
    const std::shared_ptr<const models::Run>& run_;
    const Readout& readout_;
    const Question& question_;
    const trace::HeadId head_;
    const Index query_;
    num::ThreadPool& pool_;
    Square values_;
    Weights context_;
};

Weights distribution(const Matrix<float>& logits, Index row) {
    return num::softmax<double>(Weights(logits.row(row).cast<double>()));
}

/// The search over the keys that the row can see.
class Search {
  public:
    Search(const Row& row, const Weights& own, const std::vector<Index>& keys,
           const OtherWeightsOptions& options)
        : row_(row), options_(options), own_(some(own, keys)) {
        values_.resize(std::ssize(keys), row.values().cols());
        for (Index i = 0; i < values_.rows(); ++i) {
            values_.row(i) = row.values().row(keys[static_cast<std::size_t>(i)]);
        }
        logits_ = row.own_logits();
        p_ = distribution(logits_, 0);
    }

    const Weights& own() const { return own_; }
    const Matrix<float>& own_logits() const { return logits_; }
    Weights of_same_context() const { return same_context(own_, values_, options_.stop); }

    /// Distance of each of these rows' answers from the run's. `logits`: of the last of them.
    base::Result<std::vector<double>> changes(const Square& weights, Matrix<float>* logits) const {
        // Rounding between the run's context and this sum stays out of it.
        const Square contexts = ((weights.rowwise() - own_) * values_).rowwise() + row_.context();
        std::vector<double> far;
        for (Index begin = 0; begin < contexts.rows(); begin += kAnswersHeld) {
            const Index n = std::min(kAnswersHeld, contexts.rows() - begin);
            auto made = row_.logits(contexts.middleRows(begin, n), options_.stop);
            if (!made) return tl::make_unexpected(made.error());
            for (Index i = 0; i < n; ++i) {
                far.push_back(total_variation(p_, distribution(*made, i)));
            }
            if (logits) *logits = made->bottomRows(1);
        }
        return far;
    }

    /// G, keys × keys: ½ d G dᵀ is about the divergence (Kullback and Leibler's, in nats) of the
    /// answer when weights change by d: Fisher's information, of the logits' slopes.
    base::Result<Square> form() const {
        const bool by_key = values_.rows() <= values_.cols();
        const Square ways = values_.rowwise() - own_ * values_; // to the key's value alone
        const double size = std::sqrt(ways.squaredNorm() / static_cast<double>(ways.rows()));
        const Square steps =
            by_key ? Square(kProbe * ways)
                   : Square(kProbe * size * Square::Identity(ways.cols(), ways.cols()));
        const auto probed = row_.logits(Square(steps.rowwise() + row_.context()), options_.stop);
        if (!probed) return tl::make_unexpected(probed.error());
        Square slopes = probed->cast<double>();
        const Weights z = logits_.row(0).cast<double>();
        for (Index i = 0; i < slopes.rows(); ++i) {
            slopes.row(i) = (slopes.row(i) - z) / (by_key ? kProbe : kProbe * size);
            slopes.row(i).array() -= slopes.row(i).dot(p_);
            slopes.row(i).array() *= p_.array().sqrt();
        }
        const Square information = slopes * slopes.transpose();
        return by_key ? information : Square(ways * information * ways.transpose());
    }

    /// The farthest weights found whose answer is near enough, from `best` on.
    base::Result<Weights> farthest(Weights best) const {
        const auto form_found = form();
        if (!form_found) return tl::make_unexpected(form_found.error());
        // Total variation is at most √(KL / 2) (Pinsker).
        double bound = 2 * options_.allowed * options_.allowed;
        double most = jensen_shannon_bits(own_, best);
        const Weights begun = best;
        for (int round = 0; round < kRounds; ++round) {
            const Weights found = best_ascent(*form_found, bound, begun);
            const auto change = changes(found, nullptr);
            if (!change) return tl::make_unexpected(change.error());
            const double divergence = jensen_shannon_bits(own_, found);
            if (change->front() <= options_.allowed && divergence > most) {
                std::tie(most, best) = std::pair(divergence, found);
            }
            const double ratio = options_.allowed / std::max(change->front(), 1e-9);
            if (ratio > 0.98 && ratio < 1.02) break;
            bound *= std::clamp(0.98 * ratio * ratio, 0.05, 20.0);
        }
        return polished(std::move(best));
    }

    /// Nearer to one key or farther from it, in smaller and smaller steps, as replays allow.
    base::Result<Weights> polished(Weights best) const {
        double step = 0.4;
        for (int round = 0; round < kPolishes; ++round) {
            const Square tried = farther(best, step);
            if (tried.rows() == 0) {
                step /= 2;
                continue;
            }
            const auto change = changes(tried, nullptr);
            if (!change) return tl::make_unexpected(change.error());
            const auto near = std::find_if(change->begin(), change->end(),
                                           [&](double c) { return c <= options_.allowed; });
            if (near == change->end()) {
                step /= 2;
            } else {
                best = tried.row(near - change->begin());
            }
        }
        return best;
    }

  private:
    /// The farthest first.
    Square farther(const Weights& from, double step) const {
        std::vector<std::pair<double, Weights>> tried;
        const double least = jensen_shannon_bits(own_, from) + 1e-6;
        for (Index i = 0; i < from.size(); ++i) {
            Weights less = from;
            less(i) *= 1 - step;
            const Weights more = (1 - step) * from + step * Weights::Unit(from.size(), i);
            for (const Weights& w : {more, Weights(less / less.sum())}) {
                const double divergence = jensen_shannon_bits(own_, w);
                if (divergence > least) tried.emplace_back(divergence, w);
            }
        }
        std::sort(tried.begin(), tried.end(),
                  [](const auto& a, const auto& b) { return a.first > b.first; });
        tried.resize(std::min(tried.size(), kMostPolished));
        Square rows(std::ssize(tried), from.size());
        for (Index i = 0; i < rows.rows(); ++i) {
            rows.row(i) = tried[static_cast<std::size_t>(i)].second;
        }
        return rows;
    }

    Weights best_ascent(const Square& form, double bound, const Weights& begun) const {
        const Index m = own_.size();
        std::vector<Index> order(static_cast<std::size_t>(m));
        std::iota(order.begin(), order.end(), Index(0));
        std::sort(order.begin(), order.end(),
                  [&](Index a, Index b) { return form(a, a) < form(b, b); });
        Weights best = own_;
        double most = -1;
        const auto from = [&](const Weights& start) {
            if (options_.stop.stop_requested()) return;
            const Weights w = ascended(own_, form, bound, start);
            const double divergence = jensen_shannon_bits(own_, w);
            if (divergence > most) std::tie(most, best) = std::pair(divergence, w);
        };
        from(begun);
        from(Weights::Constant(m, 1.0 / static_cast<double>(m)));
        for (Index i = 0; i < std::min({m, kMostStarts, kStartsByKeys / m}); ++i) {
            from(0.5 * own_ + 0.5 * Weights::Unit(m, order[static_cast<std::size_t>(i)]));
        }
        return best;
    }

    const Row& row_;
    const OtherWeightsOptions& options_;
    Weights own_, p_;
    Square values_;
    Matrix<float> logits_;
};

base::Result<void> check_place(const models::Run& run, const trace::HeadId& head, Index query) {
    const auto attention = run.trace.attention(head.kind, head.layer);
    const auto outside = [](const char* what, Index value, Index end) {
        return fail(ErrorKind::out_of_range, what,
                    fmt::format("is {}; allowed are 0 to {}", value, end - 1));
    };
    if (!attention) return outside("layer", head.layer, run.trace.n_layers(head.kind));
    const Index heads = std::ssize(attention->heads);
    if (head.head < 0 || head.head >= heads) return outside("head", head.head, heads);
    if (query < 0 || query >= attention->n_queries()) {
        return outside("query", query, attention->n_queries());
    }
    return {};
}

OtherWeightsVerdict verdict_of(const OtherWeights& found, double allowed) {
    if (found.keys < 2) return OtherWeightsVerdict::one_key;
    if (found.most <= allowed) return OtherWeightsVerdict::idle;
    return found.distance >= kFree ? OtherWeightsVerdict::free : OtherWeightsVerdict::held;
}

} // namespace

std::string_view name(OtherWeightsVerdict verdict) {
    return kVerdictNames[static_cast<std::size_t>(verdict)];
}

double jensen_shannon_bits(const num::RowVector<double>& a, const num::RowVector<double>& b) {
    double sum = 0;
    for (Index i = 0; i < a.size(); ++i) {
        const double mean = 0.5 * (a(i) + b(i));
        if (a(i) > 0) sum += 0.5 * a(i) * std::log2(a(i) / mean);
        if (b(i) > 0) sum += 0.5 * b(i) * std::log2(b(i) / mean);
    }
    return std::max(0.0, sum);
}

double total_variation(const num::RowVector<double>& a, const num::RowVector<double>& b) {
    return 0.5 * (a - b).cwiseAbs().sum();
}

base::Result<OtherWeights> other_weights(const std::shared_ptr<const models::Run>& run,
                                         const Question& question, const trace::HeadId& head,
                                         Index query, num::ThreadPool& pool,
                                         const OtherWeightsOptions& options) {
    const auto readout = readout_of(*run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (auto ok = check(question, *run); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check_place(*run, head, query); !ok) return tl::make_unexpected(ok.error());
    const trace::AttentionMap map(run->trace.attention(head.kind, head.layer), head.head);
    const Index n = map.cols(trace::Stage::weights);
    const Matrix<float> masked = map.rectangle(trace::Stage::masked, {query, 0, 1, n});
    OtherWeights found;
    found.own = map.rectangle(trace::Stage::weights, {query, 0, 1, n}).row(0).cast<double>();
    std::vector<Index> keys;
    for (Index i = 0; i < n; ++i) {
        if (std::isfinite(masked(0, i))) keys.push_back(i);
    }
    found.keys = std::ssize(keys);
    if (keys.empty() || std::abs(found.own.sum() - 1) > 1e-3 || found.own.minCoeff() < 0) {
        return fail(ErrorKind::mismatch, "query",
                    "has no weights that sum to 1; take back what was edited or masked");
    }
    found.own /= found.own.sum();
    found.other = found.own;
    const Row row(run, *readout, question, head, query, pool);
    const Search search(row, found.own, keys, options);
    found.own_answer = found.other_answer = answers_of(search.own_logits(), question)[0];
    if (found.keys > 1) {
        const auto alone = search.changes(Square::Identity(found.keys, found.keys), nullptr);
        if (!alone) return tl::make_unexpected(alone.error());
        found.most = *std::max_element(alone->begin(), alone->end());
        const Weights same = search.of_same_context();
        found.same_context = jensen_shannon_bits(search.own(), same);
        const auto best = search.farthest(same);
        if (!best) return tl::make_unexpected(best.error());
        Matrix<float> logits;
        const auto change = search.changes(*best, &logits);
        if (!change) return tl::make_unexpected(change.error());
        found.change = change->front();
        found.other_answer = answers_of(logits, question)[0];
        for (std::size_t i = 0; i < keys.size(); ++i) {
            found.other(keys[i]) = (*best)(static_cast<Index>(i));
        }
    }
    found.divergence = jensen_shannon_bits(found.own, found.other);
    found.distance = total_variation(found.own, found.other);
    found.verdict = verdict_of(found, options.allowed);
    return found;
}

} // namespace heed::inside
