// The flags that decide which numbers are computed: model, sentences and controls.
#pragma once

#include "app/cli/command.hpp"
#include "app/document/document.hpp"
#include "app/engine/prepare.hpp"
#include "base/result.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::app {

std::vector<Flag> model_flags();
std::vector<Flag> sentence_flags();
Flag controls_file_flag(); // the first of
std::vector<Flag> control_flags();

// Errors of all: usage and out_of_range, with the flag as the subject.

/// Reads the model; without --model and without a flag of a drawn model's shape, default_model().
base::Result<void> read_model(const Given& given, Document& document);
base::Result<void> read_sentences(const Given& given, Document& document);
/// Sentences that were not given: of a trained model the one that it opens with; of a source
/// without a target, what can speak does, and any other model reads the source again. To be called
/// when it is known what model the document names.
void fit_sentences(const Given& given, const ModelFacts& model, Document& document);
base::Result<void> read_controls_file(const Given& given, Document& document);
/// `focused`: what --apply-to layer and head mean; null where a command has no --layer.
/// Errors: also those of reading the file of --controls.
base::Result<void> read_controls(const Given& given, const trace::HeadId* focused,
                                 Document& document);
/// An error that names --mask, where it paints a cell that no map of its scope has.
base::Result<void> check_painted(const Given& given, const trace::HeadId* focused,
                                 const models::Run& run);

/// The questions to the run: --word, --against, --at, --other, --instead, --from-layer, --to-layer.
std::vector<Flag> question_flags();
Flag patch_flag(); // of the room Inside alone
/// Puts the questions into the document; the model runs only where a word or a token is named.
/// Errors: also those of the run.
base::Result<void> read_asked(const Given& given, const std::shared_ptr<const models::Model>& model,
                              num::ThreadPool& pool, Document& document);
/// True where read_asked() needs the model.
bool asks_of_words(const Given& given);

} // namespace heed::app
