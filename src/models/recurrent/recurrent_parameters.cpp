#include "models/recurrent/recurrent_parameters.hpp"

#include "models/file/tensor_list.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

namespace heed::models {

namespace {

using RecurrentParameters = Recurrent::Parameters;

/// Bound of weights that make sums of one variance from inputs of another.
float into(Index in, double variance, double wanted) {
    return bound_of_variance(wanted / (variance * static_cast<double>(in)));
}
float even(Index in) { return into(in, 1, 1); }

// The variances below make maps of an untrained model readable: for eight words a row of the
// alignment has about 2.2 of the 3 bits of an even one, whatever the cell, its layers and the
// score, and rows differ (tests/models/recurrent_draw_test.cpp). Cosine and
// squared distance do not follow: in many dimensions any two vectors that nobody trained have a
// small cosine, and the shortest key is the nearest to every query.

/// Variance that was measured of the states of cells drawn like this, one or two layers.
double state_variance(nn::Cell cell) {
    switch (cell) {
    case nn::Cell::rnn: return 0.5;
    case nn::Cell::lstm: return 0.14; // a gate halves what tanh left
    case nn::Cell::gru: return 0.35;
    }
    return 1;
}

// Variance of what gates and states get from their input: enough to bend σ and tanh, so that one
// word more changes a state.
constexpr double kInputVariance = 2.25;
// Variance of the scaled dot product, which has no parameters of its own: keys are drawn to give
// it. The other scores come to about this.
constexpr double kDotVariance = 2, kHiddenVariance = 4;
// Variances of query and key inside the tanh of additive scores. Were they small, or the key's the
// larger one, the rows would all be alike, since tanh(a + b) would be nearly tanh(a) + tanh(b).
constexpr double kQueryPart = 4, kKeyPart = 2;

double key_variance(const RecurrentConfig& c) {
    const double state = state_variance(c.cell);
    return c.projection == Projection::none ? state : kDotVariance / state;
}
/// A context is a mean of values, which are as large as keys. The decoder's embedding is drawn to
/// be as large, so that it reads both.
double context_variance(const RecurrentConfig& c) { return 0.35 * key_variance(c); }

template <class P> class RecurrentTensors {
    static constexpr bool kConst = std::is_const_v<P>;

  public:
    explicit RecurrentTensors(P& parameters) : p_(parameters), c_(parameters.config) {}

    std::vector<NamedTensor<kConst>> all() {
        const Index rows = static_cast<Index>(p_.vocabulary.size());
        const Index states = state_width(c_), keys = key_width(c_), hidden = c_.hidden;
        const double said = context_variance(c_);
        table("encoder.embedding.weight", p_.source_embedding, rows, c_.embedding,
              bound_of_variance(1));
        if (has_encoder(c_)) stack("encoder", p_.encoder, c_.embedding, 1);
        if (has_decoder(c_)) {
            table("decoder.embedding.weight", p_.target_embedding, rows, c_.embedding,
                  bound_of_variance(said));
            stack("decoder", p_.decoder, c_.embedding + keys, said);
            const Index from = has_encoder(c_) ? states : c_.embedding;
            for (std::size_t layer = 0; layer < p_.bridge.size(); ++layer) {
                const std::string name = fmt::format("bridge.l{}", layer);
                linear(name + ".weight", p_.bridge[layer], from, hidden, even(from));
                vector(name + ".bias", p_.bridge_bias[layer], hidden);
            }
        }
        if (attends(c_)) attention(states, keys);
        const Index read = has_decoder(c_) ? hidden + keys + c_.embedding : states;
        linear("readout.weight", p_.readout, read, hidden,
               into(read, has_decoder(c_) ? said : state_variance(c_.cell), 1));
        vector("readout.bias", p_.readout_bias, hidden);
        linear("output.weight", p_.output, hidden, rows, 2 * even(hidden));
        vector("output.bias", p_.output_bias, rows);
        return std::move(slots_);
    }

  private:
    void attention(Index states, Index keys) {
        const Index hidden = c_.hidden;
        const double state = state_variance(c_.cell);
        const float key = into(states, state, key_variance(c_));
        if (c_.projection != Projection::none) {
            linear("attention.key.weight", p_.key, states, hidden, key);
        }
        if (c_.projection == Projection::two) {
            linear("attention.value.weight", p_.value, states, hidden, key);
        }
        score(hidden, keys);
    }

    template <class S> void stack(const std::string& at, S& stack, Index in, double variance) {
        for (Index layer = 0; layer < stack.layers(); ++layer) {
            for (Index direction = 0; direction < stack.directions; ++direction) {
                auto& cell =
                    stack.cells[static_cast<std::size_t>(layer * stack.directions + direction)];
                const std::string end =
                    fmt::format("_l{}{}", layer, direction == 1 ? "_reverse" : "");
                const Index read = layer == 0 ? in : stack.directions * c_.hidden;
                const Index rows = nn::n_gates(c_.cell) * c_.hidden;
                linear(at + ".weight_ih" + end, cell.input, read, rows,
                       into(read, layer == 0 ? variance : state_variance(c_.cell), kInputVariance));
                linear(at + ".weight_hh" + end, cell.state, c_.hidden, rows, even(c_.hidden));
                vector(at + ".bias_ih" + end, cell.input_bias, rows);
                vector(at + ".bias_hh" + end, cell.state_bias, rows);
            }
        }
    }

    void score(Index queries, Index keys) {
        const Index hidden = c_.hidden;
        // As in a file of the transformer: rows are features of a query or a key.
        const double state = state_variance(c_.cell), key = key_variance(c_);
        table("attention.score.query", p_.score.query, queries, hidden,
              into(queries, state, kQueryPart));
        table("attention.score.key", p_.score.key, keys, hidden, into(keys, key, kKeyPart));
        vector("attention.score.hidden", p_.score.hidden, hidden, 0,
               into(hidden, 0.5, kHiddenVariance));
        // Scaled by the square root of the keys' width.
        table("attention.score.bilinear", p_.score.bilinear, queries, keys,
              into(queries, state * key, kDotVariance));
    }

    template <class M>
    void table(std::string name, M& to, Index rows, Index cols, float bound = 1) {
        slots_.push_back({std::move(name), {rows, cols}, {{&to, rows, cols, bound}}});
    }
    template <class W> void linear(std::string name, W& to, Index in, Index out, float bound) {
        slots_.push_back({std::move(name), {out, in}, {{&to, out, in, bound}}});
    }
    template <class V>
    void vector(std::string name, V& to, Index size, float fill = 0, float bound = 0) {
        slots_.push_back({std::move(name), {size}, {{&to, 1, size, bound, fill}}});
    }

    P& p_;
    const RecurrentConfig& c_;
    std::vector<NamedTensor<kConst>> slots_;
};

} // namespace

NamedTensors named_tensors(RecurrentParameters& parameters) {
    return RecurrentTensors<RecurrentParameters>(parameters).all();
}
ConstNamedTensors named_tensors(const RecurrentParameters& parameters) {
    return RecurrentTensors<const RecurrentParameters>(parameters).all();
}

void open_gates(RecurrentParameters& parameters) {
    const RecurrentConfig& c = parameters.config;
    const auto open = [&](Index gate, float bias) {
        for (auto* stack : {&parameters.encoder, &parameters.decoder}) {
            for (auto& cell : stack->cells) {
                cell.input_bias.segment(gate * c.hidden, c.hidden).setConstant(bias);
            }
        }
    };
    switch (c.cell) {
    case nn::Cell::rnn: break;
    case nn::Cell::lstm:
        open(0, 1); // i
        open(3, 1); // o
        break;
    case nn::Cell::gru: open(1, -1); break; // z, which keeps what was
    }
}

namespace {

void name_cells(RecurrentParameters& parameters) {
    for (auto* stack : {&parameters.encoder, &parameters.decoder}) {
        for (auto& cell : stack->cells) cell.cell = parameters.config.cell;
    }
}

} // namespace

void make_room(RecurrentParameters& parameters) {
    const RecurrentConfig& c = parameters.config;
    const auto layers = static_cast<std::size_t>(c.n_layers);
    parameters.encoder.directions = directions(c);
    if (has_encoder(c)) {
        parameters.encoder.cells.resize(layers * static_cast<std::size_t>(directions(c)));
    }
    if (!has_decoder(c)) return name_cells(parameters);
    parameters.decoder.cells.resize(layers);
    parameters.bridge.resize(layers);
    parameters.bridge_bias.resize(layers);
    name_cells(parameters);
}

} // namespace heed::models
