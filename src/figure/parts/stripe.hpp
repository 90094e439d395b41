// Stripes: the features of one vector side by side, each a thin bar of colour; and rows of them
// without labels.
#pragma once

#include "figure/base/sheet.hpp"
#include "num/matrix.hpp"

#include <set>
#include <string>
#include <vector>

namespace heed::figure {

/// The colours of a stripe's numbers.
struct StripeColours {
    float size = 1;       // −size … size
    bool of_gate = false; // 0 … 1, in the palette of weights
};

/// The features of a vector that a stripe of so many points has room for: all, every second, …
Index features_with_room(Index features, float points);
/// The feature at a place of those that are drawn.
inline Index drawn_feature(Index place, Index drawn, Index features) {
    return drawn > 0 ? place * ((features + drawn - 1) / drawn) : 0;
}
num::RowVector<float> drawn_features(const num::RowVector<float>& values, float points);

/// "second", "12th".
std::string ordinal_of(Index number);
/// "where names are many, every second or third is drawn": by the steps from one to the next, 1
/// where all are; empty where all always are.
std::string names_left_out(std::set<int> steps);

/// Features that stripes leave out, told in words: "every second feature drawn", where stripes
/// differ "not all features drawn"; empty where each has all.
class LeftOutFeatures {
  public:
    void add(Index drawn, Index features);
    std::string words() const;

  private:
    std::set<Index> steps_; // from one feature that is drawn to the next
};
/// About the longest of these words.
inline constexpr const char* kMostLeftOut = "every seventh feature drawn";

/// Features that stripes of a figure leave out, of those that are targets.
LeftOutFeatures left_out_of(const Figure& figure);

/// Draws the vector as one row, as many features as have room; nothing where it is empty. With a
/// target: a stripe.
void draw_stripe(Sheet& sheet, const Box& box, const num::RowVector<float>& values,
                 const StripeColours& colours, int of, int which);
/// The largest magnitude that is finite; 1 where there is none above 0.
float size_of(const num::RowVector<float>& values);

/// Rows of numbers as bare stripes: what a panel writes beside them is its own.
struct Stripes {
    std::vector<num::RowVector<float>> rows{}; // signed; each has the colours of its own size
    float above = 0, below = 0;                // points left free around each row
};
/// The rows, as a picture of their own: they share the frame's height evenly.
Figure stripes(const Stripes& stripes, const Frame& frame);

/// A number in a circle: what comes after what.
void draw_ordinal(Sheet& sheet, Point centre, int number);

} // namespace heed::figure
