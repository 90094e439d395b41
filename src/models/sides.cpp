#include "models/sides.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"
#include "models/recurrent.hpp"
#include "models/transformer.hpp"

#include <algorithm>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;

// A sentence typed into the only field that is filled is what a decoder alone reads.
const std::vector<text::Token>& decoder_tokens(const TransformerConfig& config,
                                               const Input& input) {
    return has_encoder(config) || !input.target.empty() ? input.target : input.source;
}

base::Result<void> check_side(const char* subject, std::size_t words, int pad_to,
                              nn::Positions positions, const TransformerConfig& config) {
    if (words == 0) {
        return fail(ErrorKind::out_of_range, subject, "there is no word to read; type a sentence");
    }
    const std::size_t n = std::max(words, static_cast<std::size_t>(pad_to));
    if (n > kMaxTokens) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has {} tokens; at most {} are taken", n, kMaxTokens));
    }
    if (positions == nn::Positions::learned && n > static_cast<std::size_t>(config.max_positions)) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has {} tokens; the learned positions of this model end at {}", n,
                                config.max_positions));
    }
    return {};
}

} // namespace

Side padded_side(const std::vector<text::Token>& tokens, int pad_to) {
    Side side{tokens, static_cast<num::Index>(tokens.size())};
    const std::size_t end = tokens.empty() ? 0 : tokens.back().end;
    while (std::ssize(side.tokens) < pad_to) {
        side.tokens.push_back({std::string(kPadToken), end, end});
    }
    return side;
}

std::pair<Side, Side> sides(const TransformerConfig& config, const Input& input) {
    std::pair<Side, Side> result;
    if (has_encoder(config)) result.first = padded_side(input.source, input.pad_to);
    if (has_decoder(config))
        result.second = padded_side(decoder_tokens(config, input), input.pad_to);
    return result;
}

std::pair<Side, Side> sides(const RecurrentConfig&, const Input& input) {
    return {padded_side(input.source, input.pad_to), padded_side(input.target, 0)};
}

std::pair<Side, Side> sides(const Config& config, const Input& input) {
    return std::visit([&](const auto& c) { return sides(c, input); }, config);
}

std::pair<num::Index, num::Index> most_tokens(const TransformerConfig& config, const Input& input) {
    const auto [source, target] = sides(config, input);
    return {std::ssize(source.tokens), std::ssize(target.tokens)};
}

std::pair<num::Index, num::Index> most_tokens(const RecurrentConfig&, const Input& input) {
    const auto source = padded_side(input.source, input.pad_to).tokens.size();
    const Decoding& how = input.decoding;
    const auto limit =
        static_cast<std::size_t>(how.limit > 0 ? how.limit : usual_limit(input.source.size()));
    const bool free = how.rule != Decoding::Rule::forced || input.target.empty();
    const auto target = input.target.size() + 1;
    return {static_cast<num::Index>(source),
            static_cast<num::Index>(free ? std::max(limit, target) : target)};
}

base::Result<void> check(const TransformerConfig& config, const Input& input,
                         nn::Positions positions) {
    if (input.pad_to < 0 || static_cast<std::size_t>(input.pad_to) > kMaxTokens) {
        return fail(ErrorKind::out_of_range, "pad_to",
                    fmt::format("is {}; allowed are 0 to {}", input.pad_to, kMaxTokens));
    }
    if (has_encoder(config)) {
        auto ok = check_side("source", input.source.size(), input.pad_to, positions, config);
        if (!ok) return ok;
    }
    if (!has_decoder(config)) return {};
    return check_side("target", decoder_tokens(config, input).size(), input.pad_to, positions,
                      config);
}

num::Index embedding_row(std::string_view token, int vocabulary) {
    return static_cast<num::Index>(base::hash_bytes(token) %
                                   static_cast<std::uint64_t>(vocabulary));
}

std::vector<num::Index> embedding_rows(const std::vector<text::Token>& tokens, int vocabulary) {
    std::vector<num::Index> rows;
    rows.reserve(tokens.size());
    for (const text::Token& token : tokens) rows.push_back(embedding_row(token.text, vocabulary));
    return rows;
}

} // namespace heed::models
