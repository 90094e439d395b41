// The lines of a corpus through a model, one after another.
#pragma once

#include "app/document/document.hpp"
#include "app/inside/corpus_alignment.hpp"
#include "app/inside/head_corpus.hpp"
#include "inside/ablation.hpp"

#include <functional>
#include <optional>
#include <stop_token>

namespace heed::app {

struct CorpusPlan {
    std::shared_ptr<const models::Model> model;
    std::string model_name, corpus_name; // as HeadCorpus has them
    std::string path;                    // of the corpus, for messages
    std::string_view text;               // one sentence a line
    Document document;                   // how a line is read; its sentences are not
    std::uint64_t seed = 1;              // of the random sequences
    std::uint64_t sequences = 16;
    std::size_t part = 1, parts = 1; // lines and sequences number part, part + parts, …
    std::size_t most_top = 3;
    /// The gold links, when lines are "source ⇥ target" and heads that align are held against them.
    const GoldCorpus* gold = nullptr;
    /// Means that every line's run is added to, when given, of models that say words or classes.
    inside::MeanActivations* means = nullptr;
};

/// The document that reads a line of a corpus: an encoder beside a decoder reads it, and the
/// decoder says what it says of it; a model that says nothing reads it on both sides. `aligned`: of
/// "source ⇥ target" each side reads its own.
Document document_of_line(const Document& document, const models::Model& model,
                          std::string_view line, bool aligned = false);

struct CorpusProgress {
    std::size_t done = 0, all = 0; // lines and sequences
};

struct MeasuredCorpus {
    HeadCorpus corpus;
    std::size_t cut = 0;                        // lines that were longer than the model reads
    std::size_t refused = 0;                    // lines that could not be read, and are left out
    std::optional<base::Error> first_refused{}; // with "PATH:12" as the subject
};

/// Lines of white space alone are passed over. An encoder beside a decoder reads the line, and the
/// decoder says what it says of it; a model that says nothing reads the line twice. Errors:
/// cancelled; unsupported where a model reads no text or does not attend, or aligns nothing that
/// gold could be held against; out_of_range where the
/// corpus has no line; that of the first line where none of a whole corpus can be read.
base::Result<MeasuredCorpus>
measure_corpus(const CorpusPlan& plan, num::ThreadPool& pool, const std::stop_token& stop = {},
               const std::function<void(const CorpusProgress&)>& told = {});

} // namespace heed::app
