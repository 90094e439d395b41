#include "app/inside/measure_corpus.hpp"

#include "app/document/prepare_input.hpp"
#include "app/inside/corpus_check.hpp"
#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "inside/repeated.hpp"
#include "tokenizers/text/characters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using inside::HeadScore;
using inside::ScoreValues;

namespace {

/// Nothing but white space and characters without a width.
bool is_blank(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
        const auto [c, length, valid] = base::decode_utf8(line, at);
        const bool no_width = (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF;
        if (!valid || !(no_width || tokenizers::is_white_space(c))) return false;
        at += length;
    }
    return true;
}

/// Hash of what parts have to have in common: the text, the model, and what was asked.
std::string check_of(const CorpusPlan& plan, num::ThreadPool& pool) {
    const models::Traits& t = plan.model->traits();
    const std::string shape = fmt::format("{} {} {} {} {} {}", t.form, t.width, t.n_heads,
                                          fmt::join(t.attention_layers, ","),
                                          plan.model->vocabulary_size(), corpus_scores().size());
    const std::string asked = fmt::format("{} {} {} {}", plan.seed, plan.sequences, plan.most_top,
                                          plan.gold ? plan.gold->check : "");
    const std::uint64_t model = base::hash_bytes(shape, weights_hash(*plan.model, pool));
    return fmt::format("{:016x}", base::hash_bytes(plan.text, base::hash_bytes(asked, model)));
}

/// Cuts what the model has no positions for. Returns whether anything was cut.
bool cut_to_positions(const models::Model& model, models::Input& input) {
    const models::Traits& traits = model.traits();
    if (!traits.places || traits.classifies()) return false;
    const auto places = static_cast<std::size_t>(*traits.places);
    const std::size_t said = places - (traits.reads_start ? 1 : 0);
    const std::size_t read = traits.encodes ? places : said;
    const bool cut = input.source.size() > read || input.target.size() > said;
    input.source.resize(std::min(input.source.size(), read));
    input.target.resize(std::min(input.target.size(), said));
    return cut;
}

class CorpusMeasure {
  public:
    CorpusMeasure(const CorpusPlan& plan, num::ThreadPool& pool, const std::stop_token& stop)
        : plan_(plan), pool_(pool), stop_(stop) {
        HeadCorpus& corpus = result_.corpus;
        corpus.model = plan.model_name;
        corpus.corpus = plan.corpus_name;
        corpus.check = check_of(plan, pool);
        corpus.text_check = text_check(plan.text);
        corpus.parts = plan.parts;
        corpus.held = {plan.part};
        corpus.most_top = plan.most_top;
        for (const trace::HeadId& head : inside::all_heads(plan.model->traits())) {
            corpus.heads.push_back({head, std::vector<inside::ExactTally>(corpus_scores().size()),
                                    std::vector<std::vector<TopLine>>(corpus_scores().size())});
            if (plan.gold && head.kind == plan.model->traits().aligning_attention()) {
                aligning_.push_back(head);
            }
        }
    }

    /// Lines that cannot be read are counted, and the first error kept. Errors: cancelled.
    Result<void> line(std::size_t number, std::string_view text) {
        auto ok = read_line(number, text);
        if (ok || ok.error().kind == ErrorKind::cancelled) return ok;
        if (result_.refused++ == 0) result_.first_refused = ok.error();
        return {};
    }

    Result<void> sequence(std::uint64_t number) {
        auto input = inside::repeated_input(*plan_.model, plan_.seed, number);
        if (!input) return {}; // nothing of it can come twice
        const auto run = run_of(*input);
        if (!run) return tl::make_unexpected(run.error());
        const auto scores = inside::repeated_scores(**run, pool_, stop_);
        if (!scores) return tl::make_unexpected(scores.error());
        for (std::size_t h = 0; h < scores->size(); ++h) {
            add(result_.corpus.heads[h], (*scores)[h], 0);
        }
        ++result_.corpus.sequences;
        return {};
    }

    MeasuredCorpus take() { return std::move(result_); }

  private:
    Result<void> read_line(std::size_t number, std::string_view text) {
        const auto refuse = [&](const base::Error& error) {
            return fail(error.kind, fmt::format("{}:{}", plan_.path, number),
                        base::describe(error));
        };
        const auto pair = plan_.gold ? sentence_pair(text) : Result<SentencePair>(SentencePair());
        if (!pair) return refuse(pair.error());
        const Document document =
            document_of_line(plan_.document, *plan_.model, text, plan_.gold != nullptr);
        PreparedInput prepared = prepare_input(document, plan_.model.get());
        if (prepared.failed) return refuse(*prepared.failed);
        const bool dropped = prepared.source_dropped + prepared.target_dropped > 0;
        const bool cut = cut_to_positions(*plan_.model, prepared.input) || dropped;
        const auto run = run_of(prepared.input);
        if (!run && run.error().kind == ErrorKind::cancelled) {
            return tl::make_unexpected(run.error());
        }
        if (!run) return refuse(run.error());
        const auto aligned = alignments_of(**run, *pair, number);
        if (!aligned) return refuse(aligned.error());
        const auto rows = inside::head_scores(**run, pool_, stop_);
        if (!rows) return tl::make_unexpected(rows.error());
        for (std::size_t h = 0; h < rows->size(); ++h) {
            ScoreValues values = (*rows)[h].scores.values;
            const auto at = std::ranges::find(aligning_, (*rows)[h].head);
            if (at != aligning_.end()) {
                const auto& score = (*aligned)[static_cast<std::size_t>(at - aligning_.begin())];
                if (score) values[HeadScore::alignment] = *score;
            }
            add(result_.corpus.heads[h], values, number);
            const auto offset = static_cast<int>((*rows)[h].scores.offset);
            if ((*rows)[h].scores.rows > 0) ++result_.corpus.heads[h].offsets[offset];
        }
        if (plan_.means && inside::readout_of(**run)) plan_.means->add(**run);
        ++result_.corpus.lines;
        result_.cut += cut ? 1 : 0;
        return {};
    }

    /// One a head of aligning_.
    Result<std::vector<std::optional<float>>>
    alignments_of(const models::Run& run, const SentencePair& pair, std::size_t number) const {
        if (!plan_.gold) return std::vector<std::optional<float>>(aligning_.size());
        return gold_scores(run, pair, plan_.gold->lines[number - 1], aligning_);
    }

    base::Result<std::shared_ptr<const models::Run>> run_of(const models::Input& input) {
        models::RunOptions options;
        options.stop = stop_;
        return models::run(plan_.model, input, plan_.document.controls, pool_, options);
    }

    /// `line` 0: of none.
    void add(CorpusHead& head, const ScoreValues& values, std::size_t line) {
        for (std::size_t s = 0; s < corpus_scores().size(); ++s) {
            const HeadScore score = corpus_scores()[s];
            if (!values.has(score)) continue;
            head.tallies[s].add(values[score]);
            if (line == 0) continue;
            auto& top = head.top[s]; // the largest first, of equal ones the first line
            const auto at = std::ranges::find_if(
                top, [&](const TopLine& t) { return t.value < values[score]; });
            top.insert(at, {line, values[score]});
            if (top.size() > plan_.most_top) top.pop_back();
        }
    }

    const CorpusPlan& plan_;
    num::ThreadPool& pool_;
    const std::stop_token& stop_;
    std::vector<trace::HeadId> aligning_; // heads that gold is held against
    MeasuredCorpus result_;
};

Result<void> check_model(const models::Model& model, const std::string& name) {
    const models::Traits& traits = model.traits();
    const char* why = traits.weights_alone    ? "holds attention of a file, and reads no text"
                      : traits.reads_pictures ? "reads pictures, and no text"
                      : !traits.attends()     ? "has no attention"
                                              : nullptr;
    if (!why) return {};
    return fail(ErrorKind::unsupported, name, why);
}

} // namespace

Result<MeasuredCorpus> measure_corpus(const CorpusPlan& plan, num::ThreadPool& pool,
                                      const std::stop_token& stop,
                                      const std::function<void(const CorpusProgress&)>& told) {
    if (auto ok = check_model(*plan.model, plan.model_name); !ok) {
        return tl::make_unexpected(ok.error());
    }
    if (plan.gold && !plan.model->traits().aligning_attention()) {
        return fail(ErrorKind::unsupported, plan.model_name,
                    "has no attention from target words to source words, which gold alignments are "
                    "about");
    }
    const auto lines = lines_of(plan.text);
    std::vector<std::size_t> mine; // from 0, without empty ones
    bool any = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        any = any || !is_blank(lines[i]);
        if (i % plan.parts + 1 == plan.part && !is_blank(lines[i])) mine.push_back(i);
    }
    if (!any) return fail(ErrorKind::out_of_range, plan.path, "has no line with a sentence");
    const std::size_t sequences = (plan.sequences + plan.parts - plan.part) / plan.parts;
    CorpusProgress progress{0, mine.size() + sequences};
    CorpusMeasure measure(plan, pool, stop);
    const auto stopped = [&] {
        if (told) told(progress);
        ++progress.done;
        return stop.stop_requested();
    };
    const auto cancelled = fail(ErrorKind::cancelled, "heads", "stopped");
    for (const std::size_t i : mine) {
        if (stopped()) return cancelled;
        if (auto ok = measure.line(i + 1, lines[i]); !ok) return tl::make_unexpected(ok.error());
    }
    for (std::uint64_t i = plan.part - 1; i < plan.sequences; i += plan.parts) {
        if (stopped()) return cancelled;
        if (auto ok = measure.sequence(i); !ok) return tl::make_unexpected(ok.error());
    }
    MeasuredCorpus measured = measure.take();
    // A part may be out of luck; a whole without a line says nothing.
    if (plan.parts == 1 && measured.corpus.lines == 0) {
        return tl::make_unexpected(*measured.first_refused);
    }
    return measured;
}

Document document_of_line(const Document& document, const models::Model& model,
                          std::string_view line, bool aligned) {
    Document read = document;
    if (const auto pair = sentence_pair(line); aligned && pair) {
        read.source = pair->source;
        read.target = pair->target;
        read.decoding.rule = models::Decoding::Rule::forced;
        return read;
    }
    read.source = read.target = std::string(line);
    const models::Traits& traits = model.traits();
    const bool says = traits.has_vocabulary || (traits.reads_ids && traits.encodes);
    if (says || !traits.decodes) read.target.clear();
    return read;
}

} // namespace heed::app
