// Result of what can fail, since anything from outside (a file, a sentence, a flag) can be wrong.
// A failure is a value: a named kind, the thing that is at fault, and a message with what to do.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace heed::base {

enum class ErrorKind {
    not_found,     // no such file, layer, head, font
    unreadable,    // the system refused to read it
    unwritable,    // the system refused to write it, or the disk is full
    malformed,     // its bytes are not what its format says
    unsupported,   // a legal form that Heed does not read
    out_of_range,  // a number beyond what is allowed
    mismatch,      // two things that must agree do not: shapes, widths
    usage,         // a flag or a value that does not exist
    unavailable,   // the system lacks it: a display, a shader, a clipboard
    cancelled,     // stopped because a newer request came
};

struct Error {
    ErrorKind kind;
    std::string subject; // the offending file, flag, tensor, field; may be empty
    std::string message; // what was expected, what was found, what to do
};

/// "subject: message", or the message alone.
inline std::string describe(const Error& error) {
    return error.subject.empty() ? error.message : error.subject + ": " + error.message;
}

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string subject, std::string message) {
    return tl::make_unexpected(Error{kind, std::move(subject), std::move(message)});
}

} // namespace heed::base
