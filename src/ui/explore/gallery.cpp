#include "ui/explore/gallery.hpp"

#include "app/views/gallery.hpp"
#include "figure/base/number_text.hpp"
#include "text/fold.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace heed::ui {

namespace {

constexpr float kCardHeight = 86, kCardGap = 8, kMapSide = 48;
constexpr std::size_t kMostOwn = 4, kTilesInRow = 2;

/// A map in a square, as it is in a thumbnail: rows of colour, no words.
void draw_map(Canvas& c, const num::Matrix<float>& map, const Box& box) {
    const figure::Theme& t = c.theme();
    const auto rows = static_cast<float>(map.rows()), cols = static_cast<float>(map.cols());
    const float cell = std::min(box.w / cols, box.h / rows);
    const Point from{box.x + (box.w - cell * cols) / 2, box.y + (box.h - cell * rows) / 2};
    c.fill({from.x, from.y, cell * cols, cell * rows}, figure::colour_of(t.weights, 0, 0, 1));
    for (num::Index i = 0; i < map.rows(); ++i) {
        for (num::Index j = 0; j < map.cols(); ++j) {
            if (map(i, j) < 0.02f) continue;
            c.fill({from.x + cell * static_cast<float>(j), from.y + cell * static_cast<float>(i),
                    cell, cell},
                   figure::colour_of(t.weights, map(i, j), 0, 1));
        }
    }
}

std::string share_words(const app::GalleryEntry& entry) {
    return figure::percent_text(*entry.exact_match) +
           (entry.classifies ? " correct" : " fully correct");
}

/// How what was found is lit: Enter opens it, or the arrows are at it.
enum class Lit { no, by_enter, by_arrows };

/// Rounded; what the arrows are at stands out from the model that is open, too.
void draw_tile(Canvas& c, const Box& box, bool hovered, bool on, Lit lit) {
    const figure::Theme& t = c.theme();
    const bool at = lit == Lit::by_arrows;
    const Color ground = hovered || lit == Lit::by_enter ? t.raised : t.panel;
    c.fill(box, at ? figure::mixed(t.panel, t.accent, 0.16f) : ground, 6);
    c.outline(box, at || on ? t.accent : t.border, 6, at ? 2.5f : on ? 1.5f : 1);
}

/// True of the file of the model in hand, however its path is spelled. The disk is not asked.
bool is_open(const Panel& p, const std::string& path) {
    const std::string& open = p.document().model_file;
    if (open == path || open.empty()) return open == path;
    namespace fs = std::filesystem;
    if (fs::path(open).filename() != fs::path(path).filename()) return false;
    std::error_code none; // of a working folder that is gone
    const fs::path whole = fs::absolute(open, none), other = fs::absolute(path, none);
    return !none && whole.lexically_normal() == other.lexically_normal();
}

/// One trained model. True on a click.
bool model_tile(Panel& p, Form& f, const Box& box, const app::GalleryEntry& entry, Lit lit) {
    if (!f.draws()) return false;
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const bool on = is_open(p, entry.path);
    const std::string name =
        entry.title.task + (entry.title.kind.empty() ? "" : ", " + entry.title.kind);
    const Press press =
        ui.area(box, f.ids() + "trained/" + name, name, Widget::Kind::choice, on, true);
    draw_tile(c, box, press.hovered, on, lit);
    const Box map{box.x + 10, box.y + 10, kMapSide, kMapSide};
    if (entry.map && entry.map->size() > 0) draw_map(c, *entry.map, map);
    const float x = map.x + kMapSide + 10, w = box.x + box.w - 8 - x;
    c.text({x, box.y + 8, w, 18}, Face::strong, t.text, entry.title.task);
    c.text({x, box.y + 25, w, 16}, Face::small, t.muted,
           entry.shape.empty() ? entry.title.kind : entry.title.kind + " \u00b7 " + entry.shape);
    if (entry.exact_match) {
        c.text({x, box.y + 41, w, 16}, Face::small, t.good, share_words(entry));
    }
    c.text({box.x + 10, box.y + 62, box.w - 18, 18}, Face::control, t.muted, entry.sentence);
    if (entry.sentence.empty()) {
        ui.tip("This model is being read.");
    } else {
        ui.tip(fmt::format(
            "Opens with \u201c{}\u201d. {}", entry.sentence,
            entry.exact_match
                ? fmt::format("Of sentences that were held out from training it gets {}{}",
                              share_words(entry), entry.classifies ? "" : ", word for word")
                : "How often it is correct was not measured"));
    }
    return press.clicked;
}

/// Where the name alone has to tell, for the disk is not asked: true of what may be a model.
bool may_be_model(const std::string& path) {
    const std::string end = std::filesystem::path(path).extension().string();
    if (end == ".safetensors" || end == ".gguf" || end == ".npz") return true;
    // Of a folder the name may have a point: "opt-1.3b".
    return end.size() < 2 || std::isalpha(static_cast<unsigned char>(end[1])) == 0;
}

/// Models of the user's own, opened or trained lately, and attention that was opened.
std::vector<std::string> own_models(const Panel& p) {
    std::vector<std::string> own;
    for (const std::string& path : p.state.files.recent_files) {
        const bool shipped = !app::file_title(path).kind.empty();
        const bool opened = p.state.files.model_words.contains(path) || may_be_model(path);
        if (opened && !shipped) own.push_back(path);
    }
    return own;
}

/// When a model was trained, of others what they are or where they lie.
std::string own_detail(const Panel& p, const std::string& path) {
    const bool here = std::filesystem::path(path).parent_path() == app::models_folder();
    const auto words = p.state.files.model_words.find(path);
    if (!here && words != p.state.files.model_words.end()) return words->second;
    return path.ends_with(".npz") ? "attention weights" : app::file_detail(path);
}

std::string name_in_folder(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

void open_model(Panel& p, const std::string& path) {
    p.commands.push_back(OpenFile{path});
    p.ui.close_popup(); // what is wrong with it is said on the stage
}

bool is_blank(const std::string& query) { return query.find_first_not_of(' ') == query.npos; }

FoundModels find_models(const Panel& p, const std::string& query,
                        std::shared_ptr<const std::vector<app::GalleryEntry>> entries) {
    const auto fits = [&](const std::string& words) {
        return text::all_occur(query, text::folded(words));
    };
    FoundModels found{query, std::move(entries), {}, {}, {}};
    std::vector<const app::GalleryEntry*> by_sentence; // behind those that are called so
    for (const app::GalleryEntry& entry : *found.entries) {
        const app::ShippedTitle& title = entry.title;
        const std::string name =
            fmt::format("{} {} {} {} {}", title.task, app::task_keywords(title.task), title.kind,
                        entry.shape, name_in_folder(entry.path));
        if (fits(name)) {
            found.trained.push_back(&entry);
        } else if (fits(name + " " + entry.sentence)) {
            by_sentence.push_back(&entry);
        }
    }
    found.trained.insert(found.trained.end(), by_sentence.begin(), by_sentence.end());
    for (const std::string& path : own_models(p)) {
        if (found.own.size() == kMostOwn) break;
        if (fits(app::file_title(path).task + " " + own_detail(p, path) + " " +
                 name_in_folder(path)))
            found.own.push_back(path);
    }
    for (const DrawnKind& kind : drawn_kinds()) {
        if (is_blank(query)) break; // these stand beside
        for (const DrawnForm& form : kind.forms) {
            if (fits(fmt::format("{} {} {} untrained", kind.label, form.about, form.keywords)))
                found.untrained.emplace_back(&kind, &form);
        }
    }
    return found;
}

/// What is found by what is typed: looked for when that, or what there is, has become another.
std::shared_ptr<const FoundModels> found_models(const Panel& p) {
    ModelSearch& search = p.state.explore->models;
    auto entries = p.state.explore->gallery->entries();
    const auto& known = search.found;
    if (!known || known->query != search.query || known->entries != entries) {
        search.found =
            std::make_shared<const FoundModels>(find_models(p, search.query, std::move(entries)));
    }
    return search.found;
}

void open_found(Panel& p, const FoundModels& found, std::size_t at) {
    if (at < found.trained.size()) return open_model(p, found.trained[at]->path);
    at -= found.trained.size();
    if (at < found.own.size()) return open_model(p, found.own[at]);
    at -= found.own.size();
    if (at >= found.untrained.size()) return;
    const auto& [kind, form] = found.untrained[at];
    draw_model(p, fmt::format("{}, {}, untrained", kind->label, form->about), form->make());
    p.ui.close_popup();
}

bool is_path(const std::string& query) { return query.find_first_of("/.") != std::string::npos; }

/// The place of the model that is open among what was found.
std::optional<std::size_t> place_of_open(const Panel& p, const FoundModels& found) {
    if (p.document().model_file.empty()) return std::nullopt;
    const auto& trained = found.trained;
    const auto opened = [&](const std::string& path) { return is_open(p, path); };
    const auto at = std::ranges::find_if(trained, opened, &app::GalleryEntry::path);
    if (at != trained.end()) return static_cast<std::size_t>(at - trained.begin());
    const auto own = std::ranges::find_if(found.own, opened);
    if (own == found.own.end()) return std::nullopt;
    return trained.size() + static_cast<std::size_t>(own - found.own.begin());
}

/// The place that Enter opens: what the arrows are at, the first of what was searched for, and
/// before anything is typed the model that is open, if it stands here. None of a path.
std::optional<std::size_t> lit_place(const Panel& p, const FoundModels& found) {
    const ModelSearch& search = p.state.explore->models;
    if (search.at) return search.at;
    if (found.size() == 0 || is_path(search.query)) return std::nullopt;
    return is_blank(search.query) ? place_of_open(p, found) : 0;
}

/// Places as they stand in the card: tiles two in a row, the others below each other.
std::vector<std::vector<std::size_t>> rows_of(const FoundModels& found) {
    std::vector<std::vector<std::size_t>> rows;
    for (std::size_t at = 0; at < found.size(); ++at) {
        const bool beside = at < found.trained.size() && at % kTilesInRow != 0;
        if (!beside) rows.emplace_back();
        rows.back().push_back(at);
    }
    return rows;
}

/// The arrows walk over the grid, in each direction around its ends. In a search that has words
/// left and right are the caret's, until up or down has been pressed: then the caret stays.
void move_by_arrows(ModelSearch& search, const FoundModels& found,
                    std::optional<std::size_t> from) {
    const auto pressed = [](shim::Key key) { return shim::key_pressed(key, true) ? 1 : 0; };
    const bool walks = search.at || is_blank(search.query);
    const int down = pressed(shim::Key::down) - pressed(shim::Key::up);
    const int right = walks ? pressed(shim::Key::right) - pressed(shim::Key::left) : 0;
    search.moved = (down != 0 || right != 0) && found.size() > 0;
    if (!search.moved) return;
    const auto rows = rows_of(found);
    const auto around = [](std::size_t at, int by, std::size_t count) {
        const auto n = static_cast<int>(count);
        return static_cast<std::size_t>((static_cast<int>(at) + by + n) % n);
    };
    if (right != 0) {
        search.at = around(from.value_or(0), right, found.size());
        return;
    }
    const std::size_t place = from.value_or(0);
    const auto row = std::ranges::find_if(
        rows, [&](const auto& places) { return std::ranges::count(places, place) > 0; });
    const auto col = static_cast<std::size_t>(std::ranges::find(*row, place) - row->begin());
    const auto& to = rows[around(static_cast<std::size_t>(row - rows.begin()), down, rows.size())];
    search.at = to[std::min(col, to.size() - 1)];
}

Lit lit(const ModelSearch& search, std::optional<std::size_t> at, std::size_t place) {
    if (at != place) return Lit::no;
    return search.at ? Lit::by_arrows : Lit::by_enter;
}

/// Opens what is lit; what is open already stays as it is.
void open_lit(Panel& p, const FoundModels& found, std::size_t at) {
    if (at == place_of_open(p, found)) return p.ui.close_popup();
    open_found(p, found, at);
}

/// What is typed finds a model, or is the path of one. Enter opens what the arrows are at, or the
/// path, or the first that was found; where none is lit it closes the card.
void search_row(Panel& p, Form& f) {
    ModelSearch& search = p.state.explore->models;
    std::string& query = search.query;
    Ui::FieldOptions options;
    options.hint = "Find a model: language, task, kind; or type the path of a file";
    options.holds_caret = search.at && (shim::key_pressed(shim::Key::left, true) ||
                                        shim::key_pressed(shim::Key::right, true));
    const Box box = f.row(32, 10);
    if (f.opens()) f.ui.focus(f.ids() + "file");
    const auto field = f.field(box, "file", "find a model", query, options);
    f.tip("Finds a model by its languages, task, kind or sentence; arrows choose, Enter opens. A "
          "path opens that file: what heed train, heed model or the Train room wrote, a "
          "folder of Hugging Face, a GGUF.");
    if (!f.draws()) return;
    if (field.changed) search.at.reset();
    search.moved = false;
    const auto looked_up = found_models(p);
    const FoundModels& found = *looked_up;
    if (search.at && *search.at >= found.size()) search.at.reset();
    const auto lit = lit_place(p, found);
    if (field.active && !field.changed) move_by_arrows(search, found, lit);
    if (search.moved && *search.at < kTilesInRow) f.ui.reveal(box);
    if (search.moved) f.ui.wake_in(0);
    if (!field.entered) return;
    if (lit) return open_lit(p, found, *lit);
    if (is_path(query)) return open_model(p, query);
    if (is_blank(query)) return p.ui.close_popup();
    f.ui.focus_end(f.ids() + "file"); // to be mended
}

/// A row of what was found; `place`: its number there. True on a click.
bool found_row(Panel& p, Form& f, const FoundModels& found, std::size_t place,
               const std::string& id, const Form::Entry& what) {
    const ModelSearch& search = p.state.explore->models;
    const Box box{f.x - what.outdent, f.y, f.w + 2 * what.outdent, what.height};
    const Lit how = lit(search, lit_place(p, found), place);
    if (f.draws() && how != Lit::no) draw_tile(p.ui.canvas, box, false, false, how);
    const bool clicked = f.entry(id, what);
    if (f.draws() && how == Lit::by_arrows) {
        p.ui.canvas.outline(box, p.ui.theme().accent, 6, 2.5f);
        if (search.moved) p.ui.reveal(box);
    }
    return clicked;
}

void own_rows(Panel& p, Form& f, const FoundModels& found) {
    if (found.own.empty()) return;
    f.space(4);
    f.heading("Yours, opened or trained lately",
              "Models and attention that you opened or saved, the newest first.");
    for (std::size_t i = 0; i < found.own.size(); ++i) {
        const std::string& path = found.own[i];
        if (found_row(p, f, found, found.trained.size() + i, "own/" + path,
                      {.label = app::file_title(path).task,
                       .detail = own_detail(p, path),
                       .name = path,
                       .on = is_open(p, path),
                       .outdent = 8})) {
            open_model(p, path);
        }
        f.tip("Opens " + path);
    }
}

void untrained_rows(Panel& p, Form& f, const FoundModels& found) {
    if (found.untrained.empty()) return;
    f.space(4);
    f.heading("Untrained: random weights", "Models that are drawn from a seed.");
    for (std::size_t i = 0; i < found.untrained.size(); ++i) {
        const auto& [kind, form] = found.untrained[i];
        const std::size_t place = found.trained.size() + found.own.size() + i;
        if (found_row(p, f, found, place, fmt::format("untrained/{}", i),
                      {.label = kind->label,
                       .detail = form->about,
                       .name = fmt::format("{}, {}", kind->label, form->about),
                       .outdent = 8})) {
            open_found(p, found, place);
        }
        f.tip("Draws this model with random weights, in the place of the one that is open");
    }
}

/// Tiles of the trained models.
void trained_rows(Panel& p, Form& f, const FoundModels& found) {
    if (found.trained.empty()) return;
    f.heading("Trained",
              "Small models that were trained here, with the sentence that each opens with.");
    const ModelSearch& search = p.state.explore->models;
    const auto at = lit_place(p, found);
    const float w = (f.w - kCardGap) / 2;
    for (std::size_t i = 0; i < found.trained.size(); i += kTilesInRow) {
        const Box row = f.row(kCardHeight, kCardGap);
        for (std::size_t k = i; k < std::min(i + kTilesInRow, found.trained.size()); ++k) {
            const Box box{row.x + (k == i ? 0 : w + kCardGap), row.y, w, row.h};
            if (f.draws() && search.moved && search.at == k) p.ui.reveal(box);
            const app::GalleryEntry& entry = *found.trained[k];
            if (model_tile(p, f, box, entry, lit(search, at, k))) open_model(p, entry.path);
        }
    }
}

/// A dashed line around a place where something can be dropped.
void dashed(Canvas& c, const Box& box, Color color) {
    constexpr float kDash = 5, kGap = 4;
    const auto line = [&](Point from, Point to) {
        const float length = std::abs(to.x - from.x) + std::abs(to.y - from.y);
        const float dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
        for (float at = 0; at < length; at += kDash + kGap) {
            const float end = std::min(at + kDash, length);
            c.list().AddLine(c.pixels({from.x + dx * at, from.y + dy * at}),
                             c.pixels({from.x + dx * end, from.y + dy * end}), packed(color),
                             std::max(1.f, std::round(c.scale())));
        }
    };
    const float right = box.x + box.w, low = box.y + box.h;
    line({box.x, box.y}, {right, box.y});
    line({right, box.y}, {right, low});
    line({right, low}, {box.x, low});
    line({box.x, low}, {box.x, box.y});
}

/// Where other models come from.
void drop_row(Panel& p, Form& f) {
    f.space(8);
    const Box box = f.row(50);
    if (!f.draws()) return;
    const figure::Theme& t = f.ui.theme();
    const Press press =
        f.ui.area(box, f.ids() + "open", "open a model", Widget::Kind::button, false, true);
    if (press.hovered) f.ui.canvas.fill(box, t.raised, 6);
    Canvas& c = f.ui.canvas;
    dashed(c, inset(box, 0.5f, 0.5f), t.faint);
    const Box first{box.x, box.y + 6, box.w, 18};
    c.text(first, Face::control, t.muted, "Drop a Hugging Face folder, a GGUF, a Heed model",
           AlignX::centre);
    const std::string before = "or saved attention here, or ", link = "open \u2026",
                      after = " (" + keys_of(ActionId::open) + ")";
    float x = box.x + (box.w - c.width_of(Face::control, before + link + after)) / 2;
    for (const auto& [words, ink] :
         {std::pair(&before, t.muted), {&link, t.accent}, {&after, t.muted}}) {
        c.text({x, box.y + 25, box.w, 18}, Face::control, ink, *words);
        x += c.width_of(Face::control, *words);
    }
    f.ui.tip("Opens a model, or attention without one, from the disk (" + keys_of(ActionId::open) +
             ")");
    if (press.clicked) {
        p.ui.close_popup();
        open_card(p, CardId::open_file);
    }
}

} // namespace

void model_gallery(Panel& p, Form& f) {
    if (!p.state.explore->gallery) p.state.explore->gallery = std::make_shared<app::Gallery>();
    if (f.draws() && !p.state.explore->gallery->complete()) p.ui.wake_in(0.05f);
    search_row(p, f);
    const auto found = found_models(p);
    const std::string& query = p.state.explore->models.query;
    trained_rows(p, f, *found);
    own_rows(p, f, *found);
    untrained_rows(p, f, *found);
    if (found->size() == 0) {
        f.note(!p.state.explore->gallery->complete()      ? "The models are being read"
               : found->entries->empty() && query.empty() ? "No trained model came with the program"
               : is_path(query)                           ? "Enter opens this file"
                                                          : "No trained model has these words");
    }
    drop_row(p, f);
}

} // namespace heed::ui
