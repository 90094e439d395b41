// The XML check is a judge of other tests: it is tested first.
#include "sample.hpp"

#include "catch.hpp"

using sample::xml_fault;

TEST_CASE("the XML check takes what is well formed and refuses what is not") {
    CHECK(xml_fault("<?xml version=\"1.0\"?>\n<a b=\"1\"><c/>x &amp; y</a>\n").empty());
    for (const char* broken : {"<a>", "<a></b>", "<a/><b/>", "<a>x & y</a>", "<a b=\"<\"/>",
                               "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>\x01</a>", "<a>\xff</a>",
                               "x<a/>", "<a b=\"1/>", "<a", "< a/>", "<a>]]></a>"}) {
        INFO(broken);
        CHECK_FALSE(xml_fault(broken).empty());
    }
}
