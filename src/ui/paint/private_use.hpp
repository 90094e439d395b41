// ImGui's 16-bit characters cannot hold what lies above U+FFFF: it would turn an emoji into U+FFFD.
// Text on its way into a field has such characters (and real private-use ones) replaced by
// private-use stand-ins, and back on its way out. The model always gets the true text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::ui {

class PrivateUse {
  public:
    std::string encode(std::string_view text); // broken UTF-8 is mended on the way
    /// Text from the clipboard for a field, which has one line: breaks and tabs in it are spaces.
    std::string pasted(std::string_view text);
    std::string decode(std::string_view text) const;
    /// True of a typed character that would be lost in a field.
    static bool needs_stand_in(char32_t character);

  private:
    char32_t stand_in(char32_t character);

    std::unordered_map<char32_t, char32_t> stand_ins_;
    std::vector<char32_t> characters_; // by stand-in
};

} // namespace heed::ui
