// The room Inside of a small decoder alone, for tests of what it measures and shows.
#pragma once

#include "app/views/view_figure.hpp"
#include "small_document.hpp"

#include <string>

namespace heed {

/// A decoder alone that reads one sentence.
inline app::Document decoder_document() {
    app::Document document = small_document();
    models::spec_of(document.model)->architecture = models::Architecture::decoder_only;
    document.target.clear();
    return document;
}

/// True where the room's figure has these words.
inline bool room_shows(const app::Snapshot& snapshot, const app::ViewState& state,
                       const std::string& words) {
    return figure::dump(app::make_figure(snapshot, state, 1200, 900)).find(words) !=
           std::string::npos;
}

} // namespace heed
