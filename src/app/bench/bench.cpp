#include "app/bench/bench.hpp"

#include "app/bench/inside_bench.hpp"
#include "app/bench/model_bench.hpp"
#include "app/bench/training_bench.hpp"
#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/prepare.hpp"
#include "app/views/view_figure.hpp"
#include "models/open.hpp"
#include "num/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace heed::app {

using base::Result;
using trace::AttentionKind;

namespace {

using Clock = std::chrono::steady_clock;
using RunPointer = std::shared_ptr<const models::Run>;

constexpr num::Index kProduct = 1024;
constexpr num::Index kRead = num::Index(1) << 27; // floats: no cache holds half a gigabyte
constexpr double kShortMs = 100; // a case this short is run once untimed before each timing

struct Job {
    BenchCase result;
    double gflop = 0;
    std::function<Result<void>()> work;
    std::vector<double> times;
    double gigabytes = 0;
};

models::Input words(int tokens) {
    models::Input input;
    for (int i = 0; i < tokens; ++i) {
        text::Token token;
        token.text = fmt::format("word{}", i);
        input.source.push_back(token);
        input.target.push_back(token);
    }
    return input;
}

Result<void> ignore_value(const Result<RunPointer>& run) {
    if (!run) return tl::make_unexpected(run.error());
    return {};
}

class Bench {
  public:
    explicit Bench(const BenchOptions& options) : options_(options) {}

    Result<std::vector<BenchCase>> run(const std::function<void(int, int)>& progress) {
        for (const int threads : options_.threads) {
            if (!teams_.contains(threads))
                teams_[threads] = std::make_unique<num::ThreadPool>(threads);
        }
        auto model = prepare_model(Document{}, *teams_.begin()->second);
        if (!model) return tl::make_unexpected(model.error());
        model_ = *model;
        for (const int threads : options_.threads) {
            add_product(threads);
            for (const int tokens : options_.tokens) add_runs(tokens, threads);
            if (const auto ok = add_decodes(threads); !ok) return tl::make_unexpected(ok.error());
            if (const auto ok = add_models(threads); !ok) return tl::make_unexpected(ok.error());
            if (const auto ok = add_inside(threads); !ok) return tl::make_unexpected(ok.error());
            if (const auto ok = add_training(threads); !ok) return tl::make_unexpected(ok.error());
            if (const auto ok = add_toggles(threads); !ok) return tl::make_unexpected(ok.error());
            add_snapshots(threads);
        }
        if (const auto ok = add_figures(); !ok) return tl::make_unexpected(ok.error());
        return measure(progress);
    }

  private:
    bool wanted(const std::string& name) const { return name.starts_with(options_.only); }

    /// True where a name that starts with this prefix can be wanted: setting it up is not free.
    bool maybe_wanted(std::string_view prefix) const {
        return prefix.starts_with(options_.only) || options_.only.starts_with(prefix);
    }

    int usual_tokens() const {
        const auto& list = options_.tokens;
        return std::find(list.begin(), list.end(), 32) != list.end() ? 32 : list.front();
    }

    void add(std::string name, int tokens, int threads, double gflop,
             std::function<Result<void>()> work) {
        if (!wanted(name)) return;
        jobs_.push_back({{std::move(name), tokens, threads, 0, 0}, gflop, std::move(work), {}});
    }

    void add_product(int threads) {
        if (!wanted("matmul") && !wants_models()) return;
        struct Product {
            Matrix<float> x = Matrix<float>::Random(kProduct, kProduct);
            num::Weights<float> w{Matrix<float>(Matrix<float>::Random(kProduct, kProduct))};
            Matrix<float> y = Matrix<float>(kProduct, kProduct);
        };
        if (!product_) product_ = std::make_shared<Product>();
        const auto product = std::static_pointer_cast<Product>(product_);
        constexpr double n = kProduct;
        const auto work = [product, pool = teams_[threads].get()]() -> Result<void> {
            const Matrix<float>& x = product->x;
            num::linear<float>(*pool, num::view(x), product->w, {}, num::view(product->y));
            return {};
        };
        jobs_.push_back({{"matmul", kProduct, threads}, 2e-9 * n * n * n, work, {}});
    }

    /// True where models are asked for alone: they are large, and measured then only.
    bool wants_models() const { return options_.only.starts_with("model/"); }

    void add_reading(int threads) {
        if (memory_.size() == 0) memory_ = num::RowVector<float>::Ones(kRead);
        constexpr num::Index kPart = 1 << 16;
        const auto work = [this, pool = teams_[threads].get()]() -> Result<void> {
            std::vector<float> sums(kRead / kPart);
            pool->for_each(kRead / kPart, [&](num::Index i) {
                sums[static_cast<std::size_t>(i)] = memory_.segment(i * kPart, kPart).sum();
            });
            if (sums.front() > 0) return {};
            return base::fail(base::ErrorKind::unreadable, "memory", "has lost its ones");
        };
        jobs_.push_back({{"reading", 0, threads}, 0, work, {}, 4e-9 * kRead});
    }

    Result<void> add_models(int threads) {
        if (!wants_models()) return {};
        add_reading(threads);
        auto cases = models_.cases(options_.only, *teams_[threads]);
        if (!cases) return tl::make_unexpected(cases.error());
        for (ModelCase& c : *cases) {
            jobs_.push_back({{std::move(c.name), c.tokens, threads, 0, 0, 0, c.limit},
                             c.gflop,
                             std::move(c.work),
                             {},
                             c.gigabytes});
        }
        return {};
    }

    /// Likewise.
    Result<void> add_inside(int threads) {
        if (!options_.only.starts_with("inside/")) return {};
        auto cases = inside_.cases(options_.only, usual_tokens(), *teams_[threads]);
        if (!cases) return tl::make_unexpected(cases.error());
        for (ModelCase& c : *cases) {
            jobs_.push_back({{std::move(c.name), c.tokens, threads}, 0, std::move(c.work), {}});
        }
        return {};
    }

    void add_runs(int tokens, int threads) {
        const auto input = std::make_shared<models::Input>(words(tokens));
        num::ThreadPool* pool = teams_[threads].get();
        const models::Traits& t = model_->traits();
        // One buffer for all: it is what a caller would keep, not a part of the run.
        const int modules =
            std::accumulate(t.attention_layers.begin(), t.attention_layers.end(), 0);
        const std::size_t size = static_cast<std::size_t>(modules * t.n_heads) *
                                 static_cast<std::size_t>(tokens) *
                                 static_cast<std::size_t>(tokens);
        if (wanted("base/full")) maps_.resize(std::max(maps_.size(), size));
        add("base/full", tokens, threads, base_gflop(tokens), [this, input, pool] {
            models::RunOptions options;
            options.all_weights = maps_.data();
            return ignore_value(models::run(model_, *input, {}, *pool, options));
        });
        add("base/trace", tokens, threads, base_gflop(tokens),
            [this, input, pool] { return ignore_value(models::run(model_, *input, {}, *pool)); });
    }

    /// A whole target said word by word, with its alignments: bidirectional GRU 256, additive.
    Result<void> add_decodes(int threads) {
        constexpr int kLongest = 64;
        if (!maybe_wanted("seq2seq/full")) return {};
        num::ThreadPool* pool = teams_[threads].get();
        const models::RecurrentConfig config;
        const auto model = models::draw_model(config, *pool);
        if (!model) return tl::make_unexpected(model.error());
        for (const int tokens : options_.tokens) {
            if (tokens > kLongest) continue;
            add("seq2seq/full", tokens, threads, seq2seq_gflop(config, tokens),
                [input = words(tokens), model = *model, pool] {
                    std::vector<float> alignments((input.target.size() + 1) * input.source.size());
                    models::RunOptions options;
                    options.all_weights = alignments.data();
                    return ignore_value(models::run(model, input, {}, *pool, options));
                });
        }
        return {};
    }

    Result<void> add_training(int threads) {
        for (const std::string_view name : training_steps()) {
            if (!wanted(std::string(name))) continue;
            auto made = training_step(name, *teams_[threads]);
            if (!made) return tl::make_unexpected(made.error());
            add(made->name, made->tokens, threads, made->gflop,
                [step = std::move(made->step)]() -> Result<void> {
                    step();
                    return {};
                });
        }
        return {};
    }

    Result<void> add_toggles(int threads) {
        if (!maybe_wanted("base/toggle/")) return {};
        const int tokens = usual_tokens();
        num::ThreadPool* pool = teams_[threads].get();
        const auto before = models::run(model_, words(tokens), {}, *pool);
        if (!before) return tl::make_unexpected(before.error());
        for (const AttentionKind kind :
             {AttentionKind::encoder_self, AttentionKind::decoder_self}) {
            const int layers = model_->traits().layers(kind);
            for (int layer = 0; layer < layers; ++layer) {
                models::HeadControls off;
                off.scale = models::Scale{models::Scale::Kind::off, 1};
                models::Controls controls;
                controls.set({kind, layer, std::nullopt}, off);
                add(fmt::format("base/toggle/{}.{}", trace::name(kind), layer), tokens, threads, 0,
                    [this, controls, pool, run = *before] {
                        models::RunOptions options;
                        options.previous = run;
                        return ignore_value(
                            models::run(model_, run->input, controls, *pool, options));
                    });
            }
        }
        return {};
    }

    Document document(const std::string& last_word) const {
        Document result;
        result.source.clear();
        for (const text::Token& token : words(usual_tokens()).source) {
            result.source += token.text + " ";
        }
        result.target = result.source + last_word;
        result.source += last_word;
        return result;
    }

    void add_snapshots(int threads) {
        if (!maybe_wanted("snapshot/")) return;
        const auto computation = std::make_shared<Computation>(threads);
        const auto answer = [computation](const Document& next,
                                          const Focus& focus) -> Result<void> {
            const auto snapshot = computation->answer({1, next, focus}, {});
            if (snapshot->error) return tl::make_unexpected(*snapshot->error);
            return {};
        };
        add("snapshot/edit", usual_tokens(), threads, 0,
            [answer, documents = std::array{document("one"), document("two")}, turn = 0]() mutable {
                return answer(documents[static_cast<std::size_t>(turn++ % 2)], {});
            });
        add("snapshot/focus", usual_tokens(), threads, 0,
            [answer, next = document("one"), turn = 0]() mutable {
                Focus focus;
                focus.head.head = turn++ % 2;
                return answer(next, focus);
            });
    }

    Result<void> add_figures() {
        if (!maybe_wanted("figure/")) return {};
        Computation computation(1);
        const auto snapshot = computation.answer({1, document(""), {}}, {});
        if (snapshot->error) return tl::make_unexpected(*snapshot->error);
        for (const auto& view : names<View>()) {
            add(fmt::format("figure/{}", view.name), usual_tokens(), 1, 0,
                [snapshot, v = view.value]() -> Result<void> {
                    build(*snapshot, v);
                    return {};
                });
        }
        add_zoom();
        add("figure/frame", usual_tokens(), 1, 0, [snapshot]() -> Result<void> {
            for (const View v : {View::heads, View::heatmap, View::lines, View::stages}) {
                build(*snapshot, v);
            }
            return {};
        });
        return {};
    }

    /// One step of the wheel on the largest map there can be.
    void add_zoom() {
        if (!maybe_wanted("figure/zoom")) return;
        constexpr int kTokens = static_cast<int>(models::kMaxTokens);
        Document large;
        large.model = models::narrowest();
        large.source.clear();
        for (int i = 0; i < kTokens; ++i) large.source += fmt::format("word{} ", i % 97);
        Computation computation(1);
        const auto snapshot = computation.answer({1, large, {}}, {});
        for (const auto& range : names<figure::RangeMode>()) {
            add(fmt::format("figure/zoom/{}", range.name), kTokens, 1, 0,
                [snapshot, mode = range.value, turn = 0]() mutable -> Result<void> {
                    ViewState state;
                    state.range = mode;
                    const auto from = static_cast<float>(turn++ % 100);
                    state.viewport = figure::Viewport{from, from, 1000, 1000};
                    make_figure(*snapshot, state, 900, 700);
                    return {};
                });
        }
    }

    static void build(const Snapshot& snapshot, View view) {
        ViewState state;
        state.view = view;
        make_figure(snapshot, state, 0, 0);
    }

    Result<std::vector<BenchCase>> measure(const std::function<void(int, int)>& progress) {
        for (int round = 0; round <= options_.repetitions; ++round) { // the first is not counted
            if (progress) progress(round, options_.repetitions);
            for (Job& job : jobs_) {
                const bool first = job.times.empty();
                if (first || job.times.back() < kShortMs) {
                    if (const auto ok = job.work(); !ok) return tl::make_unexpected(ok.error());
                }
                const auto begin = Clock::now();
                if (const auto ok = job.work(); !ok) return tl::make_unexpected(ok.error());
                const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
                job.times.push_back(time.count());
            }
        }
        std::vector<BenchCase> cases;
        for (Job& job : jobs_) {
            job.times.erase(job.times.begin());
            const auto middle = job.times.begin() + std::ssize(job.times) / 2;
            std::nth_element(job.times.begin(), middle, job.times.end());
            job.result.median_ms = *middle;
            job.result.gflops = *middle > 0 ? job.gflop / (*middle * 1e-3) : 0;
            job.result.gigabytes_per_second = *middle > 0 ? job.gigabytes / (*middle * 1e-3) : 0;
            cases.push_back(job.result);
        }
        return cases;
    }

    const BenchOptions& options_;
    std::map<int, std::unique_ptr<num::ThreadPool>> teams_;
    std::shared_ptr<const models::Model> model_;
    std::shared_ptr<void> product_;
    std::vector<float> maps_;
    num::RowVector<float> memory_;
    ModelBench models_;
    InsideBench inside_;
    std::vector<Job> jobs_;
};

} // namespace

double base_gflop(int tokens) {
    const models::ModelSpec c;
    const double n = tokens, d = c.d_model, d_ff = c.d_ff;
    // Four projections, then q·k and weights·v.
    const double attention = 8 * n * d * d + 4 * n * n * d;
    const double feed_forward = 4 * n * d * d_ff;
    return 1e-9 * (c.n_encoder_layers * (attention + feed_forward) +
                   c.n_decoder_layers * (2 * attention + feed_forward));
}

double seq2seq_gflop(const models::RecurrentConfig& c, int tokens) {
    const double n = tokens, h = c.hidden, e = c.embedding, k = models::key_width(c);
    const double gates = static_cast<double>(nn::n_gates(c.cell)) * h;
    const double encoder = models::directions(c) * (e + h) * gates + models::state_width(c) * k;
    const double step = (e + k + h) * gates + (h + k + e) * h; // the update and the readout
    const double attention = h * h + n * (h + k);              // q W, then scores and the sum
    return 2e-9 * (n * (encoder + k * h) + (n + 1) * (step + attention));
}

Result<std::vector<BenchCase>> bench(const BenchOptions& options,
                                     const std::function<void(int, int)>& progress) {
    return Bench(options).run(progress);
}

} // namespace heed::app
