// Verdicts are functions of numbers: for every page, numbers that make each answer come out.
#include "lab/costs.hpp"
#include "lab/number_words.hpp"
#include "lab/numbers.hpp"

#include <limits>

using namespace heed;
using heed::lab::Verdict;
using tests::Given;
using tests::judged;
using Numbers = std::map<std::string, Given>;

TEST_CASE("√d_k: the verdict asks for the variance, then for the gradient") {
    const Numbers good = {{"d_k", {64}},
                          {"variance_unscaled", {63.5, 0.8}},
                          {"largest_unscaled", {0.81, 0.02}},
                          {"largest_scaled", {0.24, 0.01}},
                          {"gradient_ratio", {1.7, 0.2}}};
    CHECK(judged("sqrt-dk", good).verdict == Verdict::holds);
    CHECK(judged("sqrt-dk", good, {{"gradient_ratio", {1.02}}}).verdict == Verdict::depends);
    CHECK(judged("sqrt-dk", good, {{"gradient_ratio", {0.5}}}).verdict == Verdict::does_not_hold);
    CHECK(judged("sqrt-dk", good, {{"gradient_ratio", {1.7, 0.9}}}).verdict == Verdict::depends);
    CHECK(judged("sqrt-dk", good, {{"variance_unscaled", {80}}}).verdict == Verdict::does_not_hold);
    CHECK(judged("sqrt-dk", good).because ==
          "The variance of q·k is 63.5 (± 0.8) where d_{k} is 64. With scores divided by √d_{k}, "
          "the largest weight of a query is 0.24 (± 0.01) on average instead of 0.81 (± 0.02), and "
          "the softmax has 1.7 (± 0.2) times the gradient.");
}

TEST_CASE("steps: a mean that is none does not hold, a look-up between equals depends") {
    const Numbers good = {{"row_sum_error", {1e-16}},
                          {"least_weight", {0.1}},
                          {"outside", {0}},
                          {"by_hand", {1e-16}},
                          {"looked_up", {0}}};
    CHECK(judged("steps", good).verdict == Verdict::holds);
    CHECK(judged("steps", good, {{"looked_up", {0.3}}}).verdict == Verdict::depends);
    for (const char* name : {"row_sum_error", "outside", "by_hand"}) {
        CHECK(judged("steps", good, {{name, {0.01}}}).verdict == Verdict::does_not_hold);
    }
    CHECK(judged("steps", good, {{"least_weight", {-0.1}}}).verdict == Verdict::does_not_hold);
    const auto exact = judged("steps", good, {{"row_sum_error", {0}}, {"by_hand", {0}}}).because;
    CHECK(exact.find("adds up to exactly 1, and") != std::string::npos);
    CHECK(exact.find("gives exactly the same numbers.") != std::string::npos);
}

TEST_CASE("a bound that a verdict tells is kept by every seed, not by their mean") {
    // Means and spreads of the default page, whose worst seed misses 1 by 2.2e-16.
    std::vector<lab::Number> measured = tests::given_numbers({{"row_sum_error", {4.4e-17, 9.9e-17}},
                                                              {"least_weight", {0.08, 0.05}},
                                                              {"outside", {0}},
                                                              {"by_hand", {3e-17, 4e-17}},
                                                              {"looked_up", {0}}});
    const auto worst = [&](const char* name, double least, double most) {
        for (lab::Number& number : measured) {
            if (number.name != name) continue;
            number.least = least;
            number.most = most;
        }
    };
    worst("row_sum_error", 0, 2.22e-16);
    worst("least_weight", 0.0238, 0.17);
    worst("by_hand", 0, 1.1e-16);
    const auto& judge = lab::page_named("steps")->judge;
    CHECK(judge(measured).because.find(
              "smallest weight of any seed is 0.023, every row adds up to 1 (within "
              "3e-16)") != std::string::npos);
    CHECK(judge(measured).because.find("same numbers (within 2e-16)") != std::string::npos);
    worst("by_hand", 0, 1e-3); // of one seed among many
    CHECK(judge(measured).verdict == Verdict::does_not_hold);
    CHECK(lab::rounded_up(4.44e-17, 1) == "5e-17");
    CHECK(lab::rounded_up(9.6e-17, 1) == "1e-16");
    CHECK(lab::rounded_up(0.3, 1) == "0.3");
    CHECK(lab::rounded_up(0, 1) == "0");
    CHECK(lab::rounded_down(0.558, 2) == "0.55");
    CHECK(lab::rounded_down(0.29, 2) == "0.29");
}

TEST_CASE("the softmax's gradient: wrong, not vanished, or vanished") {
    const Numbers good = {{"difference", {1e-12}},
                          {"kept_at_most", {0.01, 0.02}},
                          {"kept_at_8", {0.5}},
                          {"peak_factor", {4}}};
    CHECK(judged("softmax-gradient", good).verdict == Verdict::holds);
    CHECK(judged("softmax-gradient", good, {{"kept_at_most", {0.4}}}).verdict == Verdict::depends);
    CHECK(judged("softmax-gradient", good, {{"difference", {1e-3}}}).verdict ==
          Verdict::does_not_hold);
    // Of two keys the gradient is largest where their weights are even.
    CHECK(judged("softmax-gradient", good, {{"peak_factor", {0.015625}}})
              .because.find("largest at c\u00a0=\u00a00.016;") != std::string::npos);
    // A draw in which it has not vanished is told beside a mean of which it has.
    std::vector<lab::Number> measured = tests::given_numbers(good);
    for (lab::Number& number : measured) {
        if (number.name == "kept_at_most") number.most = 0.12;
    }
    CHECK(lab::page_named("softmax-gradient")
              ->judge(measured)
              .because.find("though 12 % with one seed") != std::string::npos);
}

TEST_CASE("scores: faster, alike and scaled, or what of that is missing") {
    const Numbers good = {{"time_ratio", {30}},
                          {"right_additive", {0.98}},
                          {"right_scaled", {0.97}},
                          {"right_transformer", {0.9}},
                          {"right_unscaled", {0.6}},
                          {"scaled_minus_additive", {-0.01, 0.01}},
                          {"scaled_minus_unscaled", {0.3, 0.05}}};
    CHECK(judged("scores", good).verdict == Verdict::holds);
    CHECK(judged("scores", good, {{"scaled_minus_additive", {-0.2, 0.01}}}).verdict ==
          Verdict::depends);
    CHECK(judged("scores", good, {{"scaled_minus_unscaled", {0.3, 0.5}}}).verdict ==
          Verdict::depends);
    CHECK(judged("scores", good, {{"time_ratio", {0.5}}, {"scaled_minus_unscaled", {0, 0}}})
              .verdict == Verdict::does_not_hold);
    CHECK(judged("scores", good).because.find("no difference was measured") != std::string::npos);
    // Seeds that differ by more than the difference do not show that two learn alike.
    const auto loose = judged("scores", good, {{"scaled_minus_additive", {0.1, 0.3}}});
    CHECK(loose.verdict == Verdict::depends);
    CHECK(loose.because.find("do not tell the two apart") != std::string::npos);
    CHECK(judged("scores", good, {{"time_ratio", {1.2, 0.4}}}).verdict == Verdict::depends);
    CHECK(judged("scores", good, {{"scaled_minus_unscaled", {-0.3, 0.05}}})
              .because.find("does harm") != std::string::npos);
}

TEST_CASE("masks: what leaks nothing masks, what leaks as before does not") {
    const Numbers leaks = {{"added", {-1e-9}},       {"future_off", {0.5}},
                           {"future_added", {0.5}},  {"change_added", {0.7}},
                           {"future_masked", {0}},   {"nothing_large", {0.3}},
                           {"nothing_infinite", {0}}};
    CHECK(judged("masks", leaks).verdict == Verdict::does_not_hold);
    CHECK(judged("masks", leaks, {{"added", {-10}}, {"future_added", {1e-4}}}).verdict ==
          Verdict::depends);
    CHECK(judged("masks", leaks, {{"added", {-1e9}}, {"future_added", {0}}}).verdict ==
          Verdict::holds);
    CHECK(judged("masks", leaks, {{"added", {-1e9}}, {"future_added", {0}}})
              .because.find("−10⁹ still gives") != std::string::npos);
    CHECK(judged("masks", leaks)
              .because.find("gives 50 % of its attention to later words, and "
                            "without any mask it gives 50 %") != std::string::npos);
    CHECK(judged("masks", leaks, {{"added", {-10}}, {"future_added", {1e-4}}})
              .because.find("get 0.01 % of a word's attention instead of 50 %") !=
          std::string::npos);
}

TEST_CASE("heads: better, worse, and not told apart by these seeds") {
    const Numbers good = {{"heads", {4}},
                          {"parameters_one", {4096}},
                          {"parameters_many", {4096}},
                          {"multiplications_one", {100}},
                          {"multiplications_many", {100}},
                          {"right_one", {0.6}},
                          {"right_many", {0.8}},
                          {"many_minus_one", {0.2, 0.05}},
                          {"spared", {0.1}},
                          {"worst_removal", {1.5}}};
    CHECK(judged("heads", good).verdict == Verdict::holds);
    CHECK(judged("heads", good, {{"many_minus_one", {0.2, 0.3}}}).verdict == Verdict::depends);
    // +2 points (± 2), as it is shown, is no difference.
    CHECK(judged("heads", good, {{"many_minus_one", {0.0187, 0.016}}}).verdict == Verdict::depends);
    CHECK(judged("heads", good, {{"many_minus_one", {-0.2, 0.05}}}).verdict ==
          Verdict::does_not_hold);
    CHECK(judged("heads", good, {{"parameters_many", {5000}}}).verdict == Verdict::does_not_hold);
    const Numbers many = {{"multiplications_one", {36864}},
                          {"multiplications_many", {36864}},
                          {"worst_removal", {0.0719}}};
    const std::string words = judged("heads", good, many).because;
    CHECK(words.find("4096 and 4096 parameters, 36,864 and 36,864") != std::string::npos);
    CHECK(words.find("costs 0.072") != std::string::npos);
}

TEST_CASE("self and cross: sides that do not mix, and sides that do") {
    const Numbers good = {{"keys_by_target", {0}},
                          {"keys_by_source", {0.4}},
                          {"queries_by_target", {0.5}},
                          {"queries_by_source", {0}},
                          {"later_queries_by_source", {0.1}},
                          {"encoder_by_target", {0}}};
    CHECK(judged("self-cross", good).verdict == Verdict::holds);
    CHECK(judged("self-cross", good, {{"later_queries_by_source", {0}}})
              .because.find("later layers") == std::string::npos);
    CHECK(judged("self-cross", good, {{"keys_by_target", {0.1}}}).verdict ==
          Verdict::does_not_hold);
    // A word that changes nothing of its own side proves nothing.
    CHECK(judged("self-cross", good, {{"keys_by_source", {0}}}).verdict == Verdict::depends);
    const Numbers mixed = {{"keys_by_target", {0.1, 0.02}}, {"encoder_by_target", {0.3, 0.1}}};
    CHECK(judged("self-cross", good, mixed)
              .because.find("by 0.100 (± 0.020) of their size and the "
                            "encoder by 0.30 (± 0.10)") != std::string::npos);
    CHECK(judged("self-cross", good, {{"keys_by_source", {0}}, {"queries_by_target", {0.5, 0.2}}})
              .because.find("queries by 0.50 (± 0.20)") != std::string::npos);
}

TEST_CASE("shuffling: no order, an order by a mask alone, and weights that move") {
    const Numbers good = {{"none", {1e-17}},   {"sinusoidal", {0.3}}, {"learned", {0.5}},
                          {"rotary", {0.2}},   {"alibi", {0.1}},      {"relative", {0.4}},
                          {"none_causal", {0}}};
    CHECK(judged("shuffle", good).verdict == Verdict::holds);
    CHECK(judged("shuffle", good, {{"none_causal", {0.7}}}).verdict == Verdict::depends);
    CHECK(judged("shuffle", good, {{"alibi", {1e-5}}}).verdict == Verdict::depends);
    CHECK(judged("shuffle", good, {{"none", {0.1}}}).verdict == Verdict::does_not_hold);
    CHECK(judged("shuffle", good, {{"none", {0.1, 0.03}}}).because.find("0.100 (± 0.030)") !=
          std::string::npos);
    std::vector<lab::Number> measured = tests::given_numbers(good);
    for (lab::Number& number : measured) {
        if (number.name == "alibi") number.least = 0; // a draw that turned the words about
    }
    CHECK(lab::page_named("shuffle")->judge(measured).because.find("not with every seed") !=
          std::string::npos);
    CHECK(judged("shuffle", good).because.find("not with every seed") == std::string::npos);
    CHECK(judged("shuffle", good, {{"alibi", {0.0005, 0.0001}}})
              .because.find("only 0.0005 (± 0.0001)") != std::string::npos);
    const auto two = judged("shuffle", good, {{"alibi", {0}}});
    CHECK(two.verdict == Verdict::depends);
    CHECK(two.because.find("two words can only be swapped") != std::string::npos);
}

TEST_CASE("cost: the formula on the page is what the layers count away from a sentence's ends") {
    // Sources: Vaswani et al. 2017, table 1, with the factors that its O leaves out.
    CHECK(
        lab::page_named("cost")->formula ==
        "attention 2n^{2}d,  recurrence 2nd^{2},  convolution (2r + 1)nd^{2},  window 2(2w + 1)nd");
    const lab::MixerShape shape{.n = 40, .d = 6, .kernel = 5, .window = 3};
    const auto counted = [&](lab::Mixer mixer) {
        return lab::counted_multiplications(mixer, shape);
    };
    CHECK(counted(lab::Mixer::attention) == 2 * 40 * 40 * 6);
    CHECK(counted(lab::Mixer::recurrence) == 2 * 40 * 6 * 6);
    CHECK(counted(lab::Mixer::convolution) == (5 * 40 - 2 * (1 + 2)) * 6 * 6);
    CHECK(counted(lab::Mixer::window) == 2 * ((2 * 3 + 1) * 40 - 2 * (1 + 2 + 3)) * 6);
}

TEST_CASE("positions: rotations, adding that is concatenating, and what is neither") {
    const Numbers good = {{"rotation_error", {1e-15}}, {"rotation_error_float", {1e-7}},
                          {"orthogonality", {1e-16}},  {"learned_error", {3}},
                          {"adding_error", {0}},       {"one_hot_error", {0}}};
    CHECK(judged("positions", good).verdict == Verdict::holds);
    CHECK(judged("positions", good)
              .because.find("the largest error is 1e-15, and 1e-07 in 32-bit "
                            "floats") != std::string::npos);
    CHECK(judged("positions", good).because.ends_with("The results are identical."));
    CHECK(judged("positions", good, {{"one_hot_error", {1.23e-16}}})
              .because.ends_with("The results differ by 1.3e-16 at most."));
    CHECK(judged("positions", good, {{"adding_error", {0.1}}}).verdict == Verdict::depends);
    CHECK(judged("positions", good, {{"rotation_error", {0.1}}}).verdict == Verdict::does_not_hold);
}

TEST_CASE("the bottleneck: there is none, the mean is worse, or these seeds do not tell") {
    const Numbers good = {{"short_attention", {0.9}},
                          {"long_attention", {0.8}},
                          {"long_last", {0.2, 0.05}},
                          {"long_mean", {0.1, 0.05}},
                          {"mean_minus_last", {-0.1, 0.02}}};
    CHECK(judged("bottleneck", good).verdict == Verdict::holds);
    CHECK(judged("bottleneck", good, {{"mean_minus_last", {0.1, 0.02}}}).verdict ==
          Verdict::depends);
    CHECK(judged("bottleneck", good, {{"mean_minus_last", {-0.1, 0.3}}}).verdict ==
          Verdict::depends);
    CHECK(judged("bottleneck", good, {{"mean_minus_last", {0.1, 0.02}}}).because.find("refuted") !=
          std::string::npos);
    // Two points more with a spread of two are no difference.
    const auto alike = judged("bottleneck", good, {{"mean_minus_last", {0.0187, 0.016}}});
    CHECK(alike.verdict == Verdict::depends);
    CHECK(alike.because.ends_with("no difference was measured beyond 5 points and the spread."));
    CHECK(alike.because.find("refuted") == std::string::npos);
    const auto loose = judged("bottleneck", good, {{"long_attention", {0.5, 0.4}}});
    CHECK(loose.verdict == Verdict::depends);
    CHECK(loose.because.find("beyond the spread") != std::string::npos);
    const Numbers enough = {{"long_last", {0.79, 0.01}}};
    CHECK(judged("bottleneck", good, enough).verdict == Verdict::does_not_hold);
    // Attention that has learned nothing says nothing of one vector.
    const auto early =
        judged("bottleneck", good, {{"short_attention", {0.1}}, {"long_attention", {0.01}}});
    CHECK(early.verdict == Verdict::depends);
    CHECK(early.because.find("more steps") != std::string::npos);
}

TEST_CASE("norms: both halves of the claim, one of them, none") {
    const Numbers good = {
        {"layer_norm_change", {0}}, {"batch_norm_change", {0.9}},  {"padding_change", {0.3}},
        {"gradient_plain", {0.01}}, {"gradient_residual", {9}},    {"gradient_post", {1}},
        {"gradient_pre", {3}},      {"gradient_plain_he", {0.01}}, {"gradient_residual_he", {9}},
        {"gradient_post_he", {1}},  {"gradient_pre_he", {3}}};
    CHECK(judged("norms", good).verdict == Verdict::holds);
    CHECK(judged("norms", good, {{"gradient_plain", {2}}}).verdict == Verdict::depends);
    // Weights that shrink what they pass are not what residual paths are for.
    const auto by_gain = judged("norms", good, {{"gradient_plain_he", {0.9}}});
    CHECK(by_gain.verdict == Verdict::depends);
    CHECK(by_gain.because.find("depends on how weights begin") != std::string::npos);
    CHECK(judged("norms", good,
                 {{"gradient_plain", {2}}, {"gradient_plain_he", {2}}, {"batch_norm_change", {0}}})
              .verdict == Verdict::does_not_hold);
}

TEST_CASE("warm-up: who needs the rise, told apart from the fall") {
    const Numbers good = {
        {"post_rise", {0.5, 0.1}},       {"post_fall", {0, 0.1}},     {"pre_rise", {0, 0.1}},
        {"pre_fall", {0.2, 0.1}},        {"diverged_post_warm", {0}}, {"diverged_post_fall", {0}},
        {"diverged_post_constant", {0}}, {"diverged_pre_warm", {0}},  {"diverged_pre_fall", {0}},
        {"diverged_pre_constant", {0}},  {"dropout", {0.1}},          {"dropout_apart", {0.7}},
        {"dropout_mean_apart", {0.3}},   {"evaluation_repeated", {0}}};
    CHECK(judged("warm-up", good).verdict == Verdict::holds);
    CHECK(judged("warm-up", good, {{"pre_rise", {0.6, 0.1}}}).verdict == Verdict::depends);
    CHECK(judged("warm-up", good, {{"post_rise", {0.01, 0.1}}}).verdict == Verdict::depends);
    // A gain as large as its spread is no proof that there is none.
    CHECK(judged("warm-up", good, {{"post_rise", {0.23, 0.23}}})
              .because.find("these seeds do not show that post-norm needs the rise") !=
          std::string::npos);
    CHECK(judged("warm-up", good, {{"post_rise", {-0.4, 0.1}}}).verdict == Verdict::does_not_hold);
    CHECK(judged("warm-up", good, {{"evaluation_repeated", {0.1}}}).verdict ==
          Verdict::does_not_hold);
    // What the fall saves is no reason for a warm-up.
    const auto by_fall =
        judged("warm-up", good, {{"post_rise", {0.01, 0.1}}, {"post_fall", {0.8, 0.1}}});
    CHECK(by_fall.verdict == Verdict::depends);
    CHECK(by_fall.because.find("the rise alone saves 0.01 (± 0.10) nats a word, the fall alone "
                               "0.80 (± 0.10)") != std::string::npos);
    // Pre-norm alone needs it: the claim's other way round.
    CHECK(judged("warm-up", good, {{"post_rise", {0, 0.1}}, {"pre_rise", {0.5, 0.1}}}).verdict ==
          Verdict::does_not_hold);
    // Nothing was dropped: nothing is said of it.
    CHECK(judged("warm-up", good).because.find("Dropout") != std::string::npos);
    CHECK(judged("warm-up", good, {{"dropout", {0}}}).because.find("Dropout") == std::string::npos);
}

TEST_CASE("warm-up: what diverges is told as that, and has no loss") {
    // What is left when post-norm diverges in every seed without the rise.
    const Numbers without = {
        {"pre_rise", {0, 0.1}},      {"pre_fall", {0, 0.1}},          {"diverged_post_warm", {0}},
        {"diverged_post_fall", {1}}, {"diverged_post_constant", {1}}, {"diverged_pre_warm", {0}},
        {"diverged_pre_fall", {0}},  {"diverged_pre_constant", {0}},  {"dropout", {0.1}},
        {"dropout_apart", {0.7}},    {"dropout_mean_apart", {0.3}},   {"evaluation_repeated", {0}}};
    const auto needed = judged("warm-up", without);
    CHECK(needed.verdict == Verdict::holds);
    CHECK(needed.because.find("0 % of the seeds diverge with the rise, 100 % without it") !=
          std::string::npos);
    // All diverge, with the rise too: no losses, and no dropout to look at.
    Numbers lost = {{"dropout", {0.1}}};
    for (const char* norm : {"post", "pre"}) {
        for (const char* rate : {"warm", "fall", "constant"}) {
            lost[std::string("diverged_") + norm + "_" + rate] = {1};
        }
    }
    CHECK(judged("warm-up", lost).verdict == Verdict::depends);
    CHECK(judged("warm-up", lost).because.find("Dropout") == std::string::npos);
}

TEST_CASE("subwords: frequent words are shorter with both, one, or none") {
    const Numbers good = {{"merges", {10}},        {"bpe_frequent", {1}},
                          {"bpe_rare", {4}},       {"wordpiece_frequent", {2}},
                          {"wordpiece_rare", {3}}, {"shared", {0.4}}};
    CHECK(judged("subwords", good).verdict == Verdict::holds);
    CHECK(judged("subwords", good, {{"wordpiece_rare", {1}}}).verdict == Verdict::depends);
    CHECK(judged("subwords", good, {{"wordpiece_rare", {1}}, {"bpe_rare", {1}}}).verdict ==
          Verdict::does_not_hold);
}

TEST_CASE("cost: counts that are off, powers that are others, and where the two cross") {
    Numbers good = {{"miscounted", {0}},
                    {"width", {64}},
                    {"crossing", {70}},
                    {"crosses", {1}},
                    {"slower_at_once", {0}}};
    for (const char* mixer : {"attention", "recurrence", "convolution", "window"}) {
        const std::string name = mixer;
        good["exponent_" + name] = {name == "attention" ? 2.0 : 1.0};
        good["exponent_d_" + name] = {name == "recurrence" || name == "convolution" ? 2.0 : 1.0};
        good[std::string("path_") + mixer] = {1};
    }
    CHECK(judged("cost", good).verdict == Verdict::holds);
    CHECK(judged("cost", good, {{"crossing", {300}}}).verdict == Verdict::depends);
    CHECK(judged("cost", good, {{"exponent_attention", {1.0}}}).verdict == Verdict::depends);
    CHECK(judged("cost", good, {{"miscounted", {5}}}).verdict == Verdict::does_not_hold);
    // Every one of the powers is asked for, of n and of d.
    for (const char* one : {"exponent_window", "exponent_convolution"}) {
        CHECK(judged("cost", good, {{one, {2.0}}}).verdict == Verdict::depends);
    }
    CHECK(judged("cost", good, {{"exponent_d_recurrence", {1.0}}}).verdict == Verdict::depends);
    // Lengths at which attention becomes slower are of the seeds that saw one.
    CHECK(judged("cost", good, {{"crosses", {0.5}}}).verdict == Verdict::depends);
    CHECK(judged("cost", good, {{"crosses", {0.5}}}).because.find("50 % of the seeds") !=
          std::string::npos);
    Numbers never = good;
    never.erase("crossing");
    never["crosses"] = {0};
    CHECK(judged("cost", never).verdict == Verdict::depends);
    CHECK(judged("cost", never).because.find("faster at every length") != std::string::npos);
    never["slower_at_once"] = {1};
    CHECK(judged("cost", never).because.find("slower than recurrence at 32 words already") !=
          std::string::npos);
    CHECK(judged("cost", never).because.find("faster") == std::string::npos);
    // Every power is told with the layer that it is of, and with its spread.
    CHECK(judged("cost", good, {{"exponent_attention", {2.06, 0.02}}})
              .because.find("to the power of 2.06 (± 0.02) for attention, 1.00 for recurrence, "
                            "1.00 for convolution and 1.00 for window") != std::string::npos);
}

TEST_CASE("long copies: who goes further, and what has not learned is not compared") {
    const Numbers good = {{"seen_transformer", {0.95}},
                          {"seen_recurrent", {0.9}},
                          {"seen_plain", {0.8}},
                          {"longer_transformer", {0.02, 0.01}},
                          {"longer_recurrent", {0.3, 0.05}},
                          {"longer_plain", {0.2, 0.05}}};
    CHECK(judged("long-copies", good).verdict == Verdict::holds);
    CHECK(judged("long-copies", good, {{"longer_transformer", {0.8, 0.05}}}).verdict ==
          Verdict::does_not_hold);
    // The verdict speaks of every model that is shown.
    const auto plain = judged("long-copies", good, {{"longer_plain", {0}}});
    CHECK(plain.verdict == Verdict::depends);
    CHECK(plain.because.find("of longer ones 2 % (± 1), 30 % (± 5) and 0 %") != std::string::npos);
    CHECK(plain.because.find("GRU with attention does better") != std::string::npos);
    CHECK(plain.because.find("with the last state alone shows no difference") != std::string::npos);
    const auto untaught = judged("long-copies", good, {{"seen_plain", {0.1}}});
    CHECK(untaught.verdict == Verdict::holds);
    CHECK(untaught.because.find("is not compared") != std::string::npos);
    CHECK(judged("long-copies", good, {{"longer_recurrent", {0.03, 0.05}}}).verdict ==
          Verdict::depends);
    CHECK(judged("long-copies", good, {{"seen_transformer", {0.2}}}).verdict == Verdict::depends);
}

TEST_CASE("sentences have true minus signs, raised powers of ten, and spreads") {
    CHECK(lab::tidy("it is -3 (-4) and w-1 ") == "it is −3 (−4) and w-1");
    CHECK(lab::tidy("within 4e-17, 1e+09 and 1.1e-05") == "within 4·10⁻¹⁷, 10⁹ and 1.1·10⁻⁵");
    CHECK(lab::tidy("the 1e- of e-5") == "the 1e- of e-5");
    CHECK(lab::grouped("12960") == "12,960");
    CHECK(lab::grouped("1234567") == "1,234,567");
    CHECK(lab::grouped("9000") == "9000");
    CHECK(lab::grouped("0.01000") == "0.01000");
    CHECK(lab::in_words({"a", "", 0.456, 0.3}) == "0.46 (± 0.30)");
    CHECK(lab::in_words({"a", "", 0.456}, 1) == "0.5");
    CHECK(lab::in_words({"a", "", 2.08, 0.0023}) == "2.08");
    CHECK(lab::percent_of({"a", "", 0, 0.002}) == "0 %");
    CHECK(lab::percent_of({"a", "", 0.763, 0.1}) == "76 % (± 10)");
    CHECK(lab::points_of({"a", "", -0.024, 0.06}) == "-2 points (± 6)");
    CHECK(lab::points_of({"a", "", 0.25}) == "+25 points");
    CHECK(lab::points_of({"a", "", -0.003}) == "0 points");
    CHECK(lab::in_digits({"a", "", 0.0126, 0.0047}) == "0.0126 (± 0.0047)");
    CHECK(lab::in_digits({"a", "", 68, 20}) == "68 (± 20)");
    CHECK(lab::percent_in_digits({"a", "", 0.426, 0.012}) == "42.6 % (± 1.2)");
    CHECK(lab::percent_in_digits({"a", "", 0.426}) == "43 %");
    CHECK(lab::percent_in_digits({"a", "", 1.3e-5}) == "0.0013 %");
    CHECK(lab::percent_in_digits({"a", "", 0}) == "0 %");
    CHECK(lab::in_digits({"a", "", 127.4}) == "127");
    CHECK(lab::in_digits({"a", "", 99.6}) == "100"); // no power of ten
    CHECK(lab::in_digits({"a", "", 99.4}) == "99");
    CHECK(lab::fixed_text(0.0333, 3) == "0.033");
    CHECK(lab::fixed_text(0.00049, 3) == "< 0.001");
    CHECK(lab::fixed_text(0, 2) == "0.00");
    CHECK(lab::fixed_text(1e-30, 2) == "< 0.01");
    CHECK(lab::digits_text(999.6, 3) == "1000");
    CHECK(lab::digits_text(-9999.7, 4) == "−10000");
    CHECK(lab::digits_text(-1.23456, 5) == "−1.2346");
    CHECK(lab::digits_text(-0.0, 6) == "0");
    CHECK(lab::digits_text(-1.2e-5, 5) == "−1.2·10⁻⁵");
    CHECK(lab::digits_text(-std::numeric_limits<double>::infinity(), 5) == "−∞");
}
