// A corpus that is measured beside the window: every score of every head over a text file, with
// progress, stopped at any line. Gold alignments are those of a file beside it of the same name and
// .align or .talp behind; what cannot be used is left out, and it is said why.
#pragma once

#include "app/engine/inside_picture.hpp"
#include "app/inside/measure_corpus.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace heed::app {

struct CorpusTask {
    std::shared_ptr<const models::Model> model;
    std::string model_name, path;
    Document document;            // how a line is read
    std::uint64_t sequences = 16; // random ones
};

/// A corpus that was measured whole. Immutable.
struct CorpusFound {
    CorpusTask task;
    std::string alignments; // the file of gold alignments beside it; empty: none, or left out
    std::optional<base::Error> gold_error{};    // why it was left out
    std::map<std::size_t, std::string> lines{}; // that a head shows a score most on, from 1
    MeasuredCorpus measured{};
    /// Every part's mean activation over the lines; null of models that say nothing.
    std::shared_ptr<const CorpusMeans> means{};
};

struct CorpusState {
    bool measuring = false;
    std::string path; // that is measured, or was last
    CorpusProgress progress{};
    std::optional<double> seconds_left{};       // at the speed so far
    std::shared_ptr<const CorpusFound> found{}; // of the last one that came to its end
    std::optional<base::Error> error{}; // why the last one did not; none where it was stopped
};

class CorpusDesk {
  public:
    CorpusDesk();
    ~CorpusDesk(); // stops
    CorpusDesk(const CorpusDesk&) = delete;
    CorpusDesk& operator=(const CorpusDesk&) = delete;

    /// Stops what is measured, and begins another.
    void measure(CorpusTask task);
    void stop();
    CorpusState latest() const;
    /// Blocks until nothing is measured. For tests.
    void wait() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::app
