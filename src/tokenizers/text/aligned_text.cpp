#include "tokenizers/text/aligned_text.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::tokenizers {

AlignedText::AlignedText(std::string_view original) : text_(original) {
    original_ = {0, static_cast<std::uint32_t>(original.size())};
    ranges_.reserve(text_.size());
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t length = base::decode_utf8(text_, at).length;
        const Range range{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + length)};
        ranges_.insert(ranges_.end(), length, range);
        at += length;
    }
}

void AlignedText::check_growth(std::size_t bytes) const {
    // A character that is many written out comes to eleven times its bytes, as bytes to two more.
    constexpr std::size_t kTimes = 64, kAlways = 64;
    const std::size_t given = original_.end - original_.begin;
    if (bytes <= kTimes * (given + kAlways)) return;
    throw Refused(base::ErrorKind::out_of_range, "tokeniser",
                  fmt::format("turns {} bytes of text into more than {}; Heed stops there", given,
                              kTimes * (given + kAlways)));
}

void AlignedText::transform(std::span<const Change> changes, std::size_t removed) {
    if (text_.empty()) return;
    std::size_t read = 0; // the next character that is replaced
    const auto skip = [&](std::size_t characters) {
        const std::size_t from = read;
        for (; characters > 0 && read < text_.size(); --characters) {
            read += base::decode_utf8(text_, read).length;
        }
        return read - from;
    };
    std::size_t offset = skip(removed);
    std::string text;
    std::vector<Range> ranges;
    text.reserve(text_.size());
    ranges.reserve(text_.size());
    for (const Change& change : changes) {
        Range range{original_.begin, original_.begin};
        if (change.change > 0) {
            if (offset > 0) range = ranges_[std::min(offset, ranges_.size()) - 1];
        } else {
            range = ranges_[std::min(offset, ranges_.size() - 1)];
            offset += skip(1);
            if (change.change < 0) offset += skip(static_cast<std::size_t>(-change.change));
        }
        base::append_utf8(text, change.c);
        ranges.resize(text.size(), range);
    }
    check_growth(text.size());
    text_ = std::move(text);
    ranges_ = std::move(ranges);
}

void AlignedText::prepend(std::string_view words) {
    if (text_.empty()) return;
    check_growth(text_.size() + words.size());
    text_.insert(0, words);
    ranges_.insert(ranges_.begin(), words.size(), Range(ranges_.front()));
}

void AlignedText::filter(const std::function<bool(char32_t)>& keep) {
    std::vector<Change> changes;
    std::size_t removed = 0;
    for (const char32_t c : to_characters(text_)) {
        if (keep(c)) {
            changes.push_back({c, 0});
        } else if (changes.empty()) {
            ++removed;
        } else {
            --changes.back().change;
        }
    }
    transform(changes, removed);
}

void AlignedText::map(const std::function<char32_t(char32_t)>& becomes) {
    std::vector<Change> changes;
    for (const char32_t c : to_characters(text_)) changes.push_back({becomes(c), 0});
    transform(changes, 0);
}

void AlignedText::lower_case() {
    std::vector<Change> changes;
    for (const char32_t c : to_characters(text_)) {
        int change = 0;
        for (const char32_t lower : tokenizers::lower_case(c)) {
            changes.push_back({lower, change});
            change = 1;
        }
    }
    transform(changes, 0);
}

void AlignedText::strip(bool left, bool right) {
    std::size_t begin = 0, end = 0;
    bool inside = !left;
    for (std::size_t at = 0; at < text_.size();) {
        const base::Decoded decoded = base::decode_utf8(text_, at);
        const bool space = is_white_space(decoded.code_point);
        if (!inside && !space) {
            inside = true;
            begin = at;
        }
        at += decoded.length;
        if (!space || !right) end = at;
    }
    if (!inside) begin = end = 0;
    text_ = text_.substr(begin, end - begin);
    ranges_ = {ranges_.begin() + static_cast<std::ptrdiff_t>(begin),
               ranges_.begin() + static_cast<std::ptrdiff_t>(end)};
}

void AlignedText::replace(std::span<const Stretch> stretches, std::string_view content) {
    std::string text;
    std::vector<Range> ranges;
    for (const Stretch& stretch : stretches) {
        const auto at = [&](std::size_t byte) {
            return ranges_.begin() + static_cast<std::ptrdiff_t>(byte);
        };
        if (!stretch.match) {
            text.append(text_, stretch.begin, stretch.end - stretch.begin);
            ranges.insert(ranges.end(), at(stretch.begin), at(stretch.end));
            continue;
        }
        check_growth(text.size() + content.size());
        text += content;
        const Range range =
            stretch.end > 0 ? ranges_[stretch.end - 1] : Range{original_.begin, original_.begin};
        ranges.resize(text.size(), range);
    }
    text_ = std::move(text);
    ranges_ = std::move(ranges);
}

void AlignedText::assign(std::string text, std::vector<Range> ranges) {
    text_ = std::move(text);
    ranges_ = std::move(ranges);
}

AlignedText AlignedText::slice(std::size_t begin, std::size_t end) const {
    AlignedText part;
    part.text_ = text_.substr(begin, end - begin);
    part.ranges_ = {ranges_.begin() + static_cast<std::ptrdiff_t>(begin),
                    ranges_.begin() + static_cast<std::ptrdiff_t>(end)};
    if (begin < end) part.original_ = {ranges_[begin].begin, ranges_[end - 1].end};
    return part;
}

Range AlignedText::original_of(std::size_t begin, std::size_t end) const {
    if (begin < end && end <= ranges_.size()) return {ranges_[begin].begin, ranges_[end - 1].end};
    // The library's own answer for ranges that are empty, or beyond the text.
    const std::size_t shift = begin == end ? original_.begin : 0;
    return {static_cast<std::uint32_t>(begin + shift), static_cast<std::uint32_t>(end + shift)};
}

std::vector<AlignedText> AlignedText::split(std::span<const Stretch> stretches,
                                            Behavior behavior) const {
    std::vector<Stretch> parts; // `match` says: joined with what follows
    const auto add = [&](const Stretch& stretch, bool join) {
        if (join && !parts.empty()) {
            parts.back().end = stretch.end;
        } else {
            parts.push_back(stretch);
        }
    };
    bool previous = false;
    switch (behavior) {
    case Behavior::isolated: parts.assign(stretches.begin(), stretches.end()); break;
    case Behavior::removed:
        for (const Stretch& stretch : stretches) {
            if (!stretch.match) parts.push_back(stretch);
        }
        break;
    case Behavior::contiguous:
        for (const Stretch& stretch : stretches) {
            add(stretch, stretch.match == previous);
            previous = stretch.match;
        }
        break;
    case Behavior::merged_with_previous:
        for (const Stretch& stretch : stretches) {
            add(stretch, stretch.match && !previous);
            previous = stretch.match;
        }
        break;
    case Behavior::merged_with_next:
        for (std::size_t i = stretches.size(); i-- > 0;) {
            if (stretches[i].match && !previous && !parts.empty()) {
                parts.back().begin = stretches[i].begin;
            } else {
                parts.push_back(stretches[i]);
            }
            previous = stretches[i].match;
        }
        std::reverse(parts.begin(), parts.end());
        break;
    }
    std::vector<AlignedText> result;
    for (const Stretch& part : parts) {
        if (part.begin < part.end) result.push_back(slice(part.begin, part.end));
    }
    return result;
}

std::vector<Stretch> stretches_of(std::string_view text, const std::function<bool(char32_t)>& is) {
    std::vector<Stretch> result;
    std::size_t last = 0;
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        if (is(decoded.code_point)) {
            if (last < at) result.push_back({last, at, false});
            last = at + decoded.length;
            result.push_back({at, last, true});
        }
        at += decoded.length;
    }
    if (last < text.size()) result.push_back({last, text.size(), false});
    return result;
}

std::vector<Stretch> stretches_of(std::string_view text, std::string_view words) {
    std::vector<Stretch> result;
    std::size_t last = 0;
    while (!words.empty()) {
        const std::size_t at = text.find(words, last);
        if (at == std::string_view::npos) break;
        if (last < at) result.push_back({last, at, false});
        last = at + words.size();
        result.push_back({at, last, true});
    }
    if (last < text.size()) result.push_back({last, text.size(), false});
    return result;
}

} // namespace heed::tokenizers
