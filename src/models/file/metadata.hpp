// A configuration in the metadata of a model file, every value a readable string. Both are visitors
// of its fields (models/fields.hpp); what has no Field names its words here.
#pragma once

#include "base/check.hpp"
#include "base/result.hpp"
#include "models/spec/fields.hpp"

#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::models {

struct MetadataWriter {
    std::map<std::string, std::string>& metadata;

    template <class T> void operator()(const Field& field, const T& value) {
        if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
            word(field.name, value, words_of<T>());
        } else if constexpr (std::is_same_v<T, std::vector<int>>) {
            metadata[field.name] = fmt::format("{}", fmt::join(value, " "));
        } else {
            number(field.name, value);
        }
    }
    template <class N> void number(const char* key, N value) {
        metadata[key] = fmt::format("{}", value); // the fewest digits that read back the same
    }
    template <class N> void newer_number(const char* key, N value) { number(key, value); }
    void newer_text(const char* key, const std::string& value) { metadata[key] = value; }
    template <class E> void word(const char* key, E value, const Words<E>& words) {
        for (const auto& [text, meaning] : words) {
            if (meaning == value) metadata[key] = text;
        }
    }
};

struct MetadataReader {
    const std::map<std::string, std::string>& metadata;
    const std::string& path;
    base::Result<void> result = {}; // the first failure

    template <class T> void operator()(const Field& field, T& to) {
        if (!field.required && !metadata.contains(field.name)) return;
        if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
            word(field.name, to, words_of<T>());
        } else if constexpr (std::is_same_v<T, std::vector<int>>) {
            numbers(field.name, to);
        } else {
            number(field.name, to);
        }
    }
    /// Whole numbers, with white space between them.
    void numbers(const char* key, std::vector<int>& to) {
        const std::string* text = find(key);
        if (!text) return;
        to.clear();
        const char *at = text->data(), *end = at + text->size();
        while (at != end) {
            if (*at == ' ') {
                ++at;
                continue;
            }
            const auto [stop, error] = std::from_chars(at, end, to.emplace_back());
            if (error != std::errc() || to.size() > kMostNumbers) {
                return complain(base::ErrorKind::malformed,
                                fmt::format("\"{}\" in its metadata is '{:.40}'; at most {} whole "
                                            "numbers are expected",
                                            key, *text, kMostNumbers));
            }
            at = stop;
        }
    }
    static constexpr std::size_t kMostNumbers = 128;
    const std::string* find(const char* key) {
        const auto entry = metadata.find(key);
        if (entry != metadata.end()) return &entry->second;
        complain(base::ErrorKind::malformed, fmt::format("its metadata lacks \"{}\"", key));
        return nullptr;
    }
    template <class N> void number(const char* key, N& to) {
        const std::string* text = find(key);
        if (!text) return;
        const char* end = text->data() + text->size();
        const auto [stop, error] = std::from_chars(text->data(), end, to);
        if (error != std::errc() || stop != end) {
            complain(base::ErrorKind::malformed,
                     fmt::format("\"{}\" in its metadata is '{:.40}'; a number "
                                 "of this field's range is expected",
                                 key, *text));
        }
    }
    template <class E> void word(const char* key, E& to, const Words<E>& words) {
        const std::string* text = find(key);
        if (!text) return;
        std::string allowed;
        for (const auto& [word, meaning] : words) {
            if (word == *text) {
                to = meaning;
                return;
            }
            allowed += (allowed.empty() ? "" : ", ") + std::string(word);
        }
        complain(base::ErrorKind::malformed,
                 fmt::format("\"{}\" in its metadata is '{:.40}', which is none of {}", key, *text,
                             allowed));
    }
    /// A field that files of before it was thought of lack: they mean what `to` is already.
    template <class N> void newer_number(const char* key, N& to) {
        if (metadata.contains(key)) number(key, to);
    }
    void newer_text(const char* key, std::string& to) {
        if (const auto entry = metadata.find(key); entry != metadata.end()) to = entry->second;
    }
    void complain(base::ErrorKind kind, std::string message) {
        if (result) result = base::fail(kind, path, std::move(message));
    }
};

/// A configuration's fields; `complete(config)` fills in what is none. Errors: malformed, or those
/// of check(), with the path as the subject.
template <class Config, class Complete>
base::Result<Config> read_config(const std::map<std::string, std::string>& metadata,
                                 const std::string& path, Complete&& complete) {
    Config config;
    MetadataReader reader{metadata, path};
    fields(config, reader);
    complete(config);
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    if (auto ok = check(config); !ok) {
        return base::fail(ok.error().kind, path,
                          "its configuration: " + base::describe(ok.error()));
    }
    return config;
}

} // namespace heed::models
