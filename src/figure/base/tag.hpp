// The meaning of a box of a figure: what lies under the cursor there. One kind of tag a kind of
// thing.
#pragma once

#include <optional>
#include <variant>

namespace heed::figure {

/// The things of which a strip has a cell each.
enum class StripOf { queries, keys, layers, heads };

namespace tag {

/// A grid of cells; a view with several of them numbers its parts.
struct Cells {
    int rows = 0, cols = 0, part = 0;
    bool operator==(const Cells&) const = default;
};
struct Head {
    int layer = 0, head = 0;
    bool operator==(const Head&) const = default;
};
/// A query; a key where the map's rows are keys (of K and V), a word of a pair, and of arcs both.
struct RowLabel {
    int query = 0, part = 0;
    bool operator==(const RowLabel&) const = default;
};
/// A key, or a feature, or a token, by what the columns of the picture are.
struct ColLabel {
    int key = 0, part = 0;
    bool operator==(const ColLabel&) const = default;
};
struct Link {
    int query = 0, key = 0;
    int which = 0; // of several heads, or the layer of a flow
    bool operator==(const Link&) const = default;
};
/// A thumbnail, as its view counts: a stage of a strip, a frame of a film, a score.
struct Stage {
    int id = 0;
    bool operator==(const Stage&) const = default;
};
/// A bar or a tinted word: its place, and in which of several rows or series.
struct Bar {
    int place = 0, series = 0, part = 0;
    bool operator==(const Bar&) const = default;
};
/// The colour bar, or the axis of a scatter.
struct Control {
    int axis = 0;
    bool operator==(const Control&) const = default;
};
/// The features of one vector, and which of its view's vectors it is.
struct Stripe {
    int of = 0; // the key, step or layer; -1: of none of them, as the query is
    int features = 0, which = 0;
    int drawn = 0; // of the features
    bool operator==(const Stripe&) const = default;
};
/// A token of a layer of a flow, or a node of a search, `place` among its nodes.
struct Node {
    int level = 0, place = 0;
    bool operator==(const Node&) const = default;
};
/// Share that one of several heads gives or takes at a token; -1: its number above them.
struct Square {
    int token = 0, head = 0; // `head`: which of those that are shown
    bool of_key = false;
    bool operator==(const Square&) const = default;
};
/// One of rows and columns is 1.
struct Strip {
    int rows = 0, cols = 0;
    StripOf of = StripOf::queries;
    bool operator==(const Strip&) const = default;
};
/// One of several heads that are kept side by side.
struct Slot {
    int place = 0;
    bool operator==(const Slot&) const = default;
};

} // namespace tag

using Tag = std::variant<tag::Cells, tag::Head, tag::RowLabel, tag::ColLabel, tag::Link, tag::Stage,
                         tag::Bar, tag::Control, tag::Stripe, tag::Node, tag::Square, tag::Strip,
                         tag::Slot>;

/// The cells of a tag: of `Cells` and `Strip`, and of a `Stripe` one row. None of other kinds.
struct GridSize {
    int rows = 0, cols = 0;
};
std::optional<GridSize> grid_size(const Tag& tag);

} // namespace heed::figure
