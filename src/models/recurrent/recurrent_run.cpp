// One run of a recurrent model: the source is read, then the target is said, word after word.
#include "base/check.hpp"
#include "models/model/likeliest.hpp"
#include "models/model/record.hpp"
#include "models/model/resolve.hpp"
#include "models/model/sides.hpp"
#include "models/recurrent/beam_search.hpp"
#include "models/recurrent/decoder.hpp"
#include "nn/attention/score_info.hpp"
#include "num/rows.hpp"

#include <algorithm>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using text::Vocabulary;
using trace::Axis;
using RecurrentParameters = Recurrent::Parameters;

constexpr trace::HeadId kAttention{trace::AttentionKind::cross, 0, 0};

class RecurrentRun {
  public:
    RecurrentRun(const Recurrent& model, Run& run, num::ThreadPool& pool, const RunOptions& options)
        : p_(model.parameters()), config_(p_.config), run_(run), pool_(pool), options_(options) {
        source_ = padded_side(run.input.source, run.input.pad_to);
    }

    base::Result<void> run() {
        if (config_.shape == Shape::one_to_n) return speak();
        if (auto ok = encode(); !ok) return ok;
        if (!attends(config_)) return label();
        const nn::StepAttention<float> attention = attend();
        const Decoder decoder(pool_, p_, &attention);
        return decode(decoder, &attention, decoder.start(last_states()));
    }

  private:
    base::Result<void> encode() {
        std::vector<Index> rows;
        for (Index i = 0; i < source_.valid; ++i) {
            rows.push_back(row_of(source_.tokens[static_cast<std::size_t>(i)].text));
        }
        const Run* before = options_.previous.get();
        if (before && before->model == run_.model && before->input.source == run_.input.source &&
            before->input.pad_to == run_.input.pad_to) {
            for (std::size_t i = 0; i + 1 < before->trace.layers.size(); ++i) {
                run_.trace.layers.push_back(before->trace.layers[i]);
                ++run_.layers_reused;
            }
            run_.trace.source = before->trace.source;
            return {};
        }
        trace::Layer embedding{"encoder.embedding", {}, {}};
        Matrix<float> x = rows_of(p_.source_embedding, rows);
        auto cache = nn::recurrent_stack_forward(pool_, p_.encoder, x);
        record(embedding, "encoder_input", padded(std::move(x)), Axis::source_tokens);
        if (auto ok = finish(std::move(embedding)); !ok) return ok;
        for (Index layer = 0; layer < p_.encoder.layers(); ++layer) {
            trace::Layer made{fmt::format("encoder.l{}", layer), {}, {}};
            for (Index d = 0; d < cache.directions; ++d) record_cell(made, cache, layer, d);
            const bool last = layer + 1 == p_.encoder.layers();
            record(made, last ? "encoder.states" : made.name + ".states",
                   padded(cache.outputs[static_cast<std::size_t>(layer)]), Axis::source_tokens);
            if (auto ok = finish(std::move(made)); !ok) return ok;
        }
        run_.trace.source = source_.tokens;
        return {};
    }

    /// A word at each of the source's, or one of the whole.
    base::Result<void> label() {
        const bool each = config_.shape == Shape::n_to_n;
        const Matrix<float>& h = run_.trace.tensor("encoder.states")->values;
        const Matrix<float> read = each ? Matrix<float>(h.topRows(source_.valid)) : last_of(h);
        trace::Layer layer{"readout", {}, {}};
        record(layer, "readout", readout(pool_, p_, read), Axis::target_tokens);
        const Matrix<float> p = word_probabilities(pool_, p_, layer.tensors.back()->values);
        if (!num::all_finite(pool_, p)) return overflow(layer.name);
        for (Index row = 0; row < p.rows(); ++row) {
            run_.trace.target.push_back(said_token(likeliest(p_.vocabulary, p.row(row))));
        }
        remake_probabilities(layer);
        return finish(std::move(layer));
    }

    /// Speaks from the vector of the source's first word.
    base::Result<void> speak() {
        const std::vector<Index> row{row_of(run_.input.source[0].text)};
        trace::Layer seed{"seed", {}, {}};
        const Matrix<float> vector = rows_of(p_.source_embedding, row);
        record(seed, "seed", Matrix<float>(vector), Axis::source_tokens);
        if (auto ok = finish(std::move(seed)); !ok) return ok;
        run_.trace.source = {run_.input.source[0]};
        const Decoder decoder(pool_, p_, nullptr);
        return decode(decoder, nullptr, decoder.start(vector));
    }

    /// The gates and the cell states of one layer and direction: "encoder.l0_reverse.z".
    void record_cell(trace::Layer& layer, const nn::RecurrentStackCache<float>& cache, Index index,
                     Index direction) {
        const nn::RecurrentCache<float>& cell = cache.at(index, direction);
        const std::string at = layer.name + (direction == 1 ? "_reverse" : "");
        for (const auto& [name, values] : nn::named_gates(cell.cell, cell.gates)) {
            record(layer, fmt::format("{}.{}", at, name), padded(*values), Axis::source_tokens);
        }
        if (cell.states.c.size() > 0) {
            record(layer, at + ".c", padded(cell.states.c), Axis::source_tokens);
        }
    }

    /// Padding is not read: its states are 0.
    Matrix<float> padded(Matrix<float> rows) const {
        const Index valid = rows.rows(), all = std::ssize(source_.tokens);
        if (valid == all) return rows;
        rows.conservativeResize(all, rows.cols());
        rows.bottomRows(all - valid).setZero();
        return rows;
    }

    nn::StepAttention<float> attend() const {
        const Matrix<float>& h = run_.trace.tensor("encoder.states")->values;
        const bool same = config_.projection != Projection::two;
        Matrix<float> keys = projected(h, p_.key);
        Matrix<float> values = same ? keys : projected(h, p_.value);
        if (config_.context == Context::last) values.row(source_.valid - 1) = last_value(h);
        nn::Head<float> head;
        HeadResolver resolver({key_width(config_), config_.score, nn::Positions::none},
                              run_.controls);
        head.settings = resolver.settings(kAttention, kMaxTokens, std::ssize(source_.tokens));
        if (nn::has_parameters(head.settings.score)) {
            head.score_params = {run_.model, &p_.score}; // keeps the model alive
        }
        // What has no attention is attention that cannot choose.
        if (config_.context == Context::mean) head.settings.gamma = 0;
        if (config_.context == Context::last) {
            nn::Mask last = *head.settings.mask;
            last.only_last = true;
            head.settings.mask = std::move(last);
        }
        return {"attention", std::move(keys), std::move(values), std::move(head), source_.valid};
    }

    Matrix<float> projected(const Matrix<float>& h, const num::Weights<float>& w) const {
        if (w.out() == 0) return h;
        Matrix<float> y(h.rows(), w.out());
        num::linear<float>(pool_, num::view(h), w, {}, num::view(y));
        return y;
    }

    /// The last state of each direction of some layer's states: backwards, the first token's.
    Matrix<float> last_of(const Matrix<float>& h) const {
        Matrix<float> ends(1, h.cols());
        for (Index d = 0; d < p_.encoder.directions; ++d) {
            const Index at = d == 0 ? source_.valid - 1 : 0;
            ends.middleCols(d * config_.hidden, config_.hidden) =
                h.block(at, d * config_.hidden, 1, config_.hidden);
        }
        return ends;
    }

    /// The value made of them.
    Matrix<float> last_value(const Matrix<float>& h) const {
        return projected(last_of(h), config_.projection == Projection::two ? p_.value : p_.key);
    }

    /// h_n of the encoder, from its states.
    nn::CellState<float> last_states() const {
        const Index directions = p_.encoder.directions, hidden = config_.hidden;
        nn::CellState<float> last;
        last.h.resize(p_.encoder.layers() * directions, hidden);
        for (Index layer = 0; layer < p_.encoder.layers(); ++layer) {
            const auto& made = *run_.trace.layers[static_cast<std::size_t>(layer) + 1];
            const Matrix<float>& h = made.tensors.back()->values;
            for (Index d = 0; d < directions; ++d) {
                last.h.row(layer * directions + d) =
                    h.block(d == 0 ? source_.valid - 1 : 0, d * hidden, 1, hidden);
            }
        }
        return last;
    }

    base::Result<void> decode(const Decoder& decoder, const nn::StepAttention<float>* attention,
                              const DecoderState& start) {
        const Decoding& how = run_.input.decoding;
        const bool free = speaks_freely(config_, run_.input);
        const std::size_t most = most_words(config_, run_.input);

        // The words that are said whatever the model thinks.
        std::vector<std::pair<text::Token, Index>> given;
        for (const text::Token& token : run_.input.target) {
            given.push_back({token, row_of(token.text)});
        }
        if (!free) given.push_back({end_token(), static_cast<Index>(Vocabulary::kEnd)});
        if (how.rule == Decoding::Rule::beam) search(decoder, start, most, given);

        std::vector<DecoderStep> steps;
        DecoderState state = start;
        Index said = static_cast<Index>(Vocabulary::kStart);
        bool ended = false;
        while (!ended && steps.size() < most) {
            if (options_.stop.stop_requested()) return stopped();
            const std::size_t i = steps.size();
            steps.push_back(decoder.step(state, std::span(&said, 1), static_cast<Index>(i)));
            state = steps.back().state();
            text::Token token = i < given.size() ? given[i].first : text::Token{};
            said = i < given.size()
                       ? given[i].second
                       : likeliest(p_.vocabulary,
                                   decoder.log_probabilities(steps.back().output).row(0));
            ended = said == static_cast<Index>(Vocabulary::kEnd);
            if (i >= given.size()) token = said_token(said);
            run_.trace.target.push_back(std::move(token));
        }
        run_.trace.stopped_at_limit = !ended;
        return record_decoder(decoder, attention, start, steps);
    }

    /// Searches a beam; what the hypothesis that is followed says takes the place of what is given.
    void search(const Decoder& decoder, const DecoderState& start, std::size_t most,
                std::vector<std::pair<text::Token, Index>>& given) {
        std::vector<Index> prefix;
        for (const auto& [token, row] : given) prefix.push_back(row);
        const Decoding& how = run_.input.decoding;
        auto beam = std::make_shared<trace::Beam>(
            beam_search(decoder, start, p_.vocabulary,
                        {how.beam_width, static_cast<int>(most), prefix, options_.stop}));
        if (beam->hypotheses.empty()) return; // it was stopped
        for (trace::BeamNode& node : beam->nodes) { // what is given is called as it was typed
            const auto step = static_cast<std::size_t>(node.step);
            if (step < given.size()) node.word = given[step].first.text;
        }
        beam->followed = std::clamp(how.followed, 0, static_cast<int>(beam->hypotheses.size()) - 1);
        const auto path = beam->path(beam->followed);
        for (std::size_t i = given.size(); i < path.size(); ++i) {
            const trace::BeamNode& node = beam->nodes[static_cast<std::size_t>(path[i])];
            given.push_back(
                {said_token(static_cast<Index>(node.row)), static_cast<Index>(node.row)});
        }
        run_.trace.beam = std::move(beam);
    }

    /// Remakes, for a layer whose last tensor is t, softmax(t O + b), when somebody looks at it.
    void remake_probabilities(trace::Layer& layer) const {
        const auto make = [model = run_.model, p = &p_, t = layer.tensors.back()] {
            num::ThreadPool alone(1);
            return word_probabilities(alone, *p, t->values);
        };
        layer.remade.push_back({layer.name + ".probabilities", make, Axis::target_tokens});
    }

    base::Result<void> record_decoder(const Decoder& decoder,
                                      const nn::StepAttention<float>* attention,
                                      const DecoderState& start,
                                      const std::vector<DecoderStep>& steps) {
        trace::Layer layer{"decoder", {}, {}};
        const auto stacked = [&](auto part) {
            Matrix<float> rows(std::ssize(steps), part(steps[0]).cols());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                rows.row(static_cast<Index>(i)) = part(steps[i]).row(0);
            }
            return rows;
        };
        record(layer, "decoder_input", stacked([](const DecoderStep& s) { return s.input; }),
               Axis::target_tokens);
        const std::size_t layers = start.layers.size();
        for (std::size_t l = 0; l < layers; ++l) {
            const std::string at = fmt::format("decoder.l{}", l);
            for (std::size_t g = 0;
                 g < nn::named_gates(config_.cell, steps[0].layers[l].gates).size(); ++g) {
                const auto gate = [&](const DecoderStep& s) {
                    return *nn::named_gates(config_.cell, s.layers[l].gates)[g].values;
                };
                const auto name = nn::named_gates(config_.cell, steps[0].layers[l].gates)[g].name;
                record(layer, fmt::format("{}.{}", at, name), stacked(gate), Axis::target_tokens);
            }
            if (config_.cell == nn::Cell::lstm) {
                record(layer, at + ".c",
                       stacked([&](const DecoderStep& s) { return s.layers[l].state.c; }),
                       Axis::target_tokens);
            }
            const std::string states = l + 1 == layers ? "decoder.states" : at + ".states";
            record(layer, states,
                   stacked([&](const DecoderStep& s) { return s.layers[l].state.h; }),
                   Axis::target_tokens);
            const auto before = [first = RowVector<float>(start.layers[l].h.row(0)),
                                 after = layer.tensors.back()] {
                Matrix<float> rows = after->values;
                const Index n = rows.rows();
                rows.bottomRows(n - 1) = after->values.topRows(n - 1);
                rows.row(0) = first;
                return rows;
            };
            layer.remade.push_back({states + "_before", before, Axis::target_tokens});
        }
        if (attention) {
            std::vector<nn::AttendedRow<float>> rows;
            for (const DecoderStep& step : steps) rows.push_back({&step.attended, 0});
            auto made = std::make_shared<trace::Attention>();
            static_cast<nn::AttentionCache<float>&>(*made) = attention->cache(rows);
            made->kind = kAttention.kind;
            layer.attentions.push_back(std::move(made));
        }
        record(layer, "decoder_output", stacked([](const DecoderStep& s) { return s.output; }),
               Axis::target_tokens);
        // tanh keeps the states of any weights finite, but not what is made of them last.
        if (!num::all_finite(pool_, decoder.log_probabilities(layer.tensors.back()->values))) {
            return overflow(layer.name);
        }
        remake_probabilities(layer);
        if (attention) write_weights(*layer.attentions.back());
        return finish(std::move(layer));
    }

    void write_weights(const trace::Attention& attention) const {
        if (!options_.all_weights) return;
        const Index n = attention.n_queries(), m = attention.n_keys();
        nn::head_weights<float>(
            attention, 0, {0, 0, n, m},
            num::View<float>(options_.all_weights, n, m, Eigen::OuterStride<>(m)));
    }

    base::Result<void> finish(trace::Layer layer) {
        if (!num::all_finite(pool_, layer.tensors.back()->values)) return overflow(layer.name);
        if (options_.stop.stop_requested()) return stopped();
        run_.trace.layers.push_back(std::make_shared<const trace::Layer>(std::move(layer)));
        return {};
    }
    base::Result<void> overflow(const std::string& layer) const {
        return fail(ErrorKind::out_of_range, layer,
                    "its numbers exceed what float32 holds; the model's weights are too large");
    }
    base::Result<void> stopped() const {
        return fail(ErrorKind::cancelled, "run", "stopped here for a newer request");
    }

    Index row_of(const std::string& word) const {
        return static_cast<Index>(p_.vocabulary.row(word));
    }
    /// Token that is said: it stands behind the target that was typed, and is no part of it.
    text::Token said_token(Index row) const {
        const std::size_t end = run_.input.target.empty() ? 0 : run_.input.target.back().end;
        return {p_.vocabulary.word(static_cast<std::size_t>(row)), end, end};
    }
    text::Token end_token() const { return said_token(static_cast<Index>(Vocabulary::kEnd)); }

    const RecurrentParameters& p_;
    const RecurrentConfig& config_;
    Run& run_;
    num::ThreadPool& pool_;
    const RunOptions& options_;
    Side source_;
};

base::Result<void> check_range(const char* subject, int value, int low, int high) {
    if (low <= value && value <= high) return {};
    return fail(ErrorKind::out_of_range, subject,
                fmt::format("is {}; allowed are {} to {}", value, low, high));
}

base::Result<void> check_input(const Input& input) {
    const auto side = [](const char* subject, std::size_t tokens) -> base::Result<void> {
        if (tokens <= kMaxTokens) return {};
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("has {} tokens; at most {} are taken", tokens, kMaxTokens));
    };
    if (input.source.empty()) {
        return fail(ErrorKind::out_of_range, "source", "is empty; type a sentence");
    }
    if (auto ok = side("source", input.source.size()); !ok) return ok;
    if (auto ok = check_range("pad_to", input.pad_to, 0, kMaxTokens); !ok) return ok;
    if (auto ok = check_range("limit", input.decoding.limit, 0, kMaxTokens); !ok) return ok;
    if (auto ok = check_range("beam width", input.decoding.beam_width, 1, kMaxBeam); !ok) return ok;
    return side("target", input.target.size());
}

} // namespace

base::Result<void> Recurrent::compute(Run& run, num::ThreadPool& pool,
                                      const RunOptions& options) const {
    if (auto ok = check_input(run.input); !ok) return ok;
    if (!attends(parameters_->config)) return RecurrentRun(*this, run, pool, options).run();
    const nn::Score score =
        run.controls.resolved(kAttention).score.value_or(parameters_->config.score);
    if (auto ok = check_score(parameters_->config, score, "score"); !ok) return ok;
    return RecurrentRun(*this, run, pool, options).run();
}

} // namespace heed::models
