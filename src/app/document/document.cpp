#include "app/document/document.hpp"

namespace heed::app {

const std::vector<int>* written_ids(const Document& document) {
    const WrittenTokens& written = document.written;
    return written.ids.empty() || written.text != document.target ? nullptr : &written.ids;
}

bool run_alike(const Document& a, const Document& b) {
    Document asked = a;
    asked.inside = b.inside;
    return asked == b;
}

bool same_model(const Document& a, const Document& b) {
    return a.model_file == b.model_file && (!a.model_file.empty() || a.model == b.model);
}

bool same_text(const Document& a, const Document& b) {
    return a.source == b.source && a.target == b.target && a.written == b.written &&
           a.segmentation == b.segmentation && a.pad_to == b.pad_to;
}

} // namespace heed::app
