#include "tokenizers/sentencepiece_file.hpp"

#include "base/utf8.hpp"
#include "tokenizers/models/vocabulary.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

/// One field of a protocol buffer's message.
struct WireField {
    std::uint64_t number = 0, value = 0; // of a varint, and of 4 bytes
    std::string_view bytes;              // of a string or a message
    int type = 0;                        // 0 varint, 1 eight bytes, 2 bytes, 5 four bytes
};

class WireReader {
  public:
    explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

    bool next(WireField& field) {
        if (at_ >= bytes_.size()) return false;
        const std::uint64_t key = varint();
        field = {key >> 3, 0, {}, static_cast<int>(key & 7)};
        switch (field.type) {
        case 0: field.value = varint(); break;
        case 1: take(8); break;
        case 2: field.bytes = take(varint()); break;
        case 5: {
            const std::string_view four = take(4);
            for (std::size_t i = 4; i-- > 0;) {
                field.value = field.value << 8 | static_cast<unsigned char>(four[i]);
            }
            break;
        }
        default: throw Refused(ErrorKind::malformed, "", "is no SentencePiece model");
        }
        return true;
    }

  private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
        throw Refused(ErrorKind::malformed, "", "is cut off, or no SentencePiece model");
    }
    std::string_view take(std::uint64_t size) {
        if (size > bytes_.size() - at_) {
            throw Refused(ErrorKind::malformed, "", "is cut off, or no SentencePiece model");
        }
        const std::string_view result = bytes_.substr(at_, static_cast<std::size_t>(size));
        at_ += static_cast<std::size_t>(size);
        return result;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

SentencePieceFile::Entry read_entry(std::string_view bytes, std::size_t id) {
    SentencePieceFile::Entry entry;
    WireField field;
    for (WireReader reader(bytes); reader.next(field);) {
        if (field.number == 1 && field.type == 2) entry.words = field.bytes;
        if (field.number == 2 && field.type == 5) {
            const auto bits = static_cast<std::uint32_t>(field.value);
            std::memcpy(&entry.score, &bits, sizeof bits);
        }
        if (field.number == 3 && field.type == 0) {
            if (field.value < 1 || field.value > 6) {
                throw Refused(ErrorKind::unsupported, "",
                              fmt::format("piece {} has the type {}", id, field.value));
            }
            entry.type = static_cast<SentencePieceFile::Type>(field.value);
        }
    }
    if (entry.words.empty() || !base::is_valid_utf8(entry.words) || !std::isfinite(entry.score)) {
        throw Refused(ErrorKind::malformed, "",
                      fmt::format("piece {} is empty, no UTF-8, or has no score", id));
    }
    return entry;
}

void read_training(std::string_view bytes, SentencePieceFile& file) {
    WireField field;
    for (WireReader reader(bytes); reader.next(field);) {
        if (field.type != 0) continue;
        if (field.number == 3) {
            if (field.value != 1 && field.value != 2) {
                throw Refused(
                    ErrorKind::unsupported, "",
                    "is a model of whole words or characters; Heed reads unigram and BPE");
            }
            file.bpe = field.value == 2;
        }
        if (field.number == 24) file.space_is_suffix = field.value != 0;
        if (field.number == 35) file.byte_fallback = field.value != 0;
    }
}

void read_normalization(std::string_view bytes, SentencePieceFile& file) {
    WireField field;
    for (WireReader reader(bytes); reader.next(field);) {
        if (field.number == 2 && field.type == 2) file.character_map = field.bytes;
        if (field.type != 0) continue;
        if (field.number == 3) file.add_dummy_prefix = field.value != 0;
        if (field.number == 4) file.remove_extra_spaces = field.value != 0;
        if (field.number == 5) file.escape_spaces = field.value != 0;
    }
}

} // namespace

base::Result<SentencePieceFile> read_sentencepiece(std::string_view bytes,
                                                   const std::string& subject) {
    SentencePieceFile file;
    try {
        WireField field;
        for (WireReader reader(bytes); reader.next(field);) {
            if (field.type != 2) continue;
            if (field.number == 1) {
                if (file.entries.size() >= Vocabulary::kMostTokens) {
                    throw Refused(ErrorKind::out_of_range, "",
                                  fmt::format("has more than {} pieces, and no more are read",
                                              Vocabulary::kMostTokens));
                }
                file.entries.push_back(read_entry(field.bytes, file.entries.size()));
            }
            if (field.number == 2) read_training(field.bytes, file);
            if (field.number == 3) read_normalization(field.bytes, file);
        }
        if (file.entries.empty()) throw Refused(ErrorKind::malformed, "", "has no pieces");
    } catch (const Refused& refused) {
        return base::fail(refused.error().kind, subject, refused.error().message);
    }
    return file;
}

} // namespace heed::tokenizers
