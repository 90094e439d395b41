// State of the Learn room while the window is open.
#pragma once

#include "app/learn/lesson_run.hpp"
#include "app/learn/lessons.hpp"
#include "app/learn/page_desk.hpp"
#include "app/learn/verdicts.hpp"
#include "app/learn/visits.hpp"
#include "figure/base/figure.hpp"
#include "ui/frame/panel.hpp"
#include "ui/learn/before_card.hpp"
#include "ui/learn/card_hint.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed::ui {

/// Figures of this frame and the ones before, by what they show: built once, painted often.
class FigureStore {
  public:
    /// Forgets what has grown old. Before the first get() of a frame.
    void begin_frame();
    template <class Build> const figure::Figure& get(const std::string& key, Build&& build) {
        Kept& kept = all_[key];
        if (kept.used == 0) kept.figure = build();
        kept.used = frame_;
        return kept.figure;
    }

  private:
    struct Kept {
        figure::Figure figure;
        std::uint64_t used = 0; // the frame; 0: not built
    };
    std::unordered_map<std::string, Kept> all_;
    std::uint64_t frame_ = 1;
};

/// A picture that the Export card is open for.
struct ExportedPicture {
    std::string name;     // of the file
    lab::Picture picture; // as it was when the card was opened
    float width = 0, height = 0;
};

/// The height of a lesson's card, and all that decides it.
struct CardHeight {
    std::size_t lesson = 0;
    float width = 0, scale = 0; // pixels a point
    std::string words{};        // that are not the lesson's own
    float height = 0;           // 0: not measured
};

/// A guess of a card that was left before it was done.
struct KeptGuess {
    std::string typed{}, sent{};
};

/// The settings of a page, before or behind a turn.
struct Turned {
    std::size_t page;
    lab::Settings settings;
};

struct LearnState {
    app::PageDesk desk;
    std::size_t page = 0;                  // of lab::pages()
    bool starts = false;                   // "Start here" is shown in the place of a page
    std::optional<std::size_t> marked{};   // the card there that the arrows have come to
    bool moved = false;                    // they came to it in this frame
    std::optional<std::size_t> listed = 0; // the page that the list was moved to
    std::map<const lab::Page*, lab::Settings> settings{};
    std::vector<Turned> turned{}, taken_back{}; // for undo and redo, the newest last
    std::string turning{}; // names of what a drag or typing goes on to change; empty: neither does
    app::Verdicts verdicts{};
    std::string verdicts_file{};
    app::Visits visits{}; // notes of them are on the disk, where there is a place for them
    std::shared_ptr<const app::PageSnapshot> seen{};
    std::uint64_t serial = 0; // of the pictures of `seen`
    // The last request to the desk.
    const lab::Page* asked = nullptr;
    lab::Settings asked_with{};
    std::shared_ptr<const models::Run> asked_of{};
    std::shared_ptr<const std::vector<text::Token>> asked_said{};
    trace::HeadId asked_head{};
    std::shared_ptr<const app::Measured> kept_verdict{};

    std::vector<app::ListedLesson> lessons{};
    std::vector<base::Error> bad_lessons{};
    std::optional<std::size_t> lesson{}; // that is followed
    std::optional<app::LessonRun> run{};
    std::string guess{};   // as it is typed
    std::map<std::string, KeptGuess> guesses{}; // of cards that were left undone, by their titles
    std::string refused{}; // what is wrong with it
    float card_top = 0;    // of its card, and of the panels beside it
    CardHeight card_height{};
    Scroll card_scroll{};                   // where the card is not as high as its words need
    std::optional<int> card_scrolled_for{}; // its state that the scroll was moved to
    std::optional<Box> pointed{};           // what it points to in this frame
    std::optional<Edge> needs{};            // whose panel the next thing to do is in
    std::optional<Edge> unfit{};            // that, where it has no room beside the picture
    bool begun_in_list = false;             // in this frame, by its row or its button
    std::optional<app::LessonPlace> brought{}; // what it points to, once that was brought into view
    bool brought_map = false;                  // of the model that learns
    std::optional<std::string> went_with{}; // the model's file with which it went to its view
    std::optional<Point> turned_at{};       // the pointer that came to it by Next or Back
    /// The pointer that began it in the list, and for how long it has rested since, in seconds.
    std::optional<std::pair<Point, float>> rests{};
    std::vector<BeforeCard> before{}; // the card that is followed, a model and session each
    std::vector<BeforeCard> left{};   // before one that was left, until it is put back
    app::HeadPatterns patterns{};
    TellingSearch telling{};
    // The state that the lesson looked at last.
    std::shared_ptr<const app::Snapshot> watched{};
    app::ViewState watched_view{};
    std::optional<app::TrainingFact> watched_training{};
    std::optional<std::uint64_t> looked_run{}; // the experiment that the lesson looked at last
    std::optional<std::uint64_t> fresh_run{};  // one that began while a card waited for its steps

    Scroll list{}, stage{}, right{};
    float spare_below = 0; // the page, where nothing is said
    FigureStore figures{};
    std::optional<ExportedPicture> exported{};

    void note_card(const std::string& name);
    void note_page(const std::string& name);
    /// Notes that settings are others than the `former`; what is still `held` is one turn.
    void note_turn(const lab::Settings& former, bool held);
    const lab::Page& now() const { return lab::pages()[page]; }
    lab::Settings& settings_now();
};

/// Made when it is first asked for.
LearnState& learn_state(WindowState& window);
inline LearnState& learn_state(Panel& panel) { return learn_state(panel.state); }

/// The mark of a page's last verdict: "✓", "×", "≈"; "•" where it was looked at and not measured.
std::string mark_of(const LearnState& state, const lab::Page& page);
Color ink_of(const figure::Theme& theme, lab::Verdict verdict);

/// Words and formulas with markup, set and painted; returns the height. `key`: what they are.
struct SetWords {
    std::string_view markup;
    figure::TextStyle style{};
    Color ink{};
    bool formula = false; // in one line, as large as fits; else broken into lines
};
float paint_words(Panel& panel, const SetWords& words, Point at, float width);

} // namespace heed::ui
