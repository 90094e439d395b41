// The one list of words for each choice that flags, JSON and messages share, and the values that
// have a small grammar of their own: scales and masks.
#pragma once

#include "app/document/document.hpp"
#include "app/document/view_state.hpp"
#include "base/result.hpp"
#include "models/model/resolve.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::app {

template <class E> struct Named {
    std::string_view name;
    E value;
    std::string_view tip{}; // what it means, in one sentence; empty where its own table says it
};

/// Every word of an enum, in the order in which messages list them.
template <class E> std::span<const Named<E>> names();
template <> std::span<const Named<models::NormOrder>> names();
template <> std::span<const Named<nn::Join>> names();
template <> std::span<const Named<models::Architecture>> names();
template <> std::span<const Named<models::Activation>> names();
template <> std::span<const Named<nn::Cell>> names();
template <> std::span<const Named<models::Shape>> names();
template <> std::span<const Named<models::Context>> names();
template <> std::span<const Named<models::Beginning>> names();
template <> std::span<const Named<models::Pooling>> names();
template <> std::span<const Named<models::StepOrder>> names();
template <> std::span<const Named<models::Projection>> names();
template <> std::span<const Named<models::Decoding::Rule>> names();
template <> std::span<const Named<text::Segmentation>> names();
template <> std::span<const Named<View>> names();
template <> std::span<const Named<figure::RangeMode>> names();
template <> std::span<const Named<figure::ColourScale>> names();
template <> std::span<const Named<HeadOrder>> names();
template <> std::span<const Named<HeadsAs>> names();
template <> std::span<const Named<InsideCards>> names();
template <> std::span<const Named<inside::HeadScore>> names();
template <> std::span<const Named<inside::Instead>> names();
template <> std::span<const Named<PatchBy>> names();
template <> std::span<const Named<Times>> names();
template <> std::span<const Named<figure::FeatureOrder>> names();
template <> std::span<const Named<trace::FlowRule>> names();
template <> std::span<const Named<Compare>> names();
template <> std::span<const Named<Against>> names();
template <> std::span<const Named<trace::Combine>> names();
template <> std::span<const Named<nn::Score>> names();
template <> std::span<const Named<nn::Positions>> names();
template <> std::span<const Named<trace::AttentionKind>> names();
template <> std::span<const Named<trace::Stage>> names();
template <> std::span<const Named<figure::PaletteId>> names();

template <class E> std::string_view name_of(E value) {
    for (const Named<E>& n : names<E>()) {
        if (n.value == value) return n.name;
    }
    return "?";
}
template <class E> std::string_view tip_of(E value) {
    for (const Named<E>& n : names<E>()) {
        if (n.value == value) return n.tip;
    }
    return {};
}
/// "post, pre"
template <class E> std::string allowed() {
    std::string list;
    for (const Named<E>& n : names<E>()) {
        if (!list.empty()) list += ", ";
        list += n.name;
    }
    return list;
}
/// Errors: usage, naming the subject (a flag, a path in JSON) and the allowed words.
template <class E> base::Result<E> parse_name(std::string_view word, const std::string& subject) {
    for (const Named<E>& n : names<E>()) {
        if (n.name == word) return n.value;
    }
    return base::fail(base::ErrorKind::usage, subject,
                      "'" + std::string(word) + "' is not one of " + allowed<E>());
}

/// The numbers that a control may have, both ends included: one rule for flags and files.
struct Range {
    double low, high;
};
inline constexpr Range kFactors{-models::kMaxFactor, models::kMaxFactor}; // of scale and gain
inline constexpr Range kTemperatures{models::kMinTemperature, models::kMaxFactor};
inline constexpr Range kSamplingTemperatures{0, models::kMostSamplingTemperature};
inline constexpr Range kTopP{0.001, 1};
inline constexpr Range kDropoutRates{0, 0.999999}; // something must be left over

/// "on", "off", or a factor (a finite number).
base::Result<models::Scale> parse_scale(std::string_view word, const std::string& subject);
std::string write_scale(const models::Scale& scale);

/// The number of the first query and the first key: what a person writes and reads counts from 1, a
/// file counts from 0, as the names of torch.nn.Transformer's modules do.
enum class Counting { from_0, from_1 };

/// "none", or any of "padding", "causal", "window:N", "paint:QUERY:KEY" with commas between.
base::Result<nn::Mask> parse_mask(std::string_view words, const std::string& subject,
                                  Counting counting);
std::vector<std::string> mask_words(const nn::Mask& mask, Counting counting);
std::string write_mask(const nn::Mask& mask, Counting counting); // "none", "causal,window:3"

/// A whole decimal number. Errors: usage and out_of_range, naming the range.
base::Result<long long> parse_integer(std::string_view word, const std::string& subject,
                                      long long low, long long high);
/// A finite decimal number, whatever the locale.
base::Result<double> parse_number(std::string_view word, const std::string& subject);

} // namespace heed::app
