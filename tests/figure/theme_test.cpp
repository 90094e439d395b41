#include "catch.hpp"

#include "figure/base/theme.hpp"

using namespace heed::figure;

TEST_CASE("text reads well on every surface of both themes") {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        INFO((theme->dark ? "dark" : "light"));
        for (const Color surface : {theme->ground, theme->panel, theme->raised}) {
            CHECK(contrast(theme->text, surface) >= 7);
            CHECK(contrast(theme->muted, surface) >= 4.5f);
            CHECK(contrast(theme->faint, surface) >= 3); // words of what is disabled
            CHECK(contrast(theme->muted, surface) > contrast(theme->faint, surface));
            CHECK(contrast(theme->bad, surface) >= 4.5f);
            CHECK(contrast(theme->good, surface) >= 4.5f);
            CHECK(contrast(theme->accent, surface) >= 4);
        }
        CHECK(contrast(theme->accent, theme->panel) >= 4.5f);
        CHECK(contrast(theme->accent, theme->ground) >= 4.5f);
        CHECK(contrast(theme->on_accent, theme->accent) >= 4.5f);
        CHECK(contrast(theme->link, theme->ground) >= 3);
        for (const Color curve : theme->series) { // names are written in them, too
            CHECK(contrast(curve, theme->panel) >= 4.5f);
            CHECK(contrast(curve, theme->ground) >= 4.5f);
        }
    }
    CHECK_FALSE(light_theme().dark);
    CHECK(dark_theme().dark);
}
