// A hand that does anything at random that a person can do to the window, in frames of a Driver.
#pragma once

#include "ui/random_state.hpp"

#include <functional>
#include <string>

namespace heed::ui::test {

class RandomHand {
  public:
    /// `folder`: where files that are dropped may be written. `patient`: every gesture waits for
    /// the engine, so that a seed tells the same story each time; otherwise most do not.
    RandomHand(Driver& driver, TaskRng& rng, std::string folder, bool patient)
        : driver_(driver), rng_(rng), folder_(std::move(folder)), patient_(patient) {}

    /// One gesture, from its first frame to its last.
    void act();
    /// What it was: "click kept/0/remove".
    const std::string& last() const { return last_; }
    /// The longest frame of that gesture, in milliseconds of the window's thread.
    double slowest_ms() const { return slowest_ms_; }

  private:
    void frames(int count);
    void press(int button, int clicks);
    void move(Point to);
    Point anywhere();
    Point upon_widget();
    void click_widget();
    void click_anywhere();
    void drag();
    void wheel();
    void key();
    void shortcut();
    void type();
    void paste();
    void edit_sentence();
    void drop_file();
    void resize();
    void wait();

    Driver& driver_;
    TaskRng& rng_;
    std::string folder_, last_;
    bool patient_;
    double slowest_ms_ = 0;
};

} // namespace heed::ui::test
