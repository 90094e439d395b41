#include "app/document/names.hpp"

#include "figure/base/palette.hpp"
#include "models/model/model.hpp"
#include "nn/attention/score_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

/// Words that another room owns already.
template <class E, std::size_t N, class Name>
std::array<Named<E>, N> named_by(const E (&values)[N], Name name) {
    std::array<Named<E>, N> list{};
    for (std::size_t i = 0; i < N; ++i) list[i] = {name(values[i]), values[i]};
    return list;
}
template <class E, std::size_t N, class Name>
std::array<Named<E>, N> named_by(const std::array<E, N>& values, Name name) {
    std::array<Named<E>, N> list{};
    std::transform(values.begin(), values.end(), list.begin(), [&](E value) {
        return Named<E>{name(value), value};
    });
    return list;
}

constexpr Named<models::NormOrder> kNormOrders[] = {
    {"post", models::NormOrder::post,
     "The sum behind each sublayer is brought into a steady range (LayerNorm), as in the first "
     "transformer: LN(x + f(x)) (Vaswani et al. 2017, section 3.1)"},
    {"pre", models::NormOrder::pre,
     "What each sublayer reads is brought into a steady range (LayerNorm), which is easier to "
     "train: x + f(LN(x)) (Xiong et al. 2020)"}};
constexpr Named<nn::Join> kJoins[] = {
    {"add", nn::Join::add, "The position's vector is added to the word's."},
    {"concat", nn::Join::concatenate,
     "Word and position are put end to end, and a matrix brings them back to the usual width."}};
constexpr models::Architecture kArchitectures[] = {models::Architecture::encoder_decoder,
                                                   models::Architecture::encoder_only,
                                                   models::Architecture::decoder_only};
constexpr models::Activation kActivations[] = {models::Activation::relu, models::Activation::gelu};
constexpr models::Context kContexts[] = {models::Context::last, models::Context::mean,
                                         models::Context::attention};
constexpr models::Beginning kBeginnings[] = {models::Beginning::states, models::Beginning::nothing};
constexpr models::Pooling kPoolings[] = {models::Pooling::mean, models::Pooling::flatten};
constexpr models::StepOrder kStepOrders[] = {models::StepOrder::attend_first,
                                             models::StepOrder::update_first};
constexpr models::Projection kProjections[] = {models::Projection::none, models::Projection::one,
                                               models::Projection::two};
constexpr Named<models::Decoding::Rule> kDecodingRules[] = {
    {"forced", models::Decoding::Rule::forced,
     "The decoder reads the typed target, whatever it would say itself, and says nothing behind it "
     "(teacher forcing).\nWilliams and Zipser 1989"},
    {"greedy", models::Decoding::Rule::greedy, "At each step, take the most probable word."},
    {"beam", models::Decoding::Rule::beam,
     "Keep several half-finished sentences at once, and choose the best one in the end."}};
constexpr Named<text::Segmentation> kSegmentations[] = {
    {"words", text::Segmentation::words, "Each word is a token."},
    {"characters", text::Segmentation::characters, "Each letter or sign is a token."}};
constexpr Named<figure::RangeMode> kRanges[] = {
    {"row", figure::RangeMode::row, "Each row has the full range of colours for itself."},
    {"map", figure::RangeMode::map, "The strongest colour is the largest number of the map."},
    {"fixed", figure::RangeMode::fixed,
     "The colours always span 0 to 1, so that maps can be compared."}};
constexpr Named<figure::ColourScale> kColourScales[] = {
    {"linear", figure::ColourScale::linear, "Twice the weight is twice as far along the colours."},
    {"logarithmic", figure::ColourScale::logarithmic,
     "Each step of colour is a ratio, so that small weights beside a large one can be told "
     "apart."}};
constexpr Named<HeadOrder> kHeadOrders[] = {
    {"place", HeadOrder::place, "By layer, then by number."},
    {"entropy", HeadOrder::entropy, "First the heads that spread their attention most."},
    {"distance", HeadOrder::distance, "First the heads that look farthest away."},
    {"effect", HeadOrder::effect,
     "First the heads whose removal changes the output most (after Michel et al. 2019)."},
    {"previous", HeadOrder::previous, inside::info(inside::HeadScore::previous).tip},
    {"next", HeadOrder::next, inside::info(inside::HeadScore::next).tip},
    {"same", HeadOrder::same, inside::info(inside::HeadScore::same).tip},
    {"first", HeadOrder::first, inside::info(inside::HeadScore::first).tip},
    {"separator", HeadOrder::separator, inside::info(inside::HeadScore::separator).tip},
    {"positional", HeadOrder::positional, inside::info(inside::HeadScore::positional).tip},
    {"duplicate", HeadOrder::duplicate, inside::info(inside::HeadScore::duplicate).tip},
    {"followed", HeadOrder::followed, inside::info(inside::HeadScore::followed).tip},
    {"induction", HeadOrder::induction, inside::info(inside::HeadScore::induction).tip},
    {"copying", HeadOrder::copying, inside::info(inside::HeadScore::copying).tip},
    {"confidence", HeadOrder::confidence, inside::info(inside::HeadScore::confidence).tip},
    {"alignment", HeadOrder::alignment, inside::info(inside::HeadScore::alignment).tip},
    {"alike", HeadOrder::alike,
     "Heads whose maps are alike stand together (clustered after Clark et al. 2019)."}};
constexpr Named<HeadsAs> kHeadsAs[] = {
    {"maps", HeadsAs::maps, "Each head as a small map of its weights."},
    {"scatter", HeadsAs::scatter, "Each head as a point between two scores."}};
constexpr Named<InsideCards> kInsideCards[] = {
    {"parts", InsideCards::parts,
     "The word layer by layer and part by part, without each part, and in another run."},
    {"tokens", InsideCards::tokens,
     "Which tokens are behind the word, by gradients and by attention, and other weights of a head "
     "that give the same answer."}};
constexpr Named<inside::Instead> kInsteads[] = {
    {"mean", inside::Instead::mean, "Its mean over tokens."},
    {"zero", inside::Instead::zero, "Nothing: all its numbers are 0."},
    {"other", inside::Instead::other, "What it makes of the other sentence, token by token."}};
constexpr Named<PatchBy> kPatchBy[] = {
    {"stream", PatchBy::stream,
     "What a layer passes on at one token, its residual stream, is put into the other run.\n"
     "Meng et al. 2022"},
    {"heads", PatchBy::heads,
     "What one head makes, at every token, is put into the other run.\nWang et al. 2022"},
    {"paths", PatchBy::paths,
     "One head of a layer speaks as in your sentence, and one head of a later layer alone hears "
     "it.\nWang et al. 2022, path patching"}};
constexpr Named<Times> kTimes[] = {
    {"nothing", Times::nothing, "The weights as the head has them."},
    {"value", Times::value,
     "Each weight times the length of its key's value: A · ‖v‖.\nKobayashi et al. 2020"},
    {"transformed", Times::transformed,
     "Each weight times the length of what the head writes of its key: A · ‖v Wₒ‖.\n"
     "Kobayashi et al. 2020"}};
constexpr Named<figure::FeatureOrder> kFeatureOrders[] = {
    {"place", figure::FeatureOrder::place, "Features in the order in which the model has them."},
    {"contribution", figure::FeatureOrder::contribution,
     "First the features that raise the score most."}};
constexpr Named<trace::FlowRule> kFlowRules[] = {
    {"rollout", trace::FlowRule::rollout,
     "Half of each token is counted as passing straight through the layer, as the residual "
     "connection does: ½A + ½I (Abnar and Zuidema 2020)"},
    {"raw", trace::FlowRule::raw, "Attention alone, as if there were no residual connections."}};
constexpr Named<Compare> kCompares[] = {
    {"off", Compare::off, "Only the current map."},
    {"side-by-side", Compare::beside, "The baseline at the left, the current map at the right."},
    {"difference", Compare::difference, "The current map minus the baseline, cell by cell."}};
constexpr Named<Against> kAgainst[] = {
    {"original", Against::unaltered, "The baseline is this model without any of your changes."},
    {"pinned", Against::pinned, "The baseline is the state that was pinned."}};
constexpr Named<trace::Combine> kCombines[] = {
    {"mean", trace::Combine::mean, "The average of the heads' weights."},
    {"maximum", trace::Combine::maximum, "In each cell, the largest weight that any head gives."},
    {"sum", trace::Combine::sum, "The heads' weights added up."}};

} // namespace

template <> std::span<const Named<models::NormOrder>> names() { return kNormOrders; }
template <> std::span<const Named<nn::Join>> names() { return kJoins; }
template <> std::span<const Named<models::Architecture>> names() {
    static const auto list = named_by(kArchitectures, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Activation>> names() {
    static const auto list = named_by(kActivations, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<nn::Cell>> names() {
    static const auto list = named_by(nn::kCells, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Shape>> names() {
    static const auto list = named_by(models::kShapes, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Context>> names() {
    static const auto list = named_by(kContexts, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Beginning>> names() {
    static const auto list = named_by(kBeginnings, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Pooling>> names() {
    static const auto list = named_by(kPoolings, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::StepOrder>> names() {
    static const auto list = named_by(kStepOrders, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Projection>> names() {
    static const auto list = named_by(kProjections, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<models::Decoding::Rule>> names() { return kDecodingRules; }
template <> std::span<const Named<text::Segmentation>> names() { return kSegmentations; }
template <> std::span<const Named<View>> names() {
    // But for the last ones, rooms that are drawn of no snapshot.
    static constexpr auto kList = [] {
        std::array<Named<View>, static_cast<std::size_t>(View::learn)> list{};
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = {kViews[i].name, kViews[i].view};
        return list;
    }();
    return kList;
}
template <> std::span<const Named<figure::RangeMode>> names() { return kRanges; }
template <> std::span<const Named<figure::ColourScale>> names() { return kColourScales; }
template <> std::span<const Named<HeadOrder>> names() { return kHeadOrders; }
template <> std::span<const Named<HeadsAs>> names() { return kHeadsAs; }
template <> std::span<const Named<InsideCards>> names() { return kInsideCards; }
template <> std::span<const Named<inside::HeadScore>> names() {
    static const auto list = [] {
        std::vector<Named<inside::HeadScore>> rows;
        for (const auto& row : inside::kHeadScores) rows.push_back({row.name, row.score, row.tip});
        return rows;
    }();
    return list;
}
template <> std::span<const Named<inside::Instead>> names() { return kInsteads; }
template <> std::span<const Named<PatchBy>> names() { return kPatchBy; }
template <> std::span<const Named<Times>> names() { return kTimes; }
template <> std::span<const Named<figure::FeatureOrder>> names() { return kFeatureOrders; }
template <> std::span<const Named<trace::FlowRule>> names() { return kFlowRules; }
template <> std::span<const Named<Compare>> names() { return kCompares; }
template <> std::span<const Named<Against>> names() { return kAgainst; }
template <> std::span<const Named<trace::Combine>> names() { return kCombines; }
template <> std::span<const Named<nn::Score>> names() {
    static const auto list = named_by(nn::kScores, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<nn::Positions>> names() {
    static const auto list = named_by(nn::kPositions, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<trace::AttentionKind>> names() {
    static const auto list = named_by(trace::kAttentionKinds, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<trace::Stage>> names() {
    static const auto list = named_by(trace::kStages, [](auto v) { return name(v); });
    return list;
}
template <> std::span<const Named<figure::PaletteId>> names() {
    static const auto list = named_by(figure::kPalettes, [](auto v) { return name(v); });
    return list;
}

Result<long long> parse_integer(std::string_view word, const std::string& subject, long long low,
                                long long high) {
    long long value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = !word.empty() && end == word.data() + word.size();
    if (error == std::errc::invalid_argument || !whole) {
        return fail(ErrorKind::usage, subject,
                    fmt::format("'{}' is not a whole number from {} to {}", word, low, high));
    }
    if (error == std::errc::result_out_of_range || value < low || value > high) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("{} is not from {} to {}", word, low, high));
    }
    return value;
}

Result<double> parse_number(std::string_view word, const std::string& subject) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = !word.empty() && end == word.data() + word.size();
    if (error != std::errc{} || !whole || !std::isfinite(value)) {
        return fail(ErrorKind::usage, subject, fmt::format("'{}' is not a finite number", word));
    }
    return value;
}

Result<models::Scale> parse_scale(std::string_view word, const std::string& subject) {
    using Kind = models::Scale::Kind;
    if (word == "on") return models::Scale{Kind::on, 1};
    if (word == "off") return models::Scale{Kind::off, 1};
    const auto number = parse_number(word, subject);
    if (!number) {
        return fail(ErrorKind::usage, subject,
                    fmt::format("'{}' is not one of on, off, or a factor such as 0.5", word));
    }
    if (!(*number >= kFactors.low && *number <= kFactors.high)) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("{} is not from {:g} to {:g}", word, kFactors.low, kFactors.high));
    }
    return models::Scale{Kind::factor, static_cast<float>(*number)};
}

std::string write_scale(const models::Scale& scale) {
    switch (scale.kind) {
    case models::Scale::Kind::on: return "on";
    case models::Scale::Kind::off: return "off";
    case models::Scale::Kind::factor: break;
    }
    return fmt::format("{}", scale.factor);
}

namespace {

constexpr const char* kMaskWords = "none, padding, causal, window:N, paint:QUERY:KEY";
constexpr long long kMaxCell = 65535;
constexpr long long kMaxWindow = 1'000'000'000;

long long first_index(Counting counting) { return counting == Counting::from_1 ? 1 : 0; }

Result<std::pair<num::Index, num::Index>>
parse_cell(std::string_view words, const std::string& subject, Counting counting) {
    const long long first = first_index(counting);
    const std::size_t colon = words.find(':');
    if (colon == words.npos) {
        return fail(ErrorKind::usage, subject,
                    fmt::format("'paint:{}' wants a query and a key: paint:{}:3", words, first));
    }
    const auto query = parse_integer(words.substr(0, colon), subject, first, kMaxCell);
    if (!query) return tl::make_unexpected(query.error());
    const auto key = parse_integer(words.substr(colon + 1), subject, first, kMaxCell);
    if (!key) return tl::make_unexpected(key.error());
    return std::pair<num::Index, num::Index>(*query - first, *key - first);
}

Result<void> add_mask_word(nn::Mask& mask, std::string_view word, const std::string& subject,
                           Counting counting) {
    if (word == "padding") {
        mask.padding = true;
    } else if (word == "causal") {
        mask.causal = true;
    } else if (word.starts_with("window:")) {
        const auto width = parse_integer(word.substr(7), subject, 0, kMaxWindow);
        if (!width) return tl::make_unexpected(width.error());
        mask.window = *width;
    } else if (word.starts_with("paint:")) {
        const auto cell = parse_cell(word.substr(6), subject, counting);
        if (!cell) return tl::make_unexpected(cell.error());
        mask.painted.push_back(*cell);
    } else {
        return fail(ErrorKind::usage, subject,
                    fmt::format("'{}' is not one of {}", word, kMaskWords));
    }
    return {};
}

} // namespace

Result<nn::Mask> parse_mask(std::string_view words, const std::string& subject, Counting counting) {
    nn::Mask mask;
    if (words == "none") return mask;
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find(',', begin), words.size());
        const auto ok = add_mask_word(mask, words.substr(begin, end - begin), subject, counting);
        if (!ok) return tl::make_unexpected(ok.error());
        begin = end + 1;
    }
    std::sort(mask.painted.begin(), mask.painted.end());
    mask.painted.erase(std::unique(mask.painted.begin(), mask.painted.end()), mask.painted.end());
    return mask;
}

std::vector<std::string> mask_words(const nn::Mask& mask, Counting counting) {
    const long long first = first_index(counting);
    std::vector<std::string> words;
    if (mask.padding) words.emplace_back("padding");
    if (mask.causal) words.emplace_back("causal");
    if (mask.window) words.push_back(fmt::format("window:{}", *mask.window));
    for (const auto& [query, key] : mask.painted) {
        words.push_back(fmt::format("paint:{}:{}", query + first, key + first));
    }
    return words;
}

std::string write_mask(const nn::Mask& mask, Counting counting) {
    const std::vector<std::string> words = mask_words(mask, counting);
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
}

} // namespace heed::app
