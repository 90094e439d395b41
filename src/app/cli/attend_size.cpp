#include "app/cli/attend_size.hpp"

#include <fmt/format.h>

#include <string>

namespace heed::app {

using trace::Stage;

namespace {

constexpr double kMostBytes = 3e9;

/// Bytes of memory for one number, at the most: the array's float, and what its file is made of.
double bytes_each(ArrayFormat format) {
    constexpr double kFloat = 4;
    switch (format) {
    case ArrayFormat::safetensors:
    case ArrayFormat::npz: return kFloat + 4;
    // A value of a JSON tree, and up to 16 letters of a text that doubles as it grows.
    case ArrayFormat::json: return kFloat + 16 + 2 * 16;
    }
    return kFloat;
}

std::string in_gigabytes(double bytes) { return fmt::format("{:.1f}", bytes / 1e9); }

} // namespace

double numbers_in(Stage stage, const models::Config& config, const models::Input& input) {
    const auto [source, target] = models::most_tokens(config, input);
    const models::Traits traits = models::traits(config);
    double numbers = 0;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        const double queries =
            static_cast<double>(kind == trace::AttentionKind::encoder_self ? source : target);
        const double keys =
            static_cast<double>(kind == trace::AttentionKind::decoder_self ? target : source);
        const bool of_keys = stage == Stage::k || stage == Stage::v;
        const double in_a_layer = trace::is_map(stage) ? traits.n_heads * queries * keys
                                                       : traits.width * (of_keys ? keys : queries);
        numbers += traits.layers(kind) * in_a_layer;
    }
    return numbers;
}

base::Result<void> check_memory(const models::Config& config, const models::Input& input,
                                const std::vector<Stage>& stages, ArrayFormat format) {
    double numbers = 0;
    std::string parts;
    for (const Stage stage : stages) {
        const double of_stage = numbers_in(stage, config, input);
        numbers += of_stage;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", trace::name(stage),
                             in_gigabytes(of_stage * bytes_each(format)));
    }
    const double bytes = numbers * bytes_each(format);
    if (bytes <= kMostBytes) return {};
    std::string message =
        fmt::format("the arrays and their file would take {} GB of memory ({}); the limit is {}. "
                    "Leave out stages, or words of the sentences",
                    in_gigabytes(bytes), parts, in_gigabytes(kMostBytes));
    if (format == ArrayFormat::json) {
        message += fmt::format(", or write .safetensors, which takes {}",
                               in_gigabytes(numbers * bytes_each(ArrayFormat::safetensors)));
    }
    return base::fail(base::ErrorKind::out_of_range, "--stages", std::move(message));
}

base::Result<void> check_logits_memory(num::Index positions, num::Index vocabulary,
                                       ArrayFormat format) {
    const double numbers = 2 * static_cast<double>(positions) * static_cast<double>(vocabulary);
    const double bytes = numbers * bytes_each(format);
    if (bytes <= kMostBytes) return {};
    return base::fail(
        base::ErrorKind::out_of_range, "--logits",
        fmt::format("logits and probabilities of {} positions and {} words would take {} GB of "
                    "memory; the limit is {}. Shorten the sentences, or write .safetensors",
                    positions, vocabulary, in_gigabytes(bytes), in_gigabytes(kMostBytes)));
}

} // namespace heed::app
