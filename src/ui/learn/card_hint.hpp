// A card's hint below its task: what a try came to, or a cell that is worth one.
#pragma once

#include "app/learn/lesson.hpp"
#include "app/learn/telling_cell.hpp"
#include "ui/frame/panel.hpp"

#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace heed::ui {

struct LearnState;

/// The cell that tells, looked for on a thread of its own. What is asked for last wins.
class TellingSearch {
  public:
    ~TellingSearch() { stop_.request_stop(); }
    /// Looks at the run and the head of a snapshot, unless they are those of the last time.
    void look(const std::shared_ptr<const app::Snapshot>& snapshot);
    bool looking() const { return found_.valid(); }
    /// Words for what it found, in a sentence; empty before, and where nothing could be looked for.
    const std::string& words();

  private:
    struct Of {
        app::Document document;
        trace::HeadId head;
    };
    std::optional<Of> of_;
    std::string words_;
    std::stop_source stop_;
    std::future<std::string> found_; // goes first, which waits for it
};

/// True of a lesson whose card has hints.
bool can_hint(const app::Lesson& lesson);
/// Before the rows of the card: looks for what its hint needs.
void prepare_hint(Panel& panel, LearnState& state);
/// Hint in a sentence or two; empty where there is none.
std::string card_hint(LearnState& state);

} // namespace heed::ui
