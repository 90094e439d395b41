#include "app/views/gallery.hpp"

#include "app/engine/computation.hpp"
#include "app/files/open_file.hpp"
#include "models/model/titles.hpp"

#include <exception>
#include <utility>

namespace heed::app {

base::Result<GalleryEntry> gallery_entry(const std::string& path, const std::stop_token& stop) {
    const auto opened = read_opened(path);
    if (!opened) return tl::make_unexpected(opened.error());
    GalleryEntry entry{.path = path, .title = file_title(path)};
    const auto* model = std::get_if<OpenedModel>(&*opened);
    if (!model || !model->provenance) return entry;
    entry.exact_match = model->provenance->exact_match;
    const Opening opening = opening_of(path, *model->provenance);
    entry.sentence = opening.document.source;
    Computation computation(1);
    const auto snapshot = computation.answer({1, opening.document, opening.focus}, stop);
    if (!snapshot) return base::fail(base::ErrorKind::cancelled, path, "was stopped");
    if (snapshot->error) return tl::make_unexpected(*snapshot->error);
    entry.shape = models::shape_title(snapshot->run->model->config());
    entry.classifies = snapshot->run->model->traits().classifies();
    entry.map = snapshot->map;
    return entry;
}

Gallery::Gallery() {
    auto titles = std::make_shared<std::vector<GalleryEntry>>();
    for (const std::string& name : shipped_models()) {
        titles->push_back({.path = shipped_model(name), .title = shipped_title(name)});
    }
    entries_ = std::move(titles);
    worker_ = std::jthread([this](const std::stop_token& stop) { fill(stop); });
}

Gallery::~Gallery() = default;

std::shared_ptr<const std::vector<GalleryEntry>> Gallery::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
}

void Gallery::fill(const std::stop_token& stop) {
    const std::size_t count = entries()->size();
    for (std::size_t i = 0; i < count && !stop.stop_requested(); ++i) {
        try {
            auto next = std::make_shared<std::vector<GalleryEntry>>(*entries());
            // One that cannot be read keeps its title: opening it says why.
            if (auto entry = gallery_entry((*next)[i].path, stop)) (*next)[i] = *std::move(entry);
            const std::lock_guard lock(mutex_);
            entries_ = std::move(next);
        } catch (const std::exception&) { // no memory is left
            break;
        }
    }
    complete_ = true;
}

} // namespace heed::app
