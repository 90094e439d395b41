// A lesson: a card of two or three sentences, one thing to do in the live window, and conditions on
// its state that say whether it was done. It is a text file, so that a teacher can write more:
//
//   # Title
//
//   Two or three sentences.
//
//   do: Turn Scale off.
//   once: scale is on | Begin with Scale on
//   check: scale is off | Turn Scale off
//   point: scale
//   guess: head confidence | How large is the largest weight of a row now?
//   head: scale
//   seen: It was {head confidence before} and is {head confidence}.
//   same: It is {head confidence} as before.
//
// A line that begins with two spaces goes on with the one above it. Conditions are met in their
// order; behind a bar stands what the card says of one.
#pragma once

#include "app/learn/lesson_facts.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// The place in the window that a lesson points to.
enum class LessonPlace {
    sentence,
    model,
    views,
    map,
    heads,
    attention,
    scale,
    temperature,
    mask,
    positions,
    apply,
    weight,
    train,
    tasks,
    play
};
struct LessonPlaceInfo {
    LessonPlace place;
    std::string_view name, help;
};
/// Places that can be named, in the order of the enum.
inline constexpr LessonPlaceInfo kLessonPlaces[] = {
    {LessonPlace::sentence, "sentence", "the field of the source sentence"},
    {LessonPlace::model, "model", "the model's name, which opens the list of models"},
    {LessonPlace::views, "views", "the tabs Heatmap, Lines, Heads …"},
    {LessonPlace::map, "map", "the large picture"},
    {LessonPlace::heads, "heads", "the thumbnails of all heads"},
    {LessonPlace::attention, "attention", "Encoder, Decoder, Cross"},
    {LessonPlace::scale, "scale", "the switch Scale"},
    {LessonPlace::temperature, "temperature", "the slider Temperature"},
    {LessonPlace::mask, "mask", "the parts of the mask"},
    {LessonPlace::positions, "positions", "the menu of positions"},
    {LessonPlace::apply, "apply", "the choice Apply to, until it is model"},
    {LessonPlace::weight, "weight", "the slider of the chosen cell's weight"},
    {LessonPlace::train, "train", "the room Train"},
    {LessonPlace::tasks, "tasks", "the list of tasks in the room Train"},
    {LessonPlace::play, "play", "the button Play in the room Train"},
};

struct Condition {
    enum class Kind {
        above,   // FACT > NUMBER
        below,   // FACT < NUMBER
        is,      // FACT is WORD
        is_not,  // FACT is not WORD
        changed, // FACT changed, since the lesson was begun
        most,    // head is the most previous
        edited,  // edited row "ate" keys "昨天": all weight of the row, by hand, upon these keys;
                 // any: upon one that had no more than half of it
    } kind = Kind::is;
    const Fact* fact = nullptr; // null where edited
    double number = 0;
    std::string word{};              // of is, is_not; of most, that of the measure
    std::string row{};               // of edited; empty: any
    std::vector<std::string> keys{}; // of edited; none: any one key
    bool once = false;               // it may be over by the time of those below it
    std::string written;             // as it stands in the file, without the words behind the bar
    std::string asked{};             // these words: what a person is to do
};

/// Words with facts in braces: "{row} gives {row largest}".
struct FilledText {
    struct Part {
        std::string words{};
        const Fact* fact = nullptr; // in place of the words
        bool before = false;        // as it was before anything was changed
    };
    std::vector<Part> parts{};
};

/// Asked before the thing is done; told afterwards.
struct Guess {
    const Fact* fact = nullptr;
    std::string question;
};

struct Lesson {
    std::string file; // as errors name it
    std::string title;
    std::vector<std::string> words{}; // paragraphs
    std::string task;                 // the thing to do
    std::vector<const Fact*> needs{}; // beside those of what follows
    std::vector<Condition> checks{};
    std::vector<LessonPlace> points{}; // of several, the last that can be seen
    std::optional<Guess> guess{};
    bool at_head_of_scale = false; // it begins at head_of_scale()
    FilledText seen{};
    FilledText same{}; // in its place while nothing of `seen` is another than before; or none
};

inline constexpr std::size_t kMostLessonBytes = std::size_t{64} << 10, kMostChecks = 16;

/// Either a lesson, or all that is wrong with it: `wrong` is empty where it is good.
struct ReadLesson {
    Lesson lesson;
    std::vector<base::Error> wrong{};
};
/// `file` names it in errors: "FILE, line 7" is their subject.
ReadLesson parse_lesson(std::string_view bytes, const std::string& file);
/// Errors: those of reading a file, as the only one in `wrong`.
ReadLesson read_lesson(const std::string& path);

/// "scale is off", "head looks previous > 0.6". Errors: malformed, with what was expected.
base::Result<Condition> parse_condition(std::string_view words, const std::string& subject);
/// The task that it sets who follows a lesson: "Turn Scale off". Its own words, or some made of
/// what it looks at.
std::string in_words(const Condition& condition);
/// The place where it is met; nothing where that is no one place.
std::optional<LessonPlace> place_for(const Condition& condition);
/// True where the softmax gives a cell no more than half of its row, whatever it is set to.
bool has_little(const trace::AttentionMap& map, num::Index query, num::Index key);
/// True where a condition of the kind edited is met.
bool edited_so(const Condition& condition, const Snapshot& snapshot);
/// True where it is followed on the map, as all are but those that ask to go to a view.
bool is_of_map(const Lesson& lesson);
/// The steps of training that it waits for; nothing where it asks for none.
std::optional<std::uint64_t> steps_asked(const Lesson& lesson);
/// True where it waits for steps, and the run of its task was there before the card.
bool needs_fresh_run(const Lesson& lesson, const TrainingFact& training);
/// True where what the model says of itself is guessed or told at its end.
bool tells_said(const Lesson& lesson);
base::Result<FilledText> parse_filled(std::string_view words, const std::string& subject);

/// A page of help: what conditions can say and what facts there are.
std::string lesson_help();

} // namespace heed::app
