// A regular expression of a tokeniser's file: written for Oniguruma (Ruby's syntax), run by PCRE2
// within limits of steps and memory. Characters that are younger than PCRE2's tables can fall into
// another class than there.
#pragma once

#include "tokenizers/text/aligned_text.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

class Pattern {
  public:
    /// Throws Refused: malformed, unsupported for what the two syntaxes mean differently.
    explicit Pattern(const std::string& ruby, const std::string& path);
    ~Pattern();

    /// All matches and what lies between. Throws Refused (out_of_range) past the limits.
    std::vector<Stretch> stretches(std::string_view text) const;

  private:
    struct Code;
    std::string words_, path_;
    std::shared_ptr<const Code> code_;
};

/// The expression in PCRE2's syntax.
std::string in_pcre_syntax(std::string_view ruby, const std::string& path);

} // namespace heed::tokenizers
