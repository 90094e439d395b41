#include "models/model/sampling.hpp"

#include "num/random.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

void forbid(const Model& model, std::size_t given, std::size_t said, RowVector<float>& p) {
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
    silence(how.never);
    if (said > 0) return;
    silence(how.not_first);
    if (given <= 1 && how.first) say_only(p, *how.first);
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
