#include "tokenizers/text/pattern.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/newer_characters.hpp"
#include "tokenizers/text/refused.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <unicode/uchar.h>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

constexpr std::size_t kMaxPattern = 1 << 16;
constexpr std::uint32_t kMaxSteps = 20'000'000; // of all matches in one text
constexpr std::uint32_t kMaxHeap = 32 * 1024;   // KiB
constexpr std::size_t kJitStack = 1 << 20;

std::string shortened(const std::string& words) {
    return words.size() <= 80 ? words : base::to_valid_utf8(words.substr(0, 77)) + "…";
}

template <std::size_t N> std::string in_brackets(const Range (&ranges)[N]) {
    std::string result;
    for (const Range& range : ranges) {
        result += fmt::format("\\x{{{:X}}}-\\x{{{:X}}}", range.begin, range.end);
    }
    return result;
}

/// Word characters as Oniguruma knows them: of numbers the digits, and all below U+0100.
const std::string& word_class() {
    static const std::string words = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{B2}\\x{B3}\\x{B9}"
                                     "\\x{BC}-\\x{BE}" +
                                     in_brackets(newer::kWords);
    return words;
}

/// Characters that Oniguruma's tables have of a category beyond PCRE2's.
std::string newer_of(std::string_view category) {
    if (category == "L") return in_brackets(newer::kLetters);
    if (category == "Lu") return in_brackets(newer::kUpperCase);
    if (category == "Ll") return in_brackets(newer::kLowerCase);
    if (category == "Lo") return in_brackets(newer::kOtherLetters);
    if (category == "M") return in_brackets(newer::kMarks);
    if (category == "N") return in_brackets(newer::kNumbers);
    if (category == "P") return in_brackets(newer::kPunctuation);
    if (category == "S") return in_brackets(newer::kSymbols);
    if (category == "Han") return "\\x{2B739}\\x{2EBF0}-\\x{2EE5D}\\x{31350}-\\x{323AF}";
    return {};
}

bool is_script(const std::string& name) {
    return name.size() > 2 &&
           u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str()) != UCHAR_INVALID_CODE;
}

/// Walks through a pattern and rewrites what the syntaxes read differently.
class Rewriter {
  public:
    Rewriter(std::string_view ruby, const std::string& path) : ruby_(ruby), path_(path) {}

    std::string rewrite() {
        while (at_ < ruby_.size()) {
            const char c = ruby_[at_];
            if (c == '\\') {
                escape();
            } else if (in_class_) {
                class_character(c);
            } else if (c == '[') {
                open_class();
            } else if (c == '{' && counts() > 0) {
                count();
            } else {
                result_ += c;
                ++at_;
            }
        }
        return std::move(result_);
    }

  private:
    [[noreturn]] void refuse(std::string_view what) const {
        throw Refused(ErrorKind::unsupported, path_,
                      fmt::format("the pattern '{}' uses {}, which Heed does not read",
                                  shortened(std::string(ruby_)), what));
    }

    /// "\\p{L}"; false where it is no such thing.
    bool category() {
        const std::size_t close = ruby_.find('}', at_);
        const bool negated = ruby_[at_ + 1] == 'P';
        if (ruby_.substr(at_ + 2, 1) != "{" || close == std::string_view::npos) return false;
        const std::string name(ruby_.substr(at_ + 3, close - at_ - 3));
        const std::string own = fmt::format("{{{}{}}}", is_script(name) ? "sc:" : "", name);
        const std::string more = newer_of(name);
        std::string becomes = std::string(ruby_.substr(at_, 2)) + own;
        if (!more.empty() && in_class_ && !negated) becomes += more;
        if (!more.empty() && !in_class_) {
            becomes = fmt::format("[{}\\p{}{}]", negated ? "^" : "", own, more);
        }
        result_ += becomes;
        at_ = close + 1;
        return true;
    }

    void escape() {
        const char kind = at_ + 1 < ruby_.size() ? ruby_[at_ + 1] : '\0';
        const std::string word = "[" + word_class() + "]";
        const std::string behind = "(?<=" + word + ")", ahead = "(?=" + word + ")";
        const std::string not_behind = "(?<!" + word + ")", not_ahead = "(?!" + word + ")";
        if ((kind == 'p' || kind == 'P') && category()) return;
        std::string becomes{'\\', kind};
        switch (kind) {
        case '\0': refuse("'\\' at its end");
        case 's': becomes = "\\p{White_Space}"; break;
        case 'S': becomes = "\\P{White_Space}"; break;
        case 'h': becomes = in_class_ ? "0-9a-fA-F" : "[0-9a-fA-F]"; break;
        case 'w': becomes = in_class_ ? word_class() : word; break;
        case 'W':
            if (in_class_) refuse("'\\W' in brackets");
            becomes = "[^" + word_class() + "]";
            break;
        case 'b':
            if (!in_class_) becomes = "(?:" + behind + not_ahead + "|" + not_behind + ahead + ")";
            break;
        case 'B': becomes = "(?:" + behind + ahead + "|" + not_behind + not_ahead + ")"; break;
        case 'H':
        case 'R':
        case 'X':
        case 'C':
        case 'K':
        case 'y':
        case 'Y':
        case 'O':
        case 'M':
        case 'c':
        case 'g':
        case 'k':
        case 'E':
        case 'Q':
        case 'N': refuse(fmt::format("'\\{}'", kind));
        default: break;
        }
        result_ += becomes;
        at_ += 2;
    }

    void open_class() {
        in_class_ = true;
        result_ += ruby_[at_++];
        if (at_ < ruby_.size() && ruby_[at_] == '^') result_ += ruby_[at_++];
        if (at_ < ruby_.size() && ruby_[at_] == ']') { // a character there
            result_ += "\\]";
            ++at_;
        }
    }

    void class_character(char c) {
        if (c == '[') refuse("brackets in brackets");
        if (ruby_.substr(at_, 2) == "&&") refuse("'&&' in brackets");
        if (c == ']') in_class_ = false;
        result_ += c;
        ++at_;
    }

    /// Bytes of "{1,3}" here, or 0.
    std::size_t counts() const {
        std::size_t end = at_ + 1;
        while (end < ruby_.size() &&
               (std::string_view("0123456789,").find(ruby_[end]) != std::string_view::npos)) {
            ++end;
        }
        return end > at_ + 1 && end < ruby_.size() && ruby_[end] == '}' ? end + 1 - at_ : 0;
    }

    void count() {
        const std::size_t length = counts();
        std::string words(ruby_.substr(at_, length));
        if (words.starts_with("{,")) words.insert(1, "0");
        result_ += words;
        at_ += length;
        if (at_ < ruby_.size() && ruby_[at_] == '+') refuse("'+' behind a count");
    }

    std::string_view ruby_;
    const std::string& path_;
    std::size_t at_ = 0;
    bool in_class_ = false;
    std::string result_;
};

template <auto Free> struct Freed {
    template <class T> void operator()(T* thing) const { Free(thing); }
};

using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Freed<pcre2_jit_stack_free>>;

std::string words_of_code(int code) {
    std::array<PCRE2_UCHAR, 200> words{};
    pcre2_get_error_message(code, words.data(), words.size());
    return reinterpret_cast<const char*>(words.data());
}

} // namespace

struct Pattern::Code {
    std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;
    MatchContext context;
};

std::string in_pcre_syntax(std::string_view ruby, const std::string& path) {
    return Rewriter(ruby, path).rewrite();
}

Pattern::Pattern(const std::string& ruby, const std::string& path)
    : words_(shortened(ruby)), path_(path) {
    if (ruby.empty()) throw Refused(ErrorKind::malformed, path, "is an empty pattern");
    if (ruby.size() > kMaxPattern) {
        throw Refused(ErrorKind::out_of_range, path,
                      fmt::format("the pattern '{}' has {} bytes; Heed reads at most {}", words_,
                                  ruby.size(), kMaxPattern));
    }
    const std::string words = in_pcre_syntax(ruby, path);
    int error = 0;
    PCRE2_SIZE at = 0;
    auto code = std::make_shared<Code>();
    const std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>> limits(
        pcre2_compile_context_create(nullptr));
    pcre2_set_parens_nest_limit(limits.get(), 100);
    code->code.reset(
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(words.data()), words.size(),
                      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error,
                      &at, limits.get()));
    if (!code->code) {
        throw Refused(
            ErrorKind::malformed, path,
            fmt::format("the pattern '{}' is not understood: {}", words_, words_of_code(error)));
    }
    pcre2_jit_compile(code->code.get(), PCRE2_JIT_COMPLETE); // without it PCRE2 interprets
    code->context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(code->context.get(), kMaxSteps);
    pcre2_set_depth_limit(code->context.get(), 1'000'000);
    pcre2_set_heap_limit(code->context.get(), kMaxHeap);
    code_ = std::move(code);
}

Pattern::~Pattern() = default;

std::vector<Stretch> Pattern::stretches(std::string_view text) const {
    std::vector<Stretch> result;
    const MatchData data(pcre2_match_data_create_from_pattern(code_->code.get(), nullptr));
    std::size_t from = 0, last = 0;
    std::optional<std::size_t> last_match;
    while (from <= text.size() && !text.empty()) {
        const auto run = [&](std::uint32_t options) {
            return pcre2_match(code_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                               text.size(), from, PCRE2_NO_UTF_CHECK | options, data.get(),
                               code_->context.get());
        };
        int found = run(0);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = run(PCRE2_NO_JIT);
        if (found == PCRE2_ERROR_NOMATCH) break;
        if (found < 0) {
            throw Refused(ErrorKind::out_of_range, path_,
                          fmt::format("the pattern '{}' takes too long on this text ({})", words_,
                                      words_of_code(found)));
        }
        const PCRE2_SIZE* place = pcre2_get_ovector_pointer(data.get());
        const std::size_t begin = place[0], end = place[1];
        if (begin > end) break;                  // \K behind the end
        if (begin == end && last_match == end) { // no empty match right behind another one
            from = end < text.size() ? end + base::decode_utf8(text, end).length : end + 1;
            continue;
        }
        if (last < begin) result.push_back({last, begin, false});
        result.push_back({begin, end, true});
        from = last = end;
        last_match = end;
    }
    if (last < text.size()) result.push_back({last, text.size(), false});
    return result;
}

} // namespace heed::tokenizers
