#include "inside/token_accounts.hpp"

#include "trace/combined.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

Matrix<float> head_mean(const models::Run& run, AttentionKind kind, int layer,
                        num::ThreadPool& pool) {
    return trace::combined_weights(run.trace, trace::heads_in(run.trace, kind, {layer}, {}),
                                   trace::Combine::mean, pool);
}

/// Dinic's maximum flow through layers of nodes, level · n + token; level 0 is the input. Flow
/// begins at a node of the last level.
class FlowNetwork {
  public:
    FlowNetwork(const trace::LayerMaps& layers, Index tokens, trace::FlowRule rule) : n_(tokens) {
        out_.resize(static_cast<std::size_t>((std::ssize(layers) + 1) * n_));
        for (std::size_t level = 0; level < layers.size(); ++level) {
            const Matrix<float> taken = rule == trace::FlowRule::raw
                                            ? *layers[level]
                                            : trace::with_residual(*layers[level]);
            for (Index to = 0; to < n_; ++to) {
                for (Index from = 0; from < n_; ++from) {
                    if (taken(to, from) > 0) {
                        connect(node(level + 1, to), node(level, from),
                                static_cast<double>(taken(to, from)));
                    }
                }
            }
        }
        full_ = room_;
    }

    std::size_t node(std::size_t level, Index token) const {
        return level * static_cast<std::size_t>(n_) + static_cast<std::size_t>(token);
    }

    double between(std::size_t from, std::size_t to) {
        room_ = full_;
        double flow = 0;
        while (find_distances(from, to)) {
            next_.assign(out_.size(), 0);
            while (const double pushed = push(from, to, 2)) flow += pushed;
        }
        return flow;
    }

  private:
    static constexpr double kLeast = 1e-12; // what is left of an edge that is full

    void connect(std::size_t from, std::size_t to, double room) {
        out_[from].push_back(ends_.size());
        ends_.push_back(to);
        room_.push_back(room);
        out_[to].push_back(ends_.size());
        ends_.push_back(from);
        room_.push_back(0);
    }
    bool find_distances(std::size_t from, std::size_t to) {
        distance_.assign(out_.size(), -1);
        distance_[from] = 0;
        std::deque<std::size_t> waiting{from};
        while (!waiting.empty()) {
            const std::size_t at = waiting.front();
            waiting.pop_front();
            for (const std::size_t edge : out_[at]) {
                if (room_[edge] <= kLeast || distance_[ends_[edge]] >= 0) continue;
                distance_[ends_[edge]] = distance_[at] + 1;
                waiting.push_back(ends_[edge]);
            }
        }
        return distance_[to] >= 0;
    }
    /// Pushes flow on, by recursion as deep as there are levels, and as often back again.
    double push(std::size_t at, std::size_t to, double most) {
        if (at == to) return most;
        for (std::size_t& i = next_[at]; i < out_[at].size(); ++i) {
            const std::size_t edge = out_[at][i];
            if (room_[edge] <= kLeast || distance_[ends_[edge]] != distance_[at] + 1) continue;
            const double pushed = push(ends_[edge], to, std::min(most, room_[edge]));
            if (pushed <= 0) continue;
            room_[edge] -= pushed;
            room_[edge ^ 1] += pushed;
            return pushed;
        }
        return 0;
    }

    Index n_;
    std::vector<std::vector<std::size_t>> out_; // edges of a node; an edge and its way back differ
                                                // in the last bit
    std::vector<std::size_t> ends_, next_;
    std::vector<double> room_, full_;
    std::vector<int> distance_;
};

/// Places among the tokens of both sentences: how many are the source's, and which are read.
struct ReadPlaces {
    Index source = 0;
    std::vector<Index> tokens{};
};
base::Result<ReadPlaces> read_places(const models::Run& run, const Question& question) {
    const auto readout = readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (auto ok = check(question, run); !ok) return tl::make_unexpected(ok.error());
    const bool encodes = run.trace.n_layers(AttentionKind::encoder_self) > 0;
    ReadPlaces places{encodes ? std::ssize(run.trace.source) : 0, read_tokens(run, question)};
    if (readout->stack == AttentionKind::decoder_self) {
        for (Index& token : places.tokens) token += places.source;
    }
    return places;
}

trace::FlowRule rule_of(const models::Run& run) {
    return has_residual(run) ? trace::FlowRule::rollout : trace::FlowRule::raw;
}

TokenScores split(const num::RowVector<double>& row, Index source) {
    return {row.head(source), row.tail(row.size() - source)};
}

num::RowVector<double> mean_ranks(const num::RowVector<double>& x) {
    std::vector<Index> order(static_cast<std::size_t>(x.size()));
    std::iota(order.begin(), order.end(), Index(0));
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });
    num::RowVector<double> ranks(x.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && !(x(order[first]) < x(order[end]))) ++end;
        for (std::size_t i = first; i < end; ++i) {
            ranks(order[i]) = static_cast<double>(first + end - 1) / 2;
        }
        first = end;
    }
    return ranks;
}

/// Both sides' scores that can be compared, the source's first.
num::RowVector<double> ranked(const TokenAccount& account, Index seen) {
    const TokenScores& s = account.scores;
    const Index source = s.source.size(), target = std::min(seen, s.target.size());
    num::RowVector<double> all(source + target);
    all.head(source) = s.source;
    all.tail(target) = s.target.head(target);
    const auto& info = kTokenMethods[static_cast<std::size_t>(account.method)];
    return info.is_signed ? all.cwiseAbs() : all;
}

} // namespace

TokenMethodWords words_of(const TokenMethodInfo& info, const models::Run& run,
                          const Question& question) {
    const bool integrated = info.method == TokenMethod::integrated;
    const bool other = integrated ? run.model->traits().reads_pictures : !has_residual(run);
    TokenMethodWords words{other ? info.other_formula : info.formula,
                           std::string(other ? info.other_tip : info.tip)};
    if (!integrated && read_tokens(run, question).size() > 1) {
        words.tip += " The class is read from several tokens; this is the mean over them.";
    }
    return words;
}

trace::LayerMaps token_maps(const models::Run& run, num::ThreadPool& pool) {
    const trace::Trace& t = run.trace;
    const int encoder = t.n_layers(AttentionKind::encoder_self);
    const int decoder = t.n_layers(AttentionKind::decoder_self);
    const Index m = encoder > 0 ? std::ssize(t.source) : 0;
    const Index n = decoder > 0 ? std::ssize(t.target) : 0;
    trace::LayerMaps maps;
    const auto add = [&](AttentionKind kind, int layer, Index row, Index column) {
        const Matrix<float> mean = head_mean(run, kind, layer, pool);
        Matrix<float> map = Matrix<float>::Identity(m + n, m + n);
        map.middleRows(row, mean.rows()).setZero();
        map.block(row, column, mean.rows(), mean.cols()) = mean;
        maps.push_back(num::shared_matrix(std::move(map)));
    };
    for (int i = 0; i < encoder; ++i) add(AttentionKind::encoder_self, i, 0, 0);
    for (int i = 0; i < decoder; ++i) {
        add(AttentionKind::decoder_self, i, m, m);
        if (t.n_layers(AttentionKind::cross) > 0) add(AttentionKind::cross, i, m, 0);
    }
    return maps;
}

std::optional<num::RowVector<double>> maximum_flow(const trace::LayerMaps& layers, Index token,
                                                   const std::stop_token& stop,
                                                   trace::FlowRule rule) {
    const Index n = layers.empty() ? 0 : layers.front()->rows();
    FlowNetwork network(layers, n, rule);
    num::RowVector<double> flows(n);
    for (Index to = 0; to < n; ++to) {
        if (stop.stop_requested()) return std::nullopt;
        flows(to) = network.between(network.node(layers.size(), token), network.node(0, to));
    }
    return flows;
}

base::Result<TokenScores> rolled_out(const models::Run& run, const Question& question,
                                     num::ThreadPool& pool) {
    const auto at = read_places(run, question);
    if (!at) return tl::make_unexpected(at.error());
    const auto maps = token_maps(run, pool);
    return mean_scores(at->tokens, [&](Index token) {
        const auto flow = trace::flow_to(maps, rule_of(run), token);
        return split(flow.reach.row(0).cast<double>(), at->source);
    });
}

base::Result<TokenScores> attention_flow(const models::Run& run, const Question& question,
                                         num::ThreadPool& pool, const std::stop_token& stop) {
    const auto at = read_places(run, question);
    if (!at) return tl::make_unexpected(at.error());
    const auto maps = token_maps(run, pool);
    const auto n = static_cast<double>(maps.front()->rows());
    const double edges = n * n * n * static_cast<double>(maps.size() * at->tokens.size());
    if (edges > kMostFlowEdges) {
        return fail(ErrorKind::out_of_range, "flow",
                    fmt::format("of {} tokens through {} layers takes too long; ask for rollout, "
                                "or for a shorter sentence",
                                maps.front()->rows(), maps.size()));
    }
    bool stopped = false;
    const auto flows_to = [&](Index token) {
        const auto flows = stopped ? std::nullopt : maximum_flow(maps, token, stop, rule_of(run));
        stopped = stopped || !flows;
        return split(flows.value_or(num::RowVector<double>::Zero(maps.front()->rows())),
                     at->source);
    };
    auto scores = mean_scores(at->tokens, flows_to);
    if (stopped) return fail(ErrorKind::cancelled, "flow", "stopped for a newer request");
    return scores;
}

double spearman(const num::RowVector<double>& a, const num::RowVector<double>& b) {
    if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    num::RowVector<double> x = mean_ranks(a), y = mean_ranks(b);
    x.array() -= x.mean();
    y.array() -= y.mean();
    return x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm());
}

namespace {
constexpr std::array<TokenMethod, 4> kQuickFirst = {TokenMethod::attention_gradient,
                                                    TokenMethod::rollout, TokenMethod::flow,
                                                    TokenMethod::integrated};
} // namespace

const TokenAccount* TokenAccounts::find(TokenMethod method) const {
    const auto at = std::ranges::find(accounts, method, &TokenAccount::method);
    return at == accounts.end() ? nullptr : &*at;
}

bool TokenAccounts::left_out(TokenMethod method) const {
    const auto turn = std::ranges::find(kQuickFirst, method) - kQuickFirst.begin();
    return turn < static_cast<std::ptrdiff_t>(tried) && !find(method);
}

namespace {

base::Result<TokenScores> scores_by(TokenMethod method, Integrated& integrated,
                                    const models::Run& run, const Question& question,
                                    num::ThreadPool& pool, const IntegratedOptions& options) {
    switch (method) {
    case TokenMethod::attention_gradient:
        return attention_times_gradient(run, question, options.stop);
    case TokenMethod::rollout: return rolled_out(run, question, pool);
    case TokenMethod::flow: return attention_flow(run, question, pool, options.stop);
    case TokenMethod::integrated: break;
    }
    auto made = integrated_gradients(run, question, pool, options);
    if (!made) return tl::make_unexpected(made.error());
    integrated = *std::move(made);
    return integrated.tokens;
}

/// Agreement of the pairs, and each one's first token.
void compare_accounts(TokenAccounts& found, Index seen) {
    std::vector<num::RowVector<double>> rows;
    for (TokenAccount& account : found.accounts) {
        rows.push_back(ranked(account, seen));
        Index top = 0;
        rows.back().maxCoeff(&top);
        const Index source = account.scores.source.size();
        account.top = top < source ? TokenPlace{false, top} : TokenPlace{true, top - source};
    }
    found.pairs.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            const TokenAccount &one = found.accounts[i], &other = found.accounts[j];
            found.pairs.push_back(
                {one.method, other.method, spearman(rows[i], rows[j]), one.top == other.top});
        }
    }
}

} // namespace

base::Result<void> add_account(TokenAccounts& found, const models::Run& run,
                               const Question& question, num::ThreadPool& pool,
                               const IntegratedOptions& options) {
    const TokenMethod method = kQuickFirst[found.tried];
    auto scores = scores_by(method, found.integrated, run, question, pool, options);
    const bool left_out =
        !scores && method == TokenMethod::flow && scores.error().kind == ErrorKind::out_of_range;
    if (!scores && !left_out) return tl::make_unexpected(scores.error());
    ++found.tried;
    if (left_out) return {};
    const auto behind = std::ranges::find_if(
        found.accounts, [&](const TokenAccount& account) { return account.method > method; });
    found.accounts.insert(behind, {method, *std::move(scores), {}});
    compare_accounts(found, question.token + 1);
    return {};
}

base::Result<TokenAccounts> token_accounts(const models::Run& run, const Question& question,
                                           num::ThreadPool& pool,
                                           const IntegratedOptions& options) {
    TokenAccounts found;
    while (!found.complete()) {
        if (auto ok = add_account(found, run, question, pool, options); !ok) {
            return tl::make_unexpected(ok.error());
        }
    }
    return found;
}

} // namespace heed::inside
