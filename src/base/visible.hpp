// Words for a terminal: they may come from a file or an argument, and a terminal obeys some bytes.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace heed::base {

/// The text with control characters, and those that turn the direction of writing, as "\u{1b}" and
/// bytes that are no UTF-8 as "\x{9b}". Line ends and tabs stay.
std::string visible(std::string_view text);
/// The visible text for what shall be one line: line ends and tabs are shown, too.
std::string visible_line(std::string_view text);

/// Hands on what is written to it, made visible. A character is to come in one piece.
class VisibleStream : public std::ostream {
  public:
    /// `to` outlives it. What is written is flushed at once.
    explicit VisibleStream(std::ostream& to);

  private:
    class Buffer : public std::streambuf {
      public:
        explicit Buffer(std::ostream& to) : to_(to) {}

      protected:
        int_type overflow(int_type c) override;
        std::streamsize xsputn(const char* text, std::streamsize n) override;
        int sync() override;

      private:
        std::ostream& to_;
    };
    Buffer buffer_;
};

/// One line to the standard error, visible.
void tell(std::string_view words);

} // namespace heed::base
