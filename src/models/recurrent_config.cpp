#include "models/recurrent_config.hpp"

#include "base/check.hpp"
#include "nn/score_info.hpp"

namespace heed::models {

using base::ErrorKind;
using base::fail;

base::Result<void> check(const RecurrentConfig& c) {
    struct Limit {
        const char* field;
        int value, high;
    };
    const Limit limits[] = {
        {"n_layers", c.n_layers, 16}, {"hidden", c.hidden, 4096}, {"embedding", c.embedding, 4096}};
    for (const auto& [field, value, high] : limits) {
        if (value >= 1 && value <= high) continue;
        return fail(ErrorKind::out_of_range, field,
                    fmt::format("is {}; allowed are 1 to {}", value, high));
    }
    return attends(c) ? check_score(c, c.score, "score") : base::Result<void>{};
}

base::Result<void> check_score(const RecurrentConfig& c, nn::Score score,
                               const std::string& subject) {
    if (!nn::needs_equal_widths(score) || c.hidden == key_width(c)) return {};
    return fail(
        ErrorKind::mismatch, subject,
        fmt::format("is {}, which compares vectors of one width, but a query, the decoder's "
                    "state, is {} wide and a key, the encoder's, {}; project the keys (one "
                    "or two projections), or choose additive, concat or bilinear",
                    nn::name(score), c.hidden, key_width(c)));
}

std::string_view name(Shape shape) {
    switch (shape) {
    case Shape::n_to_m: return "n-m";
    case Shape::n_to_n: return "n-n";
    case Shape::n_to_one: return "n-1";
    case Shape::one_to_n: return "1-n";
    }
    return "?";
}

std::string_view name(Context context) {
    switch (context) {
    case Context::last: return "last";
    case Context::mean: return "mean";
    case Context::attention: return "attention";
    }
    return "?";
}

std::string_view name(StepOrder order) {
    return order == StepOrder::attend_first ? "bahdanau" : "luong";
}

std::string_view name(Projection projection) {
    switch (projection) {
    case Projection::none: return "none";
    case Projection::one: return "one";
    case Projection::two: return "two";
    }
    return "?";
}

} // namespace heed::models
