#include "models/schooling_metadata.hpp"

#include "models/metadata.hpp"

namespace heed::models {

namespace {

constexpr const char* kTask = "trained.task";
constexpr const char* kExample = "trained.example";
constexpr const char* kSegmentation = "trained.segmentation";

const Words<text::Segmentation> kSegmentations = {{"words", text::Segmentation::words},
                                                  {"characters", text::Segmentation::characters}};

} // namespace

base::Result<std::optional<Schooling>>
read_schooling(const std::map<std::string, std::string>& metadata, const std::string& path) {
    if (!metadata.contains(kTask)) return std::nullopt;
    Schooling schooling;
    MetadataReader reader{metadata, path};
    schooling.task = metadata.at(kTask);
    if (const std::string* example = reader.find(kExample)) schooling.example = *example;
    reader.word(kSegmentation, schooling.segmentation, kSegmentations);
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    return schooling;
}

void write_schooling(const Schooling& schooling, std::map<std::string, std::string>& metadata) {
    metadata[kTask] = schooling.task;
    metadata[kExample] = schooling.example;
    MetadataWriter{metadata}.word(kSegmentation, schooling.segmentation, kSegmentations);
}

} // namespace heed::models
