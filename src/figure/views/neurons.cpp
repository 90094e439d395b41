#include "figure/views/neurons.hpp"

#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/views/neuron_columns.hpp"
#include "nn/attention/score_info.hpp"
#include "text/word_names.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string_view>

namespace heed::figure {

namespace {

constexpr float kHeadHeight = 36, kQueryHeight = 34;
constexpr float kColumnGap = 20;             // between columns
constexpr float kRow = 26, kTallestKey = 104; // heights of rows: by choice, and at most
constexpr float kLowestKey = 13;             // and at least
constexpr float kNarrowestStripe = 90;       // a stripe that still shows its features

/// The places of everything, from left to right and from top to bottom.
struct NeuronPlaces {
    float left, label_right;
    float key, product, stripe; // left edges of the stripes and their width; product 0: none
    std::vector<NumberColumn> columns;
    std::vector<float> column_right;
    float bar, bar_width;
    float head, query, top, pitch; // of the words, of q, of the first row; height of a row
};

/// Columns that a narrow picture does without, in the order in which they go.
constexpr const char* kDispensable[] = {"exp", "scaled", "bounded", "score", "biased", "masked"};

void place_across(NeuronPlaces& places, const trace::Neurons& row, float right) {
    const float room = right - places.label_right - kColumnGap;
    const float stripes = row.is_product ? 2.f : 1.f;
    const auto numbers = [&] {
        float width = 0;
        for (const NumberColumn& column : places.columns) width += column.width + kColumnGap;
        return width;
    };
    places.bar_width = std::clamp(0.12f * room, 24.f, 120.f);
    const auto left_over = [&] {
        return room - numbers() - places.bar_width - 8 - (stripes - 1) * kColumnGap;
    };
    for (const char* name : kDispensable) {
        if (left_over() >= stripes * kNarrowestStripe) break;
        std::erase_if(places.columns, [&](const NumberColumn& c) { return c.name == name; });
        if (std::string_view(name) == "exp") places.columns.back().how = "softmax";
    }
    const float widest = std::max(14 * static_cast<float>(row.d_k()), 120.f);
    places.stripe = std::clamp(std::floor(left_over() / stripes), 1.f, widest);
    // Edges of stripes fall on edges of pixels.
    places.key = std::round(places.label_right + kColumnGap);
    float x = places.key + places.stripe;
    places.product = row.is_product ? x + kColumnGap : 0;
    if (row.is_product) x += kColumnGap + places.stripe;
    for (const NumberColumn& column : places.columns) {
        x += kColumnGap + column.width;
        places.column_right.push_back(x);
    }
    places.bar = x + 8;
}

/// Fills the height from the first row to `bottom` with as many keys as have room there, and gives
/// them: all, or those with the most weight.
std::vector<int> place_keys(NeuronPlaces& places, const trace::Neurons& row,
                            const NeuronsOptions& options, float bottom, float tallest) {
    const int m = static_cast<int>(row.n_keys() - std::ssize(options.hidden));
    float room = std::max(bottom - places.top, 1.f);
    const bool all = room >= kLowestKey * static_cast<float>(m);
    if (!all) room = std::max(room - kNoteHeight, 1.f);
    const int most = all ? m : std::clamp(static_cast<int>(room / 16), 1, m);
    std::vector<int> keys =
        keys_with_most_weight(row.weights, most, options.selected, options.hidden);
    places.pitch = std::min(room / static_cast<float>(keys.size()), tallest);
    if (places.pitch >= 9) places.pitch = std::floor(places.pitch);
    return keys;
}

float label_width(const Sheet& sheet, const NeuronsData& data, const std::vector<int>& keys) {
    const TextStyle strong{type_size::kLabel, Font::sans, Weight::bold};
    float width =
        std::max(sheet.width_of("key ↓", kNote), sheet.width_of(data.query_label, strong));
    for (const int key : keys) {
        const auto place = static_cast<std::size_t>(key);
        if (place >= data.key_labels.size()) continue;
        width = std::max(width, sheet.width_of(data.key_labels[place], strong));
    }
    return std::ceil(width); // places are sums, whose rounding would cut what fits to a hair
}

/// Bands behind the whole rows of the selected key and of the hovered one.
void draw_key_bands(Sheet& sheet, const NeuronPlaces& places, const std::vector<int>& keys,
                    const NeuronsOptions& options, float right) {
    const Theme& theme = sheet.theme();
    const Color band = faded(theme.dark ? theme.text : theme.accent, 0.08f);
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const Box whole{places.left, places.top + static_cast<float>(j) * places.pitch,
                        right - places.left, places.pitch};
        if (options.selected == keys[j])
            sheet.fill(whole, band);
        else if (options.hovered == keys[j])
            sheet.fill(whole, faded(theme.text, 0.04f));
        sheet.target(whole, tag::ColLabel{keys[j]});
    }
}

void draw_stripe(Sheet& sheet, const Box& box, std::shared_ptr<const Matrix<float>> values,
                 float size) {
    sheet.heat(box, std::move(values), sheet.theme().stripes, -size, size);
}

/// The chosen features of the chosen keys, each key divided from the next where there is room.
void draw_stripes(Sheet& sheet, const NeuronPlaces& places, const trace::Neurons& row,
                  const std::vector<int>& keys, const std::vector<Index>& features, float x,
                  Stripe stripe, float size) {
    auto values = std::make_shared<Matrix<float>>(static_cast<Index>(keys.size()), row.d_k());
    for (std::size_t j = 0; j < keys.size(); ++j) {
        for (std::size_t i = 0; i < features.size(); ++i) {
            const Index feature = features[i];
            const float k = row.k(keys[j], feature);
            (*values)(static_cast<Index>(j), static_cast<Index>(i)) =
                stripe == Stripe::product ? row.q[feature] * k : k;
        }
    }
    const float between = std::clamp(places.pitch * 0.2f, 0.f, 5.f);
    const bool divided = between >= 1;
    const auto n = static_cast<float>(keys.size());
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const float y = places.top + static_cast<float>(j) * places.pitch;
        const Box cells{x, y + between / 2, places.stripe, places.pitch - between};
        if (divided) {
            auto one = std::make_shared<Matrix<float>>(values->row(static_cast<Index>(j)));
            draw_stripe(sheet, cells, std::move(one), size);
        }
        const auto all = static_cast<int>(row.d_k());
        sheet.target(cells, tag::Stripe{keys[j], all, static_cast<int>(stripe), all});
    }
    const Box all{x, places.top, places.stripe, n * places.pitch};
    if (!divided) draw_stripe(sheet, all, std::move(values), size);
}

void draw_heads(Sheet& sheet, const NeuronPlaces& places, const trace::Neurons& row, float key_size,
                float product_size, bool ordered) {
    const Color name = sheet.theme().text, how = sheet.theme().muted;
    const auto words = [&](float x, const std::string& first, const std::string& second,
                           AlignX align, float width) {
        sheet.text(sheet.fitted(first, kNote, width), {x, places.head + 11}, kNote, name, align);
        sheet.text(sheet.fitted(second, kMonoNote, width), {x, places.head + 26}, kMonoNote, how,
                   align);
    };
    sheet.text(sheet.fitted("key ↓", kNote, places.label_right - places.left),
               {places.label_right, places.top - 2}, kNote, how, AlignX::right);
    const std::string q = row.is_product && nn::has_parameters(row.score) ? "qW" : "q";
    // As many words as the stripe is wide.
    const auto longest = [&](std::initializer_list<std::string> texts, const TextStyle& style) {
        for (const std::string& text : texts) {
            if (sheet.width_of(text, style) <= places.stripe) return text;
        }
        return *(texts.end() - 1);
    };
    const std::string count = std::to_string(row.d_k()), range = "±" + scale_text(key_size);
    const std::string sorted = "dₖ = " + count + " features, largest |" + q + "∘k| first, " + range;
    const std::string features =
        ordered ? longest({sorted, count + " sorted, " + range, range}, kMonoNote)
                : longest({"dₖ = " + count + " features, " + range, "dₖ = " + count + ", " + range,
                           range},
                          kMonoNote);
    const std::string rotated = row.rotated ? ", rotated" : "";
    words(places.key, longest({"query " + q + ", keys k" + rotated, q + ", k" + rotated}, kNote),
          features, AlignX::left, places.stripe);
    if (places.product > 0) {
        words(places.product, longest({"product " + q + "∘k", q + "∘k"}, kNote),
              "±" + scale_text(product_size), AlignX::left, places.stripe);
    }
    for (std::size_t i = 0; i < places.columns.size(); ++i) {
        const NumberColumn& column = places.columns[i];
        words(places.column_right[i], column.name, column.how, AlignX::right, column.width + 1);
    }
}

void draw_query(Sheet& sheet, const NeuronPlaces& places, const NeuronsData& data,
                const std::vector<Index>& features, float size) {
    auto q = std::make_shared<Matrix<float>>(1, data.row->d_k());
    for (std::size_t i = 0; i < features.size(); ++i) {
        (*q)(0, static_cast<Index>(i)) = data.row->q[features[i]];
    }
    const float height = std::min(std::max(places.pitch, 16.f), 22.f);
    const Box box{places.key, places.query, places.stripe, height};
    const TextStyle style{std::min(type_size::kLabel, height - 3), Font::sans, Weight::bold};
    sheet.text(sheet.fitted(data.query_label, style, places.label_right - places.left),
               {places.label_right, box.y + height / 2}, style, sheet.theme().accent, AlignX::right,
               AlignY::middle);
    draw_stripe(sheet, box, std::move(q), size);
    sheet.stroke({box.x - 1.5f, box.y - 1.5f, box.w + 3, box.h + 3}, sheet.theme().accent, 1.5f);
    const auto all = static_cast<int>(data.row->d_k());
    sheet.target(box, tag::Stripe{-1, all, static_cast<int>(Stripe::query), all});
}

void draw_rows_of_numbers(Sheet& sheet, const NeuronPlaces& places, const NeuronsData& data,
                          const NeuronsOptions& options, const std::vector<int>& keys) {
    const Theme& theme = sheet.theme();
    TextStyle label{std::clamp(std::floor(0.62f * places.pitch), 9.f, type_size::kLabel)};
    TextStyle number = kMonoNote;
    number.size = std::min(number.size, places.pitch - 1.5f);
    const float thick = std::clamp(places.pitch * 0.42f, 0.4f, 11.f);
    draw_word_brackets(sheet, keys, data.word_of, places.label_right + 8, places.top, places.pitch);
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const int key = keys[j];
        const float y = places.top + (static_cast<float>(j) + 0.5f) * places.pitch;
        const bool selected = options.selected == key, masked = is_masked(*data.row, key);
        label.weight = selected || options.hovered == key ? Weight::bold : Weight::regular;
        number.weight = selected ? Weight::bold : Weight::regular;
        const auto place = static_cast<std::size_t>(key);
        if (place < data.key_labels.size() && places.pitch >= kLowestKey) {
            const Color ink = selected ? theme.accent : masked ? theme.muted : theme.text;
            sheet.text(
                sheet.fitted(data.key_labels[place], label, places.label_right - places.left),
                {places.label_right, y}, label, ink, AlignX::right, AlignY::middle);
        }
        for (std::size_t i = 0; places.pitch >= 9 && i < places.columns.size(); ++i) {
            const bool last = i + 1 == places.columns.size();
            sheet.text(places.columns[i].cells[j], {places.column_right[i], y}, number,
                       selected || (last && !masked) ? theme.text : theme.muted, AlignX::right,
                       AlignY::middle);
        }
        const float weight = data.row->weights[place];
        if (std::isfinite(weight) && weight >= kLeastBar) {
            const float length = std::max(std::min(weight, 1.f) * places.bar_width, 1.f);
            sheet.fill({places.bar, y - thick / 2, length, thick}, theme.accent,
                       thick >= 5 ? std::min(2.f, length / 2) : 0.f);
        }
    }
}

/// Above the products the number of the feature that gives most to the row's largest weight.
void draw_most(Sheet& sheet, const NeuronPlaces& places, const trace::Neurons& row,
               const std::vector<int>& keys, const std::vector<Index>& features) {
    const auto largest = std::ranges::max_element(
        keys, {}, [&](int key) { return row.weights[static_cast<std::size_t>(key)]; });
    if (features.empty() || largest == keys.end()) return;
    Index most = 0;
    row.q.cwiseProduct(row.k.row(*largest)).maxCoeff(&most);
    const auto at = std::ranges::find(features, most) - features.begin();
    const float pitch = places.stripe / static_cast<float>(features.size());
    sheet.text(std::to_string(most + 1),
               {places.product + (static_cast<float>(at) + 0.5f) * pitch, places.top - 5},
               kMonoNote, sheet.theme().accent, AlignX::centre);
}

/// The column of one feature through all stripes.
void draw_feature(Sheet& sheet, const NeuronPlaces& places, const std::vector<Index>& features,
                  int feature, float bottom) {
    const auto found = std::find(features.begin(), features.end(), static_cast<Index>(feature));
    if (found == features.end()) return;
    const float pitch = places.stripe / static_cast<float>(features.size());
    const float at = static_cast<float>(found - features.begin()) * pitch;
    for (const float x : {places.key, places.product}) {
        if (x == 0) continue;
        const float width = std::max(pitch, 4.f), top = x == places.key ? places.query : places.top;
        sheet.stroke({x + at + (pitch - width) / 2 - 1, top - 1, width + 2, bottom - top + 2},
                     sheet.theme().text, 1);
    }
}

void check_numbers(const trace::Neurons& row) {
    for (const auto* numbers :
         {&row.scores, &row.scaled, &row.masked, &row.exponentials, &row.weights}) {
        HEED_CHECK(numbers->size() == static_cast<std::size_t>(row.n_keys()),
                   "{} numbers of {} keys", numbers->size(), row.n_keys());
    }
}

/// Empty where there is something to show.
std::string why_nothing(const trace::Neurons* row) {
    if (row == nullptr || row->n_keys() == 0 || row->d_k() == 0) {
        return "Nothing to show: there are no keys";
    }
    if (row->q.size() == row->d_k()) return "";
    // Scores that are no products of features take any.
    return "The query has " + std::to_string(row->q.size()) + " features, a key " +
           std::to_string(row->d_k()) + ": they do not pair";
}

float largest_product(const trace::Neurons& row, const std::vector<int>& keys) {
    float largest = 0;
    for (const int key : keys) {
        for (Index i = 0; i < row.d_k(); ++i) {
            const float size = std::abs(row.q[i] * row.k(key, i));
            if (std::isfinite(size)) largest = std::max(largest, size);
        }
    }
    return largest;
}

std::string note_on_keys(std::size_t shown, Index n_keys, bool with_selected) {
    return std::to_string(shown) + " of " + std::to_string(n_keys) +
           " keys: those with the largest weights" + (with_selected ? ", and the chosen one" : "");
}

} // namespace

bool is_masked(const trace::Neurons& row, int key) {
    return row.masked[static_cast<std::size_t>(key)] == -std::numeric_limits<float>::infinity();
}

std::vector<Index> feature_order(const trace::Neurons& row, const NeuronsOptions& options) {
    std::vector<Index> order(static_cast<std::size_t>(row.d_k()));
    std::iota(order.begin(), order.end(), Index{0});
    if (options.order == FeatureOrder::place || !row.is_product) return order;
    std::vector<double> share(order.size(), 0);
    const bool of_one = options.selected && *options.selected >= 0 &&
                        *options.selected < static_cast<int>(row.n_keys());
    for (Index key = 0; key < row.n_keys(); ++key) {
        if (of_one && key != *options.selected) continue;
        const float weight = of_one ? 1 : row.weights[static_cast<std::size_t>(key)];
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto feature = static_cast<Index>(i);
            const float size = std::abs(row.q[feature] * row.k(key, feature)) * weight;
            if (std::isfinite(size)) share[i] += static_cast<double>(size);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        return share[static_cast<std::size_t>(a)] > share[static_cast<std::size_t>(b)];
    });
    return order;
}

std::vector<std::string> key_names(const std::vector<std::string>& words, std::vector<int> keys) {
    std::erase_if(keys, [&](int key) { return key >= std::ssize(words); });
    if (keys.size() == words.size()) return words;
    const std::vector<std::string_view> all(words.begin(), words.end());
    return text::word_names(all, keys);
}

std::vector<int> keys_with_most_weight(std::span<const float> weights, int most,
                                       std::optional<int> selected,
                                       const std::vector<int>& hidden) {
    std::vector<int> keys;
    for (int key = 0; key < std::ssize(weights); ++key) {
        if (!std::ranges::binary_search(hidden, key)) keys.push_back(key);
    }
    const auto wanted = static_cast<std::size_t>(std::max(most, 0));
    if (keys.size() <= wanted) return keys;
    const auto rank = [&](int key) {
        const float weight = weights[static_cast<std::size_t>(key)];
        if (key == selected) return std::numeric_limits<float>::infinity();
        return std::isfinite(weight) ? weight : -1.f;
    };
    std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return rank(a) > rank(b); });
    keys.resize(wanted);
    std::sort(keys.begin(), keys.end());
    return keys;
}

Figure neurons(const NeuronsData& data, const NeuronsOptions& options, const Frame& frame) {
    const Index m = data.row ? data.row->n_keys() - std::ssize(options.hidden) : 0,
                d = data.row ? data.row->d_k() : 0;
    if (data.row) check_numbers(*data.row);
    Sheet sheet(frame, 1040, 0);
    sheet.figure.title = "One query against " + std::to_string(m) + " keys of " +
                         std::to_string(d) + " features" +
                         (data.title.empty() ? "" : ": " + data.title);
    const float under_title = sheet.header(data.title, data.subtitle);
    if (const std::string nothing = why_nothing(data.row.get()); !nothing.empty()) {
        constexpr TextStyle style{type_size::kSubtitle};
        sheet.text(sheet.fitted(nothing, style, sheet.width() - 2 * sheet.margin()),
                   {sheet.margin(), under_title + 20}, style, sheet.theme().muted);
        sheet.close_at(under_title + 28);
        return std::move(sheet.figure);
    }
    const trace::Neurons& row = *data.row;
    constexpr Index kNaturalRows = 40;
    const float above = kHeadHeight + kQueryHeight;
    const float right = sheet.width() - sheet.margin();
    const ColourKey key{"−a", "a", sheet.theme().stripes, ": the number after ± in each heading"};
    const float head = draw_keys_below_title(sheet, {key}, under_title);
    const float bottom =
        sheet.height_is_open()
            ? head + above + kNoteHeight + kRow * static_cast<float>(std::min(m, kNaturalRows))
            : sheet.footer();
    NeuronPlaces places{};
    places.left = sheet.margin();
    places.head = head;
    places.query = std::round(head + kHeadHeight);
    places.top = std::round(head + above);
    const std::vector<int> keys =
        place_keys(places, row, options, bottom, sheet.height_is_open() ? kRow : kTallestKey);
    const float end = places.top + places.pitch * static_cast<float>(keys.size());
    places.label_right =
        places.left + std::min(label_width(sheet, data, keys), 0.2f * (right - places.left));
    places.columns = number_columns(sheet, row, keys);
    place_across(places, row, right);

    draw_key_bands(sheet, places, keys, options, right);
    const std::vector<Index> features = feature_order(row, options);
    const auto or_one = [](float size) { return size > 0 ? size : 1; };
    const float key_size = or_one(std::max(largest_size(row.k), largest_size(row.q)));
    const float product_size = or_one(largest_product(row, keys));
    const bool ordered = options.order == FeatureOrder::contribution && row.is_product;
    draw_heads(sheet, places, row, key_size, product_size, ordered);
    draw_query(sheet, places, data, features, key_size);
    draw_stripes(sheet, places, row, keys, features, places.key, Stripe::key, key_size);
    if (places.product > 0) {
        draw_stripes(sheet, places, row, keys, features, places.product, Stripe::product,
                     product_size);
        draw_most(sheet, places, row, keys, features);
    }
    draw_rows_of_numbers(sheet, places, data, options, keys);
    if (options.feature) draw_feature(sheet, places, features, *options.feature, end);
    const bool all = keys.size() == static_cast<std::size_t>(m);
    if (!all) {
        const std::string note = note_on_keys(keys.size(), m, options.selected.has_value());
        sheet.text(sheet.fitted(note, kNote, right - places.left), {places.left, end + 16}, kNote,
                   sheet.theme().muted);
    }
    sheet.close_at(all ? end : end + kNoteHeight);
    return std::move(sheet.figure);
}

} // namespace heed::figure
