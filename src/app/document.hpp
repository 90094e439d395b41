// What a person works on: everything that decides which numbers are computed, and nothing that is
// only looked at. Undo goes over this; a session file will hold it.
#pragma once

#include "models/controls.hpp"
#include "models/transformer.hpp"
#include "text/token.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <string>

namespace heed::app {

struct Document {
    models::TransformerConfig model; // drawn from its seed, unless
    std::string model_file;          // a file is named here
    std::string source = "The cat sat on the mat because it was tired";
    std::string target = "Le chat s'est assis sur le tapis";
    text::Segmentation segmentation = text::Segmentation::words;
    int pad_to = 0;
    models::Controls controls;
    bool operator==(const Document&) const = default;
};

/// What is looked at: it decides which parts of a trace are made ready for drawing.
struct Focus {
    trace::HeadId head;
    trace::Stage stage = trace::Stage::weights;
    bool operator==(const Focus&) const = default;
};

} // namespace heed::app
