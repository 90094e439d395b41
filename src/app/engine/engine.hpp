// The engine: computes on a thread of its own and publishes snapshots. The newest request wins; an
// older run stops at its next layer. The window never waits for it.
#pragma once

#include "app/document/document.hpp"
#include "app/engine/faults.hpp"
#include "base/result.hpp"
#include "figure/base/figure.hpp"
#include "figure/base/levels.hpp"
#include "inside/map_scores.hpp"
#include "num/dot_histogram.hpp"
#include "trace/decoder_step.hpp"
#include "trace/head_pattern.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {
enum class StageLink; // figure/views/plots.hpp
}
namespace heed::models {
struct Cut; // models/model/sampling.hpp
}

namespace heed::app {

using num::Matrix;

/// Thumbnails of one kind of attention, layers × heads, each at most 64 × 64, largest kept.
struct Thumbnails {
    int layers = 0, heads = 0;
    std::vector<std::shared_ptr<const Matrix<float>>> weights;
    std::vector<std::shared_ptr<const Matrix<float>>> by_row; // divided by each row's largest
    std::vector<MapFaults> faults; // of each head's weights between tokens
    /// The share of each head's weights that goes to tokens that are hidden; nothing where none
    /// are.
    std::vector<std::optional<float>> to_hidden;
};

/// Numbers that tell what a head does at a glance, over all its queries.
struct HeadSummary {
    float mean_entropy_bits = 0;
    float mean_distance = 0;      // |i − j| weighted by attention, in tokens
    inside::ScoreValues scores{}; // of the text at hand
    num::Index positional_offset = 0;
    int rows = 0; // that they are means over

    /// Label in plain words: "previous token (0.93)". Empty where too few rows tell anything.
    std::string label() const {
        return trace::tells_little(rows) ? "" : inside::head_label(scores, positional_offset);
    }
};

/// The words that the rows of a picture of the strip are of: queries by what is said there, keys,
/// queries by what is read, the one step that is shown, or states of which a step reads the one
/// before its own.
enum class StripRows { queries, keys, read, step, read_next };

/// One picture of the strip along the bottom, from tokens to the layer's output.
struct StripItem {
    std::string label;                 // "embedding", "Q", "scores", "÷ √dₖ", "add & norm"
    std::optional<trace::Stage> stage; // set where it is a stage of the focused head
    std::shared_ptr<const Matrix<float>> values; // at most 64 × 64
    bool signed_values = true;
    num::Index rows = 0, cols = 0;                // of the whole matrix
    std::shared_ptr<const Matrix<float>> whole{}; // null of a stage, which its map makes
    figure::StageLink to_next{}; // where nothing else is said, it is made into the next
    StripRows rows_are = StripRows::queries;
};

/// The effect of each head of one kind on the output: ‖y − y without it‖ / ‖y‖ (Frobenius) of the
/// model's last norm (decoder_output, or memory where there is no decoder).
struct HeadEffects {
    trace::AttentionKind kind = trace::AttentionKind::encoder_self;
    int layers = 0, heads = 0;
    /// ‖output without the head − output with it‖ / ‖output with it‖, both with the target that the
    /// model says as it is; layers × heads. Empty: not measured yet.
    std::vector<std::optional<float>> relative_change;
    /// The words that the model says freely without the head, of one that is off with it, where
    /// that differs; where it says none freely, the likeliest next word or class. Layers × heads.
    std::vector<std::optional<std::string>> says;
    /// The probability of that next word or class, also where it is the same; layers × heads.
    std::vector<std::optional<float>> probability;
    bool complete() const;
};

/// The prediction for a masked token of the source.
struct MaskedToken {
    int token = 0; // from 0
    num::RowVector<float> probabilities;
    float entropy_bits = 0;
    std::vector<num::Index> likeliest{}; // as Prediction::likeliest
};

/// The prediction of what comes after the target's last token.
struct Prediction {
    num::RowVector<float> probabilities; // of every row of the vocabulary
    float entropy_bits = 0;
    /// Probabilities after each token that the decoder reads, tokens × vocabulary; of a model that
    /// knows its words, where they are few. Empty otherwise.
    Matrix<float> after_each{};
    std::vector<num::Index> likeliest{}; // the first rows by their probability, some 16
    /// The masked tokens of a model that fills masks, of which the above is the first.
    std::vector<MaskedToken> masked{};
    /// The probabilities as sampling alters them; null where they are not altered.
    std::shared_ptr<const models::Cut> cut{};
};

struct SpokenStep;    // app/speech.hpp
struct ScoreMap;      // app/speech.hpp
struct TokenWords;    // app/merging.hpp
struct StripShares;   // app/filter.hpp
struct InsidePicture; // app/engine/inside_picture.hpp
struct HeadScores;    // app/engine/head_scores.hpp

/// A reference, made ready like the present state.
struct ReferencePicture {
    Reference asked;
    Focus focus;                             // moved to what exists in its model
    std::shared_ptr<const models::Run> run;  // null where it failed
    std::shared_ptr<const TokenWords> words; // as Snapshot::words
    std::shared_ptr<const TokenWords> units; // as Snapshot::units
    std::shared_ptr<const Matrix<float>> map;
    std::shared_ptr<const figure::PreparedMap> prepared; // of `map`, where it is large
    MapFaults faults;                                    // of the focused head's weights
    std::shared_ptr<const StripShares> strips;           // of `map`, when asked
    /// The present map minus this one; null where their shapes differ.
    std::shared_ptr<const Matrix<float>> difference;
    std::shared_ptr<const figure::PreparedMap> prepared_difference;
    std::shared_ptr<const Prediction> prediction;         // null without a decoder
    std::shared_ptr<const std::vector<text::Token>> said; // as Snapshot::said
    std::optional<base::Error> error;
};

/// A head that is kept to be held beside others.
struct SlotPicture {
    trace::HeadId head;
    std::shared_ptr<const Matrix<float>> map; // its weights, whole
    std::shared_ptr<const figure::PreparedMap> prepared;
    MapFaults faults;
};

/// Everything that a run alone decides, whatever is looked at.
struct RunPart {
    std::shared_ptr<const models::Run> run;       // the last good one; null before the first
    std::string file;                             // of its model; empty: it was drawn
    std::shared_ptr<const TokenWords> words;      // of the run; null where tokens are words already
    std::shared_ptr<const Prediction> prediction; // null without a decoder
    /// The words that the decoder says at each token that it reads; null where its tokens are what
    /// it says already (a recurrent model's), or where it says no words.
    std::shared_ptr<const std::vector<text::Token>> said;
    /// The steps of a recurrent model's run, and, later, its map under every score.
    std::shared_ptr<const std::vector<SpokenStep>> spoken;
    std::shared_ptr<const std::vector<ScoreMap>> gallery;
    double run_milliseconds = 0; // of the model's run alone
    int layers_reused = 0;
    std::size_t source_tokens_dropped = 0, target_tokens_dropped = 0; // past kMaxTokens
    std::u32string missing_letters; // of the tokens: no installed font has them
    std::string unknown_words;      // as unknown_words_note() says it
    std::string typed_text;         // as typed_text_note() does
    std::string painted_outside; // as painted_outside() says it; empty where every cell is inside
    /// The picture as a model of pictures reads it, in colours; null of other models, and where no
    /// picture was chosen.
    std::shared_ptr<const figure::Pixels> picture;
};

/// Everything that a run, a focus and a view's needs decide together.
struct HeadPart {
    Focus focus; // moved to what exists in this model
    Needs needs; // likewise
    /// The focused stage of the focused head, or the combined weights of several; whole, between
    /// words where merges_map(), as thumbnails, overlay and flow are where merges().
    std::shared_ptr<const Matrix<float>> map;
    std::shared_ptr<const figure::PreparedMap> prepared; // of `map`, where it is large
    /// The map times what the focus asks for, which a picture then shows; null: nothing.
    std::shared_ptr<const Matrix<float>> multiplied;
    std::shared_ptr<const figure::PreparedMap> prepared_multiplied;
    std::vector<StripItem> strip; // the stages and what lies around them, in order
    HeadSummary summary;          // of the focused head
    trace::HeadPattern pattern;   // likewise
    MapFaults faults;             // of the focused head's weights
    std::vector<std::pair<int, std::shared_ptr<const Matrix<float>>>> overlay; // head, weights
    std::vector<SlotPicture> slots;                                            // when asked
    std::shared_ptr<const std::vector<HeadSummary>> summaries; // layers × heads; when asked
    /// Places of heads, so that like maps stand together; when asked.
    std::shared_ptr<const std::vector<int>> alike;
    std::shared_ptr<const std::vector<num::DotHistogram>> histograms; // when asked
    std::shared_ptr<const trace::Flow> flow;        // of the layers' mean maps; when asked
    std::shared_ptr<const trace::DecoderStep> step; // when asked; of a transformer the focused head
    std::shared_ptr<const SpokenStep> step_says;    // there; null of a recurrent model: `spoken`
    std::shared_ptr<const HeadEffects> effects;     // of the focused kind, when asked
    std::shared_ptr<const StripShares> strips;      // of the map and its kind, when asked
    std::shared_ptr<const InsidePicture> inside;    // when asked
    std::shared_ptr<const HeadScores> head_scores;  // when asked
    /// The weights of one query in every head of the kind, layers · heads × keys; when asked.
    std::shared_ptr<const Matrix<float>> query_rows;
    /// The units of rows and columns of weights, where they are no longer tokens: words, or all but
    /// special tokens; null where they are tokens.
    std::shared_ptr<const TokenWords> units;
    /// The share of the focused head's weights that goes to tokens that are hidden: the mean over
    /// queries that are shown.
    std::optional<float> to_hidden;
    /// The share that goes to special tokens, hidden or not: the mean over all other queries. None
    /// where no key is one.
    std::optional<float> to_special;
};

/// The state that the window draws: two parts, each taken over whole where what it depends on is
/// the same. Immutable; what did not change is shared with the one before.
struct Snapshot : RunPart, HeadPart {
    std::uint64_t revision = 0; // of the request that this answers
    Document document;
    std::array<std::shared_ptr<const Thumbnails>, 3> thumbnails; // by AttentionKind; may be null
    std::shared_ptr<const ReferencePicture> reference;           // when asked
    /// The reason why this request has no run of its own: everything above then belongs to the last
    /// good one, but `revision` and `document` are this request's.
    std::optional<base::Error> error;
};

/// A model's file while it is read.
struct ModelReading {
    std::string file;
    double fraction = 0; // of its bytes
    double seconds = 0;  // since it was begun
    /// The time that is left at the speed so far; nothing before there is one.
    std::optional<double> seconds_left() const {
        if (fraction <= 0.02) return std::nullopt;
        return seconds * (1 - fraction) / fraction;
    }
};

class Engine {
  public:
    /// `published` is called on the engine's thread after each snapshot; it may only wake somebody.
    explicit Engine(std::function<void()> published, int threads = 0);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Returns the request's revision. What takes its time (the heads' effects) is published
    /// later, in further snapshots of the same revision, unless a newer request comes.
    std::uint64_t submit(const Document& document, const Focus& focus, const Needs& needs = {},
                         const std::optional<Reference>& reference = {});
    std::shared_ptr<const Snapshot> latest() const; // never null
    /// True where a request is waiting or being computed.
    bool busy() const;
    /// Nothing when no file is read that tells how far it is.
    std::optional<ModelReading> reading() const;
    /// The request that it is read for is answered with an error that says so.
    void stop_reading();
    /// Blocks until that revision, or a newer one, is published. For the command line and tests.
    std::shared_ptr<const Snapshot> wait_for(std::uint64_t revision);
    /// Blocks until the newest request is answered with all that takes its time, or till `until`
    /// with as much as there is then; the answer itself is waited for whatever it takes.
    std::shared_ptr<const Snapshot>
    wait_for_all(std::optional<std::chrono::steady_clock::time_point> until = {});
    /// True where something that takes its time is not measured yet.
    bool refining() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::app
