#include "ui/dialogs/export_card.hpp"

#include "app/training/training_export.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/dialogs/export_preview.hpp"
#include "ui/dialogs/file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace heed::ui {

namespace {

using app::ExportFormat;

constexpr float kOneColumn = 8.5f, kTwoColumns = 17; // cm

/// "PNG", "SVG", …, in the order of the enum.
std::vector<std::string> labels() {
    std::vector<std::string> words(app::names<ExportFormat>().size());
    for (const auto& format : app::names<ExportFormat>()) {
        std::string& word = words[static_cast<std::size_t>(format.value)];
        for (const char c : format.name) word += static_cast<char>(std::toupper(c));
    }
    return words;
}

/// Tips of formats in the order of the enum.
std::vector<std::string> format_tips() {
    std::vector<std::string> tips(app::names<ExportFormat>().size());
    const auto tip = [&](ExportFormat format, const char* words) {
        tips[static_cast<std::size_t>(format)] = words;
    };
    tip(ExportFormat::png, "An image of dots, for slides and web pages");
    tip(ExportFormat::svg, "A drawing that stays sharp at any size, for web pages");
    tip(ExportFormat::pdf, "A drawing that stays sharp at any size, for papers");
    tip(ExportFormat::csv, "The numbers as a table, for a spreadsheet");
    tip(ExportFormat::npy, "The main numbers as one array, for NumPy");
    tip(ExportFormat::npz, "All numbers as arrays with their labels, for NumPy");
    return tips;
}

std::string suffix(ExportFormat format) { return "." + std::string(app::name_of(format)); }

} // namespace

app::ExportOptions export_options(const Panel& p, const ExportForm& form) {
    using Size = ExportForm::Size;
    app::ExportOptions options;
    options.png_scale = static_cast<float>(form.scale);
    options.width = p.state.picture.width;
    options.height = p.state.picture.height;
    options.crop = form.crop;
    options.ground = form.ground;
    options.heads = form.heads;
    if (form.size != Size::screen) {
        const float cm = form.size == Size::one_column    ? kOneColumn
                         : form.size == Size::two_columns ? kTwoColumns
                                                          : form.other_cm;
        options.page = {cm, form.font_points};
        options.png_scale = app::kPaperScale / 2 * static_cast<float>(form.scale);
    }
    return options;
}

namespace {

/// Another ending in the place of one that says a format.
std::string with_suffix(const std::string& path, const std::string& end) {
    const std::size_t before = says_format(path) ? path.rfind('.') : path.size();
    return path.substr(0, before) + end;
}

} // namespace

void choose_format(ExportForm& form, ExportFormat format, std::string end) {
    form.format = format;
    if (end.empty()) end = suffix(format);
    if (form.edited) form.path = with_suffix(form.path, end); // else one is proposed
}

namespace {

std::string suffix_of(const ExportForm& form, const ExportTask& task) {
    return task.suffix.empty() ? suffix(form.format) : task.suffix;
}

void watch_path(Panel& p, ExportForm& form, const std::string& end) {
    if (form.watch.follow(form.path, end, p.ui.seconds_passed())) form.saves = false;
    p.state.dialogs->looks_at_path = !form.watch.settled();
}

/// True when Enter is pressed in the field.
bool path_row(Panel& p, Form& f, ExportForm& form, const ExportTask& task) {
    const std::string proposed = task.name + suffix_of(form, task);
    if (f.draws() && !form.edited && form.proposed_for != proposed) { // the disk is asked, once
        form.path = in_written_folder(p, proposed);
        form.proposed_for = proposed;
    }
    if (f.draws() && f.opens()) p.ui.focus_name("export/path");
    Ui::FieldOptions options;
    Canvas& c = f.ui.canvas;
    ShownPath shown;
    options.resting = [&](const Box& inside) {
        shown = shown_path(c, Face::mono, form.path, inside.w);
        c.text(inside, Face::mono, c.theme().text, shown.words);
    };
    options.caret = [&](float x) {
        return shown.in_path(c.byte_at(Face::mono, shown.words, x), form.path.size());
    };
    options.mono = true;
    options.hint = "a path; its ending sets the format";
    Line line{f.row(34, 14)};
    const Box folders = line.right(84);
    const auto typed = f.field(line.rest, "path", "path", form.path, options);
    f.tip("Where the file is written; the ending of its name says the format.");
    if (typed.changed) {
        form.edited = true;
        form.replaces.clear();
        if (p.work.notice.bad) p.commands.push_back(Say{}); // it was of another path
        if (const auto format = app::export_format_of(form.path)) form.format = *format;
    }
    if (f.button(folders, "folders", form.browses ? "Preview" : "Browse \u2026")) {
        form.browses = !form.browses;
        forget(form.listed);
    }
    f.tip(form.browses ? "Shows the picture again" : "Chooses the folder to write to");
    if (f.draws()) watch_path(p, form, suffix_of(form, task));
    return typed.entered;
}

/// Of a picture of dots alone.
void scale_row(Form& f, ExportForm& form, bool moves) {
    const bool page = form.size != ExportForm::Size::screen && !moves;
    const auto scales = page ? std::array<std::string, 4>{"150", "300", "450", "600"}
                             : std::array<std::string, 4>{"1", "2", "3", "4"};
    const char* label = page ? "Resolution, dpi" : moves ? "Scale" : "Scale (PNG)";
    const auto chosen = f.choice(label, "scale", scales, 1u << (form.scale - 1), 0.5f);
    f.tip(page ? "Dots per inch at the size chosen above: journals ask for 300"
               : "How many pixels a point becomes: 2 is sharp on most screens, 4 in print");
    if (chosen) form.scale = *chosen + 1;
}

/// Room for rows that come and go, so that the card has one height; a low window has none for that.
float kept_free(const Form& f, float height) {
    constexpr float kLow = 590;
    return f.ui.height() < kLow ? 0 : height;
}

/// Steppers for the size of a picture on a page; none for one that is as large as on the screen.
void page_steppers(Form& f, ExportForm& form) {
    if (form.size == ExportForm::Size::other) {
        const int step = f.stepper("Centimetres", "cm", fmt::format("{:.1f}", form.other_cm),
                                   form.other_cm > 3, form.other_cm < 60);
        f.tip("How wide the picture is on the page");
        form.other_cm += 0.5f * static_cast<float>(step);
    }
    if (form.size == ExportForm::Size::screen) return;
    const int step = f.stepper("Words, in points", "font", fmt::format("{:g}", form.font_points),
                               form.font_points > 5, form.font_points < 16);
    f.tip("How large the words of a map are on the page; others stand to them as on the screen");
    form.font_points += 0.5f * static_cast<float>(step);
}

/// Returns what is left of the height that is kept for steppers.
float page_rows(Form& f, ExportForm& form) {
    using Size = ExportForm::Size;
    constexpr float kSteppers = 60;
    const std::array<std::string, 4> sizes{"Screen", "8.5 cm", "17 cm", "Other"};
    const auto size =
        f.choice("Width", "size", sizes, 1u << static_cast<unsigned>(form.size), 0.64f);
    const std::string tips[] = {"As large as it is in the window", "One column of a paper",
                                "Both columns of a paper, or the width of a page",
                                "Another width, in centimetres"};
    f.tip("How wide the picture is");
    f.tips(tips);
    if (size) form.size = static_cast<Size>(*size);
    const float end = f.y + kept_free(f, kSteppers);
    page_steppers(f, form);
    return std::max(end - f.y, 0.f);
}

/// What a file of moving pictures will be, in the place of the rows for a page.
float moving_rows(Form& f, const ExportForm& form, const ExportTask& task) {
    constexpr float kPageRows = 94; // that these take the place of
    const float end = f.y + kept_free(f, kPageRows);
    const app::FilmPace& pace = app::kFilmPace;
    const auto scale = static_cast<float>(form.scale);
    f.label("Size",
            fmt::format("{:.0f} \u00d7 {:.0f} pixels", pace.width * scale, pace.height * scale),
            "How large the picture is; pixels per point change it");
    f.label("Frames", task.moving->frames,
            "One for each frame of the film that was kept, in the order of training");
    f.label("Speed", task.moving->speed,
            "How long each frame stands; the last one stays longer");
    return std::max(end - f.y, 0.f);
}

void ground_row(Form& f, ExportForm& form, unsigned possible) {
    const std::array<std::string, 3> grounds{"White", "As on screen", "Transparent"};
    const auto chosen = f.choice("Background", "ground", grounds,
                                 1u << static_cast<unsigned>(form.ground), 0.64f, possible);
    const std::string tips[] = {"White, as paper is, and so in light colours",
                                "The colour that lies below it in the window",
                                "Nothing: the page shows through"};
    f.tip("What lies below the picture");
    f.tips(tips);
    if (chosen) form.ground = static_cast<app::Ground>(*chosen);
}

/// Rows of what the chosen format has: a page and a ground are of pictures alone, pixels of PNG.
/// Returns the height that is kept for what it has not.
float format_rows(Form& f, ExportForm& form, const ExportTask& task) {
    const bool picture = is_picture(form.format), moves = picture && task.moving;
    float kept = 0;
    const auto where = [&](bool acts, const Rows& rows) {
        if (acts) return rows(f);
        kept += kept_free(f, height_of(f.ui, f.w, rows));
    };
    const bool laid_out = picture && (task.pages || moves);
    if (laid_out) {
        kept += moves ? moving_rows(f, form, task) : page_rows(f, form);
    } else {
        where(false, [&](Form& g) { g.space(page_rows(g, form)); });
    }
    constexpr unsigned kSolid = 0b011; // grounds
    const bool solid = moves && !task.moving->see_through;
    where(laid_out, [&](Form& g) { ground_row(g, form, solid ? kSolid : ~0u); });
    where(picture && form.format == ExportFormat::png, [&](Form& g) { scale_row(g, form, moves); });
    return kept;
}

/// Folders for the file: beside the card's rows or, without room there, below them.
void folders(Form& f, ExportForm& form, const std::optional<Box>& beside) {
    Form own(f.ui, beside ? beside->x : f.x, beside ? beside->y : f.y, beside ? beside->w : f.w,
             f.ids(), f.draws());
    form.listed.written = true;
    form.listed.rows = beside ? rows_of_list(beside->h) : FileList{}.rows;
    const bool another = folder_list(own, form.listed, form.path, "path");
    if (!beside) f.y = own.y;
    if (!another) return;
    form.edited = true;
    form.replaces.clear();
    if (const auto format = app::export_format_of(form.path)) form.format = *format;
}

} // namespace

namespace {

/// Writes once the disk has said what is there. What would be replaced is asked for first.
void write(Panel& p, ExportForm& form, const ExportTask& task) {
    form.saves = false;
    const PathCheck check = form.watch.check();
    if (check.refuses) return;
    if (!says_format(form.path)) form.path += suffix_of(form, task);
    form.watch.forget();
    if (check.there && form.replaces != form.path) {
        form.replaces = form.path;
        return;
    }
    form.replaces.clear();
    form.written = true;
    form.written_to = form.path;
    form.refused_late = false;
    remember_written(p, form.path);
    p.commands.push_back(task.command());
}

/// What a file is made of, as it is chosen in the card.
struct ExportChoice {
    ExportFormat format;
    std::string path;
    int scale;
    ExportForm::Size size;
    float other_cm, font_points;
    bool crop;
    app::Ground ground;
    app::ExportedHeads heads;
    app::TrainingPart part;
    app::ViewState view;
    bool operator==(const ExportChoice&) const = default;
};

ExportChoice choice_now(const Panel& p, const ExportForm& form) {
    return {form.format, form.path,   form.scale, form.size, form.other_cm, form.font_points,
            form.crop,   form.ground, form.heads, form.part, p.state.view};
}

/// A choice by the mouse takes no keys from the path: what is typed next is meant for it still. Nor
/// does Enter in it, or what is pressed to save a path that is refused, `stays`.
void give_keys_back(Panel& p, ExportForm& form, const ExportChoice& before, bool stays) {
    constexpr const char* kPath = "export/path";
    const bool tabbed = p.ui.keyboard_visible() && p.ui.keyboard_at() != kPath;
    if (p.ui.edits(kPath)) form.types = true;
    if (tabbed || shim::key_pressed(shim::Key::escape)) form.types = false;
    ExportChoice now = choice_now(p, form);
    now.path = before.path; // whose ending may change with the format
    if (stays && form.types && !p.ui.edits(kPath)) return p.ui.focus_end(kPath);
    if (!form.types || p.ui.edits(kPath) || now == before || !ImGui::IsMouseReleased(0)) return;
    if (!form.edited) return p.ui.focus_name(kPath);
    p.ui.focus_at(kPath, says_format(form.path) ? form.path.rfind('.') : form.path.size());
}

constexpr const char* kNothing =
    "There is nothing to export yet: the view says in words what it needs.";

/// What is in the way of the file or was said of the last one or, where there is neither, what is
/// written.
void export_remark(Panel& p, Form& f, const ExportForm& form, bool empty) {
    if (empty) return f.paragraph(kNothing);
    const bool replaces = !form.replaces.empty() && form.replaces == form.path;
    const PathCheck& check = form.watch.check();
    if (form.refused_late && !p.work.notice.text.empty()) return card_remark(p, f, "");
    if (check.refuses) return f.paragraph(check.words);
    if (form.watch.waits()) return f.paragraph("Waiting for the folder to answer \u2026");
    if (replaces || !p.work.notice.text.empty()) {
        return card_remark(p, f, replaces ? form.replaces : "");
    }
    const bool former = app::of_snapshot(p.state.view.view) && p.snapshot().error;
    std::string words;
    if (!check.writes.empty()) { // the end of a long name is what is being typed
        Canvas& c = f.ui.canvas;
        words = "Writes ";
        const float room = f.w - c.width_of(Face::control, words) - 2;
        words += shown_path(c, Face::control, check.writes, room).words;
    }
    f.paragraph((former ? "Of the last sentence that ran. " : "") + words);
}

} // namespace

void export_card(Panel& p, ExportForm& form, const ExportTask& task) {
    constexpr float kCard = 480, kPreview = 380, kLeastPreview = 200, kGap = 24, kAround = 40;
    const bool picture = is_picture(form.format);
    const float aside = std::min(kPreview, p.ui.width() - kAround - kCard - kGap);
    const bool wide = aside >= kLeastPreview;
    const float width = wide ? kCard + aside + kGap : kCard;
    const ExportChoice before = choice_now(p, form);
    const bool refused = form.written && !p.work.saving() && p.work.save_failed(); // by the disk
    if (refused && form.written_to != form.path) form.refused_late = true;
    if (!p.work.saving()) form.written = false;
    modal_card(p.ui, CardId::export_picture, {width, "export/"}, [&](Form& f) {
        const float top = f.y;
        if (wide) f.w -= aside + kGap;
        if (f.opens()) {
            form.replaces.clear();
            form.proposed_for.reset();
            form.watch.forget();
            form.saves = form.types = form.refused_late = false;
            if (form.path.empty() || form.edited_for != task.name) form.edited = false;
        }
        f.title("Export", task.holds);
        if (task.above) task.above(f);
        if (const auto i =
                f.choice("format", labels(),
                         task.suffix.empty() ? 1u << static_cast<unsigned>(form.format) : 0u,
                         task.formats)) {
            choose_format(form, static_cast<ExportFormat>(*i));
        }
        f.tips(format_tips());
        f.space(6);
        // Enter saves where no widget has the keyboard, which would take it.
        const bool at_a_widget = p.ui.keyboard_visible() && !p.ui.keyboard_at().empty();
        const bool anywhere = f.draws() && !f.opens() && !p.ui.typing() && !at_a_widget &&
                              shim::key_pressed(shim::Key::enter, false);
        const bool entered = path_row(p, f, form, task) || anywhere;
        const float kept = format_rows(f, form, task);
        if (task.below) task.below(f);
        f.space(6 + kept);
        const bool empty = has_nothing(p, form, task);
        const float remark = f.y + kept_free(f, 38) + 8; // two lines, said or not
        export_remark(p, f, form, empty);
        f.y = std::max(f.y, remark);
        const bool replaces = !form.replaces.empty() && form.replaces == form.path;
        const PathCheck& check = form.watch.check();
        const bool named = !check.refuses && !empty;
        const EndPlaces ends = end_places(f);
        if (task.aside) task.aside(f, ends.rest, empty ? kNothing : "");
        const bool saves = end_buttons(f, "save", "Close", replaces ? "Replace" : "Save", named,
                                       empty      ? kNothing
                                       : !named   ? check.words
                                       : replaces ? "Writes over the file that is there"
                                                  : "Writes the file (Enter)");
        // What was said is of the file before.
        const bool told = !p.work.notice.text.empty() && !p.work.saving();
        if (f.draws() && told && !form.refused_late && before != choice_now(p, form))
            p.commands.push_back(Say{});
        if ((saves || entered) && named && !form.saves) {
            form.saves = true;
            form.watch.ask_now();
            p.state.dialogs->looks_at_path = true;
        } else if (f.draws() && form.saves && form.watch.settled()) {
            write(p, form, task);
        }
        if (f.draws()) form.edited_for = task.name;
        const bool at_save = ImGui::IsMouseReleased(0) && ends.does.contains(p.ui.mouse());
        const bool stays = entered || refused || (at_save && check.refuses);
        if (f.draws()) give_keys_back(p, form, before, stays);
        const Box beside{f.x + f.w + kGap, top, aside, f.y - top};
        if (form.browses) {
            folders(f, form, wide ? std::optional(beside) : std::nullopt);
        } else if (wide && f.draws() && task.picture && picture) {
            preview(p, beside, form, task);
        } else if (wide) {
            f.text(beside, Face::control, p.ui.theme().muted,
                   picture ? "No preview of this part" : "No preview of numbers", AlignX::centre);
        }
    });
}

} // namespace heed::ui
