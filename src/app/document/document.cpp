#include "app/document/document.hpp"

namespace heed::app {

bool run_alike(const Document& a, const Document& b) {
    Document asked = a;
    asked.inside = b.inside;
    return asked == b;
}

bool same_text(const Document& a, const Document& b) {
    return a.source == b.source && a.target == b.target && a.segmentation == b.segmentation &&
           a.pad_to == b.pad_to;
}

} // namespace heed::app
