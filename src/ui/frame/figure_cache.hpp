// The figures that the window shows, one a place.
#pragma once

#include "app/engine/engine.hpp"
#include "app/training/experiment_form.hpp"
#include "app/training/training_export.hpp"
#include "app/views/view_figure.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace heed::ui {

struct Panel;

/// Figures are built when what they depend on changed, and never else. In place of one that breaks
/// a contract stands a sentence: no picture ends the window.
class FigureCache {
  public:
    enum class Slot { main, hovered, links, grid, strip, products, written, preview, count };
    struct Key {
        std::shared_ptr<const app::Snapshot> snapshot;
        app::ViewState view;
        float width = 0, height = 0;
        int extra = 0;
        app::Hovered hovered{};
        std::shared_ptr<const app::ExperimentSnapshot> dataset{};
        app::TrainingView training{};
        std::optional<figure::Columns> above{};
        bool operator==(const Key&) const = default;
    };
    const figure::Figure& get(Slot slot, const Key& key,
                              const std::function<figure::Figure()>& build);
    /// Count of figures built since the start.
    int built() const { return built_; }
    /// Words of the last contract that was broken; empty where none was.
    const std::string& mistake() const { return mistake_; }

  private:
    struct Entry {
        Key key;
        figure::Figure figure;
        bool filled = false;
    };
    std::array<Entry, static_cast<std::size_t>(Slot::count)> entries_;
    int built_ = 0;
    std::string mistake_;
};

/// Key of a picture of this size, made of what is shown.
FigureCache::Key figure_key(const Panel& panel, float width, float height);

} // namespace heed::ui
