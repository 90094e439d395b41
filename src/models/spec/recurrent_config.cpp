#include "models/spec/recurrent_config.hpp"

#include "base/check.hpp"
#include "nn/attention/score_info.hpp"

namespace heed::models {

using base::ErrorKind;
using base::fail;

base::Result<void> check(const RecurrentConfig& c) {
    if (auto ok = check_ranges(c); !ok) return ok;
    return attends(c) ? check_score(c, c.score, "score") : base::Result<void>{};
}

base::Result<void> check_score(const RecurrentConfig& c, nn::Score score,
                               const std::string& subject) {
    if (!nn::needs_equal_widths(score) || c.hidden == key_width(c)) return {};
    return fail(
        ErrorKind::mismatch, subject,
        fmt::format("is {}, which compares vectors of one width, but a query, the decoder's "
                    "state, is {} wide and a key, the encoder's, {}; give the keys a "
                    "linear map (shared with the values, or their own), or choose additive, concat "
                    "or bilinear",
                    nn::name(score), c.hidden, key_width(c)));
}

std::string_view name(Shape shape) { return word_of(shape); }
std::string_view name(Context context) { return word_of(context); }
std::string_view name(Beginning beginning) { return word_of(beginning); }
std::string_view name(StepOrder order) { return word_of(order); }
std::string_view name(Projection projection) { return word_of(projection); }

template <> Words<Shape> words_of() {
    return {{"n-m", Shape::n_to_m},
            {"n-n", Shape::n_to_n},
            {"n-1", Shape::n_to_one},
            {"1-n", Shape::one_to_n}};
}
template <> Words<Context> words_of() {
    return {{"last", Context::last}, {"mean", Context::mean}, {"attention", Context::attention}};
}
template <> Words<Beginning> words_of() {
    return {{"states", Beginning::states}, {"nothing", Beginning::nothing}};
}
template <> Words<StepOrder> words_of() {
    return {{"bahdanau", StepOrder::attend_first}, {"luong", StepOrder::update_first}};
}
template <> Words<Projection> words_of() {
    return {{"none", Projection::none}, {"one", Projection::one}, {"two", Projection::two}};
}
template <> Words<nn::Cell> words_of() {
    Words<nn::Cell> words;
    for (const nn::Cell cell : nn::kCells) words.push_back({nn::name(cell), cell});
    return words;
}
template <> Words<nn::Score> words_of() {
    Words<nn::Score> words;
    for (const nn::Score score : nn::kScores) words.push_back({nn::name(score), score});
    return words;
}

} // namespace heed::models
