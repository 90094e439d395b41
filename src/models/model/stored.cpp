#include "models/model/stored.hpp"

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/utf8.hpp"
#include "models/model/alignment_file.hpp"
#include "models/model/record.hpp"
#include "tensors/safetensors_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;
using num::Matrix;
using trace::AttentionKind;

namespace {

StoredConfig config_of(const std::vector<AttentionFile>& sentences) {
    StoredConfig config;
    config.sentences = static_cast<int>(sentences.size());
    for (const AttentionKind kind : trace::kAttentionKinds) {
        const KindOfMaps& layers = sentences.front().of(kind);
        config.layers[static_cast<std::size_t>(kind)] = static_cast<int>(layers.size());
        if (!layers.empty()) {
            config.n_heads = std::max(config.n_heads, static_cast<int>(layers[0].size()));
        }
    }
    return config;
}

std::vector<text::Token> tokens_of(const std::vector<std::string>& words) {
    std::vector<text::Token> tokens;
    for (const std::string& word : words) tokens.push_back({base::to_valid_utf8(word), 0, 0});
    return tokens;
}

std::string name_of(AttentionKind kind, std::size_t layer) {
    const char* stack = kind == AttentionKind::encoder_self ? "encoder" : "decoder";
    const char* module = kind == AttentionKind::cross ? "multihead_attn" : "self_attn";
    return fmt::format("{}.layers.{}.{}", stack, layer, module);
}

nn::AttentionCache<float> cache_of(std::string name, std::vector<Matrix<float>> maps) {
    nn::AttentionCache<float> cache;
    cache.name = std::move(name);
    const Index n = maps.front().rows(), m = maps.front().cols();
    cache.q = cache.context = Matrix<float>(n, 0);
    cache.k = cache.v = Matrix<float>(m, 0);
    cache.valid_keys = m;
    for (Matrix<float>& map : maps) {
        trace::Head head;
        head.settings.mask = nn::Mask();
        head.row_max.assign(static_cast<std::size_t>(n), 0);
        for (Index row = 0; row < n; ++row) head.row_sum.push_back(map.row(row).sum());
        head.stored = std::make_shared<const Matrix<float>>(std::move(map));
        cache.heads.push_back(std::move(head));
    }
    return cache;
}

bool is_part_of_checkpoint(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name == "config.json" || name.ends_with(".safetensors.index.json");
}

bool arrays_are_attention(const std::string& path) {
    const auto file = tensors::SafetensorsFile::open(path);
    if (!file || file->header().metadata.contains("heed.model")) return false;
    const auto& arrays = file->header().entries;
    const bool named = std::any_of(arrays.begin(), arrays.end(),
                                   [](const auto& array) { return names_attention(array.name); });
    return named || (arrays.size() == 1 && arrays[0].shape.size() == 4);
}

bool text_is_alignment(const std::string& path) {
    constexpr std::uint64_t kBeginning = 4096;
    const auto file = base::OpenFile::open(path);
    if (!file) return false;
    std::string begin(static_cast<std::size_t>(std::min(file->size(), kBeginning)), '\0');
    return file->read(0, begin) && begins_as_alignment(begin);
}

} // namespace

bool holds_attention(const std::string& path) {
    std::error_code failed;
    if (path.ends_with(".npz")) return true;
    if (!std::filesystem::is_regular_file(path, failed)) return false;
    if (path.ends_with(".json")) return !is_part_of_checkpoint(path);
    if (path.ends_with(".safetensors")) return arrays_are_attention(path);
    return text_is_alignment(path);
}

Stored::Stored(std::vector<AttentionFile> sentences) : Model(config_of(sentences), {}) {
    for (AttentionFile& file : sentences) {
        Sentence& sentence = sentences_.emplace_back();
        sentence.source = tokens_of(file.source);
        sentence.target = tokens_of(file.target);
        for (const AttentionKind kind : trace::kAttentionKinds) {
            KindOfMaps& layers = file.of(kind);
            for (std::size_t i = 0; i < layers.size(); ++i) {
                const std::string name = name_of(kind, i);
                trace::Layer layer{name.substr(0, name.rfind('.')), {}, {}};
                record(layer, static_cast<int>(i), kind, cache_of(name, std::move(layers[i])));
                sentence.layers.push_back(std::make_shared<const trace::Layer>(std::move(layer)));
            }
        }
    }
}

Result<std::shared_ptr<const Stored>> Stored::read(const std::string& path) {
    const bool arrays =
        path.ends_with(".npz") || path.ends_with(".json") || path.ends_with(".safetensors");
    std::vector<AttentionFile> sentences;
    if (arrays) {
        auto file = read_attention_file(path);
        if (!file) return tl::make_unexpected(file.error());
        sentences.push_back(*std::move(file));
    } else {
        const auto bytes = base::read_file(path, kMostAlignmentBytes);
        if (!bytes) return tl::make_unexpected(bytes.error());
        auto read = read_alignments(*bytes, path);
        if (!read) return tl::make_unexpected(read.error());
        sentences = *std::move(read);
    }
    if (sentences.empty()) return fail(ErrorKind::not_found, path, "has no sentence");
    return std::make_shared<const Stored>(std::move(sentences));
}

tensors::Archive Stored::archive() const {
    tensors::Archive archive;
    const Sentence& first = sentences_.front();
    const auto words = [](const std::vector<text::Token>& tokens) {
        std::vector<std::string> texts;
        for (const text::Token& token : tokens) texts.push_back(token.text);
        return texts;
    };
    if (!first.source.empty()) archive.strings["source_tokens"] = words(first.source);
    if (!first.target.empty()) archive.strings["target_tokens"] = words(first.target);
    for (const auto& layer : first.layers) {
        for (const auto& attention : layer->attentions) {
            tensors::Array array{
                {std::ssize(attention->heads), attention->n_queries(), attention->n_keys()}, {}};
            for (const trace::Head& head : attention->heads) {
                const Matrix<float>& map = *head.stored;
                array.values.insert(array.values.end(), map.data(), map.data() + map.size());
            }
            archive.arrays[attention->name + ".weights"] = std::move(array);
        }
    }
    return archive;
}

Result<void> Stored::compute(Run& run, num::ThreadPool&, const RunOptions& options) const {
    const auto count = std::ssize(sentences_);
    if (run.input.sentence < 0 || run.input.sentence >= count) {
        return fail(ErrorKind::out_of_range, "sentence",
                    fmt::format("is {}; this file has 1 to {}", run.input.sentence + 1, count));
    }
    const Sentence& sentence = sentences_[static_cast<std::size_t>(run.input.sentence)];
    run.trace.source = sentence.source;
    run.trace.target = sentence.target;
    run.trace.layers = sentence.layers;
    run.layers_reused = 0;
    float* to = options.all_weights;
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            for (const trace::Head& head : attention->heads) {
                if (!to) break;
                to = std::copy_n(head.stored->data(), head.stored->size(), to);
            }
        }
    }
    return {};
}

} // namespace heed::models
