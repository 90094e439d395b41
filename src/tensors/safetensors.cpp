// safetensors: 8 bytes of header length, a JSON header, the data. The rules of reading are those of
// the format's reference implementation; every one of them has a test.
#include "base/check.hpp"
#include "base/utf8.hpp"
#include "tensors/element.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace heed::tensors {

using base::ErrorKind;
using base::fail;

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxJsonHeader = 16u << 20; // a larger header is an attack, not a model
constexpr const char* kMetadataKey = "__metadata__";

struct Entry {
    std::string name;
    Element element;
    std::vector<std::int64_t> shape;
    std::uint64_t begin; // bytes into the data
    std::uint64_t end;
};

std::optional<Element> element_named(const std::string& dtype) {
    static constexpr std::pair<const char*, Element> kNames[] = {
        {"F32", Element::f32}, {"F16", Element::f16},     {"BF16", Element::bf16},
        {"F64", Element::f64}, {"I64", Element::i64},     {"I32", Element::i32},
        {"U8", Element::u8},   {"BOOL", Element::boolean}};
    for (const auto& [name, element] : kNames) {
        if (dtype == name) return element;
    }
    return std::nullopt;
}

/// Types that the format has and that are not read here.
bool is_other_dtype(const std::string& dtype) {
    static constexpr const char* kOthers[] = {
        "I8",      "I16",         "U16",         "U32",     "U64", "C64",     "F8_E4M3",
        "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0", "F4",  "F6_E2M3", "F6_E3M2"};
    return std::find(std::begin(kOthers), std::end(kOthers), dtype) != std::end(kOthers);
}

/// The errors of one file.
class SafetensorsReader {
  public:
    SafetensorsReader(std::string_view bytes, const std::string& subject)
        : bytes_(bytes), subject_(subject) {}

    base::Result<Archive> read() {
        auto header = read_header();
        if (!header) return tl::make_unexpected(header.error());
        Archive archive;
        std::vector<Entry> entries;
        for (const auto& member : header->items()) {
            const auto read = member.key() == kMetadataKey
                                  ? read_metadata(member.value(), archive)
                                  : read_entry(member.key(), member.value(), entries);
            if (!read) return tl::make_unexpected(read.error());
        }
        if (auto fits = check_layout(entries); !fits) return tl::make_unexpected(fits.error());
        for (Entry& entry : entries) {
            const auto data = data_.substr(entry.begin, entry.end - entry.begin);
            archive.arrays.emplace(std::move(entry.name),
                                   Array{std::move(entry.shape), to_floats(data, entry.element)});
        }
        return archive;
    }

  private:
    tl::unexpected<base::Error> malformed(std::string message) const {
        return fail(ErrorKind::malformed, subject_, std::move(message));
    }

    base::Result<Json> read_header() {
        if (bytes_.size() < kLengthBytes) {
            return malformed(
                fmt::format("is {} bytes long; a safetensors file has at least 8", bytes_.size()));
        }
        std::uint64_t length = 0;
        std::memcpy(&length, bytes_.data(), sizeof length);
        if (length > bytes_.size() - kLengthBytes) {
            return malformed(fmt::format(
                "is not a valid safetensors file: its header claims {} bytes, but {} follow",
                length, bytes_.size() - kLengthBytes));
        }
        if (length > kMaxJsonHeader) {
            return fail(ErrorKind::out_of_range, subject_,
                        fmt::format("its header is {} bytes long; at most {} are read", length,
                                    kMaxJsonHeader));
        }
        const std::string_view text = bytes_.substr(kLengthBytes, length);
        if (text.empty() || text.front() != '{')
            return malformed("its header is not a JSON object");
        if (!base::is_valid_utf8(text)) return malformed("its header is not UTF-8");
        data_ = bytes_.substr(kLengthBytes + length);
        return parse_json(text, subject_);
    }

    base::Result<void> read_metadata(const Json& value, Archive& archive) const {
        if (!value.is_object()) return malformed("__metadata__ is not an object");
        for (const auto& entry : value.items()) {
            if (!entry.value().is_string()) {
                return malformed(fmt::format("metadata \"{}\" is not a string", entry.key()));
            }
            const auto& text = entry.value().get_ref<const std::string&>();
            if (auto list = string_list(text)) {
                archive.strings.emplace(entry.key(), std::move(*list));
            } else {
                archive.metadata.emplace(entry.key(), text);
            }
        }
        return {};
    }

    /// The list that our writer made this text of; nothing for any other text, even another
    /// spelling of a list, so that what is read and written again keeps its bytes.
    static std::optional<std::vector<std::string>> string_list(const std::string& text) {
        if (text.empty() || text.front() != '[') return std::nullopt;
        const auto json = parse_json(text, {});
        if (!json || !json->is_array()) return std::nullopt;
        std::vector<std::string> list;
        list.reserve(json->size());
        for (const Json& item : *json) {
            if (!item.is_string()) return std::nullopt;
            list.push_back(item.get<std::string>());
        }
        if (dump_json(*json) != text) return std::nullopt;
        return list;
    }

    base::Result<void> read_entry(const std::string& name, const Json& value,
                                  std::vector<Entry>& entries) const {
        const std::string path = fmt::format("{}: \"{}\"", subject_, name);
        Entry entry{name, Element::f32, {}, 0, 0};
        if (auto read = read_dtype(value, path, entry); !read) return read;
        if (auto read = read_shape(value, path, entry); !read) return read;
        if (auto read = read_offsets(value, path, entry); !read) return read;
        entries.push_back(std::move(entry));
        return {};
    }

    static base::Result<void> read_dtype(const Json& value, const std::string& path, Entry& entry) {
        const auto dtype = member(value, path, "dtype").and_then([&](const Json* found) {
            return string(*found, path + ".dtype");
        });
        if (!dtype) return tl::make_unexpected(dtype.error());
        const auto element = element_named(*dtype);
        if (!element && is_other_dtype(*dtype)) {
            return fail(ErrorKind::unsupported, path,
                        fmt::format("is of type {}; F32, F16, BF16, F64, I64, I32, U8 and BOOL are "
                                    "read",
                                    *dtype));
        }
        if (!element) {
            return fail(ErrorKind::malformed, path,
                        fmt::format("has the type \"{}\", which the format does not know",
                                    base::to_valid_utf8(*dtype)));
        }
        entry.element = *element;
        return {};
    }

    static base::Result<void> read_shape(const Json& value, const std::string& path, Entry& entry) {
        const auto shape = member(value, path, "shape");
        if (!shape) return tl::make_unexpected(shape.error());
        if (!(*shape)->is_array()) {
            return fail(ErrorKind::malformed, path, "its shape is not a list");
        }
        for (const Json& item : **shape) {
            const auto extent = count(item, path + ".shape").and_then([&](std::uint64_t) {
                return integer(item, path + ".shape");
            });
            if (!extent) return tl::make_unexpected(extent.error());
            entry.shape.push_back(*extent);
        }
        return {};
    }

    static base::Result<void> read_offsets(const Json& value, const std::string& path,
                                           Entry& entry) {
        const auto offsets = member(value, path, "data_offsets");
        if (!offsets) return tl::make_unexpected(offsets.error());
        if (!(*offsets)->is_array() || (*offsets)->size() != 2) {
            return fail(ErrorKind::malformed, path, "its data_offsets are not two numbers");
        }
        const auto begin = count((**offsets)[0], path + ".data_offsets");
        if (!begin) return tl::make_unexpected(begin.error());
        const auto end = count((**offsets)[1], path + ".data_offsets");
        if (!end) return tl::make_unexpected(end.error());
        entry.begin = *begin;
        entry.end = *end;
        return {};
    }

    /// Tensors lie one behind the other from the first byte of the data to the last, each as long
    /// as its shape and type say. So the arrays take at most the four bytes of a float for each
    /// byte of the file, which are those of U8 and BOOL.
    base::Result<void> check_layout(std::vector<Entry>& entries) const {
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        std::uint64_t here = 0;
        for (const Entry& entry : entries) {
            if (entry.begin != here || entry.end < entry.begin) {
                return malformed(
                    fmt::format("\"{}\" lies at {}…{}; the tensor before it ends at {}", entry.name,
                                entry.begin, entry.end, here));
            }
            const auto elements = element_count(entry.shape);
            std::uint64_t size = 0;
            if (!elements ||
                __builtin_mul_overflow(*elements, element_size(entry.element), &size)) {
                return fail(ErrorKind::out_of_range, subject_,
                            fmt::format("\"{}\" has a shape whose size overflows: {}", entry.name,
                                        fmt::join(entry.shape, " × ")));
            }
            if (size != entry.end - entry.begin) {
                return fail(ErrorKind::mismatch, subject_,
                            fmt::format("\"{}\" has a shape of {} bytes, and data of {}",
                                        entry.name, size, entry.end - entry.begin));
            }
            here = entry.end;
        }
        if (here != data_.size()) {
            return malformed(
                fmt::format("its tensors end at {}, its data at {}: {}", here, data_.size(),
                            here > data_.size() ? "the file was cut" : "bytes are left"));
        }
        return {};
    }

    std::string_view bytes_;
    const std::string& subject_;
    std::string_view data_;
};

std::string header_of(const Archive& archive) {
    Json header = Json::object();
    auto& members = *header.get_ptr<Json::object_t*>(); // appended: a look-up each is quadratic
    if (!archive.metadata.empty() || !archive.strings.empty()) {
        std::map<std::string, std::string> texts = archive.metadata;
        for (const auto& [name, list] : archive.strings) texts[name] = dump_json(Json(list));
        members.emplace_back(kMetadataKey, Json(texts));
    }
    std::uint64_t at = 0;
    for (const auto& [name, array] : archive.arrays) {
        HEED_CHECK(name != kMetadataKey, "no array can be named {}", kMetadataKey);
        HEED_CHECK(element_count(array.shape) == array.values.size(),
                   "array \"{}\" of shape {} has {} values", name, fmt::join(array.shape, " × "),
                   array.values.size());
        const std::uint64_t end = at + array.values.size() * sizeof(float);
        members.emplace_back(
            name, Json{{"dtype", "F32"}, {"shape", array.shape}, {"data_offsets", {at, end}}});
        at = end;
    }
    std::string text = dump_json(header);
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

} // namespace

base::Result<Archive> read_safetensors(std::string_view bytes, const std::string& subject) {
    return SafetensorsReader(bytes, subject).read();
}

std::string write_safetensors(const Archive& archive) {
    const std::string header = header_of(archive);
    std::size_t size = kLengthBytes + header.size();
    for (const auto& [name, array] : archive.arrays) size += array.values.size() * sizeof(float);
    std::string bytes;
    bytes.reserve(size);
    const std::uint64_t length = header.size();
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += header;
    for (const auto& [name, array] : archive.arrays) {
        bytes.append(reinterpret_cast<const char*>(array.values.data()),
                     array.values.size() * sizeof(float));
    }
    return bytes;
}

} // namespace heed::tensors
