#include "tokenizers/parts/decoders.hpp"

#include "base/utf8.hpp"
#include "tokenizers/parts/pre_tokenizers.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/pattern.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

using Words = std::vector<std::string>;

/// All that rules of a stranger's file may write, one after another.
constexpr std::size_t kMostWritten = 16 << 20;

void check_written(std::size_t bytes) {
    if (bytes <= kMostWritten) return;
    throw Refused(ErrorKind::out_of_range, "decoder",
                  fmt::format("writes more than {} bytes", kMostWritten));
}

void replace_all(std::string& words, std::string_view old, std::string_view becomes) {
    if (old.empty()) return;
    std::string result;
    std::size_t from = 0;
    for (std::size_t at = words.find(old); at != std::string::npos; at = words.find(old, from)) {
        result.append(words, from, at - from).append(becomes);
        check_written(result.size());
        from = at + old.size();
    }
    words = result.append(words, from);
}

/// English, as BERT's decoder tidies it.
void tidy(std::string& words) {
    constexpr const char* kTable[][2] = {{" .", "."},     {" ?", "?"},           {" !", "!"},
                                         {" ,", ","},     {" ' ", "'"},          {" n't", "n't"},
                                         {" 'm", "'m"},   {" do not", " don't"}, {" 's", "'s"},
                                         {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [old, becomes] : kTable) replace_all(words, old, becomes);
}

/// One rule for every token.
Decoder each(std::function<void(std::string&, std::size_t index, std::size_t count)> rule) {
    return [rule = std::move(rule)](Words tokens) {
        std::size_t written = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            rule(tokens[i], i, tokens.size());
            check_written(written += tokens[i].size());
        }
        return tokens;
    };
}

Words join_bytes(Words tokens) {
    Words result;
    std::string bytes;
    const auto flush = [&] {
        if (bytes.empty()) return;
        if (base::is_valid_utf8(bytes)) {
            result.push_back(bytes);
        } else {
            result.insert(result.end(), bytes.size(), "\uFFFD");
        }
        bytes.clear();
    };
    for (std::string& token : tokens) {
        if (const int byte = byte_of_token(token); byte >= 0) {
            bytes += static_cast<char>(byte);
        } else {
            flush();
            result.push_back(std::move(token));
        }
    }
    flush();
    return result;
}

Words joined(const Words& tokens) {
    std::string all;
    for (const std::string& token : tokens) all += token;
    return {all};
}

Decoder read_replace_decoder(Fields& fields) {
    const std::string content = fields.string("content");
    Fields pattern(fields.member("pattern"), fields.path_of("pattern"));
    if (const auto words = pattern.find_string("String")) {
        pattern.done();
        return each([words = *words, content](std::string& token, std::size_t, std::size_t) {
            replace_all(token, words, content);
        });
    }
    const auto expression =
        std::make_shared<const Pattern>(pattern.string("Regex"), pattern.path_of("Regex"));
    pattern.done();
    return each([expression, content](std::string& token, std::size_t, std::size_t) {
        std::string result;
        for (const Stretch& stretch : expression->stretches(token)) {
            result +=
                stretch.match ? content : token.substr(stretch.begin, stretch.end - stretch.begin);
            check_written(result.size());
        }
        token = result;
    });
}

Decoder read_strip(Fields& fields) {
    const char32_t content = fields.character("content");
    const std::size_t start = fields.count("start"), stop = fields.count("stop");
    return each([=](std::string& token, std::size_t, std::size_t) {
        const std::u32string words = to_characters(token);
        std::size_t begin = 0, end = words.size();
        while (begin < std::min(start, words.size()) && words[begin] == content) ++begin;
        while (end > begin && words.size() - end < stop && words[end - 1] == content) --end;
        token = to_utf8(words.substr(begin, end - begin));
    });
}

Decoder read_metaspace_decoder(Fields& fields) {
    const std::string replacement = to_utf8(std::u32string(1, fields.character("replacement")));
    const Prepend prepend = read_prepend(fields);
    fields.ignore("split");
    fields.ignore("str_rep");
    return each([=](std::string& token, std::size_t index, std::size_t) {
        replace_all(token, replacement, index == 0 && prepend != Prepend::never ? "" : " ");
    });
}

Decoder read_ctc(Fields& fields) {
    const std::string pad = fields.string("pad_token");
    const std::string delimiter = fields.string("word_delimiter_token");
    const bool cleanup = fields.boolean("cleanup");
    return [=](Words tokens) {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        Words result;
        for (std::string& token : tokens) {
            replace_all(token, pad, "");
            if (cleanup) {
                tidy(token);
                replace_all(token, delimiter, " ");
            }
            if (!token.empty()) result.push_back(std::move(token));
        }
        return result;
    };
}

Decoder read_one_decoder(const std::string& type, Fields& fields) {
    if (type == "ByteLevel") {
        for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"})
            fields.ignore(key);
        return byte_level_decoder();
    }
    if (type == "WordPiece") {
        const std::string prefix = fields.string("prefix");
        return wordpiece_decoder(prefix, fields.boolean("cleanup"));
    }
    if (type == "Metaspace") return read_metaspace_decoder(fields);
    if (type == "ByteFallback") return join_bytes;
    if (type == "Fuse") return joined;
    if (type == "Strip") return read_strip(fields);
    if (type == "Replace") return read_replace_decoder(fields);
    if (type == "CTC") return read_ctc(fields);
    if (type == "BPEDecoder") {
        return each([suffix = fields.string("suffix")](std::string& token, std::size_t index,
                                                       std::size_t count) {
            replace_all(token, suffix, index + 1 == count ? "" : " ");
        });
    }
    if (type == "Sequence") {
        std::vector<Decoder> parts;
        for (Fields& part : fields.objects("decoders"))
            parts.push_back(read_decoder(std::move(part)));
        return [parts](Words tokens) {
            for (const Decoder& part : parts) tokens = part(std::move(tokens));
            return tokens;
        };
    }
    throw Refused(ErrorKind::unsupported, fields.path(),
                  fmt::format("decoder '{}' is not known to Heed", type));
}

} // namespace

Decoder read_decoder(Fields fields) {
    Decoder result = read_one_decoder(fields.string("type"), fields);
    fields.done();
    return result;
}

std::string bytes_of_token(const std::string& token) {
    std::string bytes;
    for (const char32_t c : to_characters(token)) {
        const int byte = character_to_byte(c);
        if (byte < 0) return token;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

Decoder byte_level_decoder() {
    return [](const Words& tokens) {
        std::string bytes;
        for (const std::string& token : tokens) bytes += bytes_of_token(token);
        return Words{base::to_valid_utf8(bytes)};
    };
}

Decoder wordpiece_decoder(const std::string& prefix, bool cleanup) {
    return each([=](std::string& token, std::size_t index, std::size_t) {
        if (index > 0)
            token = token.starts_with(prefix) ? token.substr(prefix.size()) : " " + token;
        if (cleanup) tidy(token);
    });
}

} // namespace heed::tokenizers
