// safetensors: 8 bytes of header length, a JSON header, the data. The rules of reading are those of
// the format's reference implementation; every one of them has a test.
#include "base/check.hpp"
#include "base/utf8.hpp"
#include "tensors/element.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"
#include "tensors/safetensors_file.hpp"

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
constexpr std::size_t kMostFileTensors = 100'000;
constexpr std::size_t kMostValues = 1 << 18; // of one tensor, or in the metadata
constexpr std::size_t kMostTexts = 1 << 20;  // of one list
constexpr const char* kMetadataKey = "__metadata__";

using Entry = TensorEntry;

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
class HeaderReader {
  public:
    HeaderReader(std::string_view text, std::uint64_t data_size, const std::string& subject)
        : text_(text), data_size_(data_size), subject_(subject) {}

    base::Result<SafetensorsHeader> read() {
        if (text_.empty() || text_.front() != '{') {
            return malformed("its header is not a JSON object");
        }
        if (!base::is_valid_utf8(text_)) return malformed("its header is not UTF-8");
        SafetensorsHeader result;
        std::vector<Entry>& entries = result.entries;
        const auto read =
            parse_members(text_, subject_, kMostValues, [&](const std::string& name, Json value) {
                return name == kMetadataKey ? read_metadata(std::move(value), result)
                                            : read_entry(name, value, entries);
            });
        if (!read) return tl::make_unexpected(read.error());
        if (auto fits = check_layout(entries); !fits) return tl::make_unexpected(fits.error());
        return result;
    }

  private:
    tl::unexpected<base::Error> malformed(std::string message) const {
        return fail(ErrorKind::malformed, subject_, std::move(message));
    }

    base::Result<void> read_metadata(Json value, SafetensorsHeader& to) const {
        if (!value.is_object()) return malformed("__metadata__ is not an object");
        for (const auto& entry : value.items()) {
            if (!entry.value().is_string()) {
                return malformed(fmt::format("metadata \"{}\" is not a string", entry.key()));
            }
            auto& text = entry.value().get_ref<std::string&>();
            if (auto list = string_list(text)) {
                to.strings.emplace(entry.key(), std::move(*list));
            } else {
                to.metadata.emplace(entry.key(), std::move(text));
            }
        }
        return {};
    }

    /// The list that our writer made this text of; nothing for any other text, even another
    /// spelling of a list, so that what is read and written again keeps its bytes.
    static std::optional<std::vector<std::string>> string_list(const std::string& text) {
        if (text.empty() || text.front() != '[') return std::nullopt;
        auto list = parse_texts(text, kMostTexts);
        if (!list) return std::nullopt;
        const std::string_view given = text;
        std::size_t at = 0;
        for (const std::string& item : *list) {
            const std::string spelled = (at == 0 ? "[" : ",") + dump_json(Json(item));
            if (given.substr(at, spelled.size()) != spelled) return std::nullopt;
            at += spelled.size();
        }
        if (given.substr(at) != (at == 0 ? "[]" : "]")) return std::nullopt;
        return list;
    }

    base::Result<void> read_entry(const std::string& name, const Json& value,
                                  std::vector<Entry>& entries) const {
        const std::string path = fmt::format("{}: \"{}\"", subject_, name);
        Entry entry{name, Element::f32, {}, 0, 0};
        if (entries.size() == kMostFileTensors) {
            return fail(
                ErrorKind::out_of_range, subject_,
                fmt::format("has more than {} tensors, and no more are read", kMostFileTensors));
        }
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
                __builtin_mul_overflow(*elements, block_of(entry.element).bytes, &size)) {
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
        if (here != data_size_) {
            return malformed(
                fmt::format("its tensors end at {}, its data at {}: {}", here, data_size_,
                            here > data_size_ ? "the file was cut" : "bytes are left"));
        }
        return {};
    }

    std::string_view text_;
    std::uint64_t data_size_;
    const std::string& subject_;
};

/// The length of the header, of a file's first bytes and its size.
base::Result<std::uint64_t> header_length(std::string_view bytes, std::uint64_t size,
                                          const std::string& subject) {
    if (bytes.size() < kLengthBytes) {
        return fail(ErrorKind::malformed, subject,
                    fmt::format("is {} bytes long; a safetensors file has at least 8", size));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > size - kLengthBytes) {
        return fail(ErrorKind::malformed, subject,
                    fmt::format("is not a valid safetensors file: its header claims {} bytes, but "
                                "{} follow",
                                length, size - kLengthBytes));
    }
    if (length > kMaxJsonHeader) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("its header is {} bytes long; at most {} are read", length,
                                kMaxJsonHeader));
    }
    return length;
}

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
    const auto length = header_length(bytes, bytes.size(), subject);
    if (!length) return tl::make_unexpected(length.error());
    const std::string_view data = bytes.substr(kLengthBytes + *length);
    auto header = HeaderReader(bytes.substr(kLengthBytes, *length), data.size(), subject).read();
    if (!header) return tl::make_unexpected(header.error());
    Archive archive;
    archive.metadata = std::move(header->metadata);
    archive.strings = std::move(header->strings);
    for (Entry& entry : header->entries) {
        const auto part = data.substr(entry.begin, entry.end - entry.begin);
        archive.arrays.emplace(std::move(entry.name),
                               Array{std::move(entry.shape), to_floats(part, entry.element)});
    }
    return archive;
}

base::Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
    auto file = base::OpenFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    std::string bytes(std::min<std::uint64_t>(kLengthBytes, file->size()), 0);
    if (auto ok = file->read(0, bytes); !ok) return tl::make_unexpected(ok.error());
    const auto length = header_length(bytes, file->size(), path);
    if (!length) return tl::make_unexpected(length.error());
    std::string text(*length, 0);
    if (auto ok = file->read(kLengthBytes, text); !ok) return tl::make_unexpected(ok.error());
    const std::uint64_t data = kLengthBytes + *length;
    auto header = HeaderReader(text, file->size() - data, path).read();
    if (!header) return tl::make_unexpected(header.error());
    return SafetensorsFile(*std::move(file), *std::move(header), data);
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
