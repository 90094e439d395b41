// Answers requests one after another, on its caller's thread: the engine's work without its thread.
#pragma once

#include "app/document/file_stamp.hpp"
#include "app/document/prepare_image.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/inside_other.hpp"
#include "app/engine/pictures.hpp"
#include "num/threads.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

struct Request {
    std::uint64_t revision = 0;
    Document document;
    Focus focus;
    Needs needs{};
    std::optional<Reference> reference{};
};

class Computation {
  public:
    explicit Computation(int threads); // 0: every core

    /// Is told, by any thread, which model's file is being read and how much of it has been, from 0
    /// to 1, and answers whether to go on.
    using Watch = std::function<bool(const std::string& file, double fraction)>;
    void watch_reading(Watch watch) { watch_ = std::move(watch); }

    /// A snapshot for every request: where it has no run of its own, the last good one with the
    /// error. Null when `stop` was requested first. Never throws.
    std::shared_ptr<const Snapshot> answer(const Request& request, std::stop_token stop) noexcept;
    /// The document's model; the last one is kept, until its file is another. Errors: those of
    /// prepare_model.
    base::Result<std::shared_ptr<const models::Model>> model_of(const Document& document);

    /// The last answer with a little more of what it asked for and nobody waits for. Null when
    /// there is no more, when `stop` was requested, when it failed, or when that answer did.
    std::shared_ptr<const Snapshot> refine(std::stop_token stop) noexcept;

    /// Findings of the room Inside about the model's words. For tests.
    const KnownWords& known_words() const { return known_words_; }

  private:
    using Answer = std::shared_ptr<const Snapshot>;
    base::Result<Answer> try_answer(const Request& request, const std::stop_token& stop);
    base::Result<void> run_into(Snapshot& snapshot, const Request& request,
                                const std::stop_token& stop);
    base::Result<std::shared_ptr<const ReferencePicture>>
    reference_picture(const Reference& asked, const Snapshot& present, const std::stop_token& stop);
    bool add_reference(Snapshot& snapshot, const Request& request, const std::stop_token& stop);
    bool draw_into(Snapshot& snapshot, const Request& request, const std::stop_token& stop);
    Answer failed(const Request& request, base::Error error, const std::stop_token& stop);

    struct LoadedModel {
        models::Config config;
        std::string file;
        FileStamp stamp; // of that file when it was read
        std::shared_ptr<const models::Model> model;
    };

    Watch watch_; // empty: nobody does
    num::ThreadPool pool_;
    std::vector<LoadedModel> models_; // the last used first: the present one and a reference's
    ImageReader images_;
    KnownWords known_words_;
    std::array<ThumbnailCache, 3> thumbnails_;
    std::shared_ptr<const std::vector<num::DotHistogram>> histograms_; // of no run: made once
    bool gallery_due_ = false;             // the last run's maps under every score are not made yet
    std::shared_ptr<const Snapshot> good_; // the last without an error
    bool good_is_last_ = false;            // nothing was answered since
};

} // namespace heed::app
