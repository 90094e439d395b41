// Page 6: shuffled words, with positions and without.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/attention/position.hpp"
#include "text/token.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::lab {

namespace {

using base::Result;
using nn::Positions;

constexpr std::size_t kMostWords = 40;
constexpr int kHeads = 2; // the first one is looked at; slopes of ALiBi depend on their number

std::vector<std::string> sentence_of(const Settings& s) {
    std::vector<std::string> words;
    for (const auto& token :
         text::tokenize(s.words("sentence"), text::Segmentation::words, kMostWords)) {
        words.push_back(token.text);
    }
    return words;
}

/// A row a word; equal words have equal rows.
Matrix<double> embed_words(const Settings& s, const std::vector<std::string>& words) {
    const Index d = 2 * kHeads * s.integer("pairs");
    Matrix<double> rows(static_cast<Index>(words.size()), d);
    for (Index i = 0; i < rows.rows(); ++i) {
        rows.row(i) =
            draw_features(s.seed, "word " + words[static_cast<std::size_t>(i)], 1, d).row(0);
    }
    return rows;
}

/// New place of each word: never the order that there was, where there is another one, nor that
/// from the end, of which all distances are the same.
std::vector<std::size_t> order_of(std::uint64_t seed, std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const Matrix<double> keys = draw_features(seed, "order", 1, static_cast<Index>(count));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return keys(0, static_cast<Index>(a)) < keys(0, static_cast<Index>(b));
    });
    const bool reversed = count > 2 && std::is_sorted(order.rbegin(), order.rend());
    if (std::is_sorted(order.begin(), order.end()) || reversed) {
        std::rotate(order.begin(), order.end() - (count > 0 ? 1 : 0), order.end());
    }
    return order;
}

template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<std::size_t>& order) {
    std::vector<T> result;
    for (const std::size_t i : order) result.push_back(values[i]);
    return result;
}

/// Row i is row order[i].
Matrix<double> rows_in(const Matrix<double>& m, const std::vector<std::size_t>& order) {
    Matrix<double> result(m.rows(), m.cols());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.row(static_cast<Index>(i)) = m.row(static_cast<Index>(order[i]));
    }
    return result;
}

Module module_for(const Matrix<double>& words, const Settings& s) {
    return draw_module(s.seed, {words.cols(), kHeads});
}

/// Distance of a shuffled sentence's weights from those of the sentence, shuffled alike.
double order_seen(const Module& module, const Settings& s, const std::vector<std::string>& words,
                  const Matrix<double>& x, Positions positions, bool causal) {
    const auto order = order_of(s.seed, words.size());
    const Matrix<double> straight = weights_with_positions(module, s.seed, x, positions, causal);
    const Matrix<double> shuffled =
        weights_with_positions(module, s.seed, rows_in(x, order), positions, causal);
    Matrix<double> expected(straight.rows(), straight.cols());
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = 0; j < order.size(); ++j) {
            expected(static_cast<Index>(i), static_cast<Index>(j)) =
                straight(static_cast<Index>(order[i]), static_cast<Index>(order[j]));
        }
    }
    return largest_difference(shuffled, expected);
}

Positions positions_of(const Settings& s) {
    return nn::kPositions[static_cast<std::size_t>(s.integer("positions"))];
}

/// Sums of the same numbers in another order differ by so much.
constexpr double kSameWeights = 1e-12;

std::vector<Picture> look_at_order(const Settings& s) {
    const auto words = sentence_of(s);
    if (words.empty()) return {{"Weights", "the sentence has no words", Words{}}};
    const Positions positions = positions_of(s);
    const bool causal = s.on("causal");
    const auto order = order_of(s.seed, words.size());
    const Matrix<double> x = embed_words(s, words);
    const Module module = module_for(x, s);
    const auto shuffled_words = reordered(words, order);
    const Matrix<double> straight = weights_with_positions(module, s.seed, x, positions, causal);
    const Matrix<double> shuffled =
        weights_with_positions(module, s.seed, rows_in(x, order), positions, causal);
    Matrix<double> back(straight.rows(), straight.cols());
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = 0; j < order.size(); ++j) {
            back(static_cast<Index>(order[i]), static_cast<Index>(order[j])) =
                shuffled(static_cast<Index>(i), static_cast<Index>(j));
        }
    }
    Bars bars;
    bars.series = {{"largest difference"}};
    bars.y_word = "largest change of a weight";
    for (const Positions p : nn::kPositions) {
        bars.labels.emplace_back(nn::info(p).label);
        bars.series[0].values.push_back(order_seen(module, s, words, x, p, causal));
    }
    const double off = largest_difference(back, straight);
    // Sums in another order differ in their last digits: no colour is to make something of that.
    Matrix<double> changed = back - straight;
    if (off < kSameWeights) changed.setZero();
    const std::string seed = fmt::format("\u00a0·\u00a0seed\u00a0{}", s.seed);
    Picture changed_picture = matrix_picture(
        "What the order changed",
        (off < kSameWeights ? std::string("shuffled back: the same weights as before")
                            : fmt::format("shuffled back and subtracted; largest {:.2f}", off)) +
            seed,
        changed, words, words);
    std::get<Grid>(changed_picture.data).row_word = "query";
    std::get<Grid>(changed_picture.data).col_word = "key";
    std::get<Grid>(changed_picture.data).zeros = true;
    std::get<Grid>(changed_picture.data).bar_word = "change";
    return {weights_picture("Weights", "of the sentence as it is" + seed, straight, words, words),
            weights_picture("Weights of the shuffled words",
                            "the same words in another order" + seed, shuffled, shuffled_words,
                            shuffled_words),
            changed_picture,
            {"How much order is seen", (causal ? "with a causal mask" : "without a mask") + seed,
             bars}};
}

Result<Sample> measure_order(const Settings& s, const Work&) {
    const auto words = sentence_of(s);
    if (words.size() < 2) {
        return base::fail(base::ErrorKind::usage, "sentence",
                          "has fewer than two words: there is nothing to shuffle");
    }
    const Matrix<double> x = embed_words(s, words);
    const Module module = module_for(x, s);
    std::vector<Number> measured;
    for (const Positions p : nn::kPositions) {
        measured.push_back(
            {std::string(nn::name(p)),
             fmt::format("positions {}, no mask: largest\u00a0change", nn::info(p).label),
             order_seen(module, s, words, x, p, false)});
    }
    measured.push_back({"none_causal", "positions off, causal mask: largest\u00a0change",
                        order_seen(module, s, words, x, Positions::none, true)});
    return Sample{std::move(measured)};
}

constexpr double kSeen = 1e-3;

Judgement judge_order(const std::vector<Number>& measured) {
    const double none = most_of(number(measured, "none")); // of all seeds
    const double causal = number(measured, "none_causal").value;
    double least = 1;
    std::string weakest;
    const Number* spared = nullptr; // by it
    bool always = true;             // in every draw, by each kind
    for (const Positions p : nn::kPositions) {
        if (p == Positions::none) continue;
        const Number& seen = number(measured, nn::name(p));
        always = always && least_of(seen) > kSeen;
        if (seen.value <= least) {
            least = seen.value;
            spared = &seen;
            weakest = nn::info(p).label;
        }
    }
    if (none > kSameWeights) {
        return {Verdict::does_not_hold,
                fmt::format("Even without positions shuffling changes the weights: the largest "
                            "change is {}.",
                            in_digits(number(measured, "none")))};
    }
    const std::string same = fmt::format(
        "Without positions and without a mask, shuffling the words only moves the weights along: "
        "the largest change with any seed is {}. ",
        digits_of(none, 2));
    if (weakest == nn::info(Positions::alibi).label && most_of(*spared) < kSameWeights) {
        return {Verdict::depends, same + "But with ALiBi they only move, too: two words can only "
                                         "be swapped, and ALiBi sees distances alone."};
    }
    if (least < kSeen) {
        return {Verdict::depends,
                same + fmt::format("But with {} positions the largest change is only {}.", weakest,
                                   in_digits(*spared))};
    }
    const std::string both =
        same +
        fmt::format("Every kind of position encoding changes them{}; {} changes them least: the "
                    "largest change is on average {}.",
                    always ? "" : " on average, though not with every seed", weakest,
                    in_digits(*spared));
    if (causal > kSeen) {
        return {Verdict::depends,
                both + fmt::format(" But a causal mask alone changes them, too: the largest change "
                                   "is {}. A decoder can tell the order even without positions; an "
                                   "encoder cannot.",
                                   in_digits(number(measured, "none_causal")))};
    }
    return {Verdict::holds, both};
}

/// The rows of a word that a sentence has twice: positions are what they differ by.
std::optional<OnModel> order_on_model(const models::Run& run, const Settings&) {
    const auto heads = heads_of(run, 1);
    if (heads.empty() || heads[0].kind == trace::AttentionKind::cross) return std::nullopt;
    if (run.model->traits().reads_pictures) return std::nullopt; // no patch is another's twin
    // A causal mask gives each row its own keys: two rows differ whatever positions are.
    const auto map = run.trace.map(heads[0]);
    if (map && map->head().settings.mask->causal) return std::nullopt;
    const auto& words = run.trace.queries(heads[0].kind);
    const Matrix<double> weights = first_rows(run, heads[0], trace::Stage::weights);
    OnModel seen;
    seen.open = heads[0];
    seen.pictures = {picture_of(run, heads[0], weights, "Weights", words_of(heads[0]))};
    models::Controls off = run.controls;
    models::HeadControls whole = off.at({});
    whole.positions = nn::Positions::none;
    off.set({}, whole);
    seen.controls = off;
    seen.controls_words = "with positions off";
    const auto n = std::min<std::size_t>(words.size(), static_cast<std::size_t>(weights.rows()));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            if (words[i].text != words[j].text) continue;
            const double off_by = largest_difference(weights.row(static_cast<Index>(i)),
                                                     weights.row(static_cast<Index>(j)));
            seen.words =
                fmt::format("“{}” occurs more than once in the model's sentence. In {} the rows of "
                            "its first two "
                            "occurrences differ by up to {:.3g}. Compare them with positions off.",
                            words[i].text, words_of(heads[0]), off_by);
            return seen;
        }
    }
    seen.words = "In the top bar no word occurs twice. Repeat one there and compare its two rows, "
                 "with and without positions.";
    return seen;
}

std::vector<std::string> position_names() {
    std::vector<std::string> names;
    for (const Positions p : nn::kPositions) names.emplace_back(nn::name(p));
    return names;
}

std::vector<std::string> positions_shown() {
    std::vector<std::string> shown;
    for (const Positions p : nn::kPositions) shown.emplace_back(nn::info(p).label);
    return shown;
}

} // namespace

Page shuffle_page() {
    Page page;
    page.name = "shuffle";
    page.group = "Order";
    page.title = "Does attention know the order of its words?";
    page.words =
        "The words of the sentence are shuffled. With positions off, every weight moves along "
        "with its words and stays the same: to attention a sentence is a bag of words. Positions "
        "change that, and so does a causal mask. P permutes the words.";
    page.formula = "softmax(\\frac{PQ (PK)^{T}}{\\sqrt{d_{k}}}) = P softmax(\\frac{QK^{T}}"
                   "{\\sqrt{d_{k}}}) P^{T}";
    page.claim = "Without positions, attention cannot tell the order of its words.";
    page.source = "Vaswani et al. 2017, section 3.5; Haviv et al. 2022";
    page.parameters = {
        typed("sentence", "Sentence", "Words to be shuffled.", "the dog chased the cat"),
        choice("positions", "Positions", "How the model is told where a word stands.",
               position_names(), 0, positions_shown()),
        toggle("causal", "Causal mask", "Each word sees those before it.", false),
        whole("pairs", "Pairs of features, d_{k}/2",
              "Half of a head's width: rotary positions turn pairs.", 2, 32, 8, true)};
    page.look = look_at_order;
    page.measure_seed = measure_order;
    page.judge = judge_order;
    page.on_model = order_on_model;
    return page;
}

} // namespace heed::lab
