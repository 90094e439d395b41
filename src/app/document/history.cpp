#include "app/document/history.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heed::app {

namespace {

/// Enough for a long afternoon; past it the oldest entry is forgotten.
constexpr std::size_t kMaxStates = 500;

} // namespace

bool is_typed(std::string_view before, std::string_view after) {
    constexpr std::ptrdiff_t kFew = 4; // what an input method commits at once
    const auto differs = std::ranges::mismatch(before, after);
    before.remove_prefix(static_cast<std::size_t>(differs.in1 - before.begin()));
    after.remove_prefix(static_cast<std::size_t>(differs.in2 - after.begin()));
    while (!before.empty() && !after.empty() && before.back() == after.back()) {
        before.remove_suffix(1);
        after.remove_suffix(1);
    }
    const auto characters = [](std::string_view text) {
        return std::ranges::count_if(text, [](char c) { return !base::continues_character(c); });
    };
    const auto gone = characters(before), come = characters(after);
    return std::min(gone, come) == 0 && std::max(gone, come) <= kFew;
}

namespace {

using base::continues_character;

/// Where two texts begin to differ, at a whole character.
std::size_t first_difference(std::string_view a, std::string_view b) {
    const auto differs = std::ranges::mismatch(a, b);
    auto at = static_cast<std::size_t>(differs.in1 - a.begin());
    const auto within = [&](std::string_view text) {
        return at < text.size() && continues_character(text[at]);
    };
    while (at > 0 && (within(a) || within(b))) --at;
    return at;
}

bool is_space(const base::Decoded& letter) {
    return letter.code_point <= ' ' || letter.code_point == 0xA0 || letter.code_point == 0x3000;
}

/// True of a character that white space divides into words, as it does not divide Chinese.
bool in_word(const base::Decoded& letter) {
    return !is_space(letter) && base::sets_spaces(letter.code_point);
}

/// The character that ends before `at`; requires at > 0.
base::Decoded character_before(std::string_view text, std::size_t at) {
    std::size_t last = at - 1;
    while (last > 0 && continues_character(text[last])) --last;
    return base::decode_utf8(text.substr(0, at), last);
}

/// Letters that came into a text, at one place.
struct Typed {
    std::size_t at = 0; // where they begin
    std::string_view letters{};
};

/// Nothing where something went too.
std::optional<Typed> typed_into(std::string_view before, std::string_view after) {
    if (after.size() <= before.size()) return std::nullopt;
    const std::size_t at = first_difference(before, after), come = after.size() - before.size();
    if (before.substr(at) != after.substr(at + come)) return std::nullopt;
    return Typed{at, after.substr(at, come)};
}

} // namespace

bool goes_on_in_word(std::string_view first, std::string_view before, std::string_view after) {
    const auto typed = typed_into(before, after);
    if (!typed || typed->at == 0) return false;
    const std::size_t at = typed->at;
    if (!in_word(character_before(before, at)) || !in_word(base::decode_utf8(typed->letters, 0))) {
        return false; // be it that what comes behind the word's rest begins others
    }
    const std::size_t from = first_difference(first, before);
    const auto behind = std::mismatch(first.rbegin(), first.rend(), before.rbegin(), before.rend());
    const auto same = static_cast<std::size_t>(behind.second - before.rbegin());
    return from < at && at + std::min(same, before.size() - from) <= before.size();
}

bool begins_word(std::string_view first, std::string_view before, std::string_view after) {
    const auto typed = typed_into(before, after);
    if (!typed || typed->at == 0 || !is_space(character_before(before, typed->at))) return false;
    if (is_space(base::decode_utf8(typed->letters, 0))) return false;
    for (std::size_t at = first_difference(first, before); at < typed->at;) {
        const base::Decoded letter = base::decode_utf8(before, at);
        if (!is_space(letter)) return true;
        at += letter.length;
    }
    return false;
}

std::optional<std::string> up_to_next_word(std::string_view before, std::string_view after) {
    const auto typed = typed_into(before, after);
    if (!typed) return std::nullopt;
    bool space = false;
    for (std::size_t i = 0; i < typed->letters.size();) {
        const base::Decoded letter = base::decode_utf8(typed->letters, i);
        if (space && !is_space(letter)) {
            return std::string(before.substr(0, typed->at)) +
                   std::string(typed->letters.substr(0, i)) + std::string(before.substr(typed->at));
        }
        space = is_space(letter);
        i += letter.length;
    }
    return std::nullopt;
}

History::History(Document document) { entries_.push_back({std::move(document), {}, "", 0, true}); }

void History::change(Document document, const UndoTag& tag, std::string words) {
    if (document == now()) return;
    const bool continues = goes_on(tag);
    if (continues && !entries_[at_].paused) {
        entries_[at_].document = std::move(document);
        // What came back to where it began is no step: its undo would show nothing.
        if (at_ > 0 && entries_[at_].document == entries_[at_ - 1].document) {
            entries_.pop_back();
            --at_;
        }
        return;
    }
    push(std::move(document), tag, std::move(words));
    entries_[at_].continues = continues;
}

void History::pause(const UndoTag& tag) {
    if (goes_on(tag)) entries_[at_].paused = true;
}

bool History::goes_on(const UndoTag& tag) const {
    return !can_redo() && !entries_[at_].sealed && entries_[at_].tag == tag;
}

const Document& History::before_entry(const UndoTag& tag) const {
    return goes_on(tag) && at_ > 0 ? entries_[at_ - 1].document : now();
}

const Document& History::before(const UndoTag& tag) const {
    if (!goes_on(tag)) return now();
    std::size_t first = at_;
    while (first > 0 && entries_[first].continues) --first;
    return entries_[first > 0 ? first - 1 : 0].document;
}

void History::begin(Document document, std::string words) {
    seal();
    push(std::move(document), {}, std::move(words));
    seal();
}

void History::push(Document document, const UndoTag& tag, std::string words) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, entries_.end());
    entries_.push_back({std::move(document), tag, std::move(words), made_++});
    if (entries_.size() > kMaxStates) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
}

void History::forget_until(std::size_t entry) {
    if (entry >= id()) return;
    const auto kept = std::ranges::find_if(entries_, [&](const Entry& e) { return e.id > entry; });
    at_ -= static_cast<std::size_t>(kept - entries_.begin());
    entries_.erase(entries_.begin(), kept);
}

void History::seal() { entries_[at_].sealed = true; }

bool History::undo() {
    if (!can_undo()) return false;
    seal();
    --at_;
    seal();
    return true;
}

bool History::redo() {
    if (!can_redo()) return false;
    ++at_;
    seal();
    return true;
}

} // namespace heed::app
