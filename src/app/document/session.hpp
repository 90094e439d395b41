// A session: the text, the controls and the view that a person works with, what is pinned, and the
// states kept under a name. One JSON object; a member that is missing keeps its default. A model
// file is named by its path, not held.
#pragma once

#include "app/document/document.hpp"
#include "app/document/view_state.hpp"
#include "base/result.hpp"
#include "tensors/json_type.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// A state that can be returned to.
struct Bookmark {
    std::string name;
    Document document;
    Focus focus;
    ViewState view;
    bool operator==(const Bookmark&) const = default;
};

struct Session {
    Document document;
    Focus focus;
    ViewState view;                  // but for `dark`, which the theme decides
    std::optional<Reference> pinned; // what the present state is held against
    std::vector<Bookmark> kept;      // at most kMaxKept, in the order in which they were made
    bool operator==(const Session&) const = default;
};
inline constexpr std::size_t kMaxKept = 200;
/// The most bytes of a session's file.
inline constexpr std::size_t kMaxSessionBytes = 64 << 20;

/// Errors: malformed and out_of_range, each with the path of the member at fault.
base::Result<Session> session_from_json(const tensors::Json& json, const std::string& path);
tensors::Json session_to_json(const Session& session);
/// The part of a model's configuration that a session keeps where no file is named: words and
/// vocabulary of a file stay with it.
models::Config kept_form(const models::Config& config);

/// Errors: those of reading a file, and of session_from_json with the file's name before them.
base::Result<Session> load_session(const std::string& path);
/// Writes atomically. Errors: unwritable, with the reason, and out_of_range above kMaxSessionBytes;
/// the old file then stands.
base::Result<void> save_session(const Session& session, const std::string& path);

} // namespace heed::app
