// The trained models as a person chooses among them: what each is for, how good it is, and the map
// that it makes of its own sentence.
#pragma once

#include "app/files/shipped_models.hpp"
#include "num/matrix.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace heed::app {

struct GalleryEntry {
    std::string path;
    ShippedTitle title;
    std::string shape{};                 // models::shape_title()
    std::string sentence{};              // that it opens with
    std::optional<double> exact_match{}; // of the sentences that were held out
    bool classifies = false;             // then a label is right or wrong
    /// The weights of the head that it opens on, over its sentence, rows × columns; null where it
    /// cannot be read.
    std::shared_ptr<const num::Matrix<float>> map{};
};

/// Reads and runs the model. Errors: those of read_opened() and of a run; cancelled.
base::Result<GalleryEntry> gallery_entry(const std::string& path, const std::stop_token& stop);

/// The entries of the models that come with the program, made once on a thread of its own.
class Gallery {
  public:
    Gallery();
    ~Gallery();
    Gallery(const Gallery&) = delete;
    Gallery& operator=(const Gallery&) = delete;

    /// Titles at once, all else as it is made. Never null.
    std::shared_ptr<const std::vector<GalleryEntry>> entries() const;
    bool complete() const { return complete_; }

  private:
    void fill(const std::stop_token& stop);

    std::atomic<bool> complete_ = false;
    mutable std::mutex mutex_;
    std::shared_ptr<const std::vector<GalleryEntry>> entries_; // guarded by the mutex
    std::jthread worker_;                                      // last: it uses the rest
};

} // namespace heed::app
