// Scores over a text file: measured beside the window, saved as a table, and the sentences that
// show them most.
#include "app/files/open_file.hpp"
#include "app/inside/head_corpus.hpp"
#include "ui/dialogs/file_dialogs.hpp"
#include "ui/frame/choices.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heed::ui {

namespace {

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// "40 s left", "12 min left".
std::string left_words(const std::optional<double>& seconds) {
    if (!seconds) return {};
    if (*seconds < 120) return fmt::format(" · {:.0f} s left", std::ceil(*seconds));
    return fmt::format(" · {:.0f} min left", std::ceil(*seconds / 60));
}

std::string model_name(const Panel& p) {
    const std::string& file = p.document().model_file;
    if (file.empty()) return "untrained";
    std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    return path.filename().string();
}

bool reads_corpora(const models::Model& model) {
    const models::Traits& traits = model.traits();
    return !traits.weights_alone && !traits.reads_pictures && traits.attends();
}

void progress_rows(Panel& p, Form& f, const app::CorpusState& now) {
    p.ui.wake_in(0.1f);
    const auto& [done, all] = now.progress;
    Line line = f.line(24);
    const bool stops = f.aside(line, "stop", "Stop");
    f.tip("Ends the measurement; what was measured before stays");
    if (stops) inside_state(p).corpus.stop();
    f.text(line.rest, Face::small, p.ui.theme().text,
           all == 0 ? "Reading …"
                    : fmt::format("{} of {}{}", done, all, left_words(now.seconds_left)));
    const Box bar = f.row(6, 6);
    p.ui.canvas.fill(bar, p.ui.theme().raised, 3);
    const float share =
        static_cast<float>(done) / static_cast<float>(std::max<std::size_t>(all, 1));
    if (done > 0) {
        p.ui.canvas.fill({bar.x, bar.y, std::max(6.0f, bar.w * share), bar.h}, p.ui.theme().accent,
                         3);
    }
}

void open_line(Panel& p, const app::CorpusFound& found, std::size_t line, std::string_view text) {
    const app::Document read =
        app::document_of_line(p.document(), *found.task.model, text, !found.alignments.empty());
    p.change_text({}, fmt::format("opens line {} of {}", line, file_name(found.task.path)), true,
                  [&](app::Document& d) {
                      d.source = read.source;
                      d.target = read.target;
                      d.decoding = read.decoding;
                      d.inside.token.reset();
                      d.inside.word.reset();
                      d.inside.against.reset();
                      d.inside.other.clear();
                  });
}

/// Sentences in which the focused head does it most.
void top_lines(Panel& p, Form& f, const app::CorpusFound& found, inside::HeadScore score) {
    const auto& corpus = found.measured.corpus;
    const auto head =
        std::ranges::find(corpus.heads, p.snapshot().focus.head, &app::CorpusHead::head);
    const auto& scores = app::corpus_scores();
    const auto column = std::ranges::find(scores, score);
    if (head == corpus.heads.end() || column == scores.end()) return;
    const auto& top = head->top[static_cast<std::size_t>(column - scores.begin())];
    const std::string label(inside::info(score).label);
    f.label(fmt::format("Where {} does it most", short_name(p, head->head)), label,
            "The sentences of the file in which this head has most of the chosen score.");
    if (top.empty()) {
        const bool inducts = score == inside::HeadScore::induction;
        const bool random =
            corpus.sequences > 0 && (inducts || score == inside::HeadScore::copying);
        f.paragraph(!random   ? "No sentence of the file has this score"
                    : inducts ? "Measured on random sequences. The score “What followed” lists sentences"
                              : "Measured on random sequences, which are no sentences of the file");
        return;
    }
    for (const app::TopLine& at : top) {
        const std::string& text = found.lines.at(at.line);
        const Box row = f.row(22);
        const Press press = p.ui.area(row, fmt::format("inside/line/{}", at.line), text,
                                      Widget::Kind::button, false, true);
        f.tip(fmt::format("Line {}: {:.3f}. Click: opens this sentence", at.line, at.value));
        const figure::Theme& t = p.ui.theme();
        if (press.hovered) p.ui.canvas.fill({row.x - 6, row.y, row.w + 12, row.h}, t.raised, 4);
        f.text({row.x, row.y, 44, row.h}, Face::mono, t.muted, fmt::format("{:.2f}", at.value));
        f.text({row.x + 44, row.y, row.w - 44, row.h}, Face::control, t.text, text);
        if (press.clicked) open_line(p, found, at.line, text);
    }
}

void found_rows(Panel& p, Form& f, const app::CorpusFound& found) {
    InsideState& state = inside_state(p);
    static const std::string kLabels[] = {"this sentence", "the file"};
    constexpr bool kAll[] = {false, true};
    f.values("over", kLabels, kAll, state.over_corpus);
    const std::string tips[] = {
        "Scores are those of the sentence at hand.",
        "Scores are means over the lines of the file, ± their standard deviation."};
    f.tips(tips);
    const auto& measured = found.measured;
    f.note(fmt::format("{} lines of {}, {} random sequences", measured.corpus.lines,
                       file_name(found.task.path), measured.corpus.sequences));
    if (!(found.task.document.controls == p.snapshot().run->controls)) {
        f.paragraph(found.task.document.controls == models::Controls()
                        ? "Measured of the model without your changes"
                        : "Measured with other changes of the model than now");
    }
    if (!found.alignments.empty()) {
        f.note(fmt::format("gold alignments: {}", file_name(found.alignments)));
    }
    if (found.gold_error) {
        f.paragraph(fmt::format("The gold alignments beside it were left out: {}",
                                base::describe(*found.gold_error)));
    }
    if (measured.refused > 0) {
        f.paragraph(fmt::format("{} lines cannot be read and were left out; the first: {}",
                                measured.refused, base::describe(*measured.first_refused)));
    }
    if (measured.cut > 0) {
        f.paragraph(
            fmt::format("{} lines are longer than the model reads, and were cut", measured.cut));
    }
    if (state.over_corpus && state.score) top_lines(p, f, found, *state.score);
}

void save_rows(Panel& p, Form& f, const app::CorpusFound& found) {
    InsideState& state = inside_state(p);
    Line line{f.row(34, 4), 8};
    const Box button = line.right(92);
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "heads.csv";
    const auto typed = f.field(line.rest, "save/path", "table", state.save_path, options);
    f.tip("Where the table of all scores goes: means, spreads and exact sums of every head, as "
          "heed heads writes it");
    const bool pressed = f.button(button, "save", "Save CSV");
    f.tip("Writes the table");
    if (pressed || typed.entered) {
        ask_to_write(state.write, state.save_path.empty() ? "heads.csv" : state.save_path);
    }
    const auto may = may_write(state.write, state.replaces);
    if (state.write.there.asks()) p.ui.wake_in(0.02f);
    if (!may) return;
    const std::string& path = state.write.path;
    if (*may) {
        p.commands.push_back(WriteFile{path, app::write_heads_csv(found.measured.corpus)});
    } else {
        p.commands.push_back(
            Say{{path + " is there already: press Save CSV again to replace it", true}});
    }
}

} // namespace

std::shared_ptr<const app::CorpusFound> corpus_of_model(Panel& p) {
    if (!p.state.inside || !p.snapshot().run) return nullptr;
    auto found = p.state.inside->corpus.latest().found;
    return found && found->task.model == p.snapshot().run->model ? found : nullptr;
}

std::shared_ptr<const app::CorpusFound> corpus_shown(Panel& p) {
    return inside_state(p).over_corpus ? corpus_of_model(p) : nullptr;
}

void corpus_section(Panel& p, Form& f) {
    const models::Model& model = *p.snapshot().run->model;
    if (!reads_corpora(model)) return;
    const InsideState& state = inside_state(p);
    const Box head = f.section("Over a text file", 12,
                               "All scores of all heads over the lines of a file, one sentence a "
                               "line.");
    const app::CorpusState now = state.corpus.latest();
    if (!now.measuring) {
        if (f.aside(head, "choose", "Choose …")) open_card(p, CardId::corpus);
        f.tip("Chooses a text file and measures every head over its lines");
    }
    if (now.measuring) progress_rows(p, f, now);
    if (!now.measuring && now.error) {
        f.paragraph(base::describe(*now.error), p.ui.theme().bad);
    }
    const auto found = corpus_of_model(p);
    p.state.view.means = found ? found->means : nullptr;
    if (!found && !now.measuring && !now.error) {
        f.paragraph("Means and spread over many sentences, and those that show a head most");
    }
    if (!found) return;
    found_rows(p, f, *found);
    save_rows(p, f, *found);
}

void corpus_dialog(Panel& p) {
    modal_card(p.ui, CardId::corpus, {600, "corpus/"}, [&](Form& f) {
        InsideState& state = inside_state(p);
        if (f.opens()) {
            if (state.path.empty()) state.path = in_last_folder(p, "");
            forget(state.listed);
            p.ui.focus("corpus/path");
        }
        f.title("Measure heads over a file", "one sentence per line");
        Ui::FieldOptions options;
        options.mono = true;
        options.hint = "path of a text file";
        const auto typed = f.field("path", "path", state.path, options);
        f.tip("The path of a text file with one sentence per line. With a file of gold alignments "
              "beside it (the same name and .align or .talp behind, lines such as 0-0 1-2), its "
              "lines are source, a tab, target.");
        if (auto file = file_list(f, state.listed, state.path, "path")) {
            state.path = *std::move(file);
        }
        f.space(8);
        const bool possible = !state.path.empty() && p.snapshot().run != nullptr;
        const bool pressed = end_buttons(f, "measure", "Cancel", "Measure", possible,
                                         "Runs the model on every line, beside the window");
        if ((!pressed && !typed.entered) || !possible) return;
        remember_folder(p, state.path);
        app::CorpusTask task;
        task.model = p.snapshot().run->model;
        task.model_name = model_name(p);
        task.path = app::whole_path(state.path);
        task.document = p.document();
        task.document.controls = p.snapshot().run->controls;
        state.corpus.measure(std::move(task));
        state.over_corpus = true;
        p.ui.close_popup();
    });
}

} // namespace heed::ui
