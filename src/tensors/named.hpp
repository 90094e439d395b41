// Arrays by name, as they come from and go to files.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tensors {

/// A row-major float array of any rank.
struct Array {
    std::vector<std::int64_t> shape;
    std::vector<float> values; // as many as the shape's product; 1 for an empty shape
};

/// Numbers, strings lists beside them, and metadata.
struct Archive {
    std::map<std::string, Array> arrays;
    std::map<std::string, std::vector<std::string>> strings; // "source_tokens"
    std::map<std::string, std::string> metadata;
};

/// Count of values that are NaN or infinite. Readers keep them: they carry meaning, and the caller
/// says how many there are.
std::size_t count_not_finite(const Array& array);

/// The memory that a reader takes at once, at the most, for each byte that it is given, whatever
/// stands there: a one-byte number becomes a float of four, and of a byte of JSON there may come
/// some forty. A deflated member of an .npz counts by the bytes that it is inflated to.
inline constexpr std::uint64_t kMemoryPerByte = 64;

/// safetensors: strings become metadata, each list as a JSON array, and come back as lists when the
/// text is spelled just as the writer spells it. A list replaces a metadata text of its name.
/// Readers refuse everything that the format's reference refuses, and name it; a header above 16
/// MiB, and more than 100 000 tensors as well. F32, F16, BF16, F64, I64, I32, U8 and BOOL are read.
/// Errors: malformed, mismatch (shape and data), unsupported (type), out_of_range.
base::Result<Archive> read_safetensors(std::string_view bytes, const std::string& subject);
std::string write_safetensors(const Archive& archive);

/// One .npy of little-endian float32, C order.
std::string write_npy(const Array& array);
/// Versions 1.0, 2.0 and 3.0, either order, of <f4 <f8 <f2 <i8 <i4 |u1 |b1.
/// Errors: malformed, mismatch (shape and data), unsupported (Python objects, records, big-endian,
/// text), out_of_range.
base::Result<Array> read_npy(std::string_view bytes, const std::string& subject);

/// .npz: a stored zip of .npy members; string lists as arrays of unicode (<U); metadata as a
/// member "metadata" of one JSON string. Same archive, same bytes. An archive that is moved here is
/// gone when the bytes are made, so that its numbers stand in memory twice at the most.
/// Errors: mismatch (one name for two things), out_of_range (a list with one very long string).
base::Result<std::string> write_npz(Archive archive);
/// Stored and deflated members, checksums compared; what does not end in .npy is ignored. An
/// archive whose members say that they are more than `max_bytes` together, or become more as floats
/// and strings, is refused before those are made: since deflate makes 1032 bytes of one, this is
/// what bounds the memory that a small file may ask for, to three times max_bytes at once.
/// Errors: as read_npy.
inline constexpr std::uint64_t kMaxNpzBytes = std::uint64_t{2} << 30;
base::Result<Archive> read_npz(const std::string& bytes, const std::string& subject,
                               std::uint64_t max_bytes = kMaxNpzBytes);

/// {"arrays": {name: {"shape": […], "values": […]}}, "source_tokens": […], …}, numbers with the
/// fewest digits that read back to the same float, not-finite ones as null. Metadata stand beside
/// the string lists as texts; nothing there can be named "arrays".
std::string write_json(const Archive& archive);

} // namespace heed::tensors
