#include "app/views/inside_patching.hpp"

#include "app/document/names.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/map_data.hpp"
#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace heed::app {

namespace {

using inside::PartId;
using num::Index;
using trace::AttentionKind;

std::shared_ptr<Matrix<float>> unmeasured(Index rows, Index cols) {
    return std::make_shared<Matrix<float>>(
        Matrix<float>::Constant(rows, cols, std::numeric_limits<float>::quiet_NaN()));
}

std::vector<std::string> head_numbers(int heads) {
    std::vector<std::string> numbers;
    for (int head = 1; head <= heads; ++head) numbers.push_back(fmt::format("{}", head));
    return numbers;
}

/// The tokens at which the stream is put in, ascending.
std::vector<int> columns_shown(const InsidePicture& now) {
    std::vector<int> tokens;
    for (const inside::Patch& patch : now.patches) {
        if (patch.token) tokens.push_back(static_cast<int>(*patch.token));
    }
    std::ranges::sort(tokens);
    tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
    return tokens;
}

void add_patched_tokens(const Snapshot& s, figure::InsideGrid& grid) {
    const InsidePicture& now = *s.inside;
    const auto& tokens = s.run->trace.queries(now.patched_stack);
    const auto& others = now.other->trace.queries(now.patched_stack);
    const std::vector<int> shown = columns_shown(now);
    const auto names = token_words(tokens, std::ssize(tokens));
    const auto shares = gradient_shares(s, now.patched_stack);
    auto values = unmeasured(s.run->model->traits().layers(now.patched_stack), std::ssize(shown));
    for (const inside::Patched& at : now.patched) {
        const auto column = std::ranges::lower_bound(shown, static_cast<int>(*at.patch.token));
        (*values)(at.patch.layer, column - shown.begin()) = at.recovered;
    }
    grid.values = std::move(values);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto at = static_cast<std::size_t>(shown[i]);
        grid.columns.push_back(names[at]);
        if (tokens[at].text != others[at].text) grid.marked.push_back(static_cast<int>(i));
        if (at < shares.size()) grid.below.push_back(shares[at]);
    }
}

void add_patched_heads(const Snapshot& s, figure::InsideGrid& grid) {
    const models::Traits& traits = s.run->model->traits();
    const AttentionKind kind = inside_kind(s);
    auto values = unmeasured(traits.layers(kind), traits.n_heads);
    for (const inside::Patched& at : s.inside->patched) {
        if (at.patch.module == kind) (*values)(at.patch.layer, at.patch.head) = at.recovered;
    }
    grid.values = std::move(values);
    grid.columns = head_numbers(traits.n_heads);
    grid.row = s.focus.head.layer;
    grid.col = s.focus.head.head;
}

/// Heads that are heard of down the side, those that hear of them across.
void add_paths(const Snapshot& s, figure::InsideGrid& grid) {
    const int heads = s.run->model->traits().n_heads;
    auto values = unmeasured(heads, heads);
    if (s.inside->paths) {
        for (const inside::PatchedPath& path : s.inside->paths->paths) {
            (*values)(path.from, path.to) = path.recovered;
        }
    }
    grid.values = std::move(values);
    grid.columns = head_numbers(heads);
}

/// Of a long sentence the stream is put in at some tokens alone.
std::optional<Index> tokens_left_out(const Snapshot& s) {
    const InsidePicture& now = *s.inside;
    if (!now.other || now.asked.patch != PatchBy::stream || now.patches.empty()) return {};
    const Index tokens = std::ssize(s.run->trace.queries(now.patched_stack));
    const Index left = tokens - std::ssize(columns_shown(now));
    return left > 0 ? std::optional(left) : std::nullopt;
}

std::string card_title(const InsidePicture& now) {
    return now.other ? fmt::format("Put one activation into “{}”", now.other_text)
                     : "Put one activation into the other run";
}

std::string patching_words(const InsidePicture& now) {
    switch (now.asked.patch) {
    case PatchBy::stream: return "what comes back of the answer · the stream after a layer";
    case PatchBy::heads: return "what comes back of the answer · one head, at every token";
    case PatchBy::paths: break;
    }
    return fmt::format("what comes back · heads of layer {} (up) heard by those of layer {}",
                       now.asked_paths.from + 1, now.asked_paths.to + 1);
}

} // namespace

void add_patching(const Snapshot& s, figure::InsideRoomData& data) {
    const InsidePicture& now = *s.inside;
    data.patching_card = {card_title(now), patching_words(now), {}};
    if (now.other && now.made_other()) data.patching_card.subtitle += " · made of yours";
    if (const auto left = tokens_left_out(s)) {
        data.patching_card.subtitle +=
            fmt::format(" · {} tokens of this long sentence are left out", *left);
    }
    std::string& instead = data.patching_card.instead;
    if (now.other_error) {
        instead = base::describe(*now.other_error);
    } else if (!now.other_read) {
        instead = "Measuring …";
    } else if (!now.other) {
        instead = "Needs another sentence of as many tokens, at the right";
    } else if (now.asked.patch == PatchBy::paths) {
        add_paths(s, data.patching);
    } else if (now.patches.empty()) {
        instead = "This model has no residual stream; choose heads at the right";
    } else if (now.asked.patch == PatchBy::heads) {
        add_patched_heads(s, data.patching);
    } else {
        add_patched_tokens(s, data.patching);
        if (!data.patching.below.empty()) {
            data.patching_card.subtitle += " · row below: attention × gradient";
        }
    }
}

namespace {

std::string came_back(const Snapshot& s, const std::string& place, float recovered,
                      const inside::Answer& answer) {
    return fmt::format("{}: {} of the answer comes back\nthe other run then says {} {:.2f}", place,
                       figure::number_text(recovered, 2), inside_word(*s.run->model, answer.says),
                       answer.says_probability);
}

std::string path_words(const Snapshot& s, int from, int to) {
    const InsidePicture& now = *s.inside;
    if (!now.paths) return {};
    for (const inside::PatchedPath& path : now.paths->paths) {
        if (path.from != from || path.to != to) continue;
        return came_back(s,
                         fmt::format("head {}.{} heard by {}.{}", now.asked_paths.from + 1,
                                     from + 1, now.asked_paths.to + 1, to + 1),
                         path.recovered, path.answer);
    }
    return {};
}

} // namespace

int patched_token(const Snapshot& s, int column) {
    const auto shown = columns_shown(*s.inside);
    return column >= 0 && column < std::ssize(shown) ? shown[static_cast<std::size_t>(column)] : -1;
}

std::string patch_words(const Snapshot& s, int row, int column) {
    if (!s.inside || s.inside->error) return {};
    const PatchBy by = s.inside->asked.patch;
    if (by == PatchBy::paths) return path_words(s, row, column);
    const bool heads = by == PatchBy::heads;
    if (!heads) column = patched_token(s, column);
    for (const inside::Patched& at : s.inside->patched) {
        const bool here = heads ? at.patch.module == inside_kind(s) && at.patch.head == column
                                : at.patch.token == column;
        if (!here || at.patch.layer != row) continue;
        const std::string place =
            heads ? inside::name({PartId::Kind::head, at.patch.module, row, column},
                                 s.run->model->traits())
                  : fmt::format("layer {}, token {}", row + 1, column + 1);
        return came_back(s, place, at.recovered, at.answer);
    }
    return {};
}

} // namespace heed::app
