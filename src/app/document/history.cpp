#include "app/document/history.hpp"

#include <cstddef>
#include <utility>

namespace heed::app {

namespace {

/// Enough for a long afternoon; past it the oldest entry is forgotten.
constexpr std::size_t kMaxStates = 500;

} // namespace

History::History(Document document) { entries_.push_back({std::move(document), {}, "", 0, true}); }

void History::change(Document document, const UndoTag& tag, std::string words) {
    if (document == now()) return;
    if (goes_on(tag)) {
        entries_[at_].document = std::move(document);
        return;
    }
    push(std::move(document), tag, std::move(words));
}

bool History::goes_on(const UndoTag& tag) const {
    return !can_redo() && !entries_[at_].sealed && entries_[at_].tag == tag;
}

const Document& History::before(const UndoTag& tag) const {
    return entries_[at_ > 0 && goes_on(tag) ? at_ - 1 : at_].document;
}

void History::begin(Document document, std::string words) {
    seal();
    push(std::move(document), {}, std::move(words));
    seal();
}

void History::push(Document document, const UndoTag& tag, std::string words) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, entries_.end());
    entries_.push_back({std::move(document), tag, std::move(words), made_++, false});
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
