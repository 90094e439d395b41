// Rows that several owners read, such as the keys of a text that grows token by token: who comes
// next writes its rows below the others where there is room, and nothing is copied.
#pragma once

#include "base/check.hpp"
#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <utility>

namespace heed::num {

/// A matrix that reads like any of Eigen's, and that nobody changes once it was passed on; copies
/// share it. Any thread may read, copy, continue and drop one.
template <class S> class SharedRows : public Eigen::Map<const Matrix<S>> {
    using Map = Eigen::Map<const Matrix<S>>;

  public:
    SharedRows() noexcept : Map(nullptr, 0, 0) {}
    /// Nothing is copied where the matrix is moved in.
    SharedRows(Matrix<S> values) : SharedRows(claimed(std::move(values)), 0) {}
    template <class D>
    SharedRows(const Eigen::MatrixBase<D>& values) : SharedRows(Matrix<S>(values)) {}
    SharedRows(const SharedRows& other) noexcept
        : Map(other.data(), other.rows(), other.cols()), claim_(other.claim_),
          first_own_(other.first_own_) {}
    SharedRows& operator=(const SharedRows& other) noexcept {
        if (this == &other) return *this;
        this->~SharedRows(); // a map finds another place by being made anew alone
        return *new (this) SharedRows(other);
    }
    ~SharedRows() = default;

    /// rows × cols that own() fills. `grows`: with room for more rows below.
    static SharedRows unfilled(Index rows, Index cols, bool grows) {
        Matrix<S> values(grows ? with_room(rows) : rows, cols);
        return SharedRows(claimed(std::move(values), rows), 0);
    }

    /// The first `kept` rows, and `more` below them that own() fills. Copied are the kept ones
    /// only where they are not all of them, where they were continued already by somebody who is
    /// still there, or where there is no more room.
    SharedRows continued(ThreadPool& pool, Index kept, Index more) const {
        HEED_CHECK(kept <= this->rows(), "{} rows kept of {}", kept, this->rows());
        if (claim_ && kept == this->rows() && kept + more <= claim_->buffer->values.rows()) {
            auto next = std::make_shared<Claim>(claim_->buffer, claim_, kept, kept);
            Index used = kept;
            if (claim_->buffer->used.compare_exchange_strong(used, kept + more,
                                                             std::memory_order_acq_rel)) {
                next->end = kept + more;
                return SharedRows(std::move(next), kept);
            }
        }
        SharedRows copy = unfilled(kept + more, this->cols(), true);
        // Memory is read faster by several threads.
        const Index parts = kept * this->cols() < kSerial ? 1 : 4 * pool.size();
        const auto copy_part = [&](Index i) {
            const Index begin = i * kept / parts, rows = (i + 1) * kept / parts - begin;
            copy.own(begin, 0, rows, this->cols()) = this->middleRows(begin, rows);
        };
        if (parts == 1) {
            copy_part(0);
        } else {
            pool.for_each(parts, copy_part);
        }
        copy.first_own_ = kept;
        return copy;
    }

    /// Some of the rows that unfilled() or continued() left to be filled, by whoever called them
    /// and before anybody else reads them.
    View<S> own(Index row, Index col, Index rows, Index cols) {
        HEED_CHECK(row >= first_own_ && row + rows <= this->rows() && col + cols <= this->cols(),
                   "rows {} + {} of {}, of which those before {} are others'", row, rows,
                   this->rows(), first_own_);
        return View<S>(const_cast<S*>(this->data()) + row * this->cols() + col, rows, cols,
                       Eigen::OuterStride<>(this->cols()));
    }
    Index first_own() const { return first_own_; }

    /// The matrix: the very one that they were made of, or a copy where there is room below.
    std::shared_ptr<const Matrix<S>> matrix() const {
        if (claim_ && claim_->buffer->values.rows() == this->rows()) {
            return {claim_, &claim_->buffer->values};
        }
        return std::make_shared<const Matrix<S>>(*this);
    }

  private:
    static constexpr Index kSerial = Index{16} * 1024; // elements that one thread copies as fast

    struct Buffer {
        Matrix<S> values;
        std::atomic<Index> used; // rows that somebody has
        Buffer(Matrix<S> of, Index rows) : values(std::move(of)), used(rows) {}
    };
    /// Rows of a buffer that their owners share, behind others that they keep alive. When the last
    /// of them goes, the rows are free again.
    struct Claim {
        std::shared_ptr<Buffer> buffer;
        std::shared_ptr<const Claim> before;
        Index begin, end;

        Claim(std::shared_ptr<Buffer> of, std::shared_ptr<const Claim> rows_before, Index from,
              Index to)
            : buffer(std::move(of)), before(std::move(rows_before)), begin(from), end(to) {}
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
        ~Claim() {
            Index used = end;
            buffer->used.compare_exchange_strong(used, begin, std::memory_order_acq_rel);
        }
    };

    static Index with_room(Index rows) { return rows + std::max<Index>(64, rows / 4); }
    static std::shared_ptr<Claim> claimed(Matrix<S> values) {
        const Index rows = values.rows();
        return claimed(std::move(values), rows);
    }
    static std::shared_ptr<Claim> claimed(Matrix<S> values, Index rows) {
        auto buffer = std::make_shared<Buffer>(std::move(values), rows);
        return std::make_shared<Claim>(std::move(buffer), nullptr, 0, rows);
    }
    SharedRows(std::shared_ptr<Claim> rows, Index first_own)
        : Map(rows->buffer->values.data(), rows->end, rows->buffer->values.cols()),
          claim_(std::move(rows)), first_own_(first_own) {}

    std::shared_ptr<Claim> claim_;
    Index first_own_ = 0;
};

template <class S>
ConstView<S> view(const SharedRows<S>& m, Index row, Index col, Index rows, Index cols) {
    return ConstView<S>(m.data() + row * m.cols() + col, rows, cols,
                        Eigen::OuterStride<>(m.cols()));
}
template <class S> ConstView<S> view(const SharedRows<S>& m) {
    return view(m, 0, 0, m.rows(), m.cols());
}

} // namespace heed::num
