// The Inside room: what each layer would say (logit lens), what made the model say a word
// (attribution), what comes back of it in another run (patching), and the answer without each part;
// which tokens it stands on, and other weights of a head that give the same answer.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/parts/beside_words.hpp"
#include "figure/parts/lens_grid.hpp"
#include "figure/parts/paired_bars.hpp"
#include "figure/parts/tinted_text.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// The part that a target belongs to: `part` of its tag.
enum class InsidePart {
    lens,     // layers × tokens, the last layer on top. Targets: those of draw_lens()
    parts,    // bars. Targets: bars (place in InsideRoomData::bars; −1: several)
    patching, // layers × tokens or heads, the last layer on top. Targets: cells
    heads,    // layers × heads, the last layer on top. Targets: cells
    tokens,   // the sentence by several accounts. Targets: bars (token, account)
    weights,  // those of a row, and others. Targets: cells (2 rows), labels
    below,    // a row under patching. Targets: cells
};

/// A card: its words, and where it has no picture a sentence in its place.
struct InsideCard {
    std::string title{}, subtitle{};
    std::string instead{};
    bool missing = false; // no such model can have it: the room has no place for it
    std::string short_title{}; // where the title has no room; empty: none
};

struct InsideRoomData {
    std::string title{}, subtitle{};
    std::string missing{}; // why some cards are, below the others; of a window, not of a file
    InsideCard lens_card{}, parts_card{}, patching_card{}, heads_card{};
    InsideGrid lens{};                 // probabilities
    std::vector<std::string> words{};  // of the lens' cells, row by row; empty: not measured
    Index lens_first = 0;              // token of the lens' first column
    Index lens_tokens = 0;             // of the sentence; 0: those that are columns
    std::vector<InsideBar> bars{};     // as they are drawn, from the top
    std::string sum{};                 // below the bars
    InsideGrid patching{};             // how much of the answer comes back
    InsideGrid heads{};                // change of the logit without each
    std::vector<std::string> beside{}; // of the chosen head, beside the grid; the first one strong
    std::vector<std::string> does{};   // what it does, below its name where there is room
    std::string beside_number{};       // behind the last of them, where both fit, else below it
    InsideCard tokens_card{}, weights_card{};
    TintedText tokens{};
    PairedBars weights{};
    InsideBeside of_tokens{}, of_weights{};
};

/// The first four as cards, without those that are missing.
Figure inside_room(const InsideRoomData& data, const Frame& frame);
/// Tokens and weights as cards.
Figure inside_tokens_room(const InsideRoomData& data, const Frame& frame);
/// Points that these need together for all the words beside their pictures; 0 where a place of the
/// frame's width has them not at their side.
float height_of_token_words(const InsideRoomData& data, const Frame& frame);
/// One of them alone.
Figure inside_part(const InsideRoomData& data, InsidePart part, const Frame& frame);

} // namespace heed::figure
