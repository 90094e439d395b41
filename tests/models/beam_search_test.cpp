// Beam search against searches that are slow and obvious.
#include "models/recurrent/beam_search.hpp"

#include "models/recurrent_models.hpp"

#include <cmath>
#include <numeric>
#include <set>

using namespace heed;
using namespace heed::models;
using num::Index;
using text::Vocabulary;

namespace {

struct Sentence {
    std::vector<Index> rows;
    float total = 0;
    bool ended() const { return !rows.empty() && rows.back() == Index{Vocabulary::kEnd}; }
};

/// A small model that has read a sentence: what it thinks of any words.
class Speaker {
  public:
    explicit Speaker(const std::string& name, std::int64_t words = 4,
                     const std::function<void(tensors::Archive&)>& change = {})
        : model_(variant(name, pool_,
                         [&](tensors::Archive& archive) {
                             leave_words(archive, words);
                             if (change) change(archive);
                         })),
          run_(ran(model_, said_by(Decoding::Rule::greedy, 1), {}, pool_)),
          attention_(attention_of(*run_)), decoder_(pool_, model_->parameters(), &attention_),
          start_(start_of()) {}

    const Vocabulary& vocabulary() const { return model_->vocabulary(); }

    /// ln p of what can follow, the sentence said from the start.
    num::Matrix<float> next(const std::vector<Index>& rows) const {
        DecoderState state = start_;
        Index said = Vocabulary::kStart;
        for (std::size_t i = 0;; ++i) {
            const auto step = decoder_.step(state, std::span(&said, 1), static_cast<Index>(i));
            if (i == rows.size()) return decoder_.log_probabilities(step.output);
            state = step.state();
            said = rows[i];
        }
    }

    /// Each way to say one word more.
    std::vector<Sentence> longer(const Sentence& sentence) const {
        const auto p = next(sentence.rows);
        std::vector<Sentence> all;
        for (std::size_t row = 0; row < vocabulary().size(); ++row) {
            if (!vocabulary().can_be_said(row)) continue;
            Sentence next = sentence;
            next.rows.push_back(static_cast<Index>(row));
            next.total += p(0, static_cast<Index>(row));
            all.push_back(next);
        }
        return all;
    }

    trace::Beam search(int width, int limit, const std::vector<Index>& prefix = {}) const {
        return beam_search(decoder_, start_, vocabulary(), {width, limit, prefix, {}});
    }

  private:
    static nn::StepAttention<float> attention_of(const Run& run) {
        const auto a = run.trace.attention(trace::AttentionKind::cross, 0);
        return {"attention", a->k, a->v, a->heads[0], a->valid_keys};
    }
    DecoderState start_of() {
        return decoder_.start(nn::recurrent_stack_forward(pool_, model_->parameters().encoder,
                                                          values(*run_, "encoder_input"))
                                  .last);
    }

    mutable num::ThreadPool pool_{1};
    std::shared_ptr<const Recurrent> model_;
    std::shared_ptr<const Run> run_;
    nn::StepAttention<float> attention_;
    Decoder decoder_;
    DecoderState start_;
};

void rank(std::vector<Sentence>& all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.total > b.total; });
}

/// Every sentence there is, up to a length, the best first.
std::vector<Sentence> exhaustive(const Speaker& speaker, std::size_t limit, Sentence from = {}) {
    if (from.ended() || from.rows.size() == limit) return {from};
    std::vector<Sentence> all;
    for (const Sentence& next : speaker.longer(from)) {
        const auto some = exhaustive(speaker, limit, next);
        all.insert(all.end(), some.begin(), some.end());
    }
    rank(all);
    return all;
}

/// What a beam is: all that could follow is ranked with what ended, and the first are kept.
std::vector<Sentence> slow_beam(const Speaker& speaker, std::size_t width, std::size_t limit) {
    std::vector<Sentence> kept = {{}};
    for (std::size_t step = 0; step < limit; ++step) {
        std::vector<Sentence> all;
        for (const Sentence& sentence : kept) {
            const auto some = sentence.ended() ? std::vector{sentence} : speaker.longer(sentence);
            all.insert(all.end(), some.begin(), some.end());
        }
        rank(all);
        all.resize(std::min(all.size(), width));
        kept = all;
    }
    return kept;
}

std::vector<Index> rows_along(const trace::Beam& beam, int hypothesis) {
    std::vector<Index> rows;
    for (const int node : beam.path(hypothesis)) {
        rows.push_back(static_cast<Index>(beam.nodes[static_cast<std::size_t>(node)].row));
    }
    return rows;
}

void check_same(const trace::Beam& beam, const std::vector<Sentence>& expected) {
    REQUIRE(beam.hypotheses.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("rank " << i);
        CHECK(rows_along(beam, static_cast<int>(i)) == expected[i].rows);
        const auto& node = beam.nodes[static_cast<std::size_t>(beam.hypotheses[i])];
        CHECK(node.total == Approx(expected[i].total).epsilon(1e-5));
        CHECK(node.ended == expected[i].ended());
    }
}

// Models whose sentences end at various places.
const char* const kModels[] = {"gru_additive", "lstm_scaled_luong", "gru_deep_concat",
                               "rnn_deep_additive_luong"};

void no_words(tensors::Archive& archive) {
    for (const char* name : {"output.weight", "output.bias"}) {
        auto& all = archive.arrays.at(name).values;
        std::fill(all.begin(), all.end(), 0.f);
    }
}

} // namespace

TEST_CASE("a beam that keeps everything ranks all sentences as exhaustive search does") {
    for (const char* model : kModels) {
        INFO(model);
        const Speaker speaker(model);
        const auto all = exhaustive(speaker, 4);
        CHECK(all.size() == 1 + 4 + 16 + 64 + 256);
        double sum = 0;
        for (const Sentence& sentence : all) sum += std::exp(sentence.total);
        CHECK(sum <= 1.00001); // ⟨pad⟩, ⟨start⟩ and words of no row have the rest
        check_same(speaker.search(1000, 4), all);
    }
}

TEST_CASE("a narrow beam keeps the best of every step, ended ones among those that go on") {
    for (const char* model : kModels) {
        for (const int width : {1, 2, 3, 5, 8}) {
            INFO(model << ", width " << width);
            const Speaker speaker(model);
            check_same(speaker.search(width, 4),
                       slow_beam(speaker, static_cast<std::size_t>(width), 4));
        }
    }
}

TEST_CASE(
    "a wider beam finds nothing better than exhaustive search, and a narrow one can miss it") {
    bool missed = false;
    for (const char* model : kModels) {
        const Speaker speaker(model);
        const float best = exhaustive(speaker, 4)[0].total;
        for (const int width : {1, 2, 4, 64}) {
            const auto beam = speaker.search(width, 4);
            const float found = beam.nodes[static_cast<std::size_t>(beam.hypotheses[0])].total;
            CHECK(found <= best + 1e-5f);
            missed = missed || found < best - 1e-3f;
        }
    }
    CHECK(missed);
}

TEST_CASE("an ended hypothesis keeps its place, or loses it to one that goes on") {
    const auto sure = Speaker("gru_additive", 4, [](auto& a) { bias_of_end(a, 50); }).search(3, 4);
    CHECK(sure.nodes[static_cast<std::size_t>(sure.hypotheses[0])].ended);
    CHECK(sure.path(0).size() == 1);
    // Nothing is as improbable as to end: all of them go on to the limit.
    const auto never =
        Speaker("gru_additive", 4, [](auto& a) { bias_of_end(a, -50); }).search(3, 4);
    REQUIRE(never.hypotheses.size() == 3);
    for (int i = 0; i < 3; ++i) {
        CHECK(never.path(i).size() == 4);
        CHECK_FALSE(never.nodes[static_cast<std::size_t>(never.hypotheses[std::size_t(i)])].ended);
    }
}

TEST_CASE("the tree of a beam is one: parents before children, totals their sums") {
    for (const char* model : kModels) {
        const Speaker speaker(model);
        for (const int width : {1, 3, 20}) {
            INFO(model << ", width " << width);
            const auto beam = speaker.search(width, 4);
            CHECK(beam.width == width);
            CHECK(beam.followed == 0);
            std::vector<int> of_step(4);
            std::set<std::pair<int, std::size_t>> said;
            for (std::size_t i = 0; i < beam.nodes.size(); ++i) {
                const auto& node = beam.nodes[i];
                INFO("node " << i);
                REQUIRE(node.parent < static_cast<int>(i));
                REQUIRE(node.parent >= -1);
                const auto* parent =
                    node.parent < 0 ? nullptr : &beam.nodes[static_cast<std::size_t>(node.parent)];
                CHECK(node.step == (parent ? parent->step + 1 : 0));
                CHECK(node.total == (parent ? parent->total : 0) + node.log_probability);
                CHECK(node.log_probability < 0);
                CHECK(node.ended == (node.row == Vocabulary::kEnd));
                CHECK_FALSE((parent && parent->ended));
                CHECK(node.word == speaker.vocabulary().word(node.row));
                CHECK(said.insert({node.parent, node.row}).second); // no node twice
                ++of_step[static_cast<std::size_t>(node.step)];
                // Its number is that of the decoder alone, the sentence said from the start.
                std::vector<Index> before;
                for (int at = node.parent; at >= 0;
                     at = beam.nodes[static_cast<std::size_t>(at)].parent) {
                    before.insert(before.begin(),
                                  static_cast<Index>(beam.nodes[static_cast<std::size_t>(at)].row));
                }
                CHECK(node.log_probability ==
                      speaker.next(before)(0, static_cast<Index>(node.row)));
            }
            for (const int kept : of_step) CHECK(kept <= width);
            CHECK(beam.hypotheses.size() <= static_cast<std::size_t>(width));
        }
    }
}

TEST_CASE("every hypothesis begins with the words that are given, whatever the model thinks") {
    const Speaker speaker("gru_additive");
    const Index first = 5, second = 3;
    const auto beam = speaker.search(1000, 4, {first, second});
    std::vector<Sentence> expected;
    Sentence given;
    for (const Index row : {first, second}) {
        const auto p = speaker.next(given.rows);
        given.total += p(0, row);
        given.rows.push_back(row);
    }
    check_same(beam, exhaustive(speaker, 4, given));
    // A word that has no row of its own is not said freely, and can be given.
    const Index other = static_cast<Index>(speaker.vocabulary().row("unheard"));
    CHECK(rows_along(speaker.search(2, 3, {other}), 0)[0] == other);
    // The first words are given up to the limit.
    CHECK(rows_along(speaker.search(2, 1, {first, second}), 0) == std::vector<Index>{first});
}

TEST_CASE("what is given may be a word that nobody says") {
    const Speaker speaker("gru_additive");
    for (const std::size_t row : {Vocabulary::kPad, Vocabulary::kStart}) {
        const auto beam = speaker.search(3, 3, {static_cast<Index>(row)});
        REQUIRE(beam.hypotheses.size() == 3);
        for (int i = 0; i < 3; ++i) CHECK(rows_along(beam, i)[0] == static_cast<Index>(row));
    }
    const auto ended = speaker.search(3, 3, {Index{Vocabulary::kEnd}, 3});
    REQUIRE(ended.hypotheses.size() == 1);
    CHECK(rows_along(ended, 0) == std::vector<Index>{Vocabulary::kEnd});
}

TEST_CASE("of equals the earlier row comes first, and sentences that end before those that go on") {
    const Speaker speaker("gru_additive", 4, no_words);
    const float p = -std::log(8.f); // of every row, those that nobody says among them
    const auto beam = speaker.search(3, 4);
    const std::vector<Sentence> expected = {{{2}, p}, {{3, 2}, 2 * p}, {{3, 3, 2}, 3 * p}};
    check_same(beam, expected);
    check_same(speaker.search(1, 4), {{{2}, p}});
}

TEST_CASE("a beam wider than the vocabulary keeps what there is") {
    const Speaker speaker("gru_additive", 1);
    const auto one = speaker.search(64, 1);
    CHECK(one.hypotheses.size() == 2); // the word, and the end
    check_same(speaker.search(64, 3), exhaustive(speaker, 3));
}

TEST_CASE("a beam without words to say finds nothing, and one of no width is a contract broken") {
    const Speaker speaker("gru_additive");
    const auto beam = speaker.search(3, 0);
    CHECK(beam.nodes.empty());
    REQUIRE(beam.hypotheses.size() == 1);
    CHECK(beam.path(0).empty());
    CHECK_THROWS(speaker.search(0, 3));
}
