// Contracts between functions. A broken one is a programmer's error: it throws, and says which
// condition failed with the numbers that broke it.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace heed::base {

/// Thrown by HEED_CHECK. Nothing catches it but the outermost frames of the engine and of the
/// command line, and the window's figures, each of which says it.
class ContractError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

} // namespace heed::base

/// HEED_CHECK(q.cols() == k.cols(), "queries are {} wide, keys {}", q.cols(), k.cols())
#define HEED_CHECK(condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition)) throw ::heed::base::ContractError(fmt::format(__VA_ARGS__));             \
    } while (false)
