// heed heads: what every head of a model does over a corpus.
#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/engine/prepare.hpp"
#include "app/inside/corpus_check.hpp"
#include "app/inside/measure_corpus.hpp"
#include "base/file.hpp"
#include "base/interrupts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kCorpusGroup = "Corpus";
constexpr const char* kPartsGroup = "In parts";
constexpr std::size_t kMostCorpus = std::size_t{1} << 32, kMostTable = std::size_t{1} << 30;

struct HeadsWish {
    std::string output = "-", corpus, alignments;
    bool json = false;
    std::uint64_t seed = 1;
    int sequences = 16, top = 3, threads = 0;
    std::size_t part = 1, parts = 1;
};

Result<void> read_shard(const Given& given, HeadsWish& wish) {
    const auto word = given.find("--shard");
    if (!word) return {};
    const std::size_t slash = word->find('/');
    const auto number = [](std::string_view text, std::size_t& value) {
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && stop == text.data() + text.size();
    };
    const std::string_view text = *word;
    const bool good = slash != text.npos && number(text.substr(0, slash), wish.part) &&
                      number(text.substr(slash + 1), wish.parts) && wish.part >= 1 &&
                      wish.part <= wish.parts && wish.parts <= 1'000'000;
    if (good) return {};
    return fail(ErrorKind::usage, "--shard",
                fmt::format("'{:.40}' is no part: 2/8 is the second of eight", *word));
}

Result<HeadsWish> read_heads_wish(const Given& given) {
    HeadsWish wish;
    wish.output = given.find("--output").value_or("-");
    wish.json = given.has("--json") || wish.output.ends_with(".json");
    wish.corpus = given.find("--corpus").value_or("");
    wish.alignments = given.find("--alignments").value_or("");
    const bool merges = given.has("--merge");
    if (!merges && wish.corpus.empty()) {
        return fail(ErrorKind::usage, "--corpus",
                    "is needed: a text file with one sentence a line (or --merge, with the files "
                    "of --shard)");
    }
    for (const char* flag :
         {"--model", "--alignments", "--shard", "--seed", "--sequences", "--top", "--threads"}) {
        if (!merges || !given.has(flag)) continue;
        return fail(ErrorKind::usage, flag, "cannot be set beside --merge, which runs no model");
    }
    const auto ok =
        in_turn([&] { return read_shard(given, wish); },
                [&] { return read_seed(given, "--seed", wish.seed); },
                [&] { return read_integer(given, "--sequences", 0, 1'000'000, wish.sequences); },
                [&] { return read_integer(given, "--top", 0, 1000, wish.top); },
                [&] { return read_integer(given, "--threads", 1, 1024, wish.threads); });
    if (!ok) return tl::make_unexpected(ok.error());
    if (wish.json && given.has("--shard")) {
        return fail(ErrorKind::usage, "--shard",
                    "writes a table that --merge reads: name an --output that ends in .csv, "
                    "without --json");
    }
    return wish;
}

/// "gpt2" of "models/gpt2/".
std::string last_name(const std::string& path) {
    std::filesystem::path file = std::filesystem::path(path).lexically_normal();
    if (!file.has_filename()) file = file.parent_path();
    return file.filename().string();
}

/// "40 s", "12 min", "3 h 5 min"
std::string duration_words(double seconds) {
    const auto minutes = static_cast<long>(seconds / 60);
    if (minutes < 2) return fmt::format("{:.0f} s", seconds);
    if (minutes < 60) return fmt::format("{} min", minutes);
    return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

/// Progress of a corpus, for a person who watches.
class CorpusBar {
  public:
    explicit CorpusBar(std::ostream* terminal) : terminal_(terminal) {}
    ~CorpusBar() { clear(); }
    CorpusBar(const CorpusBar&) = delete;
    CorpusBar& operator=(const CorpusBar&) = delete;

    void draw(const CorpusProgress& progress) {
        const auto now = Clock::now();
        if (!terminal_ || now - drawn_ < std::chrono::milliseconds(100)) return;
        drawn_ = now;
        const auto done = static_cast<double>(progress.done);
        const auto all = static_cast<double>(std::max<std::size_t>(progress.all, 1));
        const double seconds = std::chrono::duration<double>(now - begun_).count();
        const double rate = done / std::max(seconds, 1e-9);
        clear();
        *terminal_ << fmt::format("{} {} / {} lines and sequences · {:.1f}/s",
                                  progress_bar(done / all), progress.done, progress.all, rate);
        if (done > 0) *terminal_ << fmt::format(" · {} left", duration_words((all - done) / rate));
        *terminal_ << std::flush;
    }

  private:
    using Clock = std::chrono::steady_clock;
    void clear() {
        if (terminal_) *terminal_ << "\r\033[K" << std::flush;
    }
    std::ostream* terminal_;
    Clock::time_point begun_ = Clock::now(), drawn_{};
};

int deliver_heads(const HeadCorpus& corpus, const HeadsWish& wish, std::string_view text,
                  const Io& io) {
    return deliver(io, wish.output,
                   wish.json ? heads_json(corpus, text) + "\n" : write_heads_csv(corpus));
}

int merge_heads(const Given& given, const HeadsWish& wish, const Io& io) {
    std::string text; // of the lines that JSON quotes
    if (!wish.corpus.empty()) {
        auto bytes = base::read_file(wish.corpus, kMostCorpus);
        if (!bytes) return complain(io, bytes.error(), kFailed);
        text = *std::move(bytes);
    }
    const std::vector<std::string> names = given.list("--merge");
    std::vector<HeadCorpus> parts;
    for (const std::string& name : names) {
        const auto bytes = base::read_file(name, kMostTable);
        if (!bytes) return complain(io, bytes.error(), kFailed);
        auto part = read_heads_csv(*bytes, name);
        if (!part) return complain(io, part.error(), kFailed);
        parts.push_back(*std::move(part));
    }
    const auto sum = merged(parts, names);
    if (!sum) return complain(io, sum.error(), kFailed);
    if (!wish.corpus.empty() && text_check(text) != sum->text_check) {
        return complain(io,
                        base::Error{ErrorKind::mismatch, wish.corpus,
                                    fmt::format("is not the text that {} was measured on ({})",
                                                names.front(), sum->corpus)},
                        kFailed);
    }
    if (sum->held.size() < sum->parts) {
        mention(io, fmt::format("{} of {} parts are here; the rest can be merged later",
                                sum->held.size(), sum->parts));
    }
    return deliver_heads(*sum, wish, text, io);
}

/// Says what is not as the corpus's author may think.
void mention_corpus(const MeasuredCorpus& measured, const Io& io) {
    if (measured.refused > 0) {
        mention(io, fmt::format("{} of {} lines cannot be read and were left out; the first: {}",
                                measured.refused, measured.corpus.lines + measured.refused,
                                base::describe(*measured.first_refused)));
    }
    if (measured.cut > 0) {
        mention(io, fmt::format("{} of {} lines are longer than the model reads, and were cut",
                                measured.cut, measured.corpus.lines));
    }
    if (measured.corpus.sequences == 0 && measured.corpus.parts == 1) {
        mention(io, "induction and copying were not measured: no random sequence was read");
    }
}

int measure_heads(const Given& given, const HeadsWish& wish, const Io& io) {
    Document document;
    Given named; // --seed is of the sequences here
    if (const auto model = given.find("--model")) named.set("--model", *model);
    if (const auto ok = read_model(named, document); !ok) return complain_of_flags(io, ok.error());
    const auto text = base::read_file(wish.corpus, kMostCorpus);
    if (!text) return complain(io, text.error(), kFailed);
    std::optional<GoldCorpus> gold;
    if (!wish.alignments.empty()) {
        const auto bytes = base::read_file(wish.alignments, kMostCorpus);
        if (!bytes) return complain(io, bytes.error(), kFailed);
        auto read = read_gold(*bytes, wish.alignments, lines_of(*text).size());
        if (!read) return complain(io, read.error(), kFailed);
        gold = *std::move(read);
    }
    if (wish.output != "-") {
        if (const auto ok = base::try_to_write(wish.output); !ok) {
            return complain(io, ok.error(), kFailed);
        }
    }
    num::ThreadPool pool(wish.threads);
    const auto model = prepare_model(document, pool);
    if (!model) return complain_of_run(io, model.error());
    named.set("--source", "");
    fit_sentences(named, facts_of(**model), document);

    CorpusPlan plan;
    plan.model = *model;
    plan.model_name = last_name(document.model_file.empty() ? std::string((*model)->traits().form)
                                                            : document.model_file);
    plan.corpus_name = last_name(wish.corpus);
    plan.path = wish.corpus;
    plan.text = *text;
    plan.document = document;
    plan.seed = wish.seed;
    plan.sequences = static_cast<std::uint64_t>(wish.sequences);
    plan.most_top = static_cast<std::size_t>(wish.top);
    plan.gold = gold ? &*gold : nullptr;
    plan.part = wish.part;
    plan.parts = wish.parts;
    const base::Interrupts interrupts;
    const base::StopWhenInterrupted stop;
    const auto measured = [&] {
        CorpusBar bar(io.terminal);
        return measure_corpus(plan, pool, stop.token(),
                              [&](const CorpusProgress& progress) { bar.draw(progress); });
    }();
    if (!measured && measured.error().kind == ErrorKind::cancelled) {
        mention(io, "stopped; nothing was written");
        return kFailed;
    }
    if (!measured) return complain(io, measured.error(), kFailed);
    mention_corpus(*measured, io);
    return deliver_heads(measured->corpus, wish, *text, io);
}

int run_heads(const Given& given, const Io& io) {
    const auto wish = read_heads_wish(given);
    if (!wish) return complain(io, wish.error(), kWrongUsage);
    return given.has("--merge") ? merge_heads(given, *wish, io) : measure_heads(given, *wish, io);
}

std::string score_names() {
    std::string names;
    for (const inside::HeadScore score : corpus_scores()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", inside::info(score).name);
    }
    return names;
}

} // namespace

Command heads_command() {
    return {
        "heads",
        "Score every head of a model over a corpus.",
        "One row a head: kind of attention, layer and head (from 1), what the head is called "
        "by its largest score, and the means of " +
            score_names() +
            ". Then of each score the spread (standard deviation over lines), the exact sums, "
            "and the lines that show it most with their values (12=0.93). Each line counts "
            "once. Induction and copying are measured on random sequences that come twice, "
            "alignment with --alignments alone: of each line 1 - AER, all links sure. An "
            "encoder beside a decoder reads the line, and the decoder says what it says of "
            "it. Lines are dealt out to parts in turn; sums are of whole numbers (steps of "
            "2^-32), so that parts that are merged in any order give the file of one run, "
            "byte for byte. Of the same machine and program, that is: another processor may "
            "round otherwise while the model runs.",
        "Examples:\n"
        "  heed heads --model gpt2/ --corpus lines.txt -o heads.csv\n"
        "  heed heads --model repeat --corpus lines.txt --json\n"
        "  parallel heed heads --model gpt2/ --corpus lines.txt --threads 1 \\\n"
        "      --shard {}/8 -o part-{}.csv ::: 1 2 3 4 5 6 7 8\n"
        "  heed heads --merge part-*.csv -o heads.csv",
        {
            {"-o,--output", "PATH",
             ".csv or .json; - is the standard output (the default, CSV unless --json)", kOutput},
            {"--json", "", "as a JSON object, with the text of the lines", kOutput},
            {"--model", "FILE",
             "a model, a checkpoint's folder, or the name of one that "
             "comes with heed (default: the one that heed opens with)",
             kCorpusGroup},
            {"--corpus", "FILE",
             "text, one sentence a line; beside --merge: that of the lines "
             "that --json quotes",
             kCorpusGroup},
            {"--alignments", "FILE",
             "gold alignments, a line a line of the corpus: links such as 0-0 1-2 (source word, "
             "target word, from 0); lines of the corpus are then source, a tab, target",
             kCorpusGroup},
            {"--sequences", "N", "random sequences that come twice (default 16)", kCorpusGroup},
            {"--seed", "N", "random seed of the sequences (default 1)", kCorpusGroup},
            {"--top", "N", "lines that are listed of each head and score (default 3)",
             kCorpusGroup},
            {"--threads", "N", "that compute (default: one a core); changes no number",
             kCorpusGroup},
            {"--shard", "K/N", "part K of N, from 1: every Nth line", kPartsGroup},
            {"--merge", "FILE…", "the tables of parts, put together", kPartsGroup},
        },
        run_heads};
}

} // namespace heed::app
