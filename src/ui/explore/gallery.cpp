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

namespace heed::ui {

namespace {

constexpr float kCardHeight = 86, kCardGap = 8, kMapSide = 48;
constexpr std::size_t kMostOwn = 4;

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

std::string share_words(double share) { return figure::percent_text(share) + " fully correct"; }

/// One trained model; `first`: that Enter opens. True on a click.
bool model_tile(Panel& p, Form& f, const Box& box, const app::GalleryEntry& entry, bool first) {
    if (!f.draws()) return false;
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const bool on = p.document().model_file == entry.path;
    const std::string name =
        entry.title.task + (entry.title.kind.empty() ? "" : ", " + entry.title.kind);
    const Press press =
        ui.area(box, f.ids() + "trained/" + name, name, Widget::Kind::choice, on, true);
    c.fill(box, press.hovered || first ? t.raised : t.panel, 6);
    c.outline(box, on ? t.accent : t.border, 6, on ? 1.5f : 1);
    const Box map{box.x + 10, box.y + 10, kMapSide, kMapSide};
    if (entry.map && entry.map->size() > 0) draw_map(c, *entry.map, map);
    const float x = map.x + kMapSide + 10, w = box.x + box.w - 8 - x;
    c.text({x, box.y + 8, w, 18}, Face::strong, t.text, entry.title.task);
    c.text({x, box.y + 25, w, 16}, Face::small, t.muted,
           entry.shape.empty() ? entry.title.kind : entry.title.kind + " \u00b7 " + entry.shape);
    if (entry.exact_match) {
        c.text({x, box.y + 41, w, 16}, Face::small, t.good, share_words(*entry.exact_match));
    }
    c.text({box.x + 10, box.y + 62, box.w - 18, 18}, Face::control, t.muted, entry.sentence);
    if (entry.sentence.empty()) {
        ui.tip("This model is being read.");
    } else {
        ui.tip(fmt::format(
            "Opens with \u201c{}\u201d. {}", entry.sentence,
            entry.exact_match ? fmt::format("Of sentences that were held out from training it gets "
                                            "{} fully correct, word for word",
                                            figure::percent_text(*entry.exact_match))
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

/// The models that are found by what is typed.
struct Found {
    std::vector<const app::GalleryEntry*> trained;
    std::vector<std::string> own;
};

Found found_models(const Panel& p, const std::vector<app::GalleryEntry>& trained) {
    const std::string& query = p.state.explore->model_query;
    const auto fits = [&](const std::string& words) {
        return text::all_occur(query, text::folded(words));
    };
    Found found;
    std::vector<const app::GalleryEntry*> by_sentence; // behind those that are called so
    for (const app::GalleryEntry& entry : trained) {
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
    return found;
}

bool is_path(const std::string& query) { return query.find_first_of("/.") != std::string::npos; }

/// What is typed finds a model, or is the path of one. Enter opens it, of several the first.
void search_row(Panel& p, Form& f, const Found& found) {
    std::string& query = p.state.explore->model_query;
    Ui::FieldOptions options;
    options.hint = "Find a model: language, task, kind; or type the path of a file";
    if (f.opens()) f.ui.focus(f.ids() + "file");
    const auto field = f.field(f.row(32, 10), "file", "find a model", query, options);
    f.tip("Finds a model by its languages, task, kind or sentence. A path opens that file: what "
          "heed train, heed model or the Train room wrote, a folder of Hugging Face, a GGUF.");
    if (!field.entered) return;
    if (is_path(query)) return open_model(p, query);
    if (query.find_first_not_of(' ') == std::string::npos) return;
    if (!found.trained.empty()) return open_model(p, found.trained.front()->path);
    if (!found.own.empty()) return open_model(p, found.own.front());
    f.ui.focus_end(f.ids() + "file"); // to be mended
}

void own_rows(Panel& p, Form& f, const std::vector<std::string>& own) {
    if (own.empty()) return;
    f.space(4);
    f.heading("Yours, opened or trained lately",
              "Models and attention that you opened or saved, the newest first.");
    for (const std::string& path : own) {
        if (f.entry("own/" + path, {.label = app::file_title(path).task,
                                    .detail = own_detail(p, path),
                                    .name = path,
                                    .on = p.document().model_file == path,
                                    .outdent = 8})) {
            open_model(p, path);
        }
        f.tip("Opens " + path);
    }
}

/// Where other models come from.
void drop_row(Panel& p, Form& f) {
    f.space(8);
    const Box box = f.row(40);
    if (!f.draws()) return;
    const figure::Theme& t = f.ui.theme();
    const Press press =
        f.ui.area(box, f.ids() + "open", "open a model", Widget::Kind::button, false, true);
    if (press.hovered) f.ui.canvas.fill(box, t.raised, 6);
    f.ui.canvas.outline(box, t.border, 6);
    f.ui.canvas.text(box, Face::control, t.muted,
                     "Drop a Hugging Face folder, a GGUF, a model or attention here, or "
                     "open \u2026",
                     AlignX::centre);
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
    const auto entries = p.state.explore->gallery->entries();
    const Found found = found_models(p, *entries);
    search_row(p, f, found);
    const bool searches = p.state.explore->model_query.find_first_not_of(' ') != std::string::npos;
    if (!found.trained.empty()) {
        f.heading("Trained",
                  "Small models that were trained here, with the sentence that each opens with.");
        const float w = (f.w - kCardGap) / 2;
        for (std::size_t i = 0; i < found.trained.size(); i += 2) {
            const Box row = f.row(kCardHeight, kCardGap);
            for (std::size_t k = i; k < std::min(i + 2, found.trained.size()); ++k) {
                const float x = row.x + (k == i ? 0 : w + kCardGap);
                const app::GalleryEntry& entry = *found.trained[k];
                if (model_tile(p, f, {x, row.y, w, row.h}, entry, searches && k == 0)) {
                    open_model(p, entry.path);
                }
            }
        }
    }
    own_rows(p, f, found.own);
    if (found.trained.empty() && found.own.empty()) {
        f.note(!p.state.explore->gallery->complete() ? "The models are being read"
               : entries->empty() && p.state.explore->model_query.empty()
                   ? "No trained model came with the program"
               : is_path(p.state.explore->model_query) ? "Enter opens this file"
                                                       : "No trained model has these words");
    }
    drop_row(p, f);
}

} // namespace heed::ui
