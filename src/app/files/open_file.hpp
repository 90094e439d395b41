// Files that a person opens: a session (.json), a model (.safetensors, .gguf, a folder), attention
// that another program wrote (.npz, .json, .safetensors, alignments), a picture (by its first
// bytes), or a text that becomes the source sentence (anything else).
#pragma once

#include "app/document/session.hpp"
#include "base/result.hpp"

#include <string>
#include <variant>

namespace heed::app {

struct OpenedSession {
    Session session;    // its model files are named by whole paths that exist
    std::string remark; // about a kept or pinned state whose model is gone; or empty
};
struct OpenedModel {                                // there is such a file: the engine reads it
    std::optional<models::Provenance> provenance{}; // of what was trained
    bool of_one_sequence = false;                   // a checkpoint without an encoder's decoder
    bool weights_alone = false;                     // attention, and no model
};
struct OpenedText {
    std::string sentence; // valid UTF-8 on one line
};
struct OpenedPicture {}; // there is such a file: the engine reads it
using Opened = std::variant<OpenedSession, OpenedModel, OpenedText, OpenedPicture>;

/// The kinds of files that may be opened, in words: one list for every message.
std::string opened_kinds();
/// The kinds of files that --model takes, in words.
std::string model_kinds();

/// A path as a person types it: "~" is the home folder, and what is relative starts at the current
/// one.
std::string whole_path(const std::string& typed);

/// Reads a session or a text, and sees that a model or a picture is there. A model that a session
/// names and that is gone from its place is looked for beside the session. Errors: those of reading
/// a file and of load_session; not_found with the model's name where the session needs one that is
/// gone; unsupported for bytes that are no text; out_of_range for a text above 64 KiB.
base::Result<Opened> read_opened(const std::string& path);

} // namespace heed::app
