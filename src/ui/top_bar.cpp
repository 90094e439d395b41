// Brand, model, sentences, run time, export.
#include "app/names.hpp"
#include "app/speech.hpp"
#include "app/titles.hpp"
#include "ui/actions.hpp"
#include "ui/choices.hpp"
#include "ui/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace heed::ui {

namespace {

using models::Architecture;

std::string shape_words(const models::TransformerConfig& c) {
    std::string layers = c.architecture == Architecture::encoder_decoder
                             ? fmt::format("{}+{}", c.n_encoder_layers, c.n_decoder_layers)
                         : c.architecture == Architecture::encoder_only
                             ? fmt::format("{}", c.n_encoder_layers)
                             : fmt::format("{}", c.n_decoder_layers);
    return fmt::format("{} \u00d7 {} heads \u00b7 {}", layers, c.n_heads, c.d_model);
}

std::string shape_words(const models::RecurrentConfig& c) {
    return fmt::format("{} layer{} \u00b7 {}", c.n_layers, c.n_layers == 1 ? "" : "s",
                       models::attends(c) ? models::name(c.context) : models::name(c.shape));
}

std::string shape_words(const models::ClassifierConfig& c) {
    return fmt::format("{} head{} \u00b7 {}", c.n_heads, c.n_heads == 1 ? "" : "s", c.d_model);
}

/// The configuration that runs: a file's own where one is named.
const models::Config& config_of(const Panel& panel) {
    const auto& run = panel.snapshot().run;
    if (!panel.document().model_file.empty() && run) return run->model->config();
    return panel.document().model;
}

void size_rows(Panel& p, const Box& box, float& y) {
    for (const models::NamedSize& size : models::named_sizes()) {
        const Box row{box.x + 8, y, box.w - 16, 30};
        const bool chosen = has_size(p, size);
        const std::string id = std::string("model/size/") + size.name;
        const Press press = p.ui.area(row, id, size.name, Widget::Kind::choice, chosen, true);
        if (press.hovered || chosen) p.ui.canvas.fill(row, p.ui.theme().raised, 5);
        const Color ink = chosen ? p.ui.theme().accent : p.ui.theme().text;
        p.ui.canvas.text({row.x + 10, row.y, 90, row.h}, Face::body, ink, size.name);
        const std::string shape = fmt::format("{} layers \u00b7 {} heads \u00b7 {} wide",
                                              size.n_layers, size.n_heads, size.d_model);
        p.ui.canvas.text({row.x + 90, row.y, row.w - 100, row.h}, Face::control, p.ui.theme().muted,
                         shape, AlignX::right);
        if (press.clicked) {
            choose_size(p, size);
        }
        y += 32;
    }
}

constexpr const char* kSeed = "Seed of the weights";
constexpr int kMostSeeds = 1'000'000;

/// −1, 0 or 1: which way a number of the model is asked to go.
int number_row(Panel& p, const Box& row, const char* id, const char* label, int value, int low,
               int high) {
    return stepper(
        p.ui, row,
        {std::string("model/") + id, label, fmt::format("{}", value), value > low, value < high});
}

struct Row {
    Panel& p;
    float x, y, w;

    /// A label and choices beside it; the one that was clicked.
    std::optional<int> choice(const char* label, const std::string& id,
                              std::span<const std::string> words, unsigned now) {
        p.ui.canvas.text({x, y, w * 0.36f, 28}, Face::body, p.ui.theme().muted, label);
        const float room = w * 0.64f;
        const auto i = p.ui.segments({x + w - room, y, room, 28}, "model/" + id, words, 1u << now);
        y += 34;
        return i;
    }
};

/// Changes the model of the document, which is of this kind: where it is a file's, the card shows
/// that one, and one of its sizes is drawn instead.
template <class Kind, class Edit>
void change_model(Panel& p, const std::string& what, bool seal, Edit&& edit) {
    p.change(what, seal, [&](app::Document& d) {
        if (!d.model_file.empty()) d.model = config_now(p);
        d.model_file.clear();
        if (auto* model = std::get_if<Kind>(&d.model)) edit(*model);
    });
}

void recurrent_rows(Panel& p, const models::RecurrentConfig& config, float x, float& y, float w) {
    Row row{p, x, y, w};
    const std::string shapes[] = {"N\u2192M", "N\u2192N", "N\u21921", "1\u2192N"};
    if (const auto i = row.choice("Shape", "shape", shapes, static_cast<unsigned>(config.shape))) {
        change_model<models::RecurrentConfig>(p, shapes[*i], true,
                                              [&](auto& m) { m.shape = models::kShapes[*i]; });
        p.state.view.selected.reset();
    }
    p.ui.tip("A sentence to a sentence, to a word at each of its own, to one word; one word to a "
             "sentence");
    const std::string cells[] = {"RNN", "LSTM", "GRU"};
    if (const auto i = row.choice("Cell", "cell", cells, static_cast<unsigned>(config.cell))) {
        change_model<models::RecurrentConfig>(p, cells[*i] + " cells", true,
                                              [&](auto& m) { m.cell = nn::kCells[*i]; });
    }
    if (models::has_encoder(config)) {
        const std::string ways[] = {"one way", "both ways"};
        if (const auto i = row.choice("Encoder reads", "directions", ways, config.bidirectional)) {
            change_model<models::RecurrentConfig>(p, "encoder reads " + ways[*i], true,
                                                  [&](auto& m) { m.bidirectional = *i == 1; });
        }
    }
    if (models::attends(config)) {
        const std::string orders[] = {"Bahdanau", "Luong"};
        if (const auto i =
                row.choice("Decoder step", "order", orders, static_cast<unsigned>(config.order))) {
            change_model<models::RecurrentConfig>(p, orders[*i] + "'s step", true, [&](auto& m) {
                m.order = static_cast<models::StepOrder>(*i);
            });
        }
        p.ui.tip(
            "Bahdanau attends with the state before the update, Luong with the state after it");
        const std::string maps[] = {"states", "one map", "two maps"};
        if (const auto i = row.choice("Keys, values", "projection", maps,
                                      static_cast<unsigned>(config.projection))) {
            change_model<models::RecurrentConfig>(
                p, "keys and values: " + maps[*i], true,
                [&](auto& m) { m.projection = static_cast<models::Projection>(*i); });
        }
        p.ui.tip("The encoder's states themselves, or linear maps of them");
    }
    y = row.y;
    if (const int step = number_row(p, {x, y, w, 30}, "layers", "Layers", config.n_layers, 1, 8)) {
        change_model<models::RecurrentConfig>(p, "number of layers", false,
                                              [&](auto& m) { m.n_layers += step; });
    }
    y += 34;
    if (const int step =
            number_row(p, {x, y, w, 30}, "hidden", "Hidden width", config.hidden, 16, 1024)) {
        change_model<models::RecurrentConfig>(p, "hidden width", false, [&](auto& m) {
            m.hidden = step > 0 ? m.hidden * 2 : std::max(1, m.hidden / 2);
        });
    }
    y += 34;
    const int seed = static_cast<int>(config.seed);
    if (const int step = number_row(p, {x, y, w, 30}, "seed", kSeed, seed, 0, kMostSeeds)) {
        change_model<models::RecurrentConfig>(
            p, "seed", false, [&](auto& m) { m.seed = static_cast<std::uint64_t>(seed + step); });
    }
    y += 40;
}

void file_row(Panel& p, float x, float y, float w) {
    Ui::FieldOptions options;
    options.hint = "or a model file (.safetensors), then Enter";
    const auto file =
        p.ui.field({x, y, w, 32}, "model/file", "model file", p.state.model_file, options);
    if (file.entered && !p.state.model_file.empty()) {
        p.commands.push_back(OpenFile{p.state.model_file});
    }
}

void classifier_rows(Panel& p, const models::ClassifierConfig& config, float x, float& y, float w) {
    Row row{p, x, y, w};
    const std::string pools[] = {"mean", "all, flattened"};
    if (const auto i = row.choice("Reads of tokens", "pooling", pools,
                                  static_cast<unsigned>(config.pooling))) {
        change_model<models::ClassifierConfig>(p, "reads " + pools[*i], true, [&](auto& m) {
            m.pooling = static_cast<models::Pooling>(*i);
        });
    }
    p.ui.tip("What the dense layer is given: the mean of the attended tokens, or all of them");
    y = row.y;
    if (const int step = number_row(p, {x, y, w, 30}, "heads", "Heads", config.n_heads, 1, 64)) {
        change_model<models::ClassifierConfig>(p, "number of heads", false,
                                               [&](auto& m) { m.n_heads += step; });
    }
    y += 34;
    const int seed = static_cast<int>(config.seed);
    if (const int step = number_row(p, {x, y, w, 30}, "seed", kSeed, seed, 0, kMostSeeds)) {
        change_model<models::ClassifierConfig>(
            p, "seed", false, [&](auto& m) { m.seed = static_cast<std::uint64_t>(seed + step); });
    }
    y += 40;
}

void model_card(Panel& p, const Box& anchor) {
    const models::Config& chosen = chosen_config(p);
    const Box box{anchor.x, anchor.y + anchor.h + 6, 340,
                  models::classifier_of(chosen)  ? 230.0f
                  : models::recurrent_of(chosen) ? 390.0f
                                                 : 494.0f};
    if (!p.ui.begin_popup("model", box)) return;
    Canvas& c = p.ui.canvas;
    const float x = box.x + 16, w = box.w - 32;
    float y = box.y + 14;
    const std::string kinds[] = {"Transformer", "Recurrent", "Classifier"};
    if (const auto i = p.ui.segments({x, y, w, 28}, "model/kind", kinds, 1u << chosen.index())) {
        choose_model_kind(p, static_cast<ModelKind>(*i));
    }
    y += 42;
    const auto* recurrent = models::recurrent_of(chosen);
    const auto* classifier = models::classifier_of(chosen);
    if (recurrent) recurrent_rows(p, *recurrent, x, y, w);
    if (classifier) classifier_rows(p, *classifier, x, y, w);
    if (recurrent || classifier) {
        file_row(p, x, y, w);
        p.ui.end_popup();
        return;
    }
    const models::TransformerConfig& config = *models::transformer_of(chosen);
    c.heading({x, y, w, 16}, p.ui.theme().muted, "Size");
    y += 22;
    size_rows(p, box, y);
    y += 8;
    c.heading({x, y, w, 16}, p.ui.theme().muted, "Form");
    y += 22;
    const std::string forms[] = {"encoder-decoder", "encoder", "decoder"};
    if (const auto i = p.ui.segments({x, y, w, 28}, "model/form", forms,
                                     1u << static_cast<unsigned>(config.architecture))) {
        choose_architecture(p, static_cast<Architecture>(*i), forms[static_cast<std::size_t>(*i)]);
    }
    y += 38;
    const std::string units[] = {"ReLU", "GELU"};
    c.text({x, y, 140, 28}, Face::body, p.ui.theme().muted, "Feed-forward");
    if (const auto i = p.ui.segments({x + w - 140, y, 140, 28}, "model/activation", units,
                                     1u << static_cast<unsigned>(config.activation))) {
        change_model<models::TransformerConfig>(
            p, "feed-forward " + units[static_cast<std::size_t>(*i)], true,
            [&](auto& m) { m.activation = static_cast<models::Activation>(*i); });
    }
    y += 36;
    // Any number of heads may be asked for: what does not divide the width is told, not hidden.
    if (const int step = number_row(p, {x, y, w, 30}, "heads", "Heads", config.n_heads, 1, 64)) {
        change_model<models::TransformerConfig>(p, "number of heads", false,
                                                [&](auto& m) { m.n_heads += step; });
    }
    y += 34;
    const int layers = std::max(config.n_encoder_layers, config.n_decoder_layers);
    if (const int step = number_row(p, {x, y, w, 30}, "layers", "Layers", layers, 1, 24)) {
        change_model<models::TransformerConfig>(p, "number of layers", false, [&](auto& m) {
            m.n_encoder_layers = m.n_decoder_layers = layers + step;
        });
    }
    y += 34;
    const int seed = static_cast<int>(config.seed);
    if (const int step = number_row(p, {x, y, w, 30}, "seed", kSeed, seed, 0, kMostSeeds)) {
        change_model<models::TransformerConfig>(
            p, "seed", false, [&](auto& m) { m.seed = static_cast<std::uint64_t>(seed + step); });
    }
    y += 40;
    file_row(p, x, y, w);
    p.ui.end_popup();
}

/// A sentence at rest: its tokens as chips where white space does not show them, else one line.
void resting_sentence(Canvas& c, const std::string& text, const std::vector<text::Token>& tokens,
                      const Box& inside) {
    bool spaced = true;
    for (std::size_t i = 1; i < tokens.size() && spaced; ++i) {
        const bool letters = static_cast<unsigned char>(tokens[i].text[0]) >= 0x80 &&
                             static_cast<unsigned char>(tokens[i - 1].text[0]) >= 0x80;
        spaced = !letters || tokens[i].begin > tokens[i - 1].end;
    }
    const bool of_this_text =
        !tokens.empty() && tokens.back().end <= text.size() &&
        text.compare(tokens[0].begin, tokens[0].text.size(), tokens[0].text) == 0;
    if (spaced || !of_this_text) {
        c.text(inside, Face::field, c.theme().text, text);
        return;
    }
    constexpr float kMore = 16; // for the ellipsis behind the last one that fits
    float x = inside.x - 4;
    for (const text::Token& token : tokens) {
        const float w = c.width_of(Face::body, token.text);
        const float room = inside.x + inside.w - (&token == &tokens.back() ? 0 : kMore);
        if (x + w + 12 > room && &token != &tokens.front()) {
            c.text({x, inside.y, kMore, inside.h}, Face::body, c.theme().muted, "\u2026");
            break;
        }
        c.fill({x, inside.y + 6, w + 12, inside.h - 12}, c.theme().raised, 4);
        c.text({x + 6, inside.y, w + 1, inside.h}, Face::body, c.theme().text, token.text);
        x += w + 18;
    }
}

/// What an empty target invites to: where the model speaks by itself, its words stand there.
std::string target_hint(const Panel& p) {
    const auto& snapshot = p.snapshot();
    const bool fresh = snapshot.run && snapshot.document.target.empty();
    const std::string said =
        fresh ? app::said_line(*snapshot.run, snapshot.document.segmentation) : "";
    return said.empty() ? "Type its translation" : said;
}

void sentence(Panel& p, const Box& box, bool is_source) {
    std::string text = is_source ? p.document().source : p.document().target;
    const auto& snapshot = p.snapshot();
    const bool fresh = snapshot.run && (is_source ? snapshot.document.source == text
                                                  : snapshot.document.target == text);
    static const std::vector<text::Token> none;
    const std::vector<text::Token>& tokens = !fresh      ? none
                                             : is_source ? snapshot.run->input.source
                                                         : snapshot.run->input.target;
    Ui::FieldOptions options;
    options.hint = is_source ? "Type a sentence" : target_hint(p);
    options.resting = [&](const Box& inside) {
        resting_sentence(p.ui.canvas, text, tokens, inside);
    };
    const char* id = is_source ? "source" : "target";
    const auto field = p.ui.field(box, id, id, text, options);
    const std::string tag = is_source ? "source sentence" : "target sentence";
    if (field.changed) {
        p.change_text(tag, false,
                      [&](app::Document& d) { (is_source ? d.source : d.target) = text; });
    }
    if (field.left) p.seal();
}

} // namespace

void top_bar(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    c.fill(box, t.panel);
    c.rule(box.x, box.y + box.h - 1, box.w);
    c.text({box.x + 16, box.y, 48, box.h - 1}, Face::brand, t.accent, "heed");

    const float h = 32, y = box.y + (box.h - 1 - h) / 2;
    // The model.
    const models::Config& config = config_of(p);
    const std::string title = app::model_title(p.document(), config);
    const std::string shape =
        std::visit([](const auto& known) { return shape_words(known); }, config);
    const float title_width = std::min(c.width_of(Face::field, title), 210.0f);
    const bool roomy = box.w >= 1100;
    const float shape_width = roomy ? c.width_of(Face::small, shape) + 8 : 0;
    const Box picker{box.x + 72, y, title_width + shape_width + 44, h};
    const Press press = ui.area(picker, "model", "model", Widget::Kind::button, false, true);
    c.fill(picker, press.hovered ? figure::mixed(t.raised, t.text, 0.05f) : t.raised, 6);
    c.outline(picker, t.border, 6);
    c.text({picker.x + 11, y, title_width + 1, h}, Face::field, t.text, title);
    if (roomy) {
        c.text({picker.x + 11 + title_width + 8, y + 1, shape_width, h}, Face::small, t.muted,
               shape);
    }
    const ImVec2 tick = c.pixels({picker.x + picker.w - 17, y + h / 2 + 1});
    const float s = c.scale();
    c.list().AddTriangleFilled({tick.x - 4 * s, tick.y - 3 * s}, {tick.x + 4 * s, tick.y - 3 * s},
                               {tick.x, tick.y + 3 * s}, packed(t.text));
    if (press.clicked) {
        p.state.model_file = p.document().model_file;
        ui.open_popup("model");
    }
    model_card(p, picker);

    // Right to left: export, run time.
    const Box export_box{box.x + box.w - 16 - 73, y, 73, h};
    if (ui.button(export_box, "export", "Export", Ui::ButtonLook::accent,
                  p.snapshot().run != nullptr)) {
        p.state.open_dialog = "export-dialog";
    }
    ui.tip("Save the picture or its numbers (" + keys_of(ActionGroup::file, "Export \u2026") + ")");
    std::string note = p.state.timings && p.snapshot().run
                           ? fmt::format("{:.1f} ms", p.snapshot().run_milliseconds)
                           : std::string();
    const bool encodes = models::has_encoder(config), decodes = models::has_decoder(config);
    if (p.snapshot().run) {
        const std::size_t read = p.snapshot().run->input.source.size();
        const std::size_t said = p.snapshot().run->trace.target.size();
        const std::string sizes = !decodes   ? fmt::format("{} tokens", read)
                                  : !encodes ? fmt::format("{} tokens", said)
                                             : fmt::format("{} \u2192 {} tokens", read, said);
        note = note.empty() ? sizes : box.w >= 1400 ? note + " \u00b7 " + sizes : note;
    }
    // Room for a few digits more, so that fields do not move with every run.
    const float note_width =
        box.w < 900 ? 0 : std::ceil((c.width_of(Face::mono, note) + 12) / 24) * 24;
    if (note_width > 0) {
        c.text({export_box.x - 12 - note_width, box.y, note_width, box.h - 1}, Face::mono, t.muted,
               note, AlignX::right);
    }

    // The sentences share what is left.
    const float left = picker.x + picker.w + 12;
    const float right = export_box.x - 12 - note_width - (note_width > 0 ? 12 : 0);
    const bool reads = app::reads_source(config);
    const bool both = reads && decodes;
    constexpr float kArrow = 38;
    const float width = both ? (right - left - kArrow) / 2 : right - left;
    if (reads) sentence(p, {left, y, width, h}, true);
    if (both) {
        c.text({left + width, box.y, kArrow, box.h - 1}, Face::field, t.muted, "\u2192",
               AlignX::centre);
    }
    if (decodes) {
        sentence(p, {both ? left + width + kArrow : left, y, width, h}, false);
    }
}

namespace {

enum class Sign { eye, wave, slope, fall };
struct Room {
    const char* id;
    const char* label;
    Sign sign;
    app::View view; // where the room is one view; heatmap stands for all of Explore's
};
constexpr Room kRooms[] = {{"room/explore", "Explore", Sign::eye, app::View::heatmap},
                           {"room/positions", "Positions", Sign::wave, app::View::positions},
                           {"room/softmax", "Softmax", Sign::slope, app::View::softmax},
                           {"room/train", "Train", Sign::fall, app::View::train}};

void draw_sign(Canvas& c, Sign sign, Point at, Color color) {
    const float s = c.scale();
    if (sign == Sign::eye) {
        c.list().AddCircle({at.x * s, at.y * s}, 6.5f * s, packed(color), 0, 1.5f * s);
        c.disc(at, 3.2f, color);
        return;
    }
    // One turn of a sine, the slope of a softmax between two scores, or a loss that falls.
    constexpr int kSteps = 24;
    ImVec2 points[kSteps + 1];
    for (int i = 0; i <= kSteps; ++i) {
        const float t = 2 * static_cast<float>(i) / kSteps - 1;
        const float y = sign == Sign::wave    ? std::sin(3.1416f * t)
                        : sign == Sign::slope ? std::tanh(3 * t)
                                              : 2 * std::exp(-2 * (t + 1)) - 1;
        points[i] = {(at.x + 9 * t) * s, (at.y - 5.5f * y) * s};
    }
    c.list().AddPolyline(points, kSteps + 1, packed(color), 0, 1.5f * s);
}

void room_button(Panel& p, const Box& box, const Room& room) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::View now = p.state.view.view;
    const bool on = room.view == app::View::heatmap ? app::in_explore(now) : now == room.view;
    const Press press = p.ui.area(box, room.id, room.label, Widget::Kind::choice, on, true);
    if (on || press.hovered) c.fill(box, t.raised, 8);
    const Color ink = on ? t.accent : t.muted;
    draw_sign(c, room.sign, {box.x + box.w / 2, box.y + 18}, ink);
    c.text({box.x, box.y + 29, box.w, 16}, Face::small, ink, room.label, AlignX::centre);
    if (press.clicked) choose_room(p, room.view);
}

} // namespace

void rail(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    c.fill(box, t.panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    float y = box.y + 10;
    for (const Room& room : kRooms) {
        room_button(p, {box.x + 6, y, box.w - 13, 50}, room);
        y += 56;
    }

    const Box help{box.x + 6, box.y + box.h - 46, box.w - 13, 36};
    const Press keys = p.ui.area(help, "keys", "Keys", Widget::Kind::button, false, true);
    if (keys.hovered) c.fill(help, t.raised, 8);
    c.text(help, Face::small, t.muted, "? Keys", AlignX::centre);
    if (keys.clicked) p.state.open_dialog = "keys-dialog";
    const Box theme{help.x, help.y - 40, help.w, 36};
    const Press flip =
        p.ui.area(theme, "theme", "Theme", Widget::Kind::toggle, p.state.view.dark, true);
    p.ui.tip(std::string(p.state.view.dark ? "Light" : "Dark") + " colours (" +
             keys_of(ActionGroup::colours, "Dark theme") + ")");
    if (flip.hovered) c.fill(theme, t.raised, 8);
    const Point sun{theme.x + theme.w / 2, theme.y + theme.h / 2};
    c.disc(sun, 6.5f, t.muted);
    c.fill({sun.x, sun.y - 8, 8, 16}, flip.hovered ? t.raised : t.panel);
    c.list().AddCircle({sun.x * c.scale(), sun.y * c.scale()}, 6.5f * c.scale(), packed(t.muted), 0,
                       1.5f * c.scale());
    if (flip.clicked) p.state.view.dark = !p.state.view.dark;
}

} // namespace heed::ui
