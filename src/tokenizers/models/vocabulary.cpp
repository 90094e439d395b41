#include "tokenizers/models/vocabulary.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace heed::tokenizers {

namespace {

std::uint32_t hash_of(std::string_view token) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(token));
}

} // namespace

void Vocabulary::reserve(std::size_t tokens) {
    entries_.reserve(tokens);
    grow(tokens);
}

void Vocabulary::grow(std::size_t tokens) {
    std::size_t size = 64;
    while (size < 2 * tokens) size *= 2;
    if (size <= slots_.size()) return;
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(size));
    for (const Slot& slot : old) {
        if (slot.entry == 0) continue;
        std::size_t at = slot.hash & (size - 1);
        while (slots_[at].entry != 0) at = (at + 1) & (size - 1);
        slots_[at] = slot;
    }
}

std::size_t Vocabulary::slot_of(std::string_view token, std::uint32_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].entry != 0 &&
           (slots_[at].hash != hash || words(entries_[slots_[at].entry - 1]) != token)) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

bool Vocabulary::add(std::string_view token, int id) {
    grow(entries_.size() + 1);
    const std::uint32_t hash = hash_of(token);
    const std::size_t at = slot_of(token, hash);
    if (slots_[at].entry != 0) return false;
    entries_.push_back(
        {static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(token.size()), id});
    bytes_ += token;
    slots_[at] = {hash, static_cast<std::uint32_t>(entries_.size())};
    if (id >= rows()) by_id_.resize(static_cast<std::size_t>(id) + 1, 0);
    by_id_[static_cast<std::size_t>(id)] = static_cast<std::uint32_t>(entries_.size());
    longest_ = std::max(longest_, token.size());
    return true;
}

std::optional<int> Vocabulary::find(std::string_view token) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[slot_of(token, hash_of(token))];
    if (slot.entry == 0) return std::nullopt;
    return entries_[slot.entry - 1].id;
}

std::string_view Vocabulary::token(int id) const {
    return has(id) ? words(entries_[by_id_[static_cast<std::size_t>(id)] - 1]) : std::string_view();
}

} // namespace heed::tokenizers
