// Undo and redo over the document.
#pragma once

#include "app/document/document.hpp"
#include "app/document/undo_tag.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// True where a text becomes another as it does under a typing hand: at one place a few characters
/// come, or go. A sentence that is replaced or pasted does not.
bool is_typed(std::string_view before, std::string_view after);

/// True where letters are typed on within a word of `before`, in the part of it that is not
/// `first`'s: an editor takes that back with the word. Chinese and Japanese have no such words.
bool goes_on_in_word(std::string_view first, std::string_view before, std::string_view after);
/// True where letters begin a word behind white space, and what was typed before it since `first`
/// has another one: an editor takes words back one by one, each with the space that follows.
bool begins_word(std::string_view first, std::string_view before, std::string_view after);
/// The text as it is once the first of several words that came at once has the space behind it;
/// nothing where no other word begins behind that.
std::optional<std::string> up_to_next_word(std::string_view before, std::string_view after);

class History {
  public:
    explicit History(Document document);

    const Document& now() const { return entries_[at_].document; }
    /// Sets the document. Successive changes with the same tag become one entry, until it is
    /// sealed. `words` name the entry.
    void change(Document document, const UndoTag& tag, std::string words);
    /// The document that such a change stands on: the one before the entry that it becomes part of,
    /// and before those that pauses ended.
    const Document& before(const UndoTag& tag) const;
    /// The document that the entry stands on which such a change becomes part of; where it becomes
    /// part of none, the present one.
    const Document& before_entry(const UndoTag& tag) const;
    /// Ends the entry for undo alone: the next change with this tag is another entry, and stands on
    /// the document that this one does.
    void pause(const UndoTag& tag);
    /// A change that is always an entry of its own, be it of the document as it is.
    void begin(Document document, std::string words);
    void seal(); // ends the entry: the next change starts another
    /// Forgets the entry with this id and those before it, unless one of them holds now.
    void forget_until(std::size_t entry);
    bool undo();
    bool redo();
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < entries_.size(); }
    /// Words for what the entry at an index did, oldest first: for the list in the window.
    const std::string& words(std::size_t index) const { return entries_[index].words; }
    const Document& document(std::size_t index) const { return entries_[index].document; }
    std::size_t size() const { return entries_.size(); }
    std::size_t at() const { return at_; }
    /// Id of the entry that holds now: no other ever has it, and later entries' are larger.
    std::size_t id() const { return entries_[at_].id; }
    /// True where that entry goes on from the one before it, which a pause ended.
    bool continues() const { return entries_[at_].continues; }
    /// Entries since the start, forgotten ones too.
    std::size_t made() const { return made_; }

  private:
    struct Entry {
        Document document;
        UndoTag tag;
        std::string words;
        std::size_t id = 0;
        bool sealed = false;
        bool paused = false;    // the next change of its tag is an entry that goes on from it
        bool continues = false; // the entry before it, which was paused
    };
    bool goes_on(const UndoTag& tag) const;
    void push(Document document, const UndoTag& tag, std::string words);

    std::vector<Entry> entries_;
    std::size_t at_ = 0, made_ = 1;
};

} // namespace heed::app
