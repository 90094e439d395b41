// heed lesson: the cards of the Learn room, and whether a teacher's own are well written.
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/view_flags.hpp"
#include "app/engine/computation.hpp"
#include "app/learn/lesson_run.hpp"
#include "app/learn/lessons.hpp"
#include "app/views/view_figure.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace heed::app {

namespace {

void print_lessons(const Io& io) {
    const auto print = [&](const ListedLesson& entry) {
        io.out << fmt::format("{:<28} {}\n", entry.name, entry.lesson.title);
    };
    for (const ListedLesson& entry : shipped_lessons()) print(entry);
    const OwnLessons own = own_lessons(lessons_folder());
    for (const ListedLesson& entry : own.lessons) print(entry);
    for (const base::Error& error : own.wrong) mention(io, base::describe(error));
}

/// A name of the list, or a file.
ReadLesson lesson_named(const std::string& name) {
    for (const ListedLesson& entry : shipped_lessons()) {
        if (entry.name == name) return {entry.lesson, {}};
    }
    for (const ListedLesson& entry : own_lessons(lessons_folder()).lessons) {
        if (entry.name == name) return {entry.lesson, {}};
    }
    return read_lesson(name);
}

void print_card(const LessonRun& run, const Io& io) {
    const Lesson& lesson = run.lesson();
    io.out << lesson.title << "\n\n";
    for (const std::string& paragraph : lesson.words) io.out << paragraph << "\n\n";
    if (lesson.guess) io.out << "Guess: " << lesson.guess->question << "\n\n";
    io.out << "Do: " << lesson.task << "\n\n";
    for (std::size_t i = 0; i < lesson.checks.size(); ++i) {
        const Condition& check = lesson.checks[i];
        io.out << fmt::format("[{}] {}{}\n", run.held(i) ? 'x' : ' ', check.written,
                              check.once ? " (once)" : "");
    }
    if (!run.cannot().empty()) {
        const char* way = run.lacks_words() ? "" : " Another model can: see heed models.";
        io.out << '\n' << run.cannot() << way << '\n';
    } else if (run.seen()) {
        io.out << '\n' << run.said() << '\n';
    }
}

/// Follows the lesson on the document that the flags name: first as its model opens, then with the
/// controls that were given.
int follow(const Given& given, const Io& io, Lesson lesson) {
    Document document;
    if (const auto ok = read_model(given, document); !ok) {
        return complain_of_flags(io, ok.error());
    }
    if (const auto ok = read_sentences(given, document); !ok) {
        return complain_of_flags(io, ok.error());
    }
    const auto view = read_view(given);
    if (!view) return complain_of_flags(io, view.error());
    Computation computation(0);
    const auto model = computation.model_of(document);
    if (!model) return complain_of_run(io, model.error(), &given);
    fit_sentences(given, facts_of(**model), document);
    const auto focus = read_focus(given, facts_of(**model));
    if (!focus) return complain_of_flags(io, focus.error());
    HeadPatterns patterns;
    LessonRun run(std::move(lesson));
    Document changed = document;
    if (const auto ok = read_controls(given, &focus->head, changed); !ok) {
        return complain_of_flags(io, ok.error());
    }
    std::uint64_t revision = 0;
    for (const Document& state : {document, changed}) {
        const auto snapshot =
            computation.answer({++revision, state, *focus, needs_of(*view, *focus)}, {});
        if (snapshot->error) return complain_of_run(io, *snapshot->error, &given);
        run.watch({*snapshot, *view, std::nullopt, patterns});
    }
    print_card(run, io);
    return kGood;
}

int run_lesson(const Given& given, const Io& io) {
    const std::string name = given.find("file").value_or("");
    if (name.empty()) {
        if (given.has("--check")) {
            return complain(io, {base::ErrorKind::usage, "file", "is needed: a lesson to check"},
                            kWrongUsage);
        }
        print_lessons(io);
        return kGood;
    }
    ReadLesson read = lesson_named(name);
    for (const base::Error& error : read.wrong) mention(io, base::describe(error));
    if (!read.wrong.empty()) return kFailed;
    if (!given.has("--check")) return follow(given, io, std::move(read.lesson));
    const std::size_t count = read.lesson.checks.size();
    io.out << fmt::format("{}: “{}”, {} condition{}: nothing is wrong\n", name, read.lesson.title,
                          count, count == 1 ? "" : "s");
    return kGood;
}

} // namespace

Command lesson_command() {
    std::vector<Flag> flags = {
        {"file", "FILE", "a lesson's file, or its name in the list; none: the list", ""},
        {"--check", "", "only tells what is wrong in it: exit code 1 where anything is", ""},
    };
    for (const auto& list : {model_flags(), sentence_flags(), control_flags(), view_flags()}) {
        flags.insert(flags.end(), list.begin(), list.end());
    }
    return {"lesson",
            "Show or check a card of the Learn room.",
            "Prints what the card says, and which of its conditions hold for a model, a sentence "
            "and controls. Files *.md in the folder lessons beside the settings are cards of your "
            "own.",
            lesson_help() + "\nExamples:\n"
                            "  heed lesson\n"
                            "  heed lesson 4-why-root-of-d-k --scale off\n"
                            "  heed lesson mine.md --check",
            std::move(flags),
            run_lesson};
}

} // namespace heed::app
