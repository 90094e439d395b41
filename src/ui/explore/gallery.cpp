#include "ui/explore/gallery.hpp"

#include "app/views/gallery.hpp"
#include "figure/base/number_text.hpp"
#include "ui/explore/explore_state.hpp"
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
constexpr std::size_t kMostRecent = 4;

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

std::string share_words(double share) {
    return figure::percent_text(share) + " right";
}

/// One trained model. True on a click.
bool model_tile(Panel& p, Form& f, const Box& box, const app::GalleryEntry& entry) {
    if (!f.draws()) return false;
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const bool on = p.document().model_file == entry.path;
    const std::string name =
        entry.title.task + (entry.title.kind.empty() ? "" : ", " + entry.title.kind);
    const Press press =
        ui.area(box, f.ids() + "trained/" + name, name, Widget::Kind::choice, on, true);
    c.fill(box, press.hovered ? t.raised : t.panel, 6);
    c.outline(box, on ? t.accent : t.border, 6, on ? 1.5f : 1);
    const Box map{box.x + 10, box.y + 10, kMapSide, kMapSide};
    if (entry.map && entry.map->size() > 0) draw_map(c, *entry.map, map);
    const float x = map.x + kMapSide + 10, w = box.x + box.w - 8 - x;
    c.text({x, box.y + 8, w, 18}, Face::strong, t.text, entry.title.task);
    c.text({x, box.y + 25, w, 16}, Face::small, t.muted, entry.title.kind);
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
                                            "{} right, word for word",
                                            figure::percent_text(*entry.exact_match))
                              : "How often it is right was not measured"));
    }
    return press.clicked;
}

/// What a path that was opened lately is: by its name, for the disk is not asked, and by what it
/// turned out to be.
enum class Opened { model, attention, other };

Opened opened_as(const Panel& p, const std::string& path) {
    if (p.state.files.attention_files.contains(path)) return Opened::attention;
    const std::string end = std::filesystem::path(path).extension().string();
    if (end == ".safetensors" || end == ".gguf") return Opened::model;
    if (end == ".npz") return Opened::attention;
    // Of a folder the name may have a point: "opt-1.3b".
    const bool file = end.size() > 1 && std::isalpha(static_cast<unsigned char>(end[1])) != 0;
    return file ? Opened::other : Opened::model;
}

/// Models of the user's own, opened or trained lately, and attention that was opened.
std::vector<std::string> own_models(const Panel& p) {
    std::vector<std::string> own;
    for (const std::string& path : p.state.files.recent_files) {
        const bool shipped = !app::file_title(path).kind.empty();
        if (opened_as(p, path) != Opened::other && !shipped && own.size() < kMostRecent) {
            own.push_back(path);
        }
    }
    return own;
}

/// Where a model lies or when it was written; of attention what it is.
std::string own_detail(const Panel& p, const std::string& path) {
    return opened_as(p, path) == Opened::attention ? "attention weights" : app::file_detail(path);
}

void own_rows(Panel& p, Form& f) {
    const std::vector<std::string> own = own_models(p);
    if (!own.empty()) {
        f.space(4);
        f.heading("Yours, opened or trained lately",
                  "Models and attention that you opened or saved, the newest first.");
        for (const std::string& path : own) {
            if (f.entry("own/" + path, {.label = app::file_title(path).task,
                                        .detail = own_detail(p, path),
                                        .name = path,
                                        .on = p.document().model_file == path,
                                        .outdent = 8})) {
                p.commands.push_back(OpenFile{path});
                p.ui.close_popup();
            }
            f.tip(path);
        }
        f.space(4);
    }
    Ui::FieldOptions options;
    options.hint = "Path of a model, then Enter. Ctrl+O browses";
    const auto file =
        f.field(f.row(32), "file", "model file", p.state.explore->model_file, options);
    f.tip("A model that heed train, heed model or the Train room wrote. It can also be dropped on "
          "the "
          "window.");
    if (file.entered && !p.state.explore->model_file.empty()) {
        p.commands.push_back(OpenFile{p.state.explore->model_file});
        p.ui.close_popup(); // what is wrong with it is said on the stage
    }
}

} // namespace

void model_gallery(Panel& p, Form& f) {
    if (!p.state.explore->gallery) p.state.explore->gallery = std::make_shared<app::Gallery>();
    if (f.draws() && !p.state.explore->gallery->complete()) p.ui.wake_in(0.05f);
    const auto entries = p.state.explore->gallery->entries();
    if (!entries->empty()) {
        f.heading("Trained",
                  "Small models that were trained here, with the sentence that each opens with.");
        const float w = (f.w - kCardGap) / 2;
        for (std::size_t i = 0; i < entries->size(); i += 2) {
            const Box row = f.row(kCardHeight, kCardGap);
            for (std::size_t k = i; k < std::min(i + 2, entries->size()); ++k) {
                const float x = row.x + (k == i ? 0 : w + kCardGap);
                if (model_tile(p, f, {x, row.y, w, row.h}, (*entries)[k])) {
                    p.commands.push_back(OpenFile{(*entries)[k].path});
                    p.ui.close_popup();
                }
            }
        }
    }
    own_rows(p, f);
}

} // namespace heed::ui
