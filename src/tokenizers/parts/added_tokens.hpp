// Tokens beside the model's own, which are found in the text before it is cut.
#pragma once

#include "tokenizers/models/model.hpp"
#include "tokenizers/parts/normalizers.hpp"
#include "tokenizers/parts/pre_tokenizers.hpp"
#include "tokenizers/text/fields.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct AddedToken {
    std::string content;
    bool single_word = false, left_strip = false, right_strip = false;
    bool normalized = true, special = false;
};

AddedToken read_added_token(Fields& fields);

/// Finds words of a set in a text: of those that begin first, the longest.
class WordFinder {
  public:
    /// Throws Refused where two are the same or one is empty.
    void add(std::string_view words, int id);
    bool empty() const { return nodes_.size() == 1; }
    struct Found {
        std::size_t begin, end;
        int id;
    };
    std::optional<Found> next(std::string_view text, std::size_t from) const;
    /// Bytes of the longest that begins here, or 0.
    std::size_t length_at(std::string_view text, std::size_t at) const;

  private:
    std::optional<Found> at(std::string_view text, std::size_t begin) const;

    struct Node {
        std::map<char, std::size_t> children;
        int id = -1;
    };
    std::vector<Node> nodes_ = std::vector<Node>(1);
};

class AddedTokens {
  public:
    AddedTokens() = default;
    /// Ids as the library gives them: of the model where it has the token, else the next free one.
    /// Throws Refused.
    AddedTokens(const std::vector<AddedToken>& tokens, const Model& model,
                const Normalizer& normalizer);

    /// The text in parts: added tokens, and normalized text between them.
    std::vector<Split> split(const AlignedText& text, const Normalizer& normalizer) const;

    std::optional<int> find(std::string_view content) const;
    /// Null where there is none.
    const AddedToken* token(int id) const;
    /// The text that the decoder gets: the content, normalized where the token is.
    std::string for_decoder(int id) const;
    int rows() const { return by_id_.empty() ? 0 : by_id_.rbegin()->first + 1; }

  private:
    std::vector<Split> cut(const AlignedText& text, const WordFinder& finder) const;

    std::map<std::string, int, std::less<>> ids_;
    std::map<int, AddedToken> by_id_;
    std::map<int, std::string> normalized_;
    WordFinder finder_, normalized_finder_;
};

} // namespace heed::tokenizers
