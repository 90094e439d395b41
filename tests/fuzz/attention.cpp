// Attention from elsewhere, as JSON and as alignments: what is accepted fits together.
#include "base/utf8.hpp"
#include "fuzz/target.hpp"
#include "models/model/alignment_file.hpp"
#include "models/model/stored.hpp"

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

/// The run of what was read has as many maps as it.
void check_run(std::vector<models::AttentionFile> sentences) {
    if (sentences.empty()) return;
    static num::ThreadPool pool(1);
    models::Input input;
    input.sentence = static_cast<int>(sentences.size()) - 1;
    const models::AttentionFile last = sentences.back();
    const auto run =
        models::run(std::make_shared<const models::Stored>(std::move(sentences)), input, {}, pool);
    HEED_CHECK(run.has_value(), "a file that does not run");
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        HEED_CHECK((*run)->trace.n_layers(kind) == std::ssize(last.of(kind)), "other layers");
        const auto map = (*run)->trace.map({kind, 0, 0});
        if (!map) continue;
        HEED_CHECK(map->whole(trace::Stage::weights) == last.of(kind)[0][0], "another map");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    if (auto archive = models::read_archive_json(bytes, "input")) {
        if (const auto file = models::attention_of(*std::move(archive), "input")) {
            check_sentence(*file);
            check_run({*file});
        }
    }
    models::begins_as_alignment(bytes);
    if (const auto sentences = models::read_alignments(bytes, "input")) {
        for (const auto& sentence : *sentences) check_sentence(sentence);
        check_run(*sentences);
    }
    return 0;
}
