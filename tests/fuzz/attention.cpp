// Attention from elsewhere, as JSON and as alignments: what is accepted fits together.
#include "base/utf8.hpp"
#include "fuzz/target.hpp"
#include "models/model/alignment_file.hpp"

using namespace heed;

namespace {

void check_sentence(const models::AttentionFile& file) {
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        const auto& queries =
            kind == trace::AttentionKind::encoder_self ? file.source : file.target;
        const auto& keys = kind == trace::AttentionKind::decoder_self ? file.target : file.source;
        for (const auto& layer : file.of(kind)) {
            HEED_CHECK(!layer.empty(), "a layer without heads");
            for (const auto& map : layer) {
                HEED_CHECK(map.rows() == std::ssize(queries) && map.cols() == std::ssize(keys),
                           "a map of {} × {} of {} and {} tokens", map.rows(), map.cols(),
                           queries.size(), keys.size());
                HEED_CHECK(map.allFinite() && map.minCoeff() >= 0, "a weight that is none");
            }
        }
    }
    for (const std::string& token : file.target) {
        HEED_CHECK(base::is_valid_utf8(token), "a token that is no text");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    if (auto archive = models::read_archive_json(bytes, "input")) {
        if (const auto file = models::attention_of(*std::move(archive), "input")) {
            check_sentence(*file);
        }
    }
    if (const auto sentences = models::read_alignments(bytes, "input")) {
        for (const auto& sentence : *sentences) check_sentence(sentence);
    }
    return 0;
}
