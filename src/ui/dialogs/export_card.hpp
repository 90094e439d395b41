// The card that exports: a format, a path, pixels, and the button that writes. What it writes is a
// task, one of Explore and one of the Train room.
#pragma once

#include "ui/dialogs/file_list.hpp"
#include "ui/dialogs/path_check.hpp"
#include "ui/widgets/form.hpp"

#include <functional>
#include <optional>
#include <string>

namespace heed::ui {

struct ExportForm {
    app::ExportFormat format = app::ExportFormat::png;
    std::string path;
    bool browses = false; // shows folders in place of the picture
    FileList listed{};
    bool edited = false;    // a person's own path; until then it follows what is looked at
    std::string edited_for; // the name that was proposed in its place
    std::optional<std::string> proposed_for; // the file's name that `path` was proposed for
    PathWatch watch{};
    bool saves = false;   // once the disk has said what is there
    std::string replaces; // the path that is there already and may be replaced
    bool written = false; // a command to write was given, and its end is not seen yet
    std::string written_to{};  // its path
    bool refused_late = false; // by the disk, when another path was typed: that is to be told
    bool types = false;   // the keys were the path's, until the mouse chose something
    int scale = 2;
    enum class Size { screen, one_column, two_columns, other } size = Size::screen;
    float other_cm = 12;   // the page's, where it is neither column
    float font_points = 8; // on a page
    bool crop = true;      // to what is drawn
    app::Ground ground = app::Ground::white;
    app::ExportedHeads heads = app::ExportedHeads::shown; // of numbers
    app::TrainingPart part = app::TrainingPart::room;     // in the Train room
    float played = 0;                                     // seconds of what moves, in the preview
};

struct ExportTask {
    const char* holds;      // the file, in words
    std::string name;       // of the file, without a suffix: "heed-cross-2-1"; it is proposed until
                            // a person types a path
    unsigned formats = ~0u; // that there are: a bit each
    std::string suffix{};   // of a file that is none of them: ".gif"
    Rows above{}, below{};  // what it has to choose beside format, path and pixels
    /// Beside the buttons that end the card; what is in the way of a file, or nothing.
    std::function<void(Form&, const Box&, const std::string& refusal)> aside{};
    bool pages = true;      // whether it can be laid out for a page: nothing that moves can
    /// Another number for every other picture of one snapshot and view; 24 bits of it are read.
    std::size_t version = 0;
    app::TrainingView training{}; // that the picture is of, in the Train room
    /// The picture that a file would hold, or nothing to show of it before it is written.
    std::function<figure::Figure()> picture{};
    /// Words for pictures that follow one another: how many there are and how long they stand.
    struct Moving {
        std::string frames, speed;
        bool see_through = false; // whether its ground can be none
    };
    std::optional<Moving> moving{};
    std::function<Command()> command; // that writes the file of the form
    /// Words may stand alone in the place of its picture, of numbers in that of the picture that
    /// they are of: then there is nothing to write.
    bool may_be_words = false;
};

void export_card(Panel& panel, ExportForm& form, const ExportTask& task);

/// A path that a person typed follows; `end`: with this ending in the place of the format's.
void choose_format(ExportForm& form, app::ExportFormat format, std::string end = {});
/// Options that both tasks ask of a picture.
app::ExportOptions export_options(const Panel& panel, const ExportForm& form);

} // namespace heed::ui
