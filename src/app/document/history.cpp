#include "app/document/history.hpp"

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
        return std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    };
    const auto gone = characters(before), come = characters(after);
    return std::min(gone, come) == 0 && std::max(gone, come) <= kFew;
}

History::History(Document document) { entries_.push_back({std::move(document), {}, "", 0, true}); }

void History::change(Document document, const UndoTag& tag, std::string words) {
    if (document == now()) return;
    const bool continues = goes_on(tag);
    if (continues && !entries_[at_].paused) {
        entries_[at_].document = std::move(document);
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
