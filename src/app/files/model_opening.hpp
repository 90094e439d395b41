// The state of a window in which a model is opened.
#pragma once

#include "app/document/document.hpp"
#include "app/files/open_file.hpp"

#include <string>

namespace heed::app {

struct ModelOpening {
    Document document;
    Focus focus;
    bool clears_changes = false; // of another model's heads and cells
    bool has_sentence = false;   // of its own: it knows the words of its task alone
};

/// `read_by`: of the model that has read what the document holds.
ModelOpening model_opening(const std::string& path, const OpenedModel& model, Document document,
                           const Focus& focus, const models::Config& read_by);

} // namespace heed::app
