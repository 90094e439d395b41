// The trained models in the model card: a card each, and those opened lately.
#pragma once

#include "app/views/gallery.hpp"
#include "ui/frame/panel.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

struct DrawnForm; // ui/frame/choices.hpp
struct DrawnKind;

/// The models that are found by what is typed, in their order in the card.
struct FoundModels {
    std::string query;
    std::shared_ptr<const std::vector<app::GalleryEntry>> entries; // among which it was looked
    std::vector<const app::GalleryEntry*> trained;
    std::vector<std::string> own;
    // Where something is typed.
    std::vector<std::pair<const DrawnKind*, const DrawnForm*>> untrained;

    std::size_t size() const { return trained.size() + own.size() + untrained.size(); }
};

inline constexpr float kGalleryWidth = 480; // points

void model_gallery(Panel& panel, Form& form);

} // namespace heed::ui
