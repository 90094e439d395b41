#include "tokenizers/document.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

constexpr std::size_t kMaxDepthOfDocument = 64;

/// Builds a Document of the parser's events: a quarter of a million tokens need no JSON values.
class DocumentBuilder {
  public:
    using Json = tensors::Json;

    DocumentBuilder(std::string_view bytes, const std::string& subject, Document& out,
                    bool vocabulary_alone)
        : bytes_(bytes), subject_(subject), out_(out) {
        if (!vocabulary_alone) return;
        place_ = Place::vocabulary;
        alone_ = true;
    }

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) {
        return place_ == Place::rest ? add(value) : number(static_cast<double>(value), value);
    }
    bool number_unsigned(std::uint64_t value) {
        if (place_ == Place::rest) return add(value);
        const auto id = static_cast<std::int64_t>(
            std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
        return number(static_cast<double>(value), id);
    }
    bool number_float(double value, const std::string&) {
        return place_ == Place::rest ? add(value) : number(value, std::nullopt);
    }
    bool string(std::string& value) {
        if (place_ == Place::merges) return merge_word(value);
        if (place_ == Place::vocabulary) {
            if (depth_ != 2 || object_ || !token_.empty() || has_token_)
                return unexpected("a string");
            token_ = std::move(value);
            has_token_ = true;
            return true;
        }
        return has_room(value.size(), 0) && add(std::move(value));
    }
    bool binary(Json::binary_t&) { return false; }

    bool start_object(std::size_t) {
        if (place_ == Place::vocabulary && depth_ == 0) {
            object_ = true;
            ++depth_;
            return true;
        }
        return place_ == Place::rest ? open(Json::object()) : unexpected("an object");
    }
    bool start_array(std::size_t) {
        if (place_ == Place::rest) return open(Json::array());
        if (object_ || depth_ >= 2 || alone_) return unexpected("an array");
        ++depth_;
        has_token_ = false;
        words_ = 0;
        return true;
    }
    bool key(std::string& name) {
        if (place_ == Place::vocabulary) {
            token_ = std::move(name);
            return true;
        }
        if (!has_room(name.size(), 0)) return false;
        key_ = std::move(name);
        if (open_.size() != 2 || top_key_ != "model") {
            if (open_.size() == 1) top_key_ = key_;
            return true;
        }
        const bool vocabulary = key_ == "vocab";
        if (!vocabulary && key_ != "merges") return true;
        bool& there = vocabulary ? out_.has_vocabulary : out_.has_merges;
        if (std::exchange(there, true)) return fail(fmt::format("model has \"{}\" twice", key_));
        place_ = vocabulary ? Place::vocabulary : Place::merges;
        return true;
    }
    bool end_object() {
        if (place_ == Place::vocabulary) return leave();
        const auto& members = *open_.back()->get_ptr<const Json::object_t*>();
        std::vector<std::string_view> keys;
        for (const auto& entry : members) keys.push_back(entry.first);
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice != keys.end())
            return fail(fmt::format("an object has the key \"{}\" twice", *twice));
        open_.pop_back();
        return true;
    }
    bool end_array() {
        if (place_ == Place::rest) {
            open_.pop_back();
            return true;
        }
        if (depth_ == 2) {
            if (place_ == Place::merges ? words_ != 2 : has_token_) return unexpected("the end");
            --depth_;
            return true;
        }
        return leave();
    }
    template <class Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception&) {
        const std::string_view before = bytes_.substr(0, std::min(position, bytes_.size()));
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t newline = before.rfind('\n');
        const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
        error_ = {ErrorKind::malformed, subject_,
                  fmt::format("not JSON: line {}, column {}", line,
                              base::count_code_points(before.substr(start)))};
        return false;
    }

    base::Error error() const { return error_; }

  private:
    enum class Place { rest, vocabulary, merges };

    std::string_view name() const {
        return place_ == Place::merges ? "model.merges" : alone_ ? "the vocabulary" : "model.vocab";
    }
    bool fail(std::string message, ErrorKind kind = ErrorKind::malformed) {
        error_ = {kind, subject_, std::move(message)};
        return false;
    }
    bool unexpected(std::string_view found) {
        return fail(fmt::format("{}: expected {}, found {}", name(),
                                place_ == Place::merges ? "pairs of tokens"
                                : object_               ? "tokens with their ids"
                                                        : "tokens with their ids or scores",
                                found));
    }
    bool leave() {
        place_ = Place::rest;
        depth_ = 0;
        object_ = false;
        return true;
    }

    /// An id, or a score.
    bool number(double value, std::optional<std::int64_t> id) {
        if (place_ == Place::merges || depth_ == 0) return unexpected("a number");
        if (!object_) {
            if (!has_token_) return unexpected("a number");
            has_token_ = false;
            id = static_cast<std::int64_t>(out_.scores.size());
            out_.scores.push_back(value);
        }
        if (!id) return fail(fmt::format("{}: '{}' has the id {}", name(), token_, value));
        if (*id < 0 || *id > Vocabulary::kMaxId) {
            return fail(fmt::format("{}: '{}' has the id {}; expected 0 to {}", name(), token_, *id,
                                    Vocabulary::kMaxId),
                        ErrorKind::out_of_range);
        }
        if (out_.vocabulary.size() >= Vocabulary::kMostTokens) {
            return fail(fmt::format("{}: has more than {} tokens, and no more are read", name(),
                                    Vocabulary::kMostTokens),
                        ErrorKind::out_of_range);
        }
        const int row = static_cast<int>(*id);
        if (out_.vocabulary.has(row)) {
            return fail(fmt::format("{}: '{}' and '{}' have the same id {}", name(),
                                    out_.vocabulary.token(row), token_, row));
        }
        if (!out_.vocabulary.add(token_, row)) {
            return fail(fmt::format("{}: '{}' is there twice", name(), token_));
        }
        token_.clear();
        return true;
    }

    bool merge_word(const std::string& words) {
        if (depth_ == 0) return unexpected("a string");
        if (out_.merge_ends.size() >= 2 * Document::kMaxMerges) {
            return fail(fmt::format("model.merges: has more than {} merges, and no more are read",
                                    Document::kMaxMerges),
                        ErrorKind::out_of_range);
        }
        if (depth_ == 2) {
            if (++words_ > 2) return unexpected("a third token");
            out_.merge_bytes += words;
            end_word();
            return true;
        }
        if (words.starts_with("#version")) return true;
        const std::size_t space = words.find(' ');
        if (space == std::string::npos || words.find(' ', space + 1) != std::string::npos) {
            return fail(
                fmt::format("model.merges: '{}' is not two tokens with a space between", words));
        }
        out_.merge_bytes.append(words, 0, space);
        end_word();
        out_.merge_bytes.append(words, space + 1);
        end_word();
        return true;
    }
    void end_word() {
        out_.merge_ends.push_back(static_cast<std::uint32_t>(out_.merge_bytes.size()));
    }

    /// Counts what is neither vocabulary nor merges.
    bool has_room(std::size_t text, std::size_t values) {
        text_ += text;
        values_ += values;
        if (text_ > Document::kMostText) {
            return fail(fmt::format("has more than {} MB of text beside its vocabulary and merges",
                                    Document::kMostText >> 20),
                        ErrorKind::out_of_range);
        }
        if (values_ > Document::kMostValues) {
            return fail(fmt::format("has more than {} values beside its vocabulary and merges",
                                    Document::kMostValues),
                        ErrorKind::out_of_range);
        }
        return true;
    }

    bool add(Json value) {
        if (place_ != Place::rest) return unexpected(value.type_name());
        if (!has_room(0, 1)) return false;
        insert(std::move(value));
        return true;
    }
    bool open(Json container) {
        if (open_.size() >= kMaxDepthOfDocument) {
            return fail(fmt::format("is nested deeper than {} levels", kMaxDepthOfDocument),
                        ErrorKind::out_of_range);
        }
        if (!has_room(0, 1)) return false;
        open_.push_back(insert(std::move(container)));
        return true;
    }
    Json* insert(Json value) {
        if (open_.empty()) {
            out_.rest = std::move(value);
            return &out_.rest;
        }
        if (auto* members = open_.back()->get_ptr<Json::object_t*>()) {
            members->emplace_back(std::move(key_), std::move(value));
            return &members->back().second;
        }
        auto& values = *open_.back()->get_ptr<Json::array_t*>();
        values.push_back(std::move(value));
        return &values.back();
    }

    std::string_view bytes_;
    const std::string& subject_;
    Document& out_;
    base::Error error_{ErrorKind::malformed, {}, {}};
    std::vector<Json*> open_;
    std::string key_, top_key_;
    Place place_ = Place::rest;
    bool alone_ = false;
    int depth_ = 0;       // within a table
    bool object_ = false; // the vocabulary is one
    std::string token_;
    bool has_token_ = false;
    int words_ = 0; // of one merge
    std::size_t text_ = 0, values_ = 0;
};

base::Result<std::unique_ptr<Document>> parse_document(std::string_view bytes,
                                                       const std::string& subject, bool alone) {
    auto document = std::make_unique<Document>();
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
        return base::fail(ErrorKind::out_of_range, subject, "is larger than 4 GiB");
    }
    DocumentBuilder builder(bytes, subject, *document, alone);
    if (!tensors::Json::sax_parse(bytes.begin(), bytes.end(), &builder)) {
        return tl::make_unexpected(builder.error());
    }
    return document;
}

} // namespace

std::vector<MergeLine> Document::merges() const {
    std::vector<MergeLine> result;
    result.reserve(merge_ends.size() / 2);
    const std::string_view bytes = merge_bytes;
    std::uint32_t from = 0;
    for (std::size_t i = 0; i + 1 < merge_ends.size(); i += 2) {
        result.push_back({bytes.substr(from, merge_ends[i] - from),
                          bytes.substr(merge_ends[i], merge_ends[i + 1] - merge_ends[i])});
        from = merge_ends[i + 1];
    }
    return result;
}

base::Result<std::unique_ptr<Document>> read_document(std::string_view bytes,
                                                      const std::string& subject) {
    return parse_document(bytes, subject, false);
}

base::Result<Vocabulary> read_vocabulary(std::string_view bytes, const std::string& subject) {
    auto document = parse_document(bytes, subject, true);
    if (!document) return tl::make_unexpected(document.error());
    if ((*document)->rest.is_array()) {
        return base::fail(ErrorKind::malformed, subject, "is no object of tokens");
    }
    return std::move((*document)->vocabulary);
}

} // namespace heed::tokenizers
