// One .npy, as a file of its own or a member of an .npz: a magic word, a Python dict that says what
// follows, the data.
#pragma once

#include "base/result.hpp"
#include "tensors/element.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tensors {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kNpyMaxRank = 32; // NumPy's own

/// The header, checked against the data behind it: elements × size is its exact length.
struct Npy {
    bool is_text = false;           // <U: code points of 32 bits, filled up with zeros
    Element element = Element::f32; // when it is not text
    std::size_t item_size = 0;      // bytes of one element
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
    std::string_view data; // into the bytes that were given
};

/// Versions 1.0, 2.0 and 3.0; <f4 <f8 <f2 <i8 <i4 |u1 |b1 and <U.
/// Errors: malformed, mismatch (length), unsupported (objects, records, big-endian, other types),
/// out_of_range (header above 64 kB, rank above 32, a size that overflows).
base::Result<Npy> parse_npy(std::string_view bytes, const std::string& subject);

/// Bytes that its numbers or strings take in memory, at the most.
std::uint64_t npy_memory(const Npy& npy);
/// Numbers of the file in C order. Requires !is_text.
std::vector<float> npy_numbers(const Npy& npy);
/// Strings of the file, without the zeros at their ends; a code point that does not exist becomes
/// U+FFFD. Requires is_text.
std::vector<std::string> npy_strings(const Npy& npy);

/// A header of version 1.0, padded to 64 bytes, for data of this type in C order.
std::string npy_header(const std::string& descr, const std::vector<std::int64_t>& shape);

/// Strings as <U, of shape {list.size()}, or a scalar. Errors: out_of_range, when one long string
/// would blow a list up beyond 256 MiB.
base::Result<std::string> npy_of_strings(const std::vector<std::string>& list, bool scalar,
                                         const std::string& subject);

} // namespace heed::tensors
