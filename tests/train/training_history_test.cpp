#include "train/training_history.hpp"

#include "catch.hpp"
#include "train/early_stop.hpp"

#include <limits>

using namespace heed;
using train::EarlyStop;
using train::TrainingHistory;

TEST_CASE("a history as CSV has a row for each step with a number") {
    TrainingHistory history;
    history.steps = {{1, 4.5, 0.001, 12.25, 0.5}, {2, 4.25, 0.001, 10, 1}};
    train::Measures measures;
    measures.loss = 3.5;
    measures.token_accuracy = 0.5;
    measures.alignment_error_rate = 0.125;
    history.held_out = {{2, measures}, {3, measures}};
    history.held_out[1].measures.alignment_error_rate.reset();
    history.held_out[1].measures.label_accuracy = 0.75;
    CHECK(train::write_csv(history) ==
          "step,loss,rate,gradient_norm,seconds,held_out_loss,token_accuracy,exact_match,bleu,"
          "alignment_error_rate,label_accuracy\r\n"
          "1,4.5,0.001,12.25,0.500,,,,,,\r\n"
          "2,4.25,0.001,10,1.000,3.5,0.5,0,0,0.125,\r\n"
          "3,,,,,3.5,0.5,0,0,,0.75\r\n");
}

TEST_CASE("the recent loss is a mean of what there is") {
    TrainingHistory history;
    CHECK(train::recent_loss(history, 5) == 0);
    history.steps = {{1, 9, 0, 0, 0}, {2, 2, 0, 0, 0}, {3, 4, 0, 0, 0}};
    CHECK(train::recent_loss(history, 2) == 3);
    CHECK(train::recent_loss(history, 9) == 5);
}

TEST_CASE("training stops when the held-out loss has not fallen for so many measurements") {
    EarlyStop stop{.patience = 2, .least = 0.1};
    CHECK(stop.observe(100, 3.0));
    CHECK(stop.observe(200, 2.5));
    CHECK(!stop.observe(300, 2.45)); // less than `least`
    CHECK(!stop.should_stop());
    CHECK(!stop.observe(400, std::numeric_limits<double>::quiet_NaN()));
    CHECK(stop.should_stop());
    CHECK(stop.best == 2.5);
    CHECK(stop.best_step == 200);
    CHECK(stop.observe(500, 2.0));
    CHECK(!stop.should_stop());
}

TEST_CASE("without patience nothing stops") {
    EarlyStop stop;
    for (std::uint64_t step = 1; step < 50; ++step) stop.observe(step, 1);
    CHECK(!stop.should_stop());
}
