#include "models/model/sampling.hpp"

#include "num/random.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace heed::models {

using num::Index;
using num::RowVector;

bool alters(const Sampling& s) {
    return s.top_k > 0 || s.top_p < 1 || (s.temperature > 0 && s.temperature != 1);
}

namespace {

RowVector<float> tempered(const RowVector<float>& p, float temperature) {
    if (temperature <= 0 || temperature == 1) return p;
    const float most = std::log(p.maxCoeff());
    const RowVector<float> raised =
        p.unaryExpr([&](float x) { return std::exp((std::log(x) - most) / temperature); });
    return raised / raised.sum();
}

/// Rows by their probability, as far as they can be kept.
std::vector<Index> most_probable(const RowVector<float>& p, const Sampling& s) {
    std::vector<Index> order(static_cast<std::size_t>(p.size()));
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](Index a, Index b) { return p(a) != p(b) ? p(a) > p(b) : a < b; };
    if (s.top_k > 0 && static_cast<Index>(s.top_k) < p.size()) {
        std::partial_sort(order.begin(), order.begin() + s.top_k, order.end(), before);
        order.resize(static_cast<std::size_t>(s.top_k));
    } else if (s.top_p < 1) {
        std::sort(order.begin(), order.end(), before);
    }
    return order;
}

} // namespace

void say_only(RowVector<float>& p, Index row) {
    if (row >= p.size()) return;
    p.setZero();
    p(row) = 1;
}

namespace {

using Tokens = std::span<const text::Token>;

/// Whether `tokens` has these ids from `at` on.
bool stands_at(Tokens tokens, std::size_t at, std::span<const int> ids) {
    if (at + ids.size() > tokens.size()) return false;
    return std::equal(ids.begin(), ids.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                      [](int id, const text::Token& token) { return id == token.row; });
}

/// The ids of the last tokens, so many; nothing where there are fewer.
std::optional<std::vector<int>> last_ids(Tokens tokens, std::size_t count) {
    if (tokens.size() < count) return std::nullopt;
    std::vector<int> ids;
    for (const text::Token& token : tokens.last(count)) ids.push_back(token.row);
    return ids;
}

/// Silences what would say `n` tokens in a row that stand in `text` already.
void silence_repeats(Tokens text, Tokens target, int n, RowVector<float>& p) {
    if (n <= 0) return;
    const auto before = last_ids(target, static_cast<std::size_t>(n) - 1);
    if (!before) return;
    for (std::size_t at = 0; at + before->size() < text.size(); ++at) {
        const int next = text[at + before->size()].row;
        if (next >= 0 && next < p.size() && stands_at(text, at, *before)) p(next) = 0;
    }
}

} // namespace

void forbid(const Model& model, const SaidSoFar& so_far, RowVector<float>& p) {
    const TextToIds* ids = model.text_to_ids();
    if (!ids) {
        for (Index row = 0; row < p.size(); ++row) {
            if (!model.words()->can_be_said(static_cast<std::size_t>(row))) p(row) = 0;
        }
        return;
    }
    const auto silence = [&](const std::vector<int>& rows) {
        for (const int row : rows) {
            if (row < p.size()) p(row) = 0;
        }
    };
    const Generation& how = ids->generation;
    const Tokens target = so_far.target;
    silence_repeats(target, target, how.no_repeat, p);
    silence_repeats(so_far.source, target, how.no_repeat_of_source, p);
    silence(how.never);
    for (const std::vector<int>& word : how.bad_words) {
        const std::span<const int> begin(word.data(), word.size() - 1);
        if (begin.size() >= target.size()) continue;
        if (stands_at(target, target.size() - begin.size(), begin)) silence({word.back()});
    }
    if (std::ssize(target) < how.shortest || static_cast<int>(so_far.said) < how.fewest_new) {
        silence(how.ends);
    }
    if (so_far.said == 0) silence(how.not_first);
    if (so_far.said == 0 && target.size() <= 1 && how.first) say_only(p, *how.first);
    // Where nothing may be said the text ends.
    if (p.maxCoeff() <= 0 && !how.ends.empty()) say_only(p, how.ends.front());
}

Cut cut(const RowVector<float>& p, const Sampling& s) {
    Cut result{tempered(p, s.temperature), {}};
    const RowVector<float>& q = result.tempered;
    std::vector<Index> order = most_probable(q, s);
    if (s.top_p < 1) {
        double held = 0, all = 0;
        for (const Index row : order) all += static_cast<double>(q(row));
        std::size_t kept = 0;
        while (kept < order.size() && (kept == 0 || held < static_cast<double>(s.top_p) * all)) {
            held += static_cast<double>(q(order[kept++]));
        }
        order.resize(kept);
    }
    result.keeps.assign(static_cast<std::size_t>(p.size()), false);
    RowVector<float> left(static_cast<Index>(order.size()));
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.keeps[static_cast<std::size_t>(order[i])] = true;
        left(static_cast<Index>(i)) = q(order[i]);
    }
    result.kept = left.size();
    result.kept_mass = left.sum();
    result.entropy_bits = num::entropy_bits(RowVector<float>(left / result.kept_mass));
    return result;
}

Index drawn(const RowVector<float>& p, const Sampling& s, std::size_t place) {
    Index best = 0;
    p.maxCoeff(&best);
    if (s.temperature <= 0) return best;
    const Cut left = cut(p, s);
    const num::Rng rng(s.seed, "sampling");
    double rest = static_cast<double>(rng.uniform(place)) * static_cast<double>(left.kept_mass);
    Index last = best;
    for (Index row = 0; row < p.size(); ++row) {
        if (!left.keeps[static_cast<std::size_t>(row)]) continue;
        last = row;
        rest -= static_cast<double>(left.tempered(row));
        if (rest < 0) return row;
    }
    return last; // of sums that rounding left short
}

} // namespace heed::models
