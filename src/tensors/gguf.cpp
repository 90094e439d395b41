#include "tensors/gguf.hpp"

#include "base/utf8.hpp"
#include "tensors/header_bytes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

namespace heed::tensors {

using base::ErrorKind;

namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kMostAxes = 4;
constexpr std::uint64_t kMostKeys = 1 << 16, kMostTensors = 100'000;
constexpr std::uint64_t kMostItems = 5 << 18; // of all lists of a file together; Llama 4: 0.8 M
constexpr std::uint64_t kMaxHeaderBytes = 32u << 20; // with tokens, merges and a template
constexpr std::uint64_t kLongestText = 8u << 20;
constexpr std::uint64_t kLongestKey = (1 << 16) - 1, kLongestName = 1024;
constexpr std::uint64_t kUsualAlignment = 32, kMostAlignment = 1 << 20;

enum class ValueType : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    text,
    list,
    u64,
    i64,
    f64,
};

struct TensorType {
    std::uint32_t number;
    std::string_view name;
    std::optional<Element> element;
};

constexpr TensorType kTensorTypes[] = {{0, "F32", Element::f32},
                                       {1, "F16", Element::f16},
                                       {2, "Q4_0", Element::q4_0},
                                       {3, "Q4_1", {}},
                                       {6, "Q5_0", {}},
                                       {7, "Q5_1", {}},
                                       {8, "Q8_0", Element::q8_0},
                                       {9, "Q8_1", {}},
                                       {10, "Q2_K", {}},
                                       {11, "Q3_K", {}},
                                       {12, "Q4_K", Element::q4_k},
                                       {13, "Q5_K", Element::q5_k},
                                       {14, "Q6_K", Element::q6_k},
                                       {15, "Q8_K", {}},
                                       {16, "IQ2_XXS", {}},
                                       {17, "IQ2_XS", {}},
                                       {18, "IQ3_XXS", {}},
                                       {19, "IQ1_S", {}},
                                       {20, "IQ4_NL", {}},
                                       {21, "IQ3_S", {}},
                                       {22, "IQ2_S", {}},
                                       {23, "IQ4_XS", {}},
                                       {24, "I8", {}},
                                       {25, "I16", {}},
                                       {26, "I32", {}},
                                       {27, "I64", {}},
                                       {28, "F64", {}},
                                       {29, "IQ1_M", {}},
                                       {30, "BF16", Element::bf16},
                                       {34, "TQ1_0", {}},
                                       {35, "TQ2_0", {}},
                                       {39, "MXFP4", {}},
                                       {40, "NVFP4", {}},
                                       {41, "Q1_0", {}},
                                       {42, "Q2_0", {}}};

std::string types_that_are_read() {
    std::string text;
    for (const TensorType& type : kTensorTypes) {
        if (type.element) text += fmt::format("{}{}", text.empty() ? "" : ", ", type.name);
    }
    return text;
}

class GgufReader {
  public:
    explicit GgufReader(const base::OpenFile& file) : file_(file), bytes_(file, kMaxHeaderBytes) {}

    base::Result<GgufHeader> read() {
        bytes_.begin("its first 24 bytes");
        read_version();
        const auto n_tensors = bytes_.number<std::uint64_t>();
        const auto n_keys = bytes_.number<std::uint64_t>();
        check_count(n_keys, 13, kMostKeys, "keys");
        check_count(n_tensors, 32, kMostTensors, "tensors");
        for (std::uint64_t i = 0; i < n_keys && !bytes_.failed(); ++i) read_key(i);
        read_alignment();
        for (std::uint64_t i = 0; i < n_tensors && !bytes_.failed(); ++i) read_tensor(i);
        data_ = aligned(bytes_.at());
        if (!bytes_.failed()) check_layout();
        if (bytes_.failed()) return tl::make_unexpected(bytes_.result().error());
        return std::move(header_);
    }

    std::uint64_t data() const { return data_; }

  private:
    void read_version() {
        const auto magic = bytes_.number<std::uint32_t>();
        if (std::memcmp(&magic, "GGUF", 4) != 0) {
            bytes_.refuse(ErrorKind::malformed, "is no GGUF file: it does not begin with \"GGUF\"");
        }
        const auto version = bytes_.number<std::uint32_t>();
        if (version == kVersion) return;
        bytes_.refuse(
            ErrorKind::unsupported,
            version == kVersion << 24
                ? "is a GGUF file for big-endian machines; little-endian ones are read"
                : fmt::format("is GGUF version {}; version {} is read", version, kVersion));
    }

    /// Each takes so many bytes at least.
    void check_count(std::uint64_t count, std::uint64_t bytes, std::uint64_t most,
                     const char* what) {
        if (count > bytes_.left() / bytes) {
            bytes_.refuse(ErrorKind::malformed, fmt::format("claims {} {}, and {} bytes follow",
                                                            count, what, bytes_.left()));
        } else if (count > most) {
            bytes_.refuse(ErrorKind::out_of_range,
                          fmt::format("has {} {}; at most {} are read", count, what, most));
        }
    }

    std::string name(std::uint64_t longest) {
        std::string name = bytes_.text(longest);
        if (!bytes_.failed() && (name.empty() || !base::is_valid_utf8(name))) {
            bytes_.refuse(ErrorKind::malformed,
                          fmt::format("\"{}\" is no name", base::to_valid_utf8(name)));
        }
        return name;
    }

    void read_key(std::uint64_t number) {
        bytes_.begin(fmt::format("key {}", number));
        const std::string key = name(kLongestKey);
        bytes_.begin(fmt::format("\"{:.80}\"", key));
        const auto type = bytes_.number<std::uint32_t>();
        GgufValue value =
            static_cast<ValueType>(type) == ValueType::list ? list(key) : scalar(type, key);
        if (bytes_.failed()) return;
        if (!header_.values.emplace(key, std::move(value)).second) {
            bytes_.refuse(ErrorKind::malformed, fmt::format("has the key \"{:.80}\" twice", key));
        }
    }

    GgufValue scalar(std::uint32_t type, const std::string& key) {
        switch (static_cast<ValueType>(type)) {
        case ValueType::u8: return std::uint64_t{bytes_.number<std::uint8_t>()};
        case ValueType::u16: return std::uint64_t{bytes_.number<std::uint16_t>()};
        case ValueType::u32: return std::uint64_t{bytes_.number<std::uint32_t>()};
        case ValueType::u64: return bytes_.number<std::uint64_t>();
        case ValueType::i8: return std::int64_t{bytes_.number<std::int8_t>()};
        case ValueType::i16: return std::int64_t{bytes_.number<std::int16_t>()};
        case ValueType::i32: return std::int64_t{bytes_.number<std::int32_t>()};
        case ValueType::i64: return bytes_.number<std::int64_t>();
        case ValueType::f32: return double{bytes_.number<float>()};
        case ValueType::f64: return bytes_.number<double>();
        case ValueType::boolean: return boolean(key);
        case ValueType::text: return bytes_.text(kLongestText);
        case ValueType::list:
            bytes_.refuse(ErrorKind::unsupported,
                          fmt::format("\"{:.80}\" is a list of lists; Heed reads lists of numbers "
                                      "or texts",
                                      key));
            return {};
        }
        bytes_.refuse(
            ErrorKind::malformed,
            fmt::format("\"{:.80}\" has the type {}, which the format does not know", key, type));
        return {};
    }

    bool boolean(const std::string& key) {
        const auto byte = bytes_.number<std::uint8_t>();
        if (byte > 1) {
            bytes_.refuse(ErrorKind::malformed,
                          fmt::format("\"{:.80}\" is neither true nor false, but {}", key, byte));
        }
        return byte == 1;
    }

    GgufValue list(const std::string& key) {
        const auto type = bytes_.number<std::uint32_t>();
        const auto count = bytes_.number<std::uint64_t>();
        check_count(count, static_cast<ValueType>(type) == ValueType::text ? 8 : 1,
                    kMostItems - n_items_, "items of lists");
        if (bytes_.failed()) return {};
        n_items_ += count;
        if (static_cast<ValueType>(type) != ValueType::text) return numbers(type, count, key);
        std::vector<std::string> texts;
        texts.reserve(count);
        for (std::uint64_t i = 0; i < count && !bytes_.failed(); ++i) {
            texts.push_back(bytes_.text(kLongestText));
        }
        return texts;
    }

    GgufValue numbers(std::uint32_t type, std::uint64_t count, const std::string& key) {
        std::vector<double> numbers;
        numbers.reserve(count);
        const auto as_number = [](const auto& value) -> double {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(value);
            return 0;
        };
        if (count == 0 && type > static_cast<std::uint32_t>(ValueType::f64)) scalar(type, key);
        for (std::uint64_t i = 0; i < count && !bytes_.failed(); ++i) {
            numbers.push_back(std::visit(as_number, scalar(type, key)));
        }
        return numbers;
    }

    void read_alignment() {
        const auto found = header_.values.find("general.alignment");
        if (found == header_.values.end()) return;
        const auto* value = std::get_if<std::uint64_t>(&found->second);
        alignment_ = value ? *value : 0;
        if (alignment_ >= 1 && alignment_ <= kMostAlignment &&
            (alignment_ & (alignment_ - 1)) == 0) {
            return;
        }
        alignment_ = kUsualAlignment;
        bytes_.refuse(
            ErrorKind::malformed,
            fmt::format("\"general.alignment\" is no power of two up to {}", kMostAlignment));
    }

    std::uint64_t aligned(std::uint64_t at) const {
        return (at + alignment_ - 1) / alignment_ * alignment_;
    }

    void read_tensor(std::uint64_t number) {
        bytes_.begin(fmt::format("tensor {}", number));
        TensorEntry entry{name(kLongestName), Element::f32, {}, 0, 0};
        const auto n_axes = bytes_.number<std::uint32_t>();
        if (!bytes_.failed() && (n_axes < 1 || n_axes > kMostAxes)) {
            bytes_.refuse(ErrorKind::malformed, fmt::format("\"{:.80}\" has {} axes; 1 to {} are "
                                                            "possible",
                                                            entry.name, n_axes, kMostAxes));
        }
        for (std::uint32_t i = 0; i < n_axes && !bytes_.failed(); ++i) {
            // The innermost axis is told first. One too large for a sign is no count for us.
            entry.shape.insert(entry.shape.begin(), bytes_.number<std::int64_t>());
        }
        const auto type = bytes_.number<std::uint32_t>();
        entry.begin = bytes_.number<std::uint64_t>();
        if (bytes_.failed()) return;
        if (!names_.insert(entry.name).second) {
            bytes_.refuse(ErrorKind::malformed,
                          fmt::format("has the tensor \"{:.80}\" twice", entry.name));
        }
        read_type(type, entry);
        if (!bytes_.failed()) measure(entry);
        header_.entries.push_back(std::move(entry));
    }

    void read_type(std::uint32_t number, TensorEntry& entry) {
        const auto* type = std::find_if(std::begin(kTensorTypes), std::end(kTensorTypes),
                                        [&](const TensorType& t) { return t.number == number; });
        if (type == std::end(kTensorTypes)) {
            bytes_.refuse(ErrorKind::unsupported,
                          fmt::format("\"{:.80}\" is of type {}, which Heed does not know",
                                      entry.name, number));
        } else if (!type->element) {
            bytes_.refuse(ErrorKind::unsupported,
                          fmt::format("\"{:.80}\" is of type {}; {} are read", entry.name,
                                      type->name, types_that_are_read()));
        } else {
            entry.element = *type->element;
        }
    }

    /// Measures where its data end.
    void measure(TensorEntry& entry) {
        const Block block = block_of(entry.element);
        const auto count = element_count(entry.shape);
        std::uint64_t size = 0;
        if (!count || *count == 0 ||
            __builtin_mul_overflow(*count / block.numbers, block.bytes, &size) ||
            __builtin_add_overflow(entry.begin, size, &entry.end)) {
            bytes_.refuse(ErrorKind::malformed,
                          fmt::format("\"{:.80}\" has the impossible shape {}", entry.name,
                                      fmt::join(entry.shape, " × ")));
        } else if (static_cast<std::uint64_t>(entry.shape.back()) % block.numbers != 0) {
            bytes_.refuse(ErrorKind::malformed,
                          fmt::format("\"{:.80}\" has rows of {} numbers, and they lie in blocks "
                                      "of {}",
                                      entry.name, entry.shape.back(), block.numbers));
        }
    }

    /// Tensors lie one behind the other, each at the next aligned byte; so none shares its data.
    void check_layout() {
        std::uint64_t here = 0;
        for (const TensorEntry& entry : header_.entries) {
            if (entry.begin != aligned(here)) {
                return bytes_.refuse(ErrorKind::malformed,
                                     fmt::format("\"{:.80}\" begins at byte {} of the data; {} is "
                                                 "expected, where the one before it ends",
                                                 entry.name, entry.begin, aligned(here)));
            }
            if (data_ > file_.size() || entry.end > file_.size() - data_) {
                return bytes_.refuse(
                    ErrorKind::malformed,
                    fmt::format("\"{:.80}\" ends at byte {} of the data, which are {} bytes: the "
                                "file was cut",
                                entry.name, entry.end,
                                file_.size() - std::min(data_, file_.size())));
            }
            here = entry.end;
        }
        if (file_.size() > data_ && aligned(here) < file_.size() - data_) {
            bytes_.refuse(ErrorKind::malformed, fmt::format("has {} bytes behind its last tensor",
                                                            file_.size() - data_ - aligned(here)));
        }
    }

    const base::OpenFile& file_;
    HeaderBytes bytes_;
    GgufHeader header_;
    std::set<std::string, std::less<>> names_;
    std::uint64_t alignment_ = kUsualAlignment, n_items_ = 0, data_ = 0;
};

} // namespace

base::Result<GgufFile> GgufFile::open(const std::string& path) {
    auto file = base::OpenFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    GgufReader reader(*file);
    auto header = reader.read();
    if (!header) return tl::make_unexpected(header.error());
    const std::uint64_t data = reader.data();
    return GgufFile(*std::move(file), *std::move(header), data);
}

} // namespace heed::tensors
