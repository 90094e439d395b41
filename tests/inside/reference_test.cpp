// Lens, attribution, ablation and patching of checkpoints of seven families against transformers:
// tests/reference/make_inside.py.
#include "inside/checkpoint_runs.hpp"
#include "inside/lens.hpp"
#include "inside/patching.hpp"
#include "inside/paths.hpp"
#include "reference_arrays.hpp"

#include <algorithm>

using namespace heed;
using namespace heed::inside;

namespace {

constexpr const char* kFamilies[] = {"gpt2", "llama", "gemma2", "neox", "bert", "bart", "t5"};
constexpr Question kAsked{5, 17, {}};
constexpr double kRelative = 1e-4;

const tests::ReferenceArrays& expected() {
    static const tests::ReferenceArrays arrays("inside.txt");
    return arrays;
}

template <class T> T checked(base::Result<T> result) {
    if (!result) FAIL(base::describe(result.error()));
    return *std::move(result);
}

void check_near(double found, double wanted, double largest) {
    INFO("expected " << wanted << ", found " << found);
    CHECK(std::abs(found - wanted) < kRelative * std::max(1.0, largest));
}

void check_answer(const Answer& answer, const num::RowVector<double>& logits) {
    const double largest = logits.cwiseAbs().maxCoeff();
    check_near(answer.logit, logits(kAsked.word), largest);
    const num::RowVector<double> p = (logits.array() - logits.maxCoeff()).exp() /
                                     (logits.array() - logits.maxCoeff()).exp().sum();
    check_near(answer.probability, p(kAsked.word), 1);
    CHECK(logits(answer.says) > logits.maxCoeff() - kRelative * std::max(1.0, largest));
    check_near(answer.says_probability, p.maxCoeff(), 1);
}

} // namespace

TEST_CASE("the logit lens says what transformers' readout makes of every layer") {
    num::ThreadPool pool(2);
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        const auto p = expected().at(family + ".lens");
        for (Index layer = 0; layer < p.rows(); ++layer) {
            const LensOptions options{61, kAsked.word, {}, {}};
            const auto cell = checked(
                logit_lens(*run, {{static_cast<int>(layer), kAsked.token}}, pool, options))[0];
            check_near(cell.probability, p(layer, kAsked.word), 1);
            CHECK(cell.rank == (p.row(layer).array() > p(layer, kAsked.word)).count());
            REQUIRE(cell.likeliest.size() == 61);
            double bits = 0;
            for (const LensWord& word : cell.likeliest) {
                check_near(word.probability, p(layer, word.word), 1);
                bits -= p(layer, word.word) * std::log2(p(layer, word.word));
            }
            check_near(cell.entropy_bits, bits, bits);
        }
    }
}

TEST_CASE("the parts of a logit are those of autograd with held norms, and add up to it") {
    num::ThreadPool pool(2);
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        for (const bool against : {false, true}) {
            Question question = kAsked;
            if (against) question.against = 9;
            const std::string name = family + (against ? ".difference" : ".logit");
            const auto found = checked(attribute(*run, question));
            const auto parts = expected().at(name + ".parts");
            REQUIRE(std::ssize(found.parts) == parts.size() + 1); // and the biases
            const double largest = parts.cwiseAbs().maxCoeff();
            for (Index i = 0; i < parts.size(); ++i) {
                const Part& part = found.parts[static_cast<std::size_t>(i)];
                CAPTURE(inside::name(part.id));
                check_near(part.logit, parts.data()[i], largest);
            }
            const double logit = expected().at(name)(0, 0);
            check_near(found.logit, logit, std::abs(logit));
            CHECK(std::abs(found.residue()) < kRelative);
        }
    }
}

TEST_CASE("ablated heads and feed-forward networks answer as in transformers") {
    num::ThreadPool pool(2);
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        for (const Instead instead : {Instead::zero, Instead::mean}) {
            const auto logits =
                expected().at(family + ".ablated." + std::string(inside::name(instead)));
            AblationOptions options;
            options.instead = instead;
            options.parts = parts_of(*run);
            const auto found = checked(ablate(run, kAsked, pool, options));
            REQUIRE(std::ssize(found.parts) == logits.rows());
            for (Index i = 0; i < logits.rows(); ++i) {
                const Ablated& part = found.parts[static_cast<std::size_t>(i)];
                CAPTURE(inside::name(part.part));
                check_answer(part.answer, logits.row(i));
            }
        }
    }
}

TEST_CASE("patched residual streams and heads answer as in transformers") {
    num::ThreadPool pool(2);
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const Checkpoint checkpoint(family, pool);
        const auto clean = checkpoint.run(pool);
        const auto corrupted = checkpoint.run(checkpoint.changed(3, 44), pool);
        const auto ends = expected().at(family + ".ends");
        const double apart = ends(0, kAsked.word) - ends(1, kAsked.word);

        auto places = layer_by_token(*clean, patched_stack(*clean, *corrupted));
        std::reverse(places.begin(), places.end());
        auto heads = head_by_head(*clean);
        std::reverse(heads.begin(), heads.end());
        for (const auto& [patches, name] :
             {std::pair(places, ".patched"), std::pair(heads, ".patched_heads")}) {
            const auto logits = expected().at(family + name);
            const auto found = checked(patch(clean, corrupted, kAsked, patches, pool));
            check_answer(found.clean, ends.row(0));
            check_answer(found.corrupted, ends.row(1));
            REQUIRE(std::ssize(found.patches) == logits.rows());
            for (Index i = 0; i < logits.rows(); ++i) {
                const Patched& at = found.patches[static_cast<std::size_t>(i)];
                check_answer(at.answer, logits.row(i));
                const double back = (logits(i, kAsked.word) - ends(1, kAsked.word)) / apart;
                check_near(at.recovered, back, 1 / std::abs(apart));
            }
        }
    }
}

TEST_CASE("patched paths from head to head answer as in transformers") {
    num::ThreadPool pool(2);
    for (const std::string family : {"gpt2", "llama", "neox", "t5"}) {
        CAPTURE(family);
        const Checkpoint checkpoint(family, pool);
        const auto clean = checkpoint.run(pool);
        const auto corrupted = checkpoint.run(checkpoint.changed(3, 44), pool);
        const PathsAsked asked{patched_stack(*clean, *corrupted), 0, 1};
        const auto logits = expected().at(family + ".paths");
        const auto found = checked(patch_paths(clean, corrupted, kAsked, asked, pool));
        REQUIRE(std::ssize(found.paths) == logits.rows());
        for (Index i = 0; i < logits.rows(); ++i) {
            check_answer(found.paths[static_cast<std::size_t>(i)].answer, logits.row(i));
        }
    }
}

TEST_CASE("paths lead from a layer to a later one of a pre-norm model") {
    num::ThreadPool pool(1);
    const Checkpoint checkpoint("gpt2", pool), post("bart", pool);
    const auto paths = [&](const Checkpoint& of, const PathsAsked& asked) {
        return patch_paths(of.run(pool), of.run(of.changed(3, 44), pool), kAsked, asked, pool);
    };
    CHECK(paths(checkpoint, {AttentionKind::decoder_self, 1, 1}).error().kind ==
          base::ErrorKind::out_of_range);
    CHECK(paths(checkpoint, {AttentionKind::decoder_self, 0, 2}).error().kind ==
          base::ErrorKind::out_of_range);
    CHECK(paths(post, {AttentionKind::encoder_self, 0, 1}).error().kind ==
          base::ErrorKind::mismatch);
}
