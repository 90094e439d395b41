#include "models/model/sides.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <charconv>

namespace heed::models {

int usual_limit(std::size_t source_tokens) {
    return static_cast<int>(std::min<std::size_t>(2 * source_tokens + 8, kMaxTokens));
}

namespace {

using base::ErrorKind;
using base::fail;

base::Result<void> check_padding(int pad_to) {
    if (pad_to >= 0 && static_cast<std::size_t>(pad_to) <= kMaxTokens) return {};
    return fail(ErrorKind::out_of_range, "pad_to",
                fmt::format("is {}; allowed are 0 to {}", pad_to, kMaxTokens));
}

/// `positions_end`: the rows of a table of learned positions that is read, 0 where none is.
base::Result<void> check_side(const char* subject, std::size_t words, int pad_to,
                              int positions_end = 0) {
    if (words == 0) {
        return fail(ErrorKind::out_of_range, subject, "is empty; type a sentence");
    }
    const std::size_t n = std::max(words, static_cast<std::size_t>(pad_to));
    if (n > kMaxTokens) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has {} tokens; at most {} are taken", n, kMaxTokens));
    }
    if (positions_end > 0 && n > static_cast<std::size_t>(positions_end)) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has {} tokens; the learned positions of this model end at {}", n,
                                positions_end));
    }
    return {};
}

} // namespace

const std::vector<text::Token>& decoder_tokens(const ModelSpec& spec, const Input& input) {
    const bool own = spec.has_vocabulary || (!reads_words(spec) && has_encoder(spec));
    return own || !input.target.empty() ? input.target : input.source;
}

num::Index leading_source(const Run& run) {
    return run.model->traits().source_leads ? std::ssize(run.input.source) : 0;
}

num::Index first_saying_row(const Run& run) {
    const ModelSpec* spec = spec_of(run.model->config());
    const num::Index source = leading_source(run);
    return spec && spec->one_text && source > 0 ? source - 1 : source;
}

namespace {

/// A model that reads ids and says which come next.
bool says_tokens(const ModelSpec& spec) {
    return spec.reads == Reads::ids && spec.logits == Logits::words;
}

} // namespace

bool speaks_freely(const ModelSpec& spec, const Input& input) {
    const bool asked = input.decoding.rule != Decoding::Rule::forced;
    if (says_tokens(spec)) return asked && has_decoder(spec);
    const bool nothing_said = reads_start(spec) && decoder_tokens(spec, input).empty();
    return spec.has_vocabulary && has_decoder(spec) && (asked || nothing_said);
}
bool speaks_freely(const RecurrentConfig&, const Input& input) {
    return input.decoding.rule != Decoding::Rule::forced || input.target.empty();
}

Input forced_input(const Run& run) {
    Input input = run.input;
    input.decoding = {};
    if (!run.model->traits().decodes) return input;
    input.target.clear();
    for (std::size_t i = static_cast<std::size_t>(leading_source(run)); i < run.trace.target.size();
         ++i) {
        const text::Token& token = run.trace.target[i];
        if (token.text != kStartToken && token.text != kPadToken && token.text != kEndToken) {
            input.target.push_back(token);
        }
    }
    return input;
}

namespace {

/// Places of the decoder's that no word of the target takes.
std::size_t taken_places(const ModelSpec& spec, const Input& input) {
    return (reads_start(spec) ? 1 : 0) + (reads_source_first(spec) ? input.source.size() : 0);
}

int limit_of(const Input& input) {
    return input.decoding.limit > 0 ? input.decoding.limit : usual_limit(input.source.size());
}

} // namespace

namespace {

// `side`: whose flag tells them.
base::Result<void> check_ids(const char* subject, const char* side,
                             const std::vector<text::Token>& tokens, int vocabulary) {
    for (const text::Token& token : tokens) {
        if (token.row < 0 && token.text != kPadToken) {
            return fail(ErrorKind::unsupported, subject,
                        fmt::format("is a sentence, and the tokeniser of this model is not known; "
                                    "give the numbers of its tokens with --{}-ids",
                                    side));
        }
        if (token.row >= vocabulary) {
            return fail(ErrorKind::out_of_range, subject,
                        fmt::format("has the id {}; the vocabulary of this model has {} rows, from "
                                    "0 to {}",
                                    token.row, vocabulary, vocabulary - 1));
        }
    }
    return {};
}

base::Result<void> check_reading(const ModelSpec& spec, const Input& input) {
    if (spec.reads == Reads::patches) {
        const PatchSpec& s = spec.patches;
        if (!input.image) {
            return fail(ErrorKind::out_of_range, "image", "is missing; this model reads a picture");
        }
        if (input.image->rows() == s.channels * s.image && input.image->cols() == s.image)
            return {};
        return fail(ErrorKind::mismatch, "image",
                    fmt::format("has {} x {} numbers; this model reads {} channels of {} x {}",
                                input.image->rows(), input.image->cols(), s.channels, s.image,
                                s.image));
    }
    if (spec.reads != Reads::ids) return {};
    if (has_encoder(spec)) {
        if (auto ok = check_ids("source", "source", input.source, spec.vocabulary); !ok) return ok;
    }
    if (!has_decoder(spec)) return {};
    const char* subject = has_encoder(spec) || !input.target.empty() ? "target" : "source";
    return check_ids(subject, has_encoder(spec) ? "target" : "source", decoder_tokens(spec, input),
                     spec.vocabulary);
}

} // namespace

std::size_t most_words(const ModelSpec& spec, const Input& input) {
    const std::size_t given = decoder_tokens(spec, input).size();
    if (!speaks_freely(spec, input)) return given;
    const std::size_t places = spec.positions == nn::Positions::learned
                                   ? std::min<std::size_t>(kMaxTokens, learned_length(spec))
                                   : kMaxTokens;
    const std::size_t taken = taken_places(spec, input);
    const std::size_t most = places > taken ? places - taken : 0;
    if (says_tokens(spec)) { // so many more
        const auto more = static_cast<std::size_t>(limit_of(input));
        return std::max<std::size_t>(given, std::min(given + more, most));
    }
    return std::max<std::size_t>(given, std::min<std::size_t>(limit_of(input), most));
}
std::size_t most_words(const RecurrentConfig& config, const Input& input) {
    const std::size_t given = input.target.size() + 1; // ⟨end⟩ is said, too
    return speaks_freely(config, input) ? std::max<std::size_t>(given, limit_of(input)) : given;
}

Side padded_side(const std::vector<text::Token>& tokens, int pad_to) {
    Side side{tokens, static_cast<num::Index>(tokens.size())};
    const std::size_t end = tokens.empty() ? 0 : tokens.back().end;
    while (std::ssize(side.tokens) < pad_to) {
        side.tokens.push_back({std::string(kPadToken), end, end});
    }
    return side;
}

namespace {

// The tokens of an image: those before the patches, then "row,column" of each, from 1.
Side patch_side(const PatchSpec& spec) {
    Side side;
    for (int i = 0; i < spec.leading; ++i) {
        side.tokens.push_back({i == 0 ? "⟨class⟩" : "⟨distillation⟩"});
    }
    const int a_side = spec.image / spec.size;
    for (int i = 0; i < a_side * a_side; ++i) {
        side.tokens.push_back({fmt::format("{},{}", i / a_side + 1, i % a_side + 1)});
    }
    side.valid = std::ssize(side.tokens);
    return side;
}

} // namespace

std::pair<Side, Side> sides(const ModelSpec& spec, const Input& input) {
    std::pair<Side, Side> result;
    if (spec.reads == Reads::patches) {
        result.first = patch_side(spec.patches);
    } else if (is_classifier(spec)) {
        const auto most = static_cast<std::size_t>(spec.max_positions);
        std::vector<text::Token> read = input.source;
        read.resize(std::min(read.size(), most));
        result.first = padded_side(read, std::min(input.pad_to, spec.max_positions));
    } else if (has_encoder(spec)) {
        result.first = padded_side(input.source, input.pad_to);
    }
    if (has_decoder(spec)) {
        std::vector<text::Token> tokens = decoder_tokens(spec, input);
        if (reads_start(spec)) tokens.insert(tokens.begin(), {std::string(kStartToken), 0, 0});
        if (reads_source_first(spec)) {
            tokens.insert(tokens.begin(), input.source.begin(), input.source.end());
        }
        result.second = padded_side(tokens, input.pad_to);
    }
    return result;
}

std::pair<Side, Side> sides(const RecurrentConfig&, const Input& input) {
    return {padded_side(input.source, input.pad_to), padded_side(input.target, 0)};
}

std::pair<Side, Side> sides(const Config& config, const Input& input) {
    return std::visit([&](const auto& c) { return sides(c, input); }, config);
}

std::pair<num::Index, num::Index> most_tokens(const ModelSpec& spec, const Input& input) {
    const auto [source, target] = sides(spec, input);
    const auto said = static_cast<num::Index>(most_words(spec, input) + taken_places(spec, input));
    return {std::ssize(source.tokens),
            has_decoder(spec) ? std::max<num::Index>(std::ssize(target.tokens), said) : 0};
}

std::pair<num::Index, num::Index> most_tokens(const RecurrentConfig& config, const Input& input) {
    const num::Index source = std::ssize(padded_side(input.source, input.pad_to).tokens);
    switch (config.shape) {
    case Shape::n_to_n: return {source, std::ssize(input.source)};
    case Shape::n_to_one: return {source, 1};
    case Shape::one_to_n: return {1, static_cast<num::Index>(most_words(config, input))};
    case Shape::n_to_m: break;
    }
    return {source, static_cast<num::Index>(most_words(config, input))};
}

base::Result<void> check(const ModelSpec& spec, const Input& input, nn::Positions positions) {
    if (auto ok = check_padding(input.pad_to); !ok) return ok;
    // A classifier cuts what it has no positions for.
    const bool ends = positions == nn::Positions::learned && !is_classifier(spec);
    const int end = ends ? learned_length(spec) : 0;
    if (auto ok = check_reading(spec, input); !ok) return ok;
    if (spec.reads == Reads::patches) return {};
    if (has_encoder(spec)) {
        auto ok = check_side("source", input.source.size(), input.pad_to, end);
        if (!ok) return ok;
    }
    if (!has_decoder(spec)) return {};
    if (input.decoding.rule == Decoding::Rule::beam && !spec.has_vocabulary && !says_tokens(spec)) {
        return fail(ErrorKind::mismatch, "decoding",
                    "is a beam search, which needs a model that says words; choose target");
    }
    const std::size_t words = decoder_tokens(spec, input).size() + taken_places(spec, input);
    const char* side = !reads_source_first(spec) ? "target"
                       : words == 0              ? "source"
                                                 : "source and target";
    return check_side(side, words, input.pad_to, end);
}

num::Index embedding_row(std::string_view token, int vocabulary) {
    return static_cast<num::Index>(base::hash_bytes(token) %
                                   static_cast<std::uint64_t>(vocabulary));
}

std::vector<num::Index> embedding_rows(const Model& model, const std::vector<text::Token>& tokens) {
    std::vector<num::Index> rows;
    rows.reserve(tokens.size());
    for (const text::Token& token : tokens) {
        rows.push_back(std::max<num::Index>(0, row_of(model, token)));
    }
    return rows;
}

num::Index row_of(const Model& model, const text::Token& token) {
    return token.row >= 0 ? token.row : model.vocabulary_row(token.text);
}

num::Index id_named(std::string_view text, int vocabulary) {
    num::Index row = -1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, row);
    return error == std::errc() && stop == end && row >= 0 && row < vocabulary ? row : -1;
}

} // namespace heed::models
