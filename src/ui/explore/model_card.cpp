#include "ui/explore/model_card.hpp"

#include "app/document/names.hpp"
#include "app/views/titles.hpp"
#include "models/model/titles.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/gallery.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

namespace heed::ui {

namespace {

constexpr std::string_view kUntrained = "untrained";

using app::UndoTag;
using models::Architecture;

std::string size_words(int layers, int heads, int width) {
    return fmt::format("{} layer{} \u00b7 {} head{} \u00b7 width {}", layers,
                       layers == 1 ? "" : "s", heads, heads == 1 ? "" : "s", width);
}

/// The settings of the open model, if it is drawn from a seed; beside one from a file those of a
/// new one like it. None where that reads pictures or ids, which no drawn model does.
std::optional<models::Config> open_form(const Panel& p) {
    return p.document().model_file.empty() ? std::optional(p.document().model) : form_of_file(p);
}

std::optional<models::Config> shown_form(const Panel& p) {
    const auto& form = p.state.explore->models.form;
    return form ? form : open_form(p);
}

/// True where the settings are the open model's own, which every change of them draws anew.
bool shows_open_model(const Panel& p) {
    return p.document().model_file.empty() && !p.state.explore->models.form;
}

/// Changes the settings that are shown, which are of this kind. True where they are the open
/// model's own: then it is another one now.
template <class Kind, class Edit>
bool change_model(Panel& p, UndoTag::Of of, const std::string& what, Edit&& edit) {
    const auto edit_config = [&](models::Config& config) {
        if (auto* model = std::get_if<Kind>(&config)) edit(*model);
    };
    if (shows_open_model(p)) {
        p.change({of}, what, of == UndoTag::Of::choice,
                 [&](app::Document& d) { edit_config(d.model); });
        return true;
    }
    auto form = shown_form(p);
    if (form) edit_config(*form);
    p.state.explore->models.form = form;
    return false;
}

/// Below the sizes that have a name the one that has none; its row is always there, as rows below
/// are clicked again and again.
void own_size_row(Form& f, const models::ModelSpec& config, bool lit) {
    const auto named = [&](const auto& size) { return models::has_size(config, size); };
    if (std::ranges::any_of(models::named_sizes(), named)) {
        f.text(f.row(Form::Entry{}.height), Face::small, f.ui.theme().muted,
               "or a custom one, by the numbers below");
        f.space(2);
        return;
    }
    f.entry("size/own",
            {.label = "custom",
             .detail = size_words(std::max(config.n_encoder_layers, config.n_decoder_layers),
                                  config.n_heads, config.d_model),
             .on = lit,
             .outdent = 8});
    f.tip("The size that the numbers below make, which has no name");
    f.space(2);
}

void width_rows(Form& f, const models::ModelSpec& config) {
    const std::string by_size = "\nSet by the size, above";
    f.label("Width", fmt::format("{}", config.d_model),
            field_word_tip(FieldWord::d_model) + by_size);
    f.label("Feed-forward width", fmt::format("{}", config.d_ff),
            field_word_tip(FieldWord::feed_forward) +
                "\nd_ff: how many numbers lie between the two maps" + by_size);
    f.space(4);
}

void size_rows(Panel& p, Form& f, const models::ModelSpec& config) {
    // Beside a model from a file nothing is chosen before something is set.
    const bool lit = p.document().model_file.empty() || p.state.explore->models.form;
    int index = 0;
    for (const models::NamedSize& size : models::named_sizes()) {
        if (f.entry(fmt::format("size/{}", index++),
                    {.label = size.name,
                     .detail = size_words(size.n_layers, size.n_heads, size.d_model),
                     .on = lit && models::has_size(config, size),
                     .outdent = 8})) {
            change_model<models::ModelSpec>(p, UndoTag::Of::choice,
                                            fmt::format("model {}", size.name),
                                            [&](auto& m) { m = resized(m, size); });
        }
        f.tip(fmt::format("An untrained transformer with {} layers a side, each with {} "
                          "heads. base is the size of Vaswani et al. 2017.",
                          size.n_layers, size.n_heads));
        f.space(2);
    }
    own_size_row(f, config, lit);
}

/// A label and the choices of one field; `words` of the choice names the change.
template <class Kind, class E, std::size_t N>
void choice_row(Panel& p, Form& f, const char* label, const char* id,
                const std::string (&choices)[N], E Kind::*field, const Kind& now,
                const std::string& before, const std::string& after = "") {
    const auto i = f.choice(label, id, choices, 1u << static_cast<unsigned>(now.*field));
    if (!i) return;
    change_model<Kind>(p, UndoTag::Of::choice, before + choices[*i] + after,
                       [&](auto& m) { m.*field = static_cast<E>(*i); });
}

/// A number of the model, one more or less at a time.
template <class Kind, class Number>
void number_row(Panel& p, Form& f, const char* label, const char* id, Number Kind::*field,
                const Kind& now, int low, int high, UndoTag::Of of, const char* what,
                const char* tip) {
    const int value = static_cast<int>(now.*field);
    const int by = f.stepper(label, id, fmt::format("{}", value), value > low, value < high);
    f.tip(tip);
    f.space(4);
    if (by == 0) return;
    change_model<Kind>(p, of, what, [&](auto& m) { m.*field = static_cast<Number>(value + by); });
}

template <class Kind> void seed_row(Panel& p, Form& f, const Kind& config) {
    number_row(p, f, "Random seed", "seed", &Kind::seed, config, 0, 1'000'000, UndoTag::Of::seed,
               "seed",
               "The number that the random weights are drawn from: the same seed gives the "
               "same model.");
}

void kind_rows(Panel& p, Form& f, const models::RecurrentConfig& config) {
    using Config = models::RecurrentConfig;
    const std::string shapes[] = {"N\u2192M", "N\u2192N", "N\u21921", "1\u2192N"};
    const auto i = f.choice("Shape", "shape", shapes, 1u << static_cast<unsigned>(config.shape));
    if (i && change_model<Config>(p, UndoTag::Of::choice, shapes[*i],
                                  [&](auto& m) { m.shape = models::kShapes[*i]; })) {
        p.state.view.selected.reset();
    }
    f.tip("A sentence to a sentence, to a word at each of its own, to one word; one word to a "
          "sentence");
    const std::string cells[] = {"RNN", "LSTM", "GRU"};
    choice_row(p, f, "Cell", "cell", cells, &Config::cell, config, "", " cells");
    f.tip("How a state is made of the former one and a word: LSTM and GRU have gates that keep or "
          "drop what they remember.\nHochreiter and Schmidhuber 1997; Cho et al. 2014");
    if (models::has_encoder(config)) {
        const std::string ways[] = {"unidirectional", "bidirectional"};
        choice_row(p, f, "Encoder reads", "directions", ways, &Config::bidirectional, config,
                   "encoder reads ");
        f.tip("Forwards alone, or backwards too: then each state knows the whole sentence.\n"
              "Schuster and Paliwal 1997");
    }
    if (models::attends(config)) {
        const std::string orders[] = {"Bahdanau", "Luong"};
        choice_row(p, f, "Decoder step", "order", orders, &Config::order, config, "", "'s step");
        f.tip("Bahdanau attends with the state before the update, Luong with the state after it");
        const std::string maps[] = {"states", "shared", "two"};
        choice_row(p, f, "Key, value maps", "projection", maps, &Config::projection, config,
                   "keys and values: ");
        f.tip(
            "Keys and values are the encoder's states themselves, one linear map of them that both "
            "share, or a map each.");
    }
    number_row(p, f, "Layers", "layers", &Config::n_layers, config, 1, 8, UndoTag::Of::n_layers,
               "number of layers",
               "Recurrent layers above each other, in the encoder and in the "
               "decoder.");
    const int by = f.stepper("Hidden width", "hidden", fmt::format("{}", config.hidden),
                             config.hidden > 16, config.hidden < 1024);
    f.tip("How many numbers a state has.");
    if (by != 0) {
        change_model<Config>(p, UndoTag::Of::hidden, "hidden width", [&](auto& m) {
            m.hidden = by > 0 ? m.hidden * 2 : std::max(1, m.hidden / 2);
        });
    }
    f.space(4);
    seed_row(p, f, config);
}

/// The number of heads, of those that share the width evenly the next one.
void heads_row(Panel& p, Form& f, const models::ModelSpec& config) {
    constexpr int kMost = 64;
    const auto next = [&](int by) {
        int heads = config.n_heads + by;
        while (heads > 0 && heads <= kMost && config.d_model % heads != 0) heads += by;
        return heads <= kMost ? heads : 0;
    };
    const int fewer = next(-1), more = next(1);
    const int by =
        f.stepper("Heads", "heads", fmt::format("{}", config.n_heads), fewer > 0, more > 0);
    f.tip("How many attentions a layer runs side by side, each over its own part of the width, "
          "which they share evenly.\nVaswani et al. 2017, section 3.2.2");
    f.space(4);
    if (by == 0) return;
    change_model<models::ModelSpec>(p, UndoTag::Of::n_heads, "number of heads",
                                    [&](auto& m) { m.n_heads = by > 0 ? more : fewer; });
}

void classifier_rows(Panel& p, Form& f, const models::ModelSpec& config) {
    using Config = models::ModelSpec;
    const std::string pools[] = {"mean", "flatten"};
    choice_row(p, f, "Pooling", "pooling", pools, &Config::pooling, config, "pooling ");
    f.tip("What the dense layer is given: the mean of the attended tokens, or all of them");
    heads_row(p, f, config);
    f.label("Width", fmt::format("{}", config.d_model), "How many numbers a token is, d_model");
    f.space(4);
    seed_row(p, f, config);
}

void transformer_rows(Panel& p, Form& f, const models::ModelSpec& config) {
    using Config = models::ModelSpec;
    f.heading("Size", "Layers, heads and width of an untrained transformer.");
    size_rows(p, f, config);
    f.space(6);
    f.heading("Form", "Which of the two stacks the transformer has.");
    const std::string forms[] = {"encoder-decoder", "encoder", "decoder"};
    if (const auto i = f.choice("form", forms, 1u << static_cast<unsigned>(config.architecture))) {
        change_model<Config>(p, UndoTag::Of::choice, forms[*i] + " model",
                             [&](auto& m) { m.architecture = static_cast<Architecture>(*i); });
    }
    const std::string each[] = {architecture_tip(Architecture::encoder_decoder),
                                architecture_tip(Architecture::encoder_only),
                                architecture_tip(Architecture::decoder_only)};
    f.tips(each);
    f.space(4);
    const std::string units[] = {"ReLU", "GELU"};
    choice_row(p, f, "Feed-forward", "activation", units, &Config::activation, config,
               "feed-forward ");
    f.tip("What the feed-forward network does to a number between its two linear maps.");
    heads_row(p, f, config);
    const int layers = std::max(config.n_encoder_layers, config.n_decoder_layers);
    const int by =
        f.stepper("Layers", "layers", fmt::format("{}", layers), layers > 1, layers < 24);
    f.tip("Layers of each stack. " + field_word_tip(FieldWord::layer));
    if (by != 0) {
        change_model<Config>(p, UndoTag::Of::n_layers, "number of layers", [&](auto& m) {
            m.n_encoder_layers = m.n_decoder_layers = layers + by;
        });
    }
    f.space(4);
    width_rows(f, config);
    seed_row(p, f, config);
}

void kind_rows(Panel& p, Form& f, const models::ModelSpec& config) {
    if (is_classifier(config)) return classifier_rows(p, f, config);
    transformer_rows(p, f, config);
}

void kind_rows(Panel&, Form&, const models::StoredConfig&) {}

/// Shows the settings of this kind: those of the open model or like it, else the usual ones. What
/// was set in those that are shown already stays.
void look_at_kind(Panel& p, const DrawnKind& kind) {
    auto& form = p.state.explore->models.form;
    const auto fits = [&](const std::optional<models::Config>& config) {
        return config && kind.fits(models::traits(*config));
    };
    const bool drawn = p.document().model_file.empty();
    if (fits(open_form(p)) && (drawn || !fits(form))) return form.reset();
    if (!fits(form)) form = kind.forms.front().make();
}

/// Above the settings: the button that makes a model of them, or that they are the open one's. Of
/// one height, as rows below stay where they are.
void make_row(Panel& p, Form& f, const DrawnKind& kind, const models::Config& config) {
    const Box row = f.row(30, 12);
    auto& form = p.state.explore->models.form;
    if (shows_open_model(p)) {
        return f.text(row, Face::small, f.ui.theme().muted,
                      "Settings of the open model: a change acts at once");
    }
    const auto look = form ? Ui::ButtonLook::accent : Ui::ButtonLook::plain; // once it is set up
    if (f.button(row, "make", "Make a model with the settings below", look)) {
        draw_model(p, kind.words, config);
        form.reset(); // they are the open model's now
    }
    f.tip("Draws an untrained model with the settings below, in the place of the one that is open. "
          "Undo brings that back.");
}

/// The kinds of models that are drawn from a seed, and the settings of the open one or of a new
/// one.
void untrained_models(Panel& p, Form& f) {
    f.heading("Untrained: random weights",
              "Models drawn from a seed: they show how attention is computed, not what training "
              "makes of it.");
    const auto form = shown_form(p);
    const DrawnKind* shown = nullptr;
    std::vector<std::string> labels, tips;
    std::uint32_t on = 0;
    for (const DrawnKind& kind : drawn_kinds()) {
        if (form && kind.fits(models::traits(*form))) {
            on |= 1u << labels.size();
            shown = &kind;
        }
        labels.emplace_back(kind.label);
        tips.emplace_back(kind.tip);
    }
    if (const auto i = f.choice("kind", labels, on)) look_at_kind(p, drawn_kinds()[*i]);
    f.tips(tips);
    f.space(8);
    if (!shown) return f.note("Choose a kind to set up a new model");
    make_row(p, f, *shown, *form);
    std::visit([&](const auto& config) { kind_rows(p, f, config); }, *form);
}

/// Trained models at the left, those drawn from a seed at the right, or in a narrow card below.
void model_card_rows(Panel& p, Form& f) {
    constexpr float kGap = 28, kDrawn = 280; // the least that those drawn from a seed need
    if (f.w < kGalleryWidth + kGap + kDrawn) {
        model_gallery(p, f);
        f.space(12);
        return untrained_models(p, f);
    }
    Form trained(f.ui, f.x, f.y, kGalleryWidth, f.ids(), f.draws());
    model_gallery(p, trained);
    Form untrained(f.ui, f.x + kGalleryWidth + kGap, f.y, f.w - kGalleryWidth - kGap, f.ids(),
                   f.draws());
    untrained_models(p, untrained);
    f.y = std::max(trained.y, untrained.y);
}

void model_card(Panel& p, const Box& anchor) {
    if (!p.ui.popup_open(CardId::model)) p.state.explore->models = {};
    card_at(p.ui, CardId::model,
            {.corner = {anchor.x, anchor.y + anchor.h + 6},
             .width = kGalleryWidth + 28 + 300 + 32,
             .ids = "model/",
             .hangs = true},
            [&](Form& f) { model_card_rows(p, f); });
}

bool is_untrained(const Panel& p) {
    if (p.document().model_file.empty()) return true;
    const app::Snapshot& now = p.snapshot();
    return now.run && p.work.ran_present_model() &&
           app::has_random_weights(now.file, *now.run->model);
}

} // namespace

Box model_picker(Panel& p, const Box& bar) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const float y = bar.y, h = bar.h;
    const models::Config& config = chosen_config(p);
    const std::string title = app::model_title(p.document().model_file, config);
    // While a file is read, what runs is the former model.
    const std::string& file = p.document().model_file;
    const bool read = file.empty() || file == p.snapshot().document.model_file;
    const std::string shape = read ? models::size_title(config) : "";
    // In a narrow window the sentences need the room more.
    const float whole = c.width_of(Face::field, title);
    const float most = std::max(bar.w < 900 ? 130.f : 210.f, 0.22f * bar.w);
    const bool untrained = is_untrained(p);
    const bool roomy = read && whole <= most && bar.w >= (untrained ? 1100 : 1400);
    // A name that is cut has the room of the shape.
    const float title_width = std::min(whole, std::max(most, 0.26f * bar.w));
    const float shape_width = roomy ? c.width_of(Face::small, shape) + 8 : 0;
    const float chip_width = untrained ? c.width_of(Face::small, kUntrained) + 12 : 0;
    const Box picker{bar.x, bar.y,
                     title_width + shape_width + chip_width + (untrained ? 8 : 0) + 44, bar.h};
    const Press press = ui.area(picker, "model", "model", Widget::Kind::button, false, true);
    c.fill(picker, press.hovered ? figure::mixed(t.raised, t.text, 0.05f) : t.raised, 6);
    c.outline(picker, t.border, 6);
    c.text({picker.x + 11, y, title_width + 1, h}, Face::field, t.text, title);
    if (roomy) {
        c.text({picker.x + 11 + title_width + 8, y + 1, shape_width, h}, Face::small, t.muted,
               shape);
    }
    ui.tip(untrained
               ? "Random weights, drawn from a seed: the maps show how attention is computed, "
                 "not what a trained model has learned. Click to choose a trained one."
               : title + (read ? ", " : "") + shape +
                     "\nThe model that is looked into. Click to choose another.");
    if (untrained) {
        const Box chip{picker.x + picker.w - 30 - chip_width, y + 8, chip_width, h - 16};
        c.outline(chip, t.border, 4);
        c.text(chip, Face::small, t.muted, kUntrained, AlignX::centre);
    }
    const ImVec2 tick = c.pixels({picker.x + picker.w - 17, y + h / 2 + 1});
    const float s = c.scale();
    c.list().AddTriangleFilled({tick.x - 4 * s, tick.y - 3 * s}, {tick.x + 4 * s, tick.y - 3 * s},
                               {tick.x, tick.y + 3 * s}, packed(t.text));
    if (press.clicked) {
        ui.open_popup(CardId::model);
    }
    model_card(p, picker);
    return picker;
}

} // namespace heed::ui
