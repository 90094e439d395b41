#include "app/cli/id_flags.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kSource = "--source-ids";
constexpr const char* kTarget = "--target-ids";
constexpr const char* kTypes = "--type-ids";

/// "3,17,5"; nothing without the flag.
Result<std::vector<int>> numbers_of(const Given& given, const char* flag) {
    std::vector<int> numbers;
    const auto text = given.find(flag);
    if (!text) return numbers;
    const char *at = text->data(), *end = at + text->size();
    while (true) {
        while (at != end && *at == ' ') ++at;
        int number = -1;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc() || number < 0) break;
        numbers.push_back(number);
        at = stop;
        while (at != end && *at == ' ') ++at;
        if (at == end) return numbers;
        if (*at++ != ',') break;
    }
    return fail(
        ErrorKind::usage, flag,
        fmt::format("'{:.40}' is no list of whole numbers from 0 on, with commas between", *text));
}

Result<std::vector<text::Token>> tokens_of(const Given& given, const char* flag) {
    return numbers_of(given, flag).map([](const std::vector<int>& ids) {
        std::vector<text::Token> tokens;
        for (const int id : ids) {
            tokens.push_back({std::to_string(id)});
            tokens.back().row = id;
        }
        return tokens;
    });
}

/// Names tokens by what they are in the vocabulary, where there is a tokeniser.
void name(std::vector<text::Token>& tokens,
          const std::shared_ptr<const tokenizers::Tokenizer>& tokenizer) {
    if (!tokenizer) return;
    for (text::Token& token : tokens) token.text = models::token_label(*tokenizer, token.row);
}

Result<void> check_flags(const Given& given, const models::Model& model) {
    const models::Traits& traits = model.traits();
    const auto refuse = [](const char* flag, const char* why) {
        return fail(ErrorKind::usage, flag, why);
    };
    for (const auto& [flag, text] : {std::pair(kSource, "--source"), {kTarget, "--target"}}) {
        if (!given.has(flag)) continue;
        if (!model.text_to_ids()) return refuse(flag, "is of a checkpoint that reads tokens");
        if (given.has(text)) return refuse(flag, "stands in place of the sentence: leave one out");
    }
    if (!traits.decodes && given.has(kTarget)) {
        return refuse(kTarget, "is of a decoder, which this model has not");
    }
    if (traits.encodes && !given.has(kSource)) {
        return refuse(kSource, "is missing: the encoder reads it");
    }
    if (traits.encodes && traits.decodes && !given.has(kTarget)) {
        return refuse(kTarget, "is missing: the decoder reads it");
    }
    if (!traits.encodes && given.has(kSource) && given.has(kTarget)) {
        return refuse(kTarget, "cannot be combined with --source-ids: a decoder alone reads one");
    }
    return {};
}

} // namespace

std::vector<Flag> id_flags() {
    constexpr const char* kHelp = "the ids that the {} of a checkpoint reads, exactly, with commas "
                                  "between";
    return {
        {kSource, "IDS", fmt::format(fmt::runtime(kHelp), "encoder"), kSentences},
        {kTarget, "IDS",
         fmt::format(fmt::runtime(kHelp), "decoder") + "; a decoder alone reads either",
         kSentences},
        {kTypes, "IDS", "the type of each source token, of a model that has types (default 0)",
         kSentences},
    };
}

Result<void> read_ids(const Given& given, const models::Model& model, models::Input& input) {
    auto types = numbers_of(given, kTypes);
    if (!types) return tl::make_unexpected(types.error());
    input.source_types = *std::move(types);
    if (!input.source_types.empty() && model.traits().is_stepwise()) {
        return fail(ErrorKind::usage, kTypes, "this model has no types of tokens");
    }
    if (!given.has(kSource) && !given.has(kTarget)) return {};
    if (auto ok = check_flags(given, model); !ok) return ok;
    auto source = tokens_of(given, kSource), target = tokens_of(given, kTarget);
    if (!source) return tl::make_unexpected(source.error());
    if (!target) return tl::make_unexpected(target.error());
    const models::TextToIds& names = *model.text_to_ids();
    name(*source, names.tokenizers.source);
    name(*target, model.traits().encodes ? names.tokenizers.target : names.tokenizers.source);
    input.source = *std::move(source);
    input.target = *std::move(target);
    const bool goes_on = given.has("--decode") || given.has("--beam");
    if (!goes_on) input.decoding.rule = models::Decoding::Rule::forced; // exactly these
    return {};
}

} // namespace heed::app
