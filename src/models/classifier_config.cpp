#include "models/classifier_config.hpp"

#include "base/check.hpp"
#include "models/head_width.hpp"
#include "models/model.hpp"

namespace heed::models {

using base::ErrorKind;
using base::fail;

base::Result<void> check(const ClassifierConfig& c) {
    struct Limit {
        const char* field;
        int value, high;
    };
    const Limit limits[] = {{"d_model", c.d_model, 4096},
                            {"n_heads", c.n_heads, 256},
                            {"length", c.length, static_cast<int>(kMaxTokens)},
                            {"dense", c.dense, 65536}};
    for (const auto& [field, value, high] : limits) {
        if (value >= 1 && value <= high) continue;
        return fail(ErrorKind::out_of_range, field,
                    fmt::format("is {}; allowed are 1 to {}", value, high));
    }
    if (auto ok = check_head_width(c.d_model, c.n_heads, c.positions); !ok) return ok;
    const double size = 1.0 * read_width(c) * c.dense;
    if (size <= kMaxParameters) return {};
    return fail(ErrorKind::out_of_range, "length",
                fmt::format("is {}, which gives the dense layer {:.2g} weights; pool by mean, or "
                            "choose a shorter one",
                            c.length, size));
}

std::string_view name(Pooling pooling) { return pooling == Pooling::mean ? "mean" : "flatten"; }

} // namespace heed::models
