#include "app/views/picture_view.hpp"

#include "app/document/prepare_image.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/outcome.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/theme.hpp"
#include "figure/views/patch_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <utility>

namespace heed::app {

using num::Index;
using trace::Stage;

namespace {

constexpr std::size_t kClasses = 5;

/// The weights of one query: of the focused head, or of several as one map.
std::vector<float> weights_of(const Snapshot& snapshot, int query) {
    const Matrix<float>* map =
        snapshot.focus.combine && snapshot.map ? snapshot.map.get() : nullptr;
    Matrix<float> row;
    if (map != nullptr) {
        row = map->row(query);
    } else {
        const auto head = snapshot.run->trace.map(snapshot.focus.head);
        HEED_CHECK(head.has_value(), "a model of pictures without this head");
        row = head->rectangle(Stage::weights, {query, 0, 1, head->cols(Stage::weights)});
    }
    return {row.data(), row.data() + row.size()};
}

std::vector<figure::ClassShare> classes_of(const Snapshot& snapshot) {
    std::vector<figure::ClassShare> classes;
    if (!snapshot.prediction || !snapshot.run->model->traits().classifies()) return classes;
    for (const Candidate& c : next_word(*snapshot.prediction, nullptr, kClasses).candidates) {
        classes.push_back({snapshot.run->model->answer(c.row), c.probability});
    }
    return classes;
}

figure::PatchMapData patch_data(const Snapshot& snapshot, const ViewState& state,
                                const Hovered& hovered) {
    const auto grid = patch_grid(*snapshot.run->model);
    HEED_CHECK(grid.has_value(), "a picture of a model that reads none");
    const auto& tokens = snapshot.run->trace.source;
    figure::PatchMapData data;
    data.title = snapshot.focus.combine ? focus_title(snapshot.run->trace, snapshot.focus)
                                        : shown_title(*snapshot.run, snapshot.focus.head);
    data.picture = snapshot.picture;
    data.instead = kNoPicture;
    data.rows = grid->rows;
    data.cols = grid->cols;
    for (int i = 0; i < grid->leading; ++i) {
        data.leading.push_back(tokens[static_cast<std::size_t>(i)].text);
    }
    const auto n = std::ssize(tokens);
    data.query = hovered.query ? row_or_first(*hovered.query, n) : query_shown(state, n);
    data.weights = weights_of(snapshot, data.query);
    const std::string& name = tokens[static_cast<std::size_t>(data.query)].text;
    data.subtitle = data.query < grid->leading ? name + " attends to patches"
                                               : "patch " + name + " attends to patches";
    data.subtitle += changes_told(*snapshot.run, {snapshot.focus.head});
    data.classes = classes_of(snapshot);
    return data;
}

} // namespace

std::optional<PatchGrid> patch_grid(const models::Model& model) {
    const models::Traits& traits = model.traits();
    if (!traits.reads_pictures) return std::nullopt;
    const int a_side = traits.patches.image / traits.patches.size;
    return PatchGrid{traits.patches.leading, a_side, a_side};
}

figure::Figure picture_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame, const Hovered& hovered) {
    return figure::patch_map(patch_data(snapshot, state, hovered), {state.palette, state.bar},
                             frame);
}

std::string picture_reading(const Snapshot& snapshot, const ViewState& state) {
    const auto grid = patch_grid(*snapshot.run->model);
    const auto n = std::ssize(snapshot.run->trace.source);
    if (!grid || !snapshot.picture || n <= grid->leading) return {};
    const int query = query_shown(state, n);
    const std::vector<float> weights = weights_of(snapshot, query);
    std::vector<float> patches(weights.begin() + grid->leading, weights.end());
    const auto most = std::ranges::max_element(patches);
    const auto at = static_cast<int>(most - patches.begin());
    if (!(*most > 0)) return {};
    const auto place = [&](int patch) {
        return fmt::format("row {}, column {}", patch / grid->cols + 1, patch % grid->cols + 1);
    };
    const std::string asks =
        query < grid->leading
            ? fmt::format("“{}”", snapshot.run->trace.source[static_cast<std::size_t>(query)].text)
            : fmt::format("The patch in {}", place(query - grid->leading));
    const float whole = std::accumulate(weights.begin(), weights.end(), 0.0f);
    const float shown = std::accumulate(patches.begin(), patches.end(), 0.0f);
    const auto lead = std::max_element(weights.begin(), weights.begin() + grid->leading);
    std::string words = asks + " attends most to ";
    if (grid->leading > 0 && *lead > *most) {
        const auto token = static_cast<std::size_t>(lead - weights.begin());
        words += fmt::format("“{}” ({}); of the patches, most to that",
                             snapshot.run->trace.source[token].text,
                             figure::row_weight_text(*lead, weights));
    } else {
        words += "the patch";
    }
    words += fmt::format(" in {} ({}).", place(at), figure::row_weight_text(*most, weights));
    const std::size_t tenth = std::max<std::size_t>(1, patches.size() / 10);
    std::ranges::nth_element(patches, patches.begin() + static_cast<std::ptrdiff_t>(tenth - 1),
                             std::greater<>());
    const float strongest = std::accumulate(
        patches.begin(), patches.begin() + static_cast<std::ptrdiff_t>(tenth), 0.0f);
    const std::string part = figure::percent_text(strongest / shown);
    words += tenth == 1
                 ? fmt::format(" That is {} of what all {} patches get", part, patches.size())
                 : fmt::format(" The strongest {} of {} patches get {} of what all get", tenth,
                               patches.size(), part);
    if (whole > shown) {
        words += fmt::format("; {} goes to tokens that are no patches",
                             figure::percent_text((whole - shown) / whole));
    }
    return words + ".";
}

files::Tables picture_tables(const Snapshot& snapshot, const ViewState& state) {
    const figure::PatchMapData data = patch_data(snapshot, state, {});
    const auto leading = std::ssize(data.leading);
    const auto matrix = [](Index rows, Index cols, const float* from) {
        return std::make_shared<const Matrix<float>>(
            Eigen::Map<const Matrix<float>>(from, rows, cols));
    };
    const auto counted = [](int count) {
        std::vector<std::string> labels;
        for (int i = 1; i <= count; ++i) labels.push_back(std::to_string(i));
        return labels;
    };
    files::Tables tables;
    tables.all.push_back({"weights", counted(data.rows), counted(data.cols),
                          matrix(data.rows, data.cols, data.weights.data() + leading)});
    if (leading > 0) {
        tables.all.push_back(
            {"tokens", {"weight"}, data.leading, matrix(1, leading, data.weights.data())});
    }
    if (data.classes.empty()) return tables;
    files::Table classes{"classes", {}, {"probability"}, nullptr};
    std::vector<float> shares;
    for (const figure::ClassShare& one : data.classes) {
        classes.rows.push_back(one.name);
        shares.push_back(one.probability);
    }
    classes.values = matrix(std::ssize(shares), 1, shares.data());
    tables.all.push_back(std::move(classes));
    return tables;
}

std::string picture_provenance(const Snapshot& snapshot) {
    const std::string file =
        std::filesystem::path(snapshot.run ? snapshot.document.image_file : "").filename().string();
    return map_provenance(snapshot) + (file.empty() ? "" : " \u00b7 picture " + file);
}

std::vector<std::shared_ptr<const figure::Pixels>>
picture_thumbnails(const Snapshot& snapshot, const ViewState& state, int side) {
    const auto grid = patch_grid(*snapshot.run->model);
    if (!grid || !snapshot.picture || !snapshot.query_rows) return {};
    const figure::Theme& theme = state.dark ? figure::dark_theme() : figure::light_theme();
    std::vector<std::shared_ptr<const figure::Pixels>> thumbnails;
    const Matrix<float>& rows = *snapshot.query_rows;
    for (Index head = 0; head < rows.rows(); ++head) {
        const Matrix<float> patches = Eigen::Map<const Matrix<float>>(
            rows.data() + head * rows.cols() + grid->leading, grid->rows, grid->cols);
        thumbnails.push_back(figure::overlaid(
            *snapshot.picture, patches, state.palette.value_or(theme.weights), theme.ground, side));
    }
    return thumbnails;
}

} // namespace heed::app
