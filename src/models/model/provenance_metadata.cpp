#include "models/model/provenance_metadata.hpp"

#include "models/file/metadata.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::models {

namespace {

constexpr const char* kTask = "trained.task";
constexpr const char* kExample = "trained.example";
constexpr const char* kSegmentation = "trained.segmentation";
constexpr const char* kAlignedBy = "trained.aligned_by";   // and ".layer", ".head", from 0
constexpr const char* kExactMatch = "trained.exact_match"; // of the sentences held out, 0 to 1
// Words of the shortest and the longest source that it was trained on; both or neither.
constexpr const char *kMinLength = "trained.min_length", *kMaxLength = "trained.max_length";
constexpr const char* kSteps = "trained.steps";
constexpr int kMostHeads = 9999, kMostWords = 10'000;

const Words<text::Segmentation> kSegmentations = {{"words", text::Segmentation::words},
                                                  {"characters", text::Segmentation::characters}};

template <class Id, class Visitor> void visit_head(Id& id, Visitor&& v) {
    Words<trace::AttentionKind> kinds;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        kinds.push_back({trace::name(kind), kind});
    }
    v.word(kAlignedBy, id.kind, kinds);
    v.number("trained.aligned_by.layer", id.layer);
    v.number("trained.aligned_by.head", id.head);
}

} // namespace

base::Result<std::optional<Provenance>>
read_provenance(const std::map<std::string, std::string>& metadata, const std::string& path) {
    if (!metadata.contains(kTask)) return std::nullopt;
    Provenance provenance;
    MetadataReader reader{metadata, path};
    provenance.task = metadata.at(kTask);
    if (const std::string* example = reader.find(kExample)) provenance.example = *example;
    reader.word(kSegmentation, provenance.segmentation, kSegmentations);
    if (metadata.contains(kAlignedBy)) {
        trace::HeadId& id = provenance.aligned_by.emplace();
        visit_head(id, reader);
        if (std::min(id.layer, id.head) < 0 || std::max(id.layer, id.head) > kMostHeads) {
            reader.complain(base::ErrorKind::out_of_range,
                            fmt::format("\"{}\" in its metadata is head {} of layer {}; either "
                                        "is 0 to {}",
                                        kAlignedBy, id.head, id.layer, kMostHeads));
        }
    }
    if (metadata.contains(kExactMatch)) {
        double& share = provenance.exact_match.emplace();
        reader.number(kExactMatch, share);
        if (!(share >= 0 && share <= 1)) {
            reader.complain(base::ErrorKind::out_of_range,
                            fmt::format("\"{}\" in its metadata is {}; it is a share, 0 to 1",
                                        kExactMatch, share));
        }
    }
    if (metadata.contains(kMinLength) || metadata.contains(kMaxLength)) {
        auto& [shortest, longest] = provenance.lengths.emplace();
        reader.number(kMinLength, shortest);
        reader.number(kMaxLength, longest);
        if (shortest < 1 || longest < shortest || longest > kMostWords) {
            reader.complain(
                base::ErrorKind::out_of_range,
                fmt::format("\"{}\" and \"{}\" in its metadata are {} and {}; they rise "
                            "from 1 to {}",
                            kMinLength, kMaxLength, shortest, longest, kMostWords));
        }
    }
    if (metadata.contains(kSteps)) {
        std::int64_t& steps = provenance.steps.emplace();
        reader.number(kSteps, steps);
        if (steps < 0) {
            reader.complain(
                base::ErrorKind::out_of_range,
                fmt::format("\"{}\" in its metadata is {}; it is 0 or more", kSteps, steps));
        }
    }
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    return provenance;
}

void write_provenance(const Provenance& provenance, std::map<std::string, std::string>& metadata) {
    metadata[kTask] = provenance.task;
    metadata[kExample] = provenance.example;
    MetadataWriter writer{metadata};
    writer.word(kSegmentation, provenance.segmentation, kSegmentations);
    if (provenance.aligned_by) visit_head(*provenance.aligned_by, writer);
    if (provenance.exact_match) writer.number(kExactMatch, *provenance.exact_match);
    if (provenance.steps) writer.number(kSteps, *provenance.steps);
    if (!provenance.lengths) return;
    writer.number(kMinLength, provenance.lengths->first);
    writer.number(kMaxLength, provenance.lengths->second);
}

} // namespace heed::models
