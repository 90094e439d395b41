// The Flow view: attention through all layers to one token.
#pragma once

#include "figure/base/frame.hpp"
#include "trace/flow.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {

struct FlowData {
    std::string title{};               // "Encoder self-attention"
    std::string heads{};               // what the maps are of: "mean of 8 heads"
    std::vector<std::string> tokens{}; // where there are fewer than tokens, the rest have no label
    std::shared_ptr<const trace::Flow> flow{};
};

struct FlowOptions {
    float mass = 0.8f; // share of what flows into tokens that are linked below, which links hold
    std::optional<std::pair<int, int>> selected{}, hovered{}; // level, token: its links stand out
    bool numbers = true;                                      // in the nodes, where they fit
};

/// A flow from a token of a level to one of the next.
struct FlowLink {
    int layer, to, from; // the layer that carries it, and the tokens, from 0
    float share;
};
/// The links that are drawn, all of them on ways to the chosen token: from the last layer back, of
/// what flows into tokens that the layer behind has links from, the strongest that hold this share,
/// at most 120 a layer, and the strongest into each such token. The weakest first.
std::vector<FlowLink> flow_links(const trace::Flow& flow, float mass);

/// Tokens across; the input on top, each layer's output under it, the chosen token at the foot. A
/// node is coloured by the share of that token's final state that passes through it, links by the
/// share that they carry; at most 120 links a layer. Targets: node (level 0 is the input), link
/// (query: token below, key: token above, which: layer from 0), labels of columns; where tokens are
/// closer than three points, cells of 1 × n with the level as their part stand for the nodes.
Figure flow(const FlowData& data, const FlowOptions& options, const Frame& frame);

} // namespace heed::figure
