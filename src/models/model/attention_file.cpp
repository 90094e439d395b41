#include "models/model/attention_file.hpp"

#include "base/file.hpp"
#include "models/spec/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;
using num::Matrix;
using tensors::Array;
using trace::AttentionKind;

namespace {

constexpr std::size_t kMostTokenBytes = 1024; // each is a label in a picture
/// Weights in 16 bits, or with three digits, sum to 1 no closer than this.
constexpr double kRowTolerance = 0.02;
constexpr auto kMostFileTokens = static_cast<std::int64_t>(kMaxTokens);

struct FileLayer {
    AttentionKind kind;
    int layer;
};

constexpr std::pair<std::string_view, AttentionKind> kModules[] = {
    {".self_attn.weights", AttentionKind::encoder_self},
    {".self_attn.weights", AttentionKind::decoder_self},
    {".multihead_attn.weights", AttentionKind::cross}};

/// Layer of "encoder.layers.3.self_attn.weights" and its kin; nothing of other names.
std::optional<FileLayer> layer_named(std::string_view name) {
    for (const auto& [module, kind] : kModules) {
        const std::string_view stack =
            kind == AttentionKind::encoder_self ? "encoder.layers." : "decoder.layers.";
        if (!name.starts_with(stack) || !name.ends_with(module)) continue;
        if (name.size() <= stack.size() + module.size()) continue;
        const std::string_view number =
            name.substr(stack.size(), name.size() - stack.size() - module.size());
        int layer = -1;
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), layer);
        if (error != std::errc() || end != number.data() + number.size() || layer < 0) continue;
        return FileLayer{kind, layer};
    }
    return std::nullopt;
}

Result<void> check_counts(const std::string& subject, const std::string& name, std::int64_t heads,
                          std::int64_t queries, std::int64_t keys) {
    const auto refuse = [&](std::int64_t count, const char* what, std::int64_t most) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("{} has {} {}; 1 to {} are read", name, count, what, most));
    };
    if (heads < 1 || heads > kMostFileHeads) return refuse(heads, "heads", kMostFileHeads);
    if (queries < 1 || queries > kMostFileTokens) {
        return refuse(queries, "queries", kMostFileTokens);
    }
    if (keys < 1 || keys > kMostFileTokens) return refuse(keys, "keys", kMostFileTokens);
    return {};
}

/// Every weight, and the sum of every row where `sums`.
Result<void> check_map(const std::string& subject, const std::string& place,
                       const Matrix<float>& map, bool sums) {
    for (Index row = 0; row < map.rows(); ++row) {
        double sum = 0;
        for (Index col = 0; col < map.cols(); ++col) {
            const float weight = map(row, col);
            if (!(weight >= 0) || !std::isfinite(weight)) {
                return fail(ErrorKind::out_of_range, subject,
                            fmt::format("{} has the weight {} in row {}, column {}; numbers from 0 "
                                        "on are expected (scores are no weights)",
                                        place, weight, row + 1, col + 1));
            }
            sum += weight;
        }
        if (!sums || sum == 0 || std::abs(sum - 1) < kRowTolerance) continue;
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("row {} of {} sums to {:.4}; rows of attention sum to 1, or to 0",
                                row + 1, place, sum));
    }
    return {};
}

/// A file, as it is gathered.
struct Gathering {
    const std::string& subject;
    bool sums = true; // rows are checked
    AttentionFile file{};

    /// heads × queries × keys from `values` on, as the last layer of a kind.
    Result<void> add_layer(AttentionKind kind, const std::string& name, const std::int64_t* shape,
                           const float* values) {
        const std::int64_t heads = shape[0], queries = shape[1], keys = shape[2];
        if (auto ok = check_counts(subject, name, heads, queries, keys); !ok) return ok;
        KindOfMaps& layers = file.of(kind);
        if (!layers.empty()) {
            const auto& first = layers.front();
            if (std::ssize(first) != heads || first[0].rows() != queries ||
                first[0].cols() != keys) {
                return fail(ErrorKind::mismatch, subject,
                            fmt::format("{} has the shape [{}, {}, {}]; that of the first layer is "
                                        "[{}, {}, {}]",
                                        name, heads, queries, keys, first.size(), first[0].rows(),
                                        first[0].cols()));
            }
        }
        auto& maps = layers.emplace_back();
        for (std::int64_t head = 0; head < heads; ++head) {
            maps.emplace_back(
                Eigen::Map<const Matrix<float>>(values + head * queries * keys, queries, keys));
            const auto place = fmt::format("head {} of {}", head + 1, name);
            if (auto ok = check_map(subject, place, maps.back(), sums); !ok) return ok;
        }
        return {};
    }
};

/// True where `heed attend` set or dropped weights: rows need not sum to 1.
bool rows_are_edited(const tensors::Archive& archive) {
    const auto controls = archive.metadata.find("controls");
    return controls != archive.metadata.end() &&
           (controls->second.find("\"dropout\"") != std::string::npos ||
            controls->second.find("\"edits\"") != std::string::npos);
}

/// Every named array; false where there is none.
Result<bool> gather_named(tensors::Archive& archive, Gathering& gathering) {
    std::map<std::pair<AttentionKind, int>, std::string> names;
    for (const auto& [name, array] : archive.arrays) {
        if (const auto layer = layer_named(name)) {
            const auto [place, fresh] = names.emplace(std::pair(layer->kind, layer->layer), name);
            if (!fresh) {
                return fail(ErrorKind::mismatch, gathering.subject,
                            fmt::format("{} and {} are the same layer", place->second, name));
            }
        }
    }
    for (const auto& [place, name] : names) {
        const auto& [kind, layer] = place;
        const auto expected = std::ssize(gathering.file.of(kind));
        if (layer != expected || layer >= kMostFileLayers) {
            return fail(ErrorKind::mismatch, gathering.subject,
                        fmt::format("has {}, and no layer {} before it; at most {} are read", name,
                                    expected, kMostFileLayers));
        }
        const auto node = archive.arrays.extract(name); // gone when it is copied
        const Array& array = node.mapped();
        if (array.shape.size() != 3) {
            return fail(ErrorKind::mismatch, gathering.subject,
                        fmt::format("{} has the shape [{}]; heads x queries x keys is expected",
                                    name, fmt::join(array.shape, ", ")));
        }
        auto ok = gathering.add_layer(kind, name, array.shape.data(), array.values.data());
        if (!ok) return tl::make_unexpected(ok.error());
    }
    return !names.empty();
}

/// One array of all layers; whose attention it is the tokens say.
Result<void> gather_plain(tensors::Archive& archive, Gathering& gathering) {
    if (archive.arrays.size() != 1) {
        return fail(ErrorKind::not_found, gathering.subject,
                    fmt::format("has {} arrays and no attention: names such as "
                                "encoder.layers.0.self_attn.weights are expected, or one array of "
                                "layers x heads x queries x keys alone",
                                archive.arrays.size()));
    }
    const auto& [name, array] = *archive.arrays.begin();
    auto shape = array.shape;
    // One head, as it is exported, or the heads of one layer.
    while (shape.size() == 2 || shape.size() == 3) shape.insert(shape.begin(), 1);
    if (shape.size() != 4 || shape[0] < 1 || shape[0] > kMostFileLayers) {
        return fail(ErrorKind::mismatch, gathering.subject,
                    fmt::format("{} has the shape [{}]; layers x heads x queries x keys is "
                                "expected, of at most {} layers",
                                name, fmt::join(array.shape, ", "), kMostFileLayers));
    }
    const AttentionFile& file = gathering.file;
    AttentionKind kind = AttentionKind::encoder_self;
    if (!file.target.empty()) {
        kind = file.source.empty() ? AttentionKind::decoder_self : AttentionKind::cross;
    } else if (file.source.empty() && shape[2] != shape[3]) {
        kind = AttentionKind::cross;
    }
    const std::int64_t size = shape[1] * shape[2] * shape[3];
    for (std::int64_t layer = 0; layer < shape[0]; ++layer) {
        auto ok =
            gathering.add_layer(kind, name, shape.data() + 1, array.values.data() + layer * size);
        if (!ok) return ok;
    }
    return {};
}

std::vector<std::string> taken_strings(tensors::Archive& archive, const char* name) {
    const auto found = archive.strings.find(name);
    return found == archive.strings.end() ? std::vector<std::string>() : std::move(found->second);
}

/// Tokens and one side of a kind's maps, which are as many; named by number where nobody names
/// them.
Result<void> fit_tokens(const std::string& subject, const char* side, Index count,
                        std::vector<std::string>& tokens) {
    if (tokens.empty()) {
        for (Index i = 0; i < count; ++i) tokens.push_back(std::to_string(i + 1));
    }
    for (const std::string& token : tokens) {
        if (token.size() <= kMostTokenBytes) continue;
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has a {} token of {} bytes; at most {} are read", side,
                                token.size(), kMostTokenBytes));
    }
    if (std::ssize(tokens) == count) return {};
    return fail(ErrorKind::mismatch, subject,
                fmt::format("has {} {} tokens, and maps of {}", tokens.size(), side, count));
}

Result<void> fit_all_tokens(const std::string& subject, AttentionFile& file) {
    for (const AttentionKind kind : trace::kAttentionKinds) {
        const KindOfMaps& layers = file.of(kind);
        if (layers.empty()) continue;
        const Matrix<float>& map = layers[0][0];
        const bool of_target = kind != AttentionKind::encoder_self;
        const bool to_target = kind == AttentionKind::decoder_self;
        auto ok = fit_tokens(subject, of_target ? "target" : "source", map.rows(),
                             of_target ? file.target : file.source);
        if (ok) {
            ok = fit_tokens(subject, to_target ? "target" : "source", map.cols(),
                            to_target ? file.target : file.source);
        }
        if (!ok) return ok;
    }
    return {};
}

} // namespace

bool names_attention(std::string_view array) { return layer_named(array).has_value(); }

Result<AttentionFile> attention_of(tensors::Archive archive, const std::string& subject) {
    Gathering gathering{subject, !rows_are_edited(archive)};
    AttentionFile& file = gathering.file;
    file.source = taken_strings(archive, "source_tokens");
    file.target = taken_strings(archive, "target_tokens");
    if (file.source.empty()) file.source = taken_strings(archive, "tokens");
    const auto named = gather_named(archive, gathering);
    if (!named) return tl::make_unexpected(named.error());
    if (!*named) {
        if (auto ok = gather_plain(archive, gathering); !ok) return tl::make_unexpected(ok.error());
    }
    if (auto ok = fit_all_tokens(subject, file); !ok) return tl::make_unexpected(ok.error());
    return std::move(file);
}

Result<AttentionFile> read_attention_file(const std::string& path) {
    const bool json = path.ends_with(".json"), npz = path.ends_with(".npz");
    if (!json && !npz && !path.ends_with(".safetensors")) {
        return fail(ErrorKind::unsupported, path,
                    "ends in none of .npz, .safetensors and .json, which attention is read from");
    }
    const auto bytes = base::read_file(path, json ? kMostAttentionJson : kMostAttentionBytes);
    if (!bytes) {
        base::Error error = bytes.error();
        if (json && error.kind == ErrorKind::out_of_range) error.message += "; an .npz holds more";
        return tl::make_unexpected(error);
    }
    auto archive = json  ? read_archive_json(*bytes, path)
                   : npz ? tensors::read_npz(*bytes, path, kMostAttentionBytes)
                         : tensors::read_safetensors(*bytes, path);
    if (!archive) return tl::make_unexpected(archive.error());
    return attention_of(*std::move(archive), path);
}

} // namespace heed::models
