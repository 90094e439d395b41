#include "app/files/model_opening.hpp"

#include "app/files/shipped_models.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/traits.hpp"

#include <utility>

namespace heed::app {

namespace {

/// Puts the text that was read last where every model reads it. What a decoder alone read is no
/// translation; what any model said is no answer of one that speaks by itself.
void keep_text(Document& document, const models::Config& read_by) {
    const models::Traits before = models::traits(read_by);
    const bool one_text =
        !before.encodes && before.decodes && !before.reads_source && !before.weights_alone;
    if (one_text && !document.target.empty()) document.source = document.target;
    if (document.source.empty()) document.source = Document().source;
    if (models::is_checkpoint(document.model_file) || document.target == document.source) {
        document.target.clear();
    }
}

} // namespace

ModelOpening model_opening(const std::string& path, const OpenedModel& model, Document document,
                           const Focus& focus, const models::Config& read_by) {
    ModelOpening opening{std::move(document), focus};
    Document& d = opening.document;
    d.model_file = path;
    d.sentence = 0;
    d.inside = {}; // words are rows of one vocabulary
    d.written = {};
    d.segmentation = {}; // words, unless it tells of another
    // What was changed in another model's heads and cells means nothing in this one's.
    opening.clears_changes = !(d.controls == models::Controls{} && d.resting == models::Controls{});
    d.controls = {};
    d.resting = {};
    if (model.provenance) {
        const Opening own = opening_of(path, *model.provenance);
        opening.has_sentence = true;
        d.source = own.document.source;
        d.target.clear();
        d.segmentation = own.document.segmentation;
        d.decoding = {};
        opening.focus.head = own.focus.head;
    } else if (model.of_one_sequence) {
        d.decoding.rule = models::Decoding::Rule::forced; // it goes on when it is told
        keep_text(d, read_by);
        d.target = d.source; // what a decoder reads
    } else {
        keep_text(d, read_by);
    }
    return opening;
}

} // namespace heed::app
