// The Learn room's work away from the window's thread: pictures that follow what is turned, the
// question asked of the open model, and measurements with their progress. The newest wins.
#pragma once

#include "lab/page.hpp"
#include "models/model/model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// A page's finding, with the settings that it was measured with.
struct Measured {
    lab::Settings settings;
    lab::Finding finding;
    bool whole = false; // or what was found so far
};

/// All that there is of a page at one moment. Immutable.
struct PageSnapshot {
    const lab::Page* page = nullptr; // that is looked at; null before the first
    lab::Settings settings;          // that the pictures are of
    std::vector<lab::Picture> pictures{};
    std::optional<lab::OnModel> on_model{};
    std::shared_ptr<const models::Run> run{};   // that on_model is about
    std::shared_ptr<const Measured> measured{}; // of this page, newest; null before
    std::shared_ptr<const Measured> found{};    // the newest that is whole, of any page
    const lab::Page* found_of = nullptr;        // that page
    std::optional<base::Error> error{};         // of its last look or measurement
    const lab::Page* failed = nullptr;          // the page that the error is of
    /// Raised whenever pictures, what was measured or what the model says are others.
    std::uint64_t version = 0;
    const lab::Page* measuring = nullptr; // any page, while it is measured
    double done = 0;                      // of that, 0 to 1
    std::string doing{};                  // in words
};

/// Names the rows of cross-attention in what a page says of a run as Explore does: by what the
/// decoder says there, `said`, as Snapshot has it.
void name_rows_said(lab::OnModel& seen, const models::Run& run,
                    const std::vector<text::Token>& said);

class PageDesk {
  public:
    /// `threads`: of measurements; 0: every core.
    explicit PageDesk(int threads = 0);
    /// Stops.
    ~PageDesk();
    PageDesk(const PageDesk&) = delete;
    PageDesk& operator=(const PageDesk&) = delete;

    /// Looks at another page, other settings or another run (null: no model is open). `said`: the
    /// words that its rows of cross-attention are named by; null: by what the decoder reads there.
    /// `looked_at`: the head that is looked at in other rooms.
    void look(const lab::Page& page, const lab::Settings& settings,
              std::shared_ptr<const models::Run> run,
              std::shared_ptr<const std::vector<text::Token>> said = nullptr,
              std::optional<trace::HeadId> looked_at = {});
    /// Stops the measurement before, whose findings so far stay.
    void measure(const lab::Page& page, const lab::Settings& settings);
    void stop_measuring();

    std::shared_ptr<const PageSnapshot> latest() const; // never null
    /// True while anything is waiting or being computed.
    bool busy() const;
    /// Blocks until nothing is. For tests and screenshots.
    void wait() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::app
