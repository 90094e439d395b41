// The shape of a recurrent model: which cell, how wide, and what its decoder reads of the source.
#pragma once

#include "base/result.hpp"
#include "models/spec/controls.hpp"
#include "models/spec/fields.hpp"
#include "nn/layers/cell.hpp"

#include <cstdint>
#include <string_view>

namespace heed::models {

/// The shape of a model: how many words go in, and how many come out.
enum class Shape {
    n_to_m,   // an encoder, and a decoder that reads it
    n_to_n,   // an encoder that says a word at each of the source's
    n_to_one, // an encoder that says one word of the whole source
    one_to_n, // a decoder that starts from the vector of the source's first word
};
inline constexpr Shape kShapes[] = {Shape::n_to_m, Shape::n_to_n, Shape::n_to_one, Shape::one_to_n};
/// The part of the source that a decoder reads at every step.
enum class Context {
    last,      // the last state of each direction (Cho et al. 2014)
    mean,      // the mean of the states
    attention, // a sum of the states weighted anew at every step (Bahdanau et al. 2015)
};
/// The source of the decoder's first state.
enum class Beginning {
    states,  // the encoder's last states (Bahdanau et al. 2015, appendix A.2.2)
    nothing, // what it learned alone: all that it reads of the source are its contexts
};
/// The part of a decoder's step that comes first.
enum class StepOrder {
    attend_first, // with the state of the step before (Bahdanau et al. 2015, section 3.1)
    update_first, // with the new state (Luong et al. 2015, section 3.1)
};
/// The keys and values that are made of the encoder's states.
enum class Projection {
    none, // both are the states themselves, as wide as all directions
    one,  // both are one linear map of them, `hidden` wide
    two,  // each is a linear map of its own
};

struct RecurrentConfig {
    Shape shape = Shape::n_to_m; // what it does not have of what follows is not read
    nn::Cell cell = nn::Cell::gru;
    int n_layers = 1;          // of the encoder, and of the decoder
    bool bidirectional = true; // the encoder; a decoder cannot read what it has not said
    int hidden = 256;
    int embedding = 128;
    Context context = Context::attention;
    Beginning beginning = Beginning::states; // where there are an encoder and a decoder
    nn::Score score = nn::kAdditiveScore;
    StepOrder order = StepOrder::attend_first;
    Projection projection = Projection::one;
    std::uint64_t seed = 1; // of the draws that the weights are
    bool operator==(const RecurrentConfig&) const = default;
};

constexpr int directions(const RecurrentConfig& c) { return c.bidirectional ? 2 : 1; }
/// Features of an encoder's state, all directions.
constexpr int state_width(const RecurrentConfig& c) { return directions(c) * c.hidden; }
/// True where a decoder reads an encoder at every step.
constexpr bool attends(const RecurrentConfig& c) { return c.shape == Shape::n_to_m; }
/// Features of a key, and of a value.
constexpr int key_width(const RecurrentConfig& c) {
    if (!attends(c)) return 0;
    return c.projection == Projection::none ? state_width(c) : c.hidden;
}

// As every kind of model tells them (models/model.hpp).
constexpr bool has_encoder(const RecurrentConfig& c) { return c.shape != Shape::one_to_n; }
constexpr bool has_decoder(const RecurrentConfig& c) {
    return attends(c) || c.shape == Shape::one_to_n;
}
constexpr int n_layers(const RecurrentConfig& c, trace::AttentionKind kind) {
    return attends(c) && kind == trace::AttentionKind::cross ? 1 : 0;
}
constexpr int n_heads(const RecurrentConfig&) { return 1; }
constexpr int width(const RecurrentConfig& c) { return c.hidden; }
constexpr nn::Score usual_score(const RecurrentConfig& c) { return c.score; }
constexpr nn::Positions usual_positions(const RecurrentConfig&) { return nn::Positions::none; }
constexpr std::string_view form(const RecurrentConfig&) { return "recurrent"; }

/// Errors: out_of_range or mismatch, each with the field as its subject; a score that compares
/// queries and keys of one width alone, where theirs differ, names both.
base::Result<void> check(const RecurrentConfig& config);
/// Checks that this score can compare this model's queries and keys. Errors: mismatch, with
/// `subject`.
base::Result<void> check_score(const RecurrentConfig& config, nn::Score score,
                               const std::string& subject);

template <> Words<Shape> words_of();
template <> Words<nn::Cell> words_of();
template <> Words<Context> words_of();
template <> Words<Beginning> words_of();
template <> Words<StepOrder> words_of();
template <> Words<Projection> words_of();
template <> Words<nn::Score> words_of();

/// Every field, once (models/fields.hpp).
template <class Config, class Visitor>
requires std::is_same_v<std::remove_const_t<Config>, RecurrentConfig>
void fields(Config& c, Visitor&& v) {
    v(Field{"n_layers", 1, 16}, c.n_layers);
    v(Field{"hidden", 1, 4096}, c.hidden);
    v(Field{"embedding", 1, 4096}, c.embedding);
    v(Field{"seed"}, c.seed);
    v(Field{"shape", 0, 0, false}, c.shape);
    v(Field{"cell"}, c.cell);
    v(Field{"bidirectional"}, c.bidirectional);
    v(Field{"context"}, c.context);
    v(Field{"beginning", 0, 0, false}, c.beginning);
    v(Field{"order"}, c.order);
    v(Field{"projection"}, c.projection);
    v(Field{"score"}, c.score);
}

/// "n-m", "n-n", "n-1", "1-n".
std::string_view name(Shape shape);
/// "last", "mean", "attention".
std::string_view name(Context context);
/// "states", "nothing".
std::string_view name(Beginning beginning);
/// "bahdanau", "luong": by whom each order is known.
std::string_view name(StepOrder order);
/// "none", "one", "two".
std::string_view name(Projection projection);

} // namespace heed::models
