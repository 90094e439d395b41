// Attention from elsewhere: weights that another program wrote, without the model that made them.
#pragma once

#include "base/result.hpp"
#include "num/matrix.hpp"
#include "tensors/named.hpp"
#include "trace/trace.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

/// The weights of one kind of attention, by layers and heads: queries × keys, rows that sum to 1,
/// or to 0 where a query may look at nothing. All layers have as many heads, all maps one shape.
using KindOfMaps = std::vector<std::vector<num::Matrix<float>>>;

/// Attention as `heed attend` tells of a run: encoder queries and keys are source tokens, decoder
/// ones target tokens, and cross-attention has target tokens as queries and source tokens as keys.
struct AttentionFile {
    std::array<KindOfMaps, std::size(trace::kAttentionKinds)> kinds; // empty: none of it
    std::vector<std::string> source, target; // where a file names none, their numbers from 1

    const KindOfMaps& of(trace::AttentionKind kind) const {
        return kinds[static_cast<std::size_t>(kind)];
    }
    KindOfMaps& of(trace::AttentionKind kind) { return kinds[static_cast<std::size_t>(kind)]; }
};

inline constexpr std::size_t kMostAttentionBytes = std::size_t{1} << 30; // of a file of arrays
inline constexpr std::size_t kMostAttentionJson = std::size_t{40} << 20; // of one of JSON
inline constexpr std::size_t kMostJsonNumbers = std::size_t{8} << 20;    // in it
inline constexpr int kMostFileLayers = 256, kMostFileHeads = 1024;

/// True where an array of this name is a layer of attention, as below.
bool names_attention(std::string_view array);

/// Arrays encoder.layers.N.self_attn.weights, decoder.layers.N.self_attn.weights and
/// decoder.layers.N.multihead_attn.weights (heads × queries × keys; others are passed over), or one
/// array alone, layers × heads × queries × keys: of the encoder where there are "tokens" or
/// "source_tokens", of the decoder where there are "target_tokens", of cross-attention where there
/// are both. `archive` is used up.
/// Errors, with the array's name: mismatch (ranks, shapes, tokens or layers that do not agree),
/// out_of_range (NaN, infinity, weights below 0, rows that do not sum to 1, too many of anything),
/// not_found where there is no attention.
base::Result<AttentionFile> attention_of(tensors::Archive archive, const std::string& subject);

/// The archive that write_json() wrote; an array may be lists in lists, too, and such a list may
/// stand beside "arrays" or without it: {"attention": [[[[1]]]], "tokens": ["a"]}.
/// Errors: those of JSON; malformed, mismatch and out_of_range, with the member's name.
base::Result<tensors::Archive> read_archive_json(std::string_view bytes,
                                                 const std::string& subject);

/// An .npz, .safetensors or .json by its name. Errors: those of reading a file, of its format, and
/// of attention_of().
base::Result<AttentionFile> read_attention_file(const std::string& path);

} // namespace heed::models
