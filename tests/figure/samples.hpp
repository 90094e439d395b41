// Inputs of the figure tests: made by closed forms, so that they are the same on every machine.
#pragma once

#include "figure/views/plots.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace samples {

using heed::figure::Extent;
using heed::figure::Font;
using heed::figure::Frame;
using heed::figure::Index;
using heed::figure::MapData;
using heed::figure::Matrix;
using heed::figure::Measure;
using heed::figure::TextStyle;
using heed::figure::Theme;

using Values = std::shared_ptr<const Matrix<float>>;

/// Every row is positive and sums to 1; with `causal`, keys after the query weigh exactly 0.
inline Values weights(Index rows, Index cols, bool causal = false) {
    auto result = std::make_shared<Matrix<float>>(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            const bool masked = causal && j > i;
            (*result)(i, j) = masked ? 0.f : static_cast<float>((i * 7 + j * 5) % 11 + 1);
        }
        result->row(i) /= result->row(i).sum();
    }
    return result;
}

/// Between −a and a.
inline Values signed_values(Index rows, Index cols, float a) {
    auto result = std::make_shared<Matrix<float>>(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            (*result)(i, j) = a * (static_cast<float>((i * 5 + j * 3) % 17) - 8) / 8;
        }
    }
    return result;
}

inline const std::vector<std::string> kEnglish = {"The", "cat",     "sat", "on",  "the",
                                                  "mat", "because", "it",  "was", "tired"};
inline const std::vector<std::string> kChinese = {"我",   "昨天", "吃",   "了",
                                                  "一个", "苹果", "⟨eos⟩"};
inline const std::vector<std::string> kMixed = {"anticonstitutionnellement",
                                                "قطة",
                                                "😀",
                                                "👩‍👩‍👧",
                                                "e\u0301t\u00e9",
                                                "注意力机制",
                                                "a",
                                                "",
                                                "ça",
                                                "שלום",
                                                "नमस्ते",
                                                "x y",
                                                "“quoted”"};

/// n labels, taken round and round from a list.
inline std::vector<std::string> repeated(const std::vector<std::string>& list, Index n) {
    std::vector<std::string> result;
    for (Index i = 0; i < n; ++i) {
        result.push_back(list[static_cast<std::size_t>(i) % list.size()]);
    }
    return result;
}

inline MapData map_of(Values values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols) {
    MapData map;
    map.title = "Encoder layer 5 · head 3";
    map.subtitle = "query (rows) attends to key (columns)";
    map.values = std::move(values);
    map.row_labels = rows;
    map.col_labels = cols;
    return map;
}

/// Every letter 0.56 of the size wide (0.6 in mono): layouts that no installed font can change.
inline Extent plain_measure(const std::string& text, const TextStyle& style) {
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    const float share = style.font == Font::mono ? 0.6f : 0.56f;
    return {static_cast<float>(letters) * share * style.size, 0.97f * style.size,
            0.24f * style.size};
}

inline Frame frame_of(float width, float height, Measure measure = &heed::figure::measure,
                      const Theme& theme = heed::figure::light_theme()) {
    Frame frame;
    frame.width = width;
    frame.height = height;
    frame.theme = &theme;
    frame.measure = measure;
    return frame;
}

inline Frame dark_frame(float width, float height, Measure measure = &heed::figure::measure) {
    return frame_of(width, height, measure, heed::figure::dark_theme());
}

/// A frame whose layouts no installed font can change.
inline Frame plain_frame(float width, float height,
                         const Theme& theme = heed::figure::light_theme()) {
    return frame_of(width, height, &plain_measure, theme);
}

} // namespace samples
