#include "figure/parts/formula.hpp"

#include "base/utf8.hpp"
#include "figure/base/text_layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::figure {

namespace {

// Sizes and shifts in ems of the letters around, as TeX's usual fonts have them (Knuth, The
// TeXbook, appendix G): scripts at 7/10, lowered by 0.2 and raised by 0.4; the axis of fractions a
// quarter above the baseline.
constexpr float kScript = 0.7f, kLower = 0.22f, kRaise = 0.4f, kAxis = 0.26f, kPart = 0.9f;
constexpr float kBarGap = 0.16f, kBar = 0.06f, kRootGap = 0.12f, kHook = 0.62f, kSide = 0.08f;
constexpr float kSmallest = 6;  // points, of scripts of scripts
constexpr int kMostNested = 12; // braces within braces; deeper ones are set as they stand

struct Node {
    enum class Kind { row, text, lower, raise, fraction, root } kind = Kind::row;
    std::string text{};
    std::vector<Node> parts{}; // of a row; above and below; what is lowered, raised, under a root
};

class MarkupReader {
  public:
    explicit MarkupReader(std::string_view markup) : rest_(markup) {}

    Node row() {
        Node row;
        while (!rest_.empty() && !(depth_ > 0 && rest_.front() == '}')) row.parts.push_back(next());
        return row;
    }
    bool well_formed() const { return good_; }

  private:
    Node next() {
        if (take("\\frac")) return with_parts(Node::Kind::fraction, 2, "\\frac");
        if (take("\\sqrt")) return with_parts(Node::Kind::root, 1, "\\sqrt");
        if (is_script() && depth_ < kMostNested) {
            const bool lower = rest_.front() == '_';
            rest_.remove_prefix(1);
            Node script{lower ? Node::Kind::lower : Node::Kind::raise, {}, {}};
            script.parts.push_back(in_braces());
            return script;
        }
        if (rest_.front() == '{' || rest_.front() == '}' || rest_.front() == '\\') good_ = false;
        Node text = letter();
        while (!rest_.empty() &&
               std::string_view("{}\\").find(rest_.front()) == std::string_view::npos &&
               !is_script()) {
            text.text += letter().text;
        }
        return text;
    }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    bool braced() const { return rest_.starts_with('{') && depth_ < kMostNested; }
    /// A name may hold an underscore; a script has braces.
    bool is_script() const { return rest_.starts_with("_{") || rest_.starts_with("^{"); }
    Node letter() {
        const std::size_t length = base::decode_utf8(rest_, 0).length;
        Node text{Node::Kind::text, std::string(rest_.substr(0, length)), {}};
        rest_.remove_prefix(length);
        return text;
    }
    Node in_braces() {
        rest_.remove_prefix(1);
        ++depth_;
        Node inside = row();
        --depth_;
        if (!take("}")) good_ = false;
        return inside;
    }
    Node with_parts(Node::Kind kind, int count, const char* word) {
        Node node{kind, {}, {}};
        for (int i = 0; i < count; ++i) {
            if (!braced()) {
                good_ = false;
                if (i == 0) return {Node::Kind::text, word, {}};
                node.parts.emplace_back();
                continue;
            }
            node.parts.push_back(in_braces());
        }
        return node;
    }

    std::string_view rest_;
    int depth_ = 0;
    bool good_ = true;
};

/// Measures and, with a place, draws: one walk for both, so that they cannot differ.
class Setter {
  public:
    Setter(const Sheet& measures, Sheet* draws, Color color)
        : sheet_(measures), draws_(draws), color_(color) {}

    FormulaExtent set(const Node& node, const TextStyle& style, Point at) const {
        switch (node.kind) {
        case Node::Kind::row: return row(node, style, at);
        case Node::Kind::text: return text(node.text, style, at);
        case Node::Kind::lower:
        case Node::Kind::raise: return script(node, style, at);
        case Node::Kind::fraction: return fraction(node, style, at);
        case Node::Kind::root: return root(node, style, at);
        }
        return {};
    }

  private:
    static TextStyle smaller(TextStyle style, float by) {
        style.size = std::max(style.size * by, std::min(kSmallest, style.size));
        return style;
    }
    FormulaExtent measure(const Node& node, const TextStyle& style) const {
        return Setter(sheet_, nullptr, color_).set(node, style, {});
    }

    FormulaExtent text(const std::string& words, const TextStyle& style, Point at) const {
        if (draws_) draws_->text(words, at, style, color_);
        const Extent extent = sheet_.measure(words, style);
        return {extent.width, extent.ascent, extent.descent};
    }

    FormulaExtent row(const Node& node, const TextStyle& style, Point at) const {
        FormulaExtent all;
        const auto grow = [&all](const FormulaExtent& one) {
            all.above = std::max(all.above, one.above);
            all.below = std::max(all.below, one.below);
        };
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            const Node& part = node.parts[i];
            const Point here{at.x + all.width, at.y};
            const FormulaExtent one = part.kind == Node::Kind::text
                                          ? beside_tall(node, i, style, here)
                                          : set(part, style, here);
            grow(one);
            // A lowered and a raised script stand above each other: d_{k}^{2}.
            const bool pair = is_script(part) && i + 1 < node.parts.size() &&
                              is_script(node.parts[i + 1]) && node.parts[i + 1].kind != part.kind;
            if (!pair) {
                all.width += one.width;
                continue;
            }
            const FormulaExtent other = set(node.parts[++i], style, here);
            grow(other);
            all.width += std::max(one.width, other.width);
        }
        return all;
    }

    /// A bracket of a row's texts that has its partner, with fractions or roots between the two.
    struct TallBracket {
        std::size_t part = 0, letter = 0; // where it stands
        std::size_t from = 0, to = 0; // the parts between it and its partner, `to` not among them
    };
    static bool is_tall(const Node& node) {
        return node.kind == Node::Kind::fraction || node.kind == Node::Kind::root;
    }
    static std::vector<TallBracket> tall_brackets(const Node& row) {
        std::vector<TallBracket> open, found;
        for (std::size_t part = 0; part < row.parts.size(); ++part) {
            const std::string& words = row.parts[part].text;
            for (std::size_t letter = 0; letter < words.size(); ++letter) {
                if (words[letter] == '(') open.push_back({part, letter});
                if (words[letter] != ')' || open.empty()) continue;
                const TallBracket opening = open.back();
                open.pop_back();
                const std::size_t from = opening.part + 1;
                if (std::none_of(row.parts.begin() + static_cast<std::ptrdiff_t>(opening.part),
                                 row.parts.begin() + static_cast<std::ptrdiff_t>(part), is_tall)) {
                    continue;
                }
                found.push_back({opening.part, opening.letter, from, part});
                found.push_back({part, letter, from, part});
            }
        }
        return found;
    }

    /// Text whose brackets are as high as the fractions and roots that stand between them.
    FormulaExtent beside_tall(const Node& row, std::size_t i, const TextStyle& style,
                              Point at) const {
        const std::string& words = row.parts[i].text;
        FormulaExtent all;
        const auto add = [&all](const FormulaExtent& one) {
            all = {all.width + one.width, std::max(all.above, one.above),
                   std::max(all.below, one.below)};
        };
        const auto here = [&] { return Point{at.x + all.width, at.y}; };
        auto brackets = tall_brackets(row);
        std::erase_if(brackets, [&](const TallBracket& b) { return b.part != i; });
        std::ranges::sort(brackets, {}, &TallBracket::letter);
        std::size_t from = 0;
        for (const TallBracket& b : brackets) {
            if (b.letter > from) add(text(words.substr(from, b.letter - from), style, here()));
            FormulaExtent about;
            for (std::size_t part = b.from; part < b.to; ++part) {
                if (!is_tall(row.parts[part])) continue;
                const FormulaExtent one = measure(row.parts[part], style);
                about.above = std::max(about.above, one.above);
                about.below = std::max(about.below, one.below);
            }
            add(bracket(words.substr(b.letter, 1), about, style, here()));
            from = b.letter + 1;
        }
        if (from < words.size()) add(text(words.substr(from), style, here()));
        return all;
    }

    /// Bracket as high as what it is about, its middle at the same height.
    FormulaExtent bracket(const std::string& sign, const FormulaExtent& about,
                          const TextStyle& style, Point at) const {
        constexpr float kMost = 3; // times its letters; a thicker one is a blot
        const Extent usual = sheet_.measure(sign, style);
        const float factor =
            std::clamp((about.above + about.below) / (usual.ascent + usual.descent), 1.0f, kMost);
        TextStyle large = style;
        large.size *= factor;
        const float fall =
            (factor * (usual.ascent - usual.descent) - (about.above - about.below)) / 2;
        if (draws_) draws_->text(sign, {at.x, at.y + fall}, large, color_);
        return {usual.width * factor, factor * usual.ascent - fall, factor * usual.descent + fall};
    }

    static bool is_script(const Node& node) {
        return node.kind == Node::Kind::lower || node.kind == Node::Kind::raise;
    }

    FormulaExtent script(const Node& node, const TextStyle& style, Point at) const {
        const float by = style.size * (node.kind == Node::Kind::lower ? kLower : -kRaise);
        const FormulaExtent inside = set(node.parts[0], smaller(style, kScript), {at.x, at.y + by});
        return {inside.width + style.size * kSide / 2, inside.above - by, inside.below + by};
    }

    FormulaExtent fraction(const Node& node, const TextStyle& style, Point at) const {
        const TextStyle part = smaller(style, kPart);
        const FormulaExtent above = measure(node.parts[0], part);
        const FormulaExtent below = measure(node.parts[1], part);
        const float em = style.size, side = em * kSide, gap = em * kBarGap;
        const float width = std::max(above.width, below.width) + 4 * side;
        const float rise = em * kAxis + gap + above.below, fall = -em * kAxis + gap + below.above;
        if (draws_) {
            const float bar = at.y - em * kAxis;
            draws_->line({{at.x + side, bar}, {at.x + width - side, bar}}, color_, em * kBar);
            set(node.parts[0], part, {at.x + (width - above.width) / 2, at.y - rise});
            set(node.parts[1], part, {at.x + (width - below.width) / 2, at.y + fall});
        }
        return {width, rise + above.above, fall + below.below};
    }

    FormulaExtent root(const Node& node, const TextStyle& style, Point at) const {
        const FormulaExtent inside = measure(node.parts[0], style);
        const float em = style.size, hook = em * kHook;
        const float above = inside.above + em * (kRootGap + kBar), below = inside.below;
        const float width = hook + inside.width + em * kSide;
        if (draws_) {
            const float top = at.y - above + em * kBar / 2, bottom = at.y + below - em * 0.08f;
            const float knee = at.y - em * 0.28f;
            draws_->line({{at.x + em * 0.06f, knee + em * 0.06f},
                          {at.x + em * 0.2f, knee},
                          {at.x + em * 0.36f, bottom},
                          {at.x + hook - em * 0.06f, top},
                          {at.x + width, top}},
                         color_, em * kBar);
            set(node.parts[0], style, {at.x + hook, at.y});
        }
        return {width, above, below};
    }

    const Sheet& sheet_;
    Sheet* draws_;
    Color color_;
};

Node parsed(std::string_view markup) {
    MarkupReader reader(markup);
    return reader.row();
}

/// At spaces and line ends that lie in no braces. A line's end is a word of its own.
std::vector<std::string_view> words_in(std::string_view markup) {
    std::vector<std::string_view> words;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= markup.size(); ++at) {
        const char c = at < markup.size() ? markup[at] : ' ';
        depth += c == '{' ? 1 : c == '}' && depth > 0 ? -1 : 0;
        const bool ends = at == markup.size() || (depth == 0 && (c == ' ' || c == '\n'));
        if (!ends) continue;
        if (at > from) words.push_back(markup.substr(from, at - from));
        if (c == '\n') words.push_back(markup.substr(at, 1));
        from = at + 1;
    }
    return words;
}

} // namespace

bool is_well_formed(std::string_view markup) {
    MarkupReader reader(markup);
    reader.row();
    return reader.well_formed();
}

FormulaExtent formula_extent(const Sheet& sheet, std::string_view markup, const TextStyle& style) {
    return Setter(sheet, nullptr, {}).set(parsed(markup), style, {});
}

float draw_formula(Sheet& sheet, std::string_view markup, Point at, const TextStyle& style,
                   Color color) {
    return Setter(sheet, &sheet, color).set(parsed(markup), style, at).width;
}

float draw_words(Sheet& sheet, std::string_view markup, Point top, float width,
                 const TextStyle& style, Color color) {
    struct Word {
        std::string_view markup;
        FormulaExtent extent;
    };
    const float space = sheet.width_of(" ", style);
    const Extent usual = sheet.measure("x", style);
    const float leading = std::round(style.size * 0.35f);
    std::vector<std::vector<Word>> lines(1);
    float used = 0, y = top.y;
    bool wrapped = false; // the last line goes on with the words of the one before
    for (const std::string_view markup_word : words_in(markup)) {
        if (markup_word == "\n") {
            lines.emplace_back();
            used = 0;
            wrapped = false;
            continue;
        }
        const FormulaExtent extent = formula_extent(sheet, markup_word, style);
        if (!lines.back().empty() && used + space + extent.width > width) {
            lines.emplace_back();
            used = 0;
            wrapped = true;
        }
        used += (lines.back().empty() ? 0 : space) + extent.width;
        lines.back().push_back({markup_word, extent});
    }
    constexpr std::size_t kEnough = 3; // words of a line that can give one away
    if (wrapped && lines.back().size() == 1 && lines[lines.size() - 2].size() >= kEnough) {
        std::vector<Word>& before = lines[lines.size() - 2];
        const float both = before.back().extent.width + space + lines.back()[0].extent.width;
        if (both <= width) {
            lines.back().insert(lines.back().begin(), before.back());
            before.pop_back();
        }
    }
    for (const std::vector<Word>& line : lines) {
        if (line.empty() && &line == &lines.back()) break;
        float above = usual.ascent, below = usual.descent;
        for (const Word& word : line) {
            above = std::max(above, word.extent.above);
            below = std::max(below, word.extent.below);
        }
        std::string words; // set as one: words that were placed alone would stand on whole pixels
        for (const Word& word : line) {
            if (!words.empty()) words += ' ';
            words += word.markup;
        }
        draw_formula(sheet, words, {top.x, y + above}, style, color);
        y += above + below + leading;
    }
    return y > top.y ? y - leading : y;
}

Figure formula_figure(std::string_view markup, const TextStyle& style, Color color,
                      const Frame& frame) {
    Frame open = frame;
    open.width = open.height = 0;
    TextStyle fitting = style;
    FormulaExtent extent = formula_extent(Sheet(open, 1, 1), markup, style);
    if (frame.width > 0 && extent.width > frame.width) {
        fitting.size = std::max(style.size * frame.width / extent.width, kSmallest);
        extent = formula_extent(Sheet(open, 1, 1), markup, fitting);
    }
    Sheet sheet(open, extent.width, extent.above + extent.below);
    draw_formula(sheet, markup, {0, extent.above}, fitting, color);
    return std::move(sheet.figure);
}

Figure words_figure(std::string_view markup, const TextStyle& style, Color color,
                    const Frame& frame) {
    Frame open = frame;
    open.height = 0;
    Sheet sheet(open, frame.width, 1);
    const float bottom = draw_words(sheet, markup, {0, 0}, frame.width, style, color);
    sheet.figure.height = std::max(bottom, 1.f);
    return std::move(sheet.figure);
}

} // namespace heed::figure
