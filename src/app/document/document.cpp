#include "app/document/document.hpp"

namespace heed::app {

bool run_alike(const Document& a, const Document& b) {
    Document asked = a;
    asked.inside = b.inside;
    return asked == b;
}

} // namespace heed::app
