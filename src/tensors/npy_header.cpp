// The header of an .npy.
#include "tensors/npy.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

namespace heed::tensors {

using base::ErrorKind;
using base::fail;

namespace {

constexpr std::size_t kMaxHeader = 64u << 10;

/// The dict of a header, as Python literals: strings, True, False and a tuple of numbers. Anything
/// else is not what NumPy writes for the arrays that are read here.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool at_end() {
        skip_space();
        return text_.empty();
    }
    bool starts_with(char c) {
        skip_space();
        return !text_.empty() && text_.front() == c;
    }
    bool take(char c) {
        if (!starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::optional<std::string_view> quoted() {
        const char quote = starts_with('"') ? '"' : '\'';
        if (!take(quote)) return std::nullopt;
        const auto end = text_.find(quote);
        if (end == std::string_view::npos) return std::nullopt;
        const auto word = text_.substr(0, end);
        if (word.find('\\') != std::string_view::npos) return std::nullopt;
        text_.remove_prefix(end + 1);
        return word;
    }
    std::optional<bool> boolean() {
        skip_space();
        for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
            const std::string_view view = word;
            if (text_.substr(0, view.size()) == view) {
                text_.remove_prefix(view.size());
                return value;
            }
        }
        return std::nullopt;
    }
    /// (), (3,), (3, 4) or (3, 4,), but not (3), which is a number to Python.
    std::optional<std::vector<std::int64_t>> tuple() {
        std::vector<std::int64_t> extents;
        if (!take('(')) return std::nullopt;
        bool comma = true;
        while (!take(')')) {
            const auto extent = comma ? number() : std::nullopt;
            if (!extent) return std::nullopt;
            extents.push_back(*extent);
            comma = take(',');
            if (!comma && extents.size() == 1) return std::nullopt;
        }
        return extents;
    }

  private:
    void skip_space() {
        const auto first = text_.find_first_not_of(" \t\r\n");
        text_.remove_prefix(first == std::string_view::npos ? text_.size() : first);
    }
    std::optional<std::int64_t> number() {
        skip_space();
        std::int64_t value = 0;
        bool any = false;
        while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, text_.front() - '0', &value)) {
                return std::nullopt;
            }
            text_.remove_prefix(1);
            any = true;
        }
        return any ? std::optional(value) : std::nullopt;
    }

    std::string_view text_;
};

/// Reads one file; every error names it.
class Parser {
  public:
    Parser(std::string_view bytes, const std::string& subject) : bytes_(bytes), subject_(subject) {}

    base::Result<Npy> parse() {
        Npy npy;
        if (auto read = read_preamble(npy); !read) return tl::make_unexpected(read.error());
        if (auto read = read_dict(npy); !read) return tl::make_unexpected(read.error());
        if (auto fits = check_length(npy); !fits) return tl::make_unexpected(fits.error());
        return npy;
    }

  private:
    tl::unexpected<base::Error> malformed(std::string message) const {
        return fail(ErrorKind::malformed, subject_, std::move(message));
    }

    base::Result<void> read_preamble(Npy& npy) {
        if (bytes_.substr(0, kNpyMagic.size()) != kNpyMagic) {
            return malformed("does not begin as a .npy file does");
        }
        if (bytes_.size() < kNpyMagic.size() + 2) return malformed("ends within its first 8 bytes");
        const auto major = static_cast<unsigned char>(bytes_[kNpyMagic.size()]);
        const auto minor = static_cast<unsigned char>(bytes_[kNpyMagic.size() + 1]);
        if (major < 1 || major > 3 || minor != 0) {
            return fail(
                ErrorKind::unsupported, subject_,
                fmt::format("is .npy version {}.{}; 1.0, 2.0 and 3.0 are read", major, minor));
        }
        const std::size_t width = major == 1 ? 2 : 4;
        const std::size_t start = kNpyMagic.size() + 2 + width;
        if (bytes_.size() < start) return malformed("ends before its header");
        std::uint32_t length = 0;
        std::memcpy(&length, bytes_.data() + kNpyMagic.size() + 2, width);
        if (length > kMaxHeader) {
            return fail(ErrorKind::out_of_range, subject_,
                        fmt::format("its header is {} bytes long; at most {} are read", length,
                                    kMaxHeader));
        }
        if (length > bytes_.size() - start) return malformed("ends within its header");
        header_ = bytes_.substr(start, length);
        npy.data = bytes_.substr(start + length);
        return {};
    }

    base::Result<void> read_dict(Npy& npy) const {
        Scanner scanner(header_);
        bool has_descr = false, has_order = false, has_shape = false;
        if (!scanner.take('{')) return malformed("its header is not a dict");
        while (!scanner.take('}')) {
            const auto key = scanner.quoted();
            if (!key || !scanner.take(':')) return malformed("its header is not a dict of names");
            if (*key == "descr" && !std::exchange(has_descr, true)) {
                if (auto read = read_descr(scanner, npy); !read) return read;
            } else if (*key == "fortran_order" && !std::exchange(has_order, true)) {
                const auto order = scanner.boolean();
                if (!order) return malformed("its fortran_order is neither True nor False");
                npy.fortran_order = *order;
            } else if (*key == "shape" && !std::exchange(has_shape, true)) {
                auto shape = scanner.tuple();
                if (!shape) return malformed("its shape is not a tuple of whole numbers");
                npy.shape = std::move(*shape);
            } else {
                return malformed(fmt::format("its header says \"{}\" twice, or should not",
                                             base::to_valid_utf8(*key)));
            }
            if (!scanner.take(',') && !scanner.starts_with('}')) {
                return malformed("its header has something after a value");
            }
        }
        if (!scanner.at_end()) return malformed("its header goes on after the dict");
        if (!has_descr || !has_order || !has_shape) {
            return malformed("its header lacks one of descr, fortran_order and shape");
        }
        return {};
    }

    base::Result<void> read_descr(Scanner& scanner, Npy& npy) const {
        if (scanner.starts_with('[')) {
            return fail(ErrorKind::unsupported, subject_,
                        "holds records; save each field as an array of its own");
        }
        const auto descr = scanner.quoted();
        if (!descr) return malformed("its descr is not a string");
        static constexpr std::pair<std::string_view, Element> kTypes[] = {
            {"<f4", Element::f32},    {"<f8", Element::f64}, {"<f2", Element::f16},
            {"<i8", Element::i64},    {"<i4", Element::i32}, {"|u1", Element::u8},
            {"|b1", Element::boolean}};
        for (const auto& [name, element] : kTypes) {
            if (*descr == name) {
                npy.element = element;
                npy.item_size = block_of(element).bytes;
                return {};
            }
        }
        if (descr->substr(0, 2) == "<U") return read_text_width(descr->substr(2), npy);
        std::string why = "arrays of <f4, <f8, <f2, <i8, <i4, |u1, |b1 and <U are read";
        if (descr->substr(0, 2) == "|O") {
            why = "Python objects are pickles, and a pickle is a program; save an array of numbers";
        } else if (descr->substr(0, 1) == ">") {
            why = "big-endian; save it with .astype('<f4')";
        }
        return fail(ErrorKind::unsupported, subject_,
                    fmt::format("is of type \"{}\": {}", base::to_valid_utf8(*descr), why));
    }

    base::Result<void> read_text_width(std::string_view digits, Npy& npy) const {
        constexpr std::size_t kDigits = 9; // more do not fit any file
        std::size_t width = 0;
        for (const char digit : digits.substr(0, kDigits)) {
            if (digit < '0' || digit > '9')
                return malformed("its text has a width that is no number");
            width = width * 10 + static_cast<std::size_t>(digit - '0');
        }
        if (width == 0 || digits.size() > kDigits) {
            return fail(ErrorKind::out_of_range, subject_, "its text has a width beyond reason");
        }
        npy.is_text = true;
        npy.item_size = 4 * width;
        return {};
    }

    base::Result<void> check_length(const Npy& npy) const {
        if (npy.shape.size() > kNpyMaxRank) {
            return fail(
                ErrorKind::out_of_range, subject_,
                fmt::format("has {} axes; at most {} are read", npy.shape.size(), kNpyMaxRank));
        }
        const auto count = element_count(npy.shape);
        std::uint64_t size = 0;
        if (!count || __builtin_mul_overflow(*count, npy.item_size, &size)) {
            return fail(
                ErrorKind::out_of_range, subject_,
                fmt::format("has a shape whose size overflows: {}", fmt::join(npy.shape, " × ")));
        }
        if (size != npy.data.size()) {
            return fail(
                ErrorKind::mismatch, subject_,
                fmt::format("has a shape of {} bytes, and data of {}", size, npy.data.size()));
        }
        return {};
    }

    std::string_view bytes_;
    const std::string& subject_;
    std::string_view header_;
};

} // namespace

base::Result<Npy> parse_npy(std::string_view bytes, const std::string& subject) {
    return Parser(bytes, subject).parse();
}

} // namespace heed::tensors
