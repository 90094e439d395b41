#include "tokenizers/parts/processors.hpp"

#include "tensors/json.hpp"
#include "tokenizers/models/vocabulary.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

bool is_space_of_bytes(char32_t c) { return c == U'Ġ' || is_white_space(c); }

/// Places of byte-level tokens without the white space that they begin and end with.
void trim_places(std::vector<Placed>& pieces, bool add_prefix_space) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        Placed& piece = pieces[i];
        const std::u32string words = to_characters(piece.words);
        const auto first = std::find_if_not(words.begin(), words.end(), is_space_of_bytes);
        const auto last = std::find_if_not(words.rbegin(), words.rend(), is_space_of_bytes);
        auto leading = static_cast<std::size_t>(first - words.begin());
        const auto trailing = static_cast<std::size_t>(last - words.rbegin());
        const bool is_first = i == 0 || piece.begin == 0;
        if (is_first && add_prefix_space && leading == 1) leading = 0; // it was added
        piece.begin = std::min(piece.begin + leading, piece.end);
        if (trailing > 0 && piece.end >= trailing) {
            piece.end = std::max(piece.end - trailing, piece.begin);
        }
    }
}

int read_id(const tensors::Json& value, const std::string& path) {
    const auto id = tensors::count(value, path);
    if (!id) throw Refused(id.error());
    if (*id > static_cast<std::uint64_t>(Vocabulary::kMaxId)) {
        throw Refused(ErrorKind::out_of_range, path,
                      fmt::format("is {}; Heed reads ids up to {}", *id, Vocabulary::kMaxId));
    }
    return static_cast<int>(*id);
}

/// A few tokens are set around a text, and they are short.
void check_added(std::size_t tokens) {
    constexpr std::size_t kMost = 1024;
    if (tokens <= kMost) return;
    throw Refused(ErrorKind::out_of_range, "post_processor",
                  fmt::format("sets {} tokens around a text; at most {} are set", tokens, kMost));
}

void check_token(const std::string& token, const std::string& path) {
    if (token.size() <= Vocabulary::kMaxToken) return;
    throw Refused(ErrorKind::out_of_range, path,
                  fmt::format("has {} bytes; tokens of at most {} bytes are read", token.size(),
                              Vocabulary::kMaxToken));
}

/// ["[SEP]", 102]
Placed read_pair(Fields& fields, const char* key) {
    const tensors::Json& pair = fields.member(key);
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) {
        throw Refused(ErrorKind::malformed, fields.path_of(key),
                      "expected a token and its id in an array");
    }
    check_token(pair[0].get<std::string>(), fields.path_of(key) + "[0]");
    return {read_id(pair[1], fields.path_of(key) + "[1]"), pair[0].get<std::string>(), 0, 0};
}

std::vector<Placed> read_special(Fields fields) {
    fields.ignore("id");
    const tensors::Json& ids = fields.member("ids");
    const tensors::Json& tokens = fields.member("tokens");
    if (!ids.is_array() || !tokens.is_array() || ids.size() != tokens.size()) {
        throw Refused(ErrorKind::malformed, fields.path(), "has not as many ids as tokens");
    }
    std::vector<Placed> result;
    check_added(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", fields.path_of("tokens"), i);
        const auto token = tensors::string(tokens[i], path);
        if (!token) throw Refused(token.error());
        check_token(*token, path);
        result.push_back({read_id(ids[i], fields.path_of("ids")), *token, 0, 0});
    }
    fields.done();
    return result;
}

/// "single" of a template: what stands before and after the text.
Processor read_template(Fields& fields) {
    std::map<std::string, std::vector<Placed>> special;
    const tensors::Json& tokens = fields.member("special_tokens");
    if (!tokens.is_object()) {
        throw Refused(ErrorKind::malformed, fields.path_of("special_tokens"), "is no object");
    }
    for (const auto& entry : tokens.items()) {
        special[entry.key()] = read_special(
            Fields(entry.value(), fields.path_of("special_tokens") + "." + entry.key()));
    }
    fields.ignore("pair");
    std::vector<std::vector<Placed>> parts(1); // the text stands between each two
    for (Fields& part : fields.objects("single")) {
        if (const tensors::Json* sequence = part.find("Sequence")) {
            Fields of(*sequence, part.path_of("Sequence"));
            if (of.string("id") != "A") {
                throw Refused(ErrorKind::malformed, of.path(), "names a second text for one text");
            }
            parts.emplace_back();
        } else {
            Fields of(part.member("SpecialToken"), part.path_of("SpecialToken"));
            const auto found = special.find(of.string("id"));
            if (found == special.end()) {
                throw Refused(ErrorKind::mismatch, of.path(),
                              "names a token that \"special_tokens\" lacks");
            }
            check_added(parts.back().size() + found->second.size());
            parts.back().insert(parts.back().end(), found->second.begin(), found->second.end());
        }
        part.done();
    }
    if (parts.size() != 2) {
        throw Refused(ErrorKind::unsupported, fields.path_of("single"),
                      "has the text not once but otherwise, which Heed does not read");
    }
    return around(parts[0], parts[1]);
}

Processor read_one_processor(const std::string& type, Fields& fields) {
    if (type == "TemplateProcessing") return read_template(fields);
    if (type == "BertProcessing") {
        return around({read_pair(fields, "cls")}, {read_pair(fields, "sep")});
    }
    if (type == "ByteLevel") {
        fields.boolean("use_regex", true); // of the pre-tokenizer alone
        const bool prefix = fields.boolean("add_prefix_space");
        return byte_level_processor(prefix, fields.boolean("trim_offsets"));
    }
    if (type == "RobertaProcessing") {
        const bool prefix = fields.boolean("add_prefix_space");
        const bool trim = fields.boolean("trim_offsets");
        return processors_in_turn({byte_level_processor(prefix, trim),
                                   around({read_pair(fields, "cls")}, {read_pair(fields, "sep")})});
    }
    if (type == "Sequence") {
        std::vector<Processor> parts;
        for (Fields& part : fields.objects("processors")) {
            parts.push_back(read_processor(std::move(part)));
        }
        return processors_in_turn(std::move(parts));
    }
    throw Refused(ErrorKind::unsupported, fields.path(),
                  fmt::format("post-processor '{}' is not known to Heed", type));
}

} // namespace

Processor read_processor(Fields fields) {
    Processor result = read_one_processor(fields.string("type"), fields);
    fields.done();
    return result;
}

Processor around(std::vector<Placed> before, std::vector<Placed> after) {
    const std::size_t added = before.size() + after.size();
    return {[before = std::move(before), after = std::move(after)](std::vector<Placed> pieces,
                                                                   bool add_special) {
                if (!add_special) return pieces;
                pieces.insert(pieces.begin(), before.begin(), before.end());
                pieces.insert(pieces.end(), after.begin(), after.end());
                return pieces;
            },
            added};
}

Processor byte_level_processor(bool add_prefix_space, bool trim_offsets) {
    return {[=](std::vector<Placed> pieces, bool) {
                if (trim_offsets) trim_places(pieces, add_prefix_space);
                return pieces;
            },
            0};
}

Processor processors_in_turn(std::vector<Processor> parts) {
    std::size_t added = 0;
    for (const Processor& part : parts) added += part.added;
    check_added(added);
    return {[parts = std::move(parts)](std::vector<Placed> pieces, bool add_special) {
                for (const Processor& part : parts) {
                    pieces = part.apply(std::move(pieces), add_special);
                }
                return pieces;
            },
            added};
}

} // namespace heed::tokenizers
