// What the window says of a model that others trained: its controls, the bar while it is read, a
// text that goes on, many heads, and pieces of words in every view.
#include "app/temporary_folder.hpp"
#include "app/views/map_data.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "ui/window/reading_bar.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace heed;
using app::View;
using ui::shim::Key;
using ui::test::Driver;

namespace {

/// Opens a small checkpoint of this family, which then reads a sentence.
void open_family(Driver& d, const TemporaryFolder& folder, const std::string& name) {
    make_text_checkpoint(folder / name, name);
    open(d, folder / name);
    d.replace_field(d.has("source") ? "source" : "target", "the cat sat");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
}

std::string tip_of(Driver& d, const std::string& name) {
    d.key(Key::escape);
    d.hover(figure::Point{2, 2});
    d.frames(3);
    d.hover(name);
    d.frames(60);
    return ui::test::on_one_line(d.screen());
}

} // namespace

TEST_CASE("every control says what it means on the family that is open") {
    struct Words {
        std::string family, control, words;
    };
    const std::vector<Words> all = {
        {"gpt2", "label/Positions", "This model learned a vector for each of 32 positions."},
        {"gpt2", "label/Mask", "This model was trained with a causal mask."},
        {"gpt2", "norm/label", "This model was trained with LayerNorm before each sublayer."},
        {"gpt2", "label/Combine with embeddings", "This model adds them."},
        {"gpt2", "temperature", "This model was trained at 1."},
        {"llama", "label/Positions", "features of each query and key by their position (base"},
        {"llama", "norm/label", "This model was trained with RMSNorm before each sublayer."},
        {"llama", "label/Combine with embeddings", "its positions act inside attention."},
        {"t5", "label/Positions", "ranges of distance, in every head."},
        {"t5", "label/Mask", "This model was trained with a causal mask."},
        {"t5", "factor", "This model never divides its scores: its factor is 1."},
        {"bart", "norm/label", "This model was trained with LayerNorm after each sublayer."},
        {"marian", "label/Positions", "This model adds fixed sine waves to its embeddings."},
        {"mistral", "label/Mask", "and a causal mask."},
        {"gemma2", "norm/label", "RMSNorm before each sublayer, and once more after it."},
        {"gemma2", "factor", "Scores are then bounded at ±"},
    };
    const TemporaryFolder folder;
    std::string open_now;
    Driver d(Driver::high());
    for (const auto& [family, control, words] : all) {
        CAPTURE(family, control, words);
        if (open_now != family) open_family(d, folder, family);
        open_now = family;
        const std::string tip = tip_of(d, control);
        CAPTURE(tip);
        CHECK(tip.find(words) != std::string::npos);
    }
    open_family(d, folder, "t5_gated");
    const auto mask_of = [&](const std::string& kind) {
        d.click(kind);
        d.settle();
        return tip_of(d, "label/Mask");
    };
    CHECK(mask_of("kind/Encoder").find("encoder reads both ways") != std::string::npos);
    CHECK(mask_of("kind/Cross").find("sees the whole source") != std::string::npos);
}

TEST_CASE("a model that is read says how far it is, and how long that still takes") {
    CHECK(ui::reading_words({"/models/large", 0, 0.1}) == "Reading large · 0 %");
    CHECK(ui::reading_words({"/models/large/", 0.25, 2}) == "Reading large · 25 % · 6 s left");
    CHECK(ui::reading_words({"m.gguf", 0.75, 7.5}) == "Reading m.gguf · 75 % · 3 s left");
}

TEST_CASE("the map grows with the text that Space goes on with") {
    const TemporaryFolder folder;
    Driver::Options options = Driver::high();
    options.document.decoding.sampling.temperature = 2;
    Driver d(options);
    open_family(d, folder, "gpt2");
    std::set<num::Index> while_playing;
    for (int word = 3; word < 40 && while_playing.size() < 4; ++word) { // some texts end at once
        while_playing.clear();
        d.replace_field("target", fmt::format("the cat w{}", word));
        d.settle();
        d.key(Key::escape);
        ui::shim::press_key(Key::space, true);
        d.frames(2);
        ui::shim::press_key(Key::space, false);
        for (int frame = 0; frame < 2000 && d.shell->state.player.playing; ++frame) {
            d.frame();
            const auto& snapshot = d.snapshot();
            REQUIRE(snapshot.map);
            CHECK(snapshot.map->rows() == std::ssize(snapshot.run->trace.target));
            CHECK(app::map_data(snapshot).row_labels.size() ==
                  static_cast<std::size_t>(snapshot.map->rows()));
            while_playing.insert(snapshot.map->rows());
        }
        d.settle();
    }
    CHECK(while_playing.size() >= 4);
}

TEST_CASE("of 32 layers with 32 heads each head can be chosen, and none leaves the panel") {
    Driver::Options options = Driver::tiny();
    auto& spec = *models::spec_of(options.document.model);
    spec.architecture = models::Architecture::decoder_only;
    spec.n_heads = spec.n_decoder_layers = 32;
    options.document.target = "the cat sat";
    options.focus.head.kind = trace::AttentionKind::decoder_self;
    const std::pair<int, int> sizes[] = {{1280, 800}, {1600, 1000}};
    for (const auto& [width, height] : sizes) {
        CAPTURE(width);
        options.width = width;
        options.height = height;
        Driver d(options);
        d.settle();
        const figure::Box grid = d.find("heads").box;
        CHECK(grid.x >= 0);
        CHECK(grid.x + grid.w <= static_cast<float>(width));
        std::set<int> heads, layers; // each lies under some of the points of a row or a column
        for (float x = grid.x + 1; x < grid.x + grid.w; x += 2) {
            d.click(figure::Point{x, grid.y + grid.h * 0.6f});
            heads.insert(d.shell->work.focus().head.head);
        }
        for (float y = grid.y + 1; y < grid.y + grid.h; y += 2) {
            d.click(figure::Point{grid.x + grid.w * 0.6f, y});
            layers.insert(d.shell->work.focus().head.layer);
        }
        CHECK(heads.size() == 32);
        CHECK(layers.size() == 32);
    }
}
