#include "figure/base/theme.hpp"

namespace heed::figure {

namespace {

constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex)};
}

} // namespace

const Theme& light_theme() {
    static const Theme theme = {
        .dark = false,
        .ground = rgb(0xf5f7fa),
        .panel = rgb(0xffffff),
        .raised = rgb(0xeef0f4),
        .border = rgb(0xdde1e8),
        .text = rgb(0x1a1e26),
        .muted = rgb(0x5d6779),
        .faint = rgb(0x7f8897),
        .accent = rgb(0xa85d0a),
        .on_accent = rgb(0xffffff),
        .link = rgb(0x4a86d4),
        .bad = rgb(0xb3261e),
        .good = rgb(0x177245),
        .weights = PaletteId::amber,
        .stripes = PaletteId::diverging,
        .series = {rgb(0xa85d0a), rgb(0x2f6fc0), rgb(0x098162), rgb(0x8c4bb3)},
    };
    return theme;
}

const Theme& dark_theme() {
    static const Theme theme = {
        .dark = true,
        .ground = rgb(0x0e1014),
        .panel = rgb(0x15181f),
        .raised = rgb(0x1d212a),
        .border = rgb(0x282d38),
        .text = rgb(0xe9ebef),
        .muted = rgb(0x8f98a8),
        .faint = rgb(0x6c7586),
        .accent = rgb(0xf6b042),
        .on_accent = rgb(0x17130a),
        .link = rgb(0x5c9ff0),
        .bad = rgb(0xff7a70),
        .good = rgb(0x5fd08b),
        .weights = PaletteId::ember,
        .stripes = PaletteId::diverging_dark,
        .series = {rgb(0xf6b042), rgb(0x5c9ff0), rgb(0x4bc9a9), rgb(0xc58cf0)},
    };
    return theme;
}

} // namespace heed::figure
