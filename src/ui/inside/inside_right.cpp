#include "app/document/changes.hpp"
#include "app/engine/continuation.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/reading.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "lab/number_words.hpp"
#include "ui/explore/changes_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/stage/inside_pointing.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <vector>

namespace heed::ui {

namespace {

constexpr float kInsidePad = 14, kWordRow = 24, kWordShare = 0.36f;

/// Rows of a run before the newest state step back.
void steps_back(Panel& p, Form& f, const std::function<void()>& section) {
    const float top = f.y;
    section();
    step_back(p, f.since(top), p.ui.theme().panel);
}

std::string word_of(const Panel& p, num::Index row) {
    return app::inside_word(*p.snapshot().run->model, row);
}

std::string percent_of(float probability) {
    return figure::probability_text(static_cast<double>(probability));
}

/// The first word by a click, the second with Shift; the second again: none.
void choose_asked_word(Panel& p, const app::InsidePicture& now, int word) {
    const std::string name = word_of(p, word);
    if (shim::shift_down()) {
        const bool again = p.document().inside.against == word || word == now.question.word;
        return ask(
            p, again ? "asks against no word" : "asks against " + name,
            [&](app::InsideFocus& asked) { asked.against = again ? std::optional<int>() : word; });
    }
    ask(p, "asks about " + name, [&](app::InsideFocus& asked) {
        asked.word = word;
        if (asked.against == word) asked.against.reset();
    });
}

/// As in Explore: of all, behind the word.
void probability_bar(Ui& ui, const Box& row, float probability, Color color) {
    constexpr float kNumber = 60;
    if (probability < figure::kLeastBar) return;
    const float words = kWordShare * row.w, room = row.w - words - kNumber - 16;
    ui.canvas.fill({row.x + words + 8, row.y + 8, std::max(1.5f, room * probability), 8}, color, 2);
}

void word_row(Panel& p, Form& f, const app::InsidePicture& now, const inside::LensWord& word) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(kWordRow);
    const std::string name = app::candidate_name(*p.snapshot().run->model, word.word);
    const bool first = word.word == now.question.word, second = word.word == now.question.against;
    const Color ink = first ? t.accent : second ? t.series[1] : t.text;
    const Press press =
        p.ui.area(row, fmt::format("inside/word/{}", word.word), name, Widget::Kind::choice, first);
    if (press.hovered) c.fill(row, t.raised, 4);
    c.text({row.x, row.y, kWordShare * row.w, row.h}, Face::control, ink, name);
    probability_bar(p.ui, row, word.probability, second ? t.series[1] : t.accent);
    const std::string percent = percent_of(word.probability);
    c.text(row, Face::mono, t.muted, percent, AlignX::right);
    f.tip(fmt::format("{}: its probability is {}. Click: ask about it. Shift+click: compare "
                      "what is asked about with it{}",
                      name, percent, continues_tip(*p.snapshot().run->model, word.word)));
    if (press.clicked) choose_asked_word(p, now, static_cast<int>(word.word));
}

/// "word", "class": one of what may be said.
std::string unit_said(const Panel& p, const app::InsidePicture& now) {
    const models::Run& run = *p.snapshot().run;
    const bool named = now.readout.classes || run.model->words() || run.model->text_to_ids();
    return named ? app::unit_said(run) : "row of the vocabulary";
}

/// All that is not listed, where anything is.
void others_row(Panel& p, Form& f, const app::InsidePicture& now, float listed) {
    const models::Run& run = *p.snapshot().run;
    const auto& said = p.snapshot().prediction;
    const auto all = said ? said->probabilities.size() : run.model->vocabulary_size();
    if (std::ssize(now.likeliest) >= all) return;
    const Box row = f.row(kWordRow);
    const float rest = std::max(1 - listed, 1e-9f);
    f.text(row, Face::control, p.ui.theme().text, app::others_of(run));
    probability_bar(p.ui, row, rest, faded(p.ui.theme().muted, 0.45f));
    f.text(row, Face::mono, p.ui.theme().muted, percent_of(rest), AlignX::right);
}

/// The entropy of what may be said, in bits.
void entropy_row(Panel& p, Form& f, float bits) {
    const Box row = f.row(18);
    p.ui.area(row, "inside/entropy", "entropy");
    f.tip(field_word_tip(FieldWord::entropy) + "\nHere of what the model may say.");
    f.text(row, Face::small, p.ui.theme().muted,
           fmt::format("entropy {} bits", lab::fixed_text(static_cast<double>(bits), 2)));
}

void said_words(Panel& p, Form& f, const app::InsidePicture& now) {
    f.heading(app::said_heading(*p.snapshot().run, unit_said(p, now)),
              "What the model may say at the chosen token, the most probable first.");
    constexpr float kHardly = 1e-4f; // below it more than a few are no news
    constexpr int kAlways = 3;
    float listed = 0;
    for (int rows = 0; const inside::LensWord& word : now.likeliest) {
        if (rows++ >= kAlways && word.probability < kHardly) break;
        word_row(p, f, now, word);
        listed += word.probability;
    }
    others_row(p, f, now, listed);
    entropy_row(p, f, now.entropy_bits);
}

/// The row that is chosen in Explore, where the answer is of another token of the same stack.
std::optional<int> chosen_elsewhere(const Panel& p, const app::InsidePicture& now) {
    const app::Snapshot& s = p.snapshot();
    const auto& chosen = p.state.view.selected;
    if (!chosen || now.readout.classes || chosen->first == now.question.token) return {};
    const trace::AttentionKind kind = s.focus.head.kind, stack = now.readout.stack;
    const bool of_stack = kind == stack || (kind == trace::AttentionKind::cross &&
                                            stack == trace::AttentionKind::decoder_self);
    if (!of_stack || chosen->first >= inside::askable_tokens(*s.run, now.readout)) return {};
    return chosen->first;
}

void chosen_row(Panel& p, Form& f, int row) {
    Line line{f.row(24)};
    if (f.aside(line, "chosen", "Ask about it")) ask_at(p, row);
    f.tip("Asks about the most probable word of the row that is chosen in Explore");
    f.text(line.rest, Face::small, p.ui.theme().muted,
           "Chosen in Explore: " + app::quoted_token(app::row_tokens(p.snapshot()), row));
}

void answer_section(Panel& p, Form& f, const app::InsidePicture& now) {
    const Box head =
        f.section("Answer", 12,
                  field_word_tip(FieldWord::logit) +
                      "\nHere of what is asked about, less that of what it is compared with.");
    const app::InsideFocus& asked = p.document().inside;
    if (asked.word || asked.against || asked.token) {
        if (f.aside(head, "reset", "Reset")) {
            ask(p, "asks about the likeliest word", [](app::InsideFocus& reset) {
                reset.word.reset();
                reset.against.reset();
                reset.token.reset();
            });
        }
        f.tip("Asks about the most probable word at the last token again");
    }
    std::string words = word_of(p, now.question.word);
    if (now.question.against) words += " against " + word_of(p, *now.question.against);
    const figure::Theme& t = p.ui.theme();
    steps_back(p, f, [&] { f.text(f.row(20, 2), Face::control, t.text, words); });
    f.paragraph(
        fmt::format("Click a {0} to ask about it. Shift+click another to compare it with that {0}.",
                    unit_said(p, now)));
    if (const auto row = chosen_elsewhere(p, now)) chosen_row(p, f, *row);
}

/// The sentence itself: a person's own, or the one that was made of theirs.
void other_field(Panel& p, Form& f, const app::InsidePicture& now) {
    std::string text = p.document().inside.other;
    Ui::FieldOptions options;
    options.hint = "another sentence";
    options.rests_empty = !now.other_text.empty();
    if (text.empty() && options.rests_empty) { // the made one, by what differs
        options.resting = [&](const Box& inside) {
            p.ui.canvas.text(inside, Face::control, p.ui.theme().muted,
                             app::other_words(p.snapshot()));
        };
    }
    const auto typed = f.field("other", "Other sentence", text, options);
    f.tip(fmt::format("Another sentence of as many tokens as yours; empty: one is made, a {} of "
                      "yours changed for its nearest neighbour in the embedding",
                      app::unit_of(*p.snapshot().run)));
    if (typed.changed) {
        p.change({app::UndoTag::Of::other_sentence}, "other sentence", false,
                 [&](app::Document& d) { d.inside.other = text; });
    }
    if (typed.left) p.seal();
}

/// Layers that a path lies between.
void path_rows(Panel& p, Form& f, const app::InsidePicture& now) {
    const int layers = p.snapshot().run->model->traits().layers(now.patched_stack);
    const int from = now.asked_paths.from, to = now.asked_paths.to;
    const int by_from = f.stepper("From heads of layer", "from", fmt::format("{}", from + 1),
                                  from > 0, from + 1 < to);
    f.tip("The layer whose heads speak as in your sentence");
    const int by_to = f.stepper("to heads of layer", "to", fmt::format("{}", to + 1), to > from + 1,
                                to + 1 < layers);
    f.tip("The later layer whose heads alone hear that");
    if (by_from == 0 && by_to == 0) return;
    ask(p, fmt::format("paths from layer {} to {}", from + by_from + 1, to + by_to + 1),
        [&](app::InsideFocus& asked) {
            asked.from = from + by_from;
            asked.to = to + by_to;
        });
}

void other_section(Panel& p, Form& f, const app::InsidePicture& now) {
    const std::string unit = app::unit_of(*p.snapshot().run);
    const Box head = f.section("Other sentence", 12,
                               fmt::format("A sentence of as many tokens, one {} apart. "
                                           "Activations of your sentence are put into its run.",
                                           unit));
    if (!now.made_other()) {
        if (f.aside(head, "make", "Make one")) {
            ask(p, "other sentence made", [](app::InsideFocus& asked) { asked.other.clear(); });
        }
        f.tip(fmt::format("Makes one of your sentence, one {} changed for its nearest neighbour "
                          "in the embedding",
                          unit));
    }
    other_field(p, f, now);
    static const std::string kLabels[] = {"stream", "heads", "paths"};
    constexpr app::PatchBy kAll[] = {app::PatchBy::stream, app::PatchBy::heads,
                                     app::PatchBy::paths};
    app::PatchBy by = now.patch;
    const auto& run = p.snapshot().run;
    const bool stream = run && inside::has_residual(*run);
    const bool paths = run && run->trace.n_layers(p.focus().head.kind) > 1;
    if (f.values("patch", kLabels, kAll, by, (stream ? 1u : 0u) | 2u | (paths ? 4u : 0u))) {
        ask(p, fmt::format("patches {}", app::name_of(by)),
            [&](app::InsideFocus& asked) { asked.patch = by; });
    }
    f.tips(tips_of(kAll));
    if (by == app::PatchBy::paths && now.other) path_rows(p, f, now);
    f.space(4);
    if (now.other_error) {
        f.paragraph(app::inside_refusal(*now.other_error), p.ui.theme().bad);
        return;
    }
    if (now.made_other() && now.other) {
        f.paragraph(fmt::format("Made from yours with one {} changed. Type another over it.",
                                app::unit_of(*p.snapshot().run)));
    }
    if (!now.patched.empty() || now.paths) {
        f.paragraph(fmt::format("It answers “{}” ({})", word_of(p, now.corrupted.says),
                                percent_of(now.corrupted.says_probability)));
    }
    if (now.other && now.patch == app::PatchBy::stream && now.accounts_error) {
        std::string why = app::inside_refusal(*now.accounts_error);
        why[0] = static_cast<char>(std::tolower(why[0]));
        f.paragraph("No row of attention \u00d7 gradient: " + why, p.ui.theme().muted);
    }
    if (!app::answers_alike(now)) return;
    const char* alike =
        now.made_other() ? "No other word that was tried changes the answer" : "So does yours";
    f.paragraph(fmt::format("{}: the shares are of its logit's change, {}.", alike,
                            app::logit_change(now)));
}

void instead_section(Panel& p, Form& f, const app::InsidePicture& now) {
    using inside::Instead;
    const auto* following = app::following_of(p.snapshot());
    if (now.parts == 0 && !following) return; // of a recurrent model
    f.section(now.readout.recurrent ? "Without attention" : "Without a part", 12,
              now.readout.recurrent
                  ? "What the model says without its attention."
                  : "What takes the place of a head's or feed-forward's output at every token.");
    const auto text_that_follows = [&] { following_rows(p, f, *following); };
    if (now.parts == 0) return steps_back(p, f, text_that_follows);
    static const std::string kLabels[] = {"mean", "zero", "other"};
    constexpr Instead kAll[] = {Instead::mean, Instead::zero, Instead::other};
    Instead instead = now.instead();
    std::uint32_t enabled = now.other ? 7u : 3u;
    if (now.mean_changes_nothing) enabled &= ~1u;
    if (f.values("instead", kLabels, kAll, instead, enabled)) {
        ask(p, fmt::format("without a part: {}", app::name_of(instead)),
            [&](app::InsideFocus& asked) { asked.instead = instead; });
    }
    std::vector<std::string> tips = tips_of(kAll);
    if (now.mean_changes_nothing) tips.front() += "\nNot here: it would leave the answer as it is";
    f.tips(tips);
    const std::size_t done = now.without.size() + now.patched.size() + now.lens_measured;
    const std::size_t all = now.parts + now.patches.size() +
                            static_cast<std::size_t>(now.readout.layers * now.lens_tokens);
    const auto& error = p.snapshot().error;
    const bool lacks_text = error && (error->subject == "source" || error->subject == "target");
    if (lacks_text) {
        f.note("Type a sentence: without one nothing is measured");
    } else if (!now.complete() || !now.lens_complete()) {
        f.note(fmt::format("{} of {} measured", done, all));
    }
    if (following) steps_back(p, f, text_that_follows);
}

/// Of a model that lacks cards: where they are.
void transformer_row(Panel& p, Form& f) {
    std::string path;
    for (const std::string& name : app::shipped_models()) {
        if (path.empty() && name.ends_with("-transformer")) path = app::shipped_model(name);
    }
    if (path.empty()) return;
    if (f.button(f.line(28, 4).rest, "transformer", "Open a transformer")) {
        p.commands.push_back(OpenFile{path});
    }
    f.tip(fmt::format("Opens {}, a transformer, which has every card of this room",
                      app::file_title(path).task));
    f.space(8);
}

/// What is changed of the model that is measured; nothing of one as it was trained.
void changed_section(Panel& p, Form& f) {
    if (app::changes(p.document(), traits_now(p).is_stepwise()).empty()) return;
    changes_section(p, f);
    if (!app::changes_of_model(*p.snapshot().run).empty()) {
        f.note("All numbers here are of the model as changed");
    }
    f.space(14);
}

/// Cards that the room shows.
void cards_rows(Panel& p, Form& f) {
    static const std::string kLabels[] = {"parts", "tokens"};
    constexpr app::InsideCards kAll[] = {app::InsideCards::parts, app::InsideCards::tokens};
    app::InsideCards& now = p.state.view.inside_cards;
    if (const auto i = f.choice("Cards", "cards", kLabels, now == kAll[0] ? 1u : 2u)) {
        if (std::exchange(now, kAll[*i]) != kAll[*i]) p.state.stage->scroll = {};
    }
    f.tip("Which four cards stand in the middle.");
    f.tips(tips_of(kAll));
    f.space(8);
}

/// The four lines of tinted text, each with the token that it puts first.
void accounts_section(Panel& p, Form& f, const app::InsidePicture& now) {
    f.section("Attributions", 12,
              "Which tokens are behind the word: two attributions by gradients and two by attention "
              "alone.");
    const figure::Theme& t = p.ui.theme();
    for (const inside::TokenMethodInfo& info : inside::kTokenMethods) {
        const auto* account = now.accounts.find(info.method);
        std::string words = account ? app::top_token_words(p.snapshot(), info.method)
                                    : "measuring …";
        if (!account && now.accounts_error)
            words =
                now.accounts_error->subject == "run" ? "not of a changed run" : "not of this model";
        if (now.accounts.left_out(info.method)) words = "too long a sentence";
        const auto told = inside::words_of(info, *p.snapshot().run, now.question);
        f.label(info.label, words, tip_words(told.tip, told.formula, info.citation));
    }
    if (now.accounts_error) {
        f.paragraph(app::inside_refusal(*now.accounts_error), t.muted);
    } else if (now.readout.stack == trace::AttentionKind::decoder_self &&
               now.question.token + 1 < std::ssize(p.snapshot().run->trace.target)) {
        f.note("Grey: later tokens, which it does not see");
    }
}

/// The head whose weights they are; their numbers are in the picture.
void weights_section(Panel& p, Form& f) {
    f.section("Other weights", 12,
              "Is attention an explanation? Weights of this head as far from its own as can be "
              "found, under which the model answers the same.\nJensen–Shannon divergence: ½ KL(a ‖ "
              "m) + ½ KL(b ‖ m), m = ½ (a + b)\nTotal variation: ½ Σ |a − b|\nJain and Wallace "
              "2019, section 4.2");
    const auto asked = app::asked_row(p.snapshot());
    if (!asked) return f.paragraph("Choose a head below");
    f.label("Head", short_name(p, asked->head), "Of this head. Choose another one below.");
    const app::OtherRow* row = app::other_row_of(p.snapshot());
    if (!row) return f.note(app::not_yet_words(p.snapshot()));
    if (row->error) return f.paragraph(app::inside_refusal(*row->error));
    f.paragraph("Their distance and the change of the answer stand beside the picture.");
}

void seen_section(Panel& p, Form& f) {
    const std::string words = app::inside_reading(p.snapshot(), p.state.view);
    if (words.empty()) return;
    f.section("What is seen", 12, "Numbers of the pictures, in words.");
    f.paragraph(words, p.ui.theme().text);
    const std::string papers = app::inside_citations(p.snapshot());
    if (!papers.empty()) f.paragraph(papers);
}

} // namespace

void inside_right(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Scroll& scroll = inside_state(p).scroll;
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x, box.y, box.h);
    ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "inside", scroll);
    Form f(ui, box.x + kInsidePad + 1, box.y + kInsidePad - scroll.offset,
           box.w - 2 * kInsidePad - 1, "inside/");
    const auto& now = p.snapshot().inside;
    const bool measured = p.snapshot().run && now;
    if (measured && !now->error && !now->readout.recurrent) cards_rows(p, f);
    if (measured) changed_section(p, f);
    if (!measured) {
        f.paragraph(app::not_yet_words(p.snapshot()));
    } else if (now->error) {
        transformer_row(p, f);
        heads_section(p, f); // what they do can be told of any model that attends
        corpus_section(p, f);
    } else {
        if (now->readout.recurrent) transformer_row(p, f);
        const bool tokens =
            p.state.view.inside_cards == app::InsideCards::tokens && !now->readout.recurrent;
        steps_back(p, f, [&] { said_words(p, f, *now); });
        if (!tokens) steps_back(p, f, [&] { seen_section(p, f); });
        answer_section(p, f, *now);
        if (tokens) {
            accounts_section(p, f, *now);
            weights_section(p, f);
        } else {
            const bool other = now->parts > 0 && !p.snapshot().run->model->traits().reads_pictures;
            if (other) other_section(p, f, *now);
            instead_section(p, f, *now);
        }
        heads_section(p, f);
        corpus_section(p, f);
        steps_back(p, f, [&] { norms_section(p, f, *now); });
    }
    f.space(16);
    ui.end_scroll(f.y + scroll.offset);
}

} // namespace heed::ui
