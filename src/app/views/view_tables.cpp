// A view as numbers, of one head, of those that it shows or of all.
#include "app/engine/multiplied_map.hpp"
#include "app/engine/pictures.hpp"
#include "app/engine/strip_shares.hpp"
#include "app/views/export.hpp"
#include "app/views/head_views.hpp"
#include "app/views/inside_lens.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "trace/attention_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heed::app {

namespace {

/// The reference as it would be with another head in focus.
std::shared_ptr<const ReferencePicture> reference_of(const ReferencePicture& picture,
                                                     const Snapshot& present) {
    if (!picture.run) return std::make_shared<const ReferencePicture>(picture);
    ReferencePicture other = picture;
    other.focus.combine.reset();
    other.focus.head = focus_inside(picture.run->trace, present.focus).head;
    other.map.reset();
    other.prepared.reset();
    other.prepared_difference.reset();
    other.faults = {};
    other.strips.reset();
    other.map = map_data(as_snapshot(other)).values;
    other.difference = difference_of(*present.map, *other.map);
    return std::make_shared<const ReferencePicture>(std::move(other));
}

/// The snapshot as it would be with this head in focus, and no other beside it.
Snapshot with_head(const Snapshot& snapshot, const trace::HeadId& head) {
    Snapshot of = snapshot;
    of.focus.head = head;
    of.focus.combine.reset();
    of.map.reset();
    of.prepared.reset();
    of.faults = {};
    of.strips.reset();
    of.overlay.clear();
    of.slots.clear();
    of.strip = head_pictures(*of.run, of.focus, of.step.get(), of.units.get()).strip;
    of.multiplied = multiplied_map(*of.run, of.focus, of.units.get());
    of.prepared_multiplied.reset();
    of.map = map_data(of).values;
    if (of.reference) of.reference = reference_of(*snapshot.reference, of);
    return of;
}

std::string layer_row(const Snapshot& s, trace::AttentionKind stack, num::Index layer) {
    return fmt::format("{}layer {}", stack_prefix(s, stack), layer + 1);
}

/// Residual and update norms of every layer.
void add_norms(files::Tables& tables, const Snapshot& s) {
    const auto& norms = s.inside->norms;
    if (norms.empty()) return;
    auto values = std::make_shared<num::Matrix<float>>(std::ssize(norms), 2);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < norms.size(); ++i) {
        names.push_back(layer_row(s, norms[i].stack, norms[i].layer));
        (*values)(static_cast<num::Index>(i), 0) = static_cast<float>(norms[i].stream);
        (*values)(static_cast<num::Index>(i), 1) = static_cast<float>(norms[i].update);
    }
    tables.all.push_back({"norms",
                          std::move(names),
                          {"stream ‖x‖", "update ‖Δx‖"},
                          std::move(values),
                          {},
                          "Euclidean norm, mean over the tokens"});
}

} // namespace

files::Tables inside_tables(const Snapshot& s, const ViewState& state) {
    files::Tables tables;
    if (!s.inside || s.inside->error) return tables;
    if (shows_inside_tokens(s, state)) return token_card_tables(s);
    const figure::InsideRoomData data = inside_room_data(s);
    const auto add = [&](const char* name, const figure::InsideGrid& grid,
                         trace::AttentionKind stack, std::string unit) {
        if (!grid.values) return;
        std::vector<std::string> rows = grid.rows;
        for (num::Index i = std::ssize(rows); i < grid.values->rows(); ++i)
            rows.push_back(layer_row(s, stack, i));
        if (!grid.across.empty()) unit += "; columns: " + grid.across;
        tables.all.push_back({name, std::move(rows), grid.columns, grid.values, {}, unit});
    };
    if (s.inside->lens_tokens > 0) tables.all.push_back(lens_table(s));
    if (s.inside->attribution) {
        const auto& parts = s.inside->attribution->parts;
        auto values = std::make_shared<num::Matrix<float>>(std::ssize(parts), 1);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            (*values)(static_cast<num::Index>(i), 0) = static_cast<float>(parts[i].logit);
            names.push_back(inside::name(parts[i].id, s.run->model->traits()));
        }
        tables.all.push_back({"parts",
                              std::move(names),
                              {"logit"},
                              std::move(values),
                              {},
                              "what each part adds to the logit"});
    }
    const bool stream = s.inside->patch == PatchBy::stream;
    add(s.inside->patch == PatchBy::paths ? "paths" : "patching", data.patching,
        stream ? s.inside->patched_stack : inside_kind(s),
        "share of the answer that comes back, 1: all of it");
    if (!data.patching.below.empty()) {
        auto row = std::make_shared<num::Matrix<float>>(1, std::ssize(data.patching.below));
        std::copy(data.patching.below.begin(), data.patching.below.end(), row->data());
        tables.all.push_back({"attention_gradient",
                              {"share"},
                              data.patching.columns,
                              std::move(row),
                              {},
                              "share of attention × gradient over all tokens"});
    }
    add("without", data.heads, inside_kind(s), data.heads_card.subtitle);
    add_norms(tables, s);
    return tables;
}

namespace {

/// One head of the grid is its map.
files::Tables tables_of_head(const Snapshot& snapshot, const ViewState& state, View view,
                             const trace::HeadId& head) {
    Snapshot of = with_head(snapshot, head);
    if (view != View::heads) return view_kind(view).tables(of, state);
    of.focus.stage = trace::Stage::weights;
    const figure::MapData data = weights_data(of);
    return files::Tables{{{"weights", data.row_labels, data.col_labels, data.values}}};
}

/// The tables of a layer's heads under the layer's name: stacks of all heads, or where these are of
/// other rows, as links are, a table a head.
void add_layer(files::Tables& all, std::vector<files::Tables> heads, const std::string& name) {
    for (std::size_t i = 0; i < heads.front().all.size(); ++i) {
        files::Table& first = heads.front().all[i];
        const num::Index rows = first.values->rows(), cols = first.values->cols();
        const bool alike = std::ranges::all_of(heads, [&](const files::Tables& head) {
            return i < head.all.size() && head.all[i].rows == first.rows &&
                   head.all[i].values->rows() == rows && head.all[i].values->cols() == cols;
        });
        if (!alike) {
            for (std::size_t h = 0; h < heads.size(); ++h) {
                if (i >= heads[h].all.size()) continue;
                files::Table& one = heads[h].all[i];
                one.name = fmt::format("{}.head {}.{}", name, h + 1, one.name);
                all.all.push_back(std::move(one));
            }
            continue;
        }
        const num::Index n = std::ssize(heads);
        auto stack = std::make_shared<num::Matrix<float>>(n * rows, cols);
        for (num::Index h = 0; h < n; ++h) {
            stack->middleRows(h * rows, rows) = *heads[static_cast<std::size_t>(h)].all[i].values;
        }
        files::Table whole = std::move(first);
        whole.name = name + "." + whole.name;
        whole.words.clear();
        whole.values = std::move(stack);
        whole.stacked = static_cast<int>(n);
        all.all.push_back(std::move(whole));
    }
}

} // namespace

bool is_of_heads(View view) { return view_kind(view).of_one_head || view == View::heads; }

files::Tables every_attention(const Snapshot& snapshot, const ViewState& view) {
    const View fits = fitting(view.view, snapshot.run->model->config());
    if (!view_kind(fits).tables || lacks_model(snapshot, fits) || !is_of_heads(fits)) {
        return view_tables(snapshot, view, ExportedHeads::all);
    }
    Snapshot of_tokens = snapshot; // as heed attend has them
    of_tokens.units.reset();
    const ViewState state = to_print(of_tokens, view);
    const trace::Trace& trace = snapshot.run->trace;
    files::Tables all{{}, {}};
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < trace.n_layers(kind); ++layer) {
            std::vector<files::Tables> heads;
            for (int head = 0; head < trace.n_heads(kind); ++head) {
                heads.push_back(tables_of_head(of_tokens, state, fits, {kind, layer, head}));
            }
            if (heads.empty()) continue;
            const auto map = trace.map({kind, layer, 0});
            add_layer(all, std::move(heads), map->attention().name);
        }
    }
    if (!all.all.empty()) all.main = {0};
    if (!trace.source.empty()) all.lists["source_tokens"] = token_words(trace.source);
    if (!trace.target.empty()) all.lists["target_tokens"] = token_words(trace.target);
    return all;
}

files::Tables view_tables(const Snapshot& snapshot, const ViewState& view, ExportedHeads heads) {
    const View fits = fitting(view.view, snapshot.run->model->config());
    ViewState state = to_print(snapshot, view);
    if (!view_kind(fits).tables || lacks_model(snapshot, fits)) return {};
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    const auto every = trace::heads_in(snapshot.run->trace, kind, {}, {});
    if (heads == ExportedHeads::shown || !is_of_heads(fits) || every.empty()) {
        return view_kind(fits).tables(snapshot, state);
    }
    const auto of_head = [&](const trace::HeadId& head) {
        return tables_of_head(snapshot, state, fits, head);
    };
    if (heads == ExportedHeads::one) return of_head(snapshot.focus.head);
    files::Tables all{{}, {}};
    for (const trace::HeadId& head : every) {
        files::Tables one = of_head(head);
        for (const std::size_t main : one.main) all.main.push_back(all.all.size() + main);
        for (files::Table& table : one.all) {
            table.name = head_name(head) + "." + table.name;
            all.all.push_back(std::move(table));
        }
    }
    return all;
}

} // namespace heed::app
