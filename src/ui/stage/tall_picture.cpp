#include "ui/stage/tall_picture.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

constexpr float kAroundCards = 84, kBetweenCards = 16; // title and margins of the room
constexpr float kCardMargins = 78;                     // the room's, and those within a card

int layers_of(const app::Snapshot& s) {
    return std::max(s.run->model->traits().layers(app::inside_kind(s)), 1);
}

/// Cards of parts, one below another where two would be too narrow for the words of a sentence.
float height_of_parts(const app::Snapshot& s, float width) {
    constexpr float kTwoWide = 668;                 // the width from which two stand in a row
    constexpr float kAroundGrid = 172, kLayer = 12; // titles, names of columns; a row of a grid
    constexpr float kLeastAlone = 236, kLeastBeside = 268;
    constexpr int kMostLayers = 12; // of more a lens shows some
    const app::InsidePicture& now = *s.inside;
    const bool pictures = s.run->model->traits().reads_pictures, recurrent = now.readout.recurrent;
    const int cards = static_cast<int>(now.lens_tokens > 0) +
                      static_cast<int>(!now.readout.classes && !recurrent) +
                      static_cast<int>(!recurrent && !pictures) + static_cast<int>(now.parts > 0);
    const bool beside = width >= kTwoWide;
    const int rows = beside ? (cards + 1) / 2 : cards;
    if (rows < 2) return 0;
    const float grid =
        kAroundGrid + kLayer * static_cast<float>(std::min(layers_of(s), kMostLayers));
    const float row = std::max(beside ? kLeastBeside : kLeastAlone, grid);
    return kAroundCards + static_cast<float>(rows) * (row + kBetweenCards) - kBetweenCards;
}

/// The sentence by each account, in as many lines as it takes, and below it the weights; each of
/// them at least as high as the words beside it.
float height_of_tokens(const app::Snapshot& s, float width) {
    constexpr float kToken = 52, kAccount = 34, kLine = 22, kTitles = 110, kWeights = 240;
    const auto tokens = static_cast<float>(s.run->trace.source.size() + s.run->trace.target.size());
    const float lines = std::ceil(tokens * kToken / std::max(width - kCardMargins, 100.f));
    const float accounts = static_cast<float>(std::size(inside::kTokenMethods));
    figure::InsideRoomData cards;
    app::add_token_cards(s, cards);
    figure::Frame frame;
    frame.width = width;
    frame.theme = &figure::light_theme(); // of which no size depends
    return kAroundCards +
           std::max(kTitles + accounts * (kAccount + kLine * lines) + kBetweenCards + kWeights,
                    figure::height_of_token_words(cards, frame));
}

/// As it was measured for these words in this width.
float kept_height_of_tokens(const Panel& p, float width) {
    const app::Snapshot& s = p.snapshot();
    TokensHeight& kept = p.state.stage->tokens_height;
    if (kept.of != s.inside || kept.units != s.units || kept.width != width)
        kept = {s.inside, s.units, width, height_of_tokens(s, width)};
    return kept.height;
}

} // namespace

float height_of_picture(const Panel& p, const Box& box) {
    constexpr float kHighest = 2400;
    const app::Snapshot& s = p.snapshot();
    if (p.state.view.view != app::View::inside) return box.h;
    if (!s.run || !s.inside || s.inside->error) return box.h;
    if (s.error && !s.inside->complete()) return box.h; // a sentence in the middle says so
    const float least = app::shows_inside_tokens(s, p.state.view) ? kept_height_of_tokens(p, box.w)
                                                                  : height_of_parts(s, box.w);
    return std::max(box.h, std::min(least, kHighest));
}

bool is_tall(const figure::Figure& figure, const Box& box) { return figure.height > box.h + 0.5f; }

Point paint_picture(Panel& p, const figure::Figure& figure, const Box& box) {
    if (!is_tall(figure, box)) {
        p.ui.canvas.push_clip(box);
        p.ui.canvas.paint(figure, {box.x, box.y});
        p.ui.canvas.pop_clip();
        return {box.x, box.y};
    }
    Scroll& scroll = p.state.stage->scroll;
    p.ui.begin_scroll(box, "stage", scroll);
    const Point at{box.x, box.y - scroll.offset};
    p.ui.canvas.paint(figure, at);
    p.ui.end_scroll(box.y + figure.height);
    return at;
}

} // namespace heed::ui
