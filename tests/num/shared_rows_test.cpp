#include "catch.hpp"
#include "num/shared_rows.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

using namespace heed::num;

namespace {

Matrix<float> counted(Index rows, Index cols, float first) {
    Matrix<float> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = first + static_cast<float>(i);
    return m;
}

/// These rows and `more` others, whose numbers begin with `first`.
SharedRows<float> grown(const SharedRows<float>& rows, Index kept, Index more, float first) {
    ThreadPool pool(2);
    SharedRows<float> whole = rows.continued(pool, kept, more);
    whole.own(kept, 0, more, rows.cols()) = counted(more, rows.cols(), first);
    return whole;
}

SharedRows<float> with_room(const Matrix<float>& m) {
    auto rows = SharedRows<float>::unfilled(m.rows(), m.cols(), true);
    rows.own(0, 0, m.rows(), m.cols()) = m;
    return rows;
}

Matrix<float> below(const Matrix<float>& upper, const Matrix<float>& lower) {
    Matrix<float> both(upper.rows() + lower.rows(), upper.cols());
    both << upper, lower;
    return both;
}

} // namespace

TEST_CASE("rows are continued in place, and by one at a time") {
    const Matrix<float> m = counted(5, 3, 0);
    const SharedRows<float> rows = with_room(m);
    const auto first = grown(rows, 5, 2, 100), second = grown(rows, 5, 1, 200);
    CHECK(first.data() == rows.data());
    CHECK(second.data() != rows.data());
    CHECK(rows == m);
    CHECK(first == below(m, counted(2, 3, 100)));
    CHECK(second == below(m, counted(1, 3, 200)));
    const auto third = grown(first, 7, 1, 300);
    CHECK(third.data() == rows.data());
    CHECK(first == below(m, counted(2, 3, 100)));
    CHECK(third == below(first, counted(1, 3, 300)));
}

TEST_CASE("rows that nobody has any more are free for the next one") {
    const Matrix<float> m = counted(5, 3, 0);
    const SharedRows<float> rows = with_room(m);
    { const auto gone = grown(grown(rows, 5, 1, 100), 6, 2, 200); }
    auto next = grown(rows, 5, 3, 300);
    CHECK(next.data() == rows.data());
    CHECK(next == below(m, counted(3, 3, 300)));
    // Who continued the rows of one that is gone keeps them.
    next = grown(next, 8, 1, 400);
    CHECK(grown(rows, 5, 1, 500).data() != rows.data());
    CHECK(next == below(below(m, counted(3, 3, 300)), counted(1, 3, 400)));
}

TEST_CASE("rows are copied where fewer are kept, where there is no room and where none was left") {
    const Matrix<float> m = counted(5, 3, 0);
    const SharedRows<float> rows = with_room(m), exact = m;
    const auto fewer = grown(rows, 4, 1, 100);
    CHECK(fewer.data() != rows.data());
    CHECK(fewer == below(m.topRows(4), counted(1, 3, 100)));
    const auto more = grown(rows, 5, 5000, 100);
    CHECK(more.data() != rows.data());
    CHECK(more == below(m, counted(5000, 3, 100)));
    auto next = grown(exact, 5, 1, 100);
    CHECK(next.data() != exact.data());
    for (int i = 0; i < 300; ++i) next = grown(next, next.rows(), 1, 7);
    CHECK(next.rows() == 306);
    CHECK(next.topRows(6) == below(m, counted(1, 3, 100)));
    CHECK(exact == m);
    CHECK(grown(SharedRows<float>(Matrix<float>(0, 3)), 0, 2, 5) == counted(2, 3, 5));
}

TEST_CASE("rows without room are the matrix that they were made of") {
    Matrix<float> m = counted(4, 2, 0);
    const float* data = m.data();
    const SharedRows<float> rows = std::move(m);
    CHECK(rows.data() == data);
    CHECK(rows.matrix()->data() == data);
    const auto whole = with_room(counted(4, 2, 0)).matrix(); // nobody has the rows beside it
    CHECK(*whole == counted(4, 2, 0));
}

TEST_CASE("rows of others cannot be written") {
    const SharedRows<float> rows = with_room(counted(5, 3, 0));
    ThreadPool pool(1);
    auto more = rows.continued(pool, 5, 2);
    CHECK_THROWS(more.own(4, 0, 1, 3));
    CHECK_THROWS(more.own(6, 0, 2, 3));
    CHECK_THROWS(rows.continued(pool, 6, 1));
}

TEST_CASE("rows are read while others are written below, on several threads") {
    SharedRows<float> rows = with_room(counted(50, 16, 0));
    const float sum = rows.sum();
    std::atomic<int> wrong = 0;
    const auto read = [&wrong, rows, sum] {
        for (int i = 0; i < 200; ++i) wrong += rows.sum() != sum;
    };
    const auto write = [&wrong, rows](float first) {
        const Matrix<float> expected = below(rows, counted(3, 16, first));
        for (int i = 0; i < 200; ++i) wrong += grown(rows, 50, 3, first) != expected;
    };
    std::vector<std::thread> threads;
    threads.emplace_back(read);
    threads.emplace_back(write, 100.f);
    threads.emplace_back(write, 200.f);
    rows = {};
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
