// A Heed model as a file: safetensors, its tensors named by slots(), its configuration in the
// metadata, every value a readable string.
#include "base/check.hpp"
#include "base/file.hpp"
#include "models/parameters.hpp"
#include "tensors/named.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using Parameters = Transformer::Parameters;

constexpr std::size_t kMaxFileBytes = std::size_t(4) * 1024 * 1024 * 1024 + (64 << 20);

// Fields of a configuration and their words in the metadata, for reading and writing alike.
template <class Config, class Visitor> void visit_fields(Config& c, Visitor&& v) {
    v.number("d_model", c.d_model);
    v.number("n_heads", c.n_heads);
    v.number("n_encoder_layers", c.n_encoder_layers);
    v.number("n_decoder_layers", c.n_decoder_layers);
    v.number("d_ff", c.d_ff);
    v.number("vocabulary", c.vocabulary);
    v.number("max_positions", c.max_positions);
    v.number("seed", c.seed);
    v.number("norm_epsilon", c.norm_epsilon);
    v.word("architecture", c.architecture,
           {{name(Architecture::encoder_decoder), Architecture::encoder_decoder},
            {name(Architecture::encoder_only), Architecture::encoder_only},
            {name(Architecture::decoder_only), Architecture::decoder_only}});
    v.word("activation", c.activation,
           {{nn::name(Activation::relu), Activation::relu},
            {nn::name(Activation::gelu), Activation::gelu}});
    v.word("norm", c.norm, {{"post", NormOrder::post}, {"pre", NormOrder::pre}});
    v.word("join", c.join, {{"add", nn::Join::add}, {"concat", nn::Join::concatenate}});
    std::vector<std::pair<std::string_view, nn::Positions>> positions;
    for (const nn::Positions p : nn::kPositions) positions.push_back({nn::name(p), p});
    v.word("positions", c.positions, positions);
}

template <class E> using Words = std::vector<std::pair<std::string_view, E>>;

struct Writer {
    std::map<std::string, std::string>& metadata;

    template <class N> void number(const char* key, N value) {
        metadata[key] = fmt::format("{}", value); // the fewest digits that read back the same
    }
    template <class E> void word(const char* key, E value, const Words<E>& words) {
        for (const auto& [text, meaning] : words) {
            if (meaning == value) metadata[key] = text;
        }
    }
};

struct Reader {
    const std::map<std::string, std::string>& metadata;
    const std::string& path;
    base::Result<void> result = {}; // the first failure

    const std::string* find(const char* key) {
        const auto entry = metadata.find(key);
        if (entry != metadata.end()) return &entry->second;
        complain(ErrorKind::malformed, fmt::format("its metadata lacks \"{}\"", key));
        return nullptr;
    }
    template <class N> void number(const char* key, N& to) {
        const std::string* text = find(key);
        if (!text) return;
        const char* end = text->data() + text->size();
        const auto [stop, error] = std::from_chars(text->data(), end, to);
        if (error != std::errc() || stop != end) {
            complain(ErrorKind::malformed,
                     fmt::format("\"{}\" in its metadata is '{:.40}'; a number "
                                 "of this field's range is expected",
                                 key, *text));
        }
    }
    template <class E> void word(const char* key, E& to, const Words<E>& words) {
        const std::string* text = find(key);
        if (!text) return;
        std::string allowed;
        for (const auto& [word, meaning] : words) {
            if (word == *text) {
                to = meaning;
                return;
            }
            allowed += (allowed.empty() ? "" : ", ") + std::string(word);
        }
        complain(ErrorKind::malformed,
                 fmt::format("\"{}\" in its metadata is '{:.40}', which is none of {}", key, *text,
                             allowed));
    }
    void complain(ErrorKind kind, std::string message) {
        if (result) result = fail(kind, path, std::move(message));
    }
};

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

// "a, b, c and 17 more"
std::string list_text(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 3;
    const std::size_t shown = std::min(kShown, names.size());
    std::string text = fmt::format("{:.80}", names[0]);
    for (std::size_t i = 1; i < shown; ++i) text += fmt::format(", {:.80}", names[i]);
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

template <class P>
base::Result<void> check_tensors(const std::vector<Slot<P>>& expected,
                                 const tensors::Archive& archive, const std::string& path) {
    std::vector<std::string> missing, left_over;
    for (const Slot<P>& slot : expected) {
        if (!archive.arrays.contains(slot.name)) missing.push_back(slot.name);
    }
    if (!missing.empty()) {
        return fail(ErrorKind::mismatch, path,
                    fmt::format("{} of {} tensors of this model are missing: {}", missing.size(),
                                expected.size(), list_text(missing)));
    }
    if (archive.arrays.size() > expected.size()) {
        std::vector<std::string> names;
        for (const Slot<P>& slot : expected) names.push_back(slot.name);
        std::sort(names.begin(), names.end());
        for (const auto& [name, array] : archive.arrays) {
            if (!std::binary_search(names.begin(), names.end(), name)) left_over.push_back(name);
        }
        return fail(ErrorKind::mismatch, path,
                    fmt::format("{} tensors do not belong to this model: {}", left_over.size(),
                                list_text(left_over)));
    }
    for (const Slot<P>& slot : expected) {
        const tensors::Array& array = archive.arrays.at(slot.name);
        if (array.shape != slot.shape) {
            return fail(ErrorKind::mismatch, path,
                        fmt::format("{} has the shape {}; this model needs {}", slot.name,
                                    shape_text(array.shape), shape_text(slot.shape)));
        }
        if (const std::size_t bad = tensors::count_not_finite(array); bad != 0) {
            return fail(ErrorKind::out_of_range, path,
                        fmt::format("{} of the {} numbers in {} are NaN or infinite", bad,
                                    array.values.size(), slot.name));
        }
    }
    return {};
}

void put(const Part<Parameters>& part, const float* values) {
    const Eigen::Map<const Matrix<float>> file(values, part.rows, part.cols);
    std::visit(
        [&](auto* to) {
            using T = std::remove_reference_t<decltype(*to)>;
            if constexpr (std::is_same_v<T, num::Weights<float>>) {
                const Matrix<float> in_by_out = file.transpose();
                *to = num::Weights<float>(in_by_out);
            } else {
                *to = file;
            }
        },
        part.to);
}

void append(const Part<const Parameters>& part, std::vector<float>& values) {
    std::visit(
        [&](const auto* from) {
            using T = std::remove_cvref_t<decltype(*from)>;
            if constexpr (std::is_same_v<T, num::Weights<float>>) {
                const Matrix<float> out_by_in = from->dense().transpose();
                values.insert(values.end(), out_by_in.data(), out_by_in.data() + out_by_in.size());
            } else {
                values.insert(values.end(), from->data(), from->data() + from->size());
            }
        },
        part.to);
}

base::Result<TransformerConfig> read_config(const tensors::Archive& archive,
                                            const std::string& path) {
    const auto kind = archive.metadata.find("heed.model");
    if (kind == archive.metadata.end()) {
        return fail(ErrorKind::unsupported, path,
                    "is a safetensors file, but no model written by `heed model`: its metadata "
                    "lacks \"heed.model\"");
    }
    if (kind->second != "transformer") {
        return fail(ErrorKind::unsupported, path,
                    fmt::format("holds a model of the kind '{:.40}'; this command reads "
                                "'transformer'",
                                kind->second));
    }
    TransformerConfig config;
    Reader reader{archive.metadata, path};
    visit_fields(config, reader);
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    if (auto ok = check(config); !ok) {
        return fail(ok.error().kind, path, "its configuration: " + base::describe(ok.error()));
    }
    return config;
}

} // namespace

base::Result<std::shared_ptr<const Transformer>> Transformer::load(const std::string& path,
                                                                   num::Team& team) {
    tensors::Archive archive;
    {
        auto bytes = base::read_file(path, kMaxFileBytes);
        if (!bytes) return tl::make_unexpected(bytes.error());
        auto read = tensors::read_safetensors(*bytes, path);
        if (!read) return tl::make_unexpected(read.error());
        archive = std::move(*read);
    }
    auto config = read_config(archive, path);
    if (!config) return tl::make_unexpected(config.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = *config;
    make_room(*parameters);
    const auto all = slots(*parameters);
    if (auto ok = check_tensors(all, archive, path); !ok) return tl::make_unexpected(ok.error());

    team.for_each(static_cast<Index>(all.size()), [&](Index i) {
        const Slot<Parameters>& slot = all[static_cast<std::size_t>(i)];
        const float* values = archive.arrays.at(slot.name).values.data();
        for (const Part<Parameters>& part : slot.parts) {
            put(part, values);
            values += part.rows * part.cols;
        }
    });
    derive(*parameters, team);
    return std::shared_ptr<const Transformer>(new Transformer(std::move(parameters)));
}

base::Result<void> Transformer::save(const std::string& path) const {
    tensors::Archive archive;
    for (const Slot<const Parameters>& slot : slots(*parameters_)) {
        tensors::Array& array = archive.arrays[slot.name];
        array.shape = slot.shape;
        Index size = 0;
        for (const auto& part : slot.parts) size += part.rows * part.cols;
        array.values.reserve(static_cast<std::size_t>(size));
        for (const auto& part : slot.parts) append(part, array.values);
    }
    archive.metadata = {{"format", "pt"}, {"heed.model", "transformer"}};
    visit_fields(parameters_->config, Writer{archive.metadata});
    return base::write_file_atomic(path, tensors::write_safetensors(archive));
}

} // namespace heed::models
